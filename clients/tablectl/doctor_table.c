// The table: readers, pads, broker, certificate.
#include "call.h"
#include "doctor.h"
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    MISSES_PERCENT = 8,
    TROUBLE_PERCENT = 10,
    ENOUGH_SCANS = 500,
    BROKER_MS = 2000,
    CERTIFICATE_DAYS = 14
};

// ---- readers, by the daemon's word

static const json_t *named(const json_t *list, const char *name) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!strcmp(text_of(json_array_get(list, i), "name"), name))
            return json_array_get(list, i);
    return NULL;
}

// Of the scans that saw something or should have: what went wrong. The limits are those that pads can live
// with (board/README.md, "Leaving").
static void judge_reader(struct doctor *doctor, const char *what, const json_t *one, const json_t *numbers) {
    long long scans = number_of(numbers, "scans"), missed = number_of(numbers, "misses");
    long long seen = number_of(numbers, "seen") + missed;
    long long bad = number_of(numbers, "collided") + number_of(numbers, "failed");
    const char *driver = text_of(one, "driver");
    if (scans < ENOUGH_SCANS)
        doctor_say(doctor, DOCTOR_PASS, what, NULL, "%s is up", driver);
    else if (seen && missed * 100 > seen * MISSES_PERCENT)
        doctor_say(doctor, DOCTOR_WARN, what, "bring the tiles nearer to the coil, keep metal away",
                   "%s misses %lld %% of what lies there", driver, missed * 100 / seen);
    else if (bad * 100 > scans * TROUBLE_PERCENT)
        doctor_say(doctor, DOCTOR_WARN, what, "short cables, good ground, coils not too near to each other",
                   "%s: %lld %% of the scans collide or fail", driver, bad * 100 / scans);
    else
        doctor_say(doctor, DOCTOR_PASS, what, NULL, "%s is up, %lld.%lld scans a second", driver,
                   number_of(numbers, "rate_mhz") / 1000, number_of(numbers, "rate_mhz") % 1000 / 100);
}

static void ask_readers(struct doctor *doctor, const char *table) {
    char path[128], what[80];
    struct call answer;
    snprintf(path, sizeof path, "/api/v1/tables/%.32s/readers", table);
    if (!call(doctor->args, path, NULL, &answer)) {
        const json_t *readers = json_object_get(answer.json, "readers");
        for (size_t i = 0; i < json_array_size(readers); i++) {
            const json_t *one = json_array_get(readers, i);
            snprintf(what, sizeof what, "reader %.32s", text_of(one, "name"));
            if (json_is_true(json_object_get(one, "up")))
                judge_reader(doctor, what, one,
                             named(json_object_get(answer.json, "numbers"), text_of(one, "name")));
            else
                doctor_say(doctor, DOCTOR_FAIL, what,
                           "the daemon tries again by itself; nothing is to be restarted", "%s is down: %s",
                           text_of(one, "driver"), text_of(one, "why"));
        }
        if (!json_array_size(readers))
            doctor_say(doctor, DOCTOR_NOTE, "readers", NULL, "table %s has none", table);
    }
    call_free(&answer);
}

static void each_table(struct doctor *doctor, void (*fn)(struct doctor *doctor, const char *table)) {
    struct call answer;
    if (!call(doctor->args, "/api/v1/tables", NULL, &answer)) {
        const json_t *tables = json_object_get(answer.json, "tables");
        for (size_t i = 0; i < json_array_size(tables); i++)
            fn(doctor, text_of(json_array_get(tables, i), "table"));
    }
    call_free(&answer);
}

// ---- readers, by what the configuration names

static const char *device_remedy(const char *path) {
    if (strncmp(path, "/dev/tty", 8) == 0 || strncmp(path, "/dev/serial", 11) == 0 ||
        strncmp(path, "/dev/tabled", 11) == 0)
        return "plug it in; `ls /dev/tabled /dev/serial/by-path` shows what is there; the daemon's user is "
               "in the "
               "group dialout";
    if (strncmp(path, "/dev/i2c", 8) == 0 || strncmp(path, "/dev/spidev", 11) == 0)
        return "raspi-config switches I2C and SPI on; the daemon's user is in the groups i2c and spi";
    if (strncmp(path, "/dev/input", 10) == 0)
        return "plug it in; `ls /dev/input/by-path` shows what is there; the daemon's user is in the group "
               "input";
    return "is the path right, may the daemon's user open it?";
}

static void check_device(struct doctor *doctor, const char *what, const char *path) {
    if (access(path, F_OK))
        doctor_say(doctor, DOCTOR_FAIL, what, device_remedy(path), "%s is not there", path);
    else if (access(path, R_OK))
        doctor_say(doctor, DOCTOR_WARN, what, device_remedy(path), "%s is not for this user", path);
    else if (!strncmp(path, "/dev/ttyUSB", 11) || !strncmp(path, "/dev/ttyACM", 11) ||
             !strncmp(path, "/dev/input/event", 16))
        doctor_say(doctor, DOCTOR_WARN, what,
                   "name its place: /dev/serial/by-path/... or /dev/input/by-path/...",
                   "%s is there, but the number goes by who was first", path);
    else
        doctor_say(doctor, DOCTOR_PASS, what, NULL, "%s is there", path);
}

static void check_pcscd(struct doctor *doctor, const char *what) {
    if (access("/run/pcscd/pcscd.comm", F_OK))
        doctor_say(doctor, DOCTOR_FAIL, what, "apt-get install pcscd; systemctl enable --now pcscd.socket",
                   "pcscd does not run");
    else
        doctor_say(doctor, DOCTOR_PASS, what, NULL, "pcscd runs; `tablectl readers` tells the rest");
}

static void look_at_reader(struct doctor *doctor, const struct config_section *s) {
    char what[80];
    const char *driver = config_text(s, "driver"), *path = NULL;
    static const char *const keys[] = {"port", "device", "file", "spi", "i2c"};
    snprintf(what, sizeof what, "reader %.32s", config_label(s));
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !path; i++)
        path = config_text(s, keys[i]);
    if (!driver)
        return; // the configuration says so already
    if (!strcmp(driver, "pcsc"))
        check_pcscd(doctor, what);
    else if (!strcmp(driver, "mqtt_reader") && !config_find(doctor->config, "mqtt", ""))
        doctor_say(doctor, DOCTOR_FAIL, what, "write a section [mqtt]",
                   "a reader on the network needs the broker");
    else if (path && *path == '/')
        check_device(doctor, what, path);
    else
        doctor_say(doctor, DOCTOR_NOTE, what, NULL, "%s can be seen only while the daemon runs", driver);
}

void doctor_readers(struct doctor *doctor) {
    if (doctor->running) {
        each_table(doctor, ask_readers);
        return;
    }
    const struct config_section *s = doctor->config ? config_next(doctor->config, "reader", NULL) : NULL;
    if (doctor->config && !s)
        doctor_say(doctor, DOCTOR_NOTE, "readers", NULL, "none: everything is entered by hand");
    for (; s; s = config_next(doctor->config, "reader", s))
        look_at_reader(doctor, s);
}

// ---- pads

static void ask_pads(struct doctor *doctor, const char *table) {
    char path[128], unknown[200] = "";
    struct call answer;
    size_t pads = 0, silent = 0, n;
    snprintf(path, sizeof path, "/api/v1/tables/%.32s", table);
    if (!call(doctor->args, path, NULL, &answer)) {
        const json_t *board = json_array_get(json_object_get(answer.json, "board"), 0);
        const json_t *places =
            json_object_get(board ? board : json_object_get(answer.json, "board"), "places");
        for (size_t i = 0; i < json_array_size(places); i++) {
            const json_t *place = json_array_get(places, i);
            if (!json_is_true(json_object_get(place, "sensed")))
                continue;
            pads++;
            if (strcmp(text_of(place, "level"), "unknown") != 0)
                continue;
            silent++;
            n = strlen(unknown);
            snprintf(unknown + n, sizeof unknown - n, " %s", text_of(place, "name"));
        }
        if (silent)
            doctor_say(doctor, DOCTOR_WARN, "pads",
                       "look at their reader above; a pad that was never scanned is wired wrong",
                       "table %s: %zu of %zu places are not seen:%s", table, silent, pads, unknown);
        else if (pads)
            doctor_say(doctor, DOCTOR_PASS, "pads", NULL, "table %s: %zu places are seen", table, pads);
        else
            doctor_say(doctor, DOCTOR_NOTE, "pads", NULL,
                       "table %s: which places have pads shows with a game", table);
    }
    call_free(&answer);
}

void doctor_pads(struct doctor *doctor) {
    size_t pads = 0;
    if (doctor->running) {
        each_table(doctor, ask_pads);
        return;
    }
    for (const struct config_section *s = doctor->config ? config_next(doctor->config, "pad", NULL) : NULL; s;
         s = config_next(doctor->config, "pad", s))
        pads++;
    if (doctor->config)
        doctor_say(doctor, pads ? DOCTOR_PASS : DOCTOR_NOTE, "pads", NULL, "%zu are configured", pads);
}

// ---- broker

static int try_address(int family, const struct sockaddr *address, socklen_t len) {
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), why = 0;
    socklen_t size = sizeof why;
    struct pollfd wait = {.fd = fd, .events = POLLOUT};
    if (fd < 0)
        return errno;
    if (connect(fd, address, len))
        why = errno;
    if (why == EINPROGRESS)
        why = poll(&wait, 1, BROKER_MS) == 1 && !getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &size)
                  ? why
                  : ETIMEDOUT;
    close(fd);
    return why;
}

static int try_path(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return ENAMETOOLONG;
    strcpy(address.sun_path, path);
    return try_address(AF_UNIX, (struct sockaddr *)&address, sizeof address);
}

static int try_host(const char *host, const char *port, const char **ret_why) {
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    int code = getaddrinfo(host, port, &hints, &list), why = ENOENT;
    *ret_why = code ? gai_strerror(code) : NULL;
    for (const struct addrinfo *a = list; a; a = a->ai_next)
        if (!(why = try_address(a->ai_family, a->ai_addr, a->ai_addrlen)))
            break;
    if (list)
        freeaddrinfo(list);
    return why;
}

static void look_at_broker(struct doctor *doctor) {
    const char *path = doctor_text(doctor, "mqtt", "socket", NULL), *text = NULL;
    const char *host = doctor_text(doctor, "mqtt", "host", "localhost");
    const char *port = doctor_text(doctor, "mqtt", "port", "1883");
    int why = path ? try_path(path) : try_host(host, port, &text);
    if (why)
        doctor_say(doctor, DOCTOR_FAIL, "broker",
                   "apt-get install mosquitto; systemctl status mosquitto; is [mqtt] right?",
                   "no connection to %s%s%s: %s", path ? path : host, path ? "" : " port ", path ? "" : port,
                   text ? text : strerror(why));
    else
        doctor_say(doctor, DOCTOR_PASS, "broker", NULL, "%s%s%s can be reached", path ? path : host,
                   path ? "" : " port ", path ? "" : port);
}

void doctor_broker(struct doctor *doctor) {
    struct call answer;
    bool configured = doctor->config && config_find(doctor->config, "mqtt", "");
    if (!doctor->running && configured)
        look_at_broker(doctor);
    else if (!doctor->running && doctor->config)
        doctor_say(doctor, DOCTOR_NOTE, "broker", NULL, "none is configured: no displays, lamps and voice");
    if (!doctor->running || call(doctor->args, "/readyz", NULL, &answer))
        return;
    const char *broker = text_of(answer.json, "broker");
    if (!strcmp(broker, "none"))
        doctor_say(doctor, DOCTOR_NOTE, "broker", NULL, "none is configured: no displays, lamps and voice");
    else if (!strcmp(broker, "ok"))
        doctor_say(doctor, DOCTOR_PASS, "broker", NULL, "the daemon is connected");
    else
        doctor_say(doctor, DOCTOR_FAIL, "broker",
                   "systemctl status mosquitto; journalctl -u tabled tells why",
                   "the daemon is not connected; the table plays on without displays, lamps and voice");
    call_free(&answer);
}

// ---- certificate

// The daemon renews its own in time: what ends soon came from a file.
void doctor_certificate(struct doctor *doctor) {
    static const char remedy[] = "put a new one into the same file; the daemon takes it within the hour";
    struct call answer;
    struct tm day = {0};
    if (!doctor->running || call(doctor->args, "/api/v1/info", NULL, &answer))
        return;
    const char *ends = text_of(answer.json, "tls_ends_at");
    if (*ends && strptime(ends, "%Y-%m-%dT%H:%M:%S", &day)) {
        double days = difftime(timegm(&day), time(NULL)) / 86400;
        if (days < 0)
            doctor_say(doctor, DOCTOR_FAIL, "certificate", remedy, "it ended on %.10s", ends);
        else
            doctor_say(doctor, days < CERTIFICATE_DAYS ? DOCTOR_WARN : DOCTOR_PASS, "certificate",
                       days < CERTIFICATE_DAYS ? remedy : NULL, "it holds until %.10s", ends);
    }
    call_free(&answer);
}
