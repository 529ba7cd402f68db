// The story told after the reveal: what was done in the dark and under seal, in order, from the records.
#include "engine/narration.h"
#include "engine/table__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct teller {
    struct table *t;
    struct table__game *g;
    const struct table__entry *entry;
    const char *step, *phase;
};

static void put_flags(const struct table__entry *e, bool is_missed, char *ret, size_t cap) {
    static const struct {
        unsigned flag;
        const char *word;
    } words[] = {{TABLE__LATE, "late"},
                 {TABLE__EARLY, "early"},
                 {TABLE__SLIP, "slip"},
                 {TABLE__WAS_DECLARED, "declared"}};
    size_t len = 0;
    ret[0] = '\0';
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (e->flags & words[i].flag)
            len += (size_t)snprintf(ret + len, cap - len, "%s%s", len ? " " : "", words[i].word);
    if (is_missed)
        snprintf(ret + len, cap - len, "%smissed_mandatory", len ? " " : "");
}

static struct observe_story *add(struct teller *teller, int by, bool is_missed) {
    struct table__game *g = teller->g;
    if (g->n_story == OBSERVE_STORY_MAX)
        return NULL;
    struct observe_story *row = &g->story[g->n_story];
    if (teller->step) {
        snprintf(g->story_step[g->n_story], sizeof *g->story_step, "%s", teller->step);
        row->step = g->story_step[g->n_story];
    }
    g->n_story++;
    row->phase = teller->phase;
    game_by_text(by, row->by);
    put_flags(teller->entry, is_missed, row->flags, sizeof row->flags);
    return row;
}

static bool tell_notes(struct teller *teller, const struct game_notes *notes) {
    struct table__game *g = teller->g;
    bool told = false;
    for (unsigned i = 0; i < notes->n; i++) {
        const struct game_note *note = &notes->note[i];
        if (!(note->flags & GAME_NOTE_STORY))
            continue;
        const struct game_line_row *line = &g->game->lines[note->line];
        bool is_missed = !strncmp(line->id, "missed", 6);
        int by = teller->entry->by;
        if (by == GAME_BY_TIMER && *line->args == 's') // the clock tells of a seat
            by = note->arg[0];
        struct observe_story *row = add(teller, by, is_missed);
        if (row)
            narration_text(&g->words, teller->t->options.language, note->line, note->arg, row->text,
                           sizeof row->text);
        told = true;
    }
    return told;
}

static void tell_missed(struct teller *teller) {
    for (int seat = 0; seat < teller->g->setup.seats; seat++) {
        if (!(teller->entry->missed >> seat & 1))
            continue;
        struct observe_story *row = add(teller, seat, true);
        if (row)
            snprintf(row->text, sizeof row->text, "seat %d did not do what it must", seat + 1);
    }
}

static void tell_entry(struct teller *teller, void *state) {
    struct table__game *g = teller->g;
    const struct table__entry *e = teller->entry;
    struct game_notes notes = {0};
    struct game_phase phase;
    char words[GAME_TEXT_MAX];
    g->game->phase(state, &phase);
    enum observe_veil veil = g->game->phases[phase.id].veil;
    teller->phase = g->game->phases[phase.id].id;
    unsigned step = phase.step - (e->flags & TABLE__CARRIED && phase.step > 0); // it began in the step before
    static struct game_script script;                                           // large; one loop, one user
    script.n = 0;
    if (veil == OBSERVE_DARK && g->game->script) // of its own dark: a game may have several
        g->game->script(state, &script);
    teller->step = step < script.n ? script.step[step].id : NULL;
    game_action_text(&g->words, state, e->by, e->action, words);
    if (g->game->apply(state, e->by, e->action, &notes, NULL))
        return;
    bool told = tell_notes(teller, &notes);
    if (!told && veil != OBSERVE_OPEN && (e->by >= 0 || (e->by == GAME_BY_TABLE && strchr(words, '=')))) {
        struct observe_story *row = add(teller, e->by, false);
        if (row)
            snprintf(row->text, sizeof row->text, "%.159s", words);
    }
    if (!told)
        tell_missed(teller);
}

void table__story(struct table *t, struct table__game *g) {
    struct teller teller = {.t = t, .g = g};
    uint32_t n = 0;
    if (!g->announced.phase.over)
        return;
    g->n_story = 0; // after an undo the game has come to another end
    if (!g->story)
        g->story = calloc(OBSERVE_STORY_MAX, sizeof *g->story);
    if (!g->story_step)
        g->story_step = calloc(OBSERVE_STORY_MAX, sizeof *g->story_step);
    void *state = aligned_alloc(16, (g->game->state_size + 15) / 16 * 16);
    if (g->story && g->story_step && state) {
        for (uint32_t i = g->announced.head; i != TABLE__NONE; i = g->entry[i].prev)
            if (g->entry[i].flags & TABLE__ACTS)
                g->path[n++] = i;
        g->game->init(state, &g->setup);
        while (n) {
            teller.entry = &g->entry[g->path[--n]];
            tell_entry(&teller, state);
        }
    }
    free(state);
}
