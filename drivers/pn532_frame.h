// Frames of the PN532, pure: bytes in, meaning out. Nothing is believed before its length was checked (B028).
//
//   00 00 FF LEN LCS TFI CODE DATA.. DCS 00      LEN + LCS = 0, TFI + CODE + DATA + DCS = 0 (mod 256)
//   00 00 FF FF FF LENM LENL LCS TFI ...         the same, longer than 255 bytes
//   00 00 FF 00 FF 00  ACK     00 00 FF FF 00 00  NACK     TFI 7F: the chip did not understand
#pragma once
#include "drivers/driver.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PN532_DATA_MAX = 264,                  // TFI, code and data of one frame
    PN532_FRAME_MAX = PN532_DATA_MAX + 11, // with everything around it
    PN532_TARGETS_MAX = 2,
};

enum pn532_frame_type {
    PN532_MORE, // nothing whole yet
    PN532_ACK,
    PN532_NACK,
    PN532_REPLY,
    PN532_ERROR,      // TFI 7F
    PN532_BAD_LENGTH, // LEN and LCS disagree, or more than a frame may hold
    PN532_BAD_SUM,
    PN532_BAD_SHAPE, // empty, or neither reply nor error
};

struct pn532_frame {
    enum pn532_frame_type type;
    size_t used;         // bytes of the input that are done with
    size_t garbage;      // of these: bytes that belong to no frame
    const uint8_t *data; // reply: its code, then its data
    size_t len;
};
// Looks for the first frame in bytes[0..n).
void pn532_frame_decode(const uint8_t *bytes, size_t n, struct pn532_frame *ret);

// Writes a command frame; returns its length, 0 if it does not fit.
size_t pn532_frame_encode(uint8_t code, const uint8_t *data, size_t n, uint8_t *ret, size_t cap);
extern const uint8_t pn532_ack[6], pn532_nack[6];

// The reply to InListPassiveTarget for type A at 106 kbps.
enum pn532_list_fault {
    PN532_LIST_OK,
    PN532_LIST_NO_COUNT,
    PN532_LIST_COUNT, // more targets than were asked for
    PN532_LIST_NO_NUMBER,
    PN532_LIST_NO_SENS,
    PN532_LIST_NO_SEL,
    PN532_LIST_NO_ID_LENGTH,
    PN532_LIST_ID_LENGTH, // neither 4, 7 nor 10
    PN532_LIST_ID_CUT,
    PN532_LIST_ATS_CUT,
    PN532_LIST_TAIL, // bytes after the last target
};
struct pn532_list {
    enum pn532_list_fault fault;
    size_t len, need; // bytes there were; bytes there had to be at least
    unsigned n;       // whole targets, 0 after a fault
    struct pn532_target {
        uint8_t len, id[DRIVER_UID_MAX], sel; // sel: SEL_RES
    } target[PN532_TARGETS_MAX];
};
// data: what follows the code. False with a fault.
bool pn532_list_parse(const uint8_t *data, size_t n, struct pn532_list *ret);
// "the list ends inside an id: 9 bytes of 12"; never an id.
void pn532_list_explain(const struct pn532_list *list, char *ret, size_t cap);
