// Several antennas on one PN532, or several chips behind one address: who is connected now.
#pragma once
#include "drivers/bus.h"

enum { PN532_ANTENNAS_MAX = 16 };

struct pn532_mux;
struct pn532_mux_row {
    const char *name;
    bool i2c;          // an expander; else GPIO lines
    bool one_hot;      // a bit for each antenna; else their number in binary
    bool chips;        // each antenna has a chip of its own
    unsigned antennas; // most
};
const struct pn532_mux_row *pn532_mux_find(const char *name);

struct pn532_mux {
    const struct pn532_mux_row *row;
    struct loop *loop;
    struct bus_lines lines;
    const char *path; // I2C bus of the expander
    uint8_t address;
    unsigned antennas;
    void (*done)(void *ctx, int result); // of a selection: 0 or -errno; never from within pn532_mux_select
    void *ctx;

    int fd; // GPIO
    struct bus_i2c i2c;
    struct bus_i2c_job job;
    struct loop_call call;
    int result;
};
enum error_code pn532_mux_open(struct pn532_mux *mux, struct error *err);
void pn532_mux_close(struct pn532_mux *mux);
void pn532_mux_select(struct pn532_mux *mux, unsigned antenna);
