// A configuration file of any bytes: loaded or refused with a place, never a crash.
#include "core/config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct config_key daemon_keys[] = {
    {.name = "site", .type = CONFIG_NAME, .fallback = "home"},
    {.name = "journal", .type = CONFIG_PATH, .fallback = "journal.db"},
    {.name = "level", .type = CONFIG_CHOICE, .fallback = "info", .choices = "error warning info debug"},
    {.name = "title", .type = CONFIG_TEXT, .fallback = ""},
    {0},
};
static const struct config_key pad_keys[] = {
    {.name = "reader", .type = CONFIG_NAME, .required = true},
    {.name = "antenna", .type = CONFIG_INT, .fallback = "0", .min = 0, .max = 255},
    {.name = "look", .type = CONFIG_DURATION, .fallback = "600ms", .min = 100, .max = 10000},
    {.name = "tap", .type = CONFIG_BOOL, .fallback = "no"},
    {0},
};
static const struct config_key reader_keys[] = {
    {.name = "driver", .type = CONFIG_CHOICE, .required = true, .choices = "node pn532"},
    {0},
};
static const struct config_key node_keys[] = {
    {.name = "port", .type = CONFIG_PATH, .required = true},
    {.name = "baud", .type = CONFIG_INT, .fallback = "115200", .min = 9600, .max = 4000000},
    {0},
};
static const struct config_schema schemas[] = {
    {.section = "daemon", .keys = daemon_keys},
    {.section = "pad", .labelled = true, .keys = pad_keys},
    {.section = "reader", .labelled = true, .keys = reader_keys, .open = true},
    {.section = "map", .labelled = true, .label_help = "TABLE/GAME"},
    {0},
};

static void must(bool ok) {
    if (!ok)
        abort();
}

static void check_error(const struct error *err) {
    must(err->code != ERROR_OK && err->text[0] && err->where[0]);
    must(memchr(err->text, 0, sizeof err->text) && memchr(err->where, 0, sizeof err->where));
}

static void walk(struct config *config) {
    for (const struct config_schema *schema = schemas; schema->section; schema++)
        for (const struct config_section *s = NULL; (s = config_next(config, schema->section, s));) {
            must(config_find(config, schema->section, config_label(s)) == s);
            for (size_t i = 0; i < config_pairs(s); i++) {
                const char *value, *where;
                must(config_pair(s, i, &value, &where)[0] && strchr(where, ':') && strlen(value) < 4096);
            }
            struct error err = {0};
            if (schema->open && config_check_keys(config, s, node_keys, &err) != ERROR_OK)
                check_error(&err);
            if (strcmp(schema->section, "pad") == 0) {
                must(config_name_ok(config_text(s, "reader")) && config_int(s, "antenna") <= 255);
                must(config_int(s, "look") >= 100 && config_int(s, "look") <= 10000);
            }
        }
    must(config_name_ok(config_text(config_only(config, "daemon"), "site")));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int fd = -1;
    static char path[32];
    if (fd < 0) {
        fd = memfd_create("fuzz.conf", MFD_CLOEXEC);
        must(fd >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    must(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    struct config *config = NULL;
    struct error err = {0};
    if (config_load(path, schemas, &config, &err) == ERROR_OK)
        walk(config);
    else
        check_error(&err);
    config_destroy(config);
    return 0;
}
