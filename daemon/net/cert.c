#include "net/cert.h"
#include "core/file.h"
#include "core/log.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PEM_MAX = 65536, SERIAL_BYTES = 16, DAY_S = 86400 };
// 2026-01-01. A clock that shows less was never set: this machine has none that goes on without power.
static const int64_t earliest_s = 1767225600;

// ---- names

void cert_add_name(struct cert_names *names, const char *text) {
    char name[CERT_NAME_MAX];
    size_t len = strlen(text);
    bool brackets = *text == '[' && len > 2 && text[len - 1] == ']';
    if (len >= sizeof name || names->n == CERT_NAMES_MAX)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(brackets ? len - 2 : len), text + brackets);
    for (size_t i = 0; i < names->n; i++)
        if (!strcmp(names->name[i], name))
            return;
    memcpy(names->name[names->n++], name, sizeof name);
}

void cert_add_addresses(struct cert_names *names) {
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) != 0)
        return;
    for (const struct ifaddrs *at = list; at; at = at->ifa_next) {
        char text[INET6_ADDRSTRLEN] = "";
        if (!at->ifa_addr || !(at->ifa_flags & IFF_UP) || at->ifa_flags & IFF_LOOPBACK)
            continue;
        if (at->ifa_addr->sa_family == AF_INET) {
            struct sockaddr_in in;
            memcpy(&in, at->ifa_addr, sizeof in);
            inet_ntop(AF_INET, &in.sin_addr, text, sizeof text);
        } else if (at->ifa_addr->sa_family == AF_INET6) {
            struct sockaddr_in6 in;
            memcpy(&in, at->ifa_addr, sizeof in);
            if (!IN6_IS_ADDR_LINKLOCAL(&in.sin6_addr))
                inet_ntop(AF_INET6, &in.sin6_addr, text, sizeof text);
        }
        if (*text)
            cert_add_name(names, text);
    }
    freeifaddrs(list);
}

// The bytes of an address, 0 = it is a name.
static unsigned address_bytes(const char *text, unsigned char ret[16]) {
    if (inet_pton(AF_INET, text, ret) == 1)
        return 4;
    return inet_pton(AF_INET6, text, ret) == 1 ? 16 : 0;
}

// ---- files

static enum error_code read_pem(const char *path, bool secret, char **ret, struct error *err) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *ret = NULL;
    if (fd < 0)
        return error_set(err, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_STORAGE, path, "cannot be read: %s",
                         strerror(errno));
    enum error_code code = ERROR_OK;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size >= PEM_MAX)
        code = error_set(err, ERROR_INVALID, path, "this is no PEM file");
    else if (secret && st.st_mode & 007)
        code = error_set(err, ERROR_FORBIDDEN, path, "everybody may read the key: chmod 600 %s", path);
    else if (!(*ret = calloc(1, PEM_MAX)))
        code = error_set(err, ERROR_INTERNAL, path, "out of memory");
    for (size_t len = 0; !code && len + 1 < PEM_MAX;) {
        ssize_t n = read(fd, *ret + len, PEM_MAX - 1 - len);
        if (n <= 0)
            break;
        len += (size_t)n;
    }
    close(fd);
    return code;
}

void cert_forget(struct cert *cert) {
    if (cert->key)
        sodium_memzero(cert->key, strlen(cert->key));
    free(cert->key);
    free(cert->chain);
    cert->key = cert->chain = NULL;
}

// ---- reading one

static bool import(const char *pem, gnutls_x509_crt_t *ret) {
    const gnutls_datum_t data = {(unsigned char *)(uintptr_t)pem, (unsigned)strlen(pem)};
    if (gnutls_x509_crt_init(ret) < 0)
        return false;
    if (gnutls_x509_crt_import(*ret, &data, GNUTLS_X509_FMT_PEM) >= 0)
        return true;
    gnutls_x509_crt_deinit(*ret);
    return false;
}

static bool take_facts(struct cert *cert) {
    gnutls_x509_crt_t crt;
    unsigned char hash[32];
    size_t size = sizeof hash;
    if (!import(cert->chain, &crt))
        return false;
    bool ok = gnutls_x509_crt_get_fingerprint(crt, GNUTLS_DIG_SHA256, hash, &size) >= 0 &&
              size == sizeof hash;
    cert->begins_s = gnutls_x509_crt_get_activation_time(crt);
    cert->ends_s = gnutls_x509_crt_get_expiration_time(crt);
    gnutls_x509_crt_deinit(crt);
    if (ok)
        sodium_bin2hex(cert->fingerprint, sizeof cert->fingerprint, hash, sizeof hash);
    return ok;
}

static bool has_name(gnutls_x509_crt_t crt, const char *name) {
    unsigned char address[16], found[256];
    unsigned bytes = address_bytes(name, address);
    for (unsigned i = 0;; i++) {
        size_t size = sizeof found;
        int type = gnutls_x509_crt_get_subject_alt_name(crt, i, found, &size, NULL);
        if (type < 0)
            return false;
        if (bytes ? type == GNUTLS_SAN_IPADDRESS && size == bytes && !memcmp(found, address, bytes)
                  : type == GNUTLS_SAN_DNSNAME && size == strlen(name) && !memcmp(found, name, size))
            return true;
    }
}

static size_t count_names(gnutls_x509_crt_t crt) {
    unsigned char found[256];
    for (unsigned i = 0;; i++) {
        size_t size = sizeof found;
        if (gnutls_x509_crt_get_subject_alt_name(crt, i, found, &size, NULL) < 0)
            return i;
    }
}

// By a clock that was never set it holds.
static bool holds(int64_t begins_s, int64_t ends_s, int64_t now_s) {
    return ends_s > now_s + CERT_RENEW_DAYS * DAY_S && (now_s < earliest_s || begins_s <= now_s);
}

bool cert_due(const struct cert *cert, int64_t wall_us) {
    return !holds(cert->begins_s, cert->ends_s, wall_us / 1000000);
}

bool cert_is_whole(const struct cert *cert) {
    const gnutls_datum_t chain = {(unsigned char *)cert->chain, (unsigned)strlen(cert->chain)};
    const gnutls_datum_t key = {(unsigned char *)cert->key, (unsigned)strlen(cert->key)};
    gnutls_certificate_credentials_t both;
    if (gnutls_certificate_allocate_credentials(&both) < 0)
        return false;
    bool ok = gnutls_certificate_set_x509_key_mem(both, &chain, &key, GNUTLS_X509_FMT_PEM) >= 0;
    gnutls_certificate_free_credentials(both);
    return ok;
}

// Does it say what we are called now, already and for long enough?
static bool still_good(const char *chain, const struct cert_names *names, int64_t now_s) {
    gnutls_x509_crt_t crt;
    if (!import(chain, &crt))
        return false;
    bool good =
        holds(gnutls_x509_crt_get_activation_time(crt), gnutls_x509_crt_get_expiration_time(crt), now_s) &&
        count_names(crt) == names->n;
    for (size_t i = 0; i < names->n && good; i++)
        good = has_name(crt, names->name[i]);
    gnutls_x509_crt_deinit(crt);
    return good;
}

// ---- making one

static int fill(gnutls_x509_crt_t crt, gnutls_x509_privkey_t key, const struct cert_names *names,
                int64_t now_s) {
    unsigned char serial[SERIAL_BYTES], address[16];
    now_s = now_s < earliest_s ? earliest_s : now_s; // so that it holds when the clock is set
    randombytes_buf(serial, sizeof serial);
    serial[0] &= 0x7f;
    const char *common = names->n ? names->name[0] : "tabled";
    int r = gnutls_x509_crt_set_version(crt, 3);
    r |= gnutls_x509_crt_set_serial(crt, serial, sizeof serial);
    r |= gnutls_x509_crt_set_activation_time(crt, (time_t)(now_s - DAY_S));
    r |= gnutls_x509_crt_set_expiration_time(crt, (time_t)(now_s + (int64_t)CERT_DAYS * DAY_S));
    r |= gnutls_x509_crt_set_dn_by_oid(crt, GNUTLS_OID_X520_COMMON_NAME, 0, common, (unsigned)strlen(common));
    r |= gnutls_x509_crt_set_basic_constraints(crt, 0, -1);
    r |= gnutls_x509_crt_set_key_usage(crt, GNUTLS_KEY_DIGITAL_SIGNATURE);
    r |= gnutls_x509_crt_set_key_purpose_oid(crt, GNUTLS_KP_TLS_WWW_SERVER, 0);
    r |= gnutls_x509_crt_set_key(crt, key);
    for (size_t i = 0; i < names->n && r >= 0; i++) {
        unsigned bytes = address_bytes(names->name[i], address);
        r |= bytes
                 ? gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_IPADDRESS, address, bytes,
                                                        GNUTLS_FSAN_APPEND)
                 : gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_DNSNAME, names->name[i],
                                                        (unsigned)strlen(names->name[i]), GNUTLS_FSAN_APPEND);
    }
    return r < 0 ? r : gnutls_x509_crt_sign2(crt, crt, key, GNUTLS_DIG_SHA256, 0);
}

static bool export_pem(gnutls_x509_crt_t crt, gnutls_x509_privkey_t key, struct cert *ret) {
    size_t chain = PEM_MAX, secret = PEM_MAX;
    ret->chain = calloc(1, PEM_MAX);
    ret->key = calloc(1, PEM_MAX);
    return ret->chain && ret->key &&
           gnutls_x509_crt_export(crt, GNUTLS_X509_FMT_PEM, ret->chain, &chain) >= 0 &&
           gnutls_x509_privkey_export(key, GNUTLS_X509_FMT_PEM, ret->key, &secret) >= 0;
}

static enum error_code make(const struct cert_names *names, int64_t now_s, struct cert *ret,
                            struct error *err) {
    gnutls_x509_crt_t crt = NULL;
    gnutls_x509_privkey_t key = NULL;
    bool ok = gnutls_x509_crt_init(&crt) >= 0 && gnutls_x509_privkey_init(&key) >= 0 &&
              gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA,
                                           GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0) >= 0 &&
              fill(crt, key, names, now_s) >= 0 && export_pem(crt, key, ret);
    gnutls_x509_crt_deinit(crt);
    gnutls_x509_privkey_deinit(key);
    if (ok)
        return ERROR_OK;
    cert_forget(ret);
    return error_set(err, ERROR_INTERNAL, "tls", "no certificate could be made");
}

// Two files, so the power may go between them: what does not belong together is made anew.
static enum error_code open_own(const char *state_dir, const struct cert_names *names, int64_t now_s,
                                struct cert *ret, struct error *err) {
    char chain[1100], key[1100];
    snprintf(chain, sizeof chain, "%s/tls.pem", state_dir);
    snprintf(key, sizeof key, "%s/tls-key.pem", state_dir);
    struct error unread = {0};
    if (!read_pem(chain, false, &ret->chain, &unread) && !read_pem(key, true, &ret->key, &unread) &&
        still_good(ret->chain, names, now_s) && cert_is_whole(ret))
        return ERROR_OK;
    cert_forget(ret);
    enum error_code code = make(names, now_s, ret, err);
    if (!code)
        code = file_replace(key, 0600, ret->key, strlen(ret->key), err);
    if (!code)
        code = file_replace(chain, 0600, ret->chain, strlen(ret->chain), err);
    if (code) {
        cert_forget(ret);
        return code;
    }
    log_info("tls", "a certificate was made file=%s", chain);
    return ERROR_OK;
}

enum error_code cert_open(const char *state_dir, const char *chain_path, const char *key_path,
                          const struct cert_names *names, int64_t wall_us, struct cert *ret,
                          struct error *err) {
    int64_t now_s = wall_us / 1000000;
    enum error_code code;
    *ret = (struct cert){0};
    if (chain_path && *chain_path) {
        code = read_pem(chain_path, false, &ret->chain, err);
        if (!code)
            code = read_pem(key_path && *key_path ? key_path : chain_path, true, &ret->key, err);
    } else {
        code = state_dir ? open_own(state_dir, names, now_s, ret, err) : make(names, now_s, ret, err);
    }
    if (!code && !take_facts(ret))
        code = error_set(err, ERROR_INVALID, chain_path, "this is no certificate in PEM");
    if (code)
        cert_forget(ret);
    return code;
}
