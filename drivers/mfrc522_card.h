// The air side of ISO 14443-3 type A, pure: which frame to send next, and what the answer means. Finds up to
// CARD_TAGS_MAX tags one after the other: request, anticollision and selection over one to three cascade
// levels, halt. Nobody answered, somebody answered badly, and somebody answered are three things (B006,
// B044).
#pragma once
#include "drivers/driver.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CARD_TAGS_MAX = 2, CARD_FRAME_MAX = 9, CARD_LEVELS = 3 };

struct card_frame {
    uint8_t tx[CARD_FRAME_MAX];
    size_t n;
    uint8_t last_bits;    // of the last byte, 0 = all; the first bit that comes back stands after them
    unsigned wait_us;     // from the end of the frame to the beginning of an answer
    size_t answer_bytes;  // most that can come
    bool answer_is_wrong; // HLTA: silence is consent
};

enum card_reply {
    CARD_SILENT,
    CARD_ANSWERED,
    CARD_COLLISION, // several answered, and differ
    CARD_BROKEN,    // parity, length or coding
};
struct card_answer {
    enum card_reply reply;
    const uint8_t *rx;
    size_t n;
    unsigned collision; // bit of the level's id at which they differ, from 1; 0 = not known
    bool refused;       // beside BROKEN: four bits, the no of a tag
};

struct card_tag {
    uint8_t len, id[DRIVER_UID_MAX], sak;
};

struct card_scan {
    enum card_step { CARD_REQUEST, CARD_ANTICOLLISION, CARD_SELECT, CARD_HALT, CARD_DONE } step;
    bool known_id; // a tag is selected by its id, nothing is searched
    unsigned level, bits, rounds;
    uint8_t part[5]; // of the id at this level, and its check byte
    struct card_tag now, tag[CARD_TAGS_MAX];
    unsigned n_tags;
    bool several;                // more than one answered, whether or not all could be told
    enum driver_outcome outcome; // done: what came of it
    bool faulty;                 // with `fault`
    enum driver_fault fault;
};

void card_scan_begin(struct card_scan *scan);
// Wakes and selects one tag by its id and leaves it selected; SEEN if it answered.
void card_select_begin(struct card_scan *scan, const struct card_tag *tag);
bool card_scan_next(const struct card_scan *scan, struct card_frame *ret); // false = done
void card_scan_answer(struct card_scan *scan, const struct card_answer *answer);

uint16_t card_crc(const uint8_t *bytes, size_t n); // CRC_A, low byte first on the air
