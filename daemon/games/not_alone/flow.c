// What an action does, and what then goes on by itself until somebody is awaited (4).
#include "games/not_alone/not_alone.h"

// ---- counters (9): every single step is checked, and nothing comes after the last

static bool step(struct not_alone *s, uint8_t *counter, unsigned winner, unsigned line, unsigned victory,
                 struct game_notes *notes) {
    if (s->phase == GAME_OVER)
        return false;
    --*counter;
    game_note(notes, GAME_NOTE_SAY, (uint16_t)line, *counter, 0, 0, 0);
    if (*counter)
        return true;
    s->phase = GAME_OVER;
    s->wait = WAIT_NONE;
    s->owes = 0;
    s->active = NOBODY;
    s->winner = (uint8_t)winner;
    game_note(notes, GAME_NOTE_SAY, (uint16_t)victory, 0, 0, 0, 0);
    return false;
}
bool not_alone__step_rescue(struct not_alone *s, struct game_notes *notes) {
    return step(s, &s->rescue, WINNER_HUNTED, LINE_RESCUE, LINE_HUNTED_WIN, notes);
}
bool not_alone__step_assimilation(struct not_alone *s, struct game_notes *notes) {
    return step(s, &s->assimilation, WINNER_CREATURE, LINE_ASSIMILATION, LINE_CREATURE_WINS, notes);
}

static void give_up(struct not_alone *s, unsigned hunted, struct game_notes *notes) {
    struct not_alone_hunted *h = &s->h[hunted];
    h->will = WILL_FULL;
    h->hand |= h->discard;
    h->discard = 0;
    game_note(notes, GAME_NOTE_SAY, LINE_GIVE_UP, (int)hunted + 1, 0, 0, 0);
    not_alone__step_assimilation(s, notes);
}

// ---- single actions

static void do_lay(struct not_alone_hunted *h, struct not_alone_move m) {
    unsigned first = not_alone__lowest(m.set),
             second = not_alone__count(m.set) > 1 ? 31u - (unsigned)__builtin_clz(m.set) : 0;
    unsigned a = m.b ? second : first, b = m.b ? first : second;
    h->hand &= (uint16_t)~m.set;
    h->laid[0] = (struct not_alone_slot){.card = (uint8_t)a, .at = (uint8_t)a};
    h->laid[1] = (struct not_alone_slot){.card = (uint8_t)b, .at = (uint8_t)b};
}

static void do_resist(struct not_alone *s, unsigned hunted, struct not_alone_move m,
                      struct game_notes *notes) {
    struct not_alone_hunted *h = &s->h[hunted];
    h->will -= m.k;
    h->hand |= m.set;
    h->discard &= (uint16_t)~m.set;
    h->resisted = 1;
    if (!h->will)
        give_up(s, hunted, notes);
}

// One card stays, the other goes back to hand.
static void keep_one(struct not_alone_hunted *h, unsigned card) {
    for (unsigned i = 0; i < SLOTS_LAID; i++) {
        if (!h->laid[i].card || h->laid[i].card == card)
            continue;
        h->hand |= PLACE_BIT(h->laid[i].card);
        h->laid[i] = (struct not_alone_slot){0};
    }
}

// Whoever drew in the Reckoning and may still play is asked (4.4).
static void ask_drawer(struct not_alone *s, unsigned hunted) {
    if (s->phase != RECKONING || !s->h[hunted].survival_left)
        return;
    s->wait = WAIT_DRAWN;
    s->owes = (uint8_t)(1u << hunted);
}

static void do_keep(struct not_alone *s, unsigned hunted, unsigned card) {
    s->h[hunted].survival |= PLACE_BIT(card);
    for (unsigned left = s->shelter & ~PLACE_BIT(card); left; left &= left - 1)
        not_alone__discard_survival(s, not_alone__lowest(left));
    s->shelter = 0;
    s->shelter_of = NOBODY;
    s->wait = WAIT_NONE;
    s->owes = 0;
    ask_drawer(s, hunted);
}

static void do_token(struct not_alone *s, struct not_alone_move m, struct game_notes *notes) {
    s->token[m.token] = m.set;
    s->token_rest[m.token] = m.b ? m.b : (uint8_t)(31 - __builtin_clz(m.set));
    for (unsigned left = m.set; left; left &= left - 1)
        game_note(notes, GAME_NOTE_SAY, LINE_TOKEN, KIND_TOKEN + m.token,
                  not_alone__planet(not_alone__lowest(left)), 0, 0);
}

static void do_ready(struct not_alone *s, int by) {
    if (s->wait == WAIT_DRAWN) {
        s->wait = WAIT_NONE;
        s->owes = 0;
    } else {
        s->ready |= (uint8_t)(1u << by);
    }
}

// ---- chance: one card at a time

static void do_chance(struct not_alone *s, struct not_alone_move m) {
    if (m.verb == VERB_STRIKE) {
        s->hunt_hand &= ~(1u << m.card);
        s->under[s->n_under++] = m.card;
        s->strike--;
    } else if (m.verb == VERB_DRAW_HUNT) {
        if (s->hunt_deck) {
            s->hunt_deck &= ~(1u << m.card);
        } else {
            for (unsigned i = 1; i < s->n_under; i++)
                s->under[i - 1] = s->under[i];
            s->under[--s->n_under] = 0;
        }
        s->hunt_hand |= 1u << m.card;
    } else {
        struct not_alone_hunted *h = &s->h[m.seat - 1];
        s->survival_deck &= (uint16_t)~PLACE_BIT(m.card);
        h->draw--;
        if (s->shelter_of == m.seat - 1)
            s->shelter |= PLACE_BIT(m.card);
        else
            h->survival |= PLACE_BIT(m.card);
    }
}

// Empty decks are refilled before somebody draws; what cannot be drawn is not owed.
void not_alone__settle_draws(struct not_alone *s) {
    s->refill = s->refill && not_alone__count(s->hunt_hand) < 3 &&
                (s->hunt_deck || s->n_under || s->n_discard);
    if (s->refill && !s->hunt_deck && !s->n_under) {
        for (unsigned i = 0; i < s->n_discard; i++) {
            s->hunt_deck |= 1u << s->hunt_discard[i];
            s->hunt_discard[i] = 0;
        }
        s->n_discard = 0;
    }
    for (unsigned k = 0; k < s->n; k++) {
        if (!s->h[k].draw)
            continue;
        if (!s->survival_deck) {
            for (unsigned i = 0; i < s->n_survival_discard; i++) {
                s->survival_deck |= PLACE_BIT(s->survival_discard[i]);
                s->survival_discard[i] = 0;
            }
            s->n_survival_discard = 0;
            for (unsigned i = 0; i < s->n; i++)
                if (s->h[i].played != s->in_use)
                    s->h[i].played = 0;
        }
        if (!s->survival_deck)
            s->h[k].draw = 0;
    }
}

// The last card has come: the Shelter keeps one, and whoever drew may play.
void not_alone__end_draws(struct not_alone *s) {
    if (s->source_of != NOBODY) {
        ask_drawer(s, s->source_of);
        s->source_of = NOBODY;
    }
    if (s->shelter_of == NOBODY || s->wait == WAIT_SHELTER)
        return;
    if (not_alone__count(s->shelter) < 2) {
        if (s->shelter)
            do_keep(s, s->shelter_of, not_alone__lowest(s->shelter));
        s->shelter_of = NOBODY;
        return;
    }
    s->wait = WAIT_SHELTER;
    s->owes = (uint8_t)(1u << s->shelter_of);
}

// What is put down lies there under seal until all who owe have answered.
static void do_answer(struct not_alone *s, unsigned hunted, struct not_alone_move m) {
    struct not_alone_hunted *h = &s->h[hunted];
    s->owes &= (uint8_t) ~(1u << hunted);
    if (m.verb == VERB_CHOOSE_RIVER) {
        keep_one(h, not_alone__lowest(m.set));
    } else if (m.verb == VERB_SHOW) {
        h->shown |= m.set;
        s->view = 1;
    } else if (m.verb == VERB_TOXIN_DISCARD) {
        h->survival &= (uint16_t)~PLACE_BIT(m.card);
        h->answer_card = m.card;
    } else {
        h->hand &= (uint16_t)~m.set;
        h->answer = m.set;
        h->answer_will = m.verb == VERB_SCREAM && m.set == 0;
    }
}

void not_alone__do(struct not_alone *s, int by, struct not_alone_move m, struct game_notes *notes) {
    unsigned k = by > 0 ? (unsigned)by - 1 : 0, open = not_alone__open_slots(s);
    struct not_alone_hunted *h = &s->h[k];
    unsigned slot = m.slot ? not_alone__pad_of(h, m.slot) : open ? not_alone__lowest(open) : 0;
    switch (m.verb) {
    case VERB_LAY:
        do_lay(h, m);
        break;
    case VERB_TAKE_UP:
        h->hand |= (uint16_t)not_alone__laid_set(h);
        h->laid[0] = h->laid[1] = (struct not_alone_slot){0};
        break;
    case VERB_RESIST:
        do_resist(s, k, m, notes);
        break;
    case VERB_GIVE_UP:
        give_up(s, k, notes);
        break;
    case VERB_PLAY_HUNT:
        not_alone__do_hunt(s, m, notes);
        break;
    case VERB_PLAY_SURVIVAL:
    case VERB_PLAY_POWER:
        not_alone__do_survival(s, k, m, notes);
        break;
    case VERB_PLACE_TOKEN:
        do_token(s, m, notes);
        break;
    case VERB_USE_POWER:
        not_alone__do_power(s, k, slot, h->laid[slot].at, m, notes);
        break;
    case VERB_TAKE_BACK:
        h->hand |= m.set;
        h->discard &= (uint16_t)~m.set;
        h->laid[slot].acted = 1;
        break;
    case VERB_PASS_PLACE:
        h->laid[slot].acted = 1;
        break;
    case VERB_CHOOSE_RIVER:
    case VERB_DISCARD:
    case VERB_SHOW:
    case VERB_SCREAM:
    case VERB_TOXIN_DISCARD:
        do_answer(s, k, m);
        break;
    case VERB_KEEP:
        do_keep(s, k, m.card);
        break;
    case VERB_READY:
        do_ready(s, by);
        break;
    default:
        do_chance(s, m);
    }
    bool place_act = m.verb == VERB_PLAY_POWER || (m.verb >= VERB_USE_POWER && m.verb <= VERB_PASS_PLACE);
    if (place_act)
        s->active = NOBODY;
}
