#include "core/json.h"
#include "core/utf8.h"
#include <string.h>

void json_begin(struct json *j, char *buf, size_t cap) {
    *j = (struct json){.buf = buf, .cap = cap};
}

bool json_end(struct json *j) {
    if (j->len < j->cap) {
        j->buf[j->len] = '\0';
        return true;
    }
    if (j->cap > 0)
        j->buf[utf8_cut(j->buf, j->cap - 1)] = '\0';
    return false;
}

// One byte stays free for the NUL. What does not fit is cut once; nothing is written behind the cut.
static void put(struct json *j, const char *bytes, size_t len) {
    if (len < j->cap && j->len < j->cap - len)
        memcpy(j->buf + j->len, bytes, len);
    else if (j->len + 1 < j->cap)
        memcpy(j->buf + j->len, bytes, j->cap - 1 - j->len < len ? j->cap - 1 - j->len : len);
    j->len += len;
}

static void put_byte(struct json *j, char byte) {
    if (j->len + 1 < j->cap)
        j->buf[j->len] = byte;
    j->len++;
}

static void value(struct json *j) {
    if (j->comma)
        put_byte(j, ',');
    j->comma = true;
}

static void open(struct json *j, char bracket) {
    value(j);
    put_byte(j, bracket);
    j->comma = false;
}

static void close(struct json *j, char bracket) {
    put_byte(j, bracket);
    j->comma = true;
}

void json_begin_object(struct json *j) {
    open(j, '{');
}

void json_end_object(struct json *j) {
    close(j, '}');
}

void json_begin_array(struct json *j) {
    open(j, '[');
}

void json_end_array(struct json *j) {
    close(j, ']');
}

static bool plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

static void put_escape(struct json *j, unsigned char byte) {
    static const char hex[] = "0123456789abcdef", letters[] = "btn-fr"; // 8 to 13; 11 has no letter
    char text[6] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
    if (byte == '"' || byte == '\\')
        text[1] = (char)byte;
    else if (byte >= 8 && byte <= 13 && byte != 11)
        text[1] = letters[byte - 8];
    put(j, text, text[1] == 'u' ? sizeof text : 2);
}

// Copies eight plain bytes; false if one of them is not. (One bit a byte: below space, quote, backslash, not
// ASCII.)
static bool copy_word(char *to, const char *from) {
    const uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
    uint64_t word;
    memcpy(&word, from, sizeof word);
    uint64_t quote = word ^ (ones * '"'), slash = word ^ (ones * '\\');
    if ((word | (word - ones * 0x20) | (quote - ones) | (slash - ones)) & high)
        return false;
    memcpy(to, &word, sizeof word);
    return true;
}

// Plain text with room for it, which nearly all of it is; false and nothing written if it is not.
static bool quoted_plain(struct json *j, const char *text, size_t len) {
    if (j->len >= j->cap || j->cap - j->len < len + 3)
        return false;
    char *to = j->buf + j->len;
    size_t i = 0;
    *to++ = '"';
    for (; len - i >= 8; i += 8)
        if (!copy_word(to + i, text + i))
            return false;
    for (; i < len; i++) {
        if (!plain((unsigned char)text[i]))
            return false;
        to[i] = text[i];
    }
    to[len] = '"';
    j->len += len + 2;
    return true;
}

static void quoted(struct json *j, const char *text, size_t len) {
    if (quoted_plain(j, text, len))
        return;
    put_byte(j, '"');
    for (size_t i = 0; i < len;) {
        size_t run = i;
        while (run < len && plain((unsigned char)text[run]))
            run++;
        put(j, text + i, run - i);
        i = run;
        if (i == len)
            break;
        size_t width = utf8_char(text + i, len - i);
        if (width > 1)
            put(j, text + i, width);
        else if (width == 1)
            put_escape(j, (unsigned char)text[i]);
        else
            put(j, "\xEF\xBF\xBD", 3);
        i += width ? width : 1;
    }
    put_byte(j, '"');
}

void json_key(struct json *j, const char *key) {
    value(j);
    quoted(j, key, strlen(key));
    put_byte(j, ':');
    j->comma = false;
}

void json_text_n(struct json *j, const char *text, size_t len) {
    value(j);
    quoted(j, text, len);
}

void json_text(struct json *j, const char *text) {
    if (text)
        json_text_n(j, text, strlen(text));
    else
        json_raw(j, "null", 4);
}

static void number(struct json *j, uint64_t magnitude, bool negative) {
    char text[24];
    size_t at = sizeof text;
    do {
        text[--at] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    if (negative)
        text[--at] = '-';
    json_raw(j, text + at, sizeof text - at);
}

void json_int(struct json *j, int64_t v) {
    number(j, v < 0 ? -(uint64_t)v : (uint64_t)v, v < 0);
}

void json_uint(struct json *j, uint64_t v) {
    number(j, v, false);
}

void json_bool(struct json *j, bool v) {
    if (v)
        json_raw(j, "true", 4);
    else
        json_raw(j, "false", 5);
}

void json_raw(struct json *j, const char *json, size_t len) {
    value(j);
    put(j, json, len);
}
