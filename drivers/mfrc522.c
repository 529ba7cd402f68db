// MFRC522 chips on one SPI bus. Each chip is one antenna; one field is on at a time, for neighbours hear each
// other.
//
// All chips are reset and set up; then, antenna by antenna: field on, guard time, the exchanges of
// mfrc522_card, report, perhaps an inspection, field off. An exchange is begun, and the chip is asked again
// and again until it has ended, on timers. A chip that does not answer gives failed scans and is set up anew
// each second; when none answers, the reader is down and everything is opened anew, later and later.
#include "drivers/mfrc522.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE_US = 85, FRAME_DELAY_US = 90, LOOK_US = 150, EXCHANGE_LATE_US = 10000 };
enum { POLL_MIN_US = 10000, REVIVE_US = 1000000, BACKOFF_MIN_US = 20000, BACKOFF_MAX_US = 2000000 };
enum { RESET_LOW_US = 1000, RESET_US = 3000, TYPE2_WAIT_US = 5500 };

static void attempt(void *ctx);
static void up(struct reader *reader);
static void choose(struct reader *reader);
static void exchange(struct reader *reader);

static void start_timer(struct reader *reader, int64_t in_us, void (*fn)(void *)) {
    struct mfrc522 *m = reader->priv;
    loop_timer_start(reader->loop, &m->timer, loop_now_us(reader->loop) + in_us, fn, reader);
}

static struct mfrc522_antenna *now(struct mfrc522 *m) {
    return &m->antenna[m->now];
}

// ---- gone and back

static void lost(struct reader *reader, const char *why) {
    struct mfrc522 *m = reader->priv;
    mfrc522_release(m);
    reader_health(reader, false, why);
    start_timer(reader, m->backoff_us, attempt);
    m->backoff_us = m->backoff_us * 2 > BACKOFF_MAX_US ? BACKOFF_MAX_US : m->backoff_us * 2;
}

// B033: one sentence for the whole bus, not one for each chip.
static const char *bus_trouble(const struct mfrc522 *m) {
    for (unsigned i = 0; i < m->n; i++)
        if (m->antenna[i].chip.version != 0x00 && m->antenna[i].chip.version != 0xFF)
            return "bus fault: only garbage comes from the SPI bus; does a board drive the data line while "
                   "it is not "
                   "selected? connect the readers one by one, shorten the wires, lower `speed`";
    return "no MFRC522 answers: check its supply, the data wires, the select lines and the reset line";
}

static unsigned count_ready(const struct mfrc522 *m) {
    unsigned n = 0;
    for (unsigned i = 0; i < m->n; i++)
        n += m->antenna[i].ready;
    return n;
}

static void report(struct reader *reader, enum driver_outcome outcome) {
    struct mfrc522 *m = reader->priv;
    m->reporting = true; // the host may ask for `again` and `inspect` now
    reader_scan_done(reader, (uint16_t)m->now, outcome);
    m->reporting = false;
}

// This chip does not answer as one should. Its pad learns nothing from that.
static void chip_failed(struct reader *reader, enum driver_fault fault) {
    struct mfrc522 *m = reader->priv;
    struct mfrc522_antenna *a = now(m);
    reader_fault(reader, fault);
    (void)mfrc522_chip_field(&a->chip, false); // its neighbours go on; a chip that is gone has none
    a->ready = a->field = false;
    a->revive_us = loop_now_us(reader->loop) + REVIVE_US;
    a->n_seen = 0;
    if (count_ready(m) == 0 && (m->told_up || m->resets == MFRC522_RESET_SELECTS)) {
        lost(reader, bus_trouble(m));
        return;
    }
    if (!m->inspecting && m->told_up)
        report(reader, DRIVER_FAILED);
    m->inspecting = false;
    choose(reader);
}

// ---- one exchange with the air

static void look(void *ctx) {
    struct reader *reader = ctx;
    struct mfrc522 *m = reader->priv;
    struct card_answer answer;
    switch (mfrc522_chip_poll(&now(m)->chip, &m->frame, &answer)) {
    case CHIP_BUSY:
        if (loop_now_us(reader->loop) < m->late_us)
            start_timer(reader, LOOK_US, look);
        else
            chip_failed(reader, DRIVER_FAULT_TIMEOUT);
        break;
    case CHIP_BROKEN:
        chip_failed(reader, DRIVER_FAULT_IO);
        break;
    default:
        m->took(reader, &answer);
        break;
    }
}

static void send(struct reader *reader, void (*took)(struct reader *, const struct card_answer *)) {
    struct mfrc522 *m = reader->priv;
    const struct card_frame *frame = &m->frame;
    m->took = took;
    if (!mfrc522_chip_send(&now(m)->chip, frame)) {
        chip_failed(reader, DRIVER_FAULT_IO);
        return;
    }
    int64_t out_us = (int64_t)frame->n * BYTE_US;
    int64_t back_us = FRAME_DELAY_US +
                      (frame->answer_is_wrong ? frame->wait_us : (int64_t)frame->answer_bytes * BYTE_US);
    m->late_us = loop_now_us(reader->loop) + out_us + frame->wait_us + back_us + EXCHANGE_LATE_US;
    start_timer(reader, out_us + back_us, look);
}

// ---- the end of an antenna's turn

static void leave(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    struct mfrc522_antenna *a = now(m);
    // A lone antenna keeps its field, which saves the guard time; without it, tags forget that they were
    // selected.
    // It would hear nothing from a tag that an interrupted scan left half selected, and take that for an
    // absence.
    bool keep = m->n == 1 && m->clean && a->n_seen >= a->n_before && m->resets != MFRC522_RESET_SELECTS;
    a->n_before = a->n_seen;
    a->field = a->kept = keep;
    if (!keep && !mfrc522_chip_field(&a->chip, false)) {
        m->inspecting = true; // its scan was reported
        chip_failed(reader, DRIVER_FAULT_IO);
        return;
    }
    mfrc522_sleep(m, m->now);
    choose(reader);
}

// ---- inspection: each tag is selected by its id and asked

static void inspect_next(struct reader *reader);

static void ask(struct reader *reader);

static void took_type2(struct reader *reader, const struct card_answer *answer) {
    struct mfrc522 *m = reader->priv;
    enum type2_outcome outcome = TYPE2_BROKEN;
    size_t n = answer->n;
    if (answer->reply == CARD_SILENT)
        outcome = TYPE2_SILENT;
    else if (answer->refused)
        outcome = TYPE2_REFUSED;
    else if (answer->reply == CARD_ANSWERED && n > 2 &&
             card_crc(answer->rx, n - 2) == (answer->rx[n - 2] | answer->rx[n - 1] << 8))
        outcome = TYPE2_ANSWERED;
    if (outcome == TYPE2_BROKEN)
        reader_fault(reader, DRIVER_FAULT_CHECKSUM);
    type2_answer(&m->type2, outcome, answer->rx, outcome == TYPE2_ANSWERED ? n - 2 : 0);
    if (m->type2.step != TYPE2_DONE && outcome != TYPE2_ANSWERED) {
        card_select_begin(&m->scan, &m->scan.tag[0]); // it fell asleep
        exchange(reader);
        return;
    }
    ask(reader);
}

static void ask(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    uint8_t command[TYPE2_COMMAND_MAX];
    size_t n = type2_next(&m->type2, command);
    if (n == 0) {
        if (m->type2.aborted)
            reader_fault(reader, DRIVER_FAULT_TIMEOUT);
        type2_report(&m->type2, reader, (uint16_t)m->now);
        inspect_next(reader);
        return;
    }
    m->frame =
        (struct card_frame){.n = n + 2, .wait_us = TYPE2_WAIT_US, .answer_bytes = TYPE2_ANSWER_MAX + 2};
    memcpy(m->frame.tx, command, n);
    uint16_t crc = card_crc(command, n);
    m->frame.tx[n] = (uint8_t)crc;
    m->frame.tx[n + 1] = (uint8_t)(crc >> 8);
    send(reader, took_type2);
}

static bool asked_already(const struct mfrc522_antenna *a, const struct card_tag *tag) {
    for (unsigned i = 0; i < a->n_asked; i++)
        if (a->asked[i].len == tag->len && memcmp(a->asked[i].id, tag->id, tag->len) == 0)
            return true;
    return false;
}

static void inspect_next(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    struct mfrc522_antenna *a = now(m);
    while (a->inspect && m->at_tag < a->n_seen && asked_already(a, &a->seen[m->at_tag]))
        m->at_tag++;
    if (!a->inspect || m->at_tag >= a->n_seen) {
        m->inspecting = false;
        leave(reader);
        return;
    }
    const struct card_tag *tag = &a->seen[m->at_tag++];
    if (a->n_asked == CARD_TAGS_MAX)
        a->n_asked = 0;
    a->asked[a->n_asked++] = *tag;
    type2_begin(&m->type2, tag->id, tag->len, tag->sak, m->key.given ? &m->key.point : NULL);
    m->inspecting = true;
    m->clean = false;
    if (m->type2.step == TYPE2_DONE) {
        ask(reader);
        return;
    }
    card_select_begin(&m->scan, tag);
    exchange(reader);
}

static void selected(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    if (m->scan.outcome != DRIVER_SEEN) { // lifted: what was asked counts as unanswered, twice
        while (m->type2.step != TYPE2_DONE)
            type2_answer(&m->type2, TYPE2_SILENT, NULL, 0);
    }
    ask(reader);
}

// ---- a scan

static void scanned(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    struct mfrc522_antenna *a = now(m);
    const struct card_scan *scan = &m->scan;
    if (scan->faulty)
        reader_fault(reader, scan->fault);
    // A tag that was halted and lost to another one is halted again and hears no second request. Tags forget
    // that only without field, so such a scan proves nothing, and the next begins with a dark moment.
    bool half = a->kept && scan->several && scan->n_tags == 1;
    enum driver_outcome outcome = half ? DRIVER_COLLIDED : scan->outcome;
    m->clean = !scan->faulty && !scan->several && scan->outcome <= DRIVER_NONE;
    a->n_seen = half ? 0 : scan->n_tags;
    for (unsigned i = 0; i < a->n_seen; i++) {
        a->seen[i] = scan->tag[i];
        reader_seen(reader, (uint16_t)m->now, scan->tag[i].id, scan->tag[i].len);
    }
    if (scan->outcome == DRIVER_NONE)
        a->n_asked = 0;
    m->backoff_us = BACKOFF_MIN_US;
    report(reader, outcome);
    m->at_tag = 0;
    inspect_next(reader);
}

static void took(struct reader *reader, const struct card_answer *answer) {
    struct mfrc522 *m = reader->priv;
    card_scan_answer(&m->scan, answer);
    exchange(reader);
}

static void exchange(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    if (card_scan_next(&m->scan, &m->frame))
        send(reader, took);
    else if (m->inspecting)
        selected(reader);
    else
        scanned(reader);
}

static void begin(void *ctx) {
    struct reader *reader = ctx;
    struct mfrc522 *m = reader->priv;
    card_scan_begin(&m->scan);
    exchange(reader);
}

static void field_on(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    struct mfrc522_antenna *a = now(m);
    if (a->field) {
        begin(reader);
        return;
    }
    if (!mfrc522_chip_field(&a->chip, true)) {
        chip_failed(reader, DRIVER_FAULT_IO);
        return;
    }
    a->field = true;
    start_timer(reader, m->guard_us, begin);
}

// ---- turns

static void set_up_now(void *ctx) {
    struct reader *reader = ctx;
    struct mfrc522 *m = reader->priv;
    struct mfrc522_antenna *a = now(m);
    a->field = a->kept = false;
    a->ready = mfrc522_chip_setup(&a->chip) && mfrc522_chip_known(a->chip.version);
    if (!a->ready) {
        chip_failed(reader, DRIVER_FAULT_STATUS);
        return;
    }
    if (!m->told_up)
        up(reader);
    field_on(reader);
}

static void turn(void *ctx) {
    struct reader *reader = ctx;
    struct mfrc522 *m = reader->priv;
    struct mfrc522_antenna *a = now(m);
    int64_t at = loop_now_us(reader->loop);
    a->scanned_us = at;
    a->again = false;
    if (m->resets == MFRC522_RESET_SELECTS) {
        mfrc522_wake(m, m->now);
        start_timer(reader, RESET_US, set_up_now);
    } else if (a->ready) {
        field_on(reader);
    } else if (at >= a->revive_us && mfrc522_chip_soft_reset(&a->chip)) {
        start_timer(reader, RESET_US, set_up_now);
    } else {
        report(reader, DRIVER_FAILED);
        choose(reader);
    }
}

// An antenna that is not sure yet goes first, then the one that has waited longest.
static void choose(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    int64_t at = loop_now_us(reader->loop), best = INT64_MAX;
    for (unsigned i = 0; i < m->n; i++) {
        const struct mfrc522_antenna *a = &m->antenna[i];
        int64_t due = a->scanned_us + (a->again ? POLL_MIN_US : m->poll_us);
        if (a->again && due <= at)
            due = 0;
        if (due < best) {
            best = due;
            m->now = i;
        }
    }
    start_timer(reader, best > at ? best - at : 0, turn);
}

// ---- the beginning

static void up(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    char why[200];
    unsigned n = count_ready(m);
    size_t at = (size_t)snprintf(why, sizeof why, "%u of %u MFRC522 ready", n, m->n);
    for (unsigned i = 0, first = 1; n < m->n && i < m->n && at + 24 < sizeof why; i++)
        if (!m->antenna[i].ready) {
            at +=
                (size_t)snprintf(why + at, sizeof why - at, "%s%u", first ? "; silent antennas: " : ", ", i);
            first = 0;
        }
    m->told_up = true;
    reader_health(reader, true, why);
}

static void set_up_all(void *ctx) {
    struct reader *reader = ctx;
    struct mfrc522 *m = reader->priv;
    for (unsigned i = 0; i < m->n; i++) {
        struct mfrc522_antenna *a = &m->antenna[i];
        mfrc522_wake(m, i);
        a->ready = mfrc522_chip_setup(&a->chip) && mfrc522_chip_known(a->chip.version) &&
                   mfrc522_chip_field(&a->chip, false);
        a->field = a->kept = false;
        a->n_seen = a->n_before = a->n_asked = 0;
        a->revive_us = loop_now_us(reader->loop) + REVIVE_US;
        a->scanned_us = loop_now_us(reader->loop) - m->poll_us + (int64_t)i;
    }
    m->inspecting = false;
    if (count_ready(m) == 0) {
        reader_fault(reader, DRIVER_FAULT_STATUS);
        lost(reader, bus_trouble(m));
        return;
    }
    up(reader);
    choose(reader);
}

static void reset_all(void *ctx) {
    struct reader *reader = ctx;
    struct mfrc522 *m = reader->priv;
    mfrc522_wake(m, MFRC522_ALL);
    for (unsigned i = 0; i < m->n; i++)
        (void)mfrc522_chip_soft_reset(&m->antenna[i].chip); // its set-up tells what became of it
    start_timer(reader, RESET_US, set_up_all);
}

// Chips that share everything but the reset line cannot all be awake: each is set up in its turn, and the
// first that answers stands for those whose turn has not come.
static void begin_by_turns(void *ctx) {
    struct reader *reader = ctx;
    struct mfrc522 *m = reader->priv;
    for (unsigned i = 0; i < m->n; i++)
        m->antenna[i].ready = true;
    choose(reader);
}

static void attempt(void *ctx) {
    struct reader *reader = ctx;
    struct mfrc522 *m = reader->priv;
    struct error err;
    m->told_up = m->inspecting = false;
    if (mfrc522_acquire(m, &err) != ERROR_OK) {
        reader_fault(reader, DRIVER_FAULT_IO);
        lost(reader, err.text);
        return;
    }
    start_timer(reader, RESET_LOW_US, m->resets == MFRC522_RESET_SELECTS ? begin_by_turns : reset_all);
}

// ---- the driver

static void mfrc522_again(struct reader *reader, uint16_t antenna) {
    struct mfrc522 *m = reader->priv;
    if (antenna >= m->n)
        return;
    m->antenna[antenna].again = true;
    if (!m->reporting && m->timer.fn == turn && loop_timer_running(&m->timer))
        choose(reader);
}

static void mfrc522_inspect(struct reader *reader, uint16_t antenna, bool on) {
    struct mfrc522 *m = reader->priv;
    if (antenna >= m->n)
        return;
    if (on && !m->antenna[antenna].inspect)
        m->antenna[antenna].n_asked = 0;
    m->antenna[antenna].inspect = on;
}

static enum error_code mfrc522_open(struct reader *reader, struct error *err) {
    struct mfrc522 *m = reader->priv;
    struct driver_needs needs = {0};
    mfrc522_init(m);
    if (mfrc522_read_config(reader->conf, m, &needs, err) != ERROR_OK)
        return err->code;
    m->backoff_us = BACKOFF_MIN_US;
    reader->antennas = (uint16_t)m->n;
    start_timer(reader, 0, attempt);
    return ERROR_OK;
}

static enum error_code mfrc522_check(const struct config_section *conf, struct driver_needs *ret,
                                     struct error *err) {
    struct mfrc522 *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(err, ERROR_INTERNAL, config_where(conf), "out of memory");
    mfrc522_init(m);
    enum error_code code = mfrc522_read_config(conf, m, ret, err);
    free(m);
    return code;
}

static void mfrc522_close(struct reader *reader) {
    struct mfrc522 *m = reader->priv;
    loop_timer_stop(reader->loop, &m->timer);
    mfrc522_release(m);
}

const struct driver mfrc522_driver = {
    .name = "mfrc522",
    .summary = "MFRC522 (RC522) chips on one SPI bus, each an antenna",
    .params = mfrc522_params,
    .capabilities = DRIVER_SEES_REMOVAL | DRIVER_SEES_SEVERAL | DRIVER_READS_MEMORY | DRIVER_CHECKS_SIGNATURE,
    .priv_size = sizeof(struct mfrc522),
    .check = mfrc522_check,
    .open = mfrc522_open,
    .close = mfrc522_close,
    .again = mfrc522_again,
    .inspect = mfrc522_inspect,
};
