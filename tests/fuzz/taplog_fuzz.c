// Text from a file and from a node: read or refused, inside its bounds; what is read can be written and read
// again.
#include "drivers/node_lines.h"
#include "drivers/taplog.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_and_read(const char *text, size_t len) {
    struct taplog_line line, again;
    struct error err;
    char out[TAPLOG_TEXT_MAX];
    if (taplog_parse(text, len, true, &line, &err) != ERROR_OK || !line.observation)
        return;
    size_t n = taplog_format(line.ms, line.reader, line.antenna, line.outcome, &line.tag, out);
    if (taplog_parse(out, n - 1, false, &again, &err) != ERROR_OK || again.ms != line.ms ||
        strcmp(again.reader, line.reader) != 0 || again.antenna != line.antenna ||
        again.outcome != line.outcome || memcmp(&again.tag, &line.tag, sizeof line.tag) != 0)
        abort();
}

static void each_line(const char *text, size_t size) {
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t n = newline ? (size_t)(newline - text) - at : size - at;
        write_and_read(text + at, n);
        at += n + 1;
    }
}

static void load(const char *text, size_t size) {
    struct taplog *log;
    struct error err;
    if (taplog_load_text(text, size, "fuzz.tap", "north", &log, &err) != ERROR_OK)
        return;
    int64_t last = 0;
    for (size_t i = 0; i < log->n_events; i++) {
        const struct taplog_event *event = &log->event[i];
        if (event->ms < last || event->ms > log->end_ms || event->tag + (size_t)event->n > log->n_tags ||
            (event->outcome <= TAPLOG_FAILED && event->antenna >= log->antennas))
            abort();
        last = event->ms;
    }
    taplog_destroy(log);
}

static void seen(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len) {
    (void)uid;
    if (!reader->up || antenna >= reader->antennas || (len != 4 && len != 7 && len != 10))
        abort();
}
static void scan_done(struct reader *reader, uint16_t antenna, enum driver_outcome outcome) {
    (void)outcome;
    if (!reader->up || antenna >= reader->antennas)
        abort();
}
static void health(struct reader *reader, bool up, const char *why) {
    (void)reader;
    (void)up;
    (void)why;
}

static void as_a_node(const char *text, size_t size) {
    static const struct driver_host host = {.seen = seen, .scan_done = scan_done, .health = health};
    struct clock_virtual clock;
    struct error err;
    struct node_buffer buffer = {.n = 0};
    struct node_lines lines = {0};
    struct reader reader = {.host = &host, .name = "north"};
    clock_virtual_init(&clock);
    if (loop_create(&clock.base, &clock, &reader.loop, &err) != ERROR_OK)
        abort();
    node_lines_open(&lines, &reader, 10, 85);
    for (size_t at = 0; at < size; at += 100) {
        node_lines_bytes(&lines, &buffer, text + at, size - at < 100 ? size - at : 100);
        loop_turn(reader.loop, 20000);
    }
    for (unsigned i = 0; i < 10; i++)
        loop_turn(reader.loop, 50000);
    node_lines_down(&lines, "the end");
    node_lines_close(&lines);
    loop_destroy(reader.loop);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size ? size : 1); // exact, so that a step too far is seen
    if (!text)
        return 0;
    memcpy(text, data, size);
    each_line(text, size);
    load(text, size);
    as_a_node(text, size < 4096 ? size : 4096);
    free(text);
    return 0;
}
