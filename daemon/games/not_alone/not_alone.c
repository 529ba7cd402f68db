// Not Alone: the Creature against the Hunted, 2 to 7 players (not-alone.md). Seat 1 is the Creature.
#include "games/not_alone/not_alone.h"
#include <string.h>

static unsigned phase_of(const struct not_alone *s) {
    static const uint8_t waits[] = {
        [WAIT_RIVER] = PHASE_RIVER,           [WAIT_ASCENDANCY] = PHASE_HUNTING,
        [WAIT_FORBIDDEN_ZONE] = PHASE_LOSSES, [WAIT_PHOBIA] = PHASE_HUNTING,
        [WAIT_SCREAM] = PHASE_LOSSES,         [WAIT_TOXIN] = PHASE_LOSSES,
        [WAIT_ARTEMIA] = PHASE_LOSSES,        [WAIT_SHELTER] = PHASE_RECKONING,
        [WAIT_DRAWN] = PHASE_RECKONING,
    };
    static const uint8_t phases[] = {[EXPLORATION] = PHASE_EXPLORATION,
                                     [HUNTING] = PHASE_HUNTING,
                                     [RECKONING] = PHASE_RECKONING,
                                     [END_OF_TURN] = PHASE_END_OF_TURN,
                                     [GAME_OVER] = PHASE_GAME_OVER};
    if (not_alone__draws(s))
        return PHASE_DRAW;
    return s->wait != WAIT_NONE && s->phase != GAME_OVER ? waits[s->wait] : phases[s->phase];
}

// Who is awaited, not who else might still act.
static unsigned turn_of(const struct not_alone *s) {
    unsigned turn = 0;
    if (not_alone__draws(s) || s->phase == GAME_OVER)
        return 0;
    if (s->wait != WAIT_NONE)
        return (unsigned)s->owes << 1;
    if (s->phase == EXPLORATION) {
        for (unsigned k = 0; k < s->n; k++)
            turn |= not_alone__laid(&s->h[k]) ? 0u : 2u << k;
        return turn | !not_alone__is_ready(s, 0);
    }
    if (s->active != NOBODY)
        return 2u << s->active;
    for (unsigned seat = 0; seat <= s->n; seat++)
        turn |= not_alone__is_ready(s, seat) ? 0u : 1u << seat;
    return s->phase == HUNTING && !not_alone__tokens_down(s) ? turn | 1u : turn;
}

void not_alone_phase(const void *state, struct game_phase *ret) {
    const struct not_alone *s = not_alone__state(state);
    *ret = (struct game_phase){.id = (uint8_t)phase_of(s),
                               .round = s->turn,
                               .turn = (uint16_t)turn_of(s),
                               .over = s->phase == GAME_OVER};
}

// Everybody has drawn, or nobody had to. Strike Back's cards are drawn in the midst of it.
static bool begins_exploration(const struct not_alone *s, unsigned before, struct not_alone_move m) {
    return before != PHASE_EXPLORATION && phase_of(s) == PHASE_EXPLORATION && m.verb != VERB_STRIKE;
}

static enum error_code not_alone_apply(void *state, int by, game_action action, struct game_notes *notes,
                                       struct error *err) {
    struct not_alone *s = state;
    struct not_alone_move m = not_alone__unpack(action);
    struct game_notes own, *said = notes ? &own : NULL;
    own.n = 0;
    enum not_alone_code code = not_alone__pack(m) == action ? not_alone__refuse(s, by, m) : E_ARG;
    if (code != OK) // a seat in lay: hands did it, and why a card is refused would tell which it is
        return error_illegal(err, not_alone__codes[code].id, "%s",
                             m.verb == VERB_LAY && m.seat ? "This card may not be laid from your hand."
                                                          : not_alone__codes[code].text);
    unsigned before = phase_of(s);
    if (notes && not_alone__phases[before].veil != OBSERVE_OPEN)
        not_alone__tell(s, by, m, notes);
    not_alone__do(s, by, m, said);
    not_alone__advance(s, said);
    if (begins_exploration(s, before, m)) {
        if (not_alone__creature_first(s))
            game_note(said, GAME_NOTE_SAY, LINE_CREATURE_FIRST, 0, 0, 0, 0);
        game_note(said, GAME_NOTE_SAY, LINE_TURN, s->turn, 0, 0, 0);
    }
    // Under seal nothing is said until the phase is over.
    bool sealed = not_alone__phases[before].veil != OBSERVE_OPEN && phase_of(s) == before;
    for (unsigned i = 0; notes && !sealed && i < own.n; i++)
        game_note(notes, own.note[i].flags, own.note[i].line, own.note[i].arg[0], own.note[i].arg[1],
                  own.note[i].arg[2], own.note[i].arg[3]);
    return ERROR_OK;
}

extern const struct game not_alone_game;
const struct game not_alone_game = {
    .id = "not_alone",
    .title = "Not Alone",
    .rules_rev = 1,
    .seats_min = 2,
    .seats_max = HUNTED_MAX + 1,
    .phases = not_alone__phases,
    .kinds = not_alone__kinds,
    .n_kinds = KINDS,
    .options = not_alone__options,
    .verbs = not_alone__verbs,
    .lines = not_alone__lines,
    .presets = not_alone__presets,
    .state_size = sizeof(struct not_alone),
    .prepare = not_alone_prepare,
    .places = not_alone_places,
    .seat_label = not_alone_seat_label,
    .init = not_alone_init,
    .phase = not_alone_phase,
    .legal = not_alone_legal,
    .mistakes = not_alone_mistakes,
    .apply = not_alone_apply,
    .layout = not_alone_layout,
    .proof = not_alone_proof,
    .observe = not_alone_observe,
    .encode = not_alone_encode,
    .decode = not_alone_decode,
    .result = not_alone_result,
    .random = not_alone_random,
};
