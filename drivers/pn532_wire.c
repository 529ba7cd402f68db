#include "drivers/pn532_wire.h"
#include "drivers/serial.h"
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { LOOK_US = 1000, HSU_BITS = 10, I2C_BYTE_US = 90, SPI_BITS = 8 };
enum { SPI_WRITE = 0x01, SPI_STATUS = 0x02, SPI_READ = 0x03, READY = 0x01 };

static void look(void *ctx);

// What the driver sends decides what the chip owes: a command is acknowledged and answered, a NACK answered.
static unsigned owed(const uint8_t *bytes, size_t n) {
    if (n == sizeof pn532_nack && memcmp(bytes, pn532_nack, n) == 0)
        return 1;
    return n == sizeof pn532_ack && memcmp(bytes, pn532_ack, n) == 0 ? 0 : 2;
}

static void look_later(struct pn532_wire *wire) {
    loop_timer_start(wire->loop, &wire->look, loop_now_us(wire->loop) + LOOK_US, look, wire);
}

// Bytes that were read in one go: the first frame is what the chip has said, the rest is nothing.
static void take_frame(struct pn532_wire *wire, const uint8_t *bytes, size_t n) {
    struct pn532_frame frame;
    pn532_frame_decode(bytes, n, &frame);
    wire->awaited -= wire->awaited > 0;
    if (frame.type == PN532_REPLY || frame.type == PN532_ERROR)
        wire->awaited = 0;
    if (wire->awaited)
        look_later(wire);
    wire->took(wire->ctx, bytes, frame.type == PN532_MORE ? n : frame.used);
}

// ---- HSU

static void readable(void *ctx, uint32_t revents) {
    struct pn532_wire *wire = ctx;
    uint8_t bytes[PN532_WIRE_READ];
    ssize_t n = read(wire->fd, bytes, sizeof bytes);
    if (n > 0)
        wire->took(wire->ctx, bytes, (size_t)n);
    else if (!(n < 0 && (errno == EAGAIN || errno == EINTR) && !(revents & (EPOLLHUP | EPOLLERR))))
        wire->lost(wire->ctx, "the reader is gone: unplugged, or its adapter has failed");
}

static enum error_code hsu_open(struct pn532_wire *wire, struct error *err) {
    enum error_code code = serial_open(wire->path, wire->baud, &wire->fd, err);
    if (code == ERROR_OK)
        code = loop_fd_add(wire->loop, wire->fd, EPOLLIN, readable, wire, &wire->watch, err);
    return code;
}

static void hsu_close(struct pn532_wire *wire) {
    loop_fd_remove(wire->watch);
    wire->watch = NULL;
    serial_close(wire->fd);
    wire->fd = -1;
}

static bool hsu_put(struct pn532_wire *wire, const uint8_t *bytes, size_t n) {
    return write(wire->fd, bytes, n) == (ssize_t)n;
}

// Zeros are preamble, so they may stand between frames.
static void hsu_wake(struct pn532_wire *wire) {
    static const uint8_t wake[] = {0x55, 0x55, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    (void)!write(wire->fd, wake, sizeof wake); // the frame after it tells whether the port takes bytes
}

static int64_t hsu_bytes_us(const struct pn532_wire *wire, size_t n) {
    return (int64_t)n * HSU_BITS * 1000000 / wire->baud;
}

// ---- I2C: the first byte of every read says whether there is something

static void pump(struct pn532_wire *wire);

static void i2c_done(void *ctx, struct bus_i2c_job *job) {
    struct pn532_wire *wire = ctx;
    bool read_whole = wire->reading && job->n_rx > 1;
    if (job->result < 0) {
        wire->reading = false;
        if (job->result == -EREMOTEIO || job->result == -ENXIO || job->result == -ETIMEDOUT) {
            wire->failed(wire->ctx); // asleep or busy; the driver's deadlines decide
            if (pn532_wire_is_open(wire))
                pump(wire);
            return;
        }
        struct error err;
        bus_explain(-job->result, wire->path, &err);
        wire->lost(wire->ctx, err.text);
        return;
    }
    bool ready = wire->reading && (job->rx[0] & READY);
    wire->reading = false;
    if (wire->n_queue > 0 || !wire->awaited) {
        pump(wire);
    } else if (read_whole && ready) {
        uint8_t bytes[PN532_WIRE_READ];
        size_t n = job->n_rx - 1;
        memcpy(bytes, job->rx + 1, n);
        take_frame(wire, bytes, n);
    } else if (ready) {
        job->n_tx = 0;
        job->n_rx = 1 + (wire->awaited == 2 ? sizeof pn532_ack : PN532_WIRE_READ);
        wire->reading = bus_i2c_start(&wire->i2c, job);
    } else {
        look_later(wire);
    }
}

static void i2c_ask(struct pn532_wire *wire) {
    struct bus_i2c_job *job = &wire->job;
    if (wire->i2c.now)
        return; // its end goes on
    job->address = wire->address;
    job->n_tx = 0;
    job->n_rx = 1;
    job->done = i2c_done;
    wire->reading = bus_i2c_start(&wire->i2c, job);
}

// Writes what waits, then asks.
static void pump(struct pn532_wire *wire) {
    struct bus_i2c_job *job = &wire->job;
    if (wire->i2c.now)
        return;
    if (wire->n_queue == 0) {
        if (wire->awaited)
            look_later(wire);
        return;
    }
    job->address = wire->address;
    job->n_tx = wire->queue[0].n;
    job->n_rx = 0;
    job->done = i2c_done;
    memcpy(job->tx, wire->queue[0].bytes, job->n_tx);
    memmove(wire->queue, wire->queue + 1, --wire->n_queue * sizeof wire->queue[0]);
    bus_i2c_start(&wire->i2c, job);
}

static enum error_code i2c_open(struct pn532_wire *wire, struct error *err) {
    enum error_code code = bus_i2c_open(&wire->i2c, wire->loop, wire->path, wire, err);
    wire->fd = wire->i2c.fd;
    return code;
}

static void i2c_close(struct pn532_wire *wire) {
    bus_i2c_close(&wire->i2c);
    wire->fd = -1;
}

static bool i2c_put(struct pn532_wire *wire, const uint8_t *bytes, size_t n) {
    if (n > PN532_WIRE_WRITE || wire->n_queue == PN532_WIRE_QUEUE)
        return false;
    wire->queue[wire->n_queue].n = (uint8_t)n;
    memcpy(wire->queue[wire->n_queue++].bytes, bytes, n);
    pump(wire);
    return true;
}

static void i2c_wake(struct pn532_wire *wire) {
    (void)wire; // being addressed wakes it; the first write may be lost and is repeated
}

static int64_t i2c_bytes_us(const struct pn532_wire *wire, size_t n) {
    (void)wire;
    return (int64_t)n * I2C_BYTE_US; // 100 kHz
}

// ---- SPI: least significant bit first, which few controllers can

static uint8_t reversed(uint8_t b) {
    b = (uint8_t)(b << 4 | b >> 4);
    b = (uint8_t)((b & 0x33) << 2 | (b >> 2 & 0x33));
    return (uint8_t)((b & 0x55) << 1 | (b >> 1 & 0x55));
}

// One selection: a word that says what is wanted, then n bytes.
static int spi_word(struct pn532_wire *wire, uint8_t word, const uint8_t *tx, uint8_t *rx, size_t n) {
    uint8_t out[1 + PN532_WIRE_READ] = {reversed(word)}, in[1 + PN532_WIRE_READ];
    for (size_t i = 0; tx && i < n; i++)
        out[1 + i] = reversed(tx[i]);
    const struct bus_part part = {.tx = out, .rx = in, .n = 1 + n};
    int result = bus_ops()->spi_transfer(bus_ops()->ctx, wire->fd, &part, 1);
    for (size_t i = 0; rx && result == 0 && i < n; i++)
        rx[i] = reversed(in[1 + i]);
    return result;
}

static void spi_ask(struct pn532_wire *wire) {
    uint8_t status, bytes[PN532_WIRE_READ];
    size_t n = wire->awaited == 2 ? sizeof pn532_ack : sizeof bytes;
    int result = spi_word(wire, SPI_STATUS, NULL, &status, 1);
    // Ones on all lines: nobody drives them.
    bool ready = result == 0 && (status & READY) && status != 0xFF;
    if (ready)
        result = spi_word(wire, SPI_READ, NULL, bytes, n);
    if (result < 0) {
        struct error err;
        bus_explain(-result, wire->path, &err);
        wire->lost(wire->ctx, err.text);
    } else if (ready) {
        take_frame(wire, bytes, n);
    } else {
        look_later(wire);
    }
}

static enum error_code spi_open(struct pn532_wire *wire, struct error *err) {
    wire->fd = bus_ops()->spi_open(bus_ops()->ctx, wire->path, wire->hz, false);
    return wire->fd < 0 ? bus_explain(-wire->fd, wire->path, err) : ERROR_OK;
}

static void spi_close(struct pn532_wire *wire) {
    bus_ops()->close(bus_ops()->ctx, wire->fd);
    wire->fd = -1;
}

static bool spi_put(struct pn532_wire *wire, const uint8_t *bytes, size_t n) {
    if (n > PN532_WIRE_WRITE || spi_word(wire, SPI_WRITE, bytes, NULL, n) < 0)
        return false;
    if (wire->awaited)
        look_later(wire);
    return true;
}

static void spi_wake(struct pn532_wire *wire) {
    (void)spi_word(wire, SPI_STATUS, NULL, NULL, 1); // being selected wakes it
}

static int64_t spi_bytes_us(const struct pn532_wire *wire, size_t n) {
    return (int64_t)n * SPI_BITS * 1000000 / (int64_t)wire->hz;
}

static const struct pn532_wire_row rows[] = {
    {"hsu", BUS_SERIAL,
     "no answer: is the reader powered, set to HSU (both switches off), TX and RX crossed?", hsu_open,
     hsu_close, hsu_put, hsu_wake, hsu_bytes_us},
    {"i2c", BUS_I2C, "no answer: is the reader powered, set to I2C (switch 1 on, 2 off), SDA and SCL right?",
     i2c_open, i2c_close, i2c_put, i2c_wake, i2c_bytes_us},
    {"spi", BUS_SPI,
     "no answer: is the reader powered, set to SPI (switch 1 off, 2 on), all four wires right?", spi_open,
     spi_close, spi_put, spi_wake, spi_bytes_us},
};

const struct pn532_wire_row *pn532_wire_find(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static void look(void *ctx) {
    struct pn532_wire *wire = ctx;
    if (!wire->awaited)
        return;
    if (wire->row->bus == BUS_I2C)
        i2c_ask(wire);
    else
        spi_ask(wire);
}

enum error_code pn532_wire_open(struct pn532_wire *wire, struct error *err) {
    wire->awaited = wire->n_queue = 0;
    wire->reading = false;
    enum error_code code = wire->row->open(wire, err);
    if (code == ERROR_OK)
        wire->row->wake(wire);
    return code;
}

void pn532_wire_close(struct pn532_wire *wire) {
    loop_timer_stop(wire->loop, &wire->look);
    wire->awaited = wire->n_queue = 0;
    if (wire->fd >= 0)
        wire->row->close(wire);
    wire->fd = -1;
}

bool pn532_wire_is_open(const struct pn532_wire *wire) {
    return wire->fd >= 0;
}

bool pn532_wire_put(struct pn532_wire *wire, const uint8_t *bytes, size_t n) {
    wire->awaited = owed(bytes, n);
    if (wire->row->put(wire, bytes, n))
        return true;
    wire->lost(wire->ctx, "the port does not take bytes any more: plug the reader in again");
    return false;
}

void pn532_wire_quiet(struct pn532_wire *wire) {
    wire->awaited = 0;
}

void pn532_wire_farewell(struct pn532_wire *wire, const uint8_t *const *frames, const size_t *lengths,
                         unsigned n) {
    static const uint8_t pause[24] = {0}; // gives the chip the time to finish one
    loop_timer_stop(wire->loop, &wire->look);
    if (wire->row->bus == BUS_I2C) { // the worker has ended, and what it did
        loop_defer_cancel(wire->loop, &wire->i2c.call);
        worker_destroy(wire->i2c.worker);
        wire->i2c.worker = NULL;
    }
    for (unsigned i = 0; i < n; i++) {
        if (wire->row->bus == BUS_I2C)
            (void)bus_ops()->i2c_transfer(bus_ops()->ctx, wire->fd, wire->address, frames[i], lengths[i],
                                          NULL, 0);
        else
            (void)wire->row->put(wire, frames[i], lengths[i]);
        if (wire->row->bus == BUS_SERIAL)
            (void)!write(wire->fd, pause, sizeof pause);
    }
}
