// What an MFRC522 and the tags in front of it may answer: registers and received bytes, all of them any
// bytes. A scan ends after a bounded number of questions, whatever comes; no id has another length than 4, 7
// or 10; no frame is longer than a frame; and a tag that is asked for its memory gets an end too.
#include "drivers/mfrc522_card.h"
#include "drivers/mfrc522_chip.h"
#include "drivers/type2.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { QUESTIONS_MAX = 400 };

struct input {
    const uint8_t *data;
    size_t left;
};

static uint8_t next(struct input *in) {
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->data++;
}

// Five registers and a length, then so many bytes, at their exact size.
static uint8_t *answer(struct input *in, struct card_answer *ret) {
    uint8_t irq = next(in), error = next(in), collision = next(in), control = next(in);
    size_t n = next(in) % (CHIP_RX_MAX + 1);
    n = n < in->left ? n : in->left;
    uint8_t *rx = malloc(n ? n : 1);
    if (!rx)
        abort();
    memcpy(rx, in->data, n);
    in->data += n;
    in->left -= n;
    mfrc522_chip_answer(irq, error, collision, control, rx, n, ret);
    return rx;
}

static void check(const struct card_scan *scan) {
    if (scan->n_tags > CARD_TAGS_MAX || (scan->n_tags > 0) != (scan->outcome == DRIVER_SEEN))
        abort();
    for (unsigned i = 0; i < scan->n_tags; i++)
        if (scan->tag[i].len != 4 && scan->tag[i].len != 7 && scan->tag[i].len != 10)
            abort();
}

static void run(struct card_scan *scan, struct input *in) {
    struct card_frame frame;
    unsigned questions = 0;
    while (card_scan_next(scan, &frame)) {
        struct card_answer got;
        if (questions++ > QUESTIONS_MAX || frame.n == 0 || frame.n > CARD_FRAME_MAX)
            abort();
        uint8_t *rx = answer(in, &got);
        card_scan_answer(scan, &got);
        free(rx);
    }
    check(scan);
}

static void ask(const struct card_tag *tag, struct input *in) {
    uint8_t command[TYPE2_COMMAND_MAX];
    struct type2 t;
    unsigned questions = 0;
    type2_begin(&t, tag->id, tag->len, tag->sak, NULL);
    while (type2_next(&t, command) > 0) {
        size_t n = next(in) % (TYPE2_ANSWER_MAX + 1);
        uint8_t bytes[TYPE2_ANSWER_MAX] = {0};
        enum type2_outcome outcome = (enum type2_outcome)(next(in) % 4);
        for (size_t i = 0; i < n; i++)
            bytes[i] = next(in);
        type2_answer(&t, outcome, bytes, n);
        if (questions++ > QUESTIONS_MAX || t.n > TYPE2_MEMORY_MAX || t.n > t.area)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    struct card_scan scan;
    if (size > 4096)
        return 0;
    card_scan_begin(&scan);
    run(&scan, &in);
    if (scan.n_tags == 0)
        return 0;
    struct card_tag tag = scan.tag[0];
    card_select_begin(&scan, &tag);
    run(&scan, &in);
    ask(&tag, &in);
    return 0;
}
