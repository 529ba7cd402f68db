// Pages from levels by hand: what differs between two pictures, and what must not.
#include "page.h"
#include "screen.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WIDTH = 480, HEIGHT = 270 };

struct bench {
    struct picture picture;
    Tabled__V1__Game game;
    Tabled__V1__Phase phase;
    Tabled__V1__Board board;
    Tabled__V1__Place place[2], *places[2];
    Tabled__V1__Item item, *items[1];
    Tabled__V1__Seats seats;
    Tabled__V1__Seat seat[2], *seat_list[2];
    Tabled__V1__Violations violations;
    Tabled__V1__Violation violation, *violation_list[1];
    struct room_levels levels;
    struct page page;
};

static int open_bench(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    assert_true(picture_open(&b->picture, WIDTH, HEIGHT));
    tabled__v1__game__init(&b->game);
    tabled__v1__phase__init(&b->phase);
    tabled__v1__board__init(&b->board);
    tabled__v1__seats__init(&b->seats);
    tabled__v1__violations__init(&b->violations);
    tabled__v1__violation__init(&b->violation);
    tabled__v1__item__init(&b->item);
    b->game.game = (char *)"one_night";
    b->game.title = (char *)"One Night";
    for (int i = 0; i < 2; i++) {
        tabled__v1__place__init(&b->place[i]);
        tabled__v1__seat__init(&b->seat[i]);
        b->place[i].name = b->place[i].seat = b->seat[i].seat = (char *)(i ? "s2" : "s1");
        b->place[i].x = i ? 900 : 100;
        b->place[i].level = TABLED__V1__LEVEL__LEVEL_OCCUPIED;
        b->seat[i].present = b->seat[i].alive = true;
        b->places[i] = &b->place[i];
        b->seat_list[i] = &b->seat[i];
    }
    b->board.n_places = b->seats.n_seats = 2;
    b->board.places = b->places;
    b->seats.seats = b->seat_list;
    b->violation_list[0] = &b->violation;
    b->items[0] = &b->item;
    b->phase.id = (char *)"day";
    b->phase.veil = TABLED__V1__VEIL__VEIL_OPEN;
    b->levels = (struct room_levels){.game = &b->game,
                                     .phase = &b->phase,
                                     .board = &b->board,
                                     .seats = &b->seats,
                                     .violations = &b->violations};
    b->page =
        (struct page){.levels = &b->levels, .language = "en", .subtitle = "", .heard = true, .left_ms = -1};
    *state = b;
    return 0;
}

static int close_bench(void **state) {
    struct bench *b = *state;
    picture_close(&b->picture);
    free(b);
    return 0;
}

static uint64_t drawn(struct bench *b) {
    uint64_t hash = 14695981039346656037u;
    page_draw(&b->picture, &b->page);
    const unsigned char *data = cairo_image_surface_get_data(b->picture.surface);
    size_t len = (size_t)cairo_image_surface_get_stride(b->picture.surface) * HEIGHT;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ data[i]) * 1099511628211u;
    return hash;
}

static void break_a_rule(struct bench *b) {
    static char *places[] = {(char *)"s1"};
    b->violation.text = (char *)"A piece lies in the wrong place.";
    b->violation.n_places = 1;
    b->violation.places = places;
    b->violations.n_violations = 1;
    b->violations.violations = b->violation_list;
}

static void show_a_card(struct bench *b) {
    b->item.kind = (char *)"werewolf";
    b->place[0].n_items = 1;
    b->place[0].items = b->items;
}

static void the_night_is_the_same_whatever_lies_where(void **state) {
    struct bench *b = *state;
    b->phase.id = (char *)"night";
    b->phase.veil = TABLED__V1__VEIL__VEIL_DARK;
    uint64_t plain = drawn(b);
    show_a_card(b);
    break_a_rule(b);
    b->seat[0].acted = true;
    b->place[1].level = TABLED__V1__LEVEL__LEVEL_EMPTY;
    assert_true(drawn(b) == plain);
    b->page.subtitle = "Werewolves, look for each other.";
    assert_false(drawn(b) == plain);
}

static void everything_that_counts_can_be_seen(void **state) {
    struct bench *b = *state;
    uint64_t seen[9], n = 0;
    seen[n++] = drawn(b);
    assert_true(drawn(b) == seen[0]); // and nothing else moves a pixel
    static char *turn[] = {(char *)"s1"};
    b->phase.n_turn = 1;
    b->phase.turn = turn;
    seen[n++] = drawn(b);
    b->page.left_ms = 65000;
    seen[n++] = drawn(b);
    b->page.left_ms = 5000;
    seen[n++] = drawn(b);
    b->seat[0].acted = true;
    seen[n++] = drawn(b);
    show_a_card(b);
    seen[n++] = drawn(b);
    break_a_rule(b);
    seen[n++] = drawn(b);
    b->page.language = "zh";
    seen[n++] = drawn(b);
    b->phase.paused = true;
    seen[n++] = drawn(b);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < i; j++)
            assert_false(seen[i] == seen[j]);
}

static void what_is_stale_looks_stale_and_says_for_how_long(void **state) {
    struct bench *b = *state;
    uint64_t fresh = drawn(b);
    b->page.stale = true;
    b->page.stale_ms = 6000;
    uint64_t stale = drawn(b);
    assert_false(stale == fresh);
    b->page.stale_ms = 59000;
    assert_true(drawn(b) == stale); // no clock that runs: it would look alive
    b->page.stale_ms = 180000;
    assert_false(drawn(b) == stale);
}

static void nothing_known_is_a_page_too(void **state) {
    struct bench *b = *state;
    b->levels = (struct room_levels){0};
    b->page.heard = false;
    uint64_t waiting = drawn(b);
    b->page.heard = true;
    assert_false(drawn(b) == waiting);
}

// What a broker may send to a display: names without end, numbers without sense.
static void odd_levels_are_drawn(void **state) {
    struct bench *b = *state;
    char name[2000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    b->place[0].name = b->seat[0].label = b->phase.id = name;
    b->place[0].x = INT32_MIN;
    b->place[1].y = INT32_MAX;
    b->page.left_ms = INT64_MAX / 2;
    b->page.subtitle = name;
    drawn(b);
    b->game.game = (char *)"elfenland";
    b->place[0].name = (char *)"_";
    b->place[1].name = (char *)"town_";
    drawn(b);
}

static struct config *configured(const char *text) {
    static const struct config_schema sections[] = {{.section = "screen", .keys = screen_keys},
                                                    {.section = NULL}};
    char path[] = "/tmp/display_test.XXXXXX";
    struct config *config = NULL;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    assert_int_equal(config_load(path, sections, &config, NULL), ERROR_OK);
    unlink(path);
    return config;
}

static void pictures_become_files(void **state) {
    struct bench *b = *state;
    char folder[] = "/tmp/display_test.XXXXXX", path[64], head[8];
    struct screen *screen = NULL;
    struct config *config = configured("\n");
    int width, height;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(screen_open(config_only(config, "screen"), folder, &screen, &width, &height, NULL),
                     ERROR_OK);
    drawn(b);
    assert_true(screen_show(screen, &b->picture, "0001-day"));
    screen_close(screen);
    config_destroy(config);
    snprintf(path, sizeof path, "%s/0001-day.png", folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, 8, file), 8);
    fclose(file);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    unlink(path);
    rmdir(folder);
}

static void a_screen_that_is_none_is_told(void **state) {
    (void)state;
    struct config *config = configured("[screen]\ndevice = /dev/null\n");
    struct screen *screen = NULL;
    struct error err = {0};
    int width, height;
    assert_int_equal(screen_open(config_only(config, "screen"), NULL, &screen, &width, &height, &err),
                     ERROR_INVALID);
    assert_non_null(strstr(err.text, "not a framebuffer"));
    screen_close(screen);
    config_destroy(config);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_bench, close_bench)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_night_is_the_same_whatever_lies_where),
        TEST(everything_that_counts_can_be_seen),
        TEST(what_is_stale_looks_stale_and_says_for_how_long),
        TEST(nothing_known_is_a_page_too),
        TEST(odd_levels_are_drawn),
        TEST(pictures_become_files),
        TEST(a_screen_that_is_none_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
