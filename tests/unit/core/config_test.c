#include "core/config.h"
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct config_key daemon_keys[] = {
    {.name = "site", .type = CONFIG_NAME, .fallback = "home", .help = "name of the house"},
    {.name = "journal", .type = CONFIG_PATH, .fallback = "journal.db"},
    {.name = "level", .type = CONFIG_CHOICE, .fallback = "info", .choices = "error warning info debug"},
    {.name = "title", .type = CONFIG_TEXT, .fallback = ""},
    {0},
};
static const struct config_key pad_keys[] = {
    {.name = "reader", .type = CONFIG_NAME, .required = true, .help = "name of a [reader]"},
    {.name = "antenna", .type = CONFIG_INT, .fallback = "0", .min = 0, .max = 255},
    {.name = "x", .type = CONFIG_INT},
    {.name = "look", .type = CONFIG_DURATION, .fallback = "600ms", .min = 100, .max = 10000},
    {.name = "tap", .type = CONFIG_BOOL, .fallback = "no"},
    {0},
};
static const struct config_key reader_keys[] = {
    {.name = "driver", .type = CONFIG_CHOICE, .required = true, .choices = "node pn532 pcsc"},
    {0},
};
static const struct config_key serial_keys[] = {
    {.name = "port", .type = CONFIG_PATH, .required = true, .help = "the serial port"},
    {.name = "baud", .type = CONFIG_INT, .fallback = "115200", .min = 9600, .max = 4000000},
    {0},
};
static const struct config_schema schemas[] = {
    {.section = "daemon", .keys = daemon_keys},
    {.section = "pad", .labelled = true, .label_help = "NAME", .keys = pad_keys},
    {.section = "reader", .labelled = true, .keys = reader_keys, .open = true},
    {.section = "map", .labelled = true, .label_help = "TABLE/GAME"},
    {0},
};

static char folder[64], path[96];
static struct config *config;
static struct error err;

static void write_bytes(const char *name, const char *text, size_t len) {
    char file[256];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, len, f), len);
    fclose(f);
}

static void write_file(const char *name, const char *text) {
    write_bytes(name, text, strlen(text));
}

static enum error_code load(const char *text) {
    config_destroy(config);
    config = NULL;
    memset(&err, 0, sizeof err);
    if (text)
        write_file("t.conf", text);
    return config_load(path, schemas, &config, &err);
}

static void must_load(const char *text) {
    if (load(text) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
}

// An error at a line, with words that help.
static void must_fail(const char *text, const char *where, const char *words) {
    assert_int_equal(load(text), ERROR_INVALID);
    if (!strstr(err.text, words) || strcmp(err.where, where) != 0)
        fail_msg("expected %s: %s\n     got %s: %s", where, words, err.where, err.text);
    assert_null(config);
}

static int set_up(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/config_test.XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/t.conf", folder);
    return 0;
}

static void remove_folder(const char *name) {
    DIR *dir = opendir(name);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2)
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(name);
}

static int tear_down(void **state) {
    (void)state;
    config_destroy(config);
    config = NULL;
    char drop_ins[128];
    snprintf(drop_ins, sizeof drop_ins, "%s.d", path);
    remove_folder(drop_ins);
    remove_folder(folder);
    return 0;
}

static void values_have_their_types(void **state) {
    (void)state;
    must_load(
        "# a comment\n"
        "; another\n"
        "[daemon]\n"
        "site = den\r\n"
        "journal=sub/j.db\n"
        "   level :  debug  \n"
        "title = The big one = \xE2\x82\xAC;5\n"
        "\n"
        "[pad s1]\n"
        "reader = north\n"
        "antenna = 255\n"
        "x = -40\n"
        "look = 2 s\n"
        "tap = yes");
    const struct config_section *daemon = config_find(config, "daemon", NULL);
    assert_string_equal(config_text(daemon, "site"), "den");
    char expected[128];
    snprintf(expected, sizeof expected, "%s/sub/j.db", folder);
    assert_string_equal(config_text(daemon, "journal"), expected);
    assert_string_equal(config_text(daemon, "level"), "debug");
    assert_string_equal(config_text(daemon, "title"), "The big one = \xE2\x82\xAC;5");
    const struct config_section *pad = config_find(config, "pad", "s1");
    assert_string_equal(config_label(pad), "s1");
    assert_int_equal(config_int(pad, "antenna"), 255);
    assert_int_equal(config_int(pad, "x"), -40);
    assert_int_equal(config_int(pad, "look"), 2000);
    assert_true(config_bool(pad, "tap"));
    assert_string_equal(config_where(pad), "t.conf:9");
    assert_string_equal(config_key_where(pad, "look"), "t.conf:13");
    assert_string_equal(config_label(daemon), "");
}

static void fallbacks_fill_in(void **state) {
    (void)state;
    must_load("[pad s1]\nreader = a\n");
    const struct config_section *pad = config_find(config, "pad", "s1");
    assert_int_equal(config_int(pad, "look"), 600);
    assert_false(config_bool(pad, "tap"));
    assert_null(config_text(pad, "x"));
    assert_int_equal(config_int(pad, "x"), 0);
    assert_string_equal(config_key_where(pad, "look"), "default");
    assert_int_equal(config_pairs(pad), 1);
    // A section that is not there: absent for those who ask, made of fallbacks for those who need one.
    assert_null(config_find(config, "daemon", NULL));
    assert_null(config_next(config, "daemon", NULL));
    assert_null(config_text(NULL, "site"));
    const struct config_section *daemon = config_only(config, "daemon");
    assert_string_equal(config_text(daemon, "site"), "home");
    assert_string_equal(config_where(daemon), "default");
    assert_string_equal(config_text(daemon, "title"), "");
}

static void paths_count_from_their_file(void **state) {
    (void)state;
    must_load("[daemon]\njournal = :memory:\n");
    assert_string_equal(config_text(config_only(config, "daemon"), "journal"), ":memory:");
    must_load("[daemon]\njournal = /var/lib/j.db\n");
    assert_string_equal(config_text(config_only(config, "daemon"), "journal"), "/var/lib/j.db");
    must_load("");
    char expected[128];
    snprintf(expected, sizeof expected, "%s/journal.db", folder);
    assert_string_equal(config_text(config_only(config, "daemon"), "journal"), expected);
}

static void sections_come_in_order(void **state) {
    (void)state;
    must_load("[pad b]\nreader=r\n[reader r]\ndriver=node\n[pad a]\nreader=r\n[ pad  c ]\nreader=r\n");
    char order[8] = "";
    const struct config_section *pad = NULL;
    while ((pad = config_next(config, "pad", pad)))
        strcat(order, config_label(pad));
    assert_string_equal(order, "bac");
}

static void a_map_takes_every_key(void **state) {
    (void)state;
    must_load("[map den/one_night]\nc1 = mid1\nhex.3,-1 = p7\nseat_red.pay = a b\n");
    const struct config_section *map = config_find(config, "map", "den/one_night");
    assert_non_null(map);
    assert_int_equal(config_pairs(map), 3);
    const char *value, *where;
    assert_string_equal(config_pair(map, 1, &value, &where), "hex.3,-1");
    assert_string_equal(value, "p7");
    assert_string_equal(where, "t.conf:3");
}

static void labels_are_checked(void **state) {
    (void)state;
    must_fail("[pad]\n", "t.conf:1", "needs a label: [pad NAME]");
    must_fail("[daemon x]\n", "t.conf:1", "takes no label");
    must_fail("[pad S1]\n", "t.conf:1", "'S1' is no label");
    must_fail("[pad a b]\n", "t.conf:1", "at most one label");
    must_fail("[pad abcdefghijklmnopqrstuvwxyz0123456]\n", "t.conf:1", "is no label");
    must_fail("[map den]\n", "t.conf:1", "no label of [map TABLE/GAME]");
    must_fail("[map den/One]\n", "t.conf:1", "no label");
    must_fail("[map den/one/two]\n", "t.conf:1", "no label");
    must_fail("[map den/]\n", "t.conf:1", "no label");
    must_fail("[pad a/b]\n", "t.conf:1", "no label");
    must_fail("[]\n", "t.conf:1", "needs a name");
    must_fail("[pad s1\n", "t.conf:1", "']' is missing");
    must_fail("[pad s1] x\n", "t.conf:1", "nothing may follow");
}

static void what_is_unknown_is_named(void **state) {
    (void)state;
    must_fail("\n[demon]\n", "t.conf:2", "unknown section [demon]; did you mean [daemon]?");
    must_fail("[elephant]\n", "t.conf:1", "unknown section [elephant]");
    assert_null(strstr(err.text, "did you mean"));
    must_fail("[daemon]\nsiet = x\n", "t.conf:2", "[daemon] has no key 'siet'; did you mean 'site'?");
    must_fail("[daemon]\nlevel = inof\n", "t.conf:2",
              "did you mean 'info'? One of: error warning info debug");
    must_fail("[daemon]\nlevel = loud\n", "t.conf:2", "must be one of: error");
}

static void what_is_twice_is_refused(void **state) {
    (void)state;
    must_fail("[daemon]\nsite = a\n[pad s1]\nreader = r\n[daemon]\n", "t.conf:5",
              "[daemon] was there already, at t.conf:1");
    must_fail("[pad s1]\nreader = r\n[pad s1]\n", "t.conf:3", "[pad s1] was there already, at t.conf:1");
    must_fail("[daemon]\nsite = a\ntitle = b\nsite = a\n", "t.conf:4", "site was set already, at t.conf:2");
}

static void values_out_of_range(void **state) {
    (void)state;
#define PAD "[pad s1]\nreader = r\n"
    must_fail(PAD "antenna = 256\n", "t.conf:3", "antenna = 256: must be between 0 and 255");
    must_fail(PAD "antenna = -1\n", "t.conf:3", "must be between");
    must_fail(PAD "antenna = 99999999999999999999\n", "t.conf:3", "must be a whole number");
    must_fail(PAD "antenna = 1.5\n", "t.conf:3", "must be a whole number");
    must_fail(PAD "antenna = 0x10\n", "t.conf:3", "must be a whole number");
    must_fail(PAD "antenna =\n", "t.conf:3", "must be a whole number");
    must_fail(PAD "look = 600\n", "t.conf:3", "a unit, like 250ms 3s 2min 1h");
    must_fail(PAD "look = 1h\n", "t.conf:3", "must be between 100ms and 10s");
    must_fail(PAD "look = -1s\n", "t.conf:3", "a unit");
    must_fail(PAD "look = 9223372036854775807h\n", "t.conf:3", "a unit");
    must_fail(PAD "tap = maybe\n", "t.conf:3", "must be yes or no");
    must_fail("[pad s1]\nreader = North\n", "t.conf:2", "1 to 32 of the characters");
    must_fail("[pad s1]\nreader =\n", "t.conf:2", "needs a value");
    must_fail("[pad s1]\ntap = no\n", "t.conf:1", "[pad s1] needs the key 'reader': name of a [reader]");
}

static void what_libinih_would_mistake(void **state) {
    (void)state;
    char text[1024];
    snprintf(text, sizeof text, "[daemon]\ntitle = %0300d\n", 7);
    must_fail(text, "t.conf:2", "the line is too long: 308 bytes, at most ");
    snprintf(text, sizeof text, "[daemon]\ntitle = %0180d\n", 7);
    must_load(text);
    assert_int_equal(strlen(config_text(config_only(config, "daemon"), "title")), 180);
    snprintf(text, sizeof text, "#%0500d\n[daemon]\n", 7);
    must_load(text); // a comment may be as long as it likes
    must_fail("[daemon]\ntitle = a ; b\n", "t.conf:2", "a comment stands on a line of its own");
    must_fail("[daemon]\ntitle = ;b\n", "t.conf:2", "a comment stands on a line of its own");
    must_fail("[daemon]\ntitle\n", "t.conf:2", "neither [section] nor key = value");
    must_fail("[daemon]\n= x\n", "t.conf:2", "a key is missing");
    must_fail("site = x\n", "t.conf:1", "a key before the first [section]");
    must_load("[daemon]\ntitle = a\n  site = den\n"); // not a second line of the title
    assert_string_equal(config_text(config_only(config, "daemon"), "title"), "a");
    assert_string_equal(config_text(config_only(config, "daemon"), "site"), "den");
}

static void what_is_no_text(void **state) {
    (void)state;
    must_fail("\xEF\xBB\xBF[daemon]\n", "t.conf:1", "byte order mark");
    must_fail("[daemon]\ntitle = caf\xE9\n", "t.conf:2", "not UTF-8");
    must_fail("# \xFF\n", "t.conf:1", "not UTF-8");
    must_fail("[daemon]\ntitle = a\x1B[2J\n", "t.conf:2", "a control character");
    must_fail("[daemon]\rsite = x\n", "t.conf:1", "a control character");
    write_bytes("t.conf", "[daemon]\n\0\n", 11);
    must_fail(NULL, "t.conf:2", "a NUL byte");
}

static void files_that_are_none(void **state) {
    (void)state;
    assert_int_equal(load(NULL), ERROR_NOT_FOUND);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(load(NULL), ERROR_INVALID);
    rmdir(path);
    must_load("");
    must_load("[daemon]");
}

static void later_files_win(void **state) {
    (void)state;
    char drop_ins[128];
    snprintf(drop_ins, sizeof drop_ins, "%s.d", path);
    assert_int_equal(mkdir(drop_ins, 0700), 0);
    write_file("t.conf.d/20-b.conf", "[daemon]\nsite = second\njournal = b.db\n");
    write_file("t.conf.d/10-a.conf", "[daemon]\nsite = first\ntitle = first\n[pad s2]\nreader = r\n");
    write_file("t.conf.d/ignored.txt", "nonsense");
    write_file("t.conf.d/.hidden.conf", "nonsense");
    must_load("[daemon]\nsite = main\nlevel = error\n[pad s1]\nreader = r\n");
    const struct config_section *daemon = config_find(config, "daemon", "");
    assert_string_equal(config_text(daemon, "site"), "second");
    assert_string_equal(config_key_where(daemon, "site"), "t.conf.d/20-b.conf:2");
    assert_string_equal(config_text(daemon, "title"), "first");
    assert_string_equal(config_text(daemon, "level"), "error");
    char expected[256];
    snprintf(expected, sizeof expected, "%s/b.db", drop_ins);
    assert_string_equal(config_text(daemon, "journal"), expected);
    assert_non_null(config_find(config, "pad", "s2"));
    write_file("t.conf.d/30-c.conf", "[pad s3]\n");
    must_fail(NULL, "t.conf.d/30-c.conf:1", "needs the key 'reader'");
    write_file("t.conf.d/30-c.conf", "[daemon]\nsite = a\nsite = b\n");
    must_fail(NULL, "t.conf.d/30-c.conf:3", "was set already, at t.conf.d/30-c.conf:2");
}

static void open_sections_are_checked_later(void **state) {
    (void)state;
    must_load("[reader north]\ndriver = node\nport = tty0\nbaud = 9600\n[reader south]\ndriver = pcsc\n");
    const struct config_section *north = config_find(config, "reader", "north");
    assert_string_equal(config_text(north, "baud"), "9600");
    assert_int_equal(config_check_keys(config, north, serial_keys, &err), ERROR_OK);
    assert_int_equal(config_check_keys(config, north, serial_keys, &err), ERROR_OK); // again is harmless
    assert_int_equal(config_int(north, "baud"), 9600);
    char expected[128];
    snprintf(expected, sizeof expected, "%s/tty0", folder);
    assert_string_equal(config_text(north, "port"), expected);
    const struct config_section *south = config_find(config, "reader", "south");
    assert_int_equal(config_check_keys(config, south, serial_keys, &err), ERROR_INVALID);
    assert_string_equal(err.where, "t.conf:5");
    assert_non_null(strstr(err.text, "[reader south] needs the key 'port': the serial port"));
    must_load("[reader north]\ndriver = node\nport = a\nbadu = 1\n");
    north = config_find(config, "reader", "north");
    assert_int_equal(config_check_keys(config, north, serial_keys, &err), ERROR_INVALID);
    assert_string_equal(err.where, "t.conf:4");
    assert_non_null(strstr(err.text, "did you mean 'baud'?"));
    must_load("[reader north]\ndriver = node\nport = a\n");
    north = config_find(config, "reader", "north");
    assert_int_equal(config_check_keys(config, north, serial_keys, &err), ERROR_OK);
    assert_int_equal(config_int(north, "baud"), 115200);
    must_load("[reader north]\ndriver = node\nport = a\nbaud = 1\n");
    north = config_find(config, "reader", "north");
    assert_int_equal(config_check_keys(config, north, serial_keys, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "must be between 9600 and 4000000"));
}

static void many_sections(void **state) {
    (void)state;
    enum { N = 3000 };
    char *text = malloc(N * 40), *p = text;
    for (int i = 0; i < N; i++)
        p += sprintf(p, "[pad p%d]\nreader = r%d\n", i, i % 7);
    must_load(text);
    free(text);
    assert_string_equal(config_text(config_find(config, "pad", "p2999"), "reader"), "r3");
    int n = 0;
    for (const struct config_section *pad = NULL; (pad = config_next(config, "pad", pad));)
        n++;
    assert_int_equal(n, N);
}

static void names_and_words(void **state) {
    (void)state;
    assert_true(config_name_ok("a-1") && config_word_ok("a_1"));
    assert_false(config_name_ok("a_1") || config_word_ok("a-1") || config_name_ok("") || config_word_ok("A"));
    assert_true(config_name_ok("01234567890123456789012345678901"));
    assert_false(config_name_ok("012345678901234567890123456789012"));
    const char *const words[] = {"werewolf", "seer", "robber", "troublemaker", NULL};
    assert_string_equal(config_did_you_mean("wearwolf", words), "werewolf");
    assert_string_equal(config_did_you_mean("sere", words), "seer");
    assert_string_equal(config_did_you_mean("ROBBER", words), "robber");
    assert_string_equal(config_did_you_mean("trouble", words), "troublemaker");
    assert_null(config_did_you_mean("hunter", words));
    assert_null(config_did_you_mean("", words));
}

static void what_there_is_instead(void **state) {
    (void)state;
    static const char *const words[] = {"werewolf", "seer", "robber", NULL};
    static const struct {
        const char *name;
        int more;
    } rows[] = {{"two", 2}, {"four", 4}};
    const char *many[100];
    char told[CONFIG_INSTEAD_MAX];
#define INSTEAD(text, of, n) config_instead(text, of, sizeof *(of), n, told)
    assert_string_equal(INSTEAD("sere", words, SIZE_MAX), "; did you mean 'seer'?");
    assert_string_equal(INSTEAD("hunter", words, SIZE_MAX), "; there are: werewolf seer robber");
    assert_string_equal(INSTEAD("hunter", words, 1), "; there are: werewolf");
    assert_string_equal(INSTEAD("", words, 0), "");
    assert_string_equal(INSTEAD("fuor", rows, 2), "; did you mean 'four'?");
    assert_string_equal(INSTEAD("eight", rows, 2), "; there are: two four");
    assert_string_equal(config_instead("x", NULL, sizeof *rows, 2, told), "");
    for (size_t i = 0; i < 100; i++)
        many[i] = i ? "gargoyle" : "ape";
    assert_null(strstr(INSTEAD("hunter", many, 100), "gargoyle gargoyl "));
    assert_string_equal(told + strlen(told) - 13, " gargoyle ...");
    assert_in_range(strlen(told), CONFIG_INSTEAD_MAX - 12, CONFIG_INSTEAD_MAX - 1);
    static char long_word[2 * CONFIG_INSTEAD_MAX];
    memset(long_word, 'x', sizeof long_word - 1);
    many[0] = long_word;
    assert_string_equal(INSTEAD("hunter", many, 100), "; there are: ...");
    assert_string_equal(INSTEAD(long_word, many, 100), "; there are: ...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(values_have_their_types),
        TEST(fallbacks_fill_in),
        TEST(paths_count_from_their_file),
        TEST(sections_come_in_order),
        TEST(a_map_takes_every_key),
        TEST(labels_are_checked),
        TEST(what_is_unknown_is_named),
        TEST(what_is_twice_is_refused),
        TEST(values_out_of_range),
        TEST(what_libinih_would_mistake),
        TEST(what_is_no_text),
        TEST(files_that_are_none),
        TEST(later_files_win),
        TEST(open_sections_are_checked_later),
        TEST(many_sections),
        cmocka_unit_test(names_and_words),
        cmocka_unit_test(what_there_is_instead),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
