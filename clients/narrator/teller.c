#include "teller.h"
#include "core/catalogue.h"
#include "core/log.h"
#include "room/lines.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SECOND_US = 1000000,
    WRONG_MAX = 8,
    TEXT_MAX = 512,
    LATE_NIGHT_US = 2 * SECOND_US,
    LATE_US = 20 * SECOND_US
};
// evenings 4: spoken only after 4 s unchanged; again after 15 and 45 s, then light only.
static const int64_t nag_us[] = {INT64_C(4000000), INT64_C(19000000), INT64_C(49000000)};
enum { AWAY_US = 120 * SECOND_US }; // a night goes on without broker or daemon for so long (U9)
enum { NAGS = sizeof nag_us / sizeof *nag_us, SAME_US = 8 * SECOND_US };

struct wrong {
    uint32_t id; // 0 = free
    unsigned said;
    int64_t since_us;
    char text[256], place[40];
    struct teller *teller;
    struct loop_timer timer;
};
struct teller {
    struct teller_options o;
    struct room *room;
    char locale[16]; // of the table, from its narration
    struct wrong wrong[WRONG_MAX];
    char last[256]; // reminder
    int64_t last_us;
    bool dark, alone; // alone: nobody has been heard of for long, or ever
    struct loop_timer away;
};

struct teller *teller_create(const struct teller_options *options) {
    struct teller *t = calloc(1, sizeof *t);
    if (!t)
        log_no_memory("voice");
    t->o = *options;
    snprintf(t->locale, sizeof t->locale, "en");
    t->alone = true;
    for (int i = 0; i < WRONG_MAX; i++)
        t->wrong[i].teller = t;
    return t;
}

static void forget(struct teller *t, struct wrong *w) {
    loop_timer_stop(t->o.loop, &w->timer);
    w->id = 0;
}

static void stop_nagging(struct teller *t) {
    for (int i = 0; i < WRONG_MAX; i++)
        forget(t, &t->wrong[i]);
}

void teller_destroy(struct teller *t) {
    if (t) {
        stop_nagging(t);
        loop_timer_stop(t->o.loop, &t->away);
    }
    free(t);
}

void teller_room(struct teller *t, struct room *room) {
    t->room = room;
}

static const char *language(const struct teller *t) {
    return *t->o.language ? t->o.language : t->locale;
}

static void say(struct teller *t, struct sound *sound, enum mixer_priority priority, int64_t due_us,
                int64_t drop_us, const char *name) {
    struct mixer_item item = {.sound = sound, .priority = priority, .due_us = due_us, .drop_us = drop_us};
    if (!sound)
        return;
    snprintf(item.name, sizeof item.name, "%s", name);
    mixer_say(t->o.mixer, &item);
    sound_unref(sound);
}

static void say_text(struct teller *t, const char *text, enum mixer_priority priority, const char *name) {
    int64_t now = loop_now_us(t->o.loop);
    say(t, library_text(t->o.library, language(t), text), priority, now, now + LATE_US, name);
}

// ---- narration

static void make_line(const struct teller *t, const char *game, const Tabled__V1__Line *from,
                      const struct lines_row *row, struct library_line *ret) {
    *ret = (struct library_line){.language = language(t),
                                 .game = row && !*row->game ? "" : game,
                                 .id = from->id,
                                 .sentence = lines_sentence(row, from),
                                 .text = from->text,
                                 .text_language = t->locale};
    ret->n_args = lines_args(from, ret->args);
}

// By night every line has the window of its slowest language, so that all languages begin alike; by day one
// follows the other.
static void on_narration(void *ctx, const Tabled__V1__Narration *n) {
    struct teller *t = ctx;
    const Tabled__V1__Game *level = room_levels(t->room).game;
    const char *game = level ? level->game : "";
    int64_t start = room_due_us(t->room, n->starts_at), free_us = INT64_MIN;
    if (!start)
        start = loop_now_us(t->o.loop);
    if (*n->locale)
        snprintf(t->locale, sizeof t->locale, "%s", n->locale);
    for (size_t i = 0; i < n->n_lines; i++) {
        const Tabled__V1__Line *line = n->lines[i];
        const struct lines_row *row = lines_find(game, line->id);
        struct library_line words;
        char text[TEXT_MAX], name[80];
        make_line(t, game, line, row, &words);
        int64_t due = start + line->at_ms * INT64_C(1000);
        if (t->dark && due < free_us)
            due = free_us;
        struct sound *sound = library_line(t->o.library, &words, text, sizeof text);
        free_us = due + (row ? row->window_ms * INT64_C(1000) : sound ? sound_us(sound->n) : 0);
        snprintf(name, sizeof name, "%.30s/%.40s", game, line->id);
        say(t, sound, t->dark ? MIXER_NIGHT : MIXER_NORMAL, due, due + (t->dark ? LATE_NIGHT_US : LATE_US),
            name);
    }
}

static void lay_bed(struct teller *t) {
    mixer_bed(t->o.mixer, t->dark && !t->alone);
}

// The bed lies under the whole of a dark phase, whatever happens in it (evenings 4, sound).
static void on_phase(void *ctx, const Tabled__V1__Phase *phase) {
    struct teller *t = ctx;
    t->dark = phase && phase->veil == TABLED__V1__VEIL__VEIL_DARK;
    lay_bed(t);
}

static void is_alone(void *ctx) {
    struct teller *t = ctx;
    t->alone = true;
    lay_bed(t);
}

// What a daemon that is gone left at the broker begins no night; one that goes away ends none at once.
static void on_status(void *ctx, const struct room_status *status) {
    struct teller *t = ctx;
    if (status->well) {
        loop_timer_stop(t->o.loop, &t->away);
        t->alone = false;
        lay_bed(t);
    } else if (!t->alone && !loop_timer_running(&t->away)) {
        loop_timer_start(t->o.loop, &t->away, loop_now_us(t->o.loop) + AWAY_US, is_alone, t);
    }
}

// ---- what lies wrong

static void nag(void *ctx) {
    struct wrong *w = ctx;
    struct teller *t = w->teller;
    char place[128], text[256], both[TEXT_MAX];
    phrase_text(language(t), w->text, text, sizeof text);
    phrase_name(language(t), "place", w->place, place, sizeof place);
    snprintf(both, sizeof both, "%s%s%s", place, *place ? ". " : "", text);
    if (!t->dark)
        say_text(t, both, MIXER_LOW, "violation");
    if (++w->said < NAGS)
        loop_timer_start(t->o.loop, &w->timer, w->since_us + nag_us[w->said], nag, w);
}

static void wrong_raised(struct teller *t, const Tabled__V1__Violation *v) {
    for (int i = 0; i < WRONG_MAX && t->o.violations && !t->dark; i++) {
        struct wrong *w = &t->wrong[i];
        if (w->id)
            continue;
        w->id = v->id;
        w->said = 0;
        w->since_us = loop_now_us(t->o.loop);
        snprintf(w->text, sizeof w->text, "%s", v->text);
        snprintf(w->place, sizeof w->place, "%s", v->n_places ? v->places[0] : "");
        loop_timer_start(t->o.loop, &w->timer, w->since_us + nag_us[0], nag, w);
        return;
    }
}

static void wrong_cleared(struct teller *t, uint32_t id) {
    for (int i = 0; i < WRONG_MAX; i++)
        if (t->wrong[i].id && t->wrong[i].id == id)
            forget(t, &t->wrong[i]);
}

// What is put right while the broker is away, or ends with its game, has no event: the level tells.
static void on_violations(void *ctx, const Tabled__V1__Violations *level) {
    struct teller *t = ctx;
    for (int i = 0; i < WRONG_MAX; i++) {
        bool stands = false;
        for (size_t k = 0; level && k < level->n_violations; k++)
            stands |= level->violations[k]->id == t->wrong[i].id;
        if (t->wrong[i].id && !stands)
            forget(t, &t->wrong[i]);
    }
}

// ---- events

static void remind(struct teller *t, const Tabled__V1__Event *e) {
    char text[256];
    int64_t now = loop_now_us(t->o.loop);
    bool same = !strcmp(t->last, e->text) && now - t->last_us < SAME_US;
    if (!t->o.reminders || t->dark || !*e->text || !strcmp(e->code, "choice") || same)
        return;
    snprintf(t->last, sizeof t->last, "%s", e->text);
    t->last_us = now;
    phrase_text(language(t), e->text, text, sizeof text);
    say_text(t, text, MIXER_LOW, "reminder");
}

static void be_silent(struct teller *t) {
    mixer_cancel(t->o.mixer);
    stop_nagging(t);
}

static void on_event(void *ctx, const Tabled__V1__Event *e) {
    struct teller *t = ctx;
    switch (e->event) {
    case TABLED__V1__EVENT_TYPE__EVENT_PAUSED:
        be_silent(t);
        say_text(t, catalogue_text(language(t), NULL, "The game is paused."), MIXER_URGENT, "paused");
        break;
    case TABLED__V1__EVENT_TYPE__EVENT_RESUMED:
        if (!t->dark) // by night the step says so itself
            say_text(t, catalogue_text(language(t), NULL, "The game goes on."), MIXER_URGENT, "resumed");
        break;
    case TABLED__V1__EVENT_TYPE__EVENT_GAME_ENDED:
        if (*e->reason) // somebody ended it; else the winners are being told
            be_silent(t);
        break;
    case TABLED__V1__EVENT_TYPE__EVENT_UNDONE:
    case TABLED__V1__EVENT_TYPE__EVENT_RESET:
        be_silent(t);
        break;
    case TABLED__V1__EVENT_TYPE__EVENT_REMINDER:
        remind(t, e);
        break;
    case TABLED__V1__EVENT_TYPE__EVENT_VIOLATION_RAISED:
        if (e->n_violation)
            wrong_raised(t, e->violation[0]);
        break;
    case TABLED__V1__EVENT_TYPE__EVENT_VIOLATION_CLEARED:
        if (e->n_violation)
            wrong_cleared(t, e->violation[0]->id);
        break;
    default:
        break;
    }
}

static void on_reset(void *ctx) {
    struct teller *t = ctx;
    be_silent(t);
    t->dark = false;
    lay_bed(t);
}

const struct room_calls teller_calls = {.status = on_status,
                                        .phase = on_phase,
                                        .violations = on_violations,
                                        .event = on_event,
                                        .narration = on_narration,
                                        .reset = on_reset};
