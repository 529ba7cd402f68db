// Idempotency-Key: the answer to a request that starts or ends something is kept for those who ask again.
// Keys are apart for each caller; 24 hours, 256 entries, the oldest falls out.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ONCE_MAX = 256, ONCE_HOURS = 24, ONCE_BODY_MAX = 4096 };

struct once;
struct once *once_create(void); // NULL: out of memory
void once_destroy(struct once *once);

struct once_entry;
// ERROR_OK with *ret_done: answered before, see once_answer. ERROR_OK without: the caller answers it and
// calls once_done or once_drop. ERROR_NOT_NOW: it is being answered. ERROR_EXISTS: the key stands for another
// body.
enum error_code once_begin(struct once *once, const char *who, const char *key, const char *path,
                           const void *body, size_t len, int64_t now_us, struct once_entry **ret,
                           bool *ret_done, struct error *err);
void once_done(struct once_entry *entry, int status, const char *answer, size_t len);
void once_drop(struct once_entry *entry); // it failed for a reason that may pass: ask again
const char *once_answer(const struct once_entry *entry, int *ret_status, size_t *ret_len);
