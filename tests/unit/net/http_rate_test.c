#include "net/rate.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the headers above
#include <cmocka.h>

static void a_bucket_gives_its_burst_then_one_at_a_time(void **state) {
    (void)state;
    const struct bucket_rule rule = {.burst = 3, .each_us = 1000000};
    struct bucket bucket = {0};
    for (int64_t now = 0; now < 10; now++)
        assert_int_equal(bucket_take(&bucket, &rule, now), now < 3);
    assert_int_equal(bucket_wait_s(&bucket, &rule, 10), 1);
    assert_true(bucket_take(&bucket, &rule, 1000010));
    assert_false(bucket_take(&bucket, &rule, 1000020));
    for (int i = 0; i < 5; i++) // never more than the burst, however long it rests
        assert_int_equal(bucket_take(&bucket, &rule, INT64_C(900000000000)), i < 3);
}

static struct sockaddr_in6 own = {.sin6_family = AF_INET6};

static struct peer *find(struct peers *peers, const char *text, int64_t now) {
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
        return peers_find(peers, (struct sockaddr *)&in, NULL, now);
    assert_int_equal(inet_pton(AF_INET6, text, &in6.sin6_addr), 1);
    return peers_find(peers, (struct sockaddr *)&in6, (struct sockaddr *)&own, now);
}

static void peers_are_addresses_and_networks(void **state) {
    (void)state;
    struct peers *peers = peers_create();
    assert_ptr_equal(find(peers, "192.0.2.1", 0), find(peers, "192.0.2.1", 1));
    assert_ptr_not_equal(find(peers, "192.0.2.1", 0), find(peers, "192.0.2.2", 0));
    assert_ptr_equal(find(peers, "::ffff:192.0.2.1", 0), find(peers, "192.0.2.1", 0));
    assert_ptr_equal(find(peers, "2001:db8:1:2::1", 0), find(peers, "2001:db8:1:2::ffff", 0)); // one /64
    assert_ptr_not_equal(find(peers, "2001:db8:1:2::1", 0), find(peers, "2001:db8:1:3::1", 0));
    assert_true(find(peers, "127.0.0.1", 0)->loopback);
    assert_true(find(peers, "::1", 0)->loopback);
    assert_true(find(peers, "::ffff:127.0.0.9", 0)->loopback);
    assert_false(find(peers, "192.0.2.1", 0)->loopback);
    peers_destroy(peers);
}

// What one neighbour does uses up nothing of another's, nor do two callers of one address.
static void neighbours_and_callers_have_limits_of_their_own(void **state) {
    (void)state;
    struct peers *peers = peers_create();
    const struct bucket_rule rule = {.burst = 1, .each_us = 1000000};
    assert_int_equal(inet_pton(AF_INET6, "fe80::1", &own.sin6_addr), 1);
    assert_ptr_not_equal(find(peers, "fe80::2", 0), find(peers, "fe80::3", 0));
    assert_ptr_equal(find(peers, "fe80::2", 0), find(peers, "fe80::2", 0));
    assert_ptr_equal(find(peers, "2001:db8::2", 0), find(peers, "2001:db8::3", 0));
    memset(&own.sin6_addr, 0, sizeof own.sin6_addr);
    assert_ptr_not_equal(peers_caller(peers, 1, 0), peers_caller(peers, 2, 0));
    assert_true(bucket_take(&peers_caller(peers, 1, 0)->commands, &rule, 0));
    assert_true(bucket_take(&peers_caller(peers, 2, 0)->commands, &rule, 0));
    assert_false(bucket_take(&peers_caller(peers, 1, 0)->commands, &rule, 0));
    assert_false(peers_caller(peers, 1, 0)->loopback);
    peers_destroy(peers);
}

static void the_table_of_peers_is_bounded(void **state) {
    (void)state;
    struct peers *peers = peers_create();
    char text[32];
    for (int i = 0; i < 5000; i++) { // a scan of addresses pushes out the oldest without a connection
        snprintf(text, sizeof text, "10.0.%d.%d", i / 256, i % 256);
        struct peer *peer = find(peers, text, i);
        assert_non_null(peer);
        if (i == 7)
            peer->requests = 1;
    }
    assert_int_equal(find(peers, "10.0.0.7", 6000)->requests, 1);
    for (int i = 0; i < 2000; i++) {
        snprintf(text, sizeof text, "10.1.%d.%d", i / 256, i % 256);
        struct peer *peer = find(peers, text, 7000 + i);
        if (!peer)
            break;
        peer->streams = 1;
    }
    assert_null(find(peers, "10.9.9.9", 9999)); // all are connected
    peers_destroy(peers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_gives_its_burst_then_one_at_a_time),
        cmocka_unit_test(peers_are_addresses_and_networks),
        cmocka_unit_test(neighbours_and_callers_have_limits_of_their_own),
        cmocka_unit_test(the_table_of_peers_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
