// Ids in every outside spelling.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include "board/tag.h"
#include <string.h>

struct spelling {
    const char *text, *canonical; // canonical NULL = refused
};

static void check(const struct spelling *rows, size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct tag tag, again;
        struct error err = {0};
        char text[TAG_TEXT_MAX] = "";
        enum error_code code = tag_parse(rows[i].text, &tag, &err);
        if (!rows[i].canonical) {
            assert_int_equal(code, ERROR_INVALID);
            assert_true(strlen(err.text) > 10);
            assert_int_equal(tag.len, 0);
            continue;
        }
        if (code)
            fail_msg("'%s': %s", rows[i].text, err.text);
        tag_format(&tag, text);
        assert_string_equal(text, rows[i].canonical);
        assert_int_equal(tag_parse(text, &again, NULL), ERROR_OK);
        assert_true(tag_equal(&tag, &again));
    }
}
#define CHECK(rows) check(rows, sizeof(rows) / sizeof(rows)[0])

static void b053_one_tile_in_every_spelling(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"55-67-23-2D", "5567232D"},     {"5567232d", "5567232D"},
        {"0x5567232D", "5567232D"},      {"55:67:23:2D", "5567232D"},
        {" 5567232D ", "5567232D"},      {"0X55 0x67 0x23 0x2d", "5567232D"},
        {"55 67 23 2D\r\n", "5567232D"}, {"04:a1:b2:c3:d4:e5:80", "04A1B2C3D4E580"},
    };
    CHECK(rows);
}

// What an admin types is taken in all spellings; what is bad gives the reason.
static void b054_bad_spellings_give_the_reason(void **state) {
    (void)state;
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {"", "empty"},
        {"  ", "empty"},
        {"5567232", "odd"},
        {"556723ZZ", "no hex digit"},
        {"55;67;23;2D", "hex"},
        {"556723", "bytes"},
        {"0x", "0x"},
        {"5:67:23:2D", "odd"},
        {"55672 32D", "odd"},
        {"112233445566", "bytes"},
        {"1122334455", "check byte"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tag tag;
        struct error err = {0};
        assert_int_equal(tag_parse(rows[i].text, &tag, &err), ERROR_INVALID);
        if (!strstr(err.text, rows[i].reason))
            fail_msg("'%s' gave '%s'", rows[i].text, err.text);
    }
}

static void b046_check_byte_is_taken_off(void **state) {
    (void)state;
    // 55^67^23^2D = 3C
    static const struct spelling rows[] = {{"5567232D3C", "5567232D"}, {"5567232D3D", NULL}};
    CHECK(rows);
}

static void b047_cut_ids_are_partial(void **state) {
    (void)state;
    struct tag tag;
    assert_int_equal(tag_parse("8804A1B2", &tag, NULL), ERROR_OK);
    assert_int_equal(tag_kind(&tag), TAG_PARTIAL);
    assert_int_equal(tag_parse("5567232D", &tag, NULL), ERROR_OK);
    assert_int_equal(tag_kind(&tag), TAG_PLAIN);
}

static void b048_cascade_markers_are_taken_out(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"8804A1B2C3D4E580", "04A1B2C3D4E580"},                     // 88 + 3, 4
        {"8804A1B29FC3D4E58072", "04A1B2C3D4E580"},                 // each level with its check byte
        {"8804A1B288C3D4E5F6071829", "04A1B2C3D4E5F6071829"},       // 88 + 3, 88 + 3, 4
        {"04A1B288C3D4E5F6071829", "04A1B2C3D4E5F6071829"},         // first marker gone
        {"8804A1B29F88C3D4E57AF6071829C0", "04A1B2C3D4E5F6071829"}, // three levels with check bytes
        {"04A1B2C3D4E5F6071829", "04A1B2C3D4E5F6071829"},
        {"04A1B2C3D4E588", "04A1B2C3D4E588"}, // an 88 that belongs to the id
        {"04A1B2C3D4E58012", NULL},
        {"8804A1B29FC3D4E58073", "8804A1B29FC3D4E58073"}, // no check bytes: kept, and partial
    };
    CHECK(rows);
    struct tag tag;
    assert_int_equal(tag_parse("8804A1B29FC3D4E58073", &tag, NULL), ERROR_OK);
    assert_int_equal(tag_kind(&tag), TAG_PARTIAL);
}

static void b050_reversing_twice_is_nothing(void **state) {
    (void)state;
    struct tag tag, turned;
    char text[TAG_TEXT_MAX];
    assert_int_equal(tag_parse("04A1B2C3D4E580", &tag, NULL), ERROR_OK);
    turned = tag;
    tag_reverse(&turned);
    tag_format(&turned, text);
    assert_string_equal(text, "80E5D4C3B2A104");
    assert_false(tag_equal(&tag, &turned));
    tag_reverse(&turned);
    assert_true(tag_equal(&tag, &turned));
}

static void b051_decimal_numbers_in_both_orders(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
        bool reversed;
        const char *canonical; // NULL = refused
    } rows[] = {
        {"1432822573", 4, false, "5567232D"},
        {"0757294933", 4, true, "5567232D"},
        {"0000000010", 4, false, "0000000A"},
        {" 0000000010\r\n", 4, true, "0A000000"},
        {"4294967295", 4, false, "FFFFFFFF"},
        {"4294967296", 4, false, NULL},
        {"1303459345065344", 7, false, "04A17D473DE580"},
        {"36280848374145284", 7, true, "04A17D473DE580"},
        {"1208925819614629174706175", 10, false, "FFFFFFFFFFFFFFFFFFFF"},
        {"1208925819614629174706176", 10, false, NULL},
        {"12a4", 4, false, NULL},
        {"-12", 4, false, NULL},
        {"", 4, false, NULL},
        {"12", 5, false, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tag tag;
        char text[TAG_TEXT_MAX];
        enum error_code code = tag_parse_decimal(rows[i].text, rows[i].bytes, rows[i].reversed, &tag, NULL);
        assert_int_equal(code, rows[i].canonical ? ERROR_OK : ERROR_INVALID);
        if (!rows[i].canonical)
            continue;
        tag_format(&tag, text);
        assert_string_equal(text, rows[i].canonical);
    }
}

static void b052_random_ids_are_known_as_such(void **state) {
    (void)state;
    struct tag tag;
    assert_int_equal(tag_parse("08A1B2C3", &tag, NULL), ERROR_OK);
    assert_int_equal(tag_kind(&tag), TAG_RANDOM);
    assert_int_equal(tag_parse("08A1B2C3D4E5F6", &tag, NULL), ERROR_OK); // seven bytes are not random
    assert_int_equal(tag_kind(&tag), TAG_PLAIN);
}

static void b055_corrupt_ids_are_bad(void **state) {
    (void)state;
    static const struct tag bad[] = {
        {0, {0}},
        {3, {1, 2, 3}},
        {5, {1, 2, 3, 4, 5}},
        {4, {0, 0, 0, 0}},
        {7, {255, 255, 255, 255, 255, 255, 255}},
        {200, {1, 2}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(tag_kind(&bad[i]), TAG_BAD);
    struct tag tag;
    const uint8_t flipped[] = {0x55, 0x67, 0x23, 0x2C, 0x3C};
    assert_int_equal(tag_from_bytes(flipped, 5, &tag, NULL), ERROR_INVALID);
    assert_int_equal(tag_from_bytes(flipped, 0, &tag, NULL), ERROR_INVALID);
    assert_int_equal(tag_from_bytes(flipped, 4, &tag, NULL), ERROR_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b046_check_byte_is_taken_off),
        cmocka_unit_test(b047_cut_ids_are_partial),
        cmocka_unit_test(b048_cascade_markers_are_taken_out),
        cmocka_unit_test(b050_reversing_twice_is_nothing),
        cmocka_unit_test(b051_decimal_numbers_in_both_orders),
        cmocka_unit_test(b052_random_ids_are_known_as_such),
        cmocka_unit_test(b053_one_tile_in_every_spelling),
        cmocka_unit_test(b054_bad_spellings_give_the_reason),
        cmocka_unit_test(b055_corrupt_ids_are_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
