// What is overheard, in one order: `MS<TAB>CHANNEL<TAB>KEY<TAB>BYTES`, one line each on stdout. MS is the
// virtual clock's. Bytes that are no text are written in hex.
#pragma once
#include "core/config.h"
#include "core/loop.h"
#include <stddef.h>
#include <stdint.h>

void ears_open(struct loop *loop);
// key_format: printf, the rest of the line is the bytes as they are but for line ends and tabs.
void ears_hear(const char *channel, const void *bytes, size_t len, const char *key_format, ...)
    __attribute__((format(printf, 4, 5)));

// Asks the daemon's own front over TCP on its own loop, so no virtual time passes. `list` has lines
// `WHEN ROLE METHOD PATH [BODY]`. WHEN: `tick` (every every_ms, and after each phase message), `dark` (the
// same while the phase is dark), `stream` (kept open from the start), or a number of ms. ROLE: the id of a
// token, or `none`.
struct asker;
struct asker *asker_open(struct loop *loop, unsigned port, const char *tokens, const char *list,
                         int64_t every_ms);
void asker_phase(struct asker *asker, const char *phase, size_t len); // the public message
void asker_close(struct asker *asker);                                // NULL allowed
