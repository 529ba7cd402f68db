// The section [mqtt]: what is taken, what is refused and why.
#include "net/mqtt_conf.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
// cmocka needs the three above
#include <cmocka.h>

static char dir[] = "/tmp/tabled-conf-XXXXXX";

static void write_file(const char *name, const char *text, mode_t mode) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
}

static struct config *config;
static enum error_code read_conf(const char *lines, struct mqtt_conf *ret, struct error *err) {
    static const struct config_schema schemas[] = {{"mqtt", false, NULL, mqtt_keys, false}, {0}};
    char path[128], text[1024];
    snprintf(text, sizeof text, "[mqtt]\n%s\n", lines);
    write_file("tabled.conf", text, 0600);
    snprintf(path, sizeof path, "%s/tabled.conf", dir);
    config_destroy(config);
    config = NULL;
    enum error_code code = config_load(path, schemas, &config, err);
    return code != ERROR_OK ? code : mqtt_conf_read(config_find(config, "mqtt", ""), "home", ret, err);
}

static void defaults(void **state) {
    (void)state;
    struct mqtt_conf conf;
    assert_int_equal(read_conf("", &conf, NULL), ERROR_OK);
    assert_string_equal(conf.host, "localhost");
    assert_int_equal(conf.port, 1883);
    assert_string_equal(conf.client_id, "tabled-home");
    assert_string_equal(conf.root, "tabled/v1");
    assert_int_equal(conf.keepalive_s, 15);
    assert_false(conf.commands);
    assert_null(conf.password);
    assert_null(conf.socket);
    mqtt_conf_free(&conf);
}

static void a_password_comes_from_a_file_nobody_else_reads(void **state) {
    (void)state;
    struct mqtt_conf conf;
    struct error err = {0};
    write_file("secret", "p\xc3\xa4ss word \nsecond line\n", 0600);
    assert_int_equal(read_conf("password_file = secret\nusername = tabled", &conf, &err), ERROR_OK);
    assert_string_equal(conf.password, "p\xc3\xa4ss word ");
    mqtt_conf_free(&conf);
    assert_null(conf.password);
    write_file("secret", "hunter2\n", 0640);
    assert_int_equal(read_conf("password_file = secret", &conf, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "chmod 600"));
    assert_null(strstr(err.text, "hunter2"));
    assert_int_equal(read_conf("password_file = nowhere", &conf, &err), ERROR_INVALID);
    char large[2000];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    write_file("secret", large, 0600);
    assert_int_equal(read_conf("password_file = secret", &conf, &err), ERROR_INVALID);
}

static void a_password_comes_from_systemd(void **state) {
    (void)state;
    struct mqtt_conf conf;
    struct error err = {0};
    unsetenv("CREDENTIALS_DIRECTORY");
    assert_int_equal(read_conf("password_credential = broker", &conf, &err), ERROR_INVALID);
    setenv("CREDENTIALS_DIRECTORY", dir, 1);
    write_file("broker", "hunter3", 0444);
    assert_int_equal(read_conf("password_credential = broker", &conf, &err), ERROR_OK);
    assert_string_equal(conf.password, "hunter3");
    mqtt_conf_free(&conf);
    assert_int_equal(read_conf("password_credential = ../broker", &conf, &err), ERROR_INVALID);
    assert_int_equal(read_conf("password_credential = broker\npassword_file = secret", &conf, &err),
                     ERROR_INVALID);
}

static void what_cannot_work_is_refused(void **state) {
    (void)state;
    static const char *const lines[] = {
        "root = a/+/b",
        "root = /a",
        "root = a/",
        "root = a//b",
        "root = #",
        "root = $SYS",
        "root = caf\xc3\xa9",
        "port = 0",
        "port = 65536",
        "keepalive = 1s",
        "retry_min = 10s\nretry_max = 5s",
        "client_id =",
        "client_id = 01234567890123456789012345678901234567890123456789012345678901234",
        "hots = broker",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct mqtt_conf conf = {0};
        struct error err = {0};
        if (read_conf(lines[i], &conf, &err) != ERROR_INVALID)
            fail_msg("taken: %s", lines[i]);
        assert_non_null(strstr(err.where, "tabled.conf"));
        mqtt_conf_free(&conf);
    }
}

static int make_dir(void **state) {
    (void)state;
    return mkdtemp(dir) == NULL;
}

static int remove_dir(void **state) {
    (void)state;
    static const char *const names[] = {"tabled.conf", "secret", "broker"};
    config_destroy(config);
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
    return rmdir(dir);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(a_password_comes_from_a_file_nobody_else_reads),
        cmocka_unit_test(a_password_comes_from_systemd),
        cmocka_unit_test(what_cannot_work_is_refused),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
