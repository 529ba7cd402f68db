// The blocking half of the driver pcsc: one look at one reader, in a worker's thread. Touches nothing of the
// daemon but its own struct.
#pragma once
#include <PCSC/winscard.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// The library, so that a test may stand in for it.
struct pcsc_api {
    LONG (*establish)(DWORD scope, LPCVOID a, LPCVOID b, LPSCARDCONTEXT ret);
    LONG (*release)(SCARDCONTEXT context);
    LONG (*list)(SCARDCONTEXT context, LPCSTR groups, LPSTR ret, LPDWORD len);
    LONG (*change)(SCARDCONTEXT context, DWORD ms, SCARD_READERSTATE *states, DWORD n);
    LONG (*cancel)(SCARDCONTEXT context);
    LONG(*connect)
    (SCARDCONTEXT context, LPCSTR reader, DWORD share, DWORD protocols, LPSCARDHANDLE ret,
     LPDWORD ret_protocol);
    LONG (*disconnect)(SCARDHANDLE card, DWORD how);
    LONG(*transmit)
    (SCARDHANDLE card, const SCARD_IO_REQUEST *pci, LPCBYTE send, DWORD n, SCARD_IO_REQUEST *ret_pci,
     LPBYTE ret, LPDWORD len);
    LONG (*attribute)(SCARDHANDLE card, DWORD id, LPBYTE ret, LPDWORD len);
};
extern const struct pcsc_api *pcsc_api; // read when a reader is opened

enum pcsc_found {
    PCSC_DOWN,   // no service, no such reader; `why` says it
    PCSC_EMPTY,  // the reader says that nothing lies there
    PCSC_TAG,    // uid
    PCSC_TROUBLE // something lies there and its id could not be had; `fault` says why
};

struct pcsc_scan {
    // What is looked for; NULL and -1 = any.
    const char *usb, *name;
    int slot;
    const struct pcsc_api *api;

    // Of the thread alone.
    char reader[MAX_READERNAME];
    DWORD event; // last state, with its counter
    bool known;  // the state of this stay is in found, uid
    int64_t listed_ms;

    // Of the call.
    unsigned wait_ms;
    atomic_long context; // 0 = none; another thread may cancel it
    enum pcsc_found found;
    int fault; // enum driver_fault, -1 = none
    uint8_t n_uid, uid[16];
    char why[160];
};

void pcsc_scan(struct pcsc_scan *scan);        // waits at most about wait_ms for a change
void pcsc_scan_cancel(struct pcsc_scan *scan); // from another thread: the wait ends
void pcsc_scan_end(struct pcsc_scan *scan);    // no scan runs any more

// "ACS ACR122U PICC Interface 01 00" -> its name without the number that goes by arrival, and the slot, which
// does not (B022). False: not of this form, the whole is the name.
bool pcsc_split_name(const char *reader, char ret_name[MAX_READERNAME], int *ret_slot);
