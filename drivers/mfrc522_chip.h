// One MFRC522 behind SPI: its registers, its set-up, one exchange with the air. Never waits: an exchange is
// begun, and asked for until it has ended.
#pragma once
#include "drivers/bus.h"
#include "drivers/mfrc522_card.h"

enum { CHIP_RX_MAX = 64 };

struct mfrc522_chip {
    int fd;               // SPI; -1 = closed
    int select, reset;    // GPIO handles, -1 = none
    unsigned select_line; // the bit of it in `select`
    unsigned reset_line;
    uint8_t gain;    // as in RFCfgReg
    uint8_t version; // as last read
    uint8_t rx[CHIP_RX_MAX];
    size_t n_rx;
    int errnum; // of the last transfer that failed
};

// False: the transfer failed (errnum).
bool mfrc522_chip_soft_reset(struct mfrc522_chip *chip); // then wait 2 ms
bool mfrc522_chip_setup(struct mfrc522_chip *chip);      // reads `version`
bool mfrc522_chip_known(uint8_t version);                // of an MFRC522 or a chip sold as one
bool mfrc522_chip_field(struct mfrc522_chip *chip, bool on);
bool mfrc522_chip_send(struct mfrc522_chip *chip, const struct card_frame *frame);
enum mfrc522_end { CHIP_BUSY, CHIP_ENDED, CHIP_BROKEN };
// Ended: ret tells how; its bytes are the chip's until the next exchange.
enum mfrc522_end mfrc522_chip_poll(struct mfrc522_chip *chip, const struct card_frame *frame,
                                   struct card_answer *ret);
// Pure, from the registers after an exchange: what was received (fuzzed).
void mfrc522_chip_answer(uint8_t irq, uint8_t error, uint8_t collision, uint8_t control, const uint8_t *rx,
                         size_t n, struct card_answer *ret);
