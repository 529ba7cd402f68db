// How one phase leads to the next (elfenland.md 6).
#include "games/elfenland/elfenland.h"
#include <string.h>

static void say(struct game_notes *notes, unsigned line, int a, int b) {
    game_note(notes, GAME_NOTE_SAY, (uint16_t)line, a, b, 0, 0);
}
static uint8_t next_seat(const struct elfenland *g, unsigned seat) {
    return (uint8_t)((seat + 1) % g->seats);
}

static void begin_deal(struct elfenland *g, struct game_notes *notes) {
    g->phase = PHASE_DEAL;
    g->turn = g->start;
    g->lap = 1;
    memset(g->dealt, 0, sizeof g->dealt);
    say(notes, g->deal_8 ? LINE_deal_new : LINE_deal, 0, 0);
}

void elfenland__after_setup(struct elfenland *g, struct game_notes *notes) {
    bool done = g->start_town != NONE;
    unsigned shown = 0;
    for (unsigned seat = 0; seat < g->seats; seat++)
        done &= !g->hometown || g->home[seat] != NONE;
    for (unsigned c = 0; c < COUNTERS; c++)
        shown += g->counter[c] >= COUNTER_MARKET && g->counter[c] < COUNTER_MARKET + MARKET;
    if (done && shown == MARKET)
        begin_deal(g, notes);
}

unsigned elfenland__deal_target(const struct elfenland *g, unsigned seat) {
    return g->deal_8 ? HAND_MAX : HAND_MAX - (g->hand[seat] - g->dealt[seat]);
}

void elfenland__after_deal(struct elfenland *g, struct game_notes *notes) {
    for (unsigned seat = 0; seat < g->seats; seat++)
        if (g->dealt[seat] < elfenland__deal_target(g, seat))
            return;
    for (unsigned card = 0; card < CARDS; card++)
        if (g->card[card] >= CARD_DEALT)
            g->card[card] = (uint8_t)(g->card[card] - CARD_DEALT + CARD_HAND);
    g->phase = PHASE_SECRET_DRAW;
    g->turn = g->start;
    say(notes, LINE_secret, g->start, 0);
}

void elfenland__after_secret(struct elfenland *g, struct game_notes *notes) {
    g->turn = next_seat(g, g->turn);
    if (g->turn != g->start)
        return;
    g->phase = PHASE_DRAFT;
    g->lap = 1;
    say(notes, LINE_draft, g->turn, 0);
}

// ---- planning

static bool can_lay(const struct elfenland *g, unsigned seat) {
    return g->obstacle[seat] || elfenland__n_counters(g, seat) > 0;
}

static void begin_move(struct elfenland *g, struct game_notes *notes) {
    g->phase = PHASE_MOVE;
    g->passes = 0;
    g->turn = g->start;
    say(notes, LINE_move, g->turn, 0);
}

// Who has nothing to lay passes by rule; such passes count.
static void settle_turn(struct elfenland *g, struct game_notes *notes) {
    while (g->passes < g->seats && !can_lay(g, g->turn)) {
        say(notes, LINE_auto_pass, g->turn, 0);
        g->passes++;
        g->turn = next_seat(g, g->turn);
    }
    if (g->passes >= g->seats)
        begin_move(g, notes);
    else
        say(notes, LINE_plan, g->turn, 0);
}

void elfenland__after_draft(struct elfenland *g, struct game_notes *notes) {
    g->turn = next_seat(g, g->turn);
    if (g->turn == g->start)
        g->lap++;
    if (g->lap <= LAPS) {
        say(notes, LINE_draft, g->turn, 0);
        return;
    }
    g->phase = PHASE_PLAN;
    g->passes = 0;
    settle_turn(g, notes);
}

void elfenland__after_plan(struct elfenland *g, bool placed, struct game_notes *notes) {
    g->passes = placed ? 0 : (uint8_t)(g->passes + 1);
    if (g->passes >= g->seats) {
        begin_move(g, notes);
        return;
    }
    g->turn = next_seat(g, g->turn);
    settle_turn(g, notes);
}

// ---- the end of a round

static bool is_over(const struct elfenland *g) {
    if (g->round >= g->rounds)
        return true;
    for (unsigned seat = 0; seat < g->seats && g->early_end && !g->hometown; seat++)
        if (elfenland__pieces(g, seat) == elfenland__pieces_all(g))
            return true;
    return false;
}

void elfenland__after_move(struct elfenland *g, struct game_notes *notes) {
    g->turn = next_seat(g, g->turn);
    if (g->turn != g->start) {
        say(notes, LINE_move, g->turn, 0);
        return;
    }
    if (!is_over(g)) {
        g->phase = PHASE_FINISH_ROUND;
        say(notes, LINE_finish, g->turn, 0);
        return;
    }
    g->phase = PHASE_GAME_OVER;
    for (unsigned seat = 0; seat < g->seats; seat++)
        if (elfenland__rank(g, seat) == 1)
            say(notes, LINE_over, (int)seat, elfenland__score(g, seat));
}

static void clear_roads(struct elfenland *g) {
    for (unsigned c = 0; c < COUNTERS; c++)
        if (g->counter[c] == COUNTER_ROAD)
            g->counter[c] = COUNTER_PILE;
    memset(g->on_road, NONE, sizeof g->on_road);
    memset(g->obstacle_on, NONE, sizeof g->obstacle_on);
}

void elfenland__after_keep(struct elfenland *g, struct game_notes *notes) {
    for (unsigned card = 0; card < CARDS; card++)
        if (g->card[card] == CARD_DROPPED)
            g->card[card] = CARD_DISCARD;
    for (unsigned c = 0; c < COUNTERS; c++)
        if (g->counter[c] == COUNTER_GIVEN_UP || g->counter[c] == COUNTER_GIVEN_SECRET)
            g->counter[c] = COUNTER_PILE;
    g->turn = next_seat(g, g->turn);
    if (g->turn != g->start) {
        say(notes, LINE_finish, g->turn, 0);
        return;
    }
    clear_roads(g);
    g->round++;
    g->start = next_seat(g, g->start);
    say(notes, LINE_clear, g->round, g->start);
    begin_deal(g, notes);
}
