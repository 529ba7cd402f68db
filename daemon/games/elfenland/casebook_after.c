// Worked cases: what the engine holds, in the words of the case.
#include "games/elfenland/casebook__.h"
#include <string.h>

static json_t *types_at(const uint8_t *where, unsigned n, bool cards, unsigned at) {
    json_t *ret = json_array();
    for (unsigned i = 0; i < n; i++)
        if (where[i] == at)
            json_array_append_new(
                ret,
                json_string(
                    elfenland__type_names[cards ? elfenland__card_type(i) : elfenland__counter_type(i)]));
    return ret;
}
static json_t *towns_in(uint32_t set) {
    json_t *ret = json_array();
    for (unsigned town = 0; town < TOWNS; town++)
        if (set >> town & 1)
            json_array_append_new(ret, json_string(elfenland__towns[town].id));
    return ret;
}
static json_t *town_or_null(unsigned town) {
    return town < TOWNS ? json_string(elfenland__towns[town].id) : json_null();
}

// Of one player.
static json_t *got_of_player(const struct elfenland_case *r, const char *key, unsigned seat) {
    const struct elfenland *g = &r->state;
    if (!strcmp(key, "hands"))
        return types_at(g->card, CARDS, true, CARD_HAND + seat);
    if (!strcmp(key, "counters_up"))
        return types_at(g->counter, COUNTERS, false, COUNTER_UP + seat);
    if (!strcmp(key, "counters_secret"))
        return types_at(g->counter, COUNTERS, false, COUNTER_SECRET + seat);
    if (!strcmp(key, "boots"))
        return town_or_null(g->boot[seat]);
    if (!strcmp(key, "home"))
        return town_or_null(g->home[seat]);
    if (!strcmp(key, "collected"))
        return towns_in(g->collected[seat]);
    if (!strcmp(key, "obstacle_left"))
        return json_boolean(g->obstacle[seat]);
    if (!strcmp(key, "hand_sizes"))
        return json_integer(g->hand[seat]);
    return !strcmp(key, "drawn") ? json_integer(g->hand[seat] - r->before.hand[seat]) : NULL;
}

static json_t *got_roads(struct elfenland_case *r, const json_t *expected) {
    json_t *ret = json_object(), *value;
    const char *id;
    json_object_foreach((json_t *)(uintptr_t)expected, id, value) {
        unsigned road = elfenland_case__road_of(r, id), counter = r->state.on_road[road];
        json_object_set_new(ret, id,
                            counter == NONE
                                ? json_null()
                                : json_pack("{s:s, s:b}", "counter",
                                            elfenland__type_names[elfenland__counter_type(counter)],
                                            "obstacle", r->state.obstacle_on[road] != NONE));
    }
    return ret;
}
static json_t *got_market(const struct elfenland_case *r) {
    json_t *ret = json_array();
    for (unsigned i = 0; i < MARKET; i++) {
        json_t *one = types_at(r->state.counter, COUNTERS, false, COUNTER_MARKET + i);
        json_array_extend(ret, one);
        json_decref(one);
    }
    return ret;
}
static json_t *got_pile(const struct elfenland_case *r) {
    json_t *ret = json_array();
    for (unsigned i = r->drawn; i < r->n_pile; i++)
        json_array_append_new(ret, json_string(elfenland__type_names[r->pile[i]]));
    return ret;
}
static json_t *got_last_move(const struct elfenland_case *r) {
    const struct elfenland *g = &r->state;
    return g->last_link == NONE
               ? json_null()
               : json_pack("{s:s, s:s, s:o}", "via", elfenland__links[g->last_link].id, "mode",
                           elfenland__mode_names[g->last_mode], "town_piece", town_or_null(g->last_piece));
}
// Counters the player held before and holds no more.
static json_t *got_returned(const struct elfenland_case *r) {
    json_t *ret = json_array();
    unsigned seat = r->before.turn;
    for (unsigned c = 0; c < COUNTERS; c++) {
        bool held = r->before.counter[c] == COUNTER_UP + seat ||
                    r->before.counter[c] == COUNTER_SECRET + seat;
        if (held && r->state.counter[c] != r->before.counter[c])
            json_array_append_new(ret, json_string(elfenland__type_names[elfenland__counter_type(c)]));
    }
    return ret;
}
static json_t *got_auto_passed(const struct elfenland_case *r) {
    json_t *ret = json_array();
    for (unsigned i = 0; i < r->n_auto_passed; i++)
        json_array_append_new(ret, json_string(r->player[r->auto_passed[i]]));
    return ret;
}
static json_t *got_ranking(struct elfenland_case *r) {
    json_t *ret = json_array();
    struct observe_result result;
    elfenland_game.result(&r->state, &result);
    for (unsigned place = 1; place <= r->n_players && result.over; place++) {
        json_t *players = json_array();
        unsigned last = 0;
        for (unsigned seat = 0; seat < r->n_players; seat++) {
            if (elfenland__rank(&r->state, seat) != place)
                continue;
            json_array_append_new(players, json_string(r->player[seat]));
            last = seat;
            if ((result.winners >> seat & 1) != (place == 1))
                casebook_fail(r->report, "first place wins", "winners %x", result.winners);
        }
        if (json_array_size(players))
            json_array_append_new(ret, json_pack("{s:i, s:O, s:i, s:i}", "place", (int)place, "players",
                                                 players, "score", (int)result.score[last], "cards",
                                                 (int)elfenland__cards_left(&r->state, last)));
        json_decref(players);
    }
    return result.over ? ret : (json_decref(ret), json_null());
}

static json_t *got_of_table(struct elfenland_case *r, const char *key, const json_t *expected) {
    const struct elfenland *g = &r->state;
    bool over = g->phase == PHASE_GAME_OVER;
    if (!strcmp(key, "ok"))
        return json_boolean(r->is_ok);
    if (!strcmp(key, "error"))
        return json_string(r->error);
    if (!strcmp(key, "phase"))
        return json_string(elfenland__phases[g->phase].id);
    if (!strcmp(key, "turn"))
        return over ? json_null() : json_string(r->player[g->turn]);
    if (!strcmp(key, "start"))
        return json_string(r->player[g->start]);
    if (!strcmp(key, "round"))
        return json_integer(g->round);
    if (!strcmp(key, "draft_lap"))
        return json_integer(g->lap);
    if (!strcmp(key, "passes_in_row"))
        return json_integer(g->passes);
    if (!strcmp(key, "discard"))
        return types_at(g->card, CARDS, true, CARD_DISCARD);
    if (!strcmp(key, "deck_size"))
        return json_integer(elfenland_case__deck_size(g));
    if (!strcmp(key, "roads"))
        return got_roads(r, expected);
    if (!strcmp(key, "market"))
        return got_market(r);
    if (!strcmp(key, "pile"))
        return got_pile(r);
    if (!strcmp(key, "last_move"))
        return got_last_move(r);
    if (!strcmp(key, "returned"))
        return got_returned(r);
    if (!strcmp(key, "auto_passed"))
        return got_auto_passed(r);
    if (!strcmp(key, "ranking"))
        return got_ranking(r);
    if (strcmp(key, "discard_size"))
        return NULL;
    json_t *discard = types_at(g->card, CARDS, true, CARD_DISCARD);
    json_t *ret = json_integer((json_int_t)json_array_size(discard));
    json_decref(discard);
    return ret;
}

static json_t *got(struct elfenland_case *r, const char *key, const json_t *expected) {
    json_t *ret = got_of_table(r, key, expected);
    if (ret || !json_is_object(expected))
        return ret;
    ret = json_object();
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)expected, name, value) {
        json_t *one = got_of_player(r, key, elfenland_case__player_of(r, name));
        if (!one) {
            json_decref(ret);
            return NULL;
        }
        json_object_set_new(ret, name, one);
    }
    return ret;
}

// Lists of cards, counters and towns are unordered.
static void sort_words(json_t *list) {
    for (size_t i = 1; i < json_array_size(list); i++)
        for (size_t k = i; k > 0; k--) {
            json_t *a = json_array_get(list, k - 1), *b = json_array_get(list, k);
            if (!json_is_string(a) || !json_is_string(b) ||
                strcmp(json_string_value(a), json_string_value(b)) <= 0)
                break;
            json_incref(a);
            json_array_set(list, k - 1, b);
            json_array_set_new(list, k, a);
        }
}
static json_t *in_order(const char *key, const json_t *value) {
    json_t *ret = json_deep_copy(value), *one;
    const char *name;
    if (!strcmp(key, "market") || !strcmp(key, "pile") || !strcmp(key, "auto_passed"))
        return ret;
    sort_words(ret);
    if (json_is_object(ret))
        json_object_foreach(ret, name, one) sort_words(one);
    return ret;
}

static void say_difference(struct elfenland_case *r, const char *key, const json_t *expected,
                           const json_t *have) {
    char text[CASEBOOK_TEXT_MAX / 2], line[CASEBOOK_TEXT_MAX];
    size_t n = json_dumpb(expected, text, sizeof text - 1, JSON_ENCODE_ANY | JSON_SORT_KEYS);
    snprintf(line, sizeof line, "%s: %.*s", key, (int)(n < sizeof text ? n : 0), text);
    n = json_dumpb(have, text, sizeof text - 1, JSON_ENCODE_ANY | JSON_SORT_KEYS);
    casebook_fail(r->report, line, "%s: %.*s", key, (int)(n < sizeof text ? n : 0), text);
}

void elfenland_case__compare(struct elfenland_case *r, const json_t *after) {
    const char *key;
    json_t *value;
    if (!json_is_boolean(json_object_get(after, "ok")))
        casebook_fail(r->report, "ok in after", "none");
    json_object_foreach((json_t *)(uintptr_t)after, key, value) {
        json_t *have = got(r, key, value);
        if (!have) {
            casebook_fail(r->report, "a known key in after", "%s", key);
            return;
        }
        json_t *a = in_order(key, value), *b = in_order(key, have);
        if (!json_equal(a, b))
            say_difference(r, key, a, b);
        json_decref(a);
        json_decref(b);
        json_decref(have);
    }
    if (!r->is_ok && memcmp(&r->before, &r->state, sizeof r->state))
        casebook_fail(r->report, "a refused action leaves the state as it was", "it has changed");
}
