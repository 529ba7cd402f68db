#include "support/mfrc522_emulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIFO_MAX = 64, BITS_MAX = 8 * FIFO_MAX };
enum { BYTE_US = 85, BIT_NS = 9440, DELAY_US = 87, WAKE_US = 5000, TICK_US = 25, NEVER_US = 1000000000 };
enum {
    R_COMMAND = 0x01,
    R_COM_IRQ = 0x04,
    R_ERROR = 0x06,
    R_FIFO_DATA = 0x09,
    R_FIFO_LEVEL = 0x0A,
    R_CONTROL = 0x0C,
    R_BIT_FRAMING = 0x0D,
    R_COLLISION = 0x0E,
    R_TX_CONTROL = 0x14,
    R_RF_CONFIG = 0x26,
    R_RELOAD_HIGH = 0x2C,
    R_RELOAD_LOW = 0x2D,
    R_VERSION = 0x37,
};

enum state { IDLE, READY, ACTIVE, HALT };
struct card {
    struct nfc_tag tag;
    enum state state;
    bool was_halted;
    unsigned level;
};

// What is on the air: bits, first to last.
struct bits {
    uint8_t bit[BITS_MAX];
    unsigned n;
};

struct mfrc522_emulator {
    struct loop *loop;
    struct mfrc522_emulator_options options;
    struct mfrc522_emulator_seen seen;
    uint8_t reg[64];
    uint8_t fifo[FIFO_MAX];
    unsigned n_fifo, at_fifo;
    bool held, running; // held in reset; an exchange is under way
    int64_t ends_us, field_us;
    uint8_t irq, error, collision, control; // of the exchange, shown when it has ended
    uint8_t answer[FIFO_MAX];
    unsigned n_answer;
    struct card card[MFRC522_TAGS_MAX];
    unsigned n_cards;
    enum mfrc522_emulator_fault fault;
    int fault_n;
};

// CRC_A bit by bit, apart from the driver's.
static uint16_t crc_of(const uint8_t *bytes, size_t n) {
    uint16_t crc = 0x6363;
    for (size_t i = 0; i < 8 * n; i++) {
        bool bit = (crc ^ bytes[i / 8] >> i % 8) & 1;
        crc = (uint16_t)(crc >> 1 ^ (bit ? 0x8408 : 0));
    }
    return crc;
}

static void put_bytes(struct bits *to, const uint8_t *bytes, size_t n) {
    for (size_t i = 0; i < 8 * n; i++)
        to->bit[to->n++] = bytes[i / 8] >> i % 8 & 1;
}

static void put_crc(struct bits *to, const uint8_t *bytes, size_t n) {
    uint16_t crc = crc_of(bytes, n);
    const uint8_t tail[] = {(uint8_t)crc, (uint8_t)(crc >> 8)};
    put_bytes(to, bytes, n);
    put_bytes(to, tail, 2);
}

// ---- tags

static void part_of(const struct card *card, uint8_t part[5], bool *more) {
    unsigned from = 3 * card->level;
    *more = card->tag.len - from > 4;
    part[0] = 0x88;
    memcpy(part + *more, card->tag.id + from, *more ? 3 : 4);
    part[4] = part[0] ^ part[1] ^ part[2] ^ part[3];
}

static void fall_back(struct card *card) {
    card->state = card->was_halted ? HALT : IDLE;
}

static void on_request(struct card *card, bool wake, struct bits *ret) {
    static const uint8_t atqa[][2] = {{0x04, 0x00}, {0x44, 0x00}, {0x84, 0x00}};
    if (card->state != IDLE && !(card->state == HALT && wake)) {
        if (card->state != HALT)
            fall_back(card);
        return;
    }
    card->was_halted = card->state == HALT;
    card->state = READY;
    card->level = 0;
    put_bytes(ret, atqa[(card->tag.len - 4) / 3], 2);
}

// Anticollision: those whose id begins so go on with its rest. Selection: the one whose part it is.
static void on_select(struct card *card, const uint8_t *frame, unsigned n, struct bits *ret) {
    static const uint8_t codes[] = {0x93, 0x95, 0x97};
    uint8_t part[5];
    bool more;
    if (frame[0] != codes[card->level] || n < 2) {
        fall_back(card);
        return;
    }
    part_of(card, part, &more);
    if (frame[1] != 0x70) {
        unsigned known = (unsigned)(frame[1] >> 4) * 8 + (frame[1] & 15) - 16;
        for (unsigned i = 0; i < known; i++)
            if ((frame[2 + i / 8] >> i % 8 & 1) != (part[i / 8] >> i % 8 & 1))
                return;
        for (unsigned i = known; i < 40; i++)
            ret->bit[ret->n++] = part[i / 8] >> i % 8 & 1;
        return;
    }
    if (n != 9 || crc_of(frame, 9) != 0 || memcmp(frame + 2, part, 5) != 0) {
        fall_back(card);
        return;
    }
    uint8_t sak = more ? 0x04 : nfc_tag_sak(&card->tag);
    put_crc(ret, &sak, 1);
    if (more)
        card->level++;
    else
        card->state = ACTIVE;
}

static void on_command(struct card *card, const uint8_t *frame, unsigned n, struct bits *ret) {
    uint8_t answer[NFC_TAG_ANSWER_MAX];
    if (n < 3 || crc_of(frame, n) != 0) {
        fall_back(card);
        return;
    }
    if (frame[0] == 0x50) {
        card->state = HALT;
        return;
    }
    int len = nfc_tag_answer(&card->tag, frame, n - 2, answer);
    if (len > 0) {
        put_crc(ret, answer, (size_t)len);
        return;
    }
    fall_back(card);
    if (len == NFC_TAG_REFUSES) {
        memset(ret->bit, 0, 4);
        ret->n = 4;
    }
}

static void hear(struct mfrc522_emulator *chip, struct card *card, const uint8_t *frame, unsigned n,
                 unsigned last_bits, struct bits *ret) {
    (void)chip;
    if (n == 1 && last_bits == 7)
        on_request(card, frame[0] == 0x52, ret);
    else if (card->state == READY)
        on_select(card, frame, n, ret);
    else if (card->state == ACTIVE)
        on_command(card, frame, n, ret);
}

// Several answers on top of each other: up to where they differ. Returns that bit, from 1; 0 = they agree.
static unsigned mix(struct bits *all, const struct bits *one) {
    if (one->n == 0)
        return 0;
    if (all->n == 0) {
        *all = *one;
        return 0;
    }
    unsigned i = 0;
    while (i < all->n && i < one->n && all->bit[i] == one->bit[i])
        i++;
    if (i == all->n && i == one->n)
        return 0;
    all->n = all->n > one->n ? all->n : one->n;
    return i + 1;
}

// ---- one exchange

static void fill_fifo(struct mfrc522_emulator *chip, const struct bits *bits, unsigned align, unsigned good) {
    memset(chip->answer, 0, sizeof chip->answer);
    for (unsigned i = 0; i < bits->n && i < good; i++)
        chip->answer[(align + i) / 8] |= (uint8_t)(bits->bit[i] << (align + i) % 8);
    chip->n_answer = (align + bits->n + 7) / 8;
    chip->control = (uint8_t)((align + bits->n) % 8);
}

static enum mfrc522_emulator_fault take_fault(struct mfrc522_emulator *chip) {
    enum mfrc522_emulator_fault fault = chip->fault;
    if (fault != MFRC522_WELL && chip->fault_n > 0 && --chip->fault_n == 0)
        chip->fault = MFRC522_WELL;
    return fault;
}

static void note(struct mfrc522_emulator *chip, unsigned n, unsigned last_bits) {
    const uint8_t *f = chip->fifo;
    if (n == 1 && last_bits == 7) {
        chip->seen.requests++;
        chip->seen.request_us = loop_now_us(chip->loop);
    }
    chip->seen.selections += n == 9 && f[1] == 0x70;
    chip->seen.halts += n == 4 && f[0] == 0x50;
}

static void transceive(struct mfrc522_emulator *chip) {
    unsigned n = chip->n_fifo, last_bits = chip->reg[R_BIT_FRAMING] & 7,
             align = chip->reg[R_BIT_FRAMING] >> 4 & 7;
    int64_t now = loop_now_us(chip->loop);
    bool powered = chip->seen.field && (!chip->options.real_timing || now - chip->field_us >= WAKE_US - 500);
    enum mfrc522_emulator_fault fault = take_fault(chip);
    struct bits all = {.n = 0};
    unsigned differ = 0;
    note(chip, n, last_bits);
    for (unsigned i = 0; powered && i < chip->n_cards; i++) {
        struct bits one = {.n = 0};
        if (fault == MFRC522_MISS)
            continue;
        hear(chip, &chip->card[i], chip->fifo, n, last_bits, &one);
        unsigned at = mix(&all, &one);
        if (at && (differ == 0 || at < differ))
            differ = at;
    }
    int64_t out_us = (int64_t)n * BYTE_US;
    unsigned ticks = (unsigned)(chip->reg[R_RELOAD_HIGH] << 8 | chip->reg[R_RELOAD_LOW]);
    chip->error = 0;
    chip->collision = 0x20;
    chip->n_answer = 0;
    chip->control = 0;
    if (all.n == 0) {
        chip->irq = 0x01;
        chip->ends_us = now + out_us + ticks * TICK_US;
    } else {
        if (fault == MFRC522_BITFLIP)
            all.bit[all.n / 2] ^= 1;
        fill_fifo(chip, &all, align, differ ? differ - 1 : all.n);
        chip->irq = 0x20;
        if (differ) {
            bool id = n >= 2 && (chip->fifo[0] & 0xF9) == 0x91 && chip->fifo[1] != 0x70;
            unsigned known = id ? (unsigned)(chip->fifo[1] >> 4) * 8 + (chip->fifo[1] & 15) - 16 : 0;
            chip->error = 0x08;
            chip->collision = differ + known <= 32 ? (differ + known) & 0x1F : 0x20;
        }
        chip->ends_us = now + out_us + DELAY_US + (int64_t)(all.n + all.n / 8) * BIT_NS / 1000;
        if (fault == MFRC522_NOISE)
            chip->error |= 0x02;
    }
    if (!chip->options.real_timing)
        chip->ends_us = now;
    if (fault == MFRC522_HANG)
        chip->ends_us = now + NEVER_US;
    chip->running = true;
    chip->n_fifo = chip->at_fifo = 0;
}

static void settle(struct mfrc522_emulator *chip) {
    if (!chip->running || loop_now_us(chip->loop) < chip->ends_us)
        return;
    chip->running = false;
    chip->reg[R_COM_IRQ] |= chip->irq;
    chip->reg[R_ERROR] = chip->error;
    chip->reg[R_COLLISION] = chip->collision;
    chip->reg[R_CONTROL] = chip->control;
    memcpy(chip->fifo, chip->answer, sizeof chip->fifo);
    chip->n_fifo = chip->n_answer;
    chip->at_fifo = 0;
}

// ---- registers

static void set_field(struct mfrc522_emulator *chip, bool on) {
    if (on && !chip->seen.field) {
        chip->seen.field_ons++;
        chip->field_us = loop_now_us(chip->loop);
    }
    for (unsigned i = 0; i < chip->n_cards && !on; i++)
        chip->card[i].state = IDLE;
    chip->seen.field = on;
}

static void power_up(struct mfrc522_emulator *chip) {
    memset(chip->reg, 0, sizeof chip->reg);
    chip->reg[R_VERSION] = chip->options.version ? chip->options.version : 0x92;
    chip->reg[R_TX_CONTROL] = 0x80;
    chip->reg[R_COLLISION] = 0xA0;
    chip->reg[R_RF_CONFIG] = 0x48;
    chip->n_fifo = chip->at_fifo = 0;
    chip->running = false;
    set_field(chip, false);
}

static void write_reg(struct mfrc522_emulator *chip, uint8_t reg, uint8_t value) {
    switch (reg) {
    case R_COMMAND:
        if (value == 0x0F) {
            chip->seen.resets++;
            power_up(chip);
        } else if (value == 0) {
            chip->running = false;
        }
        chip->reg[reg] = value;
        break;
    case R_COM_IRQ:
        chip->reg[reg] &= (uint8_t) ~(value & 0x7F);
        break;
    case R_FIFO_DATA:
        if (chip->n_fifo < FIFO_MAX)
            chip->fifo[chip->n_fifo++] = value;
        break;
    case R_FIFO_LEVEL:
        if (value & 0x80)
            chip->n_fifo = chip->at_fifo = 0;
        break;
    case R_BIT_FRAMING:
        chip->reg[reg] = value;
        if ((value & 0x80) && chip->reg[R_COMMAND] == 0x0C)
            transceive(chip);
        break;
    case R_TX_CONTROL:
        chip->reg[reg] = value;
        set_field(chip, (value & 3) == 3);
        break;
    case R_VERSION:
        break;
    default:
        chip->reg[reg] = value;
        chip->seen.gain = chip->reg[R_RF_CONFIG];
        break;
    }
}

static uint8_t read_reg(struct mfrc522_emulator *chip, uint8_t reg) {
    settle(chip);
    if (reg == R_FIFO_LEVEL)
        return (uint8_t)(chip->n_fifo - chip->at_fifo);
    if (reg == R_FIFO_DATA)
        return chip->at_fifo < chip->n_fifo ? chip->fifo[chip->at_fifo++] : 0;
    return chip->reg[reg];
}

static void transfer(void *ctx, const uint8_t *tx, uint8_t *rx, size_t n) {
    struct mfrc522_emulator *chip = ctx;
    if (chip->held || chip->fault == MFRC522_DEAD) {
        memset(rx, 0xFF, n);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        if (tx[0] & 0x80)
            rx[i] = tx[i - 1] & 0x80 ? read_reg(chip, tx[i - 1] >> 1 & 0x3F) : 0;
        else
            write_reg(chip, tx[0] >> 1 & 0x3F, tx[i]);
    }
}

static void reset(void *ctx, bool held) {
    struct mfrc522_emulator *chip = ctx;
    if (held && !chip->held)
        power_up(chip);
    chip->held = held;
}

struct fake_spi mfrc522_emulator_spi(struct mfrc522_emulator *chip, const char *select,
                                     const char *reset_line) {
    return (struct fake_spi){
        .transfer = transfer, .reset = reset, .ctx = chip, .select = select, .reset_line = reset_line};
}

struct mfrc522_emulator *mfrc522_emulator_create(struct loop *loop,
                                                 const struct mfrc522_emulator_options *options) {
    struct mfrc522_emulator *chip = calloc(1, sizeof *chip);
    if (!chip)
        abort();
    chip->loop = loop;
    if (options)
        chip->options = *options;
    power_up(chip);
    return chip;
}

void mfrc522_emulator_destroy(struct mfrc522_emulator *chip) {
    free(chip);
}

const struct mfrc522_emulator_seen *mfrc522_emulator_seen(const struct mfrc522_emulator *chip) {
    return &chip->seen;
}

struct nfc_tag *mfrc522_emulator_add(struct mfrc522_emulator *chip, const char *hex) {
    uint8_t id[NFC_TAG_ID_MAX];
    size_t len = strlen(hex) / 2;
    if (chip->n_cards == MFRC522_TAGS_MAX || (len != 4 && len != 7 && len != 10))
        return NULL;
    for (size_t i = 0; i < len; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return NULL;
        id[i] = (uint8_t)byte;
    }
    struct card *card = &chip->card[chip->n_cards++];
    *card = (struct card){.state = IDLE};
    nfc_tag_init(&card->tag, id, len);
    return &card->tag;
}

void mfrc522_emulator_clear(struct mfrc522_emulator *chip) {
    chip->n_cards = 0;
}

struct nfc_tag *mfrc522_emulator_place(struct mfrc522_emulator *chip, const char *hex) {
    mfrc522_emulator_clear(chip);
    return mfrc522_emulator_add(chip, hex);
}

void mfrc522_emulator_fault(struct mfrc522_emulator *chip, enum mfrc522_emulator_fault fault, int n) {
    chip->fault = n == 0 ? MFRC522_WELL : fault;
    chip->fault_n = n;
}
