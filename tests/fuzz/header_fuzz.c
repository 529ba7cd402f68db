// What a request's head brings: Authorization, Cookie, Host, Origin, If-None-Match. Nobody is let in by a
// guess; nothing is read beyond the end of a text.
#include "net/auth.h"
#include "net/http__.h"
#include "support/door_stub.c" // the library's handlers lead to the door
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok) {
    if (!ok)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct auth *auth;
    static struct http http;
    static struct conn conn;
    struct error err;
    if (!auth)
        must(auth_open(NULL, 0, 0, &auth, &err) == ERROR_OK && hosts_open(&http, &err) == ERROR_OK);
    if (size == 0)
        return 0;
    char *text = malloc(size);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    char csrf[AUTH_COOKIE_TEXT], id[TOKEN_ID_MAX], host[300];
    unsigned char secret[TOKEN_SECRET_BYTES];
    switch (data[0] % 6u) {
    case 0:
        must(!auth_check(auth, text));
        break;
    case 1:
        must(!auth_cookie(auth, text, "tabled", 0, 0));
        if (auth_csrf(text, "tabled", csrf))
            must(memchr(csrf, 0, sizeof csrf) != NULL);
        break;
    case 2:
        if (token_split(text, id, secret))
            must(memchr(id, 0, sizeof id) && strlen(text) < TOKEN_TEXT_MAX);
        break;
    case 3:
        if (hosts_allow(&http, &conn, text))
            must(strlen(text) < 128);
        break;
    case 4:
        snprintf(host, sizeof host, "%.250s", text);
        if (strlen(text) > 0 && strlen(text) < 250 && !strpbrk(text, "/:@#?"))
            must(!hosts_same_origin(text, host)); // an origin has a scheme
        hosts_same_origin(text, "table.local:8080");
        break;
    default:
        if (etag_listed(text, "\"a1b2\""))
            must(strchr(text, '*') || strstr(text, "\"a1b2\""));
        break;
    }
    free(text);
    return 0;
}
