// A network reader in small: takes tap-log lines on its input, sends what lies there as sealed frames of one
// size at one rate. A model for firmware, and a bridge for a reader at another machine.
#include "drivers/driver.h"
#include "drivers/mqtt_reader_frame.h"
#include "drivers/taplog.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <mosquitto.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_CODE_FAILED = 1, EXIT_CODE_USAGE = 2, LINE_BYTES = 256, KEEPALIVE_S = 10 };

static const char usage[] =
    "node-sender " TABLED_VERSION
    ": a reader of tabled on the network\n"
    "\n"
    "  node-sender --topic tabled/v1/SITE/TABLE/driver/READER --key FILE [OPTIONS] < LINES\n"
    "  node-sender --make-key FILE\n"
    "\n"
    "LINES are those of a tap log: MS READER ANTENNA OUTCOME [UID]; MS tells which lines are one scan.\n"
    "\n"
    "  --topic TOPIC     where the reader is served; its last level is the reader's name\n"
    "  --key FILE        64 hex digits, mode 0600, the same file as key_file of [reader]\n"
    "  --antennas N      as in [reader] (1)\n"
    "  --rate N          frames a second, day and night (10)\n"
    "  --host H --port P broker (localhost 1883)\n"
    "  --user U --password-file F\n"
    "  --make-key FILE   writes a new key (mode 0600) and ends\n"
    "  --help, --version\n"
    "\n"
    "Ends with its input, after a last frame. Exit codes: 0 ended, 1 failed, 2 wrong arguments.\n";

struct sender {
    const char *topic, *key_file, *host, *user, *password_file;
    int port;
    unsigned antennas, rate;
    char name[33], status[256], obs[256];
    uint8_t key[FRAME_KEY_BYTES];
    struct frame frame;
    int64_t scan_ms[FRAME_ANTENNAS_MAX]; // of the last line of each antenna
    char line[LINE_BYTES];
    size_t n_line;
    bool cut; // the line is too long
    struct mosquitto *client;
};
static volatile sig_atomic_t stopped;

static void on_signal(int signo) {
    (void)signo;
    stopped = 1;
}

static int64_t now_ms(clockid_t id) {
    struct timespec at;
    clock_gettime(id, &at);
    return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

// ---- the key

static int make_key(const char *path) {
    uint8_t key[FRAME_KEY_BYTES];
    char text[2 * FRAME_KEY_BYTES + 2];
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        fprintf(stderr, "node-sender: %s: %s\n", path, strerror(errno));
        return EXIT_CODE_FAILED;
    }
    randombytes_buf(key, sizeof key);
    sodium_bin2hex(text, sizeof text - 1, key, sizeof key);
    text[2 * FRAME_KEY_BYTES] = '\n';
    bool ok = write(fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1 && !fsync(fd);
    close(fd);
    sodium_memzero(text, sizeof text);
    sodium_memzero(key, sizeof key);
    return ok ? 0 : EXIT_CODE_FAILED;
}

// ---- what lies there

static void take_line(struct sender *s) {
    struct taplog_line line;
    struct error err = {0};
    if (taplog_parse(s->line, s->n_line, true, &line, &err) != ERROR_OK) {
        if (s->n_line && s->line[0] != '#')
            fprintf(stderr, "node-sender: %s\n", err.text);
        return;
    }
    if (line.antenna >= s->antennas || line.outcome > TAPLOG_FAILED)
        return;
    struct frame_level *level = &s->frame.level[line.antenna];
    if (line.outcome != TAPLOG_SEEN || level->outcome != DRIVER_SEEN || s->scan_ms[line.antenna] != line.ms)
        *level = (struct frame_level){.outcome = (uint8_t)line.outcome};
    s->scan_ms[line.antenna] = line.ms;
    if (line.outcome != TAPLOG_SEEN || level->n_tags == FRAME_TAGS_MAX)
        return;
    struct frame_tag *tag = &level->tags[level->n_tags++];
    tag->len = line.tag.len;
    memcpy(tag->b, line.tag.b, line.tag.len);
}

static bool take_input(struct sender *s) {
    char bytes[4096];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n <= 0)
        return n < 0 && errno == EINTR;
    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] == '\n') {
            if (!s->cut)
                take_line(s);
            s->n_line = 0;
            s->cut = false;
        } else if (s->n_line < sizeof s->line) {
            s->line[s->n_line++] = bytes[i];
        } else {
            s->cut = true;
        }
    }
    return true;
}

// ---- the broker

// The counter is the time, so it grows over restarts; a node without a clock keeps it in its flash.
static void send_frame(struct sender *s) {
    uint8_t bytes[FRAME_BYTES_MAX];
    uint64_t at = (uint64_t)now_ms(CLOCK_REALTIME);
    s->frame.counter = at > s->frame.counter ? at : s->frame.counter + 1;
    frame_seal(&s->frame, s->name, s->key, bytes);
    mosquitto_publish(s->client, NULL, s->obs, (int)frame_size(s->antennas), bytes, 0, false);
}

static void on_connect(struct mosquitto *client, void *ctx, int code) {
    const struct sender *s = ctx;
    if (code == 0)
        mosquitto_publish(client, NULL, s->status, 6, "online", 1, true);
    else
        fprintf(stderr, "node-sender: the broker refuses us: %s\n", mosquitto_connack_string(code));
}

static bool set_password(struct sender *s) {
    char text[512] = "";
    FILE *in = s->password_file ? fopen(s->password_file, "re") : NULL;
    bool ok = !s->password_file || (in && fgets(text, sizeof text, in));
    if (in)
        fclose(in);
    text[strcspn(text, "\r\n")] = '\0';
    ok = ok && mosquitto_username_pw_set(s->client, s->user, *text ? text : NULL) == MOSQ_ERR_SUCCESS;
    sodium_memzero(text, sizeof text);
    return ok;
}

static bool connect_broker(struct sender *s) {
    mosquitto_lib_init();
    s->client = mosquitto_new(NULL, true, s);
    if (!s->client || !set_password(s))
        return false;
    mosquitto_connect_callback_set(s->client, on_connect);
    mosquitto_will_set(s->client, s->status, 7, "offline", 1, true);
    mosquitto_reconnect_delay_set(s->client, 1, 30, true);
    int code = mosquitto_connect_async(s->client, s->host, s->port, KEEPALIVE_S);
    if (code != MOSQ_ERR_SUCCESS && code != MOSQ_ERR_ERRNO) {
        fprintf(stderr, "node-sender: %s\n", mosquitto_strerror(code));
        return false;
    }
    return mosquitto_loop_start(s->client) == MOSQ_ERR_SUCCESS;
}

static void leave(struct sender *s) {
    send_frame(s);
    mosquitto_publish(s->client, NULL, s->status, 7, "offline", 1, true);
    mosquitto_disconnect(s->client);
    mosquitto_loop_stop(s->client, false);
    mosquitto_destroy(s->client);
    mosquitto_lib_cleanup();
    sodium_memzero(s->key, sizeof s->key);
}

// Frames keep to their grid, whatever comes in: their number and times tell nothing.
static void serve(struct sender *s) {
    int64_t period = 1000 / s->rate, next = now_ms(CLOCK_MONOTONIC);
    bool open = true;
    while (open && !stopped) {
        int64_t left = next - now_ms(CLOCK_MONOTONIC);
        struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
        if (left > 0 && poll(&in, 1, (int)left) > 0)
            open = take_input(s);
        if (now_ms(CLOCK_MONOTONIC) < next)
            continue;
        send_frame(s);
        next += period;
    }
}

// ---- arguments

static int wrong(const char *text) {
    fprintf(stderr, "node-sender: %s; see node-sender --help\n", text);
    return EXIT_CODE_USAGE;
}

static int parse(int argc, char **argv, struct sender *s) {
    static const struct option options[] = {
        {"topic", required_argument, NULL, 't'},    {"key", required_argument, NULL, 'k'},
        {"antennas", required_argument, NULL, 'a'}, {"rate", required_argument, NULL, 'r'},
        {"host", required_argument, NULL, 'h'},     {"port", required_argument, NULL, 'p'},
        {"user", required_argument, NULL, 'u'},     {"password-file", required_argument, NULL, 'w'},
        {"make-key", required_argument, NULL, 'm'}, {"help", no_argument, NULL, '?'},
        {"version", no_argument, NULL, 'V'},        {0},
    };
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 't':
            s->topic = optarg;
            break;
        case 'k':
            s->key_file = optarg;
            break;
        case 'a':
            s->antennas = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'r':
            s->rate = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'h':
            s->host = optarg;
            break;
        case 'p':
            s->port = (int)strtol(optarg, NULL, 10);
            break;
        case 'u':
            s->user = optarg;
            break;
        case 'w':
            s->password_file = optarg;
            break;
        case 'm':
            return make_key(optarg);
        case 'V':
            puts("node-sender " TABLED_VERSION);
            return 0;
        default:
            if (optopt)
                return wrong("an option is not understood or lacks its value");
            fputs(usage, stdout);
            return 0;
        }
    }
    const char *slash = s->topic ? strrchr(s->topic, '/') : NULL;
    if (optind < argc || !slash || !config_name_ok(slash + 1) || strlen(s->topic) > 200)
        return wrong("name the --topic of a reader: tabled/v1/SITE/TABLE/driver/READER");
    if (!s->key_file)
        return wrong("name its --key");
    if (s->antennas < 1 || s->antennas > FRAME_ANTENNAS_MAX || s->rate < 1 || s->rate > 50 || s->port < 1 ||
        s->port > 65535)
        return wrong("--antennas is 1 to 64, --rate 1 to 50, --port 1 to 65535");
    snprintf(s->name, sizeof s->name, "%s", slash + 1);
    return -1;
}

int main(int argc, char **argv) {
    static struct sender s = {.host = "localhost", .port = 1883, .antennas = 1, .rate = 10};
    struct error err = {0};
    if (sodium_init() < 0)
        return EXIT_CODE_FAILED;
    int code = parse(argc, argv, &s);
    if (code >= 0)
        return code;
    if (frame_key_read(s.key_file, false, s.key, &err) != ERROR_OK) {
        fprintf(stderr, "node-sender: %s: %s\n", err.where, err.text);
        return EXIT_CODE_FAILED;
    }
    snprintf(s.status, sizeof s.status, "%s/status", s.topic);
    snprintf(s.obs, sizeof s.obs, "%s/obs", s.topic);
    s.frame.antennas = s.antennas;
    for (unsigned i = 0; i < s.antennas; i++)
        s.frame.level[i].outcome = DRIVER_NONE;
    struct sigaction stop = {.sa_handler = on_signal};
    sigaction(SIGTERM, &stop, NULL);
    sigaction(SIGINT, &stop, NULL);
    if (!connect_broker(&s))
        return EXIT_CODE_FAILED;
    serve(&s);
    leave(&s);
    return 0;
}
