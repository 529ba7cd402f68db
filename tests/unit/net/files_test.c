// The dashboard's files: what is served, as what, and that nothing else is.
#include "http_client.h"
#include "support/door_stub.c"
#include <sys/stat.h>

static void put(struct fixture *f, const char *name, const char *text) {
    char path[192];
    snprintf(path, sizeof path, "%s/web/%s", f->dir, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void drop(struct fixture *f, const char *name) {
    char path[192];
    snprintf(path, sizeof path, "%s/web/%s", f->dir, name);
    remove(path);
}

static const char *const names[] = {"index.html", "lib/app.js", "lib/.hidden.js", "lib/link.js",
                                    "lib/notes.md"};

static int setup(void **state) {
    fixture_setup(state);
    struct fixture *f = *state;
    char path[192], target[192];
    snprintf(path, sizeof path, "%s/web/lib", f->dir);
    mkdir(path, 0700);
    put(f, "index.html", "<!doctype html>");
    put(f, "lib/app.js", "export {};");
    put(f, "lib/.hidden.js", "secret");
    put(f, "lib/notes.md", "secret");
    snprintf(path, sizeof path, "%s/web/lib/link.js", f->dir);
    snprintf(target, sizeof target, "%s/tokens.json", f->dir);
    assert_int_equal(symlink(target, path), 0);
    fixture_restart(f);
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        drop(f, names[i]);
    drop(f, "lib");
    return fixture_teardown(state);
}

static void files_have_types_tags_and_a_policy(void **state) {
    struct fixture *f = *state;
    char etag[64], line[96];
    struct answer *a = get(f, NULL, "/");
    assert_int_equal(a->status, 200);
    assert_string_equal(a->body, "<!doctype html>");
    assert_true(has_header(a, "\r\nContent-Type: text/html; charset=utf-8"));
    assert_true(
        has_header(a, "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"));
    assert_true(has_header(a, "Cross-Origin-Opener-Policy: same-origin"));
    assert_true(has_header(a, "Referrer-Policy: no-referrer") && has_header(a, "nosniff"));
    assert_true(has_header(a, "Cache-Control: no-cache"));
    header_of(a, "ETag", etag, sizeof etag);
    snprintf(line, sizeof line, "If-None-Match: %s\r\n", etag);
    assert_int_equal(ask(f, NULL, "GET", "/index.html", line, NULL)->status, 304);
    a = get(f, NULL, "/lib/app.js");
    assert_int_equal(a->status, 200);
    assert_true(has_header(a, "\r\nContent-Type: text/javascript"));
    assert_string_equal(get(f, NULL, "/assets/lib/app.js")->body, "export {};");
    assert_int_equal(ask(f, NULL, "HEAD", "/lib/app.js", NULL, NULL)->status, 200);
}

static void nothing_else_is_served(void **state) {
    struct fixture *f = *state;
    static const char *const paths[] = {
        "/lib/.hidden.js", "/lib/link.js",   "/lib/notes.md",     "/lib",         "/lib/",
        "/tokens.json",    "/lib/app.js/x",  "/assets/",          "//index.html", "/assets//lib/app.js",
        "/lib%2fapp.js",   "/%2e%2e/conf",   "/../tokens.json",   "/lib/../x.js", "/assets/../tokens.json",
        "/assets/..%2f..", "/lib/app.js%00", "/assets/%5c..%5cx",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        int status = get(f, NULL, paths[i])->status;
        assert_true(status == 404 || status == 400);
    }
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
int main(void) {
    const struct CMUnitTest tests[] = {TEST(files_have_types_tags_and_a_policy),
                                       TEST(nothing_else_is_served)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
