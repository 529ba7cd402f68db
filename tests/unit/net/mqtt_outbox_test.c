// Bounds and order of what waits for the broker.
#include "net/mqtt_outbox.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the three above
#include <cmocka.h>

struct fixture {
    struct feed *feed;
    struct mqtt_outbox box;
    int64_t now_us;
};

static void into_the_box(void *ctx, const struct feed_message *message) {
    struct fixture *f = ctx;
    mqtt_outbox_push(&f->box, message, f->now_us);
}

static int setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    assert_int_equal(feed_create(1, "en", &f->feed, NULL), ERROR_OK);
    const struct feed_outlet outlet = {into_the_box, f};
    feed_add_outlet(f->feed, &outlet);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    mqtt_outbox_clear(&f->box);
    feed_destroy(f->feed);
    free(f);
    return 0;
}

static void push(struct fixture *f, uint64_t seq) {
    const struct observe_sink *sink = feed_sink(f->feed);
    struct observe_event event = {.type = OBSERVE_EVENT_REMINDER, .seq = seq, .seat = -1};
    sink->event(sink->ctx, "main", OBSERVE_PUBLIC, &event);
}

// Sends what waits, giving out numbers from `mid` on.
static int send_all(struct fixture *f, int mid) {
    struct mqtt_outbox_entry *entry;
    while ((entry = mqtt_outbox_next(&f->box)) != NULL) {
        for (int i = 0; i < 2; i++)
            if (entry->bytes[i] != NULL)
                entry->mid[i] = mid++;
        mqtt_outbox_sent(&f->box, f->now_us);
    }
    return mid;
}

static void an_event_stays_until_both_are_acknowledged(void **state) {
    struct fixture *f = *state;
    push(f, 1);
    push(f, 2);
    assert_int_equal(send_all(f, 10), 14);
    f->now_us = 500;
    assert_int_equal(mqtt_outbox_acked(&f->box, 99, f->now_us), -1);
    assert_int_equal(mqtt_outbox_acked(&f->box, 12, f->now_us), 500);
    assert_int_equal(mqtt_outbox_acked(&f->box, 10, f->now_us), 500);
    assert_int_equal(f->box.n, 2);
    assert_int_equal(mqtt_outbox_acked(&f->box, 10, f->now_us), -1); // twice
    assert_int_equal(mqtt_outbox_acked(&f->box, 11, f->now_us), 500);
    assert_int_equal(f->box.n, 1);
    assert_int_equal(mqtt_outbox_acked(&f->box, 13, f->now_us), 500);
    assert_int_equal(f->box.n, 0);
}

static void a_new_connection_gets_what_is_left_in_order(void **state) {
    struct fixture *f = *state;
    for (uint64_t seq = 1; seq <= 3; seq++)
        push(f, seq);
    send_all(f, 10);
    mqtt_outbox_acked(&f->box, 10, 0);
    mqtt_outbox_acked(&f->box, 11, 0);
    mqtt_outbox_acked(&f->box, 12, 0); // of the second only the JSON
    mqtt_outbox_rewind(&f->box);
    assert_int_equal(mqtt_outbox_acked(&f->box, 14, 0), -1); // numbers of the old connection mean nothing
    struct mqtt_outbox_entry *entry = mqtt_outbox_next(&f->box);
    assert_null(entry->bytes[0]);
    assert_non_null(entry->bytes[1]);
    assert_int_equal(send_all(f, 1), 4);
    for (int mid = 1; mid < 4; mid++)
        assert_int_equal(mqtt_outbox_acked(&f->box, mid, 0), 0);
    assert_int_equal(f->box.n, 0);
}

// A message that the broker never takes is acknowledged before its entry counts as sent.
static void what_can_never_go_is_not_kept(void **state) {
    struct fixture *f = *state;
    push(f, 1);
    struct mqtt_outbox_entry *entry = mqtt_outbox_next(&f->box);
    for (int i = 0; i < 2; i++) {
        entry->mid[i] = 10 + i;
        assert_int_equal(mqtt_outbox_acked(&f->box, 10 + i, 500), -1);
    }
    mqtt_outbox_sent(&f->box, f->now_us);
    push(f, 2);
    assert_int_equal(send_all(f, 12), 14);
    mqtt_outbox_acked(&f->box, 12, 500);
    assert_int_equal(f->box.n, 1);
    mqtt_outbox_acked(&f->box, 13, 500);
    assert_int_equal(f->box.n, 0);
}

static void b082_neither_number_nor_age_grows(void **state) {
    struct fixture *f = *state;
    for (uint64_t seq = 1; seq <= 5000; seq++) {
        f->now_us += 1000;
        push(f, seq);
        assert_true(f->box.n <= OUTBOX_MAX);
    }
    assert_int_equal(f->box.dropped, 5000 - OUTBOX_MAX);
    const struct feed_bytes *oldest = mqtt_outbox_next(&f->box)->bytes[0];
    assert_non_null(memmem(oldest->data, oldest->len, "\"seq\":4489,", 11));
    f->now_us += OUTBOX_KEEP_US - 100 * 1000;
    mqtt_outbox_expire(&f->box, f->now_us);
    assert_int_equal(f->box.n, 101);
    f->now_us += OUTBOX_KEEP_US;
    push(f, 5001);
    assert_int_equal(f->box.n, 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        T(an_event_stays_until_both_are_acknowledged),
        T(a_new_connection_gets_what_is_left_in_order),
        T(what_can_never_go_is_not_kept),
        T(b082_neither_number_nor_age_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
