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

// What lies at a place of cards or marks.
static uint8_t lies(const struct one_night *g, int place) {
    return place < g->n_positions ? g->at[place] : g->mark_piece[place - g->place_k];
}

// Every seat begins with a Mark of Clarity (2.1).
static uint32_t clarity(const struct one_night *g) {
    return one_night__tray(g) & (uint32_t)((UINT64_C(1) << g->first_mark[MARK_CLARITY + 1]) - 1);
}
_Static_assert(MARK_CLARITY == 0, "the first pieces");

static bool marks_lie(const struct one_night *g) {
    for (unsigned s = 0; s < g->seats && g->place_k; s++)
        if (g->mark_piece[s] == CARD_NONE)
            return false;
    return true;
}
static bool all_lies(const struct one_night *g) {
    return g->n_dealt == g->n_positions && marks_lie(g) && one_night__drawn(g);
}

// Before the game begins tiles may change places, also with an empty one; the card at c4 stays.
static bool may_redeal(const struct one_night *g, int a, int b) {
    int c4 = g->seats + 3;
    if (a >= 0 && b > a && a >= g->n_positions)
        return one_night__spot(g, a) >= 0 && one_night__spot(g, b) >= 0 &&
               (lies(g, a) != CARD_NONE || lies(g, b) != CARD_NONE);
    return a >= 0 && b > a && b < g->n_positions && a != c4 && b != c4 &&
           (g->at[a] != CARD_NONE || g->at[b] != CARD_NONE);
}

struct list {
    game_action *ret;
    size_t n, cap;
};
static void add(struct list *list, unsigned verb, int a, int b) {
    if (list->n < list->cap)
        list->ret[list->n] = one_night__pack(verb, a, b, -1);
    list->n++;
}

static void list_deals(const struct one_night *g, struct list *list) {
    uint32_t cards = g->pool;
    for (unsigned p = 0; p < g->n_positions; p++)
        for (uint32_t c = g->at[p] == CARD_NONE ? fits_place(g, p, cards) : 0; c; c &= c - 1)
            add(list, VERB_DEAL, (int)p, __builtin_ctz(c));
    for (unsigned s = 0; s < g->seats && g->place_k; s++)
        for (uint32_t c = g->mark_piece[s] == CARD_NONE ? clarity(g) : 0; c; c &= c - 1)
            add(list, VERB_DEAL, one_night__mark_place(g, s), g->first_mark_slot + __builtin_ctz(c));
}

static size_t deal_legal(const struct one_night *g, int by, game_action *ret, size_t cap) {
    struct list list = {ret, 0, cap};
    if (by == GAME_BY_CHANCE) {
        list_deals(g, &list);
        size_t kept = list.n < cap ? list.n : cap;
        return list.n + one_night__draw_list(g, ret + kept, cap - kept);
    }
    if (by != GAME_BY_TABLE)
        return 0;
    int end = g->place_k ? g->place_k + g->seats : g->n_positions;
    for (int a = 0; a < end; a++)
        for (int b = a + 1; b < end; b++)
            if (may_redeal(g, a, b))
                add(&list, VERB_REDEAL, a, b);
    if (all_lies(g))
        add(&list, VERB_BEGIN, -1, -1);
    return list.n;
}

// One of the cards or pieces, evenly.
static int pick(uint32_t set, uint64_t dice) {
    unsigned n = (unsigned)__builtin_popcount(set);
    for (unsigned skip = (unsigned)((uint32_t)dice * (uint64_t)n >> 32); skip; skip--)
        set &= set - 1;
    return __builtin_ctz(set);
}

static bool deal_random(const struct one_night *g, int by, uint64_t dice, game_action *ret) {
    if (by == GAME_BY_TABLE && all_lies(g)) {
        *ret = one_night__pack(VERB_BEGIN, -1, -1, -1);
        return true;
    }
    if (by != GAME_BY_CHANCE)
        return false;
    if (!one_night__drawn(g))
        return one_night__draw_random(g, dice, ret);
    if (g->n_dealt == g->n_positions) {
        unsigned seat = 0;
        while (seat < g->seats && g->place_k && g->mark_piece[seat] != CARD_NONE)
            seat++;
        if (!g->place_k || seat == g->seats)
            return false;
        *ret = one_night__pack(VERB_DEAL, one_night__mark_place(g, seat),
                               g->first_mark_slot + pick(clarity(g), dice), -1);
        return true;
    }
    unsigned place = 0;
    while (g->at[place] != CARD_NONE)
        place++;
    *ret = one_night__pack(VERB_DEAL, (int)place, pick(fits_place(g, place, g->pool), dice), -1);
    return true;
}

static enum error_code apply_mark(struct one_night *g, int place, int slot, struct error *err) {
    int seat = place - g->place_k, piece = slot - g->first_mark_slot;
    if (!g->place_k || seat < 0 || seat >= g->seats || g->mark_piece[seat] != CARD_NONE || piece < 0 ||
        piece >= MARK_PIECES_MAX || !(clarity(g) >> piece & 1))
        return one_night__not_now(err);
    one_night__put_mark(g, (unsigned)seat, (unsigned)piece);
    return ERROR_OK;
}

static enum error_code apply_deal(struct one_night *g, game_action action, struct error *err) {
    int place = one_night__arg(action, 0), card = one_night__arg(action, 1);
    if (one_night__verb(action) != VERB_DEAL)
        return one_night__draw_apply(g, action, err);
    if (place >= g->n_positions && one_night__arg(action, 2) < 0)
        return apply_mark(g, place, card, err);
    if (place < 0 || place >= g->n_positions || card < 0 || card >= g->n_cards ||
        one_night__arg(action, 2) >= 0 || g->at[place] != CARD_NONE ||
        !(fits_place(g, (unsigned)place, g->pool) >> card & 1))
        return one_night__not_now(err);
    g->at[place] = (uint8_t)card;
    g->pool &= ~(1u << card);
    g->n_dealt++;
    if (place < g->seats)
        g->dealt[place] = (uint8_t)card;
    return ERROR_OK;
}

static enum error_code apply_redeal(struct one_night *g, game_action action, struct game_notes *notes,
                                    struct error *err) {
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (!may_redeal(g, a, b) || one_night__arg(action, 2) >= 0)
        return one_night__not_now(err);
    if (a >= g->n_positions) {
        uint8_t *x = &g->mark_piece[a - g->place_k], *y = &g->mark_piece[b - g->place_k], piece = *x;
        *x = *y; // all of clarity still
        *y = piece;
        return ERROR_OK;
    }
    if (g->at[a] != CARD_NONE && g->at[b] != CARD_NONE)
        one_night__say(notes, GAME_NOTE_STORY, LINE_redealt, a, b, 0);
    uint8_t card = g->at[a];
    g->at[a] = g->at[b];
    g->at[b] = card;
    if (a < g->seats)
        g->dealt[a] = g->at[a];
    if (b < g->seats)
        g->dealt[b] = g->at[b];
    return ERROR_OK;
}

static size_t put_name(char *to, char stem, unsigned n) {
    size_t len = 0;
    to[len++] = ' ';
    to[len++] = stem;
    if (n >= 10)
        to[len++] = '1';
    to[len++] = (char)('0' + n % 10);
    to[len] = 0;
    return len;
}

// Which places still miss a piece is public in a sealed phase.
static enum error_code not_dealt(const struct one_night *g, struct error *err) {
    char names[128] = "";
    size_t len = 0;
    for (unsigned p = 0; p < g->n_positions && len + 6 < sizeof names; p++)
        if (g->at[p] == CARD_NONE)
            len += put_name(names + len, p < g->seats ? 's' : 'c', p < g->seats ? p + 1 : p - g->seats + 1);
    for (unsigned s = 0; s < g->seats && g->place_k && len + 6 < sizeof names; s++)
        if (g->mark_piece[s] == CARD_NONE)
            len += put_name(names + len, 'k', s + 1);
    if (!len)
        return error_illegal(err, "not_drawn", "the instructions of this night are not drawn yet");
    return error_illegal(err, "not_dealt", "pieces are missing at%s", names);
}

static enum error_code deal_apply(struct one_night *g, int by, game_action action, struct game_notes *notes,
                                  struct error *err) {
    if (by == GAME_BY_CHANCE)
        return apply_deal(g, action, err);
    if (by != GAME_BY_TABLE)
        return one_night__not_now(err);
    if (one_night__verb(action) == VERB_REDEAL)
        return apply_redeal(g, action, notes, err);
    if (action != one_night__pack(VERB_BEGIN, -1, -1, -1))
        return one_night__not_now(err);
    if (!all_lies(g))
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

static size_t day_legal(const struct one_night *g, int by, game_action *ret, size_t cap) {
    struct list list = {ret, 0, cap};
    game_action one;
    if (by >= 0 && by < g->seats && may_look(g, by))
        add(&list, VERB_VIEW, one_night__artifact_place(g, (unsigned)by), -1);
    if (day_action(g, by, &one))
        add(&list, one_night__verb(one), -1, -1);
    if (by != GAME_BY_TABLE)
        return list.n;
    size_t kept = list.n < cap ? list.n : cap;
    list.n += one_night__absent_list(g, ret + kept, cap - kept);
    for (int place = 0; place < g->n_positions; place++)
        if (may_tap(g, place))
            add(&list, VERB_OPEN, place, -1);
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

static enum error_code day_apply(struct one_night *g, int by, game_action action, struct game_notes *notes,
                                 struct error *err) {
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

// ---- the game
// ----------------------------------------------------------------------------------------------------

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
    switch (g->phase) {
    case PHASE_DEAL:
        return deal_legal(g, by, ret, cap);
    case PHASE_NIGHT:
        return one_night__night_legal(g, by, ret, cap);
    case PHASE_DAY:
        return day_legal(g, by, ret, cap);
    case PHASE_VOTE:
        return one_night__vote_legal(g, by, ret, cap);
    default:
        return 0;
    }
}

static size_t mistakes(const void *state, int by, game_action *ret, size_t cap) {
    const struct one_night *g = one_night__state(state);
    game_action one;
    if (g->phase == PHASE_DEAL && by == GAME_BY_TABLE && !all_lies(g))
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
        return deal_apply(g, by, action, notes, err);
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
    if (g->phase == PHASE_DEAL)
        return deal_random(g, by, dice, ret);
    if (by >= 0) {
        if (by >= g->seats)
            return false;
        if (g->phase == PHASE_VOTE)
            return one_night__vote_random(g, (unsigned)by, dice, ret);
        if (g->phase == PHASE_NIGHT)
            return one_night__night_random(g, (unsigned)by, dice, ret);
    }
    if (g->phase == PHASE_DAY && !day_action(g, by, ret)) {
        if (by < 0 || !may_look(g, by))
            return false;
        *ret = one_night__pack(VERB_VIEW, one_night__artifact_place(g, (unsigned)by), -1, -1);
    }
    if (g->phase == PHASE_DAY)
        return true;
    if (by != GAME_BY_TIMER || g->phase == PHASE_REVEAL)
        return false;
    *ret = one_night__pack(VERB_NEXT, -1, -1, -1);
    return true;
}

const struct game one_night_game = {
    .id = "one_night",
    .title = "One Night",
    .rules_rev = 2,
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
