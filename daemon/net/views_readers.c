// Readers: up and down for all who may read, numbers for those who look after them. No number tells what a
// dark phase did (engine/door_numbers.c).
#include "net/views_readers.h"
#include "core/clock.h"
#include "core/json.h"
#include "net/routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_JSON_MAX = 640, ROW_METRICS_MAX = 1600 };

static void write_time(struct json *j, const char *key, int64_t wall_us) {
    char text[CLOCK_TEXT_MAX];
    json_key(j, key);
    if (wall_us)
        clock_text(wall_us, text);
    json_text(j, wall_us ? text : NULL);
}

static void write_numbers(struct json *j, const struct observe_reader_numbers *row) {
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {
        {"rate_mhz", row->rate_mhz}, {"scans", row->scans},   {"seen", row->seen},     {"none", row->none},
        {"collided", row->collided}, {"failed", row->failed}, {"misses", row->misses},
    };
    json_begin_object(j);
    json_key(j, "name");
    json_text(j, row->name);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        json_key(j, counts[i].key);
        json_uint(j, counts[i].value);
    }
    json_key(j, "faults");
    json_begin_object(j);
    for (int i = 0; i < OBSERVE_FAULTS; i++) {
        json_key(j, observe_fault_name((enum observe_fault)i));
        json_uint(j, row->faults[i]);
    }
    json_end_object(j);
    write_time(j, "last_scan", row->scan_us);
    write_time(j, "last_seen", row->seen_us);
    json_end_object(j);
}

static bool serves(const struct observe_readers *readers, const char *name) {
    for (unsigned i = 0; readers && i < readers->n; i++)
        if (!strcmp(readers->reader[i].name, name))
            return true;
    return false;
}

// The public document with one more member at its end.
static void answer_numbers(struct request *request, const char *text, size_t len) {
    struct door *door = request->http->options.door;
    const struct observe_readers *readers = door_readers(door, request->table);
    const struct observe_reader_numbers *row;
    size_t n = door_numbers(door, &row), cap = len + (n + 1) * ROW_JSON_MAX;
    char *buf = malloc(cap);
    struct json j;
    if (!buf) {
        answer_code(request, ERROR_INTERNAL, "out of memory");
        return;
    }
    json_begin(&j, buf, cap);
    json_raw(&j, text, len - 1); // without its last brace
    json_key(&j, "numbers");
    json_begin_array(&j);
    for (size_t i = 0; i < n; i++)
        if (serves(readers, row[i].name))
            write_numbers(&j, &row[i]);
    json_end_array(&j);
    json_end_object(&j);
    if (json_end(&j))
        answer_json(request, 200, buf, j.len);
    else
        answer_error(request, &(struct error){.code = ERROR_INTERNAL});
    free(buf);
}

void get_readers(struct request *request) {
    static const char none[] = "{\"readers\":[]}";
    if (!answer_table_known(request))
        return;
    const struct feed_message *message =
        feed_latest(request->http->options.feed, request->table, OBSERVE_PUBLIC, TOPIC_READERS);
    const char *text = message ? (const char *)message->json->data : none;
    size_t len = message ? message->json->len : sizeof none - 1;
    if (request->capabilities & CAP_CONTROL)
        answer_numbers(request, text, len);
    else if (message)
        answer_bytes(request, message->json, "no-store");
    else
        answer_json(request, 200, text, len);
}

// ---- metrics

struct row {
    const char *name, *type, *help;
    size_t offset;
};
static const struct row rows[] = {
    {"scans_total", "counter", "Scans", offsetof(struct observe_reader_numbers, scans)},
    {"seen_total", "counter", "Scans that saw a tag", offsetof(struct observe_reader_numbers, seen)},
    {"collided_total", "counter", "Scans with a collision",
     offsetof(struct observe_reader_numbers, collided)},
    {"failed_total", "counter", "Scans that failed", offsetof(struct observe_reader_numbers, failed)},
    {"misses_total", "counter", "Scans that missed a piece which lay there",
     offsetof(struct observe_reader_numbers, misses)},
};

static void line(char *text, size_t cap, const char *name, const char *reader, const char *label,
                 uint64_t value) {
    size_t at = strlen(text);
    snprintf(text + at, cap - at, "tabled_reader_%s{reader=\"%s\"%s} %llu\n", name, reader, label,
             (unsigned long long)value);
}

static void head(char *text, size_t cap, const char *name, const char *type, const char *help) {
    size_t at = strlen(text);
    snprintf(text + at, cap - at,
             "# HELP tabled_reader_%s %s; nothing of dark phases\n# TYPE tabled_reader_%s %s\n", name, help,
             name, type);
}

char *views_readers_metrics(struct door *door) {
    const struct observe_reader_numbers *reader;
    size_t n = door_numbers(door, &reader), cap = 2048 + n * ROW_METRICS_MAX;
    char *text = calloc(1, cap), label[48];
    if (!text || !n)
        return text;
    head(text, cap, "up", "gauge", "1 while it answers");
    for (size_t i = 0; i < n; i++)
        line(text, cap, "up", reader[i].name, "", reader[i].up);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        head(text, cap, rows[k].name, rows[k].type, rows[k].help);
        for (size_t i = 0; i < n; i++) {
            uint64_t value;
            memcpy(&value, (const char *)&reader[i] + rows[k].offset, sizeof value);
            line(text, cap, rows[k].name, reader[i].name, "", value);
        }
    }
    head(text, cap, "faults_total", "counter", "What went wrong, by class");
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < OBSERVE_FAULTS; k++) {
            snprintf(label, sizeof label, ",class=\"%s\"", observe_fault_name((enum observe_fault)k));
            line(text, cap, "faults_total", reader[i].name, label, reader[i].faults[k]);
        }
    return text;
}
