// Events and narration on their way to the broker: kept until acknowledged, at most 60 s and 512 of them
// (B082). The bytes are the feed's, shared.
#pragma once
#include "wire/feed.h"

enum { OUTBOX_MAX = 512, OUTBOX_KEEP_US = 60 * 1000000 };

struct mqtt_outbox_entry {
    char table[33];
    enum topic topic;
    struct feed_bytes *bytes[2]; // JSON, protobuf; NULL = none, or acknowledged
    int mid[2];                  // 0 = not sent on this connection
    int64_t at_us, sent_us;      // monotonic
};
struct mqtt_outbox {
    struct mqtt_outbox_entry entry[OUTBOX_MAX];
    size_t head, n, sent; // the first `sent` of n entries are on their way
    uint64_t dropped;     // too old or too many
};
void mqtt_outbox_push(struct mqtt_outbox *box, const struct feed_message *message, int64_t now_us);
// The next entry to send, NULL = none; call mqtt_outbox_sent when it is on its way.
struct mqtt_outbox_entry *mqtt_outbox_next(struct mqtt_outbox *box);
void mqtt_outbox_sent(struct mqtt_outbox *box, int64_t now_us);
// A new connection: all that is kept has to be sent again.
void mqtt_outbox_rewind(struct mqtt_outbox *box);
// Microseconds from sending to this acknowledgement; -1 if no entry waits for this one.
int64_t mqtt_outbox_acked(struct mqtt_outbox *box, int mid, int64_t now_us);
void mqtt_outbox_expire(struct mqtt_outbox *box, int64_t now_us);
void mqtt_outbox_clear(struct mqtt_outbox *box);
