// Devices, select lines and reset lines of the chips, and the configuration that names them.
#include "drivers/mfrc522.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct config_key mfrc522_params[] = {
    {.name = "device",
     .type = CONFIG_TEXT,
     .required = true,
     .help = "SPI devices, blank-separated, an antenna each: /dev/spidev0.0 /dev/spidev0.1"},
    {.name = "select",
     .type = CONFIG_TEXT,
     .fallback = "",
     .help = "GPIO lines that select the chips of one device, an antenna each: gpiochip0:5 gpiochip0:6"},
    {.name = "reset",
     .type = CONFIG_TEXT,
     .fallback = "",
     .help = "GPIO reset lines: one for all, or one for each; with one device and no `select` they select "
             "the chip"},
    BUS_SPI_SPEED_KEY("4000000", 10000000),
    {.name = "gain",
     .type = CONFIG_CHOICE,
     .fallback = "33",
     .choices = "18 23 33 38 43 48",
     .help = "receiver gain, dB"},
    BUS_POLL_KEY,
    {.name = "guard",
     .type = CONFIG_DURATION,
     .fallback = "5ms",
     .min = 1,
     .max = 50,
     .help = "from switching a field on to the first question"},
    TYPE2_KEYS,
    {0},
};

void mfrc522_init(struct mfrc522 *m) {
    m->select = m->reset = -1;
    for (unsigned i = 0; i < MFRC522_ANTENNAS_MAX; i++)
        m->antenna[i].chip = (struct mfrc522_chip){.fd = -1, .select = -1, .reset = -1};
}

static uint8_t gain_bits(const char *db) {
    static const char *const steps[] = {"18", "23", "33", "38", "43", "48"};
    static const uint8_t bits[] = {0x00, 0x10, 0x40, 0x50, 0x60, 0x70};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (strcmp(db, steps[i]) == 0)
            return bits[i];
    return bits[2];
}

static bool read_devices(const char *text, struct mfrc522 *m) {
    for (size_t len; *(text += strspn(text, " \t")); text += len) {
        len = strcspn(text, " \t");
        if (m->n_devices == MFRC522_ANTENNAS_MAX || len >= sizeof m->device[0] || text[0] != '/')
            return false;
        memcpy(m->device[m->n_devices], text, len);
        m->device[m->n_devices++][len] = '\0';
    }
    return m->n_devices > 0;
}

static enum error_code wrong(const struct config_section *conf, const char *key, const char *text,
                             struct error *err) {
    return error_set(err, ERROR_INVALID, config_key_where(conf, key), "%s", text);
}

// How many antennas, and what the reset lines are for.
static enum error_code read_lines(const struct config_section *conf, struct mfrc522 *m, struct error *err) {
    if (!read_devices(config_text(conf, "device"), m))
        return wrong(conf, "device",
                     "write paths, blank-separated, at most 16: /dev/spidev0.0 /dev/spidev0.1", err);
    if (!bus_lines_parse(config_text(conf, "select"), &m->select_lines))
        return wrong(conf, "select", "write lines of one chip, blank-separated: gpiochip0:5 gpiochip0:6",
                     err);
    if (!bus_lines_parse(config_text(conf, "reset"), &m->reset_lines))
        return wrong(conf, "reset", "write lines of one chip, blank-separated: gpiochip0:5 gpiochip0:6", err);
    if (m->select_lines.n && m->n_devices > 1)
        return wrong(conf, "select", "select lines are for the chips of one device; name one `device`", err);
    m->n = m->select_lines.n ? m->select_lines.n : m->n_devices;
    unsigned resets = m->reset_lines.n;
    if (m->n == 1 && !m->select_lines.n && resets > 1) {
        m->n = resets;
        m->resets = MFRC522_RESET_SELECTS;
    } else if (resets > 1 && resets != m->n) {
        return wrong(conf, "reset", "one reset line for all chips, or one for each", err);
    } else {
        m->resets = resets == 0   ? MFRC522_RESET_NONE
                    : resets == 1 ? MFRC522_RESET_SHARED
                                  : MFRC522_RESET_EACH;
    }
    return ERROR_OK;
}

static void need(struct driver_needs *ret, enum bus_kind kind, const char *path, int number) {
    if (ret->n_users == DRIVER_USERS_MAX)
        return;
    struct bus_user *user = &ret->user[ret->n_users++];
    *user = (struct bus_user){.kind = kind, .number = number};
    snprintf(user->path, sizeof user->path, "%s", path);
}

enum error_code mfrc522_read_config(const struct config_section *conf, struct mfrc522 *m,
                                    struct driver_needs *ret, struct error *err) {
    if (read_lines(conf, m, err) != ERROR_OK)
        return err->code;
    if (type2_read_key(conf, &m->key, err) != ERROR_OK)
        return err->code;
    m->hz = (uint32_t)config_int(conf, "speed");
    m->poll_us = config_int(conf, "poll") * 1000;
    m->guard_us = config_int(conf, "guard") * 1000;
    for (unsigned i = 0; i < m->n; i++)
        m->antenna[i].chip.gain = gain_bits(config_text(conf, "gain"));
    ret->antennas = (uint16_t)m->n;
    for (unsigned i = 0; i < m->n_devices; i++)
        need(ret, BUS_SPI, m->device[i], m->select_lines.n ? -1 : 0);
    for (unsigned i = 0; i < m->select_lines.n; i++)
        need(ret, BUS_GPIO, m->select_lines.path, (int)m->select_lines.line[i]);
    for (unsigned i = 0; i < m->reset_lines.n; i++)
        need(ret, BUS_GPIO, m->reset_lines.path, (int)m->reset_lines.line[i]);
    return ERROR_OK;
}

static enum error_code open_lines(const struct bus_lines *lines, uint64_t high, int *ret, struct error *err) {
    const struct bus_ops *ops = bus_ops();
    if (lines->n == 0)
        return ERROR_OK;
    *ret = ops->gpio_open(ops->ctx, lines->path, lines->line, lines->n, high);
    return *ret < 0 ? bus_explain(-*ret, lines->path, err) : ERROR_OK;
}

enum error_code mfrc522_acquire(struct mfrc522 *m, struct error *err) {
    const struct bus_ops *ops = bus_ops();
    uint64_t all = ((uint64_t)1 << m->select_lines.n) - 1;
    if (open_lines(&m->select_lines, all, &m->select, err) != ERROR_OK ||
        open_lines(&m->reset_lines, 0, &m->reset, err) != ERROR_OK)
        return err->code;
    for (unsigned i = 0; i < m->n; i++) {
        struct mfrc522_chip *chip = &m->antenna[i].chip;
        unsigned device = i < m->n_devices ? i : 0;
        chip->select = m->select;
        chip->select_line = i;
        chip->version = 0;
        if (i >= m->n_devices) { // shares the first one's device
            chip->fd = m->antenna[0].chip.fd;
            continue;
        }
        chip->fd = ops->spi_open(ops->ctx, m->device[device], m->hz, m->select >= 0);
        if (chip->fd < 0)
            return bus_explain(-chip->fd, m->device[device], err);
    }
    return ERROR_OK;
}

static void close_handle(int *fd) {
    if (*fd >= 0)
        bus_ops()->close(bus_ops()->ctx, *fd);
    *fd = -1;
}

void mfrc522_release(struct mfrc522 *m) {
    for (unsigned i = 0; i < m->n && m->antenna[i].chip.fd >= 0; i++) {
        mfrc522_wake(m, i);
        (void)mfrc522_chip_soft_reset(&m->antenna[i].chip); // a chip that is gone needs none
        mfrc522_sleep(m, i);
    }
    for (unsigned i = m->n; i-- > 0;) {
        m->antenna[i].ready = m->antenna[i].field = false;
        if (i < m->n_devices)
            close_handle(&m->antenna[i].chip.fd);
        m->antenna[i].chip.fd = -1;
    }
    close_handle(&m->select);
    close_handle(&m->reset);
}

static void set_resets(const struct mfrc522 *m, uint64_t mask, uint64_t high) {
    const struct bus_ops *ops = bus_ops();
    if (m->reset >= 0)
        (void)ops->gpio_set(ops->ctx, m->reset, mask, high); // a line that fails shows in the chip's version
}

void mfrc522_wake(struct mfrc522 *m, unsigned i) {
    uint64_t all = ((uint64_t)1 << m->reset_lines.n) - 1;
    if (m->resets == MFRC522_RESET_SELECTS)
        set_resets(m, all, i < m->n ? (uint64_t)1 << i : 0);
    else
        set_resets(m, all, all);
}

void mfrc522_sleep(struct mfrc522 *m, unsigned i) {
    (void)i;
    if (m->resets == MFRC522_RESET_SELECTS)
        set_resets(m, ((uint64_t)1 << m->reset_lines.n) - 1, 0);
}
