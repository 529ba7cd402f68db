#include "drivers/pn532.h"
#include "drivers/serial.h"
#include <stdio.h>
#include <string.h>

enum { REPLY_BYTES = 64 }; // on the wire, for the time they take

const struct config_key pn532_params[] = {
    {.name = "port",
     .type = CONFIG_PATH,
     .required = true,
     .help = "serial port, best by its place: /dev/serial/by-path/...; or /dev/i2c-1, /dev/spidev0.0"},
    {.name = "wire",
     .type = CONFIG_CHOICE,
     .fallback = "hsu",
     .choices = "hsu i2c spi",
     .help = "how the chip is connected"},
    SERIAL_BAUD_KEY,
    {.name = "address",
     .type = CONFIG_INT,
     .fallback = "36",
     .min = 3,
     .max = 119,
     .help = "I2C address, decimal"},
    BUS_SPI_SPEED_KEY("1000000", 5000000),
    {.name = "antennas",
     .type = CONFIG_INT,
     .fallback = "1",
     .min = 1,
     .max = PN532_ANTENNAS_MAX,
     .help = "how many antennas the multiplexer has"},
    {.name = "mux",
     .type = CONFIG_CHOICE,
     .fallback = "none",
     .choices = "none gpio gpio_onehot pcf8574 pcf8574_onehot tca9548",
     .help = "antenna multiplexer; tca9548: chips of one address behind an I2C switch"},
    {.name = "mux_lines",
     .type = CONFIG_TEXT,
     .fallback = "",
     .help = "its GPIO lines, lowest bit first: gpiochip0:17 gpiochip0:27"},
    {.name = "mux_bus", .type = CONFIG_PATH, .fallback = "/dev/i2c-1", .help = "I2C bus of its expander"},
    {.name = "mux_address",
     .type = CONFIG_INT,
     .fallback = "32",
     .min = 3,
     .max = 119,
     .help = "address of its expander, decimal"},
    BUS_POLL_KEY,
    {.name = "ack",
     .type = CONFIG_DURATION,
     .fallback = "20ms",
     .min = 10,
     .max = 1000,
     .help = "longest wait for an acknowledgement; more for adapters that hold bytes back"},
    {.name = "reply",
     .type = CONFIG_DURATION,
     .fallback = "60ms",
     .min = 20,
     .max = 1000,
     .help = "longest wait for an answer"},
    TYPE2_KEYS,
    {.name = "reset", .type = CONFIG_PATH, .help = "program that resets a hung chip; gets READER and PORT"},
    {0},
};

static enum error_code wrong(const struct config_section *conf, const char *key, const char *text,
                             struct error *err) {
    return error_set(err, ERROR_INVALID, config_key_where(conf, key), "%s", text);
}

static void need(struct driver_needs *ret, enum bus_kind kind, const char *path, int number) {
    struct bus_user *user = &ret->user[ret->n_users++];
    *user = (struct bus_user){.kind = kind, .number = number};
    snprintf(user->path, sizeof user->path, "%.95s", path);
}

static enum error_code read_mux(const struct config_section *conf, struct pn532 *pn, struct driver_needs *ret,
                                struct error *err) {
    struct pn532_mux *mux = &pn->mux;
    mux->row = pn532_mux_find(config_text(conf, "mux"));
    mux->antennas = pn->n;
    mux->path = config_text(conf, "mux_bus");
    mux->address = (uint8_t)config_int(conf, "mux_address");
    bool none = strcmp(mux->row->name, "none") == 0;
    if (none != (pn->n == 1))
        return wrong(conf, none ? "antennas" : "mux",
                     none ? "one chip has one antenna, unless `mux` says how others are connected"
                          : "a multiplexer has at least two `antennas`",
                     err);
    if (pn->n > mux->row->antennas)
        return error_set(err, ERROR_INVALID, config_key_where(conf, "antennas"),
                         "%s tells at most %u antennas apart", mux->row->name, mux->row->antennas);
    if (!bus_lines_parse(config_text(conf, "mux_lines"), &mux->lines))
        return wrong(conf, "mux_lines", "write lines of one chip, blank-separated: gpiochip0:17 gpiochip0:27",
                     err);
    if (mux->row->chips && pn->wire.row->bus != BUS_I2C)
        return wrong(conf, "mux", "a TCA9548 switches I2C: it goes with `wire = i2c`", err);
    if (none || mux->row->i2c) {
        if (mux->row->i2c)
            need(ret, BUS_I2C, mux->path, mux->address);
        return ERROR_OK;
    }
    unsigned most = mux->row->one_hot  ? mux->lines.n
                    : mux->lines.n < 5 ? 1u << mux->lines.n
                                       : PN532_ANTENNAS_MAX;
    if (pn->n > most)
        return wrong(conf, "mux_lines", "too few lines for so many antennas", err);
    for (unsigned i = 0; i < mux->lines.n; i++)
        need(ret, BUS_GPIO, mux->lines.path, (int)mux->lines.line[i]);
    return ERROR_OK;
}

enum error_code pn532_read_config(const struct config_section *conf, struct pn532 *pn,
                                  struct driver_needs *ret, struct error *err) {
    struct pn532_wire *wire = &pn->wire;
    wire->row = pn532_wire_find(config_text(conf, "wire"));
    wire->path = config_text(conf, "port");
    wire->baud = (int)config_int(conf, "baud");
    wire->hz = (uint32_t)config_int(conf, "speed");
    wire->address = (uint8_t)config_int(conf, "address");
    pn->hook = config_text(conf, "reset");
    pn->poll_us = config_int(conf, "poll") * 1000;
    pn->ack_us = config_int(conf, "ack") * 1000;
    pn->n = (unsigned)config_int(conf, "antennas");
    if (serial_check_baud(conf, err) != ERROR_OK || type2_read_key(conf, &pn->key, err) != ERROR_OK)
        return err->code;
    pn->reply_us = config_int(conf, "reply") * 1000 + wire->row->bytes_us(wire, REPLY_BYTES);
    ret->antennas = (uint16_t)pn->n;
    // Behind a TCA9548 the address is the switch's own affair.
    enum error_code code = read_mux(conf, pn, ret, err);
    if (code == ERROR_OK && !pn->mux.row->chips)
        need(ret, wire->row->bus, wire->path, wire->row->bus == BUS_I2C ? wire->address : 0);
    return code;
}
