// The kernel's buses as far as drivers see them, with emulated chips in place of devices. One at a time.
#pragma once
#include "drivers/bus.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAKE_DEVICES_MAX = 40 };

// One selection of a chip: n bytes in and out.
struct fake_spi {
    void (*transfer)(void *ctx, const uint8_t *tx, uint8_t *rx, size_t n);
    void (*reset)(void *ctx, bool held); // NULL allowed
    void *ctx;
    const char *select, *reset_line; // "gpiochip0:5"; NULL = the device's own select, no reset line
};
struct fake_i2c {
    bool (*write)(void *ctx, const uint8_t *bytes, size_t n); // false = not acknowledged
    bool (*read)(void *ctx, uint8_t *bytes, size_t n);
    void *ctx;
    const char
        *behind; // path:address of a TCA9548 and its channel, "/dev/i2c-1:112:3"; NULL = on the bus itself
};

void fake_bus_open(void); // empty; in place of the kernel until fake_bus_close
void fake_bus_close(void);
void fake_bus_add_spi(const char *path, const struct fake_spi *device);
void fake_bus_add_i2c(const char *path, uint8_t address, const struct fake_i2c *device);
void fake_bus_add_expander(const char *path, uint8_t address); // PCF8574 or TCA9548: keeps the last byte
int fake_bus_expander(const char *path, uint8_t address);      // -1 = nothing written yet

// What goes wrong: opening and using a path gives -errnum; 0 = well again.
void fake_bus_fail(const char *path, int errnum);
void fake_bus_noise(bool on); // every SPI read brings garbage (B033)

bool fake_bus_level(const char *path, unsigned line); // of a GPIO line
unsigned fake_bus_handles(void);                      // open now
// Chips that were selected one after the other, by turns of the path: how often the chip changed.
unsigned fake_bus_turns(void);
