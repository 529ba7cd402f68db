// protobuf-c messages <-> JSON by descriptor reflection: one schema, two encodings.
#pragma once
#include "core/error.h"
#include "core/json.h"
#include <protobuf-c/protobuf-c.h>
#include <stddef.h>

// Every field in the order of the schema; tabled.v1.Time as text or null; the args of an Action as an object.
void pb_json_write(struct json *j, const ProtobufCMessage *message);
// Reads strictly: unknown fields, wrong types, duplicate keys, lists beyond `max_list` are errors with their
// path. The message is protobuf_c_message_free_unpacked by the caller.
enum error_code pb_json_read(const ProtobufCMessageDescriptor *type, const char *text, size_t len,
                             size_t max_list, ProtobufCMessage **ret, struct error *err);
