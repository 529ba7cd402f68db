// Which Host and Origin are ours: a page of somebody else cannot read or act through a browser of the house
// (B107), nor by a name that is made to point here (B109).
#include "net/http__.h"
#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static void address_text(const struct sockaddr_storage *address, char ret[64]) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address->ss_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, sizeof text);
    else if (address->ss_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, sizeof text);
    snprintf(ret, 64, address->ss_family == AF_INET6 ? "[%s]" : "%s", text);
}

static enum error_code add(struct http *http, const char *text, size_t len, struct error *err) {
    if (http->n_hosts == HTTP_HOSTS_MAX)
        return error_set(err, ERROR_INVALID, "http", "at most %d host names", HTTP_HOSTS_MAX);
    if (len == 0 || len >= sizeof http->host[0])
        return error_set(err, ERROR_INVALID, "http", "the host name \"%.*s\" is too long", (int)(len & 0x7f),
                         text);
    snprintf(http->host[http->n_hosts++], sizeof http->host[0], "%.*s", (int)len, text);
    return ERROR_OK;
}

enum error_code hosts_open(struct http *http, struct error *err) {
    static const char *const always[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (add(http, always[i], strlen(always[i]), err))
            return err->code;
    char name[58] = "", local[64];
    if (gethostname(name, sizeof name - 1) == 0 && *name) {
        int n = snprintf(local, sizeof local, "%s.local", name);
        if (add(http, local, (size_t)n, err))
            return err->code;
    }
    const char *at = http->options.conf ? config_text(http->options.conf, "hosts") : "";
    while (at && *(at += strspn(at, " \t,"))) {
        size_t n = strcspn(at, " \t,");
        if (add(http, at, n, err))
            return err->code;
        at += n;
    }
    return ERROR_OK;
}

// Length of the name in `name:port`, 0 = malformed.
static size_t name_length(const char *host) {
    size_t n = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    if (n > strlen(host))
        return 0;
    const char *rest = host + n;
    if (*rest == ':') {
        size_t digits = strspn(++rest, "0123456789");
        if (digits == 0 || digits > 5)
            return 0;
        rest += digits;
    }
    return *rest ? 0 : n;
}

bool hosts_allow(const struct http *http, const struct conn *conn, const char *host) {
    size_t n = name_length(host);
    if (n == 0)
        return false;
    for (size_t i = 0; i < http->n_hosts; i++)
        if (strlen(http->host[i]) == n && !strncasecmp(http->host[i], host, n))
            return true;
    // The address the caller has connected to is ours; a rebound name is never an address.
    struct sockaddr_storage own;
    socklen_t len = sizeof own;
    char text[64];
    if (getsockname(conn->fd, (struct sockaddr *)&own, &len) != 0)
        return false;
    address_text(&own, text);
    return strlen(text) == n && !strncasecmp(text, host, n);
}

bool hosts_same_origin(const char *origin, const char *host) {
    if (!strncasecmp(origin, "http://", 7))
        origin += 7;
    else if (!strncasecmp(origin, "https://", 8))
        origin += 8;
    else
        return false;
    return !strcasecmp(origin, host);
}
