// A bot: it learns what its character may learn, then gives its tokens where they are worth most.
#include "games/alien_hunt/bot__.h"
#include <string.h>

// ---- giving tokens

// An action token on a seat, in hundredths of a point: what its owner's identity makes of it.
static int action_worth(const struct bot *b, unsigned on) {
    unsigned me = alien_hunt__bot_likeliest(b, b->me);
    const struct identity_row *row = &alien_hunt__identities[me];
    int alien = 0, there = 0;
    for (unsigned i = ALIEN_SCIENTIST; i < IDENTITY_KINDS; i++)
        alien += b->is[on][i];
    for (unsigned seat = 0; seat < b->seats; seat++)
        for (unsigned i = 1; i <= TOKENS_EACH; i++)
            there += seat != b->me && b->token[seat][i].at == on;
    switch (row->act) {
    case ACT_POINTS:
        return (row->wins_from_alien ? 2 * alien - 1000 : 1000 - 2 * alien) / 10;
    case ACT_TAKE:
        return 20 * there;
    default:
        return 0;
    }
}

// Every token on the mythomaniac is a point for him; an observation on the invader takes three from him.
static int assign_worth(const struct bot *b, const struct alien_hunt_action *act) {
    bool observation = alien_hunt__is_observation(act->token);
    int own = observation ? alien_hunt__bot_observation(b, b->me, act->to) : action_worth(b, act->to);
    int others = -b->is[act->to][MYTHOMANIAC] / 10 +
                 (observation ? 3 * b->is[act->to][ALIEN_INVADER] / 10 : 0);
    return 4 * own + 2 * others / (int)(b->seats - 1);
}

// ---- abilities: what they are worth beside giving a token, which is 0

static int unknown(const struct bot *b, unsigned seat) {
    return seat < b->seats && seat != b->me && !alien_hunt__bot_is_sure(b, seat) ? 100 : -1000;
}

static int own_hope(const struct bot *b) { // of the identity held, against any other card (section 1)
    static const int16_t mean[IDENTITY_KINDS] = {25, 25, 25, 425, 125, 130, 165, -75};
    return mean[alien_hunt__bot_likeliest(b, b->me)];
}

static int ability_worth(const struct bot *b, const struct alien_hunt_action *act) {
    bool mythomaniac = alien_hunt__bot_likeliest(b, b->me) == MYTHOMANIAC;
    unsigned left = (b->me + 1) % b->seats, right = (b->me + b->seats - 1) % b->seats;
    switch (act->copy == NO_COPY ? b->character[b->me] : act->copy) {
    case INVESTIGATOR:
        return 600 + unknown(b, act->target);
    case GOSSIP:
        return mythomaniac ? -1 : 500 + unknown(b, left) + unknown(b, right);
    case POLICEMAN:
        return 400 + __builtin_popcount(act->picks);
    case JOURNALIST:
        return act->verb == VERB_ASK && act->question == IS_ALIEN ? 450 + unknown(b, act->target) : -1000;
    case ILLUSIONIST:
        return own_hope(b) < 100 && b->laid < 2 * b->seats ? 300 : -1000;
    case SHOWGIRL:
        return mythomaniac ? 200 : -1000;
    case BULLY:
        return mythomaniac && act->to == b->me ? 200 : -1000;
    case GENERAL: { // the invader keeps observations away
        bool invader = alien_hunt__bot_likeliest(b, b->me) == ALIEN_INVADER;
        int lies = 0;
        for (unsigned i = 1; act->target < b->seats && i <= TOKENS_EACH; i++)
            if (b->token[act->target][i].at == b->me)
                lies = b->token[act->target][i].observation;
        return invader ? lies : -1000;
    }
    default:
        return -1000;
    }
}

// ---- the reveal

static int resolve_worth(const struct bot *b, const struct alien_hunt_action *act, unsigned acting_on) {
    struct bot after = *b;
    unsigned identity = alien_hunt__bot_likeliest(b, b->me);
    uint8_t *at = &after.token[act->owner][act->order].at;
    switch (alien_hunt__identities[identity].act) {
    case ACT_REMOVE:
        *at = AT_REMOVED;
        break;
    case ACT_MOVE_FROM:
        *at = act->to;
        break;
    case ACT_TAKE:
        *at = (uint8_t)b->me;
        break;
    default:
        *at = (uint8_t)acting_on;
        break;
    }
    return alien_hunt__bot_stand(&after);
}

// Where the acting token lies: face up by now, so its letter is public.
static unsigned acting_on(const struct observation *seen, unsigned token) {
    const char *key = token % TOKENS_EACH == 1 ? "pending_b" : "pending_c";
    for (unsigned i = 0; i < seen->n_facts; i++)
        for (unsigned seat = 0; seat < SEATS_MOST && !strcmp(seen->fact[i].key, key); seat++)
            if (!strcmp(seen->fact[i].place, alien_hunt__place_name(seat, PLACE_RECEIVED)))
                return seat;
    return AT_REMOVED;
}

// ---- the choice

static bool is_talk(const game_action *legal, size_t n) { // nobody waits for this seat
    for (size_t i = 0; i < n; i++)
        if (legal[i] >> 32 == VERB_PASS_ABILITY || legal[i] >> 32 == VERB_RESOLVE)
            return false;
    return true;
}

static int worth_of(const struct bot *b, const struct observation *seen,
                    const struct alien_hunt_action *act) {
    switch (act->verb) {
    case VERB_ASSIGN:
        return assign_worth(b, act);
    case VERB_ABILITY:
    case VERB_ASK:
        return ability_worth(b, act) + (ability_worth(b, act) >= 0 ? 2000 : -2000);
    case VERB_PASS_ABILITY:
        return -1500;
    case VERB_RESOLVE:
        return resolve_worth(b, act, acting_on(seen, act->token));
    case VERB_PASS_PRESIDENCY:
        return 0;
    case VERB_DECLARE_ALERT:
        return b->laid >= b->seats * TOKENS_EACH ? 0 : -1600;
    default:
        return INT16_MIN;
    }
}

bool alien_hunt_bot(const struct game_setup *setup, const struct observation *seen, const game_action *legal,
                    size_t n, uint64_t dice, game_action *ret) {
    struct bot b;
    int best = INT16_MIN;
    unsigned equal = 0;
    if (seen->audience < 0 || seen->audience >= setup->seats || setup->seats > SEATS_MOST)
        return false;
    alien_hunt__bot_read(setup, seen, &b);
    for (size_t i = 0; i < n; i++) {
        struct alien_hunt_action act;
        if (!alien_hunt__unpack(legal[i], &act))
            continue;
        int value = worth_of(&b, seen, &act);
        if (value < best || value == INT16_MIN)
            continue;
        equal = value > best ? 1 : equal + 1;
        best = value;
        dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (equal == 1 || (dice >> 33) % equal == 0)
            *ret = legal[i];
    }
    // Nothing good is left to do: the President ends the talk now and then, the others wait.
    bool idle = best <= -1500 && is_talk(legal, n);
    return equal > 0 && (!idle || (best == -1600 && dice % 8 == 0));
}
