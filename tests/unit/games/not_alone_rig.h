// A game of Not Alone for tests: set up by options, moved by lines, with hands over it where a test wants
// them.
#pragma once
#include "core/rng.h"
#include "engine/referee.h"
#include "games/not_alone/not_alone.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

extern const struct game not_alone_game;

struct rig {
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct game_notes notes; // of the last action
    struct error err;
    struct not_alone s;
    // hands
    struct hands_track track;
    struct referee *referee;
    struct verdict verdict;
    int64_t now_us;
};

static inline bool rig_prepare(struct rig *rig, unsigned players, const char *options) {
    struct game_issues issues = {0};
    char copy[128], *rest = NULL;
    game_setup_default(&not_alone_game, players, &rig->setup);
    snprintf(copy, sizeof copy, "%s", options);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = 0;
        assert_int_equal(game_setup_option(&not_alone_game, &rig->setup, word, value, &rig->err), ERROR_OK);
    }
    return not_alone_game.prepare(&rig->setup, &issues, &rig->err) == ERROR_OK;
}

// Before the first draw.
static inline void rig_begin(struct rig *rig, unsigned players, const char *options) {
    memset(rig, 0, sizeof *rig);
    assert_true(rig_prepare(rig, players, options));
    not_alone_game.places(&rig->setup, &rig->places);
    rig->words = (struct game_words){&not_alone_game, &rig->setup, &rig->places};
    not_alone_game.init(&rig->s, &rig->setup);
}

static inline unsigned rig_hunt(const char *id) {
    for (unsigned card = 1; card < HUNT_END; card++)
        if (!strcmp(not_alone__hunt[card].id, id))
            return card;
    fail_msg("no Hunt card %s", id);
    return 0;
}
static inline unsigned rig_survival(const char *id) {
    for (unsigned card = 1; card < SURVIVAL_END; card++)
        if (!strcmp(not_alone__survival[card].id, id))
            return card;
    fail_msg("no Survival card %s", id);
    return 0;
}

// Draws the card named, or the lowest that may come.
static inline void rig_draw(struct rig *rig, const char *id) {
    game_action all[HUNTS], pick = 0;
    size_t n = not_alone_game.legal(&rig->s, GAME_BY_CHANCE, all, HUNTS);
    assert_true(n > 0 && n <= HUNTS);
    pick = all[0];
    for (size_t i = 0; id && i < n; i++) {
        struct not_alone_move m = not_alone__unpack(all[i]);
        const char *name = m.verb == VERB_DRAW_SURVIVAL ? not_alone__survival[m.card].id
                                                        : not_alone__hunt[m.card].id;
        if (!strcmp(name, id))
            pick = all[i];
    }
    assert_int_equal(game_act(&not_alone_game, &rig->s, GAME_BY_CHANCE, pick, &rig->notes, &rig->err),
                     ERROR_OK);
}
static inline void rig_draws(struct rig *rig) {
    while (not_alone__draws(&rig->s))
        rig_draw(rig, NULL);
}

// Hunt cards of the Creature and one Survival card each, by name: "despair virus clone", "dodge drone".
static inline void rig_start(struct rig *rig, unsigned players, const char *options, const char *hunt,
                             const char *survival) {
    char copy[2][128], *rest[2] = {NULL, NULL};
    snprintf(copy[0], sizeof copy[0], "%s", hunt);
    snprintf(copy[1], sizeof copy[1], "%s", survival);
    rig_begin(rig, players, options);
    char *word[2] = {strtok_r(copy[0], " ", &rest[0]), strtok_r(copy[1], " ", &rest[1])};
    while (not_alone__draws(&rig->s)) {
        unsigned which = rig->s.refill ? 0 : 1;
        rig_draw(rig, word[which]);
        if (word[which])
            word[which] = strtok_r(NULL, " ", &rest[which]);
    }
}

static inline const char *rig_try(struct rig *rig, const char *line) {
    game_action action;
    int by;
    memset(&rig->err, 0, sizeof rig->err);
    rig->notes.n = 0;
    if (game_action_parse(&rig->words, &rig->s, line, &by, &action, &rig->err) != ERROR_OK)
        fail_msg("%s: %s", line, rig->err.text);
    enum error_code code = not_alone_game.apply(&rig->s, by, action, &rig->notes, &rig->err);
    return code == ERROR_OK ? "" : rig->err.rule;
}
static inline void rig_act(struct rig *rig, const char *line) {
    const char *rule = rig_try(rig, line);
    if (*rule)
        fail_msg("%s: %s", line, rule);
}
static inline void rig_acts(struct rig *rig, const char *lines) { // parted by ';'
    char copy[512], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", lines);
    for (char *line = strtok_r(copy, ";", &rest); line; line = strtok_r(NULL, ";", &rest))
        rig_act(rig, line + strspn(line, " "));
}
static inline void rig_refuses(struct rig *rig, const char *line, const char *rule) {
    struct not_alone before = rig->s;
    assert_string_equal(rig_try(rig, line), rule);
    assert_memory_equal(&before, &rig->s, sizeof before);
}

static inline const struct observation *rig_view(const struct rig *rig, int audience) {
    static struct observation views[2];
    static unsigned next;
    struct observation *ret = &views[next ^= 1];
    memset(ret, 0, sizeof *ret);
    ret->audience = audience;
    not_alone_game.observe(&rig->s, ret);
    return ret;
}
static inline unsigned rig_facts(const struct observation *view, const char *key, int seat) {
    unsigned n = 0;
    for (unsigned i = 0; i < view->n_facts; i++)
        n += !strcmp(view->fact[i].key, key) && view->fact[i].seat == seat;
    return n;
}
static inline bool rig_noted(const struct rig *rig, unsigned line) {
    for (unsigned i = 0; i < rig->notes.n; i++)
        if (rig->notes.note[i].line == line)
            return true;
    return false;
}

// ---- hands: every place has a pad

static inline void rig_state(struct rig *rig) {
    referee_state(rig->referee, &not_alone_game, &rig->setup, &rig->places, &rig->s);
}
static inline void rig_drop(struct rig *rig, game_place place, game_slot slot) {
    hands_placed(&rig->track, place, slot, GAME_FACE_ANY, rig->now_us, rig->now_us);
    rig->now_us += 100000;
}
static inline void rig_lift(struct rig *rig, game_place place, game_slot slot) {
    hands_removed(&rig->track, place, slot, rig->now_us, rig->now_us);
    rig->now_us += 100000;
}
static inline void rig_wait(struct rig *rig, int64_t ms) {
    rig->now_us += ms * 1000;
    hands_age(&rig->track, rig->now_us);
}
// All pieces lie as the state wants them.
static inline void rig_hands(struct rig *rig) {
    static struct game_layout layout;
    uint8_t laid[GAME_SLOTS_MAX] = {0};
    if (!rig->referee)
        assert_int_equal(referee_create(&rig->referee, &rig->err), ERROR_OK);
    hands_init(&rig->track, rig->places.n, rig->setup.n_slots);
    for (game_place p = 0; p < rig->places.n; p++)
        hands_sense(&rig->track, p, HANDS_KNOWN);
    rig->now_us = 1000000;
    game_layout_clear(&layout);
    not_alone_game.layout(&rig->s, &layout);
    for (unsigned i = 0; i < layout.n_items; i++) {
        const struct game_item *item = &layout.item[i];
        for (unsigned n = item->n, slot = 0; n > 0 && slot < rig->setup.n_slots; slot++)
            if (rig->setup.slot_kind[slot] == item->what && !laid[slot]) {
                laid[slot] = 1;
                rig_drop(rig, item->place, (game_slot)slot);
                n--;
            }
        if (item->n == 0)
            rig_drop(rig, item->place, item->what);
    }
    hands_accept(&rig->track);
    rig_state(rig);
}
static inline void rig_end_hands(struct rig *rig) {
    referee_destroy(rig->referee);
    rig->referee = NULL;
}
static inline enum verdict_type rig_judge(struct rig *rig) {
    referee_judge(rig->referee, &rig->track.now, &rig->verdict);
    return rig->verdict.type;
}
// The hands mean this one line; it is played, and the hands are taken as they lie.
static inline void rig_means(struct rig *rig, const char *line) {
    char text[GAME_TEXT_MAX];
    if (rig_judge(rig) != VERDICT_EXPLAINED || rig->verdict.n_actions != 1)
        fail_msg("%s: verdict %d, %s", line, rig->verdict.type, rig->verdict.rule);
    const struct verdict_action *a = &rig->verdict.action[0];
    game_action_text(&rig->words, &rig->s, a->by, a->action, text);
    assert_string_equal(text, line);
    assert_int_equal(not_alone_game.apply(&rig->s, a->by, a->action, &rig->notes, &rig->err), ERROR_OK);
    hands_accept(&rig->track);
    rig_state(rig);
}
static inline void rig_touches(struct rig *rig, unsigned seat) {
    game_slot slot = not_alone__number_slot(&rig->s, seat);
    rig_drop(rig, not_alone__ready_spot(seat), slot);
    rig_lift(rig, not_alone__ready_spot(seat), slot);
}
