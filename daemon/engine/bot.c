#include "engine/bot.h"
#include <stdio.h>
#include <string.h>

static bool any(const struct bot_ask *ask, game_action *ret) {
    if (!ask->n || ask->view->seat[ask->view->audience].acted)
        return false;
    *ret = ask->legal[(uint32_t)(ask->dice >> 32) * (uint64_t)ask->n >> 32];
    return true;
}
const struct bot bot_any = {.choose = any};

void bot_view(const struct game *game, const struct game_setup *setup, const void *state, int seat,
              struct observation *ret) {
    struct game_phase phase;
    memset(ret, 0, sizeof *ret);
    game->phase(state, &phase);
    ret->audience = seat;
    ret->status = phase.over ? OBSERVE_ENDED : OBSERVE_RUNNING;
    ret->game = game->id;
    ret->title = game->title;
    ret->rules_rev = game->rules_rev;
    ret->seats = setup->seats;
    for (unsigned i = 0; i < setup->n_cards; i++)
        ret->cards[ret->n_cards++] = game->kinds[setup->cards[i]].id;
    const struct game_phase_row *row = &game->phases[phase.id];
    ret->phase = (struct observe_phase){.id = row->id, .round = phase.round, .veil = row->veil};
    if (row->veil != OBSERVE_DARK)
        ret->phase.turn = phase.turn;
    game->observe(state, ret);
}

bool bot_choose(const struct bot *bot, const struct bot_ask *ask, game_action *ret) {
    struct bot_ask own = *ask;
    if (!bot->open_information)
        own.state = NULL;
    if (!own.n || !bot->choose(&own, ret))
        return false;
    for (size_t i = 0; i < own.n; i++)
        if (own.legal[i] == *ret)
            return true;
    return false;
}

enum error_code bot_seats(const struct game_words *names, const char *words, uint16_t *ret,
                          struct error *err) {
    char text[96], *rest = NULL;
    *ret = 0;
    if (snprintf(text, sizeof text, "%s", words) >= (int)sizeof text)
        return error_set(err, ERROR_INVALID, "bots", "the list of bots is too long");
    for (char *word = strtok_r(text, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
        int seat;
        if (!game_by_parse(names, word, &seat) || seat < 0)
            return error_set(err, ERROR_INVALID, "bots", "'%.32s' is no seat of this game; write s1 s2",
                             word);
        *ret |= (uint16_t)(1u << seat);
    }
    return ERROR_OK;
}

void bot_words(uint16_t seats, char ret[BOT_WORDS_MAX]) {
    size_t n = 0;
    ret[0] = '\0';
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        if (seats >> seat & 1)
            n += (size_t)snprintf(ret + n, BOT_WORDS_MAX - n, "%ss%u", n ? " " : "", seat + 1);
}
