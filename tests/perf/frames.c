// frames LIGHTS DISPLAY PORT FOLDER CHANGES: from publishing a phase to the first datagram of light that
// differs, and to the picture on a screen (a PNG file that is whole; making the file is most of it).
#include "measure.h"
#include "public.pb-c.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <mosquitto.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 5000, CHANGES_MAX = 256, LEDS = 60, SETTLE_MS = 600 };

static struct mosquitto *client;
static uint64_t seq;

static void fail(const char *what) {
    fprintf(stderr, "frames: %s\n", what);
    exit(1);
}

static pid_t start(const char *program, const char *folder, const char *text) {
    static char path[512];
    const char *name = strrchr(program, '/');
    snprintf(path, sizeof path, "%s/%s.conf", folder, name ? name + 1 : program);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        fail("cannot write a configuration");
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, "--config", path, "--log-level", "error", (char *)NULL);
        _exit(127);
    }
    return child;
}

static void publish(const char *topic, const void *bytes, size_t len) {
    if (mosquitto_publish(client, NULL, topic, (int)len, bytes, 1, true))
        fail("cannot publish");
}

// The day with another seat awaited each time: both pictures change.
static void next_phase(void) {
    Tabled__V1__Header header = TABLED__V1__HEADER__INIT;
    Tabled__V1__Time at = TABLED__V1__TIME__INIT;
    Tabled__V1__Phase phase = TABLED__V1__PHASE__INIT;
    static const char *const ids[] = {"day", "vote", "reveal"};
    uint8_t bytes[512];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    at.unix_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    header.boot_id = (char *)"0123456789abcdef";
    header.seq = ++seq;
    header.at = &at;
    phase.header = &header;
    phase.n = (uint32_t)seq;
    phase.id = (char *)ids[seq % 3];
    phase.veil = TABLED__V1__VEIL__VEIL_OPEN;
    publish("tabled/v1/home/main/public-pb/phase", bytes, tabled__v1__phase__pack(&phase, bytes));
}

static void rest(int ms) {
    poll(NULL, 0, ms);
}

// Until a datagram differs from the last one; false = none did.
static bool light_changes(int fd, uint8_t last[LEDS * 3]) {
    int64_t until = measure_now_ns() + PATIENCE_MS * 1000000ll;
    while (measure_now_ns() < until) {
        uint8_t data[2048];
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (poll(&wait, 1, 100) <= 0)
            continue;
        if (recv(fd, data, sizeof data, 0) == 10 + LEDS * 3 && memcmp(data + 10, last, LEDS * 3) != 0) {
            memcpy(last, data + 10, LEDS * 3);
            return true;
        }
    }
    return false;
}

static void drain(int fd, uint8_t last[LEDS * 3]) {
    uint8_t data[2048];
    for (ssize_t n; (n = recv(fd, data, sizeof data, MSG_DONTWAIT)) > 0;)
        if (n == 10 + LEDS * 3)
            memcpy(last, data + 10, LEDS * 3);
}

static bool picture_comes(int watch) {
    char events[4096];
    struct pollfd wait = {.fd = watch, .events = POLLIN};
    return poll(&wait, 1, PATIENCE_MS) > 0 && read(watch, events, sizeof events) > 0;
}

static void empty(int watch) {
    char events[4096];
    while (read(watch, events, sizeof events) > 0)
        continue;
}

static int receiver(uint16_t *ret_port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) ||
        getsockname(fd, (struct sockaddr *)&address, &len))
        fail("no socket");
    *ret_port = ntohs(address.sin_port);
    return fd;
}

static void connect_broker(const char *port) {
    static const char status[] =
        "{\"boot_id\":\"0123456789abcdef\",\"state\":\"ready\",\"version\":\"0\",\"since\":null}";
    mosquitto_lib_init();
    client = mosquitto_new("perf-frames", true, NULL);
    if (!client || mosquitto_connect(client, "127.0.0.1", atoi(port), 60) ||
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1) || mosquitto_loop_start(client))
        fail("no broker");
    publish("tabled/v1/home/daemon/status", status, sizeof status - 1);
    publish("tabled/v1/home/main/status", status, sizeof status - 1);
}

int main(int argc, char **argv) {
    static int64_t light[CHANGES_MAX], picture[CHANGES_MAX];
    static char text[1200], pictures[512];
    uint8_t last[LEDS * 3] = {0};
    uint16_t udp = 0;
    int n = argc == 6 ? atoi(argv[5]) : 0;
    if (n < 1 || n > CHANGES_MAX)
        fail("frames LIGHTS DISPLAY PORT FOLDER CHANGES (1 to 256)");
    int fd = receiver(&udp), watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    snprintf(pictures, sizeof pictures, "%.480s/pictures", argv[4]);
    if (mkdir(pictures, 0700) || inotify_add_watch(watch, pictures, IN_CLOSE_WRITE) < 0)
        fail("cannot watch a folder");
    connect_broker(argv[3]);
    snprintf(text, sizeof text,
             "[mqtt]\nhost = 127.0.0.1\nport = %s\n[room]\ntable = main\n[lamp rim]\ntype = ddp\nhost = "
             "127.0.0.1\n"
             "port = %u\nleds = %d\n",
             argv[3], udp, LEDS);
    pid_t lights = start(argv[1], argv[4], text);
    snprintf(text, sizeof text,
             "[mqtt]\nhost = 127.0.0.1\nport = %s\n[room]\ntable = main\n[screen]\ntype = png\nfolder = %s\n",
             argv[3], pictures);
    pid_t display = start(argv[2], argv[4], text);
    next_phase();
    if (!light_changes(fd, last) || !picture_comes(watch))
        fail("nothing is shown");
    rest(2000); // both have the levels
    for (int i = 0; i < n; i++) {
        rest(SETTLE_MS); // fades have ended
        drain(fd, last);
        empty(watch);
        int64_t begin = measure_now_ns();
        next_phase();
        if (!light_changes(fd, last))
            fail("the light does not change");
        light[i] = measure_now_ns() - begin;
        if (!picture_comes(watch))
            fail("no picture comes");
        picture[i] = measure_now_ns() - begin;
    }
    measure_print_latency("light", light, (size_t)n);
    measure_print_latency("picture", picture, (size_t)n);
    kill(lights, SIGTERM);
    kill(display, SIGTERM);
    waitpid(lights, NULL, 0);
    waitpid(display, NULL, 0);
    mosquitto_loop_stop(client, true);
    mosquitto_destroy(client);
    return 0;
}
