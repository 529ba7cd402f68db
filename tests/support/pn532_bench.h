// Several emulated chips with one voice to command them: control lines, and tap logs played onto them.
//
//   CHIP place UID | clear | add UID | remove UID       CHIP is 0, 1 .. or chip0, chip1 ..
//   CHIP write WORD                                     an NDEF text on the tag laid down last
//   CHIP fault WORD [N]    well silence lost garbage nack badsum short error miss; N commands, without N for
//   good CHIP hang N | reset | vanish | return               hang: after N polls play TAPLOG | stop | quit
//
// `map READER.ANTENNA CHIP` says which chip stands in for which antenna of a log. A played log's `down` is a
// pulled plug, `failed` an error frame, `collided` noise.
#pragma once
#include "core/error.h"
#include "core/loop.h"
#include "support/pn532_emulator.h"
#include <stddef.h>

enum { BENCH_CHIPS_MAX = 128 };

struct pn532_bench_options {
    size_t chips;
    const char *folder; // chip0, chip1 .. appear here
    bool real_timing;
    double speed;              // of played logs
    void (*played)(void *ctx); // a log has come to its end; NULL allowed
    void (*quit)(void *ctx);
    void *ctx;
};

struct pn532_bench;
enum error_code pn532_bench_create(struct loop *loop, const struct pn532_bench_options *options,
                                   struct pn532_bench **ret, struct error *err);
void pn532_bench_destroy(struct pn532_bench *bench); // NULL allowed
enum error_code pn532_bench_line(struct pn532_bench *bench, const char *line, struct error *err);
