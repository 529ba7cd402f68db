// Worked cases of one-night.md section 10: read, played through the engine, compared line by line.
#include "games/casebook.h"
#include "games/one_night/one_night.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// X(name, key as written, needed)
#define KEYS(X)                                                                                              \
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
#define X(name, text, needed) KEY_##name,
    KEYS(X)
#undef X
        KEYS_ALL
};
static const struct {
    const char *text;
    bool needed;
} keys[] = {
#define X(name, text, needed) {text, needed},
    KEYS(X)
#undef X
};

enum { VALUE_MAX = 1024, WORD_MAX = 48, STATE_WORDS = GAME_STATE_MAX / 8 };

struct run {
    const struct game *game;
    struct casebook_report *report;
    bool given[KEYS_ALL], failed;
    char value[KEYS_ALL][VALUE_MAX];
    game_kind dealt[CARDS_MAX]; // by place
    unsigned n_dealt;
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct observation seen;
    uint64_t state[STATE_WORDS];
};

static bool fail(struct run *r, const char *expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(struct run *r, const char *expected, const char *format, ...) {
    if (r->failed)
        return false;
    r->failed = true;
    snprintf(r->report->expected, CASEBOOK_TEXT_MAX, "%s", expected);
    va_list args;
    va_start(args, format);
    vsnprintf(r->report->got, CASEBOOK_TEXT_MAX, format, args);
    va_end(args);
    return false;
}

// ---- words
// -------------------------------------------------------------------------------------------------------

// The next word up to one of the signs; false at the end. Too long a word is cut and so matches nothing.
static bool next_word(const char **at, const char *signs, char ret[WORD_MAX]) {
    *at += strspn(*at, signs);
    size_t len = strcspn(*at, signs);
    snprintf(ret, WORD_MAX, "%.*s", (int)(len < WORD_MAX ? len : WORD_MAX - 1), *at);
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
// -------------------------------------------------------------------------------------------------------

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
        while (*key < KEYS_ALL &&
               (strlen(keys[*key].text) != name || strncmp(keys[*key].text, line, name) != 0))
            ++*key;
        if (!colon || *key == KEYS_ALL)
            return fail(r, "a known key and a colon", "%.*s", (int)end, line);
        if (r->given[*key])
            return fail(r, "each key once", "%s twice", keys[*key].text);
        r->given[*key] = true;
        text = colon + 1 + strspn(colon + 1, " \t");
    }
    if (*key < 0 || *key >= KEYS_ALL)
        return fail(r, "a key on the first line", "%.*s", (int)end, line);
    size_t have = strlen(r->value[*key]), more = text < line + end ? (size_t)(line + end - text) : 0;
    if (have + more + 2 > VALUE_MAX)
        return fail(r, "shorter lines", "%s is too long", keys[*key].text);
    snprintf(r->value[*key] + have, VALUE_MAX - have, "%s%.*s", have ? "\n" : "", (int)more, text);
    return true;
}

static bool read_lines(struct run *r, const char *text) {
    int key = -1;
    while (*text && !r->failed) {
        size_t len = strcspn(text, "\n");
        take_line(r, &key, text, len);
        text += len + (text[len] == '\n');
    }
    for (int k = 0; k < KEYS_ALL && !r->failed; k++)
        if (keys[k].needed && (!r->given[k] || !r->value[k][0]))
            fail(r, keys[k].text, "the line is missing");
    return !r->failed;
}

// ---- set-up
// ------------------------------------------------------------------------------------------------------

static bool read_options(struct run *r) {
    char word[WORD_MAX], *value = NULL;
    struct error err = {0};
    for (const char *at = r->value[KEY_OPTIONS]; next_word(&at, ", \n", word);) {
        if (strcmp(word, "official") == 0)
            continue;
        bool given = split(word, '=', &value);
        if (game_setup_option(r->game, &r->setup, word, given ? value : "1", &err) != ERROR_OK)
            return fail(r, "options", "%s", err.text);
    }
    return true;
}

static bool centre_wolf(struct run *r, const char *role) {
    struct error err = {0};
    return game_setup_option(r->game, &r->setup, "c4", role, &err) == ERROR_OK ||
           fail(r, "a werewolf at c4", "E_ALPHA_C4: %s", role);
}

// `s1=werewolf s2=seer`: places named in order, their roles become the set.
static bool read_deal(struct run *r, int key, char stem, unsigned *ret_n) {
    char word[WORD_MAX], *role = NULL, name[8];
    *ret_n = 0;
    for (const char *at = r->value[key]; next_word(&at, " \n", word); ++*ret_n) {
        snprintf(name, sizeof name, "%c%u", stem, *ret_n + 1);
        if (!split(word, '=', &role) || strcmp(word, name) != 0)
            return fail(r, name, "%s: %s", keys[key].text, word);
        game_kind kind = game_kind_find(r->game, role);
        if (kind >= ROLES)
            return fail(r, "a role of the rules", "%s: unknown role %s", keys[key].text, role);
        if (*ret_n + (key == KEY_CENTRE ? r->setup.n_cards : 0u) >= CARDS_MAX)
            return fail(r, "fewer cards", "%s", keys[key].text);
        bool outside = key == KEY_CENTRE && *ret_n == 3; // the centre werewolf is no card of the set
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
    if (!read_options(r) || !read_deal(r, KEY_SEATS, 's', &seats) || !read_deal(r, KEY_CENTRE, 'c', &centre))
        return false;
    r->setup.seats = (uint8_t)(seats < 255 ? seats : 255);
    if (r->game->prepare(&r->setup, &issues, &err) != ERROR_OK)
        return fail(r, "a set-up the rules allow", "%s: %s", err.rule, err.text);
    r->game->places(&r->setup, &r->places);
    r->words = (struct game_words){r->game, &r->setup, &r->places};
    r->game->init(r->state, &r->setup);
    return true;
}

// ---- play
// --------------------------------------------------------------------------------------------------------

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
    return code == ERROR_OK || fail(r, line, "refused: %s", err.text);
}

static const struct one_night *state(const struct run *r) {
    return one_night__state(r->state);
}

static bool deal(struct run *r) {
    bool used[CARDS_MAX] = {false};
    unsigned n = state(r)->n_positions;
    if (n != r->n_dealt)
        return fail(r, "a card for each place", "%u cards, %u places", r->n_dealt, n);
    for (unsigned p = 0; p < n; p++) {
        unsigned slot = 0;
        while (slot < n && (used[slot] || r->setup.slot_kind[slot] != r->dealt[p]))
            slot++;
        if (slot == n)
            return fail(r, "as many cards as places", "%u places", n);
        used[slot] = true;
        if (!act(r, "chance deal place=%s slot=%u", r->places.row[p].name, slot))
            return false;
    }
    return act(r, "table begin");
}

// A group's row goes by the name of its first role. Whether the seat acts as this role in the step: as
// itself, as a doppelganger in the slot or group of what she copied, or at once in her own step.
static bool acts_here(const struct run *r, unsigned step, int seat, unsigned role, bool doppel) {
    const struct one_night *g = state(r);
    if (g->steps[step] == STEP_CHECK)
        return false;
    const struct one_night_night *row = &one_night__night[g->steps[step]];
    if (doppel && row->id == 120)
        return one_night__roles[role].instant != 0;
    if (!row->roles || (unsigned)__builtin_ctzll(row->roles) != role)
        return false;
    bool slot = row->flags & NIGHT_DOPPEL, joins = row->flags & NIGHT_JOINS;
    if (doppel ? !slot && !joins : slot)
        return false;
    return seat < 0 || one_night__wakes(g, g->steps[step], (unsigned)seat);
}

static bool go_to(struct run *r, int seat, unsigned role, bool doppel, const char *line) {
    while (state(r)->phase == PHASE_NIGHT) {
        if (acts_here(r, state(r)->step, seat, role, doppel))
            return true;
        if (!act(r, "timer next"))
            return false;
    }
    return fail(r, "an action at or after the step before it, by a seat that wakes there", "%s", line);
}

static bool wakes_as(struct run *r, int seat, bool doppel, const char *line) {
    const struct one_night *g = state(r);
    unsigned card = g->dealt[seat];
    bool is_doppel = g->role[card] == ROLE_DOPPELGANGER;
    if (doppel && (!is_doppel || g->copied[card] == ROLE_NONE))
        return fail(r, "a seat with a doppelganger that copied", "%s", line);
    return true;
}

static bool do_verb(struct run *r, const char *seat, const char *verb, const char *args, const char *line) {
    char a[WORD_MAX] = "", b[WORD_MAX] = "", c[WORD_MAX] = "", more[WORD_MAX];
    const char *at = args;
    unsigned n = 0;
    n += next_word(&at, " ", a);
    n += next_word(&at, " ", b);
    n += next_word(&at, " ", c);
    if (next_word(&at, " ", more))
        return fail(r, "at most three arguments", "%s", line);
    if (strcmp(verb, "view") == 0 && n >= 1)
        return act(r, "%s view a=%s%s%s%s%s", seat, a, n > 1 ? "+" : "", b, n > 2 ? "+" : "", c);
    if (strcmp(verb, "swap") == 0 && n == 2)
        return act(r, "%s swap a=%s b=%s", seat, a, b);
    if (strcmp(verb, "copy") == 0 && n == 1)
        return act(r, "%s copy a=%s", seat, a);
    if (strcmp(verb, "shield") == 0 && n == 1)
        return act(r, "%s shield a=%s", seat, a);
    if ((strcmp(verb, "flip") == 0 || strcmp(verb, "flipback") == 0) && n == 1)
        return act(r, "%s %s a=%s", seat, verb, a);
    if (strcmp(verb, "rotate") == 0 && n == 1)
        return act(r, "%s rotate dir=%s", seat, a);
    if (strcmp(verb, "pi") == 0 && (n == 1 || n == 2))
        return act(r, "%s view a=%s", seat, a) && (n == 1 || act(r, "%s view a=%s", seat, b));
    if ((strcmp(verb, "look") == 0 || strcmp(verb, "none") == 0) && n == 0)
        return true; // eyes and hands that stay still leave no trace
    return fail(r, "a verb of the format with its arguments", "%s", line);
}

// One line `s1:seer:view c1 c2`.
static bool night_line(struct run *r, char *line) {
    char copy[WORD_MAX * 4], *role_word = NULL, *verb = NULL, *args = NULL;
    int seat;
    snprintf(copy, sizeof copy, "%s", line);
    if (!split(line, ':', &role_word) || !split(role_word, ':', &verb))
        return fail(r, "seat:role:verb", "%s", copy);
    if (!split(verb, ' ', &args))
        args = verb + strlen(verb);
    bool group = strcmp(line, "app") == 0;
    if (!group && (!game_by_parse(&r->words, line, &seat) || seat < 0))
        return fail(r, "a seat of this game", "%s", copy);
    static const char prefix[] = "doppelganger_";
    bool doppel = strncmp(role_word, prefix, sizeof prefix - 1) == 0;
    game_kind role = game_kind_find(r->game, doppel ? role_word + sizeof prefix - 1 : role_word);
    if (role >= ROLES)
        return fail(r, "a role of the rules", "unknown role %s", role_word);
    if (!(one_night__roles[role].flags & IS_BUILT))
        return fail(r, "a role that is played", "%s is not installed", role_word);
    if (!group && doppel && !wakes_as(r, seat, doppel, copy))
        return false;
    return go_to(r, group ? -1 : seat, role, doppel, copy) && do_verb(r, line, verb, args, copy);
}

static bool night(struct run *r) {
    char line[WORD_MAX * 4];
    for (const char *at = r->value[KEY_NIGHT]; *at;) {
        size_t len = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), at);
        at += len + (at[len] == '\n');
        if (strcmp(line, "none") == 0)
            continue;
        if (!night_line(r, line))
            return false;
    }
    while (state(r)->phase == PHASE_NIGHT)
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
    char word[WORD_MAX], *target = NULL;
    for (const char *at = r->value[KEY_VOTES]; next_word(&at, " \n", word);) {
        if (!split(word, '>', &target))
            return fail(r, "votes: s1>s2", "%s", word);
        if (strchr(target, '+') || strcmp(target, "app") == 0)
            return fail(r, "a ballot of the sets that are played", "two hands and the device need a ripple");
        if (!act(r, "%s vote a=%s", word, target))
            return false;
    }
    while (state(r)->phase == PHASE_VOTE)
        if (!act(r, "timer next"))
            return false;
    return true;
}

// ---- compare
// -----------------------------------------------------------------------------------------------------

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
    char expected[VALUE_MAX] = "", word[WORD_MAX];
    for (const char *at = r->value[key]; next_word(&at, " \n", word);)
        append(expected, "%s%s", *expected ? " " : "", word);
    if (strcmp(expected, got) == 0)
        return true;
    char both[VALUE_MAX + 32];
    snprintf(both, sizeof both, "%s: %s", keys[key].text, expected);
    return fail(r, both, "%s: %s", keys[key].text, got);
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
            append(ret, "%ss%d=%s", *ret ? " " : "", fact->seat + 1, fact->kind);
    }
}

static void epic_text(const struct run *r, char *ret) {
    for (unsigned i = 0; i < r->seen.n_facts; i++)
        if (strcmp(r->seen.fact[i].key, "epic") == 0)
            append(ret, "%s%s", *ret ? ", " : "yes (groups ", r->seen.fact[i].kind);
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
    bool ok = compare(r, KEY_FINAL, text);
    *text = 0;
    fact_text(r, "mark", text);
    ok = ok && compare(r, KEY_MARKS, text);
    *text = 0;
    fact_text(r, "artifact", text);
    ok = ok && compare(r, KEY_ARTIFACT, text);
    *text = 0;
    for (unsigned s = 0; s < r->setup.seats; s++)
        append(text, "%ss%u=%s/%s", s ? " " : "", s + 1, r->seen.result.seats[s].role,
               r->seen.result.seats[s].team);
    ok = ok && compare(r, KEY_TEAM, text);
    *text = 0;
    epic_text(r, text);
    ok = ok && compare(r, KEY_EPIC, text);
    *text = 0;
    seats_text(r->seen.result.dead, text);
    ok = ok && compare(r, KEY_DEATHS, text);
    *text = 0;
    winners_text(&r->seen.result, text);
    return ok && compare(r, KEY_WINNERS, text);
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
    if (read_lines(r, one->text) && set_up(r) && deal(r) && night(r) && day(r) && vote(r)) {
        r->seen.audience = OBSERVE_PUBLIC;
        r->game->observe(r->state, &r->seen);
        ret->passed = compare_all(r);
    }
    free(r);
}

const struct casebook one_night_casebook = {.game = "one_night", .run = run_case};
