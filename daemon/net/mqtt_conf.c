#include "net/mqtt_conf.h"
#include "core/log.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PASSWORD_MAX = 1024 };

const struct config_key mqtt_keys[] = {
    {"host", CONFIG_TEXT, "localhost", .help = "name or address of the broker"},
    {"port", CONFIG_INT, "1883", .min = 1, .max = 65535, .help = "its port"},
    {"socket", CONFIG_PATH,
     .help = "Unix socket of a broker on this machine: faster; wins over host and port"},
    {"username", CONFIG_TEXT, .help = "user name at the broker"},
    {"password_file", CONFIG_PATH, .help = "file (mode 0600) with the password in its first line"},
    {"password_credential", CONFIG_TEXT, .help = "name of a systemd credential with the password"},
    {"client_id", CONFIG_TEXT, .help = "client id, at most 64 characters; default tabled-SITE"},
    {"root", CONFIG_TEXT, "tabled/v1", .help = "what all topics begin with"},
    {"commands", CONFIG_BOOL, "no", .help = "take commands below TABLE/cmd/USER/VERB"},
    {"home_assistant", CONFIG_CHOICE, "off", .choices = MQTT_DISCOVERY_WORDS,
     .help = "Home Assistant finds the tables: device, component (before 2024.11), clear takes it back"},
    {"discovery_prefix", CONFIG_NAME, "homeassistant", .help = "what its discovery topics begin with"},
    {"tls_ca", CONFIG_PATH, .help = "certificates of the broker's authority; turns TLS on"},
    {"keepalive", CONFIG_DURATION, "15s", .min = 5000, .max = 600000, .help = "between signs of life"},
    {"retry_min", CONFIG_DURATION, "1s", .min = 10, .max = 60000,
     .help = "first wait before connecting again"},
    {"retry_max", CONFIG_DURATION, "60s", .min = 10, .max = 600000,
     .help = "longest wait before connecting again"},
    {.name = NULL},
};

static enum error_code bad(const struct config_section *section, const char *key, const char *why,
                           struct error *err) {
    return error_set(err, ERROR_INVALID, config_key_where(section, key), "[mqtt] %s: %s", key, why);
}

// The first line of an open file; other users must not be able to read a password file.
static enum error_code read_password(const struct config_section *section, const char *key, int fd,
                                     bool check, char **ret, struct error *err) {
    char text[PASSWORD_MAX + 1];
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0)
        return bad(section, key, strerror(errno), err);
    if (check && (st.st_mode & 077) != 0)
        return bad(section, key, "others may read this file: chmod 600", err);
    ssize_t n = read(fd, text, sizeof text);
    if (n < 0 || n == (ssize_t)sizeof text)
        return bad(section, key, n < 0 ? strerror(errno) : "the password is too long", err);
    text[n] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    *ret = strdup(text);
    explicit_bzero(text, sizeof text);
    if (*ret == NULL)
        log_no_memory("mqtt");
    return ERROR_OK;
}

static enum error_code find_password(const struct config_section *section, char **ret, struct error *err) {
    const char *file = config_text(section, "password_file");
    const char *credential = config_text(section, "password_credential");
    char path[4096];
    if (file != NULL && credential != NULL)
        return bad(section, "password_file", "give a file or a credential, not both", err);
    if (credential != NULL) {
        const char *folder = getenv("CREDENTIALS_DIRECTORY");
        if (folder == NULL || strchr(credential, '/') != NULL)
            return bad(section, "password_credential", "systemd has given us no such credential", err);
        snprintf(path, sizeof path, "%s/%s", folder, credential);
        file = path;
    }
    if (file == NULL)
        return ERROR_OK;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    enum error_code code = read_password(section,
                                         credential != NULL ? "password_credential" : "password_file", fd,
                                         credential == NULL, ret, err);
    if (fd >= 0)
        close(fd);
    return code;
}

// Levels of a topic without wildcards: "tabled/v1".
static bool root_ok(const char *root) {
    size_t len = strlen(root);
    if (len == 0 || len > 60 || root[0] == '/' || root[0] == '$' || root[len - 1] == '/')
        return false;
    for (const char *p = root; *p != '\0'; p++)
        if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7f || *p == '+' || *p == '#')
            return false;
    return strstr(root, "//") == NULL;
}

static enum mqtt_discovery_mode discovery_of(const char *word) {
    static const char *const words[] = {"off", "device", "component", "clear"};
    for (int mode = 0; word != NULL && mode < (int)(sizeof words / sizeof *words); mode++)
        if (strcmp(word, words[mode]) == 0)
            return (enum mqtt_discovery_mode)mode;
    return MQTT_DISCOVERY_OFF;
}

enum error_code mqtt_conf_read(const struct config_section *section, const char *site, struct mqtt_conf *ret,
                               struct error *err) {
    *ret = (struct mqtt_conf){
        .host = config_text(section, "host"),
        .socket = config_text(section, "socket"),
        .port = (uint16_t)config_int(section, "port"),
        .username = config_text(section, "username"),
        .root = config_text(section, "root"),
        .tls_ca = config_text(section, "tls_ca"),
        .discovery = discovery_of(config_text(section, "home_assistant")),
        .discovery_prefix = config_text(section, "discovery_prefix"),
        .commands = config_bool(section, "commands"),
        .keepalive_s = (int)(config_int(section, "keepalive") / 1000),
        .retry_min_ms = config_int(section, "retry_min"),
        .retry_max_ms = config_int(section, "retry_max"),
    };
    const char *client_id = config_text(section, "client_id");
    if (client_id != NULL && (client_id[0] == '\0' || strlen(client_id) >= sizeof ret->client_id))
        return bad(section, "client_id", "1 to 64 characters", err);
    if (client_id != NULL)
        snprintf(ret->client_id, sizeof ret->client_id, "%s", client_id);
    else
        snprintf(ret->client_id, sizeof ret->client_id, "tabled-%.32s", site);
    if (!root_ok(ret->root))
        return bad(section, "root", "at most 60 printable ASCII characters, no wildcard, no empty level",
                   err);
    if (ret->host[0] == '\0' || strlen(ret->host) > 255)
        return bad(section, "host", "a name or an address", err);
    if (ret->retry_max_ms < ret->retry_min_ms)
        return bad(section, "retry_max", "must not be below retry_min", err);
    return find_password(section, &ret->password, err);
}

enum error_code mqtt_conf_password(const char *path, char **ret, struct error *err) {
    char *password = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum error_code code = read_password(NULL, path, fd, true, &password, err);
    if (fd >= 0)
        close(fd);
    if (code != ERROR_OK)
        return code;
    if (*ret != NULL)
        explicit_bzero(*ret, strlen(*ret));
    free(*ret);
    *ret = password;
    return ERROR_OK;
}

void mqtt_conf_free(struct mqtt_conf *conf) {
    if (conf->password != NULL)
        explicit_bzero(conf->password, strlen(conf->password));
    free(conf->password);
    conf->password = NULL;
}
