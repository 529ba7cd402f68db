// `tablectl doctor`: what a table needs, looked at piece by piece, each with pass or what to do. With a
// daemon its own word counts; without one the machine is looked at as the daemon would find it.
#include "doctor.h"
#include "core/json.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const words[] = {"pass", "note", "warn", "FAIL"};
static const char default_file[] = "/etc/tabled/tabled.conf";

static void say_json(struct doctor *doctor, enum doctor_result result, const char *what, const char *text,
                     const char *remedy) {
    static const char *const results[] = {"pass", "note", "warn", "fail"};
    char line[1400];
    struct json j;
    json_begin(&j, line, sizeof line);
    json_begin_object(&j);
    json_key(&j, "check");
    json_text(&j, what);
    json_key(&j, "result");
    json_text(&j, results[result]);
    json_key(&j, "text");
    json_text(&j, text);
    json_key(&j, "remedy");
    json_text(&j, remedy);
    json_end_object(&j);
    if (json_end(&j))
        printf("%s%s", doctor->first ? "" : ",\n", line);
}

void doctor_say(struct doctor *doctor, enum doctor_result result, const char *what, const char *remedy,
                const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    doctor->n[result]++;
    if (doctor->args->json)
        say_json(doctor, result, what, text, remedy);
    else
        printf("%s  %-16s %s\n", words[result], what, text);
    if (remedy && !doctor->args->json)
        printf("      %-16s -> %s\n", "", remedy);
    doctor->first = false;
}

const char *doctor_text(const struct doctor *doctor, const char *section, const char *key,
                        const char *fallback) {
    const struct config_section *s = doctor->config ? config_find(doctor->config, section, "") : NULL;
    const char *text = s ? config_text(s, key) : NULL;
    return text && *text ? text : fallback;
}

const char *doctor_state_dir(const struct doctor *doctor) {
    return doctor_text(doctor, "daemon", "state_dir", "/var/lib/tabled");
}

// ---- the configuration, as the daemon reads it

static int ask_daemon(const char *file, char *ret, size_t cap) {
    int fds[2], status = -1;
    size_t n = 0;
    ret[0] = '\0';
    if (pipe(fds))
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(fds[1], 1);
        dup2(fds[1], 2);
        close(fds[0]);
        close(fds[1]);
        config_become_daemon(file);
    }
    close(fds[1]);
    for (ssize_t got = 1; child > 0 && got > 0 && n<cap - 1; n += got> 0 ? (size_t)got : 0)
        got = read(fds[0], ret + n, cap - 1 - n);
    close(fds[0]);
    ret[n] = '\0';
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return -1;
    return status;
}

static void read_loosely(struct doctor *doctor) {
    static const struct config_key any[] = {{.name = "state_dir", .type = CONFIG_PATH, .help = ""}, {0}};
    static const struct config_schema schemas[] = {
        {"daemon", false, NULL, any, true},       {"mqtt", false, NULL, NULL, false},
        {"http", false, NULL, NULL, false},       {"table", true, "NAME", NULL, false},
        {"reader", true, "NAME", NULL, false},    {"pad", true, "NAME", NULL, false},
        {"map", true, "TABLE/GAME", NULL, false}, {"lamp", true, "NAME", NULL, false},
        {"voice", false, NULL, NULL, false},      {0},
    };
    struct error err = {0};
    config_load(doctor->file, schemas, &doctor->config, &err);
}

static void check_configuration(struct doctor *doctor) {
    char text[8192], *line, *rest = NULL; // all its notes and one line more
    if (access(doctor->file, R_OK)) {
        doctor_say(
            doctor, doctor->running ? DOCTOR_WARN : DOCTOR_FAIL, "configuration",
            "name it: tablectl doctor FILE; a sample is in share/doc/tabled/examples, all keys: tabled "
            "--sample-config",
            "%s cannot be read", doctor->file);
        return;
    }
    read_loosely(doctor);
    int status = ask_daemon(doctor->file, text, sizeof text);
    bool ok = status == 0;
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (!ok || strstr(line, "all is well"))
            doctor_say(doctor, ok ? DOCTOR_PASS : DOCTOR_FAIL, "configuration",
                       ok ? NULL : "put this line right; man 5 tabled.conf tells every key", "%.400s", line);
        else
            doctor_say(doctor, DOCTOR_NOTE, "pads", NULL, "%.400s", line);
    }
}

// ---- the daemon

static bool answers(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    if (fd >= 0)
        close(fd);
    return ok;
}

static void check_daemon(struct doctor *doctor) {
    const char *path = doctor->args->socket;
    if (doctor->running)
        doctor_say(doctor, DOCTOR_PASS, "daemon", NULL, "answers at %s", path);
    else if (access(path, F_OK) == 0 && access(path, R_OK | W_OK))
        doctor_say(doctor, DOCTOR_WARN, "daemon", "be root, or join the group: adduser YOU tabled",
                   "%s is not for this user", path);
    else
        doctor_say(doctor, DOCTOR_NOTE, "daemon", "systemctl start tabled, when all else passes",
                   "does not run (no answer at %s)", path);
}

int run_doctor(const struct args *args) {
    struct doctor doctor = {.args = args, .first = true};
    if (args->n_words > 1)
        return usage_error(args, "name one configuration or none");
    doctor.file = args->n_words ? args->words[0] : default_file;
    doctor.running = answers(args->socket);
    if (args->json)
        printf("[");
    check_configuration(&doctor);
    check_daemon(&doctor);
    doctor_readers(&doctor);
    doctor_pads(&doctor);
    doctor_broker(&doctor);
    doctor_certificate(&doctor);
    doctor_disk(&doctor);
    doctor_clock(&doctor);
    doctor_modes(&doctor);
    config_destroy(doctor.config);
    if (args->json)
        printf("]\n");
    else
        printf("%u passed, %u to look at, %u failed\n", doctor.n[DOCTOR_PASS],
               doctor.n[DOCTOR_WARN] + doctor.n[DOCTOR_NOTE], doctor.n[DOCTOR_FAIL]);
    return doctor.n[DOCTOR_FAIL] ? EXIT_CODE_FAILED : EXIT_CODE_OK;
}
