#include "net/tls.h"
#include "core/log.h"
#include <assert.h>
#include <gnutls/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN_MAX = 8 };
#define DAY_US INT64_C(86400000000)

struct shown {
    gnutls_pcert_st chain[CHAIN_MAX];
    unsigned n;
    gnutls_privkey_t key;
};

struct tls {
    struct loop *loop;
    struct loop_timer timer;
    char *state_dir, *chain_path, *key_path; // NULL = none
    struct cert_names names;
    char fingerprint[CERT_FINGERPRINT];
    int64_t begins_s, ends_s, warned_us; // wall, wall, monotonic
    bool warned;
    // A greeting that began with the one before may still be under way: it goes when the next one comes.
    struct shown *now, *before;
};

static struct tls *serving;

static void drop(struct shown *shown) {
    if (!shown)
        return;
    for (unsigned i = 0; i < shown->n; i++)
        gnutls_pcert_deinit(&shown->chain[i]);
    gnutls_privkey_deinit(shown->key);
    free(shown);
}

static gnutls_datum_t datum(char *text) {
    return (gnutls_datum_t){(unsigned char *)text, (unsigned)strlen(text)};
}

static struct shown *read_shown(const struct cert *cert) {
    const gnutls_datum_t chain = datum(cert->chain), key = datum(cert->key);
    struct shown *shown = calloc(1, sizeof *shown);
    unsigned n = CHAIN_MAX;
    if (!shown || !cert_is_whole(cert) || gnutls_privkey_init(&shown->key) < 0) {
        free(shown);
        return NULL;
    }
    if (gnutls_privkey_import_x509_raw(shown->key, &key, GNUTLS_X509_FMT_PEM, NULL, 0) >= 0 &&
        gnutls_pcert_list_import_x509_raw(shown->chain, &n, &chain, GNUTLS_X509_FMT_PEM, 0) >= 0) {
        shown->n = n;
        return shown;
    }
    drop(shown);
    return NULL;
}

static enum error_code take(struct tls *tls, struct error *err) {
    struct cert_names names = tls->names;
    struct cert cert;
    cert_add_addresses(&names);
    if (cert_open(tls->state_dir, tls->chain_path, tls->key_path, &names,
                  clock_wall_us(loop_clock(tls->loop)), &cert, err))
        return err->code;
    struct shown *shown = NULL;
    bool same = !strcmp(tls->fingerprint, cert.fingerprint);
    if (!same && !(shown = read_shown(&cert)))
        error_set(err, ERROR_INVALID, tls->chain_path ? tls->chain_path : "tls",
                  "the certificate and its key do not belong together");
    const int64_t begins_s = cert.begins_s, ends_s = cert.ends_s;
    char fingerprint[CERT_FINGERPRINT];
    memcpy(fingerprint, cert.fingerprint, sizeof fingerprint);
    cert_forget(&cert);
    if (same)
        return ERROR_OK;
    if (!shown)
        return err->code;
    drop(tls->before);
    tls->before = tls->now;
    tls->now = shown;
    tls->begins_s = begins_s;
    tls->ends_s = ends_s;
    memcpy(tls->fingerprint, fingerprint, sizeof fingerprint);
    log_info("http", "certificate fingerprint=%s", tls->fingerprint);
    return ERROR_OK;
}

// What people have to put right is told once a day.
static bool may_warn(struct tls *tls) {
    int64_t now_us = loop_now_us(tls->loop);
    if (tls->warned && now_us - tls->warned_us < DAY_US)
        return false;
    tls->warned = true;
    tls->warned_us = now_us;
    return true;
}

static void look(void *ctx) {
    struct tls *tls = ctx;
    struct error err = {0};
    int64_t wall_us = clock_wall_us(loop_clock(tls->loop));
    loop_timer_start(tls->loop, &tls->timer, loop_now_us(tls->loop) + TLS_LOOK_S * INT64_C(1000000), look,
                     tls);
    const struct cert now = {.begins_s = tls->begins_s, .ends_s = tls->ends_s};
    if (!tls->chain_path && !cert_due(&now, wall_us))
        return;
    if (take(tls, &err) && may_warn(tls))
        log_warning("http", "the certificate is not renewed: %s", err.text);
    int64_t left_us = tls_ends_us(tls) - wall_us;
    if (tls->chain_path && left_us < TLS_WARN_DAYS * DAY_US && may_warn(tls))
        log_warning(
            "http",
            "the certificate ends in days=%lld; put a new one at file=%s, it is taken within the hour",
            (long long)(left_us > 0 ? left_us / DAY_US : 0), tls->chain_path);
}

static char *copy(const char *text, bool *ok) {
    char *made = text && *text ? strdup(text) : NULL;
    *ok = *ok && (made || !text || !*text);
    return made;
}

enum error_code tls_open(struct loop *loop, const char *state_dir, const char *chain_path,
                         const char *key_path, const struct cert_names *names, struct tls **ret,
                         struct error *err) {
    struct tls *tls = *ret = calloc(1, sizeof *tls);
    bool ok = tls != NULL;
    assert(!serving);
    if (ok) {
        *tls = (struct tls){.loop = loop, .names = *names};
        tls->state_dir = copy(state_dir, &ok);
        tls->chain_path = copy(chain_path, &ok);
        tls->key_path = copy(key_path, &ok);
    }
    if (ok ? take(tls, err) : error_set(err, ERROR_INTERNAL, "tls", "out of memory")) {
        tls_close(tls);
        *ret = NULL;
        return err->code;
    }
    serving = tls;
    look(tls);
    return ERROR_OK;
}

void tls_close(struct tls *tls) {
    if (!tls)
        return;
    if (serving == tls)
        serving = NULL;
    loop_timer_stop(tls->loop, &tls->timer);
    drop(tls->now);
    drop(tls->before);
    free(tls->state_dir);
    free(tls->chain_path);
    free(tls->key_path);
    free(tls);
}

const char *tls_fingerprint(const struct tls *tls) {
    return tls ? tls->fingerprint : "";
}

int64_t tls_ends_us(const struct tls *tls) {
    return tls ? tls->ends_s * 1000000 : 0;
}

int tls_greet(gnutls_session_t session, const gnutls_datum_t *asked, int n_asked,
              const gnutls_pk_algorithm_t *kinds, int n_kinds, gnutls_pcert_st **chain, unsigned *n,
              gnutls_privkey_t *key) {
    (void)session, (void)asked, (void)n_asked, (void)kinds, (void)n_kinds;
    if (!serving)
        return -1;
    *chain = serving->now->chain;
    *n = serving->now->n;
    *key = serving->now->key;
    return 0;
}
