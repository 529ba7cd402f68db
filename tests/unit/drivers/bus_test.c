// Who may share a bus, and the names of lines.
#include "drivers/bus.h"
#include "drivers/bus_users.h"
#include "unit/drivers/fixture.h"
#include <errno.h>
#include <fcntl.h>

#define READER(name, kind_, path_, number_)                                                                  \
    (struct bus_user) {                                                                                      \
        .who = "reader " name, .where = name, .kind = kind_, .path = path_, .number = number_                \
    }
#define LAMP(path_)                                                                                          \
    (struct bus_user) {                                                                                      \
        .who = "lamp ring", .where = "lamp", .lamp = true, .kind = BUS_SPI, .path = path_                    \
    }

static void b035_lamps_and_readers_on_one_bus(void **state) {
    (void)state;
    struct error err = {0};
    const struct bus_user apart[] = {LAMP("/dev/spidev1.0"), READER("a", BUS_SPI, "/dev/spidev0.0", 0),
                                     READER("b", BUS_SPI, "/dev/spidev0.1", 0),
                                     READER("c", BUS_I2C, "/dev/i2c-1", 0x24)};
    assert_int_equal(bus_users_check(apart, 4, &err), ERROR_OK);
    const struct bus_user together[] = {READER("a", BUS_SPI, "/dev/spidev0.0", 0), LAMP("/dev/spidev0.1")};
    assert_int_equal(bus_users_check(together, 2, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "reader a and lamp ring"));
    assert_string_equal(err.where, "lamp");
    const struct bus_user reversed[] = {LAMP("/dev/spidev0.1"), READER("a", BUS_SPI, "/dev/spidev0.0", -1)};
    assert_int_equal(bus_users_check(reversed, 2, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "lamp ring and reader a"));
}

static void nothing_is_used_twice(void **state) {
    (void)state;
    const struct {
        struct bus_user pair[2];
        bool refused;
    } rows[] = {
        {{READER("a", BUS_SPI, "/dev/spidev0.0", 0), READER("b", BUS_SPI, "/dev/spidev0.0", 0)}, true},
        {{READER("a", BUS_SPI, "/dev/spidev0.0", 0), READER("b", BUS_SPI, "/dev/spidev0.0", -1)}, true},
        {{READER("a", BUS_SPI, "/dev/spidev0.0", -1), READER("b", BUS_SPI, "/dev/spidev0.0", -1)}, false},
        {{READER("a", BUS_GPIO, "/dev/gpiochip0", 5), READER("b", BUS_GPIO, "/dev/gpiochip0", 5)}, true},
        {{READER("a", BUS_GPIO, "/dev/gpiochip0", 5), READER("b", BUS_GPIO, "/dev/gpiochip1", 5)}, false},
        {{READER("a", BUS_I2C, "/dev/i2c-1", 36), READER("b", BUS_I2C, "/dev/i2c-1", 36)}, true},
        {{READER("a", BUS_I2C, "/dev/i2c-1", 36), READER("b", BUS_I2C, "/dev/i2c-1", 37)}, false},
        {{READER("a", BUS_SERIAL, "/dev/ttyS0", 0), READER("b", BUS_SERIAL, "/dev/ttyS0", 0)}, true},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {0};
        if ((bus_users_check(rows[i].pair, 2, &err) != ERROR_OK) != rows[i].refused)
            fail_msg("row %u: %s", i, err.text);
    }
}

static void lines_have_names(void **state) {
    (void)state;
    struct bus_lines lines;
    assert_true(bus_lines_parse("", &lines));
    assert_int_equal(lines.n, 0);
    assert_true(bus_lines_parse(" gpiochip0:17  /dev/gpiochip0:5 ", &lines));
    assert_string_equal(lines.path, "/dev/gpiochip0");
    assert_int_equal(lines.n, 2);
    assert_int_equal(lines.line[1], 5);
    static const char *const wrong[] = {"17",
                                        "gpiochip0",
                                        "gpiochip0:",
                                        "gpiochip0:x",
                                        "gpiochip0:1,2",
                                        "gpiochip0:1 gpiochip1:2",
                                        "gpiochip0:1 gpiochip0:1",
                                        "gpiochip0:1234"};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(bus_lines_parse(wrong[i], &lines));
}

// The real functions, on paths that are not what they should be.
static void b029_the_kernel_says_what_is_wrong(void **state) {
    (void)state;
    const struct bus_ops *ops = bus_ops();
    struct error err = {0};
    unsigned line = 0;
    assert_int_equal(ops->spi_open(ops->ctx, "/dev/spidev9.9", 1000000, false), -ENOENT);
    assert_int_equal(ops->i2c_open(ops->ctx, "/dev/i2c-99"), -ENOENT);
    assert_int_equal(ops->gpio_open(ops->ctx, "/dev/gpiochip99", &line, 1, 0), -ENOENT);
    assert_int_equal(ops->spi_open(ops->ctx, "/dev/null", 1000000, false), -ENOTTY);
    assert_int_equal(ops->i2c_open(ops->ctx, "/dev/null"), -ENOTTY);
    assert_int_equal(ops->gpio_open(ops->ctx, "/dev/null", &line, 1, 0), -ENOTTY);
    assert_int_equal(bus_explain(ENOENT, "/dev/spidev9.9", &err), ERROR_NOT_FOUND);
    assert_non_null(strstr(err.text, "raspi-config"));
    assert_int_equal(bus_explain(EACCES, "/dev/i2c-1", &err), ERROR_FORBIDDEN);
    assert_int_equal(bus_explain(EXFULL, "/dev/i2c-1", &err), ERROR_NOT_FOUND);
}

static unsigned finished;
static void job_done(void *ctx, struct bus_i2c_job *job) {
    (void)ctx;
    finished++;
    assert_int_equal(job->result, -ENOTTY);
}

static int open_null(void *ctx, const char *path) {
    (void)ctx, (void)path;
    return open("/dev/null", O_RDWR | O_CLOEXEC);
}

// A transfer that fails comes back through the worker, and closing with one under way leaves nothing behind.
static void i2c_transfers_run_in_a_worker(void **state) {
    (void)state;
    struct fixture f;
    struct error err;
    struct bus_i2c bus = {0};
    struct bus_i2c_job job = {.address = 0x24, .n_tx = 1, .done = job_done};
    struct bus_ops ops = *bus_ops();
    fixture_open(&f, false);
    ops.i2c_open = open_null;
    bus_set_ops(&ops);
    assert_int_equal(bus_i2c_open(&bus, f.loop, "/dev/i2c-1", NULL, &err), ERROR_OK);
    finished = 0;
    for (unsigned i = 0; i < 3; i++) {
        assert_true(bus_i2c_start(&bus, &job));
        assert_false(bus_i2c_start(&bus, &job)); // one at a time
        FIXTURE_UNTIL(&f, finished == i + 1);
    }
    assert_true(bus_i2c_start(&bus, &job));
    bus_i2c_close(&bus);
    assert_int_equal(finished, 3);
    bus_set_ops(NULL);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b035_lamps_and_readers_on_one_bus),
        cmocka_unit_test(nothing_is_used_twice),
        cmocka_unit_test(lines_have_names),
        cmocka_unit_test(b029_the_kernel_says_what_is_wrong),
        cmocka_unit_test(i2c_transfers_run_in_a_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
