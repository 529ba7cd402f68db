#include "support/alike.h"
#include <string.h>

static bool word(const char *a, const char *b) {
    return a && b ? !strcmp(a, b) : a == b;
}

// ---- views

static bool head(const struct observation *a, const struct observation *b) {
    const struct observe_phase *p = &a->phase, *q = &b->phase;
    if (a->audience != b->audience || a->status != b->status || a->seats != b->seats ||
        a->rules_rev != b->rules_rev || !word(a->game, b->game) || a->n_cards != b->n_cards)
        return false;
    for (unsigned i = 0; i < a->n_cards; i++)
        if (!word(a->cards[i], b->cards[i]))
            return false;
    if (a->version != b->version || a->n_options != b->n_options || a->n_places != b->n_places ||
        a->n_violations != b->n_violations || a->n_prompts != b->n_prompts || a->n_story != b->n_story)
        return false; // a game leaves them alone
    return word(p->id, q->id) && p->round == q->round && p->veil == q->veil && p->turn == q->turn;
}

static bool items(const struct observation *a, const struct observation *b) {
    bool same = a->n_items == b->n_items;
    for (unsigned i = 0; same && i < a->n_items; i++) {
        const struct observe_item *x = &a->item[i], *y = &b->item[i];
        same = x->place == y->place && word(x->kind, y->kind) && x->n == y->n && x->face == y->face;
    }
    return same;
}

static bool counters(const struct observation *a, const struct observation *b) {
    bool same = a->n_counters == b->n_counters;
    for (unsigned i = 0; same && i < a->n_counters; i++) {
        const struct observe_counter *x = &a->counter[i], *y = &b->counter[i];
        same = word(x->name, y->name) && x->seat == y->seat && x->value == y->value;
    }
    return same;
}

static bool facts(const struct observation *a, const struct observation *b) {
    bool same = a->n_facts == b->n_facts;
    for (unsigned i = 0; same && i < a->n_facts; i++) {
        const struct observe_fact *x = &a->fact[i], *y = &b->fact[i];
        same = word(x->key, y->key) && x->seat == y->seat && word(x->place, y->place) &&
               word(x->kind, y->kind) && x->value == y->value;
    }
    return same;
}

static bool seats(const struct observation *a, const struct observation *b) {
    bool same = true;
    for (unsigned i = 0; same && i < OBSERVE_SEATS_MAX; i++) {
        const struct observe_seat *x = &a->seat[i], *y = &b->seat[i];
        same = word(x->label, y->label) && x->present == y->present && x->acted == y->acted &&
               x->alive == y->alive && x->bot == y->bot;
    }
    return same;
}

static bool results(const struct observe_result *a, const struct observe_result *b) {
    bool same = a->over == b->over && a->winners == b->winners && a->dead == b->dead &&
                a->n_teams == b->n_teams && word(a->reason, b->reason);
    for (unsigned i = 0; same && i < a->n_teams; i++)
        same = word(a->teams[i].name, b->teams[i].name) && a->teams[i].won == b->teams[i].won &&
               a->teams[i].score == b->teams[i].score;
    for (unsigned i = 0; same && i < OBSERVE_SEATS_MAX; i++)
        same = a->score[i] == b->score[i] && word(a->seats[i].role, b->seats[i].role) &&
               word(a->seats[i].team, b->seats[i].team);
    return same;
}

const char *alike_view(const struct observation *a, const struct observation *b) {
    return !head(a, b)                        ? "head"
           : !items(a, b)                     ? "items"
           : !counters(a, b)                  ? "counters"
           : !facts(a, b)                     ? "facts"
           : !seats(a, b)                     ? "seats"
           : strcmp(a->position, b->position) ? "position"
           : !results(&a->result, &b->result) ? "result"
                                              : NULL;
}

// ---- the rest

static bool steps(const struct game_step *a, const struct game_step *b) {
    bool same = word(a->id, b->id) && a->length_ms == b->length_ms && a->close_ms == b->close_ms &&
                a->checkpoint == b->checkpoint && a->n_cues == b->n_cues;
    for (unsigned i = 0; same && i < a->n_cues; i++)
        same = a->cue[i].line == b->cue[i].line && a->cue[i].at_ms == b->cue[i].at_ms &&
               !memcmp(a->cue[i].arg, b->cue[i].arg, sizeof a->cue[i].arg);
    return same;
}

bool alike_script(const struct game_script *a, const struct game_script *b) {
    bool same = a->n == b->n;
    for (unsigned i = 0; same && i < a->n; i++)
        same = steps(&a->step[i], &b->step[i]);
    return same;
}

bool alike_layout(const struct game_layout *a, const struct game_layout *b) {
    bool same = a->n_items == b->n_items && !memcmp(a->free, b->free, sizeof a->free);
    for (unsigned i = 0; same && i < a->n_items; i++) {
        const struct game_item *x = &a->item[i], *y = &b->item[i];
        same = x->place == y->place && x->what == y->what && x->n == y->n && x->face == y->face;
    }
    return same;
}

static bool visits(const struct game_visit *a, unsigned n_a, const struct game_visit *b, unsigned n_b) {
    bool same = n_a == n_b;
    for (unsigned i = 0; same && i < n_a; i++)
        same = a[i].type == b[i].type && a[i].place == b[i].place && a[i].what == b[i].what;
    return same;
}

bool alike_proof(const struct game_proof *a, const struct game_proof *b) {
    return alike_layout(&a->layout, &b->layout) && visits(a->needed, a->n_needed, b->needed, b->n_needed) &&
           visits(a->allowed, a->n_allowed, b->allowed, b->n_allowed);
}

bool alike_notes(const struct game_notes *a, const struct game_notes *b) {
    bool same = a->n == b->n;
    for (unsigned i = 0; same && i < a->n; i++)
        same = a->note[i].line == b->note[i].line && a->note[i].flags == b->note[i].flags &&
               !memcmp(a->note[i].arg, b->note[i].arg, sizeof a->note[i].arg);
    return same;
}

bool alike_act(const struct game_act *a, const struct game_act *b) {
    bool same = a->verb == b->verb;
    for (unsigned i = 0; same && i < GAME_ARGS_MAX; i++) {
        const struct game_arg *x = &a->arg[i], *y = &b->arg[i];
        same = x->given == y->given &&
               (!x->given || (x->n == y->n && !memcmp(x->value, y->value, x->n * sizeof *x->value)));
    }
    return same;
}
