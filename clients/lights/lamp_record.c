// Frames into a file, one JSON line each: what tests compare, and what a picture can be made of.
#include "core/log.h"
#include "lamp.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record {
    FILE *file;
    bool begun;
};

static enum error_code record_open(struct lamp *lamp, struct error *err) {
    const char *path = lamp->output ? lamp->output : config_text(lamp->conf, "file");
    if (!path)
        return error_set(err, ERROR_INVALID, config_where(lamp->conf), "a lamp that records needs `file`");
    FILE *file = fopen(path, "ae"); // lamps share the file of --out
    if (!file)
        return error_set(err, ERROR_INVALID, path, "%s", strerror(errno));
    setvbuf(file, NULL, _IOLBF, 0);
    struct record *record = lamp->priv = calloc(1, sizeof *record);
    if (!record)
        log_no_memory("lights");
    record->file = file;
    return ERROR_OK;
}

static bool record_send(struct lamp *lamp, const struct colour *leds) {
    struct record *record = lamp->priv;
    FILE *file = record->file;
    // What an earlier evening left goes with the first frame: looking at the configuration takes nothing
    // away.
    if (!record->begun && !lamp->output)
        (void)!ftruncate(fileno(file), 0); // a pipe has nothing to take away
    record->begun = true;
    fprintf(file, "{\"at_ms\":%lld,\"lamp\":\"%s\",\"rgb\":\"", (long long)(loop_now_us(lamp->loop) / 1000),
            lamp->name);
    for (int i = 0; i < lamp->n_leds; i++)
        fprintf(file, "%02x%02x%02x", leds[i].r, leds[i].g, leds[i].b);
    fputs("\"}\n", file);
    return !ferror(file);
}

static void record_close(struct lamp *lamp) {
    struct record *record = lamp->priv;
    if (record)
        fclose(record->file);
    free(record);
    lamp->priv = NULL;
}

const struct lamp_wire lamp_record = {"record", "frames into a file", record_open, record_send, record_close};
