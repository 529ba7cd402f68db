#include "fold_game.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fold_entry {
    uint64_t n;
    uint32_t prev; // the accepted action before it
    int by;
    game_action action;
    char cause[33];
};
static const uint32_t NONE = UINT32_MAX;

struct fold {
    char table[33];
    uint64_t start, started_us;
    struct fold_game now;
    uint32_t n, cap, head;
    struct fold_entry *entry;
    bool any, ended;
};

static enum error_code apply(struct fold *fold, const struct fold_entry *e, struct error *err) {
    const struct game *game = fold->now.game;
    if (game->apply(fold->now.state, e->by, e->action, NULL, err))
        return error_set(err, ERROR_CORRUPT, fold->table, "record %" PRIu64 " is not allowed by the rules",
                         e->n);
    return ERROR_OK;
}

static enum error_code add(struct fold *fold, const struct journal_record *record, int by, game_action action,
                           struct error *err) {
    if (fold->n == fold->cap) {
        uint32_t cap = fold->cap ? 2 * fold->cap : 256;
        struct fold_entry *entry = realloc(fold->entry, cap * sizeof *entry);
        if (!entry)
            return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
        fold->entry = entry;
        fold->cap = cap;
    }
    struct fold_entry *e = &fold->entry[fold->n];
    *e = (struct fold_entry){.n = record->n, .prev = fold->head, .by = by, .action = action};
    snprintf(e->cause, sizeof e->cause, "%s", record->cause);
    fold->head = fold->n++;
    return apply(fold, e, err);
}

// Indices of the accepted actions in order; returns their number. ret has room for fold->n.
static uint32_t path_of(const struct fold *fold, uint32_t *ret) {
    uint32_t n = 0;
    for (uint32_t i = fold->head; i != NONE; i = fold->entry[i].prev)
        n++;
    uint32_t k = n;
    for (uint32_t i = fold->head; i != NONE; i = fold->entry[i].prev)
        ret[--k] = i;
    return n;
}

// Back to what stood after record `to`.
static enum error_code undo(struct fold *fold, uint64_t to, struct error *err) {
    while (fold->head != NONE && fold->entry[fold->head].n > to)
        fold->head = fold->entry[fold->head].prev;
    uint32_t *path = malloc((fold->n + 1) * sizeof *path);
    if (!path)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    uint32_t n = path_of(fold, path);
    enum error_code code = ERROR_OK;
    fold->now.game->init(fold->now.state, &fold->now.setup);
    for (uint32_t i = 0; i < n && !code; i++)
        code = apply(fold, &fold->entry[path[i]], err);
    free(path);
    return code;
}

static enum error_code take_record(void *ctx, const struct journal_record *record, struct error *err) {
    struct fold *fold = ctx;
    struct fold_step step;
    if (record->kind == JOURNAL_START) {
        fold->any = true;
        fold->ended = false;
        fold->n = 0;
        fold->head = NONE;
        fold->start = record->n;
        fold->started_us = (uint64_t)record->wall_us;
        return fold_game_start(&fold->now, record, err);
    }
    if (!fold->any)
        return error_set(err, ERROR_CORRUPT, record->table, "record %" PRIu64 " belongs to no game",
                         record->n);
    if (fold->now.game && fold_game_read(&fold->now, record, &step, err))
        return err->code;
    if (record->kind == JOURNAL_END)
        fold->ended = true;
    if (!fold->now.game) // another revision of the rules: only whether it has ended counts
        return ERROR_OK;
    if (record->kind == JOURNAL_UNDO) {
        fold->ended = false;
        return undo(fold, step.to, err);
    }
    return step.acts ? add(fold, record, step.by, step.action, err) : ERROR_OK;
}

enum error_code fold_last(const char *path, const char *table, struct fold **ret, struct error *err) {
    uint64_t first = 0;
    *ret = NULL;
    enum error_code code = journal_last_start(path, table, &first, err);
    if (code || !first)
        return code;
    struct fold *fold = calloc(1, sizeof *fold);
    if (!fold)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    snprintf(fold->table, sizeof fold->table, "%s", table);
    fold->head = NONE;
    code = journal_read(path, table, first, take_record, fold, err);
    if (code) {
        fold_destroy(fold);
        return code;
    }
    *ret = fold;
    return ERROR_OK;
}

void fold_destroy(struct fold *fold) {
    if (!fold)
        return;
    free(fold->entry);
    free(fold);
}

bool fold_running(const struct fold *fold) {
    struct game_phase phase = {0};
    if (fold->ended)
        return false;
    if (fold->now.game)
        fold->now.game->phase(fold->now.state, &phase);
    return !phase.over;
}

uint64_t fold_start(const struct fold *fold) {
    return fold->start;
}

// ---- the story

// A slot is a number; for people its kind stands behind the action.
static void add_kinds(const struct fold_game *at, const struct fold_entry *e, char *text, size_t cap) {
    static struct game_act act;
    memset(&act, 0, sizeof act);
    at->game->decode(at->state, e->by, e->action, &act);
    const struct game_verb *verb = &at->game->verbs[act.verb];
    for (unsigned i = 0; i < GAME_ARGS_MAX && verb->args[i].name; i++)
        for (unsigned k = 0; verb->args[i].type == GAME_ARG_SLOT && act.arg[i].given && k < act.arg[i].n;
             k++) {
            size_t len = strlen(text);
            int32_t slot = act.arg[i].value[k];
            if (slot >= 0 && slot < at->setup.n_slots)
                snprintf(text + len, cap - len, " (%s)", at->game->kinds[at->setup.slot_kind[slot]].id);
        }
}

static void print_entry(const struct fold_game *at, const struct fold_entry *e) {
    struct game_words words = {at->game, &at->setup, &at->places};
    struct game_phase phase;
    char text[GAME_TEXT_MAX], place[GAME_WORD_MAX + 16];
    at->game->phase(at->state, &phase);
    game_action_text(&words, at->state, e->by, e->action, text);
    add_kinds(at, e, text, sizeof text);
    snprintf(place, sizeof place, "%s", at->game->phases[phase.id].id);
    if (at->game->phases[phase.id].veil == OBSERVE_DARK)
        snprintf(place, sizeof place, "%s, step %u", at->game->phases[phase.id].id, phase.step + 1u);
    printf("%6" PRIu64 "  %-24s %-44s %s\n", e->n, place, text, e->cause);
}

static void print_result(const struct fold *fold) {
    static struct observe_result result;
    memset(&result, 0, sizeof result);
    struct game_phase phase;
    fold->now.game->phase(fold->now.state, &phase);
    if (!phase.over) {
        printf("ended without a result\n");
        return;
    }
    fold->now.game->result(fold->now.state, &result);
    printf("result  %s\n", result.reason);
    for (unsigned i = 0; i < result.n_teams; i++)
        printf("        %s %s\n", result.teams[i].name, result.teams[i].won ? "wins" : "loses");
    for (unsigned i = 0; i < fold->now.setup.seats; i++)
        printf("        s%u %s%s%s%s\n", i + 1, result.seats[i].role, *result.seats[i].role ? " " : "",
               result.winners >> i & 1 ? "won" : "lost", result.dead >> i & 1 ? ", died" : "");
}

enum error_code fold_print(const struct fold *fold, struct error *err) {
    static struct fold_game at;
    char began[CLOCK_TEXT_MAX];
    if (!fold->now.game)
        return error_set(err, ERROR_CORRUPT, fold->table, "recorded under another revision of the rules");
    clock_text((int64_t)fold->started_us, began);
    printf("%s: %s, %u seats, began %s\n", fold->table, fold->now.game->title, fold->now.setup.seats, began);
    uint32_t *path = malloc((fold->n + 1) * sizeof *path);
    if (!path)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    at = fold->now;
    at.game->init(at.state, &at.setup);
    uint32_t n = path_of(fold, path);
    enum error_code code = ERROR_OK;
    for (uint32_t i = 0; i < n && !code; i++) {
        const struct fold_entry *e = &fold->entry[path[i]];
        print_entry(&at, e);
        code = at.game->apply(at.state, e->by, e->action, NULL, err);
    }
    free(path);
    if (!code && !fold_running(fold))
        print_result(fold);
    return code;
}
