#include "readers.h"
#include "core/log.h"
#include "drivers/driver.h"
#include "drivers/record.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { READERS_MAX = 512, ANTENNA_TAGS_MAX = PAD_TAGS_MAX + 1 };

struct readers {
    struct readers_options o;
    struct record *record;
    size_t n, n_ended;
    struct readers_one {
        struct reader *reader;
        struct readers *all;
        unsigned n_tags; // of the scan that is being reported
        struct tag tags[ANTENNA_TAGS_MAX];
    } one[READERS_MAX];
    struct loop_call quit;
};

// ---- what they see, to the door

static void on_seen(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len) {
    struct readers_one *one = reader->host_ctx;
    (void)antenna;
    if (one->n_tags < ANTENNA_TAGS_MAX && !tag_from_bytes(uid, len, &one->tags[one->n_tags], NULL))
        one->n_tags++;
}

static void on_scan_done(struct reader *reader, uint16_t antenna, enum driver_outcome outcome) {
    struct readers_one *one = reader->host_ctx;
    static const enum pad_outcome outcomes[] = {[DRIVER_SEEN] = PAD_SEEN,
                                                [DRIVER_NONE] = PAD_NONE,
                                                [DRIVER_COLLIDED] = PAD_COLLIDED,
                                                [DRIVER_FAILED] = PAD_FAILED};
    unsigned n = one->n_tags;
    one->n_tags = 0;
    door_scan(one->all->o.door, reader->name, antenna, outcomes[outcome], one->tags, n);
}

static void on_health(struct reader *reader, bool up, const char *why) {
    struct readers_one *one = reader->host_ctx;
    one->n_tags = 0;
    door_reader(one->all->o.door, reader->name, reader->driver->name, up, why);
}

static void end_of_replay(void *ctx) {
    struct readers *r = ctx;
    loop_quit(r->o.loop, 0);
}

static void on_ended(struct reader *reader) {
    struct readers_one *one = reader->host_ctx;
    struct readers *r = one->all;
    if (++r->n_ended == r->n)
        loop_defer(r->o.loop, &r->quit, end_of_replay, r);
}

static void on_fault(struct reader *reader, enum driver_fault fault) {
    static const enum observe_fault faults[] = {[DRIVER_FAULT_TIMEOUT] = OBSERVE_FAULT_TIMEOUT,
                                                [DRIVER_FAULT_CHECKSUM] = OBSERVE_FAULT_CHECKSUM,
                                                [DRIVER_FAULT_FRAME] = OBSERVE_FAULT_FRAME,
                                                [DRIVER_FAULT_STATUS] = OBSERVE_FAULT_STATUS,
                                                [DRIVER_FAULT_IO] = OBSERVE_FAULT_IO};
    struct readers_one *one = reader->host_ctx;
    door_fault(one->all->o.door, reader->name, faults[fault]);
}

static void on_hint(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                    const char *text) {
    struct readers_one *one = reader->host_ctx;
    struct tag tag;
    if (!tag_from_bytes(uid, len, &tag, NULL))
        door_hint(one->all->o.door, reader->name, antenna, &tag, text);
}

static void on_signature(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                         enum driver_signature signature) {
    static const enum door_signature verdicts[] = {
        [DRIVER_SIGNATURE_UNKNOWN] = DOOR_SIGNATURE_UNKNOWN,
        [DRIVER_SIGNATURE_VALID] = DOOR_SIGNATURE_VALID,
        [DRIVER_SIGNATURE_INVALID] = DOOR_SIGNATURE_INVALID,
        [DRIVER_SIGNATURE_UNREADABLE] = DOOR_SIGNATURE_UNREADABLE,
        [DRIVER_SIGNATURE_UNSUPPORTED] = DOOR_SIGNATURE_UNSUPPORTED,
    };
    struct readers_one *one = reader->host_ctx;
    struct tag tag;
    if (!tag_from_bytes(uid, len, &tag, NULL))
        door_signature(one->all->o.door, reader->name, antenna, &tag, verdicts[signature]);
}

static const struct driver_host host = {
    .seen = on_seen,
    .scan_done = on_scan_done,
    .health = on_health,
    .ended = on_ended,
    .fault = on_fault,
    .hint = on_hint,
    .signature = on_signature,
};

// ---- what the door and the broker want of them

static void on_again(void *ctx, const char *name, uint16_t antenna) {
    struct readers *r = ctx;
    for (size_t i = 0; i < r->n; i++) {
        struct reader *reader = r->one[i].reader;
        if (reader && !strcmp(reader->name, name) && reader->driver->again)
            reader->driver->again(reader, antenna);
    }
}

static bool on_inspect(void *ctx, const char *name, uint16_t antenna, bool on) {
    struct readers *r = ctx;
    for (size_t i = 0; i < r->n; i++) {
        struct reader *reader = r->one[i].reader;
        if (!reader || strcmp(reader->name, name) || !reader->driver->inspect)
            continue;
        reader->driver->inspect(reader, antenna, on);
        return true;
    }
    return false;
}

// The broker's bytes for a reader: only by way of a table that it serves, for each table's topics have rights
// of their own.
static void on_driver_bytes(void *ctx, const char *table, const char *name, const char *channel,
                            const void *data, size_t len, bool late) {
    struct readers *r = ctx;
    const struct observe_readers *serve = door_readers(r->o.door, table);
    for (unsigned i = 0; serve && i < serve->n; i++) {
        if (strcmp(serve->reader[i].name, name) != 0)
            continue;
        for (size_t k = 0; k < r->n; k++) {
            struct reader *reader = r->one[k].reader;
            if (reader && !strcmp(reader->name, name) && reader->driver->bytes)
                reader->driver->bytes(reader, channel, data, len, late);
        }
    }
}

static void on_driver_link(void *ctx, bool up) {
    struct readers *r = ctx;
    const char byte = up;
    for (size_t k = 0; k < r->n; k++) {
        struct reader *reader = r->one[k].reader;
        if (reader && reader->driver->bytes)
            reader->driver->bytes(reader, "link", &byte, 1, false);
    }
}

// ---- their configuration

struct setup_reader readers_can(void *ctx, const char *name) {
    const struct config_section *section = config_find(ctx, "reader", name);
    const struct driver *driver = section ? driver_find(config_text(section, "driver")) : NULL;
    static struct driver_needs needs; // large
    struct error err;
    if (!driver || driver_check(section, &needs, &err))
        return (struct setup_reader){0};
    return (struct setup_reader){true, needs.capabilities & DRIVER_SEES_REMOVAL,
                                 needs.capabilities & DRIVER_SEES_SEVERAL, needs.antennas};
}

// Ids that travel readable are everybody's who may read that topic (design 5.6).
static enum error_code check_network(const struct config *config, const struct config_section *s,
                                     const struct driver *driver, const struct driver_needs *needs,
                                     struct error *err) {
    if (driver->bytes && !config_find(config, "mqtt", ""))
        return error_set(err, ERROR_INVALID, config_where(s),
                         "a reader on the network needs the section [mqtt]");
    if (needs->capabilities & DRIVER_PLAIN_NETWORK &&
        !config_bool(config_only(config, "daemon"), "allow_plain_readers"))
        return error_set(
            err, ERROR_INVALID, config_where(s),
            "reader %s sends tag ids that all may read who may read driver/# on the broker: let tabled "
            "alone read it (`tablectl broker` writes such rights) and say `allow_plain_readers = yes` in "
            "[daemon]",
            config_label(s));
    return ERROR_OK;
}

enum error_code readers_check(struct config *config, struct error *err) {
    static struct driver_needs needs; // large
    static struct bus_user users[READERS_MAX * DRIVER_USERS_MAX];
    size_t n = 0, readers = 0;
    for (const struct config_section *s = config_next(config, "reader", NULL); s;
         s = config_next(config, "reader", s)) {
        const char *name = config_text(s, "driver");
        if (++readers > READERS_MAX)
            return error_set(err, ERROR_INVALID, config_where(s), "more than %d readers", READERS_MAX);
        const struct driver *driver = name ? driver_find(name) : NULL;
        if (!name)
            return error_set(err, ERROR_INVALID, config_where(s), "say `driver =` (reader %s)",
                             config_label(s));
        if (!driver)
            return driver_check(s, &needs, err); // which says what there is instead
        if (config_check_keys(config, s, driver->params, err) || driver_check(s, &needs, err))
            return err->code;
        if (check_network(config, s, driver, &needs, err))
            return err->code;
        for (size_t i = 0; i < needs.n_users && n < sizeof users / sizeof *users; i++)
            users[n++] = needs.user[i];
    }
    return bus_users_check(users, n, err);
}

// ---- life

static void serve_network(struct readers *r) {
    static const struct mqtt_driver calls = {on_driver_bytes, on_driver_link};
    bool any = false;
    for (size_t k = 0; k < r->n; k++)
        any |= r->one[k].reader->driver->bytes != NULL;
    if (any && r->o.mqtt)
        mqtt_serve_drivers(r->o.mqtt, &calls, r);
}

static enum error_code open_all(struct readers *r, struct error *err) {
    const struct driver_host *use = &host;
    if (r->o.record && record_open(r->o.record, &host, &r->record, err))
        return err->code;
    if (r->record)
        use = record_host(r->record);
    for (const struct config_section *s = config_next(r->o.config, "reader", NULL); s;
         s = config_next(r->o.config, "reader", s)) {
        assert(r->n < READERS_MAX); // readers_check
        struct readers_one *one = &r->one[r->n++];
        one->all = r;
        door_reader(r->o.door, config_label(s), config_text(s, "driver"), false, "not open yet");
        if (reader_open(r->o.loop, use, one, s, r->o.replay, &one->reader, err))
            return err->code;
    }
    serve_network(r);
    return ERROR_OK;
}

enum error_code readers_open(const struct readers_options *options, struct readers **ret, struct error *err) {
    struct readers *r = *ret = calloc(1, sizeof *r);
    if (!r)
        log_no_memory("readers");
    r->o = *options;
    door_on_again(r->o.door, on_again, r);
    door_on_inspect(r->o.door, on_inspect, r);
    if (!open_all(r, err))
        return ERROR_OK;
    readers_close(r);
    *ret = NULL;
    return err->code;
}

void readers_close(struct readers *r) {
    if (!r)
        return;
    mqtt_serve_drivers(r->o.mqtt, NULL, NULL);
    door_on_again(r->o.door, NULL, NULL);
    door_on_inspect(r->o.door, NULL, NULL);
    for (size_t i = 0; i < r->n; i++)
        reader_close(r->one[i].reader);
    record_close(r->record);
    loop_defer_cancel(r->o.loop, &r->quit);
    free(r);
}

size_t readers_count(const struct readers *r) {
    return r->n;
}
