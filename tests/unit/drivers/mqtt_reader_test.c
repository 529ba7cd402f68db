// The driver mqtt_reader, fed with what a broker would bring. The broker itself is met in tests/e2e.
#include "drivers/mqtt_reader_frame.h"
#include "drivers/mqtt_reader_plain.h"
#include "unit/drivers/recorded.h"

enum { ANTENNAS = 3, RATE_MS = 100 };
static struct fixture f;
static struct frame frame;
static uint8_t key[FRAME_KEY_BYTES];

static void feed(const char *reader, const char *channel, const void *data, size_t len, bool late) {
    for (size_t i = 0; i < f.n_readers; i++)
        if (f.reader[i] && !strcmp(f.reader[i]->name, reader))
            f.reader[i]->driver->bytes(f.reader[i], channel, data, len, late);
}

static void say(const char *channel, const char *text) {
    feed("box", channel, text, strlen(text), false);
}

static void run_ms(int64_t ms) {
    int64_t end = loop_now_us(f.loop) + ms * 1000;
    while (loop_now_us(f.loop) < end)
        loop_turn(f.loop, end - loop_now_us(f.loop));
    loop_turn(f.loop, 0);
}

static int begin(void **state) {
    (void)state;
    fixture_open(&f, true);
    return 0;
}

static int end(void **state) {
    (void)state;
    fixture_close(&f);
    return 0;
}

static struct reader *open_sealed(void) {
    char text[80] = "", conf[300];
    for (unsigned i = 0; i < FRAME_KEY_BYTES; i++) {
        key[i] = (uint8_t)(i * 7 + 1);
        sprintf(text + 2 * i, "%02x", key[i]);
    }
    fixture_write(fixture_path(&f, "box.key"), text);
    assert_int_equal(chmod(fixture_path(&f, "box.key"), 0600), 0);
    snprintf(conf, sizeof conf, "[reader box]\ndriver = mqtt_reader\nantennas = %d\nkey_file = %s\n",
             ANTENNAS, fixture_path(&f, "box.key"));
    fixture_conf(&f, conf);
    frame = (struct frame){.counter = 1, .antennas = ANTENNAS};
    for (unsigned i = 0; i < ANTENNAS; i++)
        frame.level[i] = (struct frame_level){.outcome = DRIVER_NONE};
    struct reader *reader = fixture_reader(&f, "box", NULL);
    feed("box", "link", "\1", 1, false);
    return reader;
}

static void open_plain(const char *keys) {
    char conf[300];
    snprintf(conf, sizeof conf, "[reader box]\ndriver = mqtt_reader\nform = plain\n%s\n", keys);
    fixture_conf(&f, conf);
    fixture_reader(&f, "box", NULL);
    feed("box", "link", "\1", 1, false);
    run_ms(200);
}

static void lay(unsigned antenna, const char *hex) {
    struct id id;
    assert_true(id_text_hex(hex, strlen(hex), &id));
    struct frame_level *level = &frame.level[antenna];
    *level = (struct frame_level){.outcome = DRIVER_SEEN, .n_tags = 1, .tags = {{.len = id.len}}};
    memcpy(level->tags[0].b, id.b, sizeof id.b);
}

static void send_frame(void) {
    uint8_t bytes[FRAME_BYTES_MAX];
    frame.counter++;
    frame_seal(&frame, "box", key, bytes);
    feed("box", "obs", bytes, frame_size(ANTENNAS), false);
}

static void send_for_ms(int64_t ms) {
    for (; ms > 0; ms -= RATE_MS) {
        send_frame();
        run_ms(RATE_MS);
    }
}

static size_t seen(void) {
    return fixture_count(&f, NULL, TOLD_SEEN);
}

// ---- sealed

static void frames_are_levels_of_one_size(void **state) {
    (void)state;
    open_sealed();
    assert_int_equal(frame_size(ANTENNAS), 52 + 24 * ANTENNAS);
    send_frame();
    assert_int_equal(f.n_told, 1); // it only tells where the counter is
    send_frame();
    assert_int_equal(fixture_count(&f, NULL, TOLD_UP), 1);
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), ANTENNAS);
    lay(1, "04A1B2C3D4E580");
    frame.level[2].outcome = DRIVER_COLLIDED;
    send_frame();
    assert_int_equal(seen(), 1);
    assert_string_equal(f.told[f.n_told - 2].tags, "04A1B2C3D4E580");
    assert_int_equal(f.told[f.n_told - 2].antenna, 1);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_COLLIDED);
}

static void a_foreign_or_damaged_frame_moves_nothing(void **state) {
    (void)state;
    struct reader *reader = open_sealed();
    uint8_t bytes[FRAME_BYTES_MAX], other[FRAME_KEY_BYTES] = {9};
    send_for_ms(300);
    size_t told = f.n_told;
    lay(0, "04A1B2C3D4E580");
    frame.counter++;
    for (size_t i = 0; i < frame_size(ANTENNAS); i++) { // one bit wrong, anywhere
        frame_seal(&frame, "box", key, bytes);
        bytes[i] ^= 1;
        feed("box", "obs", bytes, frame_size(ANTENNAS), false);
    }
    frame_seal(&frame, "box", other, bytes);
    feed("box", "obs", bytes, frame_size(ANTENNAS), false);
    frame_seal(&frame, "another", key, bytes); // sealed for another reader
    feed("box", "obs", bytes, frame_size(ANTENNAS), false);
    assert_int_equal(reader->n_faults[DRIVER_FAULT_CHECKSUM], frame_size(ANTENNAS) + 2);
    frame_seal(&frame, "box", key, bytes);
    for (size_t len = 0; len < frame_size(ANTENNAS); len += 7) // cut
        feed("box", "obs", bytes, len, false);
    feed("box", "obs", "0 box 0 seen 04A1B2C3D4E580", 27, false);
    feed("box", "obs", bytes, frame_size(ANTENNAS), true); // kept by the broker from before
    assert_int_equal(f.n_told, told);
    feed("box", "obs", bytes, frame_size(ANTENNAS), false);
    assert_int_equal(seen(), 1);
}

// The node is there, and cannot be understood: that is another thing to look for than a node without power.
static void frames_that_cannot_be_taken_are_told_once(void **state) {
    (void)state;
    struct reader *reader = open_sealed();
    uint8_t bytes[FRAME_BYTES_MAX], other[FRAME_KEY_BYTES] = {9};
    for (unsigned i = 0; i < 50; i++) {
        frame.counter++;
        frame_seal(&frame, "box", other, bytes);
        feed("box", "obs", bytes, frame_size(ANTENNAS), false);
        run_ms(RATE_MS);
    }
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 2);
    assert_non_null(strstr(fixture_last(&f, NULL)->why, "key_file"));
    send_for_ms(300);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE);
    run_ms(5000);
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 3);
    frame.counter = 1; // started anew without a clock
    for (unsigned i = 0; i < 10; i++)
        send_frame();
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 4);
    assert_non_null(strstr(fixture_last(&f, NULL)->why, "counter"));
    feed("box", "obs", bytes, 40, false); // of another number of antennas: said in its turn, after a silence
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 4);
    feed("box", "link", "\0", 1, false);
    feed("box", "link", "\1", 1, false);
    feed("box", "obs", bytes, 40, false);
    assert_non_null(strstr(fixture_last(&f, NULL)->why, "antennas"));
    assert_true(reader->n_faults[DRIVER_FAULT_CHECKSUM] >= 50);
}

// What a frame told is told, and kept nowhere in the driver: not of one that moved nothing either.
static void an_opened_frame_leaves_no_id_behind(void **state) {
    (void)state;
    struct reader *reader = open_sealed();
    uint8_t bytes[FRAME_BYTES_MAX];
    lay(0, "04A1B2C3D4E580");
    for (unsigned i = 0; i < 5; i++) {
        frame.level[2].n_tags = i == 3 ? 9 : 0; // nonsense behind a tag
        if (i != 2)
            frame.counter++; // else the same once more
        frame_seal(&frame, "box", key, bytes);
        feed("box", "obs", bytes, frame_size(ANTENNAS), false);
        assert_null(memmem(reader->priv, reader->driver->priv_size, frame.level[0].tags[0].b, 7));
    }
    assert_int_equal(seen(), 2);
    assert_int_equal(reader->n_faults[DRIVER_FAULT_STATUS], 1);
    assert_int_equal(reader->n_faults[DRIVER_FAULT_CHECKSUM], 1);
}

// Twice, late or overtaken: the counter must grow.
static void b017_b066_an_old_frame_moves_nothing(void **state) {
    (void)state;
    struct reader *reader = open_sealed();
    uint8_t old[FRAME_BYTES_MAX];
    lay(0, "04A1B2C3D4E580");
    send_for_ms(300);
    frame.counter++;
    frame_seal(&frame, "box", key, old);
    feed("box", "obs", old, frame_size(ANTENNAS), false);
    size_t told = f.n_told;
    feed("box", "obs", old, frame_size(ANTENNAS), false);
    assert_int_equal(f.n_told, told);
    frame.level[0] = (struct frame_level){.outcome = DRIVER_NONE};
    send_for_ms(300);
    told = f.n_told;
    feed("box", "obs", old, frame_size(ANTENNAS), false);
    assert_int_equal(f.n_told, told);
    assert_int_equal(reader->n_faults[DRIVER_FAULT_STATUS], 2);
    // A recording of yesterday, played to a daemon that has just started: the first frame moves nothing.
    fixture_drop(&f, reader);
    f.n_readers = 0;
    fixture_reader(&f, "box", NULL);
    feed("box", "link", "\1", 1, false);
    told = f.n_told;
    feed("box", "obs", old, frame_size(ANTENNAS), false);
    feed("box", "obs", old, frame_size(ANTENNAS), false);
    assert_int_equal(f.n_told, told);
    send_for_ms(300);
    assert_true(f.n_told > told);
}

static void b009_a_silent_node_is_down_and_nothing_is_lifted(void **state) {
    (void)state;
    open_sealed();
    lay(0, "04A1B2C3D4E580");
    send_for_ms(500);
    size_t none = fixture_count(&f, NULL, TOLD_NONE);
    run_ms(2800);
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 1); // before the first frame
    run_ms(300);
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 2);
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), none);
    send_for_ms(300);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE);
    assert_int_equal(fixture_count(&f, NULL, TOLD_UP), 2);
}

static void b083_the_broker_comes_and_goes(void **state) {
    (void)state;
    open_sealed();
    lay(0, "04A1B2C3D4E580");
    send_for_ms(300);
    feed("box", "link", "\0", 1, false);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_DOWN);
    size_t told = f.n_told;
    send_frame(); // cannot be
    assert_int_equal(f.n_told, told);
    feed("box", "link", "\1", 1, false);
    send_for_ms(200);
    assert_int_equal(fixture_count(&f, NULL, TOLD_UP), 2);
    assert_int_equal(f.told[told].what, TOLD_DOWN); // for another reason
    assert_int_equal(f.told[told + 1].what, TOLD_UP);
}

static void the_will_of_a_node_is_heard(void **state) {
    (void)state;
    open_sealed();
    send_for_ms(300);
    feed("box", "status", "online", 6, true);
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 1);
    say("status", "offline");
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 2);
    send_for_ms(300); // it is back
    assert_int_equal(fixture_count(&f, NULL, TOLD_UP), 2);
}

static void keys_are_private_and_whole(void **state) {
    (void)state;
    struct error err;
    struct reader *reader;
    char conf[300];
    snprintf(conf, sizeof conf,
             "[reader box]\ndriver = mqtt_reader\nkey_file = %s\n[reader none]\ndriver = mqtt_reader\n"
             "[reader cred]\ndriver = mqtt_reader\nkey_credential = ../x\n",
             fixture_path(&f, "box.key"));
    fixture_conf(&f, conf);
    assert_int_equal(fixture_try(&f, "box", NULL, &reader, &err), ERROR_INVALID);
    fixture_write(fixture_path(&f, "box.key"), "00112233");
    assert_int_equal(chmod(fixture_path(&f, "box.key"), 0600), 0);
    assert_int_equal(fixture_try(&f, "box", NULL, &reader, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "64 hex digits"));
    assert_int_equal(chmod(fixture_path(&f, "box.key"), 0644), 0);
    assert_int_equal(fixture_try(&f, "box", NULL, &reader, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "chmod 600"));
    assert_int_equal(fixture_try(&f, "none", NULL, &reader, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "key_file"));
    assert_int_equal(fixture_try(&f, "cred", NULL, &reader, &err), ERROR_INVALID);
}

static void a_record_brings_the_same_events(void **state) {
    (void)state;
    struct recorded r;
    uint8_t bytes[FRAME_BYTES_MAX];
    fixture_drop(&f, open_sealed());
    f.n_readers = 0;
    struct reader *reader = recorded_open(&r, &f, "box", ANTENNAS, "mqtt_reader");
    reader->driver->bytes(reader, "link", "\1", 1, false);
    for (unsigned cycle = 0; cycle < 200; cycle++) {
        unsigned antenna = cycle / 20 % ANTENNAS;
        if (cycle % 20 == 5)
            lay(antenna, recorded_tags[cycle / 60 % RECORDED_TAGS]);
        if (cycle % 20 == 16)
            frame.level[antenna] = (struct frame_level){.outcome = DRIVER_NONE};
        frame.counter++;
        frame_seal(&frame, "box", key, bytes);
        if (cycle < 110 || cycle > 150) // silent for four seconds, a tile between
            reader->driver->bytes(reader, "obs", bytes, frame_size(ANTENNAS), false);
        run_ms(RATE_MS);
    }
    recorded_close(&r);
}

// ---- plain

static void esphome_ids_are_touches(void **state) {
    (void)state;
    open_plain("");
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE); // an empty level, again and again
    say("obs", "74-10-37-94");
    run_ms(400);
    assert_int_equal(seen(), 3);
    assert_string_equal(f.told[f.n_told - 4].tags, ""); // and gone by itself
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE);
    say("status", "offline");
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_DOWN);
    size_t told = f.n_told;
    run_ms(5000);
    assert_int_equal(f.n_told, told);
    say("status", "online");
    run_ms(200);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE);
}

// An hour later nobody touches anything.
static void touches_end_with_the_connection(void **state) {
    (void)state;
    open_plain("");
    say("obs", "74-10-37-94");
    say("obs", "04A1B2C3");
    run_ms(20);
    assert_int_equal(seen(), 1);
    feed("box", "link", "\0", 1, false);
    run_ms(3600 * 1000);
    feed("box", "link", "\1", 1, false);
    run_ms(1000);
    assert_int_equal(seen(), 1);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE);
}

static void b008_a_node_that_tells_removals_holds_its_level(void **state) {
    (void)state;
    open_plain("removal = yes");
    say("obs", "74-10-37-94-E1-04-80");
    run_ms(5000);
    assert_true(seen() > 50);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_SEEN);
    say("obs", "04A1B2C3"); // the removal before it was lost
    run_ms(200);
    assert_string_equal(fixture_last(&f, NULL)->tags, "04A1B2C3");
    say("removed", "04-A1-B2-C3");
    run_ms(200);
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_NONE);
}

static void b016_b017_the_same_message_again_is_one_touch(void **state) {
    (void)state;
    open_plain("");
    for (unsigned i = 0; i < 500; i++) {
        say("obs", "74-10-37-94");
        run_ms(10);
    }
    assert_int_equal(seen(), 3);
    run_ms(1500);
    say("obs", "74-10-37-94");
    say("obs", "04A1B2C3"); // two hands
    run_ms(1000);
    assert_int_equal(seen(), 9);
}

static void what_others_send_is_understood_or_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum plain_kind kind;
        const char *id;
    } rows[] = {
        {"74-10-37-94", PLAIN_TAG, "74103794"},
        {" 04:a1:b2:c3:d4:e5:80\n", PLAIN_TAG, "04A1B2C3D4E580"},
        {"{\"Time\":\"2026-01-01T00:00:00\",\"RC522\":{\"UID\":\"BA839D07\",\"Type\":\"MIFARE 1KB\"}}",
         PLAIN_TAG, "BA839D07"},
        {"{\"PN532\":{\"UID\":\"04A1B2C3D4E580\",\"DATA\":\"\"}}", PLAIN_TAG, "04A1B2C3D4E580"},
        {"{\"uid\":\"04-A1-B2-C3\"}", PLAIN_TAG, "04A1B2C3"},
        {"{\"tag\":\"0x04A1B2C3\"}", PLAIN_TAG, "04A1B2C3"},
        {"{\"tag_id\":\"04A1B2C3\",\"event\":\"removed\"}", PLAIN_GONE, ""},
        {"{\"id\":\"04A1B2C3\",\"present\":false}", PLAIN_GONE, ""},
        {"{\"uid\":null}", PLAIN_GONE, ""},
        {"{\"uid\":\"\"}", PLAIN_GONE, ""},
        {"", PLAIN_GONE, ""},
        {"{\"ANALOG\":{\"A0\":12}}", PLAIN_NOTHING, ""},
        {"{\"uid\":77611203}", PLAIN_BAD, ""}, // B119
        {"{\"uid\":\"04A1B2C3\",\"uid\":\"04A1B2C4\"}", PLAIN_BAD, ""},
        {"{\"uid\":\"04A1B2\"}", PLAIN_BAD, ""}, // B055
        {"04A1B2C3D", PLAIN_BAD, ""},
        {"unknown", PLAIN_BAD, ""},
        {"{\"uid\":", PLAIN_BAD, ""},
        {"04A1B2C304", PLAIN_BAD, ""},         // five bytes, and the fifth is no check byte
        {"04A1B2C3D4", PLAIN_TAG, "04A1B2C3"}, // it is (B046)
    };
    struct id id;
    char text[32];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(plain_parse(rows[i].text, strlen(rows[i].text), &id), rows[i].kind);
        text[0] = '\0';
        for (unsigned k = 0; rows[i].kind == PLAIN_TAG && k < id.len; k++)
            sprintf(text + 2 * k, "%02X", id.b[k]);
        assert_string_equal(text, rows[i].id);
    }
    static char large[PLAIN_BYTES_MAX + 2];
    memset(large, '{', sizeof large - 1);
    assert_int_equal(plain_parse(large, sizeof large - 1, &id), PLAIN_BAD);
    assert_int_equal(plain_parse(large, PLAIN_BYTES_MAX, &id), PLAIN_BAD);
}

static void b049_reversed_ids(void **state) {
    (void)state;
    open_plain("reversed = yes");
    say("tele/SENSOR", "{\"PN532\":{\"UID\":\"80E5D4C3B2A104\"}}");
    run_ms(50);
    assert_string_equal(fixture_last(&f, NULL)->tags, "04A1B2C3D4E580");
    say("tele/LWT", "Offline");
    assert_int_equal(fixture_last(&f, NULL)->what, TOLD_DOWN);
}

static void b003_what_a_section_can_tell(void **state) {
    (void)state;
    struct driver_needs needs;
    struct error err;
    fixture_conf(
        &f,
        "[reader sealed]\ndriver = mqtt_reader\nantennas = 4\n[reader tap]\ndriver = mqtt_reader\nform = "
        "plain\n[reader level]\ndriver = mqtt_reader\nform = plain\nremoval = yes\n");
    assert_int_equal(driver_check(config_find(f.config, "reader", "sealed"), &needs, &err), ERROR_OK);
    assert_int_equal(needs.capabilities, DRIVER_SEES_REMOVAL | DRIVER_SEES_SEVERAL);
    assert_int_equal(needs.antennas, 4);
    assert_int_equal(driver_check(config_find(f.config, "reader", "tap"), &needs, &err), ERROR_OK);
    assert_int_equal(needs.capabilities, DRIVER_PLAIN_NETWORK);
    assert_int_equal(driver_check(config_find(f.config, "reader", "level"), &needs, &err), ERROR_OK);
    assert_int_equal(needs.capabilities, DRIVER_PLAIN_NETWORK | DRIVER_SEES_REMOVAL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(frames_are_levels_of_one_size),
        TEST(a_foreign_or_damaged_frame_moves_nothing),
        TEST(b017_b066_an_old_frame_moves_nothing),
        TEST(b009_a_silent_node_is_down_and_nothing_is_lifted),
        TEST(b083_the_broker_comes_and_goes),
        TEST(frames_that_cannot_be_taken_are_told_once),
        TEST(an_opened_frame_leaves_no_id_behind),
        TEST(the_will_of_a_node_is_heard),
        TEST(keys_are_private_and_whole),
        TEST(esphome_ids_are_touches),
        TEST(touches_end_with_the_connection),
        TEST(b008_a_node_that_tells_removals_holds_its_level),
        TEST(b016_b017_the_same_message_again_is_one_touch),
        TEST(what_others_send_is_understood_or_refused),
        TEST(b049_reversed_ids),
        TEST(b003_what_a_section_can_tell),
        TEST(a_record_brings_the_same_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
