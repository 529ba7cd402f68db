// Seeded generator for chance. What it gives is journalled as an action, so replay needs no generator.
#pragma once
#include <assert.h>
#include <stdint.h>

struct rng {
    uint64_t s[4];
};
void rng_seed(struct rng *rng, uint64_t seed);

// xoshiro256** (Blackman and Vigna). Here, because a playout throws more often than it does anything else.
static inline uint64_t rng__rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}
static inline uint64_t rng_next(struct rng *rng) {
    uint64_t *s = rng->s;
    uint64_t value = rng__rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng__rotate(s[3], 45);
    return value;
}

// Uniform in [0, n), n >= 1, without bias: the upper half of a 32 x 32 bit product; its lower half tells when
// a value would be drawn too often.
static inline uint32_t rng_below(struct rng *rng, uint32_t n) {
    assert(n >= 1);
    uint64_t product = (rng_next(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t floor = (uint32_t)(-n) % n;
        while ((uint32_t)product < floor)
            product = (rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

// A seed or id from the kernel; never 0.
uint64_t rng_entropy(void);
