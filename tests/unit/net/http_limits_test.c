#include "http_client.h"
#include "net/routes.h"
#include "support/door_stub.c"
#include <sys/resource.h>
#include <sys/stat.h>

static const char table[] = "/api/v1/tables/main", actions[] = "/api/v1/tables/main/actions";

// The bytes as they are; one answer.
static struct answer *raw(struct fixture *f, const char *data, size_t len) {
    static struct answer a;
    int fd = client_open(f);
    client_send(f, fd, data, len);
    client_read(f, fd, &a, false);
    close(fd);
    turn(f, 4);
    return &a;
}

static struct answer *raw_post(struct fixture *f, const char *framing, const char *body) {
    char text[4096];
    int n = snprintf(text, sizeof text,
                     "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: "
                     "application/json\r\n%s\r\n%s",
                     actions, token(f, "operator"), framing, body);
    return raw(f, text, (size_t)n);
}

static void b107_a_foreign_page_is_refused_everywhere(void **state) {
    struct fixture *f = *state;
    static const char *const methods[] = {"GET", "POST", "OPTIONS", "HEAD"};
    for (size_t i = 0; i < routes_n; i++) {
        char path[128] = "", *at;
        snprintf(path, sizeof path, "%s", routes[i].path);
        if ((at = strstr(path, "{t}")))
            memcpy(at, "xyz", 3);
        if ((at = strstr(path, "{n}")))
            memcpy(at, "001", 3);
        for (size_t k = 0; k < 4; k++) {
            struct answer *a = ask(f, "admin", methods[k], path, "Origin: http://attacker.example\r\n", NULL);
            assert_int_equal(a->status, 403);
            assert_false(has_header(a, "Access-Control"));
        }
    }
    assert_int_equal(ask(f, "admin", "GET", table, "Origin: null\r\n", NULL)->status, 403);
    char own[64];
    snprintf(own, sizeof own, "Origin: http://localhost:%d\r\n", f->port);
    assert_int_equal(ask(f, "admin", "GET", table, own, NULL)->status, 200);
    const char body[] = "{\"text\":\"s1 done\"}";
    assert_int_equal(ask(f, "admin", "POST", actions, "Sec-Fetch-Site: cross-site\r\n", body)->status, 403);
    assert_int_equal(ask(f, "admin", "POST", actions, "Sec-Fetch-Site: same-site\r\n", body)->status, 403);
    assert_int_equal(ask(f, "admin", "POST", actions, "Sec-Fetch-Site: same-origin\r\n", body)->status, 200);
    assert_int_equal(f->door->n_requests, 1);
}

static void b109_only_our_own_names_are_served(void **state) {
    struct fixture *f = *state;
    static const struct {
        const char *host;
        int status;
    } rows[] = {
        {"attacker.example", 421},   {"attacker.example:8137", 421}, {"localhost", 200},
        {"LocalHost:8137", 200},     {"127.0.0.1:1", 200},           {"[::1]:8137", 200},
        {"table.example", 200},      {"localhost.attacker", 421},    {"localhost:8137.evil", 421},
        {"localhost:", 421},         {"localhost:123456", 421},      {"[::1", 421},
        {"localhost@attacker", 421}, {"192.168.1.9", 421},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        int n = snprintf(text, sizeof text, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", rows[i].host);
        assert_int_equal(raw(f, text, (size_t)n)->status, rows[i].status);
    }
    char name[64] = "", text[256];
    gethostname(name, sizeof name - 1);
    int n = snprintf(text, sizeof text, "GET /healthz HTTP/1.1\r\nHost: %s.local\r\n\r\n", name);
    assert_int_equal(raw(f, text, (size_t)n)->status, 200);
    static const char twice[] = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: attacker\r\n\r\n";
    assert_int_equal(raw(f, twice, sizeof twice - 1)->status, 400);
    static const char none[] = "GET /healthz HTTP/1.0\r\n\r\n";
    assert_int_equal(raw(f, none, sizeof none - 1)->status, 421);
}

static void b110_options_need_no_token_and_allow_nobody(void **state) {
    struct fixture *f = *state;
    struct answer *a = ask(f, NULL, "OPTIONS", actions, "Access-Control-Request-Method: POST\r\n", NULL);
    assert_int_equal(a->status, 204);
    assert_true(has_header(a, "Allow: POST, OPTIONS"));
    assert_false(has_header(a, "Access-Control"));
}

static void methods_and_paths(void **state) {
    struct fixture *f = *state;
    struct answer *a = ask(f, "admin", "DELETE", table, NULL, NULL);
    assert_int_equal(a->status, 405);
    assert_true(has_header(a, "Allow: GET, HEAD, OPTIONS"));
    assert_int_equal(ask(f, "admin", "PUT", actions, NULL, "{}")->status, 405);
    static const struct {
        const char *path;
        int status;
    } rows[] = {
        {"/api/v1/tables/main", 200},
        {"/api/v1/tables/m%61in", 200},
        {"/api/v1/tables/main/", 404},
        {"/api/v1/tables/../tables", 400},
        {"/api/v1/%2e%2e/info", 400},
        {"/api/v1/tables/ma%2fin", 400},
        {"/api/v1/tables/main%00", 400},
        {"/api/v1/tables/%zz", 400},
        {"/api/v1/tables/%4", 400},
        {"/api/v1/tables/Main", 404},
        {"//api/v1/info", 404},
        {"/api/v1/./info", 400},
        {"/api/v1/tables/main%0d%0aX", 400},
        {"/api/v1/tables/ma\xc3\xa4n", 400},
        {"/api/v1/tables/a\\b", 400},
        {"/nothing", 404},
        {"/api/v1/tables/main?x=%00&y", 200},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (get(f, "display", rows[i].path)->status != rows[i].status)
            fail_msg("%s", rows[i].path);
    char path[700];
    memset(path, 'a', sizeof path);
    path[0] = '/';
    path[699] = '\0';
    assert_int_equal(get(f, "display", path)->status, 400);
    char longer[7000];
    memset(longer, 'a', sizeof longer);
    longer[0] = '/';
    longer[6999] = '\0';
    int status = get(f, NULL, longer)->status;
    assert_true(status == 400 || status == 414 || status == 431);
}

static void bodies_are_json_of_a_bounded_size(void **state) {
    struct fixture *f = *state;
    static const char form[] = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n";
    char text[512];
    int n = snprintf(text, sizeof text,
                     "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\na=b", actions,
                     token(f, "operator"), form);
    assert_int_equal(raw(f, text, (size_t)n)->status, 415);
    assert_int_equal(raw_post(f, "Content-Length: 65537\r\n", "")->status, 413);
    assert_int_equal(raw_post(f, "", "")->status, 400); // no body at all
    char *big = malloc(65536 + 1);
    memset(big, ' ', 65536);
    memcpy(big, "{\"text\":\"s1 done\"", 17);
    big[65535] = '}';
    big[65536] = '\0';
    int fd = client_open(f);
    n = snprintf(text, sizeof text,
                 "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: "
                 "application/json\r\n"
                 "Content-Length: 65536\r\n\r\n",
                 actions, token(f, "operator"));
    client_send(f, fd, text, (size_t)n);
    client_send(f, fd, big, 65536);
    struct answer *whole = calloc(1, sizeof *whole);
    client_read(f, fd, whole, false);
    assert_int_equal(whole->status, 200);
    close(fd);
    free(whole);
    free(big);
}

static void b113_lengths_that_overflow(void **state) {
    struct fixture *f = *state;
    assert_int_equal(raw_post(f, "Content-Length: 18446744073709551615\r\n", "{}")->status, 413);
    assert_int_equal(raw_post(f, "Content-Length: 18446744073709551616\r\n", "{}")->status, 413);
    assert_int_equal(raw_post(f, "Content-Length: 4294967295\r\n", "{}")->status, 413);
    assert_int_equal(raw_post(f, "Content-Length: -1\r\n", "{}")->status, 400);
    assert_int_equal(raw_post(f, "Content-Length: 0x10\r\n", "{}")->status, 400);
}

static void b114_two_framings(void **state) {
    struct fixture *f = *state;
    assert_int_equal(
        raw_post(f, "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n")->status,
        400);
    assert_int_equal(raw_post(f, "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "{}")->status, 400);
    assert_int_equal(raw_post(f, "Transfer-Encoding: chunked\r\n", "80000000\r\n{}")->status, 400);
    assert_int_equal(raw_post(f, "Transfer-Encoding: chunked\r\n", "2\r\n{}XX0\r\n\r\n")->status, 400);
    assert_int_equal(raw_post(f, "Transfer-Encoding: gzip\r\n", "{}")->status, 400);
    assert_int_equal(raw_post(f, "Content-Length: 2\r\nContent-Length: 3\r\n", "{}x")->status, 400);
    assert_int_equal(f->door->n_requests, 0);
}

static void b118_a_slow_head_is_cut_off_and_others_are_served(void **state) {
    struct fixture *f = *state;
    int fd[50];
    static const char head[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (int i = 0; i < 50; i++)
        fd[i] = client_open(f);
    for (int byte = 0; byte < 4; byte++) {
        for (int i = 0; i < 50; i++)
            client_send(f, fd[i], head + byte, 1);
        assert_int_equal(get(f, NULL, "/healthz")->status, 200);
        clock_virtual_advance(&f->clock, 5000000);
        turn(f, 4);
    }
    turn(f, 60);
    for (int i = 0; i < 50; i++) {
        char c;
        assert_int_equal(recv(fd[i], &c, 1, MSG_DONTWAIT), 0);
        close(fd[i]);
    }
}

static void b118_a_slow_body_is_cut_off_too(void **state) {
    struct fixture *f = *state;
    char text[512], c;
    int n = snprintf(text, sizeof text,
                     "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: "
                     "application/json\r\nContent-Length: 60\r\n\r\n{",
                     actions, token(f, "operator"));
    int fd = client_open(f);
    client_send(f, fd, text, (size_t)n);
    for (int i = 0; i < 4; i++) {
        client_send(f, fd, " ", 1);
        turn(f, 4);
        clock_virtual_advance(&f->clock, 5000000);
    }
    turn(f, 10);
    assert_int_equal(recv(fd, &c, 1, MSG_DONTWAIT), 0);
    close(fd);
    assert_int_equal(f->door->n_requests, 0);
}

// Some leave with their body on the way, at every place among those who are waited for, after a head that is
// taken and after one that is refused; who stays is still cut off in time, and who comes is served.
static void b118_who_leaves_in_his_body_leaves_nothing_behind(void **state) {
    struct fixture *f = *state;
    enum { CLIENTS = 6 };
    for (unsigned leaving = 1; leaving < 1U << CLIENTS; leaving += 3) {
        int fd[CLIENTS];
        for (unsigned i = 0; i < CLIENTS; i++) {
            char text[512];
            int n =
                snprintf(text, sizeof text,
                         "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: "
                         "application/json\r\nContent-Length: 60\r\n\r\n{",
                         actions, i % 2 ? token(f, "operator") : "nobody");
            fd[i] = client_open(f);
            client_send(f, fd[i], text, (size_t)n);
        }
        for (unsigned i = 0; i < CLIENTS; i++)
            if (leaving >> i & 1)
                close(fd[i]);
        turn(f, 20);
        assert_int_equal(get(f, NULL, "/healthz")->status, 200);
        clock_virtual_advance(&f->clock, 16000000);
        turn(f, 20);
        for (unsigned i = 0; i < CLIENTS; i++) {
            char c;
            if (leaving >> i & 1)
                continue;
            while (recv(fd[i], &c, 1, MSG_DONTWAIT) > 0)
                ;
            assert_int_equal(recv(fd[i], &c, 1, MSG_DONTWAIT), 0);
            close(fd[i]);
        }
        turn(f, 10);
    }
    assert_int_equal(f->door->n_requests, 0);
}

static void b117_running_out_of_descriptors_is_a_pause(void **state) {
    struct fixture *f = *state;
    struct rlimit old, low;
    int waiting = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), probe = dup(waiting);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)f->port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    close(probe);
    getrlimit(RLIMIT_NOFILE, &old);
    low = (struct rlimit){(rlim_t)probe, old.rlim_max}; // no descriptor is left
    setrlimit(RLIMIT_NOFILE, &low);
    assert_int_equal(connect(waiting, (struct sockaddr *)&address, sizeof address), 0);
    turn(f, 10);
    // The listener rests: no turn finds it ready, so time goes on.
    int64_t before = f->clock.mono;
    loop_turn(f->loop, 100000);
    assert_true(f->clock.mono > before);
    setrlimit(RLIMIT_NOFILE, &old);
    clock_virtual_advance(&f->clock, 1000000);
    turn(f, 4);
    struct answer *a = calloc(1, sizeof *a);
    client_ask(f, waiting, NULL, "GET", "/healthz", NULL, NULL);
    client_read(f, waiting, a, false);
    assert_int_equal(a->status, 200);
    close(waiting);
    free(a);
}

static void b119_numbers_are_exact_or_refused(void **state) {
    struct fixture *f = *state;
    static const struct {
        const char *number;
        int status;
    } rows[] = {{"9007199254740993", 200},
                {"9223372036854775807", 200},
                {"9223372036854775808", 400},
                {"1e3", 400},
                {"1.0", 400},
                {"-0", 200},
                {"-1", 400},
                {"\"7\"", 400},
                {"007", 400},
                {"null", 400}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[128];
        snprintf(body, sizeof body, "{\"text\":\"s1 done\",\"if_seq\":%s}", rows[i].number);
        if (post(f, "operator", actions, body)->status != rows[i].status)
            fail_msg("%s", body);
        if (rows[i].status == 200)
            assert_true(f->door->last.if_seq == strtoull(rows[i].number, NULL, 10));
    }
}

static void wrong_tokens_cost_tries_and_right_ones_do_not(void **state) {
    struct fixture *f = *state;
    char wrong[128], header[256], last = 0;
    snprintf(wrong, sizeof wrong, "%s", token(f, "admin"));
    wrong[20] = wrong[20] == 'A' ? 'B' : 'A';
    snprintf(header, sizeof header, "Authorization: Bearer %s\r\n", wrong);
    int refused = 0, limited = 0;
    for (int i = 0; i < 12; i++) {
        struct answer *a = ask(f, NULL, "GET", table, header, NULL);
        assert_null(strstr(a->text, wrong + 3)); // never said back
        *(a->status == 401 ? &refused : &limited) += 1;
        last = (char)a->status;
    }
    assert_int_equal(last, (char)429);
    assert_int_equal(refused, 5);
    assert_int_equal(limited, 7);
    assert_int_equal(get(f, "admin", table)->status, 200); // no lock-out
    assert_int_equal(get(f, NULL, table)->status, 401);    // none at all is no guess
    clock_virtual_advance(&f->clock, 13000000);
    assert_int_equal(ask(f, NULL, "GET", table, header, NULL)->status, 401);
    static const char *const shapes[] = {"Basic YWRtaW46eA==",   "Bearer",
                                         "Bearer gt_",           "Bearer gt_admin_",
                                         "Bearer gt_admin_AAAA", "Bearer gt__x"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        snprintf(header, sizeof header, "Authorization: %s\r\n", shapes[i]);
        clock_virtual_advance(&f->clock, 60000000);
        turn(f, 2);
        assert_int_equal(ask(f, NULL, "GET", table, header, NULL)->status, 401);
    }
}

static void the_control_socket_knows_its_callers(void **state) {
    struct fixture *f = *state;
    struct answer *a = calloc(1, sizeof *a);
    struct stat st;
    assert_int_equal(stat(f->socket, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0660);
    int fd = client_local(f);
    client_ask(f, fd, NULL, "GET", table, NULL, NULL);
    client_read(f, fd, a, false);
    assert_int_equal(a->status, 200);
    client_ask(f, fd, NULL, "POST", actions, NULL, "{\"text\":\"s1 done\"}");
    client_read(f, fd, a, false);
    assert_int_equal(a->status, 200);
    char name[33];
    snprintf(name, sizeof name, "uid-%u", getuid());
    assert_string_equal(f->door->last.who.name, name);
    assert_string_equal(f->door->last.who.cause, "local");
    assert_int_equal(f->door->last.who.role, DOOR_ADMIN);
    close(fd);
    free(a);
}

static void a_second_daemon_is_told_so(void **state) {
    struct fixture *f = *state;
    struct http *second;
    struct error err = {0};
    const struct http_options options = {
        .loop = f->loop, .socket_path = f->socket, .version = "1", .door = f->door, .feed = f->feed};
    assert_int_equal(http_create(&options, &second, &err), ERROR_EXISTS);
    assert_int_equal(access(f->socket, F_OK), 0);
}

static void b104_an_address_that_is_not_there_yet(void **state) {
    struct fixture *f = *state;
    struct error err = {0};
    struct config *config = fixture_config(f, "listen = 192.0.2.7:8137 [2001:db8::7]:8137\n");
    struct http *http = NULL;
    const struct http_options options = {.loop = f->loop,
                                         .conf = config_find(config, "http", ""),
                                         .version = "1",
                                         .door = f->door,
                                         .feed = f->feed};
    assert_int_equal(http_create(&options, &http, &err), ERROR_OK);
    for (int i = 0; i < 20; i++) { // still tried, never a storm
        clock_virtual_advance(&f->clock, 30000000);
        turn(f, 2);
    }
    http_destroy(http);
    config_destroy(config);
    static const char *const wrong[] = {"localhost:80", "127.0.0.1",       "127.0.0.1:x",
                                        "[::1]",        "127.0.0.1:70000", ":80"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char lines[64];
        snprintf(lines, sizeof lines, "listen = %s\n", wrong[i]);
        config = fixture_config(f, lines);
        const struct http_options bad = {.loop = f->loop,
                                         .conf = config_find(config, "http", ""),
                                         .version = "1",
                                         .door = f->door,
                                         .feed = f->feed};
        assert_int_equal(http_create(&bad, &http, &err), ERROR_INVALID);
        config_destroy(config);
    }
}

// What a browser sends fits; what does not is refused or closed, and never left waiting.
static void heads_of_every_size(void **state) {
    struct fixture *f = *state;
    static char text[9000], padding[8000];
    for (size_t size = 0; size < 7000; size += 97) {
        memset(padding, 'c', size);
        padding[size] = '\0';
        int n = snprintf(text, sizeof text,
                         "GET /api/v1/info HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nCookie: %s\r\n\r\n",
                         padding);
        const struct answer *a = raw(f, text, (size_t)n);
        bool refused = a->status == 413 || a->status == 431 || (a->status == 0 && a->closed);
        if (size < 2300 ? a->status != 200 : a->status != 200 && !refused)
            fail_msg("%zu bytes: %d", size, a->status);
    }
}

// A query's arguments take more of the pool than their letters: too many are refused at once, or the
// connection closes.
static void queries_of_every_length(void **state) {
    struct fixture *f = *state;
    static char text[9000];
    for (int arguments = 1; arguments < 900; arguments += arguments < 120 ? 3 : 37) {
        size_t n = (size_t)snprintf(text, sizeof text, "GET /api/v1/info?a=1");
        for (int i = 1; i < arguments; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "&a%d=1", i);
        n += (size_t)snprintf(text + n, sizeof text - n, " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        const struct answer *a = raw(f, text, n);
        if (arguments < 40 ? a->status != 200
                           : a->status != 200 && a->status != 431 && a->status != 414 && !a->closed)
            fail_msg("%d arguments: %d", arguments, a->status);
    }
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(b107_a_foreign_page_is_refused_everywhere),
        TEST(b109_only_our_own_names_are_served),
        TEST(b110_options_need_no_token_and_allow_nobody),
        TEST(methods_and_paths),
        TEST(bodies_are_json_of_a_bounded_size),
        TEST(heads_of_every_size),
        TEST(queries_of_every_length),
        TEST(b113_lengths_that_overflow),
        TEST(b114_two_framings),
        TEST(b117_running_out_of_descriptors_is_a_pause),
        TEST(b118_a_slow_head_is_cut_off_and_others_are_served),
        TEST(b118_a_slow_body_is_cut_off_too),
        TEST(b118_who_leaves_in_his_body_leaves_nothing_behind),
        TEST(b119_numbers_are_exact_or_refused),
        TEST(wrong_tokens_cost_tries_and_right_ones_do_not),
        TEST(the_control_socket_knows_its_callers),
        TEST(a_second_daemon_is_told_so),
        TEST(b104_an_address_that_is_not_there_yet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
