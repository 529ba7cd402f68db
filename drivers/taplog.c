#include "drivers/taplog.h"
#include "core/config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const outcomes[] = {"seen", "none", "collided", "failed", "up", "down", NULL};

struct word {
    const char *text;
    size_t len;
};

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// The next word of [*at, end); a comment ends the line.
static struct word next_word(const char **at, const char *end) {
    while (*at < end && is_blank(**at))
        ++*at;
    struct word word = {.text = *at};
    if (*at < end && **at == '#')
        *at = end;
    while (*at < end && !is_blank(**at)) {
        ++*at;
        word.len++;
    }
    return word;
}

// Digits only, below TAPLOG_MS_MAX; returns how many characters were taken, 0 = not a number.
static size_t number(const char *text, size_t len, int64_t *ret) {
    size_t n = 0;
    for (*ret = 0; n < len && text[n] >= '0' && text[n] <= '9'; n++) {
        *ret = *ret * 10 + (text[n] - '0');
        if (*ret >= TAPLOG_MS_MAX)
            return 0;
    }
    return n;
}

static bool whole_number(struct word word, int64_t *ret) {
    return word.len && number(word.text, word.len, ret) == word.len;
}

static bool word_is(struct word word, const char *text) {
    return word.len == strlen(text) && memcmp(word.text, text, word.len) == 0;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

// The sentences name lengths, never the digits: an id is secret.
static enum error_code parse_tag(struct word word, struct taplog_tag *ret, struct error *err) {
    if (word.len == 0)
        return error_set(err, ERROR_INVALID, NULL, "'seen' needs the id of the tag");
    if (word.len % 2 || word.len / 2 > DRIVER_UID_MAX)
        return error_set(err, ERROR_INVALID, NULL, "an id is 8, 14 or 20 hex digits, this one is %zu",
                         word.len);
    *ret = (struct taplog_tag){.len = (uint8_t)(word.len / 2)};
    for (size_t i = 0; i < word.len; i++) {
        int digit = hex_digit(word.text[i]);
        if (digit < 0)
            return error_set(err, ERROR_INVALID, NULL, "character %zu of the id is no hex digit", i + 1);
        ret->b[i / 2] = (uint8_t)(ret->b[i / 2] << 4 | digit);
    }
    // Some libraries hand out the check byte as a fifth byte of the id (B046).
    if (ret->len == 5 && (ret->b[0] ^ ret->b[1] ^ ret->b[2] ^ ret->b[3]) == ret->b[4])
        ret->b[--ret->len] = 0;
    if (ret->len != 4 && ret->len != 7 && ret->len != 10)
        return error_set(err, ERROR_INVALID, NULL,
                         "an id has 4, 7 or 10 bytes, this one has %u: is it cut, or is a check byte in it?",
                         ret->len);
    return ERROR_OK;
}

static enum error_code set_directive(struct taplog_line *line, struct word name, int64_t value,
                                     struct error *err) {
    if (word_is(name, "@end")) {
        line->end_ms = value;
        return ERROR_OK;
    }
    if (value < TAPLOG_HOLD_MIN || value > TAPLOG_HOLD_MAX)
        return error_set(err, ERROR_INVALID, NULL, "@hold is %d to %d ms", TAPLOG_HOLD_MIN, TAPLOG_HOLD_MAX);
    line->hold_ms = value;
    return ERROR_OK;
}

static enum error_code parse_directive(const char *at, const char *end, struct taplog_line *ret,
                                       struct error *err) {
    struct word name = next_word(&at, end), value = next_word(&at, end);
    int64_t ms;
    if (!word_is(name, "@hold") && !word_is(name, "@end"))
        return error_set(err, ERROR_INVALID, NULL, "the words with @ are '@hold MS' and '@end MS'");
    if (!whole_number(value, &ms) || next_word(&at, end).len)
        return error_set(err, ERROR_INVALID, NULL, "%.*s needs one number, in ms", (int)name.len, name.text);
    return set_directive(ret, name, ms, err);
}

// Prose may mention a directive; only one with a number counts.
static enum error_code parse_comment(const char *at, const char *end, struct taplog_line *ret,
                                     struct error *err) {
    at++;
    for (struct word word = next_word(&at, end); word.len; word = next_word(&at, end)) {
        if (!word_is(word, "@hold") && !word_is(word, "@end"))
            continue;
        int64_t ms;
        const char *ahead = at;
        struct word value = next_word(&ahead, end);
        if (number(value.text, value.len, &ms)) {
            enum error_code code = set_directive(ret, word, ms, err);
            if (code != ERROR_OK)
                return code;
        }
    }
    return ERROR_OK;
}

static enum error_code parse_outcome(struct word word, struct taplog_line *ret, struct error *err) {
    for (unsigned i = 0; outcomes[i]; i++) {
        if (word_is(word, outcomes[i])) {
            ret->outcome = (enum taplog_outcome)i;
            return ERROR_OK;
        }
    }
    char text[16];
    snprintf(text, sizeof text, "%.*s", (int)word.len, word.text);
    const char *near = config_did_you_mean(text, outcomes);
    return error_set(err, ERROR_INVALID, NULL,
                     "the fourth word is seen, none, collided, failed, up or down%s%s%s",
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static enum error_code parse_observation(const char *at, const char *end, struct taplog_line *ret,
                                         struct error *err) {
    struct word ms = next_word(&at, end), reader = next_word(&at, end), antenna = next_word(&at, end),
                outcome = next_word(&at, end), tag = next_word(&at, end);
    int64_t n;
    if (!whole_number(ms, &ret->ms))
        return error_set(err, ERROR_INVALID, NULL, "a line is 'MS READER ANTENNA OUTCOME [UID]'");
    if (reader.len < sizeof ret->reader)
        memcpy(ret->reader, reader.text, reader.len);
    if (!config_name_ok(ret->reader) || strlen(ret->reader) != reader.len)
        return error_set(err, ERROR_INVALID, NULL, "the second word is the reader's name, [a-z0-9-]{1,32}");
    if (!whole_number(antenna, &n) || n >= DRIVER_ANTENNAS_MAX)
        return error_set(err, ERROR_INVALID, NULL, "the third word is the antenna, 0 to %d",
                         DRIVER_ANTENNAS_MAX - 1);
    ret->antenna = (uint16_t)n;
    enum error_code code = parse_outcome(outcome, ret, err);
    if (code == ERROR_OK && ret->outcome == TAPLOG_SEEN)
        code = parse_tag(tag, &ret->tag, err);
    else if (code == ERROR_OK && tag.len)
        code = error_set(err, ERROR_INVALID, NULL, "only 'seen' is followed by an id");
    if (code == ERROR_OK && next_word(&at, end).len)
        code = error_set(err, ERROR_INVALID, NULL, "there is something after the end of the line");
    if (code == ERROR_OK && ret->outcome >= TAPLOG_UP && ret->antenna != 0)
        code = error_set(err, ERROR_INVALID, NULL, "up and down are about the reader: write antenna 0");
    ret->observation = code == ERROR_OK;
    return code;
}

enum error_code taplog_parse(const char *text, size_t len, bool header, struct taplog_line *ret,
                             struct error *err) {
    *ret = (struct taplog_line){.hold_ms = -1, .end_ms = -1};
    if (len && text[len - 1] == '\r')
        len--;
    if (len > TAPLOG_LINE_MAX)
        return error_set(err, ERROR_INVALID, NULL, "the line is longer than %d bytes", TAPLOG_LINE_MAX);
    const char *at = text, *end = text + len;
    while (at < end && is_blank(*at))
        at++;
    if (at == end)
        return ERROR_OK;
    if (*at == '#')
        return header ? parse_comment(at, end, ret, err) : ERROR_OK;
    if (*at == '@')
        return parse_directive(at, end, ret, err);
    return parse_observation(at, end, ret, err);
}

size_t taplog_format(int64_t ms, const char *reader, uint16_t antenna, enum taplog_outcome outcome,
                     const struct taplog_tag *tag, char ret[TAPLOG_TEXT_MAX]) {
    char hex[2 * DRIVER_UID_MAX + 2] = "";
    if (outcome == TAPLOG_SEEN) {
        hex[0] = ' ';
        for (unsigned i = 0; i < tag->len && i < DRIVER_UID_MAX; i++)
            snprintf(hex + 1 + 2 * (size_t)i, 3, "%02X", tag->b[i]);
    }
    int n = snprintf(ret, TAPLOG_TEXT_MAX, "%lld %.32s %u %s%s\n", (long long)ms, reader, antenna,
                     outcomes[outcome], hex);
    return n < 0 ? 0 : n >= TAPLOG_TEXT_MAX ? TAPLOG_TEXT_MAX - 1 : (size_t)n;
}

void taplog_report(struct reader *reader, uint16_t antenna, const struct taplog_scan *scan) {
    for (unsigned i = 0; scan->outcome == TAPLOG_SEEN && i < scan->n; i++)
        reader_seen(reader, antenna, scan->tag[i].b, scan->tag[i].len);
    reader_scan_done(reader, antenna, (enum driver_outcome)scan->outcome);
}

static bool frame_room(struct taplog_frame *frame, uint16_t antenna) {
    if (antenna < frame->cap)
        return true;
    uint16_t cap = (uint16_t)((antenna / 8 + 1) * 8);
    struct taplog_scan *scan = realloc(frame->scan, cap * sizeof *scan);
    if (scan)
        frame->scan = scan;
    bool *open = realloc(frame->open, cap * sizeof *open);
    if (open)
        frame->open = open;
    if (!scan || !open)
        return false;
    memset(open + frame->cap, 0, (cap - frame->cap) * sizeof *open);
    frame->cap = cap;
    return true;
}

enum error_code taplog_frame_add(struct taplog_frame *frame, const struct taplog_line *line,
                                 struct error *err) {
    if (!frame_room(frame, line->antenna))
        return error_set(err, ERROR_TOO_LARGE, NULL, "out of memory");
    struct taplog_scan *scan = &frame->scan[line->antenna];
    if (!frame->open[line->antenna]) {
        frame->open[line->antenna] = true;
        frame->order[frame->n++] = line->antenna;
        *scan = (struct taplog_scan){.outcome = line->outcome};
    } else if (scan->outcome != line->outcome) {
        return error_set(err, ERROR_INVALID, NULL, "one scan cannot be both '%s' and '%s'",
                         outcomes[scan->outcome], outcomes[line->outcome]);
    }
    if (line->outcome != TAPLOG_SEEN)
        return ERROR_OK;
    for (unsigned i = 0; i < scan->n; i++) {
        if (scan->tag[i].len == line->tag.len && memcmp(scan->tag[i].b, line->tag.b, line->tag.len) == 0)
            return ERROR_OK;
    }
    if (scan->n == TAPLOG_TAGS_MAX)
        return error_set(err, ERROR_TOO_LARGE, NULL, "more than %d ids in one scan", TAPLOG_TAGS_MAX);
    scan->tag[scan->n++] = line->tag;
    return ERROR_OK;
}

void taplog_frame_clear(struct taplog_frame *frame) {
    for (unsigned i = 0; i < frame->n; i++)
        frame->open[frame->order[i]] = false;
    frame->n = 0;
}

void taplog_frame_free(struct taplog_frame *frame) {
    free(frame->scan);
    free(frame->open);
    *frame = (struct taplog_frame){0};
}
