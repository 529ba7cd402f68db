// Shared by the files that play worked cases.
#pragma once
#include "games/alien_hunt/alien_hunt.h"
#include "games/casebook.h"
#include <jansson.h>

struct case_run {
    struct casebook_report *report;
    const char *id;
    json_t *before, *action, *after; // borrowed from root
    json_t *base;                    // the position before the first action, as the format writes it
    struct game_setup setup;
    union {
        struct alien_hunt g;
        uint64_t align[GAME_STATE_MAX / 8];
    } state;
    uint8_t own_before[SEATS_MOST]; // identity each seat held
    bool acted, ok;                 // the last action
    struct error err;
};

int alien_hunt__case_seat(const char *text);                   // "3" -> 2, -1
int alien_hunt__case_token(const char *text);                  // "3b" -> 7, -1
bool alien_hunt__case_set_up(struct case_run *r);              // casebook_before.c
bool alien_hunt__case_act(struct case_run *r, json_t *action); // casebook_act.c
json_t *alien_hunt__case_snapshot(const struct alien_hunt *g); // casebook_after.c
bool alien_hunt__case_compare(struct case_run *r);
