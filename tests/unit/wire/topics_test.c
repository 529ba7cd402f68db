#include "wire/topics.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
// cmocka needs the three above
#include <cmocka.h>

static void names_of_the_design(void **state) {
    (void)state;
    char name[TOPIC_TEXT_MAX];
    assert_int_equal(topic_name(name, "tabled/v1", "home", "kitchen", TOPIC_PHASE, false), 35);
    assert_string_equal(name, "tabled/v1/home/kitchen/public/phase");
    topic_name(name, "tabled/v1", "home", "kitchen", TOPIC_EVENT, true);
    assert_string_equal(name, "tabled/v1/home/kitchen/public-pb/event");
    topic_name(name, "tabled/v1", "home", "kitchen", TOPIC_STATUS, true);
    assert_string_equal(name, "tabled/v1/home/kitchen/status");
    topic_name(name, "tabled/v1", "home", "kitchen", TOPIC_READERS, false);
    assert_string_equal(name, "tabled/v1/home/kitchen/health/readers");
    topic_daemon_status(name, "tabled/v1", "home");
    assert_string_equal(name, "tabled/v1/home/daemon/status");
}

static void events_expire_and_states_stay(void **state) {
    (void)state;
    for (int i = 0; i < TOPICS; i++) {
        bool passing = i == TOPIC_EVENT || i == TOPIC_NARRATION;
        assert_int_equal(topic_rows[i].retained, !passing);
        assert_int_equal(topic_rows[i].expiry_s, passing ? 60 : 0);
    }
}

// A root far too long leaves whole parts out and never overruns.
static void b095_no_name_is_cut_inside_a_character(void **state) {
    (void)state;
    char name[TOPIC_TEXT_MAX], root[400];
    for (size_t n = 1; n <= 160; n++) {
        root[0] = '\0';
        for (size_t i = 0; i < n && i < 130; i++)
            strcat(root, i % 3 == 0 ? "é" : i % 3 == 1 ? "桌" : "x");
        size_t len = topic_name(name, root, "home", "kitchen", TOPIC_NARRATION, true);
        assert_true(len < TOPIC_TEXT_MAX);
        assert_int_equal(strlen(name), len);
        assert_true(len == 0 || strncmp(name, root, strlen(root)) == 0 || strncmp(name, "home", 4) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_the_design),
        cmocka_unit_test(events_expire_and_states_stay),
        cmocka_unit_test(b095_no_name_is_cut_inside_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
