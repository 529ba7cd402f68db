// What the broker brings for a reader: plain messages of any firmware and sealed frames. The first byte
// chooses.
#include "drivers/driver.h"
#include "drivers/mqtt_reader_frame.h"
#include "drivers/mqtt_reader_plain.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_id(const struct id *id) {
    if (id->len != 4 && id->len != 7 && id->len != 10)
        abort();
}

static void plain(const uint8_t *data, size_t size) {
    struct id id;
    char *text = malloc(size ? size : 1); // its end is the end of memory
    if (size)
        memcpy(text, data, size);
    if (plain_parse(text, size, &id) == PLAIN_TAG)
        check_id(&id);
    free(text);
}

// As it came, which no key opens; and its inside sealed with our key, so that the inside is looked at too.
static void sealed(const uint8_t *data, size_t size) {
    static const uint8_t key[FRAME_KEY_BYTES] = {1, 2, 3};
    static struct frame frame, out;
    uint8_t bytes[FRAME_BYTES_MAX];
    unsigned antennas = 1 + (size ? data[0] : 0) % 4u;
    if (frame_open(data, size, antennas, "box", key, &out))
        abort();
    if (size < sizeof frame.level[0] * 4)
        return;
    frame = (struct frame){.counter = 7, .antennas = antennas};
    memcpy(frame.level, data, sizeof frame.level[0] * antennas);
    frame_seal(&frame, "box", key, bytes);
    if (!frame_open(bytes, frame_size(antennas), antennas, "box", key, &out))
        return; // nonsense inside
    for (unsigned i = 0; i < antennas; i++)
        if (out.level[i].outcome > DRIVER_FAILED || out.level[i].n_tags > FRAME_TAGS_MAX)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool started;
    if (!started && sodium_init() < 0)
        abort();
    started = true;
    if (!size)
        return 0;
    if (data[0] & 0x80)
        sealed(data + 1, size - 1);
    else
        plain(data + 1, size - 1);
    return 0;
}
