// The Reckoning goes on by itself from one choice to the next (4.3, 4.4), and so does the rest of the turn.
#include "games/not_alone/not_alone.h"

static void lose_will(struct not_alone_hunted *h, unsigned n) {
    h->will = (uint8_t)(h->will > n ? h->will - n : 0);
}
static unsigned slots_on(const struct not_alone_hunted *h, unsigned places) {
    unsigned n = 0;
    for (unsigned i = 0; i < SLOTS_LAID; i++)
        n += h->laid[i].card && places >> h->laid[i].at & 1;
    return n;
}

// ---- a choice of several, complete: now all is turned up

static void complete(struct not_alone *s) {
    for (unsigned k = 0; k < s->n; k++) {
        struct not_alone_hunted *h = &s->h[k];
        h->discard |= h->answer;
        lose_will(h, h->answer_will);
        if (h->answer_card)
            not_alone__discard_survival(s, h->answer_card);
        if (s->wait == WAIT_SCREAM || s->wait == WAIT_TOXIN)
            h->owed -= h->answer || h->answer_will || h->answer_card;
        else
            h->owed = 0;
        h->answer = h->answer_will = h->answer_card = 0;
    }
    if (s->wait == WAIT_ARTEMIA)
        s->artemia_done = 1;
    s->wait = WAIT_NONE;
}

// ---- step 1 and 3: places

// A slot on an ineffective place is spent with nothing allowed.
static void spend_ineffective(struct not_alone *s) {
    unsigned dead = not_alone__ineffective(s);
    for (unsigned k = 0; dead && k < s->n; k++) {
        unsigned set = not_alone__acting(s, k, ACTS_FREE) |
                       (s->fx_done == 1 ? not_alone__acting(s, k, ACTS_TARGET) : 0);
        for (; set; set &= set - 1) {
            struct not_alone_slot *slot = &s->h[k].laid[not_alone__lowest(set)];
            if (dead >> slot->at & 1)
                slot->acted = 1;
        }
    }
}

static bool find_active(struct not_alone *s, unsigned when, enum not_alone_step step) {
    for (unsigned k = 0; k < s->n; k++) {
        if (!not_alone__acting(s, k, when))
            continue;
        s->active = (uint8_t)k;
        s->step = (uint8_t)step;
        return true;
    }
    return false;
}

// ---- step 2: Scream and Toxin, in order of play, once per slot

// Asks whoever has a choice; without one the Will is lost, or nothing. False: nobody is left to ask.
static bool ask_target(struct not_alone *s) {
    bool scream = s->fx_order[s->fx_at] == HUNT_SCREAM;
    for (unsigned k = 0; k < s->n; k++) {
        struct not_alone_hunted *h = &s->h[k];
        bool can = scream ? not_alone__count(h->hand) >= 2 : h->survival != 0;
        if (h->owed && !can) {
            if (scream)
                lose_will(h, h->owed);
            h->owed = 0;
        }
        if (h->owed)
            s->owes |= (uint8_t)(1u << k);
    }
    if (s->owes)
        s->wait = scream ? WAIT_SCREAM : WAIT_TOXIN;
    return s->owes != 0;
}

// fx_done: 0 = the next effect has not begun, 2 = it has, 1 = all are done.
static bool target_effects(struct not_alone *s) {
    s->step = STEP_TARGET_EFFECTS;
    while (s->fx_at < s->n_fx) {
        if (!s->fx_done) {
            for (unsigned k = 0; k < s->n; k++)
                s->h[k].owed = (uint8_t)slots_on(&s->h[k], s->token[TOKEN_TARGET]);
            s->fx_done = 2;
        }
        if (ask_target(s))
            return true;
        s->fx_at++;
        s->fx_done = 0;
    }
    s->fx_done = 1;
    return false;
}

// ---- step 4: Artemia

static bool artemia(struct not_alone *s, struct game_notes *notes) {
    s->step = STEP_ARTEMIA;
    s->artemia_begun = 1;
    for (unsigned k = 0; k < s->n; k++) {
        struct not_alone_hunted *h = &s->h[k];
        unsigned n = s->detector >> k & 1 ? 0 : slots_on(h, s->token[TOKEN_ARTEMIA]);
        if (!n)
            continue;
        game_note(notes, GAME_NOTE_SAY, LINE_ARTEMIA, (int)k + 1, 0, 0, 0);
        for (unsigned i = 0; i < SLOTS_LAID; i++)
            if (h->laid[i].card && s->token[TOKEN_ARTEMIA] >> h->laid[i].at & 1)
                h->laid[i].acted = 1;
        if (s->fx & FX_MUTATION)
            lose_will(h, n);
        unsigned cards = not_alone__count(h->hand);
        h->owed = (uint8_t)(cards < n ? cards : n);
        if (h->owed)
            s->owes |= (uint8_t)(1u << k);
    }
    if (s->owes)
        s->wait = WAIT_ARTEMIA;
    else
        s->artemia_done = 1;
    return s->owes != 0;
}

// ---- steps 5 and 6: the Creature, the third Will. False: the game is over.

static unsigned caught_for(const struct not_alone *s, unsigned hunted) {
    const struct not_alone_hunted *h = &s->h[hunted];
    unsigned loss = 0;
    for (unsigned i = 0; i < SLOTS_LAID && !(s->dodge >> hunted & 1); i++) {
        if (!h->laid[i].card)
            continue;
        unsigned each = 1 + (h->laid[i].at == AT_LAIR) + ((s->fx & FX_FIERCENESS) != 0);
        loss += each * not_alone__creatures(s, h->laid[i].at);
    }
    return loss;
}

static bool creature(struct not_alone *s, struct game_notes *notes) {
    unsigned caught = 0;
    s->step = STEP_CREATURE;
    for (unsigned k = 0; k < s->n; k++) {
        unsigned loss = caught_for(s, k);
        if (!loss)
            continue;
        caught |= 1u << k;
        unsigned lost = s->h[k].will < loss ? s->h[k].will : loss;
        lose_will(&s->h[k], loss);
        game_note(notes, GAME_NOTE_SAY, LINE_CAUGHT, (int)k + 1, (int)lost, 0, 0);
    }
    if (caught && !not_alone__step_assimilation(s, notes))
        return false;
    bool anticipated = s->anticipation != NOBODY && caught >> s->anticipation & 1;
    return !anticipated || not_alone__step_assimilation(s, notes);
}

static bool third_will(struct not_alone *s, struct game_notes *notes) {
    bool any = false;
    s->step = STEP_THIRD_WILL;
    for (unsigned k = 0; k < s->n; k++)
        any |= s->h[k].will == 0;
    if (any && !not_alone__step_assimilation(s, notes))
        return false;
    for (unsigned k = 0; k < s->n; k++) {
        struct not_alone_hunted *h = &s->h[k];
        if (h->will)
            continue;
        h->will = s->expert ? 2 : WILL_FULL;
        h->hand |= (uint16_t)(h->discard | not_alone__laid_set(h));
        h->discard = 0;
        for (unsigned i = 0; i < SLOTS_LAID; i++)
            h->laid[i].home = h->laid[i].card != 0;
        game_note(notes, GAME_NOTE_SAY, LINE_THIRD_WILL, (int)k + 1, 0, 0, 0);
    }
    return true;
}

// True: somebody is awaited.
static bool reckon(struct not_alone *s, struct game_notes *notes) {
    s->active = NOBODY;
    spend_ineffective(s);
    if (find_active(s, ACTS_FREE, STEP_PLACES))
        return true;
    if (s->fx_done != 1 && target_effects(s))
        return true;
    spend_ineffective(s);
    if (find_active(s, ACTS_TARGET, STEP_TARGET_PLACES))
        return true;
    if (!s->artemia_done && artemia(s, notes))
        return true;
    if (!creature(s, notes) || !third_will(s, notes))
        return true;
    s->phase = END_OF_TURN;
    s->ready = 0;
    game_note(notes, GAME_NOTE_SAY, LINE_END_OF_TURN, 0, 0, 0, 0);
    return false;
}

// ---- from the tokens to the reveal (4.3)

static bool choose_at_river(struct not_alone *s, struct game_notes *notes) {
    s->phase = RECKONING;
    s->step = STEP_RIVER;
    s->ready = 0;
    for (unsigned k = 0; k < s->n; k++)
        if (s->h[k].pending == PENDING_RIVER && not_alone__laid(&s->h[k]) == 2)
            s->owes |= (uint8_t)(1u << k);
    if (!s->owes)
        return false;
    s->wait = WAIT_RIVER;
    game_note(notes, GAME_NOTE_SAY, LINE_RIVER, 0, 0, 0, 0);
    return true;
}
static void reveal(struct not_alone *s, struct game_notes *notes) {
    for (unsigned k = 0; k < s->n; k++)
        s->h[k].pending = PENDING_NONE;
    s->step = STEP_WINDOW;
    game_note(notes, GAME_NOTE_SAY, LINE_REVEAL, 0, 0, 0, 0);
}

// ---- the end of a turn (4.5)

static void clean_up_hunted(struct not_alone_hunted *h) {
    for (unsigned i = 0; i < SLOTS_LAID; i++)
        if (h->laid[i].card && !h->laid[i].home)
            h->discard |= PLACE_BIT(h->laid[i].card);
    h->laid[0] = h->laid[1] = (struct not_alone_slot){0};
    h->shown = 0;
    h->owed = h->played = h->resisted = 0;
    h->survival_left = 1;
}

static void clean_up(struct not_alone *s, struct game_notes *notes) {
    bool stasis = s->fx & FX_STASIS;
    for (unsigned k = 0; k < s->n; k++)
        clean_up_hunted(&s->h[k]);
    for (unsigned i = 0; i < s->n_played; i++) {
        for (unsigned at = s->n_discard; at > 0; at--)
            s->hunt_discard[at] = s->hunt_discard[at - 1];
        s->hunt_discard[0] = s->hunt_played[i];
        s->hunt_played[i] = 0;
        s->n_discard++;
    }
    s->hunt_left = s->fx & FX_TRACKING ? 2 : 1;
    s->n_played = s->n_fx = s->fx_at = s->fx_done = s->artemia_begun = s->artemia_done = 0;
    s->fx_order[0] = s->fx_order[1] = 0;
    s->fx = s->symbols = s->cataclysm = s->dodge = s->detector = s->view = 0;
    s->beach_used = s->wreck_used = s->ready = 0;
    s->anticipation = NOBODY;
    for (unsigned t = 0; t < TOKENS; t++)
        s->token[t] = s->token_rest[t] = 0;
    if (!stasis && !not_alone__step_rescue(s, notes))
        return;
    s->refill = 1;
    s->phase = EXPLORATION;
    s->step = 0;
    s->turn++;
}

// ---- on and on until somebody is awaited

static bool all_laid(const struct not_alone *s) {
    for (unsigned k = 0; k < s->n; k++)
        if (!not_alone__laid(&s->h[k]))
            return false;
    return true;
}

// One step further; false: somebody is awaited.
static bool go_on(struct not_alone *s, struct game_notes *notes) {
    switch (s->phase) {
    case EXPLORATION:
        if (!all_laid(s) || !not_alone__is_ready(s, 0))
            return false;
        s->phase = HUNTING;
        s->ready = 0;
        game_note(notes, GAME_NOTE_SAY, LINE_HUNTING, 0, 0, 0, 0);
        return true;
    case HUNTING:
        if (!not_alone__tokens_down(s) || !not_alone__all_ready(s))
            return false;
        if (!choose_at_river(s, notes))
            reveal(s, notes);
        return true;
    case RECKONING:
        if (s->step == STEP_RIVER) {
            reveal(s, notes);
            return true;
        }
        if (s->step == STEP_WINDOW) {
            if (!not_alone__all_ready(s))
                return false;
            s->ready = 0;
            s->step = STEP_PLACES;
        }
        return !reckon(s, notes);
    case END_OF_TURN:
        if (!not_alone__all_ready(s))
            return false;
        clean_up(s, notes);
        return true;
    default:
        return false;
    }
}

// Announces whose place or which losses come next.
static void call(const struct not_alone *s, unsigned was_active, unsigned was_wait,
                 struct game_notes *notes) {
    if (s->active != NOBODY && s->active != was_active && s->wait == WAIT_NONE)
        game_note(notes, GAME_NOTE_SAY, LINE_PLACE, s->active + 1, 0, 0, 0);
    bool losses = s->wait == WAIT_SCREAM || s->wait == WAIT_TOXIN || s->wait == WAIT_ARTEMIA ||
                  s->wait == WAIT_FORBIDDEN_ZONE;
    if (losses && s->wait != was_wait)
        game_note(notes, GAME_NOTE_SAY, LINE_LOSSES, 0, 0, 0, 0);
}

void not_alone__advance(struct not_alone *s, struct game_notes *notes) {
    unsigned was_active = s->active, was_wait = s->wait;
    for (;;) {
        not_alone__settle_draws(s);
        if (!not_alone__draws(s))
            not_alone__end_use(s);
        if (s->phase == GAME_OVER || not_alone__draws(s))
            return;
        not_alone__end_draws(s);
        if (s->wait != WAIT_NONE && s->owes)
            break;
        if (s->wait != WAIT_NONE)
            complete(s);
        if (!go_on(s, notes))
            break;
    }
    call(s, was_active, was_wait, notes);
}
