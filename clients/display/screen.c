#include "screen.h"
#include "core/log.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fb.h>
#include <linux/kd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const struct config_key screen_keys[] = {
    {"type", CONFIG_CHOICE, "framebuffer", .choices = "framebuffer png",
     .help = "framebuffer: a screen; png: files in a folder"},
    {"device", CONFIG_PATH, "/dev/fb0", .help = "framebuffer: which"},
    {"console", CONFIG_PATH,
     .help = "framebuffer: the console whose blinking cursor is in the way, /dev/tty1"},
    {"folder", CONFIG_PATH, .help = "png: where the files go"},
    {"width", CONFIG_INT, "1920", .min = 320, .max = 7680, .help = "png: pixels across"},
    {"height", CONFIG_INT, "1080", .min = 240, .max = 4320, .help = "png: pixels down"},
    {.name = NULL},
};

struct screen {
    char folder[PATH_MAX - 128]; // "" = a framebuffer
    int fd, console;
    struct fb_var_screeninfo var;
    struct fb_fix_screeninfo fix;
    uint8_t *memory;
    size_t memory_len;
    bool taken; // a picture was shown: until then the screen is whoever's it was
    bool failing;
};

static enum error_code open_folder(struct screen *s, const char *folder, struct error *err) {
    if (strlen(folder) >= sizeof s->folder)
        return error_set(err, ERROR_INVALID, folder, "the path is too long");
    snprintf(s->folder, sizeof s->folder, "%s", folder);
    if (mkdir(folder, 0755) != 0 && errno != EEXIST)
        return error_set(err, ERROR_INVALID, folder, "the folder cannot be made: %s", strerror(errno));
    return ERROR_OK;
}

static enum error_code open_framebuffer(struct screen *s, const struct config_section *conf,
                                        struct error *err) {
    const char *device = config_text(conf, "device"), *console = config_text(conf, "console");
    s->fd = open(device, O_RDWR | O_CLOEXEC);
    // A screen that is not there yet may come: that is no mistake of the configuration, and is tried again.
    if (s->fd < 0)
        return error_set(err, errno == EACCES ? ERROR_INVALID : ERROR_NOT_FOUND,
                         config_key_where(conf, "device"), "%s: %s%s", device, strerror(errno),
                         errno == EACCES ? "; join the group video" : "");
    if (ioctl(s->fd, FBIOGET_VSCREENINFO, &s->var) != 0 || ioctl(s->fd, FBIOGET_FSCREENINFO, &s->fix) != 0)
        return error_set(err, ERROR_INVALID, config_key_where(conf, "device"), "%s: not a framebuffer",
                         device);
    if ((s->var.bits_per_pixel != 32 && s->var.bits_per_pixel != 16) || s->var.xres == 0 ||
        s->var.yres == 0 || s->fix.line_length < s->var.xres * (s->var.bits_per_pixel / 8) ||
        s->fix.smem_len / s->fix.line_length < s->var.yres)
        return error_set(err, ERROR_INVALID, config_key_where(conf, "device"),
                         "%s: %u by %u with %u bits is not supported", device, s->var.xres, s->var.yres,
                         s->var.bits_per_pixel);
    s->memory_len = s->fix.smem_len;
    s->memory = mmap(NULL, s->memory_len, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    if (s->memory == MAP_FAILED) {
        s->memory = NULL;
        return error_set(err, ERROR_INTERNAL, device, "cannot be mapped: %s", strerror(errno));
    }
    if (console)
        s->console = open(console, O_RDWR | O_CLOEXEC);
    return ERROR_OK;
}

enum error_code screen_open(const struct config_section *conf, const char *folder, struct screen **ret,
                            int *ret_width, int *ret_height, struct error *err) {
    struct screen *s = *ret = calloc(1, sizeof *s);
    if (!s)
        log_no_memory("display");
    s->fd = s->console = -1;
    bool png = folder || !strcmp(config_text(conf, "type"), "png");
    if (png && !folder && !(folder = config_text(conf, "folder")))
        return error_set(err, ERROR_INVALID, config_where(conf), "type = png needs `folder`");
    if (png ? open_folder(s, folder, err) : open_framebuffer(s, conf, err))
        return err->code;
    *ret_width = png ? (int)config_int(conf, "width") : (int)s->var.xres;
    *ret_height = png ? (int)config_int(conf, "height") : (int)s->var.yres;
    return ERROR_OK;
}

void screen_close(struct screen *s) {
    if (!s)
        return;
    if (s->memory && s->taken)
        memset(s->memory, 0, (size_t)s->fix.line_length * s->var.yres);
    if (s->memory)
        munmap(s->memory, s->memory_len);
    if (s->console >= 0 && s->taken)
        ioctl(s->console, KDSETMODE, KD_TEXT);
    if (s->console >= 0)
        close(s->console);
    if (s->fd >= 0)
        close(s->fd);
    free(s);
}

static void copy_line(const struct screen *s, const uint32_t *from, uint8_t *to, int width) {
    if (s->var.bits_per_pixel == 32 && s->var.red.offset == 16 && s->var.blue.offset == 0) {
        memcpy(to, from, (size_t)width * 4);
        return;
    }
    for (int x = 0; x < width; x++) {
        uint32_t r = from[x] >> 16 & 255, g = from[x] >> 8 & 255, b = from[x] & 255;
        uint32_t pixel = r >> (8 - s->var.red.length) << s->var.red.offset |
                         g >> (8 - s->var.green.length) << s->var.green.offset |
                         b >> (8 - s->var.blue.length) << s->var.blue.offset;
        if (s->var.bits_per_pixel == 32)
            memcpy(to + x * 4, &pixel, 4);
        else
            memcpy(to + x * 2, &pixel, 2);
    }
}

static void take(struct screen *s) {
    if (!s->taken && s->console >= 0)
        ioctl(s->console, KDSETMODE, KD_GRAPHICS);
    s->taken = true;
}

bool screen_show(struct screen *s, const struct picture *picture, const char *name) {
    if (!*s->folder) {
        take(s);
        const uint8_t *pixels = cairo_image_surface_get_data(picture->surface);
        int stride = cairo_image_surface_get_stride(picture->surface);
        for (int y = 0; y < picture->height; y++)
            copy_line(s, (const uint32_t *)(const void *)(pixels + (size_t)y * (size_t)stride),
                      s->memory + (size_t)y * s->fix.line_length, picture->width);
        return true;
    }
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.png", s->folder, name);
    cairo_status_t status = cairo_surface_write_to_png(picture->surface, path);
    bool failing = status != CAIRO_STATUS_SUCCESS;
    if (failing && !s->failing)
        log_warning("display", "%s cannot be written: %s", path, cairo_status_to_string(status));
    s->failing = failing;
    return !failing;
}

bool screen_keeps(const struct screen *s) {
    return *s->folder != '\0';
}
