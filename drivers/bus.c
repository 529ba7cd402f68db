#include "drivers/bus.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { I2C_LIMIT_10MS = 1 };

static int open_path(const char *path) {
    int fd = open(path, O_RDWR | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int fail_open(int fd) {
    int errnum = errno;
    close(fd);
    return -errnum;
}

static int spi_open(void *ctx, const char *path, uint32_t hz, bool without_select) {
    (void)ctx;
    int fd = open_path(path);
    uint32_t mode = SPI_MODE_0 | (without_select ? SPI_NO_CS : 0);
    uint8_t bits = 8;
    if (fd < 0)
        return fd;
    if (ioctl(fd, SPI_IOC_WR_MODE32, &mode) < 0 || ioctl(fd, SPI_IOC_WR_BITS_PER_WORD, &bits) < 0 ||
        ioctl(fd, SPI_IOC_WR_MAX_SPEED_HZ, &hz) < 0)
        return fail_open(fd);
    return fd;
}

static int spi_transfer(void *ctx, int fd, const struct bus_part *parts, unsigned n) {
    struct spi_ioc_transfer list[BUS_PARTS_MAX];
    (void)ctx;
    if (n == 0 || n > BUS_PARTS_MAX)
        return -EINVAL;
    memset(list, 0, sizeof list);
    for (unsigned i = 0; i < n; i++) {
        list[i].tx_buf = (uintptr_t)parts[i].tx;
        list[i].rx_buf = (uintptr_t)parts[i].rx;
        list[i].len = (uint32_t)parts[i].n;
        list[i].cs_change = parts[i].release && i + 1 < n;
    }
    // SPI_IOC_MESSAGE(n), whose size is known only here.
    unsigned long request = _IOC(_IOC_WRITE, SPI_IOC_MAGIC, 0, n * sizeof list[0]);
    return ioctl(fd, request, list) < 0 ? -errno : 0;
}

static int i2c_open(void *ctx, const char *path) {
    (void)ctx;
    int fd = open_path(path);
    if (fd < 0)
        return fd;
    // A chip that holds the clock costs one such limit, not a second.
    if (ioctl(fd, I2C_TIMEOUT, I2C_LIMIT_10MS) < 0 || ioctl(fd, I2C_RETRIES, 0) < 0)
        return fail_open(fd);
    return fd;
}

static int i2c_transfer(void *ctx, int fd, uint8_t address, const uint8_t *tx, size_t n_tx, uint8_t *rx,
                        size_t n_rx) {
    struct i2c_msg messages[2];
    unsigned n = 0;
    (void)ctx;
    if (n_tx)
        messages[n++] =
            (struct i2c_msg){.addr = address, .len = (uint16_t)n_tx, .buf = (uint8_t *)(uintptr_t)tx};
    if (n_rx)
        messages[n++] =
            (struct i2c_msg){.addr = address, .flags = I2C_M_RD, .len = (uint16_t)n_rx, .buf = rx};
    struct i2c_rdwr_ioctl_data all = {messages, n};
    return ioctl(fd, I2C_RDWR, &all) < 0 ? -errno : 0;
}

static int gpio_open(void *ctx, const char *path, const unsigned *line, unsigned n, uint64_t high) {
    struct gpio_v2_line_request request;
    (void)ctx;
    int chip = open_path(path);
    if (chip < 0)
        return chip;
    memset(&request, 0, sizeof request);
    for (unsigned i = 0; i < n; i++)
        request.offsets[i] = line[i];
    request.num_lines = n;
    request.config.flags = GPIO_V2_LINE_FLAG_OUTPUT;
    request.config.num_attrs = 1;
    request.config.attrs[0].mask = ((uint64_t)1 << n) - 1;
    request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
    request.config.attrs[0].attr.values = high;
    snprintf(request.consumer, sizeof request.consumer, "tabled");
    int result = ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) < 0 ? -errno : request.fd;
    close(chip);
    return result;
}

static int gpio_set(void *ctx, int fd, uint64_t mask, uint64_t high) {
    struct gpio_v2_line_values values = {.bits = high, .mask = mask};
    (void)ctx;
    return ioctl(fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) < 0 ? -errno : 0;
}

static void close_fd(void *ctx, int fd) {
    (void)ctx;
    close(fd);
}

static const struct bus_ops kernel = {
    .spi_open = spi_open,
    .spi_transfer = spi_transfer,
    .i2c_open = i2c_open,
    .i2c_transfer = i2c_transfer,
    .gpio_open = gpio_open,
    .gpio_set = gpio_set,
    .close = close_fd,
};
static const struct bus_ops *current = &kernel;

const struct bus_ops *bus_ops(void) {
    return current;
}

void bus_set_ops(const struct bus_ops *ops) {
    current = ops ? ops : &kernel;
}

static const struct {
    int errnum;
    enum error_code code;
    const char *text;
} causes[] = {
    {ENOENT, ERROR_NOT_FOUND,
     "it is not there: enable the bus (raspi-config, Interface Options) and look at `ls /dev/spidev* "
     "/dev/i2c-*`"},
    {ENODEV, ERROR_NOT_FOUND, "the device is gone"},
    {ENXIO, ERROR_NOT_FOUND, "nothing answers at this address: check wiring, supply and the key `address`"},
    {EREMOTEIO, ERROR_NOT_FOUND,
     "nothing answers at this address: check wiring, supply and the key `address`"},
    {ETIMEDOUT, ERROR_NOT_FOUND, "the bus is stuck: a chip holds its clock; check supply and pull-ups"},
    {EAGAIN, ERROR_BUSY, "the bus is busy: two masters, or a line held low"},
    {EBUSY, ERROR_BUSY,
     "something else uses it: a kernel driver (a dtoverlay), or another program; `gpioinfo` names the user "
     "of a line"},
    {EACCES, ERROR_FORBIDDEN, "no right to open it: add the daemon's user to the groups spi, i2c and gpio"},
    {EPERM, ERROR_FORBIDDEN, "no right to open it: add the daemon's user to the groups spi, i2c and gpio"},
    {ENOTTY, ERROR_INVALID, "it is no such device: check the key"},
    {EINVAL, ERROR_INVALID, "the device refuses the setting: check speed and lines"},
};

enum error_code bus_explain(int errnum, const char *path, struct error *err) {
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (causes[i].errnum == errnum)
            return error_set(err, causes[i].code, path, "%.80s: %s", path, causes[i].text);
    return error_set(err, ERROR_NOT_FOUND, path, "%.80s cannot be used: %s", path, strerror(errnum));
}

bool bus_lines_parse(const char *text, struct bus_lines *ret) {
    *ret = (struct bus_lines){0};
    while (text && *(text += strspn(text, " \t"))) {
        char chip[32], path[sizeof ret->path];
        int used = 0;
        unsigned line;
        if (ret->n == BUS_LINES_MAX || sscanf(text, "%31[A-Za-z0-9/_.-]:%3u%n", chip, &line, &used) != 2 ||
            (text[used] && !strchr(" \t", text[used])))
            return false;
        snprintf(path, sizeof path, "%s%s", chip[0] == '/' ? "" : "/dev/", chip);
        if (ret->n && strcmp(path, ret->path) != 0)
            return false;
        for (unsigned i = 0; i < ret->n; i++)
            if (ret->line[i] == line)
                return false;
        memcpy(ret->path, path, sizeof path);
        ret->line[ret->n++] = line;
        text += used;
    }
    return true;
}
