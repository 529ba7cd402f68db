// A PN532 on a pseudo-terminal: real frames, real faults. Written apart from the driver's own frame code, so
// that a mistake there is not made twice. Lives on the loop of the test or of the program pn532-emulator.
#pragma once
#include "core/error.h"
#include "core/loop.h"
#include "support/fake_bus.h"
#include "support/nfc_tag.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn532_emulator;

struct pn532_emulator_options {
    const char *link; // a symbolic link to the terminal, kept right; NULL = none
    bool real_timing; // answers take as long as the radio does
    bool bus;         // no terminal: it hangs on the fake I2C or SPI bus
    uint8_t ic;       // what GetFirmwareVersion says; 0 = 32, a PN532
};

enum pn532_emulator_fault {
    EMULATOR_WELL,
    EMULATOR_SILENCE, // no ACK, no reply
    EMULATOR_LOST,    // ACK, no reply
    EMULATOR_GARBAGE, // noise in place of the answer
    EMULATOR_NACK,    // NACK in place of the ACK
    EMULATOR_BADSUM,  // the reply's check byte is wrong; right when sent again
    EMULATOR_SHORT,   // a reply that is whole as a frame and cut as a list
    EMULATOR_ERROR,   // the error frame
    EMULATOR_MISS,    // a poll that hears no tag
    EMULATOR_FAULTS
};
extern const char *const pn532_emulator_faults[]; // their words, NULL ends

enum { EMULATOR_TAGS_MAX = 4, EMULATOR_ID_MAX = 10 };

// What the driver did to the chip.
struct pn532_emulator_seen {
    unsigned commands, polls, acks, nacks, wakes, bad_frames, field_offs,
        looks;                     // looks: bus reads of the status
    int64_t poll_us, shortest_us;  // last poll; shortest time between two
    uint8_t retries[3], window[3]; // of RFConfiguration 5 and 2; power-up values at first
    bool field, sam;
};

enum error_code pn532_emulator_create(struct loop *loop, const struct pn532_emulator_options *options,
                                      struct pn532_emulator **ret, struct error *err);
void pn532_emulator_destroy(struct pn532_emulator *chip); // NULL allowed
// The terminal's path, or the link if there is one.
const char *pn532_emulator_path(const struct pn532_emulator *chip);
const struct pn532_emulator_seen *pn532_emulator_seen(const struct pn532_emulator *chip);

// Tags in the field; an id has 4, 7 or 10 bytes. False: too many, or a bad id.
bool pn532_emulator_add(struct pn532_emulator *chip, const uint8_t *id, size_t len);
bool pn532_emulator_remove(struct pn532_emulator *chip, const uint8_t *id, size_t len);
void pn532_emulator_clear(struct pn532_emulator *chip);
// From hex; false if it is none.
bool pn532_emulator_place(struct pn532_emulator *chip, const char *hex); // clear and add

// What is on a tag in the field, for writing to and signing; NULL = no such.
struct nfc_tag *pn532_emulator_tag(struct pn532_emulator *chip, unsigned i);
// Several antennas: `coil` says which one is connected; tags are added to the one named last (0 at first).
void pn532_emulator_coils(struct pn532_emulator *chip, unsigned (*coil)(void *ctx), void *ctx);
void pn532_emulator_at(struct pn532_emulator *chip, unsigned coil);
// How it hangs on the fake bus.
struct fake_i2c pn532_emulator_i2c(struct pn532_emulator *chip, const char *behind);
struct fake_spi pn532_emulator_spi(struct pn532_emulator *chip);

// The next n commands go wrong; n < 0 = until told otherwise.
void pn532_emulator_fault(struct pn532_emulator *chip, enum pn532_emulator_fault fault, int n);
// Hangs after n more polls, until reset.
void pn532_emulator_hang_after(struct pn532_emulator *chip, int polls);
void pn532_emulator_reset(struct pn532_emulator *chip); // power-up state, faults gone

// The far end vanishes like a pulled plug; comes back as another terminal behind the same link.
void pn532_emulator_vanish(struct pn532_emulator *chip);
enum error_code pn532_emulator_return(struct pn532_emulator *chip, struct error *err);
