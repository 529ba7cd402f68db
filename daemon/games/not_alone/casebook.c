// Worked cases (15): a state is set up as the case says, then the engine alone plays its actions.
#include "games/casebook.h"
#include "engine/game.h"
#include "games/not_alone/not_alone.h"
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern const struct game not_alone_game;

enum { DECK_MAX = HUNTS };
struct run {
    struct casebook_report *report;
    bool failed;
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct not_alone state;
    uint8_t deck[DECK_MAX], strike[DECK_MAX], survival[DECK_MAX]; // fixed chance: first = next, 0 = any
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

// ---- values

static bool read_int(struct run *r, const char *key, const json_t *value, int low, int high, uint8_t *ret) {
    if (!json_is_integer(value) || json_integer_value(value) < low || json_integer_value(value) > high)
        return fail(r, "a number in range", "%s", key);
    *ret = (uint8_t)json_integer_value(value);
    return true;
}
static bool read_bool(struct run *r, const char *key, const json_t *value, uint8_t *ret) {
    *ret = json_is_true(value);
    return json_is_boolean(value) || fail(r, "true or false", "%s", key);
}
static bool read_places(struct run *r, const char *key, const json_t *value, uint16_t *ret) {
    size_t i;
    json_t *one;
    *ret = 0;
    if (json_is_null(value))
        return true;
    if (!json_is_array(value))
        return fail(r, "a list of places", "%s", key);
    json_array_foreach(value, i, one) {
        uint8_t place;
        if (!read_int(r, key, one, 1, PLACE_CARDS, &place))
            return false;
        *ret |= PLACE_BIT(place);
    }
    return true;
}
static unsigned card_named(const struct not_alone_card_row *rows, unsigned n, const char *id) {
    for (unsigned i = 1; i < n; i++)
        if (id && !strcmp(rows[i].id, id))
            return i;
    return 0;
}
// Cards in the order given; n of them.
static bool read_cards(struct run *r, const char *key, const json_t *value, bool hunt, uint8_t ret[DECK_MAX],
                       uint8_t *ret_n) {
    size_t i;
    json_t *one;
    unsigned n = 0;
    if (!json_is_array(value) || json_array_size(value) > DECK_MAX)
        return fail(r, "a list of cards", "%s", key);
    json_array_foreach(value, i, one) {
        unsigned card = hunt ? card_named(not_alone__hunt, HUNT_END, json_string_value(one))
                             : card_named(not_alone__survival, SURVIVAL_END, json_string_value(one));
        if (!card)
            return fail(r, "a card of the game", "%s in %s",
                        json_is_string(one) ? json_string_value(one) : "?", key);
        ret[n++] = (uint8_t)card;
    }
    *ret_n = (uint8_t)n;
    return true;
}
static uint32_t set_of(const uint8_t *cards, unsigned n) {
    uint32_t set = 0;
    for (unsigned i = 0; i < n; i++)
        set |= 1u << cards[i];
    return set;
}
static bool read_seat(struct run *r, const char *key, const json_t *value, uint8_t *ret) {
    int by;
    if (!json_is_string(value) || !game_by_parse(&r->words, json_string_value(value), &by) || by < 1)
        return fail(r, "a Hunted", "%s", key);
    *ret = (uint8_t)(by - 1);
    return true;
}
static bool read_word(struct run *r, const char *key, const json_t *value, const char *const *words,
                      unsigned n, uint8_t *ret) {
    for (unsigned i = 0; i < n; i++)
        if (json_is_string(value) && words[i] && !strcmp(words[i], json_string_value(value))) {
            *ret = (uint8_t)i;
            return true;
        }
    return fail(r, "a known word", "%s", key);
}

static const char *const phase_words[] = {"exploration", "hunting", "reckoning", "end_of_turn", "game_over"};
static const char *const step_words[] = {"river",         "window",  "places",   "target_effects",
                                         "target_places", "artemia", "creature", "third_will"};
static const char *const pending_words[] = {NULL, "river", "artefact"};
static const char *const token_words[] = {"creature", "target", "artemia"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

// ---- before

static bool set_played(struct run *r, struct not_alone_hunted *h, const json_t *value) {
    uint8_t card;
    if (!json_is_array(value) || json_array_size(value) > SLOTS_LAID)
        return fail(r, "one or two cards", "played");
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!read_int(r, "played", json_array_get(value, i), 1, PLACE_CARDS, &card))
            return false;
        h->laid[i] = (struct not_alone_slot){.card = card, .at = card};
    }
    return true;
}

static bool set_hunted(struct run *r, unsigned k, json_t *object) {
    struct not_alone_hunted *h = &r->state.h[k];
    const char *key;
    json_t *value;
    uint8_t cards[DECK_MAX], n;
    bool has_hand = json_object_get(object, "hand") != NULL;
    json_object_foreach(object, key, value) {
        if (!strcmp(key, "hand"))
            read_places(r, key, value, &h->hand);
        else if (!strcmp(key, "discard"))
            read_places(r, key, value, &h->discard);
        else if (!strcmp(key, "played"))
            set_played(r, h, value);
        else if (!strcmp(key, "will"))
            read_int(r, key, value, 0, WILL_FULL, &h->will);
        else if (!strcmp(key, "survival_left"))
            read_int(r, key, value, 0, 1, &h->survival_left);
        else if (!strcmp(key, "pending"))
            h->pending = 0,
            (void)(json_is_null(value) || read_word(r, key, value, pending_words, 3, &h->pending));
        else if (!strcmp(key, "survival")) {
            if (read_cards(r, key, value, false, cards, &n))
                h->survival = (uint16_t)set_of(cards, n);
        } else
            fail(r, "a known key of a Hunted", "%s", key);
    }
    if (!has_hand)
        h->hand = (uint16_t)(0x3e & ~(h->discard | not_alone__laid_set(h)));
    for (unsigned i = 1; i < COUNT(h->copy); i++)
        h->copy[i] = not_alone__owned(h) >> (BASIC_CARDS + i) & 1;
    return !r->failed;
}

static bool set_tokens(struct run *r, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        unsigned t = 0;
        uint16_t set;
        while (t < TOKENS && strcmp(key, token_words[t]))
            t++;
        if (t == TOKENS)
            return fail(r, "a token", "%s", key);
        if (!read_places(r, key, value, &set))
            return false;
        r->state.token[t] = set;
        r->state.token_rest[t] = (uint8_t)(set ? 31 - __builtin_clz(set) : 0);
    }
    return true;
}

static bool set_hunted_flags(struct run *r, const char *key, const json_t *list, uint8_t *ret) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint8_t k;
        if (!read_seat(r, key, json_array_get(list, i), &k))
            return false;
        *ret |= (uint8_t)(1u << k);
    }
    return json_is_array(list) || fail(r, "a list of Hunted", "%s", key);
}

// As if the Hunt card had been played: its flag and its symbols.
static void set_flag(struct not_alone *s, unsigned card) {
    s->fx |= not_alone__hunt[card].flag;
    s->symbols |= not_alone__hunt[card].symbols;
}

static bool set_effect(struct run *r, const char *key, const json_t *value) {
    struct not_alone *s = &r->state;
    unsigned card = card_named(not_alone__hunt, HUNT_END, strcmp(key, "tracking_next") ? key : "tracking");
    uint8_t on = 0;
    if (!strcmp(key, "target_fx")) {
        uint8_t cards[DECK_MAX], n = 0;
        if (!read_cards(r, key, value, true, cards, &n))
            return false;
        for (unsigned i = 0; i < n; i++) {
            if (n > COUNT(s->fx_order) || (cards[i] != HUNT_SCREAM && cards[i] != HUNT_TOXIN))
                return fail(r, "scream, toxin", "%s", key);
            s->fx_order[s->n_fx++] = cards[i];
            set_flag(s, cards[i]);
        }
        return true;
    }
    if (!strcmp(key, "dodge"))
        return set_hunted_flags(r, key, value, &s->dodge);
    if (!strcmp(key, "detector"))
        return set_hunted_flags(r, key, value, &s->detector);
    if (card == HUNT_ANTICIPATION)
        return read_seat(r, key, value, &s->anticipation);
    if (card == HUNT_CATACLYSM)
        return read_places(r, key, value, &s->cataclysm);
    if (card == HUNT_FORCE_FIELD) {
        set_flag(s, card);
        uint16_t set;
        if (!read_places(r, key, value, &set) || not_alone__count(set) != 2)
            return fail(r, "two places", "%s", key);
        s->token[TOKEN_TARGET] = set;
        s->token_rest[TOKEN_TARGET] = (uint8_t)(31 - __builtin_clz(set));
        return true;
    }
    if (!read_bool(r, key, value, &on))
        return false;
    unsigned flag = !strcmp(key, "sacrifice")     ? FX_SACRIFICE
                    : !strcmp(key, "smokescreen") ? FX_SMOKESCREEN
                                                  : 0;
    if (!flag && (!card || !not_alone__hunt[card].flag))
        return fail(r, "a known effect", "%s", key);
    if (on && flag)
        s->fx |= flag;
    else if (on)
        set_flag(s, card);
    return true;
}

static bool set_reserve(struct run *r, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        unsigned place = 0;
        uint8_t n = 0;
        if (sscanf(key, "%u", &place) != 1 || place <= BASIC_CARDS || place > PLACE_CARDS ||
            !read_int(r, key, value, 0, COPIES_MAX, &n))
            return fail(r, "places 6 to 10", "reserve %s", key);
        r->state.reserve[place - BASIC_CARDS] = (uint8_t)((2u << n) - 2);
    }
    return true;
}

static bool set_piles(struct run *r, const char *key, const json_t *value, bool *ret_known) {
    struct not_alone *s = &r->state;
    uint8_t cards[DECK_MAX] = {0}, n = 0;
    bool hunt = strncmp(key, "survival", 8) != 0;
    *ret_known = !strcmp(key, "hunt_hand") || !strcmp(key, "hunt_deck") || !strcmp(key, "hunt_discard") ||
                 !strcmp(key, "survival_deck") || !strcmp(key, "survival_discard") || !strcmp(key, "strike");
    if (!*ret_known || !read_cards(r, key, value, hunt, cards, &n))
        return *ret_known;
    if (!strcmp(key, "hunt_hand"))
        s->hunt_hand = set_of(cards, n);
    if (!strcmp(key, "hunt_deck")) {
        s->hunt_deck = set_of(cards, n);
        memcpy(r->deck, cards, sizeof cards);
    }
    if (!strcmp(key, "hunt_discard")) {
        memcpy(s->hunt_discard, cards, n);
        s->n_discard = n;
    }
    if (!strcmp(key, "survival_deck")) {
        s->survival_deck = (uint16_t)set_of(cards, n);
        memcpy(r->survival, cards, sizeof cards);
    }
    if (!strcmp(key, "survival_discard") && n <= SURVIVALS) {
        memcpy(s->survival_discard, cards, n);
        s->n_survival_discard = n;
    }
    if (!strcmp(key, "strike"))
        memcpy(r->strike, cards, sizeof cards);
    return true;
}

static bool set_field(struct run *r, const char *key, json_t *value) {
    struct not_alone *s = &r->state;
    int seat;
    bool known;
    if (set_piles(r, key, value, &known) && known)
        return !r->failed;
    if (!strcmp(key, "players") || !strcmp(key, "side") || !strcmp(key, "board_side") ||
        !strcmp(key, "expert") || !strcmp(key, "hologram_mode"))
        return true; // the set-up
    if (!strcmp(key, "phase"))
        return read_word(r, key, value, phase_words, COUNT(phase_words), &s->phase);
    if (!strcmp(key, "step"))
        return read_word(r, key, value, step_words, COUNT(step_words), &s->step);
    if (!strcmp(key, "rescue"))
        return read_int(r, key, value, 1, RESCUE_MAX, &s->rescue);
    if (!strcmp(key, "assimilation"))
        return read_int(r, key, value, 1, ASSIMILATION_MAX, &s->assimilation);
    if (!strcmp(key, "marker"))
        return read_bool(r, key, value, &s->marker);
    if (!strcmp(key, "beach_used"))
        return read_bool(r, key, value, &s->beach_used);
    if (!strcmp(key, "wreck_used"))
        return read_bool(r, key, value, &s->wreck_used);
    if (!strcmp(key, "hunt_left"))
        return read_int(r, key, value, 0, 2, &s->hunt_left);
    if (!strcmp(key, "turn_no")) {
        s->turn = (uint16_t)json_integer_value(value);
        return true;
    }
    if (!strcmp(key, "tokens"))
        return set_tokens(r, value);
    if (!strcmp(key, "reserve"))
        return set_reserve(r, value);
    if (!strcmp(key, "effects")) {
        const char *name;
        json_t *one;
        json_object_foreach(value, name, one) if (!set_effect(r, name, one)) return false;
        return true;
    }
    if (key[0] == 'h' && game_by_parse(&r->words, key, &seat) && seat > 0)
        return set_hunted(r, (unsigned)seat - 1, value);
    return fail(r, "a known key of before", "%s", key);
}

static bool set_up(struct run *r, json_t *before) {
    struct game_issues issues = {0};
    struct error err = {0};
    const json_t *players = json_object_get(before, "players"), *side = json_object_get(before, "side"),
                 *mode = json_object_get(before, "hologram_mode");
    if (!side)
        side = json_object_get(before, "board_side");
    if (!json_is_object(before) || (players && !json_is_integer(players)))
        return fail(r, "an object with players", "before");
    game_setup_default(&not_alone_game, players ? (unsigned)json_integer_value(players) : 3, &r->setup);
    if (side)
        r->setup.options[OPTION_SIDE] = (int32_t)json_integer_value(side);
    r->setup.options[OPTION_EXPERT] = json_is_true(json_object_get(before, "expert"));
    if (mode && game_setup_option(&not_alone_game, &r->setup, "hologram_mode",
                                  json_is_string(mode) ? json_string_value(mode) : "", &err) != ERROR_OK)
        return fail(r, "personal or move", "hologram_mode");
    if (not_alone_game.prepare(&r->setup, &issues, &err) != ERROR_OK)
        return fail(r, "a set-up", "%s", err.text);
    not_alone_game.places(&r->setup, &r->places);
    r->words = (struct game_words){&not_alone_game, &r->setup, &r->places};
    not_alone_game.init(&r->state, &r->setup);
    r->state.hunt_deck = r->state.survival_deck = r->state.refill = 0;
    for (unsigned k = 0; k < r->state.n; k++)
        r->state.h[k].draw = 0;
    const char *key;
    json_t *value;
    json_object_foreach(before, key, value) if (!set_field(r, key, value)) return false;
    return !r->failed;
}

// ---- actions

// Cards come as the case fixes them, else the lowest.
static bool draw(struct run *r) {
    game_action all[HUNTS];
    size_t n;
    while ((n = not_alone_game.legal(&r->state, GAME_BY_CHANCE, all, HUNTS)) > 0) {
        game_action best = all[0];
        unsigned rank = DECK_MAX + 1;
        for (size_t i = 0; i < n && i < HUNTS; i++) {
            struct not_alone_move m = not_alone__unpack(all[i]);
            const uint8_t *order = m.verb == VERB_STRIKE      ? r->strike
                                   : m.verb == VERB_DRAW_HUNT ? r->deck
                                                              : r->survival;
            for (unsigned at = 0; at < DECK_MAX && at < rank; at++)
                if (order[at] == m.card)
                    rank = at, best = all[i];
        }
        if (not_alone_game.apply(&r->state, GAME_BY_CHANCE, best, NULL, NULL) != ERROR_OK)
            return fail(r, "a draw", "refused");
    }
    return true;
}

// The arguments of a power, one level out; `draw` becomes the mode.
static void flatten(json_t *to, const json_t *args) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)args, key, value) {
        if (!strcmp(key, "args"))
            flatten(to, value);
        else if (!strcmp(key, "draw"))
            json_object_set_new(to, "mode", json_string("draw"));
        else
            json_object_set(to, key, value);
    }
}

static bool is_power_card(const char *card) {
    return card && (!strcmp(card, "drone") || !strcmp(card, "gate"));
}

// {"by", "do", arguments beside} -> {"by", "do", "args"}; lists where the verb wants lists.
static json_t *shape(const struct run *r, const json_t *action) {
    json_t *line = json_object(), *args = json_object();
    const char *verb = json_string_value(json_object_get(action, "do")), *key;
    json_t *value;
    if (verb && !strcmp(verb, "play_survival") &&
        is_power_card(json_string_value(json_object_get(action, "card"))))
        verb = "play_power";
    flatten(args, action);
    static const char *const not_args[] = {"by", "do", "expect", "strike"};
    for (unsigned i = 0; i < COUNT(not_args); i++)
        json_object_del(args, not_args[i]);
    int row = verb ? game_verb_find(r->words.game, verb) : -1;
    for (unsigned i = 0; row >= 0 && i < GAME_ARGS_MAX && not_alone__verbs[row].args[i].name; i++) {
        const struct game_arg_row *arg = &not_alone__verbs[row].args[i];
        value = json_object_get(args, arg->name);
        if (value && arg->list && !json_is_array(value)) {
            json_t *list = json_array();
            json_array_append(list, value);
            json_object_set_new(args, arg->name, list);
        }
    }
    const char *at;
    void *next;
    json_object_foreach_safe(args, next, at, value) if (json_is_array(value) && !json_array_size(value))
        json_object_del(args, at);
    key = json_string_value(json_object_get(action, "by"));
    json_object_set_new(line, "by", json_string(key ? key : ""));
    json_object_set_new(line, "do", json_string(verb ? verb : ""));
    json_object_set_new(line, "args", args);
    return line;
}

static bool act(struct run *r, size_t i, const json_t *action) {
    const char *expect = json_string_value(json_object_get(action, "expect"));
    struct error err = {0};
    const json_t *strike = json_object_get(action, "strike");
    game_action packed;
    uint8_t n;
    int by;
    if (strike && !read_cards(r, "strike", strike, true, r->strike, &n))
        return false;
    json_t *line = shape(r, action);
    enum error_code code = game_action_from_json(&r->words, &r->state, line, &by, &packed, &err);
    json_decref(line);
    if (code == ERROR_INVALID)
        snprintf(err.rule, sizeof err.rule, "E_ARG");
    if (code == ERROR_OK)
        code = not_alone_game.apply(&r->state, by, packed, NULL, &err);
    if (code != ERROR_OK && (!expect || strcmp(expect, err.rule)))
        return fail(r, expect ? expect : "accepted", "action %zu: %s (%s)", i + 1, err.rule, err.text);
    if (code == ERROR_OK && expect)
        return fail(r, expect, "action %zu: accepted", i + 1);
    return draw(r);
}

// ---- after

static void put_places(char *text, size_t cap, unsigned set) {
    size_t at = 0;
    text[0] = 0;
    for (unsigned left = set; left && at < cap; left &= left - 1)
        at += (size_t)snprintf(text + at, cap - at, "%s%u", at ? "," : "", not_alone__lowest(left));
}
static bool same_places(struct run *r, const char *key, const json_t *value, unsigned got) {
    uint16_t wanted;
    char expected[64], have[64];
    if (!read_places(r, key, value, &wanted))
        return false;
    put_places(expected, sizeof expected, wanted);
    put_places(have, sizeof have, got);
    return wanted == got || fail(r, expected, "%s: %s", key, have);
}
static bool same_int(struct run *r, const char *key, const json_t *value, int got) {
    char expected[32];
    snprintf(expected, sizeof expected, "%lld", (long long)json_integer_value(value));
    bool same = json_is_integer(value) && json_integer_value(value) == got;
    return same || fail(r, expected, "%s: %d", key, got);
}
static bool same_bool(struct run *r, const char *key, const json_t *value, bool got) {
    bool same = json_is_boolean(value) && json_is_true(value) == got;
    return same || fail(r, json_is_true(value) ? "true" : "false", "%s: %s", key, got ? "true" : "false");
}
static bool same_word(struct run *r, const char *key, const json_t *value, const char *got) {
    const char *wanted = json_is_null(value) ? NULL : json_string_value(value);
    bool same = wanted && got ? !strcmp(wanted, got) : !wanted && !got && json_is_null(value);
    return same || fail(r, wanted ? wanted : "null", "%s: %s", key, got ? got : "null");
}
static bool same_cards(struct run *r, const char *key, const json_t *value, bool hunt, uint32_t got) {
    uint8_t cards[DECK_MAX], n;
    if (!read_cards(r, key, value, hunt, cards, &n))
        return false;
    return set_of(cards, n) == got || fail(r, "the cards of the case", "%s: set %x", key, (unsigned)got);
}
static bool same_pile(struct run *r, const char *key, const json_t *value, bool hunt, const uint8_t *got,
                      unsigned n_got) {
    uint8_t cards[DECK_MAX], n;
    if (!read_cards(r, key, value, hunt, cards, &n))
        return false;
    return (n == n_got && !memcmp(cards, got, n)) ||
           fail(r, "the pile of the case", "%s: %u cards", key, n_got);
}

static bool check_hunted(struct run *r, unsigned k, json_t *object) {
    const struct not_alone_hunted *h = &r->state.h[k];
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        bool same = !strcmp(key, "hand")            ? same_places(r, key, value, h->hand)
                    : !strcmp(key, "discard")       ? same_places(r, key, value, h->discard)
                    : !strcmp(key, "played")        ? same_places(r, key, value, not_alone__laid_set(h))
                    : !strcmp(key, "will")          ? same_int(r, key, value, h->will)
                    : !strcmp(key, "survival_left") ? same_int(r, key, value, h->survival_left)
                    : !strcmp(key, "pending")       ? same_word(r, key, value, pending_words[h->pending])
                    : !strcmp(key, "survival")      ? same_cards(r, key, value, false, h->survival)
                                                    : fail(r, "a known key of a Hunted", "%s", key);
        if (!same)
            return false;
    }
    return true;
}

static bool check_tokens(struct run *r, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        unsigned t = 0;
        while (t < TOKENS && strcmp(key, token_words[t]))
            t++;
        if (t == TOKENS)
            return fail(r, "a token", "%s", key);
        if (!same_places(r, key, value, r->state.token[t]))
            return false;
    }
    return true;
}

static bool check_reserve(struct run *r, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        unsigned place = 0;
        if (sscanf(key, "%u", &place) != 1 || place <= BASIC_CARDS || place > PLACE_CARDS)
            return fail(r, "places 6 to 10", "reserve %s", key);
        if (!same_int(r, key, value, (int)not_alone__count(r->state.reserve[place - BASIC_CARDS])))
            return false;
    }
    return true;
}

static bool check_field(struct run *r, const char *key, json_t *value) {
    static const char *const winners[] = {NULL, "hunted", "creature"};
    static const char *const waits[] = {NULL,     "river", "ascendancy", "forbidden_zone", "phobia",
                                        "scream", "toxin", "artemia",    "shelter",        "drawn"};
    const struct not_alone *s = &r->state;
    char active[8];
    int seat;
    snprintf(active, sizeof active, "h%u", s->active + 1u);
    if (key[0] == 'h' && game_by_parse(&r->words, key, &seat) && seat > 0)
        return check_hunted(r, (unsigned)seat - 1, value);
    return !strcmp(key, "phase")          ? same_word(r, key, value, phase_words[s->phase])
           : !strcmp(key, "step")         ? same_word(r, key, value, step_words[s->step])
           : !strcmp(key, "wait")         ? same_word(r, key, value, waits[s->wait])
           : !strcmp(key, "winner")       ? same_word(r, key, value, winners[s->winner])
           : !strcmp(key, "active")       ? same_word(r, key, value, s->active == NOBODY ? NULL : active)
           : !strcmp(key, "rescue")       ? same_int(r, key, value, s->rescue)
           : !strcmp(key, "assimilation") ? same_int(r, key, value, s->assimilation)
           : !strcmp(key, "turn_no")      ? same_int(r, key, value, s->turn)
           : !strcmp(key, "hunt_left")    ? same_int(r, key, value, s->hunt_left)
           : !strcmp(key, "marker")       ? same_bool(r, key, value, s->marker)
           : !strcmp(key, "artemia_available")
               ? same_bool(r, key, value, not_alone__available(s, TOKEN_ARTEMIA))
           : !strcmp(key, "target_available")
               ? same_bool(r, key, value, not_alone__available(s, TOKEN_TARGET))
           : !strcmp(key, "tokens")    ? check_tokens(r, value)
           : !strcmp(key, "reserve")   ? check_reserve(r, value)
           : !strcmp(key, "hunt_hand") ? same_cards(r, key, value, true, s->hunt_hand)
           : !strcmp(key, "hunt_deck")
               ? same_cards(r, key, value, true, s->hunt_deck | set_of(s->under, s->n_under))
           : !strcmp(key, "hunt_discard")  ? same_pile(r, key, value, true, s->hunt_discard, s->n_discard)
           : !strcmp(key, "survival_deck") ? same_cards(r, key, value, false, s->survival_deck)
           : !strcmp(key, "survival_discard")
               ? same_pile(r, key, value, false, s->survival_discard, s->n_survival_discard)
               : fail(r, "a known key of after", "%s", key);
}

// ---- a case

static void play(struct run *r, json_t *root) {
    static const char *const keys[] = {"id", "title", "source", "before", "actions", "after"};
    json_t *actions = json_object_get(root, "actions"), *after = json_object_get(root, "after"), *value;
    const char *key;
    size_t i;
    uint8_t known;
    json_object_foreach(root, key, value) {
        json_t *name = json_string(key);
        read_word(r, key, name, keys, COUNT(keys), &known);
        json_decref(name);
    }
    if (r->failed || !set_up(r, json_object_get(root, "before")))
        return;
    if (!json_is_array(actions) || !json_is_object(after)) {
        fail(r, "actions and after", "the case has none");
        return;
    }
    not_alone__advance(&r->state, NULL);
    if (!draw(r))
        return;
    json_array_foreach(actions, i, value) if (!act(r, i, value)) return;
    json_object_foreach(after, key, value) if (!check_field(r, key, value)) return;
}

static void run(const struct casebook_case *one, struct casebook_report *ret) {
    struct run r = {.report = ret};
    json_error_t error;
    json_t *root = json_loads(one->text, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root))
        fail(&r, "an object", "%s", root ? "another value" : error.text);
    else
        play(&r, root);
    json_decref(root);
    ret->passed = !r.failed;
}

extern const struct casebook not_alone_casebook;
const struct casebook not_alone_casebook = {.game = "not_alone", .run = run};
