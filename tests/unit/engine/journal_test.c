// What is written can be read again.
#include "journal_rig.h"

static void what_is_durable_can_be_read(void **state) {
    (void)state;
    open_journal();
    for (uint64_t n = 1; n <= 5; n++) {
        assert_int_equal(append("den", n, false), ERROR_OK);
        settle();
        assert_int_equal(seen.n, n);
    }
    assert_int_equal(append("attic", 1, false), ERROR_OK);
    settle();
    struct reading reading = {.next = 1};
    assert_int_equal(journal_read(path, "den", 1, take, &reading, NULL), ERROR_OK); // beside the open one
    assert_int_equal(reading.count, 5);
    close_journal();
    reading = (struct reading){.next = 3};
    assert_int_equal(journal_read(path, "den", 3, take, &reading, NULL), ERROR_OK);
    assert_int_equal(reading.count, 3);
    reading = (struct reading){.next = 1, .stop_after = 2};
    assert_int_equal(journal_read(path, "den", 0, take, &reading, NULL), ERROR_NOT_NOW);
    assert_int_equal(reading.count, 2);
    assert_int_equal(verify(), 6);
    open_journal(); // and goes on
    assert_int_equal(append("den", 6, false), ERROR_OK);
    close_journal(); // waits
    assert_int_equal(seen.n, 6);
    assert_int_equal(verify(), 7);
}

static void only_the_owner_may_read_the_files(void **state) {
    (void)state;
    mode_t before = umask(0);
    open_journal();
    append("den", 1, false);
    settle();
    umask(before);
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char name[128];
        struct stat st;
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        assert_int_equal(stat(name, &st), 0);
        assert_int_equal(st.st_mode & 0777, 0600);
    }
    close_journal();
    assert_int_equal(chmod(path, 0644), 0); // copied back from somewhere
    open_journal();
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void a_group_is_one_commit(void **state) {
    (void)state;
    open_journal();
    for (uint64_t n = 1; n <= 4; n++)
        assert_int_equal(append("den", n, n < 4), ERROR_OK);
    settle();
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.n, 4);
    // Another table's record that comes in between waits with the group, and does not end it.
    assert_int_equal(append("den", 5, true), ERROR_OK);
    assert_int_equal(append("attic", 1, false), ERROR_OK);
    for (int i = 0; i < 3; i++)
        loop_turn(loop, 0);
    assert_int_equal(journal_pending(journal), 2);
    assert_int_equal(append("den", 6, false), ERROR_OK);
    settle();
    assert_int_equal(seen.calls, 3);
    assert_string_equal(seen.tables, "dad");
    assert_int_equal(verify(), 7);
}

static void a_group_that_nothing_follows_is_whole(void **state) {
    (void)state;
    open_journal();
    journal_complete(journal, "den");
    append("den", 1, true);
    append("attic", 1, true);
    journal_complete(journal, "den");
    for (int i = 0; i < 3; i++)
        loop_turn(loop, 0);
    assert_int_equal(journal_pending(journal), 2); // the attic's goes on, and both are one commit
    journal_complete(journal, "attic");
    journal_complete(journal, "attic");
    settle();
    assert_int_equal(seen.calls, 2);
    assert_int_equal(append("den", 2, false), ERROR_OK);
    settle();
    assert_int_equal(verify(), 3);
}

static void half_a_group_is_never_written(void **state) {
    (void)state;
    open_journal();
    append("den", 1, false);
    settle();
    append("den", 2, true);
    append("den", 3, true);
    close_journal();
    assert_int_equal(verify(), 1);
}

static void more_than_the_queue_takes_is_busy(void **state) {
    (void)state;
    open_journal();
    uint64_t n = 0;
    while (n < JOURNAL_QUEUE_MAX)
        assert_int_equal(append("den", ++n, false), ERROR_OK);
    assert_int_equal(append("den", n + 1, false), ERROR_BUSY);
    assert_int_equal(journal_pending(journal), JOURNAL_QUEUE_MAX);
    settle();
    assert_int_equal(seen.n, n);
    // A group that has begun is not refused in its middle.
    for (int i = 0; i < JOURNAL_QUEUE_MAX - 1; i++)
        assert_int_equal(append("den", ++n, false), ERROR_OK);
    for (int i = 0; i < 40; i++)
        assert_int_equal(append("den", ++n, i < 39), ERROR_OK);
    assert_int_equal(append("den", n + 1, false), ERROR_BUSY);
    settle();
    assert_int_equal(seen.n, n);
    close_journal();
    assert_int_equal(verify(), n);
}

static void a_record_that_is_none_is_refused(void **state) {
    (void)state;
    open_journal();
    static char huge[JOURNAL_BODY_MAX + 2];
    memset(huge, 'x', sizeof huge - 1);
    struct journal_record record = {
        .table = "den", .game = "g", .n = 1, .by = "s1", .cause = "tap", .body = huge};
    assert_int_equal(journal_append(journal, &record, false, NULL), ERROR_TOO_LARGE);
    record.body = "{}";
    record.evidence = huge;
    assert_int_equal(journal_append(journal, &record, false, NULL), ERROR_TOO_LARGE);
    record.evidence = NULL;
    record.table = huge;
    assert_int_equal(journal_append(journal, &record, false, NULL), ERROR_INVALID);
    record.table = "den";
    record.n = 0;
    assert_int_equal(journal_append(journal, &record, false, NULL), ERROR_INVALID);
    assert_int_equal(journal_pending(journal), 0);
}

static void in_memory_nothing_is_kept(void **state) {
    (void)state;
    snprintf(path, sizeof path, ":memory:");
    open_journal();
    for (uint64_t n = 1; n <= 1000; n++) {
        assert_int_equal(append("den", n, false), ERROR_OK);
        settle();
    }
    assert_int_equal(seen.calls, 1000);
    close_journal();
    open_journal();
    assert_int_equal(append("den", 1, false), ERROR_OK);
    settle();
    assert_int_equal(seen.failures, 0);
    struct reading reading = {.next = 1};
    assert_int_equal(journal_read(path, "den", 1, take, &reading, NULL), ERROR_OK);
    assert_int_equal(reading.count, 0);
}

static void the_last_game_begins_with_its_start(void **state) {
    (void)state;
    open_journal();
    uint64_t n;
    assert_int_equal(journal_last_start(path, "den", &n, NULL), ERROR_OK);
    assert_int_equal(n, 0);
    struct journal_record record = {.table = "den", .game = "g", .by = "s1", .cause = "rest", .body = "{}"};
    for (record.n = 1; record.n <= 9; record.n++) {
        record.kind = record.n == 1 || record.n == 6 ? JOURNAL_START : JOURNAL_ACT;
        record.game = record.n < 6 ? "g" : "h";
        assert_int_equal(journal_append(journal, &record, false, NULL), ERROR_OK);
    }
    settle();
    assert_int_equal(journal_last_start(path, "den", &n, NULL), ERROR_OK);
    assert_int_equal(n, 6);
    assert_int_equal(journal_last_start(path, "attic", &n, NULL), ERROR_OK);
    assert_int_equal(n, 0);
}

static enum error_code count_record(void *ctx, const struct journal_record *record, struct error *err) {
    (void)err;
    uint64_t *n = ctx; // first, number
    n[0] = n[0] ? n[0] : record->n;
    n[1]++;
    return ERROR_OK;
}

// Games of any length before and after: the last one is read from its start on. Where two games bear one id,
// the records of both come.
static void the_last_game_is_read(void **state) {
    (void)state;
    open_journal();
    struct journal_record record = {.table = "den", .by = "s1", .cause = "rest", .body = "{}"};
    char game[8];
    for (unsigned round = 1; round <= 20; round++) {
        snprintf(game, sizeof game, "g%u", round == 20 ? 19 : round);
        record.game = game;
        for (unsigned i = 0; i < round % 7 + 1; i++) {
            record.n++;
            record.kind = i ? JOURNAL_ACT : JOURNAL_START;
            assert_int_equal(journal_append(journal, &record, false, NULL), ERROR_OK);
            settle();
            uint64_t n[2] = {0};
            assert_int_equal(journal_read_last(path, "den", count_record, n, NULL), ERROR_OK);
            unsigned more = round == 20 ? 19 % 7 + 1 : 0;
            assert_int_equal(n[1], i + 1 + more);
            assert_int_equal(n[0], record.n - i - more);
        }
    }
    uint64_t none[2] = {0};
    assert_int_equal(journal_read_last(path, "attic", count_record, none, NULL), ERROR_OK);
    assert_int_equal(none[1], 0);
}

static struct clock_virtual virtual_clock;
static struct loop_timer tap;
static int64_t tapped_us;

static void on_tap(void *ctx) {
    uint64_t *n = ctx;
    tapped_us = loop_now_us(loop);
    assert_int_equal(seen.n, *n); // the one before is durable: time waited for the disk
    assert_int_equal(append("den", ++*n, false), ERROR_OK);
    if (*n < 50)
        loop_timer_start(loop, &tap, tapped_us + 1000, on_tap, n);
}

static void virtual_time_waits_for_the_disk(void **state) {
    (void)state;
    loop_destroy(loop);
    clock_virtual_init(&virtual_clock);
    assert_int_equal(loop_create(&virtual_clock.base, &virtual_clock, &loop, NULL), ERROR_OK);
    open_journal();
    uint64_t n = 0;
    loop_timer_start(loop, &tap, 1000, on_tap, &n);
    assert_int_equal(loop_run(loop), 0);
    assert_int_equal(seen.n, 50);
    assert_int_equal(loop_now_us(loop), 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_is_durable_can_be_read),
        TEST(only_the_owner_may_read_the_files),
        TEST(a_group_is_one_commit),
        TEST(a_group_that_nothing_follows_is_whole),
        TEST(half_a_group_is_never_written),
        TEST(more_than_the_queue_takes_is_busy),
        TEST(a_record_that_is_none_is_refused),
        TEST(the_last_game_begins_with_its_start),
        TEST(the_last_game_is_read),
        TEST(in_memory_nothing_is_kept),
        TEST(virtual_time_waits_for_the_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
