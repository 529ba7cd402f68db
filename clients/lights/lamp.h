// A lamp: a row of LEDs, which of them stand at which place, and the wire they hang on.
#pragma once
#include "core/config.h"
#include "core/error.h"
#include "core/loop.h"
#include "scene.h"

enum { LAMP_LEDS_MAX = 480, LAMPS_MAX = 16, LAMP_SPANS_MAX = 128 };

struct lamp;
// How a frame gets out. `send` never blocks the loop; false: it did not go and is tried again with the next.
struct lamp_wire {
    const char *name, *summary;
    enum error_code (*open)(struct lamp *lamp, struct error *err);
    bool (*send)(struct lamp *lamp, const struct colour *leds);
    void (*close)(struct lamp *lamp);
};
extern const struct lamp_wire lamp_ddp, lamp_ws2812, lamp_sk6812, lamp_record;
extern const char *lamp_spi_limit; // a file: how many bytes spidev takes at once; a test has its own
// ERROR_INVALID names the pair: a reader of the daemon's configuration (key `readers`) is on the strip's bus.
enum error_code lamp_bus_check(const struct lamp *lamp, const char *device, struct error *err);

struct lamp_span {
    char place[33];
    uint16_t first, last; // first > last: the place is wired backwards
};
struct lamp {
    char name[33];
    const struct lamp_wire *wire;
    const struct config_section *conf; // borrowed
    struct loop *loop;
    const char *output; // all lamps record there in place of their wires; NULL = none
    uint16_t n_leds, n_spans;
    struct lamp_span span[LAMP_SPANS_MAX];
    struct lamp_span ring; // place "" = none
    unsigned day_percent, night_percent;
    // The picture on its way: sixteen bits a channel, so that slow fades do not stand still.
    uint16_t level[LAMP_LEDS_MAX][3];
    struct colour shown[LAMP_LEDS_MAX];
    int64_t drawn_us, sent_us;
    bool drawn, sent; // at least once
    bool settled;     // what is shown is where the scene wants it
    bool failing;     // the last frame did not go
    void *priv;       // the wire's
};

extern const struct config_key lamp_keys[]; // section [lamp NAME]
// Reads [lamp NAME] and its [leds NAME], opens the wire.
enum error_code lamp_open(struct lamp *lamp, struct loop *loop, const struct config *config,
                          const struct config_section *conf, const char *output, struct error *err);
void lamp_close(struct lamp *lamp);                                            // also after a failed open
const struct lamp_span *lamp_find(const struct lamp *lamp, const char *place); // NULL = it has no such LEDs
