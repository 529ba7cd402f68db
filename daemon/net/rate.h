// Token buckets, and what is counted for each peer address. Loopback and the local socket are one peer each
// that is never refused for numbers: whoever is on the machine is limited by the machine.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

struct bucket {
    bool used; // zeroed = full
    int64_t at_us, level_us;
};
struct bucket_rule {
    uint32_t burst;
    int64_t each_us; // one more after this time
};
bool bucket_take(struct bucket *bucket, const struct bucket_rule *rule, int64_t now_us);
bool bucket_ready(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_us);
// Seconds until one can be taken, at least 1.
unsigned bucket_wait_s(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_us);

struct peer {
    uint8_t address[16]; // IPv4 mapped; IPv6: its /64, or all of it if that is our own network
    unsigned requests, streams;
    bool loopback;
    struct bucket failed_logins, opened_streams, commands;
    int64_t used_us;
    struct peer *next__;
};
struct peers;
struct peers *peers_create(void); // NULL: out of memory
void peers_destroy(struct peers *peers);
void peer_text(const struct peer *peer, char ret[48]); // its address; NULL: "local"
// The peer of an address; NULL when the table of peers is full of connected ones. own: our end of the
// connection, NULL = not known. People at one table are neighbours: one of them must not feel by a limit that
// another has spoken.
struct peer *peers_find(struct peers *peers, const struct sockaddr *address, const struct sockaddr *own,
                        int64_t now_us);
// The peer that a token or session is, wherever it speaks from: its buckets are its own. NULL as above.
struct peer *peers_caller(struct peers *peers, uint64_t grant, int64_t now_us);
