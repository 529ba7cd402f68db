// Seeded generator for chance. What it gives is journalled as an action, so replay needs no generator.
#pragma once
#include <stdint.h>

struct rng {
    uint64_t s[4];
};
void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);
// Uniform in [0, n), n >= 1, without bias.
uint32_t rng_below(struct rng *rng, uint32_t n);
// A seed or id from the kernel; never 0.
uint64_t rng_entropy(void);
