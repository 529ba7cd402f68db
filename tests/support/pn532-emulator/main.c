// Emulated PN532 chips for the demo and the end-to-end tests: DIR/chip0 .. are their serial ports.
#include "core/loop.h"
#include "support/pn532_bench.h"
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { INPUTS_MAX = 16 };

struct input {
    int fd;
    struct loop_fd *watch;
    size_t n;
    char text[512];
};

static struct loop *loop;
static struct pn532_bench *bench;
static struct input inputs[INPUTS_MAX]; // 0: standard input
static int listener = -1;
static struct loop_fd *listener_watch;
static const char *control_path;
static bool once;

static const char usage[] =
    "usage: pn532-emulator --chips N --dir DIR [--timing real] [--control SOCKET] [--map "
    "READER.ANTENNA=CHIP]...\n"
    "                      [--play TAPLOG [--speed X] [--once]]\n"
    "\n"
    "Makes N emulated PN532 readers, their serial ports are DIR/chip0, DIR/chip1 ... Says `ready`, then "
    "takes lines\n"
    "from standard input and from everybody who connects to the Unix socket SOCKET; each is answered with "
    "`ok` or\n"
    "`error SENTENCE`:\n"
    "  CHIP place UID | clear | add UID | remove UID | write WORD\n"
    "  CHIP fault well|silence|lost|garbage|nack|badsum|short|error|miss [N]\n"
    "  CHIP hang N | reset | vanish | return\n"
    "  map READER.ANTENNA CHIP | play TAPLOG | stop | quit\n"
    "--once ends the program with the log. Without --control the end of standard input ends it.\n";

static void say(int fd, const char *text) {
    if (fd == STDIN_FILENO)
        fd = STDOUT_FILENO;
    (void)!write(fd, text, strlen(text));
}

static void take_line(struct input *input) {
    struct error err;
    char text[300] = "ok\n";
    if (pn532_bench_line(bench, input->text, &err) != ERROR_OK)
        snprintf(text, sizeof text, "error %s\n", err.text);
    say(input->fd, text);
}

static void forget(struct input *input) {
    loop_fd_remove(input->watch);
    if (input->fd > STDERR_FILENO)
        close(input->fd);
    if (input->fd == STDIN_FILENO && listener < 0)
        loop_quit(loop, 0);
    *input = (struct input){.fd = -1};
}

static void readable(void *ctx, uint32_t revents) {
    struct input *input = ctx;
    char bytes[1024];
    (void)revents;
    ssize_t n = read(input->fd, bytes, sizeof bytes);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        forget(input);
    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] != '\n') {
            input->text[input->n] = bytes[i];
            input->n += input->n + 1 < sizeof input->text;
            continue;
        }
        input->text[input->n] = '\0';
        input->n = 0;
        take_line(input);
    }
}

static bool add_input(int fd) {
    struct error err;
    for (unsigned i = fd == STDIN_FILENO ? 0 : 1; i < INPUTS_MAX; i++) {
        if (inputs[i].fd >= 0)
            continue;
        if (loop_fd_add(loop, fd, EPOLLIN, readable, &inputs[i], &inputs[i].watch, &err) != ERROR_OK)
            return false;
        inputs[i].fd = fd;
        return true;
    }
    return false;
}

static void welcome(void *ctx, uint32_t revents) {
    (void)ctx;
    (void)revents;
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0 && !add_input(fd))
        close(fd);
}

static bool listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct error err;
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path, strlen(path) + 1);
    unlink(path);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return listener >= 0 && bind(listener, (struct sockaddr *)&address, sizeof address) == 0 &&
           listen(listener, 8) == 0 &&
           loop_fd_add(loop, listener, EPOLLIN, welcome, NULL, &listener_watch, &err) == ERROR_OK;
}

static void played(void *ctx) {
    (void)ctx;
    say(STDOUT_FILENO, "played\n");
    if (once)
        loop_quit(loop, 0);
}

static void quit(void *ctx) {
    (void)ctx;
    loop_quit(loop, 0);
}

static void on_signal(void *ctx, int signo) {
    (void)ctx;
    (void)signo;
    loop_quit(loop, 0);
}

static int fail(const struct error *err) {
    fprintf(stderr, "pn532-emulator: %s%s%s\n", err->where, err->where[0] ? ": " : "", err->text);
    return 1;
}

struct arguments {
    struct pn532_bench_options bench;
    const char *play, *maps[BENCH_CHIPS_MAX];
    size_t n_maps;
};

static bool parse(int argc, char **argv, struct arguments *args) {
    static const struct option options[] = {
        {"chips", required_argument, NULL, 'c'},
        {"dir", required_argument, NULL, 'd'},
        {"timing", required_argument, NULL, 't'},
        {"control", required_argument, NULL, 's'},
        {"map", required_argument, NULL, 'm'},
        {"play", required_argument, NULL, 'p'},
        {"speed", required_argument, NULL, 'x'},
        {"once", no_argument, NULL, 'o'},
        {0},
    };
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'c':
            args->bench.chips = strtoul(optarg, NULL, 10);
            break;
        case 'd':
            args->bench.folder = optarg;
            break;
        case 't':
            args->bench.real_timing = strcmp(optarg, "real") == 0;
            break;
        case 's':
            control_path = optarg;
            break;
        case 'm':
            if (args->n_maps < BENCH_CHIPS_MAX)
                args->maps[args->n_maps++] = optarg;
            break;
        case 'p':
            args->play = optarg;
            break;
        case 'x':
            args->bench.speed = strtod(optarg, NULL);
            break;
        case 'o':
            once = true;
            break;
        default:
            return false;
        }
    }
    return args->bench.folder && args->bench.chips && optind == argc;
}

// --map READER.ANTENNA=CHIP and --play are the same words as in the control lines.
static enum error_code begin(const struct arguments *args, struct error *err) {
    char line[400];
    for (size_t i = 0; i < args->n_maps; i++) {
        snprintf(line, sizeof line, "map %.300s", args->maps[i]);
        char *equals = strchr(line, '=');
        if (equals)
            *equals = ' ';
        enum error_code code = pn532_bench_line(bench, line, err);
        if (code != ERROR_OK)
            return code;
    }
    if (!args->play)
        return ERROR_OK;
    snprintf(line, sizeof line, "play %.390s", args->play);
    return pn532_bench_line(bench, line, err);
}

int main(int argc, char **argv) {
    struct arguments args = {.bench = {.played = played, .quit = quit}};
    struct error err;
    if (!parse(argc, argv, &args)) {
        fputs(usage, stderr);
        return 2;
    }
    for (unsigned i = 0; i < INPUTS_MAX; i++)
        inputs[i].fd = -1;
    signal(SIGPIPE, SIG_IGN);
    if (loop_create(NULL, NULL, &loop, &err) || loop_signal(loop, SIGTERM, on_signal, NULL, &err) ||
        loop_signal(loop, SIGINT, on_signal, NULL, &err) ||
        pn532_bench_create(loop, &args.bench, &bench, &err) || begin(&args, &err))
        return fail(&err);
    if (control_path && !listen_at(control_path)) {
        error_set(&err, ERROR_INVALID, control_path, "cannot listen: %s", strerror(errno));
        return fail(&err);
    }
    if (!add_input(STDIN_FILENO) && !control_path && !args.play) // e.g. /dev/null cannot be waited for
        fprintf(stderr, "pn532-emulator: standard input cannot be watched\n");
    say(STDOUT_FILENO, "ready\n");
    int code = loop_run(loop);
    for (unsigned i = 1; i < INPUTS_MAX; i++) {
        if (inputs[i].fd >= 0)
            forget(&inputs[i]);
    }
    loop_fd_remove(inputs[0].watch);
    loop_fd_remove(listener_watch);
    if (listener >= 0)
        close(listener);
    if (control_path)
        unlink(control_path);
    pn532_bench_destroy(bench);
    loop_destroy(loop);
    return code;
}
