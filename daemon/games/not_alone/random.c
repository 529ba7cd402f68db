// Playouts: what is most often asked is drawn without a list; the rest comes from the list.
#include "games/not_alone/not_alone.h"

static unsigned any_of(unsigned set, uint64_t *dice) {
    unsigned skip = (unsigned)(*dice % not_alone__count(set));
    *dice /= 16;
    while (skip--)
        set &= set - 1;
    return not_alone__lowest(set);
}

static bool quick_lay(const struct not_alone *s, int by, uint64_t dice, struct not_alone_move *ret) {
    const struct not_alone_hunted *h = &s->h[by - 1];
    unsigned can = h->hand & ~(s->fx & FX_FORCE_FIELD ? s->token[TOKEN_TARGET] : 0u);
    if (s->phase != EXPLORATION || not_alone__laid(h) || not_alone__count(can) < (h->pending ? 2u : 1u))
        return false;
    if (dice % 16 == 0) // now and then whatever else there is
        return false;
    dice /= 16;
    ret->verb = VERB_LAY;
    ret->set = PLACE_BIT(any_of(can, &dice));
    if (h->pending)
        ret->set |= PLACE_BIT(any_of(can & ~ret->set, &dice));
    return true;
}

static bool quick_token(const struct not_alone *s, uint64_t dice, struct not_alone_move *ret) {
    if (s->phase != HUNTING || s->wait != WAIT_NONE || dice % 4 == 0)
        return false;
    dice /= 4;
    for (unsigned t = 0; t < TOKENS; t++) {
        if (s->token[t] || !not_alone__available(s, t))
            continue;
        ret->verb = VERB_PLACE_TOKEN;
        ret->token = (uint8_t)t;
        unsigned place = any_of(ALL_PLACES, &dice);
        ret->set = PLACE_BIT(place);
        if (not_alone__footprint(s, t) == 2)
            ret->set |= PLACE_BIT(any_of(not_alone__adjacent[place], &dice));
        return true;
    }
    return false;
}

static bool quick_ready(const struct not_alone *s, int by, uint64_t dice, struct not_alone_move *ret) {
    bool open = s->phase == HUNTING || s->phase == END_OF_TURN ||
                (s->phase == RECKONING && s->step == STEP_WINDOW) || (s->phase == EXPLORATION && by == 0);
    if (!open || s->wait != WAIT_NONE || dice % 4 == 0 || not_alone__is_ready(s, (unsigned)by) ||
        (by == 0 && s->phase == HUNTING && !not_alone__tokens_down(s)))
        return false;
    ret->verb = VERB_READY;
    return true;
}

static bool quick_draw(const struct not_alone *s, uint64_t dice, struct not_alone_move *ret) {
    if (s->strike) {
        *ret = (struct not_alone_move){.verb = VERB_STRIKE, .card = (uint8_t)any_of(s->hunt_hand, &dice)};
    } else if (s->refill) {
        unsigned card = s->hunt_deck ? any_of(s->hunt_deck, &dice) : s->under[0];
        *ret = (struct not_alone_move){.verb = VERB_DRAW_HUNT, .card = (uint8_t)card};
    } else {
        unsigned k = 0;
        while (k < s->n && !s->h[k].draw)
            k++;
        *ret = (struct not_alone_move){.verb = VERB_DRAW_SURVIVAL, .seat = (uint8_t)(k + 1)};
        ret->card = (uint8_t)any_of(s->survival_deck, &dice);
    }
    return true;
}

// Apart: a frame of 32 KiB is probed page by page on every call.
__attribute__((noinline)) static bool random_listed(const struct not_alone *s, int by, uint64_t dice,
                                                    game_action *ret) {
    game_action all[GAME_ACTIONS_MAX];
    size_t n = not_alone_legal(s, by, all, GAME_ACTIONS_MAX);
    if (n)
        *ret = all[dice / 16 % n];
    return n > 0;
}

bool not_alone_random(const void *state, int by, uint64_t dice, game_action *ret) {
    const struct not_alone *s = not_alone__state(state);
    struct not_alone_move m = {0};
    bool draws = not_alone__draws(s), quick = false;
    if (s->phase == GAME_OVER || by < GAME_BY_CHANCE || by > s->n || draws != (by == GAME_BY_CHANCE))
        return false;
    if (draws)
        quick = quick_draw(s, dice, &m);
    else
        quick = (by == 0 ? quick_token(s, dice, &m) : quick_lay(s, by, dice, &m)) ||
                quick_ready(s, by, dice, &m);
    if (quick) {
        *ret = not_alone__pack(m);
        return true;
    }
    return random_listed(s, by, dice, ret);
}
