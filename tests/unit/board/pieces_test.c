// The registry in memory and as CSV.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include "board/pieces.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tag id(const char *text) {
    struct tag tag;
    assert_int_equal(tag_parse(text, &tag, NULL), ERROR_OK);
    return tag;
}

static enum error_code add(struct pieces *pieces, const char *name, const char *kind, const char *tag,
                           struct error *err) {
    struct tag t = id(tag);
    return pieces_add(pieces, "box", name, kind, &t, PIECE_FACE_UNKNOWN, NULL, err);
}

static int begin(void **state) {
    struct pieces *pieces;
    assert_int_equal(pieces_create(&pieces, NULL), ERROR_OK);
    *state = pieces;
    return 0;
}

static int end(void **state) {
    pieces_destroy(*state);
    return 0;
}

static void added_and_found(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    struct tag up = id("04A1B2C3D4E581"), down = id("04A1B2C3D4E582");
    uint16_t index, again;
    uint8_t face;
    assert_int_equal(pieces_add(pieces, "box", "seer", "seer", &up, PIECE_FACE_UP, &index, &err), ERROR_OK);
    assert_int_equal(pieces_add(pieces, "box", "seer", "seer", &down, PIECE_FACE_DOWN, &again, &err),
                     ERROR_OK);
    assert_int_equal(index, again);
    assert_int_equal(pieces_by_tag(pieces, &down, &face), index);
    assert_int_equal(face, PIECE_FACE_DOWN);
    assert_int_equal(pieces_find(pieces, "box", "seer"), index);
    assert_int_equal(pieces_find(pieces, "other", "seer"), PIECE_NONE);
    assert_int_equal(pieces_at(pieces, index)->n_tags, 2);
    assert_int_equal(pieces_at(pieces, index)->control, CONTROL_NONE);
    assert_null(pieces_at(pieces, 7));
    tag_reverse(&up);
    assert_int_equal(pieces_by_tag(pieces, &up, NULL), PIECE_NONE);
}

static void refusals_say_why(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    static const struct {
        const char *name, *kind, *tag;
        enum error_code code;
        const char *says;
    } rows[] = {
        {"robber", "seer", "04A1B2C3D4E580", ERROR_EXISTS, "box/seer"},
        {"seer", "robber", "04A1B2C3D4E581", ERROR_INVALID, "is a seer"},
        {"Seer", "seer", "04A1B2C3D4E581", ERROR_INVALID, "name"},
        {"seer", "se er", "04A1B2C3D4E581", ERROR_INVALID, "kind"},
        {"phone", "seer", "08A1B2C3", ERROR_INVALID, "phone"},
        {"cut", "seer", "8804A1B2", ERROR_INVALID, "cut"},
        {"zero", "seer", "00000000", ERROR_INVALID, "equal"},
        {"halt", "control", "04A1B2C3D4E581", ERROR_INVALID, "start done"},
        {"turned", "seer", "80E5D4C3B2A104", ERROR_EXISTS, "reversed"},
    };
    assert_int_equal(add(pieces, "seer", "seer", "04A1B2C3D4E580", &err), ERROR_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(add(pieces, rows[i].name, rows[i].kind, rows[i].tag, &err), rows[i].code);
        if (!strstr(err.text, rows[i].says))
            fail_msg("%s: %s", rows[i].name, err.text);
        assert_null(strstr(err.text, rows[i].tag));
    }
    assert_int_equal(pieces_count(pieces), 1);
    assert_int_equal(add(pieces, "seer", "seer", "04A1B2C3D4E580", &err), ERROR_OK); // the same once more
    for (unsigned i = 1; i < PIECE_TAGS_MAX; i++) {
        char tag[16];
        snprintf(tag, sizeof tag, "04A1B2C3D4E59%u", i);
        assert_int_equal(add(pieces, "seer", "seer", tag, &err), ERROR_OK);
    }
    assert_int_equal(add(pieces, "seer", "seer", "04A1B2C3D4E5A0", &err), ERROR_TOO_LARGE);
}

static void controls_are_named_by_their_function(void **state) {
    struct pieces *pieces = *state;
    assert_int_equal(add(pieces, "start", "control", "04310C5A1F6180", NULL), ERROR_OK);
    assert_int_equal(add(pieces, "start-2", "control", "04310C5A1F6181", NULL), ERROR_OK);
    assert_int_equal(add(pieces, "absent-by-window", "control", "04310C5A1F6182", NULL), ERROR_OK);
    assert_int_equal(add(pieces, "starting", "control", "04310C5A1F6183", NULL), ERROR_INVALID);
    assert_int_equal(pieces_at(pieces, 0)->control, CONTROL_START);
    assert_int_equal(pieces_at(pieces, 1)->control, CONTROL_START);
    assert_int_equal(pieces_at(pieces, 2)->control, CONTROL_ABSENT);
    assert_string_equal(control_name(CONTROL_MINUS), "minus");
    assert_string_equal(control_name((enum control)99), "none");
}

static void a_removed_piece_leaves_a_hole(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    struct tag tag = id("04A1B2C3D4E580");
    assert_int_equal(add(pieces, "one", "seer", "04A1B2C3D4E580", NULL), ERROR_OK);
    assert_int_equal(add(pieces, "two", "seer", "04A1B2C3D4E581", NULL), ERROR_OK);
    assert_int_equal(pieces_remove(pieces, "box", "one", &err), ERROR_OK);
    assert_int_equal(pieces_remove(pieces, "box", "one", &err), ERROR_NOT_FOUND);
    assert_null(pieces_at(pieces, 0));
    assert_int_equal(pieces_by_tag(pieces, &tag, NULL), PIECE_NONE);
    assert_int_equal(add(pieces, "three", "seer", "04A1B2C3D4E580", NULL), ERROR_OK);
    assert_null(pieces_at(pieces, 0));
    assert_int_equal(pieces_by_tag(pieces, &tag, NULL), 2);
    assert_int_equal(pieces_find(pieces, "box", "two"), 1);
    struct pieces *copy;
    assert_int_equal(pieces_copy(pieces, &copy, NULL), ERROR_OK);
    assert_null(pieces_at(copy, 0));
    assert_int_equal(pieces_by_tag(copy, &tag, NULL), 2);
    pieces_destroy(copy);
}

static void full_house(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    for (unsigned i = 0; i < PIECES_MAX; i++) {
        char name[16], tag[16];
        snprintf(name, sizeof name, "p%u", i);
        snprintf(tag, sizeof tag, "04%08X5A81", i * 2654435761u);
        assert_int_equal(add(pieces, name, "seer", tag, &err), ERROR_OK);
    }
    assert_int_equal(add(pieces, "more", "seer", "04FFFFFFFFFF99", &err), ERROR_TOO_LARGE);
    for (unsigned i = 0; i < PIECES_MAX; i++) {
        char tag[16];
        snprintf(tag, sizeof tag, "04%08X5A81", i * 2654435761u);
        struct tag t = id(tag);
        assert_int_equal(pieces_by_tag(pieces, &t, NULL), i);
    }
}

// CSV ------------------------------------------------------------------------------------------------------

static void csv_comes_back_as_it_went(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    unsigned added;
    static const char text[] =
        "deck,name,kind,tag,face\n"
        "box,seer,seer,04A1B2C3D4E580,up\n"
        "box,seer,seer,04A1B2C3D4E581,down\n"
        "box,start,control,04310C5A1F6180,\n"
        "spare,robber,robber,5567232D,\n";
    char *out, *one;
    if (pieces_import_csv(pieces, text, "kit.csv", &added, &err))
        fail_msg("%s", err.text);
    assert_int_equal(added, 4);
    assert_int_equal(pieces_count(pieces), 3);
    assert_int_equal(pieces_export_csv(pieces, NULL, &out, NULL), ERROR_OK);
    assert_string_equal(out, text);
    assert_int_equal(pieces_export_csv(pieces, "spare", &one, NULL), ERROR_OK);
    assert_string_equal(one, "deck,name,kind,tag,face\nspare,robber,robber,5567232D,\n");
    assert_int_equal(pieces_import_csv(pieces, out, "kit.csv", &added, &err), ERROR_OK); // twice is once
    assert_int_equal(pieces_count(pieces), 3);
    free(out);
    free(one);
}

static void csv_of_spreadsheets(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    unsigned added;
    if (pieces_import_csv(pieces,
                          "\xef\xbb\xbf\"deck\",\"name\",\"kind\",\"tag\",\"face\"\r\n"
                          "\"box\",\"seer\",seer,\" 04:a1:b2:c3:d4:e5:80 \",up\r\n"
                          "\r\n"
                          "box,robber,robber,0x5567232D,",
                          "kit.csv", &added, &err))
        fail_msg("%s %s", err.where, err.text);
    assert_int_equal(added, 2);
}

static void csv_faults_name_their_line(void **state) {
    struct pieces *pieces = *state;
    static const struct {
        const char *text, *where, *says;
    } rows[] = {
        {"", "kit.csv:1", "deck,name,kind,tag,face"},
        {"deck;name;kind;tag;face\n", "kit.csv:1", "deck,name,kind,tag,face"},
        {"deck,name,kind,tag,face\nbox,a,seer,04A1B2C3D4E580\n", "kit.csv:2", "5 fields, this one 4"},
        {"deck,name,kind,tag,face\nbox,a,seer,04A1B2C3D4E580,up,x,y\n", "kit.csv:2", "at least 6"},
        {"deck,name,kind,tag,face\n\n\n\nbox,a,seer,04A1B2C3D4E580,left\n", "kit.csv:5", "face"},
        {"deck,name,kind,tag,face\nbox,a,seer,04A1,up\n", "kit.csv:2", "bytes"},
        {"deck,name,kind,tag,face\nbox,a,seer,\"04A1B2C3D4E580,up\n", "kit.csv:2", "not closed"},
        {"deck,name,kind,tag,face\nbox,a,seer,\"04A1\"B2,up\n", "kit.csv:2", "closing quote"},
        {"deck,name,kind,tag,face\nbox,a,seer,04\"A1,up\n", "kit.csv:2", "quote"},
        {"deck,name,kind,tag,face\n\"b\nx\",a,seer,5567232D,up\nbox,b,seer,5567,up\n", "kit.csv:2",
         "2 lines have faults, also 4"},
        {"deck,name,kind,tag,face\nbox,a,seer,5567232D,\nbox,b,seer,5567232D,\nbox,c,seer,5567232D,\n",
         "kit.csv:3", "also 4"},
        {"deck,name,kind,tag,face\nbox,phone,seer,08A1B2C3,\n", "kit.csv:2", "phone"},
        {"deck,name,kind,tag,face\n"
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,a,seer,5567232D,\n",
         "kit.csv:2", "63 characters"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {0};
        unsigned added;
        assert_int_not_equal(pieces_import_csv(pieces, rows[i].text, "kit.csv", &added, &err), ERROR_OK);
        assert_string_equal(err.where, rows[i].where);
        if (!strstr(err.text, rows[i].says))
            fail_msg("row %zu: %s", i, err.text);
        assert_int_equal(added, 0);
        assert_int_equal(pieces_count(pieces), 0); // all or nothing
    }
}

static void csv_with_many_faults_is_one_error(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    char text[4096] = "deck,name,kind,tag,face\n";
    for (unsigned i = 0; i < 100; i++)
        strcat(text, "box,a,seer,xyz,\n");
    assert_int_equal(pieces_import_csv(pieces, text, "kit.csv", NULL, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "100 lines have faults, also 3, 4, 5, 6, 7, 8, 9 ..."));
}

static void b049_reverse_of_a_known_id_is_refused(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    assert_int_equal(add(pieces, "seer", "seer", "04A1B2C3D4E580", &err), ERROR_OK);
    assert_int_equal(add(pieces, "robber", "robber", "80E5D4C3B2A104", &err), ERROR_EXISTS);
    assert_non_null(strstr(err.text, "reversed = yes"));
}

static void b050_reversed_list_offers_the_fix(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    struct tag tag = id("04A1B2C3D4E580");
    static const char text[] =
        "deck,name,kind,tag,face\nbox,a,seer,80E5D4C3B2A104,\n"
        "box,b,seer,81E5D4C3B2A104,\nbox,c,seer,82E5D4C3B2A104,\n";
    assert_int_equal(pieces_import_csv(pieces, text, "kit.csv", NULL, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "tag_reversed"));
    assert_int_equal(pieces_import_csv(pieces,
                                       "deck,name,kind,tag_reversed,face\nbox,a,seer,80E5D4C3B2A104,\n",
                                       "kit.csv", NULL, &err),
                     ERROR_OK);
    assert_int_equal(pieces_by_tag(pieces, &tag, NULL), 0);
}

static void b052_phones_are_never_registered(void **state) {
    struct pieces *pieces = *state;
    struct error err;
    assert_int_equal(add(pieces, "phone", "token", "08A1B2C3", &err), ERROR_INVALID);
    assert_int_equal(pieces_count(pieces), 0);
}

static void b055_corrupt_ids_are_never_registered(void **state) {
    struct pieces *pieces = *state;
    static const struct tag bad[] = {
        {5, {4, 1, 2, 3, 4}}, {0, {0}}, {7, {0}}, {4, {0x88, 1, 2, 3}}, {255, {4, 1}}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(pieces_add(pieces, "box", "a", "seer", &bad[i], 0, NULL, NULL), ERROR_INVALID);
    assert_int_equal(pieces_count(pieces), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(added_and_found),
        TEST(refusals_say_why),
        TEST(controls_are_named_by_their_function),
        TEST(a_removed_piece_leaves_a_hole),
        TEST(full_house),
        TEST(csv_comes_back_as_it_went),
        TEST(csv_of_spreadsheets),
        TEST(csv_faults_name_their_line),
        TEST(csv_with_many_faults_is_one_error),
        TEST(b049_reverse_of_a_known_id_is_refused),
        TEST(b050_reversed_list_offers_the_fix),
        TEST(b052_phones_are_never_registered),
        TEST(b055_corrupt_ids_are_never_registered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
