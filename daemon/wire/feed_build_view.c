// The parts of a view.
#include "wire/feed_build__.h"
#include <assert.h>
#include <string.h>

_Static_assert((int)OBSERVE_OCCUPIED == (int)TABLED__V1__LEVEL__LEVEL_OCCUPIED &&
                   (int)OBSERVE_EMPTY == (int)TABLED__V1__LEVEL__LEVEL_EMPTY &&
                   (int)OBSERVE_FACE_DOWN == (int)TABLED__V1__FACE__FACE_DOWN &&
                   (int)OBSERVE_FACE_UP == (int)TABLED__V1__FACE__FACE_UP,
               "levels and faces are the same numbers on both sides");
_Static_assert((int)OBSERVE_DARK + 1 == (int)TABLED__V1__VEIL__VEIL_DARK &&
                   (int)OBSERVE_ENDED + 1 == (int)TABLED__V1__GAME_STATUS__GAME_STATUS_ENDED,
               "veils and statuses are one apart: 0 = unknown");

ProtobufCMessage *feed_build_game(struct feed_arena *arena, const struct feed_frame *frame,
                                  const struct observation *view) {
    Tabled__V1__Game *m = feed_build__take(arena, sizeof *m);
    *m = (Tabled__V1__Game)TABLED__V1__GAME__INIT;
    m->header = feed_build_header(arena, frame);
    m->status = (Tabled__V1__GameStatus)(view->status + 1);
    if (view->status == OBSERVE_IDLE)
        return &m->base;
    m->game = feed_build__text(arena, view->game);
    m->title = feed_build__text(arena, view->title);
    m->rules_rev = view->rules_rev;
    m->seats = view->seats;
    m->n_cards = feed_build__most(view->n_cards, sizeof view->cards / sizeof view->cards[0]);
    m->cards = feed_build__take(arena, m->n_cards * sizeof(char *));
    for (size_t i = 0; i < m->n_cards; i++)
        m->cards[i] = feed_build__text(arena, view->cards[i]);
    Tabled__V1__Option *items;
    m->n_options = feed_build__most(view->n_options, sizeof view->options / sizeof view->options[0]);
    FEED_BUILD_LIST__(arena, m->n_options, m->options, items);
    for (size_t i = 0; i < m->n_options; i++) {
        items[i] = (Tabled__V1__Option)TABLED__V1__OPTION__INIT;
        items[i].name = feed_build__text(arena, view->options[i].name);
        items[i].value = feed_build__text(arena, view->options[i].value);
    }
    m->started_at = feed_build__time(arena, view->started_at_us);
    return &m->base;
}

ProtobufCMessage *feed_build_phase(struct feed_arena *arena, const struct feed_frame *frame,
                                   const struct observation *view) {
    const struct observe_phase *from = &view->phase;
    Tabled__V1__Phase *m = feed_build__take(arena, sizeof *m);
    *m = (Tabled__V1__Phase)TABLED__V1__PHASE__INIT;
    m->header = feed_build_header(arena, frame);
    if (from->id == NULL)
        return &m->base;
    m->n = from->n;
    m->id = feed_build__text(arena, from->id);
    m->round = from->round;
    m->veil = (Tabled__V1__Veil)(from->veil + 1);
    m->step = feed_build__text(arena, from->step);
    m->step_index = from->step_index;
    m->steps = from->steps;
    m->turn = feed_build__take(arena, OBSERVE_SEATS_MAX * sizeof(char *));
    for (int seat = 0; seat < OBSERVE_SEATS_MAX; seat++)
        if (from->turn >> seat & 1)
            m->turn[m->n_turn++] = (char *)feed_build__seat(seat);
    m->limit_ms = from->limit_ms;
    m->starts_at = feed_build__time(arena, from->starts_at_us);
    m->deadline = feed_build__time(arena, from->deadline_us);
    m->paused = from->paused;
    m->pause_reason = feed_build__text(arena, from->pause_reason);
    return &m->base;
}

// Items of a view come in any order; each place gets its own in the order they came.
static void build_items(struct feed_arena *arena, const struct observation *view, Tabled__V1__Place *places,
                        size_t n_places) {
    size_t n = feed_build__most(view->n_items, OBSERVE_ITEMS_MAX);
    for (size_t i = 0; i < n; i++)
        if (view->item[i].place < n_places)
            places[view->item[i].place].n_items++;
    Tabled__V1__Item **list, *items;
    FEED_BUILD_LIST__(arena, n, list, items);
    for (size_t i = 0; i < n_places; i++) {
        places[i].items = places[i].n_items > 0 ? list : NULL;
        list += places[i].n_items;
        places[i].n_items = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const struct observe_item *from = &view->item[i];
        items[i] = (Tabled__V1__Item)TABLED__V1__ITEM__INIT;
        items[i].kind = feed_build__text(arena, from->kind);
        items[i].n = from->n;
        items[i].face = (Tabled__V1__Face)from->face;
        if (from->place < n_places)
            places[from->place].items[places[from->place].n_items++] = &items[i];
    }
}

ProtobufCMessage *feed_build_board(struct feed_arena *arena, const struct feed_frame *frame,
                                   const struct observation *view) {
    Tabled__V1__Board *m = feed_build__take(arena, sizeof *m);
    *m = (Tabled__V1__Board)TABLED__V1__BOARD__INIT;
    m->header = feed_build_header(arena, frame);
    m->n_places = feed_build__most(view->n_places, OBSERVE_PLACES_MAX);
    Tabled__V1__Place *items;
    FEED_BUILD_LIST__(arena, m->n_places, m->places, items);
    for (size_t i = 0; i < m->n_places; i++) {
        const struct observe_place *from = &view->place[i];
        items[i] = (Tabled__V1__Place)TABLED__V1__PLACE__INIT;
        items[i].name = feed_build__text(arena, from->name);
        items[i].level = (Tabled__V1__Level)from->level;
        items[i].sensed = from->sensed;
        items[i].x = from->x;
        items[i].y = from->y;
        items[i].seat = (char *)feed_build__seat(from->seat);
    }
    build_items(arena, view, items, m->n_places);
    m->position = feed_build__text(arena, view->position);
    return &m->base;
}

ProtobufCMessage *feed_build_seats(struct feed_arena *arena, const struct feed_frame *frame,
                                   const struct observation *view) {
    Tabled__V1__Seats *m = feed_build__take(arena, sizeof *m);
    *m = (Tabled__V1__Seats)TABLED__V1__SEATS__INIT;
    m->header = feed_build_header(arena, frame);
    m->n_seats = feed_build__most(view->seats, OBSERVE_SEATS_MAX);
    Tabled__V1__Seat *items;
    FEED_BUILD_LIST__(arena, m->n_seats, m->seats, items);
    for (size_t i = 0; i < m->n_seats; i++) {
        items[i] = (Tabled__V1__Seat)TABLED__V1__SEAT__INIT;
        items[i].seat = (char *)feed_build__seat((int)i);
        items[i].label = feed_build__text(arena, view->seat[i].label);
        items[i].present = view->seat[i].present;
        items[i].acted = view->seat[i].acted;
        items[i].alive = view->seat[i].alive;
        items[i].bot = view->seat[i].bot;
    }
    m->n_counters = feed_build__most(view->n_counters, OBSERVE_COUNTERS_MAX);
    Tabled__V1__Counter *counters;
    FEED_BUILD_LIST__(arena, m->n_counters, m->counters, counters);
    for (size_t i = 0; i < m->n_counters; i++) {
        counters[i] = (Tabled__V1__Counter)TABLED__V1__COUNTER__INIT;
        counters[i].name = feed_build__text(arena, view->counter[i].name);
        counters[i].seat = (char *)feed_build__seat(view->counter[i].seat);
        counters[i].value = view->counter[i].value;
    }
    return &m->base;
}

ProtobufCMessage *feed_build_violations(struct feed_arena *arena, const struct feed_frame *frame,
                                        const struct observation *view) {
    Tabled__V1__Violations *m = feed_build__take(arena, sizeof *m);
    *m = (Tabled__V1__Violations)TABLED__V1__VIOLATIONS__INIT;
    m->header = feed_build_header(arena, frame);
    m->n_violations = feed_build__violations(arena, view->n_violations, view->violation, &m->violations);
    m->n_choices = feed_build__choices(arena, view->choice, &m->choices);
    m->n_prompt = feed_build__repairs(arena, view->n_prompts, view->prompt, &m->prompt);
    return &m->base;
}

size_t feed_build_facts(struct feed_arena *arena, const struct observation *view, Tabled__V1__Fact ***ret) {
    Tabled__V1__Fact **list, *items;
    size_t n = feed_build__most(view->n_facts, OBSERVE_FACTS_MAX);
    FEED_BUILD_LIST__(arena, n, list, items);
    for (size_t i = 0; i < n; i++) {
        items[i] = (Tabled__V1__Fact)TABLED__V1__FACT__INIT;
        items[i].key = feed_build__text(arena, view->fact[i].key);
        items[i].seat = (char *)feed_build__seat(view->fact[i].seat);
        items[i].place = feed_build__text(arena, view->fact[i].place);
        items[i].kind = feed_build__text(arena, view->fact[i].kind);
        items[i].value = view->fact[i].value;
    }
    *ret = n > 0 ? list : NULL;
    return n;
}

// Blank-separated words into a list.
static size_t build_words(struct feed_arena *arena, const char *words, char ***ret) {
    size_t len = strlen(words), n = 0;
    char *copy = feed_build__take(arena, len + 1), *rest = copy;
    memcpy(copy, words, len + 1);
    *ret = feed_build__take(arena, (len / 2 + 1) * sizeof(char *));
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (*word != '\0')
            (*ret)[n++] = feed_build__text(arena, word);
    return n;
}

static void build_story(struct feed_arena *arena, const struct observation *view, Tabled__V1__Result *m) {
    Tabled__V1__Story *items;
    m->n_story = view->story != NULL ? feed_build__most(view->n_story, OBSERVE_STORY_MAX) : 0;
    FEED_BUILD_LIST__(arena, m->n_story, m->story, items);
    for (size_t i = 0; i < m->n_story; i++) {
        const struct observe_story *from = &view->story[i];
        items[i] = (Tabled__V1__Story)TABLED__V1__STORY__INIT;
        items[i].step = feed_build__text(arena, from->step);
        items[i].phase = feed_build__text(arena, from->phase);
        items[i].by = feed_build__text(arena, from->by);
        items[i].text = feed_build__text(arena, from->text);
        items[i].n_flags = build_words(arena, from->flags, &items[i].flags);
    }
}

static void build_seat_results(struct feed_arena *arena, const struct observation *view,
                               Tabled__V1__Result *m) {
    const struct observe_result *from = &view->result;
    Tabled__V1__SeatResult *items;
    m->n_seats = feed_build__most(view->seats, OBSERVE_SEATS_MAX);
    FEED_BUILD_LIST__(arena, m->n_seats, m->seats, items);
    for (size_t i = 0; i < m->n_seats; i++) {
        items[i] = (Tabled__V1__SeatResult)TABLED__V1__SEAT_RESULT__INIT;
        items[i].seat = (char *)feed_build__seat((int)i);
        items[i].role = feed_build__text(arena, from->seats[i].role);
        items[i].team = feed_build__text(arena, from->seats[i].team);
        items[i].won = from->winners >> i & 1;
        items[i].dead = from->dead >> i & 1;
        items[i].score = from->score[i];
    }
}

// Before the game is over nothing but `over: false` is written, whatever the rest of the structure holds.
ProtobufCMessage *feed_build_result(struct feed_arena *arena, const struct feed_frame *frame,
                                    const struct observation *view) {
    const struct observe_result *from = &view->result;
    Tabled__V1__Result *m = feed_build__take(arena, sizeof *m);
    *m = (Tabled__V1__Result)TABLED__V1__RESULT__INIT;
    m->header = feed_build_header(arena, frame);
    m->over = from->over;
    if (!from->over)
        return &m->base;
    Tabled__V1__Team *teams;
    m->n_teams = feed_build__most(from->n_teams, OBSERVE_TEAMS_MAX);
    FEED_BUILD_LIST__(arena, m->n_teams, m->teams, teams);
    for (size_t i = 0; i < m->n_teams; i++) {
        teams[i] = (Tabled__V1__Team)TABLED__V1__TEAM__INIT;
        teams[i].name = feed_build__text(arena, from->teams[i].name);
        teams[i].won = from->teams[i].won;
        teams[i].score = from->teams[i].score;
    }
    build_seat_results(arena, view, m);
    m->reason = feed_build__text(arena, from->reason);
    build_story(arena, view, m);
    m->n_facts = feed_build_facts(arena, view, &m->facts);
    return &m->base;
}
