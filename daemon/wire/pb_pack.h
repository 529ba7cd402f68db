// Packs a message as protobuf_c_message_pack does, byte for byte, in one pass: from the end to the
// beginning, so that the length of what is nested is known when it has to be written.
#pragma once
#include <protobuf-c/protobuf-c.h>
#include <stddef.h>
#include <stdint.h>

// The message stands at the end of buf: its bytes are buf + cap - result ... Returns SIZE_MAX if cap is too
// small. Fields of the kinds that public.proto has; a packed list of numbers is none of them.
size_t pb_pack(const ProtobufCMessage *message, uint8_t *buf, size_t cap);
