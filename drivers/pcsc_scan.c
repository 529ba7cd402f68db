#include "drivers/pcsc_scan.h"
#include "drivers/driver.h"
#include "drivers/usb_port.h"
#include <PCSC/reader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LIST_MS = 2000, LIST_BYTES = 16 * (MAX_READERNAME + 1) + 1, READERS_MAX = 16 };

static const struct pcsc_api library = {
    .establish = SCardEstablishContext,
    .release = SCardReleaseContext,
    .list = SCardListReaders,
    .change = SCardGetStatusChange,
    .cancel = SCardCancel,
    .connect = SCardConnect,
    .disconnect = SCardDisconnect,
    .transmit = SCardTransmit,
    .attribute = SCardGetAttrib,
};
const struct pcsc_api *pcsc_api = &library;

static int64_t now_ms(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

// ---- which reader

static int two_digits(const char *text) {
    static const char hex[] = "0123456789ABCDEF";
    const char *high = text[0] ? strchr(hex, text[0]) : NULL,
               *low = high && text[1] ? strchr(hex, text[1]) : NULL;
    return low ? (int)(high - hex) * 16 + (int)(low - hex) : -1;
}

bool pcsc_split_name(const char *reader, char ret_name[MAX_READERNAME], int *ret_slot) {
    size_t n = strnlen(reader, MAX_READERNAME - 1);
    snprintf(ret_name, MAX_READERNAME, "%.*s", (int)n, reader);
    *ret_slot = 0;
    if (n < 7 || reader[n - 3] != ' ' || reader[n - 6] != ' ' || two_digits(reader + n - 5) < 0 ||
        two_digits(reader + n - 2) < 0)
        return false;
    *ret_slot = two_digits(reader + n - 2);
    ret_name[n - 6] = '\0';
    return true;
}

// 0x0020BBAA: USB, bus and address.
static bool port_of(struct pcsc_scan *scan, const char *reader, char ret[32]) {
    SCARDHANDLE card;
    DWORD protocol, len = sizeof(uint32_t);
    uint32_t channel = 0;
    if (scan->api->connect(scan->context, reader, SCARD_SHARE_DIRECT, 0, &card, &protocol) != SCARD_S_SUCCESS)
        return false;
    LONG code = scan->api->attribute(card, SCARD_ATTR_CHANNEL_ID, (LPBYTE)&channel, &len);
    scan->api->disconnect(card, SCARD_LEAVE_CARD);
    return code == SCARD_S_SUCCESS && len == sizeof channel && channel >> 16 == 0x20 &&
           usb_port_of(usb_devices, channel >> 8 & 0xff, channel & 0xff, ret);
}

static bool matches(struct pcsc_scan *scan, const char *reader) {
    char name[MAX_READERNAME], port[32];
    int slot;
    pcsc_split_name(reader, name, &slot);
    if ((scan->slot >= 0 && slot != scan->slot) || (scan->name && !strstr(name, scan->name)))
        return false;
    return !scan->usb || (port_of(scan, reader, port) && !strcmp(port, scan->usb));
}

// ---- down

static void down(struct pcsc_scan *scan, const char *why) {
    scan->found = PCSC_DOWN;
    scan->reader[0] = '\0';
    scan->known = false;
    snprintf(scan->why, sizeof scan->why, "%s", why);
}

static void drop_context(struct pcsc_scan *scan) {
    SCARDCONTEXT context = atomic_exchange(&scan->context, 0);
    if (context)
        scan->api->release(context);
}

static void service_gone(struct pcsc_scan *scan) {
    drop_context(scan);
    down(scan, "pcscd does not answer: is it installed and started (systemctl enable --now pcscd.socket)?");
}

static bool begin(struct pcsc_scan *scan) {
    SCARDCONTEXT context;
    if (scan->context)
        return true;
    if (scan->api->establish(SCARD_SCOPE_SYSTEM, NULL, NULL, &context) != SCARD_S_SUCCESS) {
        service_gone(scan);
        return false;
    }
    scan->context = context;
    return true;
}

// ---- finding it, and seeing whether it is still there (B021: a status call may go on saying "unchanged")

static LONG list(struct pcsc_scan *scan, char names[LIST_BYTES]) {
    DWORD len = LIST_BYTES - 1;
    memset(names, 0, LIST_BYTES);
    LONG code = scan->api->list(scan->context, NULL, names, &len);
    if (code == SCARD_E_NO_READERS_AVAILABLE) {
        names[0] = names[1] = '\0';
        code = SCARD_S_SUCCESS;
    }
    scan->listed_ms = now_ms();
    return code;
}

static bool find(struct pcsc_scan *scan) {
    char names[LIST_BYTES], *match = NULL;
    unsigned n = 0, all = 0;
    if (list(scan, names) != SCARD_S_SUCCESS) {
        service_gone(scan);
        return false;
    }
    for (char *name = names; *name && all < READERS_MAX; name += strlen(name) + 1, all++)
        if (matches(scan, name)) {
            match = name;
            n++;
        }
    if (n == 1) {
        snprintf(scan->reader, sizeof scan->reader, "%.*s", MAX_READERNAME - 1, match);
        scan->event = SCARD_STATE_UNAWARE;
        scan->known = false;
        return true;
    }
    if (n)
        down(scan,
             "several PC/SC readers are alike: say which one with `usb = PORT`, as in /sys/bus/usb/devices");
    else
        down(scan,
             all ? "the reader is not there: is it plugged into its port? (`pcsc_scan -r` lists readers)"
                 : "pcscd sees no reader: unplugged, or the kernel's nfc and pn533 modules hold it");
    return false;
}

static bool still_listed(struct pcsc_scan *scan) {
    char names[LIST_BYTES];
    if (now_ms() - scan->listed_ms < LIST_MS)
        return true;
    if (list(scan, names) != SCARD_S_SUCCESS) {
        service_gone(scan);
        return false;
    }
    for (char *name = names; *name; name += strlen(name) + 1)
        if (!strcmp(name, scan->reader))
            return true;
    down(scan, "the reader is gone: unplugged");
    return false;
}

static void wait_for_plug(struct pcsc_scan *scan) {
    SCARD_READERSTATE state = {.szReader = "\\\\?PnP?\\Notification"};
    if (scan->context)
        scan->api->change(scan->context, scan->wait_ms, &state, 1);
}

// ---- the tag

static void trouble(struct pcsc_scan *scan, int fault) {
    scan->found = PCSC_TROUBLE;
    scan->fault = fault;
}

static void take_reply(struct pcsc_scan *scan, const BYTE *reply, DWORD n) {
    if (n < 2 || n > sizeof scan->uid + 2) {
        trouble(scan, DRIVER_FAULT_FRAME);
        return;
    }
    if (reply[n - 2] != 0x90 || reply[n - 1] != 0x00 || n == 2) {
        trouble(scan, DRIVER_FAULT_STATUS);
        return;
    }
    scan->found = PCSC_TAG;
    scan->n_uid = (uint8_t)(n - 2);
    memcpy(scan->uid, reply, n - 2);
    scan->known = true;
}

// GET DATA of PC/SC part 3: the reader's own answer, whatever the tag.
static void read_uid(struct pcsc_scan *scan) {
    static const BYTE get_uid[] = {0xFF, 0xCA, 0x00, 0x00, 0x00};
    SCARDHANDLE card;
    BYTE reply[258];
    DWORD protocol, n = sizeof reply;
    LONG code = scan->api->connect(scan->context, scan->reader, SCARD_SHARE_SHARED,
                                   SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1, &card, &protocol);
    if (code != SCARD_S_SUCCESS) {
        trouble(scan, code == SCARD_E_TIMEOUT ? DRIVER_FAULT_TIMEOUT : DRIVER_FAULT_IO);
        return;
    }
    code = scan->api->transmit(card, protocol == SCARD_PROTOCOL_T0 ? SCARD_PCI_T0 : SCARD_PCI_T1, get_uid,
                               sizeof get_uid, NULL, reply, &n);
    scan->api->disconnect(card, SCARD_LEAVE_CARD);
    if (code == SCARD_S_SUCCESS)
        take_reply(scan, reply, n);
    else
        trouble(scan, code == SCARD_E_TIMEOUT ? DRIVER_FAULT_TIMEOUT : DRIVER_FAULT_IO);
}

static void take_state(struct pcsc_scan *scan, DWORD event) {
    if (event & (SCARD_STATE_UNKNOWN | SCARD_STATE_UNAVAILABLE | SCARD_STATE_IGNORE)) {
        down(scan, "the reader is gone: unplugged");
        return;
    }
    scan->known &= event >> 16 == scan->event >> 16; // the counter: in between it may have been another tag
    scan->event = event & ~(DWORD)SCARD_STATE_CHANGED;
    if (event & SCARD_STATE_EMPTY)
        scan->found = PCSC_EMPTY;
    else if (!(event & SCARD_STATE_PRESENT) || (event & SCARD_STATE_MUTE))
        trouble(scan, DRIVER_FAULT_TIMEOUT);
    else if (!scan->known || scan->found != PCSC_TAG)
        read_uid(scan);
}

void pcsc_scan(struct pcsc_scan *scan) {
    SCARD_READERSTATE state = {0};
    scan->fault = -1;
    if (!begin(scan) || (!scan->reader[0] && !find(scan))) {
        wait_for_plug(scan);
        return;
    }
    if (!still_listed(scan))
        return;
    state.szReader = scan->reader;
    state.dwCurrentState = scan->event;
    LONG code = scan->api->change(scan->context, scan->wait_ms, &state, 1);
    if (code == SCARD_E_TIMEOUT || code == SCARD_E_CANCELLED)
        take_state(scan, scan->event);
    else if (code == SCARD_S_SUCCESS)
        take_state(scan, state.dwEventState);
    else if (code == SCARD_E_UNKNOWN_READER || code == SCARD_E_READER_UNAVAILABLE)
        down(scan, "the reader is gone: unplugged");
    else
        service_gone(scan);
}

void pcsc_scan_cancel(struct pcsc_scan *scan) {
    SCARDCONTEXT context = atomic_load(&scan->context);
    if (context)
        scan->api->cancel(context);
}

void pcsc_scan_end(struct pcsc_scan *scan) {
    drop_context(scan);
}
