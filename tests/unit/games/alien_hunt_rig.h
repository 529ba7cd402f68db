// An Alien Hunt game for tests: dealt by names.
#pragma once
#include "games/alien_hunt/alien_hunt.h"

#define RIG_GAME alien_hunt_game
#define RIG_STATE struct alien_hunt
#include "unit/games/game_rig.h"

// Characters as listed in the set-up, seat by seat.
static inline void rig_characters(struct rig *rig) {
    char line[64];
    for (unsigned seat = 0; seat < rig->setup.seats; seat++) {
        snprintf(line, sizeof line, "chance character seat=s%u card=%s", seat + 1,
                 alien_hunt__kinds[rig->setup.cards[seat]].id);
        rig_act(rig, line);
    }
}

// Identities by name for the seats and then the centre; missing ones are any that are left.
static inline void rig_identities(struct rig *rig, const char *names) {
    char copy[400], line[80], *rest = NULL;
    unsigned places = rig->setup.seats + (unsigned)CENTRE_CARDS;
    bool used[IDENTITY_CARDS] = {false};
    snprintf(copy, sizeof copy, "%s", names);
    char *name = strtok_r(copy, " ", &rest);
    for (unsigned i = 0; i < places; i++) {
        unsigned card = 0;
        while (
            card < rig->state.g.n_identities &&
            (used[card] ||
             (name && strcmp(alien_hunt__kinds[KIND_IDENTITY + rig->state.g.identity[card]].id, name) != 0)))
            card++;
        assert_true(card < rig->state.g.n_identities);
        used[card] = true;
        const char *place =
            i < rig->setup.seats
                ? alien_hunt__place_name(i, PLACE_IDENTITY)
                : alien_hunt__centre_name((enum centre_row)(CENTRE_UNDEALT + i - rig->setup.seats));
        snprintf(line, sizeof line, "chance deal to=%s card=%u", place, alien_hunt__identity_slot(card));
        rig_act(rig, line);
        name = name ? strtok_r(NULL, " ", &rest) : NULL;
    }
}

static inline void rig_deal(struct rig *rig, unsigned seats, const char *cards, const char *options,
                            const char *identities) {
    rig_begin(rig, seats, cards, options);
    rig_characters(rig);
    rig_identities(rig, identities);
}

static inline void rig_see(const struct rig *rig, int audience, struct observation *ret) {
    memset(ret, 0, sizeof *ret);
    ret->audience = audience;
    alien_hunt_game.observe(&rig->state, ret);
}
static inline const struct observe_fact *rig_fact(const struct observation *seen, const char *key, int seat) {
    for (unsigned i = 0; i < seen->n_facts; i++)
        if (!strcmp(seen->fact[i].key, key) && (seat == -2 || seen->fact[i].seat == seat))
            return &seen->fact[i];
    return NULL;
}
