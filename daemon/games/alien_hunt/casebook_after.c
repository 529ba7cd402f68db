// The position after, compared key by key: what a case does not name must be as before.
#include "games/alien_hunt/casebook__.h"
#include <stdlib.h>
#include <string.h>

extern const struct game alien_hunt_game;

static json_t *character(unsigned kind) {
    return json_string(alien_hunt__kinds[kind].id);
}
static json_t *identity(unsigned kind) {
    return json_string(alien_hunt__kinds[KIND_IDENTITY + kind].id);
}
static json_t *number(unsigned seat) {
    return json_integer(seat + 1);
}
static void seat_key(unsigned seat, char ret[4]) {
    ret[0] = (char)('1' + seat % SEATS_MOST);
    ret[1] = '\0';
}
static json_t *seats(unsigned bits) {
    json_t *ret = json_array();
    for (unsigned seat = 0; seat < SEATS_MOST; seat++)
        if (bits >> seat & 1)
            json_array_append_new(ret, number(seat));
    return ret;
}

// ---- the position as the format writes it

static json_t *tokens(const struct alien_hunt *g) {
    json_t *ret = json_object();
    for (unsigned token = 0; token < g->seats * TOKENS_EACH; token++) {
        char key[16];
        snprintf(key, sizeof key, "%u%c", token / TOKENS_EACH + 1, 'a' + token % TOKENS_EACH);
        json_object_set_new(ret, key,
                            g->at[token] == AT_RESERVE   ? json_string("reserve")
                            : g->at[token] == AT_REMOVED ? json_string("removed")
                                                         : number(g->at[token]));
    }
    return ret;
}

static json_t *all_seats(const struct alien_hunt *g) {
    json_t *ret = json_object();
    for (unsigned seat = 0; seat < g->seats; seat++) {
        char key[4];
        json_t *one = json_object();
        seat_key(seat, key);
        if (g->character[seat] != NONE)
            json_object_set_new(one, "char", character(g->character[seat]));
        if (g->card[seat] != NONE)
            json_object_set_new(one, "ident", identity(alien_hunt__of(g, seat)));
        json_object_set_new(ret, key, one);
    }
    return ret;
}

static json_t *bans(const struct alien_hunt *g) {
    json_t *ret = json_array();
    for (unsigned general = 0; general < g->seats; general++)
        for (unsigned seat = 0; seat < g->seats; seat++)
            if (g->ban[general] >> seat & 1)
                json_array_append_new(
                    ret, json_pack("{s:o,s:o}", "general", number(general), "banned", number(seat)));
    return ret;
}

// The order in which they were called: by identity, equal ones clockwise from the President.
static json_t *revealed(const struct alien_hunt *g) {
    json_t *ret = json_array();
    for (unsigned kind = 0; kind < IDENTITY_KINDS; kind++)
        for (unsigned i = 0; i < g->seats; i++) {
            unsigned seat = alien_hunt__clockwise(g, g->president, i);
            if (g->revealed >> seat & 1 && alien_hunt__of(g, seat) == kind)
                json_array_append_new(ret, number(seat));
        }
    return ret;
}

static json_t *pending(const struct alien_hunt *g) {
    json_t *ret = json_array();
    for (uint32_t left = g->pending; left; left &= left - 1) {
        unsigned token = (unsigned)__builtin_ctz(left);
        json_array_append_new(ret, json_sprintf("%u%c", token / TOKENS_EACH + 1, 'a' + token % TOKENS_EACH));
    }
    return ret;
}

static json_t *delta(const struct alien_hunt *g) {
    json_t *ret = json_object();
    for (unsigned seat = 0; seat < g->seats; seat++) {
        char key[4];
        seat_key(seat, key);
        if (g->touched >> seat & 1)
            json_object_set_new(ret, key, json_integer(g->delta[seat]));
    }
    return ret;
}

static json_t *cards(const struct alien_hunt *g, bool discarded) {
    json_t *ret = json_array();
    for (unsigned i = 0; i < CENTRE_CARDS && !discarded; i++)
        if (g->centre[i] != NONE)
            json_array_append_new(ret, identity(g->identity[g->centre[i]]));
    for (unsigned card = 0; card < g->n_identities && discarded; card++)
        if (g->discarded >> card & 1)
            json_array_append_new(ret, identity(g->identity[card]));
    return ret;
}

static json_t *pool(const struct alien_hunt *g) {
    json_t *ret = json_array();
    for (unsigned kind = 0; kind < CHARACTER_KINDS; kind++)
        if (g->pool >> kind & 1)
            json_array_append_new(ret, character(kind));
    return ret;
}

json_t *alien_hunt__case_snapshot(const struct alien_hunt *g) {
    json_t *forced = g->forced == NONE
                         ? json_null()
                         : json_pack("{s:o,s:o}", "player", number(g->forced), "to", number(g->forced_to));
    json_t *ret = json_object();
    json_object_set_new(ret, "phase", json_string(alien_hunt__phases[g->phase].id));
    json_object_set_new(ret, "turn", g->turn == NONE ? json_null() : number(g->turn));
    json_object_set_new(ret, "president", number(g->president));
    json_object_set_new(ret, "lap", json_integer(g->lap));
    json_object_set_new(ret, "used", seats(g->used));
    json_object_set_new(ret, "shielded", seats(g->shielded));
    json_object_set_new(ret, "bans", bans(g));
    json_object_set_new(ret, "forced", forced);
    json_object_set_new(ret, "tokens", tokens(g));
    json_object_set_new(ret, "seats", all_seats(g));
    json_object_set_new(ret, "undealt", cards(g, false));
    json_object_set_new(ret, "discarded", cards(g, true));
    json_object_set_new(ret, "pool", pool(g));
    json_object_set_new(ret, "revealed", revealed(g));
    json_object_set_new(ret, "pending", pending(g));
    json_object_set_new(ret, "delta", delta(g));
    return ret;
}

// ---- what is expected

// Objects of objects are laid over each other; the pool has no order.
static void lay_over(json_t *onto, json_t *change) {
    const char *key;
    json_t *value;
    json_object_foreach(change, key, value) {
        json_t *under = json_object_get(onto, key);
        bool whole = !strcmp(key, "delta") || !strcmp(key, "forced") || !json_is_object(value);
        if (whole || !json_is_object(under))
            json_object_set(onto, key, value);
        else
            lay_over(under, value);
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
static void sort_names(json_t *object, const char *key) {
    const char *names[64];
    json_t *list = json_object_get(object, key), *value, *sorted = json_array();
    size_t n = 0, i;
    json_array_foreach(list, i, value) if (n < 64 && json_is_string(value))
        names[n++] = json_string_value(value);
    qsort(names, n, sizeof *names, by_name);
    for (i = 0; i < n; i++)
        json_array_append_new(sorted, json_string(names[i]));
    json_object_set_new(object, key, sorted);
}

static bool differ(struct case_run *r, const char *key, json_t *expected, json_t *got) {
    if (expected && got ? json_equal(expected, got) : expected == got)
        return true;
    char *a = json_dumps(expected, JSON_SORT_KEYS | JSON_ENCODE_ANY),
         *b = json_dumps(got, JSON_SORT_KEYS | JSON_ENCODE_ANY);
    char both[512];
    snprintf(both, sizeof both, "%s: %s", key, a ? a : "nothing");
    casebook_fail(r->report, both, "%s: %s", key, b ? b : "nothing");
    free(a);
    free(b);
    return false;
}

static bool compare_position(struct case_run *r) {
    json_t *expected = json_deep_copy(r->base), *got = alien_hunt__case_snapshot(&r->state.g), *value;
    const char *key;
    char seat[4];
    lay_over(expected, r->after);
    // Without a word about the turn it is left open; a new deal takes the identities back.
    if (r->ok && !json_object_get(r->after, "turn") && !json_object_get(r->before, "turn"))
        json_object_set(expected, "turn", json_object_get(got, "turn"));
    for (unsigned s = 0; s < r->setup.seats && r->state.g.phase == PHASE_DEAL; s++) {
        seat_key(s, seat);
        json_object_del(json_object_get(json_object_get(expected, "seats"), seat), "ident");
    }
    if (r->state.g.phase == PHASE_DEAL)
        json_object_set_new(expected, "undealt", json_array());
    sort_names(expected, "pool");
    sort_names(got, "pool");
    sort_names(expected, "discarded");
    sort_names(got, "discarded");
    bool same = true;
    json_object_foreach(got, key, value) same = same && differ(r, key, json_object_get(expected, key), value);
    json_decref(expected);
    json_decref(got);
    return same;
}

// ---- what observe says

static json_t *counters(const struct observation *seen, const char *name, unsigned end) {
    json_t *ret = json_object();
    for (unsigned i = 0; i < seen->n_counters; i++) {
        char key[4];
        if (strcmp(seen->counter[i].name, name) != 0 || seen->counter[i].seat < 0 ||
            seen->counter[i].seat >= (int)end)
            continue;
        seat_key((unsigned)seen->counter[i].seat, key);
        json_object_set_new(ret, key, json_integer(seen->counter[i].value));
    }
    return ret;
}

static bool compare_points(struct case_run *r, const struct observation *seen) {
    static const struct {
        const char *key, *counter;
    } rows[] = {{"round_points", "round_points"}, {"points", "points"}};
    bool same = true;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *expected = json_object_get(r->after, rows[i].key);
        json_t *got = counters(seen, rows[i].counter, r->setup.seats);
        if (expected)
            same = same && differ(r, rows[i].key, expected, got);
        json_decref(got);
    }
    bool scored = r->state.g.phase >= PHASE_SCORED &&
                  strcmp(json_string_value(json_object_get(r->base, "phase")), "scored");
    if (scored && !json_object_get(r->after, "round_points"))
        return casebook_fail(r->report, "the points of a round that ends", "none");
    return same;
}

// What a seat has learnt, from its own view alone.
static json_t *learnt(const struct case_run *r, unsigned me, struct observation *seen) {
    json_t *identities = json_object(), *shown = json_array(), *centre = json_object(), *ret = json_object();
    char key[4];
    memset(seen, 0, sizeof *seen);
    seen->audience = (int)me;
    alien_hunt_game.observe(&r->state, seen);
    for (unsigned i = 0; i < seen->n_facts; i++) {
        const struct observe_fact *fact = &seen->fact[i];
        if (!strcmp(fact->key, "saw") && fact->seat >= 0) {
            seat_key((unsigned)fact->seat, key);
            json_object_set_new(identities, key, json_string(fact->kind));
        } else if (!strcmp(fact->key, "saw")) {
            snprintf(key, sizeof key, "%c", fact->place[strlen(fact->place) - 1]);
            json_object_set_new(centre, key, json_string(fact->kind));
        } else if (!strcmp(fact->key, "shown_to")) {
            json_array_append_new(shown, json_integer(fact->seat + 1));
        } else if (!strncmp(fact->key, "answer_", 7)) {
            json_object_set_new(ret, "answer", json_boolean(fact->value));
        }
    }
    for (unsigned i = 0; i < seen->n_items; i++) {
        const struct observe_item *item = &seen->item[i];
        bool own = item->place == alien_hunt__place(me, PLACE_IDENTITY) && item->kind;
        seat_key(me, key);
        if (own && strcmp(item->kind, alien_hunt__kinds[KIND_IDENTITY + r->own_before[me]].id) != 0)
            json_object_set_new(identities, key, json_string(item->kind));
    }
    if (json_object_size(identities))
        json_object_set(ret, "identities", identities);
    if (json_object_size(centre))
        json_object_set(ret, "centre", centre);
    if (json_array_size(shown))
        json_object_set(ret, "shown_to", shown);
    json_decref(identities);
    json_decref(centre);
    json_decref(shown);
    return ret;
}

static bool is_shown(json_t *private, unsigned me) {
    json_t *value;
    size_t i;
    json_array_foreach(json_object_get(private, "shown_to"), i,
                       value) if (json_integer_value(value) == (json_int_t)me + 1) return true;
    return false;
}

// Only the seat that a case names has learnt anything, and exactly that; and those who were shown a card.
static bool compare_private(struct case_run *r, struct observation *seen) {
    json_t *private = json_object_get(r->after, "private");
    bool same = true;
    for (unsigned me = 0; me < r->setup.seats && r->state.g.phase < PHASE_REVEAL; me++) {
        bool named = json_integer_value(json_object_get(private, "to")) == (json_int_t)me + 1;
        json_t *expected = named ? json_deep_copy(private) : json_object(), *got = learnt(r, me, seen);
        json_object_del(expected, "to");
        if (is_shown(private, me)) {
            char key[4];
            unsigned by = (unsigned)json_integer_value(json_object_get(private, "to")) - 1;
            seat_key(by, key);
            json_t *card = json_object();
            json_object_set_new(card, key, identity(alien_hunt__of(&r->state.g, by % r->setup.seats)));
            json_object_set_new(expected, "identities", card);
        }
        same = same && differ(r, "private", expected, got);
        json_decref(expected);
        json_decref(got);
    }
    return same;
}

bool alien_hunt__case_compare(struct case_run *r) {
    bool ok = json_is_true(json_object_get(r->after, "ok"));
    const char *error = json_string_value(json_object_get(r->after, "error"));
    if (ok != r->ok)
        return casebook_fail(r->report, ok ? "ok" : error, "%s", r->ok ? "ok" : r->err.rule);
    if (!ok && strcmp(error, r->err.rule) != 0)
        return casebook_fail(r->report, error, "%s", r->err.rule);
    struct observation *seen = calloc(1, sizeof *seen);
    bool same = seen && compare_position(r);
    if (same) {
        seen->audience = OBSERVE_PUBLIC;
        alien_hunt_game.observe(&r->state, seen);
        same = compare_points(r, seen) && compare_private(r, seen);
    }
    free(seen);
    return same;
}
