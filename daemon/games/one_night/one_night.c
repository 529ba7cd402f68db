// The One Night family: phases, dealing, the day; the rest is in the files beside.
#include "games/one_night/one_night.h"
#include <string.h>

enum error_code one_night__not_now(struct error *err) {
    return error_illegal(err, "not_now", "nothing like this may be done now");
}

static const struct game_phase_row phases[] = {
    [PHASE_DEAL] = {"deal", OBSERVE_SEALED},   [PHASE_NIGHT] = {"night", OBSERVE_DARK},
    [PHASE_DAY] = {"day", OBSERVE_OPEN},       [PHASE_VOTE] = {"vote", OBSERVE_OPEN},
    [PHASE_REVEAL] = {"reveal", OBSERVE_OPEN}, {NULL, OBSERVE_OPEN},
};

// ---- deal
// --------------------------------------------------------------------------------------------------------

// The last card of the centre werewolf's kind is kept for c4, which takes no other (2.1).
static uint32_t fits_place(const struct one_night *g, unsigned place, uint32_t cards) {
    if (g->centre_wolf == ROLE_NONE)
        return cards;
    uint32_t wolves = 0;
    for (unsigned c = 0; c < g->n_cards; c++)
        wolves |= g->role[c] == g->centre_wolf ? 1u << c : 0;
    wolves &= cards;
    unsigned c4 = g->seats + 3u;
    if (place == c4)
        return wolves;
    bool last = g->at[c4] == CARD_NONE && (wolves & (wolves - 1)) == 0;
    return last ? cards & ~wolves : cards;
}

// Before the game begins tiles may change places, also with an empty one; the card at c4 stays.
static bool may_redeal(const struct one_night *g, int a, int b) {
    int c4 = g->seats + 3;
    return a >= 0 && b > a && b < g->n_positions && a != c4 && b != c4 &&
           (g->at[a] != CARD_NONE || g->at[b] != CARD_NONE);
}

static size_t deal_legal(const struct one_night *g, int by, game_action *ret, size_t cap) {
    size_t n = 0;
    if (by == GAME_BY_CHANCE) {
        uint32_t cards = g->pool;
        for (unsigned p = 0; p < g->n_positions; p++)
            for (uint32_t c = g->at[p] == CARD_NONE ? fits_place(g, p, cards) : 0; c; c &= c - 1, n++)
                if (n < cap)
                    ret[n] = one_night__pack(VERB_DEAL, (int)p, __builtin_ctz(c), -1);
    }
    if (by != GAME_BY_TABLE)
        return n;
    for (int a = 0; a < g->n_positions; a++)
        for (int b = a + 1; b < g->n_positions; b++)
            if (may_redeal(g, a, b)) {
                if (n < cap)
                    ret[n] = one_night__pack(VERB_REDEAL, a, b, -1);
                n++;
            }
    if (g->n_dealt == g->n_positions) {
        if (n < cap)
            ret[n] = one_night__pack(VERB_BEGIN, -1, -1, -1);
        n++;
    }
    return n;
}

static bool deal_random(const struct one_night *g, int by, uint64_t dice, game_action *ret) {
    if (by == GAME_BY_TABLE && g->n_dealt == g->n_positions) {
        *ret = one_night__pack(VERB_BEGIN, -1, -1, -1);
        return true;
    }
    if (by != GAME_BY_CHANCE || g->n_dealt == g->n_positions)
        return false;
    unsigned place = 0;
    while (g->at[place] != CARD_NONE)
        place++;
    uint32_t cards = fits_place(g, place, g->pool);
    unsigned n = (unsigned)__builtin_popcount(cards);
    for (unsigned skip = (unsigned)((uint32_t)dice * (uint64_t)n >> 32); skip; skip--)
        cards &= cards - 1;
    *ret = one_night__pack(VERB_DEAL, (int)place, __builtin_ctz(cards), -1);
    return true;
}

static enum error_code apply_deal(struct one_night *g, game_action action, struct error *err) {
    int place = one_night__arg(action, 0), card = one_night__arg(action, 1);
    if (one_night__verb(action) != VERB_DEAL || place < 0 || place >= g->n_positions || card < 0 ||
        card >= g->n_cards || one_night__arg(action, 2) >= 0 || g->at[place] != CARD_NONE ||
        !(fits_place(g, (unsigned)place, g->pool) >> card & 1))
        return one_night__not_now(err);
    g->at[place] = (uint8_t)card;
    g->pool &= ~(1u << card);
    g->n_dealt++;
    if (place < g->seats)
        g->dealt[place] = (uint8_t)card;
    return ERROR_OK;
}

static enum error_code apply_redeal(struct one_night *g, game_action action, struct error *err) {
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (!may_redeal(g, a, b) || one_night__arg(action, 2) >= 0)
        return one_night__not_now(err);
    uint8_t card = g->at[a];
    g->at[a] = g->at[b];
    g->at[b] = card;
    if (a < g->seats)
        g->dealt[a] = g->at[a];
    if (b < g->seats)
        g->dealt[b] = g->at[b];
    return ERROR_OK;
}

// Which places still miss a card is public in a sealed phase.
static enum error_code not_dealt(const struct one_night *g, struct error *err) {
    char names[96] = "";
    size_t len = 0;
    for (unsigned p = 0; p < g->n_positions && len + 6 < sizeof names; p++)
        if (g->at[p] == CARD_NONE) {
            unsigned n = p < g->seats ? p + 1 : p - g->seats + 1;
            names[len++] = ' ';
            names[len++] = p < g->seats ? 's' : 'c';
            if (n >= 10)
                names[len++] = '1';
            names[len++] = (char)('0' + n % 10);
            names[len] = 0;
        }
    return error_illegal(err, "not_dealt", "cards are missing at%s", names);
}

static enum error_code deal_apply(struct one_night *g, int by, game_action action, struct error *err) {
    if (by == GAME_BY_CHANCE)
        return apply_deal(g, action, err);
    if (by != GAME_BY_TABLE)
        return one_night__not_now(err);
    if (one_night__verb(action) == VERB_REDEAL)
        return apply_redeal(g, action, err);
    if (action != one_night__pack(VERB_BEGIN, -1, -1, -1))
        return one_night__not_now(err);
    if (g->n_dealt < g->n_positions)
        return not_dealt(g, err);
    one_night__night_begin(g);
    return ERROR_OK;
}

// ---- day (6.2)
// ---------------------------------------------------------------------------------------------------

void one_night__day_begin(struct one_night *g) {
    g->phase = PHASE_DAY;
    g->round = 1;
    g->speaker = 0;
    g->step = 0;
    g->awake = g->held = 0;
    g->clock++;
}

static uint32_t day_ms(const struct one_night *g) {
    return g->rules.rounds ? g->speech_ms : g->discussion_ms;
}

static bool day_action(const struct one_night *g, int by, game_action *ret) {
    if (by == GAME_BY_TIMER && day_ms(g))
        *ret = one_night__pack(VERB_NEXT, -1, -1, -1);
    else if (by == GAME_BY_TABLE && !g->rules.rounds)
        *ret = one_night__pack(VERB_END_DAY, -1, -1, -1);
    else if (by >= 0 && g->rules.rounds && by == g->speaker)
        *ret = one_night__pack(VERB_DONE, -1, -1, -1);
    else
        return false;
    return true;
}

static enum error_code day_apply(struct one_night *g, int by, game_action action, struct game_notes *notes,
                                 struct error *err) {
    game_action legal;
    if (!day_action(g, by, &legal) || action != legal)
        return one_night__not_now(err);
    if (g->rules.rounds) {
        g->clock++;
        g->speaker = (uint8_t)((g->speaker + 1) % g->seats);
        g->round += g->speaker == 0;
        if (g->round <= SPEECH_ROUNDS) {
            one_night__say(notes, GAME_NOTE_SAY, LINE_speech, g->speaker, 0, 0);
            return ERROR_OK;
        }
    }
    one_night__vote_begin(g, notes);
    return ERROR_OK;
}

// ---- the game
// ----------------------------------------------------------------------------------------------------

static void phase(const void *state, struct game_phase *ret) {
    const struct one_night *g = one_night__state(state);
    *ret = (struct game_phase){.id = g->phase, .round = g->round, .clock = g->clock};
    switch (g->phase) {
    case PHASE_NIGHT:
        ret->step = g->step;
        ret->turn = g->awake | g->held;
        ret->limit_ms = one_night__step_ms(g, g->step);
        break;
    case PHASE_DAY:
        ret->turn = g->rules.rounds ? (uint16_t)(1u << g->speaker) : 0;
        ret->limit_ms = day_ms(g);
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
    game_action one;
    switch (g->phase) {
    case PHASE_DEAL:
        return deal_legal(g, by, ret, cap);
    case PHASE_NIGHT:
        return one_night__night_legal(g, by, ret, cap);
    case PHASE_DAY:
        if (!day_action(g, by, &one))
            return 0;
        if (cap)
            ret[0] = one;
        return 1;
    case PHASE_VOTE:
        return one_night__vote_legal(g, by, ret, cap);
    default:
        return 0;
    }
}

static size_t mistakes(const void *state, int by, game_action *ret, size_t cap) {
    const struct one_night *g = one_night__state(state);
    game_action one;
    if (g->phase == PHASE_DEAL && by == GAME_BY_TABLE && g->n_dealt < g->n_positions)
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
        return deal_apply(g, by, action, err);
    case PHASE_NIGHT:
        return one_night__night_apply(g, by, action, notes, err);
    case PHASE_DAY:
        return day_apply(g, by, action, notes, err);
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
        return deal_random(g, by, dice, ret);
    case PHASE_DAY:
        return day_action(g, by, ret);
    case PHASE_NIGHT:
        if (by == GAME_BY_TIMER) {
            *ret = one_night__pack(VERB_NEXT, -1, -1, -1);
            return true;
        }
        return by >= 0 && by < g->seats && one_night__night_random(g, (unsigned)by, dice, ret);
    case PHASE_VOTE:
        if (by == GAME_BY_TIMER) {
            *ret = one_night__pack(VERB_NEXT, -1, -1, -1);
            return true;
        }
        return by >= 0 && by < g->seats && one_night__vote_random(g, (unsigned)by, dice, ret);
    default:
        return false;
    }
}

const struct game one_night_game = {
    .id = "one_night",
    .title = "One Night",
    .rules_rev = 1,
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
