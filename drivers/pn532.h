// What the files of the driver share: pn532.c takes turns, pn532_talk.c says one command and hears its reply,
// pn532_inspect.c asks the tags, pn532_conf.c reads the configuration.
#pragma once
#include "drivers/driver.h"
#include "drivers/originality.h"
#include "drivers/pn532_frame.h"
#include "drivers/pn532_mux.h"
#include "drivers/pn532_reset.h"
#include "drivers/pn532_wire.h"
#include "drivers/type2.h"

enum { PN532_COMMAND_MAX = 8 };
struct pn532_command {
    uint8_t code, n, data[PN532_COMMAND_MAX];
};

enum pn532_step {
    STEP_SAM,
    STEP_VERSION,
    STEP_RETRIES,
    STEP_WINDOW,
    STEP_POLL,
    STEP_FIELD,
    STEP_FORGET, // inspection: a tag that fell asleep is let go,
    STEP_SELECT, // selected again
    STEP_ASK,    // and asked
};

struct pn532_antenna {
    bool again, inspect;
    int64_t polled_us;
    unsigned n_targets; // of the last good poll
    unsigned n_asked;
    struct pn532_target asked[PN532_TARGETS_MAX];
};

// One for each chip: antennas of a multiplexer share the first.
struct pn532_chip {
    bool ready, known; // set up; it said it was a PN532
    unsigned failures, soft_resets;
    int64_t polled_us, revive_us;
};

struct pn532 {
    struct pn532_wire wire;
    struct pn532_mux mux;
    struct pn532_reset reset;
    struct loop_timer timer; // deadline of a command, next poll, or next opening
    const char *hook;
    int64_t poll_us, ack_us, reply_us, backoff_us;
    struct type2_key key;

    unsigned n, at; // antennas; the one whose turn it is
    struct pn532_antenna antenna[PN532_ANTENNAS_MAX];
    struct pn532_chip chip[PN532_ANTENNAS_MAX];

    enum pn532_step step;
    struct pn532_command command;
    bool waiting, acked; // for a reply; the command was acknowledged
    bool reporting;
    bool heard, framed; // since the opening: any byte, any frame
    unsigned retries, nacks;
    size_t n_rx;
    uint8_t rx[PN532_FRAME_MAX + PN532_WIRE_READ];

    struct pn532_list list; // of the poll whose tags are inspected
    unsigned target;
    struct type2 type2;
};

extern const struct config_key pn532_params[];
enum error_code pn532_read_config(const struct config_section *conf, struct pn532 *pn,
                                  struct driver_needs *ret, struct error *err);

static inline struct pn532_antenna *pn532_here(struct pn532 *pn) {
    return &pn->antenna[pn->at];
}
static inline struct pn532_chip *pn532_chip(struct pn532 *pn) {
    return &pn->chip[pn->mux.row->chips ? pn->at : 0];
}

// ---- pn532_talk.c
void pn532_say(struct reader *reader, enum pn532_step step, const struct pn532_command *command);
void pn532_took(void *ctx, const uint8_t *bytes, size_t n); // from the wire
void pn532_wire_failed(void *ctx);
// ---- pn532.c
void pn532_command_done(struct reader *reader, const uint8_t *data, size_t n); // data: after the code
void pn532_command_failed(struct reader *reader);
void pn532_inspected(struct reader *reader); // all tags were asked
// ---- pn532_inspect.c
bool pn532_inspect_begin(struct reader *reader, const struct pn532_list *list); // false: nobody to ask
void pn532_inspect_done(struct reader *reader, const uint8_t *data, size_t n);
void pn532_inspect_failed(struct reader *reader);
