// The reset hook: a program of the owner that pulls the chip's reset line or switches its power (B031).
#pragma once
#include "core/loop.h"
#include <sys/types.h>

struct pn532_reset {
    struct loop *loop;
    pid_t pid; // 0 = not running
    int64_t limit_us;
    struct loop_timer timer;
    const char *command;
    const char *reader;
    void (*done)(void *ctx);
    void *ctx;
};

// Runs `command READER PORT`; calls done, also if it fails, at the latest after 5 s. The result goes to the
// log.
void pn532_reset_run(struct pn532_reset *reset, struct loop *loop, const char *command, const char *reader,
                     const char *port, void (*done)(void *ctx), void *ctx);
void pn532_reset_stop(struct pn532_reset *reset); // kills a hook that still runs
