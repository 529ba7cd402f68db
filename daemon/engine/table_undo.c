// Undo by rule: back to before the last action of the same player, never across another player's action,
// chance, or what was revealed (design 5.5). What bots have done since goes with it.
#include "core/json.h"
#include "engine/table__.h"
#include <stdio.h>
#include <string.h>

static unsigned verb_flags(struct table *t, const struct table__entry *e) {
    struct table__game *g = t->game;
    struct game_act act;
    struct table__position before = {.state = g->scratch};
    if (table__refold(g, &before, e->prev, NULL))
        return GAME_VERB_REVEALS;
    g->game->decode(g->scratch, e->by, e->action, &act);
    return g->game->verbs[act.verb].flags;
}

// The entry to take back. seat: who asks, or -1; strong: a host who gives a reason may go back across the
// clock (EP5).
static enum error_code find(struct table *t, int seat, bool strong, uint32_t *ret, struct error *err) {
    struct table__game *g = t->game;
    for (uint32_t i = g->ahead.head; i != TABLE__NONE; i = g->entry[i].prev) {
        const struct table__entry *e = &g->entry[i];
        if (e->kind == JOURNAL_STEP)
            break;
        if (!(e->flags & TABLE__ACTS))
            continue;
        if (e->by == GAME_BY_CHANCE || (verb_flags(t, e) & GAME_VERB_REVEALS))
            return error_set(err, ERROR_NOT_NOW, t->options.name,
                             "what chance or a card has shown cannot be taken back");
        if (e->by == GAME_BY_TIMER) {
            if (!strong)
                return error_set(err, ERROR_NOT_NOW, t->options.name,
                                 "time has moved on; a host may undo with a reason");
            continue;
        }
        if (e->cause == TABLE__BOT)
            continue; // a bot would only do it again
        if (seat >= 0 && e->by != seat)
            return error_set(err, ERROR_NOT_NOW, t->options.name,
                             "somebody else has acted since; only the last action can be taken back");
        *ret = i;
        return ERROR_OK;
    }
    return error_set(err, ERROR_NOT_NOW, t->options.name, "there is nothing to take back");
}

enum error_code table__undo(struct table *t, const struct door_who *who, const char *reason,
                            struct table__reply reply, struct error *err) {
    struct table__game *g = t->game;
    uint32_t index = TABLE__NONE;
    int seat = who && who->role == DOOR_SEAT ? who->seat : -1;
    bool strong = who && who->role != DOOR_SEAT && reason && *reason;
    if (!g || g != t->shown || table__dark(t) || (g->ahead.ended && !g->ahead.phase.over))
        return error_set(err, ERROR_NOT_NOW, t->options.name, NULL);
    if (table__room(t, 1, 3, err))
        return err->code;
    if (find(t, seat, strong, &index, err) || index == TABLE__NONE) // why not would tell what was done
        return table__open(t) ? err->code : error_set(err, ERROR_NOT_NOW, t->options.name, NULL);
    // Records that do not act stay out of the path, so undo after undo makes it no longer.
    uint32_t back = g->entry[index].prev;
    while (back != TABLE__NONE && !(g->entry[back].flags & TABLE__ACTS) &&
           g->entry[back].kind != JOURNAL_STEP)
        back = g->entry[back].prev;
    char by[8];
    struct json j;
    json_begin(&j, t->door->body, sizeof t->door->body);
    json_begin_object(&j);
    json_key(&j, "to");
    json_uint(&j, back == TABLE__NONE ? g->start_n : g->entry[back].n);
    json_key(&j, "reason");
    json_text(&j, reason);
    json_end_object(&j);
    json_end(&j);
    struct table__entry entry = {.prev = back,
                                 .kind = JOURNAL_UNDO,
                                 .cause = !who ? TABLE__TAP : TABLE__HOST,
                                 .back = back,
                                 .action = index};
    if (table__append(t, &entry, seat >= 0 ? game_by_text(seat, by) : "table", t->door->body, false, err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, err))
        return err->code;
    struct table__out *out = table__out(t, true);
    out->reply = reply;
    snprintf(out->reason, sizeof out->reason, "%s", reason ? reason : "");
    table__hands_accept(t);
    referee_state(t->referee, g->game, &g->setup, &g->places, g->ahead.state);
    table__choice_close(t);
    table__clear_violations(t);
    table__follow(t);
    table__arm(t);
    table__release(t);
    table__look_later(t);
    return ERROR_OK;
}
