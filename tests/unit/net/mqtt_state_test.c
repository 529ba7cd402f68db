// What is on the broker: birth, state, the end, and what was left by others.
#include "mqtt_bench.h"
#include "public.pb-c.h"
#include <fcntl.h>
#include <sys/wait.h>

static void start(struct bench *b) {
    door_stub_show_all(b->door, "main");
    bench_readers(b);
    b->mqtt = bench_mqtt(b, "", 1);
    bench_expect_connected(b, true);
}

// An ear that comes when all is said.
static void listen_late(struct bench *b) {
    bench_listen(b, "#");
    bench_expect(b, "main/health/readers", "north");
    bench_listen(b, "#");
    bench_expect(b, "main/health/readers", "north");
}

static void a_late_subscriber_finds_everything(void **state) {
    struct bench *b = *state;
    start(b);
    listen_late(b);
    bench_expect(b, "daemon/status", "\"state\":\"ready\"");
    bench_expect(b, "main/status",
                 "\"boot_id\":\"0000000000000001\",\"state\":\"ready\",\"version\":\"1.2.3\"");
    bench_expect(b, "main/info", "\"games\":[\"one_night\"],\"formats\":[\"json\",\"protobuf\"]");
    static const char *const parts[] = {"game", "phase", "board", "seats", "violation", "result"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char below[64];
        snprintf(below, sizeof below, "main/public/%s", parts[i]);
        bench_expect(b, below, "\"audience\":\"public\"");
        assert_true(bench_latest(b, below)->retained);
        assert_int_equal(bench_latest(b, below)->expiry_s, 0);
        assert_string_equal(bench_latest(b, below)->content, "application/json");
        snprintf(below, sizeof below, "main/public-pb/%s", parts[i]);
        bench_expect(b, below, "");
        assert_string_equal(bench_latest(b, below)->content, "application/x-protobuf");
    }
    bench_expect(b, "main/health/readers", "\"name\":\"north\",\"driver\":\"sim\",\"up\":true");
    const struct heard *h = bench_latest(b, "main/public-pb/phase");
    Tabled__V1__Phase *phase = tabled__v1__phase__unpack(NULL, h->len, (const uint8_t *)h->payload);
    assert_string_equal(phase->id, "day");
    tabled__v1__phase__free_unpacked(phase, NULL);
}

// What a seat knows never reaches the broker, on no topic.
static void seats_stay_at_home(void **state) {
    struct bench *b = *state;
    b->mqtt = bench_mqtt(b, "", 1);
    bench_expect_connected(b, true);
    bench_listen(b, "#");
    for (int i = 0; i < 20; i++) {
        door_stub_show_all(b->door, "main");
        door_stub_event(b->door, "main", 1, OBSERVE_EVENT_ACTION, "canary");
    }
    door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_PROMPT, "the end");
    bench_expect(b, "main/public/event", "the end");
    for (size_t i = 0; i < b->ear->n; i++) {
        assert_null(memmem(b->ear->heard[i].payload, b->ear->heard[i].len, "canary", 6));
        assert_null(strstr(b->ear->heard[i].payload, "\"audience\":\"s"));
    }
}

static void events_come_in_both_encodings_and_expire(void **state) {
    struct bench *b = *state;
    start(b);
    bench_listen(b, "tabled/v1/home/main/#");
    door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_PAUSED, "first");
    door_stub_narrate(b->door, "main", "Wake up.");
    bench_expect(b, "main/public/narration", "Wake up.");
    bench_expect(b, "main/public-pb/narration", "");
    const struct heard *h = bench_latest(b, "main/public/event");
    assert_non_null(strstr(h->payload, "\"event\":\"paused\""));
    assert_false(h->retained);
    assert_true(h->expiry_s > 50 && h->expiry_s <= 60);
    h = bench_latest(b, "main/public-pb/event");
    Tabled__V1__Event *event = tabled__v1__event__unpack(NULL, h->len, (const uint8_t *)h->payload);
    assert_string_equal(event->text, "first");
    tabled__v1__event__free_unpacked(event, NULL);
    bench_listen(b, "tabled/v1/home/main/public/event"); // none is kept for late ears
    bench_listen(b, "tabled/v1/home/main/public/#");
    bench_expect(b, "main/public/phase", "day");
    assert_null(bench_latest(b, "main/public/event"));
}

static void a_table_is_init_until_it_shows_itself(void **state) {
    struct bench *b = *state;
    b->mqtt = bench_mqtt(b, "", 1);
    bench_listen(b, "#");
    bench_expect(b, "main/status", "\"state\":\"init\"");
    door_stub_show_all(b->door, "main");
    bench_expect(b, "main/status", "\"state\":\"ready\"");
}

static void b085_a_birth_follows_the_will(void **state) {
    struct bench *b = *state;
    pid_t child = fork();
    if (child == 0) { // a daemon that will crash
        struct loop *loop;
        struct mqtt *mqtt;
        loop_create(NULL, NULL, &loop, NULL);
        char lines[64];
        snprintf(lines, sizeof lines, "host = 127.0.0.1\nport = %u\n", b->broker.port);
        mqtt_create(loop, bench_conf(b, lines), "home", "1.2.3", 7, b->door, b->feed, &mqtt, NULL);
        loop_run(loop);
        _exit(0);
    }
    bench_listen(b, "#");
    bench_expect(b, "daemon/status", "\"boot_id\":\"0000000000000007\",\"state\":\"ready\"");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    bench_expect(b, "daemon/status", "\"boot_id\":\"0000000000000007\",\"state\":\"lost\"");
    start(b);
    bench_expect(b, "daemon/status", "\"boot_id\":\"0000000000000001\",\"state\":\"ready\"");
    listen_late(b);
    bench_expect(b, "daemon/status", "\"state\":\"ready\"");
    assert_true(bench_latest(b, "daemon/status")->retained);
    assert_true(bench_latest(b, "main/status")->retained);
}

static void b086_a_clean_stop_is_said(void **state) {
    struct bench *b = *state;
    start(b);
    mqtt_destroy(b->mqtt);
    b->mqtt = NULL;
    bench_listen(b, "#");
    bench_expect(b, "daemon/status", "\"state\":\"disconnected\"");
    bench_expect(b, "main/status", "\"state\":\"disconnected\"");
    assert_true(bench_latest(b, "daemon/status")->retained);
    assert_true(bench_latest(b, "main/status")->retained);
}

static void b089_a_dead_reader_stays_dead_after_a_restart(void **state) {
    struct bench *b = *state;
    b->door->readers.reader[0].up = false;
    b->door->readers.reader[0].why = "unplugged";
    start(b);
    bench_listen(b, "#");
    bench_expect(b, "main/status", "\"state\":\"degraded\"");
    mqtt_destroy(b->mqtt);
    feed_destroy(b->feed);
    bench_feed(b);
    start(b);
    bench_expect(b, "main/status", "\"state\":\"degraded\"");
    bench_expect(b, "main/health/readers", "\"up\":false,\"since\":null,\"why\":\"unplugged\"");
    bench_expect(b, "daemon/status", "\"state\":\"ready\"");
    b->door->readers.reader[0].up = true;
    bench_readers(b);
    bench_expect(b, "main/status", "\"state\":\"ready\"");
    bench_expect(b, "main/health/readers", "\"up\":true");
}

static bool nothing_of_cellar(struct bench *b, const void *what) {
    (void)what;
    const struct heard *info = bench_latest(b, "cellar/info"),
                       *phase = bench_latest(b, "cellar/public-pb/phase");
    return info != NULL && info->len == 0 && phase != NULL && phase->len == 0;
}

static void a_table_that_is_gone_is_cleared(void **state) {
    struct bench *b = *state;
    door_stub_table(b->door, "cellar", 2);
    door_stub_show_all(b->door, "cellar");
    start(b);
    bench_listen(b, "#");
    bench_expect(b, "cellar/public-pb/phase", "");
    mqtt_destroy(b->mqtt);
    feed_destroy(b->feed);
    b->door->n_tables = 1; // the configuration names it no more
    bench_feed(b);
    start(b);
    assert_true(bench_until(b, nothing_of_cellar, NULL));
    bench_listen(b, "#");
    bench_expect(b, "main/public/phase", "day");
    assert_null(bench_latest(b, "cellar/info"));
    assert_null(bench_latest(b, "cellar/public/board"));
    b->door->n_tables = 2;
}

static void b096_texts_arrive_as_they_were(void **state) {
    struct bench *b = *state;
    static const char *const texts[] = {"Amélie", "שלום", "狼人杀 🐺", "a \\\"b\\\" \\\\ c\\n\\u0001"};
    static const char *const raw[] = {"Amélie", "שלום", "狼人杀 🐺", "a \"b\" \\ c\n\x01"};
    start(b);
    bench_listen(b, "#");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char want[128];
        door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, raw[i]);
        snprintf(want, sizeof want, "\"text\":\"%s\"", texts[i]);
        bench_expect(b, "main/public/event", want);
        bench_forget(b);
    }
}

static void b095_whatever_is_cut_the_broker_keeps_us(void **state) {
    struct bench *b = *state;
    start(b);
    bench_listen(b, "#");
    char text[400] = "";
    for (int i = 0; i < 60; i++)
        strcat(text, i % 3 == 0 ? "é" : i % 3 == 1 ? "桌" : "🐺");
    for (size_t cut = strlen(text); cut > 0; cut--) {
        text[cut] = '\0';
        door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, text);
    }
    door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "the end");
    bench_expect(b, "main/public/event", "the end");
    for (size_t i = 0; i < b->ear->n; i++)
        if (b->ear->heard[i].content != NULL && strcmp(b->ear->heard[i].content, "application/json") == 0)
            assert_int_equal(mosquitto_validate_utf8(b->ear->heard[i].payload, (int)b->ear->heard[i].len), 0);
    assert_null(strstr(b->log, "lost"));
}

static void a_unix_socket_will_do(void **state) {
    struct bench *b = *state;
    char lines[160];
    door_stub_show_all(b->door, "main");
    snprintf(lines, sizeof lines, "socket = %s", b->broker.socket);
    b->mqtt = bench_mqtt(b, lines, 1);
    bench_listen(b, "#");
    bench_expect(b, "main/public/phase", "day");
}

// localhost is ::1 first on many machines; the broker listens on 127.0.0.1 alone.
static void a_name_is_tried_at_all_its_addresses(void **state) {
    struct bench *b = *state;
    struct error err = {0};
    char lines[64];
    snprintf(lines, sizeof lines, "host = localhost\nport = %u\n", b->broker.port);
    assert_int_equal(
        mqtt_create(b->loop, bench_conf(b, lines), "home", "1", 1, b->door, b->feed, &b->mqtt, &err),
        ERROR_OK);
    bench_expect_connected(b, true);
}

static void without_a_broker_everything_goes_on(void **state) {
    struct bench *b = *state;
    broker_kill(&b->broker);
    door_stub_show_all(b->door, "main");
    int64_t before = clock_mono_us(clock_real());
    b->mqtt = bench_mqtt(b, "", 1);
    assert_true(clock_mono_us(clock_real()) - before < 1000000);
    assert_false(mqtt_connected(b->mqtt));
    bench_expect_log(b, "no connection to broker 127.0.0.1: Connection refused; trying again in");
    door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "event 1.");
    broker_start(&b->broker, NULL);
    bench_listen(b, "#");
    bench_expect(b, "main/public/event", "event 1.");
    bench_expect(b, "main/status", "ready");
}

static void a_wrong_password_is_said_and_not_told(void **state) {
    struct bench *b = *state;
    char path[96], lines[160];
    broker_kill(&b->broker);
    snprintf(path, sizeof path, "%s/users", b->broker.dir);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    snprintf(lines, sizeof lines, "allow_anonymous false\npassword_file %s\n", path);
    broker_start(&b->broker, lines);
    snprintf(lines, sizeof lines, "%s/password", b->broker.dir);
    int fd = open(lines, O_CREAT | O_WRONLY, 0600);
    assert_int_equal(write(fd, "hunter2\n", 8), 8);
    close(fd);
    snprintf(lines, sizeof lines, "username = tabled\npassword_file = %s/password", b->broker.dir);
    b->mqtt = bench_mqtt(b, lines, 1);
    bench_expect_log(b, "Not authorized");
    assert_null(strstr(b->log, "hunter2"));
    unlink(path);
    snprintf(lines, sizeof lines, "%s/password", b->broker.dir);
    unlink(lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BENCH_TEST(without_a_broker_everything_goes_on),
        BENCH_TEST(a_wrong_password_is_said_and_not_told),
        BENCH_TEST(a_late_subscriber_finds_everything),
        BENCH_TEST(seats_stay_at_home),
        BENCH_TEST(events_come_in_both_encodings_and_expire),
        BENCH_TEST(a_table_is_init_until_it_shows_itself),
        BENCH_TEST(b085_a_birth_follows_the_will),
        BENCH_TEST(b086_a_clean_stop_is_said),
        BENCH_TEST(b089_a_dead_reader_stays_dead_after_a_restart),
        BENCH_TEST(a_table_that_is_gone_is_cleared),
        BENCH_TEST(b096_texts_arrive_as_they_were),
        BENCH_TEST(b095_whatever_is_cut_the_broker_keeps_us),
        BENCH_TEST(a_unix_socket_will_do),
        BENCH_TEST(a_name_is_tried_at_all_its_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
