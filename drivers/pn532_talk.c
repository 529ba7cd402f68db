// One command, its ACK, its reply: the same over every wire. What takes too long is asked for once more; a
// reply that came broken is asked for with NACK.
#include "drivers/pn532.h"
#include <string.h>

enum { RETRIES_MAX = 1, NACKS_MAX = 2 };

static void send_command(struct reader *reader, bool retry);

static void start_timer(struct reader *reader, int64_t in_us, void (*fn)(void *)) {
    struct pn532 *pn = reader->priv;
    loop_timer_start(reader->loop, &pn->timer, loop_now_us(reader->loop) + in_us, fn, reader);
}

static void deadline(void *ctx) {
    struct reader *reader = ctx;
    struct pn532 *pn = reader->priv;
    reader_fault(reader, DRIVER_FAULT_TIMEOUT);
    if (pn->retries++ < RETRIES_MAX)
        send_command(reader, true);
    else
        pn532_command_failed(reader);
}

// A retry, and the first command after somebody else's, is preceded by an ACK: it ends what the chip may
// still do.
static void send_command(struct reader *reader, bool retry) {
    struct pn532 *pn = reader->priv;
    const struct pn532_command *command = &pn->command;
    uint8_t frame[PN532_WIRE_WRITE];
    size_t n = pn532_frame_encode(command->code, command->data, command->n, frame, sizeof frame);
    pn->waiting = true;
    pn->acked = false;
    pn->n_rx = 0;
    if (pn->step == STEP_POLL)
        pn532_here(pn)->polled_us = pn532_chip(pn)->polled_us = loop_now_us(reader->loop);
    start_timer(reader, pn->ack_us + pn->wire.row->bytes_us(&pn->wire, n + 3 * sizeof pn532_ack), deadline);
    if (pn->step == STEP_SAM && pn->wire.row->bus == BUS_SERIAL)
        pn->wire.row->wake(&pn->wire);
    if ((retry || pn->step == STEP_SAM) && !pn532_wire_put(&pn->wire, pn532_ack, sizeof pn532_ack))
        return;
    pn532_wire_put(&pn->wire, frame, n);
}

void pn532_say(struct reader *reader, enum pn532_step step, const struct pn532_command *command) {
    struct pn532 *pn = reader->priv;
    pn->step = step;
    pn->command = *command;
    pn->retries = pn->nacks = 0;
    send_command(reader, false);
}

// The reply came broken: the chip still has it and sends it again.
static void ask_again(struct reader *reader, enum driver_fault fault) {
    struct pn532 *pn = reader->priv;
    reader_fault(reader, fault);
    if (!pn->waiting || !pn->acked || pn->nacks++ >= NACKS_MAX)
        return; // the deadline decides
    if (pn532_wire_put(&pn->wire, pn532_nack, sizeof pn532_nack))
        start_timer(reader, pn->reply_us, deadline);
}

static void take_reply(struct reader *reader, const struct pn532_frame *frame) {
    struct pn532 *pn = reader->priv;
    if (!pn->waiting || frame->len == 0 || frame->data[0] != pn->command.code + 1) {
        reader_fault(reader, DRIVER_FAULT_FRAME); // an answer that nobody waits for any more
        return;
    }
    pn->waiting = false;
    pn532_command_done(reader, frame->data + 1, frame->len - 1);
}

static void take_frame(struct reader *reader, const struct pn532_frame *frame) {
    struct pn532 *pn = reader->priv;
    switch (frame->type) {
    case PN532_ACK:
        if (pn->waiting && !pn->acked)
            start_timer(reader, pn->reply_us, deadline);
        pn->acked = true;
        break;
    case PN532_NACK:
        reader_fault(reader, DRIVER_FAULT_CHECKSUM);
        if (pn->waiting && pn->nacks++ < NACKS_MAX)
            send_command(reader, false);
        break;
    case PN532_REPLY:
        take_reply(reader, frame);
        break;
    case PN532_ERROR:
        reader_fault(reader, DRIVER_FAULT_STATUS);
        if (pn->waiting)
            pn532_command_failed(reader);
        break;
    case PN532_BAD_SUM:
        ask_again(reader, DRIVER_FAULT_CHECKSUM);
        break;
    default:
        ask_again(reader, DRIVER_FAULT_FRAME);
        break;
    }
}

// Frames are taken one by one; each may end the command, the port, or both, and whoever sends a command drops
// what came before it (n_rx = 0). A frame's data stay where they are until it is done with.
static void take_bytes(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    bool garbage = false, more = true;
    while (more && pn->n_rx) {
        struct pn532_frame frame;
        pn532_frame_decode(pn->rx, pn->n_rx, &frame);
        garbage |= frame.garbage > 0;
        pn->framed |= frame.type >= PN532_ACK && frame.type <= PN532_ERROR;
        pn->n_rx -= frame.used;
        more = frame.type != PN532_MORE;
        if (more)
            take_frame(reader, &frame);
        memmove(pn->rx, pn->rx + frame.used, pn->n_rx);
    }
    if (garbage)
        reader_fault(reader, DRIVER_FAULT_FRAME);
}

void pn532_took(void *ctx, const uint8_t *bytes, size_t n) {
    struct reader *reader = ctx;
    struct pn532 *pn = reader->priv;
    pn->heard = true;
    // There is room for a whole read behind any frame that is still incomplete.
    n = n < sizeof pn->rx - pn->n_rx ? n : sizeof pn->rx - pn->n_rx;
    memcpy(pn->rx + pn->n_rx, bytes, n);
    pn->n_rx += n;
    take_bytes(reader);
}

void pn532_wire_failed(void *ctx) {
    reader_fault(ctx, DRIVER_FAULT_IO);
}
