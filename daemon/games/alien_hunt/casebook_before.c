// The position before: characters and identities are dealt by chance through the engine, the rest of a case's
// position, which may be one that no play reaches (tokens out of the case), is set into the state.
#include "games/alien_hunt/casebook__.h"
#include <string.h>

extern const struct game alien_hunt_game;

static int kind_of(json_t *value, unsigned from, unsigned end) {
    const char *id = json_string_value(value);
    game_kind kind = id ? game_kind_find(&alien_hunt_game, id) : GAME_NONE;
    return kind >= from && kind < end ? (int)(kind - from) : -1;
}

static bool chance(struct case_run *r, const struct alien_hunt_action *act) {
    struct error err = {0};
    if (game_act(&alien_hunt_game, &r->state, GAME_BY_CHANCE, alien_hunt__pack(act), NULL, &err) == ERROR_OK)
        return true;
    return casebook_fail(r->report, "a deal that the rules allow", "%s %u: %s",
                         alien_hunt__verbs[act->verb].name, act->what, err.text);
}

static json_t *seat_of(const struct case_run *r, unsigned seat) {
    char key[2] = {(char)('1' + seat), 0};
    return json_object_get(json_object_get(r->before, "seats"), key);
}

static bool read_option(struct case_run *r, const char *key, json_t *value) {
    struct error err = {0};
    const char *text = json_is_string(value) ? json_string_value(value) : json_is_true(value) ? "1" : "0";
    char number[24];
    if (json_is_integer(value)) {
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        text = number;
    }
    return game_setup_option(&alien_hunt_game, &r->setup, key, text, &err) == ERROR_OK ||
           casebook_fail(r->report, "an option", "%s", err.text);
}
// In an object of their own, or by name beside the rest.
static bool read_options(struct case_run *r) {
    static const char *const names[] = {"rounds", "discussion_limit_s", "three_step", "explorer_action"};
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(r->before, "options"), key,
                        value) if (!read_option(r, key, value)) return false;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if ((value = json_object_get(r->before, names[i])) && !read_option(r, names[i], value))
            return false;
    return true;
}

static bool read_box(struct case_run *r) {
    unsigned seats = (unsigned)json_object_size(json_object_get(r->before, "seats"));
    json_t *pool = json_object_get(r->before, "pool"), *value;
    size_t i;
    if (seats < SEATS_LEAST || seats > SEATS_MOST)
        return casebook_fail(r->report, "4 to 8 seats", "%u", seats);
    game_setup_default(&alien_hunt_game, seats, &r->setup);
    for (unsigned seat = 0; seat < seats; seat++) {
        int kind = kind_of(json_object_get(seat_of(r, seat), "char"), 0, CHARACTER_KINDS);
        if (kind < 0)
            return casebook_fail(r->report, "a character", "seat %u", seat + 1);
        r->setup.cards[r->setup.n_cards++] = (game_kind)kind;
    }
    json_array_foreach(pool, i, value) {
        int kind = kind_of(value, 0, CHARACTER_KINDS);
        if (kind < 0 || r->setup.n_cards >= CHARACTER_KINDS)
            return casebook_fail(r->report, "a character", "pool");
        r->setup.cards[r->setup.n_cards++] = (game_kind)kind;
    }
    r->setup.options[OPTION_POOL] = !pool || json_array_size(pool) > 0;
    return read_options(r);
}

static bool deal_identity(struct case_run *r, game_place place, int kind) {
    struct alien_hunt_action act = alien_hunt__action(VERB_DEAL);
    const struct alien_hunt *g = &r->state.g;
    act.place = place;
    for (unsigned card = 0; card < g->n_identities; card++) {
        act.what = alien_hunt__identity_slot(card);
        if ((kind < 0 || g->identity[card] == kind) &&
            alien_hunt__check(g, GAME_BY_CHANCE, &act, NULL) == ERROR_OK)
            return chance(r, &act);
    }
    return casebook_fail(r->report, "no more cards of an identity than there are", "place %u", place);
}

static bool deal(struct case_run *r) {
    json_t *undealt = json_object_get(r->before, "undealt");
    for (unsigned seat = 0; seat < r->setup.seats; seat++) {
        struct alien_hunt_action act = alien_hunt__action(VERB_CHARACTER);
        act.target = (uint8_t)seat;
        act.what = r->setup.cards[seat];
        if (!chance(r, &act))
            return false;
    }
    const char *phase = json_string_value(json_object_get(r->before, "phase"));
    if (phase && !strcmp(phase, "deal"))
        return true;
    for (unsigned seat = 0; seat < r->setup.seats; seat++) {
        int kind = kind_of(json_object_get(seat_of(r, seat), "ident"), KIND_IDENTITY, KIND_TOKEN);
        if (kind < 0)
            return casebook_fail(r->report, "an identity", "seat %u", seat + 1);
        if (!deal_identity(r, alien_hunt__place(seat, PLACE_IDENTITY), kind))
            return false;
        r->own_before[seat] = (uint8_t)kind;
    }
    for (unsigned i = 0; i < CENTRE_CARDS; i++) {
        json_t *value = json_array_get(undealt, i);
        int kind = value ? kind_of(value, KIND_IDENTITY, KIND_TOKEN) : -1;
        if ((value && kind < 0) ||
            !deal_identity(r, alien_hunt__centre(&r->state.g, CENTRE_UNDEALT + i), kind))
            return casebook_fail(r->report, "an identity", "undealt");
    }
    for (size_t i = undealt ? json_array_size(undealt) : CENTRE_CARDS; i < CENTRE_CARDS; i++)
        r->state.g.centre[i] = NONE; // fewer lie there: the illusionist has been there
    return true;
}

// ---- what is set into the state

static bool set_tokens(struct case_run *r) {
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(r->before, "tokens"), key, value) {
        int token = alien_hunt__case_token(key);
        json_int_t seat = json_integer_value(value);
        const char *word = json_string_value(value);
        if (token < 0 || token >= r->setup.seats * TOKENS_EACH)
            return casebook_fail(r->report, "a token", "%s", key);
        if (word && !strcmp(word, "reserve"))
            continue;
        if (word && !strcmp(word, "removed")) {
            alien_hunt__lay(&r->state.g, (unsigned)token, AT_REMOVED);
            continue;
        }
        if (seat < 1 || seat > r->setup.seats)
            return casebook_fail(r->report, "a place of a token", "%s", key);
        alien_hunt__lay(&r->state.g, (unsigned)token, (unsigned)(seat - 1));
    }
    return true;
}

static bool read_seat(struct case_run *r, json_t *value, const char *where, unsigned *ret) {
    json_int_t seat = json_integer_value(value);
    if (!json_is_integer(value) || seat < 1 || seat > r->setup.seats)
        return casebook_fail(r->report, "a seat", "%s", where);
    *ret = (unsigned)(seat - 1);
    return true;
}

static bool set_seats(struct case_run *r, const char *key, uint8_t *ret) {
    json_t *value;
    size_t i;
    unsigned seat = 0;
    json_array_foreach(json_object_get(r->before, key), i, value) {
        if (!read_seat(r, value, key, &seat))
            return false;
        *ret |= (uint8_t)(1u << seat);
    }
    return true;
}

static bool set_orders(struct case_run *r) {
    json_t *value, *forced = json_object_get(r->before, "forced");
    size_t i;
    unsigned a = 0, b = 0;
    json_array_foreach(json_object_get(r->before, "bans"), i, value) {
        if (!read_seat(r, json_object_get(value, "general"), "bans", &a) ||
            !read_seat(r, json_object_get(value, "banned"), "bans", &b))
            return false;
        r->state.g.ban[a] |= (uint8_t)(1u << b);
    }
    if (forced && !json_is_null(forced)) {
        if (!read_seat(r, json_object_get(forced, "player"), "forced", &a) ||
            !read_seat(r, json_object_get(forced, "to"), "forced", &b))
            return false;
        r->state.g.forced = (uint8_t)a;
        r->state.g.forced_to = (uint8_t)b;
    }
    return true;
}

static bool set_points(struct case_run *r) {
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(r->before, "points"), key, value) {
        int seat = alien_hunt__case_seat(key);
        if (seat < 0 || seat >= r->setup.seats || !json_is_integer(value))
            return casebook_fail(r->report, "points of a seat", "%s", key);
        r->state.g.points[seat] = (int16_t)json_integer_value(value);
    }
    return true;
}

static bool set_discarded(struct case_run *r) {
    struct alien_hunt *g = &r->state.g;
    json_t *value;
    size_t i;
    json_array_foreach(json_object_get(r->before, "discarded"), i, value) {
        int kind = kind_of(value, KIND_IDENTITY, KIND_TOKEN);
        bool done = false;
        for (unsigned card = 0; card < g->n_identities && !done; card++) {
            bool held = false;
            for (unsigned seat = 0; seat < g->seats; seat++)
                held |= g->card[seat] == card;
            for (unsigned c = 0; c < CENTRE_CARDS; c++)
                held |= g->centre[c] == card;
            if (held || g->identity[card] != kind || g->discarded >> card & 1)
                continue;
            g->discarded |= (uint16_t)(1u << card);
            done = true;
        }
        if (!done)
            return casebook_fail(r->report, "an identity that is left", "discarded");
    }
    return true;
}

static bool set_moment(struct case_run *r) {
    struct alien_hunt *g = &r->state.g;
    json_t *turn = json_object_get(r->before, "turn"), *president = json_object_get(r->before, "president");
    const char *name = json_string_value(json_object_get(r->before, "phase"));
    unsigned seat = 0, phase = name ? 0 : PHASE_DISCUSSION;
    while (name && alien_hunt__phases[phase].id && strcmp(alien_hunt__phases[phase].id, name) != 0)
        phase++;
    if (!alien_hunt__phases[phase].id || phase == PHASE_SETUP || phase == PHASE_GAME_OVER)
        return casebook_fail(r->report, "a phase", "%s", name);
    if ((turn && !json_is_null(turn) && !read_seat(r, turn, "turn", &seat)))
        return false;
    g->phase = (uint8_t)phase;
    g->turn = (uint8_t)(turn && !json_is_null(turn) ? seat : (unsigned)NONE);
    seat = 0;
    if (president && !read_seat(r, president, "president", &seat))
        return false;
    if (g->president != seat)
        return casebook_fail(r->report, "the President's card at the President's seat", "seat %u",
                             g->president + 1u);
    json_t *lap = json_object_get(r->before, "lap"), *round = json_object_get(r->before, "round");
    if (lap)
        g->lap = (uint8_t)json_integer_value(lap);
    if (round)
        g->round = (uint8_t)json_integer_value(round);
    return true;
}

bool alien_hunt__case_set_up(struct case_run *r) {
    struct game_issues issues = {0};
    struct error err = {0};
    if (!read_box(r))
        return false;
    if (alien_hunt_game.prepare(&r->setup, &issues, &err) != ERROR_OK)
        return casebook_fail(r->report, "a set-up the rules allow", "%s: %s", err.rule, err.text);
    alien_hunt_game.init(&r->state, &r->setup);
    if (!deal(r) || !set_tokens(r) || !set_seats(r, "used", &r->state.g.used) ||
        !set_seats(r, "shielded", &r->state.g.shielded) || !set_orders(r) || !set_points(r) ||
        !set_discarded(r) || !set_moment(r))
        return false;
    if (r->state.g.phase == PHASE_REVEAL)
        alien_hunt__reveal(&r->state.g, NULL);
    r->base = alien_hunt__case_snapshot(&r->state.g);
    return true;
}
