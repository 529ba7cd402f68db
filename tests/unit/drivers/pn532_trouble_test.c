// The PN532 driver where the port, the owner's hook or the process itself is the trouble.
#include "core/log.h"
#include "drivers/serial.h"
#include "support/pn532_emulator.h"
#include "unit/drivers/fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/wait.h>

static const char *const tile = "04110A5A1F6180";

struct bench {
    struct fixture f;
    struct pn532_emulator *chip;
};

// Chip and driver share one loop: on a busy machine they hold each other up, so answers may take a second
// unless the test is about their lateness.
static void open_bench(struct bench *b, uint8_t ic, const char *keys) {
    char conf[500];
    struct error err;
    *b = (struct bench){0};
    fixture_open(&b->f, false);
    struct pn532_emulator_options options = {.link = fixture_path(&b->f, "port"), .ic = ic};
    if (pn532_emulator_create(b->f.loop, &options, &b->chip, &err) != ERROR_OK)
        fail_msg("%s", err.text);
    pn532_emulator_place(b->chip, tile);
    snprintf(conf, sizeof conf, "[reader a]\ndriver = pn532\nport = %s\n%s\n%s\n",
             fixture_path(&b->f, "port"), strstr(keys, "ack") ? "" : "ack = 1s\nreply = 1s", keys);
    fixture_conf(&b->f, conf);
}

static void close_bench(struct bench *b) {
    for (size_t i = 0; i < b->f.n_readers; i++)
        reader_close(b->f.reader[i]);
    b->f.n_readers = 0;
    pn532_emulator_destroy(b->chip);
    fixture_close(&b->f);
}

static bool is_last(struct bench *b, enum told_what what) {
    const struct told *last = fixture_last(&b->f, NULL);
    return last && last->what == what;
}

static void b029_causes_and_remedies(void **state) {
    (void)state;
    static const struct {
        int errnum;
        enum error_code code;
        const char *cause, *remedy;
    } cases[] = {
        {EBUSY, ERROR_BUSY, "another program holds /dev/x", "stop it"},
        {EWOULDBLOCK, ERROR_BUSY, "another program holds /dev/x", "ModemManager"},
        {ENODEV, ERROR_NOT_FOUND, "behind /dev/x is gone", "plug the reader in"},
        {ENOENT, ERROR_NOT_FOUND, "there is no /dev/x", "by-path"},
        {EACCES, ERROR_FORBIDDEN, "no right to open /dev/x", "dialout"},
        {ENOTTY, ERROR_INVALID, "/dev/x is no serial port", "port"},
        {EMFILE, ERROR_NOT_FOUND, "/dev/x cannot be opened", "open files"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error err;
        assert_int_equal(serial_explain(cases[i].errnum, "/dev/x", &err), cases[i].code);
        assert_non_null(strstr(err.text, cases[i].cause));
        assert_non_null(strstr(err.text, cases[i].remedy));
    }
    int fd;
    struct error err;
    assert_int_equal(serial_open("/dev/null", 115200, &fd, &err), ERROR_INVALID);
    assert_int_equal(fd, -1);
    assert_false(serial_baud_ok(12345));
}

// Told once with cause and remedy, tried quietly, up when the other program ends.
static void b029_a_busy_port(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 0, "");
    int other = open(pn532_emulator_path(b.chip), O_RDWR | O_NOCTTY);
    assert_true(other >= 0);
    assert_int_equal(flock(other, LOCK_EX), 0);
    struct reader *reader = fixture_reader(&b.f, "a", NULL);
    FIXTURE_UNTIL(&b.f, reader->n_faults[DRIVER_FAULT_IO] == 3);
    assert_int_equal(b.f.n_told, 1);
    assert_int_equal(b.f.told[0].what, TOLD_DOWN);
    assert_non_null(strstr(b.f.told[0].why, "another program holds"));
    close(other);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_SEEN));
    assert_int_equal(fixture_count(&b.f, "a", TOLD_DOWN), 1);
    close_bench(&b);
}

// In the child: reads until the tile is seen, says so, and goes on until it is killed.
static void read_and_be_killed(struct bench *b, int tell) {
    struct fixture child = {.config = b->f.config};
    struct reader *reader;
    if (loop_create(NULL, NULL, &child.loop, NULL) != ERROR_OK ||
        fixture_try(&child, "a", NULL, &reader, NULL) != ERROR_OK)
        _exit(1);
    for (bool told = false;;) {
        loop_turn(child.loop, 100000);
        if (!told && fixture_count(&child, "a", TOLD_SEEN) > 0)
            told = write(tell, "x", 1) == 1;
    }
}

static void note(void *ctx, uint32_t revents) {
    (void)revents;
    *(bool *)ctx = true;
}

static void b030_killed_ten_times(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 0, "");
    for (unsigned round = 0; round < 10; round++) {
        int pipes[2];
        bool heard = false;
        struct loop_fd *watch;
        assert_int_equal(pipe(pipes), 0);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0)
            read_and_be_killed(&b, pipes[1]);
        assert_int_equal(loop_fd_add(b.f.loop, pipes[0], EPOLLIN, note, &heard, &watch, NULL), ERROR_OK);
        FIXTURE_UNTIL(&b.f, heard);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        loop_fd_remove(watch);
        close(pipes[0]);
        close(pipes[1]);
    }
    fixture_reader(&b.f, "a", NULL);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_SEEN));
    assert_int_equal(fixture_count(&b.f, "a", TOLD_DOWN), 0);
    close_bench(&b);
}

static char log_text[2000];
static void keep_log(void *ctx, enum log_level level, const char *module, const char *line) {
    (void)ctx;
    (void)level;
    size_t n = strlen(log_text);
    snprintf(log_text + n, sizeof log_text - n, "%s: %s\n", module, line);
}

struct reset_line {
    int fd;
    struct pn532_emulator *chip;
    unsigned pulled;
};

static void pull(void *ctx, uint32_t revents) {
    struct reset_line *line = ctx;
    char bytes[64];
    (void)revents;
    if (read(line->fd, bytes, sizeof bytes) > 0) {
        line->pulled++;
        pn532_emulator_reset(line->chip);
    }
}

// The chip hangs for good after some polls; the owner's hook pulls its reset line.
static void b031_a_hung_chip_is_reset_by_the_hook(void **state) {
    (void)state;
    struct bench b;
    char keys[200], script[300];
    open_bench(&b, 0, "reset = reset-hook\nack = 50ms");
    snprintf(keys, sizeof keys, "%s", fixture_path(&b.f, "line"));
    assert_int_equal(mkfifo(keys, 0600), 0);
    snprintf(script, sizeof script, "#!/bin/sh\necho \"$1\" > %s\n", keys);
    fixture_write(fixture_path(&b.f, "reset-hook"), script);
    assert_int_equal(chmod(fixture_path(&b.f, "reset-hook"), 0700), 0);
    struct reset_line line = {.fd = open(keys, O_RDWR | O_NONBLOCK), .chip = b.chip};
    struct loop_fd *watch;
    assert_int_equal(loop_fd_add(b.f.loop, line.fd, EPOLLIN, pull, &line, &watch, NULL), ERROR_OK);

    log_text[0] = '\0';
    log_set_sink(keep_log, NULL);
    fixture_reader(&b.f, "a", NULL);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_SEEN));
    pn532_emulator_hang_after(b.chip, 3);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_DOWN));
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_SEEN));
    log_set_sink(NULL, NULL);
    assert_int_equal(line.pulled, 1);
    assert_int_equal(fixture_count(&b.f, "a", TOLD_NONE), 0);
    assert_non_null(strstr(log_text, "reset hook ran reader=a"));
    assert_non_null(strstr(log_text, "exit=0"));
    loop_fd_remove(watch);
    close(line.fd);
    close_bench(&b);
}

// A hook that cannot run is told, and the reader is opened anew all the same.
static void b031_a_missing_hook(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 0, "reset = nowhere\nack = 50ms");
    log_text[0] = '\0';
    log_set_sink(keep_log, NULL);
    fixture_reader(&b.f, "a", NULL);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_SEEN));
    pn532_emulator_fault(b.chip, EMULATOR_SILENCE, -1);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_DOWN));
    pn532_emulator_fault(b.chip, EMULATOR_WELL, 0);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_SEEN));
    log_set_sink(NULL, NULL);
    assert_non_null(strstr(log_text, "reset hook cannot run reader=a"));
    close_bench(&b);
}

static void closing_does_not_wait_for_the_hook(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 0, "reset = reset-hook\nack = 50ms");
    fixture_write(fixture_path(&b.f, "reset-hook"), "#!/bin/sh\nexec sleep 1000\n");
    assert_int_equal(chmod(fixture_path(&b.f, "reset-hook"), 0700), 0);
    pn532_emulator_fault(b.chip, EMULATOR_SILENCE, -1);
    fixture_reader(&b.f, "a", NULL);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_DOWN));
    int64_t start = clock_mono_us(clock_real());
    close_bench(&b);
    assert_true(clock_mono_us(clock_real()) - start < 4000000);
}

static void b040_another_chip(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 0x33, "");
    struct reader *reader = fixture_reader(&b.f, "a", NULL);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_DOWN));
    assert_string_equal(b.f.told[0].why, "this is not a PN532: it calls itself chip 33");
    FIXTURE_UNTIL(&b.f, pn532_emulator_seen(b.chip)->commands >= 4); // asked again, quietly
    assert_int_equal(b.f.n_told, 1);
    assert_int_equal(reader->n_scans, 0);
    close_bench(&b);
}

static void no_answer_at_all(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 0, "ack = 50ms");
    pn532_emulator_fault(b.chip, EMULATOR_SILENCE, -1);
    fixture_reader(&b.f, "a", NULL);
    FIXTURE_UNTIL(&b.f, is_last(&b, TOLD_DOWN));
    assert_non_null(strstr(b.f.told[0].why, "no answer"));
    assert_non_null(strstr(b.f.told[0].why, "HSU"));
    close_bench(&b);
}

// A microcontroller that prints lines, whether anybody listens or not.
struct printer {
    struct fixture *f;
    int fd;
    struct loop_timer timer;
    const char *text;
};

static void print(void *ctx) {
    struct printer *p = ctx;
    (void)!write(p->fd, p->text, strlen(p->text));
    loop_timer_start(p->f->loop, &p->timer, loop_now_us(p->f->loop) + 20000, print, p);
}

// A PN532 and a node have changed places: neither reader comes up, no id appears; set right, both come up.
static void b040_exchanged_ports(void **state) {
    (void)state;
    struct bench b;
    char conf[600], name[64];
    open_bench(&b, 0, "");
    config_destroy(b.f.config);
    b.f.config = NULL;
    struct printer printer = {.f = &b.f, .fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)};
    printer.text = "1 n 0 seen 04990A5A1F6180\n\n";
    assert_true(printer.fd >= 0 && grantpt(printer.fd) == 0 && unlockpt(printer.fd) == 0);
    assert_int_equal(ptsname_r(printer.fd, name, sizeof name), 0);
    int keep = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK); // a printer that is never alone does not echo
    assert_true(keep >= 0);
    assert_int_equal(symlink(name, fixture_path(&b.f, "place1")), 0);
    assert_int_equal(symlink(fixture_path(&b.f, "port"), fixture_path(&b.f, "place2")), 0);
    snprintf(
        conf, sizeof conf,
        "[reader a]\ndriver = pn532\nport = place1\n[reader n]\ndriver = node\nport = %s\nsilent = 200ms\n",
        fixture_path(&b.f, "place2"));
    fixture_conf(&b.f, conf);
    fixture_reader(&b.f, "a", NULL);
    fixture_reader(&b.f, "n", NULL);
    print(&printer);
    FIXTURE_UNTIL(&b.f, b.f.n_told >= 2);
    assert_int_equal(b.f.n_told, 2);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_DOWN), 2);
    assert_non_null(strstr(fixture_last(&b.f, "a")->why, "not a PN532"));
    assert_non_null(strstr(fixture_last(&b.f, "n")->why, "right port"));
    // The cables are put right.
    char swap[200];
    snprintf(swap, sizeof swap, "cd %s && mv place1 x && mv place2 place1 && mv x place2", b.f.dir);
    assert_int_equal(system(swap), 0);
    FIXTURE_UNTIL(&b.f, fixture_count(&b.f, "a", TOLD_SEEN) && fixture_count(&b.f, "n", TOLD_SEEN));
    for (size_t i = 0; i < b.f.n_told; i++) {
        if (b.f.told[i].what == TOLD_SEEN)
            assert_string_equal(b.f.told[i].tags, b.f.told[i].reader[0] == 'a' ? tile : "04990A5A1F6180");
    }
    loop_timer_stop(b.f.loop, &printer.timer);
    for (size_t i = 0; i < b.f.n_readers; i++)
        reader_close(b.f.reader[i]);
    b.f.n_readers = 0;
    close(keep);
    close(printer.fd);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b029_causes_and_remedies), cmocka_unit_test(b029_a_busy_port),
        cmocka_unit_test(b030_killed_ten_times),    cmocka_unit_test(b031_a_hung_chip_is_reset_by_the_hook),
        cmocka_unit_test(b031_a_missing_hook),      cmocka_unit_test(closing_does_not_wait_for_the_hook),
        cmocka_unit_test(b040_another_chip),        cmocka_unit_test(no_answer_at_all),
        cmocka_unit_test(b040_exchanged_ports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
