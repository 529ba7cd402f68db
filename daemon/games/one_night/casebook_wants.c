// Which draws make a worked case possible: those an option names, those its night lines need, else such as
// change nothing.
#include "games/one_night/casebook__.h"
#include "games/one_night/one_night.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void want(struct casebook_wants *w, const char *what, const char *word) {
    if (w->n == CASEBOOK_WANTS_MAX)
        return;
    snprintf(w->want[w->n].what, CASEBOOK_WORD, "%s", what);
    snprintf(w->want[w->n++].word, CASEBOOK_WORD, "%s", word);
}

static bool is_variant(const char *word) {
    static const char *const ids[VARIANTS] = {
#define X(name, id) [VARIANT_##name] = #id,
        ONE_NIGHT_VARIANTS(X)
#undef X
    };
    for (unsigned v = 0; v < VARIANTS; v++)
        if (strcmp(ids[v], word) == 0)
            return true;
    return false;
}

bool casebook__want_option(struct casebook_wants *w, const char *word) {
    if (strcmp(word, "oracle_wrong") == 0) {
        w->oracle_wrong = true;
        w->oracle_right = '1'; // two
        want(w, "oracle", "oracle_guessnumber");
        return true;
    }
    if (!is_variant(word))
        return false;
    want(w, "", word);
    return true;
}

// How well a draw fits: what an option asks for, or a line, else what changes nothing.
unsigned casebook__want_score(const struct casebook_wants *w, const char *draw) {
    static const char *const quiet[] = {
        "oracle_viewcenter", "aliens_stare",   "psychic_view1",        "key=any",      "rascal_troublemaker",
        "key=any2",          "mortician_none", "ripple_comes value=0", "key=everyone", "oracle_evenodd"};
    unsigned ret = 0;
    for (unsigned i = 0; i < w->n; i++) {
        char end[CASEBOOK_WORD * 2], what[CASEBOOK_WORD * 2];
        snprintf(end, sizeof end, "=%s", w->want[i].word);
        snprintf(what, sizeof what, "what=%s ", w->want[i].what);
        const char *at = strstr(draw, end);
        bool whole = at && at[strlen(end)] == 0;
        if (whole && !*w->want[i].what)
            ret = 3;
        if (whole && ret < 2 && strstr(draw, what))
            ret = 2;
        if (strncmp(w->want[i].word, "ripple_", 7) == 0 && strstr(draw, "what=ripple_comes value=1"))
            ret = 2;
    }
    for (unsigned i = 0; i < sizeof quiet / sizeof *quiet && !ret; i++) {
        const char *at = strstr(draw, quiet[i]);
        ret = at && at[strlen(quiet[i])] == 0;
    }
    if (w->oracle_wrong && strstr(draw, "what=oracle_answer value=4")) // one, where two is right
        ret = 2;
    const char *right = w->oracle_wrong ? strstr(draw, "what=oracle_result value=") : NULL;
    if (right && right[25] == w->oracle_right && !right[26])
        ret = 2;
    return ret;
}

static unsigned words_of(const char *text, char first[CASEBOOK_WORD]) {
    size_t len;
    unsigned n = 0;
    first[0] = 0;
    for (; *(text += strspn(text, " ")); text += len, n++) {
        len = strcspn(text, " ");
        if (!n)
            snprintf(first, CASEBOOK_WORD, "%.*s", (int)len, text);
    }
    return n;
}

// By the device an answer is a number that is drawn (5.1).
static void want_answer(struct casebook_wants *w, const char *what, const char *answer, bool device) {
    static const char *const words[] = {"no", "yes", "even", "odd"};
    char number[CASEBOOK_WORD * 3], draw[CASEBOOK_WORD * 3];
    int value = atoi(answer) + ANSWER_1 - 1;
    for (int i = 0; i < 4; i++)
        value = strcmp(answer, words[i]) == 0 ? i : value;
    if (!w->oracle_wrong)
        want(w, what,
             value >= ANSWER_1      ? "oracle_viewplayer"
             : value >= ANSWER_EVEN ? "oracle_evenodd"
                                    : "oracle_viewcenter");
    else
        w->oracle_right = strcmp(answer, "2") == 0 ? '2' : '1';
    snprintf(number, sizeof number, "%d", value);
    snprintf(draw, sizeof draw, "%s_answer", what);
    if (device)
        want(w, draw, number);
}

// s1 is not in `s2 s10`.
static bool names(const char *args, const char *word) {
    size_t len = strlen(word);
    for (const char *at = args; (at = strstr(at, word)); at += len)
        if (at[len] == 0 || at[len] == ' ')
            return true;
    return false;
}

static void want_rascal(struct casebook_wants *w, const char *what, const struct casebook_line *line) {
    bool own = names(line->args, line->by), centre = strchr(line->args, 'c') != NULL;
    if (strcmp(line->verb, "rotate") == 0)
        want(w, what, "rascal_idiot");
    else if (strcmp(line->verb, "view") == 0)
        want(w, what, "rascal_witch");
    else if (own)
        want(w, what, centre ? "rascal_drunk" : "rascal_robber");
    want(w, what, centre ? "center" : own || strcmp(line->verb, "view") == 0 ? "any" : "any2");
}

void casebook__want_line(struct casebook_wants *w, const struct casebook_line *line) {
    char what[CASEBOOK_WORD * 2], word[CASEBOOK_WORD * 3], first[CASEBOOK_WORD];
    unsigned n = words_of(line->args, first);
    snprintf(what, sizeof what, "%s%s", line->doppel ? "doppelganger_" : "", line->role);
    if (strcmp(line->verb, "newalien") == 0)
        want(w, "aliens", "aliens_newalien");
    else if (strcmp(line->verb, "alienpass") == 0)
        want(w, "aliens", strcmp(first, "right") == 0 ? "aliens_right" : "aliens_left");
    else if (strcmp(line->role, "alien") == 0 && strcmp(line->verb, "view") == 0)
        want(w, "aliens", "aliens_view");
    else if (strcmp(line->verb, "announce") == 0) {
        snprintf(word, sizeof word, "blob_%s", first);
        want(w, "blob", word);
    } else if (strcmp(line->verb, "answer") == 0) {
        want_answer(w, what, first, strcmp(line->by, "app") == 0);
    } else if (strcmp(line->role, "oracle") == 0 && strcmp(line->verb, "swap") == 0) {
        want(w, what, "oracle_centerexchange");
    } else if (strcmp(line->role, "oracle") == 0 && n && first[0] == 'c') {
        snprintf(word, sizeof word, "%s_result", what);
        want(w, word, n == 1 ? "0" : n == 2 ? "1" : "2");
    } else if (strcmp(line->role, "psychic") == 0 && n) {
        want(w, what, n > 1 ? "psychic_view2" : "psychic_view1");
        want(w, what, first[0] == 'c' ? "center" : "any");
    } else if (strcmp(line->role, "mortician") == 0 && n) {
        want(w, what, n > 1 ? "mortician_2" : "mortician_1");
        want(w, what, strcmp(first, line->by) == 0 ? "yourself" : "oneneighbor");
    } else if (strcmp(line->role, "exposer") == 0 && n) {
        snprintf(word, sizeof word, "exposer_%u", n);
        want(w, what, word);
    } else if (strcmp(line->role, "rascal") == 0 && n) {
        want_rascal(w, what, line);
    }
}
