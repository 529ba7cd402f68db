// The deal (2): cards, marks and draws come to their places, hands may still exchange them.
#include "games/one_night/one_night.h"

// The last card of the centre werewolf's kind is kept for c4, which takes no other (2.1).
static uint32_t with_centre_wolf(const struct one_night *g, unsigned place, uint32_t cards) {
    uint32_t wolves = 0;
    for (unsigned c = 0; c < g->n_cards; c++)
        wolves |= g->role[c] == g->centre_wolf ? 1u << c : 0;
    wolves &= cards;
    unsigned c4 = g->seats + 3u;
    if (place == c4)
        return wolves;
    bool last = g->at[c4] == CARD_NONE && (wolves & (wolves - 1)) == 0;
    return last ? cards & ~wolves : cards;
}
static inline uint32_t fits_place(const struct one_night *g, unsigned place, uint32_t cards) {
    return g->centre_wolf == ROLE_NONE ? cards : with_centre_wolf(g, place, cards);
}

// What lies at a place of cards or marks.
static uint8_t lies(const struct one_night *g, int place) {
    return place < g->n_positions ? g->at[place] : g->mark_piece[place - g->place_k];
}

// Every seat begins with a Mark of Clarity (2.1).
static uint32_t clarity(const struct one_night *g) {
    return one_night__tray(g) & (uint32_t)((UINT64_C(1) << g->first_mark[MARK_CLARITY + 1]) - 1);
}
_Static_assert(MARK_CLARITY == 0, "the first pieces");

static bool marks_lie(const struct one_night *g) {
    for (unsigned s = 0; s < g->seats && g->place_k; s++)
        if (g->mark_piece[s] == CARD_NONE)
            return false;
    return true;
}
bool one_night__all_lies(const struct one_night *g) {
    return g->n_dealt == g->n_positions && marks_lie(g) && one_night__drawn(g);
}

// Before the game begins tiles may change places, also with an empty one; the card at c4 stays.
static bool may_redeal(const struct one_night *g, int a, int b) {
    int c4 = g->seats + 3;
    if (a >= 0 && b > a && a >= g->n_positions)
        return one_night__spot(g, a) >= 0 && one_night__spot(g, b) >= 0 &&
               (lies(g, a) != CARD_NONE || lies(g, b) != CARD_NONE);
    return a >= 0 && b > a && b < g->n_positions && a != c4 && b != c4 &&
           (g->at[a] != CARD_NONE || g->at[b] != CARD_NONE);
}

static void list_deals(const struct one_night *g, struct one_night_list *list) {
    uint32_t cards = g->pool;
    for (unsigned p = 0; p < g->n_positions; p++)
        for (uint32_t c = g->at[p] == CARD_NONE ? fits_place(g, p, cards) : 0; c; c &= c - 1)
            one_night__add(list, VERB_DEAL, (int)p, __builtin_ctz(c), -1);
    for (unsigned s = 0; s < g->seats && g->place_k; s++)
        for (uint32_t c = g->mark_piece[s] == CARD_NONE ? clarity(g) : 0; c; c &= c - 1)
            one_night__add(list, VERB_DEAL, one_night__mark_place(g, s),
                           g->first_mark_slot + __builtin_ctz(c), -1);
}

size_t one_night__deal_legal(const struct one_night *g, int by, game_action *ret, size_t cap) {
    struct one_night_list list = {ret, 0, cap};
    if (by == GAME_BY_CHANCE) {
        list_deals(g, &list);
        size_t kept = list.n < cap ? list.n : cap;
        return list.n + one_night__draw_list(g, ret + kept, cap - kept);
    }
    if (by != GAME_BY_TABLE)
        return 0;
    int end = g->place_k ? g->place_k + g->seats : g->n_positions;
    for (int a = 0; a < end; a++)
        for (int b = a + 1; b < end; b++)
            if (may_redeal(g, a, b))
                one_night__add(&list, VERB_REDEAL, a, b, -1);
    if (one_night__all_lies(g))
        one_night__add(&list, VERB_BEGIN, -1, -1, -1);
    return list.n;
}

// One of the cards or pieces, evenly.
static int pick(uint32_t set, uint64_t dice) {
    unsigned n = (unsigned)__builtin_popcount(set);
    for (unsigned skip = (unsigned)((uint32_t)dice * (uint64_t)n >> 32); skip; skip--)
        set &= set - 1;
    return __builtin_ctz(set);
}

// The card for c4 is put aside before the others are shuffled (2.1): else the first places would get
// werewolves too often.
static bool random_card(const struct one_night *g, uint64_t dice, game_action *ret) {
    unsigned place = 0, c4 = g->seats + 3u;
    while (g->at[place] != CARD_NONE)
        place++;
    uint32_t cards = fits_place(g, place, g->pool);
    if (g->centre_wolf != ROLE_NONE && place != c4 && g->at[c4] == CARD_NONE) {
        uint32_t aside = fits_place(g, c4, g->pool);
        cards &= ~(aside & -aside);
    }
    *ret = one_night__pack(VERB_DEAL, (int)place, pick(cards, dice), -1);
    return true;
}

static bool random_mark(const struct one_night *g, uint64_t dice, game_action *ret) {
    unsigned seat = 0;
    while (seat < g->seats && g->place_k && g->mark_piece[seat] != CARD_NONE)
        seat++;
    if (!g->place_k || seat == g->seats)
        return false;
    *ret = one_night__pack(VERB_DEAL, one_night__mark_place(g, seat),
                           g->first_mark_slot + pick(clarity(g), dice), -1);
    return true;
}

bool one_night__deal_random(const struct one_night *g, int by, uint64_t dice, game_action *ret) {
    if (by == GAME_BY_CHANCE && !one_night__drawn(g))
        return one_night__draw_random(g, dice, ret);
    if (by == GAME_BY_CHANCE)
        return g->n_dealt < g->n_positions ? random_card(g, dice, ret) : random_mark(g, dice, ret);
    *ret = one_night__pack(VERB_BEGIN, -1, -1, -1);
    return by == GAME_BY_TABLE && one_night__all_lies(g);
}

static enum error_code apply_mark(struct one_night *g, int place, int slot, struct error *err) {
    int seat = place - g->place_k, piece = slot - g->first_mark_slot;
    if (!g->place_k || seat < 0 || seat >= g->seats || g->mark_piece[seat] != CARD_NONE || piece < 0 ||
        piece >= MARK_PIECES_MAX || !(clarity(g) >> piece & 1))
        return one_night__not_now(err);
    one_night__put_mark(g, (unsigned)seat, (unsigned)piece);
    return ERROR_OK;
}

static enum error_code apply_deal(struct one_night *g, game_action action, struct error *err) {
    int place = one_night__arg(action, 0), card = one_night__arg(action, 1);
    if (one_night__verb(action) != VERB_DEAL)
        return one_night__draw_apply(g, action, err);
    if (place >= g->n_positions && one_night__arg(action, 2) < 0)
        return apply_mark(g, place, card, err);
    if (place < 0 || place >= g->n_positions || card < 0 || card >= g->n_cards ||
        one_night__arg(action, 2) >= 0 || g->at[place] != CARD_NONE ||
        !(fits_place(g, (unsigned)place, g->pool) >> card & 1))
        return one_night__not_now(err);
    g->at[place] = (uint8_t)card;
    g->pool &= ~(1u << card);
    g->n_dealt++;
    if (place < g->seats)
        g->dealt[place] = (uint8_t)card;
    return ERROR_OK;
}

static enum error_code apply_redeal(struct one_night *g, game_action action, struct game_notes *notes,
                                    struct error *err) {
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (!may_redeal(g, a, b) || one_night__arg(action, 2) >= 0)
        return one_night__not_now(err);
    if (a >= g->n_positions) {
        uint8_t *x = &g->mark_piece[a - g->place_k], *y = &g->mark_piece[b - g->place_k], piece = *x;
        *x = *y; // all of clarity still
        *y = piece;
        return ERROR_OK;
    }
    if (g->at[a] != CARD_NONE && g->at[b] != CARD_NONE)
        one_night__say(notes, GAME_NOTE_STORY, LINE_redealt, a, b, 0);
    uint8_t card = g->at[a];
    g->at[a] = g->at[b];
    g->at[b] = card;
    if (a < g->seats)
        g->dealt[a] = g->at[a];
    if (b < g->seats)
        g->dealt[b] = g->at[b];
    return ERROR_OK;
}

static enum error_code one_missing(const struct one_night *g, unsigned at, struct error *err) {
    if (at < g->seats)
        return error_illegal(err, "not_dealt", "a piece is missing at seat %u", at + 1);
    if (at < g->n_positions)
        return error_illegal(err, "not_dealt", "a piece is missing at centre card %u", at + 1 - g->seats);
    return error_illegal(err, "not_dealt", "the mark of seat %u is missing", at + 1 - g->n_positions);
}
static enum error_code some_missing(const struct one_night *g, unsigned n, unsigned at, struct error *err) {
    if (at < g->seats)
        return error_illegal(err, "not_dealt", "%u pieces are missing, the first at seat %u", n, at + 1);
    if (at < g->n_positions)
        return error_illegal(err, "not_dealt", "%u pieces are missing, the first at centre card %u", n,
                             at + 1 - g->seats);
    return error_illegal(err, "not_dealt", "%u marks are missing, the first is that of seat %u", n,
                         at + 1 - g->n_positions);
}

// Which places still miss a piece is public in a sealed phase.
static enum error_code not_dealt(const struct one_night *g, struct error *err) {
    unsigned n = 0, first = 0, end = g->n_positions + (g->place_k ? g->seats : 0u);
    for (unsigned at = end; at-- > 0;)
        if ((at < g->n_positions ? g->at[at] : g->mark_piece[at - g->n_positions]) == CARD_NONE) {
            first = at;
            n++;
        }
    if (!n)
        return error_illegal(err, "not_drawn", "the instructions of this night are not drawn yet");
    return n == 1 ? one_missing(g, first, err) : some_missing(g, n, first, err);
}

enum error_code one_night__deal_apply(struct one_night *g, int by, game_action action,
                                      struct game_notes *notes, struct error *err) {
    if (by == GAME_BY_CHANCE)
        return apply_deal(g, action, err);
    if (by != GAME_BY_TABLE)
        return one_night__not_now(err);
    if (one_night__verb(action) == VERB_REDEAL)
        return apply_redeal(g, action, notes, err);
    if (action != one_night__pack(VERB_BEGIN, -1, -1, -1))
        return one_night__not_now(err);
    if (!one_night__all_lies(g))
        return not_dealt(g, err);
    one_night__night_begin(g);
    return ERROR_OK;
}
