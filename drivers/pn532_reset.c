#include "drivers/pn532_reset.h"
#include "core/log.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_US = 5000000, LOOK_US = 20000 };

static void told(struct pn532_reset *reset, int status, bool late) {
    if (late)
        log_warning("pn532", "reset hook did not end in time, killed reader=%s command=%s", reset->reader,
                    reset->command);
    else if (WIFEXITED(status))
        log_info("pn532", "reset hook ran reader=%s command=%s exit=%d", reset->reader, reset->command,
                 WEXITSTATUS(status));
    else
        log_warning("pn532", "reset hook was killed reader=%s command=%s signal=%d", reset->reader,
                    reset->command, WTERMSIG(status));
}

// A hook is rare and short: asking 50 times a second is cheaper than a descriptor for it.
static void look(void *ctx) {
    struct pn532_reset *reset = ctx;
    int status = 0;
    bool late = loop_now_us(reset->loop) >= reset->limit_us;
    pid_t pid = waitpid(reset->pid, &status, WNOHANG);
    if (pid == 0 && !late) {
        loop_timer_start(reset->loop, &reset->timer, loop_now_us(reset->loop) + LOOK_US, look, reset);
        return;
    }
    if (pid == reset->pid) {
        reset->pid = 0;
        told(reset, status, false);
    } else {
        pn532_reset_stop(reset);
        told(reset, 0, true);
    }
    reset->done(reset->ctx);
}

static int spawn(pid_t *pid, const char *command, const char *reader, const char *port) {
    char *const argv[] = {(char *)command, (char *)reader, (char *)port, NULL};
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int r = posix_spawnattr_init(&attributes);
    if (r)
        return r;
    posix_spawnattr_setsigmask(&attributes, &none); // the loop blocks signals, the hook wants them
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    r = posix_spawn(pid, command, NULL, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    return r;
}

void pn532_reset_run(struct pn532_reset *reset, struct loop *loop, const char *command, const char *reader,
                     const char *port, void (*done)(void *ctx), void *ctx) {
    pn532_reset_stop(reset);
    *reset =
        (struct pn532_reset){.loop = loop, .command = command, .reader = reader, .done = done, .ctx = ctx};
    int r = spawn(&reset->pid, command, reader, port);
    if (r) {
        reset->pid = 0;
        log_warning("pn532", "reset hook cannot run reader=%s command=%s cause=\"%s\"", reader, command,
                    strerror(r));
        done(ctx);
        return;
    }
    reset->limit_us = loop_now_us(loop) + LIMIT_US;
    loop_timer_start(loop, &reset->timer, loop_now_us(loop) + LOOK_US, look, reset);
}

void pn532_reset_stop(struct pn532_reset *reset) {
    if (!reset->loop)
        return;
    loop_timer_stop(reset->loop, &reset->timer);
    if (reset->pid <= 0)
        return;
    kill(reset->pid, SIGKILL);
    waitpid(reset->pid, NULL, 0); // killed: ends at once
    reset->pid = 0;
}
