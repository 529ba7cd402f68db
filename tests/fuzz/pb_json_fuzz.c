// JSON from outside into a message of the schema and back: what is taken is written as the same text again,
// and packs as protobuf-c packs it.
#include "public.pb-c.h"
#include "wire/pb_json.h"
#include "wire/pb_pack.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const ProtobufCMessageDescriptor *const types[] = {
    &tabled__v1__event__descriptor, &tabled__v1__view__descriptor,    &tabled__v1__narration__descriptor,
    &tabled__v1__reply__descriptor, &tabled__v1__readers__descriptor,
};

static char *written(const ProtobufCMessage *message, size_t *ret_len) {
    struct json j;
    json_begin(&j, NULL, 0);
    pb_json_write(&j, message);
    size_t cap = j.len + 1;
    char *text = malloc(cap);
    json_begin(&j, text, cap);
    pb_json_write(&j, message);
    if (!json_end(&j) || j.len + 1 != cap)
        abort();
    *ret_len = j.len;
    return text;
}

static void check_packing(const ProtobufCMessage *message) {
    size_t len = protobuf_c_message_get_packed_size(message);
    uint8_t *want = malloc(len + 1), *got = malloc(len + 1);
    protobuf_c_message_pack(message, want);
    if (pb_pack(message, got, len) != len || memcmp(want, got, len) != 0)
        abort();
    free(want);
    free(got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    const ProtobufCMessageDescriptor *type = types[data[0] % (sizeof types / sizeof types[0])];
    ProtobufCMessage *first, *second;
    struct error err;
    if (pb_json_read(type, (const char *)data + 1, size - 1, 64, &first, &err) != ERROR_OK)
        return 0;
    size_t len, again;
    char *text = written(first, &len);
    check_packing(first);
    if (pb_json_read(type, text, len, 64, &second, &err) != ERROR_OK)
        abort();
    char *text2 = written(second, &again);
    if (len != again || memcmp(text, text2, len) != 0)
        abort();
    free(text);
    free(text2);
    protobuf_c_message_free_unpacked(first, NULL);
    protobuf_c_message_free_unpacked(second, NULL);
    return 0;
}
