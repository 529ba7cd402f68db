#include "board/pad_rate.h"

enum {
    ONE = 1 << 24,
    MEMORY = 512, // scans behind the average: 43 s at 12 scans a second
};

// Highest miss rate at which a run of 3, 4 ... 9 misses stays below the false removals that README.md,
// "Leaving", allows for a resting piece at 12 scans a second: (allowed / 43,200) ^ (1 / run), scaled by ONE;
// allowed an hour are 1e-4 for a run of 3 and 4, 1e-5 for 5, 1e-6 for more.
static const uint32_t highest[] = {22193, 116372, 198437, 283230, 507417, 785750, 1104077};

void pad__rate_seen(struct pad *pad, unsigned misses) {
    pad->misses += misses;
    while (misses-- > 0)
        pad->miss_rate += (ONE - pad->miss_rate) / MEMORY;
    pad->miss_rate -= pad->miss_rate / MEMORY;
}

unsigned pad_leave_run(const struct pad *pad) {
    unsigned more = 0;
    while (more < sizeof highest / sizeof highest[0] && pad->miss_rate > highest[more])
        more++;
    return pad->limits.leave_run + more;
}
