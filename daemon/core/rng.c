// The state is filled by splitmix64 (Vigna): no short cycle for any seed.
#include "core/rng.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

void rng_seed(struct rng *rng, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        rng->s[i] = z ^ (z >> 31);
    }
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
