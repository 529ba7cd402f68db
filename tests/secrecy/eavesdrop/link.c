// In the place of net/mqtt_link: a broker that takes everything at once and repeats what it was given.
#include "ears.h"
#include "net/mqtt_link.h"
#include <stdlib.h>
#include <string.h>

struct mqtt_link {
    struct mqtt_link_options o;
    struct loop_call up, ack;
    bool is_up;
    int mid, acked;
};

static void come_up(void *ctx) {
    struct mqtt_link *link = ctx;
    link->is_up = true;
    link->o.calls->up(link->o.ctx);
}

static void ack(void *ctx) {
    struct mqtt_link *link = ctx;
    while (link->acked < link->mid)
        link->o.calls->acked(link->o.ctx, ++link->acked, 0);
}

enum error_code mqtt_link_create(const struct mqtt_link_options *options, struct mqtt_link **ret,
                                 struct error *err) {
    (void)err;
    struct mqtt_link *link = calloc(1, sizeof *link);
    if (!link)
        abort();
    link->o = *options;
    ears_hear("mqtt", link->o.will, strlen(link->o.will), "will %s", link->o.will_topic);
    loop_defer(link->o.loop, &link->up, come_up, link);
    *ret = link;
    return ERROR_OK;
}

void mqtt_link_destroy(struct mqtt_link *link) {
    if (!link)
        return;
    loop_defer_cancel(link->o.loop, &link->up);
    loop_defer_cancel(link->o.loop, &link->ack);
    free(link);
}

bool mqtt_link_up(const struct mqtt_link *link) {
    return link && link->is_up;
}

bool mqtt_link_publish(struct mqtt_link *link, const struct mqtt_outgoing *m, int *ret_mid) {
    if (!mqtt_link_up(link))
        return false;
    *ret_mid = ++link->mid;
    ears_hear("mqtt", m->payload, m->len, "%s retain=%d content=%d expiry=%u correlation=%zu bytes=%zu",
              m->topic, m->retain, m->content, m->expiry_s, m->correlation_len, m->len);
    loop_defer(link->o.loop, &link->ack, ack, link);
    return true;
}

void mqtt_link_flush(struct mqtt_link *link) {
    (void)link;
}

bool mqtt_link_subscribe(struct mqtt_link *link, const char *filter, int options) {
    ears_hear("mqtt", "", 0, "subscribe %s options=%d", filter, options);
    return mqtt_link_up(link);
}

void mqtt_link_linger(struct mqtt_link *link, int64_t most_us, bool (*done)(void *ctx), void *ctx) {
    (void)most_us, (void)done, (void)ctx;
    ack(link);
}
