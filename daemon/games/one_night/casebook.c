// Worked cases of one-night.md section 10: read, played through the engine, compared line by line.
#include "games/casebook.h"
#include "games/one_night/casebook__.h"
#include "games/one_night/one_night.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// X(name, key as written, needed)
#define PARTS(X)                                                                                             \
    X(OPTIONS, "options", true)                                                                              \
    X(SEATS, "seats", true)                                                                                  \
    X(CENTRE, "centre", true)                                                                                \
    X(NIGHT, "night", true)                                                                                  \
    X(FINAL, "final", true)                                                                                  \
    X(MARKS, "marks", false)                                                                                 \
    X(ARTIFACT, "artifact", false)                                                                           \
    X(TEAM, "role/team", true)                                                                               \
    X(EPIC, "epic", false)                                                                                   \
    X(VOTES, "votes", true)                                                                                  \
    X(DEATHS, "deaths", true)                                                                                \
    X(WINNERS, "winners", true)
enum key {
#define X(name, text, needed) PART_##name,
    PARTS(X)
#undef X
        PARTS_ALL
};
static const struct {
    const char *text;
    bool needed;
} keys[] = {
#define X(name, text, needed) {text, needed},
    PARTS(X)
#undef X
};

enum { VALUE_MAX = 1024, STATE_WORDS = GAME_STATE_MAX / 8 };

struct run {
    const struct game *game;
    struct casebook_report *report;
    bool given[PARTS_ALL];
    char value[PARTS_ALL][VALUE_MAX];
    game_kind dealt[CARDS_MAX]; // by place
    unsigned n_dealt;
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct casebook_wants wants;
    struct observation seen;
    uint64_t state[STATE_WORDS];
};

// ---- words

// The next word up to one of the signs; false at the end. Too long a word is cut and so matches nothing.
static bool next_word(const char **at, const char *signs, char ret[CASEBOOK_WORD]) {
    *at += strspn(*at, signs);
    size_t len = strcspn(*at, signs);
    snprintf(ret, CASEBOOK_WORD, "%.*s", (int)(len < CASEBOOK_WORD ? len : CASEBOOK_WORD - 1), *at);
    *at += len;
    return len > 0;
}

static bool split(char *word, char sign, char **ret_second) {
    char *at = strchr(word, sign);
    if (!at)
        return false;
    *at = 0;
    *ret_second = at + 1;
    return true;
}

// ---- lines

static bool take_line(struct run *r, int *key, const char *line, size_t len) {
    size_t blank = strspn(line, " \t"), end = len;
    const char *hash = memchr(line, '#', len);
    if (hash)
        end = (size_t)(hash - line);
    while (end && strchr(" \t\r", line[end - 1]))
        end--;
    if (blank >= end)
        return true;
    const char *text = line + blank;
    if (blank == 0) {
        const char *colon = memchr(line, ':', end);
        size_t name = colon ? (size_t)(colon - line) : 0;
        while (name && line[name - 1] == ' ')
            name--;
        *key = 0;
        while (*key < PARTS_ALL &&
               (strlen(keys[*key].text) != name || strncmp(keys[*key].text, line, name) != 0))
            ++*key;
        if (!colon || *key == PARTS_ALL)
            return casebook_fail(r->report, "a known key and a colon", "%.*s", (int)end, line);
        if (r->given[*key])
            return casebook_fail(r->report, "each key once", "%s twice", keys[*key].text);
        r->given[*key] = true;
        text = colon + 1 + strspn(colon + 1, " \t");
    }
    if (*key < 0 || *key >= PARTS_ALL)
        return casebook_fail(r->report, "a key on the first line", "%.*s", (int)end, line);
    size_t have = strlen(r->value[*key]), more = text < line + end ? (size_t)(line + end - text) : 0;
    if (have + more + 2 > VALUE_MAX)
        return casebook_fail(r->report, "shorter lines", "%s is too long", keys[*key].text);
    snprintf(r->value[*key] + have, VALUE_MAX - have, "%s%.*s", have ? "\n" : "", (int)more, text);
    return true;
}

static bool read_lines(struct run *r, const char *text) {
    int key = -1;
    while (*text && !r->report->failed) {
        size_t len = strcspn(text, "\n");
        take_line(r, &key, text, len);
        text += len + (text[len] == '\n');
    }
    for (int k = 0; k < PARTS_ALL && !r->report->failed; k++)
        if (keys[k].needed && (!r->given[k] || !r->value[k][0]))
            casebook_fail(r->report, keys[k].text, "the line is missing");
    return !r->report->failed;
}

// ---- set-up

// An option by its name alone: yes, or of several readings the last, which is never the default. What holds
// for several is joined with a plus.
static const char *reading(const char *name, char *value) {
    int i = game_option_find(game_find("one_night"), name);
    const char *choices = i >= 0 ? one_night__options[i].choices : NULL;
    for (char *at = value; at && *at; at++)
        *at = *at == '+' ? '_' : *at;
    return value ? value : choices ? strrchr(choices, ' ') + 1 : "1";
}

static bool read_options(struct run *r) {
    char word[CASEBOOK_WORD], *value = NULL;
    struct error err = {0};
    for (const char *at = r->value[PART_OPTIONS]; next_word(&at, ", \n", word);) {
        if (strcmp(word, "official") == 0 || casebook__want_option(&r->wants, word))
            continue;
        bool given = split(word, '=', &value);
        const char *read = reading(word, given ? value : NULL);
        if (game_setup_option(r->game, &r->setup, word, read, &err) != ERROR_OK)
            return casebook_fail(r->report, "options", "%s", err.text);
    }
    return true;
}

static bool centre_wolf(struct run *r, const char *role) {
    struct error err = {0};
    return game_setup_option(r->game, &r->setup, "c4", role, &err) == ERROR_OK ||
           casebook_fail(r->report, "a werewolf at c4", "E_ALPHA_C4: %s", role);
}

// `s1=werewolf s2=seer`: places named in order, their roles become the set.
static bool read_deal(struct run *r, int key, char stem, unsigned *ret_n) {
    char word[CASEBOOK_WORD], *role = NULL, name[8];
    *ret_n = 0;
    for (const char *at = r->value[key]; next_word(&at, " \n", word); ++*ret_n) {
        snprintf(name, sizeof name, "%c%u", stem, *ret_n + 1);
        if (!split(word, '=', &role) || strcmp(word, name) != 0)
            return casebook_fail(r->report, name, "%s: %s", keys[key].text, word);
        game_kind kind = game_kind_find(r->game, role);
        if (kind >= ROLES)
            return casebook_fail(r->report, "a role of the rules", "%s: unknown role %s", keys[key].text,
                                 role);
        if (*ret_n + (key == PART_CENTRE ? r->setup.n_cards : 0u) >= CARDS_MAX)
            return casebook_fail(r->report, "fewer cards", "%s", keys[key].text);
        bool outside = key == PART_CENTRE && *ret_n == 3; // the centre werewolf is no card of the set
        if (outside && !centre_wolf(r, role))
            return false;
        r->dealt[r->n_dealt++] = kind;
        if (!outside)
            r->setup.cards[r->setup.n_cards++] = kind;
    }
    return true;
}

static void raise_limits(struct game_setup *setup) {
    static const uint8_t limits[] = {OPTION_max_werewolf, OPTION_max_mason, OPTION_max_villager,
                                     OPTION_max_alien, OPTION_max_other};
    for (unsigned i = 0; i < sizeof limits; i++)
        setup->options[limits[i]] = one_night__options[limits[i]].max;
    setup->options[OPTION_bonus_tokens] = 1;
}

static bool set_up(struct run *r) {
    unsigned seats = 0, centre = 0;
    struct error err = {0};
    struct game_issues issues = {0};
    game_setup_default(r->game, 0, &r->setup);
    raise_limits(&r->setup);
    if (!read_options(r) || !read_deal(r, PART_SEATS, 's', &seats) ||
        !read_deal(r, PART_CENTRE, 'c', &centre))
        return false;
    r->setup.seats = (uint8_t)(seats < 255 ? seats : 255);
    if (r->game->prepare(&r->setup, &issues, &err) != ERROR_OK)
        return casebook_fail(r->report, "a set-up the rules allow", "%s: %s", err.rule, err.text);
    r->game->places(&r->setup, &r->places);
    r->words = (struct game_words){r->game, &r->setup, &r->places};
    r->game->init(r->state, &r->setup);
    return true;
}

// ---- play

static bool act(struct run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool act(struct run *r, const char *format, ...) {
    char line[GAME_TEXT_MAX];
    struct error err = {0};
    game_action action;
    int by;
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    enum error_code code = game_action_parse(&r->words, r->state, line, &by, &action, &err);
    if (code == ERROR_OK)
        code = game_act(r->game, r->state, by, action, NULL, &err);
    return code == ERROR_OK || casebook_fail(r->report, line, "refused: %s", err.text);
}

static const struct one_night *state(const struct run *r) {
    return one_night__state(r->state);
}

static bool deal_marks(struct run *r) {
    const struct one_night *g = state(r);
    for (unsigned seat = 0; seat < g->seats && g->place_k; seat++)
        if (!act(r, "chance deal place=k%u slot=%u", seat + 1, g->first_mark_slot + seat))
            return false;
    return true;
}

static bool draw(struct run *r) {
    while (!one_night__drawn(state(r))) {
        game_action all[128];
        char text[GAME_TEXT_MAX], kept[GAME_TEXT_MAX] = "";
        size_t n = one_night__draw_list(state(r), all, 128);
        unsigned most = 0;
        for (size_t i = 0; i < n && i < 128; i++) {
            game_action_text(&r->words, r->state, GAME_BY_CHANCE, all[i], text);
            unsigned fits = casebook__want_score(&r->wants, text) + 1;
            if (fits <= most)
                continue;
            most = fits;
            snprintf(kept, sizeof kept, "%s", text);
        }
        if (!n || !act(r, "%s", kept))
            return casebook_fail(r->report, "an instruction that may be drawn", "there is none");
    }
    return true;
}

static bool deal(struct run *r) {
    bool used[CARDS_MAX] = {false};
    unsigned n = state(r)->n_positions;
    if (n != r->n_dealt)
        return casebook_fail(r->report, "a card for each place", "%u cards, %u places", r->n_dealt, n);
    for (unsigned p = 0; p < n; p++) {
        unsigned slot = 0;
        while (slot < n && (used[slot] || r->setup.slot_kind[slot] != r->dealt[p]))
            slot++;
        if (slot == n)
            return casebook_fail(r->report, "as many cards as places", "%u places", n);
        used[slot] = true;
        if (!act(r, "chance deal place=%s slot=%u", r->places.row[p].name, slot))
            return false;
    }
    return draw(r) && deal_marks(r) && act(r, "table begin");
}

// A row goes by the name of its first role, and by those of its group that name no row of their own.
static bool goes_by(const struct one_night_night *row, unsigned role) {
    if (!(row->roles >> role & 1) || (unsigned)__builtin_ctzll(row->roles) == role)
        return row->roles >> role & 1;
    for (unsigned i = 0; i < one_night__night_rows; i++)
        if (one_night__night[i].roles && (unsigned)__builtin_ctzll(one_night__night[i].roles) == role)
            return false;
    return true;
}

// Whether the seat acts as this role in the step: as itself, as a doppelganger in the slot or group of what
// she copied, or at once in her own step.
static bool acts_here(const struct run *r, unsigned step, int seat, unsigned role, bool doppel,
                      bool answers) {
    const struct one_night *g = state(r);
    if (g->steps[step] == STEP_CHECK)
        return false;
    const struct one_night_night *row = &one_night__night[g->steps[step]];
    if (doppel && row->id == 120)
        return one_night__roles[role].instant != 0;
    if (role == ROLE_COW && row->id == 320)
        return true;
    if (!goes_by(row, role))
        return false;
    if (role == ROLE_ORACLE && ((row->flags & NIGHT_ANSWER) != 0) != answers)
        return false;
    bool slot = row->flags & NIGHT_DOPPEL, joins = row->flags & NIGHT_JOINS;
    if (doppel ? !slot && !joins : slot)
        return false;
    return seat < 0 || one_night__wakes(g, g->steps[step], (unsigned)seat);
}

static bool is_dark(const struct run *r) {
    return state(r)->phase == PHASE_NIGHT;
}

static bool go_to(struct run *r, int seat, unsigned role, bool doppel, bool answers, const char *line) {
    while (is_dark(r)) {
        if (state(r)->phase == PHASE_NIGHT && acts_here(r, state(r)->step, seat, role, doppel, answers))
            return true;
        if (!act(r, "timer next"))
            return false;
    }
    return casebook_fail(r->report, "an action at or after the step before it, by a seat that wakes there",
                         "%s", line);
}

static bool wakes_as(struct run *r, int seat, bool doppel, const char *line) {
    const struct one_night *g = state(r);
    unsigned card = g->dealt[seat];
    bool is_doppel = g->role[card] == ROLE_DOPPELGANGER || (g->doubles >> card & 1);
    if (doppel && (!is_doppel || g->copied[card] == ROLE_NONE))
        return casebook_fail(r->report, "a seat with a doppelganger that copied", "%s", line);
    return true;
}

// Eyes and hands that stay still leave no trace.
static bool is_still(const char *verb) {
    static const char *const still[] = {"look", "none", "thumb", "fist", "point"};
    for (unsigned i = 0; i < sizeof still / sizeof *still; i++)
        if (strcmp(verb, still[i]) == 0)
            return true;
    return false;
}

static bool has_row(unsigned role) {
    for (unsigned i = 0; i < one_night__night_rows; i++)
        if (one_night__night[i].roles >> role & 1)
            return true;
    return false;
}

static bool do_verb(struct run *r, const char *seat, const char *verb, const char *args, const char *line) {
    char a[CASEBOOK_WORD] = "", b[CASEBOOK_WORD] = "", c[CASEBOOK_WORD] = "", more[CASEBOOK_WORD];
    const char *at = args;
    unsigned n = 0;
    n += next_word(&at, " ", a);
    n += next_word(&at, " ", b);
    n += next_word(&at, " ", c);
    if (strcmp(verb, "alienpass") == 0 && n >= 1) // whose cards pass follows from who woke
        return act(r, "%s rotate dir=%s", seat, a);
    if (next_word(&at, " ", more))
        return casebook_fail(r->report, "at most three arguments", "%s", line);
    if (strcmp(verb, "view") == 0 && n == 2 && (a[0] == 'k') != (b[0] == 'k')) // a card and a mark
        return act(r, "%s view a=%s", seat, a) && act(r, "%s view a=%s", seat, b);
    if (strcmp(verb, "view") == 0 && n >= 1)
        return act(r, "%s view a=%s%s%s%s%s", seat, a, n > 1 ? "+" : "", b, n > 2 ? "+" : "", c);
    if (strcmp(verb, "swap") == 0 && n == 2)
        return act(r, "%s swap a=%s b=%s", seat, a, b);
    if ((strcmp(verb, "copy") == 0 || strcmp(verb, "copycat") == 0) && n == 1)
        return act(r, "%s copy a=%s", seat, a);
    if (strcmp(verb, "mark") == 0 && n == 2 && b[0] == 's')
        return act(r, "%s mark mark=%s a=k%s", seat, a, b + 1);
    if (strcmp(verb, "swapmarks") == 0 && n == 2 && a[0] == 's' && b[0] == 's')
        return act(r, "%s swap a=k%s b=k%s", seat, a + 1, b + 1);
    if (strcmp(verb, "artifact") == 0 && n == 2 && b[0] == 's')
        return act(r, "%s artifact a=a%s slot=%u", seat, b + 1,
                   state(r)->first_artifact_slot + game_kind_find(r->game, a) - KIND_ARTIFACT);
    if (strcmp(verb, "newalien") == 0 && n == 1)
        return act(r, "%s convert a=%s", seat, a);
    if (strcmp(verb, "answer") == 0 && n == 1)
        return act(r, "%s answer value=%s", seat, a);
    if (strcmp(verb, "shield") == 0 && n == 1)
        return act(r, "%s shield a=%s", seat, a);
    if (strcmp(verb, "flip") == 0 && n > 1)
        return act(r, "%s flip a=%s+%s%s%s", seat, a, b, n > 2 ? "+" : "", c);
    if ((strcmp(verb, "flip") == 0 || strcmp(verb, "flipback") == 0) && n == 1)
        return act(r, "%s %s a=%s", seat, verb, a);
    if (strcmp(verb, "rotate") == 0 && n == 1)
        return act(r, "%s rotate dir=%s", seat, a);
    if (strcmp(verb, "pi") == 0 && (n == 1 || n == 2))
        return act(r, "%s view a=%s", seat, a) && (n == 1 || act(r, "%s view a=%s", seat, b));
    if (is_still(verb) && n <= 1)
        return true;
    if (strcmp(verb, "announce") == 0 && n == 1)
        return true; // drawn before the night
    return casebook_fail(r->report, "a verb of the format with its arguments", "%s", line);
}

static bool split_line(struct run *r, char *line, struct casebook_line *ret) {
    snprintf(ret->copy, sizeof ret->copy, "%s", line);
    ret->by = line;
    if (!split(line, ':', &ret->role) || !split(ret->role, ':', &ret->verb))
        return casebook_fail(r->report, "seat:role:verb", "%s", ret->copy);
    if (!split(ret->verb, ' ', &ret->args))
        ret->args = ret->verb + strlen(ret->verb);
    static const char prefix[] = "doppelganger_";
    ret->doppel = strncmp(ret->role, prefix, sizeof prefix - 1) == 0;
    if (ret->doppel)
        ret->role += sizeof prefix - 1;
    if (strcmp(ret->role, "groob_zerb") == 0)
        ret->role[strlen("groob")] = 0;
    return true;
}

// The member of a group that acts for it: the lowest one awake.
static const char *member(const struct run *r, char ret[8]) {
    unsigned awake = state(r)->awake;
    snprintf(ret, 8, "s%d", awake ? __builtin_ctz(awake) + 1 : 1);
    return ret;
}

// The seat of an oracle that guessed is only compared.
static bool oracle_target(struct run *r, const char *text) {
    int seat;
    const struct one_night *g = state(r);
    if (!game_by_parse(&r->words, text, &seat) || seat < 0 || g->role[g->dealt[seat]] != ROLE_ORACLE)
        return casebook_fail(r->report, "a seat that was dealt the oracle", "oracle_target %s", text);
    return true;
}

static bool night_line(struct run *r, char *text) {
    struct casebook_line line;
    char by[8];
    int seat;
    if (strncmp(text, "oracle_target ", 14) == 0)
        return oracle_target(r, text + 14);
    if (!split_line(r, text, &line))
        return false;
    bool group = strcmp(line.by, "app") == 0, answers = strcmp(line.verb, "answer") == 0;
    if (!group && (!game_by_parse(&r->words, line.by, &seat) || seat < 0))
        return casebook_fail(r->report, "a seat of this game", "%s", line.copy);
    if (strcmp(line.verb, "oracle_target") == 0)
        return oracle_target(r, line.args);
    game_kind role = game_kind_find(r->game, line.role);
    if (role >= ROLES)
        return casebook_fail(r->report, "a role of the rules", "unknown role %s", line.role);
    if (!(one_night__roles[role].flags & IS_BUILT))
        return casebook_fail(r->report, "a role that is played", "%s is not installed", line.role);
    if (!group && line.doppel && !wakes_as(r, seat, line.doppel, line.copy))
        return false;
    if (is_still(line.verb) && !has_row(role)) // a dream wolf's thumb in the werewolves' step
        return true;
    if (!go_to(r, group ? -1 : seat, role, line.doppel, answers, line.copy))
        return false;
    if (group && answers) // the device's own answer was drawn before the night
        return true;
    return do_verb(r, group ? member(r, by) : line.by, line.verb, line.args, line.copy);
}

static bool each_line(struct run *r, bool (*fn)(struct run *r, char *line)) {
    char line[CASEBOOK_WORD * 4];
    for (const char *at = r->value[PART_NIGHT]; *at;) {
        size_t len = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), at);
        at += len + (at[len] == '\n');
        if (strcmp(line, "none") != 0 && !fn(r, line))
            return false;
    }
    return true;
}

static bool foresee(struct run *r, char *text) {
    struct casebook_line line;
    if (strncmp(text, "oracle_target ", 14) == 0)
        return true;
    if (!split_line(r, text, &line))
        return false;
    casebook__want_line(&r->wants, &line);
    return true;
}

static bool night(struct run *r) {
    if (!each_line(r, night_line))
        return false;
    while (is_dark(r))
        if (!act(r, "timer next"))
            return false;
    return true;
}

static bool day(struct run *r) {
    while (state(r)->phase == PHASE_DAY)
        if (!(state(r)->rules.rounds ? act(r, "s%u done", state(r)->speaker + 1u) : act(r, "table end_day")))
            return false;
    return true;
}

static bool vote(struct run *r) {
    char word[CASEBOOK_WORD], *target = NULL;
    for (const char *at = r->value[PART_VOTES]; next_word(&at, " \n", word);) {
        if (!split(word, '>', &target))
            return casebook_fail(r->report, "votes: s1>s2", "%s", word);
        char *second = NULL;
        bool two = split(target, '+', &second);
        if (strcmp(target, "app") == 0 ? !act(r, "%s vote_app", word)
            : two                      ? !act(r, "%s vote a=%s b=%s", word, target, second)
                                       : !act(r, "%s vote a=%s", word, target))
            return false;
    }
    while (state(r)->phase == PHASE_VOTE)
        if (!act(r, "timer next"))
            return false;
    return true;
}

// ---- compare

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *text, const char *format, ...) {
    size_t len = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + len, VALUE_MAX - len, format, args);
    va_end(args);
}

// Words of a line in their order, one blank between.
static bool compare(struct run *r, int key, const char *got) {
    char expected[VALUE_MAX] = "", word[CASEBOOK_WORD];
    for (const char *at = r->value[key]; next_word(&at, " \n", word);)
        append(expected, "%s%s", *expected ? " " : "", word);
    if (strcmp(expected, got) == 0)
        return true;
    char both[VALUE_MAX + 32];
    snprintf(both, sizeof both, "%s: %s", keys[key].text, expected);
    return casebook_fail(r->report, both, "%s: %s", keys[key].text, got);
}

static void final_text(const struct run *r, char *ret) {
    for (unsigned i = 0; i < r->seen.n_items; i++)
        if (r->seen.item[i].place < state(r)->n_positions && r->seen.item[i].kind)
            append(ret, "%s%s=%s", *ret ? " " : "", r->places.row[r->seen.item[i].place].name,
                   r->seen.item[i].kind);
}

static void fact_text(const struct run *r, const char *key, char *ret) {
    for (unsigned i = 0; i < r->seen.n_facts; i++) {
        const struct observe_fact *fact = &r->seen.fact[i];
        if (strcmp(fact->key, key) == 0)
            append(ret, "%ss%d=%s", *ret ? " " : "", fact->seat + 1,
                   fact->kind + (strncmp(fact->kind, "mark_", 5) == 0 ? 5 : 0));
    }
}

static void epic_text(const struct run *r, char *ret) {
    for (unsigned i = 0; i < r->seen.n_facts; i++)
        if (strcmp(r->seen.fact[i].key, "epic") == 0)
            append(ret, "%s%s", *ret ? ", " : "yes (groups ",
                   strcmp(r->seen.fact[i].kind, "villager") == 0 ? "village" : r->seen.fact[i].kind);
    if (*ret)
        append(ret, ")");
}

static void seats_text(uint16_t seats, char *ret) {
    for (unsigned s = 0; s < TABLE_SEATS; s++)
        if (seats >> s & 1)
            append(ret, "%ss%u", *ret ? " " : "", s + 1);
    if (!seats)
        append(ret, "none");
}

static void winners_text(const struct observe_result *result, char *ret) {
    unsigned n = 0;
    seats_text(result->winners, ret);
    for (unsigned t = 0; t < result->n_teams; t++)
        if (result->teams[t].won)
            append(ret, "%s%s", n++ ? ", " : " (teams: ", result->teams[t].name);
    append(ret, n ? ")" : " (nobody)");
}

static bool compare_all(struct run *r) {
    char text[VALUE_MAX] = "";
    final_text(r, text);
    bool ok = compare(r, PART_FINAL, text);
    *text = 0;
    fact_text(r, "mark", text);
    ok = ok && compare(r, PART_MARKS, text);
    *text = 0;
    fact_text(r, "artifact", text);
    ok = ok && compare(r, PART_ARTIFACT, text);
    *text = 0;
    for (unsigned s = 0; s < r->setup.seats; s++)
        append(text, "%ss%u=%s/%s", s ? " " : "", s + 1, r->seen.result.seats[s].role,
               r->seen.result.seats[s].team);
    ok = ok && compare(r, PART_TEAM, text);
    *text = 0;
    epic_text(r, text);
    ok = ok && compare(r, PART_EPIC, text);
    *text = 0;
    seats_text(r->seen.result.dead, text);
    ok = ok && compare(r, PART_DEATHS, text);
    *text = 0;
    winners_text(&r->seen.result, text);
    return ok && compare(r, PART_WINNERS, text);
}

static void run_case(const struct casebook_case *one, struct casebook_report *ret) {
    struct run *r = calloc(1, sizeof *r);
    ret->passed = false;
    if (!r) {
        snprintf(ret->got, sizeof ret->got, "out of memory");
        return;
    }
    r->game = game_find("one_night");
    r->report = ret;
    if (read_lines(r, one->text) && set_up(r) && each_line(r, foresee) && deal(r) && night(r) && day(r) &&
        vote(r)) {
        r->seen.audience = OBSERVE_PUBLIC;
        r->game->observe(r->state, &r->seen);
        ret->passed = compare_all(r);
    }
    free(r);
}

const struct casebook one_night_casebook = {.game = "one_night", .run = run_case};
