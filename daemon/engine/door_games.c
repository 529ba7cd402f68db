// What can be played here, as one JSON document: made once, the same for everybody.
#include "core/json.h"
#include "engine/table__.h"
#include <stdlib.h>
#include <string.h>

static void put_words(struct json *j, const char *words) {
    json_begin_array(j);
    while (words && *words) {
        size_t len = strcspn(words, " ");
        json_text_n(j, words, len);
        words += len + (words[len] == ' ');
    }
    json_end_array(j);
}

static void put_options(struct json *j, const struct game *game) {
    static const char *const types[] = {"bool", "int", "choice"};
    json_key(j, "options");
    json_begin_array(j);
    for (const struct game_option *o = game->options; o && o->name; o++) {
        json_begin_object(j);
        json_key(j, "name");
        json_text(j, o->name);
        json_key(j, "type");
        json_text(j, types[o->type]);
        json_key(j, "default");
        json_int(j, o->fallback);
        json_key(j, "min");
        json_int(j, o->min);
        json_key(j, "max");
        json_int(j, o->max);
        json_key(j, "choices");
        put_words(j, o->type == GAME_OPTION_CHOICE ? o->choices : NULL);
        json_key(j, "help");
        json_text(j, o->help);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_verbs(struct json *j, const struct game *game) {
    static const char *const types[] = {"seat", "place", "kind", "slot", "int", "enum", "bool"};
    json_key(j, "verbs");
    json_begin_array(j);
    for (const struct game_verb *v = game->verbs; v && v->name; v++) {
        json_begin_object(j);
        json_key(j, "name");
        json_text(j, v->name);
        json_key(j, "sealed");
        json_bool(j, v->flags & GAME_VERB_SEALED);
        json_key(j, "args");
        json_begin_array(j);
        for (unsigned i = 0; i < GAME_ARGS_MAX && v->args[i].name; i++) {
            json_begin_object(j);
            json_key(j, "name");
            json_text(j, v->args[i].name);
            json_key(j, "type");
            json_text(j, types[v->args[i].type]);
            json_key(j, "list");
            json_bool(j, v->args[i].list);
            json_key(j, "optional");
            json_bool(j, v->args[i].optional);
            json_key(j, "words");
            put_words(j, v->args[i].type == GAME_ARG_ENUM ? v->args[i].words : NULL);
            json_end_object(j);
        }
        json_end_array(j);
        json_key(j, "help");
        json_text(j, v->help);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_presets(struct json *j, const struct game *game) {
    json_key(j, "presets");
    json_begin_array(j);
    for (const struct game_preset *p = game->presets; p && p->name; p++) {
        json_begin_object(j);
        json_key(j, "name");
        json_text(j, p->name);
        json_key(j, "seats");
        json_uint(j, p->seats);
        json_key(j, "cards");
        put_words(j, p->cards);
        json_key(j, "options");
        put_words(j, p->options);
        json_key(j, "help");
        json_text(j, p->help);
        json_end_object(j);
    }
    json_end_array(j);
}

// Places of the largest set-up that prepares: names to write a map with.
static void put_places(struct json *j, const struct game *game) {
    static struct game_places places; // large
    struct game_setup setup;
    struct game_issues issues = {0};
    struct error err;
    json_key(j, "places");
    json_begin_array(j);
    for (unsigned seats = game->seats_max; seats >= game->seats_min; seats--) {
        game_setup_default(game, seats, &setup);
        bool found = !game->prepare(&setup, &issues, &err);
        for (const struct game_preset *p = game->presets; !found && p && p->name; p++) {
            issues.n = 0;
            found = p->seats == seats && !game_setup_preset(game, p->name, &setup, &err) &&
                    !game->prepare(&setup, &issues, &err);
        }
        issues.n = 0;
        if (!found)
            continue;
        game->places(&setup, &places);
        for (game_place p = 0; p < places.n; p++)
            json_text(j, places.row[p].name);
        break;
    }
    json_end_array(j);
}

static void put_game(struct json *j, const struct game *game) {
    json_begin_object(j);
    json_key(j, "id");
    json_text(j, game->id);
    json_key(j, "title");
    json_text(j, game->title);
    json_key(j, "rules_rev");
    json_uint(j, game->rules_rev);
    json_key(j, "seats_min");
    json_uint(j, game->seats_min);
    json_key(j, "seats_max");
    json_uint(j, game->seats_max);
    json_key(j, "phases");
    json_begin_array(j);
    for (const struct game_phase_row *p = game->phases; p->id; p++)
        json_text(j, p->id);
    json_end_array(j);
    json_key(j, "kinds");
    json_begin_array(j);
    for (unsigned i = 0; i < game->n_kinds; i++)
        json_text(j, game->kinds[i].id);
    json_end_array(j);
    put_options(j, game);
    put_verbs(j, game);
    put_presets(j, game);
    put_places(j, game);
    json_end_object(j);
}

const char *door_game_id(size_t i) {
    const struct game *game = game_at(i);
    return game ? game->id : NULL;
}

const char *door_games_json(struct door *door) {
    for (size_t cap = 1 << 16; !door->games_json; cap *= 2) {
        char *text = malloc(cap);
        if (!text)
            return "{\"games\":[]}";
        struct json j;
        json_begin(&j, text, cap);
        json_begin_object(&j);
        json_key(&j, "games");
        json_begin_array(&j);
        for (size_t i = 0; game_at(i); i++)
            put_game(&j, game_at(i));
        json_end_array(&j);
        json_end_object(&j);
        if (json_end(&j))
            door->games_json = text;
        else
            free(text);
    }
    return door->games_json;
}
