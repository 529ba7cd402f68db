// The tags of a poll are selected one after the other and asked what type2 wants to know. A tag that refused,
// or was not understood, has to be let go and selected again before it listens.
#include "drivers/pn532.h"
#include <string.h>

enum { IN_DESELECT = 0x44, IN_SELECT = 0x54, COMMUNICATE_THRU = 0x42 };
enum { STATUS = 0x3F, STATUS_TIMEOUT = 0x01 };

static void next_tag(struct reader *reader);

static void say_target(struct reader *reader, enum pn532_step step, uint8_t code) {
    struct pn532 *pn = reader->priv;
    const struct pn532_command command = {code, 1, {(uint8_t)(pn->target + 1)}};
    pn532_say(reader, step, &command);
}

static void ask(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    struct pn532_command command = {.code = COMMUNICATE_THRU};
    command.n = (uint8_t)type2_next(&pn->type2, command.data);
    if (command.n > 0) {
        pn532_say(reader, STEP_ASK, &command);
        return;
    }
    if (pn->type2.aborted)
        reader_fault(reader, DRIVER_FAULT_TIMEOUT);
    type2_report(&pn->type2, reader, (uint16_t)pn->at);
    pn->target++;
    next_tag(reader);
}

static bool asked_already(const struct pn532_antenna *a, const struct pn532_target *target) {
    for (unsigned i = 0; i < a->n_asked; i++)
        if (a->asked[i].len == target->len && memcmp(a->asked[i].id, target->id, target->len) == 0)
            return true;
    return false;
}

static void next_tag(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    struct pn532_antenna *a = pn532_here(pn);
    while (a->inspect && pn->target < pn->list.n && asked_already(a, &pn->list.target[pn->target]))
        pn->target++;
    if (!a->inspect || pn->target >= pn->list.n) {
        pn532_inspected(reader);
        return;
    }
    const struct pn532_target *target = &pn->list.target[pn->target];
    if (a->n_asked == PN532_TARGETS_MAX)
        a->n_asked = 0;
    a->asked[a->n_asked++] = *target;
    type2_begin(&pn->type2, target->id, target->len, target->sel, pn->key.given ? &pn->key.point : NULL);
    if (pn->type2.step == TYPE2_DONE)
        ask(reader);
    else
        say_target(reader, STEP_SELECT, IN_SELECT);
}

bool pn532_inspect_begin(struct reader *reader, const struct pn532_list *list) {
    struct pn532 *pn = reader->priv;
    struct pn532_antenna *a = pn532_here(pn);
    bool any = false;
    for (unsigned i = 0; a->inspect && i < list->n; i++)
        any |= !asked_already(a, &list->target[i]);
    if (list->n == 0)
        a->n_asked = 0;
    if (!any)
        return false;
    pn->list = *list;
    pn->target = 0;
    next_tag(reader);
    return true;
}

static void answered(struct reader *reader, const uint8_t *data, size_t n) {
    struct pn532 *pn = reader->priv;
    uint8_t status = n ? data[0] & STATUS : STATUS_TIMEOUT;
    if (status == 0 && n > 0) {
        type2_answer(&pn->type2, TYPE2_ANSWERED, data + 1, n - 1);
        ask(reader);
        return;
    }
    // The chip calls the four bits of a refusal an error of the frame. Said twice, it is a refusal.
    bool refused = status != STATUS_TIMEOUT && pn->type2.retried;
    type2_answer(&pn->type2,
                 status == STATUS_TIMEOUT ? TYPE2_SILENT
                 : refused                ? TYPE2_REFUSED
                                          : TYPE2_BROKEN,
                 NULL, 0);
    if (pn->type2.step == TYPE2_DONE)
        ask(reader);
    else
        say_target(reader, STEP_FORGET, IN_DESELECT);
}

void pn532_inspect_done(struct reader *reader, const uint8_t *data, size_t n) {
    struct pn532 *pn = reader->priv;
    if (pn->step == STEP_ASK) {
        answered(reader, data, n);
    } else if (pn->step == STEP_FORGET) {
        say_target(reader, STEP_SELECT, IN_SELECT);
    } else if (n > 0 && (data[0] & STATUS) == 0) {
        ask(reader);
    } else {
        pn532_inspect_failed(reader);
    }
}

// Lifted, or the chip is in trouble, which the next poll will show: nobody answers any more.
void pn532_inspect_failed(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    while (pn->type2.step != TYPE2_DONE)
        type2_answer(&pn->type2, TYPE2_SILENT, NULL, 0);
    ask(reader);
}
