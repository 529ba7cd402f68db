// The readers of the configuration: checked, opened, and what they see carried to the door.
#pragma once
#include "engine/table.h"
#include "net/mqtt.h"
#include "setup.h"

// Each reader alone, then all together: what two of them cannot share, what may not travel readable.
// Fills in the keys of their drivers.
enum error_code readers_check(struct config *config, struct error *err);
// For setup_read: `ctx` is the configuration.
struct setup_reader readers_can(void *ctx, const char *name);

struct readers_options {
    struct loop *loop;
    const struct config *config;
    struct door *door;  // is told what they see, and may ask them (again, inspect) until they are closed
    struct mqtt *mqtt;  // brings the bytes of readers on the network; NULL = no broker
    const char *replay; // tap log that takes the place of all readers, or NULL; its end ends the loop
    const char *record; // tap log of all they see, or NULL
};
struct readers;
// All borrowed until readers_close. On failure none is open.
enum error_code readers_open(const struct readers_options *options, struct readers **ret, struct error *err);
void readers_close(struct readers *readers); // NULL allowed
size_t readers_count(const struct readers *readers);
