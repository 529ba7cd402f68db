// How bytes get to a PN532 and back: HSU, I2C or SPI. On HSU the chip speaks when it wants to; on the others
// it is asked each millisecond whether it has something to say, and reads frame by frame.
#pragma once
#include "drivers/bus.h"
#include "drivers/pn532_frame.h"

enum { PN532_WIRE_READ = 96, PN532_WIRE_WRITE = 32, PN532_WIRE_QUEUE = 8 };

struct pn532_wire;
struct pn532_wire_row {
    const char *name;
    enum bus_kind bus;
    const char *silent; // what to look at when nothing answers
    enum error_code (*open)(struct pn532_wire *wire, struct error *err);
    void (*close)(struct pn532_wire *wire);
    bool (*put)(struct pn532_wire *wire, const uint8_t *bytes, size_t n);
    void (*wake)(struct pn532_wire *wire);
    int64_t (*bytes_us)(const struct pn532_wire *wire, size_t n); // at the speed of the wire
};
const struct pn532_wire_row *pn532_wire_find(const char *name);

struct pn532_wire {
    const struct pn532_wire_row *row; // these first ones are the driver's
    struct loop *loop;
    const char *path;
    int baud;
    uint32_t hz;
    uint8_t address;
    void (*took)(void *ctx, const uint8_t *bytes, size_t n); // may close the wire
    void (*lost)(void *ctx, const char *why);                // the wire is as it was: close it
    void (*failed)(void *ctx);                               // a transfer came to nothing; counted
    void *ctx;

    int fd; // -1 = closed
    struct loop_fd *watch;
    struct loop_timer look;
    unsigned awaited; // frames the chip still owes: the ACK and the reply
    struct bus_i2c i2c;
    struct bus_i2c_job job;
    bool reading;
    struct {
        uint8_t n, bytes[PN532_WIRE_WRITE];
    } queue[PN532_WIRE_QUEUE];
    unsigned n_queue;
};

enum error_code pn532_wire_open(struct pn532_wire *wire, struct error *err);
void pn532_wire_close(struct pn532_wire *wire); // closed already: allowed
bool pn532_wire_is_open(const struct pn532_wire *wire);
// One frame. False: the wire was lost, and the driver told.
bool pn532_wire_put(struct pn532_wire *wire, const uint8_t *bytes, size_t n);
// Frames that nobody waits for, before the wire is closed.
void pn532_wire_farewell(struct pn532_wire *wire, const uint8_t *const *frames, const size_t *lengths,
                         unsigned n);
void pn532_wire_quiet(struct pn532_wire *wire); // what is still owed is not waited for any more
