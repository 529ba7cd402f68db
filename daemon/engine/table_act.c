// The one door: sequence and legality, the state ahead, the record, the output that waits for the disk.
#include "core/log.h"
#include "engine/table__.h"
#include <stdio.h>
#include <string.h>

void table__answer(const struct table__reply *reply, struct table *t, const struct error *err) {
    if (!reply->fn)
        return;
    struct door_answer answer = {.code = ERROR_OK};
    if (err) {
        answer.code = err->code;
        answer.error = *err;
    }
    unsigned who = reply->audience < 0 ? GAME_SEATS_MAX : (unsigned)reply->audience;
    answer.version = t->audience[who].version;
    struct door_issue issues[GAME_ISSUES_MAX];
    if (reply->issues && t->game) {
        const struct game_issues *from = &t->game->issues;
        for (unsigned i = 0; i < from->n; i++) {
            issues[i].is_error = from->issue[i].is_error;
            memcpy(issues[i].code, from->issue[i].code, sizeof issues[i].code);
            memcpy(issues[i].text, from->issue[i].text, sizeof from->issue[i].text);
        }
        answer.n_issues = from->n;
        answer.issues = issues;
    }
    reply->fn(reply->ctx, &answer);
}

static bool enters_dark(const struct table__game *g, const struct game_phase *after) {
    return !g->ahead.dark && !after->over && g->game->phases[after->id].veil == OBSERVE_DARK;
}

// A game that is over by its rules is closed by a record of its own: nothing of it has to be folded again.
static enum error_code end_by_rule(struct table *t, struct error *err) {
    struct table__game *g = t->game;
    struct table__entry entry = {.prev = g->ahead.head, .kind = JOURNAL_END, .cause = TABLE__TIMER};
    if (table__append(t, &entry, "table", "{\"over\":true}", false, err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, err))
        return err->code;
    return ERROR_OK;
}

// Legal on a copy, recorded, then folded into the position ahead as it will be into the announced one.
static enum error_code record(struct table *t, const struct table__act *act, bool more,
                              struct game_notes *notes, struct game_phase *ret_after, struct error *err) {
    struct table__game *g = t->game;
    char by[8];
    memcpy(g->scratch, g->ahead.state, g->game->state_size);
    if (game_act(g->game, g->scratch, act->by, act->action, notes, err))
        return err->code;
    // Only what is legal has words: the rules' notation can name a place that no table has.
    size_t len = game_action_json(&g->words, g->ahead.state, act->by, act->action, t->door->body,
                                  sizeof t->door->body);
    if (len >= sizeof t->door->body)
        return error_set(err, ERROR_TOO_LARGE, NULL, "the action is too long to be recorded");
    g->game->phase(g->scratch, ret_after);
    more = more || ret_after->over || enters_dark(g, ret_after); // a record goes with it
    struct table__entry entry = {.prev = g->ahead.head,
                                 .kind = act->kind,
                                 .by = (int16_t)act->by,
                                 .cause = act->cause,
                                 .flags = (uint8_t)(act->flags | TABLE__ACTS),
                                 .action = act->action};
    if (table__append(t, &entry, game_by_text(act->by, by), t->door->body, more, err))
        return err->code;
    return table__fold(g, &g->ahead, g->n_entries - 1, err);
}

enum error_code table__act_silently(struct table *t, const struct table__act *act, bool more,
                                    struct error *err) {
    struct game_notes notes = {0};
    struct game_phase after;
    return record(t, act, more, &notes, &after, err);
}

enum error_code table__may_act(const struct table *t, enum journal_kind kind, struct error *err) {
    if (!table__playing(t) || table__dark(t))
        return error_set(err, ERROR_NOT_NOW, t->options.name, NULL);
    if (t->game->ahead.paused && kind != JOURNAL_OVERRIDE)
        return error_set(err, ERROR_NOT_NOW, t->options.name, "the game is paused; resume it first");
    return ERROR_OK;
}

enum error_code table_act(struct table *t, const struct table__act *act, struct error *err) {
    struct game_notes notes = {0};
    struct game_phase after;
    if (table__may_act(t, act->kind, err) || table__room(t, 3, 4, err) ||
        record(t, act, false, &notes, &after, err))
        return err->code;
    struct table__game *g = t->game;
    struct table__out *out = table__out(t, true);
    out->notes = notes;
    out->reply = act->reply;
    snprintf(out->reason, sizeof out->reason, "%s", act->reason ? act->reason : "");
    table__hands_accept(t);
    referee_state(t->referee, g->game, &g->setup, &g->places, g->ahead.state);
    if (g->ahead.dark) {
        out->quiet = true; // the first step tells of the phase, and answers
        out->reply.fn = NULL;
        t->follow = false;
        if (table__dark_begin(t, err))
            return err->code;
        t->ring[(t->ring_first + t->ring_n - 1) % TABLE__RING].reply = act->reply;
        t->n_live = 0;
    } else if (g->ahead.phase.over) {
        if (end_by_rule(t, err))
            return err->code;
        table__choice_close(t);
        table__follow_end(t);
        table__clear_violations(t);
    } else if (act->cause != TABLE__TAP && act->cause != TABLE__CHANCE) {
        table__follow(t);
    }
    table__arm(t);
    table__release(t);
    table__look_later(t);
    return ERROR_OK;
}

// Would the readers see this happen? By the places it names, else by what would lie elsewhere after it.
static bool is_sensed(struct table *t, game_action action, const struct game_act *act) {
    static struct game_layout layout; // large; one loop, one user
    static struct game_proof proof;
    const struct table__game *g = t->game;
    const struct game_arg_row *rows = g->game->verbs[act->verb].args;
    bool named = false;
    for (unsigned i = 0; i < GAME_ARGS_MAX && rows[i].name; i++) {
        if (rows[i].type != GAME_ARG_PLACE)
            continue;
        named = true;
        if (act->arg[i].given && act->arg[i].value[0] >= 0 && act->arg[i].value[0] < g->places.n &&
            g->sensed[act->arg[i].value[0]])
            return true;
    }
    if (named)
        return false;
    uint64_t changed[GAME_PLACES_MAX / 64] = {0};
    game_layout_clear(&layout);
    g->game->layout(g->ahead.state, &layout);
    game_proof_of(g->game, g->ahead.state, GAME_BY_CHANCE, action, &proof);
    table__mark_changes(&layout, &proof.layout, changed);
    for (game_place p = 0; p < g->places.n; p++)
        if (changed[p / 64] >> p % 64 & 1 && g->sensed[p])
            return true;
    return false;
}

// What the generator may choose from. Chance that hands bring about is left to them, unless no reader would
// see any of it (blind).
static size_t draws(struct table *t, bool blind, bool *ret_seen) {
    struct table__game *g = t->game;
    bool seen = false;
    size_t n = g->game->legal(g->ahead.state, GAME_BY_CHANCE, t->door->legal, GAME_ACTIONS_MAX), kept = 0;
    for (size_t i = 0; i < n && i < GAME_ACTIONS_MAX; i++) {
        struct game_act words;
        g->game->decode(g->ahead.state, GAME_BY_CHANCE, t->door->legal[i], &words);
        bool by_hand = g->from_readers && (g->game->verbs[words.verb].flags & GAME_VERB_PHYSICAL);
        seen = seen || (by_hand && is_sensed(t, t->door->legal[i], &words));
        if (!by_hand || blind)
            t->door->legal[kept++] = t->door->legal[i];
    }
    *ret_seen = seen;
    return kept;
}

bool table__draw(struct table *t, bool more) {
    struct table__game *g = t->game;
    bool seen;
    size_t kept = draws(t, false, &seen);
    if (!kept && !seen)
        kept = draws(t, true, &seen);
    if (!kept)
        return false;
    // A draw depends on the seed and its place in the game alone, so a restart changes none to come.
    struct rng rng;
    rng_seed(&rng, g->seed ^ (0x9e3779b97f4a7c15u * (g->n_entries + 1u)));
    struct table__act act = {.by = GAME_BY_CHANCE,
                             .action = t->door->legal[rng_below(&rng, (uint32_t)kept)],
                             .cause = TABLE__CHANCE,
                             .kind = JOURNAL_ACT};
    struct error err;
    enum error_code code = g->ahead.dark ? table__act_silently(t, &act, more, &err)
                                         : table_act(t, &act, &err);
    if (code)
        log_error("table", "a draw was not accepted table=%s code=%s", t->options.name, error_name(code));
    return code == ERROR_OK;
}

void table__advance(struct table *t) {
    if (!table__playing(t) || table__dark(t) || t->game->ahead.paused)
        return;
    struct error err;
    bool drawn = false;
    while (table__playing(t) && !table__dark(t) && !table__room(t, 8, 8, &err) && table__draw(t, false))
        drawn = true;
    if (drawn)
        table__follow(t);
}
