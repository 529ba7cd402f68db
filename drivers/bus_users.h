// Who uses which bus of the machine, and who cannot be together on one. Checked when the configuration is
// read.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>

enum bus_kind { BUS_SERIAL, BUS_SPI, BUS_I2C, BUS_GPIO };
struct bus_user {
    char who[48];      // "reader north", "lamp ring"
    const char *where; // file and line; borrowed
    bool lamp;         // drives the bus all the time, with no regard for others (B035)
    enum bus_kind kind;
    char path[96]; // of the device: /dev/spidev0.1
    int number;    // I2C address, GPIO line; SPI device whose chips have select lines of their own: -1
};
// Two that cannot be together, named as a pair: a lamp and a reader on one SPI bus; the same chip select, I2C
// address, line or port twice.
enum error_code bus_users_check(const struct bus_user *users, size_t n, struct error *err);
