// The one way out: observations, made from the announced position alone; in the dark from the state and board
// the dark began with (design 2, law 3; 5.4).
#include "engine/table__.h"
#include <stdio.h>
#include <string.h>

int64_t table__wall(const struct table *t, int64_t mono_us) {
    return mono_us + t->door->wall_offset_us;
}

// ---- actions in words

static void copy_word(char *to, size_t cap, const char *from, size_t len) {
    if (len >= cap)
        len = cap - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

// The line `s2 swap a=s2 b=s4` taken apart: words are made in one place only.
void table__action_words(const struct table__game *g, const void *state, int by, game_action action,
                         struct observe_action *ret) {
    static const char *const actors[] = {"table", "timer", "chance"};
    static const char *const seats[] = {"s1", "s2",  "s3",  "s4",  "s5",  "s6",  "s7",  "s8",
                                        "s9", "s10", "s11", "s12", "s13", "s14", "s15", "s16"};
    struct game_act act;
    g->game->decode(state, by, action, &act);
    game_action_text(&g->words, state, by, action, ret->text);
    ret->notation[0] = '\0';
    if (g->game->short_write && !g->game->short_write(state, by, action, ret->notation))
        ret->notation[0] = '\0';
    ret->by = by >= 0 ? seats[by] : actors[by - GAME_BY_TABLE];
    ret->verb = g->game->verbs[act.verb].name;
    ret->n_args = 0;
    const struct game_arg_row *rows = g->game->verbs[act.verb].args;
    for (const char *at = strchr(ret->text, ' '); at && ret->n_args < OBSERVE_ARGS_MAX;) {
        const char *word = at + 1, *end = word + strcspn(word, " "),
                   *equals = memchr(word, '=', (size_t)(end - word));
        for (unsigned i = 0; equals && i < GAME_ARGS_MAX && rows[i].name; i++) {
            if (strlen(rows[i].name) != (size_t)(equals - word) ||
                strncmp(rows[i].name, word, (size_t)(equals - word)) != 0)
                continue;
            struct observe_arg *arg = &ret->args[ret->n_args++];
            arg->name = rows[i].name;
            copy_word(arg->value, sizeof arg->value, equals + 1, (size_t)(end - equals - 1));
            break;
        }
        at = *end ? end : NULL;
    }
}

// ---- the parts

static void put_phase(struct table *t, const struct table__game *g, struct observe_phase *ret) {
    const struct table__position *p = &g->announced;
    const struct game_phase_row *row = &g->game->phases[p->phase.id];
    *ret = (struct observe_phase){.n = p->phase_n,
                                  .id = row->id,
                                  .round = p->phase.round,
                                  .veil = p->phase.over || p->ended ? OBSERVE_OPEN : row->veil,
                                  .starts_at_us = table__wall(t, p->from_us),
                                  .paused = p->paused,
                                  .pause_reason = p->paused ? table__pause_name(p->reason) : NULL};
    if (p->dark) {
        const struct game_step *step = &g->script.step[p->step < g->script.n ? p->step : 0];
        ret->step = step->id;
        ret->step_index = p->step;
        ret->steps = g->script.n;
        ret->limit_ms = step->length_ms;
        if (!p->paused)
            ret->deadline_us = ret->starts_at_us + step->length_ms * INT64_C(1000);
        return;
    }
    if (p->phase.over || p->ended)
        return;
    ret->turn = p->phase.turn;
    ret->limit_ms = p->limit_ms;
    ret->deadline_us = p->deadline_us ? table__wall(t, p->deadline_us) : 0;
}

void table__put_setup(const struct table__game *g, struct observation *ret) {
    const struct game *game = g->game;
    ret->n_cards = 0;
    for (unsigned i = 0; i < g->setup.n_cards; i++)
        ret->cards[ret->n_cards++] = game->kinds[g->setup.cards[i]].id;
    ret->n_options = 0;
    for (unsigned i = 0; game->options && game->options[i].name; i++) {
        const struct game_option *row = &game->options[i];
        struct observe_option *option = &ret->options[ret->n_options++];
        option->name = row->name;
        int value = g->setup.options[i];
        const char *word = row->type == GAME_OPTION_CHOICE ? row->choices : NULL;
        for (int skip = value; word && skip > 0; skip--)
            word = strchr(word, ' ') ? strchr(word, ' ') + 1 : NULL;
        if (word)
            copy_word(option->value, sizeof option->value, word, strcspn(word, " "));
        else if (row->type == GAME_OPTION_BOOL)
            snprintf(option->value, sizeof option->value, "%s", value ? "yes" : "no");
        else
            snprintf(option->value, sizeof option->value, "%d", value);
    }
}

static void put_places(struct table *t, struct table__game *g, struct observation *ret) {
    uint8_t live[GAME_PLACES_MAX];
    const uint8_t *level = g->frozen_level;
    if (!g->announced.dark) {
        table__levels(t, g, live);
        level = live;
    }
    ret->n_places = g->places.n;
    for (game_place p = 0; p < g->places.n; p++) {
        const struct game_place_row *row = &g->places.row[p];
        ret->place[p] =
            (struct observe_place){row->name, level[p], g->sensed[p] > 0, row->x, row->y, row->seat};
    }
}

// Without a game the pads themselves are shown, drawn to scale.
static void put_pads(const struct table *t, struct observation *ret) {
    int low_x = INT16_MAX, low_y = INT16_MAX, high_x = INT16_MIN, high_y = INT16_MIN;
    for (unsigned i = 0; i < board_pads(t->board); i++) {
        const struct board_pad_options *pad = board_pad(t->board, i);
        low_x = pad->x_mm < low_x ? pad->x_mm : low_x;
        low_y = pad->y_mm < low_y ? pad->y_mm : low_y;
        high_x = pad->x_mm > high_x ? pad->x_mm : high_x;
        high_y = pad->y_mm > high_y ? pad->y_mm : high_y;
    }
    int box = high_x - low_x > high_y - low_y ? high_x - low_x : high_y - low_y;
    ret->n_places = 0;
    for (unsigned i = 0; i < board_pads(t->board); i++) {
        const struct board_pad_options *pad = board_pad(t->board, i);
        if (pad->kind == BOARD_PAD_TAP)
            continue;
        ret->place[ret->n_places++] =
            (struct observe_place){.name = pad->name,
                                   .level = table__pad_level(t, i),
                                   .sensed = true,
                                   .x = (int16_t)(box > 0 ? (pad->x_mm - low_x) * 1000 / box : 0),
                                   .y = (int16_t)(box > 0 ? (pad->y_mm - low_y) * 1000 / box : 0),
                                   .seat = -1};
    }
}

static void clear_shared(struct observation *ret) {
    ret->n_cards = ret->n_options = ret->n_places = 0;
    ret->game = ret->title = NULL;
    ret->game_id[0] = '\0';
    ret->rules_rev = 0;
    ret->seats = 0;
    ret->started_at_us = 0;
    memset(&ret->phase, 0, sizeof ret->phase);
}

static void clear_own(struct observation *ret) {
    ret->n_items = ret->n_counters = ret->n_facts = 0;
    ret->n_violations = ret->n_prompts = 0;
    ret->n_story = 0;
    ret->position[0] = '\0';
    ret->violation = NULL;
    ret->prompt = NULL;
    ret->choice = NULL;
    ret->story = NULL;
    memset(ret->seat, 0, sizeof ret->seat);
    memset(&ret->result, 0, sizeof ret->result);
}

// Options of a choice go to those who may know of all of them.
bool table__sees_choice(const struct table *t, const struct table__game *g, int audience) {
    enum observe_veil veil = g->game->phases[g->announced.phase.id].veil;
    bool public = true, own = audience >= 0 && t->n_options > 0;
    for (unsigned i = 0; i < t->n_options; i++) {
        struct game_act act;
        g->game->decode(g->ahead.state, g->choice_action[i].by, g->choice_action[i].action, &act);
        public = public && table__is_public(g, veil, &act);
        own = own && g->choice_action[i].by == audience;
    }
    return own || (public && veil == OBSERVE_OPEN);
}

static void put_wrongs(struct table *t, struct table__game *g, int audience, struct observation *ret) {
    if (g->announced.dark)
        return;
    ret->n_violations = t->n_violations;
    ret->violation = t->violation;
    ret->n_prompts = t->n_prompts;
    ret->prompt = t->prompt;
    if (!t->choice_shown)
        return;
    ret->choice = table__sees_choice(t, g, audience) ? &g->choice : t->veiled;
    if (ret->choice == t->veiled) {
        t->veiled->id = g->choice.id;
        memcpy(t->veiled->by, g->choice.by, sizeof t->veiled->by);
    }
}

static void put_seats(struct table__game *g, struct observation *ret) {
    for (int seat = 0; seat < g->setup.seats; seat++) {
        struct observe_seat *row = &ret->seat[seat];
        g->game->seat_label(&g->setup, seat, row->label);
        row->present = row->alive = true;
        row->bot = g->bots >> seat & 1;
    }
}

// A piece of hidden kind is no more than a place that is occupied. Where readers look their level tells that,
// and tells it when the piece is lifted too.
static void drop_hidden_items(struct observation *ret) {
    unsigned kept = 0;
    for (unsigned i = 0; i < ret->n_items; i++)
        if (ret->item[i].kind || ret->item[i].place >= ret->n_places ||
            !ret->place[ret->item[i].place].sensed)
            ret->item[kept++] = ret->item[i];
    ret->n_items = (uint16_t)kept;
}

enum observe_status table__status(const struct table *t) {
    if (!t->shown)
        return OBSERVE_IDLE;
    const struct table__position *p = &t->shown->announced;
    return p->phase.over || p->ended ? OBSERVE_ENDED : OBSERVE_RUNNING;
}

void table__view_shared(struct table *t, struct observation *ret) {
    struct table__game *g = t->shown;
    clear_shared(ret);
    ret->table = t->options.name;
    ret->status = table__status(t);
    if (!g) {
        put_pads(t, ret);
        return;
    }
    ret->game = g->game->id;
    ret->title = g->game->title;
    memcpy(ret->game_id, g->id, sizeof ret->game_id);
    ret->rules_rev = g->game->rules_rev;
    ret->seats = g->setup.seats;
    ret->started_at_us = g->started_us;
    table__put_setup(g, ret);
    put_phase(t, g, &ret->phase);
    put_places(t, g, ret);
}

void table__view_own(struct table *t, int audience, struct observation *ret) {
    struct table__game *g = t->shown;
    clear_own(ret);
    ret->audience = audience;
    ret->version = t->audience[audience < 0 ? GAME_SEATS_MAX : audience].version;
    if (!g)
        return;
    const struct table__position *p = &g->announced;
    put_seats(g, ret);
    put_wrongs(t, g, audience, ret);
    g->game->observe(p->dark ? g->frozen : p->state, ret);
    drop_hidden_items(ret);
    if (p->phase.over) {
        ret->n_story = g->n_story;
        ret->story = g->story;
    }
}

void table__view(struct table *t, int audience, struct observation *ret) {
    table__view_shared(t, ret);
    table__view_own(t, audience, ret);
}
