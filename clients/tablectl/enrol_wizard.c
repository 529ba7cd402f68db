// `tablectl enrol wizard DECK`: place a tile, choose the piece, next. What is on the tile helps to choose,
// what is wrong with it is said by the daemon.
#include "board/pieces.h"
#include "call.h"
#include "enrol.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wizard {
    const struct args *args;
    const char *table, *deck;
    bool asks;     // a person types
    unsigned done; // pieces enrolled
};

static const char *signature_words(const char *signature) {
    static const struct {
        const char *word, *text;
    } rows[] = {
        {"valid", "its maker's signature is valid"},
        {"invalid", "ITS SIGNATURE IS NOT ITS MAKER'S: a copy, or a maker that is not known here"},
        {"unreadable",
         "its signature could not be read: lay it nearer to the coil; it may be enrolled all the same"},
        {"unsupported", "a kind of tag without signature"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].word, signature))
            return rows[i].text;
    return NULL;
}

// Waits for a new tile. *ret_pad: where it lies; ret_hint: what is written on it.
static int look(const struct wizard *w, char ret_pad[34], char ret_hint[80]) {
    char path[128];
    struct call answer;
    uint64_t wait;
    const char *pad = args_option(w->args, "pad"), *words;
    if (!args_number(w->args, "wait", 1, 120, 60, &wait))
        return EXIT_CODE_USAGE;
    json_t *body = json_pack("{s:s,s:b,s:I}", "deck", w->deck, "look", 1, "wait_ms", (json_int_t)wait * 1000);
    if (body && pad)
        json_object_set_new(body, "pad", json_string(pad));
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    json_decref(body);
    if (!text)
        return EXIT_CODE_USAGE;
    printf("lay a new tile on %s%s\n", pad ? "pad " : "any pad", pad ? pad : "");
    fflush(stdout);
    snprintf(path, sizeof path, "/api/v1/tables/%s/enrol", w->table);
    int code = call(w->args, path, text, &answer);
    free(text);
    if (!code) {
        snprintf(ret_pad, 34, "%.33s", text_of(answer.json, "pad"));
        snprintf(ret_hint, 80, "%.79s", text_of(answer.json, "hint"));
        printf("a new tile on pad %s", ret_pad);
        if ((words = signature_words(text_of(answer.json, "signature"))))
            printf("; %s", words);
        if (*ret_hint)
            printf("; on it is written \"%s\"", ret_hint);
        printf("\n");
    }
    call_free(&answer);
    return code;
}

// The last word of a hint, as a name: `tabled://kit/seer-1` and `Seer 1` both lead to a piece.
static void name_of(const char *hint, char ret[34]) {
    const char *slash = strrchr(hint, '/');
    size_t n = 0;
    for (const char *at = slash ? slash + 1 : hint; *at && n < 32; at++) {
        char c = *at >= 'A' && *at <= 'Z' ? (char)(*at | 0x20) : *at == ' ' || *at == '_' ? '-' : *at;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')
            ret[n++] = c;
    }
    ret[n] = '\0';
}

// seer-1 is of kind seer, if a game has it.
static void kind_of(const char *name, char ret[34]) {
    size_t n = strlen(name);
    while (n > 0 && (name[n - 1] == '-' || (name[n - 1] >= '0' && name[n - 1] <= '9')))
        n--;
    snprintf(ret, 34, "%.*s", (int)n, name);
    for (char *at = ret; *at; at++)
        if (*at == '-')
            *at = '_';
}

// NAME KIND [up|down]; NAME alone takes the kind from the name, an empty line what the tile says (where it
// says nothing, the question comes again), `skip` the next tile. False: the end.
static bool ask(const struct wizard *w, const char *hint, char name[34], char kind[34], char face[8]) {
    char line[256], proposed[34];
    name_of(hint, proposed);
    name[0] = kind[0] = face[0] = '\0';
    int n;
    do {
        if (w->asks)
            printf("which piece is it? NAME KIND [up|down]%s%s, `skip`, `end`: ",
                   *proposed ? ", empty: " : "", proposed);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin))
            return false;
        n = sscanf(line, "%33s %33s %7s", name, kind, face);
    } while (n < 1 && !*proposed);
    if (n < 1)
        snprintf(name, 34, "%s", proposed);
    if (n < 2)
        kind_of(name, kind);
    return strcmp(name, "end") != 0;
}

int enrol_wizard(const struct args *args, const char *table) {
    char pad[34], hint[80], name[34], kind[34], face[8];
    struct wizard w = {args, table, args->n_words == 2 ? args->words[1] : NULL, isatty(STDIN_FILENO), 0};
    int last = EXIT_CODE_OK;
    if (!w.deck)
        return usage_error(args, "name the deck");
    for (;;) {
        int code = look(&w, pad, hint);
        if (code == EXIT_CODE_REFUSED && w.asks)
            continue; // why was said; another tile
        if (code) {
            last = code;
            break;
        }
        if (!ask(&w, hint, name, kind, face))
            break;
        if (!strcmp(name, "skip"))
            continue;
        code = enrol_one(args, table, w.deck, name, kind, face, pad);
        if (code == EXIT_CODE_UNREACHABLE)
            return code;
        last = code;
        w.done += code == EXIT_CODE_OK;
    }
    printf("%u tiles enrolled\n", w.done);
    return last;
}
