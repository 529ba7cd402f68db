#include "support/fake_bus.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HANDLES_MAX = 64, LINES_MAX = 64, HANDLE_BASE = 10000, BYTES_MAX = 512 };

enum kind { SPI, I2C, EXPANDER };
struct device {
    enum kind kind;
    char path[64];
    uint8_t address;
    struct fake_spi spi;
    struct fake_i2c i2c;
    int byte;
};
struct line {
    char name[64]; // /dev/gpiochip0:5
    bool high;
};
struct handle {
    bool used;
    char path[64];
    unsigned line[BUS_LINES_MAX], n_lines;
};

static struct {
    struct device device[FAKE_DEVICES_MAX];
    unsigned n;
    struct line line[LINES_MAX];
    unsigned n_lines;
    struct handle handle[HANDLES_MAX];
    struct {
        char path[64];
        int errnum;
    } fail[8];
    bool noise;
    unsigned turns;
    const struct device *last;
    uint32_t seed;
} fake;

static int failing(const char *path) {
    for (unsigned i = 0; i < 8; i++)
        if (fake.fail[i].errnum && strcmp(fake.fail[i].path, path) == 0)
            return fake.fail[i].errnum;
    return 0;
}

static struct line *line_of(const char *path, unsigned number) {
    char name[64];
    snprintf(name, sizeof name, "%.48s:%u", path, number);
    for (unsigned i = 0; i < fake.n_lines; i++)
        if (strcmp(fake.line[i].name, name) == 0)
            return &fake.line[i];
    assert(fake.n_lines < LINES_MAX);
    struct line *line = &fake.line[fake.n_lines++];
    *line = (struct line){.high = true}; // pulled up on the boards
    memcpy(line->name, name, sizeof name);
    return line;
}

// "gpiochip0:5"
static struct line *line_named(const char *text) {
    char chip[32], path[48];
    unsigned number = 0;
    int got = sscanf(text, "%31[^:]:%u", chip, &number);
    assert(got == 2);
    (void)got;
    snprintf(path, sizeof path, "/dev/%s", chip);
    return line_of(path, number);
}

static int open_handle(const char *path) {
    int errnum = failing(path);
    if (errnum)
        return -errnum;
    for (int i = 0; i < HANDLES_MAX; i++) {
        if (fake.handle[i].used)
            continue;
        fake.handle[i] = (struct handle){.used = true};
        snprintf(fake.handle[i].path, sizeof fake.handle[i].path, "%s", path);
        return HANDLE_BASE + i;
    }
    return -EMFILE;
}

static struct handle *handle_of(int fd) {
    assert(fd >= HANDLE_BASE && fd < HANDLE_BASE + HANDLES_MAX && fake.handle[fd - HANDLE_BASE].used);
    return &fake.handle[fd - HANDLE_BASE];
}

static int open_device(const char *path, enum kind kind) {
    for (unsigned i = 0; i < fake.n; i++)
        if (strcmp(fake.device[i].path, path) == 0 && (fake.device[i].kind == SPI) == (kind == SPI))
            return open_handle(path);
    return -ENOENT;
}

static int spi_open(void *ctx, const char *path, uint32_t hz, bool without_select) {
    (void)ctx, (void)hz, (void)without_select;
    return open_device(path, SPI);
}

// The chips that listen put their bits on the wire together.
static void select_once(const char *path, const uint8_t *tx, uint8_t *rx, size_t n) {
    static const uint8_t zeros[BYTES_MAX];
    memset(rx, 0xFF, n);
    bool any = false;
    for (unsigned i = 0; i < fake.n; i++) {
        const struct device *d = &fake.device[i];
        uint8_t own[BYTES_MAX] = {0};
        if (d->kind != SPI || strcmp(d->path, path) != 0 ||
            (d->spi.select && line_named(d->spi.select)->high) ||
            (d->spi.reset_line && !line_named(d->spi.reset_line)->high))
            continue;
        fake.turns += fake.last != d;
        fake.last = d;
        d->spi.transfer(d->spi.ctx, tx ? tx : zeros, own, n);
        for (size_t k = 0; k < n; k++)
            rx[k] = any ? rx[k] & own[k] : own[k];
        any = true;
    }
    for (size_t k = 0; fake.noise && k < n; k++) {
        fake.seed = fake.seed * 1103515245u + 12345u;
        rx[k] = (uint8_t)(fake.seed >> 16);
    }
}

static int spi_transfer(void *ctx, int fd, const struct bus_part *parts, unsigned n) {
    const struct handle *handle = handle_of(fd);
    (void)ctx;
    int errnum = failing(handle->path);
    if (errnum)
        return -errnum;
    for (unsigned i = 0; i < n;) { // parts without `release` are one selection
        uint8_t tx[BYTES_MAX] = {0}, rx[BYTES_MAX];
        size_t len = 0;
        unsigned first = i;
        do {
            assert(len + parts[i].n <= sizeof tx);
            if (parts[i].tx)
                memcpy(tx + len, parts[i].tx, parts[i].n);
            len += parts[i].n;
        } while (!parts[i++].release && i < n);
        select_once(handle->path, tx, rx, len);
        for (size_t at = 0; first < i; at += parts[first++].n)
            if (parts[first].rx)
                memcpy(parts[first].rx, rx + at, parts[first].n);
    }
    return 0;
}

static int i2c_open(void *ctx, const char *path) {
    (void)ctx;
    return open_device(path, I2C);
}

static bool reachable(const struct device *d) {
    char path[64];
    unsigned address = 0, channel = 0;
    if (d->kind != I2C || !d->i2c.behind)
        return true;
    int got = sscanf(d->i2c.behind, "%63[^:]:%u:%u", path, &address, &channel);
    assert(got == 3);
    (void)got;
    return fake_bus_expander(path, (uint8_t)address) == 1 << channel;
}

static int i2c_transfer(void *ctx, int fd, uint8_t address, const uint8_t *tx, size_t n_tx, uint8_t *rx,
                        size_t n_rx) {
    const struct handle *handle = handle_of(fd);
    (void)ctx;
    int errnum = failing(handle->path);
    if (errnum)
        return -errnum;
    for (unsigned i = 0; i < fake.n; i++) {
        struct device *d = &fake.device[i];
        if (d->kind == SPI || strcmp(d->path, handle->path) != 0 || d->address != address || !reachable(d))
            continue;
        if (d->kind == EXPANDER) {
            d->byte = n_tx ? tx[n_tx - 1] : d->byte;
            return 0;
        }
        if (n_tx && !d->i2c.write(d->i2c.ctx, tx, n_tx))
            return -EREMOTEIO;
        return !n_rx || d->i2c.read(d->i2c.ctx, rx, n_rx) ? 0 : -EREMOTEIO;
    }
    return -EREMOTEIO;
}

static void tell_resets(void) {
    for (unsigned i = 0; i < fake.n; i++) {
        const struct fake_spi *spi = &fake.device[i].spi;
        if (fake.device[i].kind == SPI && spi->reset_line && spi->reset)
            spi->reset(spi->ctx, !line_named(spi->reset_line)->high);
    }
}

static int gpio_set(void *ctx, int fd, uint64_t mask, uint64_t high) {
    const struct handle *handle = handle_of(fd);
    (void)ctx;
    for (unsigned i = 0; i < handle->n_lines; i++)
        if (mask >> i & 1)
            line_of(handle->path, handle->line[i])->high = high >> i & 1;
    tell_resets();
    return 0;
}

static int gpio_open(void *ctx, const char *path, const unsigned *line, unsigned n, uint64_t high) {
    int fd = open_handle(path);
    if (fd < 0)
        return fd;
    struct handle *handle = handle_of(fd);
    memcpy(handle->line, line, n * sizeof *line);
    handle->n_lines = n;
    gpio_set(ctx, fd, UINT64_MAX, high);
    return fd;
}

static void close_fd(void *ctx, int fd) {
    (void)ctx;
    handle_of(fd)->used = false;
}

static const struct bus_ops ops = {.spi_open = spi_open,
                                   .spi_transfer = spi_transfer,
                                   .i2c_open = i2c_open,
                                   .i2c_transfer = i2c_transfer,
                                   .gpio_open = gpio_open,
                                   .gpio_set = gpio_set,
                                   .close = close_fd,
                                   .i2c_on_loop = true};

void fake_bus_open(void) {
    memset(&fake, 0, sizeof fake);
    fake.seed = 1;
    bus_set_ops(&ops);
}

void fake_bus_close(void) {
    bus_set_ops(NULL);
}

static struct device *add(enum kind kind, const char *path, uint8_t address) {
    assert(fake.n < FAKE_DEVICES_MAX);
    struct device *d = &fake.device[fake.n++];
    *d = (struct device){.kind = kind, .address = address, .byte = -1};
    snprintf(d->path, sizeof d->path, "%s", path);
    return d;
}

void fake_bus_add_spi(const char *path, const struct fake_spi *device) {
    add(SPI, path, 0)->spi = *device;
}

void fake_bus_add_i2c(const char *path, uint8_t address, const struct fake_i2c *device) {
    add(I2C, path, address)->i2c = *device;
}

void fake_bus_add_expander(const char *path, uint8_t address) {
    add(EXPANDER, path, address);
}

int fake_bus_expander(const char *path, uint8_t address) {
    for (unsigned i = 0; i < fake.n; i++)
        if (fake.device[i].kind == EXPANDER && fake.device[i].address == address &&
            strcmp(fake.device[i].path, path) == 0)
            return fake.device[i].byte;
    return -1;
}

void fake_bus_fail(const char *path, int errnum) {
    unsigned i = 0;
    while (i < 7 && fake.fail[i].path[0] && strcmp(fake.fail[i].path, path) != 0)
        i++;
    snprintf(fake.fail[i].path, sizeof fake.fail[i].path, "%s", path);
    fake.fail[i].errnum = errnum;
}

void fake_bus_noise(bool on) {
    fake.noise = on;
}

bool fake_bus_level(const char *path, unsigned line) {
    return line_of(path, line)->high;
}

unsigned fake_bus_handles(void) {
    unsigned n = 0;
    for (unsigned i = 0; i < HANDLES_MAX; i++)
        n += fake.handle[i].used;
    return n;
}

unsigned fake_bus_turns(void) {
    return fake.turns;
}
