// An MFRC522 by its registers, and the tags in its field, bit by bit: written apart from the driver, so that
// a mistake there is not made twice.
#pragma once
#include "core/loop.h"
#include "support/fake_bus.h"
#include "support/nfc_tag.h"

struct mfrc522_emulator;

struct mfrc522_emulator_options {
    bool real_timing; // exchanges take as long as they do on the air; tags need 5 ms to wake up
    uint8_t version;  // 0 = 92
};

enum mfrc522_emulator_fault {
    MFRC522_WELL,
    MFRC522_MISS,    // no tag answers a request
    MFRC522_NOISE,   // answers come with wrong parity
    MFRC522_BITFLIP, // one bit of an answer is wrong, parity and all
    MFRC522_HANG,    // an exchange never ends
    MFRC522_DEAD,    // reads as ones
};

struct mfrc522_emulator_seen {
    unsigned requests, selections, halts, resets, field_ons;
    bool field;
    uint8_t gain;
    int64_t request_us; // the last one
};

struct mfrc522_emulator *mfrc522_emulator_create(struct loop *loop,
                                                 const struct mfrc522_emulator_options *options);
void mfrc522_emulator_destroy(struct mfrc522_emulator *chip); // NULL allowed
// How it hangs on the fake bus.
struct fake_spi mfrc522_emulator_spi(struct mfrc522_emulator *chip, const char *select,
                                     const char *reset_line);
const struct mfrc522_emulator_seen *mfrc522_emulator_seen(const struct mfrc522_emulator *chip);

enum { MFRC522_TAGS_MAX = 4 };
// The tag in the field, for writing to and signing; NULL = too many, or no hex of 4, 7 or 10 bytes.
struct nfc_tag *mfrc522_emulator_add(struct mfrc522_emulator *chip, const char *hex);
void mfrc522_emulator_clear(struct mfrc522_emulator *chip);
struct nfc_tag *mfrc522_emulator_place(struct mfrc522_emulator *chip, const char *hex); // clear and add
// The next n exchanges (n < 0: until told otherwise) go wrong.
void mfrc522_emulator_fault(struct mfrc522_emulator *chip, enum mfrc522_emulator_fault fault, int n);
