// What a driver is: it reports what it saw, nothing more. Debouncing, pieces and tables live elsewhere.
// A driver never blocks for more than 2 ms on the loop; what blocks goes to a worker.
// Identity comes from something physical (USB port path, SPI select, MQTT node), never from list order.
#pragma once
#include "core/config.h"
#include "core/error.h"
#include "core/loop.h"
#include "drivers/bus_users.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRIVER_UID_MAX = 10, DRIVER_ANTENNAS_MAX = 256, DRIVER_HINT_MAX = 64 };

// Outcome of one scan of one antenna. Seen: `seen` was called for each tag before scan_done.
enum driver_outcome { DRIVER_SEEN, DRIVER_NONE, DRIVER_COLLIDED, DRIVER_FAILED };

// Why a scan or a command failed; counted per reader.
enum driver_fault {
    DRIVER_FAULT_TIMEOUT,
    DRIVER_FAULT_CHECKSUM,
    DRIVER_FAULT_FRAME,  // wrong shape or length
    DRIVER_FAULT_STATUS, // the chip says error
    DRIVER_FAULT_IO,
    DRIVER_FAULTS
};

enum driver_capability {
    DRIVER_SEES_REMOVAL = 1, // without: refused on tile pads (B003)
    DRIVER_SEES_SEVERAL = 2,
    DRIVER_READS_MEMORY = 4,
    DRIVER_CHECKS_SIGNATURE = 8,
    DRIVER_PLAIN_NETWORK = 16, // ids travel readable: refused unless the configuration allows it (design 5.6)
};

// What became of checking a tag's originality signature. Only INVALID speaks of a copy (B056).
enum driver_signature {
    DRIVER_SIGNATURE_UNKNOWN, // not asked
    DRIVER_SIGNATURE_VALID,
    DRIVER_SIGNATURE_INVALID,
    DRIVER_SIGNATURE_UNREADABLE,  // the tag should have one and gave none
    DRIVER_SIGNATURE_UNSUPPORTED, // a kind of tag, or a key, without
    DRIVER_SIGNATURES
};

struct reader;

// What the daemon offers a driver; all on the loop. An observation happens at the loop's now.
struct driver_host {
    void (*seen)(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len);
    void (*scan_done)(struct reader *reader, uint16_t antenna, enum driver_outcome outcome);
    // Up: ready to scan. Down: its pads become unknown, nothing is removed. `why` is for people.
    void (*health)(struct reader *reader, bool up, const char *why);
    // A recorded log has come to its end; NULL allowed.
    void (*ended)(struct reader *reader);
    // Answers to `inspect`, NULL allowed. `text` is what a person or a stranger wrote on the tag (the first
    // NDEF text or URI, at most DRIVER_HINT_MAX bytes of printable UTF-8): a suggestion, for enrolment only,
    // never for a log or a public output.
    void (*hint)(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len, const char *text);
    void (*signature)(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                      enum driver_signature signature);
    // Each fault as it is counted; NULL allowed.
    void (*fault)(struct reader *reader, enum driver_fault fault);
};

enum { DRIVER_USERS_MAX = 40 };
struct driver_needs {
    uint16_t antennas;     // 0 = not known before it is open
    unsigned capabilities; // of this section: the driver's, unless its `check` knows better
    struct bus_user user[DRIVER_USERS_MAX];
    size_t n_users;
};

struct driver {
    const char *name, *summary;
    const struct config_key *params; // keys of [reader NAME] beside the common ones; NULL-named row ends
    unsigned capabilities;
    size_t priv_size;
    // Optional: whether this section can ever work, and what it needs. ret: zeroed but for the capabilities.
    // `who` and `where` of its users are filled in by driver_check.
    enum error_code (*check)(const struct config_section *conf, struct driver_needs *ret, struct error *err);
    // Opens or begins to open; a reader that is not there yet is no error (health tells later, retries are
    // the driver's, with back-off). ERROR_INVALID for a configuration that can never work.
    enum error_code (*open)(struct reader *reader, struct error *err);
    // Also called after a failed open: accepts a half-opened reader. Restores the chip's defaults (B041).
    void (*close)(struct reader *reader);
    // Optional: scan this antenna next, a change there is not yet sure.
    void (*again)(struct reader *reader, uint16_t antenna);
    // Optional: while on, each tag that lies or lands on this antenna is asked once for its memory, then for
    // its signature, after its scan was reported and before the next scan of this antenna. A hint is reported
    // if there is one, then, as the last word, one signature. Off, the state after open: ids and nothing
    // else.
    void (*inspect)(struct reader *reader, uint16_t antenna, bool on);
    // Optional: what the network brings for this reader, as it came. `channel`: obs (what it saw), status
    // (its own availability) or link (ours: one byte, 1 = the broker is connected). `late`: kept by the
    // broker from before, no news.
    void (*bytes)(struct reader *reader, const char *channel, const void *data, size_t len, bool late);
};

struct reader {
    const struct driver *driver;
    const struct driver_host *host;
    void *host_ctx; // the host's
    struct loop *loop;
    const struct config_section *conf; // borrowed; its keys are checked
    const char *replay_file;           // borrowed; NULL unless a log is replayed in place of the hardware
    char name[33];
    uint16_t antennas; // set by open: antennas are 0 .. antennas-1; 0 = not known yet
    bool up;           // as last reported
    bool told;         // health was reported at least once
    uint64_t n_scans, n_seen, n_none, n_collided, n_failed;
    uint64_t n_faults[DRIVER_FAULTS];
    void *priv; // priv_size zeroed bytes
};

// Report through these: they count, and they are the only callers of the host. An id whose length is not 4, 7
// or 10 bytes is a frame fault and goes no further (B046, B055).
void reader_seen(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len);
void reader_scan_done(struct reader *reader, uint16_t antenna, enum driver_outcome outcome);
void reader_health(struct reader *reader, bool up, const char *why); // repeats are swallowed
// Still down, and now for another reason: told, for people should look elsewhere.
void reader_still_down(struct reader *reader, const char *why);
void reader_fault(struct reader *reader, enum driver_fault fault);
// text: any bytes; what is not printable UTF-8 is dropped, what is too long is cut, an empty rest is no hint.
void reader_hint(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len, const char *text,
                 size_t text_len);
void reader_signature(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                      enum driver_signature signature);

// The registry, from drivers.def.
const struct driver *driver_find(const char *name);
const struct driver *driver_at(size_t i);            // NULL after the last
const struct config_key *driver_common_params(void); // keys every [reader] has
// What a section with checked keys needs; a driver without `check` needs nothing special.
enum error_code driver_check(const struct config_section *conf, struct driver_needs *ret, struct error *err);

// replay_file: NULL = the driver of the section; else the driver `replay` on this tap log, whatever the
// section says.
enum error_code reader_open(struct loop *loop, const struct driver_host *host, void *host_ctx,
                            const struct config_section *conf, const char *replay_file, struct reader **ret,
                            struct error *err);
void reader_close(struct reader *reader); // NULL allowed
