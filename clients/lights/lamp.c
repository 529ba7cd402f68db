#include "lamp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct lamp_wire *const wires[] = {&lamp_ddp, &lamp_ws2812, &lamp_sk6812, &lamp_record};

const struct config_key lamp_keys[] = {
    {"type", CONFIG_CHOICE, NULL, true, .choices = "ddp ws2812 sk6812 record",
     .help = "ddp: WLED over the network; ws2812, sk6812: a strip on SPI; record: a file"},
    {"leds", CONFIG_INT, NULL, true, 1, LAMP_LEDS_MAX, .help = "how many LEDs"},
    {"host", CONFIG_TEXT, .help = "ddp: name or address of the lamp"},
    {"port", CONFIG_INT, "4048", .min = 1, .max = 65535, .help = "ddp: its UDP port"},
    {"device", CONFIG_PATH, .help = "strip: /dev/spidevB.C"},
    {"readers", CONFIG_PATH, "/etc/tabled/tabled.conf",
     .help = "strip: the daemon's configuration; its readers must not be on the same bus"},
    {"file", CONFIG_PATH, .help = "record: where frames are written, one JSON line each"},
    {"ring", CONFIG_TEXT, .help = "LEDs of the countdown, FIRST-LAST"},
    {"day", CONFIG_INT, "20", .min = 1, .max = 100, .help = "brightness by day, in percent"},
    {"night", CONFIG_INT, "2", .min = 0, .max = 20, .help = "brightness by night, in percent"},
    {.name = NULL},
};

static const struct lamp_wire *find_wire(const char *name) {
    for (size_t i = 0; i < sizeof wires / sizeof *wires; i++)
        if (!strcmp(wires[i]->name, name))
            return wires[i];
    return NULL;
}

// "12" or "12-17" or "17-12".
static bool parse_span(const struct lamp *lamp, const char *text, struct lamp_span *ret) {
    char *end;
    unsigned long first = strtoul(text, &end, 10), last = first;
    if (end == text || *text < '0' || *text > '9')
        return false;
    if (*end == '-') {
        const char *from = end + 1;
        last = strtoul(from, &end, 10);
        if (end == from || *from < '0' || *from > '9')
            return false;
    }
    if (*end || first >= lamp->n_leds || last >= lamp->n_leds)
        return false;
    ret->first = (uint16_t)first;
    ret->last = (uint16_t)last;
    return true;
}

static enum error_code read_spans(struct lamp *lamp, const struct config *config, struct error *err) {
    const struct config_section *leds = config_find(config, "leds", lamp->name);
    for (size_t i = 0; leds && i < config_pairs(leds); i++) {
        const char *value, *where, *place = config_pair(leds, i, &value, &where);
        if (lamp->n_spans == LAMP_SPANS_MAX)
            return error_set(err, ERROR_INVALID, where, "a lamp stands at %d places at most", LAMP_SPANS_MAX);
        struct lamp_span *span = &lamp->span[lamp->n_spans];
        if (strlen(place) >= sizeof span->place || !parse_span(lamp, value, span))
            return error_set(err, ERROR_INVALID, where, "%s = %s: LEDs are FIRST-LAST between 0 and %d",
                             place, value, lamp->n_leds - 1);
        snprintf(span->place, sizeof span->place, "%s", place);
        lamp->n_spans++;
    }
    return ERROR_OK;
}

enum error_code lamp_open(struct lamp *lamp, struct loop *loop, const struct config *config,
                          const struct config_section *conf, const char *output, struct error *err) {
    *lamp = (struct lamp){.conf = conf, .loop = loop, .output = output};
    snprintf(lamp->name, sizeof lamp->name, "%s", config_label(conf));
    lamp->n_leds = (uint16_t)config_int(conf, "leds");
    lamp->day_percent = (unsigned)config_int(conf, "day");
    lamp->night_percent = (unsigned)config_int(conf, "night");
    lamp->wire = output ? &lamp_record : find_wire(config_text(conf, "type"));
    const char *ring = config_text(conf, "ring");
    if (ring && !parse_span(lamp, ring, &lamp->ring))
        return error_set(err, ERROR_INVALID, config_key_where(conf, "ring"),
                         "ring = %s: LEDs are FIRST-LAST between 0 and %d", ring, lamp->n_leds - 1);
    if (ring)
        strcpy(lamp->ring.place, "ring");
    if (read_spans(lamp, config, err))
        return err->code;
    return lamp->wire->open(lamp, err);
}

void lamp_close(struct lamp *lamp) {
    if (lamp->wire)
        lamp->wire->close(lamp);
    lamp->wire = NULL;
}

const struct lamp_span *lamp_find(const struct lamp *lamp, const char *place) {
    for (int i = 0; i < lamp->n_spans; i++)
        if (!strcmp(lamp->span[i].place, place))
            return &lamp->span[i];
    return NULL;
}
