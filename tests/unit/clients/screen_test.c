// A framebuffer that is a file, and what the kernel is asked for, by our own ioctl in place of the kernel's.
#include "screen.h"
#include <fcntl.h>
#include <linux/fb.h>
#include <linux/kd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
// cmocka needs those above
#include <cmocka.h>

enum { WIDTH = 64, HEIGHT = 36, BYTES = WIDTH * HEIGHT * 4 };
static int mode; // of the console; -1 = nobody has set it

int ioctl(int fd, unsigned long request, ...) {
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    if (request == FBIOGET_VSCREENINFO)
        *(struct fb_var_screeninfo *)argument = (struct fb_var_screeninfo){.xres = WIDTH,
                                                                           .yres = HEIGHT,
                                                                           .bits_per_pixel = 32,
                                                                           .red = {16, 8, 0},
                                                                           .green = {8, 8, 0},
                                                                           .blue = {0, 8, 0}};
    else if (request == FBIOGET_FSCREENINFO)
        *(struct fb_fix_screeninfo *)argument =
            (struct fb_fix_screeninfo){.line_length = WIDTH * 4, .smem_len = BYTES};
    else if (request == KDSETMODE)
        mode = (int)(intptr_t)argument;
    else
        return (int)syscall(SYS_ioctl, fd, request, argument);
    return 0;
}

static struct config *configured(const char *device) {
    static const struct config_schema sections[] = {{.section = "screen", .keys = screen_keys},
                                                    {.section = NULL}};
    char path[] = "/tmp/screen_test.XXXXXX", text[200];
    struct config *config = NULL;
    int n = snprintf(text, sizeof text, "[screen]\ndevice = %s\nconsole = %s\n", device, device);
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, (size_t)n) == n);
    close(fd);
    assert_int_equal(config_load(path, sections, &config, NULL), ERROR_OK);
    unlink(path);
    return config;
}

// How many bytes of the screen are still those that another program put there.
static unsigned others(int fd) {
    static uint8_t bytes[BYTES];
    unsigned n = 0;
    assert_int_equal(pread(fd, bytes, BYTES, 0), BYTES);
    for (unsigned i = 0; i < BYTES; i++)
        n += bytes[i] == 0xAA;
    return n;
}

// --check-config beside a display that runs, or a second one that stumbles over its configuration.
static void a_screen_is_left_alone_until_something_is_shown(void **state) {
    (void)state;
    static uint8_t theirs[BYTES];
    char path[] = "/tmp/screen_test.XXXXXX";
    int fd = mkstemp(path), width, height;
    memset(theirs, 0xAA, BYTES);
    assert_int_equal(write(fd, theirs, BYTES), BYTES);
    struct config *config = configured(path);
    struct screen *screen = NULL;
    mode = -1;
    assert_int_equal(screen_open(config_only(config, "screen"), NULL, &screen, &width, &height, NULL),
                     ERROR_OK);
    assert_true(width == WIDTH && height == HEIGHT);
    screen_close(screen);
    assert_int_equal(others(fd), BYTES);
    assert_int_equal(mode, -1);
    struct picture picture;
    assert_true(picture_open(&picture, WIDTH, HEIGHT));
    picture_fill(&picture, (struct ink){1, 0, 0, 1});
    assert_int_equal(screen_open(config_only(config, "screen"), NULL, &screen, &width, &height, NULL),
                     ERROR_OK);
    assert_true(screen_show(screen, &picture, "day"));
    assert_int_equal(others(fd), 0);
    assert_int_equal(mode, KD_GRAPHICS);
    screen_close(screen);
    assert_int_equal(mode, KD_TEXT);
    picture_close(&picture);
    config_destroy(config);
    close(fd);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_screen_is_left_alone_until_something_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
