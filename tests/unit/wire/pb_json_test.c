#include "public.pb-c.h"
#include "wire/pb_json.h"
#include "wire/pb_pack.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
// cmocka needs the three above
#include <cmocka.h>

static char buf[64 * 1024];

static const char *written(const ProtobufCMessage *message) {
    struct json j;
    json_begin(&j, buf, sizeof buf);
    pb_json_write(&j, message);
    assert_true(json_end(&j));
    return buf;
}

static void every_field_is_written(void **state) {
    (void)state;
    Tabled__V1__Phase phase = TABLED__V1__PHASE__INIT;
    assert_string_equal(written(&phase.base),
                        "{\"header\":null,\"n\":0,\"id\":\"\",\"round\":0,\"veil\":\"unknown\",\"step\":\"\","
                        "\"step_index\":0,\"steps\":0,\"turn\":[],\"limit_ms\":0,\"starts_at\":null,"
                        "\"deadline\":null,\"paused\":false,\"pause_reason\":\"\"}");
}

static void an_event_reads_as_documented(void **state) {
    (void)state;
    Tabled__V1__Time at = TABLED__V1__TIME__INIT;
    Tabled__V1__Header header = TABLED__V1__HEADER__INIT;
    Tabled__V1__Arg args[2] = {TABLED__V1__ARG__INIT, TABLED__V1__ARG__INIT};
    Tabled__V1__Arg *arg_list[2] = {&args[0], &args[1]};
    Tabled__V1__Action action = TABLED__V1__ACTION__INIT, *action_list[1] = {&action};
    Tabled__V1__Event event = TABLED__V1__EVENT__INIT;
    at.unix_ms = 1767225600123;
    header.boot_id = (char *)"0123456789abcdef";
    header.seq = 42;
    header.at = &at;
    header.table = (char *)"kitchen";
    header.audience = (char *)"public";
    args[0].name = (char *)"a";
    args[0].value = (char *)"s2";
    args[1].name = (char *)"b";
    args[1].value = (char *)"s4";
    action.by = (char *)"s2";
    action.do_ = (char *)"swap";
    action.n_args = 2;
    action.args = arg_list;
    action.text = (char *)"s2 swap a=s2 b=s4";
    event.header = &header;
    event.event = TABLED__V1__EVENT_TYPE__EVENT_ACTION;
    event.n_action = 1;
    event.action = action_list;
    assert_string_equal(
        written(&event.base),
        "{\"header\":{\"boot_id\":\"0123456789abcdef\",\"seq\":42,\"at\":\"2026-01-01T00:00:00.123Z\","
        "\"table\":\"kitchen\",\"audience\":\"public\",\"game_id\":\"\"},\"event\":\"action\",\"seat\":\"\","
        "\"action\":[{\"by\":\"s2\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s4\"},"
        "\"text\":\"s2 swap a=s2 "
        "b=s4\",\"notation\":\"\"}],\"violation\":[],\"choice\":[],\"repairs\":[],\"reason\":\"\","
        "\"reader\":\"\",\"code\":\"\",\"text\":\"\"}");
}

static ProtobufCMessage *read_as(const ProtobufCMessageDescriptor *type, const char *text) {
    ProtobufCMessage *message;
    struct error err = {0};
    if (pb_json_read(type, text, strlen(text), 100, &message, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    return message;
}

static void what_is_written_is_read_again(void **state) {
    (void)state;
    static const char text[] =
        "{\"header\":{\"boot_id\":\"b\",\"seq\":9007199254740993,\"at\":\"2024-02-29T23:59:59.999Z\","
        "\"table\":\"t\","
        "\"audience\":\"s3\",\"game_id\":\"g\"},\"places\":[{\"name\":\"c1\",\"level\":\"occupied\","
        "\"sensed\":true,"
        "\"x\":-5,\"y\":2147483647,\"seat\":\"s1\",\"items\":[{\"kind\":\"\",\"n\":1,\"face\":\"down\"},"
        "{\"kind\":\"token\",\"n\":4294967295,\"face\":\"up\"}]}],\"position\":\"\"}";
    ProtobufCMessage *message = read_as(&tabled__v1__board__descriptor, text);
    assert_string_equal(written(message), text);
    protobuf_c_message_free_unpacked(message, NULL);
}

static void times_are_exact(void **state) {
    (void)state;
    static const struct {
        uint64_t ms;
        const char *text;
    } rows[] = {
        {1, "1970-01-01T00:00:00.001Z"},
        {951782400000, "2000-02-29T00:00:00.000Z"},
        {951868800000, "2000-03-01T00:00:00.000Z"},
        {4107542399999, "2100-02-28T23:59:59.999Z"},
        {4107542400000, "2100-03-01T00:00:00.000Z"},
        {253402300799999, "9999-12-31T23:59:59.999Z"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Tabled__V1__Time at = TABLED__V1__TIME__INIT;
        Tabled__V1__Header header = TABLED__V1__HEADER__INIT;
        at.unix_ms = rows[i].ms;
        header.at = &at;
        assert_non_null(strstr(written(&header.base), rows[i].text));
        ProtobufCMessage *again = read_as(&tabled__v1__header__descriptor, buf);
        assert_int_equal(((Tabled__V1__Header *)again)->at->unix_ms, rows[i].ms);
        protobuf_c_message_free_unpacked(again, NULL);
    }
}

static void refusals_name_the_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *where;
    } rows[] = {
        {"{\"n\":1,\"n\":2}", "1:11"},
        {"[]", ""},
        {"{\"nn\":1}", "nn"},
        {"{\"n\":-1}", "n"},
        {"{\"n\":4294967296}", "n"},
        {"{\"n\":1.0}", "n"},
        {"{\"n\":\"1\"}", "n"},
        {"{\"paused\":1}", "paused"},
        {"{\"veil\":\"Dark\"}", "veil"},
        {"{\"veil\":true}", "veil"},
        {"{\"turn\":[\"s1\",2]}", "turn[1]"},
        {"{\"turn\":[null]}", "turn[0]"},
        {"{\"turn\":{}}", "turn"},
        {"{\"turn\":[\"1\",\"2\",\"3\",\"4\",\"5\"]}", "turn"},
        {"{\"header\":{\"seq\":\"7\"}}", "header.seq"},
        {"{\"header\":7}", "header"},
        {"{\"deadline\":\"2026-02-29T00:00:00.000Z\"}", "deadline"},
        {"{\"deadline\":\"2026-02-28 00:00:00.000Z\"}", "deadline"},
        {"{\"deadline\":{\"unix_ms\":1}}", "deadline"},
        {"{\"id\":\"a\\u0000b\"}", NULL},
        {"{\"id\":\"\xff\"}", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ProtobufCMessage *message = NULL;
        struct error err = {0};
        assert_int_equal(pb_json_read(&tabled__v1__phase__descriptor, rows[i].text, strlen(rows[i].text), 4,
                                      &message, &err),
                         ERROR_INVALID);
        assert_null(message);
        if (rows[i].where != NULL && strchr(rows[i].where, ':') == NULL)
            assert_string_equal(err.where, rows[i].where);
    }
}

static void a_later_enum_value_is_its_number(void **state) {
    (void)state;
    Tabled__V1__Place place = TABLED__V1__PLACE__INIT;
    place.level = (Tabled__V1__Level)77;
    assert_non_null(strstr(written(&place.base), "\"level\":77"));
    ProtobufCMessage *again = read_as(&tabled__v1__place__descriptor, buf);
    assert_int_equal(((Tabled__V1__Place *)again)->level, 77);
    protobuf_c_message_free_unpacked(again, NULL);
}

static void what_does_not_fit_is_said_and_cut(void **state) {
    (void)state;
    Tabled__V1__Line line = TABLED__V1__LINE__INIT;
    line.id = (char *)"night_begins";
    line.text = (char *)"Everybody: close your eyes, 大家请闭眼。";
    size_t whole = strlen(written(&line.base));
    for (size_t cap = 1; cap <= whole; cap++) {
        char small[256];
        struct json j;
        memset(small, '#', sizeof small);
        json_begin(&j, small, cap);
        pb_json_write(&j, &line.base);
        assert_false(json_end(&j));
        assert_int_equal(j.len, whole);
        assert_true(strlen(small) < cap);
        assert_memory_equal(small, buf, strlen(small));
        assert_int_equal(small[cap], '#');
    }
}

static void numbers_of_every_length_are_written(void **state) {
    (void)state;
    Tabled__V1__Header header = TABLED__V1__HEADER__INIT;
    char want[32], small[32];
    for (uint64_t value = 1, nines = 0; nines != UINT64_MAX; nines = value == 0 ? UINT64_MAX : value - 1) {
        header.seq = nines; // 0, 9, 99 ...; at the end the largest
        snprintf(want, sizeof want, "\"seq\":%llu,", (unsigned long long)nines);
        assert_non_null(strstr(written(&header.base), want));
        header.seq = value;
        snprintf(want, sizeof want, "\"seq\":%llu,", (unsigned long long)value);
        assert_non_null(strstr(written(&header.base), want));
        value = value > UINT64_MAX / 10 ? 0 : value * 10;
    }
    header.seq = UINT64_MAX;
    size_t whole = strlen(written(&header.base));
    for (size_t cap = 1; cap < sizeof small; cap++) { // within the number too
        struct json j;
        json_begin(&j, small, cap);
        pb_json_write(&j, &header.base);
        assert_false(json_end(&j));
        assert_int_equal(j.len, whole);
        assert_memory_equal(small, buf, cap - 1);
    }
    Tabled__V1__Place place = TABLED__V1__PLACE__INIT;
    place.x = INT32_MIN;
    place.y = -1;
    assert_non_null(strstr(written(&place.base), "\"x\":-2147483648,\"y\":-1,"));
}

static void it_stands_inside_other_json(void **state) {
    (void)state;
    Tabled__V1__Option option = TABLED__V1__OPTION__INIT;
    struct json j;
    json_begin(&j, buf, sizeof buf);
    json_begin_array(&j);
    json_int(&j, 1);
    pb_json_write(&j, &option.base);
    json_int(&j, 2);
    json_end_array(&j);
    assert_true(json_end(&j));
    assert_string_equal(buf, "[1,{\"name\":\"\",\"value\":\"\"},2]");
}

static void b096_text_comes_back_as_it_was(void **state) {
    (void)state;
    static const char *const texts[] = {
        "Amélie Þórsdóttir",
        "שלום",
        "مرحبا",
        "狼人杀",
        "🐺🌕",
        "tab\there",
        "\"quoted\\\"",
        "\x01\x1f\x7f",
        "line\nbreak\r",
        "a/b",
        "\xc2\x80\xef\xbf\xbf\xf4\x8f\xbf\xbf",
        "",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Tabled__V1__Option option = TABLED__V1__OPTION__INIT;
        option.name = option.value = (char *)texts[i];
        written(&option.base);
        for (const char *p = buf; *p != '\0'; p++)
            assert_true((unsigned char)*p >= 0x20);
        ProtobufCMessage *again = read_as(&tabled__v1__option__descriptor, buf);
        assert_string_equal(((Tabled__V1__Option *)again)->name, texts[i]);
        assert_string_equal(((Tabled__V1__Option *)again)->value, texts[i]);
        protobuf_c_message_free_unpacked(again, NULL);
    }
}

// The one-pass packer writes what protobuf-c writes, and nothing when there is no room.
static void packed_bytes_are_those_of_protobuf_c(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}",
        "{\"header\":{},\"places\":[]}",
        "{\"header\":{\"boot_id\":\"b\",\"seq\":9007199254740993,\"at\":\"2024-02-29T23:59:59.999Z\"},"
        "\"places\":[{},{\"name\":\"c1\",\"level\":\"occupied\",\"sensed\":true,\"x\":-5,\"items\":[{},{"
        "\"n\":7}]},"
        "{\"level\":-3,\"seat\":\"s16\"}]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint8_t want[512], got[512];
        ProtobufCMessage *message = read_as(&tabled__v1__board__descriptor, texts[i]);
        size_t len = protobuf_c_message_pack(message, want);
        assert_int_equal(pb_pack(message, got, sizeof got), len);
        assert_memory_equal(got + sizeof got - len, want, len);
        for (size_t cap = 0; cap < len; cap++)
            assert_true(pb_pack(message, got, cap) == SIZE_MAX);
        assert_int_equal(pb_pack(message, got, len), len);
        assert_memory_equal(got, want, len);
        protobuf_c_message_free_unpacked(message, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_written),
        cmocka_unit_test(an_event_reads_as_documented),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(times_are_exact),
        cmocka_unit_test(refusals_name_the_place),
        cmocka_unit_test(a_later_enum_value_is_its_number),
        cmocka_unit_test(what_does_not_fit_is_said_and_cut),
        cmocka_unit_test(numbers_of_every_length_are_written),
        cmocka_unit_test(it_stands_inside_other_json),
        cmocka_unit_test(packed_bytes_are_those_of_protobuf_c),
        cmocka_unit_test(b096_text_comes_back_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
