// What other people's firmware says of a tag: ESPHome (`on_tag`), Tasmota (RC522, PN532), Home Assistant
// style JSON.
#pragma once
#include "drivers/id_text.h"

enum plain_kind {
    PLAIN_NOTHING, // well-formed, and not about a tag
    PLAIN_BAD,     // not understood
    PLAIN_TAG,
    PLAIN_GONE,
};
enum { PLAIN_BYTES_MAX = 4096 };
// An id alone, or JSON with RC522.UID, PN532.UID, uid, tag, tag_id or id; an empty or null one, `present:
// false` or `event: removed` says that it is gone.
enum plain_kind plain_parse(const char *text, size_t len, struct id *ret);
