// What may be done, and what people try. Candidates are walked in ascending order and asked of the check.
#include "games/alien_hunt/alien_hunt.h"

struct list {
    const struct alien_hunt *g;
    int by;
    bool mistakes;
    game_action *ret;
    size_t n, cap;
};

static void offer(struct list *list, const struct alien_hunt_action *act) {
    bool legal = alien_hunt__check(list->g, list->by, act, NULL) == ERROR_OK;
    if (legal != list->mistakes && list->n++ < list->cap)
        list->ret[list->n - 1] = alien_hunt__pack(act);
}

// ---- one verb each

static void offer_deal(struct list *list) {
    const struct alien_hunt *g = list->g;
    struct alien_hunt_action act = alien_hunt__action(g->phase == PHASE_SETUP ? VERB_CHARACTER : VERB_DEAL);
    for (unsigned seat = 0; seat < g->seats && g->phase == PHASE_SETUP; seat++)
        for (unsigned kind = 0; kind < CHARACTER_KINDS; kind++) {
            act.target = (uint8_t)seat;
            act.what = (uint16_t)kind;
            offer(list, &act);
        }
    for (unsigned i = 0; i < g->seats + (unsigned)CENTRE_CARDS && g->phase == PHASE_DEAL; i++)
        for (unsigned card = 0; card < g->n_identities; card++) {
            act.place = i < g->seats ? alien_hunt__place(i, PLACE_IDENTITY)
                                     : alien_hunt__centre(g, CENTRE_UNDEALT + i - g->seats);
            act.what = alien_hunt__identity_slot(card);
            offer(list, &act);
        }
}

static void offer_draw(struct list *list) {
    struct alien_hunt_action act = alien_hunt__action(VERB_DRAW);
    for (unsigned kind = 0; kind < CHARACTER_KINDS && list->g->drawing != NONE; kind++) {
        act.what = (uint16_t)kind;
        offer(list, &act);
    }
}

static void offer_assign(struct list *list, unsigned seat) {
    struct alien_hunt_action act = alien_hunt__action(VERB_ASSIGN);
    for (unsigned token = seat * TOKENS_EACH; token < (seat + 1) * TOKENS_EACH; token++)
        for (unsigned to = 0; to < list->g->seats; to++) {
            act.token = (uint8_t)token;
            act.to = (uint8_t)to;
            if (list->g->at[token] != to) // lying there already is nothing anybody tries
                offer(list, &act);
        }
}

static void offer_moves(struct list *list, struct alien_hunt_action *act, unsigned n, unsigned token,
                        unsigned end) {
    for (; n < TOKENS_EACH && token < end; token++) {
        if (!alien_hunt__lies(list->g, token))
            continue;
        for (unsigned to = 0; to < list->g->seats; to++) {
            act->move[n] = (struct alien_hunt_move){(uint8_t)token, (uint8_t)to};
            offer_moves(list, act, n + 1, token + 1, end);
        }
        act->move[n] = (struct alien_hunt_move){NO_TOKEN, NO_SEAT};
    }
    if (n > 0)
        offer(list, act);
}

static void offer_reassign(struct list *list, unsigned seat) {
    const struct alien_hunt *g = list->g;
    struct alien_hunt_action act = alien_hunt__action(VERB_REASSIGN);
    bool copies = g->character[seat] == CON_ARTIST && !(g->used >> seat & 1);
    if (list->mistakes || g->phase != PHASE_DISCUSSION || (!copies && g->character[seat] != DOUBLE_DEALER))
        return;
    if (copies)
        act.copy = DOUBLE_DEALER;
    offer_moves(list, &act, 0, seat * TOKENS_EACH, (seat + 1) * TOKENS_EACH);
}

static bool needs_target(unsigned ability) {
    return ability == INVESTIGATOR || ability == JOURNALIST || ability == SHOWGIRL || ability == BULLY ||
           ability == GENERAL;
}

static void offer_ability(struct list *list, struct alien_hunt_action *act, unsigned ability) {
    bool target = needs_target(ability), to = ability == BULLY;
    bool picks = ability == POLICEMAN || ability == ILLUSIONIST;
    for (unsigned a = 0; a < (target ? list->g->seats : 1u); a++)
        for (unsigned b = 0; b < (to ? list->g->seats : 1u); b++)
            for (unsigned c = 0; c < (picks ? 1u << CENTRE_CARDS : 1u); c++) {
                act->target = (uint8_t)(target ? a : NO_SEAT);
                act->to = (uint8_t)(to ? b : NO_SEAT);
                act->picks = (uint8_t)c;
                offer(list, act);
            }
}

static void offer_questions(struct list *list, struct alien_hunt_action *act) {
    static const uint8_t ends[QUESTIONS] = {1, IDENTITY_KINDS, SEATS_MOST};
    for (unsigned target = 0; target < list->g->seats; target++)
        for (unsigned question = 0; question < QUESTIONS; question++)
            for (unsigned about = 0; about < ends[question]; about++) {
                act->target = (uint8_t)target;
                act->question = (uint8_t)question;
                act->about = (uint8_t)(question == IS_ALIEN ? NO_SEAT : about);
                offer(list, act);
            }
}

static void offer_use(struct list *list, unsigned seat) {
    const struct alien_hunt *g = list->g;
    bool copies = g->character[seat] == CON_ARTIST;
    bool when = g->phase == PHASE_DISCUSSION || (g->phase == PHASE_ALERT_ABILITIES && g->turn == seat);
    if (!when || !alien_hunt__active[g->character[seat]])
        return;
    for (unsigned verb = VERB_ABILITY; verb <= VERB_ASK; verb++)
        for (unsigned kind = 0; kind < CHARACTER_KINDS; kind++) {
            struct alien_hunt_action act = alien_hunt__action(verb);
            bool meant = copies ? kind != CON_ARTIST : kind == g->character[seat];
            if (!meant || (verb == VERB_ASK && (kind != JOURNALIST || list->mistakes)))
                continue;
            for (unsigned other = 0; copies && other < g->seats; other++) // in play, or nobody would try
                if (g->character[other] == kind)
                    act.copy = (uint8_t)kind;
            if (copies && act.copy == NO_COPY)
                continue;
            if (verb == VERB_ASK)
                offer_questions(list, &act);
            else
                offer_ability(list, &act, kind);
        }
}

static void offer_resolve(struct list *list, unsigned seat) {
    const struct alien_hunt *g = list->g;
    struct alien_hunt_action act = alien_hunt__action(VERB_RESOLVE);
    if (g->phase != PHASE_REVEAL || g->turn != seat || list->mistakes)
        return;
    bool to = alien_hunt__needs_to(g, seat);
    for (unsigned token = seat * TOKENS_EACH; token < (seat + 1) * TOKENS_EACH; token++)
        for (unsigned owner = 0; owner < g->seats && g->pending >> token & 1; owner++)
            for (unsigned order = 1; order <= TOKENS_EACH; order++)
                for (unsigned seat_to = 0; seat_to < (to ? g->seats : 1u); seat_to++) {
                    act.token = (uint8_t)token;
                    act.owner = (uint8_t)owner;
                    act.order = (uint8_t)order;
                    act.to = (uint8_t)(to ? seat_to : NO_SEAT);
                    offer(list, &act);
                }
}

static void offer_plain(struct list *list, unsigned verb) {
    struct alien_hunt_action act = alien_hunt__action(verb);
    if (!list->mistakes)
        offer(list, &act);
}

static void offer_looks(struct list *list) {
    const struct alien_hunt *g = list->g;
    struct alien_hunt_action act = alien_hunt__action(VERB_LOOKED);
    for (unsigned seat = 0; seat < g->seats; seat++) {
        act.place = alien_hunt__place(seat, PLACE_IDENTITY);
        offer(list, &act);
        act.place = alien_hunt__place(seat, PLACE_RECEIVED);
        if (!list->mistakes)
            offer(list, &act);
    }
}

// ---- all of them

static void offer_seat(struct list *list, unsigned seat) {
    const struct alien_hunt *g = list->g;
    if (g->forced == NONE || g->forced == seat || list->mistakes)
        offer_assign(list, seat);
    if (g->forced == NONE) {
        offer_reassign(list, seat);
        offer_use(list, seat);
        offer_plain(list, VERB_PASS_ABILITY);
        offer_plain(list, VERB_DECLARE_ALERT);
        offer_resolve(list, seat);
        offer_plain(list, VERB_PASS_PRESIDENCY);
    }
    if (list->mistakes)
        return;
    offer_looks(list);
    offer_plain(list, VERB_PEEK);
    offer_plain(list, VERB_DONE);
}

size_t alien_hunt_legal(const void *state, int by, game_action *ret, size_t cap) {
    const struct alien_hunt *g = alien_hunt__state(state);
    struct list list = {.g = g, .by = by, .ret = ret, .cap = cap};
    if (by == GAME_BY_CHANCE) {
        offer_deal(&list);
        offer_draw(&list);
    } else if (by == GAME_BY_TIMER) {
        offer_plain(&list, VERB_REMIND);
    } else if (by >= 0 && by < g->seats && g->phase > PHASE_DEAL) {
        offer_seat(&list, (unsigned)by);
    }
    return list.n;
}

// Tokens and abilities by their owners, and cards lifted by anybody.
size_t alien_hunt_mistakes(const void *state, int by, game_action *ret, size_t cap) {
    const struct alien_hunt *g = alien_hunt__state(state);
    struct list list = {.g = g, .by = by, .mistakes = true, .ret = ret, .cap = cap};
    bool talk = g->phase >= PHASE_DISCUSSION && g->phase <= PHASE_ALERT_ASSIGN;
    if (by == GAME_BY_TABLE && talk)
        offer_looks(&list);
    else if (by >= 0 && by < g->seats && talk)
        offer_seat(&list, (unsigned)by);
    return list.n;
}

// ---- playouts: no list is made where one throw tells

static bool random_deal(const struct alien_hunt *g, uint64_t dice, game_action *ret) {
    struct alien_hunt_action act;
    bool characters = g->phase == PHASE_SETUP;
    unsigned tries = 0;
    do { // any place and any card that are free: each as likely as in the list
        dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        act = alien_hunt__action(characters ? VERB_CHARACTER : VERB_DEAL);
        unsigned i = (unsigned)(dice >> 40) % (g->seats + (characters ? 0u : (unsigned)CENTRE_CARDS));
        unsigned card = (unsigned)(dice >> 20 & 0xfffff) %
                        (characters ? (unsigned)CHARACTER_KINDS : g->n_identities);
        act.target = (uint8_t)(characters ? i : NO_SEAT);
        act.what = characters ? (uint16_t)card : alien_hunt__identity_slot(card);
        if (!characters)
            act.place = i < g->seats ? alien_hunt__place(i, PLACE_IDENTITY)
                                     : alien_hunt__centre(g, CENTRE_UNDEALT + i - g->seats);
    } while (alien_hunt__check(g, GAME_BY_CHANCE, &act, NULL) != ERROR_OK && ++tries < 10000);
    *ret = alien_hunt__pack(&act);
    return tries < 10000;
}

// In a discussion everybody mostly gives tokens; the President ends it now and then, or it would never end.
static bool random_talk(const struct alien_hunt *g, unsigned seat, uint64_t dice, game_action *ret) {
    struct alien_hunt_action act = alien_hunt__action(VERB_DECLARE_ALERT);
    if (g->phase == PHASE_DISCUSSION && g->forced == NONE && seat == g->president && dice % 8 == 0) {
        *ret = alien_hunt__pack(&act);
        return true;
    }
    act = alien_hunt__action(VERB_ASSIGN);
    for (unsigned tries = 0; tries < 6; tries++) {
        dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        act.token = (uint8_t)(seat * TOKENS_EACH + (unsigned)(dice >> 40) % TOKENS_EACH);
        act.to = (uint8_t)((unsigned)(dice >> 20 & 0xfffff) % g->seats);
        if (g->forced == seat)
            act.to = g->forced_to;
        if (alien_hunt__check(g, (int)seat, &act, NULL) == ERROR_OK) {
            *ret = alien_hunt__pack(&act);
            return true;
        }
    }
    return false;
}

bool alien_hunt_random(const void *state, int by, uint64_t dice, game_action *ret) {
    const struct alien_hunt *g = alien_hunt__state(state);
    game_action all[GAME_ACTIONS_MAX];
    if (by == GAME_BY_CHANCE && g->phase <= PHASE_DEAL)
        return random_deal(g, dice, ret);
    if (by >= 0 && by < g->seats && (dice >> 60) != 0 &&
        (g->phase == PHASE_DISCUSSION || g->phase == PHASE_ALERT_ASSIGN) &&
        random_talk(g, (unsigned)by, dice, ret))
        return true;
    // Looks and reminders change nothing in a game without hands.
    size_t n = alien_hunt_legal(state, by, all, GAME_ACTIONS_MAX);
    while (n > 0 && by >= 0 && all[n - 1] >> 32 >= VERB_LOOKED)
        n--;
    if (n == 0 || by == GAME_BY_TIMER)
        return false;
    *ret = all[(dice >> 8) % n];
    return true;
}
