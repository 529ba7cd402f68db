#include "drivers/pn532_frame.h"
#include "unit/drivers/fixture.h"

static size_t encode(uint8_t *ret, uint8_t tfi, const uint8_t *payload, size_t n) {
    size_t at = pn532_frame_encode(payload[0], payload + 1, n - 1, ret, PN532_FRAME_MAX);
    ret[5] = tfi;
    ret[at - 2] = (uint8_t)(ret[at - 2] + 0xD4 - tfi);
    return at;
}

static void commands_are_framed(void **state) {
    (void)state;
    uint8_t out[32];
    static const uint8_t data[] = {0x02, 0x00}, expected[] = {0, 0, 0xFF, 4, 0xFC, 0xD4, 0x4A, 2, 0, 0xE0, 0};
    assert_int_equal(pn532_frame_encode(0x4A, data, 2, out, sizeof out), sizeof expected);
    assert_memory_equal(out, expected, sizeof expected);
    assert_int_equal(pn532_frame_encode(0x4A, data, 2, out, sizeof expected - 1), 0);
    assert_int_equal(pn532_frame_encode(0x02, NULL, 0, out, sizeof out), 9);
    assert_int_equal(out[7], 0x2A);
}

static void what_is_framed_is_read(void **state) {
    (void)state;
    for (size_t n = 1; n <= 253; n++) {
        uint8_t payload[256], bytes[PN532_FRAME_MAX];
        struct pn532_frame frame;
        for (size_t i = 0; i < n; i++)
            payload[i] = (uint8_t)(i * 7 + n);
        size_t len = encode(bytes, 0xD5, payload, n);
        pn532_frame_decode(bytes, len, &frame);
        assert_int_equal(frame.type, PN532_REPLY);
        assert_int_equal(frame.len, n);
        assert_memory_equal(frame.data, payload, n);
        assert_int_equal(frame.garbage, 0);
        for (size_t cut = 0; cut < len - 1; cut++) { // the postamble may be missing
            pn532_frame_decode(bytes, cut, &frame);
            assert_int_equal(frame.type, PN532_MORE);
            assert_true(frame.used <= cut);
        }
    }
}

static void short_frames_are_told_apart(void **state) {
    (void)state;
    static const struct {
        uint8_t n, bytes[16];
        enum pn532_frame_type type;
        size_t used;
    } cases[] = {
        {6, {0, 0, 0xFF, 0, 0xFF, 0}, PN532_ACK, 5},
        {6, {0, 0, 0xFF, 0xFF, 0, 0}, PN532_NACK, 5},
        {8, {0, 0, 0xFF, 1, 0xFF, 0x7F, 0x81, 0}, PN532_ERROR, 7},
        {8, {0, 0, 0xFF, 1, 0xFF, 0x7F, 0x80, 0}, PN532_BAD_SUM, 7},
        {6, {0, 0, 0xFF, 3, 0xFE, 0}, PN532_BAD_LENGTH, 3},
        {6, {0, 0, 0xFF, 0, 0, 0}, PN532_BAD_SHAPE, 3},
        {8, {0, 0, 0xFF, 1, 0xFF, 0xD5, 0x2B, 0}, PN532_BAD_SHAPE, 7},    // a reply without a code
        {9, {0, 0, 0xFF, 2, 0xFE, 0xD4, 2, 0x2A, 0}, PN532_BAD_SHAPE, 8}, // our own command, echoed
        {12, {0, 0, 0xFF, 0xFF, 0xFF, 0, 2, 0xFE, 0xD5, 3, 0x28, 0}, PN532_REPLY, 11},
        {9, {0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0}, PN532_BAD_LENGTH, 3}, // 65,535 bytes
        {9, {0, 0, 0xFF, 0xFF, 0xFF, 0, 2, 0xFF, 0}, PN532_BAD_LENGTH, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pn532_frame frame;
        pn532_frame_decode(cases[i].bytes, cases[i].n, &frame);
        assert_int_equal(frame.type, cases[i].type);
        assert_int_equal(frame.used, cases[i].used);
    }
}

static void a_frame_is_found_after_garbage(void **state) {
    (void)state;
    static const uint8_t bytes[] = {0x13, 0, 0x37, 0xFF, 0, 0, 0, 0, 0xFF, 0, 0xFF, 0, 0x11, 0};
    struct pn532_frame frame;
    pn532_frame_decode(bytes, sizeof bytes, &frame);
    assert_int_equal(frame.type, PN532_ACK);
    assert_int_equal(frame.garbage, 3);
    assert_int_equal(frame.used, 11);
    pn532_frame_decode(bytes + 11, 3, &frame);
    assert_int_equal(frame.type, PN532_MORE);
    assert_int_equal(frame.used, 2); // the last zero may begin a frame
    assert_int_equal(frame.garbage, 1);
    pn532_frame_decode(bytes, 0, &frame);
    assert_int_equal(frame.used, 0);
}

// Replies of 0 to 12 bytes to InListPassiveTarget: each has its own reason.
static void b028_short_replies(void **state) {
    (void)state;
    static const uint8_t whole[] = {1, 1, 0x00, 0x44, 0x00, 7, 4, 1, 2, 3, 4, 5, 6};
    char reasons[13][100];
    for (size_t n = 0; n <= 12; n++) {
        struct pn532_list list;
        uint8_t *copy = malloc(n ? n : 1); // so that a step too far is seen
        memcpy(copy, whole, n);
        assert_false(pn532_list_parse(copy, n, &list));
        assert_int_equal(list.n, 0);
        pn532_list_explain(&list, reasons[n], sizeof reasons[n]);
        for (size_t i = 0; i < n; i++)
            assert_string_not_equal(reasons[i], reasons[n]);
        free(copy);
    }
    struct pn532_list list;
    assert_true(pn532_list_parse(whole, sizeof whole, &list));
    assert_int_equal(list.n, 1);
    assert_memory_equal(list.target[0].id, whole + 6, 7);
    // As whole frames: the shortest has a code and nothing else.
    for (uint8_t n = 0; n <= 12; n++) {
        uint8_t payload[14] = {0x4B}, bytes[PN532_FRAME_MAX];
        struct pn532_frame frame;
        memcpy(payload + 1, whole, n);
        size_t len = encode(bytes, 0xD5, payload, n + 1u);
        pn532_frame_decode(bytes, len, &frame);
        assert_int_equal(frame.type, PN532_REPLY);
        assert_false(pn532_list_parse(frame.data + 1, frame.len - 1, &list));
    }
}

static void lists_of_targets(void **state) {
    (void)state;
    static const struct {
        uint8_t n, data[40];
        enum pn532_list_fault fault;
        unsigned targets;
    } cases[] = {
        {1, {0}, PN532_LIST_OK, 0},
        {2, {0, 0}, PN532_LIST_TAIL, 0},
        {1, {3}, PN532_LIST_COUNT, 0},
        {10, {1, 1, 0, 4, 8, 4, 1, 2, 3, 4}, PN532_LIST_OK, 1},
        {16, {1, 1, 0, 4, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, PN532_LIST_OK, 1},
        {11, {1, 1, 0, 4, 8, 5, 1, 2, 3, 4, 5}, PN532_LIST_ID_LENGTH, 0},
        {19, {2, 1, 0, 4, 8, 4, 1, 2, 3, 4, 2, 0, 4, 8, 4, 5, 6, 7, 8}, PN532_LIST_OK, 2},
        {18, {2, 1, 0, 4, 8, 4, 1, 2, 3, 4, 2, 0, 4, 8, 4, 5, 6, 7}, PN532_LIST_ID_CUT, 0},
        {10, {2, 1, 0, 4, 8, 4, 1, 2, 3, 4}, PN532_LIST_NO_NUMBER, 0},
        // SEL_RES 20: an ATS may follow, its length counts itself.
        {10, {1, 1, 3, 4, 0x20, 4, 1, 2, 3, 4}, PN532_LIST_OK, 1},
        {13, {1, 1, 3, 4, 0x20, 4, 1, 2, 3, 4, 3, 0x75, 0x77}, PN532_LIST_OK, 1},
        {13, {1, 1, 3, 4, 0x20, 4, 1, 2, 3, 4, 4, 0x75, 0x77}, PN532_LIST_ATS_CUT, 0},
        {13, {1, 1, 3, 4, 0x20, 4, 1, 2, 3, 4, 0, 0x75, 0x77}, PN532_LIST_ATS_CUT, 0},
        {11, {1, 1, 0, 4, 8, 4, 1, 2, 3, 4, 9}, PN532_LIST_TAIL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pn532_list list;
        assert_int_equal(pn532_list_parse(cases[i].data, cases[i].n, &list), cases[i].fault == PN532_LIST_OK);
        assert_int_equal(list.fault, cases[i].fault);
        assert_int_equal(list.n, cases[i].targets);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_framed),         cmocka_unit_test(what_is_framed_is_read),
        cmocka_unit_test(short_frames_are_told_apart), cmocka_unit_test(a_frame_is_found_after_garbage),
        cmocka_unit_test(b028_short_replies),          cmocka_unit_test(lists_of_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
