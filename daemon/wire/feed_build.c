// The parts that views and events share, and the events.
#include "wire/feed_build.h"
#include "core/log.h"
#include "core/utf8.h"
#include "wire/feed_build__.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

// The largest view (512 places, 768 items, a story of 256 lines) needs less than half of this. Pages are only
// touched as far as messages reach.
enum { ARENA_BYTES = 512 * 1024 };

_Static_assert((int)OBSERVE_EVENT_RESET == (int)TABLED__V1__EVENT_TYPE__EVENT_RESET &&
                   (int)OBSERVE_EVENT_ACTION == (int)TABLED__V1__EVENT_TYPE__EVENT_ACTION &&
                   (int)OBSERVE_EVENT_REVEALED == (int)TABLED__V1__EVENT_TYPE__EVENT_REVEALED &&
                   (int)OBSERVE_EVENT_CHOICE_OPENED == (int)TABLED__V1__EVENT_TYPE__EVENT_CHOICE_OPENED &&
                   (int)OBSERVE_EVENT_READER_LOST == (int)TABLED__V1__EVENT_TYPE__EVENT_READER_LOST &&
                   (int)OBSERVE_EVENT_TYPES == 22,
               "EventType follows OBSERVE_EVENT_MAP");
_Static_assert((int)OBSERVE_ARG_SEAT == (int)TABLED__V1__LINE_ARG_TYPE__LINE_ARG_TYPE_SEAT &&
                   (int)OBSERVE_ARG_NUMBER == (int)TABLED__V1__LINE_ARG_TYPE__LINE_ARG_TYPE_NUMBER,
               "LineArgType follows enum observe_line_arg_type");

void feed_arena_init(struct feed_arena *arena) {
    *arena = (struct feed_arena){.base = malloc(ARENA_BYTES), .cap = ARENA_BYTES};
    if (arena->base == NULL)
        log_no_memory("wire");
}

void feed_arena_free(struct feed_arena *arena) {
    free(arena->base);
    *arena = (struct feed_arena){0};
}

void *feed_build__take(struct feed_arena *arena, size_t size) {
    size = (size + 15) & ~(size_t)15;
    assert(size <= arena->cap - arena->used);
    void *memory = arena->base + arena->used;
    arena->used += size;
    return memory;
}

// The table cuts its texts at fixed sizes; what is left of a cut character must not leave (B095).
static char *repaired(struct feed_arena *arena, const char *text) {
    size_t len = strlen(text), used = 0;
    char *ret = feed_build__take(arena, 3 * len + 1);
    len = utf8_cut(text, len);
    for (size_t i = 0, n; i<len; i += n> 0 ? n : 1) {
        n = utf8_char(text + i, len - i);
        memcpy(ret + used, n > 0 ? text + i : "\xEF\xBF\xBD", n > 0 ? n : 3);
        used += n > 0 ? n : 3;
    }
    ret[used] = '\0';
    return ret;
}

char *feed_build__text(struct feed_arena *arena, const char *text) {
    if (text == NULL)
        return (char *)protobuf_c_empty_string;
    const char *p = text;
    while ((unsigned char)(*p - 1) < 0x7f)
        p++;
    if (*p == '\0')
        return (char *)text; // protobuf-c wants char * and does not write
    for (size_t len = strlen(p), n; len > 0; p += n, len -= n)
        if ((n = utf8_char(p, len)) == 0)
            return repaired(arena, text);
    return (char *)text;
}

static const char *const seats[OBSERVE_SEATS_MAX] = {"s1", "s2",  "s3",  "s4",  "s5",  "s6",  "s7",  "s8",
                                                     "s9", "s10", "s11", "s12", "s13", "s14", "s15", "s16"};
const char *feed_build__seat(int seat) {
    return seat >= 0 && seat < OBSERVE_SEATS_MAX ? seats[seat] : "";
}
const char *feed_audience_name(int audience) {
    return audience == OBSERVE_PUBLIC ? "public" : feed_build__seat(audience);
}

Tabled__V1__Time *feed_build__time(struct feed_arena *arena, int64_t wall_us) {
    if (wall_us <= 0)
        return NULL;
    Tabled__V1__Time *time = feed_build__take(arena, sizeof *time);
    *time = (Tabled__V1__Time)TABLED__V1__TIME__INIT;
    time->unix_ms = (uint64_t)wall_us / 1000;
    return time;
}

Tabled__V1__Header *feed_build_header(struct feed_arena *arena, const struct feed_frame *frame) {
    Tabled__V1__Header *header = feed_build__take(arena, sizeof *header);
    *header = (Tabled__V1__Header)TABLED__V1__HEADER__INIT;
    header->boot_id = (char *)frame->boot_id;
    header->seq = frame->seq;
    header->at = feed_build__time(arena, frame->at_us);
    header->table = (char *)frame->table;
    header->audience = (char *)feed_audience_name(frame->audience);
    header->game_id = (char *)frame->game_id;
    return header;
}

size_t feed_build__repairs(struct feed_arena *arena, size_t n, const struct observe_repair *from,
                           Tabled__V1__Repair ***ret) {
    Tabled__V1__Repair **list, *items;
    n = from != NULL ? feed_build__most(n, OBSERVE_REPAIRS_MAX) : 0;
    FEED_BUILD_LIST__(arena, n, list, items);
    for (size_t i = 0; i < n; i++) {
        items[i] = (Tabled__V1__Repair)TABLED__V1__REPAIR__INIT;
        items[i].take = feed_build__text(arena, from[i].take);
        items[i].put = feed_build__text(arena, from[i].put);
        items[i].what = feed_build__text(arena, from[i].what);
    }
    *ret = n > 0 ? list : NULL;
    return n;
}

size_t feed_build__violations(struct feed_arena *arena, size_t n, const struct observe_violation *from,
                              Tabled__V1__Violation ***ret) {
    Tabled__V1__Violation **list, *items;
    n = from != NULL ? feed_build__most(n, OBSERVE_VIOLATIONS_MAX) : 0;
    FEED_BUILD_LIST__(arena, n, list, items);
    for (size_t i = 0; i < n; i++) {
        items[i] = (Tabled__V1__Violation)TABLED__V1__VIOLATION__INIT;
        items[i].id = from[i].id;
        items[i].rule = feed_build__text(arena, from[i].rule);
        items[i].text = feed_build__text(arena, from[i].text);
        items[i].n_places = feed_build__most(from[i].n_places, OBSERVE_REPAIRS_MAX);
        items[i].places = feed_build__take(arena, items[i].n_places * sizeof(char *));
        for (size_t k = 0; k < items[i].n_places; k++)
            items[i].places[k] = feed_build__text(arena, from[i].places[k]);
        items[i].n_repairs =
            feed_build__repairs(arena, from[i].n_repairs, from[i].repairs, &items[i].repairs);
        items[i].since = feed_build__time(arena, from[i].since_us);
    }
    *ret = n > 0 ? list : NULL;
    return n;
}

static size_t build_args(struct feed_arena *arena, const struct observe_action *from,
                         Tabled__V1__Arg ***ret) {
    Tabled__V1__Arg **list, *items;
    size_t n = feed_build__most(from->n_args, OBSERVE_ARGS_MAX);
    FEED_BUILD_LIST__(arena, n, list, items);
    for (size_t i = 0; i < n; i++) {
        items[i] = (Tabled__V1__Arg)TABLED__V1__ARG__INIT;
        items[i].name = feed_build__text(arena, from->args[i].name);
        items[i].value = feed_build__text(arena, from->args[i].value);
    }
    *ret = n > 0 ? list : NULL;
    return n;
}

static size_t build_actions(struct feed_arena *arena, size_t n, const struct observe_action *from,
                            Tabled__V1__Action ***ret) {
    Tabled__V1__Action **list, *items;
    n = from != NULL ? feed_build__most(n, OBSERVE_OPTIONS_MAX) : 0;
    FEED_BUILD_LIST__(arena, n, list, items);
    for (size_t i = 0; i < n; i++) {
        items[i] = (Tabled__V1__Action)TABLED__V1__ACTION__INIT;
        items[i].by = feed_build__text(arena, from[i].by);
        items[i].do_ = feed_build__text(arena, from[i].verb);
        items[i].n_args = build_args(arena, &from[i], &items[i].args);
        items[i].text = feed_build__text(arena, from[i].text);
        items[i].notation = feed_build__text(arena, from[i].notation);
    }
    *ret = n > 0 ? list : NULL;
    return n;
}

size_t feed_build__choices(struct feed_arena *arena, const struct observe_choice *from,
                           Tabled__V1__Choice ***ret) {
    Tabled__V1__Choice **list, *items;
    *ret = NULL;
    if (from == NULL)
        return 0;
    FEED_BUILD_LIST__(arena, 1, list, items);
    items[0] = (Tabled__V1__Choice)TABLED__V1__CHOICE__INIT;
    items[0].id = from->id;
    items[0].by = feed_build__text(arena, from->by);
    items[0].n_options = build_actions(arena, from->n, from->options, &items[0].options);
    *ret = list;
    return 1;
}

ProtobufCMessage *feed_build_event(struct feed_arena *arena, const struct feed_frame *frame,
                                   const struct observe_event *event) {
    Tabled__V1__Event *m = feed_build__take(arena, sizeof *m);
    *m = (Tabled__V1__Event)TABLED__V1__EVENT__INIT;
    m->header = feed_build_header(arena, frame);
    m->event = (Tabled__V1__EventType)event->type;
    m->seat = (char *)feed_build__seat(event->seat);
    m->n_action = build_actions(arena, 1, event->action, &m->action);
    m->n_violation = feed_build__violations(arena, 1, event->violation, &m->violation);
    m->n_choice = feed_build__choices(arena, event->choice, &m->choice);
    m->n_repairs = feed_build__repairs(arena, event->n_repairs, event->repairs, &m->repairs);
    m->reason = feed_build__text(arena, event->reason);
    m->reader = feed_build__text(arena, event->reader);
    m->code = feed_build__text(arena, event->code);
    m->text = feed_build__text(arena, event->text);
    return &m->base;
}

static size_t line_args(struct feed_arena *arena, const struct observe_line *line,
                        Tabled__V1__LineArg ***ret) {
    size_t n = feed_build__most(line->n_args, sizeof line->arg / sizeof *line->arg);
    Tabled__V1__LineArg **list, *items;
    FEED_BUILD_LIST__(arena, n, list, items);
    for (size_t i = 0; i < n; i++) {
        items[i] = (Tabled__V1__LineArg)TABLED__V1__LINE_ARG__INIT;
        items[i].type = (Tabled__V1__LineArgType)line->arg[i].type;
        items[i].value = feed_build__text(arena, line->arg[i].value);
        items[i].label = feed_build__text(arena, line->arg[i].label);
    }
    *ret = n > 0 ? list : NULL;
    return n;
}

ProtobufCMessage *feed_build_narration(struct feed_arena *arena, const struct feed_frame *frame,
                                       const char *locale, const struct observe_narration *narration) {
    Tabled__V1__Narration *m = feed_build__take(arena, sizeof *m);
    Tabled__V1__Line **list, *items;
    *m = (Tabled__V1__Narration)TABLED__V1__NARRATION__INIT;
    m->header = feed_build_header(arena, frame);
    m->locale = (char *)locale;
    m->starts_at = feed_build__time(arena, narration->starts_at_us);
    m->n_lines = feed_build__most(narration->n_lines, OBSERVE_LINES_MAX);
    FEED_BUILD_LIST__(arena, m->n_lines, list, items);
    for (size_t i = 0; i < m->n_lines; i++) {
        items[i] = (Tabled__V1__Line)TABLED__V1__LINE__INIT;
        items[i].id = feed_build__text(arena, narration->line[i].id);
        items[i].text = feed_build__text(arena, narration->line[i].text);
        items[i].at_ms = narration->line[i].at_ms;
        items[i].n_args = line_args(arena, &narration->line[i], &items[i].args);
    }
    m->lines = m->n_lines > 0 ? list : NULL;
    return &m->base;
}

ProtobufCMessage *feed_build_readers(struct feed_arena *arena, const struct feed_frame *frame,
                                     const struct observe_readers *readers) {
    Tabled__V1__Readers *m = feed_build__take(arena, sizeof *m);
    Tabled__V1__Reader **list, *items;
    *m = (Tabled__V1__Readers)TABLED__V1__READERS__INIT;
    m->header = feed_build_header(arena, frame);
    m->n_readers = feed_build__most(readers->n, OBSERVE_READERS_MAX);
    FEED_BUILD_LIST__(arena, m->n_readers, list, items);
    for (size_t i = 0; i < m->n_readers; i++) {
        const struct observe_reader *from = &readers->reader[i];
        items[i] = (Tabled__V1__Reader)TABLED__V1__READER__INIT;
        items[i].name = feed_build__text(arena, from->name);
        items[i].driver = feed_build__text(arena, from->driver);
        items[i].up = from->up;
        items[i].since = feed_build__time(arena, from->since_us);
        items[i].why = feed_build__text(arena, from->why);
    }
    m->readers = m->n_readers > 0 ? list : NULL;
    return &m->base;
}
