// What the tests of the referee share: one rig, and what a verdict should say.
#pragma once
#include "puppet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
// cmocka comes last: it needs the above
#include <cmocka.h>

static struct rig rig;

static inline int start(void **state) {
    (void)state;
    rig_start(&rig, 6, 12);
    return 0;
}
static inline int end(void **state) {
    (void)state;
    rig_end(&rig);
    return 0;
}
static inline void expect_type(enum verdict_type type) {
    assert_int_equal(judge(&rig)->type, type);
}
static inline void expect_explained(unsigned n, game_action first, game_action second) {
    expect_type(VERDICT_EXPLAINED);
    assert_int_equal(rig.verdict.n_actions, n);
    assert_int_equal(rig.verdict.action[0].action, first);
    if (n > 1)
        assert_int_equal(rig.verdict.action[1].action, second);
}
static inline void expect_repair(unsigned i, game_place take, game_place put, game_slot slot) {
    assert_true(i < rig.verdict.n_repairs);
    assert_int_equal(rig.verdict.repairs[i].take, take);
    assert_int_equal(rig.verdict.repairs[i].put, put);
    assert_int_equal(rig.verdict.repairs[i].slot, slot);
}
static inline void expect_rule(const char *rule) {
    expect_type(VERDICT_WRONG);
    assert_string_equal(rig.verdict.rule, rule);
}
static void swap(game_place a, game_place b) { // tile i of place i
    lift(&rig, a, a), lift(&rig, b, b);
    drop(&rig, a, b), drop(&rig, b, a);
}
static inline struct game_visit visit(enum game_visit_type type, game_place place, uint16_t what) {
    return (struct game_visit){(uint8_t)type, place, what};
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
