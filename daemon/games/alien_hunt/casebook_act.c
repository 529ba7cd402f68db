// One action of a case, as the engine's own.
#include "games/alien_hunt/casebook__.h"
#include <string.h>

extern const struct game alien_hunt_game;

static bool word_is(json_t *action, const char *key, const char *word) {
    const char *text = json_string_value(json_object_get(action, key));
    return text && !strcmp(text, word);
}

// A seat that does not exist is a refusal of the rules; what is no number cannot be read.
static bool read_seat(struct case_run *r, json_t *value, const char *where, uint8_t *ret) {
    json_int_t seat = json_integer_value(value);
    if (!value)
        return true;
    if (!json_is_integer(value))
        return casebook_fail(r->report, "a seat", "%s", where);
    *ret = (uint8_t)(seat >= 1 && seat <= r->setup.seats ? seat - 1 : NO_SUCH_SEAT);
    return true;
}

static bool read_token(struct case_run *r, json_t *value, uint8_t *ret) {
    const char *text = json_string_value(value);
    int token = text ? alien_hunt__case_token(text) : -1;
    if (token < 0)
        return casebook_fail(r->report, "a token", "%s", text ? text : "none");
    *ret = (uint8_t)token;
    return true;
}

static bool read_pick(struct case_run *r, json_t *value, struct alien_hunt_action *ret) {
    uint8_t token = NO_TOKEN;
    if (!read_token(r, value, &token))
        return false;
    ret->owner = (uint8_t)alien_hunt__token_owner(token);
    ret->order = r->state.g.order[token];
    return true;
}

static void add_pick(json_t *value, struct alien_hunt_action *ret) {
    json_int_t n = json_integer_value(value);
    unsigned bit = json_is_integer(value) && n >= 1 && n <= CENTRE_CARDS ? 1u << (n - 1)
                                                                         : (unsigned)PICKS_WRONG;
    ret->picks |= (uint8_t)(ret->picks & bit ? (unsigned)PICKS_WRONG : bit);
}

static bool read_moves(struct case_run *r, json_t *moves, struct alien_hunt_action *ret) {
    json_t *move;
    size_t i;
    ret->verb = VERB_REASSIGN;
    if (!json_is_array(moves) || json_array_size(moves) > TOKENS_EACH)
        return casebook_fail(r->report, "up to three moves", "moves");
    json_array_foreach(moves, i, move) {
        struct alien_hunt_move one = {NO_TOKEN, NO_SEAT};
        if (!read_token(r, json_object_get(move, "token"), &one.token) ||
            !read_seat(r, json_object_get(move, "to"), "to", &one.to))
            return false;
        ret->move[i] = one;
    }
    return true;
}

// "is_alien", or {"is_identity": {"identity": ...}}, or {"type": "obs_on", "seat": 3}; another text is a free
// question.
static bool read_question(struct case_run *r, json_t *question, struct alien_hunt_action *ret) {
    static const char *const names[QUESTIONS] = {"is_alien", "is_identity", "obs_on"};
    const char *text = json_string_value(question);
    json_t *with = question;
    unsigned which = QUESTIONS;
    if (!text)
        text = json_string_value(json_object_get(question, "type"));
    for (unsigned i = 0; i < QUESTIONS; i++) {
        json_t *inside = json_object_get(question, names[i]);
        if ((text && !strcmp(text, names[i])) || inside)
            which = i;
        if (json_is_object(inside))
            with = inside;
    }
    if (which == QUESTIONS)
        return json_is_string(question) || casebook_fail(r->report, "a question", "unknown");
    ret->verb = VERB_ASK;
    ret->question = (uint8_t)which;
    const char *identity = json_string_value(json_object_get(with, "identity"));
    game_kind kind = identity ? game_kind_find(&alien_hunt_game, identity) : GAME_NONE;
    if (which == IS_IDENTITY && (kind < KIND_IDENTITY || kind >= KIND_TOKEN))
        return casebook_fail(r->report, "an identity", "%s", identity ? identity : "none");
    if (which == IS_IDENTITY)
        ret->about = (uint8_t)(kind - KIND_IDENTITY);
    return which != OBS_ON || read_seat(r, json_object_get(with, "seat"), "seat", &ret->about);
}

static bool read_ability(struct case_run *r, json_t *action, struct alien_hunt_action *ret) {
    json_t *copy = json_object_get(action, "copy"), *picks = json_object_get(action, "picks"), *value;
    json_t *pick = json_object_get(action, "pick"), *moves = json_object_get(action, "moves");
    json_t *question = json_object_get(action, "question");
    size_t i;
    *ret = alien_hunt__action(VERB_ABILITY);
    if (copy) {
        game_kind kind = json_is_string(copy) ? game_kind_find(&alien_hunt_game, json_string_value(copy))
                                              : GAME_NONE;
        if (kind >= CHARACTER_KINDS)
            return casebook_fail(r->report, "a character", "copy");
        ret->copy = (uint8_t)kind;
    }
    json_array_foreach(picks, i, value) add_pick(value, ret);
    if (pick)
        add_pick(pick, ret);
    if (moves && !read_moves(r, moves, ret))
        return false;
    if (question && !read_question(r, question, ret))
        return false;
    return read_seat(r, json_object_get(action, "target"), "target", &ret->target) &&
           read_seat(r, json_object_get(action, "to"), "to", &ret->to);
}

static void act(struct case_run *r, int by, const struct alien_hunt_action *one) {
    struct alien_hunt_action plain = *one;
    if (plain.verb == VERB_REASSIGN)
        alien_hunt__order_moves(&r->state.g, by, &plain);
    game_action packed = alien_hunt__pack(&plain);
    r->ok = game_act(&alien_hunt_game, &r->state, by, packed, NULL, &r->err) == ERROR_OK;
}

// A case names what chance gave in the President's own action; the engine asks chance for it.
static bool pass_presidency(struct case_run *r, int by, json_t *drawn) {
    struct alien_hunt keep = r->state.g;
    struct alien_hunt_action one = alien_hunt__action(VERB_PASS_PRESIDENCY);
    act(r, by, &one);
    if (!r->ok)
        return true;
    bool draws = r->state.g.drawing != NONE;
    if (draws && drawn) {
        one = alien_hunt__action(VERB_DRAW);
        game_kind kind = json_is_string(drawn) ? game_kind_find(&alien_hunt_game, json_string_value(drawn))
                                               : GAME_NONE;
        if (kind >= CHARACTER_KINDS)
            return casebook_fail(r->report, "a character", "drawn");
        one.what = kind;
        act(r, GAME_BY_CHANCE, &one);
    } else if (draws || drawn) {
        r->ok = false;
        error_illegal(&r->err, "illegal_pick", "drawn is given exactly when the pool is not empty");
    }
    if (!r->ok)
        r->state.g = keep;
    return true;
}

static bool deal_one(struct case_run *r, game_place place, json_t *value) {
    struct alien_hunt_action one = alien_hunt__action(VERB_DEAL);
    game_kind kind = json_is_string(value) ? game_kind_find(&alien_hunt_game, json_string_value(value))
                                           : GAME_NONE;
    one.place = place;
    for (unsigned card = 0; card < r->state.g.n_identities; card++) {
        one.what = alien_hunt__identity_slot(card);
        if (r->state.g.identity[card] + (unsigned)KIND_IDENTITY != kind ||
            alien_hunt__check(&r->state.g, GAME_BY_CHANCE, &one, NULL) != ERROR_OK)
            continue;
        act(r, GAME_BY_CHANCE, &one);
        return true;
    }
    return casebook_fail(r->report, "an identity that is left", "deal");
}

static bool deal(struct case_run *r, json_t *action) {
    const char *key;
    json_t *value;
    size_t i;
    json_object_foreach(json_object_get(action, "idents"), key, value) {
        int seat = alien_hunt__case_seat(key);
        if (seat < 0 || seat >= r->setup.seats)
            return casebook_fail(r->report, "a seat", "%s", key);
        if (!deal_one(r, alien_hunt__place((unsigned)seat, PLACE_IDENTITY), value))
            return false;
    }
    json_array_foreach(json_object_get(action, "undealt"), i, value) {
        if (i >= CENTRE_CARDS ||
            !deal_one(r, alien_hunt__centre(&r->state.g, CENTRE_UNDEALT + (unsigned)i), value))
            return casebook_fail(r->report, "three cards", "undealt");
    }
    return true;
}

static bool known_keys(struct case_run *r, json_t *action) {
    static const char keys[] =
        " type player token to moves idents undealt copy target picks pick question drawn ";
    const char *key;
    json_t *value;
    char word[80];
    json_object_foreach(action, key, value) {
        snprintf(word, sizeof word, " %.70s ", key);
        if (!strstr(keys, word))
            return casebook_fail(r->report, keys, "action: unknown key %s", key);
    }
    return true;
}

bool alien_hunt__case_act(struct case_run *r, json_t *action) {
    struct alien_hunt_action one = alien_hunt__action(VERB_PASS_ABILITY);
    uint8_t by = NO_SEAT;
    if (!json_is_object(action) || !known_keys(r, action))
        return casebook_fail(r->report, "an action", "something else");
    if (word_is(action, "type", "deal"))
        return deal(r, action);
    if (!read_seat(r, json_object_get(action, "player"), "player", &by) || by >= r->setup.seats)
        return casebook_fail(r->report, "a player", "none");
    json_t *to = json_object_get(action, "to");
    if (word_is(action, "type", "assign") || word_is(action, "type", "resolve")) {
        bool assign = word_is(action, "type", "assign");
        one = alien_hunt__action(assign ? VERB_ASSIGN : VERB_RESOLVE);
        if (!read_token(r, json_object_get(action, "token"), &one.token) ||
            !read_seat(r, to, "to", &one.to) ||
            (!assign && !read_pick(r, json_object_get(action, "pick"), &one)))
            return false;
    } else if (word_is(action, "type", "reassign")) {
        if (!read_moves(r, json_object_get(action, "moves"), &one))
            return false;
    } else if (word_is(action, "type", "ability")) {
        if (!read_ability(r, action, &one))
            return false;
    } else if (word_is(action, "type", "declare_alert")) {
        one = alien_hunt__action(VERB_DECLARE_ALERT);
    } else if (word_is(action, "type", "pass_presidency")) {
        return pass_presidency(r, by, json_object_get(action, "drawn"));
    } else if (!word_is(action, "type", "pass_ability")) {
        return casebook_fail(r->report, "a type of action", "unknown");
    }
    act(r, by, &one);
    return true;
}
