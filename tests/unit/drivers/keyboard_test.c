// The driver keyboard, typed at through a pipe with the kernel's events; the same path as a device, but for
// the grab. That is asked of a pseudo-terminal, with our own ioctl in place of the kernel's.
#include "drivers/keyboard_keys.h"
#include "unit/drivers/recorded.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>

static struct {
    bool is_input;
    int refuse; // errno of the next grab
    unsigned grabs, releases;
} grab;

int ioctl(int fd, unsigned long request, ...) {
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    if (!grab.is_input || request != EVIOCGRAB)
        return (int)syscall(SYS_ioctl, fd, request, argument);
    if (argument && grab.refuse) {
        errno = grab.refuse;
        return -1;
    }
    *(argument ? &grab.grabs : &grab.releases) += 1;
    return 0;
}

static struct fixture f;
static int typist = -1;
static const char *path;

static int begin(void **state) {
    (void)state;
    fixture_open(&f, true);
    path = strdup(fixture_path(&f, "event"));
    assert_int_equal(mkfifo(path, 0600), 0);
    return 0;
}

static int end(void **state) {
    (void)state;
    if (typist >= 0)
        close(typist);
    typist = -1;
    fixture_close(&f);
    free((void *)(uintptr_t)path);
    return 0;
}

static void run_ms(int64_t ms) {
    int64_t until = loop_now_us(f.loop) + ms * 1000;
    while (loop_now_us(f.loop) < until)
        loop_turn(f.loop, until - loop_now_us(f.loop));
    loop_turn(f.loop, 0);
}

static void open_wedge(const char *keys) {
    char conf[400];
    snprintf(conf, sizeof conf, "[reader wedge]\ndriver = keyboard\ndevice = %s\n%s\n", path, keys);
    fixture_conf(&f, conf);
    fixture_reader(&f, "wedge", NULL);
    run_ms(200);
    typist = open(path, O_WRONLY);
    assert_true(typist >= 0);
}

static void press(uint16_t code) {
    struct input_event events[4] = {{.type = EV_MSC, .code = MSC_SCAN, .value = 7},
                                    {.type = EV_KEY, .code = code, .value = 1},
                                    {.type = EV_SYN},
                                    {.type = EV_KEY, .code = code, .value = 0}};
    assert_int_equal(write(typist, events, sizeof events), sizeof events);
}

static uint16_t code_of(char c) {
    static const uint16_t letters[] = {KEY_A, KEY_B, KEY_C, KEY_D, KEY_E, KEY_F};
    if (c >= '1' && c <= '9')
        return (uint16_t)(KEY_1 + c - '1');
    if (c >= 'a' && c <= 'f')
        return letters[c - 'a'];
    return c == '0'    ? KEY_0
           : c == ';'  ? KEY_SEMICOLON
           : c == '/'  ? KEY_SLASH
           : c == '-'  ? KEY_MINUS
           : c == '\t' ? KEY_TAB
                       : KEY_ENTER;
}

// The kernel hands on what is typed at a terminal in its own time.
static void until_arrived(size_t bytes) {
    int have = 0, fd = open(ptsname(typist), O_RDONLY | O_NOCTTY | O_NONBLOCK);
    assert_true(fd >= 0);
    while (have < (int)bytes) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        assert_int_equal(poll(&waiting, 1, 10000), 1);
        assert_int_equal(ioctl(fd, FIONREAD, &have), 0);
    }
    close(fd);
}

static void type(const char *text) {
    size_t keys = strlen(text);
    for (; *text; text++)
        press(code_of(*text));
    if (isatty(typist))
        until_arrived(keys * 4 * sizeof(struct input_event));
    loop_turn(f.loop, 0);
}

static const char *last_seen(void) {
    for (size_t i = f.n_told; i-- > 0;)
        if (f.told[i].what == TOLD_SEEN)
            return f.told[i].tags;
    return "";
}

// Key codes are what the kernel has before any layout: a French or German keyboard map is never asked.
static void b038_key_codes_know_no_layout(void **state) {
    (void)state;
    open_wedge("");
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE);
    type("04a1b2c3d4e580\n");
    run_ms(500);
    assert_string_equal(last_seen(), "04A1B2C3D4E580");
    assert_int_equal(fixture_count(&f, NULL, TOLD_SEEN), 3);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE); // a touch ends by itself
    press(KEY_KP1);
    type("1111110\t");
    run_ms(500);
    assert_string_equal(last_seen(), "11111110");
    assert_int_equal(f.reader[0]->n_faults[DRIVER_FAULT_FRAME], 0);
}

static void b039_prefix_suffix_and_what_is_no_scan(void **state) {
    (void)state;
    open_wedge("prefix = semicolon\nsuffix = /\n");
    type(";04a1b2c3/\n");
    run_ms(500);
    assert_string_equal(last_seen(), "04A1B2C3");
    static const char *const wrong[] = {"04a1b2c3\n", ";04a1b2c3\n", ";04a1b2c3/;04a1b2c4/\n", ";04a1b2/\n",
                                        ";;04a1b2c3/\n"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        size_t before = fixture_count(&f, NULL, TOLD_SEEN);
        type(wrong[i]);
        run_ms(2000);
        assert_int_equal(fixture_count(&f, NULL, TOLD_SEEN), before);
        assert_int_equal(f.reader[0]->n_faults[DRIVER_FAULT_FRAME], i + 1);
    }
    type(";04a1"); // a pause of 2 s inside one scan
    run_ms(2000);
    type("b2c4/\n");
    run_ms(500);
    assert_string_equal(last_seen(), "04A1B2C3");
    type("\n\n\t"); // a hand on Enter
    assert_int_equal(f.reader[0]->n_faults[DRIVER_FAULT_FRAME], sizeof wrong / sizeof *wrong + 2);
    type(";04a1b2c4/\n");
    run_ms(500);
    assert_string_equal(last_seen(), "04A1B2C4");
}

static void a_scan_may_end_with_a_pause(void **state) {
    (void)state;
    open_wedge("end = pause\ngap = 100ms\n");
    type("04a1b2c3");
    run_ms(90);
    assert_int_equal(fixture_count(&f, NULL, TOLD_SEEN), 0);
    run_ms(300);
    assert_string_equal(last_seen(), "04A1B2C3");
}

static void b051_decimal_ids_in_both_orders(void **state) {
    (void)state;
    struct id id;
    open_wedge("form = decimal\nreversed = yes\n");
    type("0003283263748\n"); // C3B2A104
    run_ms(500);
    assert_string_equal(last_seen(), "04A1B2C3");
    type("99999999999\n"); // more than four bytes
    assert_int_equal(f.reader[0]->n_faults[DRIVER_FAULT_FRAME], 1);
    assert_true(id_text_decimal("0077705923", 10, 4, &id));
    assert_memory_equal(id.b, "\x04\xA1\xB2\xC3", 4);
    assert_true(id_text_decimal("1303689068602752", strlen("1303689068602752"), 7, &id));
    assert_memory_equal(id.b, "\x04\xA1\xB2\xC3\xD4\xE5\x80", 7);
    assert_false(id_text_decimal("4294967296", 10, 4, &id));
    assert_true(id_text_decimal("4294967295", 10, 4, &id));
    assert_false(id_text_decimal("", 0, 4, &id));
    assert_false(id_text_decimal("12a", 3, 4, &id));
    assert_false(id_text_decimal("1", 1, 5, &id));
}

static void lost_events_are_no_id(void **state) {
    (void)state;
    open_wedge("");
    const struct input_event dropped = {.type = EV_SYN, .code = SYN_DROPPED};
    type("04a1");
    assert_int_equal(write(typist, &dropped, sizeof dropped), sizeof dropped);
    type("b2c3\n");
    run_ms(500);
    assert_int_equal(fixture_count(&f, NULL, TOLD_SEEN), 0);
    for (unsigned i = 0; i < 300; i++)
        type("0");
    type("\n");
    assert_int_equal(f.reader[0]->n_faults[DRIVER_FAULT_FRAME], 2);
    const struct input_event half = {.type = EV_KEY, .code = KEY_0, .value = 1}; // cut by the pipe
    assert_int_equal(write(typist, &half, 10), 10);
    run_ms(10);
    assert_int_equal(write(typist, (const char *)&half + 10, sizeof half - 10), sizeof half - 10);
    type("4a1b2c3\n");
    run_ms(500);
    assert_string_equal(last_seen(), "04A1B2C3");
}

// The device goes: dropped from the loop, a handful of turns, back when it is back.
static void b036_an_unplugged_reader_does_not_spin(void **state) {
    (void)state;
    open_wedge("");
    type("04a1b2c3\n");
    run_ms(500);
    char away[200];
    snprintf(away, sizeof away, "%s.away", path);
    struct reader *reader = f.reader[0];
    fixture_drop(&f, reader); // a pipe that we hold open has no end; the next opening finds nothing there
    f.n_readers = 0;
    assert_int_equal(rename(path, away), 0);
    fixture_reader(&f, "wedge", NULL);
    int64_t start = loop_now_us(f.loop);
    unsigned turns = 0;
    while (loop_now_us(f.loop) - start < 10000000) {
        loop_turn(f.loop, 10000000);
        turns++;
    }
    assert_true(turns < 20);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_DOWN);
    size_t none = fixture_count(&f, NULL, TOLD_NONE);
    run_ms(5000);
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), none); // lost is not lifted
    assert_int_equal(rename(away, path), 0);
    run_ms(5000);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE);
    type("04a1b2c4\n");
    run_ms(500);
    assert_string_equal(last_seen(), "04A1B2C4");
}

// A device is ours alone while we read it, and everybody's again afterwards. Refused, the cause and what to
// do are told, and it is tried again.
static void a_device_is_grabbed_and_given_back(void **state) {
    (void)state;
    char conf[300];
    struct termios raw;
    typist = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(typist >= 0 && grantpt(typist) == 0 && unlockpt(typist) == 0);
    assert_int_equal(tcgetattr(typist, &raw), 0);
    cfmakeraw(&raw);
    assert_int_equal(tcsetattr(typist, TCSANOW, &raw), 0);
    snprintf(conf, sizeof conf, "[reader wedge]\ndriver = keyboard\ndevice = %s\n", ptsname(typist));
    fixture_conf(&f, conf);
    fixture_reader(&f, "wedge", NULL);
    run_ms(100); // the kernel's own answer: a terminal is no input device
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_DOWN);
    assert_non_null(strstr(fixture_last(&f, NULL)->why, "no input device"));
    fixture_drop(&f, f.reader[0]);
    f.n_readers = 0;

    grab.is_input = true;
    grab.refuse = EBUSY;
    fixture_reader(&f, "wedge", NULL);
    run_ms(100);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_DOWN);
    assert_non_null(strstr(fixture_last(&f, NULL)->why, "`fuser -v`"));
    assert_int_equal(grab.grabs + grab.releases, 0); // what was refused is not given back
    grab.refuse = 0;
    run_ms(5000);
    assert_int_equal(grab.grabs, 1);
    type("04a1b2c3d4e580\n");
    run_ms(500);
    assert_string_equal(last_seen(), "04A1B2C3D4E580");
    assert_int_equal(grab.releases, 0);
    fixture_drop(&f, f.reader[0]);
    f.n_readers = 0;
    assert_int_equal(grab.grabs, 1);
    assert_int_equal(grab.releases, 1);
    grab.is_input = false;
}

static void b003_it_sees_no_removal(void **state) {
    (void)state;
    struct driver_needs needs;
    struct error err;
    fixture_conf(&f, "[reader wedge]\ndriver = keyboard\ndevice = /dev/input/event9\n");
    assert_int_equal(driver_check(config_find(f.config, "reader", "wedge"), &needs, &err), ERROR_OK);
    assert_int_equal(needs.capabilities & DRIVER_SEES_REMOVAL, 0);
    fixture_reader(&f, "wedge", NULL);
    run_ms(100);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_DOWN);
}

static void a_record_brings_the_same_events(void **state) {
    (void)state;
    struct recorded r;
    char conf[200];
    snprintf(conf, sizeof conf, "[reader wedge]\ndriver = keyboard\ndevice = %s\n", path);
    fixture_conf(&f, conf);
    recorded_open(&r, &f, "wedge", 1, "keyboard");
    run_ms(200);
    typist = open(path, O_WRONLY);
    assert_true(typist >= 0);
    static const char *const scans[] = {"04a1b2c3d4e580\n", "5a1b2c3d\n", "5a1b2c\n",
                                        "04a1b2c3d4e5f6071829\n"};
    for (unsigned i = 0; i < sizeof scans / sizeof *scans; i++) {
        type(scans[i]);
        run_ms(2500);
    }
    recorded_close(&r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(b038_key_codes_know_no_layout),
        TEST(b039_prefix_suffix_and_what_is_no_scan),
        TEST(a_scan_may_end_with_a_pause),
        TEST(b051_decimal_ids_in_both_orders),
        TEST(lost_events_are_no_id),
        TEST(b036_an_unplugged_reader_does_not_spin),
        TEST(a_device_is_grabbed_and_given_back),
        TEST(b003_it_sees_no_removal),
        TEST(a_record_brings_the_same_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
