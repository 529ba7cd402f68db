// What was told of games: kept as it was sent, in pages, over a restart; nothing of others, nothing after the
// end.
#include "core/loop.h"
#include "net/history.h"
#include "support/door_stub.c"
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
// cmocka needs the headers above
#include <cmocka.h>

struct house {
    char dir[64];
    struct loop *loop;
    struct door *door;
    struct feed *feed;
    struct history *history;
    json_t *answer;
    enum error_code code;
    bool answered;
};

static void open_house(struct house *h, unsigned games) {
    struct error err = {0};
    assert_int_equal(loop_create(NULL, NULL, &h->loop, &err), ERROR_OK);
    assert_int_equal(feed_create(1, "en", &h->feed, &err), ERROR_OK);
    h->door = door_stub_create();
    const struct history_options options = {h->loop, h->dir, h->door, h->feed, games};
    if (history_create(&options, &h->history, &err))
        fail_msg("%s", err.text);
    door_add_sink(h->door, feed_sink(h->feed));
    door_stub_table(h->door, "main", 2);
}

static void close_house(struct house *h) {
    history_destroy(h->history);
    door_stub_destroy(h->door);
    feed_destroy(h->feed);
    loop_destroy(h->loop);
    json_decref(h->answer);
    h->answer = NULL;
}

static int setup(void **state) {
    struct house *h = calloc(1, sizeof *h);
    strcpy(h->dir, "/tmp/tabled-history-XXXXXX");
    assert_non_null(mkdtemp(h->dir));
    *state = h;
    return 0;
}

static int teardown(void **state) {
    struct house *h = *state;
    static const char *const names[] = {"history.db", "history.db-wal", "history.db-shm",
                                        "history.db.damaged"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", h->dir, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(h->dir), 0);
    free(h);
    return 0;
}

static void on_answer(void *ctx, char *text, size_t len, const struct error *err) {
    struct house *h = ctx;
    h->answered = true;
    h->code = err ? err->code : ERROR_OK;
    h->answer = text ? json_loadb(text, len, 0, NULL) : NULL;
    assert_true(!text || h->answer);
    free(text);
}

static json_t *ask_at(struct house *h, const char *table, enum history_what what, const char *game,
                      uint64_t after, unsigned limit) {
    struct history_query query = {.what = what, .after = after, .limit = limit};
    snprintf(query.table, sizeof query.table, "%s", table);
    snprintf(query.game, sizeof query.game, "%s", game);
    json_decref(h->answer);
    h->answer = NULL;
    h->answered = false;
    history_ask(h->history, &query, on_answer, h);
    while (!h->answered)
        loop_turn(h->loop, 1000000);
    return h->answer;
}

static json_t *ask(struct house *h, enum history_what what, const char *game, uint64_t after,
                   unsigned limit) {
    return ask_at(h, "main", what, game, after, limit);
}

static int64_t started_us = 1767225600000000;

static void play(struct house *h, const char *game_id, bool over) {
    for (int audience = OBSERVE_PUBLIC; audience < 2; audience++) {
        struct observation *view = door_stub_view(h->door, "main", audience);
        snprintf(view->game_id, sizeof view->game_id, "%s", game_id);
        view->status = OBSERVE_RUNNING;
        view->result.over = false;
        view->started_at_us = started_us;
    }
    door_stub_show_all(h->door, "main");
    door_stub_event(h->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_ACTION, "in public");
    door_stub_event(h->door, "main", 0, OBSERVE_EVENT_ACTION, "for s1 alone");
    for (int audience = OBSERVE_PUBLIC; audience < 2; audience++) {
        struct observation *view = door_stub_view(h->door, "main", audience);
        view->status = OBSERVE_ENDED;
        view->result.over = over;
        view->result.winners = 2;
        view->result.n_teams = 2;
        snprintf(view->result.teams[0].name, sizeof view->result.teams[0].name, "village");
        snprintf(view->result.teams[1].name, sizeof view->result.teams[1].name, "werewolf");
        view->result.teams[0].won = true;
    }
    door_stub_show_all(h->door, "main");
    door_stub_event(h->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_GAME_ENDED, "the end");
}

static void begin(struct house *h, const char *table, const char *game_id) {
    struct observation *view = door_stub_view(h->door, table, OBSERVE_PUBLIC);
    snprintf(view->game_id, sizeof view->game_id, "%s", game_id);
    view->status = OBSERVE_RUNNING;
    view->started_at_us = 1767225600000000;
    door_stub_show_all(h->door, table);
}

static size_t count(json_t *page, const char *key) {
    return json_array_size(json_object_get(page, key));
}

static void a_game_is_kept_as_it_was_told(void **state) {
    struct house *h = *state;
    open_house(h, 10);
    play(h, "aaaa", true);
    json_t *page = ask(h, HISTORY_TIMELINE, "", 0, 200);
    size_t n = count(page, "events");
    assert_true(n > 5);
    char *text = json_dumps(page, 0);
    assert_non_null(strstr(text, "in public"));
    assert_non_null(strstr(text, "the end"));
    assert_null(strstr(text, "for s1 alone"));
    assert_null(strstr(text, "canary_role"));
    free(text);
    // What the table shows after the end belongs to no game.
    door_stub_show(h->door, "main", OBSERVE_PUBLIC, OBSERVE_PART_BOARD);
    door_stub_show(h->door, "main", OBSERVE_PUBLIC, OBSERVE_PART_BOARD);
    assert_int_equal(count(ask(h, HISTORY_TIMELINE, "aaaa", 0, 200), "events"), n);
    // Pages: the same, two at a time.
    size_t seen = 0;
    const char *next = "0";
    for (uint64_t after = 0; *next; after = strtoull(next, NULL, 10)) {
        page = ask(h, HISTORY_TIMELINE, "aaaa", after, 2);
        seen += count(page, "events");
        next = json_string_value(json_object_get(page, "next"));
        if (!*next)
            break;
    }
    assert_int_equal(seen, n);
    page = ask(h, HISTORY_GAME, "aaaa", 0, 1);
    assert_non_null(json_object_get(page, "result"));
    assert_null(ask(h, HISTORY_GAME, "bbbb", 0, 1));
    assert_int_equal(h->code, ERROR_NOT_FOUND);
    close_house(h);
}

static void games_count_when_they_were_played_to_their_end(void **state) {
    struct house *h = *state;
    open_house(h, 10);
    play(h, "aaaa", true);
    play(h, "bbbb", false); // ended by a host
    play(h, "cccc", true);
    json_t *page = ask(h, HISTORY_GAMES, "", 0, 2),
           *first = json_array_get(json_object_get(page, "games"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "game_id")), "cccc");
    assert_int_equal(count(page, "games"), 2);
    uint64_t next = strtoull(json_string_value(json_object_get(page, "next")), NULL, 10);
    page = ask(h, HISTORY_GAMES, "", next, 2);
    assert_int_equal(count(page, "games"), 1);
    page = ask(h, HISTORY_STATS, "", 0, 1);
    assert_int_equal(json_integer_value(json_object_get(page, "games")), 2);
    json_t *team = NULL;
    assert_int_equal(json_unpack(page, "{s:[{s:[o]}]}", "by_game", "teams", &team), 0);
    assert_int_equal(json_integer_value(json_object_get(team, "won")), 2);
    double low = json_real_value(json_object_get(team, "low"));
    assert_true(low > 0.34 && low < 0.343); // Wilson, 2 of 2
    close_house(h);
}

// A Pi without a clock of its own begins in another year, until the network tells it better.
static void a_clock_that_was_set_leaves_the_mean_alone(void **state) {
    struct house *h = *state;
    const int64_t before = started_us, second = 1000000, day = 86400 * second;
    open_house(h, 10);
    int64_t now = clock_wall_us(loop_clock(h->loop));
    started_us = now - 600 * second;
    play(h, "aaaa", true);
    started_us = now + day; // it was set back
    play(h, "bbbb", true);
    started_us = day; // or forward, by years
    play(h, "cccc", true);
    started_us = before;
    double mean = 0;
    json_t *page = ask(h, HISTORY_STATS, "", 0, 1);
    assert_int_equal(json_unpack(page, "{s:[{s:F}]}", "by_game", "mean_s", &mean), 0);
    assert_true(mean >= 600 && mean < 1200);
    close_house(h);
}

static void a_game_whose_end_was_never_told_falls_out_too(void **state) {
    struct house *h = *state;
    open_house(h, 1);
    begin(h, "main", "lost");
    assert_true(count(ask(h, HISTORY_TIMELINE, "lost", 0, 200), "events") > 0);
    close_house(h);
    open_house(h, 1);
    begin(h, "main", "next");
    json_t *first = json_array_get(json_object_get(ask(h, HISTORY_GAMES, "", 0, 10), "games"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "game_id")), "lost");
    assert_true(json_is_true(json_object_get(first, "aborted")));
    play(h, "next", true);
    play(h, "last", true);
    assert_null(ask(h, HISTORY_TIMELINE, "lost", 0, 200));
    assert_int_equal(h->code, ERROR_NOT_FOUND);
    close_house(h);
}

static void a_restart_goes_on_and_the_oldest_fall_out(void **state) {
    struct house *h = *state;
    open_house(h, 2);
    play(h, "aaaa", true);
    size_t n = count(ask(h, HISTORY_TIMELINE, "aaaa", 0, 200), "events");
    close_house(h);
    open_house(h, 2);
    // The table shows again what was over before: that was told then.
    for (int audience = OBSERVE_PUBLIC; audience < 2; audience++) {
        struct observation *view = door_stub_view(h->door, "main", audience);
        strcpy(view->game_id, "aaaa");
        view->status = OBSERVE_ENDED;
        view->result.over = true;
    }
    door_stub_show_all(h->door, "main");
    assert_int_equal(count(ask(h, HISTORY_TIMELINE, "", 0, 200), "events"), n);
    play(h, "bbbb", true);
    play(h, "cccc", true);
    play(h, "dddd", true);
    assert_in_range(count(ask(h, HISTORY_GAMES, "", 0, 10), "games"), 2, 3);
    assert_null(ask(h, HISTORY_GAME, "aaaa", 0, 1));
    close_house(h);
}

static void a_damaged_file_is_put_aside(void **state) {
    struct house *h = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/history.db", h->dir);
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 1000; i++)
        fputs("this is no database at all\n", file);
    fclose(file);
    open_house(h, 10);
    play(h, "aaaa", true);
    assert_int_equal(count(ask(h, HISTORY_GAMES, "", 0, 10), "games"), 1);
    close_house(h);
    snprintf(path, sizeof path, "%s/history.db.damaged", h->dir);
    assert_int_equal(access(path, F_OK), 0);
}

// Many tables tell something all evening, so nothing is ever idle: what is written must not pile up beside
// the file, and each game keeps its own order.
static void tables_in_turn_that_never_rest(void **state) {
    enum { ROUNDS = 2400 };
    static const char *const tables[] = {"main", "other"}, *const games[] = {"aaaa", "bbbb"};
    struct house *h = *state;
    char path[128];
    struct stat log;
    open_house(h, 10);
    door_stub_table(h->door, "other", 2);
    for (int i = 0; i < 2; i++)
        begin(h, tables[i], games[i]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 4; i++)
            door_stub_event(h->door, tables[i % 2], OBSERVE_PUBLIC, OBSERVE_EVENT_ACTION, games[i % 2]);
        ask(h, HISTORY_GAME, "aaaa", 0, 1);
    }
    snprintf(path, sizeof path, "%s/history.db-wal", h->dir);
    assert_int_equal(stat(path, &log), 0);
    assert_true(log.st_size < 12 * 1024 * 1024);
    for (int i = 0; i < 2; i++) {
        size_t n = 0;
        json_int_t last = 0;
        for (uint64_t after = 0;;) {
            json_t *page = ask_at(h, tables[i], HISTORY_TIMELINE, games[i], after, 200), *event;
            size_t at;
            json_array_foreach(json_object_get(page, "events"), at, event) {
                const char *text = json_string_value(json_object_get(json_object_get(event, "body"), "text"));
                json_int_t seq = json_integer_value(json_object_get(event, "seq"));
                if (!text || !*text)
                    continue;
                assert_string_equal(text, games[i]);
                assert_true(seq > last);
                last = seq;
                n++;
            }
            const char *next = json_string_value(json_object_get(page, "next"));
            if (!*next)
                break;
            after = strtoull(next, NULL, 10);
        }
        assert_int_equal(n, 2 * ROUNDS);
    }
    close_house(h);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_game_is_kept_as_it_was_told),
        TEST(games_count_when_they_were_played_to_their_end),
        TEST(a_clock_that_was_set_leaves_the_mean_alone),
        TEST(a_game_whose_end_was_never_told_falls_out_too),
        TEST(a_restart_goes_on_and_the_oldest_fall_out),
        TEST(a_damaged_file_is_put_aside),
        TEST(tables_in_turn_that_never_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
