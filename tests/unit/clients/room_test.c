// Sessions, gaps and staleness as a client sees them; --render as a source.
#include "core/log.h"
#include "room/room__.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// cmocka needs the three above
#include <cmocka.h>

struct bench {
    struct clock_virtual clock;
    struct loop *loop;
    struct room *room;
    FILE *file;
    char path[64];
    char told[4096]; // what the client was told, one word each
};

static void say(struct bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct bench *b, const char *format, ...) {
    va_list args;
    size_t len = strlen(b->told);
    va_start(args, format);
    vsnprintf(b->told + len, sizeof b->told - len, format, args);
    va_end(args);
}

static void on_status(void *ctx, const struct room_status *s) {
    say(ctx, "%s%s ", s->well ? "well" : "ill", s->stale ? "-stale" : "");
}
static void on_phase(void *ctx, const Tabled__V1__Phase *phase) {
    say(ctx, "phase:%s ", phase ? phase->id : "none");
}
static void on_event(void *ctx, const Tabled__V1__Event *event) {
    say(ctx, "event:%llu ", (unsigned long long)event->header->seq);
}
static void on_narration(void *ctx, const Tabled__V1__Narration *n) {
    struct bench *b = ctx;
    say(b, "say:%s@%lld ", n->n_lines ? n->lines[0]->id : "", (long long)(loop_now_us(b->loop) / 1000));
}
static void on_reset(void *ctx) {
    say(ctx, "reset ");
}
static void on_missed(void *ctx, uint64_t n) {
    say(ctx, "missed:%llu ", (unsigned long long)n);
}
static void on_end(void *ctx) {
    say(ctx, "end ");
}
static const struct room_calls calls = {.status = on_status,
                                        .phase = on_phase,
                                        .event = on_event,
                                        .narration = on_narration,
                                        .reset = on_reset,
                                        .missed = on_missed,
                                        .end = on_end};

static int build(void **state, bool render, const char *lines) {
    struct bench *b = calloc(1, sizeof *b);
    struct room_options options = {.render = render,
                                   .site = "home",
                                   .table = "main",
                                   .stale_after_ms = 5000,
                                   .client_id = "room-test",
                                   .host = "127.0.0.1", // nobody listens there; the session is what is tested
                                   .port = 1,
                                   .root = "tabled/v1",
                                   .keepalive_s = 15,
                                   .retry_min_ms = 1000,
                                   .retry_max_ms = 60000};
    clock_virtual_init(&b->clock);
    assert_int_equal(loop_create(&b->clock.base, &b->clock, &b->loop, NULL), 0);
    if (render) {
        snprintf(b->path, sizeof b->path, "/tmp/room_test.XXXXXX");
        int fd = mkstemp(b->path);
        assert_true(fd >= 0 && write(fd, lines, strlen(lines)) == (ssize_t)strlen(lines));
        close(fd);
        options.input = b->path;
    }
    log_set_level(LOG_LEVEL_ERROR);
    assert_int_equal(room_create(b->loop, &options, &calls, b, &b->room, NULL), 0);
    b->told[0] = '\0';
    *state = b;
    return 0;
}

static int set_up(void **state) {
    return build(state, false, NULL);
}

static int tear_down(void **state) {
    struct bench *b = *state;
    room_destroy(b->room);
    loop_destroy(b->loop);
    if (*b->path)
        unlink(b->path);
    free(b);
    return 0;
}

static void expect(struct bench *b, const char *told) {
    assert_string_equal(b->told, told);
    b->told[0] = '\0';
}

static Tabled__V1__Status status(Tabled__V1__State state, const char *boot) {
    Tabled__V1__Status s = TABLED__V1__STATUS__INIT;
    s.state = state;
    s.boot_id = (char *)boot;
    return s;
}

static void daemon_is(struct bench *b, Tabled__V1__State state, const char *boot) {
    Tabled__V1__Status s = status(state, boot);
    room__daemon(b->room, &s);
}

static void table_is(struct bench *b, Tabled__V1__State state, const char *boot) {
    Tabled__V1__Status s = status(state, boot);
    room__table(b->room, &s);
}

// A message of a topic as it comes off the wire.
static ProtobufCMessage *message(enum topic topic, const char *boot, uint64_t seq, uint64_t at_ms,
                                 const char *id) {
    Tabled__V1__Header header = TABLED__V1__HEADER__INIT;
    Tabled__V1__Time at = TABLED__V1__TIME__INIT;
    Tabled__V1__Phase phase = TABLED__V1__PHASE__INIT;
    Tabled__V1__Event event = TABLED__V1__EVENT__INIT;
    uint8_t bytes[512];
    header.boot_id = (char *)boot;
    header.seq = seq;
    header.at = &at;
    at.unix_ms = at_ms;
    phase.header = event.header = &header;
    phase.id = (char *)id;
    const ProtobufCMessage *from = topic == TOPIC_PHASE ? &phase.base : &event.base;
    size_t len = protobuf_c_message_pack(from, bytes);
    return protobuf_c_message_unpack(room__type(topic), NULL, len, bytes);
}

static void event(struct bench *b, const char *boot, uint64_t seq) {
    room__message(b->room, TOPIC_EVENT, message(TOPIC_EVENT, boot, seq, 1000, ""), true);
}
static void phase(struct bench *b, const char *boot, uint64_t seq, const char *id, bool fresh) {
    room__message(b->room, TOPIC_PHASE, message(TOPIC_PHASE, boot, seq, 1000 + seq, id), fresh);
}

#define READY TABLED__V1__STATE__STATE_READY
#define LOST TABLED__V1__STATE__STATE_LOST

static void b085_a_late_will_of_a_former_session_is_not_told(void **state) {
    struct bench *b = *state;
    room__connected(b->room, true);
    daemon_is(b, READY, "b2");
    table_is(b, READY, "b2");
    expect(b, "ill ill well ");
    daemon_is(b, LOST, "b1");
    expect(b, "");
    assert_true(room_status(b->room)->well);
    daemon_is(b, LOST, "b2");
    expect(b, "ill ");
}

static void a_late_will_kept_by_the_broker_gives_way_to_who_speaks(void **state) {
    struct bench *b = *state;
    room__connected(b->room, true);
    daemon_is(b, LOST, "b1"); // it was retained over the birth of b2
    table_is(b, READY, "b2");
    phase(b, "b2", 4, "day", false);
    expect(b, "ill ill ill ");
    phase(b, "b2", 5, "vote", true);
    expect(b, "reset phase:day well phase:vote ");
}

static void retained_leftovers_of_another_boot_are_not_shown(void **state) {
    struct bench *b = *state;
    room__connected(b->room, true);
    phase(b, "b1", 9, "night", false); // of a daemon that died
    daemon_is(b, READY, "b2");
    table_is(b, READY, "b2");
    expect(b, "ill ill well ");
    phase(b, "b1", 9, "night", false);
    expect(b, "");
    phase(b, "b2", 1, "deal", false);
    expect(b, "phase:deal ");
    assert_string_equal(room_levels(b->room).phase->id, "deal");
}

static void levels_before_the_birth_wait_for_it(void **state) {
    struct bench *b = *state;
    room__connected(b->room, true);
    phase(b, "b1", 9, "night", false);
    expect(b, "ill ");
    daemon_is(b, READY, "b1");
    expect(b, "phase:night ill ");
}

static void a_broker_that_hides_the_status_still_shows_the_newest(void **state) {
    struct bench *b = *state;
    room__connected(b->room, true);
    phase(b, "b1", 9, "night", false);
    b->told[0] = '\0';
    while (!*b->told)
        loop_turn(b->loop, 1000000);
    expect(b, "phase:night ill ");
}

static void another_boot_forgets_every_level(void **state) {
    struct bench *b = *state;
    room__connected(b->room, true);
    daemon_is(b, READY, "b1");
    table_is(b, READY, "b1");
    phase(b, "b1", 9, "night", true);
    event(b, "b1", 30);
    b->told[0] = '\0';
    daemon_is(b, READY, "b2");
    event(b, "b2", 1);
    expect(b, "reset well event:1 ");
    assert_null(room_levels(b->room).phase);
}

// Taken out of the configuration while nobody listened: its topics are empty, so nothing says that it is
// gone.
static void a_table_of_a_former_boot_alone_is_not_well(void **state) {
    struct bench *b = *state;
    room__connected(b->room, true);
    daemon_is(b, READY, "b1");
    table_is(b, READY, "b1");
    room__connected(b->room, false);
    room__connected(b->room, true);
    b->told[0] = '\0';
    daemon_is(b, READY, "b2");
    for (int i = 0; i < 10; i++)
        loop_turn(b->loop, 1000000);
    expect(b, "reset well ill ill-stale ");
    table_is(b, READY, "b2"); // it is there after all
    expect(b, "well ");
    daemon_is(b, READY, "b3");
    table_is(b, READY, "b3");
    for (int i = 0; i < 10; i++)
        loop_turn(b->loop, 1000000);
    expect(b, "reset well well ");
}

static void b092_the_same_message_twice_is_told_once(void **state) {
    struct bench *b = *state;
    daemon_is(b, READY, "b1");
    event(b, "b1", 5);
    event(b, "b1", 5);
    event(b, "b1", 4);
    phase(b, "b1", 2, "day", true);
    phase(b, "b1", 2, "day", false);
    phase(b, "b1", 1, "night", true);
    expect(b, "ill event:5 phase:day ");
}

static void a_gap_is_told(void **state) {
    struct bench *b = *state;
    daemon_is(b, READY, "b1");
    event(b, "b1", 5);
    event(b, "b1", 9);
    expect(b, "ill event:5 missed:3 event:9 ");
}

static void what_is_away_turns_stale_and_comes_back(void **state) {
    struct bench *b = *state;
    room__connected(b->room, true);
    daemon_is(b, READY, "b1");
    table_is(b, READY, "b1");
    room__connected(b->room, false);
    b->told[0] = '\0';
    int64_t from = loop_now_us(b->loop);
    while (!*b->told)
        loop_turn(b->loop, 1000000);
    expect(b, "ill-stale ");
    assert_int_equal(loop_now_us(b->loop) - from, 5000000);
    room__connected(b->room, true);
    expect(b, "well ");
}

static void b098_a_set_clock_moves_no_deadline(void **state) {
    struct bench *b = *state;
    Tabled__V1__Time when = TABLED__V1__TIME__INIT;
    daemon_is(b, READY, "b1");
    when.unix_ms = 501000;
    room__message(b->room, TOPIC_EVENT, message(TOPIC_EVENT, "b1", 1, 500000, ""), true);
    int64_t due = room_due_us(b->room, &when);
    assert_int_equal(due, loop_now_us(b->loop) + 1000000);
    clock_virtual_step_wall(&b->clock, 86400 * 1000000LL); // ours
    assert_int_equal(room_due_us(b->room, &when), due);
    when.unix_ms = 101000; // the daemon's, back
    room__message(b->room, TOPIC_EVENT, message(TOPIC_EVENT, "b1", 2, 100000, ""), true);
    assert_int_equal(room_due_us(b->room, &when), due);
    when.unix_ms = 901000; // and forward
    room__message(b->room, TOPIC_EVENT, message(TOPIC_EVENT, "b1", 3, 900000, ""), true);
    assert_int_equal(room_due_us(b->room, &when), due);
}

static void times_that_cannot_be_are_none(void **state) {
    struct bench *b = *state;
    static const uint64_t absurd[] = {UINT64_C(253402300800000), INT64_MAX / 1000 + 1, INT64_MAX,
                                      (uint64_t)INT64_MAX + 1, UINT64_MAX};
    Tabled__V1__Time when = TABLED__V1__TIME__INIT;
    daemon_is(b, READY, "b1");
    room__message(b->room, TOPIC_EVENT, message(TOPIC_EVENT, "b1", 1, 500000, ""), true);
    when.unix_ms = 501000;
    int64_t due = room_due_us(b->room, &when);
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        room__message(b->room, TOPIC_EVENT, message(TOPIC_EVENT, "b1", 2 + i, absurd[i], ""), true);
        when.unix_ms = 501000;
        assert_int_equal(room_due_us(b->room, &when), due); // the clock was not learned from it
        when.unix_ms = absurd[i];
        assert_int_equal(room_due_us(b->room, &when), 0);
    }
}

static const char log_lines[] =
    "{\"ms\":0,\"table\":\"main\",\"topic\":\"public/phase\",\"message\":{\"header\":{\"boot_id\":\"b1\","
    "\"seq\":1,\"at\":\"2026-01-01T00:00:00.000Z\",\"table\":\"main\",\"audience\":\"public\",\"game_id\":"
    "\"\"},"
    "\"id\":\"deal\",\"veil\":\"sealed\",\"turn\":[\"s1\",\"s2\"],\"deadline\":null}}\n"
    "{\"ms\":0,\"table\":\"other\",\"topic\":\"public/phase\",\"message\":{\"id\":\"other\"}}\n"
    "\n"
    "{\"ms\":30085,\"table\":\"main\",\"topic\":\"public/"
    "narration\",\"message\":{\"header\":{\"boot_id\":\"b1\","
    "\"seq\":2,\"at\":\"2026-01-01T00:00:30.085Z\",\"table\":\"main\",\"audience\":\"public\",\"game_id\":"
    "\"\"},"
    "\"locale\":\"en\",\"starts_at\":\"2026-01-01T00:00:30.085Z\",\"lines\":[{\"id\":\"eyes\",\"text\":\"x\","
    "\"at_ms\":0}]}}\n";

static int render_set_up(void **state) {
    return build(state, true, log_lines);
}

static void render_keeps_the_time_of_the_log(void **state) {
    struct bench *b = *state;
    assert_int_equal(loop_run(b->loop), 0);
    expect(b, "well phase:deal say:eyes@30085 end ");
    Tabled__V1__Time when = TABLED__V1__TIME__INIT;
    when.unix_ms = 1767225600000 + 60000;
    assert_int_equal(room_due_us(b->room, &when), 60000000);
}

static int broken_set_up(void **state) {
    return build(state, true, "not json\n");
}

static void a_line_that_is_none_ends_the_rendering(void **state) {
    struct bench *b = *state;
    assert_int_equal(loop_run(b->loop), 1);
    expect(b, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(b085_a_late_will_of_a_former_session_is_not_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_late_will_kept_by_the_broker_gives_way_to_who_speaks, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(retained_leftovers_of_another_boot_are_not_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(levels_before_the_birth_wait_for_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_broker_that_hides_the_status_still_shows_the_newest, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(another_boot_forgets_every_level, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_of_a_former_boot_alone_is_not_well, set_up, tear_down),
        cmocka_unit_test_setup_teardown(b092_the_same_message_twice_is_told_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_gap_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_away_turns_stale_and_comes_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(b098_a_set_clock_moves_no_deadline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(times_that_cannot_be_are_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(render_keeps_the_time_of_the_log, render_set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_that_is_none_ends_the_rendering, broken_set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
