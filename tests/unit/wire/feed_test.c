#include "public.pb-c.h"
#include "wire/feed.h"
#include "wire/pb_json.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the three above
#include <cmocka.h>

enum { HEARD_MAX = 64 };
struct fixture {
    struct feed *feed;
    struct clock_virtual clock;
    struct observation *view;
    size_t n_heard;
    struct heard {
        enum topic topic;
        int audience;
        uint64_t seq;
        struct feed_bytes *json, *pb;
    } heard[HEARD_MAX];
};

static void hear(void *ctx, const struct feed_message *message) {
    struct fixture *f = ctx;
    assert_true(f->n_heard < HEARD_MAX);
    f->heard[f->n_heard++] = (struct heard){message->topic, message->audience, message->seq,
                                            feed_ref(message->json),
                                            message->pb != NULL ? feed_ref(message->pb) : NULL};
}

static void forget(struct fixture *f) {
    for (size_t i = 0; i < f->n_heard; i++) {
        feed_unref(f->heard[i].json);
        feed_unref(f->heard[i].pb);
    }
    f->n_heard = 0;
}

// A table of three seats in the night.
static void fill(struct observation *view, int audience) {
    memset(view, 0, sizeof *view);
    view->audience = audience;
    view->version = 7;
    view->status = OBSERVE_RUNNING;
    view->table = "kitchen";
    view->game = "one_night";
    view->title = "One Night";
    strcpy(view->game_id, "00aa11bb22cc33dd");
    view->rules_rev = 1;
    view->seats = 3;
    view->n_cards = 2;
    view->cards[0] = "werewolf";
    view->cards[1] = "seer";
    view->phase =
        (struct observe_phase){.n = 4, .id = "night", .veil = OBSERVE_DARK, .step = "400", .steps = 9};
    view->n_places = 3;
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"s1", "s2", "c1"};
        view->place[i] = (struct observe_place){.name = names[i],
                                                .level = OBSERVE_OCCUPIED,
                                                .sensed = true,
                                                .x = 10,
                                                .y = -3,
                                                .seat = (int8_t)(i < 2 ? i : -1)};
    }
    view->n_items = 3;
    view->item[0] = (struct observe_item){.place = 2, .n = 1, .face = OBSERVE_FACE_DOWN};
    view->item[1] = (struct observe_item){.place = 0, .n = 1, .face = OBSERVE_FACE_DOWN};
    view->item[2] = (struct observe_item){.place = 2, .kind = "shield", .n = 1, .face = OBSERVE_FACE_UP};
}

static int setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    f->view = malloc(sizeof *f->view);
    clock_virtual_init(&f->clock);
    assert_int_equal(feed_create(0x0123456789abcdef, "en", &f->feed, NULL), ERROR_OK);
    feed_set_clock(f->feed, &f->clock.base);
    const struct feed_outlet outlet = {hear, f};
    feed_add_outlet(f->feed, &outlet);
    fill(f->view, OBSERVE_PUBLIC);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    forget(f);
    feed_destroy(f->feed);
    free(f->view);
    free(f);
    return 0;
}

static void show(struct fixture *f, unsigned parts) {
    const struct observe_sink *sink = feed_sink(f->feed);
    sink->view(sink->ctx, f->view, parts);
}

static bool has(const struct feed_bytes *bytes, const char *text) {
    return memmem(bytes->data, bytes->len, text, strlen(text)) != NULL;
}

static void the_first_view_sends_all_parts_then_only_what_changed(void **state) {
    struct fixture *f = *state;
    show(f, OBSERVE_PART_PHASE);
    assert_int_equal(f->n_heard, 6);
    forget(f);
    f->view->version = 8;
    f->view->phase.step = "430";
    show(f, OBSERVE_PART_PHASE);
    assert_int_equal(f->n_heard, 1);
    assert_int_equal(f->heard[0].topic, TOPIC_PHASE);
    assert_int_equal(f->heard[0].seq, 8);
    assert_true(has(f->heard[0].json, "\"step\":\"430\""));
    assert_true(has(f->heard[0].json, "\"veil\":\"dark\""));
    assert_true(has(f->heard[0].json, "\"at\":\"2026-01-01T00:00:00.000Z\""));
    assert_ptr_equal(feed_latest(f->feed, "kitchen", OBSERVE_PUBLIC, TOPIC_PHASE)->json, f->heard[0].json);
}

static void both_encodings_say_the_same(void **state) {
    struct fixture *f = *state;
    show(f, OBSERVE_PART_ALL);
    static const struct {
        enum topic topic;
        const ProtobufCMessageDescriptor *type;
    } rows[] = {{TOPIC_GAME, &tabled__v1__game__descriptor},
                {TOPIC_PHASE, &tabled__v1__phase__descriptor},
                {TOPIC_BOARD, &tabled__v1__board__descriptor},
                {TOPIC_SEATS, &tabled__v1__seats__descriptor},
                {TOPIC_VIOLATION, &tabled__v1__violations__descriptor},
                {TOPIC_RESULT, &tabled__v1__result__descriptor}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct feed_message *m = feed_latest(f->feed, "kitchen", OBSERVE_PUBLIC, rows[i].topic);
        ProtobufCMessage *message = protobuf_c_message_unpack(rows[i].type, NULL, m->pb->len, m->pb->data);
        char text[8192];
        struct json j;
        json_begin(&j, text, sizeof text);
        pb_json_write(&j, message);
        assert_true(json_end(&j));
        assert_int_equal(j.len, m->json->len);
        assert_memory_equal(text, m->json->data, j.len);
        protobuf_c_message_free_unpacked(message, NULL);
    }
}

static void items_lie_at_their_places(void **state) {
    struct fixture *f = *state;
    show(f, OBSERVE_PART_ALL);
    const struct feed_message *m = feed_latest(f->feed, "kitchen", OBSERVE_PUBLIC, TOPIC_BOARD);
    assert_true(has(m->json,
                    "{\"name\":\"c1\",\"level\":\"occupied\",\"sensed\":true,\"x\":10,\"y\":-3,\"seat\":\"\","
                    "\"items\":[{\"kind\":\"\",\"n\":1,\"face\":\"down\"},"
                    "{\"kind\":\"shield\",\"n\":1,\"face\":\"up\"}]}"));
    assert_true(has(m->json,
                    "\"name\":\"s2\",\"level\":\"occupied\",\"sensed\":true,\"x\":10,\"y\":-3,"
                    "\"seat\":\"s2\",\"items\":[]"));
}

static void the_whole_view_is_a_view_message(void **state) {
    struct fixture *f = *state;
    char etag[64];
    assert_null(feed_view(f->feed, "kitchen", OBSERVE_PUBLIC, etag));
    f->view->n_facts = 1;
    f->view->fact[0] = (struct observe_fact){.key = "saw", .seat = 1, .place = "c1", .kind = "villager"};
    show(f, OBSERVE_PART_ALL);
    struct feed_bytes *view = feed_view(f->feed, "kitchen", OBSERVE_PUBLIC, etag);
    assert_string_equal(etag, "\"0123456789abcdef-public-7\"");
    assert_ptr_equal(view, feed_view(f->feed, "kitchen", OBSERVE_PUBLIC, etag));
    ProtobufCMessage *message;
    struct error err = {0};
    if (pb_json_read(&tabled__v1__view__descriptor, (char *)view->data, view->len, 1000, &message, &err))
        fail_msg("%s %s", err.where, err.text);
    char text[8192];
    struct json j;
    json_begin(&j, text, sizeof text);
    pb_json_write(&j, message);
    assert_true(json_end(&j));
    assert_int_equal(j.len, view->len);
    assert_memory_equal(text, view->data, j.len);
    protobuf_c_message_free_unpacked(message, NULL);
    assert_null(feed_view(f->feed, "cellar", OBSERVE_PUBLIC, etag));
    assert_null(feed_view(f->feed, "kitchen", 1, etag));
    assert_null(feed_view(f->feed, "kitchen", 99, etag));
    assert_null(feed_view(f->feed, "kitchen", -2, etag));
}

static void a_seat_gets_json_alone_and_loses_it_with_its_game(void **state) {
    struct fixture *f = *state;
    char etag[64];
    show(f, OBSERVE_PART_ALL);
    forget(f);
    fill(f->view, 1);
    f->view->n_facts = 1;
    f->view->fact[0] = (struct observe_fact){.key = "dealt", .seat = -1, .kind = "seer"};
    show(f, OBSERVE_PART_ALL);
    for (size_t i = 0; i < f->n_heard; i++) {
        assert_int_equal(f->heard[i].audience, 1);
        assert_null(f->heard[i].pb);
    }
    assert_true(has(feed_view(f->feed, "kitchen", 1, etag),
                    "\"facts\":[{\"key\":\"dealt\",\"seat\":\"\","
                    "\"place\":\"\",\"kind\":\"seer\",\"value\":0}]"));
    assert_string_equal(etag, "\"0123456789abcdef-s2-7\"");
    assert_false(has(feed_view(f->feed, "kitchen", OBSERVE_PUBLIC, etag), "dealt"));
    fill(f->view, OBSERVE_PUBLIC);
    strcpy(f->view->game_id, "ffffffffffffffff");
    show(f, OBSERVE_PART_GAME);
    assert_null(feed_view(f->feed, "kitchen", 1, etag));
    assert_null(feed_latest(f->feed, "kitchen", 1, TOPIC_GAME));
}

static void an_idle_table_is_a_document_too(void **state) {
    struct fixture *f = *state;
    char etag[64];
    memset(f->view, 0, sizeof *f->view);
    f->view->audience = OBSERVE_PUBLIC;
    f->view->table = "kitchen";
    f->view->phase.turn = 0xffff; // without a phase nothing else of it counts
    show(f, 0);
    struct feed_bytes *view = feed_view(f->feed, "kitchen", OBSERVE_PUBLIC, etag);
    assert_true(has(view, "\"status\":\"idle\",\"game\":\"\""));
    assert_true(has(view, "\"turn\":[]"));
}

// Until the reveal the result structure may hold anything: it does not leave.
static void an_unfinished_result_tells_nothing(void **state) {
    struct fixture *f = *state;
    show(f, OBSERVE_PART_ALL);
    struct feed_bytes *before = feed_ref(feed_latest(f->feed, "kitchen", OBSERVE_PUBLIC, TOPIC_RESULT)->json);
    f->view->result.winners = 5;
    f->view->result.n_teams = 1;
    strcpy(f->view->result.teams[0].name, "village");
    strcpy(f->view->result.seats[0].role, "seer");
    strcpy(f->view->result.reason, "because");
    show(f, OBSERVE_PART_RESULT);
    struct feed_bytes *after = feed_latest(f->feed, "kitchen", OBSERVE_PUBLIC, TOPIC_RESULT)->json;
    assert_int_equal(before->len, after->len);
    assert_memory_equal(before->data, after->data, after->len);
    feed_unref(before);
    f->view->result.over = true;
    static const struct observe_story story = {.step = "700",
                                               .phase = "night",
                                               .by = "s3",
                                               .text = "exchanged and put back",
                                               .flags = "slip  late "};
    f->view->story = &story;
    f->view->n_story = 1;
    show(f, OBSERVE_PART_RESULT);
    after = feed_latest(f->feed, "kitchen", OBSERVE_PUBLIC, TOPIC_RESULT)->json;
    assert_true(has(after, "\"flags\":[\"slip\",\"late\"]"));
    assert_true(has(after, "{\"seat\":\"s1\",\"role\":\"seer\",\"team\":\"\",\"won\":true,\"dead\":false,"));
}

static void events_count_by_their_own_and_are_not_lost(void **state) {
    struct fixture *f = *state;
    show(f, OBSERVE_PART_ALL);
    forget(f);
    const struct observe_sink *sink = feed_sink(f->feed);
    struct observe_event event = {.type = OBSERVE_EVENT_PAUSED,
                                  .seq = 11,
                                  .seat = -1,
                                  .reason = "host",
                                  .at_us = clock_wall_us(&f->clock.base)};
    sink->event(sink->ctx, "kitchen", OBSERVE_PUBLIC, &event);
    sink->event(sink->ctx, "kitchen", 2, &event);
    struct observe_narration narration = {.seq = 12, .starts_at_us = event.at_us, .n_lines = 1};
    narration.line[0] = (struct observe_line){.id = "ask",
                                              .text = "Seat c, 3.",
                                              .at_ms = 4000,
                                              .n_args = 2,
                                              .arg = {{.type = OBSERVE_ARG_SEAT, .value = "s1", .label = "c"},
                                                      {.type = OBSERVE_ARG_NUMBER, .value = "3"}}};
    sink->narration(sink->ctx, "kitchen", &narration);
    struct observe_readers readers = {
        .n = 1, .reader = {{.name = "north", .driver = "sim", .up = false, .why = "unplugged"}}};
    sink->readers(sink->ctx, "kitchen", &readers);
    assert_int_equal(f->n_heard, 4);
    assert_int_equal(f->heard[0].seq, 11);
    assert_non_null(f->heard[0].pb);
    assert_null(f->heard[1].pb);
    assert_true(has(f->heard[0].json, "\"event\":\"paused\""));
    assert_true(has(f->heard[0].json, "\"game_id\":\"00aa11bb22cc33dd\""));
    assert_true(has(f->heard[2].json,
                    "\"locale\":\"en\",\"starts_at\":\"2026-01-01T00:00:00.000Z\",\"lines\":"
                    "[{\"id\":\"ask\",\"text\":\"Seat c, 3.\",\"at_ms\":4000,\"args\":["
                    "{\"type\":\"seat\",\"value\":\"s1\",\"label\":\"c\"},"
                    "{\"type\":\"number\",\"value\":\"3\",\"label\":\"\"}]}]"));
    assert_null(f->heard[3].pb);
    assert_true(has(f->heard[3].json, "\"up\":false,\"since\":null,\"why\":\"unplugged\""));
}

// Every event of the table has its word.
static void every_event_has_its_name(void **state) {
    struct fixture *f = *state;
    static const char *const names[] = {
        "unknown",
#define X(name, wire) #wire,
        OBSERVE_EVENT_MAP(X)
#undef X
    };
    const struct observe_sink *sink = feed_sink(f->feed);
    for (int type = 0; type < OBSERVE_EVENT_TYPES; type++) {
        struct observe_event event = {.type = (enum observe_event_type)type, .seq = 1, .seat = -1};
        sink->event(sink->ctx, "kitchen", OBSERVE_PUBLIC, &event);
        char want[64];
        snprintf(want, sizeof want, "\"event\":\"%s\"", names[type]);
        assert_true(has(f->heard[0].json, want));
        forget(f);
    }
}

// Bytes outlive the feed when somebody still sends them.
static void bytes_outlive_the_feed(void **state) {
    (void)state;
    struct feed *feed;
    assert_int_equal(feed_create(1, "en", &feed, NULL), ERROR_OK);
    const struct observe_sink *sink = feed_sink(feed);
    struct observe_event event = {.type = OBSERVE_EVENT_RESET, .seq = 1, .seat = -1};
    sink->event(sink->ctx, "kitchen", OBSERVE_PUBLIC, &event);
    struct feed_bytes *kept = feed_ref(feed_latest(feed, "kitchen", OBSERVE_PUBLIC, TOPIC_EVENT)->json);
    feed_destroy(feed);
    assert_int_equal(kept->refs, 1);
    assert_true(has(kept, "reset"));
    feed_unref(kept);
}

static void many_tables_are_kept_apart(void **state) {
    struct fixture *f = *state;
    const struct observe_sink *sink = feed_sink(f->feed);
    char name[33];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "table-%d", i);
        struct observe_event event = {.type = OBSERVE_EVENT_RESET, .seq = (uint64_t)i + 1, .seat = -1};
        sink->event(sink->ctx, name, OBSERVE_PUBLIC, &event);
        forget(f);
    }
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "table-%d", i);
        assert_int_equal(feed_latest(f->feed, name, OBSERVE_PUBLIC, TOPIC_EVENT)->seq, i + 1);
    }
}

// The largest view an observation can hold goes through, in both encodings.
static void the_largest_view_fits(void **state) {
    struct fixture *f = *state;
    static struct observe_story story[OBSERVE_STORY_MAX];
    static struct observe_violation violations[OBSERVE_VIOLATIONS_MAX];
    struct observation *view = f->view;
    view->n_places = OBSERVE_PLACES_MAX;
    for (int i = 0; i < OBSERVE_PLACES_MAX; i++)
        view->place[i] = (struct observe_place){.name = "planet.a-rather-long-place-name1", .seat = -1};
    view->n_items = OBSERVE_ITEMS_MAX;
    for (int i = 0; i < OBSERVE_ITEMS_MAX; i++)
        view->item[i] = (struct observe_item){.place = 511, .kind = "apprentice_assassin", .n = 1};
    view->result.over = true;
    view->seats = OBSERVE_SEATS_MAX;
    for (int i = 0; i < OBSERVE_STORY_MAX; i++) {
        memset(story[i].text, '"', sizeof story[i].text - 1);
        memset(story[i].flags, 'x', sizeof story[i].flags - 1);
        story[i].text[1] = (char)0xff; // not UTF-8: repaired, three times as long at worst
        story[i].phase = "night";
    }
    view->story = story;
    view->n_story = OBSERVE_STORY_MAX;
    for (int i = 0; i < OBSERVE_VIOLATIONS_MAX; i++) {
        violations[i] = (struct observe_violation){.id = 1, .n_places = 8, .n_repairs = 8};
        memset(violations[i].text, 0xff, sizeof violations[i].text - 1);
    }
    view->violation = violations;
    view->n_violations = OBSERVE_VIOLATIONS_MAX;
    show(f, OBSERVE_PART_ALL);
    char etag[64];
    struct feed_bytes *bytes = feed_view(f->feed, "kitchen", OBSERVE_PUBLIC, etag);
    ProtobufCMessage *message;
    assert_int_equal(
        pb_json_read(&tabled__v1__view__descriptor, (char *)bytes->data, bytes->len, 1000, &message, NULL),
        ERROR_OK);
    assert_int_equal(((Tabled__V1__View *)message)->board->places[511]->n_items, OBSERVE_ITEMS_MAX);
    protobuf_c_message_free_unpacked(message, NULL);
}

// Labels and texts of every length, cut at every byte: what leaves is valid in both encodings.
static void b095_cut_characters(void **state) {
    struct fixture *f = *state;
    static const char *const letters[] = {"x", "é", "桌", "🐺"};
    const struct observe_sink *sink = feed_sink(f->feed);
    for (size_t letter = 0; letter < 4; letter++)
        for (size_t cut = 1; cut <= 80 * strlen(letters[letter]); cut++) {
            char text[400] = "";
            for (int i = 0; i < 80; i++)
                strcat(text, letters[letter]);
            text[cut] = '\0';
            struct observe_event event = {.type = OBSERVE_EVENT_REMINDER, .seq = 1, .seat = -1, .text = text};
            sink->event(sink->ctx, "kitchen", OBSERVE_PUBLIC, &event);
            struct heard *h = &f->heard[f->n_heard - 1];
            ProtobufCMessage *pb =
                protobuf_c_message_unpack(&tabled__v1__event__descriptor, NULL, h->pb->len, h->pb->data);
            ProtobufCMessage *json;
            assert_int_equal(pb_json_read(&tabled__v1__event__descriptor, (char *)h->json->data, h->json->len,
                                          100, &json, NULL),
                             ERROR_OK);
            const char *got = ((Tabled__V1__Event *)pb)->text;
            assert_string_equal(got, ((Tabled__V1__Event *)json)->text);
            assert_int_equal(strlen(got), cut - cut % strlen(letters[letter]));
            assert_memory_equal(got, text, strlen(got));
            protobuf_c_message_free_unpacked(pb, NULL);
            protobuf_c_message_free_unpacked(json, NULL);
            forget(f);
        }
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        T(the_first_view_sends_all_parts_then_only_what_changed),
        T(both_encodings_say_the_same),
        T(items_lie_at_their_places),
        T(the_whole_view_is_a_view_message),
        T(a_seat_gets_json_alone_and_loses_it_with_its_game),
        T(an_idle_table_is_a_document_too),
        T(an_unfinished_result_tells_nothing),
        T(events_count_by_their_own_and_are_not_lost),
        T(every_event_has_its_name),
        cmocka_unit_test(bytes_outlive_the_feed),
        T(many_tables_are_kept_apart),
        T(the_largest_view_fits),
        T(b095_cut_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
