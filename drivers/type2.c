#include "drivers/type2.h"
#include "drivers/ndef.h"
#include <string.h>

enum { READ = 0x30, GET_VERSION = 0x60, READ_SIG = 0x3C };
enum { FIRST_PAGE = 3, READ_BYTES = 16, PAGE_BYTES = 4, VERSION_BYTES = 8, UID_SIGNED = 7 };
enum { CC_MAGIC = 0xE1, CC_UNIT = 8 };
enum { SEL_RES_TYPE2 = 0x00, SEL_RES_BITS = 0x60 | 0x18 }; // ISO 14443-4, NFC-DEP; MIFARE Classic

enum error_code type2_read_key(const struct config_section *conf, struct type2_key *ret, struct error *err) {
    const char *text = config_text(conf, "signature_key");
    ret->given = text && *text;
    if (!ret->given || originality_key_parse(text, &ret->point))
        return ERROR_OK;
    return error_set(err, ERROR_INVALID, config_key_where(conf, "signature_key"),
                     "this is no point of secp128r1: 04 and 64 hex digits");
}

void type2_begin(struct type2 *t, const uint8_t *uid, uint8_t len, uint8_t sel_res,
                 const struct originality_key *own) {
    *t = (struct type2){.uid_len = len, .own = own};
    memcpy(t->uid, uid, len);
    if ((sel_res & SEL_RES_BITS) != SEL_RES_TYPE2) {
        t->signature = DRIVER_SIGNATURE_UNSUPPORTED;
        t->step = TYPE2_DONE;
    }
}

size_t type2_next(const struct type2 *t, uint8_t ret[TYPE2_COMMAND_MAX]) {
    static const uint8_t codes[] = {READ, READ, GET_VERSION, READ_SIG};
    if (t->step == TYPE2_DONE)
        return 0;
    ret[0] = codes[t->step];
    ret[1] = 0;
    if (t->step == TYPE2_FIRST)
        ret[1] = FIRST_PAGE;
    else if (t->step == TYPE2_MORE)
        ret[1] = (uint8_t)(FIRST_PAGE + 1 + t->n / PAGE_BYTES);
    return t->step == TYPE2_VERSION ? 1 : 2;
}

static void go(struct type2 *t, enum type2_step step) {
    t->step = step;
    t->retried = false;
}

static void end(struct type2 *t, enum driver_signature signature) {
    t->signature = signature;
    go(t, TYPE2_DONE);
}

// Reads on while the message is not whole, the area goes on and there is room.
static void took_memory(struct type2 *t, const uint8_t *data, size_t n) {
    size_t room = t->area - t->n;
    n = n < room ? n : room;
    memcpy(t->memory + t->n, data, n);
    t->n += n;
    bool more = t->n < t->area && ndef_needed(t->memory, t->n) > t->n;
    go(t, more ? TYPE2_MORE : TYPE2_VERSION);
}

// Page 3 is the capability container: E1, version, size of the data area in 8 bytes, rights.
static void took_first(struct type2 *t, const uint8_t *data) {
    if (data[0] == CC_MAGIC && data[1] >> 4 == 1)
        t->area = (size_t)data[2] * CC_UNIT;
    t->area = t->area < TYPE2_MEMORY_MAX ? t->area : TYPE2_MEMORY_MAX;
    took_memory(t, data + PAGE_BYTES, READ_BYTES - PAGE_BYTES);
}

static void took_version(struct type2 *t, const uint8_t *data) {
    t->key = t->own ? t->own : originality_key_of(data[1], data[2]);
    if (t->key && t->uid_len == UID_SIGNED)
        go(t, TYPE2_SIGNATURE);
    else
        end(t, DRIVER_SIGNATURE_UNSUPPORTED);
}

static void took(struct type2 *t, const uint8_t *data) {
    switch (t->step) {
    case TYPE2_FIRST:
        took_first(t, data);
        break;
    case TYPE2_MORE:
        took_memory(t, data, READ_BYTES);
        break;
    case TYPE2_VERSION:
        took_version(t, data);
        break;
    default:
        end(t, originality_valid(t->key, t->uid, t->uid_len, data) ? DRIVER_SIGNATURE_VALID
                                                                   : DRIVER_SIGNATURE_INVALID);
        break;
    }
}

void type2_answer(struct type2 *t, enum type2_outcome outcome, const uint8_t *data, size_t n) {
    static const size_t lengths[] = {READ_BYTES, READ_BYTES, VERSION_BYTES, ORIGINALITY_SIGNATURE};
    if (t->step == TYPE2_DONE)
        return;
    if (outcome == TYPE2_ANSWERED && n == lengths[t->step]) {
        took(t, data);
        return;
    }
    if (outcome == TYPE2_REFUSED) {
        if (t->step < TYPE2_VERSION)
            go(t, TYPE2_VERSION); // memory behind a password: no hint, and the rest may still answer
        else
            end(t, t->step == TYPE2_VERSION ? DRIVER_SIGNATURE_UNSUPPORTED : DRIVER_SIGNATURE_UNREADABLE);
        return;
    }
    if (!t->retried) {
        t->retried = true;
        return;
    }
    t->aborted = true;
    end(t, DRIVER_SIGNATURE_UNREADABLE);
}

void type2_report(const struct type2 *t, struct reader *reader, uint16_t antenna) {
    char text[4 * DRIVER_HINT_MAX]; // what is not printable falls out later
    size_t len;
    ndef_hint(t->memory, t->n, text, sizeof text, &len);
    if (len > 0)
        reader_hint(reader, antenna, t->uid, t->uid_len, text, len);
    reader_signature(reader, antenna, t->uid, t->uid_len, t->signature);
}
