// A computer player: alpha-beta with all others against it, one move deeper while the budget of positions
// lasts. A position is worth the cells owned and those that stacks will reach before others do.
#include "games/battle_sheep/battle_sheep.h"

enum {
    BOT_DEPTH_MAX = 40,
    BOT_MOVES_MAX = 128,
    BOT_INFINITE = 1 << 28,
    BOT_WON = 1 << 20,
    BOT_CELL = 32,  // worth of an owned cell
    BOT_SHARE = 24, // of a free one that this player reaches first
};

// What changes while looking ahead; cells and neighbours stay those of the game.
struct board {
    uint64_t own[SHEEP_SEATS], big;
    uint8_t size[SHEEP_CELLS];
    uint8_t turn, out;
};
struct move {
    uint8_t from, to, n;
    int32_t order; // the best looking first
};
struct bot {
    const struct sheep *s;
    unsigned me, nodes, budget;
    uint64_t cells;
};

static uint64_t taken(const struct board *b) {
    return b->own[0] | b->own[1] | b->own[2] | b->own[3];
}

static uint64_t spread(const struct sheep *s, uint64_t cells) {
    uint64_t ret = 0;
    for (; cells; cells &= cells - 1)
        ret |= s->near[__builtin_ctzll(cells)];
    return ret;
}

static bool can_split(const struct bot *bot, const struct board *b, unsigned seat) {
    return (spread(bot->s, b->own[seat] & b->big) & bot->cells & ~taken(b)) != 0;
}

static unsigned herd(const struct sheep *s, uint64_t own) {
    unsigned best = 0;
    while (own) {
        uint64_t group = own & -own, more = group;
        while ((more = spread(s, more) & own & ~group) != 0)
            group |= more;
        own &= ~group;
        unsigned n = (unsigned)__builtin_popcountll(group);
        best = n > best ? n : best;
    }
    return best;
}

// ---- worth of a position

// Cells that each player's stacks reach before anybody else's, step by step over free cells; who arrives at
// the same time takes none.
static void share_out(const struct bot *bot, const struct board *b, uint64_t ret[SHEEP_SEATS]) {
    uint64_t free = bot->cells & ~taken(b), edge[SHEEP_SEATS];
    for (unsigned p = 0; p < bot->s->seats; p++) {
        edge[p] = b->own[p] & b->big;
        ret[p] = 0;
    }
    for (bool any = true; any;) {
        uint64_t once = 0, twice = 0;
        for (unsigned p = 0; p < bot->s->seats; p++) {
            edge[p] = spread(bot->s, edge[p]) & free;
            twice |= once & edge[p];
            once |= edge[p];
        }
        free &= ~once;
        any = false;
        for (unsigned p = 0; p < bot->s->seats; p++) {
            edge[p] &= ~twice;
            ret[p] |= edge[p];
            any |= edge[p] != 0;
        }
    }
}

// Each connected part of a player's share fills up with the sheep that stand beside it.
static int fill(const struct bot *bot, const struct board *b, unsigned seat, uint64_t share) {
    int sum = 0;
    while (share) {
        uint64_t part = share & -share, more = part;
        while ((more = spread(bot->s, more) & share & ~part) != 0)
            part |= more;
        share &= ~part;
        int room = __builtin_popcountll(part), sheep = 0;
        for (uint64_t near = spread(bot->s, part) & b->own[seat] & b->big; near; near &= near - 1)
            sheep += b->size[__builtin_ctzll(near)] - 1;
        sum += room < sheep ? room : sheep;
    }
    return sum;
}

static int worth(const struct bot *bot, const struct board *b) {
    uint64_t share[SHEEP_SEATS] = {0}, free = bot->cells & ~taken(b);
    int mine = 0, others = 0;
    share_out(bot, b, share);
    for (unsigned p = 0; p < bot->s->seats; p++) {
        int open = 0;
        for (uint64_t own = b->own[p] & b->big; own; own &= own - 1)
            open += __builtin_popcountll(bot->s->near[__builtin_ctzll(own)] & free);
        int value = BOT_CELL * __builtin_popcountll(b->own[p]) + BOT_SHARE * fill(bot, b, p, share[p]) +
                    (open < 16 ? open : 16);
        if (p == bot->me)
            mine = value;
        else
            others += value;
    }
    return mine * (bot->s->seats - 1) - others;
}

static int outcome(const struct bot *bot, const struct board *b) {
    int mine = __builtin_popcountll(b->own[bot->me]) * 64 + (int)herd(bot->s, b->own[bot->me]), best = 0;
    for (unsigned p = 0; p < bot->s->seats; p++) {
        int value = __builtin_popcountll(b->own[p]) * 64 + (int)herd(bot->s, b->own[p]);
        if (p != bot->me && value > best)
            best = value;
    }
    return mine > best ? BOT_WON + mine - best : mine == best ? BOT_WON / 2 : mine - best - BOT_WON;
}

// ---- moves

static unsigned slide(const struct bot *bot, uint64_t free, unsigned cell, unsigned d) {
    unsigned end = SHEEP_NO_CELL;
    for (unsigned at = bot->s->next[cell][d]; at != SHEEP_NO_CELL && free >> at & 1; at = bot->s->next[at][d])
        end = at;
    return end;
}

// One, all but one, and quarters between: other numbers rarely matter.
static unsigned counts(unsigned size, uint8_t ret[5]) {
    const unsigned wanted[5] = {1, size / 4, size / 2, size * 3 / 4, size - 1};
    unsigned n = 0;
    for (unsigned i = 0; i < 5; i++)
        if (wanted[i] >= 1 && wanted[i] < size && (n == 0 || ret[n - 1] < wanted[i]))
            ret[n++] = (uint8_t)wanted[i];
    return n;
}

static void sort(struct move *move, unsigned n) {
    for (unsigned i = 1; i < n; i++) {
        struct move one = move[i];
        unsigned at = i;
        for (; at > 0 && move[at - 1].order < one.order; at--)
            move[at] = move[at - 1];
        move[at] = one;
    }
}

static unsigned list_moves(const struct bot *bot, const struct board *b, struct move ret[BOT_MOVES_MAX]) {
    uint64_t free = bot->cells & ~taken(b);
    unsigned n = 0;
    uint8_t count[5];
    for (uint64_t own = b->own[b->turn] & b->big; own; own &= own - 1) {
        unsigned from = (unsigned)__builtin_ctzll(own), n_counts = counts(b->size[from], count);
        int stays = __builtin_popcountll(bot->s->near[from] & free);
        for (unsigned d = 0; d < 6; d++) {
            unsigned to = slide(bot, free, from, d);
            for (unsigned i = 0; to != SHEEP_NO_CELL && i < n_counts && n < BOT_MOVES_MAX; i++) {
                int goes = __builtin_popcountll(bot->s->near[to] & free);
                int left = b->size[from] - count[i], half = left < count[i] ? left : count[i];
                ret[n++] =
                    (struct move){(uint8_t)from, (uint8_t)to, count[i], goes * 4 - stays * 2 + half * 3};
            }
        }
    }
    sort(ret, n);
    return n;
}

static void do_move(const struct bot *bot, struct board *b, const struct move *move) {
    unsigned p = b->turn, seats = bot->s->seats;
    b->size[move->from] = (uint8_t)(b->size[move->from] - move->n);
    b->size[move->to] = move->n;
    b->own[p] |= sheep__bit(move->to);
    b->big &= ~(sheep__bit(move->from) | sheep__bit(move->to));
    b->big |= (uint64_t)(b->size[move->from] > 1) << move->from | (uint64_t)(move->n > 1) << move->to;
    for (unsigned q = 0; q < seats; q++)
        if (!(b->out >> q & 1) && !can_split(bot, b, q))
            b->out |= (uint8_t)(1u << q);
    for (unsigned i = 0; i < seats; i++) {
        p = p + 1 < seats ? p + 1 : 0;
        if (!(b->out >> p & 1))
            break;
    }
    b->turn = (uint8_t)p;
}

static bool is_over(const struct bot *bot, const struct board *b) {
    if (bot->s->classic)
        return b->out >> b->turn & 1;
    return b->out == (1u << bot->s->seats) - 1;
}

// The first edition skips nobody: whose turn it is loses when stuck.
static void pass_classic_turn(const struct bot *bot, struct board *b, unsigned mover) {
    if (bot->s->classic)
        b->turn = (uint8_t)(mover + 1 < bot->s->seats ? mover + 1 : 0);
}

static int final_worth(const struct bot *bot, const struct board *b) {
    if (bot->s->classic)
        return b->turn == bot->me ? -BOT_WON : BOT_WON;
    return outcome(bot, b);
}

static int look(struct bot *bot, const struct board *b, unsigned depth, int alpha, int beta) {
    struct move move[BOT_MOVES_MAX];
    bot->nodes++;
    if (is_over(bot, b))
        return final_worth(bot, b);
    if (depth == 0 || bot->nodes > bot->budget)
        return worth(bot, b);
    unsigned n = list_moves(bot, b, move);
    bool mine = b->turn == bot->me;
    int best = mine ? -BOT_INFINITE : BOT_INFINITE;
    for (unsigned i = 0; i < n && alpha < beta; i++) {
        struct board after = *b;
        do_move(bot, &after, &move[i]);
        pass_classic_turn(bot, &after, b->turn);
        int value = look(bot, &after, depth - 1, alpha, beta);
        if (mine ? value > best : value < best)
            best = value;
        if (mine && best > alpha)
            alpha = best;
        if (!mine && best < beta)
            beta = best;
    }
    return best;
}

// ---- decisions

static struct board board_of(const struct sheep *s) {
    struct board b = {.big = s->big, .turn = s->turn, .out = s->out};
    for (unsigned p = 0; p < SHEEP_SEATS; p++)
        b.own[p] = s->own[p];
    for (unsigned c = 0; c < SHEEP_CELLS; c++)
        b.size[c] = s->size[c];
    return b;
}

// Each round searches every move one deeper; a round that the budget cuts off is forgotten.
static game_action choose_split(struct bot *bot, uint64_t dice) {
    struct board now = board_of(bot->s);
    struct move move[BOT_MOVES_MAX], best;
    unsigned n = list_moves(bot, &now, move);
    for (unsigned i = 0; i < n; i++) { // equals in an order of their own in every game
        dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        move[i].order = move[i].order * 4 + (int32_t)(dice >> 62);
    }
    sort(move, n);
    best = move[0];
    for (unsigned depth = 0; depth < BOT_DEPTH_MAX && n > 1; depth++) {
        int alpha = -BOT_INFINITE;
        for (unsigned i = 0; i < n; i++) {
            struct board after = now;
            do_move(bot, &after, &move[i]);
            pass_classic_turn(bot, &after, now.turn);
            int value = look(bot, &after, depth, alpha, BOT_INFINITE);
            move[i].order = value > alpha ? value : -BOT_INFINITE + (int32_t)(n - i);
            alpha = value > alpha ? value : alpha;
        }
        if (bot->nodes > bot->budget && depth > 0)
            break;
        sort(move, n);
        best = move[0];
        if (bot->nodes > bot->budget || alpha >= BOT_WON || alpha <= -BOT_WON)
            break;
    }
    return sheep__pack(SHEEP_V_SPLIT, bot->s->place[best.from], bot->s->place[best.to], best.n);
}

static game_action choose_place(const struct bot *bot, uint64_t dice) {
    unsigned best = SHEEP_NO_CELL;
    int most = -BOT_INFINITE;
    for (uint64_t free = bot->s->border & ~sheep__taken(bot->s); free; free &= free - 1) {
        unsigned cell = (unsigned)__builtin_ctzll(free);
        struct board b = board_of(bot->s);
        b.own[bot->me] |= sheep__bit(cell);
        b.big |= sheep__bit(cell);
        b.size[cell] = SHEEP_FLOCK;
        int value = worth(bot, &b) * 4 + (int)(dice >> cell & 3);
        if (value > most)
            most = value, best = cell;
    }
    return sheep__pack(SHEEP_V_PLACE, bot->s->place[best], 0, 0);
}

bool sheep_bot(const void *state, int seat, unsigned nodes, uint64_t dice, game_action *ret) {
    const struct sheep *s = state;
    if (seat != s->turn || s->phase == SHEEP_OVER)
        return false;
    struct bot bot = {.s = s, .me = (unsigned)seat, .budget = nodes};
    bot.cells = s->n_cells < SHEEP_CELLS ? sheep__bit(s->n_cells) - 1 : ~UINT64_C(0);
    if (s->phase == SHEEP_BUILD)
        return sheep__random(state, seat, dice, ret);
    if (s->phase == SHEEP_PLACE && !(s->border & ~sheep__taken(s)))
        return false;
    *ret = s->phase == SHEEP_PLACE ? choose_place(&bot, dice) : choose_split(&bot, dice);
    return true;
}
