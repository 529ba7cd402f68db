#include "core/log.h"
#include "core/utf8.h"
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <syslog.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

enum { LINE_MAX = 1024, BURST = 5 };
static const int64_t window_us = 10000000;

static const struct {
    const char *name;
    int priority;
} levels[] = {
    [LOG_LEVEL_ERROR] = {"error", LOG_ERR},
    [LOG_LEVEL_WARNING] = {"warning", LOG_WARNING},
    [LOG_LEVEL_INFO] = {"info", LOG_INFO},
    [LOG_LEVEL_DEBUG] = {"debug", LOG_DEBUG},
};
enum { LEVELS = sizeof levels / sizeof levels[0] };

// The log is one of the process, as its stderr is.
static struct {
    enum log_level level;
    bool journald;
    const char *program;
    log_sink_fn *sink, *tap;
    void *ctx, *tap_ctx;
    const struct clock *clock;
    struct log_site *silent; // sites that have left out lines
} log_state = {.level = LOG_LEVEL_INFO, .program = "tabled"};

// $JOURNAL_STREAM is inherited by whatever the service starts; it counts only while it names our stderr.
static bool stderr_is_journald(void) {
    const char *stream = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat st;
    return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 && fstat(STDERR_FILENO, &st) == 0 &&
           st.st_dev == device && st.st_ino == inode;
}

void log_open(const char *program, enum log_level level) {
    log_state.program = program;
    log_state.level = level;
    log_state.journald = stderr_is_journald();
}

void log_set_level(enum log_level level) {
    log_state.level = level;
}

bool log_level_parse(const char *text, enum log_level *ret) {
    for (unsigned i = 0; i < LEVELS; i++)
        if (strcmp(text, levels[i].name) == 0) {
            *ret = (enum log_level)i;
            return true;
        }
    return false;
}

void log_set_sink(log_sink_fn *sink, void *ctx) {
    log_state.sink = sink;
    log_state.ctx = ctx;
}

void log_set_tap(log_sink_fn *tap, void *ctx) {
    log_state.tap = tap;
    log_state.tap_ctx = ctx;
}

void log_set_clock(const struct clock *clock) {
    log_state.clock = clock;
}

static int64_t now_us(void) {
    return clock_mono_us(log_state.clock ? log_state.clock : clock_real());
}

static void write_stderr(enum log_level level, const char *module, const char *line) {
    // One system call a line, so that lines of two processes on one terminal do not mix.
    const char *parts[] = {levels[level].name, " ", module, ": ", line, "\n"};
    struct iovec iov[sizeof parts / sizeof parts[0]];
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        iov[i] = (struct iovec){(void *)(uintptr_t)parts[i], strlen(parts[i])};
    if (writev(STDERR_FILENO, iov, sizeof parts / sizeof parts[0]) < 0)
        return; // there is nobody left to tell
}

static void emit(enum log_level level, const char *module, char *line, size_t len) {
    len = utf8_cut(line, len);
    line[len] = '\0';
    for (char *p = line; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7F)
            *p = ' '; // a name from outside cannot begin a line of its own
    if (log_state.tap)
        log_state.tap(log_state.tap_ctx, level, module, line);
    if (log_state.sink)
        log_state.sink(log_state.ctx, level, module, line);
    else if (!log_state.journald ||
             sd_journal_send("MESSAGE=%s: %s", module, line, "PRIORITY=%i", levels[level].priority,
                             "SYSLOG_IDENTIFIER=%s", log_state.program, "TABLED_MODULE=%s", module, NULL) < 0)
        write_stderr(level, module, line);
}

static size_t clamp(int len, size_t size) {
    return len < 0 ? 0 : (size_t)len < size ? (size_t)len : size - 1;
}

static void forget(struct log_site *site) {
    for (struct log_site **p = &log_state.silent; *p; p = &(*p)->next__)
        if (*p == site) {
            *p = site->next__;
            break;
        }
    site->next__ = NULL;
    site->count = site->dropped = 0;
}

// A flood that has ended is summed up by the next line of anybody; its own text is gone, its pattern is not.
static void sum_up(struct log_site *site) {
    char line[LINE_MAX];
    int head = (int)strcspn(site->format__, "%=");
    int len = snprintf(line, sizeof line, "more lines like this were left out: %.*s... left_out=%u", head,
                       site->format__, site->dropped);
    enum log_level level = site->level__;
    const char *module = site->module__;
    forget(site);
    emit(level, module, line, clamp(len, sizeof line));
}

void log_flush(void) {
    while (log_state.silent)
        sum_up(log_state.silent);
}

void log_no_memory(const char *module) {
    log_error(module, "out of memory: the program ends; started again it goes on where it was");
    log_flush();
    _exit(EXIT_FAILURE);
}

static void sum_up_ended(int64_t now, const struct log_site *but) {
    for (struct log_site *site = log_state.silent, *next; site; site = next) {
        next = site->next__;
        if (site != but && now - site->window_start_us >= window_us)
            sum_up(site);
    }
}

// False if the line is left out. *ret_dropped: lines to own up to with this one.
static bool may_speak(struct log_site *site, enum log_level level, const char *module, const char *format,
                      unsigned *ret_dropped) {
    int64_t now = now_us();
    *ret_dropped = 0;
    sum_up_ended(now, site);
    if (site->count == 0 || now - site->window_start_us >= window_us || now < site->window_start_us) {
        *ret_dropped = site->dropped;
        if (site->dropped > 0)
            forget(site);
        site->window_start_us = now;
        site->count = 1;
        return true;
    }
    if (++site->count <= BURST)
        return true;
    if (site->dropped++ == 0) {
        site->level__ = level;
        site->module__ = module;
        site->format__ = format;
        site->next__ = log_state.silent;
        log_state.silent = site;
    }
    return false;
}

void log_line(enum log_level level, struct log_site *site, const char *module, const char *format, ...) {
    unsigned dropped = 0;
    if (level > log_state.level || (site && !may_speak(site, level, module, format, &dropped)))
        return;
    char line[LINE_MAX];
    va_list args;
    va_start(args, format);
    size_t len = clamp(vsnprintf(line, sizeof line, format, args), sizeof line);
    va_end(args);
    if (dropped > 0) {
        const size_t room = 32;
        len = utf8_cut(line, len < sizeof line - room ? len : sizeof line - room);
        len += clamp(snprintf(line + len, sizeof line - len, " left_out=%u", dropped), sizeof line - len);
    }
    emit(level, module, line, len);
}
