#include "board/pad_rate.h"

enum {
    ONE = 1 << 24,
    TRIALS_START = 64, // clean scans a new pad is given on trust
    TRIALS_MAX = 512,  // about 43 s at 12 scans a second: memory of the average
};

// Highest miss rate at which a run of 3, 4 ... misses stays below one false removal in 10,000 hours for a
// resting piece at 12 scans a second: (1e-4 / 43,200) ^ (1 / run).
static const struct {
    uint32_t rate;
} runs[] = {{22193}, {116372}, {314502}, {610201}, {979669}, {1397283}, {1841712}};

static void trial(struct pad *pad, bool missed) {
    if (pad->trials < TRIALS_MAX)
        pad->trials++;
    uint32_t step = missed ? ONE - pad->miss_rate : pad->miss_rate;
    step /= pad->trials;
    pad->miss_rate = missed ? pad->miss_rate + step : pad->miss_rate - step;
}

void pad__rate_seen(struct pad *pad, unsigned misses) {
    if (pad->trials < TRIALS_START)
        pad->trials = TRIALS_START;
    while (misses-- > 0)
        trial(pad, true);
    if (pad->miss_rate > 0)
        trial(pad, false);
    else if (pad->trials < TRIALS_MAX)
        pad->trials++;
}

unsigned pad_leave_run(const struct pad *pad) {
    unsigned more = 0;
    while (more < sizeof runs / sizeof runs[0] && pad->miss_rate > runs[more].rate)
        more++;
    return pad->limits.leave_run + more;
}
