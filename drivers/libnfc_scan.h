// The blocking half of the driver libnfc: one look through one device, in a worker's thread.
#pragma once
#include <nfc/nfc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum libnfc_found { LIBNFC_DOWN, LIBNFC_EMPTY, LIBNFC_TAG, LIBNFC_TROUBLE };
struct libnfc_scan {
    const char *device, *usb;   // usb NULL: `device` is a whole connection string
    nfc_context *context;       // of this reader alone, made on the loop
    _Atomic(nfc_device *) open; // NULL = closed; another thread may abort it
    unsigned failures;          // running
    // Of the call.
    enum libnfc_found found;
    int fault; // enum driver_fault, -1 = none
    uint8_t n_uid, uid[10];
    char why[200];
};
void libnfc_scan(struct libnfc_scan *scan);
void libnfc_scan_abort(struct libnfc_scan *scan); // from another thread
void libnfc_scan_end(struct libnfc_scan *scan);   // no scan runs any more
