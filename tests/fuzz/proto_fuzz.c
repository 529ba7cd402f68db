// Protobuf from outside: whatever unpacks can be written as JSON, cut at any size, and packs as protobuf-c
// packs it.
#include "public.pb-c.h"
#include "wire/pb_json.h"
#include "wire/pb_pack.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const ProtobufCMessageDescriptor *const types[] = {
    &tabled__v1__event__descriptor,      &tabled__v1__view__descriptor,    &tabled__v1__narration__descriptor,
    &tabled__v1__board__descriptor,      &tabled__v1__phase__descriptor,   &tabled__v1__result__descriptor,
    &tabled__v1__violations__descriptor, &tabled__v1__readers__descriptor,
};

static void check_json(const ProtobufCMessage *message, size_t cut) {
    struct json j;
    json_begin(&j, NULL, 0);
    pb_json_write(&j, message);
    size_t cap = j.len + 1, short_cap = cut % cap;
    char *text = malloc(cap), *part = malloc(short_cap + 1);
    json_begin(&j, text, cap);
    pb_json_write(&j, message);
    if (!json_end(&j) || strlen(text) + 1 != cap)
        abort();
    json_begin(&j, part, short_cap);
    pb_json_write(&j, message);
    if (json_end(&j) || j.len + 1 != cap)
        abort();
    if (short_cap > 0 && strncmp(text, part, strlen(part)) != 0)
        abort();
    free(text);
    free(part);
}

// protobuf-c keeps fields it does not know and packs them again; the packer has none, so it is compared
// without them.
static void drop_unknown(ProtobufCMessage *message) {
    for (unsigned i = 0; i < message->n_unknown_fields; i++)
        free(message->unknown_fields[i].data);
    free(message->unknown_fields);
    message->unknown_fields = NULL;
    message->n_unknown_fields = 0;
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        if (field->type != PROTOBUF_C_TYPE_MESSAGE)
            continue;
        char *at = (char *)message + field->offset;
        size_t n = *(void **)(void *)at != NULL;
        ProtobufCMessage **list = (ProtobufCMessage **)(void *)at;
        if (field->label == PROTOBUF_C_LABEL_REPEATED) {
            n = *(size_t *)(void *)((char *)message + field->quantifier_offset);
            list = *(ProtobufCMessage ***)(void *)at;
        }
        for (size_t k = 0; k < n; k++)
            drop_unknown(list[k]);
    }
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
    if (size < 2)
        return 0;
    const ProtobufCMessageDescriptor *type = types[data[0] % (sizeof types / sizeof types[0])];
    ProtobufCMessage *message = protobuf_c_message_unpack(type, NULL, size - 2, data + 2);
    if (message == NULL)
        return 0;
    check_json(message, data[1]);
    drop_unknown(message);
    check_packing(message);
    protobuf_c_message_free_unpacked(message, NULL);
    return 0;
}
