// The day (6.1, 6.2): a look at artifacts and open cards, speeches or a timer, then the vote.
#include "games/one_night/one_night.h"

void one_night__day_begin(struct one_night *g) {
    g->phase = PHASE_DAY;
    g->round = 1;
    g->speaker = 0;
    g->step = 0;
    g->awake = g->held = 0;
    g->clock++;
}

uint32_t one_night__day_ms(const struct one_night *g) {
    if (g->rules.rounds)
        return g->speech_ms;
    if (one_night__variant(g, DRAW_RIPPLE) == VARIANT_RIPPLE_1MINUTE)
        return 60000;
    return one_night__variant(g, DRAW_ALIENS) == VARIANT_ALIENS_TIMER ? g->discussion_ms / 2
                                                                      : g->discussion_ms;
}

// At dawn the owner of an artifact looks at it once (6.1).
static bool may_look(const struct one_night *g, int by) {
    return g->artifact[by] != ARTIFACT_NONE && !(g->looked >> by & 1);
}

static bool day_action(const struct one_night *g, int by, game_action *ret) {
    if (by == GAME_BY_TIMER && one_night__day_ms(g))
        *ret = one_night__pack(VERB_NEXT, -1, -1, -1);
    else if (by == GAME_BY_TABLE && !g->rules.rounds)
        *ret = one_night__pack(VERB_END_DAY, -1, -1, -1);
    else if (by >= 0 && g->rules.rounds && by == g->speaker)
        *ret = one_night__pack(VERB_DONE, -1, -1, -1);
    else
        return false;
    return true;
}

// A card tapped at dawn lies open, whatever it is: the answer is the same for all, so it tells nothing.
static bool may_tap(const struct one_night *g, int place) {
    int end = g->place_t ? g->n_positions : g->seats;
    return one_night__may_open(g) && place >= 0 && place < end && !(g->opened >> place & 1);
}

static void tap_open(struct one_night *g, int place, struct game_notes *notes) {
    g->opened |= 1u << place;
    uint16_t seat = g->rules.revealer_hides_non_village ? LINE_open_seat_any : LINE_open_seat;
    one_night__say(notes, GAME_NOTE_SAY, place < g->seats ? seat : LINE_open_centre, place, 0, 0);
}

size_t one_night__day_legal(const struct one_night *g, int by, game_action *ret, size_t cap) {
    struct one_night_list list = {ret, 0, cap};
    game_action one;
    if (by >= 0 && by < g->seats && may_look(g, by))
        one_night__add(&list, VERB_VIEW, one_night__artifact_place(g, (unsigned)by), -1, -1);
    if (day_action(g, by, &one))
        one_night__add(&list, one_night__verb(one), -1, -1, -1);
    if (by != GAME_BY_TABLE)
        return list.n;
    size_t kept = list.n < cap ? list.n : cap;
    list.n += one_night__absent_list(g, ret + kept, cap - kept);
    for (int place = 0; place < g->n_positions; place++)
        if (may_tap(g, place))
            one_night__add(&list, VERB_OPEN, place, -1, -1);
    return list.n;
}

// The next one who is there speaks; rounds over, the vote.
static void next_speaker(struct one_night *g, struct game_notes *notes) {
    g->clock++;
    for (unsigned tries = 0; tries < g->seats; tries++) {
        g->speaker = (uint8_t)((g->speaker + 1) % g->seats);
        g->round += g->speaker == 0;
        if (!(g->absent >> g->speaker & 1))
            break;
    }
    if (g->round <= SPEECH_ROUNDS)
        one_night__say(notes, GAME_NOTE_SAY, LINE_speech, g->speaker, 0, 0);
    else
        one_night__vote_begin(g, notes);
}

enum error_code one_night__day_apply(struct one_night *g, int by, game_action action,
                                     struct game_notes *notes, struct error *err) {
    game_action legal;
    if (by >= 0 && by < g->seats && may_look(g, by) &&
        action == one_night__pack(VERB_VIEW, one_night__artifact_place(g, (unsigned)by), -1, -1)) {
        g->looked |= (uint16_t)(1u << by);
        return ERROR_OK;
    }
    if (day_action(g, by, &legal) && action == legal) {
        if (g->rules.rounds)
            next_speaker(g, notes);
        else
            one_night__vote_begin(g, notes);
        return ERROR_OK;
    }
    if (by != GAME_BY_TABLE)
        return one_night__not_now(err);
    int place = one_night__arg(action, 0);
    if (one_night__verb(action) == VERB_OPEN && may_tap(g, place) &&
        action == one_night__pack(VERB_OPEN, place, -1, -1)) {
        tap_open(g, place, notes);
        return ERROR_OK;
    }
    enum error_code code = one_night__absent_apply(g, action, notes, err);
    if (code == ERROR_OK && g->rules.rounds && (g->absent >> g->speaker & 1))
        next_speaker(g, notes);
    return code;
}

// A playout ends the talk; before it who owns an artifact looks at it.
bool one_night__day_random(const struct one_night *g, int by, game_action *ret) {
    if (day_action(g, by, ret))
        return true;
    if (by < 0 || by >= g->seats || !may_look(g, by))
        return false;
    *ret = one_night__pack(VERB_VIEW, one_night__artifact_place(g, (unsigned)by), -1, -1);
    return true;
}
