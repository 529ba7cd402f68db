// The driver pcsc against a library that a test writes: up to 16 readers that come, go, lie and get stuck.
// The real pcscd is met in tests/e2e.
#include "drivers/pcsc_scan.h"
#include "drivers/usb_port.h"
#include "unit/drivers/recorded.h"
#include <PCSC/reader.h>
#include <pthread.h>
#include <time.h>

enum { SLOTS = 16 };
static struct slot {
    char name[64], uid[32];
    unsigned counter;
    uint32_t channel; // 0 = tells none
    bool there, present, stuck, lies;
    uint16_t status; // of the answer; 0 = 9000
} slots[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned contexts, released, cancels;
static bool service = true;

static struct slot *slot_of(const char *name) {
    for (unsigned i = 0; i < SLOTS; i++)
        if (slots[i].there && !strcmp(slots[i].name, name))
            return &slots[i];
    return NULL;
}

static LONG fake_establish(DWORD scope, LPCVOID a, LPCVOID b, LPSCARDCONTEXT ret) {
    (void)scope, (void)a, (void)b;
    pthread_mutex_lock(&lock);
    bool ok = service;
    *ret = (SCARDCONTEXT)++contexts;
    pthread_mutex_unlock(&lock);
    return ok ? SCARD_S_SUCCESS : SCARD_E_NO_SERVICE;
}

static LONG fake_release(SCARDCONTEXT context) {
    (void)context;
    pthread_mutex_lock(&lock);
    released++;
    pthread_mutex_unlock(&lock);
    return SCARD_S_SUCCESS;
}

static LONG fake_list(SCARDCONTEXT context, LPCSTR groups, LPSTR ret, LPDWORD len) {
    (void)context, (void)groups;
    DWORD n = 0;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < SLOTS; i++)
        if (slots[i].there && n + strlen(slots[i].name) + 2 < *len) {
            strcpy(ret + n, slots[i].name);
            n += strlen(slots[i].name) + 1;
        }
    bool ok = service;
    pthread_mutex_unlock(&lock);
    ret[n] = '\0';
    *len = n + 1;
    return !ok ? SCARD_E_NO_SERVICE : n ? SCARD_S_SUCCESS : SCARD_E_NO_READERS_AVAILABLE;
}

static DWORD state_of(const struct slot *slot) {
    if (!slot)
        return SCARD_STATE_UNKNOWN;
    return (slot->present ? SCARD_STATE_PRESENT : SCARD_STATE_EMPTY) | (DWORD)slot->counter << 16;
}

static LONG fake_change(SCARDCONTEXT context, DWORD ms, SCARD_READERSTATE *state, DWORD n) {
    struct timespec until;
    LONG code = SCARD_E_TIMEOUT;
    (void)context, (void)n;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    unsigned before = cancels;
    while (code == SCARD_E_TIMEOUT) {
        struct slot *slot = slot_of(state->szReader);
        bool lies = slot && slot->lies;
        if (slot && slot->stuck) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        if (strncmp(state->szReader, "\\\\?PnP", 6) != 0 && !lies &&
            (state_of(slot) != state->dwCurrentState || !state->dwCurrentState)) {
            state->dwEventState = state_of(slot) | SCARD_STATE_CHANGED;
            code = SCARD_S_SUCCESS;
        } else if (cancels != before) {
            code = SCARD_E_CANCELLED;
        } else if (pthread_cond_timedwait(&changed, &lock, &until)) {
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static LONG fake_cancel(SCARDCONTEXT context) {
    (void)context;
    pthread_mutex_lock(&lock);
    cancels++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return SCARD_S_SUCCESS;
}

static LONG fake_connect(SCARDCONTEXT context, LPCSTR reader, DWORD share, DWORD protocols, LPSCARDHANDLE ret,
                         LPDWORD ret_protocol) {
    (void)context, (void)protocols;
    pthread_mutex_lock(&lock);
    struct slot *slot = slot_of(reader);
    *ret = slot ? (SCARDHANDLE)(slot - slots) : -1;
    LONG code = !slot                                           ? SCARD_E_UNKNOWN_READER
                : share != SCARD_SHARE_DIRECT && !slot->present ? SCARD_E_NO_SMARTCARD
                                                                : SCARD_S_SUCCESS;
    *ret_protocol = SCARD_PROTOCOL_T1;
    pthread_mutex_unlock(&lock);
    return code;
}

static LONG fake_disconnect(SCARDHANDLE card, DWORD how) {
    (void)card, (void)how;
    return SCARD_S_SUCCESS;
}

static LONG fake_transmit(SCARDHANDLE card, const SCARD_IO_REQUEST *pci, LPCBYTE send, DWORD n,
                          SCARD_IO_REQUEST *ret_pci, LPBYTE ret, LPDWORD len) {
    static const BYTE get_uid[] = {0xFF, 0xCA, 0x00, 0x00, 0x00};
    (void)pci, (void)ret_pci;
    assert_int_equal(n, sizeof get_uid);
    assert_memory_equal(send, get_uid, sizeof get_uid);
    pthread_mutex_lock(&lock);
    const struct slot *slot = &slots[card];
    *len = 0;
    for (const char *hex = slot->uid; *hex; hex += 2) {
        unsigned byte;
        sscanf(hex, "%2x", &byte);
        ret[(*len)++] = (BYTE)byte;
    }
    uint16_t status = slot->status ? slot->status : 0x9000;
    pthread_mutex_unlock(&lock);
    ret[(*len)++] = (BYTE)(status >> 8);
    ret[(*len)++] = (BYTE)status;
    return SCARD_S_SUCCESS;
}

static LONG fake_attribute(SCARDHANDLE card, DWORD id, LPBYTE ret, LPDWORD len) {
    if (id != SCARD_ATTR_CHANNEL_ID || !slots[card].channel)
        return SCARD_E_UNSUPPORTED_FEATURE;
    memcpy(ret, &slots[card].channel, sizeof slots[card].channel);
    *len = sizeof slots[card].channel;
    return SCARD_S_SUCCESS;
}

static const struct pcsc_api fake = {fake_establish,  fake_release,  fake_list,
                                     fake_change,     fake_cancel,   fake_connect,
                                     fake_disconnect, fake_transmit, fake_attribute};

// ---- hands

static void plug(unsigned i, const char *name, uint32_t channel) {
    pthread_mutex_lock(&lock);
    slots[i] = (struct slot){.there = true, .channel = channel};
    snprintf(slots[i].name, sizeof slots[i].name, "%s", name);
    cancels++; // a plug wakes whoever waits for one
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void set(bool *field, bool value) {
    pthread_mutex_lock(&lock);
    *field = value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void lay(unsigned i, const char *uid) {
    pthread_mutex_lock(&lock);
    slots[i].present = uid != NULL;
    snprintf(slots[i].uid, sizeof slots[i].uid, "%s", uid ? uid : "");
    slots[i].counter++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static struct fixture f;

static int begin(void **state) {
    (void)state;
    memset(slots, 0, sizeof slots);
    contexts = released = cancels = 0;
    service = true;
    pcsc_api = &fake;
    fixture_open(&f, false);
    return 0;
}

static int end(void **state) {
    (void)state;
    for (unsigned i = 0; i < SLOTS; i++)
        set(&slots[i].stuck, false);
    fixture_close(&f);
    assert_int_equal(contexts, released); // none is left behind
    return 0;
}

static bool last_is(const char *reader, enum told_what what, const char *tags) {
    const struct told *told = fixture_last(&f, reader);
    return told && told->what == what && (!tags || !strcmp(told->tags, tags));
}

// ---- tests

static void names_are_taken_apart(void **state) {
    (void)state;
    char name[MAX_READERNAME], port[32];
    int slot;
    assert_true(pcsc_split_name("ACS ACR122U PICC Interface 01 00", name, &slot));
    assert_string_equal(name, "ACS ACR122U PICC Interface");
    assert_int_equal(slot, 0);
    assert_true(pcsc_split_name("Virtual PCD 00 0B", name, &slot));
    assert_int_equal(slot, 11);
    assert_false(pcsc_split_name("odd", name, &slot));
    assert_string_equal(name, "odd");
    assert_false(pcsc_split_name("", name, &slot));
    char devices[64], path[160];
    snprintf(devices, sizeof devices, "%s", fixture_path(&f, "devices"));
    assert_int_equal(mkdir(devices, 0700), 0);
    const char *const rows[][3] = {{"1-1.2", "1", "7"}, {"1-1.3", "1", "8"}, {"usb1", "1", "9"}};
    for (unsigned i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", devices, rows[i][0]);
        assert_int_equal(mkdir(path, 0700), 0);
        snprintf(path, sizeof path, "%s/%s/busnum", devices, rows[i][0]);
        fixture_write(path, rows[i][1]);
        snprintf(path, sizeof path, "%s/%s/devnum", devices, rows[i][0]);
        fixture_write(path, rows[i][2]);
    }
    assert_true(usb_port_of(devices, 1, 8, port));
    assert_string_equal(port, "1-1.3");
    assert_false(usb_port_of(devices, 2, 8, port));
    assert_false(usb_port_of(devices, 1, 9, port));
    assert_false(usb_port_of("/nowhere", 1, 9, port));
}

static void a_tag_is_seen_and_lifted(void **state) {
    (void)state;
    plug(0, "Desk 00 00", 0);
    fixture_conf(&f, "[reader desk]\ndriver = pcsc\npoll = 20ms\n");
    fixture_reader(&f, "desk", NULL);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_NONE, NULL));
    lay(0, "04A1B2C3D4E580");
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_SEEN, "04A1B2C3D4E580"));
    size_t seen = fixture_count(&f, NULL, TOLD_SEEN);
    FIXTURE_UNTIL(&f, fixture_count(&f, NULL, TOLD_SEEN) > seen + 3); // a level, told again and again
    lay(0, "04210B5A"); // exchanged between two looks: the counter tells
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_SEEN, "04210B5A"));
    lay(0, NULL);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_NONE, NULL));
    assert_int_equal(fixture_count(&f, NULL, TOLD_FAILED), 0);
    assert_int_equal(fixture_count(&f, NULL, TOLD_UP), 1);
}

static void b010_unplugged_is_not_lifted(void **state) {
    (void)state;
    plug(0, "Desk 00 00", 0);
    lay(0, "04A1B2C3D4E580");
    fixture_conf(&f, "[reader desk]\ndriver = pcsc\npoll = 20ms\n");
    fixture_reader(&f, "desk", NULL);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_SEEN, NULL));
    set(&slots[0].there, false);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_DOWN, NULL));
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), 0);
    plug(3, "Desk 02 00", 0); // its number goes by arrival (B022)
    lay(3, "04A1B2C3D4E580");
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_SEEN, "04A1B2C3D4E580"));
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), 0);
}

static void b020_a_hundred_fast_replugs(void **state) {
    (void)state;
    plug(0, "Desk 00 00", 0);
    fixture_conf(&f, "[reader desk]\ndriver = pcsc\npoll = 20ms\n");
    fixture_reader(&f, "desk", NULL);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_NONE, NULL));
    for (unsigned i = 0; i < 100; i++) {
        set(&slots[0].there, false);
        loop_turn(f.loop, 1000);
        plug(0, "Desk 00 00", 0);
        loop_turn(f.loop, 1000);
    }
    lay(0, "04A1B2C3D4E580");
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_SEEN, "04A1B2C3D4E580"));
    assert_true(fixture_count(&f, NULL, TOLD_UP) <= fixture_count(&f, NULL, TOLD_DOWN) + 1);
}

// The status call goes on saying "unchanged" of a reader that is gone: the list is asked now and then.
static void b021_a_status_that_lies(void **state) {
    (void)state;
    plug(0, "Desk 00 00", 0);
    lay(0, "04A1B2C3D4E580");
    fixture_conf(&f, "[reader desk]\ndriver = pcsc\npoll = 20ms\n");
    fixture_reader(&f, "desk", NULL);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_SEEN, NULL));
    pthread_mutex_lock(&lock);
    slots[1] = slots[0]; // what the status call still finds
    slots[1].lies = true;
    slots[0].there = false;
    snprintf(slots[1].name, sizeof slots[1].name, "Ghost 00 00");
    pthread_mutex_unlock(&lock);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_DOWN, NULL));
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), 0);
}

// The order and the numbers of equal readers change: the port stays.
static void b022_b023_equal_readers_by_their_ports(void **state) {
    (void)state;
    char devices[64], path[160], text[8];
    snprintf(devices, sizeof devices, "%s", fixture_path(&f, "devices"));
    assert_int_equal(mkdir(devices, 0700), 0);
    for (unsigned i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/1-%u", devices, i + 1);
        assert_int_equal(mkdir(path, 0700), 0);
        snprintf(path, sizeof path, "%s/1-%u/busnum", devices, i + 1);
        fixture_write(path, "1");
        snprintf(path, sizeof path, "%s/1-%u/devnum", devices, i + 1);
        snprintf(text, sizeof text, "%u", 10 + i);
        fixture_write(path, text);
    }
    usb_devices = devices;
    static const unsigned order[4] = {2, 0, 3, 1};
    for (unsigned i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "A 0%u 00", i);
        plug(i, text, 0x00200100 + 10 + order[i]);
        snprintf(path, sizeof path, "04A1B2C3D4E58%u", order[i]);
        lay(i, path);
    }
    fixture_conf(
        &f,
        "[reader a]\ndriver = pcsc\npoll = 20ms\nusb = 1-1\n[reader b]\ndriver = pcsc\npoll = 20ms\nusb "
        "= 1-2\n[reader c]\ndriver = pcsc\npoll = 20ms\nusb = 1-3\n[reader none]\ndriver = pcsc\n");
    fixture_reader(&f, "a", NULL);
    fixture_reader(&f, "b", NULL);
    fixture_reader(&f, "c", NULL);
    fixture_reader(&f, "none", NULL);
    FIXTURE_UNTIL(&f, last_is("a", TOLD_SEEN, "04A1B2C3D4E580"));
    FIXTURE_UNTIL(&f, last_is("b", TOLD_SEEN, "04A1B2C3D4E581"));
    FIXTURE_UNTIL(&f, last_is("c", TOLD_SEEN, "04A1B2C3D4E582"));
    FIXTURE_UNTIL(&f, last_is("none", TOLD_DOWN, NULL));
    assert_non_null(strstr(fixture_last(&f, "none")->why, "usb = PORT"));
    usb_devices = "/sys/bus/usb/devices";
}

static void b012_a_stuck_reader_delays_nobody(void **state) {
    (void)state;
    plug(0, "One 00 00", 0);
    plug(1, "Two 00 00", 0);
    fixture_conf(&f,
                 "[reader one]\ndriver = pcsc\nname = One\npoll = 20ms\n[reader two]\ndriver = pcsc\nname = "
                 "Two\npoll = 20ms\n");
    fixture_reader(&f, "one", NULL);
    fixture_reader(&f, "two", NULL);
    FIXTURE_UNTIL(&f, last_is("one", TOLD_NONE, NULL));
    set(&slots[0].stuck, true);
    size_t scans = fixture_count(&f, "two", TOLD_NONE);
    FIXTURE_UNTIL(&f, last_is("one", TOLD_DOWN, NULL));
    assert_true(fixture_count(&f, "two", TOLD_NONE) > scans + 50);
    assert_non_null(strstr(fixture_last(&f, "one")->why, "stuck"));
    set(&slots[0].stuck, false);
    FIXTURE_UNTIL(&f, last_is("one", TOLD_NONE, NULL));
    assert_int_equal(f.reader[0]->n_faults[DRIVER_FAULT_TIMEOUT], 1);
}

// Sixteen, most of them empty or failing: each tells its own.
static void b025_b026_sixteen_readers(void **state) {
    (void)state;
    char conf[2000] = "", name[32];
    for (unsigned i = 0; i < SLOTS; i++) {
        size_t n = strlen(conf);
        snprintf(name, sizeof name, "R%X 00 %02X", i, i);
        plug(i, name, 0);
        snprintf(conf + n, sizeof conf - n, "[reader r%u]\ndriver = pcsc\nslot = %u\n", i, i);
        if (i % 3 == 1)
            lay(i, "04A1B2C3D4E580");
        if (i % 3 == 2) {
            lay(i, "");
            slots[i].status = 0x6300;
        }
    }
    fixture_conf(&f, conf);
    for (unsigned i = 0; i < SLOTS; i++) {
        snprintf(name, sizeof name, "r%u", i);
        fixture_reader(&f, name, NULL);
    }
    static const enum told_what what[] = {TOLD_NONE, TOLD_SEEN, TOLD_FAILED};
    for (unsigned i = 0; i < SLOTS; i++) {
        snprintf(name, sizeof name, "r%u", i);
        FIXTURE_UNTIL(&f, last_is(name, what[i % 3], NULL));
    }
    assert_true(f.reader[2]->n_faults[DRIVER_FAULT_STATUS] > 0);
}

static void b024_a_service_that_starts_late(void **state) {
    (void)state;
    set(&service, false);
    plug(0, "Desk 00 00", 0);
    fixture_conf(&f, "[reader desk]\ndriver = pcsc\npoll = 20ms\n");
    fixture_reader(&f, "desk", NULL);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_DOWN, NULL));
    assert_non_null(strstr(fixture_last(&f, "desk")->why, "pcscd.socket"));
    contexts = released;
    set(&service, true);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_NONE, NULL));
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 1);
    contexts = released + 1; // only what was established
}

static void b046_answers_that_are_no_id(void **state) {
    (void)state;
    static const struct {
        const char *uid;
        uint16_t status;
    } rows[] = {{"", 0},
                {"04", 0},
                {"04A1B2C3D4", 0},
                {"04A1B2C3D4E580", 0x6A81},
                {"04A1B2C3D4E58004A1B2C3D4E580AB", 0}};
    plug(0, "Desk 00 00", 0);
    fixture_conf(&f, "[reader desk]\ndriver = pcsc\npoll = 20ms\n");
    fixture_reader(&f, "desk", NULL);
    FIXTURE_UNTIL(&f, last_is("desk", TOLD_NONE, NULL));
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        slots[0].status = rows[i].status;
        lay(0, rows[i].uid);
        FIXTURE_UNTIL(&f, last_is("desk", TOLD_FAILED, NULL));
        lay(0, NULL);
        FIXTURE_UNTIL(&f, last_is("desk", TOLD_NONE, NULL));
    }
    assert_int_equal(fixture_count(&f, NULL, TOLD_SEEN), 0);
}

static bool board_says(const struct recorded *r, const char *what) {
    const char *last = NULL;
    for (const char *at = r->rb.text; (at = strstr(at, what)); at++)
        last = at;
    return last && !strstr(last, what[1] == 'p' ? " removed " : " placed ");
}

static void a_record_brings_the_same_events(void **state) {
    (void)state;
    struct recorded r;
    plug(0, "Desk 00 00", 0);
    // Not near 20 ms: a log rounds to milliseconds, and an equal scan that soon is the same one.
    fixture_conf(&f, "[reader desk]\ndriver = pcsc\npoll = 45ms\n");
    recorded_open(&r, &f, "desk", 1, "pcsc");
    for (unsigned i = 0; i < RECORDED_TAGS; i++) {
        lay(0, recorded_tags[i]);
        FIXTURE_UNTIL(&f, board_says(&r, " placed "));
        if (i == 1) { // pulled out under a tile, which is there when it is back
            set(&slots[0].there, false);
            FIXTURE_UNTIL(&f, !r.rb.reader->up);
            set(&slots[0].there, true);
            FIXTURE_UNTIL(&f, r.rb.reader->up);
        }
        lay(0, NULL);
        FIXTURE_UNTIL(&f, board_says(&r, " removed "));
    }
    recorded_close(&r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(names_are_taken_apart),
        TEST(a_tag_is_seen_and_lifted),
        TEST(b010_unplugged_is_not_lifted),
        TEST(b012_a_stuck_reader_delays_nobody),
        TEST(b020_a_hundred_fast_replugs),
        TEST(b021_a_status_that_lies),
        TEST(b022_b023_equal_readers_by_their_ports),
        TEST(b024_a_service_that_starts_late),
        TEST(b025_b026_sixteen_readers),
        TEST(b046_answers_that_are_no_id),
        TEST(a_record_brings_the_same_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
