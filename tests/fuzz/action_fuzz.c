// A line or JSON that shall be an action, in any game, in a state some legal actions from its start: taken
// and written back as the same action, or refused with a sentence. The first bytes choose the game, the seats
// and the way.
#include "engine/game.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { GAMES_MAX = 16, STEPS = 24 };

static struct play {
    const struct game *game;
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    void *state;
} play;

static void must(bool ok) {
    if (!ok)
        abort();
}

// The same state for the same bytes: the first legal action of whoever has one, some times.
static void go_on(unsigned steps) {
    static game_action actions[4096];
    for (int by = GAME_BY_TABLE; steps > 0 && by < 16;) {
        size_t n = play.game->legal(play.state, by, actions, sizeof actions / sizeof *actions);
        if (n == 0) {
            by++;
            continue;
        }
        must(game_act(play.game, play.state, by, actions[steps % n], NULL, NULL) == ERROR_OK);
        steps--;
        by = GAME_BY_TABLE;
    }
}

// To play up to a state costs a hundred times what an action costs there: each is played to once, and kept.
static void *kept[GAMES_MAX][GAME_SEATS_MAX + 1][STEPS];

static bool set_up(const uint8_t *data) {
    size_t n = 0;
    while (game_at(n))
        n++;
    must(n <= GAMES_MAX);
    play.game = game_at(data[0] % n);
    unsigned span = play.game->seats_max - play.game->seats_min + 1u;
    unsigned seats = play.game->seats_min + data[1] % span;
    game_setup_default(play.game, seats, &play.setup);
    struct error err;
    static struct game_issues issues;
    if (play.game->prepare && play.game->prepare(&play.setup, &issues, &err))
        return false;
    play.game->places(&play.setup, &play.places);
    play.words = (struct game_words){play.game, &play.setup, &play.places};
    play.state = malloc(play.game->state_size);
    void **start = &kept[data[0] % n][seats][data[2] % STEPS];
    if (!*start) {
        play.game->init(play.state, &play.setup);
        go_on(data[2] % STEPS);
        *start = malloc(play.game->state_size);
        memcpy(*start, play.state, play.game->state_size);
    }
    memcpy(play.state, *start, play.game->state_size);
    return true;
}

// What is legal can be said, and what was said is understood as that.
static void same_again(int by, game_action action) {
    char line[GAME_TEXT_MAX], json[2048];
    int again_by;
    game_action again;
    struct error err;
    must(game_action_text(&play.words, play.state, by, action, line) < sizeof line);
    must(game_action_parse(&play.words, play.state, line, &again_by, &again, &err) == ERROR_OK);
    must(again_by == by && again == action);
    must(game_action_json(&play.words, play.state, by, action, json, sizeof json) < sizeof json);
    must(game_action_read_back(&play.words, play.state, json, &again_by, &again));
    must(again_by == by && again == action);
}

static void try_action(enum error_code code, int by, game_action action, const struct error *err) {
    if (code) {
        must(err->code == code && err->text[0] && memchr(err->text, 0, sizeof err->text));
        return;
    }
    void *before = malloc(play.game->state_size);
    memcpy(before, play.state, play.game->state_size);
    struct error why;
    if (game_act(play.game, play.state, by, action, NULL, &why))
        must(memcmp(before, play.state, play.game->state_size) == 0);
    else {
        memcpy(play.state, before, play.game->state_size);
        same_again(by, action);
    }
    free(before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4 || !set_up(data))
        return 0;
    char *text = malloc(size - 3);
    memcpy(text, data + 4, size - 4);
    text[size - 4] = 0;
    struct error err = {0};
    int by = -1;
    game_action action = 0;
    if (data[3] & 1) {
        json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        if (json) {
            enum error_code code = game_action_from_json(&play.words, play.state, json, &by, &action, &err);
            try_action(code, by, action, &err);
            int other_by;
            game_action other; // what the quick reader takes, the thorough one takes the same way
            if (game_action_read_back(&play.words, play.state, text, &other_by, &other))
                must(!code && other_by == by && other == action);
        }
        json_decref(json);
    } else {
        try_action(game_action_parse(&play.words, play.state, text, &by, &action, &err), by, action, &err);
    }
    free(text);
    free(play.state);
    return 0;
}
