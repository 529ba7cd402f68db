// REST, SSE and the local control socket: libmicrohttpd with its epoll descriptor on the loop. Every route is
// a row of routes.c (method, path, capability, body limit, rate class). The local socket serves the same
// routes; its callers are known by peer credentials (root, the daemon's user, the group `tabled`: admin).
#pragma once
#include "core/config.h"
#include "core/error.h"
#include "core/loop.h"
#include "engine/door.h"
#include "net/history.h"
#include "net/mqtt.h"
#include "wire/feed.h"

extern const struct config_key http_keys[]; // section [http]

struct http_options {
    struct loop *loop;
    const struct config_section *conf; // NULL: no TCP listener
    const char *config_path;           // the main file; NULL: settings are not changed from here
    const struct config *config;       // for the list of settings, with what may stand in it; NULL allowed
    const struct config_schema *schemas;
    const struct config_key *(*more_keys)(const struct config_section *section); // of an open section
    const char *state_dir;   // tokens.json (0600) is made here at the first start
    const char *socket_path; // local control socket; NULL = none
    const int *listen_fds;   // from systemd, n_listen_fds of them
    size_t n_listen_fds;
    const char *version, *site, *locale; // site, locale NULL: not told
    uint64_t boot_id;
    struct door *door;
    struct feed *feed;
    struct mqtt *mqtt;       // for /readyz; NULL allowed
    struct history *history; // NULL: none is kept
};
// What can be said of [http] (NULL allowed) without opening anything.
enum error_code http_check(const struct config_section *conf, struct error *err);
// What root may have written by hand in the state folder, read before anything there is opened: a start that
// fails leaves it all as it was.
enum error_code http_check_state(const char *state_dir, struct error *err);
struct http;
enum error_code http_create(const struct http_options *options, struct http **ret, struct error *err);
void http_destroy(struct http *http); // resumes all streams first; NULL allowed
