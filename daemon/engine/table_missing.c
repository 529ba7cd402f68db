// Holes: what is gone from where the state asks for it. Each is told once, for its place alone and with its
// way back, whoever finds it, and stays told until it is filled (U3, EP1).
#include "engine/table__.h"
#include <string.h>

bool table__is_hole(const char *rule) {
    return !strcmp(rule, "missing") || !strcmp(rule, "doubtful");
}

// What was laid down beside it and taken up again is missed by nobody.
bool table__lacks(const struct table *t, game_place place, const struct game_layout *layout) {
    const struct hands *hands = &t->game->track.now;
    unsigned asked = 0, there = 0;
    if (layout->free[place / 64] >> place % 64 & 1)
        return false;
    for (unsigned i = 0; i < layout->n_items; i++)
        if (layout->item[i].place == place)
            asked += layout->item[i].n ? layout->item[i].n : 1;
    for (unsigned i = 0; i < hands->n_items; i++)
        there += hands->item[i].place == place;
    return there < asked;
}

// ---- missing or doubtful

static bool on_one_pad(const struct table__game *g, game_place a, game_place b) {
    for (unsigned pad = 0; pad < BOARD_PADS_MAX; pad++) {
        bool has_a = false, has_b = false;
        for (unsigned i = 0; i < g->pad_places[pad]; i++) {
            has_a |= g->pad_place[pad][i] == a;
            has_b |= g->pad_place[pad][i] == b;
        }
        if (has_a && has_b)
            return true;
    }
    return false;
}

// Several pieces of one pad fell silent at once and none has been seen since: more may lie there than can be
// read (EP1), or somebody has them all in the hand.
static bool left_together(const struct table__game *g, game_slot index) {
    const struct hands_slot *one = &g->track.slot[index];
    for (unsigned i = 0; i < g->setup.n_slots; i++) {
        const struct hands_slot *other = &g->track.slot[i];
        if (i != index && other->flies && other->left_us == one->left_us && other->from != GAME_NONE &&
            on_one_pad(g, one->from, other->from))
            return true;
    }
    return false;
}

static bool is_at(const struct table *t, const struct observe_violation *one, game_place place) {
    return one->n_places == 1 && one->places[0] == t->game->places.row[place].name;
}

static const struct observe_violation *find_live(const struct table *t, const char *rule, game_place place) {
    for (unsigned i = 0; i < t->n_live; i++)
        if (!strcmp(t->live[i].rule, rule) && is_at(t, &t->live[i], place))
            return &t->live[i];
    return NULL;
}

// When this piece is missed. What was asked for one by one is on its way while others of it arrive.
static int64_t due_us(const struct table *t, game_slot index, bool doubted) {
    const struct hands_slot *slot = &t->game->track.slot[index];
    int64_t since = slot->left_us;
    if (left_together(t->game, index))
        return since + TABLE__SPREAD_MS * INT64_C(1000);
    for (unsigned i = 0; doubted && i < t->game->setup.n_slots; i++) {
        const struct hands_slot *other = &t->game->track.slot[i];
        if (other->at == slot->from && other->landed_us > since)
            since = other->landed_us;
    }
    return since + t->options.timing.missing_ms * INT64_C(1000);
}

static bool is_away_from(const struct hands_slot *slot, game_place place) {
    return slot->flies && slot->from != GAME_NONE && slot->from == place;
}

static const char *name_hole(const struct table *t, game_place place) {
    bool doubted = find_live(t, "doubtful", place) != NULL;
    for (game_slot i = 0; table__open(t) && i < t->game->setup.n_slots; i++)
        if (is_away_from(&t->game->track.slot[i], place) &&
            (left_together(t->game, i) || (doubted && due_us(t, i, true) > table__now(t))))
            return "doubtful";
    return "missing";
}

// ---- what is told

static bool names(const struct observe_violation *one, const char *place) {
    for (unsigned i = 0; i < one->n_places; i++)
        if (one->places[i] == place)
            return true;
    return false;
}

// Told with its way back by something that is more than a hole.
static bool is_told(const struct table *t, const struct table__want *want, game_place place) {
    const char *name = t->game->places.row[place].name;
    for (unsigned i = 0; i < want->n; i++) {
        const struct observe_violation *one = &want->violation[i];
        for (unsigned k = 0; !table__is_hole(one->rule) && k < one->n_repairs; k++)
            if (one->repairs[k].put == name && names(one, name))
                return true;
    }
    return false;
}

// It may be wanted already, as it was told before.
static void drop_hole(const struct table *t, struct table__want *want, game_place place) {
    unsigned kept = 0;
    for (unsigned i = 0; i < want->n; i++)
        if (!table__is_hole(want->violation[i].rule) || !is_at(t, &want->violation[i], place))
            want->violation[kept++] = want->violation[i];
    want->n = kept;
}

// As long as something is gone there it stays the same hole, whatever is left to be put back.
static void want_hole(struct table *t, struct table__want *want, game_place place,
                      const struct verdict_repair *repairs, unsigned n) {
    struct verdict_repair moves[VERDICT_REPAIRS_MAX];
    unsigned n_moves = 0;
    for (unsigned i = 0; i < n; i++)
        if (repairs[i].put == place)
            moves[n_moves++] = repairs[i];
    const char *rule = name_hole(t, place);
    const struct observe_violation *live = find_live(t, rule, place);
    drop_hole(t, want, place);
    unsigned before = want->n;
    table__want(t, want, rule, NULL, &place, 1, moves, n_moves);
    if (live && want->n > before) {
        want->violation[before].id = live->id;
        want->violation[before].since_us = live->since_us;
    }
}

void table__want_holes(struct table *t, const struct verdict *holes, struct table__want *want) {
    for (unsigned i = 0; i < holes->n_places; i++)
        want_hole(t, want, holes->places[i], holes->repairs, holes->n_repairs);
}

// ---- holes of a verdict

static bool is_listed(const struct verdict *v, game_place place) {
    for (unsigned i = 0; i < v->n_places; i++)
        if (v->places[i] == place)
            return true;
    return false;
}

// Nothing of the game lies there too much, and nothing that lies wrong elsewhere belongs there.
static bool is_hole(const struct verdict *v, game_place place) {
    bool fills = !strcmp(v->rule, "missing"); // of more than are listed, some have no repair
    for (unsigned i = 0; i < v->n_repairs; i++) {
        const struct verdict_repair *repair = &v->repairs[i];
        if (repair->take == place && repair->slot != GAME_NONE)
            return false;
        if (repair->put == place && repair->take != GAME_NONE && is_listed(v, repair->take))
            return false;
        fills |= repair->put == place;
    }
    return fills;
}

static bool is_filled(const struct verdict *v, game_place place) {
    bool fills = v->n_repairs == VERDICT_REPAIRS_MAX; // there may be more than are listed
    for (unsigned i = 0; i < v->n_repairs; i++)
        fills |= v->repairs[i].put == place;
    return fills;
}

static bool has_foreign(const struct table *t, game_place place) {
    const struct hands *hands = &t->game->track.now;
    for (unsigned i = 0; i < hands->n_foreign; i++)
        if (hands->foreign[i] == place)
            return true;
    return false;
}

void table__take_holes(const struct table *t, struct verdict *v, struct verdict *ret) {
    const struct verdict all = *v;
    *ret = (struct verdict){0};
    if (strcmp(v->rule, "missing") != 0 && strcmp(v->rule, "misplaced") != 0 &&
        strcmp(v->rule, "unknown_piece") != 0)
        return; // a rule is told with all that belongs to it
    v->n_places = v->n_repairs = 0;
    for (unsigned i = 0; i < all.n_places; i++) {
        bool hole = is_hole(&all, all.places[i]);
        if (hole)
            ret->places[ret->n_places++] = all.places[i];
        if (!hole || has_foreign(t, all.places[i]))
            v->places[v->n_places++] = all.places[i];
    }
    for (unsigned i = 0; i < all.n_repairs; i++) {
        struct verdict *of = is_listed(ret, all.repairs[i].put) ? ret : v;
        of->repairs[of->n_repairs++] = all.repairs[i];
    }
}

// While a movement goes on, what was told as a hole stays until something belongs there no more, also when
// another piece is tried there.
void table__keep_holes(struct table *t, const struct verdict *v, struct table__want *want) {
    struct verdict now = *v;
    now.n_repairs = (uint8_t)referee_repairs(t->referee, &t->game->track.now, now.repairs);
    for (unsigned i = 0; i < t->n_live; i++) {
        const struct observe_violation *one = &t->live[i];
        if (!table__is_hole(one->rule) || !one->n_repairs)
            continue;
        game_place place = game_place_find(&t->game->places, one->places[0]);
        if (place != GAME_NONE && is_listed(v, place) && is_filled(&now, place) && !is_told(t, want, place))
            want_hole(t, want, place, now.repairs, now.n_repairs);
    }
}

// ---- away too long

// A piece is missed where it is asked for; one that only came by is not, whatever else is missing there.
static bool is_asked_there(const struct table__game *g, const struct game_layout *layout, game_slot slot,
                           game_place place) {
    for (unsigned i = 0; i < layout->n_items; i++) {
        const struct game_item *item = &layout->item[i];
        if (item->place == place && item->what == (item->n ? g->setup.slot_kind[slot] : slot))
            return true;
    }
    return false;
}

// Where pieces are missed by now, whatever else the board asks for.
static bool list_missed(struct table *t, struct game_layout *layout, uint64_t ret[GAME_PLACES_MAX / 64]) {
    bool known = false, any = false;
    memset(ret, 0, GAME_PLACES_MAX / 8);
    for (game_slot i = 0; i < t->game->setup.n_slots; i++) {
        const struct hands_slot *slot = &t->game->track.slot[i];
        if (!slot->flies || slot->from == GAME_NONE)
            continue;
        bool doubted = find_live(t, "doubtful", slot->from) != NULL;
        int64_t due = due_us(t, i, doubted);
        if (due > table__now(t))
            table__look_at(t, due);
        if (due > table__now(t) && !doubted)
            continue;
        if (!known) {
            game_layout_clear(layout);
            t->game->game->layout(t->game->ahead.state, layout);
        }
        known = true;
        if (!is_asked_there(t->game, layout, i, slot->from))
            continue;
        ret[slot->from / 64] |= UINT64_C(1) << slot->from % 64;
        any = true;
    }
    return any;
}

void table__want_missing(struct table *t, struct table__want *want) {
    static struct game_layout layout; // large; one loop, one user
    uint64_t missed[GAME_PLACES_MAX / 64], moving[GAME_PLACES_MAX / 64];
    struct verdict_repair repairs[VERDICT_REPAIRS_MAX];
    if (!table__open(t) || !list_missed(t, &layout, missed))
        return;
    table__moving(t, moving);
    unsigned n = referee_repairs(t->referee, &t->game->track.now, repairs);
    for (game_place p = 0; p < t->game->places.n; p++) {
        if (!(missed[p / 64] >> p % 64 & 1) || moving[p / 64] >> p % 64 & 1 || is_told(t, want, p) ||
            !table__lacks(t, p, &layout))
            continue;
        bool asked = n == VERDICT_REPAIRS_MAX; // there may be more than are listed
        for (unsigned i = 0; i < n; i++)
            asked |= repairs[i].put == p;
        if (asked) // else its pads cannot tell, or the stack shows enough of itself
            want_hole(t, want, p, repairs, n);
    }
}
