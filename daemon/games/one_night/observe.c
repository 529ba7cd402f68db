// What each audience may know (9). Dark phases add nothing that depends on the night; a seat learns what its
// own eyes were shown, when the night is over.
#include "games/one_night/one_night.h"
#include <string.h>

static const char *place_name(const struct one_night *g, unsigned position) {
    static const char *const seats[] = {"s1", "s2", "s3", "s4",  "s5",  "s6",
                                        "s7", "s8", "s9", "s10", "s11", "s12"};
    static const char *const centre[] = {"c1", "c2", "c3", "c4", "c5"};
    return position < g->seats ? seats[position] : centre[position - g->seats];
}

static void fact(struct observation *ret, const char *key, int seat, const char *place, const char *kind,
                 int value) {
    if (ret->n_facts < OBSERVE_FACTS_MAX)
        ret->fact[ret->n_facts++] = (struct observe_fact){key, (int8_t)seat, place, kind, value};
}

static const char *role_id(const struct one_night *g, unsigned card) {
    return one_night__roles[g->role[card]].id;
}

static void item(struct observation *ret, unsigned place, const char *kind, uint8_t face) {
    if (ret->n_items < OBSERVE_ITEMS_MAX)
        ret->item[ret->n_items++] = (struct observe_item){(uint16_t)place, kind, 1, face};
}

static void cards(const struct one_night *g, struct observation *ret) {
    bool over = g->phase == PHASE_REVEAL, dawn = g->phase != PHASE_NIGHT;
    for (unsigned p = 0; p < g->n_positions; p++) {
        if (g->at[p] == CARD_NONE)
            continue;
        bool up = over || (dawn && g->face[g->at[p]]);
        item(ret, p, up ? role_id(g, g->at[p]) : NULL, up ? OBSERVE_FACE_UP : OBSERVE_FACE_DOWN);
    }
}

// Where the shields lie is public from dawn on; in the dark they lie where they lay before it.
static void shields(const struct one_night *g, struct observation *ret) {
    bool told = g->phase != PHASE_NIGHT;
    unsigned all = one_night__shield_count(g->roles),
             laid = told ? (unsigned)__builtin_popcount(g->shielded) : 0;
    for (unsigned s = 0; s < g->seats && all && told; s++)
        if (g->shielded >> s & 1)
            item(ret, one_night__shield_place(g, s), one_night__kinds[KIND_SHIELD].id, OBSERVE_FACE_UP);
    for (; laid < all; laid++)
        item(ret, one_night__shield_rest(g), one_night__kinds[KIND_SHIELD].id, OBSERVE_FACE_UP);
}

static void ballots(const struct one_night *g, struct observation *ret) {
    if (g->phase != PHASE_VOTE && g->phase != PHASE_REVEAL)
        return;
    for (unsigned s = 0; s < g->seats; s++) {
        ret->seat[s].acted = g->vote[s] != SEAT_NONE;
        if (g->vote[s] == SEAT_NONE || ret->n_counters >= OBSERVE_COUNTERS_MAX)
            continue;
        ret->counter[ret->n_counters++] = (struct observe_counter){"vote", (int8_t)s, g->vote[s] + 1};
        unsigned kind = KIND_TOKEN + s;
        unsigned at = g->vote[s];
        if (g->rules.ballot == BALLOT_OWN_PAD) {
            kind = KIND_BALLOT + s * (TABLE_SEATS - 1) + at - (at > s ? 1 : 0);
            at = s;
        }
        if (g->rules.ballot != BALLOT_TAPPED)
            item(ret, one_night__vote_place(g, at), one_night__kinds[kind].id, OBSERVE_FACE_UP);
    }
}

// What a seat knows: the card it was dealt, whom it saw with open eyes, which cards it looked at.
static void own_facts(const struct one_night *g, unsigned seat, struct observation *ret) {
    if (g->dealt[seat] == CARD_NONE)
        return;
    fact(ret, "dealt", (int)seat, NULL, role_id(g, g->dealt[seat]), 0);
    if (g->phase == PHASE_DEAL || g->phase == PHASE_NIGHT)
        return;
    uint8_t copied = g->copied[g->dealt[seat]];
    if (copied != ROLE_NONE)
        fact(ret, "copied", (int)seat, NULL, one_night__roles[copied].id, 0);
    uint16_t sees = one_night__sees(g, seat);
    for (unsigned s = 0; s < g->seats; s++)
        if (sees >> s & 1)
            fact(ret, "sees", (int)s, NULL, NULL, 0);
    for (unsigned i = 0; i < g->n_saw; i++)
        if (g->saw[i].seat == seat)
            fact(ret, "saw", (int)seat, place_name(g, g->saw[i].place), role_id(g, g->saw[i].card), 0);
}

static void end_facts(const struct one_night *g, struct observation *ret) {
    uint8_t votes[TABLE_SEATS];
    one_night__count(g, 0, votes);
    for (unsigned s = 0; s < g->seats; s++) {
        ret->seat[s].alive = !(g->dead >> s & 1);
        fact(ret, "dealt", (int)s, NULL, role_id(g, g->dealt[s]), 0);
        if (ret->n_counters < OBSERVE_COUNTERS_MAX)
            ret->counter[ret->n_counters++] = (struct observe_counter){"votes", (int8_t)s, votes[s]};
    }
    static const char *const groups[] = {"werewolf", "vampire", "alien", "village"};
    static const uint8_t group_bits[] = {GROUP_WEREWOLF, GROUP_VAMPIRE, GROUP_ALIEN, GROUP_VILLAGE};
    for (unsigned i = 0; i < 4; i++)
        if (g->epic & group_bits[i])
            fact(ret, "epic", -1, NULL, groups[i], 0);
    for (unsigned s = 0; s < g->seats; s++) {
        if (g->mark[s] != MARK_CLARITY)
            fact(ret, "mark", (int)s, NULL, one_night__mark_names[g->mark[s]], 0);
        if (g->artifact[s] != ARTIFACT_NONE)
            fact(ret, "artifact", (int)s, NULL, one_night__kinds[KIND_ARTIFACT + g->artifact[s]].id, 0);
    }
    for (unsigned p = 0; p < g->n_positions; p++) {
        uint8_t copied = g->copied[g->at[p]];
        if (copied != ROLE_NONE)
            fact(ret, "copied", p < g->seats ? (int)p : -1, place_name(g, p), one_night__roles[copied].id, 0);
    }
}

void one_night_observe(const void *state, struct observation *ret) {
    const struct one_night *g = one_night__state(state);
    for (unsigned s = 0; s < g->seats; s++)
        ret->seat[s].alive = true;
    cards(g, ret);
    ballots(g, ret);
    shields(g, ret);
    if (g->phase == PHASE_REVEAL) {
        end_facts(g, ret);
        one_night_result(state, &ret->result);
    } else if (ret->audience >= 0 && ret->audience < g->seats) {
        own_facts(g, (unsigned)ret->audience, ret);
    }
}
