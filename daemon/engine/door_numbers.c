// How readers do, in numbers, for operators. They are counted where scans come in, and only in the light:
// what happens while a table that the reader serves is in the dark, or just after, is in no number, ever.
// Later sums would tell who lifted a tile, and for how long.
#include "engine/table__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW_US = 5000000, // of the rate
    AFTER_US =
        2000000, // a run of misses that began in the dark heals within this (board/README.md: 16 scans)
};

static int by_name(const void *a, const void *b) {
    const struct table__numbers *x = a, *y = b;
    return strcmp(x->told.name, y->told.name);
}

// The antennas are sorted by reader: those of one stand together.
enum error_code door__numbers_create(struct door *door, struct error *err) {
    door->numbers = calloc(door->n_antennas + 1, sizeof *door->numbers);
    door->told_numbers = calloc(door->n_antennas + 1, sizeof *door->told_numbers);
    door->reader_tables = calloc(door->n_antennas + 1, sizeof *door->reader_tables);
    if (!door->numbers || !door->told_numbers || !door->reader_tables)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    struct table__numbers *row = NULL;
    size_t used = 0;
    for (size_t i = 0; i < door->n_antennas; i++) {
        const struct table__antenna *antenna = &door->antennas[i];
        if (!row || strcmp(row->told.name, antenna->reader) != 0) {
            row = &door->numbers[door->n_numbers++];
            snprintf(row->told.name, sizeof row->told.name, "%s", antenna->reader);
            row->tables = door->reader_tables + used;
        }
        size_t k = 0;
        while (k < row->n_tables && row->tables[k] != antenna->table)
            k++;
        if (k < row->n_tables)
            continue;
        row->tables[row->n_tables++] = antenna->table;
        used++;
    }
    return ERROR_OK;
}

void door__numbers_destroy(struct door *door) {
    free(door->numbers);
    free(door->told_numbers);
    free(door->reader_tables);
}

static struct table__numbers *find(struct door *door, const char *reader) {
    struct table__numbers key;
    if (door->n_numbers == 1) // most tables
        return strcmp(door->numbers->told.name, reader) ? NULL : door->numbers;
    snprintf(key.told.name, sizeof key.told.name, "%s", reader);
    return bsearch(&key, door->numbers, door->n_numbers, sizeof key, by_name);
}

static bool held(struct door *door, struct table__numbers *row, int64_t now) {
    for (size_t i = 0; i < row->n_tables; i++)
        if (table__dark(&door->tables[row->tables[i]]))
            row->free_us = now + AFTER_US;
    if (now >= row->free_us)
        return false;
    row->window_us = 0;
    return true;
}

static void take_rate(struct table__numbers *row, int64_t now) {
    row->told.rate_mhz =
        (uint32_t)(row->window_scans * UINT64_C(1000000000) / (uint64_t)(now - row->window_us));
    row->window_us = now;
    row->window_scans = 0;
}

static void count_scan(struct door *door, struct table__numbers *row, enum pad_outcome outcome, int64_t now) {
    uint64_t *const counters[] = {[PAD_SEEN] = &row->told.seen,
                                  [PAD_NONE] = &row->told.none,
                                  [PAD_COLLIDED] = &row->told.collided,
                                  [PAD_FAILED] = &row->told.failed};
    row->told.scans++;
    ++*counters[outcome];
    row->told.scan_us = now + door->wall_offset_us;
    if (outcome == PAD_SEEN)
        row->told.seen_us = row->told.scan_us;
    if (!row->window_us) {
        row->window_us = now;
        row->window_scans = 0;
        return; // the scan that opens a window ends no interval
    }
    row->window_scans++;
    if (now - row->window_us >= WINDOW_US)
        take_rate(row, now);
}

void door__numbers_scan(struct door *door, const char *reader, enum pad_outcome outcome, uint64_t misses) {
    struct table__numbers *row = find(door, reader);
    int64_t now = loop_now_us(door->loop);
    if (!row || held(door, row, now))
        return;
    count_scan(door, row, outcome, now);
    row->told.misses += misses;
}

void door_fault(struct door *door, const char *reader, enum observe_fault fault) {
    struct table__numbers *row = find(door, reader);
    if (row && fault < OBSERVE_FAULTS && !held(door, row, loop_now_us(door->loop)))
        row->told.faults[fault]++;
}

// As its tables were told: in the dark with the step.
static bool told_up(const struct door *door, const struct table__numbers *row) {
    for (size_t i = 0; i < row->n_tables; i++) {
        const struct observe_readers *readers = &door->tables[row->tables[i]].readers;
        for (unsigned k = 0; k < readers->n; k++)
            if (!readers->reader[k].up && !strcmp(readers->reader[k].name, row->told.name))
                return false;
    }
    return true;
}

size_t door_numbers(struct door *door, const struct observe_reader_numbers **ret) {
    int64_t now = loop_now_us(door->loop);
    for (size_t i = 0; i < door->n_numbers; i++) {
        struct table__numbers *row = &door->numbers[i];
        if (!held(door, row, now) && row->window_us && now - row->window_us >= 2 * WINDOW_US)
            take_rate(row, now); // it has become silent
        row->told.up = told_up(door, row);
        door->told_numbers[i] = row->told;
    }
    *ret = door->told_numbers;
    return door->n_numbers;
}
