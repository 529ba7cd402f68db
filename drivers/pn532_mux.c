#include "drivers/pn532_mux.h"
#include <errno.h>
#include <string.h>

// What each can tell apart. A TCA9548 switches I2C buses, so that chips of one address stand behind it.
static const struct pn532_mux_row rows[] = {
    {"none", false, false, false, 1},
    {"gpio", false, false, false, PN532_ANTENNAS_MAX},
    {"gpio_onehot", false, true, false, BUS_LINES_MAX},
    {"pcf8574", true, false, false, PN532_ANTENNAS_MAX},
    {"pcf8574_onehot", true, true, false, 8},
    {"tca9548", true, true, true, 8},
};

const struct pn532_mux_row *pn532_mux_find(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static void told(void *ctx) {
    struct pn532_mux *mux = ctx;
    mux->done(mux->ctx, mux->result);
}

static void i2c_done(void *ctx, struct bus_i2c_job *job) {
    struct pn532_mux *mux = ctx;
    mux->done(mux->ctx, job->result);
}

enum error_code pn532_mux_open(struct pn532_mux *mux, struct error *err) {
    const struct bus_ops *ops = bus_ops();
    mux->fd = -1;
    mux->i2c.fd = -1;
    if (mux->antennas <= 1)
        return ERROR_OK;
    if (mux->row->i2c)
        return bus_i2c_open(&mux->i2c, mux->loop, mux->path, mux, err);
    mux->fd = ops->gpio_open(ops->ctx, mux->lines.path, mux->lines.line, mux->lines.n, 0);
    return mux->fd < 0 ? bus_explain(-mux->fd, mux->lines.path, err) : ERROR_OK;
}

void pn532_mux_close(struct pn532_mux *mux) {
    if (mux->loop)
        loop_defer_cancel(mux->loop, &mux->call);
    bus_i2c_close(&mux->i2c);
    if (mux->fd >= 0)
        bus_ops()->close(bus_ops()->ctx, mux->fd);
    mux->fd = -1;
}

void pn532_mux_select(struct pn532_mux *mux, unsigned antenna) {
    const struct bus_ops *ops = bus_ops();
    unsigned code = mux->row->one_hot ? 1u << antenna : antenna;
    mux->result = 0;
    if (mux->antennas > 1 && mux->row->i2c) {
        mux->job.address = mux->address;
        mux->job.tx[0] = (uint8_t)code;
        mux->job.n_tx = 1;
        mux->job.n_rx = 0;
        mux->job.done = i2c_done;
        if (bus_i2c_start(&mux->i2c, &mux->job))
            return;
        mux->result = -EBUSY;
    } else if (mux->antennas > 1) {
        mux->result = ops->gpio_set(ops->ctx, mux->fd, ((uint64_t)1 << mux->lines.n) - 1, code);
    }
    loop_defer(mux->loop, &mux->call, told, mux);
}
