// What is said, and when: a table's narration, its reminders and what lies wrong, as sentences for the mixer.
// Only public messages come in, so nothing hidden can be heard.
#pragma once
#include "library.h"
#include "mixer.h"
#include "room/room.h"

struct teller;
struct teller_options {
    struct loop *loop;
    struct library *library;
    struct mixer *mixer;
    const char *language; // "" = as the table speaks
    bool violations, reminders;
};
struct teller *teller_create(const struct teller_options *options);
void teller_destroy(struct teller *teller); // NULL allowed
void teller_room(struct teller *teller, struct room *room);
extern const struct room_calls teller_calls; // ctx = teller; `end` is the program's
