#include "drivers/ndef.h"
#include <string.h>

enum { TLV_NULL = 0x00, TLV_MESSAGE = 0x03, TLV_END = 0xFE, LONG_LENGTH = 0xFF };
enum { BEGIN = 0x80, END = 0x40, CHUNK = 0x20, SHORT = 0x10, HAS_ID = 0x08, TNF = 0x07 };
enum { TNF_EMPTY = 0, TNF_WELL_KNOWN = 1, TNF_URI = 3, TNF_UNKNOWN = 5, TNF_UNCHANGED = 6 };

const char *ndef_word(enum ndef_result result) {
    static const char *const words[] = {
        [NDEF_OK] = "well",
        [NDEF_END] = "at the end",
        [NDEF_NOTHING] = "no message",
        [NDEF_EMPTY] = "an empty message",
        [NDEF_CUT] = "a length beyond the bytes there are",
        [NDEF_CHUNKED] = "a record in chunks",
        [NDEF_MALFORMED] = "a malformed record",
    };
    return words[result];
}

// One TLV at `at`: its type, where its value begins and how long it says it is. False: not even that is
// there.
struct tlv {
    uint8_t type;
    size_t value, len;
};
static bool read_tlv(const uint8_t *memory, size_t n, size_t at, struct tlv *ret) {
    if (n - at < 2)
        return false;
    ret->type = memory[at];
    ret->value = at + 2;
    ret->len = memory[at + 1];
    if (ret->len != LONG_LENGTH)
        return true;
    if (n - at < 4)
        return false;
    ret->value = at + 4;
    ret->len = (size_t)(memory[at + 2] << 8 | memory[at + 3]);
    return true;
}

// Moves to the message's TLV. NDEF_CUT: the bytes end inside a TLV before it; NDEF_END: they end between two.
static enum ndef_result find_message(const uint8_t *memory, size_t n, struct tlv *ret) {
    size_t at = 0;
    while (at < n && memory[at] != TLV_END) {
        if (memory[at] == TLV_NULL) {
            at++;
            continue;
        }
        if (!read_tlv(memory, n, at, ret))
            return NDEF_CUT;
        if (ret->type == TLV_MESSAGE)
            return NDEF_OK;
        if (ret->len > n - ret->value)
            return NDEF_CUT;
        at = ret->value + ret->len;
    }
    return at < n ? NDEF_NOTHING : NDEF_END;
}

enum ndef_result ndef_message(const uint8_t *memory, size_t n, struct ndef_span *ret) {
    struct tlv tlv;
    *ret = (struct ndef_span){0};
    enum ndef_result result = find_message(memory, n, &tlv);
    if (result != NDEF_OK)
        return result == NDEF_END ? NDEF_NOTHING : result;
    if (tlv.len > n - tlv.value)
        return NDEF_CUT;
    *ret = (struct ndef_span){memory + tlv.value, tlv.len};
    return tlv.len ? NDEF_OK : NDEF_EMPTY;
}

size_t ndef_needed(const uint8_t *memory, size_t n) {
    struct tlv tlv;
    switch (find_message(memory, n, &tlv)) {
    case NDEF_OK:
        return tlv.value + tlv.len;
    case NDEF_NOTHING:
        return n;
    default: // one byte more may begin the message
        return n + 1;
    }
}

static bool take(struct ndef_span *left, size_t n, struct ndef_span *ret) {
    if (n > left->len)
        return false;
    *ret = (struct ndef_span){left->at, n};
    left->at += n;
    left->len -= n;
    return true;
}

// A big-endian number of 1 or 4 bytes.
static bool take_number(struct ndef_span *left, size_t bytes, size_t *ret) {
    struct ndef_span span;
    uint32_t number = 0;
    if (!take(left, bytes, &span))
        return false;
    for (size_t i = 0; i < bytes; i++)
        number = number << 8 | span.at[i];
    *ret = number;
    return true;
}

static bool shape_ok(uint8_t head, const struct ndef_record *record, bool first) {
    if (!(head & BEGIN) == first)
        return false;
    if (record->tnf == TNF_EMPTY)
        return record->type.len == 0 && record->id.len == 0 && record->payload.len == 0;
    if (record->tnf == TNF_UNKNOWN)
        return record->type.len == 0;
    return record->tnf < TNF_UNCHANGED && record->type.len > 0;
}

enum ndef_result ndef_next(struct ndef_walk *walk, struct ndef_record *ret) {
    struct ndef_span left = walk->left;
    size_t head, type, id = 0, payload;
    *ret = (struct ndef_record){0};
    if (walk->ended || left.len == 0)
        return walk->ended ? NDEF_END : walk->begun ? NDEF_CUT : NDEF_EMPTY;
    if (!take_number(&left, 1, &head))
        return NDEF_CUT;
    ret->tnf = head & TNF;
    if ((head & CHUNK) || ret->tnf == TNF_UNCHANGED)
        return NDEF_CHUNKED;
    if (!take_number(&left, 1, &type) || !take_number(&left, head & SHORT ? 1 : 4, &payload) ||
        ((head & HAS_ID) && !take_number(&left, 1, &id)))
        return NDEF_CUT;
    if (!take(&left, type, &ret->type) || !take(&left, id, &ret->id) || !take(&left, payload, &ret->payload))
        return NDEF_CUT;
    if (!shape_ok((uint8_t)head, ret, !walk->begun))
        return NDEF_MALFORMED;
    walk->left = left;
    walk->begun = true;
    walk->ended = head & END;
    return NDEF_OK;
}

// ---- what people can read

struct text {
    char *at;
    size_t cap, len;
};

static void put(struct text *text, const void *bytes, size_t n) {
    size_t room = text->cap - text->len;
    n = n < room ? n : room;
    memcpy(text->at + text->len, bytes, n);
    text->len += n;
}

static void put_char(struct text *text, uint32_t c) {
    unsigned char out[4];
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = n; i-- > 1; c >>= 6)
        out[i] = (unsigned char)(0x80 | (c & 0x3F));
    out[0] = (unsigned char)(lead[n] | c);
    put(text, out, n);
}

// Big-endian unless a byte order mark says otherwise. A half of a pair alone is dropped.
static void put_utf16(struct text *text, const uint8_t *bytes, size_t n) {
    bool little = n >= 2 && bytes[0] == 0xFF && bytes[1] == 0xFE;
    bool marked = little || (n >= 2 && bytes[0] == 0xFE && bytes[1] == 0xFF);
    uint32_t high = 0;
    for (size_t i = marked ? 2 : 0; i + 1 < n; i += 2) {
        uint32_t unit = (uint32_t)bytes[i + little] << 8 | bytes[i + !little];
        if (unit >= 0xDC00 && unit < 0xE000) {
            if (high)
                put_char(text, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
            high = 0;
            continue;
        }
        high = unit >= 0xD800 && unit < 0xDC00 ? unit : 0;
        if (!high)
            put_char(text, unit);
    }
}

static bool is_type(const struct ndef_record *record, char type) {
    return record->tnf == TNF_WELL_KNOWN && record->type.len == 1 && record->type.at[0] == (uint8_t)type;
}

// One byte: UTF-16 or UTF-8 and the length of the language code, which follows; then the text.
static bool text_record(const struct ndef_span *payload, struct text *text) {
    if (payload->len == 0)
        return false;
    size_t skip = 1 + (payload->at[0] & 0x3Fu);
    if (skip > payload->len)
        return false;
    if (payload->at[0] & 0x80)
        put_utf16(text, payload->at + skip, payload->len - skip);
    else
        put(text, payload->at + skip, payload->len - skip);
    return true;
}

// The first byte of a URI record stands for a beginning (NFC Forum, URI Record Type Definition).
static const char *const beginnings[] = {
    "",
    "http://www.",
    "https://www.",
    "http://",
    "https://",
    "tel:",
    "mailto:",
    "ftp://anonymous:anonymous@",
    "ftp://ftp.",
    "ftps://",
    "sftp://",
    "smb://",
    "nfs://",
    "ftp://",
    "dav://",
    "news:",
    "telnet://",
    "imap:",
    "rtsp://",
    "urn:",
    "pop:",
    "sip:",
    "sips:",
    "tftp:",
    "btspp://",
    "btl2cap://",
    "btgoep://",
    "tcpobex://",
    "irdaobex://",
    "file://",
    "urn:epc:id:",
    "urn:epc:tag:",
    "urn:epc:pat:",
    "urn:epc:raw:",
    "urn:epc:",
    "urn:nfc:",
};
enum { N_BEGINNINGS = sizeof beginnings / sizeof beginnings[0] };

static bool uri_record(const struct ndef_span *payload, struct text *text) {
    if (payload->len == 0 || payload->at[0] >= N_BEGINNINGS)
        return false;
    const char *beginning = beginnings[payload->at[0]];
    put(text, beginning, strlen(beginning));
    put(text, payload->at + 1, payload->len - 1);
    return true;
}

bool ndef_record_text(const struct ndef_record *record, char *ret, size_t cap, size_t *ret_len) {
    struct text text = {ret, cap, 0};
    bool ok = false;
    if (is_type(record, 'T')) {
        ok = text_record(&record->payload, &text);
    } else if (is_type(record, 'U')) {
        ok = uri_record(&record->payload, &text);
    } else if (record->tnf == TNF_URI) {
        put(&text, record->type.at, record->type.len);
        ok = true;
    }
    *ret_len = ok ? text.len : 0;
    return ok;
}

enum ndef_result ndef_hint(const uint8_t *memory, size_t n, char *ret, size_t cap, size_t *ret_len) {
    struct ndef_walk walk = {0};
    struct ndef_record record, uri = {0};
    *ret_len = 0;
    enum ndef_result result = ndef_message(memory, n, &walk.left);
    if (result != NDEF_OK)
        return result;
    bool any_uri = false;
    while ((result = ndef_next(&walk, &record)) == NDEF_OK) {
        if (is_type(&record, 'T') && ndef_record_text(&record, ret, cap, ret_len) && *ret_len > 0)
            return NDEF_OK;
        if (!any_uri && !is_type(&record, 'T') && ndef_record_text(&record, ret, cap, ret_len)) {
            uri = record;
            any_uri = true;
        }
    }
    if (any_uri)
        ndef_record_text(&uri, ret, cap, ret_len);
    else
        *ret_len = 0;
    return any_uri || result == NDEF_END ? NDEF_OK : result;
}
