#include "net/auth_store.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
// cmocka needs the headers above
#include <cmocka.h>

struct folder {
    char dir[64], path[96];
};

static int setup(void **state) {
    struct folder *folder = calloc(1, sizeof *folder);
    strcpy(folder->dir, "/tmp/tabled-auth-XXXXXX");
    assert_non_null(mkdtemp(folder->dir));
    snprintf(folder->path, sizeof folder->path, "%s/tokens.json", folder->dir);
    *state = folder;
    return 0;
}

static int teardown(void **state) {
    struct folder *folder = *state;
    char path[128];
    unlink(folder->path);
    snprintf(path, sizeof path, "%s/auth.db", folder->dir);
    unlink(path);
    rmdir(folder->dir);
    free(folder);
    return 0;
}

static void write_file(const struct folder *folder, const char *text, mode_t mode) {
    FILE *file = fopen(folder->path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    chmod(folder->path, mode);
}

static struct auth *open_at(const struct folder *folder, int64_t wall_us) {
    struct auth *auth;
    struct error err = {0};
    if (auth_open(folder->dir, wall_us, 0, &auth, &err))
        fail_msg("%s", err.text);
    return auth;
}

static const char *bearer(const struct token_row *row, char ret[128]) {
    char text[TOKEN_TEXT_MAX];
    token_text(row, text);
    snprintf(ret, 128, "Bearer %s", text);
    return ret;
}

static void the_first_start_makes_one_token_a_role_and_sixteen_seats(void **state) {
    struct folder *folder = *state;
    struct auth *auth = open_at(folder, 0);
    assert_int_equal(auth_tokens(auth), 20);
    struct stat st;
    assert_int_equal(stat(folder->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    struct token_file *file;
    assert_int_equal(token_file_open(folder->dir, false, &file, NULL), ERROR_OK);
    assert_int_equal(file->n, 20);
    for (size_t i = 0; i < 20; i++) {
        char header[128];
        const struct auth_token *found = auth_check(auth, bearer(&file->row[i], header));
        assert_non_null(found);
        assert_string_equal(found->id, file->row[i].id);
        assert_int_equal(found->grant.role, file->row[i].role);
        assert_int_equal(found->grant.seat, file->row[i].seat);
    }
    auth_close(auth);
    token_file_close(file);
}

static void what_root_takes_out_of_the_file_is_gone(void **state) {
    struct folder *folder = *state;
    struct token_file *file;
    char header[128], text[TOKEN_TEXT_MAX], json[512];
    auth_close(open_at(folder, 0));
    assert_int_equal(token_file_open(folder->dir, false, &file, NULL), ERROR_OK);
    token_text(&file->row[1], text);
    snprintf(json, sizeof json,
             "{\"version\":1,\"tokens\":[{\"name\":\"o\",\"role\":\"operator\",\"seat\":\"\",\"table\":\"\","
             "\"token\":\"%s\"}]}",
             text);
    write_file(folder, json, 0600);
    struct auth *auth = open_at(folder, 0);
    assert_int_equal(auth_tokens(auth), 1);
    assert_null(auth_check(auth, bearer(&file->row[0], header)));
    assert_non_null(auth_check(auth, bearer(&file->row[1], header)));
    // Revoked stays revoked, although the file still has it.
    struct auth_change drop = {.what = AUTH_DROP_TOKEN, .token = *auth_token_at(auth, 0)};
    assert_int_equal(auth_store_write(auth_store(auth), &drop, 1, NULL), ERROR_OK);
    auth_close(auth);
    auth = open_at(folder, 0);
    assert_int_equal(auth_tokens(auth), 0);
    auth_close(auth);
    token_file_close(file);
}

static void a_token_of_another_is_none(void **state) {
    struct folder *folder = *state;
    struct auth *a = open_at(folder, 0), *b;
    struct token_file *file;
    char text[TOKEN_TEXT_MAX], header[128];
    assert_int_equal(auth_open(NULL, 0, 0, &b, NULL), ERROR_OK);
    assert_int_equal(token_file_open(folder->dir, false, &file, NULL), ERROR_OK);
    bearer(&file->row[0], header);
    token_text(&file->row[0], text);
    assert_non_null(auth_check(a, header));
    assert_null(auth_check(b, header));
    header[strlen(header) - 1] = '\0';
    assert_null(auth_check(a, header));
    // The right secret under another id is wrong as well.
    snprintf(header, sizeof header, "Bearer gt_operator_%s", strrchr(text, '_') + 1);
    assert_null(auth_check(a, header));
    static const char *const wrong[] = {"",
                                        "Bearer",
                                        "Bearer ",
                                        "gt_admin_x",
                                        "Bearer gt_admin",
                                        "Bearer gt_nobody_AAAA",
                                        "Bearer gt_an-id-that-is-far-too-long_AAAA",
                                        "Basic gt_admin_AAAA"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(auth_check(a, wrong[i]));
    auth_close(a);
    auth_close(b);
    token_file_close(file);
}

// ---- sessions

static struct auth_session *log_in(struct auth *auth, enum door_role role, int64_t now, char cookie[64]) {
    const struct auth_grant grant = {.name = "ada", .role = role, .seat = -1};
    char secret[AUTH_COOKIE_TEXT];
    struct auth_change change = {.what = AUTH_PUT_SESSION};
    assert_int_equal(auth_session_make(auth, &grant, true, now, now, &change.session, secret, NULL),
                     ERROR_OK);
    assert_int_equal(auth_store_write(auth_store(auth), &change, 1, NULL), ERROR_OK);
    auth_apply(auth, &change, NULL, NULL);
    snprintf(cookie, 64, "tabled=%s", secret);
    return auth_cookie(auth, cookie, "tabled", now, now);
}

enum { MINUTE = 60 };
#define US(s) ((int64_t)(s)*1000000)

static void a_session_that_has_ended_is_refused(void **state) {
    struct folder *folder = *state;
    struct auth *auth = open_at(folder, 0);
    char cookie[64], line[160];
    assert_non_null(log_in(auth, DOOR_ADMIN, 0, cookie));
    snprintf(line, sizeof line, "a=b; %s; c=d", cookie);
    int64_t now = US(29 * MINUTE);
    assert_non_null(auth_cookie(auth, line, "tabled", now, now)); // use counts
    now += US(29 * MINUTE);
    assert_non_null(auth_cookie(auth, cookie, "tabled", now, now));
    assert_null(auth_cookie(auth, cookie, "table", now, now));
    assert_null(auth_cookie(auth, "tabled=AAAA", "tabled", now, now));
    assert_null(auth_cookie(auth, cookie, "tabled", now + US(30 * MINUTE), 0));
    for (; now < US(AUTH_ABSOLUTE_S) - US(20 * MINUTE); now += US(20 * MINUTE))
        assert_non_null(auth_cookie(auth, cookie, "tabled", now, now));
    assert_null(auth_cookie(auth, cookie, "tabled", US(AUTH_ABSOLUTE_S), 0));
    auth_close(auth);
}

static void a_session_lives_over_a_restart_and_no_longer_than_it_may(void **state) {
    struct folder *folder = *state;
    struct auth *auth = open_at(folder, 0);
    char cookie[64], csrf[AUTH_COOKIE_TEXT], again[AUTH_COOKIE_TEXT];
    assert_non_null(log_in(auth, DOOR_DISPLAY, 0, cookie));
    assert_true(auth_csrf(cookie, "tabled", csrf));
    auth_close(auth);
    auth = open_at(folder, US(6 * 3600));
    assert_non_null(auth_cookie(auth, cookie, "tabled", US(5 * 3600), 0)); // monotonic: of this boot
    assert_null(auth_cookie(auth, cookie, "tabled", US(6 * 3600), 0));
    assert_true(auth_csrf(cookie, "tabled", again));
    assert_string_equal(csrf, again);
    auth_close(auth);
    auth = open_at(folder, US(AUTH_ABSOLUTE_S));
    assert_null(auth_cookie(auth, cookie, "tabled", 1, 0));
    auth_close(auth);
}

static void the_table_of_sessions_is_bounded(void **state) {
    struct folder *folder = *state;
    struct auth *auth = open_at(folder, 0);
    char first[64], cookie[64];
    assert_non_null(log_in(auth, DOOR_ADMIN, 0, first));
    for (int i = 1; i < AUTH_SESSIONS_MAX; i++)
        assert_non_null(log_in(auth, DOOR_ADMIN, i, cookie));
    struct auth_session unused;
    char secret[AUTH_COOKIE_TEXT];
    const struct auth_grant other = {.name = "eve", .role = DOOR_OPERATOR, .seat = -1};
    assert_int_equal(auth_session_make(auth, &other, true, 100, 100, &unused, secret, NULL), ERROR_BUSY);
    assert_non_null(log_in(auth, DOOR_ADMIN, 100, cookie)); // the oldest of the same user goes
    assert_null(auth_cookie(auth, first, "tabled", 101, 101));
    auth_close(auth);
}

// Most phones are called `phone`: when all places are taken, the next one waits.
static void a_paired_phone_sends_no_other_away(void **state) {
    struct folder *folder = *state;
    struct auth *auth = open_at(folder, 0);
    const struct auth_grant phone = {.name = "phone", .role = DOOR_SEAT, .seat = 1};
    struct auth_change change = {.what = AUTH_PUT_SESSION};
    char secret[AUTH_COOKIE_TEXT], first[64] = "";
    for (int i = 0; i < AUTH_SESSIONS_MAX; i++) {
        assert_int_equal(auth_session_make(auth, &phone, false, i, i, &change.session, secret, NULL),
                         ERROR_OK);
        auth_apply(auth, &change, NULL, NULL);
        if (!*first)
            snprintf(first, sizeof first, "tabled=%s", secret);
    }
    assert_int_equal(auth_session_make(auth, &phone, false, 900, 900, &change.session, secret, NULL),
                     ERROR_BUSY);
    assert_non_null(auth_cookie(auth, first, "tabled", 901, 901));
    auth_close(auth);
}

static void a_file_that_others_may_read_is_refused(void **state) {
    struct folder *folder = *state;
    struct auth *auth;
    struct error err = {0};
    write_file(folder, "{\"version\":1,\"tokens\":[]}", 0640);
    assert_int_equal(auth_open(folder->dir, 0, 0, &auth, &err), ERROR_FORBIDDEN);
    assert_non_null(strstr(err.text, "chmod 600"));
    chmod(folder->path, 0600);
    assert_int_equal(auth_open(folder->dir, 0, 0, &auth, &err), ERROR_OK);
    assert_int_equal(auth_tokens(auth), 0);
    auth_close(auth);
}

static void a_damaged_file_is_an_error_and_no_secret_is_told(void **state) {
    struct folder *folder = *state;
    static const char secret[] = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY";
    static const char *const wrong[] = {
        "",
        "{\"version\":1,\"tokens\":[%s]",
        "{\"version\":2,\"tokens\":[]}",
        "{\"version\":1,\"tokens\":[{\"name\":\"a\"}]}",
        "{\"version\":1,\"tokens\":[{\"name\":\"a\",\"role\":\"king\",\"seat\":\"\",\"table\":\"\",\"token\":"
        "\"gt_a_%s\"}]}",
        "{\"version\":1,\"tokens\":[{\"name\":\"a\",\"role\":\"seat\",\"seat\":\"s17\",\"table\":\"\","
        "\"token\":\"gt_a_%s\"}]}",
        "{\"version\":1,\"tokens\":[{\"name\":\"a\",\"role\":\"admin\",\"seat\":\"\",\"table\":\"\","
        "\"token\":\"gt_a_%s\" x}]}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        struct auth *auth = NULL;
        struct error err = {0};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, wrong[i], secret);
#pragma GCC diagnostic pop
        write_file(folder, text, 0600);
        assert_int_equal(auth_open(folder->dir, 0, 0, &auth, &err), ERROR_CORRUPT);
        assert_null(auth);
        assert_null(strstr(err.text, secret));
    }
}

static void a_folder_that_is_not_there(void **state) {
    (void)state;
    struct auth *auth;
    struct error err = {0};
    assert_int_equal(auth_open("/nonexistent/folder", 0, 0, &auth, &err), ERROR_STORAGE);
}

// The admin is a player too: no role but a seat may see a seat.
static void only_seats_may_see_seats(void **state) {
    (void)state;
    for (int role = DOOR_ADMIN; role <= DOOR_DRIVER; role++)
        assert_int_equal((auth_capabilities((enum door_role)role) & CAP_SEAT) != 0, role == DOOR_SEAT);
    assert_int_equal(auth_capabilities(DOOR_DRIVER), CAP_NONE);
    assert_int_equal(auth_capabilities(DOOR_METRICS), CAP_METRICS | CAP_KNOWN);
    assert_int_equal(auth_capabilities(DOOR_OPERATOR) & CAP_ENROL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_start_makes_one_token_a_role_and_sixteen_seats, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_root_takes_out_of_the_file_is_gone, setup, teardown),
        cmocka_unit_test_setup_teardown(a_token_of_another_is_none, setup, teardown),
        cmocka_unit_test_setup_teardown(a_session_that_has_ended_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_session_lives_over_a_restart_and_no_longer_than_it_may, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_table_of_sessions_is_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(a_paired_phone_sends_no_other_away, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_that_others_may_read_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_damaged_file_is_an_error_and_no_secret_is_told, setup, teardown),
        cmocka_unit_test(a_folder_that_is_not_there),
        cmocka_unit_test(only_seats_may_see_seats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
