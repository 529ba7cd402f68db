// The small JSON documents that MQTT itself has to say: status, info, answers to commands.
#pragma once
#include "engine/door.h"
#include "public.pb-c.h"
#include <stddef.h>
#include <stdint.h>

// Each returns the length.
size_t mqtt_info_status(char *ret, size_t size, const char *boot_id, const char *version,
                        Tabled__V1__State state, int64_t since_us);
size_t mqtt_info_table(char *ret, size_t size, const char *boot_id, const char *version, const char *table);
size_t mqtt_info_reply(char *ret, size_t size, const char *verb, const struct door_answer *answer);
