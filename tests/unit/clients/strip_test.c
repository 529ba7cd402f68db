// Strips on an SPI device, by our own ioctl in place of the kernel's.
#include "lamp.h"
#include <linux/spi/spidev.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
// cmocka needs those above
#include <cmocka.h>

int ioctl(int fd, unsigned long request, ...) {
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    if (request == SPI_IOC_WR_MODE || request == SPI_IOC_WR_BITS_PER_WORD ||
        request == SPI_IOC_WR_MAX_SPEED_HZ)
        return 0;
    return (int)syscall(SYS_ioctl, fd, request, argument);
}

static void write_file(char *path, const char *text) {
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

static enum error_code opened(const char *type, int leds, struct error *err) {
    static const struct config_schema sections[] = {
        {.section = "lamp", .labelled = true, .label_help = "NAME", .keys = lamp_keys},
        {.section = "leds", .labelled = true, .label_help = "LAMP"},
        {.section = NULL},
    };
    char device[] = "/tmp/strip_test.XXXXXX", path[] = "/tmp/strip_test.XXXXXX", text[160];
    struct config *config = NULL;
    struct lamp *lamp = calloc(1, sizeof *lamp);
    write_file(device, "");
    snprintf(text, sizeof text, "[lamp rim]\ntype = %s\ndevice = %s\nleds = %d\n", type, device, leds);
    write_file(path, text);
    assert_int_equal(config_load(path, sections, &config, NULL), ERROR_OK);
    enum error_code code = lamp_open(lamp, NULL, config, config_find(config, "lamp", "rim"), NULL, err);
    lamp_close(lamp);
    free(lamp);
    config_destroy(config);
    unlink(path);
    unlink(device);
    return code;
}

static void a_strip_longer_than_the_kernels_buffer_is_told(void **state) {
    (void)state;
    static const struct {
        const char *type;
        int most;
    } rows[] = {{"ws2812", 451}, {"sk6812", 338}};
    char limit[] = "/tmp/strip_test.XXXXXX";
    struct error err = {0};
    write_file(limit, "4096\n");
    lamp_spi_limit = limit;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(opened(rows[i].type, rows[i].most, &err), ERROR_OK);
        assert_int_equal(opened(rows[i].type, rows[i].most + 1, &err), ERROR_INVALID);
        assert_non_null(strstr(err.text, "spidev.bufsiz"));
    }
    unlink(limit); // a kernel that does not say it
    assert_int_equal(opened("sk6812", LAMP_LEDS_MAX, &err), ERROR_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strip_longer_than_the_kernels_buffer_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
