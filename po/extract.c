// Writes the template of the catalogues from the registry of games, so that a line, kind, place or phase
// cannot be forgotten: extract > games.pot; extract --lines: the table of lines, one row each. Sentences of
// the sources are added by catalogue.py. extract --spoken LANGUAGE: every line with arguments, as it is said.
#include "core/phrase.h"
#include "engine/game.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_MAX = 4096, TEXT_MAX = 512 };

static struct { char context[16], text[TEXT_MAX]; } seen[SEEN_MAX];
static size_t n_seen;

static void quoted(const char *text) {
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else
            putchar(*text);
    putchar('"');
}

// Equal sentences of two games are one entry.
static bool is_new(const char *context, const char *text) {
    for (size_t i = 0; i < n_seen; i++)
        if (!strcmp(seen[i].text, text) && !strcmp(seen[i].context, context))
            return false;
    if (n_seen == SEEN_MAX) {
        fputs("extract: more entries than room\n", stderr);
        exit(1);
    }
    snprintf(seen[n_seen].context, sizeof seen->context, "%s", context);
    snprintf(seen[n_seen++].text, TEXT_MAX, "%s", text);
    return true;
}

static void entry(const char *context, const char *text, const char *comment, bool plural) {
    if (!*text || !is_new(context, text))
        return;
    printf("\n#. %s\n", comment);
    if (*context)
        printf("msgctxt \"%s\"\n", context);
    printf("msgid ");
    quoted(text);
    if (plural) {
        printf("\nmsgid_plural ");
        quoted(text);
        printf("\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n");
    } else {
        printf("\nmsgstr \"\"\n");
    }
}

// A name whose numbers only count (token_3, hex.2,-4) is one entry for all.
static void name(const struct game *game, const char *context, const char *word, bool count) {
    char pattern[TEXT_MAX], numbers[4][12], comment[96];
    snprintf(comment, sizeof comment, "%s, a %s", game->id, context);
    phrase_pattern(word, pattern, sizeof pattern, numbers);
    entry(context, count ? pattern : word, comment, false);
}

static bool counts(const struct game *game, const char *word) {
    char pattern[TEXT_MAX], other[TEXT_MAX], numbers[4][12];
    unsigned same = 0;
    if (!phrase_pattern(word, pattern, sizeof pattern, numbers))
        return false;
    for (unsigned i = 0; i < game->n_kinds; i++) {
        phrase_pattern(game->kinds[i].id, other, sizeof other, numbers);
        same += !strcmp(pattern, other);
    }
    return same > 1;
}

static void of_game(const struct game *game) {
    for (const struct game_line_row *l = game->lines; l && l->id; l++) {
        char comment[160];
        snprintf(comment, sizeof comment, "%s %s%s%s", game->id, l->id, *l->args ? ": " : "", l->args);
        entry("", l->text, comment, strchr(l->args, 'n') != NULL);
    }
    for (unsigned i = 0; i < game->n_kinds; i++)
        name(game, "kind", game->kinds[i].id, counts(game, game->kinds[i].id));
    for (const struct game_phase_row *p = game->phases; p->id; p++)
        name(game, "phase", p->id, false);
}

static void help(const struct game *game, const char *of, const char *text) {
    char comment[96];
    snprintf(comment, sizeof comment, "%s, about %s", game->id, of);
    if (text)
        entry("", text, comment, false);
}

static bool is_kind(const struct game *game, const char *word) {
    for (unsigned i = 0; i < game->n_kinds; i++)
        if (!strcmp(game->kinds[i].id, word))
            return true;
    return false;
}

// What people choose from before a game, and what they do in it. A choice that is a kind has its name there.
static void choices_of(const struct game *game) {
    for (const struct game_option *o = game->options; o && o->name; o++) {
        name(game, "option", o->name, false);
        help(game, o->name, o->help);
        char word[TEXT_MAX];
        const char *at = o->type == GAME_OPTION_CHOICE ? o->choices : "";
        for (size_t len; *at; at += len + (at[len] == ' ')) {
            len = strcspn(at, " ");
            snprintf(word, sizeof word, "%.*s", (int)len, at);
            if (!is_kind(game, word))
                name(game, "word", word, false);
        }
    }
    for (const struct game_verb *v = game->verbs; v && v->name; v++)
        name(game, "verb", v->name, false);
    for (const struct game_preset *p = game->presets; p && p->name; p++)
        help(game, p->name, p->help);
}

// Places and seat labels follow the set-up: every preset, every number of seats.
static void of_setup(const struct game *game, struct game_setup *setup) {
    static struct game_places places;
    struct game_issues issues = {0};
    struct error err;
    if (game->prepare(setup, &issues, &err))
        return;
    game->places(setup, &places);
    for (unsigned i = 0; i < places.n; i++)
        name(game, "place", places.row[i].name, true);
    for (int seat = 0; seat < setup->seats; seat++) {
        char label[GAME_WORD_MAX] = "";
        game->seat_label(setup, seat, label);
        if (*label)
            name(game, "seat", label, true);
    }
}

static void places_of(const struct game *game) {
    struct game_setup setup;
    struct error err;
    for (const struct game_preset *p = game->presets; p && p->name; p++)
        if (!game_setup_preset(game, p->name, &setup, &err))
            of_setup(game, &setup);
    for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++) {
        game_setup_default(game, seats, &setup);
        of_setup(game, &setup);
    }
}

static void list_lines(const struct game *game) {
    for (const struct game_line_row *l = game->lines; l && l->id; l++) {
        if (!*l->text)
            continue;
        printf("%s\t%s\t%s\t%s\n", game->id, l->id, l->args, l->text);
    }
}

// Arguments as they come on the wire, the number once 1 and once 3: what a client makes of them is compared
// with this.
static void say_lines(const struct game *game, const char *language, const char *number) {
    for (const struct game_line_row *l = game->lines; l && l->id; l++) {
        struct phrase_arg args[4];
        char text[TEXT_MAX];
        unsigned n = 0;
        if (!*l->text)
            continue;
        printf("%s\t%s\t", game->id, l->id);
        for (; n < 4 && l->args[n]; n++) {
            char type = l->args[n];
            args[n] = (struct phrase_arg){type,
                                          type == 's'   ? "s2"
                                          : type == 'k' ? game->kinds[n].id
                                          : type == 'p' ? "planet.p3"
                                                        : number,
                                          type == 's' && n == 1 ? "h2" : ""};
            printf("%c,%s,%s;", type, args[n].value, args[n].label);
        }
        phrase_fill(language, l->text, args, n, text, sizeof text);
        printf("\t%s\n", text);
    }
}

int main(int argc, char **argv) {
    bool lines = argc > 1 && !strcmp(argv[1], "--lines");
    if (argc > 2 && !strcmp(argv[1], "--spoken")) {
        for (size_t i = 0; game_at(i); i++) {
            say_lines(game_at(i), argv[2], "1");
            say_lines(game_at(i), argv[2], "3");
        }
        return 0;
    }
    if (!lines)
        printf(
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
            "\"Content-Transfer-Encoding: 8bit\\n\"\n");
    if (!lines)
        entry("seat", "{0}", "how a seat's number is spoken inside a sentence", false);
    for (size_t i = 0; game_at(i); i++) {
        if (lines) {
            list_lines(game_at(i));
        } else {
            of_game(game_at(i));
            choices_of(game_at(i));
            places_of(game_at(i));
        }
    }
    return 0;
}
