// What a table must feel for a set-up: roles whose pieces lie on no pad are refused by name, or told by their
// seats where the set-up says so.
#include "games/one_night/one_night.h"
#include <string.h>

#define R(name) ROLE_BIT(name)
// Who gives, takes or looks at a mark (3.4). A copycat alone needs none.
#define MARKERS                                                                                              \
    (R(VAMPIRE) | R(THE_MASTER) | R(THE_COUNT) | R(RENFIELD) | R(DISEASED) | R(CUPID) | R(INSTIGATOR) |      \
     R(PRIEST) | R(ASSASSIN) | R(APPRENTICE_ASSASSIN) | R(MARKSMAN) | R(PICKPOCKET) | R(GREMLIN))

static const struct {
    const char *stem, *what;
    uint64_t roles;      // that cannot do without
    const char *instead; // what happens where nobody is refused
} needs[] = {
    {"s", "players' cards", 0, "seats tell what they do"},
    {"c", "centre cards", 0, "seats tell what they do"},
    {"k", "marks", MARKERS, "seats tell what they do"},
    {"a", "artifacts", R(CURATOR), "the curator tells where it lies"},
    {"h", "the shield", R(SENTINEL), "the sentinel tells where it lies"},
    {"v", "ballots", 0, "seats vote by their own channels"},
    {"answer", "answers", 0, "answers and taps come by the seats' own channels"},
    {"t", "taps on centre cards", 0, "the host says which lie open"},
};

struct text {
    size_t n;
    char word[120];
};
static void put(struct text *text, const char *word) {
    size_t len = strlen(word);
    if (text->n + len + 2 > sizeof text->word)
        return;
    if (text->n)
        text->word[text->n++] = ' ';
    memcpy(text->word + text->n, word, len + 1);
    text->n += len;
}

static bool is_of(const char *name, const char *stem) {
    size_t len = strlen(stem);
    return strncmp(name, stem, len) == 0 && strspn(name + len, "0123456789") == strlen(name + len);
}

static bool feels(const uint64_t sensed[GAME_PLACES_MAX / 64], game_place place) {
    return sensed[place / 64] >> place % 64 & 1;
}

static void check_need(const struct game_setup *setup, unsigned need, const char *missing,
                       struct game_issues *ret) {
    struct text roles = {0};
    for (unsigned role = 0; role < ROLES; role++)
        for (unsigned i = 0; i < setup->n_cards; i++)
            if (setup->cards[i] == role && (needs[need].roles >> role & 1)) {
                put(&roles, one_night__roles[role].id);
                break;
            }
    if (roles.n && setup->options[OPTION_unsensed] == 0)
        game_issue(ret, true, "E_UNSENSED", "no pad feels %s; not here: %s", needs[need].what, roles.word);
    else
        game_issue(ret, false, "W_UNSENSED", "no pad feels %s at%s: %s", needs[need].what, missing,
                   needs[need].instead);
}

// A table that feels no card at all plays by word: nothing is refused there, and nobody expects more.
void one_night_senses(const struct game_setup *setup, const struct game_places *places,
                      const uint64_t sensed[GAME_PLACES_MAX / 64], struct game_issues *ret) {
    bool any = false;
    for (game_place p = 0; p < places->n; p++)
        any |= (places->row[p].accepts & 1u << CLASS_CARD) && feels(sensed, p);
    for (unsigned need = 0; any && need < sizeof needs / sizeof *needs; need++) {
        struct text missing = {.n = 1, .word = " "};
        unsigned n = 0;
        for (game_place p = 0; p < places->n; p++)
            if (is_of(places->row[p].name, needs[need].stem) && !feels(sensed, p) && n++ < 4)
                put(&missing, places->row[p].name);
        if (n > 4)
            put(&missing, "...");
        if (n)
            check_need(setup, need, missing.word + 1, ret);
    }
}
