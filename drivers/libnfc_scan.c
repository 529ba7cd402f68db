#include "drivers/libnfc_scan.h"
#include "drivers/driver.h"
#include "drivers/usb_port.h"
#include <stdio.h>
#include <string.h>

enum { FAILURES_MAX = 3 };

// `pn53x_usb` at port 1-1.2 is pn53x_usb:001:007 today and 001:008 after the next plug (B027).
static bool connection(const struct libnfc_scan *scan, nfc_connstring ret) {
    unsigned bus, address;
    if (!scan->usb) {
        snprintf(ret, sizeof(nfc_connstring), "%s", scan->device);
        return true;
    }
    if (!usb_port_find(usb_devices, scan->usb, &bus, &address))
        return false;
    snprintf(ret, sizeof(nfc_connstring), "%.64s:%03u:%03u", scan->device, bus, address);
    return true;
}

static void down(struct libnfc_scan *scan, const char *why) {
    scan->found = LIBNFC_DOWN;
    scan->fault = DRIVER_FAULT_IO;
    snprintf(scan->why, sizeof scan->why, "%s", why);
    nfc_device *device = atomic_exchange(&scan->open, NULL);
    if (device)
        nfc_close(device);
}

static bool begin(struct libnfc_scan *scan) {
    nfc_connstring text;
    if (scan->open)
        return true;
    if (!connection(scan, text)) {
        down(scan, "no device is plugged into its USB port");
        return false;
    }
    nfc_device *device = nfc_open(scan->context, text);
    if (!device) {
        down(scan,
             "libnfc cannot open it: is it plugged in, may the daemon use it, do the kernel's modules pn533 "
             "and nfc "
             "hold it (blacklist-libnfc.conf)?");
        return false;
    }
    if (nfc_initiator_init(device) < 0 ||
        nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false) < 0) {
        nfc_close(device);
        down(scan, "the chip does not take its settings: pull it out and plug it in again");
        return false;
    }
    scan->failures = 0;
    scan->open = device;
    return true;
}

// Only an answer that says "nothing" is nothing (B006).
static void trouble(struct libnfc_scan *scan, int code) {
    static const struct {
        int code, fault;
    } rows[] = {{NFC_ETIMEOUT, DRIVER_FAULT_TIMEOUT}, {NFC_EIO, DRIVER_FAULT_IO},
                {NFC_ENOTSUCHDEV, DRIVER_FAULT_IO},   {NFC_ERFTRANS, DRIVER_FAULT_STATUS},
                {NFC_ECHIP, DRIVER_FAULT_STATUS},     {NFC_EOVFLOW, DRIVER_FAULT_FRAME}};
    scan->found = LIBNFC_TROUBLE;
    scan->fault = DRIVER_FAULT_FRAME;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == code)
            scan->fault = rows[i].fault;
    if (++scan->failures >= FAILURES_MAX || code == NFC_ENOTSUCHDEV)
        down(scan, "the chip does not answer any more: unplugged, or hung; it is opened anew");
}

void libnfc_scan(struct libnfc_scan *scan) {
    static const nfc_modulation type_a = {.nmt = NMT_ISO14443A, .nbr = NBR_106};
    nfc_target target;
    scan->fault = -1;
    if (!begin(scan))
        return;
    int n = nfc_initiator_select_passive_target(scan->open, type_a, NULL, 0, &target);
    if (n < 0) {
        trouble(scan, n);
        return;
    }
    scan->failures = 0;
    scan->found = n ? LIBNFC_TAG : LIBNFC_EMPTY;
    if (!n)
        return;
    const nfc_iso14443a_info *info = &target.nti.nai;
    scan->n_uid = (uint8_t)(info->szUidLen <= sizeof scan->uid ? info->szUidLen : 0);
    memcpy(scan->uid, info->abtUid, scan->n_uid);
    nfc_initiator_deselect_target(scan->open);
}

void libnfc_scan_abort(struct libnfc_scan *scan) {
    nfc_device *device = atomic_load(&scan->open);
    if (device)
        nfc_abort_command(device);
}

void libnfc_scan_end(struct libnfc_scan *scan) {
    nfc_device *device = atomic_exchange(&scan->open, NULL);
    if (device)
        nfc_close(device); // restores what the chip had, and its lamp (B041)
    if (scan->context)
        nfc_exit(scan->context);
    scan->context = NULL;
}
