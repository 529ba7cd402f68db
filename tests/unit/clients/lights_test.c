// Scenes from public levels, frames from scenes, bytes on the wires.
#include "core/log.h"
#include "frame.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

// ---- levels by hand

struct table {
    Tabled__V1__Phase phase;
    Tabled__V1__Seats seats;
    Tabled__V1__Seat seat[2], *seat_list[2];
    Tabled__V1__Violations violations;
    Tabled__V1__Violation violation, *violation_list[1];
    Tabled__V1__Repair repair, *repair_list[1];
    Tabled__V1__Board board;
    Tabled__V1__Place place[2], *place_list[2];
    char *turn[1], *places[1];
    struct room_levels levels;
};

static void lay(struct table *t, const char *phase, Tabled__V1__Veil veil) {
    memset(t, 0, sizeof *t);
    tabled__v1__phase__init(&t->phase);
    tabled__v1__seats__init(&t->seats);
    tabled__v1__violations__init(&t->violations);
    tabled__v1__board__init(&t->board);
    t->phase.id = (char *)phase;
    t->phase.veil = veil;
    t->phase.n_turn = 1;
    t->phase.turn = t->turn;
    t->turn[0] = (char *)"s2";
    t->levels = (struct room_levels){.phase = &t->phase};
}

static void add_seat_acted(struct table *t) {
    for (int i = 0; i < 2; i++) {
        tabled__v1__seat__init(&t->seat[i]);
        t->seat[i].seat = (char *)(i ? "s2" : "s1");
        t->seat_list[i] = &t->seat[i];
    }
    t->seat[0].acted = true;
    t->seats.n_seats = 2;
    t->seats.seats = t->seat_list;
    t->levels.seats = &t->seats;
}

static void add_violation(struct table *t) {
    tabled__v1__violation__init(&t->violation);
    tabled__v1__repair__init(&t->repair);
    t->repair.take = (char *)"s1";
    t->repair.put = (char *)"c1";
    t->repair_list[0] = &t->repair;
    t->places[0] = (char *)"s1";
    t->violation.n_places = t->violation.n_repairs = 1;
    t->violation.places = t->places;
    t->violation.repairs = t->repair_list;
    t->violation_list[0] = &t->violation;
    t->violations.n_violations = 1;
    t->violations.violations = t->violation_list;
    t->levels.violations = &t->violations;
}

static const struct mark *find(const struct scene *scene, const char *place) {
    const struct mark *found = NULL;
    for (int i = 0; i < scene->n_marks; i++)
        if (!strcmp(scene->mark[i].place, place))
            found = &scene->mark[i];
    return found;
}

static struct scene built(const struct table *t, bool stale, int64_t deadline_us) {
    struct scene scene;
    scene_build(&scene, &t->levels, stale, deadline_us);
    return scene;
}

// ---- scenes

static void the_night_is_one_colour_whatever_is_said(void **state) {
    (void)state;
    struct table t;
    lay(&t, "night", TABLED__V1__VEIL__VEIL_DARK);
    struct scene plain = built(&t, false, 0);
    add_violation(&t);
    add_seat_acted(&t);
    struct scene full = built(&t, false, 77);
    assert_memory_equal(&plain, &full, sizeof plain);
    assert_true(plain.night && plain.n_marks == 0 && plain.ring_end_us == 0);
    assert_false(scene_moves(&plain));
}

static void what_is_stale_looks_like_the_night(void **state) {
    (void)state;
    struct table t;
    lay(&t, "night", TABLED__V1__VEIL__VEIL_DARK);
    struct scene night = built(&t, false, 0);
    lay(&t, "day", TABLED__V1__VEIL__VEIL_OPEN);
    struct scene stale = built(&t, true, 1000);
    assert_memory_equal(&night, &stale, sizeof night);
}

static void who_is_awaited_pulses(void **state) {
    (void)state;
    struct table t;
    lay(&t, "move", TABLED__V1__VEIL__VEIL_OPEN);
    for (int i = 0; i < 2; i++) {
        tabled__v1__place__init(&t.place[i]);
        t.place[i].name = (char *)(i ? "hand.red" : "hex.0,0");
        t.place[i].seat = (char *)(i ? "s2" : "");
        t.place_list[i] = &t.place[i];
    }
    t.board.n_places = 2;
    t.board.places = t.place_list;
    t.levels.board = &t.board;
    struct scene scene = built(&t, false, 0);
    assert_int_equal(find(&scene, "s2")->rhythm, RHYTHM_PULSE);
    assert_int_equal(find(&scene, "hand.red")->rhythm, RHYTHM_PULSE); // what is the seat's own
    assert_null(find(&scene, "hex.0,0"));
    assert_true(scene_moves(&scene));
}

static void who_has_acted_rests_under_seal_only(void **state) {
    (void)state;
    struct table t;
    lay(&t, "deal", TABLED__V1__VEIL__VEIL_SEALED);
    add_seat_acted(&t);
    struct scene scene = built(&t, false, 0);
    assert_int_equal(find(&scene, "s1")->rhythm, RHYTHM_STEADY);
    t.phase.veil = TABLED__V1__VEIL__VEIL_OPEN;
    scene = built(&t, false, 0);
    assert_null(find(&scene, "s1"));
}

static void a_violation_points_at_its_pads_and_the_way_back(void **state) {
    (void)state;
    struct table t;
    lay(&t, "day", TABLED__V1__VEIL__VEIL_OPEN);
    add_violation(&t);
    struct scene scene = built(&t, false, 0);
    assert_int_equal(find(&scene, "s1")->rhythm, RHYTHM_DOUBLE_BLINK);
    assert_int_equal(find(&scene, "c1")->rhythm, RHYTHM_FILL);
    assert_int_equal(scene.n_runs, 1);
    assert_string_equal(scene.run[0].from, "s1");
    assert_string_equal(scene.run[0].to, "c1");
    t.repair.put = (char *)"s1"; // half of an exchange: the place is wrong and a target
    scene = built(&t, false, 0);
    assert_int_equal(find(&scene, "s1")->rhythm, RHYTHM_DOUBLE_BLINK);
}

// Twelve seats with six places each are awaited and half have acted: what is wrong is lit all the same.
static void what_is_wrong_is_lit_at_the_largest_table(void **state) {
    (void)state;
    enum { SEATS = 12, OWN = 6 };
    static char name[SEATS][OWN][8], *turn[SEATS];
    static Tabled__V1__Seat seat[SEATS], *seats[SEATS];
    static Tabled__V1__Place place[SEATS * OWN], *places[SEATS * OWN];
    struct table t;
    lay(&t, "deal", TABLED__V1__VEIL__VEIL_SEALED);
    for (int s = 0; s < SEATS; s++) {
        for (int i = 0; i < OWN; i++) {
            Tabled__V1__Place *at = places[s * OWN + i] = &place[s * OWN + i];
            tabled__v1__place__init(at);
            snprintf(name[s][i], sizeof name[s][i], "%c%d", "skahve"[i], s + 1);
            at->name = name[s][i];
            at->seat = name[s][0];
        }
        tabled__v1__seat__init(&seat[s]);
        seats[s] = &seat[s];
        turn[s] = seat[s].seat = name[s][0];
        seat[s].acted = s % 2;
    }
    t.phase.turn = turn;
    t.phase.n_turn = t.seats.n_seats = SEATS;
    t.seats.seats = seats;
    t.levels.seats = &t.seats;
    t.board.places = places;
    t.board.n_places = SEATS * OWN;
    t.levels.board = &t.board;
    add_violation(&t);
    struct scene scene = built(&t, false, 0);
    assert_int_equal(find(&scene, "s1")->rhythm, RHYTHM_DOUBLE_BLINK);
    assert_int_equal(find(&scene, "c1")->rhythm, RHYTHM_FILL);
    assert_int_equal(find(&scene, "e12")->rhythm, RHYTHM_STEADY);
    assert_int_equal(find(&scene, "e11")->rhythm, RHYTHM_PULSE);
    assert_ptr_equal(find(&scene, "s1"), &scene.mark[scene.n_marks - 1]); // painted over what shares its LEDs
}

static void a_paused_phase_has_no_ring(void **state) {
    (void)state;
    struct table t;
    lay(&t, "day", TABLED__V1__VEIL__VEIL_OPEN);
    t.phase.limit_ms = 60000;
    struct scene scene = built(&t, false, 5000000);
    assert_int_equal(scene.ring_end_us, 5000000);
    t.phase.paused = true;
    scene = built(&t, false, 5000000);
    assert_int_equal(scene.ring_end_us, 0);
}

// ---- frames

static void make_lamp(struct lamp *lamp) {
    *lamp = (struct lamp){.n_leds = 30, .n_spans = 2, .day_percent = 100, .night_percent = 2};
    lamp->span[0] = (struct lamp_span){"s1", 0, 4};
    lamp->span[1] = (struct lamp_span){"c1", 9, 5};
    lamp->ring = (struct lamp_span){"ring", 10, 19};
}

// Ten seconds of the liveliest scenes: no LED goes up and down by more than a tenth more than three times in
// any second (WCAG 2.3.1), even when the scene itself jumps with every frame.
static void nothing_flashes_above_three_hertz(void **state) {
    (void)state;
    struct table t;
    lay(&t, "day", TABLED__V1__VEIL__VEIL_OPEN);
    t.phase.limit_ms = 8000;
    add_violation(&t);
    struct scene lively = built(&t, false, 8000000), night = {.night = true, .base = {255, 150, 20}};
    for (int wild = 0; wild < 2; wild++) {
        struct lamp lamp;
        struct scene shown = lively;
        int64_t since_us = -FRAME_SCENE_US;
        make_lamp(&lamp);
        int top[30] = {0}, low[30], flashes[30][11] = {{0}};
        bool rising[30] = {false};
        for (int i = 0; i < 30; i++)
            low[i] = 0;
        for (int frame = 0; frame < 250; frame++) {
            int64_t now = frame * 40000;
            frame_take(&shown, &since_us, wild && frame % 2 ? &night : &lively, now);
            frame_draw(&lamp, &shown, now);
            for (int i = 0; i < 30; i++) {
                int sum = lamp.shown[i].r + lamp.shown[i].g + lamp.shown[i].b;
                if (rising[i]) {
                    top[i] = sum > top[i] ? sum : top[i];
                    if (top[i] - sum > 76) {
                        rising[i] = false;
                        low[i] = sum;
                        flashes[i][now / 1000000]++;
                    }
                } else {
                    low[i] = sum < low[i] ? sum : low[i];
                    if (sum - low[i] > 76) {
                        rising[i] = true;
                        top[i] = sum;
                    }
                }
            }
        }
        for (int i = 0; i < 30; i++)
            for (int second = 0; second < 10; second++)
                assert_true(flashes[i][second] <= 3);
    }
}

static void the_night_comes_within_a_fade_and_then_stands_still(void **state) {
    (void)state;
    struct table t;
    struct lamp lamp;
    make_lamp(&lamp);
    lay(&t, "day", TABLED__V1__VEIL__VEIL_OPEN);
    struct scene day = built(&t, false, 0), night = {.night = true, .base = {255, 150, 20}};
    int64_t now = 0;
    for (int i = 0; i < 50; i++, now += 40000)
        frame_draw(&lamp, &day, now);
    for (int i = 0; i < 10; i++, now += 40000)
        frame_draw(&lamp, &night, now);
    assert_true(lamp.settled);
    for (int i = 0; i < 25; i++, now += 40000)
        assert_false(frame_draw(&lamp, &night, now));
    for (int i = 0; i < 30; i++) // all alike, and dim
        assert_memory_equal(&lamp.shown[i], &lamp.shown[0], sizeof(struct colour));
    assert_in_range(lamp.shown[0].r, 1, 8);
}

static void the_ring_runs_down(void **state) {
    (void)state;
    struct lamp lamp;
    make_lamp(&lamp);
    struct scene scene = {.base = {0, 0, 0}, .ring_end_us = 60000000, .ring_length_us = 60000000};
    int64_t now = 0;
    for (int i = 0; i < 25; i++, now += 40000)
        frame_draw(&lamp, &scene, now);
    assert_true(lamp.shown[10].b > 200 && lamp.shown[19].b > 100);
    for (now = 30000000; now < 31000000; now += 40000)
        frame_draw(&lamp, &scene, now);
    assert_true(lamp.shown[13].b > 200);
    assert_int_equal(lamp.shown[16].b, 0);
}

// ---- wires

static int receiver(uint16_t *ret_port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(*ret_port)};
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
    *ret_port = ntohs(address.sin_port);
    return fd;
}

static struct config *configured(const char *text) {
    static const struct config_schema sections[] = {
        {.section = "lamp", .labelled = true, .label_help = "NAME", .keys = lamp_keys},
        {.section = "leds", .labelled = true, .label_help = "LAMP"},
        {.section = NULL},
    };
    char path[] = "/tmp/lights_test.XXXXXX";
    struct config *config = NULL;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    assert_int_equal(config_load(path, sections, &config, NULL), ERROR_OK);
    unlink(path);
    return config;
}

// b131 b132: a lamp that was away gets the whole picture again, not what changed since.
static void b131_a_lamp_that_comes_back_gets_the_whole_picture(void **state) {
    (void)state;
    char text[160];
    uint16_t port = 0;
    int fd = receiver(&port);
    snprintf(text, sizeof text, "[lamp rim]\ntype = ddp\nhost = 127.0.0.1\nport = %u\nleds = 480\n", port);
    struct config *config = configured(text);
    struct loop *loop = NULL;
    struct lamp *lamp = calloc(1, sizeof *lamp);
    assert_int_equal(loop_create(NULL, NULL, &loop, NULL), ERROR_OK);
    assert_int_equal(lamp_open(lamp, loop, config, config_find(config, "lamp", "rim"), NULL, NULL), ERROR_OK);
    struct colour picture[LAMP_LEDS_MAX];
    for (int i = 0; i < LAMP_LEDS_MAX; i++)
        picture[i] = (struct colour){(uint8_t)i, 2, 3};
    while (!lamp->wire->send(lamp, picture)) // until the worker has the address
        loop_turn(loop, -1);
    uint8_t got[2048];
    assert_int_equal(recv(fd, got, sizeof got, 0), 10 + 480 * 3);
    const uint8_t head[] = {0x41, 1, 0x0B, 1, 0, 0, 0, 0, 5, 0xA0};
    got[1] = 1; // frames that went before the address was there are counted too
    assert_memory_equal(got, head, sizeof head);
    assert_memory_equal(got + 10, picture, 480 * 3);
    close(fd); // the lamp loses its power; sending goes on
    for (int i = 0; i < 3; i++)
        lamp->wire->send(lamp, picture);
    fd = receiver(&port);
    assert_true(lamp->wire->send(lamp, picture));
    assert_int_equal(recv(fd, got, sizeof got, 0), 10 + 480 * 3);
    assert_memory_equal(got + 10, picture, 480 * 3);
    close(fd);
    lamp_close(lamp);
    free(lamp);
    loop_destroy(loop);
    config_destroy(config);
}

static size_t strip_bytes(const char *type, const struct colour *leds, uint8_t *ret, size_t cap) {
    char path[] = "/tmp/lights_strip.XXXXXX", text[160];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    snprintf(text, sizeof text, "[lamp edge]\ntype = %s\ndevice = %s\nleds = 2\n", type, path);
    struct config *config = configured(text);
    struct lamp *lamp = calloc(1, sizeof *lamp);
    assert_int_equal(lamp_open(lamp, NULL, config, config_find(config, "lamp", "edge"), NULL, NULL),
                     ERROR_OK);
    assert_true(lamp->wire->send(lamp, leds));
    lamp_close(lamp);
    free(lamp);
    config_destroy(config);
    ssize_t n = read(fd, ret, cap);
    close(fd);
    unlink(path);
    assert_true(n > 0);
    return (size_t)n;
}

// Three bits on the wire for each, undone: what the strip would read.
static void unwire(const uint8_t *bytes, uint8_t *ret, size_t channels) {
    for (size_t c = 0; c < channels; c++, bytes += 3) {
        uint32_t wire = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
        ret[c] = 0;
        for (int bit = 0; bit < 8; bit++) {
            uint32_t three = wire >> (21 - 3 * bit) & 7;
            assert_true(three == 4 || three == 6);
            ret[c] = (uint8_t)(ret[c] << 1 | (three == 6));
        }
    }
}

static void strips_read_what_was_meant(void **state) {
    (void)state;
    const struct colour leds[2] = {{1, 2, 255}, {200, 100, 50}};
    uint8_t bytes[256], got[8];
    assert_int_equal(strip_bytes("ws2812", leds, bytes, sizeof bytes), 2 * 9 + 30);
    unwire(bytes, got, 6);
    assert_memory_equal(got, ((const uint8_t[]){2, 1, 255, 100, 200, 50}), 6);
    assert_int_equal(strip_bytes("sk6812", leds, bytes, sizeof bytes), 2 * 12 + 30);
    unwire(bytes, got, 8); // what the three have in common is the white one's
    assert_memory_equal(got, ((const uint8_t[]){1, 0, 254, 1, 50, 150, 0, 50}), 8);
    for (int i = 0; i < 30; i++)
        assert_int_equal(bytes[24 + i], 0);
}

// b035: with every frame the strip would disturb the reader.
// --check-config opens and closes a lamp: the recording of last night stays.
static void a_recording_begins_anew_with_its_first_frame(void **state) {
    (void)state;
    char path[] = "/tmp/lights_test.XXXXXX", text[160], got[80] = "";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, "last night\n", 11), 11);
    snprintf(text, sizeof text, "[lamp rim]\ntype = record\nfile = %s\nleds = 1\n", path);
    struct config *config = configured(text);
    struct loop *loop = NULL;
    struct lamp *lamp = calloc(1, sizeof *lamp);
    assert_int_equal(loop_create(NULL, NULL, &loop, NULL), ERROR_OK);
    for (int frames = 0; frames < 3; frames += 2) {
        assert_int_equal(lamp_open(lamp, loop, config, config_find(config, "lamp", "rim"), NULL, NULL),
                         ERROR_OK);
        for (int i = 0; i < frames; i++)
            assert_true(lamp->wire->send(lamp, &(struct colour){1, 2, 3}));
        lamp_close(lamp);
        memset(got, 0, sizeof got);
        assert_true(pread(fd, got, sizeof got - 1, 0) > 0);
        assert_int_equal(!strncmp(got, "last night", 10), frames == 0);
    }
    assert_non_null(strstr(strchr(got, '\n'), "at_ms")); // both frames
    close(fd);
    unlink(path);
    free(lamp);
    loop_destroy(loop);
    config_destroy(config);
}

static void b035_a_strip_on_a_readers_bus_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *readers, *device, *pair; // pair NULL: it is taken, as far as the device is there
    } rows[] = {
        {"[reader north]\ndevice = /dev/spidev0.0\n", "/dev/spidev0.1", "reader north"},
        {"[reader a]\nport = x\n[reader b]\n spi = /dev/spidev1.2\n", "/dev/spidev1.0", "reader b"},
        {"[reader north]\ndevice = /dev/spidev0.0\n", "/dev/spidev10.0", NULL},
        {"[reader north]\n#device = /dev/spidev0.0\n", "/dev/spidev0.0", NULL},
        {"[daemon]\nnote = /dev/spidev0.0\n", "/dev/spidev0.0", NULL},
        {"", "/dev/spidev0.0", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[] = "/tmp/lights_readers.XXXXXX", text[256];
        int fd = mkstemp(path);
        size_t len = strlen(rows[i].readers);
        assert_true(fd >= 0 && write(fd, rows[i].readers, len) == (ssize_t)len);
        close(fd);
        snprintf(text, sizeof text, "[lamp edge]\ntype = ws2812\nleds = 3\ndevice = %s\nreaders = %s\n",
                 rows[i].device, path);
        struct config *config = configured(text);
        struct lamp *lamp = calloc(1, sizeof *lamp);
        struct error err = {0};
        enum error_code code = lamp_open(lamp, NULL, config, config_find(config, "lamp", "edge"), NULL, &err);
        bool on_bus = strstr(err.text, "one SPI bus") != NULL;
        assert_true(on_bus == (rows[i].pair != NULL));
        if (rows[i].pair) {
            assert_int_equal(code, ERROR_INVALID);
            assert_non_null(strstr(err.text, rows[i].pair));
            assert_non_null(strstr(err.text, "lamp edge"));
        }
        lamp_close(lamp);
        free(lamp);
        config_destroy(config);
        unlink(path);
    }
}

static void a_wrong_lamp_is_told_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
    } rows[] = {
        {"[lamp a]\ntype = ddp\nleds = 3\n", "host"},
        {"[lamp a]\ntype = ws2812\nleds = 3\n", "device"},
        {"[lamp a]\ntype = ws2812\ndevice = /nowhere/spidev0.0\nleds = 3\n", "/nowhere/spidev0.0"},
        {"[lamp a]\ntype = record\nfile = /dev/null\nleds = 3\nring = 1-3\n", "between 0 and 2"},
        {"[lamp a]\ntype = record\nfile = /dev/null\nleds = 3\n[leds a]\ns1 = x\n", "FIRST-LAST"},
        {"[lamp a]\ntype = record\nfile = /dev/null\nleds = 3\n[leds a]\ns1 = -1\n", "FIRST-LAST"},
        {"[lamp a]\ntype = record\nleds = 3\n", "file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        struct config *config = configured(rows[i].text);
        struct lamp *lamp = calloc(1, sizeof *lamp);
        struct loop *loop = NULL;
        assert_int_equal(loop_create(NULL, NULL, &loop, NULL), ERROR_OK);
        enum error_code code = lamp_open(lamp, loop, config, config_find(config, "lamp", "a"), NULL, &err);
        assert_int_equal(code, strstr(rows[i].text, "/nowhere") ? ERROR_NOT_FOUND : ERROR_INVALID);
        assert_true(strstr(err.text, rows[i].said) || strstr(err.where, rows[i].said));
        lamp_close(lamp);
        free(lamp);
        loop_destroy(loop);
        config_destroy(config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_night_is_one_colour_whatever_is_said),
        cmocka_unit_test(what_is_stale_looks_like_the_night),
        cmocka_unit_test(who_is_awaited_pulses),
        cmocka_unit_test(who_has_acted_rests_under_seal_only),
        cmocka_unit_test(a_violation_points_at_its_pads_and_the_way_back),
        cmocka_unit_test(what_is_wrong_is_lit_at_the_largest_table),
        cmocka_unit_test(a_paused_phase_has_no_ring),
        cmocka_unit_test(nothing_flashes_above_three_hertz),
        cmocka_unit_test(the_night_comes_within_a_fade_and_then_stands_still),
        cmocka_unit_test(the_ring_runs_down),
        cmocka_unit_test(b131_a_lamp_that_comes_back_gets_the_whole_picture),
        cmocka_unit_test(strips_read_what_was_meant),
        cmocka_unit_test(a_recording_begins_anew_with_its_first_frame),
        cmocka_unit_test(b035_a_strip_on_a_readers_bus_is_refused),
        cmocka_unit_test(a_wrong_lamp_is_told_with_its_place),
    };
    log_set_level(LOG_LEVEL_ERROR);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
