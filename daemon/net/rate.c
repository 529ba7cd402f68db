#include "net/rate.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEERS_MAX = 1024, PEER_BUCKETS = 256 };

struct peers {
    unsigned n;
    struct peer *head[PEER_BUCKETS];
    struct peer peer[PEERS_MAX];
};

// The level is kept as time: it rises with the clock, each taking costs each_us.
static int64_t level(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_us) {
    int64_t full = rule->each_us * rule->burst;
    if (!bucket->used)
        return full;
    int64_t now = bucket->level_us + (now_us - bucket->at_us);
    return now < full ? now : full;
}

bool bucket_take(struct bucket *bucket, const struct bucket_rule *rule, int64_t now_us) {
    int64_t now = level(bucket, rule, now_us);
    bool ok = now >= rule->each_us;
    bucket->level_us = ok ? now - rule->each_us : now;
    bucket->at_us = now_us;
    bucket->used = true;
    return ok;
}

bool bucket_ready(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_us) {
    return level(bucket, rule, now_us) >= rule->each_us;
}

unsigned bucket_wait_s(const struct bucket *bucket, const struct bucket_rule *rule, int64_t now_us) {
    int64_t missing = rule->each_us - level(bucket, rule, now_us);
    return missing <= 1000000 ? 1 : (unsigned)((missing + 999999) / 1000000);
}

struct peers *peers_create(void) {
    return calloc(1, sizeof(struct peers));
}

void peers_destroy(struct peers *peers) {
    free(peers);
}

static bool is_neighbour(const struct sockaddr_in6 *in, const struct sockaddr *own) {
    struct sockaddr_in6 us;
    if (!own || own->sa_family != AF_INET6)
        return false;
    memcpy(&us, own, sizeof us);
    return !memcmp(&us.sin6_addr, &in->sin6_addr, 8);
}

static bool address_key(const struct sockaddr *address, const struct sockaddr *own, uint8_t ret[16]) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    memset(ret, 0, 16);
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        memcpy(ret, mapped, 12);
        memcpy(ret + 12, &in.sin_addr, 4);
        return ret[12] == 127;
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, address, sizeof in);
        if (IN6_IS_ADDR_LOOPBACK(&in.sin6_addr)) {
            ret[15] = 1;
            return true;
        }
        bool v4 = IN6_IS_ADDR_V4MAPPED(&in.sin6_addr);
        memcpy(ret, &in.sin6_addr, v4 || is_neighbour(&in, own) ? 16 : 8);
        return v4 && ret[12] == 127;
    }
    return true; // the local socket: all zero
}

static unsigned key_hash(const uint8_t key[16]) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < 16; i++)
        hash = (hash ^ key[i]) * 16777619u;
    return hash % PEER_BUCKETS;
}

static void unlink_peer(struct peers *peers, struct peer *peer) {
    struct peer **at = &peers->head[key_hash(peer->address)];
    while (*at != peer)
        at = &(*at)->next__;
    *at = peer->next__;
}

// A place for a new peer: a fresh one, else the unconnected one that was used longest ago.
static struct peer *take_place(struct peers *peers) {
    if (peers->n < PEERS_MAX)
        return &peers->peer[peers->n++];
    struct peer *oldest = NULL;
    for (unsigned i = 0; i < PEERS_MAX; i++) {
        struct peer *peer = &peers->peer[i];
        if (!peer->requests && !peer->streams && (!oldest || peer->used_us < oldest->used_us))
            oldest = peer;
    }
    if (oldest)
        unlink_peer(peers, oldest);
    return oldest;
}

static struct peer *find(struct peers *peers, const uint8_t key[16], bool loopback, int64_t now_us) {
    struct peer **head = &peers->head[key_hash(key)];
    for (struct peer *peer = *head; peer; peer = peer->next__)
        if (!memcmp(peer->address, key, 16)) {
            peer->used_us = now_us;
            return peer;
        }
    struct peer *peer = take_place(peers);
    if (!peer)
        return NULL;
    *peer = (struct peer){.loopback = loopback, .used_us = now_us, .next__ = *head};
    memcpy(peer->address, key, 16);
    *head = peer;
    return peer;
}

struct peer *peers_find(struct peers *peers, const struct sockaddr *address, const struct sockaddr *own,
                        int64_t now_us) {
    uint8_t key[16];
    bool loopback = address_key(address, own, key);
    return find(peers, key, loopback, now_us);
}

struct peer *peers_caller(struct peers *peers, uint64_t grant, int64_t now_us) {
    uint8_t key[16] = {0xff, 0xff}; // nobody has an address like this
    memcpy(key + 8, &grant, sizeof grant);
    return find(peers, key, false, now_us);
}

void peer_text(const struct peer *peer, char ret[48]) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    if (!peer)
        snprintf(ret, 48, "local");
    else if (!memcmp(peer->address, mapped, sizeof mapped))
        inet_ntop(AF_INET, peer->address + 12, ret, 48);
    else
        inet_ntop(AF_INET6, peer->address, ret, 48);
}
