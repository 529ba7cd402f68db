#include "drivers/mqtt_reader_plain.h"
#include <jansson.h>
#include <string.h>

static const json_t *first_of(const json_t *object) {
    static const char *const keys[] = {"UID", "uid", "tag", "tag_id", "id"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = json_object_get(object, keys[i]);
        if (value)
            return value;
    }
    return NULL;
}

static bool says_gone(const json_t *object) {
    static const char *const keys[] = {"event", "action", "state"};
    static const char *const words[] = {"removed", "tag_removed", "gone", "absent", "off"};
    if (json_is_false(json_object_get(object, "present")))
        return true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *text = json_string_value(json_object_get(object, keys[i]));
        for (size_t k = 0; text && k < sizeof words / sizeof *words; k++)
            if (!strcmp(text, words[k]))
                return true;
    }
    return false;
}

static enum plain_kind take_object(const json_t *root, struct id *ret) {
    static const char *const chips[] = {"RC522", "PN532"};
    const json_t *from = root;
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
        if (json_is_object(json_object_get(root, chips[i])))
            from = json_object_get(root, chips[i]);
    const json_t *value = first_of(from);
    const char *text = json_string_value(value);
    if (says_gone(from) || json_is_null(value) || (text && !*text))
        return PLAIN_GONE;
    if (!value)
        return PLAIN_NOTHING; // other sensors of the same node
    // A number is no id: above 2^53 it would not be exact (B119).
    return text && id_text_hex(text, json_string_length(value), ret) ? PLAIN_TAG : PLAIN_BAD;
}

enum plain_kind plain_parse(const char *text, size_t len, struct id *ret) {
    *ret = (struct id){0};
    if (len > PLAIN_BYTES_MAX)
        return PLAIN_BAD;
    size_t blank = 0;
    while (blank < len && text[blank] && strchr(" \t\r\n", text[blank]))
        blank++;
    if (blank == len)
        return PLAIN_GONE;
    if (text[blank] != '{')
        return id_text_hex(text, len, ret) ? PLAIN_TAG : PLAIN_BAD;
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    enum plain_kind kind = root ? take_object(root, ret) : PLAIN_BAD;
    json_decref(root);
    return kind;
}
