#include "drivers/mfrc522_card.h"
#include <string.h>

enum { REQA = 0x26, WUPA = 0x52, HLTA = 0x50, SHORT_FRAME_BITS = 7 };
enum { NVB_NONE = 0x20, NVB_ALL = 0x70, CASCADE_TAG = 0x88, SAK_MORE = 0x04 };
enum { PART_BITS = 32, PART_BYTES = 5, ATQA_BYTES = 2, SAK_BYTES = 3, ROUNDS_MAX = PART_BITS };
enum { REQUEST_WAIT_US = 400, SELECT_WAIT_US = 500, HALT_WAIT_US = 300 };
static const uint8_t select_code[CARD_LEVELS] = {0x93, 0x95, 0x97};

uint16_t card_crc(const uint8_t *bytes, size_t n) {
    uint16_t crc = 0x6363;
    for (size_t i = 0; i < n; i++) {
        uint8_t b = (uint8_t)(bytes[i] ^ (crc & 0xFF));
        b = (uint8_t)(b ^ b << 4);
        crc = (uint16_t)(crc >> 8 ^ b << 8 ^ b << 3 ^ b >> 4);
    }
    return crc;
}

static size_t add_crc(uint8_t *bytes, size_t n) {
    uint16_t crc = card_crc(bytes, n);
    bytes[n] = (uint8_t)crc;
    bytes[n + 1] = (uint8_t)(crc >> 8);
    return n + 2;
}

void card_scan_begin(struct card_scan *scan) {
    *scan = (struct card_scan){.outcome = DRIVER_NONE};
}

void card_select_begin(struct card_scan *scan, const struct card_tag *tag) {
    *scan = (struct card_scan){.outcome = DRIVER_NONE, .known_id = true, .now = *tag};
}

// The part of a known id that stands at a level: the cascade byte and three bytes, or the last four.
static void known_part(struct card_scan *scan) {
    unsigned from = 3 * scan->level;
    bool more = scan->now.len - from > 4;
    scan->part[0] = CASCADE_TAG;
    memcpy(scan->part + more, scan->now.id + from, more ? 3 : 4);
    scan->part[4] = (uint8_t)(scan->part[0] ^ scan->part[1] ^ scan->part[2] ^ scan->part[3]);
}

static void next_level(struct card_scan *scan, unsigned level) {
    scan->level = level;
    scan->bits = scan->rounds = 0;
    memset(scan->part, 0, sizeof scan->part);
    scan->step = CARD_ANTICOLLISION;
    if (!scan->known_id)
        return;
    known_part(scan);
    scan->step = CARD_SELECT;
}

static void end(struct card_scan *scan, enum driver_outcome outcome) {
    // Of a second tag that did not come through, the first is still true.
    scan->outcome = scan->n_tags ? DRIVER_SEEN : outcome;
    scan->step = CARD_DONE;
}

static void trouble(struct card_scan *scan, enum driver_outcome outcome, enum driver_fault fault) {
    scan->faulty = true;
    scan->fault = fault;
    end(scan, outcome);
}

bool card_scan_next(const struct card_scan *scan, struct card_frame *ret) {
    *ret = (struct card_frame){.wait_us = SELECT_WAIT_US};
    switch (scan->step) {
    case CARD_REQUEST: // halted tags wake up at first; after that only those not yet seen answer
        ret->tx[ret->n++] = scan->n_tags ? REQA : WUPA;
        ret->last_bits = SHORT_FRAME_BITS;
        ret->wait_us = REQUEST_WAIT_US;
        ret->answer_bytes = ATQA_BYTES;
        return true;
    case CARD_ANTICOLLISION:
        ret->tx[ret->n++] = select_code[scan->level];
        ret->tx[ret->n++] = (uint8_t)(NVB_NONE + (scan->bits / 8 << 4) + scan->bits % 8);
        memcpy(ret->tx + ret->n, scan->part, (scan->bits + 7) / 8);
        ret->n += (scan->bits + 7) / 8;
        ret->last_bits = scan->bits % 8;
        ret->answer_bytes = PART_BYTES - scan->bits / 8;
        return true;
    case CARD_SELECT:
        ret->tx[ret->n++] = select_code[scan->level];
        ret->tx[ret->n++] = NVB_ALL;
        memcpy(ret->tx + ret->n, scan->part, PART_BYTES);
        ret->n = add_crc(ret->tx, ret->n + PART_BYTES);
        ret->answer_bytes = SAK_BYTES;
        return true;
    case CARD_HALT:
        ret->tx[ret->n++] = HLTA;
        ret->tx[ret->n++] = 0;
        ret->n = add_crc(ret->tx, ret->n);
        ret->wait_us = HALT_WAIT_US;
        ret->answer_is_wrong = true;
        return true;
    default:
        return false;
    }
}

// Puts the received bits behind the known ones, up to the collision if there is one. The first received byte
// holds nothing below the known bits.
static void merge(struct card_scan *scan, const struct card_answer *answer, unsigned bits) {
    unsigned at = scan->bits / 8;
    for (unsigned i = 0; at + i < PART_BYTES && i < answer->n; i++) {
        uint8_t keep = i == 0 ? (uint8_t)((1u << scan->bits % 8) - 1) : 0;
        scan->part[at + i] = (uint8_t)((scan->part[at + i] & keep) | (answer->rx[i] & ~keep));
    }
    for (unsigned bit = bits; bit < 8 * PART_BYTES; bit++)
        scan->part[bit / 8] &= (uint8_t) ~(1u << bit % 8);
}

static void took_part(struct card_scan *scan, const struct card_answer *answer) {
    if (answer->n != PART_BYTES - scan->bits / 8) {
        trouble(scan, DRIVER_COLLIDED, DRIVER_FAULT_FRAME);
        return;
    }
    merge(scan, answer, 8 * PART_BYTES);
    if ((scan->part[0] ^ scan->part[1] ^ scan->part[2] ^ scan->part[3]) != scan->part[4])
        trouble(scan, DRIVER_COLLIDED, DRIVER_FAULT_CHECKSUM); // two ids on top of each other, or noise
    else
        scan->step = CARD_SELECT;
}

// Those with a 1 at the place where they differ are asked to go on.
static void took_collision(struct card_scan *scan, const struct card_answer *answer) {
    unsigned at = answer->collision;
    if (at <= scan->bits || at > PART_BITS || scan->rounds++ == ROUNDS_MAX ||
        answer->n + scan->bits / 8 < (at + 7) / 8) {
        end(scan, DRIVER_COLLIDED);
        return;
    }
    merge(scan, answer, at - 1);
    scan->part[(at - 1) / 8] |= (uint8_t)(1u << (at - 1) % 8);
    scan->bits = at;
}

static void took_sak(struct card_scan *scan, const struct card_answer *answer) {
    if (answer->n != SAK_BYTES || card_crc(answer->rx, 1) != (answer->rx[1] | answer->rx[2] << 8)) {
        trouble(scan, DRIVER_FAILED, answer->n == SAK_BYTES ? DRIVER_FAULT_CHECKSUM : DRIVER_FAULT_FRAME);
        return;
    }
    bool more = answer->rx[0] & SAK_MORE, marked = scan->part[0] == CASCADE_TAG;
    if (more && (!marked || scan->level + 1 == CARD_LEVELS)) {
        trouble(scan, DRIVER_COLLIDED, DRIVER_FAULT_FRAME);
        return;
    }
    struct card_tag *now = &scan->now;
    if (!scan->known_id) { // the cascade byte is no part of the id (B048)
        memcpy(now->id + now->len, scan->part + more, more ? 3 : 4);
        now->len = (uint8_t)(now->len + (more ? 3 : 4));
    }
    if (more) {
        next_level(scan, scan->level + 1);
        return;
    }
    now->sak = answer->rx[0];
    if (now->len != 4 + 3 * scan->level) { // asked by its id, and another level ends it
        trouble(scan, DRIVER_FAILED, DRIVER_FAULT_FRAME);
        return;
    }
    scan->tag[scan->n_tags++] = *now;
    if (scan->known_id)
        end(scan, DRIVER_SEEN);
    else
        scan->step = CARD_HALT;
}

static void took_request(struct card_scan *scan, const struct card_answer *answer) {
    if (answer->reply == CARD_SILENT) {
        end(scan, DRIVER_NONE);
        return;
    }
    if (!scan->known_id)
        scan->now = (struct card_tag){0};
    next_level(scan, 0); // several answers to a request may well look broken
}

void card_scan_answer(struct card_scan *scan, const struct card_answer *answer) {
    scan->several |= answer->reply == CARD_COLLISION;
    if (scan->step == CARD_REQUEST) {
        took_request(scan, answer);
    } else if (scan->step == CARD_HALT) {
        scan->step = CARD_REQUEST;
        if (scan->n_tags == CARD_TAGS_MAX)
            end(scan, DRIVER_SEEN);
    } else if (scan->step == CARD_DONE) {
        return;
    } else if (answer->reply == CARD_SILENT) {
        // It answered before and is gone: this scan proves nothing.
        trouble(scan, DRIVER_FAILED, DRIVER_FAULT_TIMEOUT);
    } else if (answer->reply == CARD_BROKEN) {
        trouble(scan, DRIVER_COLLIDED, DRIVER_FAULT_FRAME);
    } else if (scan->step == CARD_SELECT) {
        if (answer->reply == CARD_COLLISION)
            end(scan, DRIVER_COLLIDED);
        else
            took_sak(scan, answer);
    } else if (answer->reply == CARD_COLLISION) {
        took_collision(scan, answer);
    } else {
        took_part(scan, answer);
    }
}
