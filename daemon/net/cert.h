// The certificate of the HTTP front. Without one of its own the daemon makes one at the first start: P-256,
// names and addresses of this machine, 13 months; made anew when they change, its end is near or it begins
// later than now (a clock was wrong). It signs itself, so people compare the fingerprint once.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CERT_NAMES_MAX = 48,
    CERT_NAME_MAX = 64,
    CERT_DAYS = 396,
    CERT_RENEW_DAYS = 30,
    CERT_FINGERPRINT = 65
};

struct cert {
    char *chain, *key;                  // PEM
    char fingerprint[CERT_FINGERPRINT]; // SHA-256, hex
    int64_t begins_s, ends_s;           // wall clock
};
struct cert_names { // DNS names, and addresses as text
    size_t n;
    char name[CERT_NAMES_MAX][CERT_NAME_MAX];
};
// The addresses of this machine's interfaces.
void cert_add_addresses(struct cert_names *names);
void cert_add_name(struct cert_names *names, const char *text); // "[::1]" like "::1"; once each
// chain_path, key_path "" or NULL: STATE_DIR/tls.pem and tls-key.pem, made if need be. state_dir NULL: of
// this run.
enum error_code cert_open(const char *state_dir, const char *chain_path, const char *key_path,
                          const struct cert_names *names, int64_t wall_us, struct cert *ret,
                          struct error *err);
// Do chain and key belong together? What is shown later is not checked by anybody but the browser.
bool cert_is_whole(const struct cert *cert);
// Its end is near, or it begins later than now: one of the daemon's own is made anew.
bool cert_due(const struct cert *cert, int64_t wall_us);
void cert_forget(struct cert *cert);
