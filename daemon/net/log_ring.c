#include "net/log_ring.h"
#include "core/clock.h"
#include "core/json.h"
#include "core/log.h"
#include "core/utf8.h"
#include "net/routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct log_ring {
    struct door *door;
    uint64_t end; // number of the newest line; they count from 1
    struct line {
        int64_t at_us;
        enum log_level level;
        char text[LOG_RING_TEXT];
    } line[LOG_RING_LINES];
};

static void keep(void *ctx, enum log_level level, const char *module, const char *text) {
    struct log_ring *ring = ctx;
    if (level == LOG_LEVEL_DEBUG && request_game_runs(ring->door, ""))
        return;
    struct line *line = &ring->line[++ring->end % LOG_RING_LINES];
    line->at_us = clock_wall_us(clock_real());
    line->level = level;
    int n = snprintf(line->text, sizeof line->text, "%s: %s", module, text);
    if (n >= (int)sizeof line->text)
        line->text[utf8_cut(line->text, sizeof line->text - 1)] = '\0'; // B122
}

struct log_ring *log_ring_create(struct door *door) {
    struct log_ring *ring = calloc(1, sizeof *ring);
    if (ring) {
        ring->door = door;
        log_set_tap(keep, ring);
    }
    return ring;
}

void log_ring_destroy(struct log_ring *ring) {
    if (ring)
        log_set_tap(NULL, NULL);
    free(ring);
}

// ---- GET /api/v1/logs

static const char *const level_names[] = {"error", "warning", "info", "debug"};

static void write_line(struct json *j, uint64_t n, const struct line *line) {
    char time[CLOCK_TEXT_MAX];
    clock_text(line->at_us, time);
    json_begin_object(j);
    json_key(j, "n");
    json_uint(j, n);
    answer_text_field(j, "at", time);
    answer_text_field(j, "level", level_names[line->level]);
    answer_text_field(j, "text", line->text);
    json_end_object(j);
}

struct page {
    enum log_level level; // this and worse
    uint64_t after, limit;
};

static bool read_page(struct request *request, struct page *ret) {
    const char *level = MHD_lookup_connection_value(request->mhd, MHD_GET_ARGUMENT_KIND, "level");
    ret->level = LOG_LEVEL_DEBUG;
    if (!level || !*level || log_level_parse(level, &ret->level))
        return request_number(request, "after", 0, INT64_MAX, 0, &ret->after) &&
               request_number(request, "limit", 1, LOG_RING_PAGE, LOG_RING_PAGE, &ret->limit);
    answer_code(request, ERROR_INVALID, "\"level\" is one of error warning info debug");
    return false;
}

// The first line of a page: after the cursor; without one such that the newest fill it.
static uint64_t first_of(const struct log_ring *ring, const struct page *page) {
    uint64_t oldest = ring->end > LOG_RING_LINES ? ring->end - LOG_RING_LINES + 1 : 1;
    if (page->after)
        return page->after + 1 > oldest ? page->after + 1 : oldest;
    uint64_t found = 0, n = ring->end;
    for (; n >= oldest && found < page->limit; n--)
        found += ring->line[n % LOG_RING_LINES].level <= page->level;
    return n + 1;
}

void get_logs(struct request *request) {
    const struct log_ring *ring = request->http->log_ring;
    struct page page;
    if (!read_page(request, &page))
        return;
    size_t cap = (LOG_RING_TEXT * 6 + 160) * (size_t)page.limit + 128;
    char *text = malloc(cap), next[24] = "";
    struct json j;
    if (!text) {
        answer_error(request, &(struct error){.code = ERROR_INTERNAL});
        return;
    }
    json_begin(&j, text, cap);
    json_begin_object(&j);
    json_key(&j, "lines");
    json_begin_array(&j);
    uint64_t told = 0, last = 0;
    for (uint64_t n = first_of(ring, &page); n <= ring->end; n++) {
        const struct line *line = &ring->line[n % LOG_RING_LINES];
        if (line->level > page.level)
            continue;
        if (told++ == page.limit) {
            snprintf(next, sizeof next, "%llu", (unsigned long long)last);
            break;
        }
        write_line(&j, last = n, line);
    }
    json_end_array(&j);
    answer_text_field(&j, "next", next);
    json_end_object(&j);
    json_end(&j);
    answer_json(request, 200, text, j.len);
    free(text);
}
