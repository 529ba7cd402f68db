// A tap log as a whole: loaded, checked, cut down to one reader.
#include "drivers/taplog.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loader {
    struct taplog *log;
    const char *name, *reader;
    unsigned line;
    bool body;
    int64_t last_ms, end_ms;
    // Scans of the moment last_ms. Each reader of the file has its own antennas; only our own are put
    // together, those of others are checked by the line alone.
    struct taplog_frame frame;
    size_t cap_events, cap_tags;
};

static enum error_code push_tags(struct loader *l, const struct taplog_tag *tag, size_t n,
                                 struct error *err) {
    struct taplog *log = l->log;
    if (log->n_tags + n > l->cap_tags) {
        size_t cap = l->cap_tags ? l->cap_tags * 2 : 64;
        struct taplog_tag *more = realloc(log->tag, cap * sizeof *more);
        if (!more)
            return error_set(err, ERROR_TOO_LARGE, NULL, "out of memory");
        log->tag = more;
        l->cap_tags = cap;
    }
    if (n)
        memcpy(log->tag + log->n_tags, tag, n * sizeof *tag);
    log->n_tags += n;
    return ERROR_OK;
}

static enum error_code push_event(struct loader *l, uint16_t antenna, enum taplog_outcome outcome,
                                  const struct taplog_tag *tag, uint8_t n, struct error *err) {
    struct taplog *log = l->log;
    if (log->n_events == TAPLOG_EVENTS_MAX)
        return error_set(err, ERROR_TOO_LARGE, NULL, "more than %d observations of one reader",
                         TAPLOG_EVENTS_MAX);
    if (log->n_events == l->cap_events) {
        size_t cap = l->cap_events ? l->cap_events * 2 : 64;
        struct taplog_event *more = realloc(log->event, cap * sizeof *more);
        if (!more)
            return error_set(err, ERROR_TOO_LARGE, NULL, "out of memory");
        log->event = more;
        l->cap_events = cap;
    }
    log->event[log->n_events++] = (struct taplog_event){.ms = l->last_ms,
                                                        .tag = (uint32_t)log->n_tags,
                                                        .antenna = antenna,
                                                        .outcome = (uint8_t)outcome,
                                                        .n = n};
    if (log->antennas <= antenna && outcome <= TAPLOG_FAILED)
        log->antennas = (uint16_t)(antenna + 1);
    return push_tags(l, tag, n, err);
}

static enum error_code close_frame(struct loader *l, struct error *err) {
    enum error_code code = ERROR_OK;
    for (unsigned i = 0; code == ERROR_OK && i < l->frame.n; i++) {
        const struct taplog_scan *scan = &l->frame.scan[l->frame.order[i]];
        code = push_event(l, l->frame.order[i], scan->outcome, scan->tag, scan->n, err);
    }
    taplog_frame_clear(&l->frame);
    return code;
}

static enum error_code take_observation(struct loader *l, const struct taplog_line *line, struct error *err) {
    enum error_code code = ERROR_OK;
    if (l->body && line->ms < l->last_ms)
        return error_set(err, ERROR_INVALID, NULL, "the time goes back, from %lld to %lld",
                         (long long)l->last_ms, (long long)line->ms);
    if (line->ms != l->last_ms)
        code = close_frame(l, err);
    l->body = true;
    l->last_ms = line->ms;
    if (code != ERROR_OK || strcmp(line->reader, l->reader) != 0)
        return code;
    if (line->outcome <= TAPLOG_FAILED)
        return taplog_frame_add(&l->frame, line, err);
    code = close_frame(l, err);
    return code == ERROR_OK ? push_event(l, 0, line->outcome, NULL, 0, err) : code;
}

static enum error_code take_line(struct loader *l, const char *text, size_t len, struct error *err) {
    struct taplog_line line;
    enum error_code code = taplog_parse(text, len, !l->body, &line, err);
    if (code != ERROR_OK)
        return code;
    if (line.hold_ms >= 0 && l->body)
        return error_set(err, ERROR_INVALID, NULL, "@hold belongs in the header, before the observations");
    if (line.hold_ms >= 0)
        l->log->hold_ms = line.hold_ms;
    if (line.end_ms >= 0)
        l->end_ms = line.end_ms;
    return line.observation ? take_observation(l, &line, err) : ERROR_OK;
}

static enum error_code finish(struct loader *l, struct error *err) {
    enum error_code code = close_frame(l, err);
    if (code != ERROR_OK)
        return code;
    if (l->end_ms >= 0 && l->end_ms < l->last_ms)
        return error_set(err, ERROR_INVALID, NULL, "@end %lld lies before the last observation, %lld",
                         (long long)l->end_ms, (long long)l->last_ms);
    l->log->end_ms = l->end_ms >= 0 ? l->end_ms : l->last_ms + (l->log->hold_ms ? TAPLOG_AFTER_HOLD_MS : 0);
    return ERROR_OK;
}

static enum error_code loader_open(struct loader *l, const char *name, const char *reader,
                                   struct error *err) {
    *l = (struct loader){.name = name, .reader = reader, .end_ms = -1};
    l->log = calloc(1, sizeof *l->log);
    return l->log ? ERROR_OK : error_set(err, ERROR_INTERNAL, name, "out of memory");
}

static enum error_code loader_close(struct loader *l, enum error_code code, struct taplog **ret,
                                    struct error *err) {
    if (code == ERROR_OK)
        code = finish(l, err);
    taplog_frame_free(&l->frame);
    if (code != ERROR_OK) {
        if (err)
            snprintf(err->where, sizeof err->where, "%.80s:%u", l->name, l->line);
        taplog_destroy(l->log);
        l->log = NULL;
    }
    *ret = l->log;
    return code;
}

enum error_code taplog_load_text(const char *text, size_t len, const char *name, const char *reader,
                                 struct taplog **ret, struct error *err) {
    struct loader l;
    *ret = NULL;
    enum error_code code = loader_open(&l, name, reader, err);
    if (code != ERROR_OK)
        return code;
    for (size_t at = 0; code == ERROR_OK && at < len;) {
        const char *newline = memchr(text + at, '\n', len - at);
        size_t n = newline ? (size_t)(newline - text) - at : len - at;
        l.line++;
        code = take_line(&l, text + at, n, err);
        at += n + 1;
    }
    return loader_close(&l, code, ret, err);
}

enum error_code taplog_load(const char *path, const char *reader, struct taplog **ret, struct error *err) {
    struct loader l;
    *ret = NULL;
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(err, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_INVALID, path,
                         "the tap log cannot be read: %s", strerror(errno));
    enum error_code code = loader_open(&l, path, reader, err);
    if (code != ERROR_OK) {
        fclose(file);
        return code;
    }
    char text[TAPLOG_LINE_MAX + 2]; // one more than a line with its \r may have: the rest is only counted
    size_t n = 0;
    for (int c = getc_unlocked(file); code == ERROR_OK; c = getc_unlocked(file)) {
        if (c != '\n' && c != EOF) {
            text[n] = (char)c;
            n += n + 1 < sizeof text;
            continue;
        }
        if (c == EOF && n == 0)
            break;
        l.line++;
        code = take_line(&l, text, n, err);
        n = 0;
        if (c == EOF)
            break;
    }
    if (code == ERROR_OK && ferror(file))
        code =
            error_set(err, ERROR_INVALID, path, "the tap log cannot be read to its end: %s", strerror(errno));
    fclose(file);
    return loader_close(&l, code, ret, err);
}

void taplog_destroy(struct taplog *log) {
    if (!log)
        return;
    free(log->event);
    free(log->tag);
    free(log);
}
