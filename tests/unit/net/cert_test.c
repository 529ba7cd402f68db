#include "net/cert.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
// cmocka needs the headers above
#include <cmocka.h>

#define DAY INT64_C(86400000000)
static const int64_t now_us = INT64_C(1767225600000000);

static void open_cert(const char *dir, const struct cert_names *names, int64_t at_us,
                      char ret[CERT_FINGERPRINT]) {
    struct cert cert;
    struct error err = {0};
    if (cert_open(dir, NULL, NULL, names, at_us, &cert, &err))
        fail_msg("%s", err.text);
    memcpy(ret, cert.fingerprint, CERT_FINGERPRINT);
    assert_non_null(strstr(cert.key, "PRIVATE KEY"));
    cert_forget(&cert);
}

static void it_is_made_once_and_anew_when_names_or_time_ask_for_it(void **state) {
    (void)state;
    char dir[] = "/tmp/tabled-cert-XXXXXX", path[64], first[CERT_FINGERPRINT], again[CERT_FINGERPRINT];
    struct cert_names names = {0};
    struct stat st;
    assert_non_null(mkdtemp(dir));
    cert_add_name(&names, "localhost");
    cert_add_name(&names, "[::1]");
    cert_add_name(&names, "192.0.2.7");
    cert_add_name(&names, "localhost");
    assert_int_equal(names.n, 3);
    open_cert(dir, &names, now_us, first);
    assert_int_equal(strlen(first), 64);
    snprintf(path, sizeof path, "%s/tls-key.pem", dir);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    open_cert(dir, &names, now_us + 300 * DAY, again);
    assert_string_equal(first, again);
    open_cert(dir, &names, now_us + 370 * DAY, again); // its end is near
    assert_string_not_equal(first, again);
    cert_add_name(&names, "table.example");
    open_cert(dir, &names, now_us + 370 * DAY, first);
    assert_string_not_equal(first, again);
    // What somebody has damaged is made anew as well.
    FILE *file = fopen(path, "w");
    fclose(file);
    snprintf(path, sizeof path, "%s/tls.pem", dir);
    file = fopen(path, "w");
    fputs("nonsense", file);
    fclose(file);
    open_cert(dir, &names, now_us, again);
    assert_string_not_equal(first, again);
    // The power went when the key was new and the certificate was not.
    char kept[64];
    snprintf(kept, sizeof kept, "%s/kept.pem", dir);
    assert_int_equal(rename(path, kept), 0);
    open_cert(dir, &names, now_us, first);
    assert_int_equal(rename(kept, path), 0);
    open_cert(dir, &names, now_us, first);
    assert_string_not_equal(first, again);
    unlink(path);
    snprintf(path, sizeof path, "%s/tls-key.pem", dir);
    unlink(path);
    rmdir(dir);
}

// A clock that was never set, one that was set too far, and the right one.
static void it_holds_whatever_the_clock_has_shown(void **state) {
    (void)state;
    char dir[] = "/tmp/tabled-cert-XXXXXX", path[64], first[CERT_FINGERPRINT], again[CERT_FINGERPRINT];
    struct cert_names names = {0};
    assert_non_null(mkdtemp(dir));
    cert_add_name(&names, "localhost");
    open_cert(dir, &names, 5000000, first); // made in 1970
    open_cert(dir, &names, now_us + 200 * DAY, again);
    assert_string_equal(first, again);
    open_cert(dir, &names, 5000000, again); // the power was off
    assert_string_equal(first, again);
    open_cert(dir, &names, now_us + 3000 * DAY, again);
    assert_string_not_equal(first, again);
    open_cert(dir, &names, now_us + 200 * DAY, first); // it would begin in years
    assert_string_not_equal(first, again);
    open_cert(dir, &names, 5000000, again);
    assert_string_equal(first, again);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, i ? "tls.pem" : "tls-key.pem");
        unlink(path);
    }
    rmdir(dir);
}

static void one_that_is_given_is_taken_or_refused(void **state) {
    (void)state;
    struct cert cert;
    struct error err = {0};
    const struct cert_names names = {0};
    assert_int_equal(cert_open(NULL, "/nonexistent/tls.pem", NULL, &names, now_us, &cert, &err),
                     ERROR_NOT_FOUND);
    char path[] = "/tmp/tabled-cert-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, "nonsense", 8) == 8);
    assert_int_equal(cert_open(NULL, path, path, &names, now_us, &cert, &err), ERROR_INVALID);
    fchmod(fd, 0644);
    assert_int_equal(cert_open(NULL, path, path, &names, now_us, &cert, &err), ERROR_FORBIDDEN);
    close(fd);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_made_once_and_anew_when_names_or_time_ask_for_it),
        cmocka_unit_test(it_holds_whatever_the_clock_has_shown),
        cmocka_unit_test(one_that_is_given_is_taken_or_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
