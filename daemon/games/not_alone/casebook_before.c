// The state a worked case starts from (15): the set-up with the differences it names.
#include "games/not_alone/casebook_run.h"
#include <stdio.h>
#include <string.h>

// ---- values

static bool case_int(struct not_alone_case *r, const char *key, const json_t *value, int low, int high,
                     uint8_t *ret) {
    if (!json_is_integer(value) || json_integer_value(value) < low || json_integer_value(value) > high)
        return casebook_fail(r->report, "a number in range", "%s", key);
    *ret = (uint8_t)json_integer_value(value);
    return true;
}
static bool read_bool(struct not_alone_case *r, const char *key, const json_t *value, uint8_t *ret) {
    *ret = json_is_true(value);
    return json_is_boolean(value) || casebook_fail(r->report, "true or false", "%s", key);
}
bool not_alone__case_places(struct not_alone_case *r, const char *key, const json_t *value, uint16_t *ret) {
    size_t i;
    json_t *one;
    *ret = 0;
    if (json_is_null(value))
        return true;
    if (!json_is_array(value))
        return casebook_fail(r->report, "a list of places", "%s", key);
    json_array_foreach(value, i, one) {
        uint8_t place = 0;
        if (!case_int(r, key, one, 1, PLACE_CARDS, &place))
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
bool not_alone__case_cards(struct not_alone_case *r, const char *key, const json_t *value, bool hunt,
                           uint8_t ret[DECK_MAX], uint8_t *ret_n) {
    size_t i;
    json_t *one;
    unsigned n = 0;
    *ret_n = 0;
    if (!json_is_array(value) || json_array_size(value) > DECK_MAX)
        return casebook_fail(r->report, "a list of cards", "%s", key);
    json_array_foreach(value, i, one) {
        unsigned card = hunt ? card_named(not_alone__hunt, HUNT_END, json_string_value(one))
                             : card_named(not_alone__survival, SURVIVAL_END, json_string_value(one));
        if (!card)
            return casebook_fail(r->report, "a card of the game", "%s in %s",
                                 json_is_string(one) ? json_string_value(one) : "?", key);
        ret[n++] = (uint8_t)card;
    }
    *ret_n = (uint8_t)n;
    return true;
}
uint32_t not_alone__case_set(const uint8_t *cards, unsigned n) {
    uint32_t set = 0;
    for (unsigned i = 0; i < n; i++)
        set |= 1u << cards[i];
    return set;
}
static bool read_seat(struct not_alone_case *r, const char *key, const json_t *value, uint8_t *ret) {
    int by;
    if (!json_is_string(value) || !game_by_parse(&r->words, json_string_value(value), &by) || by < 1)
        return casebook_fail(r->report, "a Hunted", "%s", key);
    *ret = (uint8_t)(by - 1);
    return true;
}
bool not_alone__case_word(struct not_alone_case *r, const char *key, const json_t *value,
                          const char *const *words, unsigned n, uint8_t *ret) {
    for (unsigned i = 0; i < n; i++)
        if (json_is_string(value) && words[i] && !strcmp(words[i], json_string_value(value))) {
            *ret = (uint8_t)i;
            return true;
        }
    return casebook_fail(r->report, "a known word", "%s", key);
}

const char *const not_alone__phase_words[5] = {"exploration", "hunting", "reckoning", "end_of_turn",
                                               "game_over"};
const char *const not_alone__step_words[8] = {"river",         "window",  "places",   "target_effects",
                                              "target_places", "artemia", "creature", "third_will"};
const char *const not_alone__pending_words[3] = {NULL, "river", "artefact"};
const char *const not_alone__token_words[TOKENS] = {"creature", "target", "artemia"};

// ---- before

static bool set_played(struct not_alone_case *r, struct not_alone_hunted *h, const json_t *value) {
    uint8_t card;
    if (!json_is_array(value) || json_array_size(value) > SLOTS_LAID)
        return casebook_fail(r->report, "one or two cards", "played");
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!case_int(r, "played", json_array_get(value, i), 1, PLACE_CARDS, &card))
            return false;
        h->laid[i] = (struct not_alone_slot){.card = card, .at = card};
    }
    return true;
}

static bool set_hunted(struct not_alone_case *r, unsigned k, json_t *object) {
    struct not_alone_hunted *h = &r->state.h[k];
    const char *key;
    json_t *value;
    uint8_t cards[DECK_MAX], n;
    bool has_hand = json_object_get(object, "hand") != NULL;
    json_object_foreach(object, key, value) {
        if (!strcmp(key, "hand"))
            not_alone__case_places(r, key, value, &h->hand);
        else if (!strcmp(key, "discard"))
            not_alone__case_places(r, key, value, &h->discard);
        else if (!strcmp(key, "played"))
            set_played(r, h, value);
        else if (!strcmp(key, "will"))
            case_int(r, key, value, 0, WILL_FULL, &h->will);
        else if (!strcmp(key, "survival_left"))
            case_int(r, key, value, 0, 1, &h->survival_left);
        else if (!strcmp(key, "pending"))
            h->pending = 0,
            (void)(json_is_null(value) ||
                   not_alone__case_word(r, key, value, not_alone__pending_words, 3, &h->pending));
        else if (!strcmp(key, "survival")) {
            if (not_alone__case_cards(r, key, value, false, cards, &n))
                h->survival = (uint16_t)not_alone__case_set(cards, n);
        } else
            casebook_fail(r->report, "a known key of a Hunted", "%s", key);
    }
    if (!has_hand)
        h->hand = (uint16_t)(0x3e & ~(h->discard | not_alone__laid_set(h)));
    for (unsigned i = 1; i < COUNT(h->copy); i++)
        h->copy[i] = not_alone__owned(h) >> (BASIC_CARDS + i) & 1;
    return !r->report->failed;
}

static bool set_tokens(struct not_alone_case *r, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        unsigned t = 0;
        uint16_t set = 0;
        while (t < TOKENS && strcmp(key, not_alone__token_words[t]))
            t++;
        if (t == TOKENS)
            return casebook_fail(r->report, "a token", "%s", key);
        if (!not_alone__case_places(r, key, value, &set))
            return false;
        r->state.token[t] = set;
        r->state.token_rest[t] = (uint8_t)(set ? 31 - __builtin_clz(set) : 0);
    }
    return true;
}

static bool set_hunted_flags(struct not_alone_case *r, const char *key, const json_t *list, uint8_t *ret) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint8_t k = 0;
        if (!read_seat(r, key, json_array_get(list, i), &k))
            return false;
        *ret |= (uint8_t)(1u << k);
    }
    return json_is_array(list) || casebook_fail(r->report, "a list of Hunted", "%s", key);
}

// As if the Hunt card had been played: its flag and its symbols.
static void set_flag(struct not_alone *s, unsigned card) {
    s->fx |= not_alone__hunt[card].flag;
    s->symbols |= not_alone__hunt[card].symbols;
}

static bool set_effect(struct not_alone_case *r, const char *key, const json_t *value) {
    struct not_alone *s = &r->state;
    unsigned card = card_named(not_alone__hunt, HUNT_END, strcmp(key, "tracking_next") ? key : "tracking");
    uint8_t on = 0;
    if (!strcmp(key, "target_fx")) {
        uint8_t cards[DECK_MAX], n = 0;
        if (!not_alone__case_cards(r, key, value, true, cards, &n))
            return false;
        for (unsigned i = 0; i < n; i++) {
            if (n > COUNT(s->fx_order) || (cards[i] != HUNT_SCREAM && cards[i] != HUNT_TOXIN))
                return casebook_fail(r->report, "scream, toxin", "%s", key);
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
        return not_alone__case_places(r, key, value, &s->cataclysm);
    if (card == HUNT_FORCE_FIELD) {
        set_flag(s, card);
        uint16_t set;
        if (!not_alone__case_places(r, key, value, &set) || not_alone__count(set) != 2)
            return casebook_fail(r->report, "two places", "%s", key);
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
        return casebook_fail(r->report, "a known effect", "%s", key);
    if (on && flag)
        s->fx |= flag;
    else if (on)
        set_flag(s, card);
    return true;
}

static bool set_reserve(struct not_alone_case *r, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        unsigned place = 0;
        uint8_t n = 0;
        if (sscanf(key, "%u", &place) != 1 || place <= BASIC_CARDS || place > PLACE_CARDS ||
            !case_int(r, key, value, 0, COPIES_MAX, &n))
            return casebook_fail(r->report, "places 6 to 10", "reserve %s", key);
        r->state.reserve[place - BASIC_CARDS] = (uint8_t)((2u << n) - 2);
    }
    return true;
}

static bool set_piles(struct not_alone_case *r, const char *key, const json_t *value, bool *ret_known) {
    struct not_alone *s = &r->state;
    uint8_t cards[DECK_MAX] = {0}, n = 0;
    bool hunt = strncmp(key, "survival", 8) != 0;
    *ret_known = !strcmp(key, "hunt_hand") || !strcmp(key, "hunt_deck") || !strcmp(key, "hunt_discard") ||
                 !strcmp(key, "survival_deck") || !strcmp(key, "survival_discard") || !strcmp(key, "strike");
    if (!*ret_known || !not_alone__case_cards(r, key, value, hunt, cards, &n))
        return *ret_known;
    if (!strcmp(key, "hunt_hand"))
        s->hunt_hand = not_alone__case_set(cards, n);
    if (!strcmp(key, "hunt_deck")) {
        s->hunt_deck = not_alone__case_set(cards, n);
        memcpy(r->deck, cards, sizeof cards);
    }
    if (!strcmp(key, "hunt_discard")) {
        memcpy(s->hunt_discard, cards, n);
        s->n_discard = n;
    }
    if (!strcmp(key, "survival_deck")) {
        s->survival_deck = (uint16_t)not_alone__case_set(cards, n);
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

static bool set_field(struct not_alone_case *r, const char *key, json_t *value) {
    struct not_alone *s = &r->state;
    int seat;
    bool known;
    if (set_piles(r, key, value, &known) && known)
        return !r->report->failed;
    if (!strcmp(key, "players") || !strcmp(key, "side") || !strcmp(key, "board_side") ||
        !strcmp(key, "expert") || !strcmp(key, "hologram_mode"))
        return true; // the set-up
    if (!strcmp(key, "phase"))
        return not_alone__case_word(r, key, value, not_alone__phase_words, COUNT(not_alone__phase_words),
                                    &s->phase);
    if (!strcmp(key, "step"))
        return not_alone__case_word(r, key, value, not_alone__step_words, COUNT(not_alone__step_words),
                                    &s->step);
    if (!strcmp(key, "rescue"))
        return case_int(r, key, value, 1, RESCUE_MAX, &s->rescue);
    if (!strcmp(key, "assimilation"))
        return case_int(r, key, value, 1, ASSIMILATION_MAX, &s->assimilation);
    if (!strcmp(key, "marker"))
        return read_bool(r, key, value, &s->marker);
    if (!strcmp(key, "beach_used"))
        return read_bool(r, key, value, &s->beach_used);
    if (!strcmp(key, "wreck_used"))
        return read_bool(r, key, value, &s->wreck_used);
    if (!strcmp(key, "hunt_left"))
        return case_int(r, key, value, 0, 2, &s->hunt_left);
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
    return casebook_fail(r->report, "a known key of before", "%s", key);
}

bool not_alone__case_before(struct not_alone_case *r, json_t *before) {
    struct game_issues issues = {0};
    struct error err = {0};
    const json_t *players = json_object_get(before, "players"), *side = json_object_get(before, "side"),
                 *mode = json_object_get(before, "hologram_mode");
    if (!side)
        side = json_object_get(before, "board_side");
    if (!json_is_object(before) || (players && !json_is_integer(players)))
        return casebook_fail(r->report, "an object with players", "before");
    game_setup_default(&not_alone_game, players ? (unsigned)json_integer_value(players) : 3, &r->setup);
    if (side)
        r->setup.options[OPTION_SIDE] = (int32_t)json_integer_value(side);
    r->setup.options[OPTION_EXPERT] = json_is_true(json_object_get(before, "expert"));
    if (mode && game_setup_option(&not_alone_game, &r->setup, "hologram_mode",
                                  json_is_string(mode) ? json_string_value(mode) : "", &err) != ERROR_OK)
        return casebook_fail(r->report, "personal or move", "hologram_mode");
    if (not_alone_game.prepare(&r->setup, &issues, &err) != ERROR_OK)
        return casebook_fail(r->report, "a set-up", "%s", err.text);
    not_alone_game.places(&r->setup, &r->places);
    r->words = (struct game_words){&not_alone_game, &r->setup, &r->places};
    not_alone_game.init(&r->state, &r->setup);
    r->state.hunt_deck = r->state.survival_deck = r->state.refill = 0;
    for (unsigned k = 0; k < r->state.n; k++)
        r->state.h[k].draw = 0;
    const char *key;
    json_t *value;
    json_object_foreach(before, key, value) if (!set_field(r, key, value)) return false;
    return !r->report->failed;
}
