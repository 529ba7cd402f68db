#include "scene.h"
#include <string.h>

static const struct colour amber = {255, 150, 20}, blue = {40, 90, 255}, white = {255, 255, 255},
                           orange = {255, 100, 0}, green = {60, 220, 90};

// The room's colour in a phase, by its id; the first row is for all others.
static const struct {
    const char *phase;
    struct colour colour;
} moods[] = {
    {"", {255, 190, 120}},
    {"deal", {200, 200, 220}},
    {"draw", {200, 200, 220}},
    {"day", {255, 210, 150}},
    {"discussion", {255, 210, 150}},
    {"vote", {255, 140, 60}},
    {"hunting", {255, 120, 70}},
    {"reveal", {180, 220, 255}},
    {"reckoning", {180, 220, 255}},
    {"alert_abilities", {255, 120, 70}},
    {"alert_assign", {255, 120, 70}},
    {"river", {120, 190, 255}},
    {"losses", {255, 120, 70}},
    {"scored", {180, 255, 200}},
    {"game_over", {180, 255, 200}},
    {"over", {180, 255, 200}},
};

static struct colour mood_of(const char *phase) {
    for (size_t i = 1; i < sizeof moods / sizeof *moods; i++)
        if (!strcmp(moods[i].phase, phase))
            return moods[i].colour;
    return moods[0].colour;
}

// A place that is marked again goes to the end: places may share LEDs, and the last word is painted last.
static void mark(struct scene *scene, const char *place, struct colour colour, enum rhythm rhythm) {
    unsigned at = 0;
    if (!*place || strlen(place) >= sizeof scene->mark->place)
        return;
    while (at < scene->n_marks && strcmp(scene->mark[at].place, place))
        at++;
    if (at == SCENE_MARKS_MAX)
        return;
    if (at < scene->n_marks)
        memmove(&scene->mark[at], &scene->mark[at + 1], (--scene->n_marks - at) * sizeof *scene->mark);
    struct mark *mark = &scene->mark[scene->n_marks++];
    memset(mark, 0, sizeof *mark); // scenes are compared as bytes
    strcpy(mark->place, place);
    mark->colour = colour;
    mark->rhythm = rhythm;
}

// A seat is the place of its name and whatever else is that seat's own.
static void mark_seat(struct scene *scene, const Tabled__V1__Board *board, const char *seat,
                      struct colour colour, enum rhythm rhythm) {
    mark(scene, seat, colour, rhythm);
    for (size_t i = 0; board && i < board->n_places; i++)
        if (!strcmp(board->places[i]->seat, seat) && strcmp(board->places[i]->name, seat))
            mark(scene, board->places[i]->name, colour, rhythm);
}

static void mark_turn(struct scene *scene, const struct room_levels *levels) {
    const Tabled__V1__Phase *phase = levels->phase;
    for (size_t i = 0; i < phase->n_turn; i++)
        mark_seat(scene, levels->board, phase->turn[i], blue, RHYTHM_PULSE);
    // Under seal it is public who has acted, never what: they rest.
    for (size_t i = 0; levels->seats && i < levels->seats->n_seats; i++)
        if (levels->seats->seats[i]->acted && phase->veil == TABLED__V1__VEIL__VEIL_SEALED)
            mark_seat(scene, levels->board, levels->seats->seats[i]->seat, white, RHYTHM_STEADY);
}

static void mark_target(struct scene *scene, const Tabled__V1__Repair *repair) {
    mark(scene, repair->put, white, RHYTHM_FILL);
    if (scene->n_runs == SCENE_RUNS_MAX || strlen(repair->take) >= sizeof scene->run->from ||
        strlen(repair->put) >= sizeof scene->run->to)
        return;
    struct run *run = &scene->run[scene->n_runs++];
    strcpy(run->from, repair->take);
    strcpy(run->to, repair->put);
}

// Where a piece belongs first, then what is wrong: in an exchange each place is both, and wrong is what it
// is.
static void mark_violations(struct scene *scene, const Tabled__V1__Violations *violations) {
    for (size_t i = 0; i < violations->n_prompt; i++)
        mark_target(scene, violations->prompt[i]);
    for (size_t i = 0; i < violations->n_violations; i++)
        for (size_t r = 0; r < violations->violations[i]->n_repairs; r++)
            mark_target(scene, violations->violations[i]->repairs[r]);
    for (size_t i = 0; i < violations->n_prompt; i++)
        mark(scene, violations->prompt[i]->take, orange, RHYTHM_DOUBLE_BLINK);
    for (size_t i = 0; i < violations->n_violations; i++) {
        const Tabled__V1__Violation *violation = violations->violations[i];
        for (size_t p = 0; p < violation->n_places; p++)
            mark(scene, violation->places[p], orange, RHYTHM_DOUBLE_BLINK);
        for (size_t r = 0; r < violation->n_repairs; r++)
            mark(scene, violation->repairs[r]->take, orange, RHYTHM_DOUBLE_BLINK);
    }
}

static void mark_result(struct scene *scene, const struct room_levels *levels) {
    for (size_t i = 0; i < levels->result->n_seats; i++)
        if (levels->result->seats[i]->won)
            mark_seat(scene, levels->board, levels->result->seats[i]->seat, green, RHYTHM_STEADY);
}

static void build_ring(struct scene *scene, const Tabled__V1__Phase *phase, int64_t deadline_us) {
    if (deadline_us == 0 || phase->limit_ms == 0 || phase->paused) // no deadline runs while paused
        return;
    scene->ring_length_us = (int64_t)phase->limit_ms * 1000;
    scene->ring_end_us = deadline_us;
}

static void be_night(struct scene *scene) {
    scene->night = true;
    scene->base = amber;
}

void scene_build(struct scene *ret, const struct room_levels *levels, bool stale, int64_t deadline_us) {
    memset(ret, 0, sizeof *ret); // scenes are compared as bytes
    ret->base = mood_of("");
    if (stale || (levels->phase && levels->phase->veil == TABLED__V1__VEIL__VEIL_DARK)) {
        be_night(ret);
        return;
    }
    if (!levels->phase || !*levels->phase->id)
        return;
    ret->base = mood_of(levels->phase->id);
    if (levels->result && levels->result->over) {
        mark_result(ret, levels);
        return;
    }
    mark_turn(ret, levels);
    if (levels->violations)
        mark_violations(ret, levels->violations);
    build_ring(ret, levels->phase, deadline_us);
}

bool scene_moves(const struct scene *scene) {
    if (scene->night)
        return false;
    for (unsigned i = 0; i < scene->n_marks; i++)
        if (scene->mark[i].rhythm != RHYTHM_STEADY)
            return true;
    return scene->n_runs > 0 || scene->ring_end_us != 0;
}
