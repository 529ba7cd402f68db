#include "net/tls.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// cmocka needs the headers above
#include <cmocka.h>

#define DAY INT64_C(86400000000)

struct house {
    struct clock_virtual clock;
    struct loop *loop;
    struct tls *tls;
    char dir[32];
};

static int set_up(void **state) {
    struct house *h = calloc(1, sizeof *h);
    struct cert_names names = {0};
    struct error err = {0};
    strcpy(h->dir, "/tmp/tabled-tls-XXXXXX");
    clock_virtual_init(&h->clock);
    *state = h;
    cert_add_name(&names, "localhost");
    return !mkdtemp(h->dir) || loop_create(&h->clock.base, &h->clock, &h->loop, &err) ||
           tls_open(h->loop, h->dir, NULL, NULL, &names, &h->tls, &err);
}

static int tear_down(void **state) {
    struct house *h = *state;
    static const char *const files[] = {"tls.pem", "tls-key.pem", "own.pem", "own-key.pem"};
    char path[64];
    tls_close(h->tls);
    loop_destroy(h->loop);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", h->dir, files[i]);
        unlink(path);
    }
    rmdir(h->dir);
    free(h);
    return 0;
}

// Lets days go by, an hour at a time.
static void pass(struct house *h, int days) {
    int64_t until = loop_now_us(h->loop) + days * DAY;
    while (loop_now_us(h->loop) < until)
        loop_turn(h->loop, 3600 * INT64_C(1000000));
}

static gnutls_pcert_st *greeted(void) {
    gnutls_pcert_st *chain = NULL;
    gnutls_privkey_t key = NULL;
    unsigned n = 0;
    assert_int_equal(tls_greet(NULL, NULL, 0, NULL, 0, &chain, &n, &key), 0);
    assert_int_equal(n, 1);
    assert_non_null(key);
    return chain;
}

// In the very process, long before its end; a greeting under way keeps the one it began with.
static void its_own_is_renewed_while_it_runs(void **state) {
    struct house *h = *state;
    char first[CERT_FINGERPRINT];
    strcpy(first, tls_fingerprint(h->tls));
    gnutls_pcert_st *before = greeted();
    int64_t ends = tls_ends_us(h->tls);
    pass(h, CERT_DAYS - CERT_RENEW_DAYS - 1);
    assert_string_equal(tls_fingerprint(h->tls), first);
    assert_ptr_equal(greeted(), before);
    pass(h, 2);
    assert_string_not_equal(tls_fingerprint(h->tls), first);
    assert_true(tls_ends_us(h->tls) > ends + 300 * DAY);
    assert_ptr_not_equal(greeted(), before);
    assert_true(before->cert.size > 0); // still there
    clock_virtual_step_wall(&h->clock, 3000 * DAY);
    pass(h, 1);
    assert_true(tls_ends_us(h->tls) > clock_wall_us(&h->clock.base) + 300 * DAY);
}

static void move(struct house *h, const char *from, const char *to) {
    char a[64], b[64];
    snprintf(a, sizeof a, "%s/%s", h->dir, from);
    snprintf(b, sizeof b, "%s/%s", h->dir, to);
    assert_int_equal(rename(a, b), 0);
}

// One of a file is somebody else's to renew: what lies there is taken, and what does not fit is not.
static void a_file_is_read_again(void **state) {
    struct house *h = *state;
    struct cert_names names = {0};
    struct error err = {0};
    char chain[64], key[64], first[CERT_FINGERPRINT], second[CERT_FINGERPRINT];
    snprintf(chain, sizeof chain, "%s/own.pem", h->dir);
    snprintf(key, sizeof key, "%s/own-key.pem", h->dir);
    strcpy(first, tls_fingerprint(h->tls));
    move(h, "tls.pem", "own.pem");
    move(h, "tls-key.pem", "own-key.pem");
    struct cert cert;
    assert_int_equal(cert_open(h->dir, NULL, NULL, &names, clock_wall_us(&h->clock.base), &cert, &err),
                     ERROR_OK);
    strcpy(second, cert.fingerprint);
    cert_forget(&cert);
    tls_close(h->tls);
    assert_int_equal(tls_open(h->loop, h->dir, chain, key, &names, &h->tls, &err), ERROR_OK);
    assert_string_equal(tls_fingerprint(h->tls), first);
    move(h, "tls.pem", "own.pem"); // half of a renewal
    pass(h, 1);
    assert_string_equal(tls_fingerprint(h->tls), first);
    move(h, "tls-key.pem", "own-key.pem");
    pass(h, 1);
    assert_string_equal(tls_fingerprint(h->tls), second);
    unlink(chain);
    pass(h, 1);
    assert_string_equal(tls_fingerprint(h->tls), second);
}

static void what_does_not_fit_is_refused_at_the_start(void **state) {
    struct house *h = *state;
    struct cert_names names = {0};
    struct error err = {0};
    char chain[64], key[64];
    snprintf(chain, sizeof chain, "%s/own.pem", h->dir);
    snprintf(key, sizeof key, "%s/tls-key.pem", h->dir);
    move(h, "tls.pem", "own.pem");
    struct cert cert;
    assert_int_equal(cert_open(h->dir, NULL, NULL, &names, clock_wall_us(&h->clock.base), &cert, &err),
                     ERROR_OK);
    cert_forget(&cert);
    tls_close(h->tls);
    assert_int_equal(tls_open(h->loop, h->dir, chain, key, &names, &h->tls, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "belong together"));
    assert_null(h->tls);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(its_own_is_renewed_while_it_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_is_read_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_refused_at_the_start, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
