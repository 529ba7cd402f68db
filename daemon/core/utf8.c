#include "core/utf8.h"

// Smallest and largest second byte tell overlong forms, surrogates and values beyond Unicode apart.
static size_t lead(unsigned char byte, unsigned char *low, unsigned char *high) {
    *low = 0x80;
    *high = 0xBF;
    if (byte >= 0xC2 && byte <= 0xDF)
        return 2;
    if (byte >= 0xE0 && byte <= 0xEF) {
        if (byte == 0xE0)
            *low = 0xA0;
        if (byte == 0xED)
            *high = 0x9F;
        return 3;
    }
    if (byte >= 0xF0 && byte <= 0xF4) {
        if (byte == 0xF0)
            *low = 0x90;
        if (byte == 0xF4)
            *high = 0x8F;
        return 4;
    }
    return 0;
}

size_t utf8_char(const char *text, size_t len) {
    const unsigned char *p = (const unsigned char *)text;
    if (len == 0)
        return 0;
    if (p[0] < 0x80)
        return 1;
    unsigned char low, high;
    size_t need = lead(p[0], &low, &high);
    if (need == 0 || need > len || p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < need; i++)
        if (p[i] < 0x80 || p[i] > 0xBF)
            return 0;
    return need;
}

size_t utf8_cut(const char *text, size_t len) {
    for (size_t back = 1; back <= 3 && back <= len; back++) {
        unsigned char byte = (unsigned char)text[len - back];
        if (byte >= 0x80 && byte <= 0xBF)
            continue;
        unsigned char low, high;
        return lead(byte, &low, &high) > back ? len - back : len;
    }
    return len;
}
