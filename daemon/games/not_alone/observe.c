// What may be known (11): an allowlist. Everything public, then what one seat knows by the rules.
#include "games/not_alone/not_alone.h"
#include <stdio.h>
#include <string.h>

static const char *kind_of_card(unsigned owner, unsigned card) {
    return not_alone__kinds[not_alone__card_kind(owner, card)].id;
}

static void item(struct observation *ret, game_place place, const char *kind, unsigned n, bool up) {
    if (n && ret->n_items < OBSERVE_ITEMS_MAX)
        ret->item[ret->n_items++] = (struct observe_item){
            .place = place, .kind = kind, .n = (uint8_t)n, .face = up ? OBSERVE_FACE_UP : OBSERVE_FACE_DOWN};
}
static void counter(struct observation *ret, const char *name, int seat, int value) {
    if (ret->n_counters < OBSERVE_COUNTERS_MAX)
        ret->counter[ret->n_counters++] =
            (struct observe_counter){.name = name, .seat = (int8_t)seat, .value = value};
}
static void fact(struct observation *ret, const char *key, int seat, const char *kind, int value) {
    if (ret->n_facts < OBSERVE_FACTS_MAX)
        ret->fact[ret->n_facts++] =
            (struct observe_fact){.key = key, .seat = (int8_t)seat, .kind = kind, .value = value};
}

static bool is_revealed(const struct not_alone *s) {
    return s->phase >= END_OF_TURN || (s->phase == RECKONING && s->step != STEP_RIVER);
}

// ---- what lies on the table

static void observe_hunted(const struct not_alone *s, unsigned k, struct observation *ret) {
    const struct not_alone_hunted *h = &s->h[k];
    bool own = ret->audience == (int)k + 1, up = is_revealed(s);
    for (unsigned i = 0; i < SLOTS_LAID; i++)
        if (h->laid[i].card && !h->laid[i].home)
            item(ret, not_alone__spot(k, i ? SPOT_PLAY_B : SPOT_PLAY_A),
                 up || own ? kind_of_card(k, h->laid[i].card) : NULL, 1, up);
    // Under Smokescreen the Creature must not see them, and so no public display may show them.
    bool seen = !(s->fx & FX_SMOKESCREEN) || ret->audience > 0 || s->phase == GAME_OVER;
    for (unsigned left = h->discard; left && seen; left &= left - 1)
        item(ret, not_alone__spot(k, SPOT_DISCARD), kind_of_card(k, not_alone__lowest(left)), 1, true);
    if (!seen)
        item(ret, not_alone__spot(k, SPOT_DISCARD), NULL, not_alone__count(h->discard), false);
    for (unsigned left = h->answer; left && own; left &= left - 1)
        item(ret, not_alone__spot(k, SPOT_DISCARD), kind_of_card(k, not_alone__lowest(left)), 1, false);
    if (h->played)
        item(ret, not_alone__spot(k, SPOT_SURVIVAL), not_alone__survival[h->played].id, 1, true);
    item(ret, not_alone__spot(k, SPOT_WILL), "will", h->will, true);
}

static void observe_piles(const struct not_alone *s, struct observation *ret) {
    for (unsigned card = BASIC_CARDS + 1; card <= PLACE_CARDS; card++)
        item(ret, (game_place)(TABLE_RESERVE + card - BASIC_CARDS - 1), kind_of_card(0, card),
             not_alone__count(s->reserve[card - BASIC_CARDS]), true);
    for (unsigned i = 0; i < s->n_played; i++)
        item(ret, TABLE_C_HUNT, not_alone__hunt[s->hunt_played[i]].id, 1, true);
    item(ret, TABLE_HUNT_DECK, NULL, not_alone__count(s->hunt_deck) + s->n_under, false);
    for (unsigned i = 0; i < s->n_discard; i++)
        item(ret, TABLE_HUNT_DISCARD, not_alone__hunt[s->hunt_discard[i]].id, 1, true);
    item(ret, TABLE_SURVIVAL_DECK, NULL, not_alone__count(s->survival_deck), false);
    unsigned out = 0;
    for (unsigned k = 0; k < s->n; k++)
        out |= s->h[k].played ? PLACE_BIT(s->h[k].played) : 0u;
    for (unsigned i = 0; i < s->n_survival_discard; i++)
        if (!(out >> s->survival_discard[i] & 1))
            item(ret, TABLE_SURVIVAL_DISCARD, not_alone__survival[s->survival_discard[i]].id, 1, true);
}

static void observe_tokens(const struct not_alone *s, struct observation *ret) {
    for (unsigned t = 0; t < TOKENS; t++) {
        const char *kind = not_alone__kinds[KIND_TOKEN + t].id;
        if (!s->token[t])
            item(ret, TABLE_C_TOKENS, kind, 1, true);
        for (unsigned left = s->token[t]; left; left &= left - 1)
            item(ret, not_alone__planet(not_alone__lowest(left)), kind, 1, true);
    }
    if (s->marker)
        item(ret, not_alone__planet(AT_BEACH), "marker", 1, true);
    item(ret, (game_place)(TABLE_RESCUE + s->rescue), "counter_rescue", 1, true);
    item(ret, (game_place)(TABLE_ASSIMILATION + s->assimilation), "counter_assimilation", 1, true);
}

// ---- numbers and facts

static void observe_numbers(const struct not_alone *s, struct observation *ret) {
    counter(ret, "rescue", -1, s->rescue);
    counter(ret, "assimilation", -1, s->assimilation);
    counter(ret, "hunt_left", 0, s->hunt_left);
    counter(ret, "hand", 0, (int)not_alone__count(s->hunt_hand));
    for (unsigned t = 0; t < TOKENS; t++)
        if (s->phase == HUNTING && not_alone__available(s, t) && !s->token[t])
            fact(ret, "available", 0, not_alone__kinds[KIND_TOKEN + t].id, 0);
    for (unsigned k = 0; k < s->n; k++) {
        const struct not_alone_hunted *h = &s->h[k];
        int seat = (int)k + 1;
        // What lies under seal counts as in hand until all have answered.
        counter(ret, "will", seat, h->will);
        counter(ret, "hand", seat, (int)(not_alone__count(h->hand) + not_alone__count(h->answer)));
        counter(ret, "survival", seat, (int)not_alone__count(h->survival) + (h->answer_card != 0));
        counter(ret, "survival_left", seat, h->survival_left);
        if (h->pending)
            fact(ret, h->pending == PENDING_RIVER ? "river" : "artefact", seat, NULL, 0);
        // After Detour the place explored is not that of the card.
        for (unsigned i = 0; i < SLOTS_LAID && is_revealed(s) && s->phase != GAME_OVER; i++)
            if (h->laid[i].card && h->laid[i].at != h->laid[i].card)
                fact(ret, "explores", seat, NULL, h->laid[i].at);
    }
    if (not_alone__creature_first(s))
        fact(ret, "creature_first", 0, NULL, 0);
    if (s->anticipation != NOBODY)
        fact(ret, "anticipation", s->anticipation + 1, NULL, 0);
    for (unsigned left = s->cataclysm; left; left &= left - 1)
        fact(ret, "cataclysm", -1, NULL, (int)not_alone__lowest(left));
}

static void observe_creature(const struct not_alone *s, struct observation *ret) {
    for (unsigned left = s->hunt_hand; left; left &= left - 1)
        fact(ret, "hand", 0, not_alone__hunt[not_alone__lowest(left)].id, 0);
    for (unsigned k = 0; k < s->n; k++)
        for (unsigned left = s->h[k].shown; left; left &= left - 1)
            fact(ret, "shown", (int)k + 1, kind_of_card(k, not_alone__lowest(left)), 0);
}

static void observe_own(const struct not_alone *s, unsigned k, struct observation *ret) {
    const struct not_alone_hunted *h = &s->h[k];
    for (unsigned left = h->hand; left; left &= left - 1)
        fact(ret, "hand", (int)k + 1, kind_of_card(k, not_alone__lowest(left)), 0);
    for (unsigned left = h->survival; left; left &= left - 1)
        fact(ret, "survival", (int)k + 1, not_alone__survival[not_alone__lowest(left)].id, 0);
    for (unsigned left = s->shelter; left && s->shelter_of == k; left &= left - 1)
        fact(ret, "drawn", (int)k + 1, not_alone__survival[not_alone__lowest(left)].id, 0);
}

void not_alone_observe(const void *state, struct observation *ret) {
    const struct not_alone *s = not_alone__state(state);
    not_alone_result(state, &ret->result);
    for (unsigned k = 0; k < s->n; k++)
        observe_hunted(s, k, ret);
    observe_piles(s, ret);
    observe_tokens(s, ret);
    observe_numbers(s, ret);
    for (unsigned seat = 0; seat <= s->n; seat++) {
        const struct not_alone_hunted *h = seat ? &s->h[seat - 1] : NULL;
        ret->seat[seat].alive = true;
        if (s->wait != WAIT_NONE)
            ret->seat[seat].acted = h && (h->answer || h->answer_will || h->answer_card);
        else if (s->phase == EXPLORATION)
            ret->seat[seat].acted = h ? not_alone__laid(h) > 0 : s->ready & 1;
        else
            ret->seat[seat].acted = s->ready >> seat & 1;
    }
    if (ret->audience == 0)
        observe_creature(s, ret);
    else if (ret->audience > 0 && ret->audience <= s->n)
        observe_own(s, (unsigned)ret->audience - 1, ret);
}

void not_alone_result(const void *state, struct observe_result *ret) {
    const struct not_alone *s = not_alone__state(state);
    memset(ret, 0, sizeof *ret);
    ret->over = s->winner != WINNER_NONE;
    if (!ret->over)
        return;
    bool hunted = s->winner == WINNER_HUNTED;
    ret->winners = hunted ? (uint16_t)((2u << s->n) - 2) : 1;
    ret->n_teams = 2;
    ret->teams[0] = (struct observe_team){.won = true};
    ret->teams[1] = (struct observe_team){.won = false};
    snprintf(ret->teams[0].name, sizeof ret->teams[0].name, "%s", hunted ? "hunted" : "creature");
    snprintf(ret->teams[1].name, sizeof ret->teams[1].name, "%s", hunted ? "creature" : "hunted");
    for (unsigned seat = 0; seat <= s->n; seat++)
        snprintf(ret->seats[seat].team, sizeof ret->seats[seat].team, "%s", seat ? "hunted" : "creature");
    snprintf(ret->reason, sizeof ret->reason, "%s",
             hunted ? "Rescue has reached the star" : "Assimilation has reached the star");
}
