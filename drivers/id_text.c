#include "drivers/id_text.h"
#include <string.h>

static int hex(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool whole(struct id *id) {
    if (id->len == 5 && (id->b[0] ^ id->b[1] ^ id->b[2] ^ id->b[3]) == id->b[4])
        id->len = 4;
    return id->len == 4 || id->len == 7 || id->len == 10;
}

bool id_text_hex(const char *text, size_t len, struct id *ret) {
    unsigned digits = 0;
    *ret = (struct id){0};
    while (len && (*text == ' ' || *text == '\t'))
        text++, len--;
    while (len && strchr(" \t\r\n", text[len - 1]) && text[len - 1])
        len--;
    if (len > 2 && text[0] == '0' && (text[1] | 0x20) == 'x')
        text += 2, len -= 2;
    for (size_t i = 0; i < len; i++) {
        int value = hex(text[i]);
        if (value < 0 && digits % 2 == 0 && strchr(":- ", text[i]) && text[i])
            continue;
        if (value < 0 || digits == 2 * ID_BYTES_MAX)
            return false;
        ret->b[digits / 2] = (uint8_t)(ret->b[digits / 2] << 4 | value);
        digits++;
    }
    ret->len = (uint8_t)(digits / 2);
    return digits % 2 == 0 && whole(ret);
}

bool id_text_decimal(const char *text, size_t len, unsigned bytes, struct id *ret) {
    *ret = (struct id){.len = (uint8_t)bytes};
    if (!len || len > 25 || (bytes != 4 && bytes != 7 && bytes != 10))
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned carry = (unsigned)(text[i] - '0');
        if (text[i] < '0' || text[i] > '9')
            return false;
        for (unsigned k = bytes; k-- > 0; carry >>= 8) {
            carry += 10u * ret->b[k];
            ret->b[k] = (uint8_t)carry;
        }
        if (carry)
            return false; // too large
    }
    return true;
}

void id_reverse(struct id *id) {
    for (unsigned i = 0; i < id->len / 2u; i++) {
        uint8_t b = id->b[i];
        id->b[i] = id->b[id->len - 1u - i];
        id->b[id->len - 1u - i] = b;
    }
}
