#include "net/history.h"
#include "setup__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOUSE_PADS_MAX = 2048 }; // of all tables

static const struct config_key daemon_keys[] = {
    {"site", CONFIG_NAME, "home", false, 0, 0, NULL, "name of this place, a level of every topic"},
    {"state_dir", CONFIG_PATH, "/var/lib/tabled", false, 0, 0, NULL,
     "where the journal, the house and the tokens are kept"},
    {"journal", CONFIG_PATH, NULL, false, 0, 0, NULL, "the journal's file; default STATE_DIR/journal.db"},
    {"house", CONFIG_PATH, NULL, false, 0, 0, NULL, "decks and pieces; default STATE_DIR/house.db"},
    {"history", CONFIG_INT, "500", false, 0, HISTORY_GAMES_MAX, NULL,
     "past games kept in STATE_DIR/history.db for timelines and statistics; 0 = none"},
    {"socket", CONFIG_PATH, "/run/tabled/tabled.sock", false, 0, 0, NULL,
     "local control socket for tablectl; empty = none"},
    {"log_level", CONFIG_CHOICE, "info", false, 0, 0, "error warning info debug", "how much the log says"},
    {"allow_plain_readers", CONFIG_BOOL, "no", false, 0, 0, NULL,
     "readers on the network may send tag ids unsealed; say yes only where tabled alone may read driver/#"},
    {"locale", CONFIG_TEXT, "en", false, 0, 0, NULL, "language of the narration and of texts for people"},
    {0},
};

static const struct config_key table_keys[] = {
    {"deck", CONFIG_NAME, "", false, 0, 0, NULL, "pieces of this deck play here; empty = any"},
    {"game", CONFIG_TEXT, "", false, 0, 0, NULL, "game that the control tile `start` starts"},
    {"preset", CONFIG_TEXT, "", false, 0, 0, NULL, "its preset, see `tablectl games GAME`"},
    {"seats", CONFIG_INT, "0", false, 0, 16, NULL, "its number of seats; 0 = the preset's"},
    {"roles", CONFIG_TEXT, "", false, 0, 0, NULL, "its cards, blank-separated; empty = the preset's"},
    {"options", CONFIG_TEXT, "", false, 0, 0, NULL, "its options, `name=value` blank-separated"},
    {"bots", CONFIG_TEXT, "", false, 0, 0, NULL, "its seats that the computer plays, `s2 s3`"},
    {"chance", CONFIG_CHOICE, "readers", false, 0, 0, "readers generator",
     "who deals: hands at the table, or the daemon"},
    {"seed", CONFIG_INT, "0", false, 0, INT64_MAX, NULL,
     "seed of the generator, for tests: it tells the deal; 0 = from the kernel"},
    {"night_pace", CONFIG_INT, "100", false, 2, 300, NULL,
     "length of night steps in percent; 150 for children"},
    {"still", CONFIG_DURATION, "700ms", false, 100, 10000, NULL, "hands are at rest after this time"},
    {"still_stack", CONFIG_DURATION, "1500ms", false, 100, 10000, NULL, "the same for stacks and sets"},
    {"wrong", CONFIG_DURATION, "1500ms", false, 200, 20000, NULL,
     "a wrong board is told after this time at rest"},
    {"look", CONFIG_DURATION, "600ms", false, 100, 5000, NULL,
     "a tile off its pad for less is a nudge, no look"},
    {"reminder", CONFIG_DURATION, "20s", false, 1000, 600000, NULL, "reminder of an unfinished movement"},
    {"missing", CONFIG_DURATION, "10s", false, 1000, 600000, NULL,
     "a tile off the table for longer is missing"},
    {0},
};

static const struct config_key pad_keys[] = {
    {"table", CONFIG_NAME, "", false, 0, 0, NULL, "its table; may be left out where there is only one"},
    {"place", CONFIG_TEXT, "", false, 0, 0, NULL,
     "the place of its table that it serves; default: the pad's own name"},
    {"reader", CONFIG_NAME, NULL, true, 0, 0, NULL, "the [reader] that sees it"},
    {"antenna", CONFIG_INT, "0", false, 0, 255, NULL, "which antenna of that reader"},
    {"kind", CONFIG_CHOICE, "tile", false, 0, 0, "tile tap",
     "tile: pieces lie here; tap: pieces are touched to it"},
    {"capacity", CONFIG_INT, "2", false, 1, 8, NULL, "most tags it can tell at once"},
    {"x", CONFIG_INT, "0", false, -5000, 5000, NULL, "position in mm, for drawings"},
    {"y", CONFIG_INT, "0", false, -5000, 5000, NULL, "position in mm, for drawings"},
    {0},
};

void setup_schemas(const struct config_key *mqtt_keys, const struct config_key *http_keys,
                   const struct config_key *reader_keys, struct config_schema ret[SETUP_SECTIONS]) {
    const struct config_schema rows[SETUP_SECTIONS] = {
        {"daemon", false, NULL, daemon_keys, false},
        {"mqtt", false, NULL, mqtt_keys, false},
        {"http", false, NULL, http_keys, false},
        {"table", true, "the table's name", table_keys, false},
        {"reader", true, "the reader's name", reader_keys, true},
        {"pad", true, "the pad's name", pad_keys, false},
        {"map", true, "TABLE/GAME", NULL, true},
        {NULL, false, NULL, NULL, false},
    };
    memcpy(ret, rows, sizeof rows);
}

static struct table_options *find_table(const struct setup *setup, const char *name) {
    for (size_t i = 0; i < setup->n_tables; i++)
        if (!strcmp(setup->tables[i].name, name))
            return &setup->tables[i];
    return NULL;
}

// Names were checked when the file was read: they fit.
static void copy_name(char *to, size_t size, const char *text) {
    size_t len = text ? strnlen(text, size - 1) : 0;
    memcpy(to, text ? text : "", len);
    to[len] = 0;
}
#define COPY(to, text) copy_name(to, sizeof(to), text)

static enum error_code copy_text(char *to, size_t size, const struct config_section *section, const char *key,
                                 struct error *err) {
    const char *text = config_text(section, key);
    if (text && strlen(text) >= size)
        return error_set(err, ERROR_INVALID, config_key_where(section, key),
                         "%s is longer than %zu characters", key, size - 1);
    copy_name(to, size, text);
    return ERROR_OK;
}

static enum error_code no_game(const char *id, const char *where, struct error *err) {
    struct error why;
    game_unknown(id, &why);
    return error_set(err, ERROR_INVALID, where, "%s", why.text);
}

static enum error_code read_table(const struct config_section *section, struct table_options *ret,
                                  struct error *err) {
    if (!strcmp(config_label(section), "daemon"))
        return error_set(err, ERROR_INVALID, config_where(section),
                         "a table cannot be called `daemon`: that topic level is the daemon's own");
    COPY(ret->name, config_label(section));
    ret->timing = table_timing_default;
    ret->timing.still_ms = (int32_t)config_int(section, "still");
    ret->timing.still_stack_ms = (int32_t)config_int(section, "still_stack");
    ret->timing.wrong_ms = (int32_t)config_int(section, "wrong");
    ret->timing.look_ms = (int32_t)config_int(section, "look");
    ret->timing.reminder_ms = (int32_t)config_int(section, "reminder");
    ret->timing.missing_ms = (int32_t)config_int(section, "missing");
    ret->timing.night_scale_percent = (int32_t)config_int(section, "night_pace");
    ret->preset_seats = (unsigned)config_int(section, "seats");
    ret->seed = (uint64_t)config_int(section, "seed");
    ret->chance_from_readers = !strcmp(config_text(section, "chance"), "readers");
    const struct {
        const char *key;
        char *to;
        size_t size;
    } texts[] = {
        {"deck", ret->deck, sizeof ret->deck},
        {"game", ret->preset_game, sizeof ret->preset_game},
        {"preset", ret->preset, sizeof ret->preset},
        {"roles", ret->preset_cards, sizeof ret->preset_cards},
        {"options", ret->preset_options, sizeof ret->preset_options},
        {"bots", ret->preset_bots, sizeof ret->preset_bots},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (copy_text(texts[i].to, texts[i].size, section, texts[i].key, err))
            return err->code;
    if (*ret->preset_game && !game_find(ret->preset_game))
        return no_game(ret->preset_game, config_key_where(section, "game"), err);
    return ERROR_OK;
}

// What the reader of a pad cannot do, and an antenna that another pad has.
static enum error_code check_pad(const struct config_section *s, const struct setup *setup,
                                 const struct setup_reader *can, struct board_pad_options *pad,
                                 struct error *err) {
    if (!can->exists)
        return error_set(err, ERROR_INVALID, config_key_where(s, "reader"), "there is no [reader %s]",
                         pad->reader);
    if (can->antennas && pad->antenna >= can->antennas)
        return error_set(err, ERROR_INVALID, config_key_where(s, "antenna"),
                         "reader %s has %u antenna%s, numbered from 0: there is no antenna %u", pad->reader,
                         can->antennas, can->antennas == 1 ? "" : "s", pad->antenna);
    if (!can->sees_several && pad->capacity > 1 && strcmp(config_key_where(s, "capacity"), "default"))
        return error_set(err, ERROR_INVALID, config_key_where(s, "capacity"),
                         "reader %s sees one tag at a time: `capacity = 1`", pad->reader);
    if (!can->sees_several)
        pad->capacity = 1;
    if (pad->kind == BOARD_PAD_TILE && !can->sees_removal)
        return error_set(err, ERROR_INVALID, config_where(s),
                         "reader %s cannot see that a tile is taken away, so it cannot serve a tile pad; "
                         "use `kind = tap`",
                         pad->reader);
    for (size_t i = 0; i < setup->n_tables; i++)
        for (size_t j = 0; j < setup->tables[i].n_pads; j++) {
            const struct board_pad_options *other = &setup->tables[i].pads[j];
            if (!strcmp(other->reader, pad->reader) && other->antenna == pad->antenna)
                return error_set(err, ERROR_INVALID, config_where(s),
                                 "pads %s and %s are the same antenna %s %u", other->name, pad->name,
                                 pad->reader, pad->antenna);
        }
    return ERROR_OK;
}

// A list of n with room for one more: a house of many tables has what is used, whatever one of them may have.
static void *with_room(void *list, size_t n, size_t size) {
    bool full = !(n & (n - 1));
    return full ? realloc(list, (n ? 2 * n : 1) * size) : list;
}

static enum error_code add_map(struct table_options *table, const char *game, const char *place,
                               const char *pad, const char *where, struct error *err) {
    if (strlen(place) >= sizeof table->maps->place)
        return error_set(err, ERROR_INVALID, where, "a place's name has at most %zu characters",
                         sizeof table->maps->place - 1);
    if (table->n_maps == TABLE_MAP_MAX)
        return error_set(err, ERROR_INVALID, where, "more than %d places are mapped", TABLE_MAP_MAX);
    struct table_map *maps = with_room((void *)table->maps, table->n_maps, sizeof *maps);
    if (!maps)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    table->maps = maps;
    struct table_map *map = &maps[table->n_maps++];
    COPY(map->game, game);
    COPY(map->place, place);
    COPY(map->pad, pad);
    return ERROR_OK;
}

// The first pad of this reader, n_pads if there is none.
static size_t pad_of(const struct table_options *table, const char *reader) {
    size_t i = 0;
    while (i < table->n_pads && strcmp(table->pads[i].reader, reader) != 0)
        i++;
    return i;
}

// What one table can have: a board's pads, and the readers that a message about it lists.
static enum error_code check_room(const struct config_section *s, const struct table_options *table,
                                  const char *reader, struct error *err) {
    if (table->n_pads == BOARD_PADS_MAX)
        return error_set(err, ERROR_INVALID, config_where(s), "table %s has more than %d pads", table->name,
                         BOARD_PADS_MAX);
    size_t readers = 0;
    for (size_t i = 0; pad_of(table, reader) == table->n_pads && i < table->n_pads; i++)
        readers += pad_of(table, table->pads[i].reader) == i;
    if (readers == OBSERVE_READERS_MAX)
        return error_set(err, ERROR_INVALID, config_where(s), "table %s has more than %d readers",
                         table->name, OBSERVE_READERS_MAX);
    return ERROR_OK;
}

static enum error_code read_pad(const struct config_section *s, struct setup *setup, setup_reader_fn *reader,
                                void *ctx, struct error *err) {
    const char *name = config_text(s, "table"), *place = config_text(s, "place");
    struct table_options *table = *name                  ? find_table(setup, name)
                                  : setup->n_tables == 1 ? setup->tables
                                                         : NULL;
    if (!table)
        return error_set(err, ERROR_INVALID, config_where(s),
                         *name ? "there is no [table %s]" : "several tables: say `table =` (%s)",
                         *name ? name : config_label(s));
    if (check_room(s, table, config_text(s, "reader"), err))
        return err->code;
    struct board_pad_options *pads = with_room(table->pads, table->n_pads, sizeof *pads);
    if (!pads)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    table->pads = pads;
    struct board_pad_options *pad = &pads[table->n_pads];
    memset(pad, 0, sizeof *pad);
    COPY(pad->name, config_label(s));
    COPY(pad->reader, config_text(s, "reader"));
    pad->antenna = (uint16_t)config_int(s, "antenna");
    pad->kind = strcmp(config_text(s, "kind"), "tap") ? BOARD_PAD_TILE : BOARD_PAD_TAP;
    pad->capacity = (uint8_t)config_int(s, "capacity");
    pad->x_mm = (int16_t)config_int(s, "x");
    pad->y_mm = (int16_t)config_int(s, "y");
    pad->limits = pad_limits_default;
    const struct setup_reader can = reader(ctx, pad->reader);
    if (check_pad(s, setup, &can, pad, err) ||
        (*place && add_map(table, "", place, pad->name, config_key_where(s, "place"), err)))
        return err->code;
    table->n_pads++;
    return ERROR_OK;
}

// PLACE = PAD [PAD ...]
static enum error_code read_map_line(struct table_options *table, const char *game, const char *place,
                                     const char *value, const char *where, struct error *err) {
    char pads[512], *rest = NULL;
    if (strlen(value) >= sizeof pads)
        return error_set(err, ERROR_INVALID, where, "more than %zu characters of pads", sizeof pads - 1);
    COPY(pads, value);
    for (char *pad = strtok_r(pads, " \t", &rest); pad; pad = strtok_r(NULL, " \t", &rest)) {
        size_t i = 0;
        while (i < table->n_pads && strcmp(table->pads[i].name, pad))
            i++;
        if (i == table->n_pads)
            return error_set(err, ERROR_INVALID, where, "table %s has no pad `%.32s`", table->name, pad);
        if (add_map(table, game, place, pad, where, err))
            return err->code;
    }
    return ERROR_OK;
}

// [map TABLE/GAME]
static enum error_code read_map(const struct config_section *s, struct setup *setup, struct error *err) {
    char name[33] = "", game[33] = "";
    int len = 0;
    if (sscanf(config_label(s), "%32[a-z0-9-]/%32[a-z0-9_]%n", name, game, &len) != 2 || config_label(s)[len])
        return error_set(err, ERROR_INVALID, config_where(s), "a map is called TABLE/GAME");
    struct table_options *table = find_table(setup, name);
    if (!table)
        return error_set(err, ERROR_INVALID, config_where(s), "there is no [table %s]", name);
    if (!game_find(game))
        return no_game(game, config_where(s), err);
    for (size_t i = 0; i < config_pairs(s); i++) {
        const char *value, *where, *place = config_pair(s, i, &value, &where);
        if (read_map_line(table, game, place, value, where, err))
            return err->code;
    }
    return ERROR_OK;
}

static enum error_code count(const struct config *config, const char *section, size_t most, size_t *ret,
                             struct error *err) {
    *ret = 0;
    for (const struct config_section *s = config_next(config, section, NULL); s;
         s = config_next(config, section, s))
        if (++*ret > most)
            return error_set(err, ERROR_INVALID, config_where(s), "more than %zu %ss", most, section);
    return ERROR_OK;
}

enum error_code setup_read(const struct config *config, setup_reader_fn *reader, void *ctx, struct setup *ret,
                           struct error *err) {
    *ret = (struct setup){0};
    size_t tables, pads;
    if (count(config, "table", TABLE_TABLES_MAX, &tables, err) ||
        count(config, "pad", HOUSE_PADS_MAX, &pads, err))
        return err->code;
    if (!tables)
        return error_set(err, ERROR_INVALID, NULL, "there is no [table NAME] section (at most %d)",
                         TABLE_TABLES_MAX);
    ret->tables = calloc(tables, sizeof *ret->tables);
    if (!ret->tables)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    const char *locale = config_text(config_only(config, "daemon"), "locale");
    for (const struct config_section *s = config_next(config, "table", NULL); s;
         s = config_next(config, "table", s)) {
        struct table_options *table = &ret->tables[ret->n_tables++];
        COPY(table->language, locale);
        if (read_table(s, table, err))
            return err->code;
    }
    for (const struct config_section *p = config_next(config, "pad", NULL); p;
         p = config_next(config, "pad", p))
        if (read_pad(p, ret, reader, ctx, err))
            return err->code;
    for (const struct config_section *m = config_next(config, "map", NULL); m;
         m = config_next(config, "map", m))
        if (read_map(m, ret, err))
            return err->code;
    return setup__check_games(config, ret, err);
}

void setup_finish(struct setup *setup) {
    for (size_t i = 0; i < setup->n_tables; i++) {
        free(setup->tables[i].pads);
        free((void *)setup->tables[i].maps);
    }
    free(setup->tables);
    *setup = (struct setup){0};
}
