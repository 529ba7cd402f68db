#include "drivers/pn532_frame.h"
#include <stdio.h>
#include <string.h>

enum { TFI_COMMAND = 0xD4, TFI_REPLY = 0xD5, TFI_ERROR = 0x7F };

const uint8_t pn532_ack[6] = {0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00};
const uint8_t pn532_nack[6] = {0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00};

size_t pn532_frame_encode(uint8_t code, const uint8_t *data, size_t n, uint8_t *ret, size_t cap) {
    size_t len = n + 2;
    if (len > 255 || cap < len + 7)
        return 0;
    uint8_t head[] = {0x00, 0x00, 0xFF, (uint8_t)len, (uint8_t)-len, TFI_COMMAND, code};
    uint8_t sum = (uint8_t)(TFI_COMMAND + code);
    memcpy(ret, head, sizeof head);
    for (size_t i = 0; i < n; i++) {
        ret[sizeof head + i] = data[i];
        sum = (uint8_t)(sum + data[i]);
    }
    ret[sizeof head + n] = (uint8_t)-sum;
    ret[sizeof head + n + 1] = 0x00;
    return sizeof head + n + 2;
}

// Index of the first 00 FF, or n.
static size_t find_start(const uint8_t *bytes, size_t n) {
    for (size_t i = 0; i + 1 < n; i++) {
        if (bytes[i] == 0x00 && bytes[i + 1] == 0xFF)
            return i;
    }
    return n;
}

static size_t count_garbage(const uint8_t *bytes, size_t n) {
    size_t garbage = 0;
    for (size_t i = 0; i < n; i++)
        garbage += bytes[i] != 0x00; // preamble and postamble are zeros, as many as there are
    return garbage;
}

static void take(struct pn532_frame *ret, enum pn532_frame_type type, size_t used) {
    ret->type = type;
    ret->used = used;
}

// The body: TFI, data, check byte; the frame begins at `start`.
static void decode_body(const uint8_t *bytes, size_t n, size_t start, size_t body, size_t len,
                        struct pn532_frame *ret) {
    if (len == 0 || len > PN532_DATA_MAX) {
        take(ret, len ? PN532_BAD_LENGTH : PN532_BAD_SHAPE, start + 2);
        return;
    }
    if (n - body < len + 1) {
        take(ret, PN532_MORE, start);
        return;
    }
    uint8_t sum = 0;
    for (size_t i = 0; i <= len; i++)
        sum = (uint8_t)(sum + bytes[body + i]);
    if (sum != 0) {
        take(ret, PN532_BAD_SUM, body + len + 1);
        return;
    }
    ret->data = bytes + body + 1;
    ret->len = len - 1;
    enum pn532_frame_type type = PN532_BAD_SHAPE;
    if (bytes[body] == TFI_REPLY && len >= 2)
        type = PN532_REPLY;
    else if (bytes[body] == TFI_ERROR)
        type = PN532_ERROR;
    take(ret, type, body + len + 1);
}

void pn532_frame_decode(const uint8_t *bytes, size_t n, struct pn532_frame *ret) {
    size_t start = find_start(bytes, n);
    *ret = (struct pn532_frame){.type = PN532_MORE};
    if (start == n) {
        // The last zero may be the first byte of a start.
        ret->used = n && bytes[n - 1] == 0x00 ? n - 1 : n;
        ret->garbage = count_garbage(bytes, ret->used);
        return;
    }
    ret->garbage = count_garbage(bytes, start);
    const uint8_t *head = bytes + start + 2;
    size_t left = n - start - 2;
    if (left < 2) {
        take(ret, PN532_MORE, start);
    } else if (head[0] == 0x00 && head[1] == 0xFF) {
        take(ret, PN532_ACK, start + 4);
    } else if (head[0] == 0xFF && head[1] == 0x00) {
        take(ret, PN532_NACK, start + 4);
    } else if (head[0] == 0xFF && head[1] == 0xFF) {
        if (left < 5)
            take(ret, PN532_MORE, start);
        else if ((uint8_t)(head[2] + head[3] + head[4]) != 0)
            take(ret, PN532_BAD_LENGTH, start + 2);
        else
            decode_body(bytes, n, start, start + 7, (size_t)(head[2] << 8 | head[3]), ret);
    } else if ((uint8_t)(head[0] + head[1]) != 0) {
        take(ret, PN532_BAD_LENGTH, start + 2);
    } else {
        decode_body(bytes, n, start, start + 4, head[0], ret);
    }
}

static bool list_fault(struct pn532_list *ret, enum pn532_list_fault fault, size_t need) {
    ret->fault = fault;
    ret->need = need;
    ret->n = 0;
    return false;
}

// One target at *at: number, SENS_RES (2), SEL_RES, length of the id, id, and an ATS if SEL_RES promises one.
static bool parse_target(const uint8_t *data, size_t n, size_t *at, struct pn532_list *ret) {
    static const enum pn532_list_fault missing[] = {PN532_LIST_NO_NUMBER, PN532_LIST_NO_SENS,
                                                    PN532_LIST_NO_SENS, PN532_LIST_NO_SEL,
                                                    PN532_LIST_NO_ID_LENGTH};
    enum { HEAD = sizeof missing / sizeof missing[0] };
    if (n - *at < HEAD)
        return list_fault(ret, missing[n - *at], *at + HEAD + 4);
    uint8_t sel = data[*at + 3], len = data[*at + 4];
    if (len != 4 && len != 7 && len != 10)
        return list_fault(ret, PN532_LIST_ID_LENGTH, *at + HEAD + 4);
    *at += HEAD;
    if (n - *at < len)
        return list_fault(ret, PN532_LIST_ID_CUT, *at + len);
    struct pn532_target *target = &ret->target[ret->n++];
    target->len = len;
    target->sel = sel;
    memcpy(target->id, data + *at, len);
    *at += len;
    if ((sel & 0x20) && n > *at) { // its length byte counts itself
        if (data[*at] == 0 || n - *at < data[*at])
            return list_fault(ret, PN532_LIST_ATS_CUT, *at + (data[*at] ? data[*at] : 1u));
        *at += data[*at];
    }
    return true;
}

bool pn532_list_parse(const uint8_t *data, size_t n, struct pn532_list *ret) {
    *ret = (struct pn532_list){.len = n};
    if (n == 0)
        return list_fault(ret, PN532_LIST_NO_COUNT, 1);
    if (data[0] > PN532_TARGETS_MAX)
        return list_fault(ret, PN532_LIST_COUNT, n);
    size_t at = 1;
    for (unsigned i = 0; i < data[0]; i++) {
        if (!parse_target(data, n, &at, ret))
            return false;
    }
    return at == n || list_fault(ret, PN532_LIST_TAIL, at);
}

void pn532_list_explain(const struct pn532_list *list, char *ret, size_t cap) {
    static const char *const texts[] = {
        [PN532_LIST_OK] = "the list is whole",
        [PN532_LIST_NO_COUNT] = "the list is empty",
        [PN532_LIST_COUNT] = "the list has more targets than were asked for",
        [PN532_LIST_NO_NUMBER] = "the list ends before a target",
        [PN532_LIST_NO_SENS] = "the list ends inside SENS_RES",
        [PN532_LIST_NO_SEL] = "the list ends before SEL_RES",
        [PN532_LIST_NO_ID_LENGTH] = "the list ends before the length of an id",
        [PN532_LIST_ID_LENGTH] = "the list has an id that is not 4, 7 or 10 bytes long",
        [PN532_LIST_ID_CUT] = "the list ends inside an id",
        [PN532_LIST_ATS_CUT] = "the list ends inside an ATS",
        [PN532_LIST_TAIL] = "the list goes on after its last target",
    };
    snprintf(ret, cap, "%s: %zu bytes of %zu", texts[list->fault], list->len, list->need);
}
