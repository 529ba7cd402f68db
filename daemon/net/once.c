#include "net/once.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_BYTES = 16 };

struct once_entry {
    enum { FREE, RUNNING, DONE } state;
    unsigned char key[HASH_BYTES], body[HASH_BYTES];
    int64_t at_us;
    int status;
    char *answer;
    size_t len;
};
struct once {
    struct once_entry entry[ONCE_MAX];
};

struct once *once_create(void) {
    return calloc(1, sizeof(struct once));
}

static void clear(struct once_entry *entry) {
    free(entry->answer);
    memset(entry, 0, sizeof *entry);
}

void once_destroy(struct once *once) {
    if (!once)
        return;
    for (size_t i = 0; i < ONCE_MAX; i++)
        clear(&once->entry[i]);
    free(once);
}

static void hash(unsigned char ret[HASH_BYTES], const char *a, const char *b, const void *c, size_t len) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, HASH_BYTES);
    crypto_generichash_update(&state, (const unsigned char *)a, strlen(a) + 1);
    crypto_generichash_update(&state, (const unsigned char *)b, strlen(b) + 1);
    if (len)
        crypto_generichash_update(&state, c, len);
    crypto_generichash_final(&state, ret, HASH_BYTES);
}

// The entry of a key, else a place for it: free, expired, or the oldest that is answered.
static struct once_entry *find(struct once *once, const unsigned char key[HASH_BYTES], int64_t now_us) {
    struct once_entry *place = NULL;
    for (size_t i = 0; i < ONCE_MAX; i++) {
        struct once_entry *entry = &once->entry[i];
        if (entry->state == DONE && now_us - entry->at_us > (int64_t)ONCE_HOURS * 3600 * 1000000)
            clear(entry);
        if (entry->state != FREE && !memcmp(entry->key, key, HASH_BYTES))
            return entry;
        if (entry->state == FREE) {
            if (!place || place->state != FREE)
                place = entry;
        } else if (entry->state == DONE &&
                   (!place || (place->state == DONE && entry->at_us < place->at_us))) {
            place = entry;
        }
    }
    return place;
}

enum error_code once_begin(struct once *once, const char *who, const char *key, const char *path,
                           const void *body, size_t len, int64_t now_us, struct once_entry **ret,
                           bool *ret_done, struct error *err) {
    unsigned char key_hash[HASH_BYTES], body_hash[HASH_BYTES];
    hash(key_hash, who, key, NULL, 0);
    hash(body_hash, path, "", body, len);
    *ret_done = false;
    struct once_entry *entry = *ret = find(once, key_hash, now_us);
    if (!entry)
        return error_set(err, ERROR_BUSY, NULL, NULL);
    if (entry->state != FREE && !memcmp(entry->key, key_hash, HASH_BYTES)) {
        if (memcmp(entry->body, body_hash, HASH_BYTES) != 0)
            return error_set(err, ERROR_EXISTS, "Idempotency-Key", "this key stands for another request");
        if (entry->state == RUNNING)
            return error_set(err, ERROR_NOT_NOW, "Idempotency-Key", "this request is being answered");
        *ret_done = true;
        return ERROR_OK;
    }
    clear(entry);
    entry->state = RUNNING;
    entry->at_us = now_us;
    memcpy(entry->key, key_hash, HASH_BYTES);
    memcpy(entry->body, body_hash, HASH_BYTES);
    return ERROR_OK;
}

void once_done(struct once_entry *entry, int status, const char *answer, size_t len) {
    entry->answer = len <= ONCE_BODY_MAX ? malloc(len + 1) : NULL;
    if (!entry->answer) {
        clear(entry);
        return;
    }
    memcpy(entry->answer, answer, len);
    entry->answer[len] = '\0';
    entry->len = len;
    entry->status = status;
    entry->state = DONE;
}

void once_drop(struct once_entry *entry) {
    clear(entry);
}

const char *once_answer(const struct once_entry *entry, int *ret_status, size_t *ret_len) {
    *ret_status = entry->status;
    *ret_len = entry->len;
    return entry->answer;
}
