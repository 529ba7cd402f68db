// Elfenland: moments, and the game as one value.
#include "games/elfenland/elfenland.h"

static void elfenland_phase(const void *state, struct game_phase *ret) {
    const struct elfenland *g = state;
    *ret = (struct game_phase){.id = g->phase, .round = g->round, .over = g->phase == PHASE_GAME_OVER};
    if (g->phase >= PHASE_SECRET_DRAW && g->phase <= PHASE_FINISH_ROUND)
        ret->turn = (uint16_t)(1u << g->turn);
}

const struct game elfenland_game = {
    .id = "elfenland",
    .title = "Elfenland",
    .rules_rev = 1,
    .seats_min = 2,
    .seats_max = PLAYERS_MAX,
    .phases = elfenland__phases,
    .kinds = elfenland__kinds,
    .n_kinds = KINDS,
    .options = elfenland__options,
    .verbs = elfenland__verbs,
    .lines = elfenland__lines,
    .presets = elfenland__presets,
    .state_size = sizeof(struct elfenland),
    .prepare = elfenland_prepare,
    .places = elfenland_places,
    .seat_label = elfenland_seat_label,
    .init = elfenland_init,
    .phase = elfenland_phase,
    .legal = elfenland_legal,
    .mistakes = elfenland_mistakes,
    .apply = elfenland_apply,
    .layout = elfenland_layout,
    .rest = elfenland_rest,
    .proof = elfenland_proof,
    .observe = elfenland_observe,
    .encode = elfenland_encode,
    .decode = elfenland_decode,
    .result = elfenland_result,
    .random = elfenland_random,
};
