#include "net/mqtt_link.h"
#include "core/log.h"
#include "core/rng.h"
#include "core/worker.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { ADDRESSES_MAX = 8, SECOND_US = 1000000, ANSWER_US = 10 * SECOND_US, STABLE_US = 30 * SECOND_US };

static const char *const content_types[] = {"application/json",
                                            "application/x-protobuf"}; // enum mqtt_content

struct resolve { // handed to the worker
    struct worker_job job;
    struct mqtt_link *link;
    char host[256];
    int code; // of getaddrinfo
    size_t n;
    char address[ADDRESSES_MAX][64];
};

struct mqtt_link {
    struct mqtt_link_options o;
    struct mosquitto *client; // NULL between connections
    // The library closes its socket before it tells us, and a descriptor that is closed can no longer be
    // taken out of the loop. So a duplicate is watched, which only we close.
    int watched; // -1 = none
    struct loop_fd *watch;
    uint32_t events;
    bool up;
    bool lost;         // the library said so: give the client up as soon as it has returned
    bool in_library;   // between us and our caller there is a frame of libmosquitto
    int64_t since_us;  // when this attempt began, or when it came up
    unsigned attempts; // since the last stable connection
    int why;           // the library's or the broker's reason for the end
    bool refused;      // `why` is the broker's
    char said[128];    // what the library says of TLS beside `why`; empty = nothing
    struct worker *worker;
    struct resolve *resolve; // NULL = the host is an address or a path
    size_t next_address;
    struct loop_timer retry, tick;
    struct loop_call drop, uncork;
    bool corked;
    struct rng dice;
    mosquitto_property *properties[2][2]; // [content][expires in 60 s]
};

static void try_next(struct mqtt_link *link);
static void begin(void *ctx);

// ---- giving up and trying again

static const char *reason(const struct mqtt_link *link) {
    return link->refused ? mosquitto_reason_string(link->why) : mosquitto_strerror(link->why);
}

// Why no connection came about. A handshake that fails is a code without a cause: that is in what was said.
static void explain_refusal(const struct mqtt_link *link, char *text, size_t size) {
    const struct resolve *names = link->resolve;
    const char *to = link->o.socket != NULL ? link->o.socket : link->o.host;
    bool tls = link->o.tls_ca != NULL && link->o.socket == NULL;
    if (names != NULL && names->n == 0)
        snprintf(text, size, "no address for broker %s: %s", to, gai_strerror(names->code));
    else if (tls && access(link->o.tls_ca, R_OK) != 0)
        snprintf(text, size, "no connection to broker %s: tls_ca %s cannot be read: %s", to, link->o.tls_ca,
                 strerror(errno));
    else if (tls && link->said[0] != '\0')
        snprintf(text, size, "no connection to broker %s: TLS: %s", to, link->said);
    else if (tls && !link->refused && link->why != MOSQ_ERR_ERRNO)
        snprintf(text, size, "no connection to broker %s: %s; does it speak TLS on port %u?", to,
                 reason(link), link->o.port);
    else
        snprintf(text, size, "no connection to broker %s: %s", to, reason(link));
}

static int64_t back_off_us(struct mqtt_link *link) {
    int64_t ms = link->o.retry_min_ms;
    for (unsigned i = 1; i < link->attempts && ms < link->o.retry_max_ms; i++)
        ms *= 2;
    ms = ms * (768 + rng_below(&link->dice, 512)) /
         1024; // a quarter up or down: thirty tables do not call in step
    if (ms < link->o.retry_min_ms)
        ms = link->o.retry_min_ms;
    return (ms < link->o.retry_max_ms ? ms : link->o.retry_max_ms) * 1000;
}

// Back-off also follows connections that were accepted and dropped (B080): only a stable one forgives.
static void retry_later(struct mqtt_link *link, const char *what) {
    link->attempts++;
    int64_t wait_us = back_off_us(link);
    loop_timer_start(link->o.loop, &link->retry, loop_now_us(link->o.loop) + wait_us, begin, link);
    log_warning("mqtt", "%s; trying again in %lld ms attempt=%u", what, (long long)wait_us / 1000,
                link->attempts);
}

static void explain_drop(struct mqtt_link *link, char *text, size_t size, int64_t lasted_us) {
    if (link->refused && link->why == MQTT_RC_SESSION_TAKEN_OVER)
        snprintf(text, size,
                 "the broker gave our place to another client named %s: is a second tabled running with this "
                 "site or client_id?",
                 link->o.client_id);
    else if (link->attempts >= 2 && lasted_us < STABLE_US)
        snprintf(
            text, size,
            "accepted and dropped again after %lld ms (%s): a second client named %s, or the broker's ACL?",
            (long long)lasted_us / 1000, reason(link), link->o.client_id);
    else
        snprintf(text, size, "connection lost: %s", reason(link));
}

// What one turn publishes goes out as one piece: the broker is woken once, not for every message. A Unix
// socket knows no such thing, and the setting ends with the connection.
static void uncork(void *ctx) {
    struct mqtt_link *link = ctx;
    int off = 0;
    loop_defer_cancel(link->o.loop, &link->uncork);
    if (link->corked)
        setsockopt(link->watched, IPPROTO_TCP, TCP_CORK, &off, sizeof off);
    link->corked = false;
}

static void cork(struct mqtt_link *link) {
    int on = 1;
    if (link->corked || link->o.socket != NULL)
        return;
    link->corked = setsockopt(link->watched, IPPROTO_TCP, TCP_CORK, &on, sizeof on) == 0;
    if (link->corked)
        loop_defer(link->o.loop, &link->uncork, uncork, link);
}

static void unwatch(struct mqtt_link *link) {
    uncork(link);
    loop_fd_remove(link->watch);
    link->watch = NULL;
    if (link->watched >= 0)
        close(link->watched);
    link->watched = -1;
}

static void on_ready(void *ctx, uint32_t revents);

static bool watch(struct mqtt_link *link) {
    int fd = mosquitto_socket(link->client);
    link->events = EPOLLIN | EPOLLOUT; // the connection itself is something to write
    if (fd < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || (link->watched = fcntl(fd, F_DUPFD_CLOEXEC, 3)) < 0)
        return false;
    return loop_fd_add(link->o.loop, link->watched, link->events, on_ready, link, &link->watch, NULL) ==
           ERROR_OK;
}

// Never called with the library on the stack.
static void give_up(void *ctx) {
    struct mqtt_link *link = ctx;
    loop_defer_cancel(link->o.loop, &link->drop);
    if (link->client == NULL)
        return;
    unwatch(link);
    mosquitto_destroy(link->client);
    link->client = NULL;
    link->lost = false;
    loop_timer_stop(link->o.loop, &link->tick);
    int64_t lasted_us = loop_now_us(link->o.loop) - link->since_us;
    if (!link->up) {
        try_next(link);
        return;
    }
    link->up = false;
    if (lasted_us >= STABLE_US)
        link->attempts = 0;
    char text[256];
    explain_drop(link, text, sizeof text, lasted_us);
    retry_later(link, text);
    link->o.calls->down(link->o.ctx);
}

// After each visit to the library: give up what is lost, ask for EPOLLOUT only while something waits.
static void settle(struct mqtt_link *link) {
    if (link->client == NULL || link->in_library)
        return;
    if (link->lost || mosquitto_socket(link->client) < 0) {
        give_up(link);
        return;
    }
    uint32_t events = EPOLLIN | (mosquitto_want_write(link->client) ? EPOLLOUT : 0);
    if (events != link->events)
        loop_fd_events(link->watch, link->events = events);
}

// ---- the library's callbacks

static void on_connect(struct mosquitto *client, void *ctx, int code, int flags,
                       const mosquitto_property *properties) {
    (void)client, (void)flags, (void)properties;
    struct mqtt_link *link = ctx;
    if (code != 0) {
        link->why = code;
        link->refused = true;
        link->lost = true;
        return;
    }
    link->up = true;
    link->since_us = loop_now_us(link->o.loop);
    log_info("mqtt", "connected client_id=%s", link->o.client_id);
    link->o.calls->up(link->o.ctx);
}

static void on_disconnect(struct mosquitto *client, void *ctx, int code,
                          const mosquitto_property *properties) {
    (void)client, (void)properties;
    struct mqtt_link *link = ctx;
    if (!link->refused) { // a refusal in CONNACK says more
        link->why = code;
        link->refused = code >= 128;
    }
    link->lost = true;
}

static void on_publish(struct mosquitto *client, void *ctx, int mid, int code,
                       const mosquitto_property *properties) {
    (void)client, (void)properties;
    struct mqtt_link *link = ctx;
    link->o.calls->acked(link->o.ctx, mid, code);
}

static void on_message(struct mosquitto *client, void *ctx, const struct mosquitto_message *message,
                       const mosquitto_property *properties) {
    (void)client;
    struct mqtt_link *link = ctx;
    void *correlation = NULL;
    uint16_t len = 0;
    mosquitto_property_read_binary(properties, MQTT_PROP_CORRELATION_DATA, &correlation, &len, false);
    link->o.calls->message(link->o.ctx, &(struct mqtt_incoming){
                                            .topic = message->topic,
                                            .payload = message->payload,
                                            .len = message->payloadlen > 0 ? (size_t)message->payloadlen : 0,
                                            .retained = message->retain,
                                            .correlation = correlation,
                                            .correlation_len = len,
                                        });
    free(correlation);
}

// The first trouble is the cause, what follows its consequences.
static void on_log(struct mosquitto *client, void *ctx, int level, const char *text) {
    (void)client;
    static const char head[] = "Error: ";
    struct mqtt_link *link = ctx;
    if (level != MOSQ_LOG_ERR || link->said[0] != '\0')
        return;
    const char *words = strstr(text, "::"); // error:NUMBER:WHERE::WORDS
    words = words != NULL ? words + 2 : strncmp(text, head, sizeof head - 1) ? text : text + sizeof head - 1;
    snprintf(link->said, sizeof link->said, "%.*s", (int)strcspn(words, ".\r\n"), words);
}

// ---- the loop's callbacks

// Not every end has a callback: a handshake that fails is told by the code alone.
static void note(struct mqtt_link *link, int code) {
    if (code == MOSQ_ERR_SUCCESS || link->lost)
        return;
    link->why = code;
    link->refused = false;
}

static void serve(struct mqtt_link *link, bool in, bool out) {
    link->in_library = true;
    if (in)
        note(link, mosquitto_loop_read(link->client, 1));
    if (!link->lost && mosquitto_socket(link->client) >= 0 && (out || mosquitto_want_write(link->client)))
        note(link, mosquitto_loop_write(link->client, 1));
    link->in_library = false;
}

static void on_ready(void *ctx, uint32_t revents) {
    struct mqtt_link *link = ctx;
    serve(link, (revents & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0, (revents & EPOLLOUT) != 0);
    settle(link);
}

static void on_tick(void *ctx) {
    struct mqtt_link *link = ctx;
    int64_t now = loop_now_us(link->o.loop);
    loop_timer_start(link->o.loop, &link->tick, now + SECOND_US, on_tick, link);
    if (!link->up && now - link->since_us >= ANSWER_US) {
        link->why = MOSQ_ERR_TIMEOUT;
        link->lost = true;
    } else {
        link->in_library = true;
        mosquitto_loop_misc(link->client);
        link->in_library = false;
    }
    settle(link);
}

// ---- connecting

static bool equip(struct mqtt_link *link) {
    const struct mqtt_link_options *o = &link->o;
    struct mosquitto *client = link->client;
    int bad = mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    bad |= mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    if (o->will_topic != NULL)
        bad |= mosquitto_will_set_v5(client, o->will_topic, (int)strlen(o->will), o->will, 1, true, NULL);
    if (o->username != NULL)
        bad |= mosquitto_username_pw_set(client, o->username, o->password);
    if (o->tls_ca != NULL && o->socket == NULL)
        bad |= mosquitto_tls_set(client, o->tls_ca, NULL, NULL, NULL, NULL);
    mosquitto_log_callback_set(client, on_log);
    mosquitto_connect_v5_callback_set(client, on_connect);
    mosquitto_disconnect_v5_callback_set(client, on_disconnect);
    mosquitto_publish_v5_callback_set(client, on_publish);
    mosquitto_message_v5_callback_set(client, on_message);
    return bad == 0;
}

static bool connect_to(struct mqtt_link *link, const char *address, int port) {
    link->why = MOSQ_ERR_ERRNO;
    link->refused = link->lost = false;
    link->said[0] = '\0';
    link->client = mosquitto_new(link->o.client_id, true, link);
    if (link->client == NULL)
        return false;
    if (equip(link)) {
        link->in_library = true;
        link->why = mosquitto_connect_async(link->client, address, port, link->o.keepalive_s);
        link->in_library = false;
    }
    if (link->why != MOSQ_ERR_SUCCESS || link->lost || !watch(link)) {
        unwatch(link);
        mosquitto_destroy(link->client);
        link->client = NULL;
        return false;
    }
    link->since_us = loop_now_us(link->o.loop);
    loop_timer_start(link->o.loop, &link->tick, link->since_us + SECOND_US, on_tick, link);
    return true;
}

// Where attempt i of this round goes; NULL = there is no such attempt. A certificate is checked against what
// we connect to, so with TLS the library gets the name, once the worker has found that it resolves.
static const char *target(const struct mqtt_link *link, size_t i) {
    const struct resolve *names = link->resolve;
    if (link->o.socket != NULL || names == NULL || link->o.tls_ca != NULL)
        return i > 0 || (names != NULL && names->n == 0) ? NULL
               : link->o.socket != NULL                  ? link->o.socket
                                                         : link->o.host;
    return i < names->n ? names->address[i] : NULL;
}

// A name may have several addresses (localhost: ::1 and 127.0.0.1); the back-off begins after the last one.
static void try_next(struct mqtt_link *link) {
    const char *address;
    while ((address = target(link, link->next_address)) != NULL) {
        link->next_address++;
        if (connect_to(link, address, link->o.socket != NULL ? 0 : link->o.port))
            return;
    }
    char text[512];
    explain_refusal(link, text, sizeof text);
    retry_later(link, text);
}

static void look_up(struct worker_job *job) {
    struct resolve *r = (struct resolve *)job; // its first member
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *list = NULL;
    r->n = 0;
    r->code = getaddrinfo(r->host, NULL, &hints, &list);
    if (r->code != 0)
        return;
    for (const struct addrinfo *a = list; a != NULL && r->n < ADDRESSES_MAX; a = a->ai_next)
        if (getnameinfo(a->ai_addr, a->ai_addrlen, r->address[r->n], sizeof r->address[0], NULL, 0,
                        NI_NUMERICHOST) == 0)
            r->n++;
    freeaddrinfo(list);
}

static void looked_up(struct worker_job *job) {
    struct mqtt_link *link = ((struct resolve *)job)->link;
    if (link != NULL)
        try_next(link);
}

static void begin(void *ctx) {
    struct mqtt_link *link = ctx;
    link->next_address = 0;
    if (link->resolve == NULL)
        try_next(link);
    else if (!worker_submit(link->worker, &link->resolve->job))
        retry_later(link, "the worker for names is busy");
}

// ---- life

static bool numeric(const char *host) {
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    struct addrinfo *list = NULL;
    bool yes = getaddrinfo(host, NULL, &hints, &list) == 0;
    freeaddrinfo(list);
    return yes;
}

static void make_properties(struct mqtt_link *link) {
    for (int content = 0; content < 2; content++)
        for (int expires = 0; expires < 2; expires++) {
            mosquitto_property **at = &link->properties[content][expires];
            mosquitto_property_add_string(at, MQTT_PROP_CONTENT_TYPE, content_types[content]);
            if (expires)
                mosquitto_property_add_int32(at, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, 60);
        }
}

enum error_code mqtt_link_create(const struct mqtt_link_options *options, struct mqtt_link **ret,
                                 struct error *err) {
    struct mqtt_link *link = calloc(1, sizeof *link);
    if (link == NULL)
        log_no_memory("mqtt");
    link->o = *options;
    link->watched = -1;
    mosquitto_lib_init();
    rng_seed(&link->dice, rng_entropy());
    make_properties(link);
    if (link->o.socket == NULL && !numeric(link->o.host)) {
        const struct worker_options worker = {.name = "mqtt-names", .capacity = 1};
        enum error_code code = worker_create(link->o.loop, &worker, &link->worker, err);
        if (code != ERROR_OK) {
            mqtt_link_destroy(link);
            return code;
        }
        link->resolve = calloc(1, sizeof *link->resolve);
        if (link->resolve == NULL)
            log_no_memory("mqtt");
        link->resolve->job = (struct worker_job){.run = look_up, .done = looked_up};
        link->resolve->link = link;
        snprintf(link->resolve->host, sizeof link->resolve->host, "%s", link->o.host);
    }
    *ret = link;
    begin(link);
    return ERROR_OK;
}

void mqtt_link_destroy(struct mqtt_link *link) {
    if (link == NULL)
        return;
    assert(!link->in_library);
    if (link->resolve != NULL)
        link->resolve->link = NULL;
    worker_destroy(link->worker);
    free(link->resolve);
    loop_timer_stop(link->o.loop, &link->retry);
    loop_timer_stop(link->o.loop, &link->tick);
    loop_defer_cancel(link->o.loop, &link->drop);
    unwatch(link);
    if (link->client != NULL) {
        if (link->up && !link->lost)
            mosquitto_disconnect_v5(link->client, 0, NULL);
        mosquitto_destroy(link->client);
    }
    for (int content = 0; content < 2; content++)
        for (int expires = 0; expires < 2; expires++)
            mosquitto_property_free_all(&link->properties[content][expires]);
    mosquitto_lib_cleanup();
    free(link);
}

bool mqtt_link_up(const struct mqtt_link *link) {
    return link != NULL && link->up && !link->lost;
}

// ---- publishing

static int publish_with_own(struct mqtt_link *link, const struct mqtt_outgoing *m, int *mid) {
    mosquitto_property *own = NULL; // not a copy: of copied properties the library sends the first one alone
    mosquitto_property_add_string(&own, MQTT_PROP_CONTENT_TYPE, content_types[m->content]);
    if (m->expiry_s > 0)
        mosquitto_property_add_int32(&own, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, m->expiry_s);
    if (m->correlation != NULL)
        mosquitto_property_add_binary(&own, MQTT_PROP_CORRELATION_DATA, m->correlation,
                                      (uint16_t)m->correlation_len);
    int code = mosquitto_publish_v5(link->client, mid, m->topic, (int)m->len, m->payload, 1, m->retain, own);
    mosquitto_property_free_all(&own);
    return code;
}

bool mqtt_link_publish(struct mqtt_link *link, const struct mqtt_outgoing *m, int *ret_mid) {
    int code, mid = 0;
    if (!mqtt_link_up(link))
        return false;
    cork(link);
    if (m->correlation != NULL || (m->expiry_s != 0 && m->expiry_s != 60))
        code = publish_with_own(link, m, &mid);
    else
        code = mosquitto_publish_v5(link->client, &mid, m->topic, (int)m->len, m->payload, 1, m->retain,
                                    link->properties[m->content][m->expiry_s == 60]);
    *ret_mid = mid;
    if (code == MOSQ_ERR_SUCCESS) {
        if (!link->in_library && (link->events & EPOLLOUT) == 0 && mosquitto_want_write(link->client))
            loop_fd_events(link->watch, link->events |= EPOLLOUT);
        return true;
    }
    log_warning("mqtt", "cannot publish: %s topic=%s", mosquitto_strerror(code), m->topic);
    if (code == MOSQ_ERR_OVERSIZE_PACKET ||
        code == MOSQ_ERR_PAYLOAD_SIZE) { // nothing a new connection would mend
        link->o.calls->acked(link->o.ctx, mid, MQTT_RC_PACKET_TOO_LARGE);
        return true;
    }
    link->why = code;
    link->lost = true;
    if (!link->in_library)
        loop_defer(link->o.loop, &link->drop, give_up, link);
    return false;
}

void mqtt_link_flush(struct mqtt_link *link) {
    uncork(link);
}

bool mqtt_link_subscribe(struct mqtt_link *link, const char *filter, int options) {
    if (!mqtt_link_up(link))
        return false;
    int code = mosquitto_subscribe_v5(link->client, NULL, filter, 1, options, NULL);
    if (code != MOSQ_ERR_SUCCESS)
        log_warning("mqtt", "cannot subscribe: %s filter=%s", mosquitto_strerror(code), filter);
    return code == MOSQ_ERR_SUCCESS;
}

void mqtt_link_linger(struct mqtt_link *link, int64_t most_us, bool (*done)(void *ctx), void *ctx) {
    int64_t end = clock_mono_us(clock_real()) + most_us;
    uncork(link);
    while (mqtt_link_up(link) && !done(ctx)) {
        int64_t left_us = end - clock_mono_us(clock_real());
        if (left_us <= 0)
            return;
        struct pollfd fd = {.fd = mosquitto_socket(link->client), .events = POLLIN};
        if (mosquitto_want_write(link->client))
            fd.events |= POLLOUT;
        if (poll(&fd, 1, (int)(left_us / 1000) + 1) > 0)
            serve(link, (fd.revents & ~POLLOUT) != 0, (fd.revents & POLLOUT) != 0);
    }
}
