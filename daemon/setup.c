#include "setup.h"
#include "net/history.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        return error_set(err, ERROR_INVALID, config_key_where(section, "game"),
                         "there is no game `%s`; `tablectl games` lists them", ret->preset_game);
    return ERROR_OK;
}

static enum error_code pads_of(const struct config *config, struct setup *setup, setup_reader_fn *reader,
                               void *ctx, struct error *err) {
    for (const struct config_section *s = config_next(config, "pad", NULL); s;
         s = config_next(config, "pad", s)) {
        const char *name = config_text(s, "table");
        struct table_options *table = *name                  ? find_table(setup, name)
                                      : setup->n_tables == 1 ? setup->tables
                                                             : NULL;
        if (!table)
            return error_set(err, ERROR_INVALID, config_where(s),
                             *name ? "there is no [table %s]" : "several tables: say `table =` (%s)",
                             *name ? name : config_label(s));
        struct board_pad_options *pad = &table->pads[table->n_pads];
        COPY(pad->name, config_label(s));
        COPY(pad->reader, config_text(s, "reader"));
        pad->antenna = (uint16_t)config_int(s, "antenna");
        pad->kind = strcmp(config_text(s, "kind"), "tap") ? BOARD_PAD_TILE : BOARD_PAD_TAP;
        pad->capacity = (uint8_t)config_int(s, "capacity");
        pad->x_mm = (int16_t)config_int(s, "x");
        pad->y_mm = (int16_t)config_int(s, "y");
        pad->limits = pad_limits_default;
        const struct setup_reader can = reader(ctx, pad->reader);
        if (!can.exists)
            return error_set(err, ERROR_INVALID, config_key_where(s, "reader"), "there is no [reader %s]",
                             pad->reader);
        if (can.antennas && pad->antenna >= can.antennas)
            return error_set(err, ERROR_INVALID, config_key_where(s, "antenna"),
                             "reader %s has %u antenna%s, numbered from 0: there is no antenna %u",
                             pad->reader, can.antennas, can.antennas == 1 ? "" : "s", pad->antenna);
        if (!can.sees_several && pad->capacity > 1 && strcmp(config_key_where(s, "capacity"), "default"))
            return error_set(err, ERROR_INVALID, config_key_where(s, "capacity"),
                             "reader %s sees one tag at a time: `capacity = 1`", pad->reader);
        if (!can.sees_several)
            pad->capacity = 1;
        if (pad->kind == BOARD_PAD_TILE && !can.sees_removal)
            return error_set(err, ERROR_INVALID, config_where(s),
                             "reader %s cannot see that a tile is taken away, so it cannot serve a tile pad; "
                             "use `kind = tap`",
                             pad->reader);
        for (size_t i = 0; i < setup->n_tables; i++)
            for (size_t j = 0; j < setup->tables[i].n_pads; j++)
                if (!strcmp(setup->tables[i].pads[j].reader, pad->reader) &&
                    setup->tables[i].pads[j].antenna == pad->antenna)
                    return error_set(err, ERROR_INVALID, config_where(s),
                                     "pads %s and %s are the same antenna %s %u",
                                     setup->tables[i].pads[j].name, pad->name, pad->reader, pad->antenna);
        const char *place = config_text(s, "place");
        if (*place) {
            struct table_map *map = (struct table_map *)&table->maps[table->n_maps++];
            *map = (struct table_map){0};
            COPY(map->place, place);
            COPY(map->pad, pad->name);
        }
        table->n_pads++;
    }
    return ERROR_OK;
}

// [map TABLE/GAME]: PLACE = PAD [PAD ...]
static enum error_code maps_of(const struct config *config, struct setup *setup, struct error *err) {
    for (const struct config_section *s = config_next(config, "map", NULL); s;
         s = config_next(config, "map", s)) {
        char name[33] = "", game[33] = "";
        if (sscanf(config_label(s), "%32[a-z0-9-]/%32[a-z0-9_]", name, game) != 2)
            return error_set(err, ERROR_INVALID, config_where(s), "a map is called TABLE/GAME");
        struct table_options *table = find_table(setup, name);
        if (!table)
            return error_set(err, ERROR_INVALID, config_where(s), "there is no [table %s]", name);
        if (!game_find(game))
            return error_set(err, ERROR_INVALID, config_where(s), "there is no game `%s`", game);
        for (size_t i = 0; i < config_pairs(s); i++) {
            const char *value, *where, *place = config_pair(s, i, &value, &where);
            char pads[512];
            if (strlen(value) >= sizeof pads || strlen(place) >= sizeof table->maps->place)
                return error_set(err, ERROR_INVALID, where, "too long");
            COPY(pads, value);
            char *rest = NULL;
            for (char *pad = strtok_r(pads, " \t", &rest); pad; pad = strtok_r(NULL, " \t", &rest)) {
                size_t j = 0;
                while (j < table->n_pads && strcmp(table->pads[j].name, pad))
                    j++;
                if (j == table->n_pads)
                    return error_set(err, ERROR_INVALID, where, "table %s has no pad `%.32s`", name, pad);
                if (table->n_maps == TABLE_MAP_MAX)
                    return error_set(err, ERROR_INVALID, where, "more than %d places are mapped",
                                     TABLE_MAP_MAX);
                struct table_map *map = (struct table_map *)&table->maps[table->n_maps++];
                COPY(map->game, game);
                COPY(map->place, place);
                COPY(map->pad, pad);
            }
        }
    }
    return ERROR_OK;
}

// ---- the game that `start` starts

// The same steps as a start at the table, so that what would be refused there is told here with its line.
static enum error_code prepare_game(const struct config_section *section, const struct table_options *table,
                                    const struct game *game, struct game_setup *ret, struct error *err) {
    const char *key = "preset";
    char words[sizeof table->preset_options], *rest = NULL;
    struct game_issues issues = {0};
    if (!*table->preset)
        game_setup_default(game, table->preset_seats ? table->preset_seats : game->seats_min, ret);
    else if (game_setup_preset(game, table->preset, ret, err))
        goto wrong;
    key = "seats";
    if (table->preset_seats)
        ret->seats = (uint8_t)table->preset_seats;
    if (ret->seats < game->seats_min || ret->seats > game->seats_max) {
        error_set(err, ERROR_INVALID, NULL, "%s is for %u to %u players", game->title, game->seats_min,
                  game->seats_max);
        goto wrong;
    }
    key = "roles";
    if (*table->preset_cards && game_setup_cards(game, ret, table->preset_cards, err))
        goto wrong;
    key = "options";
    COPY(words, table->preset_options);
    for (char *word = strtok_r(words, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        if (game_setup_option(game, ret, word, value ? value : "yes", err))
            goto wrong;
    }
    key = "bots";
    const struct game_words names = {.game = game, .setup = ret};
    uint16_t bots;
    if (bot_seats(&names, table->preset_bots, &bots, err))
        goto wrong;
    key = *table->preset_cards ? "roles" : table->preset_seats ? "seats" : *table->preset ? "preset" : "game";
    if (!game->prepare(ret, &issues, err))
        return ERROR_OK;
wrong:
    snprintf(err->where, sizeof err->where, "%s", config_key_where(section, key));
    return err->code;
}

static bool has_pad(const struct table_options *table, const char *place) {
    for (size_t i = 0; i < table->n_pads; i++)
        if (!strcmp(table->pads[i].name, place))
            return true;
    for (size_t i = 0; i < table->n_maps; i++)
        if (!strcmp(table->maps[i].place, place) &&
            (!*table->maps[i].game || !strcmp(table->maps[i].game, table->preset_game)))
            return true;
    return false;
}

// A tile pad of its own, or by the map, feels what lies at the place.
static bool feels(const struct table_options *table, const char *place) {
    const char *pad = NULL;
    for (size_t i = 0; i < table->n_maps; i++) {
        const struct table_map *map = &table->maps[i];
        if (strcmp(map->place, place) != 0 || (*map->game && strcmp(map->game, table->preset_game) != 0))
            continue;
        pad = map->pad;
        for (size_t k = 0; k < table->n_pads; k++)
            if (!strcmp(table->pads[k].name, pad) && table->pads[k].kind == BOARD_PAD_TILE)
                return true;
    }
    for (size_t k = 0; k < table->n_pads && !pad; k++)
        if (!strcmp(table->pads[k].name, place))
            return table->pads[k].kind == BOARD_PAD_TILE;
    return false;
}

enum { NOTE_PLACES = 6 };

// A place may do without a pad (moves there are entered by hand), but mostly it is a slip of the pen.
static void note_places(const struct table_options *table, const struct game *game,
                        const struct game_setup *setup, struct setup *ret) {
    static struct game_places places; // large
    unsigned missing = 0;
    size_t len = strlen(ret->notes);
    places.n = 0;
    game->places(setup, &places);
    for (uint16_t i = 0; i < places.n; i++) {
        const struct game_place_row *row = &places.row[i];
        if (!row->accepts || row->shares != GAME_NONE || has_pad(table, row->name))
            continue;
        if (!missing)
            len += (size_t)snprintf(ret->notes + len, sizeof ret->notes - len, "table %s has no pad for",
                                    table->name);
        if (missing++ < NOTE_PLACES)
            len += (size_t)snprintf(ret->notes + len, sizeof ret->notes - len, " %s", row->name);
    }
    if (missing > NOTE_PLACES)
        len += (size_t)snprintf(ret->notes + len, sizeof ret->notes - len, " and %u more",
                                missing - NOTE_PLACES);
    if (missing)
        snprintf(ret->notes + len, sizeof ret->notes - len, "; what happens there must be entered by hand\n");
}

// What the game itself says of the pads: an error as at a start, warnings as notes.
static enum error_code check_pads(const struct config_section *section, const struct table_options *table,
                                  const struct game *game, const struct game_setup *prepared,
                                  struct setup *ret, struct error *err) {
    static struct game_places places; // large
    uint64_t sensed[GAME_PLACES_MAX / 64] = {0};
    struct game_issues issues = {0};
    if (!game->senses)
        return ERROR_OK;
    places.n = 0;
    game->places(prepared, &places);
    for (game_place p = 0; p < places.n; p++) {
        game_place shared = places.row[p].shares;
        bool felt = feels(table, places.row[p].name) ||
                    (!has_pad(table, places.row[p].name) && shared < places.n &&
                     feels(table, places.row[shared].name));
        sensed[p / 64] |= (uint64_t)felt << p % 64;
    }
    game->senses(prepared, &places, sensed, &issues);
    for (unsigned i = 0; i < issues.n; i++) {
        if (issues.issue[i].is_error) {
            error_illegal(err, issues.issue[i].code, "%s", issues.issue[i].text);
            snprintf(err->where, sizeof err->where, "%s", config_where(section));
            return err->code;
        }
        size_t len = strlen(ret->notes);
        snprintf(ret->notes + len, sizeof ret->notes - len, "table %s: %s\n", table->name,
                 issues.issue[i].text);
    }
    return ERROR_OK;
}

static enum error_code check_games(const struct config *config, struct setup *setup, struct error *err) {
    for (size_t i = 0; i < setup->n_tables; i++) {
        const struct table_options *table = &setup->tables[i];
        const struct game *game = *table->preset_game ? game_find(table->preset_game) : NULL;
        struct game_setup prepared = {0};
        if (!game)
            continue;
        const struct config_section *section = config_find(config, "table", table->name);
        if (prepare_game(section, table, game, &prepared, err) ||
            check_pads(section, table, game, &prepared, setup, err))
            return err->code;
        note_places(table, game, &prepared, setup);
    }
    return ERROR_OK;
}

enum error_code setup_read(const struct config *config, setup_reader_fn *reader, void *ctx, struct setup *ret,
                           struct error *err) {
    *ret = (struct setup){0};
    size_t tables = 0, pads = 0;
    for (const struct config_section *s = config_next(config, "table", NULL); s;
         s = config_next(config, "table", s))
        tables++;
    for (const struct config_section *s = config_next(config, "pad", NULL); s;
         s = config_next(config, "pad", s))
        pads++;
    if (!tables || tables > TABLE_TABLES_MAX)
        return error_set(err, ERROR_INVALID, NULL,
                         tables ? "more than %d tables" : "there is no [table NAME] section (at most %d)",
                         TABLE_TABLES_MAX);
    if (pads > BOARD_PADS_MAX)
        return error_set(err, ERROR_INVALID, NULL, "more than %d pads", BOARD_PADS_MAX);
    ret->tables = calloc(tables, sizeof *ret->tables);
    if (!ret->tables)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    const char *locale = config_text(config_only(config, "daemon"), "locale");
    for (const struct config_section *s = config_next(config, "table", NULL); s;
         s = config_next(config, "table", s)) {
        struct table_options *table = &ret->tables[ret->n_tables++];
        table->pads = calloc(pads + 1, sizeof *table->pads);
        table->maps = calloc(TABLE_MAP_MAX, sizeof *table->maps);
        if (!table->pads || !table->maps)
            return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
        COPY(table->language, locale);
        if (read_table(s, table, err))
            return err->code;
    }
    if (pads_of(config, ret, reader, ctx, err) || maps_of(config, ret, err))
        return err->code;
    return check_games(config, ret, err);
}

void setup_finish(struct setup *setup) {
    for (size_t i = 0; i < setup->n_tables; i++) {
        free(setup->tables[i].pads);
        free((void *)setup->tables[i].maps);
    }
    free(setup->tables);
    *setup = (struct setup){0};
}
