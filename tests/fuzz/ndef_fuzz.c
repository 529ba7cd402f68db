// The memory of a tag: walked without a byte beyond it, hint within its bounds, and reading more of the same
// tag never takes back what was found.
#include "drivers/ndef.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk_all(const uint8_t *data, size_t size) {
    struct ndef_walk walk = {0};
    struct ndef_record record;
    if (ndef_message(data, size, &walk.left) != NDEF_OK)
        return;
    size_t left = walk.left.len;
    while (ndef_next(&walk, &record) == NDEF_OK) {
        char text[40];
        size_t len;
        if (walk.left.len >= left)
            abort(); // a record takes at least its head
        left = walk.left.len;
        if (!ndef_record_text(&record, text, sizeof text, &len) && len != 0)
            abort();
        if (len > sizeof text)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char whole[64], part[64];
    size_t whole_len, part_len;
    if (size > 2048)
        return 0;
    walk_all(data, size);
    enum ndef_result result = ndef_hint(data, size, whole, sizeof whole, &whole_len);
    size_t needed = ndef_needed(data, size);
    if (result == NDEF_OK && needed > size)
        abort();
    if (needed <= size && (ndef_hint(data, needed, part, sizeof part, &part_len) != result ||
                           part_len != whole_len || memcmp(part, whole, whole_len) != 0))
        abort();
    ndef_word(result);
    return 0;
}
