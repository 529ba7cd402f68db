#include "board/pad.h"
#include "board/pad_rate.h"
#include <string.h>

enum {
    REPEAT_US = 20 * 1000,          // an equal scan this soon, not asked for, is the same one (B017)
    HEAL_US = 600 * 1000,           // a stay that goes on after a shorter absence was a miss (look_ms)
    STRANGE_QUIET_US = 30000 * 1000 // random ids: one notice until the pad was clear of them this long
};

const struct pad_limits pad_limits_default = {
    .arrive_n = 2,
    .arrive_m = 3,
    .unknown_run = 3,
    .leave_run = 3,
    .trouble_run = 3,
    .doubt_ms = 1500,
    .silent_ms = 3000,
};

// One look at a pad: what pad_scan's steps share.
struct look {
    struct pad *pad;
    int64_t now;
    enum pad_outcome outcome;
    unsigned seen; // bit per entry
    bool blur;     // only ids that tell nothing: mangled, random, not yet believed
    bool again, overflow;
    struct pad_change *ret;
    unsigned n;
};

void pad_init(struct pad *pad, const struct pad_limits *limits) {
    *pad = (struct pad){.limits = *limits, .state = PAD_STATE_UNKNOWN, .strange_us = -STRANGE_QUIET_US};
}

static void emit(struct look *look, enum pad_change_type type, const struct tag *tag, int64_t since_us) {
    if (look->n == PAD_CHANGES_MAX)
        return;
    struct pad_change *change = &look->ret[look->n++];
    *change = (struct pad_change){.type = type, .since_us = since_us};
    if (tag)
        change->tag = *tag;
}

static void set_state(struct look *look, enum pad_state state) {
    if (look->pad->state == state)
        return;
    look->pad->state = state;
    emit(look, PAD_STATE_CHANGED, NULL, look->now);
}

static void drop(struct pad *pad, unsigned i) {
    pad->n--;
    memmove(&pad->entry[i], &pad->entry[i + 1], (pad->n - i) * sizeof pad->entry[0]);
}

static unsigned mask(unsigned scans) {
    return scans >= 8 ? 0xff : (1u << scans) - 1;
}

// What lies there stays, but no run of misses goes on over a time in which nobody could look.
static void blind(struct pad *pad) {
    for (unsigned i = pad->n; i-- > 0;) {
        if (!pad->entry[i].present) {
            drop(pad, i);
            continue;
        }
        pad->entry[i].none_run = 0;
        pad->entry[i].missed_us = 0;
    }
    pad->none_run = 0;
    pad->swap_run = 0;
}

static void go_unknown(struct look *look) {
    blind(look->pad);
    set_state(look, PAD_STATE_UNKNOWN);
}

// Entries ------------------------------------------------------------------------------------------------

static int find(const struct pad *pad, const struct tag *tag) {
    for (unsigned i = 0; i < pad->n; i++) {
        if (tag_equal(&pad->entry[i].tag, tag))
            return (int)i;
    }
    return -1;
}

// Room for one more: a stray sighting gives way, what lies there does not.
static bool make_room(struct look *look) {
    struct pad *pad = look->pad;
    if (pad->n < PAD_TAGS_MAX)
        return true;
    int oldest = -1;
    for (unsigned i = 0; i < pad->n; i++) {
        if (pad->entry[i].present || (look->seen & 1u << i))
            continue;
        if (oldest < 0 || pad->entry[i].seen_us < pad->entry[oldest].seen_us)
            oldest = (int)i;
    }
    if (oldest < 0)
        return false;
    drop(pad, (unsigned)oldest);
    look->seen = (look->seen & mask((unsigned)oldest)) | (look->seen >> (oldest + 1) << oldest);
    return true;
}

static void strange(struct look *look, const struct tag *tag) {
    if (look->now - look->pad->strange_us >= STRANGE_QUIET_US)
        emit(look, PAD_STRANGE, tag, look->now);
    look->pad->strange_us = look->now;
}

static void take_tag(struct look *look, const struct tag *tag, bool (*is_known)(void *, const struct tag *),
                     void *ctx) {
    struct pad *pad = look->pad;
    enum tag_kind kind = tag_kind(tag);
    if (kind == TAG_BAD)
        return;
    if (kind != TAG_PLAIN)
        strange(look, tag);
    int i = find(pad, tag);
    if (i < 0) {
        if (!make_room(look)) {
            if (!pad->overflowed && !look->overflow)
                emit(look, PAD_OVERFLOW, NULL, look->now);
            look->overflow = true;
            return;
        }
        i = pad->n++;
        pad->entry[i] = (struct pad_entry){.tag = *tag, .known = kind == TAG_PLAIN && is_known(ctx, tag)};
    }
    look->seen |= 1u << i;
    if (pad->entry[i].known || (pad->entry[i].present && kind == TAG_PLAIN))
        look->blur = false; // then something of this pad shows: it is not silent
}

static void arrive_if_sure(struct look *look, struct pad_entry *e) {
    const struct pad_limits *limits = &look->pad->limits;
    unsigned within = mask(e->known ? limits->arrive_m : limits->unknown_run);
    unsigned need = e->known ? limits->arrive_n : limits->unknown_run;
    if ((unsigned)__builtin_popcount(e->history & within) < need) {
        look->again |= e->known;
        return;
    }
    e->present = true;
    e->ghost = false;
    e->none_run = 0;
    e->missed_us = 0;
    e->arrived_us = look->now;
    emit(look, PAD_ARRIVED, &e->tag, e->first_us);
}

static void sight(struct look *look, struct pad_entry *e) {
    struct pad *pad = look->pad;
    unsigned window = mask(e->known ? pad->limits.arrive_m : pad->limits.unknown_run);
    e->history = (uint8_t)(e->history << 1 | 1);
    bool healed = e->none_run > 0 && look->now - e->missed_us < HEAL_US;
    e->seen_us = look->now;
    if (e->present && e->known && !e->ghost)
        pad__rate_seen(pad, pad->state == PAD_STATE_KNOWN ? e->none_run : 0); // overload is no chance miss
    else if (!e->present && healed)
        pad__rate_seen(pad, e->none_run);
    e->none_run = 0;
    if (e->present)
        return;
    if ((e->history & window) == 1)
        e->first_us = look->now;
    arrive_if_sure(look, e);
}

// Returns false when nothing is left to remember.
static bool miss(struct look *look, struct pad_entry *e) {
    const struct pad_limits *limits = &look->pad->limits;
    if (e->present) {
        if (look->blur)
            return true;
        if (e->none_run == 0 && e->seen_us >= e->missed_us)
            e->missed_us = look->now;
        if (e->none_run < UINT8_MAX)
            e->none_run++;
    }
    e->history = (uint8_t)(e->history << 1);
    unsigned window = mask(limits->arrive_m > limits->unknown_run ? limits->arrive_m : limits->unknown_run);
    bool left_just_now = e->none_run > 0 && look->now - e->missed_us < HEAL_US;
    return e->present || (e->history & window) != 0 || left_just_now;
}

static bool shows(const struct look *look) {
    return look->outcome == PAD_SEEN && !look->blur;
}

// Absence ------------------------------------------------------------------------------------------------

static void leave(struct look *look, struct pad_entry *e) {
    emit(look, PAD_LEFT, &e->tag, e->missed_us);
    look->ret[look->n - 1].ghost = e->ghost;
    e->present = false;
    e->history = 0;
}

// First miss of two or more that fell silent in one scan while nothing else shows; -1 = none.
static int64_t silent_together(const struct look *look) {
    const struct pad *pad = look->pad;
    if (shows(look))
        return -1;
    for (unsigned i = 0; i < pad->n; i++) {
        for (unsigned j = i + 1; j < pad->n; j++) {
            const struct pad_entry *a = &pad->entry[i], *b = &pad->entry[j];
            if (a->present && b->present && !a->ghost && !b->ghost && a->none_run > 0 && b->none_run > 0 &&
                a->missed_us == b->missed_us)
                return a->missed_us;
        }
    }
    return -1;
}

static bool any_missed(const struct pad *pad, unsigned run) {
    for (unsigned i = 0; i < pad->n; i++) {
        if (pad->entry[i].present && !pad->entry[i].ghost && pad->entry[i].none_run >= run)
            return true;
    }
    return false;
}

static void leave_all(struct look *look, unsigned run, unsigned ghost_run) {
    for (unsigned i = 0; i < look->pad->n; i++) {
        struct pad_entry *e = &look->pad->entry[i];
        if (e->present && e->none_run >= (e->ghost ? ghost_run : run))
            leave(look, e);
    }
}

static void judge_absence(struct look *look) {
    struct pad *pad = look->pad;
    const unsigned base = pad->limits.leave_run, never = UINT8_MAX + 1u;
    if (look->blur)
        return;
    if (pad->state == PAD_STATE_DOUBTFUL && shows(look)) {
        // One was seen: the others' silence in the overload proves nothing, their runs begin anew.
        for (unsigned i = 0; i < pad->n; i++) {
            if (pad->entry[i].none_run > 1)
                pad->entry[i].none_run = 1;
        }
        return;
    }
    int64_t together = pad->state == PAD_STATE_DOUBTFUL ? pad->doubt_us : silent_together(look);
    if (together < 0) {
        leave_all(look, pad_leave_run(pad), base);
    } else if (look->now - together >= pad->limits.doubt_ms * INT64_C(1000) && any_missed(pad, base)) {
        leave_all(look, pad->state == PAD_STATE_DOUBTFUL ? 1 : base, base);
    } else {
        leave_all(look, never, base);
        if (pad->state != PAD_STATE_DOUBTFUL && any_missed(pad, base)) {
            pad->doubt_us = together;
            set_state(look, PAD_STATE_DOUBTFUL);
        }
    }
}

// State --------------------------------------------------------------------------------------------------

// Two pieces that show in turn, never together, are several tags on an antenna that reads one (B043). The
// count leaks away with steady scans, so one id in place of another, once, is an ordinary exchange.
static void count_swaps(struct look *look) {
    struct pad *pad = look->pad;
    bool came = false, went = false;
    if (look->outcome != PAD_SEEN || look->blur)
        return;
    for (unsigned i = 0; i < pad->n; i++) {
        came |= pad->entry[i].known && (pad->entry[i].history & 3) == 1;
        went |= pad->entry[i].known && (pad->entry[i].history & 3) == 2;
    }
    if (came && went)
        pad->swap_run += pad->swap_run < pad->limits.trouble_run;
    else
        pad->swap_run -= pad->swap_run > 0;
}

static bool anything_silent(const struct pad *pad) {
    return any_missed(pad, 1);
}

static void settle(struct look *look) {
    struct pad *pad = look->pad;
    const unsigned trouble = pad->limits.trouble_run;
    bool cleared = true;
    if (pad->state == PAD_STATE_DOUBTFUL)
        cleared = !look->blur && (shows(look) || !anything_silent(pad));
    if (pad->state == PAD_STATE_SEVERAL)
        cleared = look->outcome == PAD_SEEN ? pad->swap_run == 0 : pad->none_run >= trouble;
    if (look->outcome == PAD_NONE && pad->none_run >= trouble)
        pad->swap_run = 0;
    if (pad->swap_run >= trouble)
        set_state(look, PAD_STATE_SEVERAL);
    else if (cleared)
        set_state(look, PAD_STATE_KNOWN);
}

// Scans --------------------------------------------------------------------------------------------------

static bool is_repeat(const struct pad *pad, int64_t now, enum pad_outcome outcome, const struct tag *tags,
                      unsigned n_tags) {
    if (pad->state == PAD_STATE_UNKNOWN || now - pad->scan_us >= REPEAT_US || pad->asked_again ||
        pad->last_outcome != (uint8_t)outcome)
        return false;
    unsigned showing = 0;
    for (unsigned i = 0; i < pad->n; i++)
        showing += pad->entry[i].history & 1;
    if (outcome != PAD_SEEN)
        return true;
    for (unsigned i = 0; i < n_tags; i++) {
        int at = find(pad, &tags[i]);
        if (at < 0 || !(pad->entry[at].history & 1))
            return false;
    }
    return showing == n_tags;
}

static void scan_trouble(struct look *look) {
    struct pad *pad = look->pad;
    const unsigned trouble = pad->limits.trouble_run;
    if (look->outcome == PAD_FAILED) {
        pad->failed_run += pad->failed_run < UINT8_MAX;
        if (pad->failed_run >= trouble && pad->state != PAD_STATE_UNKNOWN)
            go_unknown(look);
        return;
    }
    pad->failed_run = 0;
    pad->collided_run += pad->collided_run < UINT8_MAX;
    if (pad->collided_run < trouble || pad->state == PAD_STATE_SEVERAL)
        return;
    pad->swap_run = 0;
    if (pad->state == PAD_STATE_DOUBTFUL) { // they are there after all
        for (unsigned i = 0; i < pad->n; i++)
            pad->entry[i].none_run = 0;
    }
    set_state(look, PAD_STATE_SEVERAL);
}

static void scan_ids(struct look *look) {
    struct pad *pad = look->pad;
    pad->failed_run = pad->collided_run = 0;
    if (look->outcome == PAD_NONE)
        pad->none_run += pad->none_run < UINT8_MAX;
    else if (!look->blur)
        pad->none_run = 0;
    unsigned seen = look->seen;
    for (unsigned i = 0; i < pad->n; i++) {
        if (seen & 1u << i)
            sight(look, &pad->entry[i]);
    }
    for (unsigned i = pad->n; i-- > 0;) {
        if (!(seen & 1u << i) && !miss(look, &pad->entry[i]))
            drop(pad, i);
    }
    count_swaps(look);
    judge_absence(look);
    settle(look);
}

// Trouble is told before the pieces it explains, its end after the pieces it ends with; pieces by their
// first evidence.
static void order(struct look *look) {
    for (unsigned i = 1; i < look->n; i++) {
        struct pad_change c = look->ret[i];
        unsigned k = i;
        while (k > 0 && c.type != PAD_STATE_CHANGED && look->ret[k - 1].type != PAD_STATE_CHANGED &&
               look->ret[k - 1].since_us > c.since_us) {
            look->ret[k] = look->ret[k - 1];
            k--;
        }
        look->ret[k] = c;
    }
}

unsigned pad_scan(struct pad *pad, int64_t now_us, enum pad_outcome outcome, const struct tag *tags,
                  unsigned n_tags, bool (*is_known)(void *ctx, const struct tag *tag), void *ctx,
                  struct pad_change ret[PAD_CHANGES_MAX], bool *ret_again) {
    *ret_again = false;
    if (outcome == PAD_SEEN && n_tags == 0)
        outcome = PAD_NONE;
    if (is_repeat(pad, now_us, outcome, tags, n_tags))
        return 0;
    struct look look = {.pad = pad, .now = now_us, .outcome = outcome, .ret = ret};
    pad->scan_us = now_us;
    pad->last_outcome = (uint8_t)outcome;
    if (outcome == PAD_FAILED || outcome == PAD_COLLIDED) {
        scan_trouble(&look);
    } else {
        look.blur = outcome == PAD_SEEN;
        for (unsigned i = 0; outcome == PAD_SEEN && i < n_tags; i++)
            take_tag(&look, &tags[i], is_known, ctx);
        pad->overflowed = look.overflow;
        scan_ids(&look);
    }
    order(&look);
    pad->asked_again = *ret_again = look.again;
    return look.n;
}

unsigned pad_silence(struct pad *pad, int64_t now_us, struct pad_change ret[PAD_CHANGES_MAX]) {
    if (pad->limits.silent_ms <= 0 || pad->state == PAD_STATE_UNKNOWN ||
        now_us - pad->scan_us < pad->limits.silent_ms * INT64_C(1000))
        return 0;
    return pad_down(pad, now_us, ret);
}

unsigned pad_down(struct pad *pad, int64_t now_us, struct pad_change ret[PAD_CHANGES_MAX]) {
    struct look look = {.pad = pad, .now = now_us, .ret = ret};
    pad->failed_run = pad->collided_run = 0;
    go_unknown(&look);
    return look.n;
}
