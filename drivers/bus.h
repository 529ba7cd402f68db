// The buses of a small computer (SPI, I2C, GPIO lines) as a table of functions, so that a test can stand in
// for the kernel. SPI and GPIO are short and are used on the loop; an I2C transfer takes 25 us a byte at best
// and waits for a chip that holds the clock, so it runs in a worker.
#pragma once
#include "core/error.h"
#include "core/loop.h"
#include "core/worker.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BUS_PARTS_MAX = 48, BUS_I2C_MAX = 300 };

// Bytes out and in at once; tx or rx NULL = zeros out, nothing kept.
struct bus_part {
    const uint8_t *tx;
    uint8_t *rx;
    size_t n;
    bool release; // the chip is deselected after this part; it always is after the last
};

// Every function returns 0 or a handle >= 0, else -errno.
struct bus_ops {
    int (*spi_open)(void *ctx, const char *path, uint32_t hz, bool without_select);
    int (*spi_transfer)(void *ctx, int fd, const struct bus_part *parts, unsigned n);
    int (*i2c_open)(void *ctx, const char *path);
    // A write, then a read after a repeated start; n_tx or n_rx may be 0, not both.
    int (*i2c_transfer)(void *ctx, int fd, uint8_t address, const uint8_t *tx, size_t n_tx, uint8_t *rx,
                        size_t n_rx);
    // Output lines, kept low (bit 0) or high (bit 1); bit i is line[i].
    int (*gpio_open)(void *ctx, const char *path, const unsigned *line, unsigned n, uint64_t high);
    int (*gpio_set)(void *ctx, int fd, uint64_t mask, uint64_t high);
    void (*close)(void *ctx, int fd);
    void *ctx;
    bool i2c_on_loop; // transfers end at once: no worker
};
const struct bus_ops *bus_ops(void);
void bus_set_ops(const struct bus_ops *ops); // NULL = the kernel's; before anything is open

// Keys that the chips on a bus share (driver.h for struct config_key).
#define BUS_SPI_SPEED_KEY(usual, most)                                                                       \
    {                                                                                                        \
        .name = "speed", .type = CONFIG_INT, .fallback = usual, .min = 100000, .max = most,                  \
        .help = "SPI clock, Hz"                                                                              \
    }
#define BUS_POLL_KEY                                                                                         \
    {                                                                                                        \
        .name = "poll", .type = CONFIG_DURATION, .fallback = "20ms", .min = 10, .max = 1000,                 \
        .help = "from one scan of an antenna to its next, if the others leave the time"                      \
    }

// The sentence with cause and remedy for an error of opening or using a bus (B029).
enum error_code bus_explain(int errnum, const char *path, struct error *err);

// ---- GPIO lines, "gpiochip0:17", up to 16 blank-separated, all of one chip

enum { BUS_LINES_MAX = 16 };
struct bus_lines {
    char path[48]; // /dev/gpiochip0
    unsigned line[BUS_LINES_MAX], n;
};
bool bus_lines_parse(const char *text, struct bus_lines *ret); // "" = none

// ---- one I2C bus, one transfer at a time

struct bus_i2c;
struct bus_i2c_job {
    struct worker_job job; // first member
    struct bus_i2c *bus;
    uint8_t address;
    uint8_t tx[BUS_I2C_MAX], rx[BUS_I2C_MAX];
    size_t n_tx, n_rx;
    int result; // 0 or -errno
    void (*done)(void *ctx, struct bus_i2c_job *job);
};
struct bus_i2c {
    struct loop *loop;
    int fd; // -1 = closed
    struct worker *worker;
    struct loop_call call;
    struct bus_i2c_job *now; // NULL = idle
    bool closing;
    void *ctx;
};
// bus: zeroed. ctx is given to every `done`.
enum error_code bus_i2c_open(struct bus_i2c *bus, struct loop *loop, const char *path, void *ctx,
                             struct error *err);
// False: one is under way. The job lives until its `done`, which comes on the loop, never from within this
// call, and not at all once the bus is closed.
bool bus_i2c_start(struct bus_i2c *bus, struct bus_i2c_job *job);
// Waits for a transfer that is under way: at most the kernel's time limit, 10 ms.
void bus_i2c_close(struct bus_i2c *bus);
