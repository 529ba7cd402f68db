// A door without tables behind it: views and events on demand, requests written down, replies now or later.
// A test includes door_stub.c once; its functions stand in for the engine's.
#pragma once
#include "engine/door.h"

enum { DOOR_STUB_TABLES_MAX = 4, DOOR_STUB_REPLIES_MAX = 512 };

enum door_stub_kind {
    DOOR_STUB_START,
    DOOR_STUB_ACT,
    DOOR_STUB_CONTROL,
    DOOR_STUB_ENROL,
    DOOR_STUB_IMPORT,
    DOOR_STUB_REMOVE
};
struct door_stub_request { // the latest
    enum door_stub_kind kind;
    char table[33];
    struct door_who who;
    char action[2048]; // act, override: the action; import: the CSV
    uint64_t if_seq, seed;
    char game[33], preset[33], cards[2300], options[2048]; // "name=value name=value"
    unsigned seats;
    struct door_control_request control; // its strings: reason, action
    char reason[200];
    char deck[33], name[33], kind_of_piece[33], face[8], pad[33];
    unsigned wait_ms;
};

struct door {
    size_t n_tables, n_sinks, n_requests;
    struct door_stub_table {
        char name[33];
        struct observation *view[OBSERVE_SEATS_MAX + 1]; // [0] is the public
        uint64_t event_seq[OBSERVE_SEATS_MAX + 1];
    } table[DOOR_STUB_TABLES_MAX];
    struct observe_readers readers;
    struct door_preset preset; // of every table; game NULL = none
    struct door_health health;
    struct observe_reader_numbers numbers;
    size_t n_numbers;
    const struct observe_sink *sink[4];
    struct door_stub_request last;
    bool later;                // replies wait for door_stub_reply
    struct door_answer answer; // what is replied
    size_t n_waiting;
    struct {
        door_reply_fn *reply;
        void *ctx;
    } waiting[DOOR_STUB_REPLIES_MAX];
};

struct door *door_stub_create(void);
void door_stub_destroy(struct door *door);
// A running game of some seats; its first views go out by door_stub_show.
void door_stub_table(struct door *door, const char *name, unsigned seats);
struct observation *door_stub_view(struct door *door, const char *table, int audience);
// Raises the version and tells the sinks.
void door_stub_show(struct door *door, const char *table, int audience, unsigned parts);
void door_stub_show_all(struct door *door, const char *table);
void door_stub_event(struct door *door, const char *table, int audience, enum observe_event_type type,
                     const char *text);
void door_stub_narrate(struct door *door, const char *table, const char *text);
void door_stub_reply(struct door *door); // to all that wait, with door->answer
void door_stub_refuse(struct door *door, enum error_code code, const char *rule, const char *text);
