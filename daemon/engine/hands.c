// Hands of one table, kept from the board's events. Every event is a few moves in small sorted lists.
#include "engine/hands.h"
#include <assert.h>
#include <string.h>

void hands_init(struct hands_track *track, unsigned n_places, unsigned n_slots) {
    assert(n_places <= GAME_PLACES_MAX && n_slots <= GAME_SLOTS_MAX);
    memset(track, 0, sizeof *track);
    track->look_us = HANDS_LOOK_US;
    track->air_us = HANDS_AIR_US;
    track->now.n_places = (uint16_t)n_places;
    track->n_slots = (uint16_t)n_slots;
    for (unsigned i = 0; i < GAME_SLOTS_MAX; i++)
        track->slot[i] = (struct hands_slot){.at = GAME_NONE, .own = GAME_NONE, .from = GAME_NONE};
}

void hands_place(struct hands_track *track, game_place place, uint8_t capacity) {
    assert(place < track->now.n_places);
    track->now.capacity[place] = capacity;
}

void hands_sense(struct hands_track *track, game_place place, enum hands_sense sense) {
    assert(place < track->now.n_places);
    track->now.sense[place] = (uint8_t)sense;
}

// ---- lists

static unsigned item_position(const struct hands *hands, game_place place, game_slot slot) {
    unsigned low = 0, high = hands->n_items;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        const struct hands_item *item = &hands->item[mid];
        if (item->place < place || (item->place == place && item->slot < slot))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void add_item(struct hands *hands, game_place place, game_slot slot, enum game_face face) {
    unsigned at = item_position(hands, place, slot);
    memmove(&hands->item[at + 1], &hands->item[at], (hands->n_items - at) * sizeof *hands->item);
    hands->item[at] = (struct hands_item){.place = place, .slot = slot, .face = (uint8_t)face};
    hands->n_items++;
}

static void drop_item(struct hands *hands, game_place place, game_slot slot) {
    unsigned at = item_position(hands, place, slot);
    assert(at < hands->n_items && hands->item[at].slot == slot);
    hands->n_items--;
    memmove(&hands->item[at], &hands->item[at + 1], (hands->n_items - at) * sizeof *hands->item);
}

static void add_visit(struct hands *hands, enum game_visit_type type, game_place place, uint16_t what,
                      int64_t from_us, int64_t to_us) {
    if (hands->n_visits == HANDS_VISITS_MAX)
        memmove(&hands->visit[0], &hands->visit[1], (size_t)--hands->n_visits * sizeof *hands->visit);
    hands->visit[hands->n_visits++] = (struct hands_visit){
        .visit = {.type = (uint8_t)type, .place = place, .what = what}, .from_us = from_us, .to_us = to_us};
}

static void add_look(struct hands *hands, const struct hands_slot *slot, game_slot index, int64_t to_us) {
    add_visit(hands, GAME_LOOK, slot->from, index, slot->left_us, to_us);
    hands->visit[hands->n_visits - 1].told = slot->told;
}

static void drop_air(struct hands *hands, game_slot slot) {
    for (unsigned i = 0; i < hands->n_air; i++) {
        if (hands->air[i].slot != slot)
            continue;
        hands->n_air--;
        memmove(&hands->air[i], &hands->air[i + 1], (hands->n_air - i) * sizeof *hands->air);
        return;
    }
}

// The one that flies longest makes room: it is the nearest to being missing.
static void add_air(struct hands *hands, game_slot slot, game_place from, int64_t since_us) {
    drop_air(hands, slot);
    if (hands->n_air == HANDS_AIR_MAX)
        drop_air(hands, hands->air[0].slot);
    unsigned at = hands->n_air++;
    for (; at > 0 && hands->air[at - 1].since_us > since_us; at--)
        hands->air[at] = hands->air[at - 1];
    hands->air[at] = (struct hands_air){.slot = slot, .from = from, .since_us = since_us};
}

// ---- moves

// Something else has lain on a place for a while: who is away from it was not alone (design 5.3).
static void disturb(struct hands_track *track, game_place place, game_slot by, int64_t from_us) {
    for (unsigned i = 0; i < track->n_slots; i++)
        if (i != by && track->slot[i].flies && track->slot[i].from == place &&
            track->slot[i].left_us <= from_us)
            track->slot[i].disturbed = true;
}

// Nothing came to the place that a slot returns to, or what came was a stray sighting.
static bool is_alone(const struct hands_track *track, game_slot index) {
    const struct hands_slot *self = &track->slot[index];
    for (unsigned i = 0; i < track->n_slots; i++)
        if (i != index && track->slot[i].at == self->from && track->slot[i].landed_us >= self->left_us)
            return false;
    return !self->disturbed;
}

// A short stay on a place that is not its own is part of the flight. Staying on its own place ends it.
static void leave(struct hands_track *track, game_slot index, int64_t since_us) {
    struct hands_slot *slot = &track->slot[index];
    game_place place = slot->at;
    drop_item(&track->now, place, index);
    slot->at = GAME_NONE;
    slot->flies = true;
    bool stray = place != slot->own && slot->from != GAME_NONE && slot->from != place &&
                 since_us - slot->landed_us < track->look_us;
    if (!stray) {
        if (place != slot->own)
            add_visit(&track->now, GAME_REST, place, index, slot->landed_us, since_us);
        disturb(track, place, index, slot->landed_us);
        slot->from = place;
        slot->left_us = since_us;
        slot->disturbed = slot->told = false;
    }
    add_air(&track->now, index, slot->from, slot->left_us);
}

void hands_removed(struct hands_track *track, game_place place, game_slot slot, int64_t at_us,
                   int64_t since_us) {
    if (slot >= track->n_slots || track->slot[slot].at != place || place == GAME_NONE)
        return;
    leave(track, slot, since_us);
    track->now.changed_us = at_us;
}

static void land(struct hands_track *track, game_place place, game_slot index, int64_t since_us) {
    struct hands_slot *slot = &track->slot[index];
    bool back = slot->flies && slot->from == place;
    if (back && since_us - slot->left_us >= track->look_us && is_alone(track, index))
        add_look(&track->now, slot, index, since_us);
    if (place != slot->own || slot->loose)
        add_visit(&track->now, GAME_TOUCH, place, index, since_us, since_us);
    slot->at = place;
    slot->flies = false;
    slot->landed_us = since_us;
    drop_air(&track->now, index);
}

void hands_placed(struct hands_track *track, game_place place, game_slot slot, enum game_face face,
                  int64_t at_us, int64_t since_us) {
    if (slot >= track->n_slots || place >= track->now.n_places)
        return;
    struct hands *hands = &track->now;
    if (track->slot[slot].at == place) { // only its face is new
        hands->item[item_position(hands, place, slot)].face = (uint8_t)face;
    } else {
        if (track->slot[slot].at != GAME_NONE)
            leave(track, slot, since_us);
        land(track, place, slot, since_us);
        add_item(hands, place, slot, face);
    }
    hands->changed_us = at_us;
}

void hands_foreign(struct hands_track *track, game_place place, int change, int64_t at_us) {
    struct hands *hands = &track->now;
    if (place >= hands->n_places)
        return;
    int count = track->foreign[place] + change;
    track->foreign[place] = (uint8_t)(count < 0 ? 0 : count > UINT8_MAX ? UINT8_MAX : count);
    if (change > 0)
        disturb(track, place, GAME_NONE, at_us);
    hands->n_foreign = 0;
    for (game_place p = 0; p < hands->n_places && hands->n_foreign < HANDS_FOREIGN_MAX; p++)
        if (track->foreign[p] > 0)
            hands->foreign[hands->n_foreign++] = p;
    hands->changed_us = at_us;
}

void hands_tapped(struct hands_track *track, game_place place, game_slot slot, int64_t at_us) {
    if (slot >= track->n_slots || (place >= track->now.n_places && place != GAME_NONE))
        return;
    add_visit(&track->now, GAME_TOUCH, place, slot, at_us, at_us);
    track->now.changed_us = at_us;
}

void hands_control(struct hands_track *track, game_place place, unsigned control, int64_t at_us) {
    add_visit(&track->now, GAME_CONTROL, place, (uint16_t)control, at_us, at_us);
    track->now.changed_us = at_us;
}

// ---- forgetting

void hands_accept(struct hands_track *track) {
    track->now.n_visits = 0;
    for (unsigned i = 0; i < track->n_slots; i++) {
        struct hands_slot *slot = &track->slot[i];
        slot->own = slot->at != GAME_NONE ? slot->at : slot->flies ? slot->from : GAME_NONE;
        slot->loose = false;
        // A stay that began before is no stray any more.
        if (slot->at != GAME_NONE)
            slot->from = GAME_NONE;
    }
}

void hands_told(struct hands_track *track, game_place place) {
    for (unsigned i = 0; i < track->n_slots; i++)
        track->slot[i].told |= track->slot[i].flies && track->slot[i].from == place;
}

void hands_forget(struct hands_track *track, const uint64_t taken[HANDS_VISITS_MAX / 64]) {
    struct hands *hands = &track->now;
    unsigned kept = 0;
    for (unsigned i = 0; i < hands->n_visits; i++)
        if (!(taken[i / 64] >> i % 64 & 1))
            hands->visit[kept++] = hands->visit[i];
    hands->n_visits = (uint16_t)kept;
}

int64_t hands_age(struct hands_track *track, int64_t now_us) {
    struct hands *hands = &track->now;
    unsigned gone = 0; // the list ascends by time
    while (gone < hands->n_air && now_us - hands->air[gone].since_us >= track->air_us)
        gone++;
    hands->n_air = (uint16_t)(hands->n_air - gone);
    memmove(&hands->air[0], &hands->air[gone], hands->n_air * sizeof *hands->air);
    return hands->n_air ? hands->air[0].since_us + track->air_us : INT64_MAX;
}

game_place hands_where(const struct hands_track *track, game_slot slot) {
    return slot < track->n_slots ? track->slot[slot].at : (game_place)GAME_NONE;
}

// ---- by field: what lies between the fields of an entry is nobody's

static bool same_items(const struct hands *a, const struct hands *b) {
    bool same = a->n_items == b->n_items;
    for (unsigned i = 0; same && i < a->n_items; i++) {
        const struct hands_item *x = &a->item[i], *y = &b->item[i];
        same = x->place == y->place && x->slot == y->slot && x->face == y->face;
    }
    return same;
}

static bool same_visits(const struct hands *a, const struct hands *b) {
    bool same = a->n_visits == b->n_visits;
    for (unsigned i = 0; same && i < a->n_visits; i++) {
        const struct hands_visit *x = &a->visit[i], *y = &b->visit[i];
        same = x->visit.type == y->visit.type && x->visit.place == y->visit.place &&
               x->visit.what == y->visit.what && x->told == y->told && x->from_us == y->from_us &&
               x->to_us == y->to_us;
    }
    return same;
}

static bool same_air(const struct hands *a, const struct hands *b) {
    bool same = a->n_air == b->n_air;
    for (unsigned i = 0; same && i < a->n_air; i++) {
        const struct hands_air *x = &a->air[i], *y = &b->air[i];
        same = x->slot == y->slot && x->from == y->from && x->since_us == y->since_us;
    }
    return same;
}

bool hands_same(const struct hands *a, const struct hands *b) {
    return a->n_places == b->n_places && !memcmp(a->sense, b->sense, a->n_places) &&
           !memcmp(a->capacity, b->capacity, a->n_places) && same_items(a, b) && same_visits(a, b) &&
           same_air(a, b) && a->n_foreign == b->n_foreign &&
           !memcmp(a->foreign, b->foreign, a->n_foreign * sizeof *a->foreign);
}
