// Which parts of a view changed, told by one hash for each part and audience: only these are sent.
#include "engine/table__.h"
#include <string.h>

struct hash {
    uint64_t h;
};

static void mix(struct hash *hash, uint64_t value) {
    uint64_t h = (hash->h ^ value) * 0x9fb21c651e98df25u;
    hash->h = h ^ (h >> 29);
}

static void mix_bytes(struct hash *hash, const void *data, size_t len) {
    const unsigned char *at = data;
    for (; len >= 8; at += 8, len -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        mix(hash, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, at, len);
    mix(hash, rest ^ (uint64_t)len << 56);
}

static void mix_text(struct hash *hash, const char *text) {
    if (text)
        mix_bytes(hash, text, strlen(text));
    else
        mix(hash, 1);
}

static void mix_repairs(struct hash *hash, const struct observe_repair *repairs, unsigned n) {
    mix(hash, n);
    for (unsigned i = 0; i < n; i++) {
        mix_text(hash, repairs[i].take);
        mix_text(hash, repairs[i].put);
        mix_text(hash, repairs[i].what);
    }
}

static void hash_game(struct hash *h, const struct observation *v) {
    mix(h, v->status);
    mix_text(h, v->game);
    mix_text(h, v->game_id);
    mix(h, v->seats);
    mix(h, v->n_cards);
    for (unsigned i = 0; i < v->n_cards; i++)
        mix_text(h, v->cards[i]);
    for (unsigned i = 0; i < v->n_options; i++)
        mix_text(h, v->options[i].value);
}

static void hash_phase(struct hash *h, const struct observation *v) {
    const struct observe_phase *p = &v->phase;
    mix(h, p->n);
    mix_text(h, p->id);
    mix(h, p->round);
    mix_text(h, p->step);
    mix(h, (uint64_t)p->veil << 32 | (uint64_t)p->step_index << 16 | p->turn);
    mix(h, p->limit_ms);
    mix(h, (uint64_t)p->starts_at_us);
    mix(h, (uint64_t)p->deadline_us);
    mix(h, p->paused);
    mix_text(h, p->pause_reason);
}

static void hash_board(struct hash *h, const struct observation *v) {
    mix(h, v->n_places);
    for (unsigned i = 0; i < v->n_places; i++) {
        mix(h, (uintptr_t)v->place[i].name);
        mix(h, (uint64_t)v->place[i].level << 1 | v->place[i].sensed);
    }
    mix(h, v->n_items);
    for (unsigned i = 0; i < v->n_items; i++) {
        mix_text(h, v->item[i].kind);
        mix(h, (uint64_t)v->item[i].place << 16 | (uint64_t)v->item[i].n << 8 | v->item[i].face);
    }
    mix_text(h, v->position);
}

// Facts of a seat travel with the seats.
static void hash_seats(struct hash *h, const struct observation *v) {
    mix(h, v->seats);
    for (unsigned i = 0; i < v->seats; i++) {
        mix_text(h, v->seat[i].label);
        mix(h, (uint64_t)v->seat[i].bot << 3 | (uint64_t)v->seat[i].present << 2 |
                   (uint64_t)v->seat[i].acted << 1 | v->seat[i].alive);
    }
    mix(h, v->n_counters);
    for (unsigned i = 0; i < v->n_counters; i++) {
        mix_text(h, v->counter[i].name);
        mix(h, (uint64_t)(uint8_t)v->counter[i].seat << 32 | (uint32_t)v->counter[i].value);
    }
}

static void hash_facts(struct hash *h, const struct observation *v) {
    mix(h, v->n_facts);
    for (unsigned i = 0; i < v->n_facts; i++) {
        mix_text(h, v->fact[i].key);
        mix_text(h, v->fact[i].place);
        mix_text(h, v->fact[i].kind);
        mix(h, (uint64_t)(uint8_t)v->fact[i].seat << 32 | (uint32_t)v->fact[i].value);
    }
}

static void hash_violation(struct hash *h, const struct observation *v) {
    mix(h, v->n_violations);
    for (unsigned i = 0; i < v->n_violations; i++) {
        const struct observe_violation *one = &v->violation[i];
        mix(h, (uint64_t)one->id << 8 | one->n_places);
        mix_repairs(h, one->repairs, one->n_repairs);
    }
    mix_repairs(h, v->prompt, v->n_prompts);
    mix(h, v->choice ? (uint64_t)v->choice->id << 8 | v->choice->n : 0);
}

static void hash_result(struct hash *h, const struct observation *v) {
    const struct observe_result *r = &v->result;
    mix(h, r->over);
    mix(h, (uint64_t)r->winners << 16 | r->dead);
    mix(h, v->n_story);
    mix_text(h, r->reason);
    for (unsigned i = 0; i < r->n_teams; i++) {
        mix_text(h, r->teams[i].name);
        mix(h, (uint64_t)r->teams[i].won << 32 | (uint32_t)r->teams[i].score);
    }
    mix_bytes(h, r->score, sizeof r->score);
    for (unsigned i = 0; r->over && i < v->seats; i++) {
        mix_text(h, r->seats[i].role);
        mix_text(h, r->seats[i].team);
    }
    if (v->status == OBSERVE_ENDED)
        hash_facts(h, v);
}

static unsigned changed_parts(struct table__audience *audience, const struct observation *view) {
    static void (*const parts[])(struct hash *, const struct observation *) = {
        hash_game, hash_phase, hash_board, hash_seats, hash_violation, hash_result};
    unsigned changed = 0;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct hash h = {0x51ed270b0a1f39c1u};
        parts[i](&h, view);
        if (1u << i == OBSERVE_PART_SEATS && view->audience >= 0)
            hash_facts(&h, view);
        if (h.h != audience->part[i]) {
            audience->part[i] = h.h;
            changed |= 1u << i;
        }
    }
    return changed;
}

void table__show_again(struct table *t, unsigned parts) {
    for (unsigned a = 0; a < TABLE__AUDIENCES; a++)
        for (unsigned i = 0; i < sizeof t->audience[a].part / sizeof *t->audience[a].part; i++)
            if (parts >> i & 1)
                t->audience[a].part[i] = 0;
}

static bool audience_exists(const struct table *t, int audience) {
    return audience < 0 || (t->shown && audience < t->shown->setup.seats);
}

// Of what lies on pads, as a view shows it.
static uint64_t hash_levels(const struct table *t) {
    struct hash h = {0x51ed270b0a1f39c1u};
    uint8_t level[GAME_PLACES_MAX];
    if (!t->shown) {
        for (unsigned i = 0; i < board_pads(t->board); i++)
            mix(&h, table__pad_level(t, i));
        return h.h;
    }
    table__levels(t, t->shown, level);
    mix_bytes(&h, level, t->shown->places.n);
    return h.h;
}

void table__show(struct table *t) {
    struct observation *view = &t->door->view;
    int seats = t->shown ? t->shown->setup.seats : 0;
    if (t->hears != TABLE__SEATS) // they follow the public at once
        t->shown_levels = hash_levels(t);
    table__view_shared(t, view);
    for (int audience = table__first(t->hears); audience < table__last(t->hears, seats); audience++) {
        struct table__audience *row = &t->audience[audience < 0 ? GAME_SEATS_MAX : audience];
        table__view_own(t, audience, view);
        unsigned parts = changed_parts(row, view);
        if (!parts)
            continue;
        view->version = ++row->version;
        for (size_t i = 0; i < t->door->n_sinks; i++)
            if (t->door->sinks[i].view)
                t->door->sinks[i].view(t->door->sinks[i].ctx, view, parts);
    }
}

void table__show_levels(struct table *t) {
    if (hash_levels(t) != t->shown_levels)
        table__show(t);
}

void table__show_to(struct table *t, const struct observe_sink *sink) {
    struct observation *view = &t->door->view;
    table__view_shared(t, view);
    for (int audience = OBSERVE_PUBLIC; sink->view && audience < GAME_SEATS_MAX; audience++) {
        if (!audience_exists(t, audience))
            break;
        table__view_own(t, audience, view);
        sink->view(sink->ctx, view, OBSERVE_PART_ALL);
    }
    if (sink->readers)
        sink->readers(sink->ctx, t->options.name, &t->readers);
}
