// A private mosquitto for one test: its own port, its own folder, nothing kept between starts. A test
// includes broker.c once.
#pragma once
#include <stdint.h>
#include <sys/types.h>

struct broker {
    uint16_t port; // the same in every start
    char dir[64], socket[96];
    pid_t pid; // 0 = not running
};
void broker_create(struct broker *broker); // finds a port; does not start
// Returns when it takes connections on 127.0.0.1:port and on the Unix socket. `extra`: more lines of
// configuration, NULL = none.
void broker_start(struct broker *broker, const char *extra);
void broker_kill(struct broker *broker); // at once, without a word to its clients
void broker_destroy(struct broker *broker);
