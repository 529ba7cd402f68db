#include "board/pad_rate.h"

enum {
    ONE = 1 << 24,
    MEMORY = 512, // scans behind the average: 43 s at 12 scans a second
};

// Highest miss rate at which a run of 3, 4 ... 9 misses stays below one false removal in 10,000 hours for a
// resting piece at 12 scans a second: (1e-4 / 43,200) ^ (1 / run), scaled by ONE. README.md, "Leaving".
static const uint32_t highest[] = {22193, 116372, 314502, 610201, 979669, 1397283, 1841712};

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
