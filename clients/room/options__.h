// Flags and configuration of a client; used by main.c alone.
#pragma once
#include "net/mqtt_conf.h"
#include "room.h"

enum { OPTIONS__SCHEMAS_MAX = 16 };

struct options__flags { // NULL = not given
    const char *config, *host, *port, *socket, *user, *password_file, *site, *table, *language, *output,
        *input;
    const char *log_level;
    bool render, check;
};
// [mqtt], [room] and the client's own sections.
void options__schemas(const struct config_schema *own, struct config_schema ret[OPTIONS__SCHEMAS_MAX]);
// Strings of *ret are borrowed from flags, config and conf; conf is mqtt_conf_free'd by the caller.
enum error_code options__read(const char *program, const struct options__flags *flags,
                              const struct config *config, struct mqtt_conf *conf, struct room_options *ret,
                              struct error *err);
