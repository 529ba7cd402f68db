// What the files of the driver share: its state, its configuration, its devices and lines.
#pragma once
#include "drivers/bus.h"
#include "drivers/driver.h"
#include "drivers/mfrc522_card.h"
#include "drivers/mfrc522_chip.h"
#include "drivers/originality.h"
#include "drivers/type2.h"

enum { MFRC522_ANTENNAS_MAX = 16, MFRC522_ALL = MFRC522_ANTENNAS_MAX };

// How the reset lines are used.
enum mfrc522_resets {
    MFRC522_RESET_NONE,
    MFRC522_RESET_SHARED,
    MFRC522_RESET_EACH,
    MFRC522_RESET_SELECTS // chips share device and select line; only the one that is not held in reset
                          // listens
};

struct mfrc522 {
    unsigned n;
    char device[MFRC522_ANTENNAS_MAX][48];
    unsigned n_devices;
    struct bus_lines select_lines, reset_lines;
    enum mfrc522_resets resets;
    uint32_t hz;
    int64_t poll_us, guard_us, backoff_us;
    struct type2_key key;
    int select, reset; // GPIO handles, -1 = none

    struct mfrc522_antenna {
        struct mfrc522_chip chip;
        bool ready, field, kept, again, inspect; // kept: the field was not off since the last scan
        int64_t scanned_us, revive_us;
        unsigned n_seen, n_before, n_asked;
        struct card_tag seen[CARD_TAGS_MAX], asked[CARD_TAGS_MAX];
    } antenna[MFRC522_ANTENNAS_MAX];

    unsigned now; // the antenna whose turn it is
    bool told_up, reporting;
    struct loop_timer timer;
    struct card_scan scan;
    struct card_frame frame;
    int64_t late_us; // the chip should have ended the exchange by then
    void (*took)(struct reader *reader, const struct card_answer *answer);
    bool inspecting, clean; // clean: the last scan left every tag halted
    unsigned at_tag;
    struct type2 type2;
};

extern const struct config_key mfrc522_params[];
void mfrc522_init(struct mfrc522 *m); // everything closed
enum error_code mfrc522_read_config(const struct config_section *conf, struct mfrc522 *m,
                                    struct driver_needs *ret, struct error *err);
// Opens devices and lines, chips held in reset where there is a line for it.
enum error_code mfrc522_acquire(struct mfrc522 *m, struct error *err);
void mfrc522_release(struct mfrc522 *m);           // fields off, chips as after power-up, everything closed
void mfrc522_wake(struct mfrc522 *m, unsigned i);  // out of reset; MFRC522_ALL: every chip
void mfrc522_sleep(struct mfrc522 *m, unsigned i); // into reset again, where that is how chips are selected
