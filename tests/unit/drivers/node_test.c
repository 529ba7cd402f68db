// The drivers node and sim. Sockets of one process deliver at once, so most of it runs on the virtual clock.
#include "unit/drivers/fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

struct line {
    struct fixture f;
    struct reader *reader;
    int fd; // our end
};

// A node named north at the other end of a socket pair; two scans are told apart by what `keys` say.
static void open_line(struct line *l, const char *keys) {
    char conf[300];
    int fds[2];
    *l = (struct line){0};
    fixture_open(&l->f, true);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    snprintf(conf, sizeof conf, "[reader north]\ndriver = node\nport = fd:%d\n%s\n", fds[1], keys);
    fixture_conf(&l->f, conf);
    l->reader = fixture_reader(&l->f, "north", NULL);
    l->fd = fds[0];
    loop_turn(l->f.loop, 0);
    close(fds[1]);
}

static void close_line(struct line *l) {
    if (l->fd >= 0)
        close(l->fd);
    fixture_close(&l->f);
}

static void run_ms(struct fixture *f, int64_t ms) {
    int64_t end = loop_now_us(f->loop) + ms * 1000;
    do
        loop_turn(f->loop, end - loop_now_us(f->loop));
    while (loop_now_us(f->loop) < end);
    loop_turn(f->loop, 0);
}

static void say(int fd, const char *text) {
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

// "up, 0 seen A B, 1 none" and so on: all that was told since.
static const char *told_since(const struct fixture *f, size_t from) {
    static const char *const words[] = {"seen", "none", "collided", "failed", "up", "down", "ended"};
    static char text[2000];
    text[0] = '\0';
    for (size_t i = from; i < f->n_told; i++) {
        size_t n = strlen(text);
        const struct told *told = &f->told[i];
        if (told->what >= TOLD_UP)
            snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", words[told->what]);
        else
            snprintf(text + n, sizeof text - n, "%s%u %s%s%s", n ? ", " : "", told->antenna,
                     words[told->what], told->tags[0] ? " " : "", told->tags);
    }
    return text;
}

static void lines_become_scans(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "");
    say(l.fd,
        "10 north 0 seen 04010203\n10 north 1 none\n10 north 0 seen 04010204\n11 north 1 collided\n"
        "11 north 2 failed\r\n5 north 0 none\n\n");
    run_ms(&l.f, 0);
    assert_string_equal(told_since(&l.f, 0),
                        "up, 0 seen 04010203 04010204, 1 none, 1 collided, 2 failed, 0 none");
    assert_int_equal(l.f.told[5].us, 0); // the empty line ends the scan at once
    assert_int_equal(l.reader->antennas, 3);
    close_line(&l);
}

static void a_gap_ends_a_scan(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "gap = 10ms");
    say(l.fd, "10 north 0 seen 04010203\n");
    run_ms(&l.f, 6);
    say(l.fd, "10 north 0 seen 04010204\n");
    run_ms(&l.f, 6);
    assert_int_equal(l.f.n_told, 0);
    run_ms(&l.f, 10);
    assert_string_equal(told_since(&l.f, 0), "up, 0 seen 04010203 04010204");
    assert_int_equal(l.f.told[1].us, 16000);
    // The same MS after the gap is another scan, and so is a contradiction.
    say(l.fd, "10 north 0 seen 04010203\n10 north 0 none\n\n");
    run_ms(&l.f, 0);
    assert_string_equal(told_since(&l.f, 2), "0 seen 04010203, 0 none");
    close_line(&l);
}

static void bytes_may_come_one_by_one(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "gap = 200ms");
    for (const char *c = "1 north 0 seen 04110A5A1F6180\n\n"; *c; c++) {
        assert_int_equal(write(l.fd, c, 1), 1);
        run_ms(&l.f, 1);
    }
    assert_string_equal(told_since(&l.f, 0), "up, 0 seen 04110A5A1F6180");
    close_line(&l);
}

static void bad_lines_are_counted_and_passed_over(void **state) {
    (void)state;
    struct line l;
    char text[1000];
    open_line(&l, "");
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\n';
    assert_int_equal(write(l.fd, text, sizeof text), sizeof text);
    assert_int_equal(write(l.fd, "1 north\0 0 none\n\xff\xfe\n", 19), 19);
    say(l.fd, "1 north 0 seen 0401020\n1 north 999 none\n# boot message\n1 north 0 none\n\n");
    run_ms(&l.f, 0);
    assert_string_equal(told_since(&l.f, 0), "up, 0 none");
    assert_int_equal(l.reader->n_faults[DRIVER_FAULT_FRAME], 5);
    close_line(&l);
}

static void b040_not_a_node(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "");
    for (unsigned i = 0; i < 20; i++)
        say(l.fd, "Guru Meditation\n");
    run_ms(&l.f, 0);
    assert_int_equal(l.f.n_told, 1);
    assert_non_null(strstr(l.f.told[0].why, "baud rate"));
    close_line(&l);
}

static void b040_lines_of_another_reader(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "");
    for (unsigned i = 0; i < 20; i++)
        say(l.fd, "1 south 0 seen 04110A5A1F6180\n");
    run_ms(&l.f, 20);
    assert_int_equal(l.f.n_told, 1);
    assert_non_null(strstr(l.f.told[0].why, "'south', not of 'north'"));
    say(l.fd, "1 - 0 none\n\n"); // a node without a name
    run_ms(&l.f, 0);
    assert_string_equal(told_since(&l.f, 1), "up, 0 none");
    close_line(&l);
}

static void the_node_tells_of_its_reader(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "hold = 50ms");
    say(l.fd, "1 north 0 up\n1 north 0 none\n2 north 0 down\n");
    run_ms(&l.f, 400);
    assert_string_equal(told_since(&l.f, 0), "up, 0 none, down");
    say(l.fd, "900 north 0 up\n901 north 0 seen 04010203\n\n");
    run_ms(&l.f, 120);
    assert_string_equal(told_since(&l.f, 3), "up, 0 seen 04010203, 0 seen 04010203, 0 seen 04010203");
    close_line(&l);
}

static void a_node_may_ask_for_hold(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "");
    say(l.fd, "@hold 100\n1 north 0 none\n\n");
    run_ms(&l.f, 350);
    assert_string_equal(told_since(&l.f, 0), "up, 0 none, 0 none, 0 none, 0 none");
    close_line(&l);
}

// Held scans do not outlive the node that stands behind them (B009).
static void b009_a_silent_node_is_down(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "hold = 1s\nsilent = 3s");
    say(l.fd, "1 north 0 seen 04010203\n\n");
    run_ms(&l.f, 2000);
    say(l.fd, "# alive\n");
    run_ms(&l.f, 2500);
    assert_int_equal(fixture_count(&l.f, NULL, TOLD_DOWN), 0);
    run_ms(&l.f, 5000);
    assert_int_equal(fixture_last(&l.f, NULL)->what, TOLD_DOWN);
    assert_int_equal(fixture_last(&l.f, NULL)->us, 5000000);
    assert_int_equal(fixture_count(&l.f, NULL, TOLD_NONE), 0);
    close_line(&l);
}

static void the_end_of_a_descriptor(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "");
    say(l.fd, "1 north 0 seen 04010203\n"); // whole, though nothing follows
    close(l.fd);
    l.fd = -1;
    loop_run(l.f.loop);
    assert_string_equal(told_since(&l.f, 0), "up, 0 seen 04010203, down");
    close_line(&l);
}

// 500 equal scans in 5 s are 500 equal reports, without a word more and without memory.
static void b016_a_flood_of_duplicates(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "");
    for (unsigned i = 0; i < 500; i++) {
        say(l.fd, "7 north 0 seen 04110A5A1F6180\n7 north 0 seen 04110A5A1F6180\n\n");
        run_ms(&l.f, 10);
    }
    assert_int_equal(l.reader->n_seen, 500);
    assert_int_equal(l.f.n_told, 501);
    for (size_t i = 1; i < l.f.n_told; i++)
        assert_string_equal(l.f.told[i].tags, "04110A5A1F6180");
    close_line(&l);
}

static void b017_every_line_twice(void **state) {
    (void)state;
    struct line l;
    open_line(&l, "");
    say(l.fd, "7 north 0 seen 04010203\n7 north 0 seen 04010203\n7 north 1 none\n7 north 1 none\n\n");
    run_ms(&l.f, 20);
    assert_string_equal(told_since(&l.f, 0), "up, 0 seen 04010203, 1 none");
    close_line(&l);
}

// ---- ports that come and go

static int listen_unix(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    unlink(path);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 8), 0);
    return fd;
}

static void open_port(struct fixture *f, const char *port, const char *keys) {
    char conf[400];
    fixture_open(f, false);
    snprintf(conf, sizeof conf, "[reader north]\ndriver = node\nport = %s%s\n%s\n",
             port[0] == '.' ? f->dir : "", port[0] == '.' ? port + 1 : port, keys);
    fixture_conf(f, conf);
}

static int take_connection(struct fixture *f, int listener) {
    int fd = -1;
    FIXTURE_UNTIL(f, (fd = accept(listener, NULL, NULL)) >= 0);
    return fd;
}

static void b020_a_unix_socket_that_comes_and_goes(void **state) {
    (void)state;
    struct fixture f;
    open_port(&f, "./node", "");
    int listener = listen_unix(fixture_path(&f, "node"));
    fixture_reader(&f, "north", NULL);
    for (unsigned round = 0; round < 100; round++) {
        int fd = take_connection(&f, listener);
        size_t from = f.n_told;
        say(fd, "1 north 0 seen 04010203\n\n");
        FIXTURE_UNTIL(&f, f.n_told == from + 2);
        assert_string_equal(told_since(&f, from), "up, 0 seen 04010203");
        close(fd);
        FIXTURE_UNTIL(&f, f.n_told == from + 3);
        assert_string_equal(told_since(&f, from + 2), "down");
    }
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), 0);
    close(listener);
    fixture_close(&f);
}

static void b024_a_node_that_starts_late(void **state) {
    (void)state;
    struct fixture f;
    open_port(&f, "./node", "");
    struct reader *reader = fixture_reader(&f, "north", NULL);
    FIXTURE_UNTIL(&f, reader->n_faults[DRIVER_FAULT_IO] == 3);
    assert_int_equal(f.n_told, 1);
    int listener = listen_unix(fixture_path(&f, "node"));
    int fd = take_connection(&f, listener);
    say(fd, "1 north 0 none\n\n");
    FIXTURE_UNTIL(&f, f.n_told == 3);
    assert_string_equal(told_since(&f, 0), "down, up, 0 none");
    close(fd);
    close(listener);
    fixture_close(&f);
}

// Nobody is there any more: a handful of turns, later and later.
static void b036_a_dead_socket_does_not_spin(void **state) {
    (void)state;
    struct fixture f;
    open_port(&f, "./node", "");
    int listener = listen_unix(fixture_path(&f, "node"));
    struct reader *reader = fixture_reader(&f, "north", NULL);
    int fd = take_connection(&f, listener);
    say(fd, "1 north 0 none\n\n");
    FIXTURE_UNTIL(&f, f.n_told == 2);
    close(listener);
    close(fd);
    unsigned turns = 0;
    while (reader->n_faults[DRIVER_FAULT_IO] < 4) {
        loop_turn(f.loop, 1000000);
        assert_true(++turns < 40);
    }
    assert_string_equal(told_since(&f, 2), "down");
    fixture_close(&f);
}

static void a_tcp_node(void **state) {
    (void)state;
    struct fixture f;
    char port[40];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &len), 0);
    snprintf(port, sizeof port, "tcp:127.0.0.1:%u", ntohs(address.sin_port));
    open_port(&f, port, "");
    fixture_reader(&f, "north", NULL);
    FIXTURE_UNTIL(&f, f.n_told == 1); // nobody listens yet
    assert_non_null(strstr(f.told[0].why, "refused"));
    assert_int_equal(listen(listener, 8), 0);
    int fd = take_connection(&f, listener);
    say(fd, "1 north 0 seen 04010203\n\n");
    FIXTURE_UNTIL(&f, f.n_told == 3);
    assert_string_equal(told_since(&f, 0), "down, up, 0 seen 04010203");
    close(fd);
    close(listener);
    fixture_close(&f);
}

static void a_named_pipe_has_many_writers(void **state) {
    (void)state;
    struct fixture f;
    open_port(&f, "./pipe", "");
    assert_int_equal(mkfifo(fixture_path(&f, "pipe"), 0600), 0);
    fixture_reader(&f, "north", NULL);
    loop_turn(f.loop, 0);
    for (unsigned i = 0; i < 3; i++) {
        int fd = open(fixture_path(&f, "pipe"), O_WRONLY | O_NONBLOCK);
        assert_true(fd >= 0);
        say(fd, "1 north 0 none\n\n");
        close(fd);
        FIXTURE_UNTIL(&f, fixture_count(&f, NULL, TOLD_NONE) == i + 1);
    }
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 0);
    fixture_close(&f);
}

static void ports_that_cannot_be(void **state) {
    (void)state;
    static const struct {
        const char *keys, *says;
    } cases[] = {
        {"port = tcp:localhost:70", "numeric"},       {"port = tcp:127.0.0.1", "numeric"},
        {"port = tcp:127.0.0.1:0", "numeric"},        {"port = tcp:127.0.0.1:70000", "numeric"},
        {"port = /dev/x\nbaud = 12345", "baud rate"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        struct error err;
        struct reader *reader;
        char conf[200];
        fixture_open(&f, false);
        snprintf(conf, sizeof conf, "[reader north]\ndriver = node\n%s\n", cases[i].keys);
        fixture_conf(&f, conf);
        assert_int_equal(fixture_try(&f, "north", NULL, &reader, &err), ERROR_INVALID);
        assert_non_null(strstr(err.text, cases[i].says));
        assert_non_null(strstr(err.where, "test.conf:"));
        fixture_close(&f);
    }
    struct fixture f;
    open_port(&f, "./test.conf", "");
    fixture_reader(&f, "north", NULL);
    FIXTURE_UNTIL(&f, f.n_told == 1);
    assert_non_null(strstr(f.told[0].why, "driver = replay"));
    fixture_close(&f);
}

// ---- sim

static int connect_sim(const struct fixture *f) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/sim", f->dir);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void open_sim(struct fixture *f, const char *keys) {
    char conf[300];
    fixture_open(f, true);
    snprintf(conf, sizeof conf, "[reader table]\ndriver = sim\nsocket = sim\n%s\n", keys);
    fixture_conf(f, conf);
    fixture_reader(f, "table", NULL);
}

static void anybody_may_be_the_hands(void **state) {
    (void)state;
    struct fixture f;
    struct stat st;
    open_sim(&f, "antennas = 2\nhold = 85ms");
    assert_int_equal(f.n_told, 0);
    run_ms(&f, 0);
    assert_string_equal(told_since(&f, 0), "up, 0 none, 1 none");
    assert_int_equal(stat(fixture_path(&f, "sim"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0660);
    int a = connect_sim(&f), b = connect_sim(&f);
    say(a, "0 table 0 seen 04010203\n");
    say(b, "0 table 1 seen 04010204\n");
    run_ms(&f, 10);
    assert_string_equal(told_since(&f, 3), "0 seen 04010203, 1 seen 04010204");
    close(a); // the tile stays when its hand goes
    close(b);
    run_ms(&f, 85);
    assert_string_equal(told_since(&f, 5), "0 seen 04010203, 1 seen 04010204");
    a = connect_sim(&f);
    say(a, "0 table 0 none\n\n");
    run_ms(&f, 0);
    assert_string_equal(told_since(&f, 7), "0 none");
    close(a);
    fixture_close(&f);
}

static void sim_answers_to_what_it_does_not_understand(void **state) {
    (void)state;
    struct fixture f;
    char answer[400] = "";
    open_sim(&f, "");
    int fd = connect_sim(&f);
    say(fd, "0 tabel 0 none\n0 table 0 sen 04010203\n");
    run_ms(&f, 20);
    assert_true(read(fd, answer, sizeof answer - 1) > 0);
    assert_non_null(strstr(answer, "# these are the lines of reader 'tabel'"));
    assert_non_null(strstr(answer, "did you mean 'seen'"));
    close(fd);
    fixture_close(&f);
}

static void many_connections_are_refused_politely(void **state) {
    (void)state;
    struct fixture f;
    int fds[18];
    char answer[100] = "";
    open_sim(&f, "");
    for (unsigned i = 0; i < 17; i++) {
        fds[i] = connect_sim(&f);
        run_ms(&f, 0);
    }
    assert_true(read(fds[16], answer, sizeof answer - 1) > 0);
    assert_string_equal(answer, "# too many connections\n");
    assert_int_equal(read(fds[16], answer, sizeof answer), 0);
    close(fds[3]);
    run_ms(&f, 0);
    fds[17] = connect_sim(&f);
    say(fds[17], "0 table 0 none\n\n");
    run_ms(&f, 0);
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), 1);
    for (unsigned i = 0; i < 18; i++) {
        if (i != 3)
            close(fds[i]);
    }
    fixture_close(&f);
}

// Without a free descriptor the caller waits, and the loop does not spin meanwhile.
static void b117_no_descriptor_is_free(void **state) {
    (void)state;
    struct fixture f;
    struct rlimit limit, none;
    open_sim(&f, "antennas = 1");
    int fd = connect_sim(&f);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    run_ms(&f, 500);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    say(fd, "0 table 0 seen 04010203\n\n");
    run_ms(&f, 1000);
    assert_int_equal(fixture_count(&f, NULL, TOLD_SEEN), 1);
    close(fd);
    fixture_close(&f);
}

// A socket that a killed daemon left is taken over; one that is in use, or no socket, is left alone.
static void b030_a_socket_left_behind(void **state) {
    (void)state;
    struct fixture f;
    struct error err;
    struct reader *reader;
    fixture_open(&f, true);
    fixture_conf(&f,
                 "[reader table]\ndriver = sim\nsocket = sim\n[reader other]\ndriver = sim\nsocket = sim\n"
                 "[reader third]\ndriver = sim\nsocket = test.conf\n");
    close(listen_unix(fixture_path(&f, "sim")));
    reader = fixture_reader(&f, "table", NULL);
    run_ms(&f, 0);
    assert_int_equal(fixture_last(&f, "table")->what, TOLD_UP);
    struct reader *second;
    assert_int_equal(fixture_try(&f, "other", NULL, &second, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "in use by another program"));
    assert_int_equal(access(fixture_path(&f, "sim"), F_OK), 0);
    assert_int_equal(fixture_try(&f, "third", NULL, &second, &err), ERROR_INVALID);
    assert_int_equal(access(fixture_path(&f, "test.conf"), F_OK), 0);
    fixture_drop(&f, reader);
    assert_int_equal(access(fixture_path(&f, "sim"), F_OK), -1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_scans),
        cmocka_unit_test(a_gap_ends_a_scan),
        cmocka_unit_test(bytes_may_come_one_by_one),
        cmocka_unit_test(bad_lines_are_counted_and_passed_over),
        cmocka_unit_test(b040_not_a_node),
        cmocka_unit_test(b040_lines_of_another_reader),
        cmocka_unit_test(the_node_tells_of_its_reader),
        cmocka_unit_test(a_node_may_ask_for_hold),
        cmocka_unit_test(b009_a_silent_node_is_down),
        cmocka_unit_test(the_end_of_a_descriptor),
        cmocka_unit_test(b016_a_flood_of_duplicates),
        cmocka_unit_test(b017_every_line_twice),
        cmocka_unit_test(b020_a_unix_socket_that_comes_and_goes),
        cmocka_unit_test(b024_a_node_that_starts_late),
        cmocka_unit_test(b036_a_dead_socket_does_not_spin),
        cmocka_unit_test(a_tcp_node),
        cmocka_unit_test(a_named_pipe_has_many_writers),
        cmocka_unit_test(ports_that_cannot_be),
        cmocka_unit_test(anybody_may_be_the_hands),
        cmocka_unit_test(sim_answers_to_what_it_does_not_understand),
        cmocka_unit_test(many_connections_are_refused_politely),
        cmocka_unit_test(b117_no_descriptor_is_free),
        cmocka_unit_test(b030_a_socket_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
