#include "wire/topics.h"
#include <string.h>

const struct topic_row topic_rows[TOPICS] = {
#define X(name, level, twin, retained, expiry_s) [TOPIC_##name] = {level, twin, retained, expiry_s},
    TOPIC_MAP(X)
#undef X
};

// Appends with a leading slash unless it is the first part; what does not fit is left out whole, so a name is
// never cut in the middle of a character (B095).
static size_t append(char ret[TOPIC_TEXT_MAX], size_t len, const char *part) {
    size_t n = strlen(part);
    size_t slash = len > 0;
    if (len + slash + n >= TOPIC_TEXT_MAX)
        return len;
    if (slash)
        ret[len++] = '/';
    memcpy(ret + len, part, n + 1);
    return len + n;
}

size_t topic_name(char ret[TOPIC_TEXT_MAX], const char *root, const char *site, const char *table,
                  enum topic topic, bool protobuf) {
    const struct topic_row *row = &topic_rows[topic];
    ret[0] = '\0';
    size_t len = append(ret, 0, root);
    len = append(ret, len, site);
    len = append(ret, len, table);
    if (row->twin)
        len = append(ret, len, protobuf ? "public-pb" : "public");
    return append(ret, len, row->level);
}

size_t topic_daemon_status(char ret[TOPIC_TEXT_MAX], const char *root, const char *site) {
    ret[0] = '\0';
    size_t len = append(ret, 0, root);
    len = append(ret, len, site);
    return append(ret, len, "daemon/status");
}
