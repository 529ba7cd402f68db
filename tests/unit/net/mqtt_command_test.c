// Commands over the broker: what is taken, what is dropped, where the answers go.
#include "mqtt_bench.h"

static void start(struct bench *b, const char *lines) {
    b->mqtt = bench_mqtt(b, lines, 1);
    bench_expect_connected(b, true);
    bench_listen(b, "#");
    bench_expect(b, "main/status", "state");
}

static void show(struct bench *b) {
    door_stub_show_all(b->door, "main");
    bench_expect(b, "main/status", "ready");
}

static void send_with(struct bench *b, const char *below, const char *payload, const char *correlation,
                      bool retain) {
    char topic[128];
    mosquitto_property *properties = NULL;
    if (correlation != NULL)
        mosquitto_property_add_binary(&properties, MQTT_PROP_CORRELATION_DATA, correlation,
                                      (uint16_t)strlen(correlation));
    snprintf(topic, sizeof topic, "tabled/v1/home/%s", below);
    assert_int_equal(mosquitto_publish_v5(b->ear->client, NULL, topic, (int)strlen(payload), payload, 1,
                                          retain, properties),
                     0);
    mosquitto_property_free_all(&properties);
}

static bool action_nine_has_come(struct bench *b, const void *what) {
    (void)what;
    return b->door->last.if_seq == 9;
}

static bool resume_has_come(struct bench *b, const void *what) {
    (void)what;
    return b->door->last.kind == DOOR_STUB_CONTROL && b->door->last.control.control == DOOR_RESUME;
}

static void every_verb_reaches_the_door(void **state) {
    struct bench *b = *state;
    start(b, "commands = yes");
    show(b);
    send_with(b, "main/cmd/ann/pause", "{\"reason\":\"pizza\"}", "c1", false);
    bench_expect(
        b, "main/reply/ann",
        "{\"verb\":\"pause\",\"code\":\"ok\",\"rule\":\"\",\"text\":\"\",\"where\":\"\",\"version\":42,"
        "\"accepted\":false}");
    assert_string_equal(bench_latest(b, "main/reply/ann")->correlation, "c1");
    assert_int_equal(b->door->last.control.control, DOOR_PAUSE);
    assert_string_equal(b->door->last.reason, "pizza");
    assert_int_equal(b->door->last.who.role, DOOR_OPERATOR);
    assert_string_equal(b->door->last.who.name, "ann");
    assert_string_equal(b->door->last.who.cause, "mqtt");
    assert_string_equal(b->door->last.table, "main");
    send_with(b, "main/cmd/ann/resume", "", "c2", false);
    bench_expect(b, "main/reply/ann", "\"verb\":\"resume\",\"code\":\"ok\"");
    assert_int_equal(b->door->last.control.control, DOOR_RESUME);
    send_with(b, "main/cmd/bob/choose", "{\"choice\":3,\"option\":1}", "c3", false);
    bench_expect(b, "main/reply/bob", "\"verb\":\"choose\",\"code\":\"ok\"");
    assert_int_equal(b->door->last.control.choice, 3);
    assert_int_equal(b->door->last.control.option, 1);
    send_with(b, "main/cmd/bob/act", "s2 swap a=s2 b=s4", "c4", false);
    bench_expect(b, "main/reply/bob", "\"verb\":\"act\",\"code\":\"ok\"");
    assert_string_equal(b->door->last.action, "s2 swap a=s2 b=s4");
    send_with(b, "main/cmd/bob/act", "{\"by\":\"s2\",\"do\":\"pass\",\"args\":{},\"if_seq\":9}", NULL, false);
    bench_expect(b, "main/reply/bob", "\"verb\":\"act\",\"code\":\"ok\"");
    assert_true(bench_until(b, action_nine_has_come, NULL));
    assert_non_null(strstr(b->door->last.action, "\"do\":\"pass\""));
}

static void refusals_come_back_with_their_rule(void **state) {
    struct bench *b = *state;
    start(b, "commands = yes");
    show(b);
    door_stub_refuse(b->door, ERROR_ILLEGAL, "R7", "not yourself");
    send_with(b, "main/cmd/ann/act", "s2 swap a=s2 b=s2", "c1", false);
    bench_expect(b, "main/reply/ann", "\"code\":\"illegal\",\"rule\":\"R7\",\"text\":\"not yourself\"");
    static const struct {
        const char *below, *payload, *want;
    } rows[] = {
        {"main/cmd/ann/undo", "", "\"code\":\"not_found\""},
        {"main/cmd/ann/pause", "{\"do\":\"end\"}", "\"code\":\"invalid\""},
        {"main/cmd/ann/pause", "{\"reason\":7}", "\"code\":\"invalid\""},
        {"main/cmd/ann/pause", "{\"reason\":\"a\",\"reason\":\"b\"}", "\"code\":\"invalid\""},
        {"main/cmd/ann/act", "", "\"code\":\"invalid\""},
        {"main/cmd/ann/act", "{\"by\":", "\"code\":\"invalid\""},
        {"nowhere/cmd/ann/pause", "", NULL},
    };
    size_t before = b->door->n_requests;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char correlation[8];
        snprintf(correlation, sizeof correlation, "r%zu", i);
        bench_forget(b);
        send_with(b, rows[i].below, rows[i].payload, correlation, false);
        bench_expect(b, rows[i].want != NULL ? "main/reply/ann" : "nowhere/reply/ann",
                     rows[i].want != NULL ? rows[i].want : "\"code\":\"not_found\"");
    }
    assert_int_equal(b->door->n_requests, before);
}

// In the dark an answer tells that it was taken and nothing more.
static void the_dark_answers_alike(void **state) {
    struct bench *b = *state;
    start(b, "commands = yes");
    show(b);
    b->door->answer = (struct door_answer){.code = ERROR_OK, .accepted_only = true, .version = 99};
    send_with(b, "main/cmd/ann/act", "s2 swap a=s1 b=s3", "c1", false);
    bench_expect(b, "main/reply/ann", "\"version\":0,\"accepted\":true}");
}

static void they_are_off_unless_asked_for(void **state) {
    struct bench *b = *state;
    start(b, "");
    show(b);
    send_with(b, "main/cmd/ann/pause", "", NULL, false);
    door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "after");
    bench_expect(b, "main/cmd/ann/pause", "");
    bench_expect(b, "main/public/event", "after");
    assert_int_equal(b->door->n_requests, 0);
}

static void b090_retained_commands_are_dropped(void **state) {
    struct bench *b = *state;
    bench_listen(b, "#");
    send_with(b, "main/cmd/ann/pause", "{}", NULL, true);
    bench_expect(b, "main/cmd/ann/pause", "{}");
    door_stub_show_all(b->door, "main");
    start(b, "commands = yes");
    bench_expect_log(b, "dropped a retained command");
    send_with(b, "main/cmd/ann/resume", "{}", NULL, true); // retained now, while we listen: the same
    send_with(b, "main/cmd/bob/resume", "", NULL, false);
    bench_expect(b, "main/reply/bob", "ok");
    assert_int_equal(b->door->n_requests, 1);
    assert_null(bench_latest(b, "main/reply/ann"));
    broker_kill(&b->broker);
}

static void b091_before_the_table_is_there_nothing_is_done(void **state) {
    struct bench *b = *state;
    start(b, "commands = yes");
    send_with(b, "main/cmd/ann/pause", "", "c1", false);
    bench_expect(b, "main/reply/ann", "\"code\":\"not_now\"");
    show(b);
    send_with(b, "main/cmd/ann/pause", "", "c1", false); // the same once more: known, and not done later
    send_with(b, "main/cmd/ann/resume", "", "c2", false);
    bench_expect(b, "main/reply/ann", "\"verb\":\"resume\",\"code\":\"ok\"");
    assert_int_equal(b->door->n_requests, 1);
}

static void b092_what_comes_twice_is_done_once(void **state) {
    struct bench *b = *state;
    start(b, "commands = yes");
    show(b);
    for (int i = 0; i < 2; i++)
        send_with(b, "main/cmd/ann/act", "s1 done", "again", false);
    send_with(b, "main/cmd/bob/act", "s1 done", "again", false); // another user's
    bench_expect(b, "main/reply/bob", "ok");
    assert_int_equal(b->door->n_requests, 2);
    send_with(b, "main/cmd/ann/act", "s1 done", NULL, false); // could not be known again
    bench_expect(b, "main/reply/ann", "send correlation data or if_seq");
    assert_int_equal(b->door->n_requests, 2);
    for (int i = 0; i < 256; i++) { // the list is 256 long; a user has 60 at once
        char correlation[16], below[48];
        snprintf(correlation, sizeof correlation, "n%d", i);
        snprintf(below, sizeof below, "main/cmd/guest-%d/pause", i % 8);
        send_with(b, below, "", correlation, false);
    }
    send_with(b, "main/cmd/guest-0/pause", "", "n0", false);
    send_with(b, "main/cmd/eve/resume", "", "end", false);
    bench_expect(b, "main/reply/eve", "ok");
    assert_int_equal(b->door->n_requests, 2 + 256 + 1);
}

static bool was_said(struct bench *b, const void *what) {
    for (size_t i = 0; i < b->ear->n; i++)
        if (strstr(b->ear->heard[i].payload, what) != NULL)
            return true;
    return false;
}

// A flood reaches the door as slowly as over REST, takes nothing from others, and is not answered with a
// flood.
static void a_flood_is_slowed_down(void **state) {
    struct bench *b = *state;
    enum { FLOOD = 400 };
    start(b, "commands = yes");
    show(b);
    int64_t begun_us = clock_mono_us(clock_real());
    for (int i = 0; i < FLOOD; i++)
        send_with(b, "main/cmd/ann/pause", "{}", NULL, false);
    assert_true(bench_until(b, was_said, "\"code\":\"rate\""));
    send_with(b, "main/cmd/bob/resume", "{}", NULL, false);
    bench_expect(b, "main/reply/bob", "\"verb\":\"resume\",\"code\":\"ok\"");
    int64_t took_us = clock_mono_us(clock_real()) - begun_us; // twenty a second come through meanwhile
    assert_in_range(b->door->n_requests, 61, (size_t)(62 + took_us / 50000));
}

static void what_has_the_wrong_shape_is_dropped(void **state) {
    struct bench *b = *state;
    start(b, "commands = yes");
    show(b);
    static char large[17 * 1024];
    memset(large, 'x', sizeof large - 1);
    send_with(b, "main/cmd/Ann/pause", "", NULL, false);
    send_with(b, "main/cmd/an n/pause", "", NULL, false);
    send_with(b, "main/cmd/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/pause", "", NULL, false);
    send_with(b, "main/cmd//pause", "", NULL, false);
    send_with(b, "main/cmd/ann/", "", NULL, false);
    send_with(b, "MAIN/cmd/ann/pause", "", NULL, false);
    send_with(b, "main/cmd/ann/act", large, "c1", false);
    send_with(b, "main/cmd/ann/pause", "",
              "0123456789012345678901234567890123456789012345678901234567890123456789", false);
    send_with(b, "main/cmd/ann/resume", "", NULL, false);
    bench_expect(b, "main/reply/ann", "resume");
    assert_int_equal(b->door->n_requests, 1);
    mqtt_destroy(b->mqtt);
    b->mqtt = NULL;
    bench_expect_log(b, "taken=1 refused=0 retained=0 repeated=0 malformed=7 too_large=1");
}

// The door answers later: after the connection is gone, or after MQTT itself is.
static void late_answers_find_their_way_or_nobody(void **state) {
    struct bench *b = *state;
    start(b, "commands = yes");
    show(b);
    b->door->later = true;
    for (int i = 0; i < 70; i++) { // 64 may wait
        char correlation[8];
        snprintf(correlation, sizeof correlation, "w%d", i);
        send_with(b, i % 2 ? "main/cmd/bob/pause" : "main/cmd/ann/pause", "", correlation, false);
    }
    bench_expect(b, "main/reply/ann", "\"code\":\"busy\"");
    assert_int_equal(b->door->n_waiting, 64);
    door_stub_reply(b->door);
    bench_expect(b, "main/reply/ann", "\"code\":\"ok\"");
    send_with(b, "main/cmd/ann/resume", "", "last", false);
    assert_true(bench_until(b, resume_has_come, NULL));
    mqtt_destroy(b->mqtt);
    b->mqtt = NULL;
    door_stub_reply(b->door);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        // First, because it reads the log: call sites that speak too often fall silent for a while.
        BENCH_TEST(what_has_the_wrong_shape_is_dropped),
        BENCH_TEST(every_verb_reaches_the_door),
        BENCH_TEST(refusals_come_back_with_their_rule),
        BENCH_TEST(the_dark_answers_alike),
        BENCH_TEST(they_are_off_unless_asked_for),
        BENCH_TEST(b090_retained_commands_are_dropped),
        BENCH_TEST(b091_before_the_table_is_there_nothing_is_done),
        BENCH_TEST(b092_what_comes_twice_is_done_once),
        BENCH_TEST(a_flood_is_slowed_down),
        BENCH_TEST(late_answers_find_their_way_or_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
