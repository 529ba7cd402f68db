// A reader on the network. The daemon's one broker connection brings its bytes; this understands them. Sealed
// frames of our own nodes are levels; plain messages of other firmware are events, and good for tap points.
#include "drivers/arrival.h"
#include "drivers/driver.h"
#include "drivers/mqtt_reader_frame.h"
#include "drivers/mqtt_reader_plain.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mqtt_reader {
    bool sealed, reversed, removal;
    bool linked, fresh; // fresh: a frame has told where the counter is
    bool refused;       // it was told, since the node was last understood, why it is not
    uint64_t counter;
    uint8_t key[FRAME_KEY_BYTES];
    int64_t silent_us;
    struct loop_timer silence;
    struct arrival arrival; // plain
    struct frame frame;
};

// ---- up and down

static void down(struct reader *reader, const char *why) {
    struct mqtt_reader *m = reader->priv;
    loop_timer_stop(reader->loop, &m->silence);
    arrival_run(&m->arrival, false);
    reader_health(reader, false, why);
}

static void silent(void *ctx) {
    struct reader *reader = ctx;
    struct mqtt_reader *m = reader->priv;
    m->fresh = false;
    down(reader, m->sealed
                     ? "nothing comes from the node: is it powered, has it the network, is its name right?"
                     : "nothing comes from the node for long: is it powered, has it the network?");
}

static void heard(struct reader *reader) {
    struct mqtt_reader *m = reader->priv;
    if (m->silent_us)
        loop_timer_start(reader->loop, &m->silence, loop_now_us(reader->loop) + m->silent_us, silent, reader);
    m->refused = false;
    reader_health(reader, true, "the node is there");
    if (!m->sealed)
        arrival_run(&m->arrival, true);
}

static void on_link(struct reader *reader, bool up) {
    struct mqtt_reader *m = reader->priv;
    m->linked = up;
    m->refused = false;
    if (!up) {
        m->fresh = false;
        down(reader, "the broker is away: nothing can be heard of the node");
    } else if (m->sealed) {
        loop_timer_start(reader->loop, &m->silence, loop_now_us(reader->loop) + m->silent_us, silent, reader);
        reader_still_down(reader, "the broker is there; nothing has come from the node yet");
    } else {
        heard(reader); // its will tells if it is not
    }
}

// The node's will: online or offline, Online or Offline, 1 or 0.
static void on_status(struct reader *reader, const char *text, size_t len) {
    static const char *const off[] = {"offline", "Offline", "0", "OFF", "lost"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        if (len == strlen(off[i]) && !memcmp(text, off[i], len)) {
            ((struct mqtt_reader *)reader->priv)->fresh = false;
            down(reader, "the node has left the broker: is it powered, has it the network?");
            return;
        }
    if (!((struct mqtt_reader *)reader->priv)->sealed)
        heard(reader);
}

// ---- what it saw

// Something comes, and tells nothing. While the reader is up that may be anybody's noise; while it is down it
// is what to look for, said once.
static void refuse(struct reader *reader, enum driver_fault fault, const char *why) {
    struct mqtt_reader *m = reader->priv;
    reader_fault(reader, fault);
    if (reader->up || m->refused)
        return;
    m->refused = true;
    reader_still_down(reader, why);
}

static void tell_level(struct reader *reader, uint16_t antenna, const struct frame_level *level) {
    const struct mqtt_reader *m = reader->priv;
    for (unsigned i = 0; i < level->n_tags; i++) {
        struct id id = {.len = level->tags[i].len};
        memcpy(id.b, level->tags[i].b, sizeof id.b);
        if (m->reversed)
            id_reverse(&id);
        reader_seen(reader, antenna, id.b, id.len);
    }
    reader_scan_done(reader, antenna, (enum driver_outcome)level->outcome);
}

// A counter that does not grow: a frame that was recorded, overtaken or doubled (B017, B066). The first one
// after a silence only says where the counter is, so that a recorded frame moves nothing.
static void take_frame(struct reader *reader) {
    struct mqtt_reader *m = reader->priv;
    if (m->frame.counter == m->counter) {
        reader_fault(reader, DRIVER_FAULT_STATUS);
        return;
    }
    if (m->frame.counter < m->counter) {
        refuse(
            reader, DRIVER_FAULT_STATUS,
            "old frames come from the node: its counter must grow, also over a restart; is its clock right?");
        return;
    }
    m->counter = m->frame.counter;
    bool first = !m->fresh;
    m->fresh = true;
    if (first)
        return;
    heard(reader);
    for (uint16_t i = 0; i < reader->antennas; i++)
        tell_level(reader, i, &m->frame.level[i]);
}

static void on_frame(struct reader *reader, const uint8_t *bytes, size_t len) {
    struct mqtt_reader *m = reader->priv;
    if (frame_open(bytes, len, reader->antennas, reader->name, m->key, &m->frame))
        take_frame(reader);
    else if (len == frame_size(reader->antennas))
        refuse(
            reader, DRIVER_FAULT_CHECKSUM,
            "frames come that its key does not open: are `key_file` and the reader's name the node's own?");
    else
        refuse(reader, DRIVER_FAULT_FRAME,
               "frames of another size come: has the node as many `antennas` as its section?");
    sodium_memzero(&m->frame, sizeof m->frame); // ids, whatever came of it
}

static void on_plain(struct reader *reader, const char *text, size_t len, bool removed) {
    struct mqtt_reader *m = reader->priv;
    struct id id;
    enum plain_kind kind = plain_parse(text, len, &id);
    if (kind == PLAIN_BAD && !removed) {
        reader_fault(reader, DRIVER_FAULT_FRAME); // a misread never becomes an id (B055)
        return;
    }
    heard(reader);
    if (kind == PLAIN_NOTHING && !removed)
        return;
    if (removed || kind == PLAIN_GONE) {
        arrival_gone(&m->arrival);
        return;
    }
    if (m->reversed)
        id_reverse(&id);
    if (m->removal)
        arrival_hold(&m->arrival, &id);
    else
        arrival_touch(&m->arrival, &id);
}

static void mqtt_reader_bytes(struct reader *reader, const char *channel, const void *data, size_t len,
                              bool late) {
    struct mqtt_reader *m = reader->priv;
    static const char *const status[] = {"status", "tele/LWT", "availability"};
    static const char *const seen[] = {"obs", "tele/SENSOR", "tag"};
    if (!strcmp(channel, "link")) {
        on_link(reader, len > 0 && *(const char *)data != 0);
        return;
    }
    if (!m->linked)
        return;
    for (size_t i = 0; i < sizeof status / sizeof *status; i++)
        if (!strcmp(channel, status[i]))
            on_status(reader, data, len);
    if (late) // kept by the broker: what was seen once says nothing of now (B090)
        return;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        if (strcmp(channel, seen[i]) != 0)
            continue;
        if (m->sealed)
            on_frame(reader, data, len);
        else
            on_plain(reader, data, len, false);
    }
    if (!m->sealed && !strcmp(channel, "removed"))
        on_plain(reader, data, len, true);
}

// ---- life

static enum error_code read_key(const struct config_section *conf, uint8_t ret[FRAME_KEY_BYTES],
                                struct error *err) {
    const char *file = config_text(conf, "key_file"), *credential = config_text(conf, "key_credential");
    const char *folder = getenv("CREDENTIALS_DIRECTORY");
    char path[1200];
    if ((file != NULL) == (credential != NULL))
        return error_set(
            err, ERROR_INVALID, config_where(conf),
            "a sealed reader has a `key_file` or a `key_credential`; other firmware is `form = plain`");
    if (file)
        return frame_key_read(file, false, ret, err);
    if (!folder || strchr(credential, '/'))
        return error_set(err, ERROR_INVALID, config_key_where(conf, "key_credential"),
                         "systemd has given us no such credential");
    snprintf(path, sizeof path, "%.1000s/%.150s", folder, credential);
    return frame_key_read(path, true, ret, err);
}

static enum error_code mqtt_reader_open(struct reader *reader, struct error *err) {
    struct mqtt_reader *m = reader->priv;
    const struct config_section *conf = reader->conf;
    m->sealed = !strcmp(config_text(conf, "form"), "sealed");
    m->reversed = config_bool(conf, "reversed");
    m->removal = config_bool(conf, "removal");
    m->silent_us = config_int(conf, "silent") * 1000;
    reader->antennas = (uint16_t)config_int(conf, "antennas");
    arrival_open(&m->arrival, reader);
    if (sodium_init() < 0)
        return error_set(err, ERROR_INTERNAL, config_where(conf), "libsodium does not start");
    if (m->sealed && !m->silent_us)
        m->silent_us = 3000000; // frames come at a fixed rate, day and night
    if (!m->sealed && reader->antennas != 1)
        return error_set(err, ERROR_INVALID, config_key_where(conf, "antennas"),
                         "a plain reader has one antenna");
    return m->sealed ? read_key(conf, m->key, err) : ERROR_OK;
}

static void mqtt_reader_close(struct reader *reader) {
    struct mqtt_reader *m = reader->priv;
    loop_timer_stop(reader->loop, &m->silence);
    arrival_close(&m->arrival);
    sodium_memzero(m->key, sizeof m->key);
}

// Only frames, and nodes that say so, tell removals.
static enum error_code mqtt_reader_check(const struct config_section *conf, struct driver_needs *ret,
                                         struct error *err) {
    (void)err;
    ret->antennas = (uint16_t)config_int(conf, "antennas");
    if (strcmp(config_text(conf, "form"), "sealed") != 0)
        ret->capabilities = DRIVER_PLAIN_NETWORK | (config_bool(conf, "removal") ? DRIVER_SEES_REMOVAL : 0u);
    return ERROR_OK;
}

static const struct config_key params[] = {
    {.name = "form",
     .type = CONFIG_CHOICE,
     .fallback = "sealed",
     .choices = "sealed plain",
     .help = "sealed: frames of our own nodes; plain: ids of ESPHome, Tasmota, Home Assistant, readable by "
             "the broker"},
    {.name = "antennas",
     .type = CONFIG_INT,
     .fallback = "1",
     .min = 1,
     .max = FRAME_ANTENNAS_MAX,
     .help = "of a sealed node"},
    {.name = "key_file", .type = CONFIG_PATH, .help = "sealed: file (mode 0600) with the key, 64 hex digits"},
    {.name = "key_credential",
     .type = CONFIG_TEXT,
     .help = "sealed: name of a systemd credential with the key"},
    {.name = "removal",
     .type = CONFIG_BOOL,
     .fallback = "no",
     .help = "plain: the node tells when a tag goes; without, it serves tap points alone"},
    ID_REVERSED_KEY,
    {.name = "silent",
     .type = CONFIG_DURATION,
     .fallback = "0ms",
     .min = 0,
     .max = 86400000,
     .help =
         "without a message for so long the reader is down; 0 = 3 s for a sealed one, never for a plain one"},
    {0},
};

const struct driver mqtt_reader_driver = {
    .name = "mqtt_reader",
    .summary = "a reader on the network, over the broker",
    .params = params,
    .capabilities = DRIVER_SEES_REMOVAL | DRIVER_SEES_SEVERAL,
    .check = mqtt_reader_check,
    .priv_size = sizeof(struct mqtt_reader),
    .open = mqtt_reader_open,
    .close = mqtt_reader_close,
    .bytes = mqtt_reader_bytes,
};
