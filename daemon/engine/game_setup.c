// A set-up from words: defaults, presets, options and cards.
#include "core/config.h"
#include "engine/game.h"
#include "engine/game_words.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void game_setup_default(const struct game *game, unsigned seats, struct game_setup *ret) {
    memset(ret, 0, sizeof *ret);
    ret->seats = (uint8_t)(seats > UINT8_MAX ? UINT8_MAX : seats);
    for (int i = 0; game->options && game->options[i].name; i++) {
        assert(i < GAME_OPTIONS_MAX);
        ret->options[i] = game->options[i].fallback;
    }
}

static bool parse_bool(const char *value, int32_t *ret) {
    static const char *const words[] = {"0", "1", "no", "yes", "false", "true", "off", "on"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strcmp(value, words[i])) {
            *ret = (int32_t)(i % 2);
            return true;
        }
    }
    return false;
}

enum error_code game_setup_option(const struct game *game, struct game_setup *setup, const char *name,
                                  const char *value, struct error *err) {
    int i = game_option_find(game, name);
    char instead[CONFIG_INSTEAD_MAX];
    if (i < 0)
        return error_set(err, ERROR_INVALID, "options", "%s has no option '%.32s'%s", game->title, name,
                         config_instead(name, game->options, sizeof *game->options, SIZE_MAX, instead));
    const struct game_option *option = &game->options[i];
    int32_t n = 0;
    switch (option->type) {
    case GAME_OPTION_BOOL:
        if (!parse_bool(value, &n))
            return error_set(err, ERROR_INVALID, option->name, "say yes or no, not '%.32s'", value);
        break;
    case GAME_OPTION_INT:
        if (!game__parse_int(value, &n) || n < option->min || n > option->max)
            return error_set(err, ERROR_INVALID, option->name, "say a number from %d to %d, not '%.32s'",
                             option->min, option->max, value);
        break;
    case GAME_OPTION_CHOICE:
        n = game__word_index(option->choices, value);
        if (n < 0)
            return error_set(err, ERROR_INVALID, option->name, "say one of: %s; not '%.32s'", option->choices,
                             value);
        break;
    }
    setup->options[i] = n;
    return ERROR_OK;
}

enum error_code game_setup_cards(const struct game *game, struct game_setup *setup, const char *words,
                                 struct error *err) {
    game_kind cards[GAME_CARDS_MAX];
    uint16_t n = 0;
    char word[GAME_WORD_MAX], instead[CONFIG_INSTEAD_MAX];
    for (const char *at = words; game__next_word(&at, ' ', word);) {
        game_kind kind = game_kind_find(game, word);
        if (kind == GAME_NONE)
            return error_set(err, ERROR_INVALID, "cards", "%s has no card '%s'%s", game->title, word,
                             config_instead(word, game->kinds, sizeof *game->kinds, game->n_kinds, instead));
        if (n == GAME_CARDS_MAX)
            return error_set(err, ERROR_INVALID, "cards", "at most %d cards", GAME_CARDS_MAX);
        cards[n++] = kind;
    }
    memcpy(setup->cards, cards, n * sizeof *cards);
    setup->n_cards = n;
    return ERROR_OK;
}

enum error_code game_setup_preset(const struct game *game, const char *name, struct game_setup *ret,
                                  struct error *err) {
    const struct game_preset *preset = game->presets;
    while (preset && preset->name && strcmp(preset->name, name) != 0)
        preset++;
    char instead[CONFIG_INSTEAD_MAX];
    if (!preset || !preset->name)
        return error_set(err, ERROR_NOT_FOUND, "preset", "%s has no preset '%.32s'%s", game->title, name,
                         config_instead(name, game->presets, sizeof *game->presets, SIZE_MAX, instead));
    game_setup_default(game, preset->seats, ret);
    enum error_code code = game_setup_cards(game, ret, preset->cards ? preset->cards : "", err);
    char pair[2 * GAME_WORD_MAX];
    for (const char *at = preset->options; code == ERROR_OK && at && *at;) {
        at += strspn(at, " ");
        size_t len = strcspn(at, " ");
        if (len == 0)
            break;
        snprintf(pair, sizeof pair, "%.*s", (int)len, at);
        at += len;
        char *value = strchr(pair, '=');
        if (value)
            *value++ = '\0';
        code = game_setup_option(game, ret, pair, value ? value : "yes", err);
    }
    return code;
}
