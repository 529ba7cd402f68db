// A wedge reader: it types ids like a keyboard. Grabbed, so that nobody else gets to see them, and read as
// key codes, so that no layout changes them. It tells arrivals alone, so it serves tap points (B003).
#include "drivers/arrival.h"
#include "drivers/driver.h"
#include "drivers/keyboard_keys.h"
#include "drivers/serial.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENTS = 64, BACKOFF_MIN_US = 20000, BACKOFF_MAX_US = 2000000, PREFIX_MAX = 16 };

struct keyboard {
    const char *path;
    int fd; // -1 = closed
    bool grabbed;
    struct loop_fd *watch;
    struct loop_timer retry, pause;
    int64_t backoff_us, gap_us;
    bool ends; // a scan ends with Enter or Tab; else with a pause
    struct keys keys;
    struct keys_form form;
    struct arrival arrival;
    size_t n_bytes; // of an event that has come in part: a pipe may cut it
    char bytes[EVENTS * sizeof(struct input_event)];
};

static void attempt(void *ctx);

static void drop(struct keyboard *k) {
    loop_fd_remove(k->watch);
    k->watch = NULL;
    if (k->grabbed) // also where a program that was started meanwhile holds the device open
        ioctl(k->fd, EVIOCGRAB, 0);
    if (k->fd >= 0)
        close(k->fd);
    k->fd = -1;
    k->grabbed = false;
    k->n_bytes = 0;
    k->keys = (struct keys){0};
}

static void lost(struct reader *reader, const char *why) {
    struct keyboard *k = reader->priv;
    reader_fault(reader, DRIVER_FAULT_IO);
    loop_timer_stop(reader->loop, &k->pause);
    arrival_run(&k->arrival, false);
    drop(k);
    reader_health(reader, false, why);
    loop_timer_start(reader->loop, &k->retry, loop_now_us(reader->loop) + k->backoff_us, attempt, reader);
    k->backoff_us = k->backoff_us * 2 > BACKOFF_MAX_US ? BACKOFF_MAX_US : k->backoff_us * 2;
}

static void scan_ends(struct reader *reader) {
    struct keyboard *k = reader->priv;
    struct id id;
    bool empty;
    loop_timer_stop(reader->loop, &k->pause);
    if (keys_take(&k->keys, &k->form, &id, &empty))
        arrival_touch(&k->arrival, &id);
    else if (!empty)
        reader_fault(reader, DRIVER_FAULT_FRAME);
}

// Nothing was typed for `gap`: the end of a scan, or half of one, which is no id (B039).
static void on_pause(void *ctx) {
    struct reader *reader = ctx;
    struct keyboard *k = reader->priv;
    if (k->ends)
        k->keys.broken = true;
    scan_ends(reader);
}

static void take_event(struct reader *reader, const struct input_event *event) {
    struct keyboard *k = reader->priv;
    switch (keys_event(&k->keys, event->type, event->code, event->value)) {
    case KEYS_TYPED:
        loop_timer_start(reader->loop, &k->pause, loop_now_us(reader->loop) + k->gap_us, on_pause, reader);
        break;
    case KEYS_END:
        scan_ends(reader);
        break;
    default:
        break;
    }
}

static void ready(void *ctx, uint32_t revents) {
    struct reader *reader = ctx;
    struct keyboard *k = reader->priv;
    struct input_event event;
    ssize_t n = read(k->fd, k->bytes + k->n_bytes, sizeof k->bytes - k->n_bytes);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR) || (revents & (EPOLLHUP | EPOLLERR)))
            lost(reader, "the reader is gone: unplugged");
        return;
    }
    size_t have = k->n_bytes + (size_t)n, at = 0;
    for (; have - at >= sizeof event; at += sizeof event) {
        memcpy(&event, k->bytes + at, sizeof event);
        take_event(reader, &event);
    }
    memmove(k->bytes, k->bytes + at, have - at);
    k->n_bytes = have - at;
}

static const char *open_device(struct keyboard *k, struct error *err) {
    struct stat st;
    if (stat(k->path, &st)) {
        serial_explain(errno, k->path, err);
        return err->text;
    }
    bool pipe = S_ISFIFO(st.st_mode); // events of a program: for trying things out
    if (!pipe && !S_ISCHR(st.st_mode))
        return "this is no input device; `ls /dev/input/by-path` shows what is there";
    k->fd = open(k->path, (pipe ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC);
    if (k->fd < 0)
        return errno == EACCES ? "the daemon may not read it: its user belongs into the group input"
                               : (serial_explain(errno, k->path, err), err->text);
    if (pipe)
        return NULL;
    k->grabbed = ioctl(k->fd, EVIOCGRAB, 1) == 0;
    if (k->grabbed)
        return NULL;
    return errno == EBUSY ? "another program has taken the reader for itself: `fuser -v` and the path of the "
                            "device name it; end that one"
           : errno == ENODEV ? "the reader is gone: unplugged"
                             : "this is no input device; `ls /dev/input/by-path` shows what is there";
}

static void attempt(void *ctx) {
    struct reader *reader = ctx;
    struct keyboard *k = reader->priv;
    struct error err = {0};
    const char *why = open_device(k, &err);
    if (!why && loop_fd_add(reader->loop, k->fd, EPOLLIN, ready, reader, &k->watch, &err) != ERROR_OK)
        why = err.text;
    if (why) {
        lost(reader, why);
        return;
    }
    k->backoff_us = BACKOFF_MIN_US;
    reader_health(reader, true, "the reader is there, and ours alone");
    arrival_run(&k->arrival, true);
}

static enum error_code keyboard_check(const struct config_section *conf, struct driver_needs *ret,
                                      struct error *err) {
    (void)err;
    ret->antennas = 1;
    ret->user[0].kind = BUS_SERIAL;
    snprintf(ret->user[0].path, sizeof ret->user[0].path, "%.95s", config_text(conf, "device"));
    ret->n_users = 1;
    return ERROR_OK;
}

// The file of the configuration has other plans with a semicolon.
static const char *surround(const struct config_section *conf, const char *key) {
    const char *text = config_text(conf, key);
    return strcmp(text, "semicolon") ? text : ";";
}

static enum error_code keyboard_open(struct reader *reader, struct error *err) {
    struct keyboard *k = reader->priv;
    const struct config_section *conf = reader->conf;
    k->fd = -1;
    k->path = config_text(conf, "device");
    k->backoff_us = BACKOFF_MIN_US;
    k->gap_us = config_int(conf, "gap") * 1000;
    k->ends = strcmp(config_text(conf, "end"), "enter") == 0;
    k->form = (struct keys_form){.prefix = surround(conf, "prefix"),
                                 .suffix = surround(conf, "suffix"),
                                 .decimal = strcmp(config_text(conf, "form"), "decimal") == 0,
                                 .reversed = config_bool(conf, "reversed"),
                                 .bytes = (unsigned)config_int(conf, "bytes")};
    reader->antennas = 1;
    arrival_open(&k->arrival, reader);
    if (strlen(k->form.prefix) > PREFIX_MAX || strlen(k->form.suffix) > PREFIX_MAX)
        return error_set(err, ERROR_INVALID, config_where(conf),
                         "prefix and suffix have at most %d characters", PREFIX_MAX);
    if (k->form.bytes != 4 && k->form.bytes != 7 && k->form.bytes != 10)
        return error_set(err, ERROR_INVALID, config_key_where(conf, "bytes"), "ids have 4, 7 or 10 bytes");
    loop_timer_start(reader->loop, &k->retry, loop_now_us(reader->loop), attempt, reader);
    return ERROR_OK;
}

static void keyboard_close(struct reader *reader) {
    struct keyboard *k = reader->priv;
    loop_timer_stop(reader->loop, &k->retry);
    loop_timer_stop(reader->loop, &k->pause);
    arrival_close(&k->arrival);
    drop(k);
}

static const struct config_key params[] = {
    {.name = "device",
     .type = CONFIG_PATH,
     .required = true,
     .help = "the input device by its place: /dev/input/by-path/...-event-kbd"},
    {.name = "form",
     .type = CONFIG_CHOICE,
     .fallback = "hex",
     .choices = "hex decimal",
     .help = "how it types an id"},
    {.name = "bytes",
     .type = CONFIG_INT,
     .fallback = "4",
     .min = 4,
     .max = 10,
     .help = "decimal: how many bytes the id has, 4, 7 or 10"},
    ID_REVERSED_KEY,
    {.name = "prefix",
     .type = CONFIG_TEXT,
     .fallback = "",
     .help = "what it types before the id, in lower case; `semicolon` for ;"},
    {.name = "suffix",
     .type = CONFIG_TEXT,
     .fallback = "",
     .help = "what it types after the id, before Enter"},
    {.name = "end",
     .type = CONFIG_CHOICE,
     .fallback = "enter",
     .choices = "enter pause",
     .help = "what ends a scan: Enter or Tab, or a pause of `gap`"},
    {.name = "gap",
     .type = CONFIG_DURATION,
     .fallback = "500ms",
     .min = 20,
     .max = 5000,
     .help = "longest pause between two keys of a scan"},
    {0},
};

const struct driver keyboard_driver = {
    .name = "keyboard",
    .summary = "a wedge reader that types ids, for tap points",
    .params = params,
    .capabilities = 0,
    .priv_size = sizeof(struct keyboard),
    .check = keyboard_check,
    .open = keyboard_open,
    .close = keyboard_close,
};
