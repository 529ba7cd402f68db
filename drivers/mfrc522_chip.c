#include "drivers/mfrc522_chip.h"
#include <errno.h>
#include <string.h>

enum { // registers
    COMMAND = 0x01,
    COM_IRQ = 0x04,
    ERROR = 0x06,
    FIFO_DATA = 0x09,
    FIFO_LEVEL = 0x0A,
    CONTROL = 0x0C,
    BIT_FRAMING = 0x0D,
    COLLISION = 0x0E,
    MODE = 0x11,
    TX_CONTROL = 0x14,
    TX_ASK = 0x15,
    RF_CONFIG = 0x26,
    T_MODE = 0x2A,
    T_PRESCALER = 0x2B,
    T_RELOAD_HIGH = 0x2C,
    T_RELOAD_LOW = 0x2D,
    VERSION = 0x37,
};
enum { IDLE = 0x00, TRANSCEIVE = 0x0C, SOFT_RESET = 0x0F };
enum { START_SEND = 0x80, FLUSH = 0x80, FIELD = 0x03, TX_CONTROL_RESET = 0x80 };
enum { IRQ_TIMER = 0x01, IRQ_RX = 0x20, IRQ_IDLE = 0x10, IRQ_ALL = 0x7F };
enum { ERROR_COLLISION = 0x08, ERROR_OTHERS = 0x10 | 0x02 | 0x01 }; // overflow, parity, protocol
enum { COLLISION_UNKNOWN = 0x20, COLLISION_POSITION = 0x1F, CONTROL_LAST_BITS = 0x07 };
enum { TICK_NS = 25000, PRESCALER = 0xA9, FRAME_DELAY_US = 100 }; // the timer runs at 40 kHz

static bool transfer(struct mfrc522_chip *chip, const struct bus_part *parts, unsigned n) {
    const struct bus_ops *ops = bus_ops();
    int result = 0;
    if (chip->select < 0) {
        result = ops->spi_transfer(ops->ctx, chip->fd, parts, n);
    } else { // selected by a line of its own, part by part
        uint64_t bit = (uint64_t)1 << chip->select_line;
        for (unsigned i = 0; i < n && result == 0; i++) {
            result = ops->gpio_set(ops->ctx, chip->select, bit, 0);
            if (result == 0)
                result = ops->spi_transfer(ops->ctx, chip->fd, &parts[i], 1);
            int off = ops->gpio_set(ops->ctx, chip->select, bit, bit);
            result = result ? result : off;
        }
    }
    chip->errnum = -result;
    return result == 0;
}

// Writes are addressed anew for each register; many go out in one transfer.
struct writes {
    uint8_t byte[BUS_PARTS_MAX][2];
    struct bus_part part[BUS_PARTS_MAX];
    unsigned n;
};
static void add(struct writes *w, uint8_t reg, uint8_t value) {
    uint8_t *byte = w->byte[w->n];
    byte[0] = (uint8_t)(reg << 1);
    byte[1] = value;
    w->part[w->n++] = (struct bus_part){.tx = byte, .n = 2, .release = true};
}

// Registers are read in one go: each address brings the value of the one before it.
static bool read_many(struct mfrc522_chip *chip, const uint8_t *regs, size_t n, uint8_t *ret) {
    uint8_t tx[CHIP_RX_MAX + 1], rx[CHIP_RX_MAX + 1];
    for (size_t i = 0; i < n; i++)
        tx[i] = (uint8_t)(0x80 | regs[i] << 1);
    tx[n] = 0;
    const struct bus_part part = {.tx = tx, .rx = rx, .n = n + 1};
    if (!transfer(chip, &part, 1))
        return false;
    memcpy(ret, rx + 1, n);
    return true;
}

bool mfrc522_chip_soft_reset(struct mfrc522_chip *chip) {
    struct writes w = {.n = 0};
    add(&w, COMMAND, SOFT_RESET);
    return transfer(chip, w.part, w.n);
}

bool mfrc522_chip_known(uint8_t version) {
    static const uint8_t versions[] = {0x91, 0x92, 0x90, 0x88, 0x12, 0xB2};
    return memchr(versions, version, sizeof versions) != NULL;
}

// What was written must stand there, else it is noise that happened to look like a version.
bool mfrc522_chip_setup(struct mfrc522_chip *chip) {
    const uint8_t regs[] = {T_MODE, T_PRESCALER, TX_ASK, MODE, RF_CONFIG, VERSION};
    // The timer begins when a frame has gone out.
    const uint8_t values[] = {0x80, PRESCALER, 0x40, 0x3D, chip->gain};
    uint8_t back[sizeof regs];
    struct writes w = {.n = 0};
    for (unsigned i = 0; i < sizeof values; i++)
        add(&w, regs[i], values[i]);
    add(&w, COLLISION, 0x00); // bits after a collision are zero
    if (!transfer(chip, w.part, w.n) || !read_many(chip, regs, sizeof regs, back))
        return false;
    chip->version = back[sizeof values];
    return memcmp(back, values, sizeof values) == 0;
}

bool mfrc522_chip_field(struct mfrc522_chip *chip, bool on) {
    struct writes w = {.n = 0};
    add(&w, TX_CONTROL, on ? TX_CONTROL_RESET | FIELD : TX_CONTROL_RESET);
    return transfer(chip, w.part, w.n);
}

bool mfrc522_chip_send(struct mfrc522_chip *chip, const struct card_frame *frame) {
    uint8_t fifo[1 + CARD_FRAME_MAX] = {FIFO_DATA << 1};
    struct writes w = {.n = 0};
    unsigned ticks = (FRAME_DELAY_US + frame->wait_us) * 1000u / TICK_NS;
    uint8_t framing = (uint8_t)(frame->last_bits | (frame->n > 1 ? frame->last_bits << 4 : 0));
    add(&w, COMMAND, IDLE);
    add(&w, COM_IRQ, IRQ_ALL);
    add(&w, FIFO_LEVEL, FLUSH);
    add(&w, T_RELOAD_HIGH, (uint8_t)(ticks >> 8));
    add(&w, T_RELOAD_LOW, (uint8_t)ticks);
    memcpy(fifo + 1, frame->tx, frame->n);
    w.part[w.n++] = (struct bus_part){.tx = fifo, .n = frame->n + 1, .release = true};
    add(&w, BIT_FRAMING, framing);
    add(&w, COMMAND, TRANSCEIVE);
    add(&w, BIT_FRAMING, START_SEND | framing);
    return transfer(chip, w.part, w.n);
}

void mfrc522_chip_answer(uint8_t irq, uint8_t error, uint8_t collision, uint8_t control, const uint8_t *rx,
                         size_t n, struct card_answer *ret) {
    *ret = (struct card_answer){.rx = rx, .n = n};
    if (!(irq & IRQ_RX)) {
        ret->reply = error & ERROR_OTHERS ? CARD_BROKEN : CARD_SILENT;
    } else if (error & ERROR_COLLISION) {
        ret->reply = CARD_COLLISION;
        if (!(collision & COLLISION_UNKNOWN)) // 0 stands for the 32nd bit
            ret->collision = collision & COLLISION_POSITION ? collision & COLLISION_POSITION : 32;
    } else if ((error & ERROR_OTHERS) || (control & CONTROL_LAST_BITS) || n == 0) {
        ret->reply = CARD_BROKEN;
        ret->refused = n == 1 && (control & CONTROL_LAST_BITS) == 4;
    } else {
        ret->reply = CARD_ANSWERED;
    }
}

enum mfrc522_end mfrc522_chip_poll(struct mfrc522_chip *chip, const struct card_frame *frame,
                                   struct card_answer *ret) {
    static const uint8_t regs[] = {COM_IRQ, ERROR, COLLISION, CONTROL, FIFO_LEVEL, TX_CONTROL};
    uint8_t value[sizeof regs], fifo[CHIP_RX_MAX];
    (void)frame;
    if (!read_many(chip, regs, sizeof regs, value))
        return CHIP_BROKEN;
    // Nothing else than a chip whose field is on has this value here: not zeros, not ones, not one reset.
    if (value[5] != (TX_CONTROL_RESET | FIELD)) {
        chip->errnum = EIO;
        return CHIP_BROKEN;
    }
    if (!(value[0] & (IRQ_RX | IRQ_IDLE | IRQ_TIMER)))
        return CHIP_BUSY;
    chip->n_rx = value[4] <= CHIP_RX_MAX ? value[4] : CHIP_RX_MAX;
    memset(fifo, FIFO_DATA, sizeof fifo);
    if (!(value[0] & IRQ_RX))
        chip->n_rx = 0;
    if (chip->n_rx && !read_many(chip, fifo, chip->n_rx, chip->rx))
        return CHIP_BROKEN;
    mfrc522_chip_answer(value[0], value[1], value[2], value[3], chip->rx, chip->n_rx, ret);
    return CHIP_ENDED;
}
