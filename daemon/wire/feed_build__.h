// Shared by the builders of views and of events.
#pragma once
#include "wire/feed_build.h"

void *feed_build__take(struct feed_arena *arena, size_t size);
char *feed_build__text(struct feed_arena *arena, const char *text); // valid UTF-8; "" for NULL
const char *feed_build__seat(int seat);                             // "" for -1
Tabled__V1__Time *feed_build__time(struct feed_arena *arena, int64_t wall_us);
// Lists of pointers to messages; *ret is NULL when n is 0.
size_t feed_build__repairs(struct feed_arena *arena, size_t n, const struct observe_repair *from,
                           Tabled__V1__Repair ***ret);
size_t feed_build__violations(struct feed_arena *arena, size_t n, const struct observe_violation *from,
                              Tabled__V1__Violation ***ret);
size_t feed_build__choices(struct feed_arena *arena, const struct observe_choice *from, // NULL = none
                           Tabled__V1__Choice ***ret);

// A list of n messages in one piece: `list` points to n pointers, `items` to the n messages.
#define FEED_BUILD_LIST__(arena, n, list, items)                                                             \
    do {                                                                                                     \
        (list) = feed_build__take((arena), (n) * sizeof *(list));                                            \
        (items) = feed_build__take((arena), (n) * sizeof *(items));                                          \
        for (size_t i__ = 0; i__ < (n); i__++)                                                               \
            (list)[i__] = &(items)[i__];                                                                     \
    } while (0)
static inline size_t feed_build__most(size_t n, size_t most) {
    return n < most ? n : most;
}
