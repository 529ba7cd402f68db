#include "setup.h"
#include "core/config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int no_game(const char *id) {
    struct error err = {0};
    game_unknown(id, &err);
    return failed(&err, EXIT_CODE_USAGE);
}

int check_kind(const char *kind, const char *file, unsigned line) {
    const char *names[1024] = {"control"};
    size_t n = 1;
    const struct game *game;
    for (size_t i = 0; (game = game_at(i)); i++)
        for (unsigned k = 0; k < game->n_kinds && n < 1023; k++)
            names[n++] = game->kinds[k].id;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], kind))
            return EXIT_CODE_OK;
    names[n] = NULL;
    const char *near = config_did_you_mean(kind, names);
    if (file)
        fprintf(stderr, "warning: %s:%u: ", file, line);
    else
        fputs("tablectl: ", stderr);
    fprintf(stderr, "no game has the kind '%s'", kind);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fputs(" (`tablectl games GAME` lists them)\n", stderr);
    return EXIT_CODE_USAGE;
}

// "werewolf werewolf seer", or "werewolf=2,seer=1", or a mix.
static enum error_code spread_roles(const char *text, char *ret, size_t cap, struct error *err) {
    size_t len = 0;
    ret[0] = '\0';
    while (*(text += strspn(text, " ,\t"))) {
        size_t n = strcspn(text, " ,\t"), name = strcspn(text, "=");
        unsigned long times = name < n ? strtoul(text + name + 1, NULL, 10) : 1;
        if (name > n)
            name = n;
        if (times > GAME_CARDS_MAX)
            return error_set(err, ERROR_INVALID, "roles", "at most %d cards", GAME_CARDS_MAX);
        for (; times > 0; times--) {
            len += (size_t)snprintf(ret + len, len < cap ? cap - len : 0, "%s%.*s", len ? " " : "", (int)name,
                                    text);
            if (len >= cap)
                return error_set(err, ERROR_INVALID, "roles", "too many cards");
        }
        text += n;
    }
    return ERROR_OK;
}

static enum error_code read_options(const struct args *args, const struct game *game,
                                    struct game_setup *setup, struct error *err) {
    const char *pair;
    for (size_t i = 0; (pair = args_nth(args, "option", i)); i++) {
        char name[GAME_WORD_MAX];
        size_t n = strcspn(pair, "=");
        if (pair[n] != '=' || n >= sizeof name)
            return error_set(err, ERROR_INVALID, "option", "write --option NAME=VALUE, not \"%.60s\"", pair);
        memcpy(name, pair, n);
        name[n] = '\0';
        if (game_setup_option(game, setup, name, pair + n + 1, err))
            return err->code;
    }
    return ERROR_OK;
}

static void tell_issues(const struct game_issues *issues) {
    for (unsigned i = 0; i < issues->n; i++)
        fprintf(stderr, "%s: %s (%s)\n", issues->issue[i].is_error ? "error" : "warning",
                issues->issue[i].text, issues->issue[i].code);
}

int setup_game(const struct args *args, const struct game **ret) {
    *ret = NULL;
    if (args->n_words != 1)
        return usage_error(args, "name one game");
    *ret = game_find(args->words[0]);
    if (*ret)
        return EXIT_CODE_OK;
    return no_game(args->words[0]);
}

int setup_read(const struct args *args, const struct game **ret_game, struct game_setup *ret) {
    uint64_t seats;
    int code = setup_game(args, ret_game);
    if (!*ret_game)
        return code;
    if (!args_number(args, "seats", 1, GAME_SEATS_MAX, 0, &seats))
        return EXIT_CODE_USAGE;
    return setup_seats(args, *ret_game, (unsigned)seats, ret);
}

int setup_seats(const struct args *args, const struct game *game, unsigned seats, struct game_setup *ret) {
    struct error err = {0};
    const char *preset = args_option(args, "preset"), *roles = args_option(args, "roles");
    if (preset && game_setup_preset(game, preset, ret, &err))
        return failed(&err, EXIT_CODE_USAGE);
    if (!preset)
        game_setup_default(game, seats ? seats : game->seats_min, ret);
    if (seats)
        ret->seats = (uint8_t)seats;
    char cards[GAME_CARDS_MAX * GAME_WORD_MAX];
    if (roles && (spread_roles(roles, cards, sizeof cards, &err) || game_setup_cards(game, ret, cards, &err)))
        return failed(&err, EXIT_CODE_USAGE);
    if (read_options(args, game, ret, &err))
        return failed(&err, EXIT_CODE_USAGE);
    struct game_issues issues = {0};
    enum error_code code = game->prepare(ret, &issues, &err);
    tell_issues(&issues);
    return code ? failed(&err, EXIT_CODE_USAGE) : EXIT_CODE_OK;
}
