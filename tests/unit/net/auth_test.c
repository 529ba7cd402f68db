#include "net/auth.h"
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
    unlink(folder->path);
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

static void the_first_start_makes_one_token_a_role_and_sixteen_seats(void **state) {
    struct folder *folder = *state;
    struct auth *auth;
    struct error err = {0};
    assert_int_equal(auth_open(folder->dir, &auth, &err), ERROR_OK);
    assert_int_equal(auth_count(auth), 20);
    struct stat st;
    assert_int_equal(stat(folder->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    struct auth *again;
    assert_int_equal(auth_open(folder->dir, &again, &err), ERROR_OK);
    for (size_t i = 0; i < 20; i++) {
        char text[AUTH_TOKEN_TEXT_MAX], header[128];
        auth_token_text(auth_at(auth, i), text);
        snprintf(header, sizeof header, "Bearer %s", text);
        const struct auth_token *found = auth_check(again, header);
        assert_non_null(found);
        assert_string_equal(found->id, auth_at(auth, i)->id);
        assert_int_equal(found->role, auth_at(auth, i)->role);
        assert_int_equal(found->seat, auth_at(auth, i)->seat);
    }
    auth_close(auth);
    auth_close(again);
}

static void a_token_of_another_is_none(void **state) {
    (void)state;
    struct auth *a, *b;
    char text[AUTH_TOKEN_TEXT_MAX], header[128];
    assert_int_equal(auth_open(NULL, &a, NULL), ERROR_OK);
    assert_int_equal(auth_open(NULL, &b, NULL), ERROR_OK);
    auth_token_text(auth_at(a, 0), text);
    snprintf(header, sizeof header, "Bearer %s", text);
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
}

static void a_file_that_others_may_read_is_refused(void **state) {
    struct folder *folder = *state;
    struct auth *auth;
    struct error err = {0};
    write_file(folder, "{\"version\":1,\"tokens\":[]}", 0640);
    assert_int_equal(auth_open(folder->dir, &auth, &err), ERROR_FORBIDDEN);
    assert_non_null(strstr(err.text, "chmod 600"));
    chmod(folder->path, 0600);
    assert_int_equal(auth_open(folder->dir, &auth, &err), ERROR_OK);
    assert_int_equal(auth_count(auth), 0);
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
        assert_int_equal(auth_open(folder->dir, &auth, &err), ERROR_CORRUPT);
        assert_null(auth);
        assert_null(strstr(err.text, secret));
    }
}

static void a_folder_that_is_not_there(void **state) {
    (void)state;
    struct auth *auth;
    struct error err = {0};
    assert_int_equal(auth_open("/nonexistent/folder", &auth, &err), ERROR_STORAGE);
}

// The admin is a player too: no role but a seat may see a seat.
static void only_seats_may_see_seats(void **state) {
    (void)state;
    for (int role = DOOR_ADMIN; role <= DOOR_DRIVER; role++)
        assert_int_equal((auth_capabilities((enum door_role)role) & CAP_SEAT) != 0, role == DOOR_SEAT);
    assert_int_equal(auth_capabilities(DOOR_DRIVER), CAP_NONE);
    assert_int_equal(auth_capabilities(DOOR_METRICS), CAP_METRICS);
    assert_int_equal(auth_capabilities(DOOR_OPERATOR) & CAP_ENROL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_start_makes_one_token_a_role_and_sixteen_seats, setup,
                                        teardown),
        cmocka_unit_test(a_token_of_another_is_none),
        cmocka_unit_test_setup_teardown(a_file_that_others_may_read_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_damaged_file_is_an_error_and_no_secret_is_told, setup, teardown),
        cmocka_unit_test(a_folder_that_is_not_there),
        cmocka_unit_test(only_seats_may_see_seats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
