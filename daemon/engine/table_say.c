// Events and narration: what each audience is told at one moment.
#include "engine/narration.h"
#include "engine/table__.h"
#include <stdio.h>
#include <string.h>

static void send(struct table *t, int audience, struct observe_event *event) {
    struct door *door = t->door;
    event->seq = ++t->audience[audience < 0 ? GAME_SEATS_MAX : audience].seq;
    event->at_us = clock_wall_us(loop_clock(t->loop));
    for (size_t i = 0; i < door->n_sinks; i++)
        if (door->sinks[i].event)
            door->sinks[i].event(door->sinks[i].ctx, t->options.name, audience, event);
}

// A choice is told to all, its options only to those who may know them.
static const struct observe_choice *choice_for(struct table *t, const struct table__game *g, int audience,
                                               const struct observe_choice *choice) {
    if (!choice || !g || table__sees_choice(t, g, audience))
        return choice;
    t->veiled->id = choice->id;
    memcpy(t->veiled->by, choice->by, sizeof t->veiled->by);
    return t->veiled;
}

void table__tell(struct table *t, const struct observe_event *event) {
    int seats = t->shown ? t->shown->setup.seats : 0;
    for (int audience = table__first(t->hears); audience < table__last(t->hears, seats); audience++) {
        struct observe_event one = *event;
        one.choice = choice_for(t, t->shown, audience, event->choice);
        send(t, audience, &one);
    }
}

// ---- actions

static bool names_hidden_slot(const struct table__game *g, const struct game_act *act) {
    const struct game_arg_row *rows = g->game->verbs[act->verb].args;
    for (unsigned i = 0; i < GAME_ARGS_MAX && rows[i].name; i++)
        for (unsigned k = 0; rows[i].type == GAME_ARG_SLOT && act->arg[i].given && k < act->arg[i].n; k++) {
            int slot = act->arg[i].value[k];
            if (slot < 0 || slot >= g->setup.n_slots || g->game->kinds[g->setup.slot_kind[slot]].hidden)
                return true;
        }
    return false;
}

bool table__is_public(const struct table__game *g, enum observe_veil veil, const struct game_act *act) {
    return veil == OBSERVE_OPEN && !(g->game->verbs[act->verb].flags & GAME_VERB_SEALED) &&
           !names_hidden_slot(g, act);
}

// Open: told as it is. Sealed: that a seat has acted, and the seat alone what (design 5.4). Chance under seal
// is told to nobody; the clock and the table say with the phase what they have to say.
void table__tell_action(struct table *t, const struct table__game *g, const struct table__entry *entry,
                        const struct game_phase *before, const void *state_before) {
    struct game_act act;
    struct observe_action words;
    g->game->decode(state_before, entry->by, entry->action, &act);
    enum observe_veil veil = g->game->phases[before->id].veil;
    bool sealed = !table__is_public(g, veil, &act);
    if (veil == OBSERVE_DARK)
        return;
    table__action_words(g, state_before, entry->by, entry->action, &words);
    if (entry->by < 0 && (sealed || !words.n_args))
        return;
    struct observe_event open = {.type = OBSERVE_EVENT_ACTION, .seat = (int8_t)entry->by, .action = &words};
    struct observe_event shut = {.type = OBSERVE_EVENT_SEAT_ACTED, .seat = (int8_t)entry->by};
    for (int audience = table__first(t->hears); audience < table__last(t->hears, g->setup.seats);
         audience++) {
        struct observe_event one = sealed && audience != entry->by ? shut : open;
        send(t, audience, &one);
    }
}

// ---- narration

static void narrate(struct table *t, struct observe_narration *say) {
    struct door *door = t->door;
    say->seq = ++t->audience[GAME_SEATS_MAX].seq;
    for (size_t i = 0; i < door->n_sinks; i++)
        if (door->sinks[i].narration)
            door->sinks[i].narration(door->sinks[i].ctx, t->options.name, say);
}

static void add_line(struct table *t, struct observe_narration *say, unsigned line, const int16_t arg[4],
                     uint32_t at_ms) {
    struct table__game *g = t->shown;
    if (say->n_lines == OBSERVE_LINES_MAX)
        return;
    struct observe_line *ret = &say->line[say->n_lines];
    if (!narration_text(&g->words, t->options.language, line, arg, ret->text, sizeof ret->text))
        return;
    ret->id = g->game->lines[line].id;
    ret->at_ms = at_ms;
    ret->n_args = (uint8_t)narration_args(&g->words, line, arg, ret->arg);
    say->n_lines++;
}

static void add_repeats(struct table *t, struct observe_narration *say) {
    struct observe_line *line = &say->line[say->n_lines++];
    snprintf(line->text, sizeof line->text, "%s",
             narration_translate(t->options.language, "We repeat the step."));
    line->id = "repeat_step";
    line->at_ms = 0;
    line->n_args = 0;
}

void table__narrate(struct table *t, const struct game_notes *notes, const struct game_step *step,
                    int64_t starts_us) {
    struct observe_narration *say = t->last;
    unsigned n = step ? step->n_cues : notes->n, said = 0;
    for (unsigned i = 0; !step && i < n; i++)
        said += notes->note[i].flags & GAME_NOTE_SAY;
    if (!step && !said)
        return;
    say->n_lines = 0;
    say->starts_at_us = table__wall(t, starts_us);
    if (step && t->repeats)
        add_repeats(t, say);
    for (unsigned i = 0; i < n; i++) {
        if (step)
            add_line(t, say, step->cue[i].line, step->cue[i].arg, step->cue[i].at_ms);
        else if (notes->note[i].flags & GAME_NOTE_SAY)
            add_line(t, say, notes->note[i].line, notes->note[i].arg, 0);
    }
    narrate(t, say);
}

// A line that bears the name of the phase a game starts with is its greeting.
void table__narrate_phase(struct table *t, const char *phase) {
    static const int16_t none[4];
    const struct game_line_row *lines = t->shown->game->lines;
    for (unsigned i = 0; lines && lines[i].id; i++) {
        if (strcmp(lines[i].id, phase) != 0 || *lines[i].args)
            continue;
        t->last->n_lines = 0;
        t->last->starts_at_us = clock_wall_us(loop_clock(t->loop));
        add_line(t, t->last, i, none, 0);
        narrate(t, t->last);
        return;
    }
}

bool table__repeat(struct table *t) {
    if (!t->shown || table__dark(t) || !t->last->n_lines)
        return false;
    t->last->starts_at_us = clock_wall_us(loop_clock(t->loop));
    narrate(t, t->last);
    return true;
}
