// voice NARRATOR PORT FOLDER SENTENCES: from publishing a narration to the first sample of its voice at the
// sound card (a plugin that writes into a pipe). Each sentence twice: made anew, and kept from before.
#include "measure.h"
#include "public.pb-c.h"
#include <fcntl.h>
#include <mosquitto.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOUD = 1500, PATIENCE_NS = 2000000000, QUIET_NS = 500000000, SENTENCES_MAX = 64 };

static char path[512], fifo[512];
static struct mosquitto *client;

static void fail(const char *what) {
    fprintf(stderr, "voice: %s\n", what);
    exit(1);
}

static void put_file(const char *folder, const char *name, const char *text) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        fail("cannot write its configuration");
}

static pid_t start(const char *narrator, const char *port, const char *folder) {
    char text[1200];
    snprintf(
        text, sizeof text,
        "pcm.quiet { type null }\npcm.tape { type file slave.pcm \"quiet\" file \"%s\" format \"raw\" }\n",
        fifo);
    put_file(folder, "asound.conf", text);
    setenv("ALSA_CONFIG_PATH", path, 1);
    snprintf(text, sizeof text,
             "[mqtt]\nhost = 127.0.0.1\nport = %s\n[room]\ntable = main\n[voice]\ndevice = tape\nlead_in = "
             "0ms\nbuffer = 20ms\n",
             port);
    put_file(folder, "narrator.conf", text);
    pid_t child = fork();
    if (child == 0) {
        execl(narrator, narrator, "--config", path, "--log-level", "error", (char *)NULL);
        _exit(127);
    }
    return child;
}

static void publish(const char *topic, const void *bytes, size_t len, bool retain) {
    if (mosquitto_publish(client, NULL, topic, (int)len, bytes, 1, retain))
        fail("cannot publish");
}

static uint64_t wall_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void narrate(const char *text, uint64_t seq) {
    Tabled__V1__Header header = TABLED__V1__HEADER__INIT;
    Tabled__V1__Time at = TABLED__V1__TIME__INIT;
    Tabled__V1__Narration say = TABLED__V1__NARRATION__INIT;
    Tabled__V1__Line line = TABLED__V1__LINE__INIT, *lines[] = {&line};
    uint8_t bytes[1024];
    at.unix_ms = wall_ms();
    header.boot_id = (char *)"0123456789abcdef";
    header.seq = seq;
    header.at = say.starts_at = &at;
    say.header = &header;
    say.locale = (char *)"en";
    line.id = (char *)"of_this_benchmark";
    line.text = (char *)text;
    say.n_lines = 1;
    say.lines = lines;
    publish("tabled/v1/home/main/public-pb/narration", bytes, tabled__v1__narration__pack(&say, bytes),
            false);
}

// Reads what the card was given until a voice is heard (or has been silent for long): false = neither in
// time.
static bool hear(int fd, bool voice) {
    int64_t until = measure_now_ns() + PATIENCE_NS, silent = measure_now_ns();
    while (measure_now_ns() < until + (voice ? 0 : PATIENCE_NS)) {
        int16_t samples[4096];
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        poll(&wait, 1, 20);
        ssize_t n = read(fd, samples, sizeof samples);
        bool loud = false;
        for (ssize_t i = 0; i < n / 2; i++)
            loud |= samples[i] > LOUD || samples[i] < -LOUD;
        if (loud && voice)
            return true;
        if (loud)
            silent = measure_now_ns();
        if (!voice && measure_now_ns() - silent > QUIET_NS)
            return true;
    }
    return false;
}

static const char *sentence(char ret[64], int i) {
    static const char *const who[] = {"Seer",    "Robber", "Minion", "Witch",
                                      "Curator", "Priest", "Cupid",  "Thing"};
    snprintf(ret, 64, "%s, look at the card of seat %d.", who[i % 8], i);
    return ret;
}

static void round_of(int fd, const char *name, int n, uint64_t *seq) {
    static int64_t took[SENTENCES_MAX];
    char text[64];
    for (int i = 0; i < n; i++) {
        if (!hear(fd, false))
            fail("it never falls silent");
        int64_t begin = measure_now_ns();
        narrate(sentence(text, i), ++*seq);
        if (!hear(fd, true))
            fail("nothing is heard");
        took[i] = measure_now_ns() - begin;
    }
    measure_print_latency(name, took, (size_t)n);
}

int main(int argc, char **argv) {
    static const char status[] =
        "{\"boot_id\":\"0123456789abcdef\",\"state\":\"ready\",\"version\":\"0\",\"since\":null}";
    uint64_t seq = 0;
    int n = argc == 5 ? atoi(argv[4]) : 0;
    if (n < 1 || n > SENTENCES_MAX)
        fail("voice NARRATOR PORT FOLDER SENTENCES (1 to 64)");
    snprintf(fifo, sizeof fifo, "%.480s/tape", argv[3]);
    if (mkfifo(fifo, 0600))
        fail("cannot make a pipe");
    int fd = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    pid_t child = start(argv[1], argv[2], argv[3]);
    mosquitto_lib_init();
    client = mosquitto_new("perf-voice", true, NULL);
    if (fd < 0 || child < 0 || !client || mosquitto_connect(client, "127.0.0.1", atoi(argv[2]), 60) ||
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1) || mosquitto_loop_start(client))
        fail("no broker");
    publish("tabled/v1/home/daemon/status", status, sizeof status - 1, true);
    publish("tabled/v1/home/main/status", status, sizeof status - 1, true);
    for (int tries = 0; tries < 20; tries++) { // until it listens: a word that nobody hears is said again
        narrate("Ready.", ++seq);
        if (hear(fd, true))
            break;
    }
    round_of(fd, "voice_new", n, &seq);
    round_of(fd, "voice_kept", n, &seq);
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    mosquitto_loop_stop(client, true);
    mosquitto_destroy(client);
    return 0;
}
