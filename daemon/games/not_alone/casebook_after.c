// What a worked case compares (15): only the keys it lists.
#include "games/not_alone/casebook_run.h"
#include <stdio.h>
#include <string.h>

// ---- after

static void put_places(char *text, size_t cap, unsigned set) {
    size_t at = 0;
    text[0] = 0;
    for (unsigned left = set; left && at < cap; left &= left - 1)
        at += (size_t)snprintf(text + at, cap - at, "%s%u", at ? "," : "", not_alone__lowest(left));
}
static bool same_places(struct not_alone_case *r, const char *key, const json_t *value, unsigned got) {
    uint16_t wanted;
    char expected[64], have[64];
    if (!not_alone__case_places(r, key, value, &wanted))
        return false;
    put_places(expected, sizeof expected, wanted);
    put_places(have, sizeof have, got);
    return wanted == got || casebook_fail(r->report, expected, "%s: %s", key, have);
}
static bool same_int(struct not_alone_case *r, const char *key, const json_t *value, int got) {
    char expected[32];
    snprintf(expected, sizeof expected, "%lld", (long long)json_integer_value(value));
    bool same = json_is_integer(value) && json_integer_value(value) == got;
    return same || casebook_fail(r->report, expected, "%s: %d", key, got);
}
static bool same_bool(struct not_alone_case *r, const char *key, const json_t *value, bool got) {
    bool same = json_is_boolean(value) && json_is_true(value) == got;
    return same || casebook_fail(r->report, json_is_true(value) ? "true" : "false", "%s: %s", key,
                                 got ? "true" : "false");
}
static bool same_word(struct not_alone_case *r, const char *key, const json_t *value, const char *got) {
    const char *wanted = json_is_null(value) ? NULL : json_string_value(value);
    bool same = wanted && got ? !strcmp(wanted, got) : !wanted && !got && json_is_null(value);
    return same || casebook_fail(r->report, wanted ? wanted : "null", "%s: %s", key, got ? got : "null");
}
static bool same_cards(struct not_alone_case *r, const char *key, const json_t *value, bool hunt,
                       uint32_t got) {
    uint8_t cards[DECK_MAX], n;
    if (!not_alone__case_cards(r, key, value, hunt, cards, &n))
        return false;
    return not_alone__case_set(cards, n) == got ||
           casebook_fail(r->report, "the cards of the case", "%s: set %x", key, (unsigned)got);
}
static bool same_pile(struct not_alone_case *r, const char *key, const json_t *value, bool hunt,
                      const uint8_t *got, unsigned n_got) {
    uint8_t cards[DECK_MAX], n;
    if (!not_alone__case_cards(r, key, value, hunt, cards, &n))
        return false;
    return (n == n_got && !memcmp(cards, got, n)) ||
           casebook_fail(r->report, "the pile of the case", "%s: %u cards", key, n_got);
}

static bool check_hunted(struct not_alone_case *r, unsigned k, json_t *object) {
    const struct not_alone_hunted *h = &r->state.h[k];
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        bool same = !strcmp(key, "hand")            ? same_places(r, key, value, h->hand)
                    : !strcmp(key, "discard")       ? same_places(r, key, value, h->discard)
                    : !strcmp(key, "played")        ? same_places(r, key, value, not_alone__laid_set(h))
                    : !strcmp(key, "will")          ? same_int(r, key, value, h->will)
                    : !strcmp(key, "survival_left") ? same_int(r, key, value, h->survival_left)
                    : !strcmp(key, "pending") ? same_word(r, key, value, not_alone__pending_words[h->pending])
                    : !strcmp(key, "survival")
                        ? same_cards(r, key, value, false, h->survival)
                        : casebook_fail(r->report, "a known key of a Hunted", "%s", key);
        if (!same)
            return false;
    }
    return true;
}

static bool check_tokens(struct not_alone_case *r, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        unsigned t = 0;
        while (t < TOKENS && strcmp(key, not_alone__token_words[t]))
            t++;
        if (t == TOKENS)
            return casebook_fail(r->report, "a token", "%s", key);
        if (!same_places(r, key, value, r->state.token[t]))
            return false;
    }
    return true;
}

static bool check_reserve(struct not_alone_case *r, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        unsigned place = 0;
        if (sscanf(key, "%u", &place) != 1 || place <= BASIC_CARDS || place > PLACE_CARDS)
            return casebook_fail(r->report, "places 6 to 10", "reserve %s", key);
        if (!same_int(r, key, value, (int)not_alone__count(r->state.reserve[place - BASIC_CARDS])))
            return false;
    }
    return true;
}

bool not_alone__case_after(struct not_alone_case *r, const char *key, json_t *value) {
    static const char *const winners[] = {NULL, "hunted", "creature"};
    static const char *const waits[] = {NULL,     "river", "ascendancy", "forbidden_zone", "phobia",
                                        "scream", "toxin", "artemia",    "shelter",        "drawn"};
    const struct not_alone *s = &r->state;
    char active[8];
    int seat;
    snprintf(active, sizeof active, "h%u", s->active + 1u);
    if (key[0] == 'h' && game_by_parse(&r->words, key, &seat) && seat > 0)
        return check_hunted(r, (unsigned)seat - 1, value);
    return !strcmp(key, "phase")          ? same_word(r, key, value, not_alone__phase_words[s->phase])
           : !strcmp(key, "step")         ? same_word(r, key, value, not_alone__step_words[s->step])
           : !strcmp(key, "wait")         ? same_word(r, key, value, waits[s->wait])
           : !strcmp(key, "winner")       ? same_word(r, key, value, winners[s->winner])
           : !strcmp(key, "active")       ? same_word(r, key, value, s->active == NOBODY ? NULL : active)
           : !strcmp(key, "rescue")       ? same_int(r, key, value, s->rescue)
           : !strcmp(key, "assimilation") ? same_int(r, key, value, s->assimilation)
           : !strcmp(key, "turn_no")      ? same_int(r, key, value, s->turn)
           : !strcmp(key, "hunt_left")    ? same_int(r, key, value, s->hunt_left)
           : !strcmp(key, "marker")       ? same_bool(r, key, value, s->marker)
           : !strcmp(key, "beach_used")   ? same_bool(r, key, value, s->beach_used)
           : !strcmp(key, "wreck_used")   ? same_bool(r, key, value, s->wreck_used)
           : !strcmp(key, "artemia_available")
               ? same_bool(r, key, value, not_alone__available(s, TOKEN_ARTEMIA))
           : !strcmp(key, "target_available")
               ? same_bool(r, key, value, not_alone__available(s, TOKEN_TARGET))
           : !strcmp(key, "tokens")    ? check_tokens(r, value)
           : !strcmp(key, "reserve")   ? check_reserve(r, value)
           : !strcmp(key, "hunt_hand") ? same_cards(r, key, value, true, s->hunt_hand)
           : !strcmp(key, "hunt_deck")
               ? same_cards(r, key, value, true, s->hunt_deck | not_alone__case_set(s->under, s->n_under))
           : !strcmp(key, "hunt_discard")  ? same_pile(r, key, value, true, s->hunt_discard, s->n_discard)
           : !strcmp(key, "hunt_played")   ? same_pile(r, key, value, true, s->hunt_played, s->n_played)
           : !strcmp(key, "survival_deck") ? same_cards(r, key, value, false, s->survival_deck)
           : !strcmp(key, "survival_discard")
               ? same_pile(r, key, value, false, s->survival_discard, s->n_survival_discard)
               : casebook_fail(r->report, "a known key of after", "%s", key);
}
