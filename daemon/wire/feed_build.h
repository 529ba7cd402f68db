// Observations as messages of public.proto, in memory that is used again for the next one.
#pragma once
#include "engine/observe.h"
#include "public.pb-c.h"
#include <stddef.h>
#include <stdint.h>

struct feed_arena {
    char *base;
    size_t used, cap;
};
void feed_arena_init(struct feed_arena *arena);
void feed_arena_free(struct feed_arena *arena);

struct feed_frame { // what the header of a message needs
    const char *boot_id, *table, *game_id;
    int audience;
    uint64_t seq;
    int64_t at_us; // wall; 0 = none
};
Tabled__V1__Header *feed_build_header(struct feed_arena *arena, const struct feed_frame *frame);

// Each result lives until the arena is used anew (used = 0).
ProtobufCMessage *feed_build_game(struct feed_arena *arena, const struct feed_frame *frame,
                                  const struct observation *view);
ProtobufCMessage *feed_build_phase(struct feed_arena *arena, const struct feed_frame *frame,
                                   const struct observation *view);
ProtobufCMessage *feed_build_board(struct feed_arena *arena, const struct feed_frame *frame,
                                   const struct observation *view);
ProtobufCMessage *feed_build_seats(struct feed_arena *arena, const struct feed_frame *frame,
                                   const struct observation *view);
ProtobufCMessage *feed_build_violations(struct feed_arena *arena, const struct feed_frame *frame,
                                        const struct observation *view);
ProtobufCMessage *feed_build_result(struct feed_arena *arena, const struct feed_frame *frame,
                                    const struct observation *view);
size_t feed_build_facts(struct feed_arena *arena, const struct observation *view, Tabled__V1__Fact ***ret);
ProtobufCMessage *feed_build_event(struct feed_arena *arena, const struct feed_frame *frame,
                                   const struct observe_event *event);
ProtobufCMessage *feed_build_narration(struct feed_arena *arena, const struct feed_frame *frame,
                                       const char *locale, const struct observe_narration *narration);
ProtobufCMessage *feed_build_readers(struct feed_arena *arena, const struct feed_frame *frame,
                                     const struct observe_readers *readers);
// "public", "s1" ... "s16".
const char *feed_audience_name(int audience);
