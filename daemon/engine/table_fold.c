// Positions: a state with its clocks, folded from entries. Ahead and announced are folded by the same
// functions.
#include "engine/table__.h"
#include <string.h>

// ---- positions

static bool same_moment(const struct game_phase *a, const struct game_phase *b) {
    return a->id == b->id && a->round == b->round && a->step == b->step;
}

static void new_deadline(struct table__position *p) {
    p->limit_ms = p->phase.limit_ms;
    p->deadline_us = p->phase.limit_ms && !p->dark && !p->paused && !p->phase.over && !p->ended
                         ? p->clock_us + (int64_t)p->phase.limit_ms * 1000
                         : 0;
}

// The state has changed at this time: what that means for phase and clocks. A clock that runs anew inside a
// phase tells no new deadline (daemon/README.md).
static void state_changed(struct table__game *g, struct table__position *p, int64_t mono_us, bool anew) {
    struct game_phase old = p->phase;
    g->game->phase(p->state, &p->phase);
    bool was_dark = p->dark;
    p->dark = !p->phase.over && g->game->phases[p->phase.id].veil == OBSERVE_DARK;
    bool moved = was_dark && p->dark ? old.id != p->phase.id || old.round != p->phase.round
                                     : !same_moment(&old, &p->phase);
    if (moved && !p->dark) {
        p->phase_n++;
        p->from_us = mono_us;
    }
    if (anew || moved || old.clock != p->phase.clock) {
        p->clock_us = mono_us;
        p->left_us = (int64_t)p->phase.limit_ms * 1000; // counts while paused only
    }
    if (anew || moved || old.turn != p->phase.turn)
        new_deadline(p);
    if (moved && p->dark)
        p->step = 0;
}

void table__position_start(struct table__game *g, struct table__position *p, int64_t mono_us) {
    unsigned char *state = p->state;
    *p = (struct table__position){.index = TABLE__NONE,
                                  .head = TABLE__NONE,
                                  .phase_n = 1,
                                  .from_us = mono_us,
                                  .clock_us = mono_us,
                                  .state = state};
    g->game->init(p->state, &g->setup);
    g->game->phase(p->state, &p->phase);
    p->dark = !p->phase.over && g->game->phases[p->phase.id].veil == OBSERVE_DARK;
    new_deadline(p);
}

void table__position_copy(struct table__game *g, struct table__position *to,
                          const struct table__position *from) {
    unsigned char *state = to->state;
    *to = *from;
    to->state = state;
    memcpy(state, from->state, g->game->state_size);
}

// The state that the path of an entry makes: what was accepted once is accepted again, in the same order.
enum error_code table__refold(struct table__game *g, struct table__position *p, uint32_t head,
                              struct error *err) {
    uint32_t n = 0;
    for (uint32_t i = head; i != TABLE__NONE; i = g->entry[i].prev)
        if (g->entry[i].flags & TABLE__ACTS)
            g->path[n++] = i;
    g->game->init(p->state, &g->setup);
    while (n) {
        const struct table__entry *e = &g->entry[g->path[--n]];
        if (g->game->apply(p->state, e->by, e->action, NULL, err))
            return error_set(err, ERROR_CORRUPT, "journal", "record %llu cannot be applied again",
                             (unsigned long long)e->n);
    }
    return ERROR_OK;
}

int64_t table__left_us(const struct table__position *p, int64_t now_us) {
    if (p->paused || !p->phase.limit_ms)
        return p->left_us;
    int64_t end = p->clock_us + (int64_t)p->phase.limit_ms * 1000;
    return end > now_us ? end - now_us : 0;
}

static void pause_clock(struct table__position *p, const struct table__entry *e) {
    if (!p->paused)
        p->left_us = (int64_t)e->action;
    p->paused = true;
    p->reason = (uint8_t)e->step;
    p->deadline_us = 0;
}

static void resume_clock(struct table__position *p, const struct table__entry *e) {
    if (!p->paused)
        return;
    p->paused = false;
    if (p->phase.limit_ms)
        p->clock_us = e->mono_us + p->left_us - (int64_t)p->phase.limit_ms * 1000;
    new_deadline(p);
}

enum error_code table__fold(struct table__game *g, struct table__position *p, uint32_t index,
                            struct error *err) {
    const struct table__entry *e = &g->entry[index];
    p->index = p->head = index;
    if (e->kind == JOURNAL_UNDO) {
        if (table__refold(g, p, index, err))
            return err->code;
        p->ended = false;
        state_changed(g, p, e->mono_us, true);
        return ERROR_OK;
    }
    if (e->flags & TABLE__ACTS) {
        if (g->game->apply(p->state, e->by, e->action, NULL, err))
            return error_set(err, ERROR_CORRUPT, "journal", "record %llu is not allowed by the rules",
                             (unsigned long long)e->n);
        state_changed(g, p, e->mono_us, false);
    }
    if (e->kind == JOURNAL_STEP && p->dark) {
        p->step = e->step;
        p->phase_n++;
        p->from_us = e->mono_us;
    } else if (e->kind == JOURNAL_PAUSE) {
        pause_clock(p, e);
    } else if (e->kind == JOURNAL_RESUME) {
        resume_clock(p, e);
        p->phase_n += p->dark; // the step again
    } else if (e->kind == JOURNAL_END) {
        p->ended = true;
        p->paused = false;
        p->dark = false;
        p->deadline_us = 0;
    }
    return ERROR_OK;
}
