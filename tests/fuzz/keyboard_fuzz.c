// Key events of a wedge reader, three bytes each: code, value, type; and ids as text.
#include "drivers/keyboard_keys.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_id(const struct id *id) {
    if (id->len != 4 && id->len != 7 && id->len != 10)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct keys_form forms[] = {{"", "", false, false, 4},
                                             {";", "/", false, true, 4},
                                             {"", "", true, false, 4},
                                             {"0", "", true, true, 7},
                                             {"", "", true, false, 10}};
    if (!size)
        return 0;
    const struct keys_form *form = &forms[data[0] % (sizeof forms / sizeof *forms)];
    struct keys keys = {0};
    struct id id;
    bool empty;
    for (size_t i = 1; i + 2 < size; i += 3) {
        uint16_t code = (uint16_t)(data[i] | (data[i + 2] & 0x30) << 4), type = data[i + 2] & 3;
        if (keys_event(&keys, type, code, (int8_t)data[i + 1]) != KEYS_END)
            continue;
        if (keys_take(&keys, form, &id, &empty))
            check_id(&id);
        if (keys.n || keys.broken)
            abort();
    }
    char *text = malloc(size);
    memcpy(text, data, size);
    if (id_text_hex(text, size, &id))
        check_id(&id);
    if (id_text_decimal(text, size, 4u + 3u * (size % 3), &id))
        check_id(&id);
    free(text);
    return 0;
}
