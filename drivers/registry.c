#include "core/utf8.h"
#include "drivers/driver.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRIVER(name) extern const struct driver name##_driver;
#include "drivers/drivers.def"
#undef DRIVER

static const struct driver *const drivers[] = {
#define DRIVER(name) &name##_driver,
#include "drivers/drivers.def"
#undef DRIVER
};
enum { N_DRIVERS = sizeof drivers / sizeof drivers[0] };

static const char *const names[] = {
#define DRIVER(name) #name,
#include "drivers/drivers.def"
#undef DRIVER
    NULL,
};

static const struct config_key common_params[] = {
    {.name = "driver", .type = CONFIG_TEXT, .required = true, .help = "which driver speaks to this reader"},
    {0},
};

const struct config_key *driver_common_params(void) {
    return common_params;
}

const struct driver *driver_at(size_t i) {
    return i < N_DRIVERS ? drivers[i] : NULL;
}

const struct driver *driver_find(const char *name) {
    for (size_t i = 0; name && i < N_DRIVERS; i++) {
        if (strcmp(drivers[i]->name, name) == 0)
            return drivers[i];
    }
    return NULL;
}

static enum error_code no_such_driver(const struct config_section *conf, const char *name,
                                      struct error *err) {
    const char *near = config_did_you_mean(name ? name : "", names);
    char hint[96] = "", list[128] = "";
    if (near)
        snprintf(hint, sizeof hint, ", did you mean '%s'", near);
    for (size_t i = 0, at = 0; i < N_DRIVERS && at < sizeof list; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, " %s", names[i]);
    return error_set(err, ERROR_INVALID, config_key_where(conf, "driver"),
                     "there is no driver '%.40s'%s; the drivers are%s", name ? name : "", hint, list);
}

enum error_code driver_check(const struct config_section *conf, struct driver_needs *ret, struct error *err) {
    const char *name = config_text(conf, "driver");
    const struct driver *driver = driver_find(name);
    *ret = (struct driver_needs){0};
    if (!driver)
        return no_such_driver(conf, name, err);
    ret->capabilities = driver->capabilities;
    if (!driver->check)
        return ERROR_OK;
    enum error_code code = driver->check(conf, ret, err);
    for (size_t i = 0; i < ret->n_users; i++) {
        snprintf(ret->user[i].who, sizeof ret->user[i].who, "reader %.33s", config_label(conf));
        ret->user[i].where = config_where(conf);
    }
    return code;
}

enum error_code reader_open(struct loop *loop, const struct driver_host *host, void *host_ctx,
                            const struct config_section *conf, const char *replay_file, struct reader **ret,
                            struct error *err) {
    const char *name = replay_file ? "replay" : config_text(conf, "driver");
    const struct driver *driver = driver_find(name);
    *ret = NULL;
    if (!driver)
        return no_such_driver(conf, name, err);
    struct reader *reader = calloc(1, sizeof *reader);
    void *priv = calloc(1, driver->priv_size ? driver->priv_size : 1);
    if (!reader || !priv) {
        free(reader);
        free(priv);
        return error_set(err, ERROR_INTERNAL, config_where(conf), "out of memory");
    }
    *reader = (struct reader){.driver = driver,
                              .host = host,
                              .host_ctx = host_ctx,
                              .loop = loop,
                              .conf = conf,
                              .replay_file = replay_file,
                              .priv = priv};
    snprintf(reader->name, sizeof reader->name, "%s", config_label(conf));
    enum error_code code = driver->open(reader, err);
    if (code != ERROR_OK) {
        reader_close(reader);
        return code;
    }
    *ret = reader;
    return ERROR_OK;
}

void reader_close(struct reader *reader) {
    if (!reader)
        return;
    reader->driver->close(reader);
    free(reader->priv);
    free(reader);
}

void reader_seen(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len) {
    if (len != 4 && len != 7 && len != 10) {
        reader_fault(reader, DRIVER_FAULT_FRAME);
        return;
    }
    reader->host->seen(reader, antenna, uid, len);
}

void reader_scan_done(struct reader *reader, uint16_t antenna, enum driver_outcome outcome) {
    uint64_t *const counters[] = {
        [DRIVER_SEEN] = &reader->n_seen,
        [DRIVER_NONE] = &reader->n_none,
        [DRIVER_COLLIDED] = &reader->n_collided,
        [DRIVER_FAILED] = &reader->n_failed,
    };
    assert(outcome <= DRIVER_FAILED);
    reader->n_scans++;
    ++*counters[outcome];
    reader->host->scan_done(reader, antenna, outcome);
}

void reader_health(struct reader *reader, bool up, const char *why) {
    if (reader->told && reader->up == up)
        return;
    reader->told = true;
    reader->up = up;
    reader->host->health(reader, up, why);
}

void reader_still_down(struct reader *reader, const char *why) {
    if (!reader->told || !reader->up)
        reader->told = false;
    reader_health(reader, false, why);
}

void reader_fault(struct reader *reader, enum driver_fault fault) {
    assert(fault < DRIVER_FAULTS);
    reader->n_faults[fault]++;
    if (reader->host->fault)
        reader->host->fault(reader, fault);
}

// Controls, and what turns or hides the text around it, would speak to a terminal or deceive a reader.
static bool printable(const char *text, size_t n) {
    const unsigned char *c = (const unsigned char *)text;
    if (n == 1)
        return c[0] >= 0x20 && c[0] != 0x7F;
    if (n == 2)
        return !(c[0] == 0xC2 && c[1] < 0xA0);
    if (n == 3 && c[0] == 0xE2 && c[1] == 0x80)
        return c[2] < 0x8B || (c[2] > 0x8F && c[2] < 0xA8) || c[2] > 0xAE;
    if (n == 3 && c[0] == 0xE2 && c[1] == 0x81)
        return c[2] < 0xA0 || c[2] > 0xAF;
    return !(n == 3 && c[0] == 0xEF && c[1] == 0xBB && c[2] == 0xBF);
}

void reader_hint(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len, const char *text,
                 size_t text_len) {
    char clean[DRIVER_HINT_MAX + 1];
    size_t at = 0;
    for (size_t i = 0; i < text_len;) {
        size_t n = utf8_char(text + i, text_len - i);
        if (n && at + n > DRIVER_HINT_MAX)
            break;
        if (n && printable(text + i, n)) {
            memcpy(clean + at, text + i, n);
            at += n;
        }
        i += n ? n : 1;
    }
    clean[at] = '\0';
    if (at > 0 && reader->host->hint)
        reader->host->hint(reader, antenna, uid, len, clean);
}

void reader_signature(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                      enum driver_signature signature) {
    assert(signature < DRIVER_SIGNATURES);
    if (reader->host->signature)
        reader->host->signature(reader, antenna, uid, len, signature);
}
