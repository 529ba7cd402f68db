// The main of every client: arguments, configuration, loop, signals, systemd.
#include "core/log.h"
#include "options__.h"
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_RUNTIME = 1, EXIT_USAGE = 2, EXIT_CONFIG = 3, FLAGS_MAX = 16, COMMON = 16 };

static void usage(const struct room_program *program) {
    printf(
        "%s %s: %s\n\n"
        "  %s [--config FILE] [FLAGS]       follow a table over MQTT\n"
        "  %s --render[=FILE] [--out PATH]  follow the lines of `tabled --replay --virtual-clock`\n"
        "\n"
        "  -c, --config FILE        configuration (default /etc/tabled/%s.conf if it is there)\n"
        "      --check-config       read it, say what is wrong, run nothing\n"
        "      --render[=FILE]      read JSON lines from FILE or standard input\n"
        "  -o, --out PATH           where --render writes\n"
        "      --host H --port P    the broker        --socket PATH          its Unix socket\n"
        "      --user NAME          at the broker     --password-file FILE   mode 0600\n"
        "      --site NAME --table NAME               whose messages\n"
        "      --lang LANGUAGE      en es it zh\n"
        "  -l, --log-level L        error warning info debug\n"
        "  -h, --help               this text         -V, --version\n",
        program->name, TABLED_VERSION, program->summary, program->name, program->name, program->name);
    for (const struct room_flag *f = program->flags; f && f->name; f++)
        printf("      --%s%s%-*s %s\n", f->name, f->value_name ? " " : "", 21 - (int)strlen(f->name),
               f->value_name ? f->value_name : "", f->help);
    puts("\nExit codes: 0 ended as asked, 1 failed while running, 2 wrong arguments, 3 configuration.");
}

enum {
    O_CHECK = 256,
    O_RENDER,
    O_HOST,
    O_PORT,
    O_SOCKET,
    O_USER,
    O_PASSWORD,
    O_SITE,
    O_TABLE,
    O_LANG,
    O_OWN
};
static const struct option common[COMMON] = {
    {"config", required_argument, NULL, 'c'},
    {"check-config", no_argument, NULL, O_CHECK},
    {"render", optional_argument, NULL, O_RENDER},
    {"out", required_argument, NULL, 'o'},
    {"host", required_argument, NULL, O_HOST},
    {"port", required_argument, NULL, O_PORT},
    {"socket", required_argument, NULL, O_SOCKET},
    {"user", required_argument, NULL, O_USER},
    {"password-file", required_argument, NULL, O_PASSWORD},
    {"site", required_argument, NULL, O_SITE},
    {"table", required_argument, NULL, O_TABLE},
    {"lang", required_argument, NULL, O_LANG},
    {"log-level", required_argument, NULL, 'l'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
};

static const char **target(struct options__flags *f, int option) {
    switch (option) {
    case 'c':
        return &f->config;
    case 'o':
        return &f->output;
    case 'l':
        return &f->log_level;
    case O_HOST:
        return &f->host;
    case O_PORT:
        return &f->port;
    case O_SOCKET:
        return &f->socket;
    case O_USER:
        return &f->user;
    case O_PASSWORD:
        return &f->password_file;
    case O_SITE:
        return &f->site;
    case O_TABLE:
        return &f->table;
    case O_LANG:
        return &f->language;
    default:
        return NULL;
    }
}

// -1 = go on, else the exit code.
static int parse(int argc, char **argv, const struct room_program *program, struct options__flags *ret) {
    struct option options[COMMON + FLAGS_MAX + 1] = {{0}};
    memcpy(options, common, sizeof common);
    size_t n = COMMON - 1;
    for (const struct room_flag *f = program->flags; f && f->name && n < COMMON + FLAGS_MAX; f++, n++)
        options[n] = (struct option){f->name, f->value_name ? required_argument : no_argument, NULL,
                                     O_OWN + (int)(f - program->flags)};
    for (int c; (c = getopt_long(argc, argv, "c:o:l:hV", options, NULL)) != -1;) {
        if (c == 'h') {
            usage(program);
            return 0;
        }
        if (c == 'V') {
            printf("%s %s\n", program->name, TABLED_VERSION);
            return 0;
        }
        if (c == O_CHECK) {
            ret->check = true;
        } else if (c == O_RENDER) {
            ret->render = true;
            ret->input = optarg;
        } else if (c >= O_OWN && program->flags) {
            *program->flags[c - O_OWN].ret = optarg ? optarg : "";
        } else if (target(ret, c)) {
            *target(ret, c) = optarg;
        } else {
            fprintf(stderr, "%s: see %s --help\n", program->name, program->name);
            return EXIT_USAGE;
        }
    }
    if (ret->render && !ret->input && optind < argc)
        ret->input = argv[optind++];
    if (optind < argc) {
        fprintf(stderr, "%s: what is `%s`? see %s --help\n", program->name, argv[optind], program->name);
        return EXIT_USAGE;
    }
    return -1;
}

static int say(const struct room_program *program, const struct error *err, int code) {
    fprintf(stderr, "%s: %s%s%s\n", program->name, err->where, *err->where ? ": " : "", err->text);
    return code;
}

static void on_signal(void *ctx, int signo) {
    log_info("main", "stopping on signal %d", signo);
    loop_notify(ctx, "STOPPING=1");
    loop_quit(ctx, 0);
}

struct running {
    struct config_schema schemas[OPTIONS__SCHEMAS_MAX]; // the configuration looks into them
    struct config *config;
    struct mqtt_conf conf;
    struct clock_virtual clock;
    struct loop *loop;
    struct room *room;
    void *client;
};

static enum error_code read_config(const struct room_program *program, const struct options__flags *flags,
                                   struct running *r, struct room_options *options, struct error *err) {
    char path[256];
    const char *use = flags->config;
    snprintf(path, sizeof path, "/etc/tabled/%s.conf", program->name);
    if (!use)
        use = access(path, F_OK) ? NULL : path;
    options__schemas(program->sections, r->schemas);
    enum log_level level;
    if (config_load(use, r->schemas, &r->config, err) ||
        options__read(program->name, flags, r->config, &r->conf, options, err))
        return err->code;
    if (flags->log_level && !log_level_parse(flags->log_level, &level))
        return error_set(err, ERROR_INVALID, "--log-level", "one of: error warning info debug");
    if (flags->log_level)
        log_set_level(level);
    return ERROR_OK;
}

static int run(const struct room_program *program, const struct options__flags *flags, struct running *r,
               struct error *err) {
    struct room_options options = {0};
    if (read_config(program, flags, r, &options, err))
        return say(program, err, EXIT_CONFIG);
    clock_virtual_init(&r->clock);
    if (loop_create(options.render ? &r->clock.base : NULL, options.render ? &r->clock : NULL, &r->loop, err))
        return say(program, err, EXIT_RUNTIME);
    // Before a library makes threads, which inherit what is blocked.
    if (loop_signal(r->loop, SIGTERM, on_signal, r->loop, err) ||
        loop_signal(r->loop, SIGINT, on_signal, r->loop, err))
        return say(program, err, EXIT_RUNTIME);
    if (program->open(r->loop, r->config, &options, &r->client, err)) // a device that is not there may come
        return say(program, err, err->code == ERROR_NOT_FOUND ? EXIT_RUNTIME : EXIT_CONFIG);
    if (flags->check) {
        printf("%s: all is well\n", flags->config ? flags->config : "defaults");
        return 0;
    }
    if ((!options.render && loop_watchdog(r->loop, err)) ||
        room_create(r->loop, &options, program->calls, r->client, &r->room, err))
        return say(program, err, err->code == ERROR_INVALID ? EXIT_CONFIG : EXIT_RUNTIME);
    if (program->start && program->start(r->client, r->room, err))
        return say(program, err, EXIT_RUNTIME);
    loop_notify(r->loop, "READY=1");
    return loop_run(r->loop);
}

int room_main(int argc, char **argv, const struct room_program *program) {
    struct options__flags flags = {0};
    struct running r = {0};
    struct error err = {0};
    int code = parse(argc, argv, program, &flags);
    if (code >= 0)
        return code;
    log_open(program->name, flags.render ? LOG_LEVEL_WARNING : LOG_LEVEL_INFO);
    code = run(program, &flags, &r, &err);
    room_destroy(r.room);
    if (r.client && program->close(r.client, &err) && !code)
        code = say(program, &err, EXIT_RUNTIME);
    loop_destroy(r.loop);
    mqtt_conf_free(&r.conf);
    config_destroy(r.config);
    log_flush();
    return code;
}
