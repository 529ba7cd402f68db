// Why an action is not allowed: the checks of section 7 in their order, the first failing one wins.
#include "games/alien_hunt/alien_hunt.h"

static enum error_code not_now(struct error *err) {
    return error_illegal(err, "not_now", "This is not possible now.");
}
static enum error_code wrong_phase(struct error *err) {
    return error_illegal(err, "wrong_phase", "Not in this phase.");
}
static enum error_code not_your_turn(struct error *err) {
    return error_illegal(err, "not_your_turn", "It is another player's turn.");
}

// ---- tokens

static bool has_on(const struct alien_hunt *g, unsigned owner, unsigned to, const uint8_t at[TOKENS_MOST]) {
    (void)g;
    for (unsigned i = 0; i < TOKENS_EACH; i++)
        if (at[owner * TOKENS_EACH + i] == to)
            return true;
    return false;
}

enum error_code alien_hunt__check_target(const struct alien_hunt *g, unsigned owner, unsigned to,
                                         const uint8_t at[TOKENS_MOST], struct error *err) {
    if (to == owner)
        return error_illegal(err, "self_target", "Not to yourself.");
    if (to >= g->seats)
        return error_illegal(err, "illegal_target", "There is no such seat.");
    if (g->ban[to] >> owner & 1)
        return error_illegal(err, "banned_target", "Seat %u may not give seat %u a token in this round.",
                             owner + 1, to + 1);
    if (has_on(g, owner, to, at))
        return error_illegal(err, "duplicate_target", "Not there: seat %u already has a token on seat %u.",
                             owner + 1, to + 1);
    return ERROR_OK;
}

bool alien_hunt__can_place(const struct alien_hunt *g, unsigned seat) {
    bool any = false;
    for (unsigned i = 0; i < TOKENS_EACH; i++)
        any |= g->at[seat * TOKENS_EACH + i] == AT_RESERVE;
    for (unsigned to = 0; any && to < g->seats; to++)
        if (alien_hunt__check_target(g, seat, to, g->at, NULL) == ERROR_OK)
            return true;
    return false;
}

// Talking in a lap is talking: tokens are laid after it (section 6, three_step).
static bool may_assign_in(const struct alien_hunt *g, bool forced) {
    return forced ? g->phase == PHASE_DISCUSSION || g->phase == PHASE_ALERT_ABILITIES
                  : g->phase == PHASE_ALERT_ASSIGN || (g->phase == PHASE_DISCUSSION && !g->three_step);
}

static enum error_code check_assign(const struct alien_hunt *g, unsigned by,
                                    const struct alien_hunt_action *act, struct error *err) {
    bool forced = g->forced == by;
    if (!may_assign_in(g, forced))
        return wrong_phase(err);
    if (g->phase == PHASE_ALERT_ASSIGN && g->turn != by)
        return not_your_turn(err);
    if (act->token >= g->seats * TOKENS_EACH || alien_hunt__token_owner(act->token) != by)
        return error_illegal(err, "not_owned", "Only your own tokens.");
    if (g->at[act->token] != AT_RESERVE)
        return error_illegal(err, "token_fixed", "A token that was given stays.");
    if (forced && act->to != g->forced_to)
        return error_illegal(err, "forced_target", "Seat %u must give this token to seat %u.", by + 1,
                             g->forced_to + 1u);
    return alien_hunt__check_target(g, by, act->to, g->at, err);
}

// All moved tokens are lifted, then laid one by one. Staying where it is is no move: one arrangement, one
// action.
static enum error_code check_moves(const struct alien_hunt *g, unsigned by,
                                   const struct alien_hunt_action *act, struct error *err) {
    uint8_t at[TOKENS_MOST];
    unsigned n = 0;
    __builtin_memcpy(at, g->at, sizeof at);
    for (; n < TOKENS_EACH && act->move[n].token != NO_TOKEN; n++) {
        unsigned token = act->move[n].token;
        if (token >= g->seats * TOKENS_EACH || alien_hunt__token_owner(token) != by)
            return error_illegal(err, "not_owned", "Only your own tokens.");
    }
    for (unsigned i = 0; i < n; i++) {
        if (!alien_hunt__lies(g, act->move[i].token))
            return error_illegal(err, "not_assigned", "Only tokens that were given.");
        at[act->move[i].token] = AT_RESERVE;
    }
    if (n == 0)
        return error_illegal(err, "not_assigned", "No token is named.");
    for (unsigned i = 0; i < n; i++) {
        enum error_code code = alien_hunt__check_target(g, by, act->move[i].to, at, err);
        if (code != ERROR_OK)
            return code;
        at[act->move[i].token] = act->move[i].to;
    }
    for (unsigned i = 0; i < n; i++)
        if ((i > 0 && act->move[i].token <= act->move[i - 1].token) ||
            g->at[act->move[i].token] == act->move[i].to)
            return error_illegal(err, "illegal_target", "This token lies there already.");
    for (unsigned i = n; i < TOKENS_EACH; i++)
        if (act->move[i].token != NO_TOKEN || act->move[i].to != NO_SEAT)
            return error_illegal(err, "not_assigned", "No token is named.");
    return ERROR_OK;
}

static enum error_code check_reassign(const struct alien_hunt *g, unsigned by,
                                      const struct alien_hunt_action *act, struct error *err) {
    if (act->copy != NO_COPY) {
        unsigned ability;
        enum error_code code = alien_hunt__check_use(g, by, act->copy, &ability, err);
        if (code != ERROR_OK)
            return code;
        if (ability != DOUBLE_DEALER)
            return error_illegal(err, "illegal_target", "This ability moves no tokens.");
        if (g->phase != PHASE_DISCUSSION)
            return wrong_phase(err);
    } else if (g->phase != PHASE_DISCUSSION) {
        return wrong_phase(err);
    } else if (g->character[by] != DOUBLE_DEALER) {
        return error_illegal(err, "no_ability", "Only the double-dealer.");
    }
    return check_moves(g, by, act, err);
}

// ---- the reveal, the end of a round

static enum error_code check_resolve(const struct alien_hunt *g, unsigned by,
                                     const struct alien_hunt_action *act, struct error *err) {
    if (g->phase != PHASE_REVEAL)
        return wrong_phase(err);
    if (g->turn != by)
        return not_your_turn(err);
    if (act->token >= g->seats * TOKENS_EACH || !(g->pending >> act->token & 1))
        return error_illegal(err, "not_pending", "This token has nothing to do.");
    int pick = act->owner < g->seats ? alien_hunt__named(g, act->owner, act->order) : -1;
    if (pick < 0 || !alien_hunt__may_pick(g, act->token, (unsigned)pick, act->to))
        return error_illegal(err, "illegal_pick", "This token may not be moved so.");
    return ERROR_OK;
}

static enum error_code check_pass_presidency(const struct alien_hunt *g, unsigned by, struct error *err) {
    if (g->phase != PHASE_SCORED || g->drawing != NONE)
        return wrong_phase(err);
    if (g->president != by)
        return error_illegal(err, "not_president", "Only the President.");
    return ERROR_OK;
}

// ---- chance, clock and hands

// With 4 or 5 players one card is left out, and it is an alien (section 1): the last of them is not dealt.
static bool is_left_out(const struct alien_hunt *g, unsigned card) {
    unsigned left = 0;
    for (unsigned i = 0; i < g->n_identities; i++) {
        bool dealt = false;
        for (unsigned seat = 0; seat < g->seats; seat++)
            dealt |= g->card[seat] == i;
        for (unsigned c = 0; c < CENTRE_CARDS; c++)
            dealt |= g->centre[c] == i;
        left += !dealt && alien_hunt__is_alien(g->identity[i]);
    }
    return g->n_identities > g->seats + CENTRE_CARDS && left == 1 && alien_hunt__is_alien(g->identity[card]);
}

static enum error_code check_deal(const struct alien_hunt *g, const struct alien_hunt_action *act,
                                  struct error *err) {
    int card = (int)act->what - CHARACTER_KINDS;
    if (g->phase != PHASE_DEAL || card < 0 || card >= g->n_identities)
        return not_now(err);
    for (unsigned seat = 0; seat < g->seats; seat++)
        if (g->card[seat] == card ||
            (act->place == alien_hunt__place(seat, PLACE_IDENTITY) && g->card[seat] != NONE))
            return not_now(err);
    bool place = act->place < g->seats * PLACES_EACH && act->place % PLACES_EACH == PLACE_IDENTITY;
    for (unsigned i = 0; i < CENTRE_CARDS; i++) {
        if (g->centre[i] == card)
            return not_now(err);
        place |= act->place == alien_hunt__centre(g, CENTRE_UNDEALT + i) && g->centre[i] == NONE;
    }
    return place && !is_left_out(g, (unsigned)card) ? ERROR_OK : not_now(err);
}

static enum error_code check_character(const struct alien_hunt *g, const struct alien_hunt_action *act,
                                       struct error *err) {
    unsigned empty = 0;
    for (unsigned seat = 0; seat < g->seats; seat++)
        empty += g->character[seat] == NONE;
    if (g->phase != PHASE_SETUP || act->target >= g->seats || g->character[act->target] != NONE ||
        act->what >= CHARACTER_KINDS || !(g->box >> act->what & 1))
        return not_now(err);
    if (empty == 1 && g->box >> PRESIDENT & 1 && act->what != PRESIDENT)
        return not_now(err); // somebody is President
    return ERROR_OK;
}

static bool is_talk(const struct alien_hunt *g) {
    return g->phase >= PHASE_DISCUSSION && g->phase <= PHASE_ALERT_ASSIGN;
}
static bool any_look(const struct alien_hunt *g) {
    for (unsigned seat = 0; seat < g->seats; seat++)
        if (g->look[seat])
            return true;
    return false;
}

// Lifting what one may lift. Tokens are lifted again and again, an identity card once; whoever wants to see
// the own card again says so first (section 11).
static enum error_code check_looked(const struct alien_hunt *g, unsigned by,
                                    const struct alien_hunt_action *act, struct error *err) {
    unsigned seat = act->place / PLACES_EACH, row = act->place % PLACES_EACH;
    if (is_talk(g) && seat < g->seats && row == PLACE_IDENTITY && g->look[by] >> seat & 1)
        return ERROR_OK;
    bool tokens = g->character[by] == SPY || g->look[by] & LOOK_TOKENS;
    if (is_talk(g) && seat == by && row == PLACE_RECEIVED && tokens)
        return ERROR_OK;
    return error_illegal(err, "no_look", "Nobody may look there now: please leave it.");
}

static enum error_code check_hands(const struct alien_hunt *g, unsigned by,
                                   const struct alien_hunt_action *act, struct error *err) {
    bool asked = g->phase == PHASE_ALERT_ABILITIES && g->turn == by; // then `done` passes
    if (act->verb == VERB_LOOKED)
        return check_looked(g, by, act, err);
    if (!is_talk(g) || asked || (act->verb == VERB_PEEK) != (g->look[by] == 0))
        return not_now(err);
    return ERROR_OK;
}

static enum error_code check_nobody(const struct alien_hunt *g, int by, const struct alien_hunt_action *act,
                                    struct error *err) {
    if (by == GAME_BY_CHANCE && act->verb == VERB_CHARACTER)
        return check_character(g, act, err);
    if (by == GAME_BY_CHANCE && act->verb == VERB_DEAL)
        return check_deal(g, act, err);
    if (by == GAME_BY_CHANCE && act->verb == VERB_DRAW && g->drawing != NONE)
        return act->what < CHARACTER_KINDS && g->pool >> act->what & 1
                   ? ERROR_OK
                   : error_illegal(err, "illegal_pick", "This character is not in the pool.");
    bool look = is_talk(g) && any_look(g) && !g->look_reminded;
    bool talk = g->phase == PHASE_DISCUSSION && g->discussion_s && !g->talk_reminded;
    if (by == GAME_BY_TIMER && act->verb == VERB_REMIND && (look || talk))
        return ERROR_OK;
    if (act->verb == VERB_LOOKED)
        return error_illegal(err, "no_look", "Nobody may look there now: please leave it.");
    return not_now(err);
}

enum error_code alien_hunt__check(const struct alien_hunt *g, int by, const struct alien_hunt_action *act,
                                  struct error *err) {
    unsigned seat = (unsigned)by;
    if (by < 0)
        return check_nobody(g, by, act, err);
    if (seat >= g->seats)
        return not_now(err);
    bool hands = act->verb >= VERB_LOOKED;
    if (g->forced != NONE && !hands && !(act->verb == VERB_ASSIGN && g->forced == seat))
        return error_illegal(err, "forced_pending", "Seat %u must give seat %u a token first.",
                             g->forced + 1u, g->forced_to + 1u);
    switch (act->verb) {
    case VERB_ASSIGN:
        return check_assign(g, seat, act, err);
    case VERB_REASSIGN:
        return check_reassign(g, seat, act, err);
    case VERB_ABILITY:
    case VERB_ASK:
        return alien_hunt__check_ability(g, seat, act, err);
    case VERB_PASS_ABILITY:
        return g->phase != PHASE_ALERT_ABILITIES ? wrong_phase(err)
               : g->turn != seat                 ? not_your_turn(err)
                                                 : ERROR_OK;
    case VERB_DECLARE_ALERT:
        return g->phase != PHASE_DISCUSSION ? wrong_phase(err)
               : g->president != seat       ? error_illegal(err, "not_president", "Only the President.")
                                            : ERROR_OK;
    case VERB_RESOLVE:
        return check_resolve(g, seat, act, err);
    case VERB_PASS_PRESIDENCY:
        return check_pass_presidency(g, seat, err);
    case VERB_LOOKED:
    case VERB_PEEK:
    case VERB_DONE:
        return check_hands(g, seat, act, err);
    default:
        return not_now(err);
    }
}
