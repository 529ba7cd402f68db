// When a stream that says something at least every 15 s has been silent for too long. A rate in bytes a
// second cannot tell: its signs of life are three bytes.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SILENCE_MAX_S = 45 };

struct silence {
    int64_t bytes, since_us; // what had come when it began
};

// Asked about once a second with all that has come so far; the first question begins it.
static inline bool silence_too_long(struct silence *silence, int64_t bytes, int64_t now_us) {
    if (!silence->since_us || bytes != silence->bytes)
        *silence = (struct silence){.bytes = bytes, .since_us = now_us};
    return now_us - silence->since_us > SILENCE_MAX_S * (int64_t)1000000;
}
