// The characters: who may use what on whom, and what it does (section 7).
#include "games/alien_hunt/alien_hunt.h"

static bool is_protected(const struct alien_hunt *g, unsigned seat) {
    return g->character[seat] == RECLUSE || g->shielded >> seat & 1;
}

static unsigned left_of(const struct alien_hunt *g, unsigned seat) {
    return alien_hunt__clockwise(g, seat, 1);
}
static unsigned right_of(const struct alien_hunt *g, unsigned seat) {
    return alien_hunt__clockwise(g, seat, g->seats - 1u);
}

static unsigned cards_in_centre(const struct alien_hunt *g) {
    unsigned n = 0;
    for (unsigned i = 0; i < CENTRE_CARDS; i++)
        n += g->centre[i] != NONE;
    return n;
}

// Picks count the cards that still lie there, in the order of the pads with gaps skipped.
unsigned alien_hunt__picked_card(const struct alien_hunt *g, unsigned pick) {
    for (unsigned i = 0; i < CENTRE_CARDS; i++)
        if (g->centre[i] != NONE && pick-- == 0)
            return i;
    return CENTRE_CARDS;
}

// ---- checks

enum error_code alien_hunt__check_use(const struct alien_hunt *g, unsigned by, unsigned copy, unsigned *ret,
                                      struct error *err) {
    if (g->phase != PHASE_DISCUSSION && g->phase != PHASE_ALERT_ABILITIES)
        return error_illegal(err, "wrong_phase", "Not in this phase.");
    if (g->phase == PHASE_ALERT_ABILITIES && g->turn != by)
        return error_illegal(err, "not_your_turn", "It is another player's turn.");
    if (!alien_hunt__active[g->character[by]])
        return error_illegal(err, "no_ability", "This character has nothing to use.");
    if (g->used >> by & 1)
        return error_illegal(err, "already_used", "Once a round.");
    *ret = g->character[by];
    if (*ret != CON_ARTIST)
        return copy == NO_COPY ? ERROR_OK
                               : error_illegal(err, "not_in_play", "Only the con artist copies a character.");
    bool in_play = false;
    for (unsigned seat = 0; seat < g->seats; seat++)
        in_play |= seat != by && g->character[seat] == copy;
    if (!in_play)
        return error_illegal(err, "not_in_play", "No other player has this character.");
    if (copy == PRESIDENT)
        return error_illegal(err, "cannot_copy", "The President has nothing to copy.");
    *ret = copy;
    return ERROR_OK;
}

static bool has_reserve(const struct alien_hunt *g, unsigned seat) {
    for (unsigned i = 0; i < TOKENS_EACH; i++)
        if (g->at[seat * TOKENS_EACH + i] == AT_RESERVE)
            return true;
    return false;
}

static enum error_code illegal_target(struct error *err) {
    return error_illegal(err, "illegal_target", "Not this one.");
}
static enum error_code nothing_to_force(struct error *err) {
    return error_illegal(err, "nothing_to_force", "This player cannot give that token.");
}

static enum error_code check_force(const struct alien_hunt *g, unsigned ability, unsigned target, unsigned to,
                                   struct error *err) {
    if (ability == BULLY && (to >= g->seats || to == target))
        return illegal_target(err);
    if (!has_reserve(g, target))
        return nothing_to_force(err);
    enum error_code code = alien_hunt__check_target(g, target, to, g->at, err);
    return code == ERROR_OK || ability == BULLY ? code : nothing_to_force(err);
}

static enum error_code check_effect(const struct alien_hunt *g, unsigned by, unsigned ability,
                                    const struct alien_hunt_action *act, struct error *err) {
    unsigned picks = (unsigned)__builtin_popcount(act->picks);
    switch (ability) {
    case INVESTIGATOR:
        return is_protected(g, act->target) ? error_illegal(err, "protected", "This card is protected.")
                                            : ERROR_OK;
    case SHOWGIRL:
        return check_force(g, ability, act->target, by, err);
    case BULLY:
        return check_force(g, ability, act->target, act->to, err);
    case ILLUSIONIST:
        if (cards_in_centre(g) == 0)
            return error_illegal(err, "nothing_to_draw", "No identity lies in the centre.");
        return picks == 1 && act->picks >> cards_in_centre(g) == 0 ? ERROR_OK : illegal_target(err);
    case POLICEMAN:
        return picks > 0 && act->picks >> cards_in_centre(g) == 0 ? ERROR_OK : illegal_target(err);
    case GOSSIP:
        return is_protected(g, left_of(g, by)) && is_protected(g, right_of(g, by))
                   ? error_illegal(err, "protected", "Both neighbours are protected.")
                   : ERROR_OK;
    case DOUBLE_DEALER: // with moves it is a `reassign`
        return g->phase != PHASE_DISCUSSION ? error_illegal(err, "wrong_phase", "Not in this phase.")
                                            : error_illegal(err, "not_assigned", "No token is named.");
    default:
        return ERROR_OK;
    }
}

// What an ability takes. Anything else said beside it is refused, so that one effect is one action.
enum { TAKES_TARGET = 1, TAKES_TO = 2, TAKES_PICKS = 4 };
static const uint8_t takes[CHARACTER_KINDS] = {
    [INVESTIGATOR] = TAKES_TARGET, [JOURNALIST] = TAKES_TARGET, [SHOWGIRL] = TAKES_TARGET,
    [POLICEMAN] = TAKES_PICKS,     [ILLUSIONIST] = TAKES_PICKS, [BULLY] = TAKES_TARGET | TAKES_TO,
    [GENERAL] = TAKES_TARGET,
};

static bool is_question(const struct alien_hunt *g, const struct alien_hunt_action *act) {
    return act->question == IS_ALIEN      ? act->about == NO_SEAT
           : act->question == IS_IDENTITY ? act->about < IDENTITY_KINDS
                                          : act->question == OBS_ON && act->about < g->seats;
}

enum error_code alien_hunt__check_ability(const struct alien_hunt *g, unsigned by,
                                          const struct alien_hunt_action *act, struct error *err) {
    unsigned ability;
    enum error_code code = alien_hunt__check_use(g, by, act->copy, &ability, err);
    if (code != ERROR_OK)
        return code;
    bool target = takes[ability] & TAKES_TARGET;
    if (target ? act->target >= g->seats || act->target == by : act->target != NO_SEAT)
        return illegal_target(err);
    if (!(takes[ability] & TAKES_TO) && act->to != NO_SEAT)
        return illegal_target(err);
    if (!(takes[ability] & TAKES_PICKS) && act->picks)
        return illegal_target(err);
    if (act->verb == VERB_ASK)
        return ability == JOURNALIST && is_question(g, act) ? ERROR_OK : illegal_target(err);
    return check_effect(g, by, ability, act, err);
}

// ---- effects

static void see(struct alien_hunt *g, unsigned viewer, unsigned place, unsigned card) {
    g->saw[viewer][place] = (uint8_t)(g->identity[card] + 1);
}

// From now on hands may lift this; the clock of half a minute starts.
static void open_look(struct alien_hunt *g, unsigned viewer, unsigned bits) {
    g->look[viewer] |= (uint16_t)bits;
    g->looks++;
    g->look_reminded = 0;
}

static void gossip(struct alien_hunt *g, unsigned by) {
    unsigned neighbour[] = {right_of(g, by), left_of(g, by)};
    for (unsigned i = 0; i < 2; i++) {
        if (is_protected(g, neighbour[i]))
            continue;
        see(g, by, neighbour[i], g->card[neighbour[i]]);
        see(g, neighbour[i], by, g->card[by]);
        g->shown[by] |= (uint8_t)(1u << neighbour[i]);
        open_look(g, by, 1u << neighbour[i] | 1u << by);
    }
}

static void ban(struct alien_hunt *g, unsigned by, unsigned target, struct game_notes *notes) {
    g->ban[by] |= (uint8_t)(1u << target);
    for (unsigned i = 0; i < TOKENS_EACH; i++) {
        unsigned token = target * TOKENS_EACH + i;
        if (g->at[token] != by)
            continue;
        g->at[token] = AT_RESERVE;
        g->order[token] = 0;
        for (unsigned seat = 0; seat < g->seats; seat++) // among the others nobody can tell it any more
            g->peeked[seat] &= ~(1u << token);
        game_note(notes, GAME_NOTE_SAY, LINE_TAKE_BACK, (int)target, (int)by, 0, 0);
    }
}

static void change_identity(struct alien_hunt *g, unsigned by, unsigned picks) {
    unsigned at = alien_hunt__picked_card(g, (unsigned)__builtin_ctz(picks));
    g->discarded |= (uint16_t)(1u << g->card[by]);
    g->card[by] = g->centre[at];
    g->centre[at] = NONE;
}

static void copied_spy(struct alien_hunt *g, unsigned by) {
    for (unsigned token = 0; token < g->seats * TOKENS_EACH; token++)
        if (g->at[token] == by)
            g->peeked[by] |= 1u << token;
    open_look(g, by, LOOK_TOKENS);
}

static void force(struct alien_hunt *g, unsigned target, unsigned to, struct game_notes *notes) {
    g->forced = (uint8_t)target;
    g->forced_to = (uint8_t)to;
    game_note(notes, GAME_NOTE_SAY, LINE_GIVE, (int)target, (int)to, 0, 0);
}

static void spend(struct alien_hunt *g, unsigned by, struct game_notes *notes) {
    g->used |= (uint8_t)(1u << by);
    if (g->phase == PHASE_ALERT_ABILITIES && g->forced == NONE)
        alien_hunt__next_ability(g, notes);
}

void alien_hunt__use(struct alien_hunt *g, unsigned by, const struct alien_hunt_action *act,
                     struct game_notes *notes) {
    switch (act->copy == NO_COPY ? g->character[by] : act->copy) {
    case INVESTIGATOR:
        see(g, by, act->target, g->card[act->target]);
        open_look(g, by, 1u << act->target);
        break;
    case SPY:
        copied_spy(g, by);
        break;
    case RECLUSE:
        g->shielded |= (uint8_t)(1u << by);
        break;
    case SHOWGIRL:
        force(g, act->target, by, notes);
        break;
    case BULLY:
        force(g, act->target, act->to, notes);
        break;
    case POLICEMAN:
        for (unsigned i = 0; i < CENTRE_CARDS; i++) {
            unsigned at = act->picks >> i & 1 ? alien_hunt__picked_card(g, i) : CENTRE_CARDS;
            if (at < CENTRE_CARDS)
                see(g, by, SEATS_MOST + at, g->centre[at]);
        }
        break;
    case ILLUSIONIST:
        change_identity(g, by, act->picks);
        break;
    case GENERAL:
        ban(g, by, act->target, notes);
        break;
    case GOSSIP:
        gossip(g, by);
        break;
    default: // journalist: the question is spoken and answered on honour
        break;
    }
    spend(g, by, notes);
}

// The answer goes into the asker's own view; what is told to all does not depend on it.
void alien_hunt__ask(struct alien_hunt *g, unsigned by, const struct alien_hunt_action *act,
                     struct game_notes *notes) {
    unsigned identity = alien_hunt__of(g, act->target);
    bool answer = act->question == IS_ALIEN      ? alien_hunt__is_alien(identity)
                  : act->question == IS_IDENTITY ? identity == act->about
                                                 : g->at[act->target * TOKENS_EACH] == act->about;
    g->asked[by] = (struct alien_hunt_asked){(uint8_t)(act->question + 1), act->target, act->about, answer};
    game_note(notes, GAME_NOTE_SAY, LINE_ASKS, (int)by, act->target, 0, 0);
    spend(g, by, notes);
}
