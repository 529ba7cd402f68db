#include "engine/game.h"
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka comes last: it needs the above
#include <cmocka.h>

extern const struct game template_game;

static struct game_setup setup;
static struct game_places places;
static struct game_words words = {&template_game, &setup, &places};
static unsigned char state[GAME_STATE_MAX];
static struct error err;

static int start(void **unused) {
    (void)unused;
    struct game_issues issues = {0};
    game_setup_default(&template_game, 3, &setup);
    assert_int_equal(template_game.prepare(&setup, &issues, &err), ERROR_OK);
    template_game.places(&setup, &places);
    template_game.init(state, &setup);
    memset(&err, 0, sizeof err);
    return 0;
}
static void act(const char *line) {
    int by;
    game_action action;
    if (game_action_parse(&words, state, line, &by, &action, &err) != ERROR_OK ||
        game_act(&template_game, state, by, action, NULL, &err) != ERROR_OK)
        fail_msg("%s: %s", line, err.text);
}
static void deal(void) {
    act("chance deal to=s1 card=0");
    act("chance deal to=s2 card=1");
    act("chance deal to=s3 card=2");
    act("chance deal to=c1 card=3");
}

// ---- layouts

static void a_layout_stays_sorted(void **unused) {
    (void)unused;
    struct game_layout layout;
    game_layout_clear(&layout);
    game_layout_slot(&layout, 5, 1, GAME_FACE_DOWN);
    game_layout_kind(&layout, 2, 3, 4, GAME_FACE_UP);
    game_layout_slot(&layout, 2, 9, GAME_FACE_ANY);
    game_layout_kind(&layout, 7, 0, 0, GAME_FACE_ANY); // nothing of a kind is nothing
    game_layout_slot(&layout, 0, 2, GAME_FACE_ANY);
    game_layout_free(&layout, 511);
    static const game_place wanted[] = {0, 2, 2, 5};
    assert_int_equal(layout.n_items, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(layout.item[i].place, wanted[i]);
    assert_int_equal(layout.item[1].what, 3);
    assert_int_equal(layout.item[2].what, 9);
    assert_true(layout.free[7] >> 63);
}
static void an_error_takes_the_place_of_a_warning(void **unused) {
    (void)unused;
    struct game_issues issues = {0};
    for (unsigned i = 0; i < GAME_ISSUES_MAX; i++)
        game_issue(&issues, false, "W_MANY", "warning %u", i);
    game_issue(&issues, false, "W_LOST", "one too many");
    game_issue(&issues, true, "E_ONE", "an error");
    assert_int_equal(issues.n, GAME_ISSUES_MAX);
    assert_string_equal(issues.issue[0].code, "E_ONE");
    for (unsigned i = 0; i < 2 * GAME_ISSUES_MAX; i++)
        game_issue(&issues, true, "E_TWO", "errors");
    assert_int_equal(issues.n, GAME_ISSUES_MAX);
    assert_string_equal(issues.issue[0].code, "E_ONE");
}

// ---- set-ups

static void set_ups_come_from_words(void **unused) {
    (void)unused;
    struct game_setup s;
    assert_int_equal(game_setup_preset(&template_game, "three", &s, &err), ERROR_OK);
    assert_int_equal(s.seats, 3);
    assert_int_equal(s.n_cards, 4);
    assert_int_equal(s.options[game_option_find(&template_game, "day_s")], 30);
    assert_int_equal(s.options[game_option_find(&template_game, "peek")], 1);
    assert_int_equal(game_setup_option(&template_game, &s, "peek", "no", &err), ERROR_OK);
    assert_int_equal(s.options[0], 0);
    assert_int_equal(game_setup_preset(&template_game, "none", &s, &err), ERROR_NOT_FOUND);
    assert_non_null(strstr(err.text, "no preset 'none'; there are: three"));
}
static void bad_set_ups_are_named(void **unused) {
    (void)unused;
    static const struct {
        const char *name, *value;
    } bad[] = {{"day_s", "9"}, {"day_s", "601"},    {"day_s", "1e2"},  {"day_s", "99999999999"},
               {"day_s", ""},  {"peek", "perhaps"}, {"colour", "red"}, {"", ""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct game_setup before = setup;
        assert_int_equal(game_setup_option(&template_game, &setup, bad[i].name, bad[i].value, &err),
                         ERROR_INVALID);
        assert_true(err.text[0]);
        assert_memory_equal(&before, &setup, sizeof setup);
    }
    assert_int_equal(game_setup_cards(&template_game, &setup, "owl dodo", &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "dodo"));
    assert_int_equal(game_setup_option(&template_game, &setup, "peak", "yes", &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "no option 'peak'; did you mean 'peek'?"));
    assert_int_equal(game_setup_cards(&template_game, &setup, "magpei", &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "no card 'magpei'; did you mean 'magpie'?"));
    char many[8 * GAME_CARDS_MAX] = "";
    for (unsigned i = 0; i <= GAME_CARDS_MAX; i++)
        strcat(many, " mole");
    assert_int_equal(game_setup_cards(&template_game, &setup, many, &err), ERROR_INVALID);
}

// ---- actions

static void an_illegal_action_is_refused_and_changes_nothing(void **unused) {
    (void)unused;
    unsigned char before[GAME_STATE_MAX];
    int by;
    game_action action;
    deal();
    memcpy(before, state, sizeof before);
    assert_int_equal(game_action_parse(&words, state, "s1 swap a=s1 b=s2", &by, &action, &err), ERROR_OK);
    assert_int_equal(game_act(&template_game, state, by, action, NULL, &err), ERROR_ILLEGAL);
    assert_string_equal(err.rule, "E_OWN");
    assert_int_equal(game_act(&template_game, state, 1, ~UINT64_C(0), NULL, &err), ERROR_ILLEGAL);
    assert_memory_equal(before, state, sizeof before);
}
static void a_game_is_played_in_words(void **unused) {
    (void)unused;
    struct game_phase phase;
    deal();
    act("s1 swap a=s2 b=s3");
    act("s2 look at=s2");
    act("timer skip");
    act("s1 lay ballot=4");
    act("s2 lay ballot=8");
    act("s3 lay ballot=6");
    act("s1 look at=c1");
    act("timer next");
    act("s3 take from=s1"); // the magpie went to s3 by day
    act("table exchange a=s2 b=c1");
    act("timer next");
    act("timer next");
    act("timer end");
    template_game.phase(state, &phase);
    assert_true(phase.over);
    struct observe_result result;
    template_game.result(state, &result);
    // s1 has the magpie and bet on a bird, s2 a mole and bet on none, s3 the owl and bet on a bird.
    assert_int_equal(result.winners, 7);
    assert_string_equal(result.seats[2].role, "owl");
}
static void lines_come_in_one_spelling(void **unused) {
    (void)unused;
    static const struct {
        const char *said, *kept;
    } line[] = {{"s1 swap a=s2 b=s3", "s1 swap a=s2 b=s3"},
                {"  s1   swap  b=s2   a=s3 ", "s1 swap a=s2 b=s3"},
                {"s1 look at=s1", "s1 look at=s1"},
                {"timer skip", "timer skip"},
                {"table exchange a=c1 b=s1", "table exchange a=s1 b=c1"}};
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        int by;
        game_action action;
        char text[GAME_TEXT_MAX];
        assert_int_equal(game_action_parse(&words, state, line[i].said, &by, &action, &err), ERROR_OK);
        assert_int_equal(game_action_text(&words, state, by, action, text), strlen(line[i].kept));
        assert_string_equal(text, line[i].kept);
    }
}
static void bad_lines_say_what_is_wrong(void **unused) {
    (void)unused;
    static const struct {
        const char *line, *where;
    } bad[] = {{"", "action"},
               {"s1", "action"},
               {"s4 skip", "by"},
               {"s0 skip", "by"},
               {"s01 skip", "by"},
               {"s99999999999 skip", "by"},
               {"nobody skip", "by"},
               {"s1 dance", "do"},
               {"s1 swap", "a"},
               {"s1 swap a=s2", "b"},
               {"s1 swap a=s2 b=s9", "b"},
               {"s1 swap a=s2 b=", "b"},
               {"s1 swap a=s2 b=s3 c=s1", "args"},
               {"s1 swap a=s2 a=s3 b=s1", "a"},
               {"s1 swap s2 s3", "args"},
               {"s1 swap =s2 b=s3", "args"},
               {"s1 swap a=s2 b=s2", "b"},
               {"s1 lay ballot=10", "ballot"},
               {"s1 lay ballot=-1", "ballot"},
               {"s1 lay ballot=one", "ballot"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int by;
        game_action action;
        if (game_action_parse(&words, state, bad[i].line, &by, &action, &err) == ERROR_OK)
            fail_msg("'%s' was read", bad[i].line);
        assert_string_equal(err.where, bad[i].where);
        assert_true(err.text[0]);
    }
    char longest[2 * GAME_TEXT_MAX];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    int by;
    game_action action;
    assert_int_equal(game_action_parse(&words, state, longest, &by, &action, &err), ERROR_TOO_LARGE);
}
static void json_goes_both_ways(void **unused) {
    (void)unused;
    static const char wanted[] = "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s3\"}}";
    char json[256];
    int by;
    game_action action, back;
    game_action_parse(&words, state, "s1 swap a=s2 b=s3", &by, &action, &err);
    assert_int_equal(game_action_json(&words, state, by, action, json, sizeof json), sizeof wanted - 1);
    assert_string_equal(json, wanted);
    assert_int_equal(game_action_json(&words, state, by, action, json, 20), 0);
    json_t *root = json_loads(wanted, 0, NULL);
    assert_int_equal(game_action_from_json(&words, state, root, &by, &back, &err), ERROR_OK);
    assert_true(back == action);
    json_decref(root);
}
// What is no record of ours, byte for byte, is left to the other reader; so is what nobody may say.
static void only_our_own_records_are_read_back(void **unused) {
    (void)unused;
    static const char *const others[] = {
        "",
        "{",
        "{}",
        "{\"by\":\"s1\",\"do\":\"swap\"}",
        "{ \"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s3\"}}",
        "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s3\"}} ",
        "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s3\"}",
        "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"a\":\"s3\"}}",
        "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\"}}",
        "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"\\u0073\\u0032\",\"b\":\"s3\"}}",
        "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"z\":\"s3\"}}",
        "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":3}}",
        "{\"by\":\"nobody\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s3\"}}",
        "{\"by\":\"s1\",\"do\":\"lay\",\"args\":{\"ballot\":\"4\"}}",
        "{\"by\":\"s1\",\"do\":\"lay\",\"args\":{\"ballot\":4294967300}}",
        "{\"by\":\"s1\",\"do\":\"lay\",\"args\":{\"ballot\":04}}",
        "{\"by\":\"s1\",\"do\":\"lay\",\"args\":{\"ballot\":4",
    };
    int by;
    game_action action, back;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (game_action_read_back(&words, state, others[i], &by, &back))
            fail_msg("'%s' was read", others[i]);
    game_action_parse(&words, state, "s1 swap a=s2 b=s3", &by, &action, &err);
    by = -9;
    assert_true(game_action_read_back(
        &words, state, "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s3\"}}", &by, &back));
    assert_true(by == 0 && back == action);
}
static void bad_json_says_what_is_wrong(void **unused) {
    (void)unused;
    static const struct {
        const char *json, *where;
    } bad[] = {{"[]", "by"},
               {"{}", "by"},
               {"{\"by\":1,\"do\":\"skip\"}", "by"},
               {"{\"by\":\"s1\"}", "do"},
               {"{\"by\":\"s1\",\"do\":\"swap\",\"args\":[]}", "args"},
               {"{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"z\":\"s1\"}}", "args"},
               {"{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":2,\"b\":\"s3\"}}", "a"},
               {"{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":null,\"b\":\"s3\"}}", "a"},
               {"{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":[\"s2\"],\"b\":\"s3\"}}", "a"},
               {"{\"by\":\"s1\",\"do\":\"lay\",\"args\":{\"ballot\":\"4\"}}", "ballot"},
               {"{\"by\":\"s1\",\"do\":\"lay\",\"args\":{\"ballot\":4294967300}}", "ballot"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int by;
        game_action action;
        json_t *root = json_loads(bad[i].json, 0, NULL);
        if (game_action_from_json(&words, state, root, &by, &action, &err) == ERROR_OK)
            fail_msg("'%s' was read", bad[i].json);
        assert_string_equal(err.where, bad[i].where);
        json_decref(root);
    }
}

// ---- lists, labels and every type of argument: a verb table alone

static const struct game_kind_row odd_kinds[] = {{"horse", 0, false}, {"cart", 0, false}};
static const struct game_verb odd_verbs[] = {{.name = "pay",
                                              .args = {{"with", GAME_ARG_KIND, true, false, NULL},
                                                       {"to", GAME_ARG_PLACE, true, true, NULL},
                                                       {"how", GAME_ARG_ENUM, false, true, "fast slow"},
                                                       {"twice", GAME_ARG_BOOL, false, true, NULL},
                                                       {"n", GAME_ARG_INT, false, true, NULL},
                                                       {"whose", GAME_ARG_SEAT, false, true, NULL}}},
                                             {0}};
static struct game_act kept;
static enum error_code odd_encode(const void *s, int by, const struct game_act *a, game_action *ret,
                                  struct error *e) {
    (void)s, (void)by, (void)e;
    kept = *a;
    *ret = 1;
    return ERROR_OK;
}
static void odd_decode(const void *s, int by, game_action action, struct game_act *ret) {
    (void)s, (void)by, (void)action;
    *ret = kept;
}
static void odd_label(const struct game_setup *s, int seat, char ret[GAME_WORD_MAX]) {
    (void)s;
    strcpy(ret, seat == 1 ? "red" : "");
}
static const struct game odd_game = {.id = "odd",
                                     .title = "Odd",
                                     .kinds = odd_kinds,
                                     .n_kinds = 2,
                                     .verbs = odd_verbs,
                                     .encode = odd_encode,
                                     .decode = odd_decode,
                                     .seat_label = odd_label};

static void every_type_goes_both_ways(void **unused) {
    (void)unused;
    static struct game_places hexes = {.n = 2, .row = {{.name = "hex.3,-1"}, {.name = "hex.-2,0"}}};
    struct game_words odd = {&odd_game, &setup, &hexes};
    static const char wanted[] =
        "s2 pay with=horse+cart+cart to=hex.3,-1+hex.-2,0 how=slow twice=true n=-7 whose=s2";
    static const char wanted_json[] =
        "{\"by\":\"s2\",\"do\":\"pay\",\"args\":{\"with\":[\"horse\",\"cart\",\"cart\"],"
        "\"to\":[\"hex.3,-1\",\"hex.-2,0\"],\"how\":\"slow\",\"twice\":true,\"n\":-7,\"whose\":\"s2\"}}";
    char text[GAME_TEXT_MAX], json[512];
    int by;
    game_action action;
    assert_int_equal(game_action_parse(&odd, NULL,
                                       "red pay twice=true whose=red n=-7 to=hex.-2,0+hex.3,-1 how=slow "
                                       "with=cart+horse+cart",
                                       &by, &action, &err),
                     ERROR_OK);
    game_action_text(&odd, NULL, by, action, text);
    assert_string_equal(text, wanted);
    assert_int_equal(game_action_json(&odd, NULL, by, action, json, sizeof json), strlen(wanted_json));
    assert_string_equal(json, wanted_json);
    json_t *root = json_loads(json, 0, NULL);
    assert_int_equal(game_action_from_json(&odd, NULL, root, &by, &action, &err), ERROR_OK);
    json_decref(root);
    game_action_text(&odd, NULL, by, action, text);
    assert_string_equal(text, wanted);
    memset(text, 0, sizeof text);
    assert_true(game_action_read_back(&odd, NULL, json, &by, &action));
    game_action_text(&odd, NULL, by, action, text);
    assert_string_equal(text, wanted);
    assert_true(game_action_read_back(&odd, NULL, "{\"by\":\"s2\",\"do\":\"pay\",\"args\":{\"with\":[]}}",
                                      &by, &action));
    assert_int_equal(game_action_parse(&odd, NULL, "red pay with=", &by, &action, &err), ERROR_OK);
    game_action_text(&odd, NULL, by, action, text);
    assert_string_equal(text, "s2 pay with="); // an empty set is something else than none given
    assert_int_equal(
        game_action_parse(&odd, NULL, "red pay with=cart to=hex.3,-1+hex.3,-1", &by, &action, &err),
        ERROR_INVALID);
    assert_int_equal(game_action_parse(&odd, NULL, "blue pay with=cart", &by, &action, &err), ERROR_INVALID);
    assert_int_equal(game_action_parse(&odd, NULL, "rde pay with=cart", &by, &action, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "did you mean 'red'?"));
    assert_int_equal(game_action_parse(&odd, NULL, "red pay how=slwo", &by, &action, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "'slwo' is no word for 'how'; did you mean 'slow'?"));
    assert_int_equal(game_action_parse(&odd, NULL, "red pay with=crat", &by, &action, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "'crat' is not a kind here; did you mean 'cart'?"));
}

static void words_that_are_none_are_answered_with_those_there_are(void **unused) {
    (void)unused;
    static const struct {
        const char *line, *said;
    } rows[] = {{"1 skip", "'1' does not play here; did you mean 's1'?"},
                {"somebody skip", "'somebody' does not play here; there are: s1 s2 s3 table"},
                {"s1 shwap a=s2", "no action 'shwap'; did you mean 'swap'?"},
                {"s1 dance", "no action 'dance'; there are: deal"},
                {"s1 swap c=s2", "'swap' takes no 'c'; there are: a b"},
                {"s1 skip now=1", "'skip' takes no 'now'"},
                {"chance deal to=z9", "'z9' is not a place here; there are: s1 s2"},
                {"chance deal to=centre1", "'centre1' is not a place here; there are: s1 s2"}};
    int by;
    game_action action;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(game_action_parse(&words, state, rows[i].line, &by, &action, &err), ERROR_INVALID);
        if (!strstr(err.text, rows[i].said))
            fail_msg("%s: %s", rows[i].line, err.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layout_stays_sorted),
        cmocka_unit_test(an_error_takes_the_place_of_a_warning),
        cmocka_unit_test_setup(set_ups_come_from_words, start),
        cmocka_unit_test_setup(bad_set_ups_are_named, start),
        cmocka_unit_test_setup(an_illegal_action_is_refused_and_changes_nothing, start),
        cmocka_unit_test_setup(a_game_is_played_in_words, start),
        cmocka_unit_test_setup(lines_come_in_one_spelling, start),
        cmocka_unit_test_setup(bad_lines_say_what_is_wrong, start),
        cmocka_unit_test_setup(words_that_are_none_are_answered_with_those_there_are, start),
        cmocka_unit_test_setup(json_goes_both_ways, start),
        cmocka_unit_test_setup(only_our_own_records_are_read_back, start),
        cmocka_unit_test_setup(bad_json_says_what_is_wrong, start),
        cmocka_unit_test_setup(every_type_goes_both_ways, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
