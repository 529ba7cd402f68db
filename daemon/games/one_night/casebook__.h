// Shared by the two casebook files: what a case asks of the draws before the night.
#pragma once
#include <stdbool.h>

enum { CASEBOOK_WORD = 48, CASEBOOK_WANTS_MAX = 32 };

// `s1:seer:view c1 c2` in its parts; args is never NULL.
struct casebook_line {
    char copy[CASEBOOK_WORD * 4], *by, *role, *verb, *args;
    bool doppel;
};

// An entry, key or number by name, for one draw or (what empty) any.
struct casebook_wants {
    unsigned n;
    bool oracle_wrong;
    char oracle_right; // the digit of the number to guess, less one, where the guess is wrong
    struct {
        char what[CASEBOOK_WORD], word[CASEBOOK_WORD];
    } want[CASEBOOK_WANTS_MAX];
};

bool casebook__want_option(struct casebook_wants *wants, const char *word); // false: no drawn entry's name
void casebook__want_line(struct casebook_wants *wants, const struct casebook_line *line);
unsigned casebook__want_score(const struct casebook_wants *wants, const char *draw); // 0 to 3
