// Worked cases of elfenland.md 13: `before` is laid into a state, the actions go through the engine in the
// form wires use, `after` is compared with what the engine holds then. What the pile hides is chance: the
// case's own.
#include "games/elfenland/casebook__.h"
#include <stdio.h>
#include <string.h>

// ---- words of the case

const char *elfenland_case__text_of(struct elfenland_case *r, const json_t *value) {
    const char *text = json_string_value(value);
    if (!text)
        casebook_fail(r->report, "a word", "something else");
    return text ? text : "";
}
unsigned elfenland_case__number_of(struct elfenland_case *r, const json_t *value, unsigned max) {
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 0 || n > (json_int_t)max)
        casebook_fail(r->report, "a small number", "something else");
    return n >= 0 && n <= (json_int_t)max ? (unsigned)n : 0;
}
bool elfenland_case__truth_of(struct elfenland_case *r, const json_t *value) {
    if (!json_is_boolean(value))
        casebook_fail(r->report, "true or false", "something else");
    return json_is_true(value);
}
unsigned elfenland_case__player_of(struct elfenland_case *r, const char *name) {
    for (unsigned i = 0; i < r->n_players; i++)
        if (!strcmp(r->player[i], name))
            return i;
    casebook_fail(r->report, "a player", "%s", name);
    return 0;
}
unsigned elfenland_case__town_of(struct elfenland_case *r, const char *id) {
    for (unsigned town = 0; town < TOWNS; town++)
        if (!strcmp(elfenland__towns[town].id, id))
            return town;
    casebook_fail(r->report, "a town", "%s", id);
    return 0;
}
unsigned elfenland_case__road_of(struct elfenland_case *r, const char *id) {
    for (unsigned road = 0; road < ROADS; road++)
        if (!strcmp(elfenland__links[road].id, id))
            return road;
    casebook_fail(r->report, "a road", "%s", id);
    return 0;
}
unsigned elfenland_case__type_of(struct elfenland_case *r, const json_t *value, unsigned n) {
    const char *name = elfenland_case__text_of(r, value);
    for (unsigned type = 0; type < n; type++)
        if (!strcmp(elfenland__type_names[type], name))
            return type;
    casebook_fail(r->report, n == TYPES ? "a card" : "a counter", "%s", name);
    return 0;
}
// ---- actions: what the engine refuses is the outcome of the case

static bool act(struct elfenland_case *r, int by, game_action action) {
    struct game_notes notes = {0};
    struct error err = {0};
    if (game_act(&elfenland_game, &r->state, by, action, &notes, &err) != ERROR_OK) {
        r->is_ok = false;
        snprintf(r->error, sizeof r->error, "%s", err.rule[0] ? err.rule : error_name(err.code));
        return false;
    }
    for (unsigned i = 0; i < notes.n; i++)
        if (notes.note[i].line == LINE_auto_pass && r->n_auto_passed < PLAYERS_MAX)
            r->auto_passed[r->n_auto_passed++] = (uint8_t)notes.note[i].arg[0];
    return true;
}

// {"by":"s1","do":verb,"args":args}: the form of design 5.2. Takes args over.
static bool act_words(struct elfenland_case *r, unsigned seat, const char *verb, json_t *args) {
    char by[8];
    int by_back;
    game_action action;
    struct error err = {0};
    json_t *words = json_pack("{s:s, s:s, s:o}", "by", game_by_text((int)seat, by), "do", verb, "args", args);
    enum error_code code = game_action_from_json(&r->words, &r->state, words, &by_back, &action, &err);
    json_decref(words);
    if (code == ERROR_OK)
        return act(r, by_back, action);
    r->is_ok = false;
    snprintf(r->error, sizeof r->error, "%s", error_name(code));
    return false;
}

// What no verb of the engine can be told: refused by `rule`, unless phase or turn are wrong already.
static void refuse(struct elfenland_case *r, unsigned seat, unsigned verb, const char *rule) {
    struct error err = {0};
    elfenland__check(&r->state, (int)seat, elfenland__pack(verb, 0, 0, 0), &err);
    bool first = !strcmp(err.rule, "wrong_phase") || !strcmp(err.rule, "not_your_turn");
    r->is_ok = false;
    snprintf(r->error, sizeof r->error, "%s", first ? err.rule : rule);
}
static bool is_refused_first(struct elfenland_case *r, unsigned seat, unsigned verb) {
    refuse(r, seat, verb, "");
    r->is_ok = !r->error[0];
    return !r->is_ok;
}
static bool is_word(const char *const *words, unsigned n, const char *word) {
    for (unsigned i = 0; i < n; i++)
        if (!strcmp(words[i], word))
            return true;
    return false;
}

// The counter that comes next; a refused action draws none.
static unsigned next_of_pile(struct elfenland_case *r) {
    if (r->drawn >= r->n_pile) {
        casebook_fail(r->report, "a pile to draw from", "none left in the case");
        return 0;
    }
    return elfenland_case__find_counter(r, r->pile[r->drawn]);
}
static unsigned draw_from_pile(struct elfenland_case *r) {
    unsigned counter = next_of_pile(r);
    r->drawn++;
    return counter;
}

static void do_deal(struct elfenland_case *r, unsigned seat, const json_t *action) {
    (void)action;
    if (r->state.phase != PHASE_DEAL)
        refuse(r, seat, VERB_DEAL, "");
    while (r->is_ok && r->state.phase == PHASE_DEAL) {
        game_action one;
        if (elfenland_game.legal(&r->state, GAME_BY_CHANCE, &one, 1) == 0)
            r->is_ok = false;
        else
            act(r, GAME_BY_CHANCE, one);
    }
}
static void do_draw_secret(struct elfenland_case *r, unsigned seat, const json_t *action) {
    (void)action;
    bool is_now = r->state.phase == PHASE_SECRET_DRAW && r->state.turn == seat;
    act(r, GAME_BY_CHANCE, elfenland__pack(VERB_DRAW_SECRET, seat, is_now ? draw_from_pile(r) : 0, 0));
}
static void do_draft(struct elfenland_case *r, unsigned seat, const json_t *action) {
    const json_t *slot = json_object_get(action, "slot");
    char word[24];
    snprintf(word, sizeof word, "%lld", (long long)json_integer_value(slot));
    const char *name = json_is_string(slot) ? json_string_value(slot) : word;
    if (!act_words(r, seat, "draft", json_pack("{s:s}", "slot", name))) {
        if (!strcmp(r->error, "invalid")) // a slot that has no word
            refuse(r, seat, VERB_DRAFT, "no_such_slot");
    } else if (json_is_integer(slot)) {
        unsigned place = (unsigned)json_integer_value(slot) - 1;
        act(r, GAME_BY_CHANCE, elfenland__pack(VERB_REFILL, place, draw_from_pile(r), 0));
    } else {
        act(r, GAME_BY_CHANCE, elfenland__pack(VERB_TURN_UP, draw_from_pile(r), 0, 0));
    }
}
// A connection of another name is no road, and nobody holds a raft counter.
static bool is_link(const char *id) {
    for (unsigned link = 0; link < LINKS; link++)
        if (!strcmp(elfenland__links[link].id, id))
            return true;
    return false;
}
static void do_place_counter(struct elfenland_case *r, unsigned seat, const json_t *action) {
    const char *counter = elfenland_case__text_of(r, json_object_get(action, "counter")),
               *road = elfenland_case__text_of(r, json_object_get(action, "road"));
    if (!is_link(road))
        refuse(r, seat, VERB_PLACE_COUNTER, "not_a_road");
    else if (!is_word(elfenland__type_names, COUNTER_TYPES, counter))
        refuse(r, seat, VERB_PLACE_COUNTER, "not_owned");
    else
        act_words(r, seat, "place_counter",
                  json_pack("{s:s, s:s, s:s}", "counter", counter, "road", road, "source",
                            elfenland_case__text_of(r, json_object_get(action, "source"))));
}
static void do_place_obstacle(struct elfenland_case *r, unsigned seat, const json_t *action) {
    const char *road = elfenland_case__text_of(r, json_object_get(action, "road"));
    if (is_link(road))
        act_words(r, seat, "place_obstacle", json_pack("{s:s}", "road", road));
    else
        refuse(r, seat, VERB_PLACE_OBSTACLE, "not_a_road");
}
static void do_pass(struct elfenland_case *r, unsigned seat, const json_t *action) {
    (void)action;
    act_words(r, seat, "pass", json_object());
}
static void do_end_turn(struct elfenland_case *r, unsigned seat, const json_t *action) {
    (void)action;
    act_words(r, seat, "end_turn", json_object());
}

// The whole payment at once: way, hand and price are looked at in this order. Then each card is offered and
// the step is made; more cards than any step costs are only looked at.
static void do_travel(struct elfenland_case *r, unsigned seat, const json_t *action) {
    const json_t *cards = json_object_get(action, "cards");
    uint8_t offered[TYPES] = {0}, held[TYPES] = {0};
    struct error err = {0};
    unsigned mode, to = elfenland_case__town_of(r, elfenland_case__text_of(r, json_object_get(action, "to")));
    size_t i;
    json_t *card;
    elfenland__check(&r->state, (int)seat, elfenland__pack(VERB_TRAVEL, to, 0, 0), &err);
    if (!strcmp(err.rule, "no_connection") || is_refused_first(r, seat, VERB_TRAVEL)) {
        refuse(r, seat, VERB_TRAVEL, err.rule);
        return;
    }
    for (unsigned c = 0; c < CARDS; c++)
        held[elfenland__card_type(c)] += r->state.card[c] == CARD_HAND + seat;
    json_array_foreach(cards, i, card) offered[elfenland_case__type_of(r, card, TYPES)]++;
    for (unsigned type = 0; type < TYPES && r->is_ok; type++)
        if (offered[type] > held[type])
            refuse(r, seat, VERB_TRAVEL, "not_in_hand");
    if (r->is_ok && json_array_size(cards) > OFFERED_MAX) {
        elfenland__resolve(&r->state, r->state.boot[seat], to, offered, &mode, &err);
        refuse(r, seat, VERB_TRAVEL, err.rule);
    }
    if (!r->is_ok)
        return;
    json_array_foreach(cards, i, card) if (r->is_ok)
        act_words(r, seat, "pay", json_pack("{s:s}", "card", elfenland_case__text_of(r, card)));
    if (r->is_ok)
        act_words(r, seat, "travel", json_pack("{s:s}", "to", elfenland__towns[to].id));
    game_action back = elfenland__pack(VERB_WITHDRAW, 0, 0, 0);
    if (!r->is_ok && elfenland_game.apply(&r->state, (int)seat, back, NULL, NULL) != ERROR_OK)
        return; // nothing had been offered
}

// Of each type how many are not kept; negative: kept, but not held.
struct unkept {
    int cards[TYPES], counters[SOURCES][COUNTER_TYPES];
    bool strange_card, strange_counter;
};
static struct unkept unkept_of(struct elfenland_case *r, unsigned seat, const json_t *action) {
    struct unkept ret = {0};
    size_t i;
    json_t *one;
    for (unsigned c = 0; c < CARDS; c++)
        ret.cards[elfenland__card_type(c)] += r->state.card[c] == CARD_HAND + seat;
    for (unsigned c = 0; c < COUNTERS; c++) {
        ret.counters[SOURCE_UP][elfenland__counter_type(c)] += r->state.counter[c] == COUNTER_UP + seat;
        ret.counters[SOURCE_SECRET][elfenland__counter_type(c)] += r->state.counter[c] ==
                                                                   COUNTER_SECRET + seat;
    }
    json_array_foreach(json_object_get(action, "cards"), i, one)
        ret.strange_card |= --ret.cards[elfenland_case__type_of(r, one, TYPES)] < 0;
    json_array_foreach(json_object_get(action, "counters"), i, one) {
        bool secret = !strcmp(elfenland_case__text_of(r, json_object_get(one, "source")), "secret");
        unsigned type = elfenland_case__type_of(r, json_object_get(one, "counter"), COUNTER_TYPES);
        ret.strange_counter |= --ret.counters[secret][type] < 0;
    }
    return ret;
}

// What is not kept is laid down one by one, then `keep` closes. Nobody can keep what he does not hold.
static void do_keep(struct elfenland_case *r, unsigned seat, const json_t *action) {
    struct unkept left = unkept_of(r, seat, action);
    const char *rule = json_array_size(json_object_get(action, "cards")) > KEPT_MAX ? "too_many_cards"
                       : left.strange_card                                          ? "not_in_hand"
                       : json_array_size(json_object_get(action, "counters")) > 1   ? "too_many_counters"
                       : left.strange_counter                                       ? "not_owned"
                                                                                    : NULL;
    if (rule && (left.strange_card || left.strange_counter)) {
        refuse(r, seat, VERB_KEEP, rule);
        return;
    }
    for (unsigned type = 0; type < TYPES; type++)
        for (int n = left.cards[type]; n > 0 && r->is_ok; n--)
            act_words(r, seat, "drop", json_pack("{s:s}", "card", elfenland__type_names[type]));
    for (unsigned source = 0; source < SOURCES; source++)
        for (unsigned type = 0; type < COUNTER_TYPES; type++)
            for (int n = left.counters[source][type]; n > 0 && r->is_ok; n--)
                act_words(r, seat, "give_back",
                          json_pack("{s:s, s:s}", "counter", elfenland__type_names[type], "source",
                                    source == SOURCE_UP ? "up" : "secret"));
    if (r->is_ok && !act_words(r, seat, "keep", json_object()))
        r->state = r->before; // what was laid down for it is taken up again
}

static const struct {
    const char *type;
    void (*run)(struct elfenland_case *r, unsigned seat, const json_t *action);
} actions[] = {{"deal", do_deal},
               {"draw_secret", do_draw_secret},
               {"draft", do_draft},
               {"place_counter", do_place_counter},
               {"place_obstacle", do_place_obstacle},
               {"pass", do_pass},
               {"travel", do_travel},
               {"end_turn", do_end_turn},
               {"keep", do_keep}};

static void do_action(struct elfenland_case *r, const json_t *action) {
    const char *type = elfenland_case__text_of(r, json_object_get(action, "type"));
    const json_t *player = json_object_get(action, "player");
    unsigned seat = player ? elfenland_case__player_of(r, elfenland_case__text_of(r, player)) : 0;
    r->before = r->state;
    r->is_ok = true;
    r->n_auto_passed = 0;
    for (unsigned i = 0; i < sizeof actions / sizeof *actions; i++)
        if (!strcmp(actions[i].type, type)) {
            if (!player && strcmp(type, "deal"))
                casebook_fail(r->report, "a player", "an action by nobody");
            if (!r->report->failed)
                actions[i].run(r, seat, action);
            return;
        }
    casebook_fail(r->report, "a known action", "%s", type);
}

static void run_object(struct elfenland_case *r, const json_t *root) {
    const json_t *before = json_object_get(root, "before"), *action = json_object_get(root, "action"),
                 *after = json_object_get(root, "after");
    if (!json_is_object(before) || !json_is_object(after) ||
        (!json_is_object(action) && !json_array_size(action)) || json_object_size(root) != 4) {
        casebook_fail(r->report, "id, before, action and after", "a case of another shape");
        return;
    }
    elfenland_case__set_before(r, before);
    if (json_is_object(action) && !r->report->failed)
        do_action(r, action);
    for (size_t i = 0; i < json_array_size(action) && !r->report->failed; i++) {
        if (i > 0 && !r->is_ok)
            casebook_fail(r->report, "all actions but the last are done", "action %zu: %s", i, r->error);
        else
            do_action(r, json_array_get(action, i));
    }
    if (!r->report->failed)
        elfenland_case__compare(r, after);
}

static void run_case(const struct casebook_case *one, struct casebook_report *ret) {
    struct elfenland_case r = {.report = ret};
    json_error_t error;
    json_t *root = json_loads(one->text, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(root))
        run_object(&r, root);
    else
        casebook_fail(r.report, "a case in JSON", "%s", error.text);
    json_decref(root);
    ret->passed = !ret->failed;
}

extern const struct casebook elfenland_casebook;
const struct casebook elfenland_casebook = {"elfenland", run_case};
