// What to ask of a tag of Type 2 (NTAG21x, Ultralight) to learn what is written on it and whether it is
// genuine. Pure: the driver sends what type2_next says through its chip and hands in what came back.
#pragma once
#include "drivers/driver.h"
#include "drivers/originality.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TYPE2_COMMAND_MAX = 2, TYPE2_ANSWER_MAX = 32, TYPE2_MEMORY_MAX = 256 };

// The key `signature_key` of every driver that asks tags.
struct type2_key {
    bool given;
    struct originality_key point;
};
#define TYPE2_KEYS                                                                                           \
    {                                                                                                        \
        .name = "signature_key", .type = CONFIG_TEXT, .fallback = "",                                        \
        .help = "public key of your own tags' signatures, 66 hex digits; empty = the makers' published keys" \
    }
enum error_code type2_read_key(const struct config_section *conf, struct type2_key *ret, struct error *err);

enum type2_outcome {
    TYPE2_ANSWERED,
    TYPE2_REFUSED, // the tag said no; it must be selected anew before the next command
    TYPE2_SILENT,  // nothing came: lifted, or a command it does not know
    TYPE2_BROKEN,  // something came that cannot be trusted
};

struct type2 {
    enum type2_step { TYPE2_FIRST, TYPE2_MORE, TYPE2_VERSION, TYPE2_SIGNATURE, TYPE2_DONE } step;
    uint8_t uid[DRIVER_UID_MAX], uid_len;
    const struct originality_key *own, *key; // own: the configuration's, wins; NULL = the maker's
    uint8_t memory[TYPE2_MEMORY_MAX];
    size_t n, area;
    bool retried, aborted; // aborted: the tag fell silent in the middle
    enum driver_signature signature;
};

// sel_res: the tag's SAK. Tags of other types are done at once, unsupported.
void type2_begin(struct type2 *t, const uint8_t *uid, uint8_t len, uint8_t sel_res,
                 const struct originality_key *own);
size_t type2_next(const struct type2 *t, uint8_t ret[TYPE2_COMMAND_MAX]); // 0 = done
// data: the answer without check bytes.
void type2_answer(struct type2 *t, enum type2_outcome outcome, const uint8_t *data, size_t n);
// Done: tells the host what came of it.
void type2_report(const struct type2 *t, struct reader *reader, uint16_t antenna);
