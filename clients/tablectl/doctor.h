// What `tablectl doctor` shares between its groups of checks.
#pragma once
#include "core/config.h"
#include "tablectl.h"

enum doctor_result { DOCTOR_PASS, DOCTOR_NOTE, DOCTOR_WARN, DOCTOR_FAIL };

struct doctor {
    const struct args *args;
    const char *file;      // of the configuration
    struct config *config; // read loosely; NULL: it cannot be read
    bool running;          // a daemon answers at the socket
    unsigned n[DOCTOR_FAIL + 1];
    bool first;
};

// One finding: what was looked at, what was found, what to do (NULL: nothing).
void doctor_say(struct doctor *doctor, enum doctor_result result, const char *what, const char *remedy,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

// A key of [section], or its default; the file is read without the daemon's tables of keys.
const char *doctor_text(const struct doctor *doctor, const char *section, const char *key,
                        const char *fallback);
const char *doctor_state_dir(const struct doctor *doctor);

void doctor_disk(struct doctor *doctor);
void doctor_clock(struct doctor *doctor);
void doctor_modes(struct doctor *doctor);   // who may read what holds secrets, who may use what
void doctor_readers(struct doctor *doctor); // by the daemon's word, else by what the configuration names
void doctor_pads(struct doctor *doctor);
void doctor_broker(struct doctor *doctor);
void doctor_certificate(
    struct doctor *doctor); // how long it holds; one from a file is nobody else's to renew
