// The shortest way from what lies there to the layout: every piece that lies wrong moves once; a ring of
// pieces goes through a hand once.
#include "engine/referee_internal.h"
#include <string.h>

struct moves {
    unsigned n;
    struct referee__move *move;
    const struct referee__board *board;
    uint64_t placed[GAME_SLOTS_MAX / 64]; // pieces that lie right or have a move
};

static void add_move(struct moves *moves, game_place take, game_place put, game_slot slot) {
    if (moves->n < REFEREE__MOVES_MAX)
        moves->move[moves->n++] = (struct referee__move){take, put, slot};
    if (slot != GAME_NONE)
        referee__set(moves->placed, slot);
}

static bool lies_known(const struct referee__board *board, game_place place) {
    return place != GAME_NONE && board->hands->sense[place] == HANDS_KNOWN;
}

static bool is_face_right(const struct hands_item *seen, const struct game_item *item) {
    return seen->face == GAME_FACE_ANY || item->face == GAME_FACE_ANY || seen->face == item->face;
}

// Pieces that lie where they are demanded stay. left[i] = how many of item i are still wanted there.
static void keep_right(struct moves *moves, const struct referee__position *position, game_place place,
                       struct referee__demand demand, uint16_t left[]) {
    const struct referee__board *board = moves->board;
    for (unsigned i = 0; i < demand.n; i++)
        left[i] = demand.item[i].n ? demand.item[i].n : 1;
    for (unsigned s = board->first[place]; s < board->first[place + 1]; s++) {
        const struct hands_item *seen = &board->hands->item[s];
        for (unsigned i = 0; i < demand.n; i++) {
            bool right = demand.item[i].n ? demand.item[i].what == position->setup->slot_kind[seen->slot]
                                          : demand.item[i].what == seen->slot;
            if (!right || left[i] == 0 || !is_face_right(seen, &demand.item[i]))
                continue;
            left[i]--;
            referee__set(moves->placed, seen->slot);
            break;
        }
    }
}

// A piece of this kind that lies wrong, else one that lies where nothing is demanded, else GAME_NONE.
static game_slot find_kind(const struct moves *moves, const struct referee__position *position,
                           game_kind kind) {
    game_slot spare = GAME_NONE;
    for (unsigned s = 0; s < moves->board->hands->n_items; s++) {
        const struct hands_item *seen = &moves->board->hands->item[s];
        if (position->setup->slot_kind[seen->slot] != kind || referee__bit(moves->placed, seen->slot) ||
            !lies_known(moves->board, seen->place))
            continue;
        if (!referee__bit(position->layout.free, seen->place))
            return seen->slot;
        if (spare == GAME_NONE)
            spare = seen->slot;
    }
    return spare;
}

// Any of this kind that lies nowhere: then people hear at least what to take.
static game_slot any_of_kind(const struct moves *moves, const struct referee__position *position,
                             game_kind kind) {
    for (game_slot slot = 0; slot < position->setup->n_slots; slot++)
        if (position->setup->slot_kind[slot] == kind && moves->board->where[slot] == GAME_NONE &&
            !referee__bit(moves->placed, slot))
            return slot;
    return GAME_NONE;
}

// A pad that cannot tell its whole stack is satisfied by what it shows.
static bool is_satisfied(const struct referee__position *position, const struct referee__board *board,
                         game_place place, struct referee__demand demand) {
    return board->hands->sense[place] != HANDS_KNOWN || referee__agrees(position, board, place, demand);
}

// Of a stack that its pads cannot tell whole, one piece is asked for when none is there, else nothing.
static void want_within_capacity(unsigned capacity, struct referee__demand demand, uint16_t left[]) {
    unsigned wanted = 0, missing = 0;
    for (unsigned i = 0; i < demand.n; i++) {
        wanted += demand.item[i].n ? demand.item[i].n : 1;
        missing += left[i];
    }
    unsigned most = capacity == 0 || wanted <= capacity ? missing : missing == wanted;
    for (unsigned i = 0; i < demand.n; i++) {
        left[i] = (uint16_t)(left[i] < most ? left[i] : most);
        most -= left[i];
    }
}

static void want_slots(struct moves *moves, game_place place, struct referee__demand demand,
                       const uint16_t left[]) {
    for (unsigned i = 0; i < demand.n; i++) {
        game_slot slot = demand.item[i].what;
        if (demand.item[i].n > 0 || left[i] == 0)
            continue;
        game_place from = moves->board->where[slot];
        add_move(moves, lies_known(moves->board, from) ? from : (game_place)GAME_NONE, place, slot);
    }
}
static void want_kinds(struct moves *moves, const struct referee__position *position, game_place place,
                       struct referee__demand demand, const uint16_t left[]) {
    for (unsigned i = 0; i < demand.n; i++) {
        for (unsigned k = 0; demand.item[i].n > 0 && k < left[i]; k++) {
            game_slot slot = find_kind(moves, position, demand.item[i].what);
            if (slot == GAME_NONE)
                slot = any_of_kind(moves, position, demand.item[i].what);
            add_move(moves, slot == GAME_NONE ? (game_place)GAME_NONE : moves->board->where[slot], place,
                     slot);
        }
    }
}

static void list_moves(struct referee *referee, struct moves *moves) {
    const struct referee__position *position = &referee->now;
    const struct hands *hands = moves->board->hands;
    uint16_t left[GAME_ITEMS_MAX];
    // Named pieces choose before kinds do, so that no kind takes a piece that is wanted elsewhere by name.
    for (int by_kind = 0; by_kind < 2; by_kind++) {
        for (game_place place = 0; place < hands->n_places; place++) {
            struct referee__demand demand = referee__demand_of(position, place);
            if (demand.free || is_satisfied(position, moves->board, place, demand)) {
                for (unsigned s = moves->board->first[place];
                     !demand.free && s < moves->board->first[place + 1]; s++)
                    referee__set(moves->placed, hands->item[s].slot);
                continue;
            }
            keep_right(moves, position, place, demand, left);
            want_within_capacity(hands->capacity[place], demand, left);
            if (by_kind)
                want_kinds(moves, position, place, demand, left);
            else
                want_slots(moves, place, demand, left);
        }
    }
    for (unsigned s = 0; s < hands->n_items; s++) { // wanted nowhere
        const struct hands_item *seen = &hands->item[s];
        if (!referee__bit(moves->placed, seen->slot) && lies_known(moves->board, seen->place) &&
            !referee__bit(position->layout.free, seen->place))
            add_move(moves, seen->place, GAME_NONE, seen->slot);
    }
    for (unsigned i = 0; i < hands->n_foreign; i++)
        if (!referee__bit(position->layout.free, hands->foreign[i]))
            add_move(moves, hands->foreign[i], GAME_NONE, GAME_NONE);
}

// The next move whose goal is free: lowest place to take from, then lowest to put to. In a ring none is; then
// its lowest piece goes to a hand first.
static struct referee__move next_move(struct moves *moves) {
    uint16_t waiting[GAME_PLACES_MAX] = {0};
    unsigned best = moves->n;
    for (unsigned i = 0; i < moves->n; i++)
        if (moves->move[i].take != GAME_NONE && moves->move[i].take != moves->move[i].put)
            waiting[moves->move[i].take]++;
    for (int ring = 0; best == moves->n; ring++) {
        for (unsigned i = 0; i < moves->n; i++) {
            const struct referee__move *one = &moves->move[i];
            bool ready = ring || one->put == GAME_NONE || one->put == one->take || waiting[one->put] == 0;
            if (ready && (best == moves->n || one->take < moves->move[best].take ||
                          (one->take == moves->move[best].take && one->put < moves->move[best].put)))
                best = i;
        }
        if (ring && best < moves->n) {
            struct referee__move first = moves->move[best];
            moves->move[best].take = GAME_NONE;
            return (struct referee__move){first.take, GAME_NONE, first.slot};
        }
    }
    struct referee__move move = moves->move[best];
    moves->move[best] = moves->move[--moves->n];
    return move;
}

unsigned referee__repairs(struct referee *referee, const struct referee__board *board,
                          struct verdict_repair *ret, unsigned cap, unsigned *ret_steps) {
    struct moves moves = {.move = referee->move, .board = board};
    unsigned steps = 0, n = 0;
    list_moves(referee, &moves);
    while (moves.n > 0 && (ret_steps || n < cap)) {
        struct referee__move move = next_move(&moves);
        if (n < cap)
            ret[n++] = (struct verdict_repair){move.take, move.put, move.slot};
        steps++;
    }
    if (ret_steps)
        *ret_steps = steps;
    return n;
}

unsigned referee_repairs(struct referee *referee, const struct hands *hands,
                         struct verdict_repair ret[VERDICT_REPAIRS_MAX]) {
    referee__board_set(&referee->board, hands);
    return referee__repairs(referee, &referee->board, ret, VERDICT_REPAIRS_MAX, NULL);
}

// ---- following: the state went ahead, hands come after

// Where a piece lies wrong now that did not lie there before: on a place that is not free.
static bool is_new_fault(const struct referee *referee, const struct hands_item *seen,
                         const struct referee__board *before) {
    struct referee__demand demand = referee__demand_of(&referee->now, seen->place);
    if (demand.free || before->where[seen->slot] == seen->place)
        return false;
    for (unsigned i = 0; i < demand.n; i++)
        if (demand.item[i].n ? demand.item[i].what == referee->now.setup->slot_kind[seen->slot]
                             : demand.item[i].what == seen->slot)
            return false;
    return true;
}

// A piece that lay right before and is now on no place and in no hand that moves.
static bool is_lost_fault(const struct referee *referee, const struct hands_item *was,
                          const struct referee__board *now) {
    struct referee__demand demand = referee__demand_of(&referee->now, was->place);
    if (demand.free || now->where[was->slot] != GAME_NONE || referee__bit(now->air, was->slot))
        return false;
    for (unsigned i = 0; i < demand.n; i++)
        if (demand.item[i].n == 0 && demand.item[i].what == was->slot)
            return true;
    return false;
}

void referee_follow(struct referee *referee, const struct hands *before, const struct hands *hands,
                    struct verdict *ret) {
    struct referee__board was;
    memset(ret, 0, sizeof *ret);
    ret->looked = GAME_NONE;
    referee__board_set(&was, before);
    referee__board_set(&referee->board, hands);
    referee__differ(&referee->now, &referee->board, &referee->differ);
    if (referee->differ.n == 0)
        return;
    ret->type = VERDICT_PARTIAL;
    for (unsigned s = 0; s < hands->n_items; s++)
        if (hands->sense[hands->item[s].place] == HANDS_KNOWN &&
            is_new_fault(referee, &hands->item[s], &was) && ret->n_places < VERDICT_REPAIRS_MAX)
            ret->places[ret->n_places++] = hands->item[s].place;
    for (unsigned s = 0; s < before->n_items; s++)
        if (hands->sense[before->item[s].place] == HANDS_KNOWN &&
            is_lost_fault(referee, &before->item[s], &referee->board) && ret->n_places < VERDICT_REPAIRS_MAX)
            ret->places[ret->n_places++] = before->item[s].place;
    if (ret->n_places > 0) {
        ret->type = VERDICT_WRONG;
        memcpy(ret->rule, "misplaced", sizeof "misplaced");
    }
    ret->n_repairs =
        (uint8_t)referee__repairs(referee, &referee->board, ret->repairs, VERDICT_REPAIRS_MAX, NULL);
}
