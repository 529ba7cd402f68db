// Arguments, configuration, wiring, exit code: the only file that knows every module.
#include "board/pieces.h"
#include "core/log.h"
#include "core/rng.h"
#include "drivers/driver.h"
#include "drivers/record.h"
#include "engine/table.h"
#include "games/bot.h"
#include "net/http.h"
#include "net/mqtt.h"
#include "setup.h"
#include "wire/feed.h"
#include <errno.h>
#include <getopt.h>
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

enum { READERS_MAX = 64, ANTENNA_TAGS_MAX = PAD_TAGS_MAX + 1 };

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
    struct record *record;
    size_t n_readers, n_ended;
    struct seat_of_reader {
        struct reader *reader;
        struct daemon *daemon;
        unsigned n_tags; // of the scan that is being reported
        struct tag tags[ANTENNA_TAGS_MAX];
    } readers[READERS_MAX];
    struct loop_call quit;
    struct loop_fd *wall_watch;
    int wall_fd;
    char state_dir[1024], journal[1100], house[1100];
};

// ---- readers
// -----------------------------------------------------------------------------------------------------

static void on_seen(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len) {
    struct seat_of_reader *seat = reader->host_ctx;
    (void)antenna;
    if (seat->n_tags < ANTENNA_TAGS_MAX && !tag_from_bytes(uid, len, &seat->tags[seat->n_tags], NULL))
        seat->n_tags++;
}

static void on_scan_done(struct reader *reader, uint16_t antenna, enum driver_outcome outcome) {
    struct seat_of_reader *seat = reader->host_ctx;
    static const enum pad_outcome outcomes[] = {[DRIVER_SEEN] = PAD_SEEN,
                                                [DRIVER_NONE] = PAD_NONE,
                                                [DRIVER_COLLIDED] = PAD_COLLIDED,
                                                [DRIVER_FAILED] = PAD_FAILED};
    unsigned n = seat->n_tags;
    seat->n_tags = 0;
    door_scan(seat->daemon->door, reader->name, antenna, outcomes[outcome], seat->tags, n);
}

static void on_health(struct reader *reader, bool up, const char *why) {
    struct seat_of_reader *seat = reader->host_ctx;
    seat->n_tags = 0;
    door_reader(seat->daemon->door, reader->name, reader->driver->name, up, why);
}

static void end_of_replay(void *ctx) {
    struct daemon *d = ctx;
    loop_quit(d->loop, 0);
}

static void on_ended(struct reader *reader) {
    struct seat_of_reader *seat = reader->host_ctx;
    struct daemon *d = seat->daemon;
    if (++d->n_ended == d->n_readers)
        loop_defer(d->loop, &d->quit, end_of_replay, d);
}

static void on_fault(struct reader *reader, enum driver_fault fault) {
    static const enum observe_fault faults[] = {[DRIVER_FAULT_TIMEOUT] = OBSERVE_FAULT_TIMEOUT,
                                                [DRIVER_FAULT_CHECKSUM] = OBSERVE_FAULT_CHECKSUM,
                                                [DRIVER_FAULT_FRAME] = OBSERVE_FAULT_FRAME,
                                                [DRIVER_FAULT_STATUS] = OBSERVE_FAULT_STATUS,
                                                [DRIVER_FAULT_IO] = OBSERVE_FAULT_IO};
    struct seat_of_reader *seat = reader->host_ctx;
    door_fault(seat->daemon->door, reader->name, faults[fault]);
}

static void on_hint(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                    const char *text) {
    struct seat_of_reader *seat = reader->host_ctx;
    struct tag tag;
    if (!tag_from_bytes(uid, len, &tag, NULL))
        door_hint(seat->daemon->door, reader->name, antenna, &tag, text);
}

static void on_signature(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                         enum driver_signature signature) {
    static const enum door_signature verdicts[] = {
        [DRIVER_SIGNATURE_UNKNOWN] = DOOR_SIGNATURE_UNKNOWN,
        [DRIVER_SIGNATURE_VALID] = DOOR_SIGNATURE_VALID,
        [DRIVER_SIGNATURE_INVALID] = DOOR_SIGNATURE_INVALID,
        [DRIVER_SIGNATURE_UNREADABLE] = DOOR_SIGNATURE_UNREADABLE,
        [DRIVER_SIGNATURE_UNSUPPORTED] = DOOR_SIGNATURE_UNSUPPORTED,
    };
    struct seat_of_reader *seat = reader->host_ctx;
    struct tag tag;
    if (!tag_from_bytes(uid, len, &tag, NULL))
        door_signature(seat->daemon->door, reader->name, antenna, &tag, verdicts[signature]);
}

static const struct driver_host host = {
    .seen = on_seen,
    .scan_done = on_scan_done,
    .health = on_health,
    .ended = on_ended,
    .fault = on_fault,
    .hint = on_hint,
    .signature = on_signature,
};

static void on_again(void *ctx, const char *name, uint16_t antenna) {
    struct daemon *d = ctx;
    for (size_t i = 0; i < d->n_readers; i++) {
        struct reader *reader = d->readers[i].reader;
        if (reader && !strcmp(reader->name, name) && reader->driver->again)
            reader->driver->again(reader, antenna);
    }
}

static bool on_inspect(void *ctx, const char *name, uint16_t antenna, bool on) {
    struct daemon *d = ctx;
    for (size_t i = 0; i < d->n_readers; i++) {
        struct reader *reader = d->readers[i].reader;
        if (!reader || strcmp(reader->name, name) || !reader->driver->inspect)
            continue;
        reader->driver->inspect(reader, antenna, on);
        return true;
    }
    return false;
}

// The broker's bytes for a reader: only by way of a table that it serves, for each table's topics have rights
// of their own.
static void on_driver_bytes(void *ctx, const char *table, const char *name, const char *channel,
                            const void *data, size_t len, bool late) {
    struct daemon *d = ctx;
    const struct observe_readers *serve = door_readers(d->door, table);
    for (unsigned i = 0; serve && i < serve->n; i++) {
        if (strcmp(serve->reader[i].name, name) != 0)
            continue;
        for (size_t k = 0; k < d->n_readers; k++) {
            struct reader *reader = d->readers[k].reader;
            if (reader && !strcmp(reader->name, name) && reader->driver->bytes)
                reader->driver->bytes(reader, channel, data, len, late);
        }
    }
}

static void on_driver_link(void *ctx, bool up) {
    struct daemon *d = ctx;
    const char byte = up;
    for (size_t k = 0; k < d->n_readers; k++) {
        struct reader *reader = d->readers[k].reader;
        if (reader && reader->driver->bytes)
            reader->driver->bytes(reader, "link", &byte, 1, false);
    }
}

static void open_network_readers(struct daemon *d) {
    static const struct mqtt_driver calls = {on_driver_bytes, on_driver_link};
    bool any = false;
    for (size_t k = 0; k < d->n_readers; k++)
        any |= d->readers[k].reader->driver->bytes != NULL;
    if (any && d->mqtt)
        mqtt_serve_drivers(d->mqtt, &calls, d);
}

static enum error_code open_readers(struct daemon *d, const struct arguments *args, struct error *err) {
    const struct driver_host *use = &host;
    if (args->record && record_open(args->record, &host, &d->record, err))
        return err->code;
    if (d->record)
        use = record_host(d->record);
    for (const struct config_section *s = config_next(d->config, "reader", NULL); s;
         s = config_next(d->config, "reader", s)) {
        if (d->n_readers == READERS_MAX)
            return error_set(err, ERROR_INVALID, config_where(s), "more than %d readers", READERS_MAX);
        struct seat_of_reader *seat = &d->readers[d->n_readers++];
        seat->daemon = d;
        door_reader(d->door, config_label(s), config_text(s, "driver"), false, "not open yet");
        if (reader_open(d->loop, use, seat, s, args->replay, &seat->reader, err))
            return err->code;
    }
    open_network_readers(d);
    return ERROR_OK;
}

static void close_readers(struct daemon *d) {
    for (size_t i = 0; i < d->n_readers; i++)
        reader_close(d->readers[i].reader);
    d->n_readers = 0;
    record_close(d->record);
}

// ---- the replay's printer
// ----------------------------------------------------------------------------------------

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
// -----------------------------------------------------------------------------------------------

static struct setup_reader reader_can(void *ctx, const char *name) {
    struct daemon *d = ctx;
    const struct config_section *section = config_find(d->config, "reader", name);
    const struct driver *driver = section ? driver_find(config_text(section, "driver")) : NULL;
    static struct driver_needs needs; // large
    struct error err;
    if (!driver || driver_check(section, &needs, &err))
        return (struct setup_reader){0};
    return (struct setup_reader){true, needs.capabilities & DRIVER_SEES_REMOVAL,
                                 needs.capabilities & DRIVER_SEES_SEVERAL, needs.antennas};
}

// Each reader alone, then all together: what two of them cannot share.
// Ids that travel readable are everybody's who may read that topic (design 5.6).
static enum error_code check_network(struct daemon *d, const struct config_section *s,
                                     const struct driver *driver, const struct driver_needs *needs,
                                     struct error *err) {
    if (driver->bytes && !config_find(d->config, "mqtt", ""))
        return error_set(err, ERROR_INVALID, config_where(s),
                         "a reader on the network needs the section [mqtt]");
    if (needs->capabilities & DRIVER_PLAIN_NETWORK &&
        !config_bool(config_only(d->config, "daemon"), "allow_plain_readers"))
        return error_set(
            err, ERROR_INVALID, config_where(s),
            "reader %s sends tag ids that all may read who may read driver/# on the broker: let tabled "
            "alone read it (`tablectl broker` writes such rights) and say `allow_plain_readers = yes` in "
            "[daemon]",
            config_label(s));
    return ERROR_OK;
}

static enum error_code check_readers(struct daemon *d, struct error *err) {
    static struct driver_needs needs; // large
    static struct bus_user users[READERS_MAX * DRIVER_USERS_MAX];
    size_t n = 0;
    for (const struct config_section *s = config_next(d->config, "reader", NULL); s;
         s = config_next(d->config, "reader", s)) {
        const char *name = config_text(s, "driver");
        const struct driver *driver = name ? driver_find(name) : NULL;
        if (!driver)
            return error_set(err, ERROR_INVALID, name ? config_key_where(s, "driver") : config_where(s),
                             name ? "there is no driver `%s`" : "say `driver =` (reader %s)",
                             name ? name : config_label(s));
        if (config_check_keys(d->config, s, driver->params, err) || driver_check(s, &needs, err))
            return err->code;
        if (check_network(d, s, driver, &needs, err))
            return err->code;
        for (size_t i = 0; i < needs.n_users && n < sizeof users / sizeof *users; i++)
            users[n++] = needs.user[i];
    }
    return bus_users_check(users, n, err);
}

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
    return config_load_over(path, over, d->schemas, &d->config, err) || check_readers(d, err) ||
                   setup_read(d->config, reader_can, d, &d->setup, err) ||
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
// ------------------------------------------------------------------------------------------------------

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
    struct itimerspec far = {.it_value.tv_sec = (time_t)1 << 40};
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
    return door_create(&with_pieces, &d->door, err);
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

static enum error_code wire_up(struct daemon *d, const struct arguments *args, struct error *err) {
    clock_virtual_init(&d->virtual_clock);
    bool turned = args->virtual_clock;
    uint64_t boot = args->replay ? 1 : rng_entropy();
    if (loop_create(turned ? &d->virtual_clock.base : NULL, turned ? &d->virtual_clock : NULL, &d->loop,
                    err) ||
        open_house(d, args, boot, err) || open_net(d, args, boot, err))
        return err->code;
    door_on_again(d->door, on_again, d);
    door_on_inspect(d->door, on_inspect, d);
    if (open_readers(d, args, err) || loop_signal(d->loop, SIGTERM, on_signal, d, err) ||
        loop_signal(d->loop, SIGINT, on_signal, d, err))
        return err->code;
    return args->replay ? ERROR_OK : watch_wall_clock(d, err);
}

static void take_down(struct daemon *d) {
    mqtt_serve_drivers(d->mqtt, NULL, NULL);
    close_readers(d);
    http_destroy(d->http);
    mqtt_destroy(d->mqtt);
    history_destroy(d->history);
    door_destroy(d->door);
    feed_destroy(d->feed);
    pieces_destroy(d->pieces);
    loop_fd_remove(d->wall_watch);
    if (d->wall_fd > 0)
        close(d->wall_fd);
    if (d->loop)
        loop_defer_cancel(d->loop, &d->quit);
    loop_destroy(d->loop);
    setup_finish(&d->setup);
    config_destroy(d->config);
}

// ---- every key there is
// ------------------------------------------------------------------------------------------

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
    if (wire_up(d, args, &err))
        return say(&err, exit_code_of(&err));
    if (!args->replay && loop_watchdog(d->loop, &err))
        return say(&err, EXIT_RUNTIME);
    log_info("main", "ready version=%s tables=%zu readers=%zu", TABLED_VERSION, d->setup.n_tables,
             d->n_readers);
    loop_notify(d->loop, "READY=1");
    int code = loop_run(d->loop);
    if (fflush(stdout))
        return EXIT_RUNTIME;
    return code;
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
    enum log_level level;
    const char *wrong = optind < argc                          ? "arguments without a dash are not understood"
                        : args->virtual_clock && !args->replay ? "--virtual-clock goes with --replay"
                        : args->journal && !args->replay       ? "--journal goes with --replay"
                        : args->record && args->replay         ? "--record and --replay do not go together"
                        : args->log_level && !log_level_parse(args->log_level, &level)
                            ? "--log-level takes error, warning, info or debug"
                            : NULL;
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
#ifndef __SANITIZE_ADDRESS__ // the leak check must be able to look at its own process
    prctl(PR_SET_DUMPABLE, 0);
#endif
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error of the write, not of the process
    umask(0077);
    log_open("tabled", LOG_LEVEL_INFO);
    struct daemon *d = calloc(1, sizeof *d);
    if (!d)
        return EXIT_RUNTIME;
    int code = run(d, &args);
    take_down(d);
    free(d);
    log_flush();
    return code;
}
