// What can be asked of a table without changing it: what a start would say, and which pad serves what.
#include "engine/table__.h"
#include <stdio.h>
#include <string.h>

_Static_assert((int)DOOR_ISSUES_MAX > (int)GAME_ISSUES_MAX, "all issues of a game and one of the table");
_Static_assert((int)DOOR_PAD_PLACES_MAX == (int)TABLE__MAPPED, "as many places as a pad can serve");

static void add_issue(struct door_checked *ret, bool is_error, const char *code, const char *text) {
    struct door_issue *issue = &ret->issue[ret->n_issues++];
    issue->is_error = is_error;
    snprintf(issue->code, sizeof issue->code, "%s", code);
    snprintf(issue->text, sizeof issue->text, "%.*s", (int)sizeof issue->text - 1, text);
}

// What a start is refused for beside the game's own issues: a word that is not understood, too many seats.
static bool told(const struct door_checked *checked, const char *rule) {
    for (unsigned i = 0; i < checked->n_issues; i++)
        if (checked->issue[i].is_error && !strcmp(checked->issue[i].code, rule))
            return true;
    return false;
}

enum error_code door_check(struct door *door, const char *table, const struct door_start *start,
                           struct door_checked *ret, struct error *err) {
    struct table *t = door__table(door, table);
    struct game_issues issues = {0};
    struct table__game *g = NULL;
    struct error why = {0};
    ret->setup = NULL;
    ret->seats = ret->n_issues = 0;
    if (!t)
        return error_set(err, ERROR_NOT_FOUND, "table", "there is no table `%.32s`", table);
    enum error_code code = table__check(t, start, &g, &issues, &why);
    if (code == ERROR_INTERNAL)
        return error_set(err, code, NULL, NULL);
    ret->ok = !code;
    for (unsigned i = 0; i < issues.n; i++)
        add_issue(ret, issues.issue[i].is_error, issues.issue[i].code, issues.issue[i].text);
    if (code && !told(ret, why.rule))
        add_issue(ret, true, *why.rule ? why.rule : error_name(code), why.text);
    struct observation *setup = g ? door__page(door) : NULL;
    if (setup) {
        table__put_setup(g, setup);
        ret->setup = setup;
        ret->seats = g->setup.seats;
    }
    table__game_destroy(g);
    return ERROR_OK;
}

// ---- pads

static void add_place(struct door_pad *ret, const char *place) {
    for (unsigned i = 0; i < ret->n_places; i++)
        if (!strcmp(ret->places[i], place))
            return;
    if (ret->n_places < DOOR_PAD_PLACES_MAX)
        ret->places[ret->n_places++] = place;
}

// Before the first game: its own name, and what any map says of it.
static void places_of_maps(const struct table *t, struct door_pad *ret) {
    for (size_t i = 0; i < t->options.n_maps; i++)
        if (!strcmp(t->maps[i].pad, ret->name))
            add_place(ret, t->maps[i].place);
    if (!ret->n_places)
        add_place(ret, ret->name);
}

bool door_pads(struct door *door, const char *table, void (*take)(void *ctx, const struct door_pad *pad),
               void *ctx) {
    struct table *t = door__table(door, table);
    if (!t)
        return false;
    const struct table__game *g = t->shown;
    for (unsigned i = 0; i < board_pads(t->board); i++) {
        const struct board_pad_options *options = board_pad(t->board, i);
        struct door_pad pad = {.name = options->name,
                               .reader = options->reader,
                               .antenna = options->antenna,
                               .tap = options->kind == BOARD_PAD_TAP,
                               .x = options->x_mm,
                               .y = options->y_mm};
        for (unsigned k = 0; g && k < g->pad_places[i]; k++)
            add_place(&pad, g->places.row[g->pad_place[i][k]].name);
        if (!g)
            places_of_maps(t, &pad);
        take(ctx, &pad);
    }
    return true;
}
