// Seats that the computer plays. A bot is shown what its seat may see of the announced position, thinks in a
// thread on a copy, and its move enters by the one door like anybody's.
#include "core/log.h"
#include "engine/table__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    AGAIN_US = 5000000, // a bot that rather waited is asked again after this time
    AGAIN_MOST = 720,
    IN_A_STEP = 4, // actions of a seat within one step of the dark
    IN_A_ROW = 256 // actions of bots alone within one phase; then anything legal
};

struct table__thought {
    struct worker_job job; // first member
    struct table *t;
    bool busy, stopped, dark, ok;
    const struct bot *bot;
    struct bot_ask ask;
    struct game_setup setup;
    struct game_action_list {
        game_action legal[GAME_ACTIONS_MAX];
    } list;
    struct observation view;
    game_action action;
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; // what it thinks about
    _Alignas(16) unsigned char night[GAME_STATE_MAX]; // dark: after what bots have posted in this step
    // The position it was asked about, and what has come of it.
    char game_id[17];
    uint32_t entries;
    uint16_t declined;
    uint8_t posted[GAME_SEATS_MAX];
    unsigned tries, in_a_row;
    uint8_t phase_id;
    uint16_t phase_round;
};

enum error_code table__bots_begin(struct table *t, struct error *err) {
    const struct worker_options options = {.name = "bots", .capacity = TABLE_TABLES_MAX};
    if (!t->door->thinker && worker_create(t->loop, &options, &t->door->thinker, err))
        return err->code;
    if (t->thought)
        return ERROR_OK;
    t->thought = aligned_alloc(16, (sizeof *t->thought + 15) / 16 * 16);
    if (!t->thought)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    memset(t->thought, 0, sizeof *t->thought);
    t->thought->t = t;
    return ERROR_OK;
}

void table__bots_stop(struct table *t) {
    loop_defer_cancel(t->loop, &t->think_call);
    loop_timer_stop(t->loop, &t->think_timer);
    if (t->thought)
        t->thought->stopped = true;
}

// ---- when

// Hands come first: while they carry out what was done, lie wrong, or a choice is open, bots wait.
static bool may_think(const struct table *t) {
    const struct table__game *g = t->game;
    if (!g || !g->bots || !t->thought || t->thought->busy || t->thought->stopped || g != t->shown ||
        !table__playing(t) || g->ahead.paused || t->storage_failed || t->ring_n)
        return false;
    if (table__dark(t))
        return g->ahead.dark && g->announced.dark && !t->closed;
    return !t->follow && !t->choice_open && !t->n_live;
}

static bool same_position(const struct table__thought *thought) {
    const struct table__game *g = thought->t->game;
    return g && thought->entries == g->n_entries && !strcmp(thought->game_id, g->id);
}

static void remember_position(struct table__thought *thought) {
    const struct table__game *g = thought->t->game;
    const struct game_phase *phase = &g->ahead.phase;
    if (same_position(thought))
        return;
    const struct table__entry *last = g->n_entries ? &g->entry[g->n_entries - 1] : NULL;
    if (strcmp(thought->game_id, g->id) != 0 || phase->id != thought->phase_id ||
        phase->round != thought->phase_round || (last && last->cause != TABLE__BOT))
        thought->in_a_row = 0;
    memcpy(thought->game_id, g->id, sizeof thought->game_id);
    thought->entries = g->n_entries;
    thought->phase_id = phase->id;
    thought->phase_round = phase->round;
    thought->declined = 0;
    thought->tries = 0;
    thought->dark = g->ahead.dark;
    memset(thought->posted, 0, sizeof thought->posted);
    if (thought->dark)
        memcpy(thought->night, g->ahead.state, g->game->state_size);
}

// ---- asking

static void run(struct worker_job *job) { // in the thread
    struct table__thought *thought = (struct table__thought *)job;
    thought->ok = bot_choose(thought->bot, &thought->ask, &thought->action);
}

static void done(struct worker_job *job);

// Of the dark a seat sees what it saw when it began.
static bool prepare(struct table__thought *thought, int seat) {
    struct table__game *g = thought->t->game;
    const void *state = thought->dark ? thought->night : g->ahead.state;
    size_t n = g->game->legal(state, seat, thought->list.legal, GAME_ACTIONS_MAX);
    if (!n)
        return false;
    thought->bot = &bot_any;
    if (thought->t->door->bot && thought->in_a_row < IN_A_ROW)
        thought->bot = thought->t->door->bot(g->game->id);
    thought->setup = g->setup;
    bot_view(g->game, &g->setup, thought->dark ? g->frozen : state, seat, &thought->view);
    bool open = thought->bot->open_information && !thought->dark;
    if (open)
        memcpy(thought->state, state, g->game->state_size);
    struct rng rng;
    rng_seed(&rng, g->seed ^ (0xd1342543de82ef95u * (g->n_entries + 1u)) ^
                       ((uint64_t)thought->tries << 8 | thought->posted[seat] << 4 | (unsigned)seat));
    thought->ask = (struct bot_ask){.game = g->game,
                                    .setup = &thought->setup,
                                    .view = &thought->view,
                                    .legal = thought->list.legal,
                                    .n = n < GAME_ACTIONS_MAX ? n : GAME_ACTIONS_MAX,
                                    .state = open ? thought->state : NULL,
                                    .budget_ms = BOT_BUDGET_MS,
                                    .dice = rng_next(&rng)};
    thought->job = (struct worker_job){.run = run, .done = done};
    return true;
}

static void ask_again(void *ctx) {
    struct table *t = ctx;
    if (t->thought)
        t->thought->declined = 0;
    table__bots(t);
}

static void ask(void *ctx) {
    struct table *t = ctx;
    struct table__thought *thought = t->thought;
    if (!may_think(t))
        return;
    remember_position(thought);
    unsigned asked = t->game->bots & t->game->ahead.phase.turn;
    for (int seat = 0; seat < t->game->setup.seats; seat++) {
        if (!(asked >> seat & 1) || thought->declined >> seat & 1)
            continue;
        if (prepare(thought, seat) && worker_submit(t->door->thinker, &thought->job)) {
            thought->busy = true;
            return;
        }
        thought->declined |= (uint16_t)(1u << seat);
    }
    if (!thought->dark && (thought->declined & asked) && !loop_timer_running(&t->think_timer) &&
        thought->tries++ < AGAIN_MOST)
        loop_timer_start(t->loop, &t->think_timer, table__now(t) + AGAIN_US, ask_again, t);
}

void table__bots(struct table *t) {
    if (may_think(t))
        loop_defer(t->loop, &t->think_call, ask, t);
}

// ---- the answer

// In the dark like what a seat posts: it counts at the close of the step, after hands.
static void post(struct table__thought *thought, int seat) {
    struct table *t = thought->t;
    struct error err;
    bool ok = thought->ok && thought->posted[seat]++ < IN_A_STEP &&
              !game_act(t->game->game, thought->night, seat, thought->action, NULL, &err);
    if (ok)
        table__dark_declare(t, seat, thought->action);
    else
        thought->declined |= (uint16_t)(1u << seat);
}

static void act(struct table__thought *thought, int seat) {
    struct table *t = thought->t;
    struct error err;
    struct table__act move = {
        .by = seat, .action = thought->action, .cause = TABLE__BOT, .kind = JOURNAL_ACT};
    thought->in_a_row++;
    if (thought->ok && !table_act(t, &move, &err))
        return;
    if (thought->ok && err.code != ERROR_BUSY)
        log_warning("table", "a bot's move was not accepted table=%s code=%s", t->options.name,
                    error_name(err.code));
    thought->declined |= (uint16_t)(1u << seat);
}

static void done(struct worker_job *job) {
    struct table__thought *thought = (struct table__thought *)job;
    struct table *t = thought->t;
    thought->busy = false;
    // Whatever has happened meanwhile, it is thought about anew.
    if (may_think(t) && same_position(thought)) {
        if (thought->dark)
            post(thought, thought->view.audience);
        else
            act(thought, thought->view.audience);
    }
    table__bots(t);
}
