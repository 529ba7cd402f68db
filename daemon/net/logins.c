#include "net/logins.h"
#include "net/rate.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { RULES = 3, KEY_BYTES = 16 };
static const struct bucket_rule rules[RULES] = {{.burst = 3, .each_us = 20000000},
                                                {.burst = 5, .each_us = 120000000},
                                                {.burst = 10, .each_us = 360000000}};
static const struct bucket_rule all_wrong = {.burst = 60, .each_us = 1000000};

struct logins {
    struct bucket wrong;
    struct login_row {
        unsigned char key[KEY_BYTES];
        int64_t used_us; // 0 = free
        struct bucket bucket[RULES];
    } row[LOGINS_MAX];
};

struct logins *logins_create(void) {
    return calloc(1, sizeof(struct logins));
}

void logins_destroy(struct logins *logins) {
    free(logins);
}

// A network counts as one caller: of an IPv4 address its /24, of IPv6 the /64, our own too, in which a
// machine has as many addresses as it likes.
static void key_of(const uint8_t address[16], const char *account, unsigned char ret[KEY_BYTES]) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, KEY_BYTES);
    crypto_generichash_update(&state, address, memcmp(address, mapped, sizeof mapped) ? 8 : 15);
    crypto_generichash_update(&state, (const unsigned char *)account, strlen(account));
    crypto_generichash_final(&state, ret, KEY_BYTES);
}

// Its row, else the one that was used longest ago.
static struct login_row *row_of(struct logins *logins, const unsigned char key[KEY_BYTES], int64_t now_us) {
    struct login_row *oldest = &logins->row[0];
    for (size_t i = 0; i < LOGINS_MAX; i++) {
        struct login_row *row = &logins->row[i];
        if (row->used_us && !memcmp(row->key, key, KEY_BYTES))
            return row;
        if (row->used_us < oldest->used_us)
            oldest = row;
    }
    memset(oldest, 0, sizeof *oldest);
    memcpy(oldest->key, key, KEY_BYTES);
    oldest->used_us = now_us + 1;
    return oldest;
}

unsigned logins_try(struct logins *logins, const uint8_t address[16], const char *account, int64_t now_us) {
    unsigned char key[KEY_BYTES];
    key_of(address, account, key);
    struct login_row *row = row_of(logins, key, now_us);
    row->used_us = now_us + 1;
    if (!bucket_ready(&logins->wrong, &all_wrong, now_us))
        return bucket_wait_s(&logins->wrong, &all_wrong, now_us);
    for (size_t i = 0; i < RULES; i++)
        if (!bucket_ready(&row->bucket[i], &rules[i], now_us))
            return bucket_wait_s(&row->bucket[i], &rules[i], now_us);
    for (size_t i = 0; i < RULES; i++)
        bucket_take(&row->bucket[i], &rules[i], now_us);
    return 0;
}

void logins_right(struct logins *logins, const uint8_t address[16], const char *account, int64_t now_us) {
    unsigned char key[KEY_BYTES];
    key_of(address, account, key);
    memset(row_of(logins, key, now_us)->bucket, 0, sizeof logins->row[0].bucket);
}

void logins_wrong(struct logins *logins, int64_t now_us) {
    bucket_take(&logins->wrong, &all_wrong, now_us);
}
