// Strips on an SPI data line: each bit of a LED is three bits on the wire (100 = 0, 110 = 1) at 2.4 MHz. SPI
// leaves sound and readers on GPIO alone (B129); a strip must not share its bus with a reader (B035).
#include "core/log.h"
#include "lamp.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    SPI_HZ = 2400000,
    REST_BYTES = 30, // low for 100 us: the strip takes the frame over
    CHANNELS_MAX = 4,
    FRAME_MAX = LAMP_LEDS_MAX * CHANNELS_MAX * 3 + REST_BYTES,
};

struct strip {
    int fd;
    uint8_t bytes[FRAME_MAX];
};

const char *lamp_spi_limit = "/sys/module/spidev/parameters/bufsiz";

// The kernel takes no longer frame than its buffer, 4096 bytes unless told otherwise: such a strip would stay
// dark.
static enum error_code check_length(const struct lamp *lamp, struct error *err) {
    size_t channels = lamp->wire == &lamp_sk6812 ? 4 : 3, bytes = lamp->n_leds * channels * 3 + REST_BYTES;
    FILE *file = fopen(lamp_spi_limit, "re");
    unsigned limit = 0;
    bool known = file && fscanf(file, "%u", &limit) == 1;
    if (file)
        fclose(file);
    if (!known || bytes <= limit)
        return ERROR_OK;
    return error_set(err, ERROR_INVALID, config_key_where(lamp->conf, "leds"),
                     "a frame of %u LEDs has %zu bytes and SPI takes %u at once: fewer LEDs, or "
                     "spidev.bufsiz=%zu on the kernel's command line",
                     lamp->n_leds, bytes, limit, bytes);
}

static enum error_code strip_open(struct lamp *lamp, struct error *err) {
    const char *device = config_text(lamp->conf, "device");
    uint32_t hz = SPI_HZ;
    uint8_t mode = SPI_MODE_0, bits = 8;
    if (!device)
        return error_set(err, ERROR_INVALID, config_where(lamp->conf), "a strip needs `device`");
    if (lamp_bus_check(lamp, device, err))
        return err->code;
    struct strip *strip = lamp->priv = calloc(1, sizeof *strip);
    if (!strip)
        log_no_memory("lights");
    strip->fd = open(device, O_WRONLY | O_CLOEXEC);
    if (strip->fd < 0)
        return error_set(err, errno == EACCES ? ERROR_INVALID : ERROR_NOT_FOUND, // it may come: tried again
                         config_key_where(lamp->conf, "device"), "%s: %s%s", device, strerror(errno),
                         errno == EACCES   ? "; join the group spi"
                         : errno == ENOENT ? "; turn SPI on with raspi-config"
                                           : "");
    // Not a spidev: a file or a pipe takes the same bytes, for tests.
    if (ioctl(strip->fd, SPI_IOC_WR_MODE, &mode) != 0)
        return ERROR_OK;
    if (ioctl(strip->fd, SPI_IOC_WR_BITS_PER_WORD, &bits) != 0 ||
        ioctl(strip->fd, SPI_IOC_WR_MAX_SPEED_HZ, &hz) != 0)
        return error_set(err, ERROR_INVALID, config_key_where(lamp->conf, "device"),
                         "%s: it does not take 2.4 MHz: %s", device, strerror(errno));
    return check_length(lamp, err);
}

static uint8_t *put_channel(uint8_t *at, uint8_t value) {
    uint32_t wire = 0;
    for (int bit = 7; bit >= 0; bit--)
        wire = wire << 3 | ((value >> bit & 1) ? 6u : 4u);
    *at++ = (uint8_t)(wire >> 16);
    *at++ = (uint8_t)(wire >> 8);
    *at++ = (uint8_t)wire;
    return at;
}

static bool strip_send(struct lamp *lamp, const struct colour *leds, bool with_white) {
    struct strip *strip = lamp->priv;
    uint8_t *at = strip->bytes;
    for (int i = 0; i < lamp->n_leds; i++) {
        struct colour c = leds[i];
        uint8_t white = 0;
        if (with_white) {
            white = c.r < c.g ? c.r : c.g;
            white = white < c.b ? white : c.b;
            c = (struct colour){(uint8_t)(c.r - white), (uint8_t)(c.g - white), (uint8_t)(c.b - white)};
        }
        at = put_channel(at, c.g);
        at = put_channel(at, c.r);
        at = put_channel(at, c.b);
        if (with_white)
            at = put_channel(at, white);
    }
    memset(at, 0, REST_BYTES);
    size_t len = (size_t)(at - strip->bytes) + REST_BYTES;
    return write(strip->fd, strip->bytes, len) == (ssize_t)len; // one message: 60 LEDs take 2 ms
}

static bool ws2812_send(struct lamp *lamp, const struct colour *leds) {
    return strip_send(lamp, leds, false);
}

static bool sk6812_send(struct lamp *lamp, const struct colour *leds) {
    return strip_send(lamp, leds, true);
}

static void strip_close(struct lamp *lamp) {
    struct strip *strip = lamp->priv;
    if (strip && strip->fd >= 0)
        close(strip->fd);
    free(strip);
    lamp->priv = NULL;
}

const struct lamp_wire lamp_ws2812 = {"ws2812", "RGB strip on SPI", strip_open, ws2812_send, strip_close};
const struct lamp_wire lamp_sk6812 = {"sk6812", "RGBW strip on SPI", strip_open, sk6812_send, strip_close};
