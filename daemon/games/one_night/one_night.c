// The One Night family: the game as a value; each phase has a file of its own.
#include "games/one_night/one_night.h"

enum error_code one_night__not_now(struct error *err) {
    return error_illegal(err, "not_now", "nothing like this may be done now");
}

static const struct game_phase_row phases[] = {
    [PHASE_DEAL] = {"deal", OBSERVE_SEALED},   [PHASE_NIGHT] = {"night", OBSERVE_DARK},
    [PHASE_DAY] = {"day", OBSERVE_OPEN},       [PHASE_VOTE] = {"vote", OBSERVE_OPEN},
    [PHASE_REVEAL] = {"reveal", OBSERVE_OPEN}, {NULL, OBSERVE_OPEN},
};

static void phase(const void *state, struct game_phase *ret) {
    const struct one_night *g = one_night__state(state);
    *ret = (struct game_phase){.id = g->phase, .round = g->round, .clock = g->clock};
    switch (g->phase) {
    case PHASE_NIGHT:
        ret->step = g->step - g->part;
        ret->turn = g->awake | g->held;
        ret->limit_ms = one_night__step_ms(g, g->step);
        break;
    case PHASE_DAY:
        ret->turn = g->rules.rounds ? (uint16_t)(1u << g->speaker) : 0;
        ret->limit_ms = one_night__day_ms(g);
        break;
    case PHASE_VOTE:
        ret->turn = one_night__balloters(g);
        ret->limit_ms = one_night__vote_ms(g);
        break;
    case PHASE_REVEAL:
        ret->over = true;
        break;
    default:
        break;
    }
}

static size_t legal(const void *state, int by, game_action *ret, size_t cap) {
    const struct one_night *g = one_night__state(state);
    switch (g->phase) {
    case PHASE_DEAL:
        return one_night__deal_legal(g, by, ret, cap);
    case PHASE_NIGHT:
        return one_night__night_legal(g, by, ret, cap);
    case PHASE_DAY:
        return one_night__day_legal(g, by, ret, cap);
    case PHASE_VOTE:
        return one_night__vote_legal(g, by, ret, cap);
    default:
        return 0;
    }
}

static size_t mistakes(const void *state, int by, game_action *ret, size_t cap) {
    const struct one_night *g = one_night__state(state);
    game_action one;
    if (g->phase == PHASE_DEAL && by == GAME_BY_TABLE && !one_night__all_lies(g))
        one = one_night__pack(VERB_BEGIN, -1, -1, -1);
    else if (g->phase == PHASE_VOTE && by >= 0 && by < g->seats && g->rules.ballot != BALLOT_OWN_PAD)
        one = one_night__pack(VERB_VOTE, by, -1, -1);
    else
        return 0;
    if (cap)
        ret[0] = one;
    return 1;
}

static enum error_code apply(void *state, int by, game_action action, struct game_notes *notes,
                             struct error *err) {
    struct one_night *g = state;
    switch (g->phase) {
    case PHASE_DEAL:
        return one_night__deal_apply(g, by, action, notes, err);
    case PHASE_NIGHT:
        return one_night__night_apply(g, by, action, notes, err);
    case PHASE_DAY:
        return one_night__day_apply(g, by, action, notes, err);
    case PHASE_VOTE:
        return one_night__vote_apply(g, by, action, notes, err);
    default:
        return one_night__not_now(err);
    }
}

static bool random_action(const void *state, int by, uint64_t dice, game_action *ret) {
    const struct one_night *g = one_night__state(state);
    switch (g->phase) {
    case PHASE_DEAL:
        return one_night__deal_random(g, by, dice, ret);
    case PHASE_NIGHT:
        return one_night__night_random(g, by, dice, ret);
    case PHASE_DAY:
        return one_night__day_random(g, by, ret);
    case PHASE_VOTE:
        return one_night__vote_random(g, by, dice, ret);
    default:
        return false;
    }
}

const struct game one_night_game = {
    .id = "one_night",
    .title = "One Night",
    .rules_rev = 3,
    .seats_min = 3,
    .seats_max = TABLE_SEATS,
    .phases = phases,
    .kinds = one_night__kinds,
    .n_kinds = KINDS,
    .options = one_night__options,
    .verbs = one_night__verbs,
    .lines = one_night__lines,
    .presets = one_night__presets,
    .state_size = sizeof(struct one_night),
    .prepare = one_night_prepare,
    .places = one_night_places,
    .senses = one_night_senses,
    .kind_help = one_night_kind_help,
    .seat_label = one_night_seat_label,
    .init = one_night_init,
    .phase = phase,
    .legal = legal,
    .mistakes = mistakes,
    .apply = apply,
    .layout = one_night_layout,
    .proof = one_night_proof,
    .script = one_night_script,
    .observe = one_night_observe,
    .encode = one_night_encode,
    .decode = one_night_decode,
    .result = one_night_result,
    .random = random_action,
};
