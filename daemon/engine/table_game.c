// A game begins: its set-up from words, its memory, its start record.
#include "core/json.h"
#include "engine/table__.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void table__game_destroy(struct table__game *g) {
    if (!g)
        return;
    free(g->entry);
    free(g->path);
    free(g->ahead.state);
    free(g->announced.state);
    free(g->scratch);
    free(g->copy);
    free(g->frozen);
    free(g->story);
    free(g->story_step);
    free(g);
}

// What an idle table does without.
static enum error_code memory_of_first_game(struct table *t, struct error *err) {
    if (t->ring)
        return ERROR_OK;
    if (!t->referee && referee_create(&t->referee, err))
        return err->code;
    t->live = calloc(OBSERVE_VIOLATIONS_MAX, sizeof *t->live);
    t->violation = calloc(OBSERVE_VIOLATIONS_MAX, sizeof *t->violation);
    t->prompt = calloc(OBSERVE_REPAIRS_MAX, sizeof *t->prompt);
    t->veiled = calloc(1, sizeof *t->veiled);
    t->last = calloc(1, sizeof *t->last);
    if (t->live && t->violation && t->prompt && t->veiled && t->last)
        t->ring = calloc(TABLE__RING, sizeof *t->ring);
    return t->ring ? ERROR_OK : error_set(err, ERROR_INTERNAL, NULL, "out of memory");
}

enum error_code table__game_create(struct table *t, const struct game *game, const struct game_setup *setup,
                                   struct table__game **ret, struct error *err) {
    if (memory_of_first_game(t, err))
        return err->code;
    struct table__game *g = calloc(1, sizeof *g);
    size_t size = (game->state_size + 15) / 16 * 16;
    if (g) {
        g->ahead.state = aligned_alloc(16, size);
        g->announced.state = aligned_alloc(16, size);
        g->scratch = aligned_alloc(16, size);
        g->copy = aligned_alloc(16, size);
        g->frozen = aligned_alloc(16, size);
    }
    if (!g || !g->ahead.state || !g->announced.state || !g->scratch || !g->copy || !g->frozen) {
        table__game_destroy(g);
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    }
    g->game = game;
    g->setup = *setup;
    game->places(&g->setup, &g->places);
    g->words = (struct game_words){game, &g->setup, &g->places};
    memset(g->slot_piece, 0xff, sizeof g->slot_piece);
    memset(g->piece_slot, 0xff, sizeof g->piece_slot);
    *ret = g;
    return ERROR_OK;
}

// ---- the set-up

static enum error_code read_setup(const struct door_start *start, const struct game **ret_game,
                                  struct game_setup *ret, struct game_issues *issues, struct error *err) {
    const struct game *game = start->game ? game_find(start->game) : NULL;
    if (!game)
        return game_unknown(start->game ? start->game : "", err);
    *ret_game = game;
    bool preset = start->preset && *start->preset;
    if (!preset)
        game_setup_default(game, start->seats ? start->seats : game->seats_min, ret);
    else if (game_setup_preset(game, start->preset, ret, err))
        return err->code;
    if (start->seats > GAME_SEATS_MAX)
        return error_set(err, ERROR_INVALID, "seats", "at most %d seats", GAME_SEATS_MAX);
    if (start->seats)
        ret->seats = (uint8_t)start->seats;
    if (ret->seats < game->seats_min || ret->seats > game->seats_max)
        return error_set(err, ERROR_INVALID, "seats", "%s is for %u to %u players", game->title,
                         game->seats_min, game->seats_max);
    if (start->cards && *start->cards && game_setup_cards(game, ret, start->cards, err))
        return err->code;
    for (size_t i = 0; i < start->n_options; i++)
        if (game_setup_option(game, ret, start->options[i].name, start->options[i].value, err))
            return err->code;
    issues->n = 0;
    return game->prepare(ret, issues, err);
}

// ---- the start

static enum error_code start_body(const struct table__game *g, char *body, size_t cap, struct error *err) {
    const struct game *game = g->game;
    struct json j;
    char seed[24];
    snprintf(seed, sizeof seed, "%016" PRIx64, g->seed);
    json_begin(&j, body, cap);
    json_begin_object(&j);
    json_key(&j, "game");
    json_text(&j, game->id);
    json_key(&j, "rules_rev");
    json_uint(&j, game->rules_rev);
    json_key(&j, "game_id");
    json_text(&j, g->id);
    json_key(&j, "seats");
    json_uint(&j, g->setup.seats);
    json_key(&j, "readers_deal");
    json_bool(&j, g->from_readers);
    json_key(&j, "seed");
    json_text(&j, seed);
    json_key(&j, "cards");
    json_begin_array(&j);
    for (unsigned i = 0; i < g->setup.n_cards; i++)
        json_text(&j, game->kinds[g->setup.cards[i]].id);
    json_end_array(&j);
    json_key(&j, "options");
    json_begin_object(&j);
    for (unsigned i = 0; game->options && game->options[i].name; i++) {
        json_key(&j, game->options[i].name);
        json_int(&j, g->setup.options[i]);
    }
    json_end_object(&j);
    json_key(&j, "slots");
    json_begin_array(&j);
    for (unsigned i = 0; i < g->setup.n_slots; i++)
        json_text(&j, game->kinds[g->setup.slot_kind[i]].id);
    json_end_array(&j);
    if (g->bots) {
        char bots[BOT_WORDS_MAX];
        bot_words(g->bots, bots);
        json_key(&j, "bots");
        json_text(&j, bots);
    }
    json_end_object(&j);
    return json_end(&j) ? ERROR_OK
                        : error_set(err, ERROR_TOO_LARGE, NULL, "the set-up is too long to be recorded");
}

// May this set-up be played with the pads that this table has?
static enum error_code check_pads(struct table *t, struct table__game *g, struct game_issues *issues,
                                  struct error *err) {
    uint64_t sensed[GAME_PLACES_MAX / 64] = {0};
    if (!g->game->senses)
        return ERROR_OK;
    table__map(t, g);
    for (game_place p = 0; p < g->places.n; p++)
        sensed[p / 64] |= (uint64_t)(g->sensed[p] > 0) << p % 64;
    g->game->senses(&g->setup, &g->places, sensed, issues);
    for (unsigned i = 0; i < issues->n; i++)
        if (issues->issue[i].is_error)
            return error_illegal(err, issues->issue[i].code, "%s", issues->issue[i].text);
    return ERROR_OK;
}

static enum error_code begin(struct table *t, const struct game *game, const struct game_setup *setup,
                             struct game_issues *issues, uint64_t seed, const char *bots,
                             enum table__cause cause, const char *by, struct table__reply reply,
                             struct error *err) {
    struct table__game *g = NULL;
    if (table__game_create(t, game, setup, &g, err) || !g)
        return err->code;
    if (check_pads(t, g, issues, err)) {
        table__game_destroy(g);
        return err->code;
    }
    struct table__game *old = t->game;
    if (bots && (bot_seats(&g->words, bots, &g->bots, err) || (g->bots && table__bots_begin(t, err)))) {
        table__game_destroy(g);
        return err->code;
    }
    g->issues = *issues;
    g->seed = seed ? seed : t->options.seed ? t->options.seed + t->n : rng_entropy();
    g->from_readers = t->options.chance_from_readers;
    snprintf(g->id, sizeof g->id, "%016llx", (unsigned long long)rng_next(&t->ids));
    g->started_us = clock_wall_us(loop_clock(t->loop));
    struct table__entry entry = {.kind = JOURNAL_START, .cause = cause};
    t->game = g;
    if (start_body(g, t->door->body, sizeof t->door->body, err) ||
        table__append(t, &entry, by, t->door->body, false, err)) {
        t->game = old;
        table__game_destroy(g);
        return err->code;
    }
    g->start_n = entry.n;
    table__position_start(g, &g->ahead, entry.mono_us);
    table__position_start(g, &g->announced, entry.mono_us);
    struct table__out *out = table__out(t, true);
    out->starts = true;
    out->reply = reply;
    out->reply.issues = true;
    return ERROR_OK;
}

static enum error_code may_start(struct table *t, struct error *err) {
    if (table__playing(t) || table__dark(t))
        return error_set(err, ERROR_NOT_NOW, t->options.name, "a game is being played here; end it first");
    if (t->game != t->shown)
        return error_set(err, ERROR_BUSY, t->options.name, NULL);
    return table__room_last(t, 4, 4, err); // of the game to come
}

static enum error_code started(struct table *t, struct error *err) {
    struct table__game *g = t->game;
    loop_timer_stop(t->loop, &t->full_timer); // of the game before
    t->n_live = 0;
    t->choice_open = t->follow = t->waived = false;
    memset(t->forgiven, 0, sizeof t->forgiven);
    memset(t->removals_us, 0, sizeof t->removals_us);
    table__hands_begin(t);
    referee_state(t->referee, g->game, &g->setup, &g->places, g->ahead.state);
    if (g->ahead.dark && table__dark_begin(t, err))
        return err->code;
    table__arm(t);
    table__release(t);
    table__advance(t);
    table__look_later(t);
    return ERROR_OK;
}

// Whoever chooses the seed knows what the daemon deals: only the owner of the machine opens that door.
static enum error_code may_seed(const struct table *t, const struct door_start *start, struct error *err) {
    if (start->seed && !t->options.seed)
        return error_set(
            err, ERROR_FORBIDDEN, "seed",
            "a seed would tell the deal; it is taken only where the configuration of the table has one");
    return ERROR_OK;
}

enum error_code table__check(struct table *t, const struct door_start *start, struct table__game **ret,
                             struct game_issues *issues, struct error *err) {
    const struct game *game = NULL;
    struct game_setup setup;
    struct table__game *g = NULL;
    uint16_t bots;
    *ret = NULL;
    issues->n = 0;
    if (may_seed(t, start, err) || read_setup(start, &game, &setup, issues, err) || !game ||
        table__game_create(t, game, &setup, &g, err) || !g)
        return err->code;
    if (check_pads(t, g, issues, err) || (start->bots && bot_seats(&g->words, start->bots, &bots, err))) {
        table__game_destroy(g);
        return err->code;
    }
    *ret = g;
    return ERROR_OK;
}

void table__begin_ids(struct table *t) {
    uint64_t name = UINT64_C(0xCBF29CE484222325); // FNV-1a
    for (const char *c = t->options.name; *c; c++)
        name = (name ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
    rng_seed(&t->ids, t->options.seed ? ~(t->options.seed + t->n) ^ name : rng_entropy());
}

enum error_code table__start(struct table *t, const struct door_start *start, enum table__cause cause,
                             const char *by, struct table__reply reply, struct game_issues *issues,
                             struct error *err) {
    const struct game *game = NULL;
    struct game_setup setup;
    issues->n = 0;
    if (may_start(t, err) || may_seed(t, start, err) || read_setup(start, &game, &setup, issues, err) ||
        !game || begin(t, game, &setup, issues, start->seed, start->bots, cause, by, reply, err))
        return err->code;
    return started(t, err);
}

enum error_code table__again(struct table *t, enum table__cause cause, struct table__reply reply,
                             struct error *err) {
    if (may_start(t, err))
        return err->code;
    if (!t->game)
        return error_set(err, ERROR_NOT_NOW, t->options.name, "no game was played here yet");
    struct game_setup setup = t->game->setup;
    struct game_issues issues = {0}; // as at the first start: pads may have come or gone since
    char bots[BOT_WORDS_MAX];
    bot_words(t->game->bots, bots);
    if (t->game->game->prepare(&setup, &issues, err) ||
        begin(t, t->game->game, &setup, &issues, 0, bots, cause, "table", reply, err))
        return err->code;
    return started(t, err);
}

enum error_code table__start_preset(struct table *t, enum table__cause cause, const char *by,
                                    struct table__reply reply, struct game_issues *issues,
                                    struct error *err) {
    struct door_option options[GAME_OPTIONS_MAX];
    char words[sizeof t->options.preset_options];
    struct door_start start = {.game = t->options.preset_game,
                               .preset = t->options.preset,
                               .seats = t->options.preset_seats,
                               .cards = t->options.preset_cards,
                               .options = options,
                               .bots = t->options.preset_bots};
    if (!*t->options.preset_game)
        return error_set(err, ERROR_NOT_FOUND, t->options.name, "this table has no preset game");
    snprintf(words, sizeof words, "%s", t->options.preset_options);
    char *rest = NULL;
    for (char *word = strtok_r(words, " \t,", &rest); word && start.n_options < GAME_OPTIONS_MAX;
         word = strtok_r(NULL, " \t,", &rest)) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        options[start.n_options++] = (struct door_option){word, value ? value : "yes"};
    }
    return table__start(t, &start, cause, by, reply, issues, err);
}
