// Writes the broker's configuration: who may connect, and what each may read and write. Rights are rows; the
// audience is the topic level after the table, so that one row a role is enough.
#include "core/config.h"
#include "core/file.h"
#include "tablectl.h"
#include <errno.h>
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PASSWORD_BYTES = 18,
    SALT_BYTES = 12,
    HASH_BYTES = 64,
    HASH_ROUNDS = 101,
    FILE_MAX = 64 * 1024,
    USERS_MAX = 80
};

// ---- rights

enum grants { ALWAYS, HOME_ASSISTANT };
// {t} is ROOT/SITE/TABLE, {s} ROOT/SITE, {p} the discovery prefix, {u} the user's own name.
static const struct grant {
    const char *role, *right, *topic;
    enum grants when;
} grants[] = {
    {"tabled", "write", "{s}/daemon/status", ALWAYS},
    {"tabled", "write", "{t}/status", ALWAYS},
    // Read too: what tables left behind that are no longer configured is found and cleared.
    {"tabled", "readwrite", "{t}/info", ALWAYS},
    {"tabled", "write", "{t}/public/#", ALWAYS},
    {"tabled", "write", "{t}/public-pb/#", ALWAYS},
    {"tabled", "write", "{t}/health/#", ALWAYS},
    {"tabled", "write", "{t}/reply/#", ALWAYS},
    {"tabled", "read", "{t}/cmd/#", ALWAYS},
    {"tabled", "read", "{t}/driver/#", ALWAYS},
    {"tabled", "readwrite", "{p}/+/+/config", HOME_ASSISTANT},
    {"tabled", "readwrite", "{p}/+/+/+/config", HOME_ASSISTANT},
    {"tabled", "read", "{p}/status", HOME_ASSISTANT},

    {"display", "read", "{s}/daemon/status", ALWAYS},
    {"display", "read", "{t}/status", ALWAYS},
    {"display", "read", "{t}/info", ALWAYS},
    {"display", "read", "{t}/public/#", ALWAYS},
    {"display", "read", "{t}/public-pb/#", ALWAYS},

    {"narrator", "read", "{s}/daemon/status", ALWAYS},
    {"narrator", "read", "{t}/status", ALWAYS},
    {"narrator", "read", "{t}/public/#", ALWAYS},
    {"narrator", "read", "{t}/public-pb/#", ALWAYS},

    {"lights", "read", "{s}/daemon/status", ALWAYS},
    {"lights", "read", "{t}/status", ALWAYS},
    {"lights", "read", "{t}/public/#", ALWAYS},
    {"lights", "read", "{t}/public-pb/#", ALWAYS},

    {"operator", "read", "{s}/daemon/status", ALWAYS},
    {"operator", "read", "{t}/status", ALWAYS},
    {"operator", "read", "{t}/info", ALWAYS},
    {"operator", "read", "{t}/public/#", ALWAYS},
    {"operator", "read", "{t}/health/#", ALWAYS},
    {"operator", "read", "{t}/reply/{u}", ALWAYS},
    {"operator", "write", "{t}/cmd/{u}/#", ALWAYS},

    {"homeassistant", "read", "{s}/daemon/status", HOME_ASSISTANT},
    {"homeassistant", "read", "{t}/status", HOME_ASSISTANT},
    {"homeassistant", "read", "{t}/public/#", HOME_ASSISTANT},
    {"homeassistant", "read", "{t}/health/#", HOME_ASSISTANT},
    {"homeassistant", "readwrite", "{p}/#", HOME_ASSISTANT},

    // A reader on the network: what it sees and its own sign of life, in whatever form; nothing to read.
    {"reader", "write", "{t}/driver/{u}/#", ALWAYS},
};
static const char *const roles[] = {"tabled", "display", "narrator", "lights", "operator"}; // a user each
static const char *const more_roles[] = {"display", "narrator", "lights", "operator", "reader"};

static const char *role_of(const char *word) {
    for (size_t i = 0; i < sizeof more_roles / sizeof *more_roles; i++)
        if (!strcmp(more_roles[i], word))
            return more_roles[i];
    return NULL;
}

struct user {
    char name[33];
    const char *role;
};
struct plan {
    const char *folder, *root, *site, *prefix, *cert, *key;
    uint64_t port;
    bool home_assistant;
    size_t n_users;
    struct user users[USERS_MAX];
};

static bool add_user(struct plan *plan, const char *name, const char *role) {
    for (size_t i = 0; i < plan->n_users; i++)
        if (!strcmp(plan->users[i].name, name))
            return false;
    if (plan->n_users == USERS_MAX || !config_name_ok(name))
        return false;
    struct user *user = &plan->users[plan->n_users++];
    snprintf(user->name, sizeof user->name, "%s", name);
    user->role = role;
    return true;
}

// ---- texts

struct text {
    char *at;
    size_t len;
};
static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->at + text->len, FILE_MAX - text->len, format, args);
    va_end(args);
    if (n > 0)
        text->len += (size_t)n < FILE_MAX - text->len ? (size_t)n : FILE_MAX - text->len - 1;
}

static void put_topic(struct text *text, const struct plan *plan, const char *user, const char *topic) {
    for (const char *p = topic; *p; p++) {
        if (*p != '{') {
            put(text, "%c", *p);
            continue;
        }
        switch (p[1]) {
        case 't':
            put(text, "%s/%s/+", plan->root, plan->site);
            break;
        case 's':
            put(text, "%s/%s", plan->root, plan->site);
            break;
        case 'p':
            put(text, "%s", plan->prefix);
            break;
        default:
            put(text, "%s", user);
        }
        p += 2;
    }
}

static void put_acl(struct text *text, const struct plan *plan) {
    put(text, "# Who may read and write what; nothing else. Written by `tablectl broker`.\n");
    for (size_t u = 0; u < plan->n_users; u++) {
        put(text, "\nuser %s\n", plan->users[u].name);
        for (size_t g = 0; g < sizeof grants / sizeof *grants; g++) {
            if (strcmp(grants[g].role, plan->users[u].role) ||
                (grants[g].when == HOME_ASSISTANT && !plan->home_assistant))
                continue;
            put(text, "topic %s ", grants[g].right);
            put_topic(text, plan, plan->users[u].name, grants[g].topic);
            put(text, "\n");
        }
    }
}

static void put_conf(struct text *text, const struct plan *plan) {
    put(text,
        "# mosquitto for game tables. Written by `tablectl broker`.\n"
        "per_listener_settings false\n"
        "allow_anonymous false\n"
        "password_file %s/tabled.passwd\n"
        "acl_file %s/tabled.acl\n\n"
        "# The daemon's way in: a Unix socket is a third faster than loopback TCP.\n"
        "listener 0 /run/tabled-broker/tabled.sock\n"
        "# Displays, lamps, the narrator, readers on the network.\n"
        "listener %u\n",
        plan->folder, plan->folder, (unsigned)plan->port);
    if (plan->cert)
        put(text, "certfile %s\nkeyfile %s\n", plan->cert, plan->key);
    put(text,
        "\n# Without it a confirmed message waits up to 40 ms for the kernel.\n"
        "set_tcp_nodelay true\n"
        "# A client is who its password says: nobody can take the daemon's place by its client id.\n"
        "use_username_as_clientid true\n\n"
        "message_size_limit 16384\n"
        "max_keepalive 120\n"
        "max_connections 64\n"
        "max_queued_messages 200\n"
        "max_inflight_messages 20\n"
        "# Nothing secret is ever published, so what is retained may be kept.\n"
        "persistence true\n"
        "autosave_interval 300\n");
}

// ---- passwords

// mosquitto's own form: $7$ROUNDS$SALT$HASH, PBKDF2 with SHA-512.
static bool put_password(struct text *text, const char *user, const char *password) {
    unsigned char salt[SALT_BYTES], hash[HASH_BYTES], salt_text[32], hash_text[128];
    if (RAND_bytes(salt, sizeof salt) != 1 ||
        PKCS5_PBKDF2_HMAC(password, (int)strlen(password), salt, sizeof salt, HASH_ROUNDS, EVP_sha512(),
                          sizeof hash, hash) != 1)
        return false;
    EVP_EncodeBlock(salt_text, salt, sizeof salt);
    EVP_EncodeBlock(hash_text, hash, sizeof hash);
    put(text, "%s:$7$%d$%s$%s\n", user, HASH_ROUNDS, salt_text, hash_text);
    return true;
}

static bool new_password(char ret[PASSWORD_BYTES * 2]) {
    unsigned char bytes[PASSWORD_BYTES];
    if (RAND_bytes(bytes, sizeof bytes) != 1)
        return false;
    EVP_EncodeBlock((unsigned char *)ret, bytes, sizeof bytes);
    for (char *p = ret; *p; p++)
        *p = *p == '+' ? '-' : *p == '/' ? '_' : *p;
    return true;
}

static bool write_file(const char *path, mode_t mode, const char *text, size_t len) {
    struct error err;
    if (!file_replace(path, mode, text, len, &err))
        return true;
    failed(&err, EXIT_CODE_FAILED);
    return false;
}

static bool read_password(const char *path, char *ret, size_t cap) {
    FILE *file = fopen(path, "re");
    bool good = file && fgets(ret, (int)cap, file);
    if (file)
        fclose(file);
    if (good)
        ret[strcspn(ret, "\r\n")] = '\0';
    return good && *ret;
}

// A user's password lies in FOLDER/tabled.passwords/NAME; one that is there already stays.
static bool put_users(struct text *text, const struct plan *plan, size_t *ret_new) {
    char folder[PATH_MAX], path[PATH_MAX], password[256];
    snprintf(folder, sizeof folder, "%s/tabled.passwords", plan->folder);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        fprintf(stderr, "tablectl: %s cannot be made: %s\n", folder, strerror(errno));
        return false;
    }
    for (size_t i = 0; i < plan->n_users; i++) {
        const char *name = plan->users[i].name;
        if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
            return false;
        if (!read_password(path, password, sizeof password)) {
            if (!new_password(password) || !write_file(path, 0600, password, strlen(password)))
                return false;
            ++*ret_new;
        }
        if (!put_password(text, name, password))
            return false;
    }
    explicit_bzero(password, sizeof password);
    return true;
}

// ---- the command

static int read_plan(const struct args *args, struct plan *plan) {
    const char *word;
    plan->folder = args_option(args, "dir");
    plan->root = args_option(args, "root") ? args_option(args, "root") : "tabled/v1";
    plan->site = args_option(args, "site") ? args_option(args, "site") : "+";
    plan->prefix = args_option(args, "prefix") ? args_option(args, "prefix") : "homeassistant";
    plan->cert = args_option(args, "cert");
    plan->key = args_option(args, "key");
    plan->home_assistant = args_option(args, "home-assistant") != NULL;
    if (args->n_words)
        return usage_error(args, "it takes options only");
    if (!args_number(args, "port", 1, 65535, plan->cert ? 8883 : 1883, &plan->port))
        return EXIT_CODE_USAGE;
    if (!plan->cert != !plan->key)
        return usage_error(args, "a certificate and its key come together: --cert and --key");
    if (strcmp(plan->site, "+") && !config_name_ok(plan->site))
        return usage_error(args, "a site is 1 to 32 of a-z, 0-9 and -, not '%s'", plan->site);
    if (strpbrk(plan->root, "+# \n") || strpbrk(plan->prefix, "+# \n/") || !*plan->root)
        return usage_error(args, "a root has neither wildcards nor blanks");
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        add_user(plan, roles[i], roles[i]);
    if (plan->home_assistant)
        add_user(plan, "homeassistant", "homeassistant");
    for (size_t i = 0; (word = args_nth(args, "user", i)); i++) {
        char role[33];
        const char *name = strchr(word, '=');
        snprintf(role, sizeof role, "%.*s", name ? (int)(name - word) : 0, word);
        const char *known = role_of(role);
        if (!known)
            return usage_error(
                args, "'%s' is not ROLE=NAME with a role of display narrator lights operator reader", word);
        if (!add_user(plan, name + 1, known))
            return usage_error(args, "'%s' cannot be a user: a name of a-z, 0-9 and -, once", name + 1);
    }
    return EXIT_CODE_OK;
}

static int write_plan(const struct plan *plan, struct text *text) {
    const struct {
        const char *name;
        void (*put)(struct text *, const struct plan *);
    } files[] = {{"tabled.acl", put_acl}, {"conf.d/tabled.conf", put_conf}};
    char path[PATH_MAX];
    size_t fresh = 0;
    snprintf(path, sizeof path, "%s/conf.d", plan->folder);
    if (mkdir(path, 0755) != 0 && errno != EEXIST) {
        fprintf(stderr, "tablectl: %s cannot be made: %s\n", path, strerror(errno));
        return EXIT_CODE_FAILED;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        text->len = 0;
        files[i].put(text, plan);
        snprintf(path, sizeof path, "%s/%s", plan->folder, files[i].name);
        if (!write_file(path, 0644, text->at, text->len))
            return EXIT_CODE_FAILED;
        printf("%s\n", path);
    }
    text->len = 0;
    snprintf(path, sizeof path, "%s/tabled.passwd", plan->folder);
    if (!put_users(text, plan, &fresh) || !write_file(path, 0600, text->at, text->len))
        return EXIT_CODE_FAILED;
    const struct passwd *broker = getuid() == 0 ? getpwnam("mosquitto") : NULL; // Debian's user of the broker
    if (broker && chown(path, broker->pw_uid, broker->pw_gid) != 0)
        fprintf(stderr, "tablectl: %s cannot be given to the broker's user: %s\n", path, strerror(errno));
    printf("%s\n%s/tabled.passwords/: %zu users, %zu of them new, each with the password of that name\n",
           path, plan->folder, plan->n_users, fresh);
    return EXIT_CODE_OK;
}

int run_broker(const struct args *args) {
    struct plan plan = {0};
    struct text text = {malloc(FILE_MAX), 0};
    int code = text.at ? read_plan(args, &plan) : EXIT_CODE_FAILED;
    if (!code && plan.folder) {
        code = write_plan(&plan, &text);
    } else if (!code) {
        put_conf(&text,
                 &(struct plan){
                     .folder = "/etc/mosquitto", .port = plan.port, .cert = plan.cert, .key = plan.key});
        put(&text, "\n");
        put_acl(&text, &plan);
        fwrite(text.at, 1, text.len, stdout);
    }
    free(text.at);
    return code;
}
