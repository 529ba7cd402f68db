// Alien Hunt: the moments of a game, what an action does, and the game as a value.
#include "games/alien_hunt/alien_hunt.h"

enum { LOOK_MS = 30000 };

static bool any_look(const struct alien_hunt *g) {
    for (unsigned seat = 0; seat < g->seats; seat++)
        if (g->look[seat])
            return true;
    return false;
}

// Nobody waits for anybody in a discussion: all may act. Its clock only reminds.
static void alien_hunt_phase(const void *state, struct game_phase *ret) {
    const struct alien_hunt *g = alien_hunt__state(state);
    bool talk = g->phase >= PHASE_DISCUSSION && g->phase <= PHASE_ALERT_ASSIGN;
    *ret = (struct game_phase){
        .id = g->phase, .round = g->round, .step = g->lap, .over = g->phase == PHASE_GAME_OVER};
    if (g->forced != NONE)
        ret->turn = (uint16_t)(1u << g->forced);
    else if (g->phase == PHASE_DISCUSSION)
        ret->turn = (uint16_t)((1u << g->seats) - 1);
    else if (g->phase == PHASE_SCORED && g->drawing == NONE)
        ret->turn = (uint16_t)(1u << g->president);
    else if (g->turn != NONE)
        ret->turn = (uint16_t)(1u << g->turn);
    if (talk && any_look(g) && !g->look_reminded) {
        ret->limit_ms = LOOK_MS;
        ret->clock = (uint16_t)(1 + g->looks);
    } else if (g->phase == PHASE_DISCUSSION && g->discussion_s && !g->talk_reminded) {
        ret->limit_ms = g->discussion_s * 1000u;
    }
}

static void alien_hunt_seat_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]) {
    (void)setup, (void)seat;
    ret[0] = '\0'; // seats by number
}

// ---- actions

static void assign(struct alien_hunt *g, unsigned by, const struct alien_hunt_action *act,
                   struct game_notes *notes) {
    bool forced = g->forced == by;
    alien_hunt__lay(g, act->token, act->to);
    g->laid |= (uint8_t)(1u << by);
    g->forced = g->forced_to = NONE;
    if (g->phase == PHASE_ALERT_ASSIGN)
        alien_hunt__next_place(g, notes);
    else if (forced && g->phase == PHASE_ALERT_ABILITIES)
        alien_hunt__next_ability(g, notes);
}

static void reassign(struct alien_hunt *g, unsigned by, const struct alien_hunt_action *act) {
    for (unsigned i = 0; i < TOKENS_EACH && act->move[i].token != NO_TOKEN; i++)
        g->at[act->move[i].token] = act->move[i].to;
    if (act->copy != NO_COPY)
        g->used |= (uint8_t)(1u << by);
}

static void deal(struct alien_hunt *g, const struct alien_hunt_action *act, struct game_notes *notes) {
    if (act->verb == VERB_CHARACTER) {
        g->character[act->target] = (uint8_t)act->what;
        g->box &= (uint16_t) ~(1u << act->what);
    } else if (act->place < g->seats * PLACES_EACH) {
        g->card[act->place / PLACES_EACH] = (uint8_t)(act->what - CHARACTER_KINDS);
    } else {
        g->centre[act->place - alien_hunt__centre(g, CENTRE_UNDEALT)] =
            (uint8_t)(act->what - CHARACTER_KINDS);
    }
    alien_hunt__after_deal(g, notes);
}

static void remind(struct alien_hunt *g, struct game_notes *notes) {
    if (!any_look(g) || g->look_reminded) {
        g->talk_reminded = 1;
        game_note(notes, GAME_NOTE_SAY, LINE_TALKED, g->president, 0, 0, 0);
        return;
    }
    g->look_reminded = 1;
    for (unsigned seat = 0; seat < g->seats; seat++)
        if (g->look[seat])
            game_note(notes, GAME_NOTE_SAY, LINE_LAY_BACK, (int)seat, 0, 0, 0);
}

// Hands only: nothing of the rules changes. Tokens may be lifted again, a card once.
static void follow_hands(struct alien_hunt *g, unsigned by, const struct alien_hunt_action *act) {
    if (act->verb == VERB_LOOKED && act->place % PLACES_EACH == PLACE_IDENTITY) {
        g->look[by] &= (uint16_t) ~(1u << act->place / PLACES_EACH);
    } else if (act->verb == VERB_DONE) {
        g->look[by] = 0;
    } else if (act->verb == VERB_PEEK) {
        g->look[by] = (uint16_t)(1u << by);
        g->looks++;
        g->look_reminded = 0;
    }
}

static void act_on(struct alien_hunt *g, int by, const struct alien_hunt_action *act,
                   struct game_notes *notes) {
    unsigned seat = (unsigned)by;
    switch (act->verb) {
    case VERB_CHARACTER:
    case VERB_DEAL:
        deal(g, act, notes);
        break;
    case VERB_DRAW:
        alien_hunt__drawn(g, act->what, notes);
        break;
    case VERB_ASSIGN:
        assign(g, seat, act, notes);
        break;
    case VERB_REASSIGN:
        reassign(g, seat, act);
        break;
    case VERB_ABILITY:
        alien_hunt__use(g, seat, act, notes);
        break;
    case VERB_ASK:
        alien_hunt__ask(g, seat, act, notes);
        break;
    case VERB_PASS_ABILITY:
        g->look[seat] = 0;
        alien_hunt__next_ability(g, notes);
        break;
    case VERB_DECLARE_ALERT:
        alien_hunt__declare(g, notes);
        break;
    case VERB_RESOLVE:
        alien_hunt__resolve(g, act, notes);
        break;
    case VERB_PASS_PRESIDENCY:
        alien_hunt__hand_on(g, notes);
        break;
    case VERB_REMIND:
        remind(g, notes);
        break;
    default:
        follow_hands(g, seat, act);
        break;
    }
}

static enum error_code alien_hunt_apply(void *state, int by, game_action action, struct game_notes *notes,
                                        struct error *err) {
    struct alien_hunt_action act;
    if (!alien_hunt__unpack(action, &act))
        return error_illegal(err, "not_now", "There is no such action.");
    enum error_code code = alien_hunt__check(state, by, &act, err);
    if (code == ERROR_OK)
        act_on(state, by, &act, notes);
    return code;
}

extern const struct game alien_hunt_game;
const struct game alien_hunt_game = {
    .id = "alien_hunt",
    .title = "Alien Hunt",
    .rules_rev = 1,
    .seats_min = SEATS_LEAST,
    .seats_max = SEATS_MOST,
    .phases = alien_hunt__phases,
    .kinds = alien_hunt__kinds,
    .n_kinds = KINDS,
    .options = alien_hunt__options,
    .verbs = alien_hunt__verbs,
    .lines = alien_hunt__lines,
    .presets = alien_hunt__presets,
    .state_size = sizeof(struct alien_hunt),
    .prepare = alien_hunt_prepare,
    .places = alien_hunt_places,
    .seat_label = alien_hunt_seat_label,
    .init = alien_hunt_init,
    .phase = alien_hunt_phase,
    .legal = alien_hunt_legal,
    .mistakes = alien_hunt_mistakes,
    .apply = alien_hunt_apply,
    .layout = alien_hunt_layout,
    .proof = alien_hunt_proof,
    .observe = alien_hunt_observe,
    .encode = alien_hunt_encode,
    .decode = alien_hunt_decode,
    .result = alien_hunt_result,
    .random = alien_hunt_random,
};
