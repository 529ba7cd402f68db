#include "fold_game.h"
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

static enum error_code strange(const struct journal_record *record, struct error *err) {
    return error_set(err, ERROR_CORRUPT, record->table, "record %" PRIu64 " (%s) cannot be understood",
                     record->n, journal_kind_name(record->kind));
}

static enum error_code read_setup(const json_t *body, const struct game *game, struct game_setup *setup,
                                  struct error *err) {
    json_t *word;
    size_t i;
    const char *name;
    game_setup_default(game, (unsigned)json_integer_value(json_object_get(body, "seats")), setup);
    json_array_foreach(json_object_get(body, "cards"), i, word) {
        game_kind kind = json_is_string(word) ? game_kind_find(game, json_string_value(word)) : GAME_NONE;
        if (kind == GAME_NONE || i == GAME_CARDS_MAX)
            return error_set(err, ERROR_CORRUPT, "cards", "unknown card in the start record");
        setup->cards[setup->n_cards++] = kind;
    }
    json_object_foreach(json_object_get(body, "options"), name, word) {
        int row = game_option_find(game, name);
        if (row < 0 || !json_is_integer(word))
            return error_set(err, ERROR_CORRUPT, "options", "unknown option in the start record");
        setup->options[row] = (int32_t)json_integer_value(word);
    }
    struct game_issues issues = {0};
    return game->prepare(setup, &issues, err);
}

enum error_code fold_game_start(struct fold_game *ret, const struct journal_record *record,
                                struct error *err) {
    json_t *body = json_loads(record->body, JSON_REJECT_DUPLICATES, NULL);
    if (!body)
        return strange(record, err);
    const char *name = json_string_value(json_object_get(body, "game"));
    json_int_t revision = json_integer_value(json_object_get(body, "rules_rev"));
    const struct game *game = name ? game_find(name) : NULL;
    enum error_code code = ERROR_OK;
    memset(ret, 0, sizeof *ret);
    if (game && game->rules_rev == revision) {
        code = read_setup(body, game, &ret->setup, err);
        if (!code) {
            ret->game = game;
            game->places(&ret->setup, &ret->places);
            game->init(ret->state, &ret->setup);
        }
    }
    json_decref(body);
    return code;
}

enum error_code fold_game_read(const struct fold_game *at, const struct journal_record *record,
                               struct fold_step *ret, struct error *err) {
    struct game_words words = {at->game, &at->setup, &at->places};
    memset(ret, 0, sizeof *ret);
    json_t *body = json_loads(record->body, JSON_REJECT_DUPLICATES, NULL);
    if (!body)
        return strange(record, err);
    const json_t *action = record->kind == JOURNAL_ACT ? body : json_object_get(body, "action");
    bool may = record->kind == JOURNAL_ACT || record->kind == JOURNAL_STEP ||
               record->kind == JOURNAL_OVERRIDE;
    enum error_code code = ERROR_OK;
    ret->to = (uint64_t)json_integer_value(json_object_get(body, "to"));
    if (may && json_is_object(action)) {
        code = game_action_from_json(&words, at->state, action, &ret->by, &ret->action, err);
        ret->acts = !code;
    }
    json_decref(body);
    return code;
}
