// A driver to copy. It "reads tags" from a file that holds one id in hex, or nothing: enough to show every
// duty. Copy it to drivers/NAME.c, rename `template_driver` to `NAME_driver`, add DRIVER(NAME) to drivers.def
// and a tap log to tests/taps/. Nothing else needs to know.
#include "drivers/driver.h"
#include "drivers/taplog.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// All state lives here: zeroed before open, freed after close. No globals: there may be many readers.
struct template {
    struct loop_timer poll;
    int64_t poll_us;
    bool again;
};

enum { AGAIN_US = 10000, RETRY_US = 1000000, ANTENNA = 0 };

static void poll(void *ctx);

static void wait(struct reader *reader, int64_t us) {
    struct template *t = reader->priv;
    loop_timer_start(reader->loop, &t->poll, loop_now_us(reader->loop) + us, poll, reader);
}

// What came from outside is checked before it is believed. Here the parser of tap logs does it.
static enum driver_outcome look(struct reader *reader, const char *text, size_t len) {
    char line[TAPLOG_LINE_MAX];
    struct taplog_line parsed;
    while (len && (text[len - 1] == '\n' || text[len - 1] == ' '))
        len--;
    if (len == 0)
        return DRIVER_NONE;
    int n = snprintf(line, sizeof line, "0 template 0 seen %.*s", (int)len, text);
    if (taplog_parse(line, (size_t)n, false, &parsed, NULL) != ERROR_OK) {
        // Count why, by class. A scan that failed is not an empty pad: only DRIVER_NONE can become a removal.
        reader_fault(reader, DRIVER_FAULT_FRAME);
        return DRIVER_FAILED;
    }
    reader_seen(reader, ANTENNA, parsed.tag.b, parsed.tag.len);
    return DRIVER_SEEN;
}

static void poll(void *ctx) {
    struct reader *reader = ctx;
    struct template *t = reader->priv;
    char text[64], why[160];
    int fd = open(config_text(reader->conf, "file"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    int errnum = errno;
    if (fd >= 0)
        close(fd);
    if (n < 0) {
        // Lost is not empty: down, no scan, and come back by yourself, unhurried. Repeats are swallowed, so
        // the sentence with cause and remedy may be said every time.
        reader_fault(reader, DRIVER_FAULT_IO);
        snprintf(why, sizeof why, "the file cannot be read: %s; check the key `file`", strerror(errnum));
        reader_health(reader, false, why);
        wait(reader, RETRY_US);
        return;
    }
    reader_health(reader, true, "the file is there");
    enum driver_outcome outcome = look(reader, text, (size_t)n);
    wait(reader, t->again ? AGAIN_US : t->poll_us);
    t->again = false;
    reader_scan_done(reader, ANTENNA, outcome); // every scan, also when nothing changed: pads count them
}

// Reports nothing yet: the host does not know the reader before reader_open has returned. A device that is
// not there is no error, only a configuration that can never work is.
static enum error_code template_open(struct reader *reader, struct error *err) {
    struct template *t = reader->priv;
    const char *file = config_text(reader->conf, "file");
    if (!file || !file[0])
        return error_set(err, ERROR_INVALID, config_where(reader->conf), "the key `file` is missing");
    t->poll_us = config_int(reader->conf, "poll") * 1000;
    reader->antennas = 1;
    wait(reader, 0);
    return ERROR_OK;
}

// Must do with a reader whose open failed half-way. Timers are stopped before their memory goes.
static void template_close(struct reader *reader) {
    struct template *t = reader->priv;
    loop_timer_stop(reader->loop, &t->poll);
}

// The pad is not sure yet: look again soon. Never at once, for this may be called from within a report.
static void template_again(struct reader *reader, uint16_t antenna) {
    struct template *t = reader->priv;
    (void)antenna;
    t->again = true;
    wait(reader, AGAIN_US);
}

static const struct config_key params[] = {
    {.name = "file", .type = CONFIG_PATH, .required = true, .help = "holds the id of the tag, or nothing"},
    {.name = "poll",
     .type = CONFIG_DURATION,
     .fallback = "100ms",
     .min = 10,
     .max = 1000,
     .help = "time between scans"},
    {0},
};

extern const struct driver template_driver; // the registry declares those of drivers.def
const struct driver template_driver = {
    .name = "template",
    .summary = "an example to copy",
    .params = params,
    // Promise only what the hardware does: without DRIVER_SEES_REMOVAL a tile pad is refused (B003).
    .capabilities = DRIVER_SEES_REMOVAL,
    .priv_size = sizeof(struct template),
    .open = template_open,
    .close = template_close,
    .again = template_again,
};
