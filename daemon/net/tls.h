// The certificate that connections are greeted with, renewed while the daemon runs: one of its own before it
// ends, one of a file when the file has changed. Connections that exist keep what they were greeted with.
#pragma once
#include "core/loop.h"
#include "net/cert.h"
#include <gnutls/abstract.h>

enum { TLS_LOOK_S = 3600, TLS_WARN_DAYS = 14 };

struct tls;
// Names that are not addresses of this machine; those are added each time one is made. Paths as for
// cert_open. One at a time: the library hands its callback no context.
enum error_code tls_open(struct loop *loop, const char *state_dir, const char *chain_path,
                         const char *key_path, const struct cert_names *names, struct tls **ret,
                         struct error *err);
void tls_close(struct tls *tls);                    // when no connection is left; NULL allowed
const char *tls_fingerprint(const struct tls *tls); // hex; NULL: "" = no TLS
int64_t tls_ends_us(const struct tls *tls);         // wall; 0 = no TLS

// For the library (MHD_OPTION_HTTPS_CERT_CALLBACK): what the next greeting shows.
gnutls_certificate_retrieve_function2 tls_greet;
