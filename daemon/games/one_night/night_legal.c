// What may be done in the dark: sets of places, the acts open to a seat, the list of them.
#include "games/one_night/one_night.h"
#include <string.h>

static unsigned bits(uint32_t set) {
    return (unsigned)__builtin_popcount(set);
}

static int last_seen(const struct one_night *g, unsigned seat) {
    for (unsigned i = g->n_saw; i; i--)
        if (g->saw[i - 1].seat == seat)
            return g->saw[i - 1].place;
    return -1;
}

static bool is_wolf(const struct one_night *g, unsigned seat) {
    return one_night__roles[one_night__card_role(g, g->dealt[seat])].flags & IS_WOLF;
}

// Seats an alpha wolf may not turn: the werewolves it saw; a doppelganger knows of the alpha wolf alone
// (4.2).
static uint32_t known_wolves(const struct one_night *g, unsigned seat) {
    bool doppel = g->role[g->dealt[seat]] == ROLE_DOPPELGANGER;
    uint32_t ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (doppel ? g->role[g->dealt[s]] == ROLE_ALPHA_WOLF : is_wolf(g, s))
            ret |= 1u << s;
    return ret;
}

uint32_t one_night__targets(const struct one_night *g, unsigned seat, unsigned set) {
    uint32_t seats = ((1u << g->seats) - 1) & ~(uint32_t)g->shielded, self = 1u << seat;
    switch (set) {
    case T_SELF:
        return seats & self;
    case T_OTHER:
        return seats & ~self;
    case T_ANY:
        return seats;
    case T_CENTRE:
        return ((1u << g->n_centre) - 1) << g->seats;
    case T_C4:
        return g->n_centre > 3 ? 1u << (g->seats + 3) : 0;
    case T_NOT_WOLF:
        return seats & ~self & ~known_wolves(g, seat);
    case T_HIDDEN:
        return last_seen(g, seat) < 0 || g->face[g->at[last_seen(g, seat)]] ? 0 : 1u << last_seen(g, seat);
    case T_SEEN:
        return last_seen(g, seat) < 0 ? 0 : 1u << last_seen(g, seat);
    default:
        return 0;
    }
}

static uint32_t from_set(const struct one_night *g, const struct one_night_act *act, unsigned seat) {
    uint32_t ret = one_night__targets(g, seat, act->from);
    return act->flags & ACT_NEW ? ret & ~one_night__targets(g, seat, T_SEEN) : ret;
}

uint32_t one_night__moved(const struct one_night *g, unsigned seat) {
    return one_night__targets(g, seat, T_OTHER);
}

// A single werewolf: nobody else is awake with it and no thumb is out (3.2).
static bool lone(const struct one_night *g) {
    unsigned wolves = 0;
    for (unsigned s = 0; s < g->seats; s++)
        wolves += is_wolf(g, s);
    return wolves == 1;
}

// The row whose acts are open at a stage: a doppelganger's later stages are those of the role she copied.
static const struct one_night_night *open_row(const struct one_night *g, unsigned step, unsigned seat,
                                              unsigned *stage) {
    if (step >= g->n_steps || g->steps[step] == STEP_CHECK || *stage == STAGE_END)
        return NULL;
    const struct one_night_night *row = &one_night__night[g->steps[step]];
    if (row->id != 120 || *stage == 0)
        return row;
    uint8_t copied = g->copied[g->dealt[seat]];
    int instant = copied == ROLE_NONE ? -1 : one_night__row(one_night__roles[copied].instant);
    --*stage;
    return instant < 0 ? NULL : &one_night__night[instant];
}

static bool act_open(const struct one_night *g, const struct one_night_act *act, unsigned stage) {
    return act->stage == stage && (!(act->flags & ACT_LONE) || (g->rules.lone_wolf && lone(g)));
}

// Two different positions, one of each set, exist.
static bool pair_exists(uint32_t from, uint32_t to) {
    return from && to && (bits(from | to) > 1);
}

static bool act_possible(const struct one_night *g, const struct one_night_act *act, unsigned seat) {
    uint32_t from = from_set(g, act, seat), to = one_night__targets(g, seat, act->to);
    if (act->verb == VERB_ROTATE)
        return bits(from) > 1;
    return act->verb == VERB_SWAP ? pair_exists(from, to) : from != 0;
}

static bool act_must(const struct one_night *g, const struct one_night_night *row,
                     const struct one_night_act *act) {
    return (act->flags & ACT_MUST) || (row->mode && act->stage == 0 && (g->rules.must >> row->mode & 1));
}

// ---- legal
// -------------------------------------------------------------------------------------------------------

struct list {
    game_action *ret;
    size_t n, cap;
};
static void add(struct list *list, game_action action) {
    if (list->n < list->cap)
        list->ret[list->n] = action;
    list->n++;
}

static void list_views(struct list *list, uint32_t set, unsigned most) {
    for (uint32_t a = set; a; a &= a - 1) {
        int i = __builtin_ctz(a);
        add(list, one_night__pack(VERB_VIEW, i, -1, -1));
        for (uint32_t b = most > 1 ? a & (a - 1) : 0; b; b &= b - 1) {
            int k = __builtin_ctz(b);
            add(list, one_night__pack(VERB_VIEW, i, k, -1));
            for (uint32_t c = most > 2 ? b & (b - 1) : 0; c; c &= c - 1)
                add(list, one_night__pack(VERB_VIEW, i, k, __builtin_ctz(c)));
        }
    }
}

// Unordered pairs, one of each set, written with the lower position first.
static void list_swaps(struct list *list, uint32_t from, uint32_t to) {
    for (uint32_t a = from | to; a; a &= a - 1) {
        int i = __builtin_ctz(a);
        uint32_t with = (from >> i & 1 ? to : 0) | (to >> i & 1 ? from : 0);
        for (uint32_t b = with & ~((2u << i) - 1); b; b &= b - 1)
            add(list, one_night__pack(VERB_SWAP, i, __builtin_ctz(b), -1));
    }
}

static void list_act(const struct one_night *g, const struct one_night_act *act, unsigned seat,
                     struct list *list) {
    uint32_t from = from_set(g, act, seat), to = one_night__targets(g, seat, act->to);
    if (act->verb == VERB_SWAP) {
        list_swaps(list, from, to);
        return;
    }
    if (act->verb == VERB_VIEW) {
        list_views(list, from, act->most);
        return;
    }
    if (act->verb == VERB_ROTATE) {
        for (int dir = 0; dir < 2 && bits(from) > 1; dir++)
            add(list, one_night__pack(VERB_ROTATE, dir, -1, -1));
        return;
    }
    for (; from; from &= from - 1)
        add(list, one_night__pack(act->verb, __builtin_ctz(from), -1, -1));
}

static void list_stage(const struct one_night *g, unsigned step, unsigned seat, unsigned stage,
                       struct list *list) {
    const struct one_night_night *row = open_row(g, step, seat, &stage);
    for (const struct one_night_act *act = row ? row->acts : NULL; act && act->most; act++)
        if (act_open(g, act, stage))
            list_act(g, act, seat, list);
}

// What no rule allows but hands do: told at the reveal.
static void list_slips(const struct one_night *g, struct list *list) {
    for (unsigned verb = VERB_SLIP_SWAP; verb <= VERB_SLIP_BACK; verb++)
        for (int a = 0; a < g->n_positions; a++)
            for (int b = a + 1; b < g->n_positions; b++)
                add(list, one_night__pack(verb, a, b, -1));
    for (int a = 0; a < g->n_positions; a++)
        add(list, one_night__pack(VERB_SLIP_LOOK, a, -1, -1));
}

static int ascending(const void *a, const void *b) {
    game_action x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

// A handful of acts of one seat may come from two rows: sorted, and equal ones once.
static void settle_order(struct list *list) {
    size_t n = list->n < list->cap ? list->n : list->cap, kept = 0;
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k && ascending(&list->ret[k - 1], &list->ret[k]) > 0; k--) {
            game_action swap = list->ret[k];
            list->ret[k] = list->ret[k - 1];
            list->ret[k - 1] = swap;
        }
    for (size_t i = 0; i < n; i++)
        if (!kept || list->ret[kept - 1] != list->ret[i])
            list->ret[kept++] = list->ret[i];
    if (list->n <= list->cap)
        list->n = kept;
}

enum { NIGHT_LIST_MAX = 512 };

size_t one_night__night_legal(const struct one_night *g, int by, game_action *ret, size_t cap) {
    if (by == GAME_BY_TIMER) {
        struct list list = {ret, 0, cap};
        add(&list, one_night__pack(VERB_NEXT, -1, -1, -1));
        add(&list, one_night__pack(VERB_HOLD, -1, -1, -1));
        return list.n;
    }
    if (by == GAME_BY_TABLE) {
        struct list list = {ret, 0, cap};
        list_slips(g, &list);
        return list.n;
    }
    if (by < 0 || by >= g->seats || !((g->awake | g->held) >> by & 1))
        return 0;
    game_action own[NIGHT_LIST_MAX];
    struct list list = {own, 0, NIGHT_LIST_MAX};
    if (g->awake >> by & 1)
        list_stage(g, g->step, (unsigned)by, g->stage[by], &list);
    if (g->held >> by & 1)
        list_stage(g, g->step - 1u, (unsigned)by, g->held_stage[by], &list);
    settle_order(&list);
    memcpy(ret, own, sizeof *ret * (list.n < cap ? list.n : cap));
    return list.n;
}

bool one_night__night_random(const struct one_night *g, unsigned seat, uint64_t dice, game_action *ret) {
    game_action all[NIGHT_LIST_MAX];
    size_t n = one_night__night_legal(g, (int)seat, all, NIGHT_LIST_MAX);
    if (!n)
        return false;
    *ret = all[(uint32_t)(dice >> 32) * (uint64_t)n >> 32];
    return true;
}

// ---- one act

static bool act_takes(const struct one_night *g, const struct one_night_act *act, unsigned seat,
                      game_action action) {
    if (act->verb != one_night__verb(action))
        return false;
    uint32_t from = from_set(g, act, seat), to = one_night__targets(g, seat, act->to);
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1), c = one_night__arg(action, 2);
    if (a < 0 || a >= g->n_positions || b >= g->n_positions || c >= g->n_positions || (b >= 0 && b <= a))
        return false;
    if (act->verb == VERB_ROTATE)
        return a < 2 && b < 0 && c < 0 && bits(from) > 1;
    if (act->verb == VERB_SWAP)
        return b > a && c < 0 && (((from >> a) & (to >> b) & 1) || ((from >> b) & (to >> a) & 1));
    if (act->verb != VERB_VIEW)
        return b < 0 && c < 0 && (from >> a & 1);
    unsigned n = 1u + (b >= 0) + (c >= 0);
    if (n > act->most || (c >= 0 && (b < 0 || c <= b)))
        return false;
    return (from >> a & 1) && (b < 0 || (from >> b & 1)) && (c < 0 || (from >> c & 1));
}

static const struct one_night_act *act_in(const struct one_night *g, unsigned step, unsigned seat,
                                          unsigned stage, game_action action) {
    const struct one_night_night *row = open_row(g, step, seat, &stage);
    for (const struct one_night_act *act = row ? row->acts : NULL; act && act->most; act++)
        if (act_open(g, act, stage) && act_takes(g, act, seat, action))
            return act;
    return NULL;
}

const struct one_night_act *one_night__act_of(const struct one_night *g, unsigned seat, game_action action,
                                              bool *from_held) {
    *from_held = false;
    if (g->held >> seat & 1) {
        const struct one_night_act *act = act_in(g, g->step - 1u, seat, g->held_stage[seat], action);
        if (act) {
            *from_held = true;
            return act;
        }
    }
    return g->awake >> seat & 1 ? act_in(g, g->step, seat, g->stage[seat], action) : NULL;
}

// Whether a seat has something left to do.
bool one_night__has_acts(const struct one_night *g, unsigned step, unsigned seat, unsigned stage) {
    const struct one_night_night *row = open_row(g, step, seat, &stage);
    for (const struct one_night_act *act = row ? row->acts : NULL; act && act->most; act++)
        if (act_open(g, act, stage) && act_possible(g, act, seat))
            return true;
    return false;
}

// What had to be done and could be (3.1): told at the reveal, never at night.
bool one_night__misses(const struct one_night *g, unsigned step, unsigned seat, unsigned stage) {
    const struct one_night_night *row = open_row(g, step, seat, &stage);
    for (const struct one_night_act *act = row ? row->acts : NULL; act && act->most; act++)
        if (act_open(g, act, stage) && act_must(g, row, act) && act_possible(g, act, seat))
            return true;
    return false;
}
