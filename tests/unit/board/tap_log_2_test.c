// Tap log 2 of evenings.md section 3: bounce, misses, collisions, a mangled id, a phone, a ghost, a dead
// reader, an overloaded pad. The board's events are exact.
#include "unit/board/rig.h"

enum { HOLD_MS = 85, READERS = 2, ANTENNAS = 2, LINE_MAX_ = 48, TAGS_MAX = 4 };

static const char *const log_2[] = {
    "0 north 0 up",
    "0 south 0 up",
    "0 north 0 none",
    "0 north 1 none",
    "0 south 0 none",
    "0 south 1 none",
    "1000 north 0 seen 04110A5A1F6180",
    "2000 north 0 none",
    "2085 north 0 seen 04110A5A1F6180",
    "2170 north 0 none",
    "2255 north 0 seen 04110A5A1F6180",
    "2340 north 0 none",
    "2510 north 0 seen 04110A5A1F6180",
    "3000 north 1 seen 04120A5A1F6180",
    "3500 north 1 collided",
    "4520 north 1 seen 04120A5A1F6180",
    "5000 south 0 seen 00000004130A5A",
    "5085 south 0 none",
    "5500 south 0 seen 08A1B2C3",
    "5670 south 0 seen 084D5E6F",
    "5840 south 0 none",
    "6500 south 0 seen 04110A5A1F6180",
    "8000 north 0 none",
    "9000 south 0 down",
    "12000 south 0 up",
    "12100 south 0 none",
    "12100 south 1 none",
    "13000 north 1 failed",
    "13600 north 1 seen 04120A5A1F6180",
    "14000 north 1 seen 04120A5A1F6180",
    "14000 north 1 seen 04210B5A1F6180",
    "15000 north 1 none",
    "15800 north 1 seen 04120A5A1F6180",
    "15800 north 1 seen 04210B5A1F6180",
    "17000 north 1 none",
};
enum { LINES = sizeof log_2 / sizeof log_2[0] };

struct held {
    bool on;
    int64_t due_ms;
    char what[TAGS_MAX * LINE_MAX_];
};
struct player {
    struct rig rig;
    struct held held[READERS * ANTENNAS];
    unsigned line;
};

static const char *const readers[READERS] = {"north", "south"};

static unsigned antenna_index(const char *reader, unsigned antenna) {
    return (strcmp(reader, "south") == 0 ? ANTENNAS : 0) + antenna;
}

static void scan(struct player *p, unsigned i) {
    char pad[16];
    snprintf(pad, sizeof pad, "%s.%u", readers[i / ANTENNAS], i % ANTENNAS);
    rig_scan(&p->rig, pad, p->held[i].what);
    p->held[i].due_ms = rig_ms(&p->rig) + HOLD_MS;
}

// Takes the lines of one scan, or one line of a reader.
static void take_line(struct player *p) {
    long long ms, same_ms;
    unsigned antenna, same;
    char reader[16], other[16], outcome[16], uid[32] = "";
    sscanf(log_2[p->line++], "%lld %15s %u %15s %31s", &ms, reader, &antenna, outcome, uid);
    rig_until(&p->rig, ms);
    if (strcmp(outcome, "up") == 0 || strcmp(outcome, "down") == 0) {
        for (unsigned i = 0; outcome[0] == 'd' && i < ANTENNAS; i++)
            p->held[antenna_index(reader, i)].on = false;
        board_reader(p->rig.board, reader, outcome[0] == 'u', ms * 1000);
        return;
    }
    struct held *held = &p->held[antenna_index(reader, antenna)];
    held->on = true;
    snprintf(held->what, sizeof held->what, "%s", uid[0] ? uid : outcome);
    while (p->line < LINES &&
           sscanf(log_2[p->line], "%lld %15s %u seen %31s", &same_ms, other, &same, uid) == 4 &&
           same_ms == ms && same == antenna && strcmp(other, reader) == 0) {
        size_t len = strlen(held->what);
        snprintf(held->what + len, sizeof held->what - len, " %s", uid);
        p->line++;
    }
    scan(p, antenna_index(reader, antenna));
}

static void play(struct player *p, int64_t end_ms) {
    for (;;) {
        long long line_ms = end_ms + 1;
        if (p->line < LINES)
            sscanf(log_2[p->line], "%lld", &line_ms);
        int next = -1;
        for (unsigned i = 0; i < READERS * ANTENNAS; i++) {
            if (p->held[i].on && (next < 0 || p->held[i].due_ms < p->held[next].due_ms))
                next = (int)i;
        }
        if (next >= 0 && p->held[next].due_ms < line_ms) {
            if (p->held[next].due_ms > end_ms)
                return;
            rig_until(&p->rig, p->held[next].due_ms);
            scan(p, (unsigned)next);
        } else if (line_ms <= end_ms) {
            take_line(p);
        } else {
            return;
        }
    }
}

static void tap_log_2(void **state) {
    (void)state;
    static struct player p;
    rig_begin(&p.rig, ANTENNAS);
    play(&p, 23000);
    rig_expect(&p.rig,
               "0 north.0 known\n"
               "0 north.1 known\n"
               "0 south.0 known\n"
               "0 south.1 known\n"
               "1085 placed north.0 tile-11\n"
               "3085 placed north.1 tile-12\n"
               "3670 north.1 several\n"
               "4520 north.1 known\n"
               "5500 notice random south.0\n"
               "6585 notice duplicate south.0\n"
               "7265 removed north.0 tile-11\n"
               "7265 placed south.0 tile-11\n"
               "7265 notice ghost north.0\n"
               "9000 south.0 unknown\n"
               "9000 south.1 unknown\n"
               "12100 south.0 known\n"
               "12100 south.1 known\n"
               "12270 removed south.0 tile-11\n"
               "13170 north.1 unknown\n"
               "13600 north.1 known\n"
               "14085 placed north.1 token-21\n"
               "15170 north.1 doubtful\n"
               "15800 north.1 known\n"
               "17170 north.1 doubtful\n"
               "18530 removed north.1 tile-12\n"
               "18530 removed north.1 token-21\n"
               "18530 north.1 known\n");
    struct board_piece pieces[BOARD_PAD_PIECES_MAX];
    for (uint16_t i = 0; i < board_pads(p.rig.board); i++)
        assert_int_equal(board_pieces(p.rig.board, i, pieces), 0);
    rig_end(&p.rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tap_log_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
