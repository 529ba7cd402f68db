#include "ears.h"
#include <stdarg.h>
#include <stdio.h>

static struct loop *ears_loop;

void ears_open(struct loop *loop) {
    ears_loop = loop;
}

static bool is_text(const unsigned char *at, size_t len) {
    for (size_t i = 0; i < len; i++)
        if ((at[i] < 0x20 && at[i] != '\n' && at[i] != '\r' && at[i] != '\t') || at[i] == 0x7f)
            return false;
    return true;
}

void ears_hear(const char *channel, const void *bytes, size_t len, const char *key_format, ...) {
    va_list args;
    const unsigned char *at = bytes;
    printf("%lld\t%s\t", (long long)(loop_now_us(ears_loop) / 1000), channel);
    va_start(args, key_format);
    vprintf(key_format, args);
    va_end(args);
    putchar('\t');
    bool text = is_text(at, len);
    if (!text)
        printf("hex:");
    for (size_t i = 0; i < len; i++) {
        if (!text)
            printf("%02x", at[i]);
        else if (at[i] == '\n' || at[i] == '\r' || at[i] == '\t')
            printf("\\%c", at[i] == '\n' ? 'n' : at[i] == '\r' ? 'r' : 't');
        else
            putchar(at[i]);
    }
    putchar('\n');
}
