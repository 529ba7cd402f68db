// The common sections of a client's configuration, and the flags that win over them.
#include "options__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct config_key room_keys[] = {
    {"site", CONFIG_NAME, "home", .help = "the daemon's `site`"},
    {"table", CONFIG_NAME, .help = "which table; without it the first one heard of"},
    {"language", CONFIG_TEXT, "", .help = "en es it zh ...; empty: as the table speaks"},
    {"stale_after", CONFIG_DURATION, "5s", .min = 100, .max = 600000,
     .help = "how long broker or daemon may be away before it shows"},
    {.name = NULL},
};

enum { KEYS_MAX = 32 };
static struct config_key link_keys[KEYS_MAX];

static bool is_daemons(const char *key) {
    static const char *const keys[] = {"commands", "home_assistant", "discovery_prefix"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(keys[i], key))
            return true;
    return false;
}

void options__schemas(const struct config_schema *own, struct config_schema ret[OPTIONS__SCHEMAS_MAX]) {
    size_t n = 0;
    for (size_t i = 0; mqtt_keys[i].name && n + 1 < KEYS_MAX; i++)
        if (!is_daemons(mqtt_keys[i].name))
            link_keys[n++] = mqtt_keys[i];
    link_keys[n] = (struct config_key){.name = NULL};
    n = 0;
    ret[n++] = (struct config_schema){.section = "mqtt", .keys = link_keys};
    ret[n++] = (struct config_schema){.section = "room", .keys = room_keys};
    for (; own && own->section && n + 1 < OPTIONS__SCHEMAS_MAX; own++)
        ret[n++] = *own;
    ret[n] = (struct config_schema){.section = NULL};
}

static enum error_code take_name(const char *text, const char *flag, char ret[ROOM_NAME_MAX],
                                 struct error *err) {
    if (!text)
        return ERROR_OK;
    if (!config_name_ok(text))
        return error_set(err, ERROR_INVALID, flag, "a name is 1 to 32 of a-z 0-9 and -");
    snprintf(ret, ROOM_NAME_MAX, "%s", text);
    return ERROR_OK;
}

static enum error_code take_language(const char *text, const char *where, struct room_options *ret,
                                     struct error *err) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
    if (strlen(text) >= sizeof ret->language || text[strspn(text, letters)])
        return error_set(err, ERROR_INVALID, where, "a language is a word like en, es, it or zh");
    snprintf(ret->language, sizeof ret->language, "%s", text);
    return ERROR_OK;
}

static enum error_code take_broker(const struct options__flags *flags, struct mqtt_conf *conf,
                                   struct room_options *ret, struct error *err) {
    ret->host = flags->host ? flags->host : conf->host;
    ret->socket = flags->socket ? flags->socket : flags->host || flags->port ? NULL : conf->socket;
    ret->port = conf->port;
    ret->username = flags->user ? flags->user : conf->username;
    ret->password = conf->password;
    ret->tls_ca = conf->tls_ca;
    ret->root = conf->root;
    ret->keepalive_s = conf->keepalive_s;
    ret->retry_min_ms = conf->retry_min_ms;
    ret->retry_max_ms = conf->retry_max_ms;
    if (flags->port) {
        char *end;
        long port = strtol(flags->port, &end, 10);
        if (*end || port < 1 || port > 65535)
            return error_set(err, ERROR_INVALID, "--port", "1 to 65535");
        ret->port = (uint16_t)port;
    }
    if (flags->password_file)
        return mqtt_conf_password(flags->password_file, &conf->password, err)
                   ? err->code
                   : (ret->password = conf->password, ERROR_OK);
    return ERROR_OK;
}

enum error_code options__read(const char *program, const struct options__flags *flags,
                              const struct config *config, struct mqtt_conf *conf, struct room_options *ret,
                              struct error *err) {
    const struct config_section *room = config_only(config, "room");
    *ret = (struct room_options){
        .render = flags->render,
        .input = flags->input,
        .output = flags->output,
        .stale_after_ms = config_int(room, "stale_after"),
    };
    const char *table = config_text(room, "table");
    if (take_name(config_text(room, "site"), "site", ret->site, err) ||
        take_name(flags->site, "--site", ret->site, err) || take_name(table, "table", ret->table, err) ||
        take_name(flags->table, "--table", ret->table, err) ||
        take_language(config_text(room, "language"), "language", ret, err) ||
        (flags->language && take_language(flags->language, "--lang", ret, err)) ||
        mqtt_conf_read(config_only(config, "mqtt"), ret->site, conf, err) ||
        take_broker(flags, conf, ret, err))
        return err->code;
    // A broker that takes the user name for the client id is not surprised; else program and table tell
    // apart.
    if (!config_text(config_only(config, "mqtt"), "client_id")) {
        if (ret->username)
            snprintf(conf->client_id, sizeof conf->client_id, "%s", ret->username);
        else
            snprintf(conf->client_id, sizeof conf->client_id, "%.20s-%.20s-%.20s", program, ret->site,
                     *ret->table ? ret->table : "any");
    }
    ret->client_id = conf->client_id;
    return ERROR_OK;
}
