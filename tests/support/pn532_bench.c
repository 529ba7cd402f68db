#include "support/pn532_bench.h"
#include "drivers/taplog.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS_MAX = 4 };

// One antenna of a log, played onto one chip.
struct bench_seat {
    char reader[33];
    unsigned antenna;
    size_t chip;
    struct taplog *log;
    size_t next;
    bool done;
};

struct pn532_bench {
    struct loop *loop;
    struct pn532_bench_options options;
    struct pn532_emulator *chip[BENCH_CHIPS_MAX];
    struct bench_seat seat[BENCH_CHIPS_MAX];
    size_t n_seats;
    bool playing;
    int64_t start_us;
    struct loop_timer timer;
};

static int64_t at_us(const struct pn532_bench *bench, int64_t ms) {
    return bench->start_us + (int64_t)((double)ms * 1000 / bench->options.speed);
}

static void show(struct pn532_bench *bench, const struct bench_seat *seat, const struct taplog_event *event) {
    struct pn532_emulator *chip = bench->chip[seat->chip];
    struct error err;
    if (event->outcome == TAPLOG_UP && pn532_emulator_return(chip, &err) != ERROR_OK)
        fprintf(stderr, "pn532-emulator: %s\n", err.text);
    if (event->outcome == TAPLOG_DOWN)
        pn532_emulator_vanish(chip);
    if (event->outcome >= TAPLOG_UP || event->antenna != seat->antenna)
        return;
    static const enum pn532_emulator_fault faults[] = {[TAPLOG_SEEN] = EMULATOR_WELL,
                                                       [TAPLOG_NONE] = EMULATOR_WELL,
                                                       [TAPLOG_COLLIDED] = EMULATOR_GARBAGE,
                                                       [TAPLOG_FAILED] = EMULATOR_ERROR};
    pn532_emulator_fault(chip, faults[event->outcome], -1);
    pn532_emulator_clear(chip);
    for (unsigned i = 0; i < event->n; i++)
        pn532_emulator_add(chip, seat->log->tag[event->tag + i].b, seat->log->tag[event->tag + i].len);
}

static void stop(struct pn532_bench *bench) {
    loop_timer_stop(bench->loop, &bench->timer);
    for (size_t i = 0; i < bench->n_seats; i++) {
        taplog_destroy(bench->seat[i].log);
        bench->seat[i].log = NULL;
    }
    bench->playing = false;
}

static void step(void *ctx) {
    struct pn532_bench *bench = ctx;
    int64_t now = bench->timer.due_us, next = INT64_MAX, end = 0;
    for (size_t i = 0; i < bench->n_seats; i++) {
        struct bench_seat *seat = &bench->seat[i];
        const struct taplog *log = seat->log;
        while (seat->next < log->n_events && at_us(bench, log->event[seat->next].ms) <= now)
            show(bench, seat, &log->event[seat->next++]);
        if (seat->next < log->n_events && at_us(bench, log->event[seat->next].ms) < next)
            next = at_us(bench, log->event[seat->next].ms);
        end = at_us(bench, log->end_ms);
    }
    if (next == INT64_MAX && now < end)
        next = end;
    if (next != INT64_MAX) {
        loop_timer_start(bench->loop, &bench->timer, next, step, bench);
        return;
    }
    stop(bench);
    if (bench->options.played)
        bench->options.played(bench->options.ctx);
}

static enum error_code play(struct pn532_bench *bench, const char *path, struct error *err) {
    stop(bench);
    if (bench->n_seats == 0)
        return error_set(err, ERROR_INVALID, NULL, "no antenna is mapped to a chip");
    for (size_t i = 0; i < bench->n_seats; i++) {
        struct bench_seat *seat = &bench->seat[i];
        seat->next = 0;
        enum error_code code = taplog_load(path, seat->reader, &seat->log, err);
        if (code != ERROR_OK) {
            stop(bench);
            return code;
        }
    }
    bench->playing = true;
    bench->start_us = loop_now_us(bench->loop);
    loop_timer_start(bench->loop, &bench->timer, bench->start_us, step, bench);
    return ERROR_OK;
}

static bool parse_id(const char *hex, uint8_t id[EMULATOR_ID_MAX], size_t *ret_len) {
    struct taplog_line line;
    char text[TAPLOG_LINE_MAX];
    int n = snprintf(text, sizeof text, "0 chip 0 seen %.40s", hex);
    if (taplog_parse(text, (size_t)n, false, &line, NULL) != ERROR_OK)
        return false;
    memcpy(id, line.tag.b, line.tag.len);
    *ret_len = line.tag.len;
    return true;
}

static enum error_code tag_line(struct pn532_emulator *chip, const char *verb, const char *hex,
                                struct error *err) {
    uint8_t id[EMULATOR_ID_MAX];
    size_t len;
    if (!hex || !parse_id(hex, id, &len))
        return error_set(err, ERROR_INVALID, NULL, "'%s' needs the id of a tag", verb);
    if (strcmp(verb, "remove") == 0)
        return pn532_emulator_remove(chip, id, len)
                   ? ERROR_OK
                   : error_set(err, ERROR_NOT_FOUND, NULL, "it is not there");
    if (strcmp(verb, "place") == 0)
        pn532_emulator_clear(chip);
    return pn532_emulator_add(chip, id, len) ? ERROR_OK
                                             : error_set(err, ERROR_TOO_LARGE, NULL, "too many tags");
}

static enum error_code fault_line(struct pn532_emulator *chip, const char *word, const char *count,
                                  struct error *err) {
    for (unsigned i = 0; word && pn532_emulator_faults[i]; i++) {
        if (strcmp(word, pn532_emulator_faults[i]) == 0) {
            pn532_emulator_fault(chip, (enum pn532_emulator_fault)i, count ? atoi(count) : -1);
            return ERROR_OK;
        }
    }
    return error_set(err, ERROR_INVALID, NULL,
                     "a fault is one of well silence lost garbage nack badsum short error miss");
}

// What is written on the tag that was laid down last.
static enum error_code write_line(struct pn532_emulator *chip, const char *text, struct error *err) {
    struct nfc_tag *last = NULL;
    for (unsigned i = 0; pn532_emulator_tag(chip, i); i++)
        last = pn532_emulator_tag(chip, i);
    if (!last || !text || strlen(text) > 100)
        return error_set(err, ERROR_INVALID, NULL, "a tag must be there, and a word of at most 100 bytes");
    nfc_tag_write(last, text);
    return ERROR_OK;
}

static enum error_code chip_line(struct pn532_emulator *chip, char *const word[WORDS_MAX],
                                 struct error *err) {
    const char *verb = word[1] ? word[1] : "";
    if (strcmp(verb, "place") == 0 || strcmp(verb, "add") == 0 || strcmp(verb, "remove") == 0)
        return tag_line(chip, verb, word[2], err);
    if (strcmp(verb, "fault") == 0)
        return fault_line(chip, word[2], word[3], err);
    if (strcmp(verb, "write") == 0)
        return write_line(chip, word[2], err);
    if (strcmp(verb, "return") == 0)
        return pn532_emulator_return(chip, err);
    if (strcmp(verb, "clear") == 0)
        pn532_emulator_clear(chip);
    else if (strcmp(verb, "hang") == 0)
        pn532_emulator_hang_after(chip, word[2] ? atoi(word[2]) : 1);
    else if (strcmp(verb, "reset") == 0)
        pn532_emulator_reset(chip);
    else if (strcmp(verb, "vanish") == 0)
        pn532_emulator_vanish(chip);
    else
        return error_set(
            err, ERROR_INVALID, NULL,
            "after the chip comes place clear add remove write fault hang reset vanish or return");
    return ERROR_OK;
}

static enum error_code map_chip(struct pn532_bench *bench, const char *reader, unsigned antenna, size_t chip,
                                struct error *err) {
    if (chip >= bench->options.chips || bench->n_seats == BENCH_CHIPS_MAX || bench->playing)
        return error_set(err, ERROR_INVALID, NULL, "chips are 0 to %zu; map before you play",
                         bench->options.chips - 1);
    struct bench_seat *seat = &bench->seat[bench->n_seats++];
    *seat = (struct bench_seat){.antenna = antenna, .chip = chip};
    snprintf(seat->reader, sizeof seat->reader, "%s", reader);
    return ERROR_OK;
}

static enum error_code map_line(struct pn532_bench *bench, char *const word[WORDS_MAX], struct error *err) {
    char *dot = word[1] ? strchr(word[1], '.') : NULL;
    if (!dot || !word[2])
        return error_set(err, ERROR_INVALID, NULL, "write: map READER.ANTENNA CHIP");
    *dot = '\0';
    return map_chip(bench, word[1], (unsigned)atoi(dot + 1), (size_t)atoi(word[2]), err);
}

enum error_code pn532_bench_line(struct pn532_bench *bench, const char *line, struct error *err) {
    char text[512], *word[WORDS_MAX] = {NULL}, *rest = NULL;
    size_t n = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok_r(text, " \t\r\n", &rest); w && n < WORDS_MAX; w = strtok_r(NULL, " \t\r\n", &rest))
        word[n++] = w;
    if (n == 0 || word[0][0] == '#')
        return ERROR_OK;
    if (strcmp(word[0], "map") == 0)
        return map_line(bench, word, err);
    if (strcmp(word[0], "play") == 0 && word[1])
        return play(bench, word[1], err);
    if (strcmp(word[0], "stop") == 0) {
        stop(bench);
        return ERROR_OK;
    }
    if (strcmp(word[0], "quit") == 0) {
        if (bench->options.quit)
            bench->options.quit(bench->options.ctx);
        return ERROR_OK;
    }
    char *end, *number = word[0] + (strncmp(word[0], "chip", 4) == 0 ? 4 : 0);
    unsigned long i = strtoul(number, &end, 10);
    if (*end || end == number || i >= bench->options.chips)
        return error_set(err, ERROR_INVALID, NULL,
                         "a line begins with a chip, 0 to %zu, or map play stop quit",
                         bench->options.chips - 1);
    return chip_line(bench->chip[i], word, err);
}

enum error_code pn532_bench_create(struct loop *loop, const struct pn532_bench_options *options,
                                   struct pn532_bench **ret, struct error *err) {
    *ret = NULL;
    if (options->chips == 0 || options->chips > BENCH_CHIPS_MAX)
        return error_set(err, ERROR_INVALID, NULL, "1 to %d chips", BENCH_CHIPS_MAX);
    if (mkdir(options->folder, 0700) < 0 && errno != EEXIST)
        return error_set(err, ERROR_INVALID, options->folder, "no folder: %s", strerror(errno));
    struct pn532_bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    bench->loop = loop;
    bench->options = *options;
    if (bench->options.speed <= 0)
        bench->options.speed = 1;
    for (size_t i = 0; i < options->chips; i++) {
        char link[200];
        snprintf(link, sizeof link, "%.160s/chip%zu", options->folder, i);
        struct pn532_emulator_options chip = {.link = link, .real_timing = options->real_timing};
        enum error_code code = pn532_emulator_create(loop, &chip, &bench->chip[i], err);
        if (code != ERROR_OK) {
            pn532_bench_destroy(bench);
            return code;
        }
    }
    *ret = bench;
    return ERROR_OK;
}

void pn532_bench_destroy(struct pn532_bench *bench) {
    if (!bench)
        return;
    stop(bench);
    for (size_t i = 0; i < bench->options.chips; i++)
        pn532_emulator_destroy(bench->chip[i]);
    free(bench);
}
