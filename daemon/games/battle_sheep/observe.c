// Everything is public (battle-sheep.md 2).
#include "games/battle_sheep/battle_sheep.h"

static void add_item(struct observation *ret, unsigned place, unsigned kind, unsigned n) {
    ret->item[ret->n_items++] = (struct observe_item){
        .place = (uint16_t)place, .kind = sheep__kinds[kind].id, .n = (uint8_t)n, .face = OBSERVE_FACE_UP};
}

static void add_counter(struct observation *ret, const char *name, int seat, int value) {
    ret->counter[ret->n_counters++] =
        (struct observe_counter){.name = name, .seat = (int8_t)seat, .value = value};
}

// Sheep are told by number also where only markers carry tags.
static void add_board(const struct sheep *s, struct observation *ret) {
    for (unsigned i = 0; i < s->n_cells; i++) {
        unsigned cell = s->order[i];
        add_item(ret, s->place[cell], SHEEP_KIND_TILE, 1);
        for (unsigned seat = 0; seat < s->seats; seat++)
            if (s->own[seat] >> cell & 1)
                add_item(ret, s->place[cell], SHEEP_KIND_SHEEP + seat, s->size[cell]);
    }
}

void sheep__observe(const void *state, struct observation *ret) {
    const struct sheep *s = state;
    add_board(s, ret);
    for (unsigned seat = 0; seat < s->seats; seat++) {
        ret->seat[seat].alive = !(s->out >> seat & 1);
        if (s->phase == SHEEP_BUILD)
            add_counter(ret, "tiles_left", (int)seat, s->tiles_left[seat]);
        if (s->phase < SHEEP_MOVE)
            continue;
        add_counter(ret, "pastures", (int)seat, __builtin_popcountll(s->own[seat]));
        add_counter(ret, "herd", (int)seat, (int)sheep__herd(s, seat));
        add_counter(ret, "splits", (int)seat, (int)sheep__count_splits(s, seat));
    }
    if (s->n_cells > 0) {
        add_counter(ret, "origin_q", -1, s->origin_q);
        add_counter(ret, "origin_r", -1, s->origin_r);
    }
    for (unsigned i = 0; i < s->n_eliminated; i++)
        ret->fact[ret->n_facts++] = (struct observe_fact){
            .key = "eliminated", .seat = (int8_t)s->eliminated[i], .value = (int32_t)i + 1};
    sheep_board(s, ret->position, sizeof ret->position);
    sheep__result(s, &ret->result);
}
