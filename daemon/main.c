// Arguments, configuration, wiring, exit code: the only file that knows every module.
#include "board/pieces.h"
#include "core/log.h"
#include "core/rng.h"
#include "core/sanitizer.h"
#include "drivers/driver.h"
#include "drivers/record.h"
#include "engine/table.h"
#include "games/bot.h"
#include "net/http.h"
#include "net/mqtt.h"
#include "readers.h"
#include "setup.h"
#include "wire/feed.h"
#include <errno.h>
#include <getopt.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <systemd/sd-daemon.h>
#include <time.h>
#include <unistd.h>

// Exit codes, also in tabled(8).
enum { EXIT_RUNTIME = 1, EXIT_USAGE = 2, EXIT_CONFIG = 3, EXIT_STORAGE = 4 };
enum { TABLE_BYTES_MIN = 64 * 1024 };

static const char usage[] =
    "tabled " TABLED_VERSION
    ": a game table that knows the rules\n"
    "\n"
    "  tabled --config FILE                 run\n"
    "  tabled --config FILE --check-config  read the configuration, say what is wrong, run nothing\n"
    "  tabled --config FILE --replay LOG --virtual-clock\n"
    "                                       play a tap log through pads, board, referee and table; print "
    "the\n"
    "                                       public messages as JSON lines; without --virtual-clock at its "
    "own speed\n"
    "      --journal FILE    with --replay: keep its games there, go on with one that runs there\n"
    "  tabled --sample-config               print every section and key with its default and meaning\n"
    "\n"
    "  -c, --config FILE     configuration (default /etc/tabled/tabled.conf)\n"
    "  -r, --record FILE     write everything the readers see to a tap log\n"
    "  -l, --log-level L     error warning info debug; wins over the configuration\n"
    "  -h, --help            this text        -V, --version\n"
    "\n"
    "Exit codes: 0 ended as asked, 1 failed while running, 2 wrong arguments, 3 configuration, 4 stored "
    "data.\n";

struct arguments {
    const char *config, *replay, *journal, *record, *log_level;
    bool check, virtual_clock;
};

struct daemon {
    struct loop *loop;
    struct clock_virtual virtual_clock;
    struct config *config;
    struct config_schema schemas[SETUP_SECTIONS];
    struct setup setup;
    struct pieces *pieces;
    struct door *door;
    struct feed *feed;
    struct mqtt *mqtt;
    struct history *history;
    struct http *http;
    struct readers *readers;
    struct loop_fd *wall_watch;
    int wall_fd;
    char state_dir[1024], journal[1100], house[1100];
};

// ---- the replay's printer

static void print_message(void *ctx, const struct feed_message *message) {
    struct daemon *d = ctx;
    if (message->audience != OBSERVE_PUBLIC || message->topic == TOPIC_INFO)
        return;
    printf("{\"ms\":%lld,\"table\":\"%s\",\"topic\":\"%s%s\",\"message\":%.*s}\n",
           (long long)(loop_now_us(d->loop) / 1000), message->table,
           topic_rows[message->topic].twin ? "public/" : "", topic_rows[message->topic].level,
           (int)message->json->len, (const char *)message->json->data);
}

// ---- configuration

static const char *daemon_text(const struct daemon *d, const char *key) {
    return config_text(config_only(d->config, "daemon"), key);
}

static void default_path(const struct daemon *d, const char *key, const char *name, char *ret, size_t size) {
    const char *path = daemon_text(d, key);
    if (path && *path)
        snprintf(ret, size, "%s", path);
    else
        snprintf(ret, size, "%s/%s", d->state_dir, name);
}

static enum error_code load_config(struct daemon *d, const char *path, const char *over, struct error *err) {
    setup_finish(&d->setup);
    config_destroy(d->config);
    d->config = NULL;
    return config_load_over(path, over, d->schemas, &d->config, err) || readers_check(d->config, err) ||
                   setup_read(d->config, readers_can, d->config, &d->setup, err) ||
                   http_check(config_find(d->config, "http", ""), err)
               ? err->code
               : ERROR_OK;
}

// What was changed from the dashboard comes last. It cannot keep the daemon from starting.
static enum error_code load_changes(struct daemon *d, const char *path, struct error *err) {
    char over[1100];
    struct error wrong = {0};
    snprintf(over, sizeof over, "%s/settings.conf", daemon_text(d, "state_dir"));
    if (access(over, F_OK) != 0 || !load_config(d, path, over, &wrong))
        return ERROR_OK;
    log_warning("settings", "changes from the dashboard are left out: %s: %s", wrong.where, wrong.text);
    return load_config(d, path, NULL, err);
}

static enum error_code read_config(struct daemon *d, const struct arguments *args, struct error *err) {
    setup_schemas(mqtt_keys, http_keys, driver_common_params(), d->schemas);
    if (load_config(d, args->config, NULL, err) || (!args->replay && load_changes(d, args->config, err)))
        return err->code;
    enum log_level level; // both words were checked
    if (log_level_parse(args->log_level ? args->log_level : daemon_text(d, "log_level"), &level))
        log_set_level(level);
    snprintf(d->state_dir, sizeof d->state_dir, "%s", daemon_text(d, "state_dir"));
    default_path(d, "journal", "journal.db", d->journal, sizeof d->journal);
    default_path(d, "house", "house.db", d->house, sizeof d->house);
    if (args->replay) // a replay leaves the journal of real games alone
        snprintf(d->journal, sizeof d->journal, "%s", args->journal ? args->journal : ":memory:");
    return ERROR_OK;
}

// ---- wiring

static void on_wall_clock(void *ctx, uint32_t revents) {
    struct daemon *d = ctx;
    uint64_t ticks;
    (void)revents;
    if (read(d->wall_fd, &ticks, sizeof ticks) < 0 && errno == ECANCELED) {
        log_warning("clock", "the wall clock was set; deadlines are sent again");
        door_clock_jumped(d->door);
    }
}

// A timer far away that the kernel cancels when somebody sets the wall clock.
static enum error_code watch_wall_clock(struct daemon *d, struct error *err) {
    d->wall_fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    const int64_t year_36812 = INT64_C(1) << 40;
    struct itimerspec far = {.it_value.tv_sec = sizeof(time_t) > 4 ? (time_t)year_36812 : INT32_MAX};
    if (d->wall_fd < 0 ||
        timerfd_settime(d->wall_fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &far, NULL))
        return error_set(err, ERROR_INTERNAL, "clock", "timerfd: %s", strerror(errno));
    return loop_fd_add(d->loop, d->wall_fd, EPOLLIN, on_wall_clock, d, &d->wall_watch, err);
}

static void on_signal(void *ctx, int signo) {
    struct daemon *d = ctx;
    log_info("main", "stopping on signal %d", signo);
    loop_notify(d->loop, "STOPPING=1");
    loop_quit(d->loop, 0);
}

static enum error_code open_house(struct daemon *d, const struct arguments *args, uint64_t boot,
                                  struct error *err) {
    struct stat is;
    if (mkdir(d->state_dir, 0700) && (errno != EEXIST || (!stat(d->state_dir, &is) && !S_ISDIR(is.st_mode))))
        return error_set(err, ERROR_STORAGE, d->state_dir, "cannot make the state folder: %s",
                         strerror(errno));
    if (!args->replay && http_check_state(d->state_dir, err))
        return err->code;
    if (args->replay)
        for (size_t i = 0; i < d->setup.n_tables; i++) // same input, same output
            if (!d->setup.tables[i].seed)
                d->setup.tables[i].seed = 1;
    const struct door_options options = {d->loop,         d->pieces,         d->house, d->journal,
                                         d->setup.tables, d->setup.n_tables, boot,     bot_find};
    if (pieces_create(&d->pieces, err) || pieces_load(d->pieces, d->house, err))
        return err->code;
    struct door_options with_pieces = options;
    with_pieces.pieces = d->pieces;
    enum error_code code = door_create(&with_pieces, &d->door, err);
    setup_finish(&d->setup); // the tables have what is theirs
    return code;
}

static const struct config_key *more_keys(const struct config_section *section) {
    const char *name = config_text(section, "driver");
    const struct driver *driver = name ? driver_find(name) : NULL;
    return driver ? driver->params : NULL;
}

static enum error_code open_net(struct daemon *d, const struct arguments *args, uint64_t boot,
                                struct error *err) {
    if (feed_create(boot, daemon_text(d, "locale"), &d->feed, err))
        return err->code;
    feed_set_clock(d->feed, loop_clock(d->loop));
    const struct history_options history = {
        .loop = d->loop,
        .state_dir = d->state_dir,
        .door = d->door,
        .feed = d->feed,
        .games = (unsigned)config_int(config_only(d->config, "daemon"), "history")};
    if (!args->replay && history.games && history_create(&history, &d->history, err))
        return err->code;
    door_add_sink(d->door, feed_sink(d->feed));
    if (args->replay) {
        const struct feed_outlet printer = {print_message, d};
        feed_add_outlet(d->feed, &printer);
        return ERROR_OK;
    }
    if (mqtt_create(d->loop, config_find(d->config, "mqtt", ""), daemon_text(d, "site"), TABLED_VERSION, boot,
                    d->door, d->feed, &d->mqtt, err))
        return err->code;
    int n = sd_listen_fds(1), fds[16];
    if (n < 0 || n > 16)
        return error_set(err, ERROR_INVALID, "tabled.socket", "at most 16 sockets can be handed over");
    for (int i = 0; i < n; i++)
        fds[i] = SD_LISTEN_FDS_START + i;
    const char *socket = daemon_text(d, "socket");
    const struct http_options options = {.loop = d->loop,
                                         .conf = config_find(d->config, "http", ""),
                                         .config_path = args->config,
                                         .config = d->config,
                                         .schemas = d->schemas,
                                         .more_keys = more_keys,
                                         .state_dir = d->state_dir,
                                         .socket_path = socket && *socket ? socket : NULL,
                                         .listen_fds = fds,
                                         .n_listen_fds = (size_t)n,
                                         .version = TABLED_VERSION,
                                         .site = daemon_text(d, "site"),
                                         .locale = daemon_text(d, "locale"),
                                         .boot_id = boot,
                                         .door = d->door,
                                         .feed = d->feed,
                                         .mqtt = d->mqtt,
                                         .history = d->history};
    return http_create(&options, &d->http, err);
}

static enum error_code open_readers(struct daemon *d, const struct arguments *args, struct error *err) {
    const struct readers_options options = {
        .loop = d->loop,
        .config = d->config,
        .door = d->door,
        .mqtt = d->mqtt,
        .replay = args->replay,
        .record = args->record,
    };
    return readers_open(&options, &d->readers, err);
}

static enum error_code wire_up(struct daemon *d, const struct arguments *args, struct error *err) {
    clock_virtual_init(&d->virtual_clock);
    bool turned = args->virtual_clock;
    uint64_t boot = args->replay ? 1 : rng_entropy();
    if (loop_create(turned ? &d->virtual_clock.base : NULL, turned ? &d->virtual_clock : NULL, &d->loop,
                    err) ||
        open_house(d, args, boot, err) || open_net(d, args, boot, err))
        return err->code;
    if (open_readers(d, args, err) || loop_signal(d->loop, SIGTERM, on_signal, d, err) ||
        loop_signal(d->loop, SIGINT, on_signal, d, err))
        return err->code;
    return args->replay ? ERROR_OK : watch_wall_clock(d, err);
}

static void take_down(struct daemon *d) {
    readers_close(d->readers);
    http_destroy(d->http);
    mqtt_destroy(d->mqtt);
    history_destroy(d->history);
    door_destroy(d->door);
    feed_destroy(d->feed);
    pieces_destroy(d->pieces);
    loop_fd_remove(d->wall_watch);
    if (d->wall_fd > 0)
        close(d->wall_fd);
    loop_destroy(d->loop);
    setup_finish(&d->setup);
    config_destroy(d->config);
}

// ---- every key there is

static void print_keys(const struct config_key *keys) {
    for (const struct config_key *key = keys; key && key->name; key++) {
        printf("# %s%s%s%s\n", key->help, key->choices ? "; one of: " : "", key->choices ? key->choices : "",
               key->required ? "; must be given" : "");
        printf("#%s = %s\n", key->name, key->fallback ? key->fallback : "");
    }
}

static int sample_config(void) {
    struct config_schema schemas[SETUP_SECTIONS];
    setup_schemas(mqtt_keys, http_keys, driver_common_params(), schemas);
    for (const struct config_schema *s = schemas; s->section; s++) {
        printf("%s[%s%s%s]\n", s == schemas ? "" : "\n", s->section, s->labelled ? " " : "",
               s->labelled ? s->label_help : "");
        print_keys(s->keys);
        if (s->keys == driver_common_params())
            for (size_t i = 0; driver_at(i); i++) {
                printf("# -- driver = %s: %s\n", driver_at(i)->name, driver_at(i)->summary);
                print_keys(driver_at(i)->params);
            }
        if (!s->keys)
            puts("# PLACE = PAD [PAD ...]");
    }
    return 0;
}

static int say(const struct error *err, int code) {
    fprintf(stderr, "tabled: %s%s%s\n", err->where, *err->where ? ": " : "", err->text);
    return code;
}

// Who starts it for the first time has no configuration yet.
static int say_config(const struct error *err, const struct arguments *args) {
    say(err, EXIT_CONFIG);
    if (access(args->config, F_OK))
        fputs(
            "tabled: name a configuration with --config FILE; a sample to copy is installed in "
            "share/doc/tabled/examples, all keys: tabled --sample-config\n",
            stderr);
    return EXIT_CONFIG;
}

static int exit_code_of(const struct error *err) {
    return err->code == ERROR_STORAGE || err->code == ERROR_CORRUPT ? EXIT_STORAGE
           : err->code == ERROR_INTERNAL                            ? EXIT_RUNTIME
                                                                    : EXIT_CONFIG;
}

static int run(struct daemon *d, const struct arguments *args) {
    struct error err = {0};
    if (read_config(d, args, &err))
        return say_config(&err, args);
    if (args->check) {
        fprintf(stderr, "%s", d->setup.notes);
        printf("%s: %zu table%s, all is well\n", args->config, d->setup.n_tables,
               d->setup.n_tables == 1 ? "" : "s");
        return 0;
    }
    // First of all: a start that is refused for its log opens and changes nothing.
    if ((args->record && record_check(args->record, &err)) || wire_up(d, args, &err))
        return say(&err, exit_code_of(&err));
    if (!args->replay && loop_watchdog(d->loop, &err))
        return say(&err, EXIT_RUNTIME);
    log_info("main", "ready version=%s tables=%zu readers=%zu", TABLED_VERSION, door_tables(d->door),
             readers_count(d->readers));
    loop_notify(d->loop, "READY=1");
    int code = loop_run(d->loop);
    if (fflush(stdout))
        return EXIT_RUNTIME;
    return code;
}

// What does not go together, NULL = all does.
static const char *misfit(const struct arguments *args) {
    enum log_level level;
    return args->virtual_clock && !args->replay ? "--virtual-clock goes with --replay"
           : args->journal && !args->replay     ? "--journal goes with --replay"
           : args->record && args->replay       ? "--record and --replay do not go together"
           : args->log_level && !log_level_parse(args->log_level, &level)
               ? "--log-level takes error, warning, info or debug"
               : NULL;
}

static int parse(int argc, char **argv, struct arguments *args) {
    static const struct option options[] = {
        {"config", required_argument, NULL, 'c'},
        {"check-config", no_argument, NULL, 'k'},
        {"replay", required_argument, NULL, 'p'},
        {"virtual-clock", no_argument, NULL, 'v'},
        {"record", required_argument, NULL, 'r'},
        {"log-level", required_argument, NULL, 'l'},
        {"sample-config", no_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {"journal", required_argument, NULL, 'j'},
        {0},
    };
    for (int c; (c = getopt_long(argc, argv, "c:r:l:hV", options, NULL)) != -1;) {
        switch (c) {
        case 'c':
            args->config = optarg;
            break;
        case 'k':
            args->check = true;
            break;
        case 'p':
            args->replay = optarg;
            break;
        case 'j':
            args->journal = optarg;
            break;
        case 'v':
            args->virtual_clock = true;
            break;
        case 'r':
            args->record = optarg;
            break;
        case 'l':
            args->log_level = optarg;
            break;
        case 's':
            return sample_config();
        case 'h':
            fputs(usage, stdout);
            return 0;
        case 'V':
            puts("tabled " TABLED_VERSION);
            return 0;
        default:
            fputs("tabled: see tabled --help\n", stderr);
            return EXIT_USAGE;
        }
    }
    const char *wrong = optind < argc ? "arguments without a dash are not understood" : misfit(args);
    if (wrong)
        fprintf(stderr, "tabled: %s; see tabled --help\n", wrong);
    return wrong ? EXIT_USAGE : -1;
}

int main(int argc, char **argv) {
    struct arguments args = {.config = "/etc/tabled/tabled.conf"};
    int done = parse(argc, argv, &args);
    if (done >= 0)
        return done;
    // Secrets stay out of core files and of other processes' reach.
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#if !SANITIZER_ADDRESS // the leak check must be able to look at its own process
    prctl(PR_SET_DUMPABLE, 0);
#endif
    // Tables are made for the most there may be. As pages of their own they cost what a house fills of them.
    mallopt(M_MMAP_THRESHOLD, TABLE_BYTES_MIN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error of the write, not of the process
    umask(0077);
    log_open("tabled", LOG_LEVEL_INFO);
    struct daemon *d = calloc(1, sizeof *d);
    if (!d)
        log_no_memory("main");
    int code = run(d, &args);
    take_down(d);
    free(d);
    log_flush();
    return code;
}
