// The configuration of tables, pads and maps as the options that the door wants. Every fault names file and
// line.
#pragma once
#include "core/config.h"
#include "engine/table.h"

// All sections of tabled.conf. `mqtt_keys`, `http_keys` and the drivers' keys are their modules' own.
enum { SETUP_SECTIONS = 8 };
void setup_schemas(const struct config_key *mqtt_keys, const struct config_key *http_keys,
                   const struct config_key *reader_keys, struct config_schema ret[SETUP_SECTIONS]);

// Strings and arrays belong to the set-up.
struct setup {
    struct table_options *tables;
    size_t n_tables;
    char notes[4096]; // what is allowed and yet probably not meant, a line each; what is too much is left out
};
// What a [reader NAME] can do for its pads; antennas 0 = as many as turn up.
struct setup_reader {
    bool exists, sees_removal, sees_several;
    unsigned antennas;
};
typedef struct setup_reader setup_reader_fn(void *ctx, const char *reader);
enum error_code setup_read(const struct config *config, setup_reader_fn *reader, void *ctx, struct setup *ret,
                           struct error *err);
void setup_finish(struct setup *setup); // zeroed allowed
