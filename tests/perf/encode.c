// P11: one event to protobuf and JSON: the feed, a pair of writers written for this one message, jansson.
// encode N
#include "core/json.h"
#include "perf/measure.h"
#include "wire/feed.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 7 };
static const int64_t at_us = INT64_C(1767225600000000);
static const struct observe_action action = {
    .by = "s4", .verb = "swap", .n_args = 2, .args = {{"a", "s1"}, {"b", "s5"}}, .text = "s4 swap a=s1 b=s5"};

static size_t json_len, pb_len;
static void on_message(void *ctx, const struct feed_message *message) {
    struct feed_bytes **kept = ctx;
    feed_unref(kept[0]);
    feed_unref(kept[1]);
    kept[0] = feed_ref(message->json);
    kept[1] = message->pb ? feed_ref(message->pb) : NULL;
    json_len = message->json->len;
    pb_len = message->pb ? message->pb->len : 0;
}

static double per_event(size_t n, int64_t start) {
    return (double)(measure_now_ns() - start) / (double)n;
}

static double by_feed(struct feed *feed, size_t n) {
    const struct observe_sink *sink = feed_sink(feed);
    struct observe_event event = {.type = OBSERVE_EVENT_ACTION, .at_us = at_us, .seat = 3, .action = &action};
    int64_t start = measure_now_ns();
    for (size_t i = 0; i < n; i++) {
        event.seq++;
        sink->event(sink->ctx, "main", OBSERVE_PUBLIC, &event);
    }
    return per_event(n, start);
}

// ---- by hand

#define PUT(text) (memcpy(to, text, sizeof text - 1), to += sizeof text - 1)
static char *put_string(char *to, const char *text) {
    size_t n = strlen(text);
    memcpy(to, text, n);
    return to + n;
}
static char *put_number(char *to, uint64_t value) {
    char digits[20];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *to++ = digits[--n];
    return to;
}

static char *hand_json(char *to, uint64_t seq) {
    PUT("{\"header\":{\"boot_id\":\"");
    to = put_string(to, "0000000000000007");
    PUT("\",\"seq\":");
    to = put_number(to, seq);
    PUT(",\"at\":\"");
    to += clock_text(at_us, to);
    PUT("\",\"table\":\"");
    to = put_string(to, "main");
    PUT("\",\"audience\":\"public\",\"game_id\":\"\"},\"event\":\"action\",\"seat\":\"");
    to = put_string(to, action.by);
    PUT("\",\"action\":[{\"by\":\"");
    to = put_string(to, action.by);
    PUT("\",\"do\":\"");
    to = put_string(to, action.verb);
    PUT("\",\"args\":{");
    for (unsigned i = 0; i < action.n_args; i++) {
        *to++ = i ? ',' : '"';
        if (i)
            *to++ = '"';
        to = put_string(to, action.args[i].name);
        PUT("\":\"");
        to = put_string(to, action.args[i].value);
        *to++ = '"';
    }
    PUT("},\"text\":\"");
    to = put_string(to, action.text);
    PUT("\"}],\"violation\":[],\"choice\":[],\"repairs\":[],\"reason\":\"\",\"reader\":\"\",\"code\":\"\","
        "\"text\":\"\"}");
    return to;
}

static char *field(char *to, unsigned number, const char *text) {
    size_t n = strlen(text); // all are short: one byte of length
    *to++ = (char)(number << 3 | 2);
    *to++ = (char)n;
    memcpy(to, text, n);
    return to + n;
}
static char *close_field(char *to, char *from) {
    from[-1] = (char)(to - from);
    return to;
}
static char *hand_pb(char *to, uint64_t seq) {
    char *header = to + 2, *inner;
    int64_t ms = at_us / 1000;
    PUT("\x0a\0");
    to = field(to, 1, "0000000000000007");
    *to++ = 2 << 3 | 1;
    memcpy(to, &seq, 8);
    to += 8;
    PUT("\x1a\x09\x09");
    memcpy(to, &ms, 8);
    to = close_field(field(field(to + 8, 4, "main"), 5, "public"), header);
    PUT("\x10\x04");
    to = field(to, 3, action.by);
    inner = to + 2;
    PUT("\x22\0");
    to = field(field(to, 1, action.by), 2, action.verb);
    for (unsigned i = 0; i < action.n_args; i++) {
        char *arg = to + 2;
        PUT("\x1a\0");
        to = close_field(field(field(to, 1, action.args[i].name), 2, action.args[i].value), arg);
    }
    return close_field(field(to, 4, action.text), inner);
}

static struct feed_bytes *keep(const char *bytes, const char *end) {
    size_t len = (size_t)(end - bytes);
    struct feed_bytes *ret = malloc(sizeof *ret + len);
    if (!ret)
        exit(1);
    ret->refs = 1;
    ret->len = len;
    memcpy(ret->data, bytes, len);
    return ret;
}

static double by_hand(size_t n) {
    char json[1024], pb[512];
    struct feed_bytes *kept[2] = {0};
    int64_t start = measure_now_ns();
    for (size_t i = 0; i < n; i++) {
        free(kept[0]);
        free(kept[1]);
        kept[0] = keep(json, hand_json(json, i));
        kept[1] = keep(pb, hand_pb(pb, i));
    }
    double ret = per_event(n, start);
    free(kept[0]);
    free(kept[1]);
    return ret;
}

static double by_jansson(size_t n) {
    char at[CLOCK_TEXT_MAX];
    clock_text(at_us, at);
    int64_t start = measure_now_ns();
    for (size_t i = 0; i < n; i++) {
        json_t *event = json_pack(
            "{s:{s:s,s:I,s:s,s:s,s:s,s:s},s:s,s:s,s:[{s:s,s:s,s:{s:s,s:s},s:s}],s:[],s:[],s:[],s:s,s:s,s:s,s:"
            "s}",
            "header", "boot_id", "0000000000000007", "seq", (json_int_t)i, "at", at, "table", "main",
            "audience", "public", "game_id", "", "event", "action", "seat", action.by, "action", "by",
            action.by, "do", action.verb, "args", "a", action.args[0].value, "b", action.args[1].value,
            "text", action.text, "violation", "choice", "repairs", "reason", "", "reader", "", "code", "",
            "text", "");
        char *text = json_dumps(event, JSON_COMPACT);
        if (!text)
            exit((fprintf(stderr, "encode: jansson failed\n"), 1));
        free(text);
        json_decref(event);
    }
    return per_event(n, start);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return fprintf(stderr, "encode N\n"), 2;
    size_t n = strtoul(argv[1], NULL, 10);
    struct feed *feed;
    struct feed_bytes *kept[2] = {0};
    struct error err;
    if (feed_create(7, "en", &feed, &err))
        return fprintf(stderr, "encode: %s\n", err.text), 1;
    struct feed_outlet outlet = {on_message, kept};
    feed_add_outlet(feed, &outlet);
    int64_t ours[ROUNDS], hand[ROUNDS], jansson[ROUNDS];
    by_feed(feed, n / 10);
    for (unsigned i = 0; i < ROUNDS; i++) { // hundredths of nanoseconds
        ours[i] = (int64_t)(by_feed(feed, n) * 100);
        hand[i] = (int64_t)(by_hand(n) * 100);
        jansson[i] = (int64_t)(by_jansson(n) * 100);
    }
    printf(
        "{\"name\":\"encode\",\"feed_ns\":%.2f,\"hand_ns\":%.2f,\"jansson_ns\":%.2f,\"json_bytes\":%zu,"
        "\"pb_bytes\":%zu}\n",
        (double)measure_percentile(ours, ROUNDS, 0.5) / 100,
        (double)measure_percentile(hand, ROUNDS, 0.5) / 100,
        (double)measure_percentile(jansson, ROUNDS, 0.5) / 100, json_len, pb_len);
    char json[1024], pb[512];
    uint64_t seq = n;
    (void)hand_pb(pb, seq);
    if (hand_json(json, seq) - json != (ptrdiff_t)kept[0]->len || memcmp(json, kept[0]->data, kept[0]->len) ||
        !kept[1] || memcmp(pb, kept[1]->data, kept[1]->len))
        fprintf(stderr, "encode: the bytes by hand are not those of the feed any more:\n%.*s\n%.*s\n",
                (int)kept[0]->len, (const char *)kept[0]->data, (int)kept[0]->len, json);
    feed_remove_outlet(feed, kept);
    feed_unref(kept[0]);
    feed_unref(kept[1]);
    feed_destroy(feed);
    return 0;
}
