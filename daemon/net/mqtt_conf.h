// Section [mqtt], read and checked.
#pragma once
#include "net/mqtt.h"
#include "net/mqtt_discovery.h"
#include <stdint.h>

struct mqtt_conf {
    const char *host, *socket; // borrowed from the section
    uint16_t port;
    const char *username, *root, *tls_ca;
    char client_id[65];
    char *password; // NULL = none
    bool commands;
    enum mqtt_discovery_mode discovery;
    const char *discovery_prefix;
    int keepalive_s;
    int64_t retry_min_ms, retry_max_ms;
};
enum error_code mqtt_conf_read(const struct config_section *section, const char *site, struct mqtt_conf *ret,
                               struct error *err);
// The first line of a file that others cannot read, in place of *ret (freed; NULL allowed).
enum error_code mqtt_conf_password(const char *path, char **ret, struct error *err);
void mqtt_conf_free(struct mqtt_conf *conf); // wipes the password
