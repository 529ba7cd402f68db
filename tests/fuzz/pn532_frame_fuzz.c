// Bytes from a serial line: the decoder stays inside them, always gets on, and finds the same frames however
// the bytes are cut into reads. The lists of targets found are parsed too.
#include "drivers/pn532_frame.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FRAMES_MAX = 512 };

struct found {
    size_t n, garbage;
    uint8_t type[FRAMES_MAX];
    size_t len[FRAMES_MAX];
};

static void check_list(const struct pn532_frame *frame) {
    struct pn532_list list;
    char text[120];
    if (frame->type != PN532_REPLY || frame->len < 1)
        return;
    bool ok = pn532_list_parse(frame->data + 1, frame->len - 1, &list);
    if (ok != (list.fault == PN532_LIST_OK) || list.n > PN532_TARGETS_MAX || (!ok && list.n))
        abort();
    pn532_list_explain(&list, text, sizeof text);
}

// The driver's way: a buffer, filled by reads of at most `step` bytes.
static void run(const uint8_t *data, size_t size, size_t step, struct found *ret) {
    uint8_t rx[PN532_FRAME_MAX + 64];
    size_t n = 0;
    memset(ret, 0, sizeof *ret);
    for (size_t at = 0; at < size;) {
        size_t take = size - at < step ? size - at : step;
        if (take > sizeof rx - n)
            take = sizeof rx - n;
        if (take == 0)
            abort(); // an incomplete frame always leaves room
        memcpy(rx + n, data + at, take);
        n += take;
        at += take;
        for (;;) {
            struct pn532_frame frame;
            pn532_frame_decode(rx, n, &frame);
            if (frame.used > n || frame.garbage > frame.used)
                abort();
            if (frame.type != PN532_MORE && frame.used == 0)
                abort();
            check_list(&frame);
            ret->garbage += frame.garbage;
            memmove(rx, rx + frame.used, n - frame.used);
            n -= frame.used;
            if (frame.type == PN532_MORE)
                break;
            if (ret->n < FRAMES_MAX) {
                ret->type[ret->n] = (uint8_t)frame.type;
                ret->len[ret->n++] = frame.len;
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct found whole, bytes;
    struct pn532_list list;
    if (size > 4096)
        return 0;
    run(data, size, 128, &whole);
    run(data, size, 1, &bytes);
    if (whole.n != bytes.n || memcmp(whole.type, bytes.type, whole.n) != 0 ||
        memcmp(whole.len, bytes.len, whole.n * sizeof whole.len[0]) != 0)
        abort();
    pn532_list_parse(data, size, &list);
    return 0;
}
