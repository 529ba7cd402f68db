// The game that `start` starts at a table, and whether its pads can feel it.
#include "setup__.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The same steps as a start at the table, so that what would be refused there is told here with its line.
static enum error_code prepare_game(const struct config_section *section, struct table_options *table,
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
    memcpy(words, table->preset_options, sizeof words);
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
    bot_words(bots, table->preset_bots); // who sets a game up elsewhere does not know its labels
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

__attribute__((format(printf, 2, 3))) static void note(struct setup *to, const char *format, ...) {
    size_t len = strlen(to->notes);
    va_list args;
    va_start(args, format);
    if (vsnprintf(to->notes + len, sizeof to->notes - len, format, args) >= (int)(sizeof to->notes - len))
        to->notes[len] = '\0'; // whole lines only
    va_end(args);
}

// A place may do without a pad (moves there are entered by hand), but mostly it is a slip of the pen.
static void note_places(const struct table_options *table, const struct game *game,
                        const struct game_setup *setup, struct setup *ret) {
    static struct game_places places; // large
    char names[NOTE_PLACES * (GAME_WORD_MAX + 1) + 1] = "";
    unsigned missing = 0;
    size_t len = 0;
    places.n = 0;
    game->places(setup, &places);
    for (uint16_t i = 0; i < places.n; i++) {
        const struct game_place_row *row = &places.row[i];
        if (!row->accepts || row->shares != GAME_NONE || has_pad(table, row->name))
            continue;
        if (missing++ < NOTE_PLACES)
            len += (size_t)snprintf(names + len, sizeof names - len, " %s", row->name);
    }
    char more[32] = "";
    if (missing > NOTE_PLACES)
        snprintf(more, sizeof more, " and %u more", missing - NOTE_PLACES);
    if (missing)
        note(ret, "table %s has no pad for%s%s; what happens there must be entered by hand\n", table->name,
             names, more);
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
        note(ret, "table %s: %s\n", table->name, issues.issue[i].text);
    }
    return ERROR_OK;
}

enum error_code setup__check_games(const struct config *config, struct setup *setup, struct error *err) {
    for (size_t i = 0; i < setup->n_tables; i++) {
        struct table_options *table = &setup->tables[i];
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
