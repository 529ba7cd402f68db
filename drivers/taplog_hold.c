// `@hold`: an antenna that has nothing new to say says the old again.
#include "drivers/taplog.h"
#include <stdlib.h>
#include <string.h>

// A sleeping machine does not repeat what it slept through.
enum { PERIODS_BEHIND_MAX = 10 };

bool taplog_hold_set(struct taplog_hold *hold, uint16_t antenna, const struct taplog_scan *scan,
                     int64_t now_us) {
    if (hold->hold_us <= 0)
        return true;
    if (antenna >= hold->n) {
        uint16_t n = (uint16_t)((antenna / 8 + 1) * 8);
        struct taplog_held *more = realloc(hold->antenna, n * sizeof *more);
        if (!more)
            return false;
        memset(more + hold->n, 0, (n - hold->n) * sizeof *more);
        hold->antenna = more;
        hold->n = n;
    }
    hold->antenna[antenna] =
        (struct taplog_held){.on = true, .due_us = now_us + hold->hold_us, .scan = *scan};
    return true;
}

void taplog_hold_stop(struct taplog_hold *hold) {
    for (unsigned i = 0; i < hold->n; i++)
        hold->antenna[i].on = false;
}

int64_t taplog_hold_next(const struct taplog_hold *hold) {
    int64_t next = INT64_MAX;
    for (unsigned i = 0; i < hold->n; i++) {
        if (hold->antenna[i].on && hold->antenna[i].due_us < next)
            next = hold->antenna[i].due_us;
    }
    return next;
}

void taplog_hold_fire(struct taplog_hold *hold, struct reader *reader, int64_t now_us) {
    for (uint16_t i = 0; i < hold->n; i++) {
        struct taplog_held *held = &hold->antenna[i];
        if (!held->on || held->due_us > now_us)
            continue;
        held->due_us += hold->hold_us;
        if (held->due_us + PERIODS_BEHIND_MAX * hold->hold_us < now_us)
            held->due_us = now_us + hold->hold_us;
        taplog_report(reader, i, &held->scan);
    }
}

void taplog_hold_free(struct taplog_hold *hold) {
    free(hold->antenna);
    *hold = (struct taplog_hold){0};
}
