// The table of the board agrees with the two CSV files it is made from, and with the rules' own distances.
#include "games/elfenland/elfenland.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

#define FOLDER TESTS_DIR "/../daemon/games/elfenland/"
enum { FIELDS = 12, LINE_LENGTH = 1024 };

struct row {
    char text[LINE_LENGTH];
    const char *field[FIELDS];
};

// Fields up to the first quoted one: those that are compared come before it.
static bool read_row(FILE *file, struct row *ret) {
    if (!fgets(ret->text, sizeof ret->text, file))
        return false;
    ret->text[strcspn(ret->text, "\r\n")] = 0;
    char *at = ret->text;
    for (unsigned i = 0; i < FIELDS; i++) {
        ret->field[i] = at;
        at += strcspn(at, ",");
        if (*at)
            *at++ = 0;
    }
    return true;
}

static unsigned town_of(const char *id) {
    for (unsigned town = 0; town < TOWNS; town++)
        if (!strcmp(elfenland__towns[town].id, id))
            return town;
    fail_msg("no town %s", id);
    return 0;
}

static void towns(void **state) {
    (void)state;
    struct row row;
    FILE *file = fopen(FOLDER "towns.csv", "r");
    assert_non_null(file);
    assert_true(read_row(file, &row));
    assert_string_equal(row.field[0], "id");
    unsigned n = 0;
    for (int x, y; read_row(file, &row); n++) {
        const struct elfenland_town *town = &elfenland__towns[n];
        assert_string_equal(town->id, row.field[0]);
        assert_string_equal(town->name, row.field[1]);
        assert_int_equal(sscanf(row.field[2], "%d", &x) + sscanf(row.field[3], "%d", &y), 2);
        assert_int_equal(town->x, x);
        assert_int_equal(town->y, y);
        assert_int_equal(n == TOWN_ELVENHOLD, row.field[4][0] == '1');
        assert_int_equal(town->has_card, row.field[6][0] == '1');
        assert_int_equal(town->is_west, row.field[7][0] == '1');
        unsigned degree = 0;
        for (unsigned link = 0; link < LINKS; link++)
            degree += elfenland__links[link].a == n || elfenland__links[link].b == n;
        assert_int_equal(degree, row.field[8][0] - '0');
        assert_int_equal(elfenland__distance[0][TOWN_ELVENHOLD][n], row.field[9][0] - '0');
    }
    assert_int_equal(n, TOWNS);
    fclose(file);
}

static void links(void **state) {
    (void)state;
    static const char *const terrains[TERRAINS] = {"plains", "forest", "desert", "mountain", "river", "lake"};
    struct row row;
    unsigned n = 0, count[TERRAINS] = {0};
    FILE *file = fopen(FOLDER "map.csv", "r");
    assert_non_null(file);
    assert_true(read_row(file, &row));
    for (; read_row(file, &row); n++) {
        const struct elfenland_link *link = &elfenland__links[n];
        assert_string_equal(link->id, row.field[5]);
        assert_int_equal(link->a, town_of(row.field[0]));
        assert_int_equal(link->b, town_of(row.field[1]));
        assert_string_equal(terrains[link->terrain], row.field[2]);
        assert_int_equal(n < ROADS, !strcmp(row.field[3], "road"));
        char flow[96];
        snprintf(flow, sizeof flow, "flows %s -> %s", row.field[0], row.field[1]);
        assert_int_equal(link->terrain == TERRAIN_RIVER, !strncmp(row.field[4], flow, strlen(flow)));
        const uint8_t(*table)[TOWNS] = n < ROADS ? elfenland__road_between : elfenland__water_between;
        assert_int_equal(table[link->a][link->b], n);
        assert_int_equal(table[link->b][link->a], n);
        count[link->terrain]++;
    }
    fclose(file);
    static const unsigned wanted[TERRAINS] = {8, 12, 7, 8, 7, 6};
    assert_int_equal(n, LINKS);
    assert_memory_equal(count, wanted, sizeof count);
    unsigned pairs = 0;
    for (unsigned a = 0; a < TOWNS; a++)
        for (unsigned b = 0; b < TOWNS; b++)
            pairs += (elfenland__road_between[a][b] != NONE) + (elfenland__water_between[a][b] != NONE);
    assert_int_equal(pairs, 2 * LINKS);
}

static void distances(void **state) {
    (void)state;
    static const struct {
        const char *home, *far;
    } rows[] = {// elfenland.md 10, towns in the order of the list
                {"beata", "403123534424521336256"},      {"erg_eren", "323103532424422214235"},
                {"grangor", "252453023331144342321"},    {"ixara", "231232204211322334133"},
                {"jaccaranda", "243322340434224112413"}, {"mah_davikia", "241342114220233343232"},
                {"strykhaven", "413123424423520336155"}, {"tichih", "233212431424313103324"},
                {"usselen", "263543242443146330511"},    {"virst", "322122314312421335044"},
                {"wylhien", "152432231333135221402"},    {"yttar", "263553133442145341420"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned home = town_of(rows[i].home);
        assert_int_equal(strlen(rows[i].far), TOWNS);
        for (unsigned town = 0; town < TOWNS; town++)
            assert_int_equal(elfenland__distance[0][home][town], rows[i].far[town] - '0');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(towns),
        cmocka_unit_test(links),
        cmocka_unit_test(distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
