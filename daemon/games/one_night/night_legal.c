// What may be done in the dark: the acts open to a seat, the list of them.
#include "games/one_night/one_night.h"
#include <string.h>

typedef one_night_spots spots;

static unsigned bits(spots set) {
    return (unsigned)__builtin_popcountll(set);
}
static bool several(spots set) {
    return set & (set - 1);
}
static int lowest(spots set) {
    return __builtin_ctzll(set);
}

// What is open to a seat at a stage of a step.
struct open {
    const struct one_night_night *row;
    const struct one_night_act *act;
    unsigned stage, draw, seat;
};

// A doppelganger's later stages are those of the role she copied; drawn instructions have acts of their own.
static inline bool open_at(const struct one_night *g, unsigned step, unsigned seat, unsigned stage,
                           struct open *ret) {
    if (step >= g->n_steps || g->steps[step] == STEP_CHECK || stage == STAGE_END)
        return false;
    const struct one_night_night *row = &one_night__night[g->steps[step]];
    *ret = (struct open){.row = row, .act = row->acts, .stage = stage, .draw = row->draw, .seat = seat};
    if (row->draw != DRAW_NONE) {
        uint8_t variant = one_night__variant(g, row->draw);
        ret->act = variant < VARIANTS ? one_night__variants[variant].acts : NULL;
        return ret->act != NULL;
    }
    if (row->id != 120 || stage == 0)
        return true;
    uint8_t card = g->dealt[seat], copied = g->copied[card];
    bool acts = copied < ROLES && !(g->idle >> card & 1);
    int instant = acts ? one_night__row(one_night__roles[copied].instant) : -1;
    if (instant < 0)
        return false;
    *ret =
        (struct open){&one_night__night[instant], one_night__night[instant].acts, stage - 1, DRAW_NONE, seat};
    return true;
}

static inline bool first_act(const struct one_night *g, unsigned step, unsigned seat, unsigned stage,
                             struct open *ret) {
    return open_at(g, step, seat, stage, ret) && ret->act->most;
}

static bool next_act(struct open *open) {
    open->act++;
    return open->act->most;
}

static spots from_set(const struct one_night *g, const struct open *open) {
    spots ret = one_night__targets(g, open->seat, open->act->from, open->draw);
    if (open->act->flags & ACT_NEW)
        ret &= ~one_night__seen_last(g, open->seat);
    if ((open->act->flags & ACT_NEW_MARK) && g->last_loved < g->seats)
        ret &= ~(UINT64_C(1) << (MARK_SPOT + g->last_loved));
    return ret;
}
static spots to_set(const struct one_night *g, const struct open *open) {
    return one_night__targets(g, open->seat, open->act->to, open->draw);
}

static bool has_assassin(const struct one_night *g) {
    for (unsigned s = 0; s < g->seats; s++)
        if (one_night__night_role(g, s) == ROLE_ASSASSIN)
            return true;
    return false;
}

// A single werewolf: nobody else is awake with it and no thumb is out (3.2).
static bool lone(const struct one_night *g) {
    uint16_t wolves = one_night__awake_as(g, IS_WOLF);
    return wolves && !(wolves & (wolves - 1));
}

static inline bool act_open(const struct one_night *g, const struct open *open) {
    unsigned flags = open->act->flags;
    return open->act->stage == open->stage && (!(flags & ACT_LONE) || (g->rules.lone_wolf && lone(g))) &&
           (!(flags & ACT_ALONE) || !has_assassin(g)) &&
           (!(flags & ACT_SHOWN) || several(one_night__awake_as(g, IS_ALIEN))) &&
           (!(flags & ACT_GRANTED) || one_night__granted(g, open->draw - DRAW_ORACLE));
}

static unsigned act_most(const struct one_night *g, const struct open *open) {
    if (open->draw < ORACLES && g->variant[open->draw] == VARIANT_Q_VIEWCENTER)
        return one_night__oracle_views(g, open->draw);
    return open->act->most;
}
_Static_assert(DRAW_ORACLE == 0 && DRAW_DOPPEL_ORACLE == 1, "an oracle's draw is its number");

static uint32_t pieces(const struct one_night *g, const struct open *open) {
    uint8_t first = g->first_mark[open->act->to], end = g->first_mark[open->act->to + 1];
    return one_night__tray(g) & (uint32_t)((UINT64_C(1) << end) - (UINT64_C(1) << first));
}

static bool act_possible(const struct one_night *g, const struct open *open) {
    spots from = from_set(g, open);
    switch (open->act->verb) {
    case VERB_ANSWER:
        return true;
    case VERB_ROTATE:
        return several(from);
    case VERB_SWAP: { // two different places, one of each set
        spots to = to_set(g, open);
        return from && to && several(from | to);
    }
    case VERB_MARK:
        return from && pieces(g, open);
    case VERB_ARTIFACT:
        return from && one_night__supply(g);
    default:
        return from != 0;
    }
}

static bool act_must(const struct one_night *g, const struct open *open) {
    return (open->act->flags & ACT_MUST) ||
           (open->row->mode && open->act->stage == 0 && (g->rules.must >> open->row->mode & 1));
}

// ---- legal

// Sets of one to `most` places; exactly that many, or all there are, where the rule says so.
static void list_sets(const struct one_night *g, const struct open *open, struct one_night_list *list) {
    spots set = from_set(g, open);
    unsigned most = act_most(g, open), least = 1, verb = open->act->verb;
    if (open->act->flags & ACT_EXACT)
        least = bits(set) < most ? bits(set) : most;
    for (spots a = set; a; a &= a - 1) {
        int i = one_night__spot_place(g, lowest(a));
        if (least <= 1)
            one_night__add(list, verb, i, -1, -1);
        for (spots b = most > 1 ? a & (a - 1) : 0; b; b &= b - 1) {
            int k = one_night__spot_place(g, lowest(b));
            if (least <= 2)
                one_night__add(list, verb, i, k, -1);
            for (spots c = most > 2 ? b & (b - 1) : 0; c; c &= c - 1)
                one_night__add(list, verb, i, k, one_night__spot_place(g, lowest(c)));
        }
    }
}

// Unordered pairs, one of each set, written with the lower place first.
static void list_swaps(const struct one_night *g, const struct open *open, struct one_night_list *list) {
    spots from = from_set(g, open), to = to_set(g, open);
    for (spots a = from | to; a; a &= a - 1) {
        int i = lowest(a);
        spots with = (from >> i & 1 ? to : 0) | (to >> i & 1 ? from : 0);
        for (spots b = with & ~((UINT64_C(2) << i) - 1); b; b &= b - 1)
            one_night__add(list, VERB_SWAP, one_night__spot_place(g, i), one_night__spot_place(g, lowest(b)),
                           -1);
    }
}

static void list_pieces(const struct one_night *g, const struct open *open, struct one_night_list *list) {
    bool mark = open->act->verb == VERB_MARK;
    uint32_t all = mark ? pieces(g, open) : one_night__supply(g);
    for (spots from = from_set(g, open); from; from &= from - 1) {
        int at = mark ? one_night__spot_place(g, lowest(from))
                      : one_night__artifact_place(g, (unsigned)lowest(from));
        for (uint32_t left = all; left; left &= left - 1)
            one_night__add(list, open->act->verb, at, __builtin_ctz(left), -1);
    }
}

static void list_act(const struct one_night *g, const struct open *open, struct one_night_list *list) {
    switch (open->act->verb) {
    case VERB_SWAP:
        list_swaps(g, open, list);
        break;
    case VERB_VIEW:
    case VERB_FLIP:
        list_sets(g, open, list);
        break;
    case VERB_MARK:
    case VERB_ARTIFACT:
        list_pieces(g, open, list);
        break;
    case VERB_ROTATE:
        for (int dir = 0; dir < 2 && act_possible(g, open); dir++)
            if (open->act->to == DIR_ANY || open->act->to == DIR_LEFT + dir)
                one_night__add(list, VERB_ROTATE, dir, -1, -1);
        break;
    case VERB_ANSWER:
        for (int answer = 0; answer < ANSWERS; answer++)
            if (one_night__answer_fits(g, one_night__oracle_of(g, open->seat), answer))
                one_night__add(list, VERB_ANSWER, answer, -1, -1);
        break;
    default:
        for (spots from = from_set(g, open); from; from &= from - 1)
            one_night__add(list, open->act->verb, lowest(from), -1, -1);
    }
}

static void list_stage(const struct one_night *g, unsigned step, unsigned seat, unsigned stage,
                       struct one_night_list *list) {
    struct open open;
    if (first_act(g, step, seat, stage, &open))
        do
            if (act_open(g, &open))
                list_act(g, &open, list);
        while (next_act(&open));
}

// What no rule allows but hands do: told at the reveal.
static void list_slips(const struct one_night *g, struct one_night_list *list) {
    int marks = g->place_k ? g->seats : 0;
    for (unsigned verb = VERB_SLIP_SWAP; verb <= VERB_SLIP_BACK; verb++) {
        for (int a = 0; a < g->n_positions; a++)
            for (int b = a + 1; b < g->n_positions; b++)
                one_night__add(list, verb, a, b, -1);
        for (int a = 0; a < marks; a++)
            for (int b = a + 1; b < marks; b++)
                one_night__add(list, verb, g->place_k + a, g->place_k + b, -1);
    }
    for (int a = 0; a < g->n_positions; a++)
        one_night__add(list, VERB_SLIP_LOOK, a, -1, -1);
    for (int a = 0; a < marks; a++)
        one_night__add(list, VERB_SLIP_LOOK, g->place_k + a, -1, -1);
    for (int a = 0; a < marks; a++)
        for (uint32_t left = one_night__tray(g); left; left &= left - 1)
            one_night__add(list, VERB_SLIP_MARK, g->place_k + a, __builtin_ctz(left), -1);
}

// A handful of acts of one seat may come from two rows: sorted, and equal ones once. What one row lists
// mostly is in order.
static void settle_order(struct one_night_list *list) {
    game_action *all = list->ret;
    size_t n = list->n < list->cap ? list->n : list->cap, kept = n > 0;
    while (kept < n && all[kept - 1] < all[kept])
        kept++;
    for (size_t i = kept; i < n; i++) {
        game_action one = all[i];
        size_t at = kept;
        while (at && all[at - 1] > one)
            at--;
        if (at && all[at - 1] == one)
            continue;
        memmove(all + at + 1, all + at, (kept++ - at) * sizeof *all);
        all[at] = one;
    }
    if (list->n <= list->cap)
        list->n = kept;
}

enum { NIGHT_LIST_MAX = 512 };

// Of a seat that is awake, or still held in the step before.
static size_t list_seat(const struct one_night *g, unsigned seat, game_action own[NIGHT_LIST_MAX]) {
    struct one_night_list list = {own, 0, NIGHT_LIST_MAX};
    if (g->awake >> seat & 1)
        list_stage(g, g->step, seat, g->stage[seat], &list);
    if (g->held >> seat & 1)
        list_stage(g, g->step - 1u, seat, g->held_stage[seat], &list);
    settle_order(&list);
    return list.n;
}

static bool acts(const struct one_night *g, int by) {
    return by >= 0 && by < g->seats && ((g->awake | g->held) >> by & 1);
}

size_t one_night__night_legal(const struct one_night *g, int by, game_action *ret, size_t cap) {
    if (by == GAME_BY_TIMER) {
        struct one_night_list list = {ret, 0, cap};
        one_night__add(&list, VERB_NEXT, -1, -1, -1);
        one_night__add(&list, VERB_HOLD, -1, -1, -1);
        return list.n;
    }
    if (by == GAME_BY_TABLE) {
        struct one_night_list list = {ret, 0, cap};
        list_slips(g, &list);
        return list.n;
    }
    if (!acts(g, by))
        return 0;
    game_action own[NIGHT_LIST_MAX];
    size_t n = list_seat(g, (unsigned)by, own);
    memcpy(ret, own, sizeof *ret * (n < cap ? n : cap));
    return n;
}

static bool seat_random(const struct one_night *g, unsigned seat, uint64_t dice, game_action *ret) {
    game_action own[NIGHT_LIST_MAX];
    bool asked = (g->awake >> seat & 1) && (one_night__night[g->steps[g->step]].flags & NIGHT_ANSWER);
    if (asked && g->answer[one_night__oracle_of(g, seat)] != NOT_DRAWN)
        return false; // she may think again, but a playout goes on
    size_t n = list_seat(g, seat, own);
    if (n)
        *ret = own[(uint32_t)(dice >> 32) * (uint64_t)n >> 32];
    return n > 0;
}

bool one_night__night_random(const struct one_night *g, int by, uint64_t dice, game_action *ret) {
    if (acts(g, by))
        return seat_random(g, (unsigned)by, dice, ret);
    *ret = one_night__pack(VERB_NEXT, -1, -1, -1);
    return by == GAME_BY_TIMER;
}

// ---- one act

static bool takes_set(const struct one_night *g, const struct open *open, int a, int b, int c) {
    int spot[3] = {one_night__spot(g, a), b < 0 ? -1 : one_night__spot(g, b),
                   c < 0 ? -1 : one_night__spot(g, c)};
    spots from = from_set(g, open);
    unsigned n = 1u + (b >= 0) + (c >= 0), most = act_most(g, open);
    if (n > most || (b >= 0 && b <= a) || (c >= 0 && (b < 0 || c <= b)))
        return false;
    if ((open->act->flags & ACT_EXACT) && n != (bits(from) < most ? bits(from) : most))
        return false;
    for (unsigned i = 0; i < n; i++)
        if (spot[i] < 0 || !(from >> spot[i] & 1))
            return false;
    return true;
}

static bool takes_swap(const struct one_night *g, const struct open *open, int a, int b) {
    int x = one_night__spot(g, a), y = one_night__spot(g, b);
    if (b <= a || x < 0 || y < 0)
        return false;
    spots from = from_set(g, open), to = to_set(g, open);
    return ((from >> x) & (to >> y) & 1) || ((from >> y) & (to >> x) & 1);
}

static bool act_takes(const struct one_night *g, const struct open *open, game_action action) {
    unsigned verb = open->act->verb;
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1), c = one_night__arg(action, 2);
    if (verb != one_night__verb(action) || a < 0 || action != one_night__pack(verb, a, b, c))
        return false;
    if (verb == VERB_VIEW || verb == VERB_FLIP)
        return takes_set(g, open, a, b, c);
    if (c >= 0)
        return false;
    switch (verb) {
    case VERB_SWAP:
        return takes_swap(g, open, a, b);
    case VERB_MARK: {
        int spot = one_night__spot(g, a);
        return spot >= MARK_SPOT && b >= 0 && b < MARK_PIECES_MAX && (from_set(g, open) >> spot & 1) &&
               (pieces(g, open) >> b & 1);
    }
    case VERB_ARTIFACT: {
        int seat = a - g->place_a;
        return seat >= 0 && seat < g->seats && b >= 0 && b < ARTIFACTS && (from_set(g, open) >> seat & 1) &&
               (one_night__supply(g) >> b & 1);
    }
    case VERB_ROTATE:
        return b < 0 && a < 2 && (open->act->to == DIR_ANY || open->act->to == DIR_LEFT + a) &&
               act_possible(g, open);
    case VERB_ANSWER:
        return b < 0 && one_night__answer_fits(g, one_night__oracle_of(g, open->seat), a);
    default:
        return b < 0 && a < g->n_positions && (from_set(g, open) >> a & 1);
    }
}

static bool act_in(const struct one_night *g, unsigned step, unsigned seat, unsigned stage,
                   game_action action, struct open *ret) {
    if (first_act(g, step, seat, stage, ret))
        do
            if (act_open(g, ret) && act_takes(g, ret, action))
                return true;
        while (next_act(ret));
    return false;
}

const struct one_night_act *one_night__act_of(const struct one_night *g, unsigned seat, game_action action,
                                              bool *from_held) {
    struct open open;
    *from_held = (g->held >> seat & 1) && act_in(g, g->step - 1u, seat, g->held_stage[seat], action, &open);
    if (*from_held)
        return open.act;
    bool now = (g->awake >> seat & 1) && act_in(g, g->step, seat, g->stage[seat], action, &open);
    return now ? open.act : NULL;
}

static bool any_act(const struct one_night *g, unsigned step, unsigned seat, unsigned stage, bool must) {
    struct open open;
    if (first_act(g, step, seat, stage, &open))
        do
            if (act_open(g, &open) && (!must || act_must(g, &open)) && act_possible(g, &open))
                return true;
        while (next_act(&open));
    return false;
}

// Whether a seat has something left to do.
bool one_night__has_acts(const struct one_night *g, unsigned step, unsigned seat, unsigned stage) {
    return any_act(g, step, seat, stage, false);
}

// What had to be done and could be (3.1): told at the reveal, never at night.
bool one_night__misses(const struct one_night *g, unsigned step, unsigned seat, unsigned stage) {
    return any_act(g, step, seat, stage, true);
}
