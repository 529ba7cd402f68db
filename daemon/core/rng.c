// xoshiro256**, its state filled by splitmix64 (Blackman and Vigna): fast, and no short cycle for any seed.
#include "core/rng.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

static uint64_t rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

void rng_seed(struct rng *rng, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        rng->s[i] = z ^ (z >> 31);
    }
}

uint64_t rng_next(struct rng *rng) {
    uint64_t *s = rng->s;
    uint64_t value = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return value;
}

uint32_t rng_below(struct rng *rng, uint32_t n) {
    assert(n >= 1);
    // The upper half of a 32 x 32 bit product; its lower half tells when a value would be drawn too often.
    uint64_t product = (rng_next(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t floor = (uint32_t)(-n) % n;
        while ((uint32_t)product < floor)
            product = (rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

uint64_t rng_entropy(void) {
    uint64_t value = 0;
    while (value == 0) {
        ssize_t got = getrandom(&value, sizeof value, 0);
        if (got < 0 && errno != EINTR)
            abort(); // a kernel without getrandom cannot run the daemon at all
        if (got != (ssize_t)sizeof value)
            value = 0;
    }
    return value;
}
