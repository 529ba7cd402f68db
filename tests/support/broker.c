#include "support/broker.h"
#include <arpa/inet.h>
#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Below those that the kernel gives to whoever connects, other ones in every process: no client that runs
// beside takes it, and one that connects while the broker is away cannot meet itself.
static uint16_t broker__free_port(void) {
    static unsigned next;
    if (next == 0)
        next = (unsigned)getpid() * 16;
    for (;;) {
        struct sockaddr_in at = {.sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                 .sin_port = htons((uint16_t)(15000 + next++ % 17000))};
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert(fd >= 0);
        bool mine = bind(fd, (struct sockaddr *)&at, sizeof at) == 0;
        close(fd);
        if (mine)
            return ntohs(at.sin_port);
    }
}

void broker_create(struct broker *broker) {
    *broker = (struct broker){.port = broker__free_port()};
    strcpy(broker->dir, "/tmp/tabled-broker-XXXXXX");
    assert(mkdtemp(broker->dir) != NULL);
    snprintf(broker->socket, sizeof broker->socket, "%s/socket", broker->dir);
}

static void broker__path(const struct broker *broker, char ret[96]) {
    snprintf(ret, 96, "%s/conf", broker->dir);
}

// Its log comes through a pipe; the line that says it runs is the moment it takes connections.
static void broker__wait_until_it_runs(int fd) {
    char text[4096];
    size_t len = 0;
    while (len < sizeof text - 1) {
        ssize_t n = read(fd, text + len, sizeof text - 1 - len);
        assert(n > 0);
        len += (size_t)n;
        text[len] = '\0';
        if (strstr(text, "running") != NULL)
            return;
    }
    abort();
}

void broker_start(struct broker *broker, const char *extra) {
    char path[96];
    int log[2];
    broker__path(broker, path);
    FILE *conf = fopen(path, "w");
    assert(conf != NULL && pipe(log) == 0);
    fprintf(conf,
            "listener %u 127.0.0.1\nlistener 0 %s\nallow_anonymous true\nset_tcp_nodelay true\n"
            "persistence false\nlog_dest stderr\nlog_type information\nmax_queued_messages 0\n%s\n",
            broker->port, broker->socket, extra != NULL ? extra : "");
    if (getuid() == 0) // else it would give up its rights and could not make its socket here
        fprintf(conf, "user root\n");
    fclose(conf);
    unlink(broker->socket);
    broker->pid = fork();
    assert(broker->pid >= 0);
    if (broker->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(log[1], 1);
        dup2(log[1], 2);
        close(log[0]);
        execlp("mosquitto", "mosquitto", "-c", path, (char *)NULL);
        execl("/usr/sbin/mosquitto", "mosquitto", "-c", path, (char *)NULL);
        _exit(127);
    }
    close(log[1]);
    broker__wait_until_it_runs(log[0]);
    close(log[0]); // it ignores SIGPIPE; further lines are lost
}

void broker_kill(struct broker *broker) {
    if (broker->pid == 0)
        return;
    kill(broker->pid, SIGKILL);
    waitpid(broker->pid, NULL, 0);
    broker->pid = 0;
}

void broker_destroy(struct broker *broker) {
    char path[96];
    broker_kill(broker);
    broker__path(broker, path);
    unlink(path);
    unlink(broker->socket);
    rmdir(broker->dir);
}
