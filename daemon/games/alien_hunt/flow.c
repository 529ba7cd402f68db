// From phase to phase (section 6) and from round to round (section 9).
#include "games/alien_hunt/alien_hunt.h"
#include <string.h>

// A laid token is named by the first free number of its owner: everybody has seen the order.
void alien_hunt__lay(struct alien_hunt *g, unsigned token, unsigned to) {
    unsigned owner = alien_hunt__token_owner(token);
    if (g->order[token] == 0)
        for (unsigned n = 1; g->order[token] == 0; n++)
            if (alien_hunt__named(g, owner, n) < 0)
                g->order[token] = (uint8_t)n;
    g->at[token] = (uint8_t)to;
}

// ---- the deal

static void open_discussion(struct alien_hunt *g, struct game_notes *notes) {
    g->phase = PHASE_DISCUSSION;
    g->turn = NONE;
    g->laid = 0;
    g->talk_reminded = 0;
    game_note(notes, GAME_NOTE_SAY, LINE_DISCUSS, g->president, 0, 0, 0);
}

void alien_hunt__new_round(struct alien_hunt *g) {
    g->phase = PHASE_DEAL;
    g->round++;
    g->lap = g->three_step ? 1 : 0;
    g->turn = g->forced = g->forced_to = g->drawing = g->given_up = NONE;
    g->laid = g->used = g->shielded = g->revealed = g->touched = 0;
    g->discarded = 0;
    g->pending = 0;
    memset(g->card, NONE, sizeof g->card);
    memset(g->centre, NONE, sizeof g->centre);
    memset(g->ban, 0, sizeof g->ban);
    memset(g->at, AT_RESERVE, sizeof g->at);
    memset(g->order, 0, sizeof g->order);
    memset(g->delta, 0, sizeof g->delta);
    memset(g->round_points, 0, sizeof g->round_points);
    memset(g->saw, 0, sizeof g->saw);
    memset(g->shown, 0, sizeof g->shown);
    memset(g->peeked, 0, sizeof g->peeked);
    memset(g->asked, 0, sizeof g->asked);
    memset(g->look, 0, sizeof g->look);
    g->look_reminded = 0;
}

void alien_hunt__after_deal(struct alien_hunt *g, struct game_notes *notes) {
    bool characters = g->phase == PHASE_SETUP;
    for (unsigned seat = 0; seat < g->seats; seat++)
        if ((characters ? g->character[seat] : g->card[seat]) == NONE)
            return;
    for (unsigned i = 0; i < CENTRE_CARDS && !characters; i++)
        if (g->centre[i] == NONE)
            return;
    if (!characters) {
        open_discussion(g, notes);
        return;
    }
    for (unsigned seat = 0; seat < g->seats; seat++)
        if (g->character[seat] == PRESIDENT)
            g->president = (uint8_t)seat;
    if (g->keeps_pool)
        g->pool |= g->box;
    g->box = 0;
    g->phase = PHASE_DEAL;
    game_note(notes, GAME_NOTE_SAY, LINE_DEAL, 0, 0, 0, 0);
}

// ---- the alert

static bool is_last_lap(const struct alien_hunt *g) {
    return !g->three_step || g->lap == 3;
}

// Clockwise from the President, everybody is asked once.
static void ask_from(struct alien_hunt *g, unsigned first, struct game_notes *notes) {
    for (unsigned i = first; i < g->seats; i++) {
        unsigned seat = alien_hunt__clockwise(g, g->president, i);
        if (!alien_hunt__active[g->character[seat]] || g->used >> seat & 1)
            continue;
        g->turn = (uint8_t)seat;
        game_note(notes, GAME_NOTE_SAY, LINE_OFFER, (int)seat, 0, 0, 0);
        return;
    }
    g->phase = PHASE_ALERT_ASSIGN;
    g->turn = NONE;
    alien_hunt__next_place(g, notes);
}

void alien_hunt__declare(struct alien_hunt *g, struct game_notes *notes) {
    game_note(notes, GAME_NOTE_SAY, LINE_ALERT, 0, 0, 0, 0);
    g->turn = NONE;
    if (is_last_lap(g)) {
        g->phase = PHASE_ALERT_ABILITIES;
        ask_from(g, 0, notes);
    } else {
        g->phase = PHASE_ALERT_ASSIGN;
        alien_hunt__next_place(g, notes);
    }
}

void alien_hunt__next_ability(struct alien_hunt *g, struct game_notes *notes) {
    ask_from(g, (g->turn + g->seats - g->president) % g->seats + 1u, notes);
}

// Nobody who has placed all he can may place more later, so the search starts with the President each time.
void alien_hunt__next_place(struct alien_hunt *g, struct game_notes *notes) {
    unsigned before = g->turn;
    for (unsigned i = 0; i < g->seats; i++) {
        unsigned seat = alien_hunt__clockwise(g, g->president, i);
        if (!alien_hunt__can_place(g, seat) || (!is_last_lap(g) && g->laid >> seat & 1))
            continue;
        g->turn = (uint8_t)seat;
        if (seat != before)
            game_note(notes, GAME_NOTE_SAY, LINE_PLACE, (int)seat, 0, 0, 0);
        return;
    }
    if (is_last_lap(g)) {
        alien_hunt__reveal(g, notes);
        return;
    }
    g->lap++;
    open_discussion(g, notes);
}

// ---- the Presidency

// The old President draws before the given-up card joins the pool; without a pool the two exchange cards.
void alien_hunt__hand_on(struct alien_hunt *g, struct game_notes *notes) {
    unsigned old = g->president, new = alien_hunt__clockwise(g, old, g->seats - 1u);
    uint8_t given_up = g->character[new];
    g->character[new] = PRESIDENT;
    g->president = (uint8_t) new;
    game_note(notes, GAME_NOTE_SAY, LINE_PRESIDENT, (int)new, 0, 0, 0);
    if (g->pool) {
        g->character[old] = NONE;
        g->drawing = (uint8_t)old;
        g->given_up = given_up;
        return;
    }
    g->character[old] = given_up;
    alien_hunt__new_round(g);
    game_note(notes, GAME_NOTE_SAY, LINE_DEAL, 0, 0, 0, 0);
}

void alien_hunt__drawn(struct alien_hunt *g, unsigned character, struct game_notes *notes) {
    g->character[g->drawing] = (uint8_t)character;
    g->pool = (uint16_t)((g->pool & ~(1u << character)) | 1u << g->given_up);
    alien_hunt__new_round(g);
    game_note(notes, GAME_NOTE_SAY, LINE_DEAL, 0, 0, 0, 0);
}
