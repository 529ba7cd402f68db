// Log lines: one fact a line, `key=value` fields at its end. To journald's native socket when the
// daemon runs under systemd, else to stderr. No secret is ever an argument: no tag id, no hidden kind.
// Called on the loop's thread alone.
#pragma once
#include "core/clock.h"
#include <stdbool.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

void log_open(const char *program, enum log_level level);
void log_set_level(enum log_level level);
bool log_level_parse(const char *text, enum log_level *ret);

// Tests and the replay set a sink; NULL brings stderr / journald back.
typedef void log_sink_fn(void *ctx, enum log_level level, const char *module, const char *line);
void log_set_sink(log_sink_fn *sink, void *ctx);
// Hears every line beside the sink; NULL = nobody.
void log_set_tap(log_sink_fn *tap, void *ctx);
// The clock of the rate limit; NULL = the real one.
void log_set_clock(const struct clock *clock);

// A call site speaks at most 5 times in 10 s; what it left out it tells with its next line, or the next line
// of anybody after the 10 s does (B102).
struct log_site {
    long long window_start_us;
    unsigned count, dropped;
    enum log_level level__;
    const char *module__, *format__;
    struct log_site *next__;
};
// Tells what was left out up to now; at the end of a program.
void log_flush(void);
// Memory has run out where nobody can be told: says so and ends the program (exit code 1). What was announced
// is durable, so it comes back where it was.
void log_no_memory(const char *module) __attribute__((noreturn));
void log_line(enum log_level level, struct log_site *site, const char *module, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define LOG_AT__(level, module, ...)                                                                         \
    do {                                                                                                     \
        static struct log_site site__;                                                                       \
        log_line(level, &site__, module, __VA_ARGS__);                                                       \
    } while (0)
#define log_error(module, ...) LOG_AT__(LOG_LEVEL_ERROR, module, __VA_ARGS__)
#define log_warning(module, ...) LOG_AT__(LOG_LEVEL_WARNING, module, __VA_ARGS__)
#define log_info(module, ...) LOG_AT__(LOG_LEVEL_INFO, module, __VA_ARGS__)
#define log_debug(module, ...) LOG_AT__(LOG_LEVEL_DEBUG, module, __VA_ARGS__)
