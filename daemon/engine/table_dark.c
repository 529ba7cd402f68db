// The dark (design 5.4, 5.6; daemon/README.md). Whatever hands do, what goes out is the script and the clock.
#include "core/json.h"
#include "core/log.h"
#include "engine/table__.h"
#include <string.h>

enum { ACTS_MAX = 24 };

static uint32_t on_grid(const struct table *t, uint32_t ms) {
    uint64_t scaled = (uint64_t)ms * (uint64_t)t->options.timing.night_scale_percent / 100;
    uint64_t steps = (scaled + TABLE__GRID_MS / 2) / TABLE__GRID_MS;
    return (uint32_t)(steps ? steps : 1) * TABLE__GRID_MS;
}

// The script is taken once, from the state the dark begins with, and scaled for children or tests.
void table__take_script(struct table *t, struct table__game *g, const struct table__position *p) {
    g->script.n = 0;
    if (g->game->script)
        g->game->script(p->state, &g->script);
    memcpy(g->frozen, p->state, g->game->state_size);
    for (unsigned i = 0; i < g->script.n; i++) {
        struct game_step *step = &g->script.step[i];
        uint32_t full = step->length_ms ? step->length_ms : TABLE__GRID_MS;
        step->length_ms = on_grid(t, full);
        step->close_ms = (uint32_t)((uint64_t)step->close_ms * step->length_ms / full);
        for (unsigned k = 0; k < step->n_cues; k++)
            step->cue[k].at_ms = (uint32_t)((uint64_t)step->cue[k].at_ms * step->length_ms / full);
    }
}

static void put_script(struct json *j, const struct game_script *script) {
    json_key(j, "script");
    json_begin_array(j);
    for (unsigned i = 0; i < script->n; i++) {
        json_begin_object(j);
        json_key(j, "step");
        json_text(j, script->step[i].id);
        json_key(j, "ms");
        json_uint(j, script->step[i].length_ms);
        json_end_object(j);
    }
    json_end_array(j);
}

// ---- begin: one record with script and start time

enum error_code table__dark_begin(struct table *t, struct error *err) {
    struct table__game *g = t->game;
    table__take_script(t, g, &g->ahead);
    if (!g->script.n)
        return error_set(err, ERROR_INTERNAL, g->game->id, "a dark phase without a script");
    struct json j;
    json_begin(&j, t->door->body, sizeof t->door->body);
    json_begin_object(&j);
    json_key(&j, "index");
    json_uint(&j, 0);
    json_key(&j, "starts_us");
    json_int(&j, clock_wall_us(loop_clock(t->loop)));
    put_script(&j, &g->script);
    json_end_object(&j);
    json_end(&j);
    struct table__entry entry = {.prev = g->ahead.head, .kind = JOURNAL_STEP, .cause = TABLE__TIMER};
    if (table__append(t, &entry, "timer", t->door->body, false, err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, err))
        return err->code;
    table__out(t, true);
    t->n_declared = 0;
    t->closed = false;
    t->held = t->guests = 0;
    t->step_us = 0;
    return ERROR_OK;
}

// ---- hands close: 300 ms before the end of a step

static bool in_dark(const struct table *t) {
    return t->game->ahead.dark;
}

static void restate(struct table *t) {
    struct table__game *g = t->game;
    referee_state(t->referee, g->game, &g->setup, &g->places, g->ahead.state);
}

// When the pieces an action moved were first lifted and last landed.
static void movement(const struct table *t, const void *before, const void *after,
                     const struct referee_use *used, int64_t *ret_from, int64_t *ret_to) {
    const struct table__game *g = t->game;
    static struct game_layout a, b;
    game_layout_clear(&a);
    game_layout_clear(&b);
    g->game->layout(before, &a);
    g->game->layout(after, &b);
    *ret_from = INT64_MAX;
    *ret_to = INT64_MIN;
    for (unsigned i = 0, k = 0; i < b.n_items; i++) {
        while (k < a.n_items && a.item[k].place < b.item[i].place)
            k++;
        if (b.item[i].n ||
            (k < a.n_items && a.item[k].place == b.item[i].place && a.item[k].what == b.item[i].what))
            continue;
        const struct hands_slot *slot = &g->track.slot[b.item[i].what];
        if (slot->left_us < *ret_from)
            *ret_from = slot->left_us;
        if (slot->landed_us > *ret_to)
            *ret_to = slot->landed_us;
    }
    for (unsigned i = 0; i < g->track.now.n_visits; i++) {
        if (!(used->visit[i / 64] >> i % 64 & 1))
            continue;
        if (g->track.now.visit[i].from_us < *ret_from)
            *ret_from = g->track.now.visit[i].from_us;
        if (g->track.now.visit[i].to_us > *ret_to)
            *ret_to = g->track.now.visit[i].to_us;
    }
}

// Late: begun after the closing line, or landed after the step it belongs to. Early: over before its step
// began.
static unsigned timing(const struct table *t, int by, int64_t from_us, int64_t to_us) {
    const struct table__game *g = t->game;
    if (from_us == INT64_MAX)
        return 0;
    if (from_us < t->step_us && by >= 0 && (t->held >> by & 1))
        return TABLE__LATE | TABLE__CARRIED;
    if (to_us < t->step_us)
        return TABLE__EARLY;
    const struct game_step *step = &g->script.step[g->ahead.step];
    return step->close_ms && from_us >= t->step_us + step->close_ms * INT64_C(1000) ? TABLE__LATE : 0;
}

static bool act_in_dark(struct table *t, const struct verdict_action *action, unsigned flags,
                        enum table__cause cause) {
    struct error err;
    struct table__act act = {
        .by = action->by, .action = action->action, .cause = cause, .flags = flags, .kind = JOURNAL_ACT};
    if (table__act_silently(t, &act, true, &err))
        return false;
    restate(t);
    return true;
}

// What hands did, action by action, the best first (design 5.6): found on a copy, committed when the slips
// that came before are known.
struct plan {
    unsigned n;
    struct verdict_action action[ACTS_MAX];
    unsigned flags[ACTS_MAX];
};

static void take(struct referee_use *taken, const struct referee_use *used) {
    for (unsigned w = 0; w < HANDS_VISITS_MAX / 64; w++)
        taken->visit[w] |= used->visit[w];
}

static void make_plan(struct table *t, struct plan *plan, struct referee_use *taken) {
    struct table__game *g = t->game;
    struct referee_use used;
    struct game_phase phase;
    int64_t from, to;
    plan->n = 0;
    memcpy(g->copy, g->ahead.state, g->game->state_size);
    while (plan->n < ACTS_MAX) {
        struct verdict_action *best = &plan->action[plan->n];
        g->game->phase(g->copy, &phase);
        if (phase.over || g->game->phases[phase.id].veil != OBSERVE_DARK)
            break;
        referee_state(t->referee, g->game, &g->setup, &g->places, g->copy);
        memcpy(g->scratch, g->copy, g->game->state_size);
        if (!referee_best(t->referee, false, &g->track.now, taken, best, &used) ||
            g->game->apply(g->copy, best->by, best->action, NULL, NULL))
            break;
        movement(t, g->scratch, g->copy, &used, &from, &to);
        // A step is kept open for what is in the air, not for what begins after the next call.
        if (from >= t->step_us && from != INT64_MAX && best->by >= 0 && (t->guests >> best->by & 1)) {
            taken->without |= (uint16_t)(1u << best->by);
            memcpy(g->copy, g->scratch, g->game->state_size);
            continue;
        }
        plan->flags[plan->n++] = timing(t, best->by, from, to);
        take(taken, &used);
    }
    referee_state(t->referee, g->game, &g->setup, &g->places, g->copy);
}

// What fits none of the rules: the state follows the tiles, by `table` (ON3, ON8).
static void slips(struct table *t, const struct hands *hands, struct referee_use *taken) {
    struct verdict_action best;
    struct referee_use used;
    restate(t);
    for (unsigned n = 0;
         n < ACTS_MAX / 2 && in_dark(t) && referee_best(t->referee, true, hands, taken, &best, &used) &&
         act_in_dark(t, &best, TABLE__SLIP, TABLE__TAP);
         n++)
        take(taken, &used);
}

// The hands as if nothing had moved for good: what was done and put back before the actions came.
static const struct hands *hands_at_rest(struct table *t) {
    struct table__game *g = t->game;
    const struct hands *now = &g->track.now;
    static struct game_layout layout;
    g->before = *now;
    g->before.n_items = g->before.n_air = 0;
    game_layout_clear(&layout);
    g->game->layout(g->ahead.state, &layout);
    for (unsigned p = 0, k = 0, i = 0; p < g->places.n; p++) {
        unsigned first = k;
        bool slots = now->sense[p] == HANDS_KNOWN && !(layout.free[p / 64] >> p % 64 & 1);
        for (; k < layout.n_items && layout.item[k].place == p; k++)
            slots = slots && !layout.item[k].n;
        for (unsigned q = first; slots && q < k; q++)
            g->before.item[g->before.n_items++] =
                (struct hands_item){(game_place)p, layout.item[q].what, GAME_FACE_ANY};
        for (; i < now->n_items && now->item[i].place == p; i++)
            if (!slots)
                g->before.item[g->before.n_items++] = now->item[i];
    }
    return &g->before;
}

// Posted by a seat: judged now, with the same right as a movement (5.4).
static void take_declared(struct table *t) {
    for (unsigned i = 0; i < t->n_declared; i++) {
        struct verdict_action action = {t->declared[i].by, t->declared[i].action};
        act_in_dark(t, &action, TABLE__WAS_DECLARED, TABLE__REST);
    }
    t->n_declared = 0;
}

// The clock's way on: `hold` carries unfinished seats over, where the game has such a verb.
static bool timer_action(struct table *t, const void *state, bool hold, game_action *ret) {
    struct table__game *g = t->game;
    size_t n = g->game->legal(state, GAME_BY_TIMER, t->door->legal, GAME_ACTIONS_MAX);
    if (!n)
        return false;
    *ret = t->door->legal[0];
    for (size_t i = 0; hold && i < n && i < GAME_ACTIONS_MAX; i++) {
        struct game_act act;
        g->game->decode(state, GAME_BY_TIMER, t->door->legal[i], &act);
        if (!strcmp(g->game->verbs[act.verb].name, "hold"))
            *ret = t->door->legal[i];
    }
    return true;
}

// Seats whose mandatory action has not come.
static uint16_t missed(struct table *t) {
    struct table__game *g = t->game;
    uint16_t ret = 0;
    for (int seat = 0; seat < g->setup.seats; seat++) {
        if (!(g->ahead.phase.turn >> seat & 1))
            continue;
        size_t n = g->game->legal(g->ahead.state, seat, t->door->legal, GAME_ACTIONS_MAX);
        for (size_t i = 0; i < n && i < GAME_ACTIONS_MAX; i++) {
            struct game_act act;
            g->game->decode(g->ahead.state, seat, t->door->legal[i], &act);
            if (g->game->verbs[act.verb].flags & GAME_VERB_MUST)
                ret |= (uint16_t)(1u << seat);
        }
    }
    return ret;
}

// Does what the plan leaves belong to a step to come? A copy of the state is led there.
static bool belongs_later(struct table *t, const struct referee_use *taken) {
    struct table__game *g = t->game;
    struct game_phase phase;
    bool found = false;
    memcpy(g->scratch, g->copy, g->game->state_size);
    for (unsigned i = 0; !found && i < GAME_STEPS_MAX; i++) {
        game_action next;
        struct verdict_action best;
        struct referee_use used;
        struct error err;
        g->game->phase(g->scratch, &phase);
        if (phase.over || g->game->phases[phase.id].veil != OBSERVE_DARK)
            break;
        referee_state(t->referee, g->game, &g->setup, &g->places, g->scratch);
        found = referee_best(t->referee, false, &g->track.now, taken, &best, &used);
        if (!timer_action(t, g->scratch, false, &next) ||
            g->game->apply(g->scratch, GAME_BY_TIMER, next, NULL, &err))
            break;
    }
    referee_state(t->referee, g->game, &g->setup, &g->places, g->copy);
    return found;
}

static bool anything_left(struct table *t, const struct referee_use *taken) {
    const struct hands *hands = &t->game->track.now;
    for (unsigned i = 0; i < hands->n_visits; i++)
        if (!(taken->visit[i / 64] >> i % 64 & 1) && hands->visit[i].visit.type != GAME_CONTROL &&
            hands->visit[i].visit.type != GAME_TOUCH)
            return true;
    return referee_distance(t->referee, hands) > 0;
}

static const char *put_step(struct table *t, unsigned next, uint16_t missing, int64_t starts_us, bool acts,
                            game_action action) {
    struct table__game *g = t->game;
    char text[GAME_TEXT_MAX + 64];
    struct json j;
    json_begin(&j, t->door->body, sizeof t->door->body);
    json_begin_object(&j);
    json_key(&j, "index");
    json_uint(&j, next);
    json_key(&j, "missed");
    json_uint(&j, missing);
    json_key(&j, "starts_us");
    json_int(&j, table__wall(t, starts_us));
    if (acts) {
        size_t len = game_action_json(&g->words, g->ahead.state, GAME_BY_TIMER, action, text, sizeof text);
        json_key(&j, "action");
        json_raw(&j, text, len);
    }
    json_end_object(&j);
    json_end(&j);
    return t->door->body;
}

// Where the clock leads next, in the scratch state. False: nowhere.
static bool look_ahead(struct table *t, struct game_phase *ret) {
    struct table__game *g = t->game;
    game_action next;
    memcpy(g->scratch, g->ahead.state, g->game->state_size);
    if (!timer_action(t, g->scratch, false, &next) ||
        g->game->apply(g->scratch, GAME_BY_TIMER, next, NULL, NULL))
        return false;
    g->game->phase(g->scratch, ret);
    return true;
}

// Whom the next step calls.
static uint16_t called_next(struct table *t) {
    struct game_phase phase;
    return look_ahead(t, &phase) ? phase.turn : 0;
}

// The step after this one: a night in parts begins a new script with its round.
static unsigned next_step(const struct table *t, const void *after) {
    const struct table__game *g = t->game;
    struct game_phase phase;
    g->game->phase(after, &phase);
    bool anew = g->game->phases[phase.id].veil == OBSERVE_DARK &&
                (phase.id != g->ahead.phase.id || phase.round != g->ahead.phase.round);
    return anew ? 0 : g->ahead.step + 1u;
}

static void end_step(struct table *t, bool hold, int64_t boundary_us) {
    struct table__game *g = t->game;
    struct error err;
    uint16_t missing = hold ? 0 : missed(t), held = hold ? g->ahead.phase.turn : 0;
    uint16_t guests = hold ? held & (uint16_t)~called_next(t) : 0;
    game_action action = 0;
    bool acts = timer_action(t, g->ahead.state, hold, &action);
    struct game_notes notes = {0};
    memcpy(g->scratch, g->ahead.state, g->game->state_size);
    acts = acts && !game_act(g->game, g->scratch, GAME_BY_TIMER, action, &notes, &err);
    unsigned next = acts ? next_step(t, g->scratch) : g->ahead.step + 1u;
    struct table__entry entry = {.prev = g->ahead.head,
                                 .kind = JOURNAL_STEP,
                                 .by = GAME_BY_TIMER,
                                 .cause = TABLE__TIMER,
                                 .flags = acts ? TABLE__ACTS : 0,
                                 .step = (uint16_t)next,
                                 .missed = missing,
                                 .mono_us = boundary_us,
                                 .action = action};
    if (table__append(t, &entry, "timer", put_step(t, next, missing, boundary_us, acts, action), false,
                      &err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, &err)) {
        table__disk_failed(t);
        return;
    }
    struct table__out *out = table__out(t, true);
    out->not_before_us = boundary_us;
    out->notes = notes;
    t->held = held;
    t->guests = guests;
    restate(t);
}

// ret_air: a piece is on its way, so its step stays open for it.
static void judge_step(struct table *t, bool last, bool *ret_air) {
    struct table__game *g = t->game;
    struct referee_use taken = {0};
    struct plan plan;
    make_plan(t, &plan, &taken);
    *ret_air = g->track.now.n_air > 0 && !last;
    bool left = anything_left(t, &taken), waits = *ret_air || (left && !last && belongs_later(t, &taken));
    if (left && !waits)
        slips(t, hands_at_rest(t), &taken);
    restate(t);
    for (unsigned i = 0; i < plan.n; i++)
        act_in_dark(t, &plan.action[i], plan.flags[i], TABLE__TAP);
    take_declared(t);
    if (left && !waits)
        slips(t, &g->track.now, &taken);
    if (waits)
        hands_forget(&g->track, taken.visit);
    else
        table__hands_accept(t);
}

// Is it still dark after this step?
static bool stays_dark(struct table *t) {
    struct game_phase phase;
    return look_ahead(t, &phase) && !phase.over && t->game->game->phases[phase.id].veil == OBSERVE_DARK;
}

static void at_boundary(void *ctx) {
    table__release(ctx);
}

// How long it takes depends on what lies elsewhere: on a slow machine a log line would tell that much has
// moved.
static void close_hands(void *ctx) {
    struct table *t = ctx;
    struct table__game *g = t->game;
    struct error err;
    loop_untold(t->loop);
    if (!table__playing(t) || !g->ahead.dark || g->ahead.paused || t->closed)
        return;
    if (table__room(t, TABLE__CLOSE_RECORDS, 4, &err)) { // the disk is slow: the script will shift
        if (err.code == ERROR_BUSY)
            loop_timer_start(t->loop, &t->close_timer, table__now(t) + 10000, close_hands, t);
        return;
    }
    t->closed = true;
    int64_t end_us = t->step_us + g->script.step[g->ahead.step].length_ms * INT64_C(1000);
    bool last = !stays_dark(t), air;
    uint64_t before = t->n;
    table__record_binds(t, true, &err);
    hands_age(&g->track, table__now(t));
    judge_step(t, last, &air);
    end_step(t, air, end_us);
    while (in_dark(t) && !table__room(t, 4, 2, &err) && table__draw(t, false))
        ;
    t->close_n = t->n;
    t->close_records = (unsigned)(t->n - before);
    loop_timer_start(t->loop, &t->boundary_timer, end_us, at_boundary, t);
    table__release(t);
}

unsigned table__dark_pending(const struct table *t) {
    uint64_t left = t->close_n > t->durable_n ? t->close_n - t->durable_n : 0;
    return left < t->close_records ? (unsigned)left : t->close_records;
}

// ---- the clock of the dark

void table__dark_arm(struct table *t) {
    const struct table__game *g = t->game;
    loop_timer_stop(t->loop, &t->close_timer);
    if (!g->ahead.dark || g->ahead.paused || t->closed || !t->step_us || g->ahead.step >= g->script.n)
        return;
    int64_t length = g->script.step[g->ahead.step].length_ms * INT64_C(1000),
            early = TABLE__CLOSE_MS * INT64_C(1000);
    if (early > length / 2)
        early = length / 2; // shortened nights of tests
    loop_timer_start(t->loop, &t->close_timer, t->step_us + length - early, close_hands, t);
}

// A step has been announced: its time runs from here. Readers are spoken of now, and the night stops here if
// one is away.
void table__dark_announced(struct table *t, int64_t at_us) {
    struct table__game *g = t->game;
    struct error err;
    t->step_us = at_us;
    t->closed = false;
    table__narrate(t, NULL, &g->script.step[g->announced.step], at_us);
    table__readers_told(t, true);
    if (!g->ahead.paused && !t->waived && !table__readers_up(t))
        table__pause(t, TABLE__BY_READER, TABLE__TAP, NULL, (struct table__reply){0}, &err);
    table__dark_arm(t);
}

void table__dark_declare(struct table *t, int by, game_action action) {
    unsigned own = 0;
    for (unsigned i = 0; i < t->n_declared; i++)
        own += t->declared[i].by == by;
    if (own == TABLE__DECLARED_EACH || t->n_declared == TABLE__DECLARED)
        return;
    t->declared[t->n_declared++] = (struct table__declared){by, action};
}

// Resumed: the step again, at full length; tiles already moved are judged anew, visits are forgotten.
void table__dark_restart(struct table *t) {
    t->n_declared = 0;
    t->closed = false;
    t->held = t->guests = 0;
    t->step_us = 0;
    uint64_t all[HANDS_VISITS_MAX / 64];
    memset(all, 0xff, sizeof all);
    hands_forget(&t->game->track, all);
}
