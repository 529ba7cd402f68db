// What each audience may know (9). Dark phases add nothing that depends on the night; a seat learns what its
// own eyes were shown, when the night is over.
#include "games/one_night/one_night.h"
#include <string.h>

static const char *place_name(const struct one_night *g, unsigned position) {
    static const char *const seats[] = {"s1", "s2", "s3", "s4",  "s5",  "s6",
                                        "s7", "s8", "s9", "s10", "s11", "s12"};
    static const char *const centre[] = {"c1", "c2", "c3", "c4", "c5"};
    static const char *const marks[] = {"k1", "k2", "k3", "k4",  "k5",  "k6",
                                        "k7", "k8", "k9", "k10", "k11", "k12"};
    if (position >= g->n_positions)
        return marks[position - g->place_k];
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
        bool known = g->rules.faces == FACES_TAGS || (g->opened >> p & 1); // no tag tells: people do
        bool up = over || (dawn && g->face[g->at[p]] && known);
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

// Every seat has a mark from the start; which, the reveal tells. Where artifacts lie is public from dawn on.
static void marks_and_artifacts(const struct one_night *g, struct observation *ret) {
    bool over = g->phase == PHASE_REVEAL, dawn = g->phase == PHASE_DAY || g->phase == PHASE_VOTE || over;
    for (unsigned s = 0; s < g->seats && g->place_k; s++)
        if (g->mark_piece[s] != CARD_NONE)
            item(ret, one_night__mark_place(g, s), over ? one_night__kinds[KIND_MARK + g->mark[s]].id : NULL,
                 over ? OBSERVE_FACE_UP : OBSERVE_FACE_DOWN);
    for (unsigned s = 0; s < g->seats && g->place_a && dawn; s++)
        if (g->artifact[s] != ARTIFACT_NONE)
            item(ret, one_night__artifact_place(g, s),
                 over ? one_night__kinds[KIND_ARTIFACT + g->artifact[s]].id : NULL,
                 over ? OBSERVE_FACE_UP : OBSERVE_FACE_DOWN);
}

// What an oracle said is spoken (5.1), and who is away is seen.
static void spoken(const struct one_night *g, struct observation *ret) {
    static const char *const keys[ORACLES] = {"oracle_answer", "doppelganger_oracle_answer"};
    for (unsigned o = 0; o < ORACLES; o++)
        if (g->settled >> o & 1)
            fact(ret, keys[o], -1, NULL, NULL, g->answer[o]);
    for (unsigned s = 0; s < g->seats; s++)
        if (g->absent >> s & 1)
            ret->seat[s].present = false;
}

static void ballots(const struct one_night *g, struct observation *ret) {
    if (g->phase != PHASE_VOTE && g->phase != PHASE_REVEAL)
        return;
    for (unsigned s = 0; s < g->seats; s++) {
        ret->seat[s].acted = g->vote[s] != SEAT_NONE;
        if (g->vote[s] == SEAT_NONE || ret->n_counters + 2 > OBSERVE_COUNTERS_MAX)
            continue;
        bool device = g->vote[s] == VOTE_APP;
        ret->counter[ret->n_counters++] =
            (struct observe_counter){"vote", (int8_t)s, device ? 0 : g->vote[s] + 1}; // 0 = the device
        if (g->vote_2[s] != SEAT_NONE)
            ret->counter[ret->n_counters++] = (struct observe_counter){"vote_2", (int8_t)s, g->vote_2[s] + 1};
        if (device && g->rules.ballot == BALLOT_ON_PAD)
            item(ret, g->place_answer, one_night__kinds[KIND_TOKEN + s].id, OBSERVE_FACE_UP);
        if (device)
            continue;
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

static const char *saw_id(const struct one_night *g, const struct one_night_saw *saw) {
    return saw->place < g->n_positions ? role_id(g, saw->card) : one_night__kinds[KIND_MARK + saw->card].id;
}

// A cow with her fist out feels whether a neighbour is an alien (3.5).
static void cow(const struct one_night *g, unsigned seat, struct observation *ret) {
    if (one_night__night_role(g, seat) != ROLE_COW || (g->afraid >> seat & 1))
        return;
    uint16_t aliens = one_night__awake_as(g, IS_ALIEN);
    bool tapped = (aliens >> one_night__left(g, (int)seat) | aliens >> one_night__right(g, (int)seat)) & 1;
    fact(ret, "tapped", (int)seat, NULL, NULL, tapped);
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
            fact(ret, "saw", (int)seat, place_name(g, g->saw[i].place), saw_id(g, &g->saw[i]), 0);
    if (one_night__sees_bite(g, seat))
        fact(ret, "marked", g->bitten, NULL, one_night__kinds[KIND_MARK + MARK_VAMPIRE].id, 0);
    if (g->convert[seat] != CONVERT_NONE)
        fact(ret, "converted", (int)seat, NULL, NULL, g->convert[seat]);
    if (g->artifact[seat] != ARTIFACT_NONE)
        fact(ret, "artifact", (int)seat, NULL, one_night__kinds[KIND_ARTIFACT + g->artifact[seat]].id, 0);
    cow(g, seat, ret);
}

// Beside whom the tokens of most and second most votes belong (1.3); all of them where several are level.
static void most_votes(const struct one_night *g, const uint8_t votes[TABLE_SEATS], struct observation *ret) {
    unsigned first = 0, second = 0;
    for (unsigned s = 0; s < g->seats; s++)
        first = votes[s] > first ? votes[s] : first;
    for (unsigned s = 0; s < g->seats; s++)
        second = votes[s] > second && votes[s] < first ? votes[s] : second;
    for (unsigned s = 0; s < g->seats; s++)
        if (votes[s] && (votes[s] == first || votes[s] == second))
            fact(ret, "most_votes", (int)s, NULL, NULL, votes[s] == first ? 1 : 2);
}

static void end_facts(const struct one_night *g, struct observation *ret) {
    uint8_t votes[TABLE_SEATS];
    one_night__shown_votes(g, votes);
    most_votes(g, votes, ret);
    for (unsigned s = 0; s < g->seats; s++) {
        ret->seat[s].alive = !(g->dead >> s & 1);
        fact(ret, "dealt", (int)s, NULL, role_id(g, g->dealt[s]), 0);
        if (ret->n_counters < OBSERVE_COUNTERS_MAX)
            ret->counter[ret->n_counters++] = (struct observe_counter){"votes", (int8_t)s, votes[s]};
    }
    static const char *const groups[] = {"werewolf", "vampire", "alien",
                                         "villager"}; // kinds, as in every fact
    static const uint8_t group_bits[] = {GROUP_WEREWOLF, GROUP_VAMPIRE, GROUP_ALIEN, GROUP_VILLAGE};
    for (unsigned i = 0; i < 4; i++)
        if (g->epic & group_bits[i]) {
            fact(ret, "epic", -1, NULL, groups[i], 0);
            fact(ret, "condition_1", -1, NULL, groups[i], one_night__epic_tick(g, group_bits[i], 1));
            fact(ret, "condition_2", -1, NULL, groups[i], one_night__epic_tick(g, group_bits[i], 2));
        }
    for (unsigned s = 0; s < g->seats; s++) {
        if (g->mark[s] != MARK_CLARITY)
            fact(ret, "mark", (int)s, NULL, one_night__kinds[KIND_MARK + g->mark[s]].id, 0);
        if (g->artifact[s] != ARTIFACT_NONE)
            fact(ret, "artifact", (int)s, NULL, one_night__kinds[KIND_ARTIFACT + g->artifact[s]].id, 0);
        if (g->convert[s] != CONVERT_NONE)
            fact(ret, "converted", (int)s, NULL, NULL, g->convert[s]);
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
    marks_and_artifacts(g, ret);
    spoken(g, ret);
    if (g->phase == PHASE_REVEAL) {
        end_facts(g, ret);
        one_night_result(state, &ret->result);
    } else if (ret->audience >= 0 && ret->audience < g->seats) {
        own_facts(g, (unsigned)ret->audience, ret);
    }
}
