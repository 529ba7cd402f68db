#include "drivers/mqtt_reader_frame.h"
#include "drivers/driver.h"
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MARK_BYTES = 4,
    NONCE_BYTES = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    SEAL_BYTES = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    COUNTER_BYTES = 8,
    PLAIN_MAX = COUNTER_BYTES + FRAME_ANTENNAS_MAX * FRAME_ANTENNA_BYTES,
    AD_MAX = MARK_BYTES + 32,
};
_Static_assert(FRAME_FIXED_BYTES == MARK_BYTES + NONCE_BYTES + COUNTER_BYTES + SEAL_BYTES,
               "sizes of the library");
_Static_assert(FRAME_ANTENNA_BYTES == 2 + FRAME_TAGS_MAX * 11, "outcome, number, tags");
static const uint8_t mark[MARK_BYTES] = {'t', 'a', 'b', '1'};

size_t frame_size(unsigned antennas) {
    return FRAME_FIXED_BYTES + (size_t)antennas * FRAME_ANTENNA_BYTES;
}

static size_t bind(const char *name, uint8_t ad[AD_MAX]) {
    size_t n = strnlen(name, AD_MAX - MARK_BYTES);
    memcpy(ad, mark, MARK_BYTES);
    memcpy(ad + MARK_BYTES, name, n);
    return MARK_BYTES + n;
}

static void put_level(const struct frame_level *level, uint8_t *to) {
    memset(to, 0, FRAME_ANTENNA_BYTES);
    to[0] = level->outcome;
    to[1] = level->n_tags;
    for (unsigned i = 0; i < level->n_tags && i < FRAME_TAGS_MAX; i++) {
        to[2 + i * 11] = level->tags[i].len;
        memcpy(to + 3 + i * 11, level->tags[i].b, sizeof level->tags[i].b);
    }
}

void frame_seal(const struct frame *frame, const char *name, const uint8_t key[FRAME_KEY_BYTES],
                uint8_t *ret) {
    uint8_t plain[PLAIN_MAX], ad[AD_MAX];
    size_t n = COUNTER_BYTES + (size_t)frame->antennas * FRAME_ANTENNA_BYTES;
    for (unsigned i = 0; i < COUNTER_BYTES; i++)
        plain[i] = (uint8_t)(frame->counter >> 8 * i);
    for (unsigned i = 0; i < frame->antennas; i++)
        put_level(&frame->level[i], plain + COUNTER_BYTES + (size_t)i * FRAME_ANTENNA_BYTES);
    memcpy(ret, mark, MARK_BYTES);
    randombytes_buf(ret + MARK_BYTES, NONCE_BYTES);
    crypto_aead_xchacha20poly1305_ietf_encrypt(ret + MARK_BYTES + NONCE_BYTES, NULL, plain, n, ad,
                                               bind(name, ad), NULL, ret + MARK_BYTES, key);
    sodium_memzero(plain, sizeof plain);
}

static bool take_level(const uint8_t *from, struct frame_level *ret) {
    *ret = (struct frame_level){.outcome = from[0], .n_tags = from[1]};
    if (ret->outcome > DRIVER_FAILED || ret->n_tags > FRAME_TAGS_MAX ||
        (ret->outcome == DRIVER_SEEN) != (ret->n_tags > 0))
        return false;
    for (unsigned i = 0; i < ret->n_tags; i++) {
        struct frame_tag *tag = &ret->tags[i];
        tag->len = from[2 + i * 11];
        if (tag->len > sizeof tag->b)
            return false;
        memcpy(tag->b, from + 3 + i * 11, tag->len);
    }
    return true;
}

bool frame_open(const uint8_t *bytes, size_t len, unsigned antennas, const char *name,
                const uint8_t key[FRAME_KEY_BYTES], struct frame *ret) {
    uint8_t plain[PLAIN_MAX], ad[AD_MAX];
    if (antennas > FRAME_ANTENNAS_MAX || len != frame_size(antennas) || memcmp(bytes, mark, MARK_BYTES) != 0)
        return false;
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(plain, NULL, NULL, bytes + MARK_BYTES + NONCE_BYTES,
                                                   len - MARK_BYTES - NONCE_BYTES, ad, bind(name, ad),
                                                   bytes + MARK_BYTES, key) != 0)
        return false;
    ret->counter = 0;
    ret->antennas = antennas;
    for (unsigned i = 0; i < COUNTER_BYTES; i++)
        ret->counter |= (uint64_t)plain[i] << 8 * i;
    bool ok = true;
    for (unsigned i = 0; i < antennas && ok; i++)
        ok = take_level(plain + COUNTER_BYTES + (size_t)i * FRAME_ANTENNA_BYTES, &ret->level[i]);
    sodium_memzero(plain, sizeof plain);
    return ok;
}

enum error_code frame_key_read(const char *path, bool credential, uint8_t ret[FRAME_KEY_BYTES],
                               struct error *err) {
    char text[2 * FRAME_KEY_BYTES + 1];
    struct stat st;
    size_t bytes = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return error_set(err, ERROR_INVALID, path, "the key cannot be read: %s", strerror(errno));
    bool open_to_others = fstat(fd, &st) != 0 || (!credential && (st.st_mode & 077) != 0);
    ssize_t n = open_to_others ? 0 : read(fd, text, sizeof text - 1);
    close(fd);
    if (open_to_others)
        return error_set(err, ERROR_INVALID, path, "others may read this key: chmod 600");
    text[n > 0 ? n : 0] = '\0';
    bool ok = sodium_hex2bin(ret, FRAME_KEY_BYTES, text, strlen(text), NULL, &bytes, NULL) == 0 &&
              bytes == FRAME_KEY_BYTES;
    sodium_memzero(text, sizeof text);
    if (!ok)
        return error_set(err, ERROR_INVALID, path,
                         "a key is 64 hex digits (`node-sender --make-key FILE` makes one)");
    return ERROR_OK;
}
