// What a wedge reader types: key codes as the kernel has them, before any layout (B038).
#pragma once
#include "drivers/id_text.h"
#include <linux/input.h>
#undef BUS_SPI // bus_users.h has these names
#undef BUS_I2C

enum { KEYS_MAX = 64 };
struct keys {
    char text[KEYS_MAX];
    size_t n;
    bool broken; // too long, or events were lost: what comes up to the end is no id
};
enum keys_result { KEYS_NOTHING, KEYS_TYPED, KEYS_END };
// Presses count; repeats and releases do not. Enter and Tab end.
enum keys_result keys_event(struct keys *keys, uint16_t type, uint16_t code, int32_t value);

struct keys_form {
    const char *prefix, *suffix; // what surrounds the id, in lower case; "" = nothing (B039)
    bool decimal, reversed;
    unsigned bytes; // of a decimal id
};
// Takes what was typed and forgets it. False: no id (or nothing: keys was empty, *ret_empty).
bool keys_take(struct keys *keys, const struct keys_form *form, struct id *ret, bool *ret_empty);
