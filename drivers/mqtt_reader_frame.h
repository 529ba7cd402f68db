// The sealed level frame of our own nodes: every antenna, whatever lies there, at one size. Layout in
// README.md.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_ANTENNAS_MAX = 64,
    FRAME_TAGS_MAX = 2, // of one antenna
    FRAME_KEY_BYTES = 32,
    FRAME_ANTENNA_BYTES = 24,
    FRAME_FIXED_BYTES = 4 + 24 + 8 + 16, // mark, nonce, counter, seal
    FRAME_BYTES_MAX = FRAME_FIXED_BYTES + FRAME_ANTENNAS_MAX * FRAME_ANTENNA_BYTES,
};
struct frame_level {
    uint8_t outcome; // enum driver_outcome
    uint8_t n_tags;
    struct frame_tag {
        uint8_t len, b[10];
    } tags[FRAME_TAGS_MAX];
};
struct frame {
    uint64_t counter; // grows, also over a restart of the node
    unsigned antennas;
    struct frame_level level[FRAME_ANTENNAS_MAX];
};

size_t frame_size(unsigned antennas);
// ret: frame_size() bytes. `name` of the reader goes into the seal: no frame serves another reader.
void frame_seal(const struct frame *frame, const char *name, const uint8_t key[FRAME_KEY_BYTES],
                uint8_t *ret);
// False: not of this size, not sealed with this key for this reader, or nonsense inside.
bool frame_open(const uint8_t *bytes, size_t len, unsigned antennas, const char *name,
                const uint8_t key[FRAME_KEY_BYTES], struct frame *ret);

// 64 hex digits in the first line of a file that only its owner may read, or of a systemd credential.
enum error_code frame_key_read(const char *path, bool credential, uint8_t ret[FRAME_KEY_BYTES],
                               struct error *err);
