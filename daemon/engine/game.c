// Helpers that every game and every caller of games share: layouts, notes, proofs, look-up by name.
#include "engine/game.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- layouts

void game_layout_clear(struct game_layout *layout) {
    layout->n_items = 0;
    memset(layout->free, 0, sizeof layout->free);
}

void game_layout_free(struct game_layout *layout, game_place place) {
    assert(place < GAME_PLACES_MAX);
    layout->free[place / 64] |= UINT64_C(1) << place % 64;
}

// Games name places in ascending order nearly always, so the walk from the end is short.
static inline void insert_item(struct game_layout *layout, game_place place, uint16_t what, uint8_t n,
                               uint8_t face) {
    assert(place < GAME_PLACES_MAX && layout->n_items < GAME_ITEMS_MAX);
    struct game_item *at = &layout->item[layout->n_items++];
    for (; at > layout->item && at[-1].place > place; at--)
        at[0] = at[-1];
    *at = (struct game_item){.place = place, .what = what, .n = n, .face = face};
}

void game_layout_slot(struct game_layout *layout, game_place place, game_slot slot, enum game_face face) {
    assert(slot < GAME_SLOTS_MAX);
    insert_item(layout, place, slot, 0, (uint8_t)face);
}

void game_layout_kind(struct game_layout *layout, game_place place, game_kind kind, unsigned n,
                      enum game_face face) {
    assert(n <= UINT8_MAX);
    if (n > 0)
        insert_item(layout, place, kind, (uint8_t)n, (uint8_t)face);
}

// ---- notes and issues

void game_note(struct game_notes *notes, uint8_t flags, uint16_t line, int a, int b, int c, int d) {
    if (!notes)
        return;
    assert(notes->n < GAME_NOTES_MAX);
    notes->note[notes->n++] = (struct game_note){
        .line = line, .flags = flags, .arg = {(int16_t)a, (int16_t)b, (int16_t)c, (int16_t)d}};
}

// What does not fit is dropped, but an error takes the place of a warning: it must not be lost.
void game_issue(struct game_issues *issues, bool is_error, const char *code, const char *format, ...) {
    unsigned at = issues->n;
    if (at < GAME_ISSUES_MAX) {
        issues->n++;
    } else {
        for (at = 0; at < GAME_ISSUES_MAX && issues->issue[at].is_error; at++)
            ;
        if (!is_error || at == GAME_ISSUES_MAX)
            return;
    }
    struct game_issue *issue = &issues->issue[at];
    issue->is_error = is_error;
    snprintf(issue->code, sizeof issue->code, "%s", code);
    va_list args;
    va_start(args, format);
    vsnprintf(issue->text, sizeof issue->text, format, args);
    va_end(args);
}

// ---- proofs and the one caller of apply

void game_proof_of(const struct game *game, const void *state, int by, game_action action,
                   struct game_proof *ret) {
    ret->n_needed = ret->n_allowed = 0;
    game_layout_clear(&ret->layout);
    if (game->proof) {
        game->proof(state, by, action, ret);
        return;
    }
    _Alignas(16) unsigned char after[GAME_STATE_MAX];
    assert(game->state_size <= sizeof after);
    memcpy(after, state, game->state_size);
    game->apply(after, by, action, NULL, NULL);
    game->layout(after, &ret->layout);
}

static bool is_legal(const struct game *game, const void *state, int by, game_action action) {
    game_action legal[GAME_ACTIONS_MAX];
    size_t n = game->legal(state, by, legal, GAME_ACTIONS_MAX);
    assert(n <= GAME_ACTIONS_MAX);
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (legal[mid] < action)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && legal[low] == action;
}

enum error_code game_act(const struct game *game, void *state, int by, game_action action,
                         struct game_notes *notes, struct error *err) {
    if (notes)
        notes->n = 0;
    if (is_legal(game, state, by, action))
        return game->apply(state, by, action, notes, err);
    // The rule that is broken is known to apply alone; it is asked beside the state.
    _Alignas(16) unsigned char aside[GAME_STATE_MAX];
    assert(game->state_size <= sizeof aside);
    memcpy(aside, state, game->state_size);
    enum error_code code = game->apply(aside, by, action, NULL, err);
    return code != ERROR_OK ? code : error_illegal(err, "not_legal", "this is no legal action now");
}

// ---- look-up by name

game_kind game_kind_find(const struct game *game, const char *id) {
    for (game_kind k = 0; k < game->n_kinds; k++)
        if (!strcmp(game->kinds[k].id, id))
            return k;
    return GAME_NONE;
}

int game_option_find(const struct game *game, const char *name) {
    for (int i = 0; game->options && game->options[i].name; i++)
        if (!strcmp(game->options[i].name, name))
            return i;
    return -1;
}

int game_verb_find(const struct game *game, const char *name) {
    for (int i = 0; game->verbs && game->verbs[i].name; i++)
        if (!strcmp(game->verbs[i].name, name))
            return i;
    return -1;
}

game_place game_place_find(const struct game_places *places, const char *name) {
    for (game_place p = 0; p < places->n; p++)
        if (!strcmp(places->row[p].name, name))
            return p;
    return GAME_NONE;
}
