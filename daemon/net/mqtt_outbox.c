#include "net/mqtt_outbox.h"
#include <assert.h>
#include <stdio.h>

static struct mqtt_outbox_entry *at(struct mqtt_outbox *box, size_t i) {
    return &box->entry[(box->head + i) % OUTBOX_MAX];
}

static void drop_first(struct mqtt_outbox *box) {
    struct mqtt_outbox_entry *entry = at(box, 0);
    for (int i = 0; i < 2; i++) {
        feed_unref(entry->bytes[i]);
        entry->bytes[i] = NULL;
    }
    box->head = (box->head + 1) % OUTBOX_MAX;
    box->n--;
    if (box->sent > 0)
        box->sent--;
}

void mqtt_outbox_push(struct mqtt_outbox *box, const struct feed_message *message, int64_t now_us) {
    mqtt_outbox_expire(box, now_us);
    if (box->n == OUTBOX_MAX) {
        drop_first(box);
        box->dropped++;
    }
    struct mqtt_outbox_entry *entry = at(box, box->n++);
    *entry = (struct mqtt_outbox_entry){
        .topic = message->topic,
        .bytes = {feed_ref(message->json), message->pb != NULL ? feed_ref(message->pb) : NULL},
        .at_us = now_us,
    };
    snprintf(entry->table, sizeof entry->table, "%s", message->table);
}

struct mqtt_outbox_entry *mqtt_outbox_next(struct mqtt_outbox *box) {
    return box->sent < box->n ? at(box, box->sent) : NULL;
}

void mqtt_outbox_sent(struct mqtt_outbox *box, int64_t now_us) {
    assert(box->sent < box->n);
    at(box, box->sent++)->sent_us = now_us;
}

void mqtt_outbox_rewind(struct mqtt_outbox *box) {
    for (size_t i = 0; i < box->n; i++)
        at(box, i)->mid[0] = at(box, i)->mid[1] = 0;
    box->sent = 0;
}

static bool done(const struct mqtt_outbox_entry *entry) {
    return entry->bytes[0] == NULL && entry->bytes[1] == NULL;
}

int64_t mqtt_outbox_acked(struct mqtt_outbox *box, int mid, int64_t now_us) {
    for (size_t i = 0; i < box->n && i <= box->sent; i++) { // what can never go is acknowledged as it is sent
        struct mqtt_outbox_entry *entry = at(box, i);
        for (int k = 0; k < 2; k++)
            if (entry->bytes[k] != NULL && entry->mid[k] == mid) {
                int64_t took_us = i < box->sent ? now_us - entry->sent_us : -1;
                feed_unref(entry->bytes[k]);
                entry->bytes[k] = NULL;
                while (box->sent > 0 && done(at(box, 0)))
                    drop_first(box);
                return took_us;
            }
    }
    return -1;
}

void mqtt_outbox_expire(struct mqtt_outbox *box, int64_t now_us) {
    while (box->n > 0 && now_us - at(box, 0)->at_us > OUTBOX_KEEP_US) {
        drop_first(box);
        box->dropped++;
    }
}

void mqtt_outbox_clear(struct mqtt_outbox *box) {
    while (box->n > 0)
        drop_first(box);
}
