// Topic names: the one table of what is published where, and how (design 6).
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// X(NAME, level below the table or the site, has a protobuf twin, retained, expiry in s (0 = none))
#define TOPIC_MAP(X)                                                                                         \
    X(STATUS, "status", false, true, 0)                                                                      \
    X(INFO, "info", false, true, 0)                                                                          \
    X(GAME, "game", true, true, 0)                                                                           \
    X(PHASE, "phase", true, true, 0)                                                                         \
    X(BOARD, "board", true, true, 0)                                                                         \
    X(SEATS, "seats", true, true, 0)                                                                         \
    X(VIOLATION, "violation", true, true, 0)                                                                 \
    X(RESULT, "result", true, true, 0)                                                                       \
    X(EVENT, "event", true, false, 60)                                                                       \
    X(NARRATION, "narration", true, false, 60)                                                               \
    X(READERS, "health/readers", false, true, 0)
enum topic {
#define X(name, level, twin, retained, expiry_s) TOPIC_##name,
    TOPIC_MAP(X)
#undef X
        TOPICS
};
struct topic_row {
    const char *level;
    bool twin; // {t}/public/LEVEL (JSON) and {t}/public-pb/LEVEL; else {t}/LEVEL
    bool retained;
    uint32_t expiry_s;
};
extern const struct topic_row topic_rows[TOPICS];

enum { TOPIC_TEXT_MAX = 192 };
// ROOT/SITE/TABLE/... ; returns the length. root is "tabled/v1" unless configured.
size_t topic_name(char ret[TOPIC_TEXT_MAX], const char *root, const char *site, const char *table,
                  enum topic topic, bool protobuf);
size_t topic_daemon_status(char ret[TOPIC_TEXT_MAX], const char *root, const char *site);
