// Frames into a file, one JSON line each: what tests compare, and what a picture can be made of.
#include "lamp.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static enum error_code record_open(struct lamp *lamp, struct error *err) {
    const char *path = lamp->output ? lamp->output : config_text(lamp->conf, "file");
    if (!path)
        return error_set(err, ERROR_INVALID, config_where(lamp->conf), "a lamp that records needs `file`");
    FILE *file = fopen(path, lamp->output ? "ae" : "we"); // lamps share the file of --out
    if (!file)
        return error_set(err, ERROR_INVALID, path, "%s", strerror(errno));
    setvbuf(file, NULL, _IOLBF, 0);
    lamp->priv = file;
    return ERROR_OK;
}

static bool record_send(struct lamp *lamp, const struct colour *leds) {
    FILE *file = lamp->priv;
    fprintf(file, "{\"at_ms\":%lld,\"lamp\":\"%s\",\"rgb\":\"", (long long)(loop_now_us(lamp->loop) / 1000),
            lamp->name);
    for (int i = 0; i < lamp->n_leds; i++)
        fprintf(file, "%02x%02x%02x", leds[i].r, leds[i].g, leds[i].b);
    fputs("\"}\n", file);
    return !ferror(file);
}

static void record_close(struct lamp *lamp) {
    if (lamp->priv)
        fclose(lamp->priv);
    lamp->priv = NULL;
}

const struct lamp_wire lamp_record = {"record", "frames into a file", record_open, record_send, record_close};
