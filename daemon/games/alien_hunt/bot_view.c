// What a bot reads out of its view: who may be what, which token may be which.
#include "games/alien_hunt/bot__.h"
#include <assert.h>
#include <string.h>

// ---- names back to numbers

static int identity_of(const char *kind) {
    for (unsigned i = 0; kind && i < IDENTITY_KINDS; i++)
        if (!strcmp(alien_hunt__kinds[KIND_IDENTITY + i].id, kind))
            return (int)i;
    return -1;
}
static int character_of(const char *kind) {
    for (unsigned i = 0; kind && i < CHARACTER_KINDS; i++)
        if (!strcmp(alien_hunt__kinds[i].id, kind))
            return (int)i;
    return -1;
}
static unsigned seat_of_place(const char *name) {
    for (unsigned seat = 0; seat < SEATS_MOST; seat++)
        if (!strcmp(name, alien_hunt__place_name(seat, PLACE_RECEIVED)))
            return seat;
    return AT_REMOVED;
}

// ---- identities

struct known {
    int8_t seat[SEATS_MOST];
    int8_t left[IDENTITY_KINDS]; // cards whose place is not known
    int8_t asked[SEATS_MOST];    // is_alien: 1, 0, -1 = not asked
    int8_t not_that[SEATS_MOST]; // is_identity: answered no
};

static void take(struct known *k, int identity) {
    if (identity >= 0 && k->left[identity] > 0)
        k->left[identity]--;
}

// A card that was seen at a seat is believed to be there still, unless the seat shows another.
static void read_cards(const struct game_setup *setup, const struct observation *seen, struct known *k) {
    unsigned end = setup->seats * (unsigned)PLACES_EACH;
    memset(k, -1, sizeof *k);
    memset(k->left, 0, sizeof k->left);
    for (unsigned i = 0; i < setup->n_slots; i++)
        if (setup->slot_kind[i] >= KIND_IDENTITY && setup->slot_kind[i] < KIND_TOKEN)
            k->left[setup->slot_kind[i] - KIND_IDENTITY]++;
    for (unsigned i = 0; i < seen->n_items; i++) {
        int identity = identity_of(seen->item[i].kind);
        if (identity < 0)
            continue;
        take(k, identity);
        if (seen->item[i].place < end)
            k->seat[seen->item[i].place / PLACES_EACH] = (int8_t)identity;
    }
    for (unsigned i = 0; i < seen->n_facts; i++) {
        const struct observe_fact *fact = &seen->fact[i];
        if (!strcmp(fact->key, "saw") && (fact->seat < 0 || k->seat[fact->seat] < 0)) {
            take(k, identity_of(fact->kind));
            if (fact->seat >= 0)
                k->seat[fact->seat] = (int8_t)identity_of(fact->kind);
        } else if (!strcmp(fact->key, "answer_is_alien") && fact->seat >= 0) {
            k->asked[fact->seat] = (int8_t)fact->value;
        } else if (!strcmp(fact->key, "answer_is_identity") && fact->seat >= 0) {
            if (fact->value)
                k->seat[fact->seat] = (int8_t)identity_of(fact->kind);
            else
                k->not_that[fact->seat] = (int8_t)identity_of(fact->kind);
        }
    }
}

static void believe(const struct known *k, unsigned seat, int16_t ret[IDENTITY_KINDS]) {
    int weight[IDENTITY_KINDS], sum = 0;
    memset(ret, 0, IDENTITY_KINDS * sizeof *ret);
    if (k->seat[seat] >= 0) {
        ret[k->seat[seat]] = 1000;
        return;
    }
    for (unsigned i = 0; i < IDENTITY_KINDS; i++) {
        bool fits = k->asked[seat] < 0 || k->asked[seat] == alien_hunt__is_alien(i);
        weight[i] = fits && k->not_that[seat] != (int)i ? k->left[i] : 0;
        sum += weight[i];
    }
    for (unsigned i = 0; i < IDENTITY_KINDS && sum > 0; i++)
        ret[i] = (int16_t)(weight[i] * 1000 / sum);
}

// ---- tokens

static void read_tokens(const struct observation *seen, struct bot *ret) {
    bool known[SEATS_MOST] = {false};
    memset(ret->token, 0, sizeof ret->token);
    for (unsigned seat = 0; seat < SEATS_MOST; seat++)
        for (unsigned i = 0; i <= TOKENS_EACH; i++)
            ret->token[seat][i].at = AT_RESERVE;
    ret->laid = 0;
    for (unsigned i = 0; i < seen->n_facts; i++) {
        const struct observe_fact *fact = &seen->fact[i];
        if (strcmp(fact->key, "token") != 0)
            continue;
        struct bot_token *token = &ret->token[fact->seat][fact->value];
        token->at = (uint8_t)seat_of_place(fact->place);
        token->observation = 333;
        if (fact->kind)
            token->observation = strncmp(fact->kind, "observation", 11) == 0 ? 1000 : 0;
        known[fact->seat] |= token->observation == 1000;
        ret->laid++;
    }
    for (unsigned seat = 0; seat < SEATS_MOST; seat++)
        for (unsigned i = 1; i <= TOKENS_EACH; i++)
            if (known[seat] && ret->token[seat][i].observation == 333)
                ret->token[seat][i].observation = 0;
}

void alien_hunt__bot_read(const struct game_setup *setup, const struct observation *seen, struct bot *ret) {
    struct known k;
    ret->me = (unsigned)seen->audience;
    ret->seats = setup->seats;
    memset(ret->character, NONE, sizeof ret->character);
    for (unsigned i = 0; i < seen->n_items; i++)
        if (seen->item[i].place < ret->seats * PLACES_EACH && character_of(seen->item[i].kind) >= 0)
            ret->character[seen->item[i].place / PLACES_EACH] = (uint8_t)character_of(seen->item[i].kind);
    read_cards(setup, seen, &k);
    for (unsigned seat = 0; seat < SEATS_MOST; seat++)
        believe(&k, seat, ret->is[seat]);
    read_tokens(seen, ret);
}

// ---- what it is worth

bool alien_hunt__bot_is_sure(const struct bot *b, unsigned seat) {
    return b->is[seat][alien_hunt__bot_likeliest(b, seat)] >= 990;
}

unsigned alien_hunt__bot_likeliest(const struct bot *b, unsigned seat) {
    unsigned best = 0;
    for (unsigned i = 1; i < IDENTITY_KINDS; i++)
        if (b->is[seat][i] > b->is[seat][best])
            best = i;
    return best;
}

static int worth(unsigned identity, unsigned on) {
    const struct identity_row *row = &alien_hunt__identities[identity];
    return on == MAN_IN_BLACK ? row->on_black : alien_hunt__is_alien(on) ? row->on_alien : row->on_other;
}

int alien_hunt__bot_observation(const struct bot *b, unsigned owner, unsigned on) {
    int sum = 0;
    for (unsigned i = 0; i < IDENTITY_KINDS; i++)
        for (unsigned k = 0; b->is[owner][i] && k < IDENTITY_KINDS; k++)
            sum += b->is[owner][i] * b->is[on][k] / 1000 * worth(i, k);
    return sum / 10;
}

int alien_hunt__bot_stand(const struct bot *b) {
    int points[SEATS_MOST] = {0}, free[SEATS_MOST], others = 0;
    assert(b->seats > 1);
    for (unsigned seat = 0; seat < b->seats; seat++)
        free[seat] = 1000; // chance that no observation token lies here
    for (unsigned seat = 0; seat < b->seats; seat++)
        for (unsigned i = 1; i <= TOKENS_EACH; i++) {
            const struct bot_token *token = &b->token[seat][i];
            if (token->at >= b->seats)
                continue;
            points[seat] += token->observation * alien_hunt__bot_observation(b, seat, token->at) / 1000;
            points[token->at] += b->is[token->at][MYTHOMANIAC] / 10;
            free[token->at] = free[token->at] * (1000 - token->observation) / 1000;
        }
    for (unsigned seat = 0; seat < b->seats; seat++) {
        points[seat] += 3 * b->is[seat][ALIEN_INVADER] * free[seat] / 10000;
        others += seat != b->me ? points[seat] : 0;
    }
    return 4 * points[b->me] - 2 * others / (int)(b->seats - 1);
}
