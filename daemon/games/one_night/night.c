// What happens in the dark: what each act does, what hands did that no rule allows, how steps follow.
#include "games/one_night/one_night.h"
#include <string.h>

static void exchange(struct one_night *g, int a, int b) {
    uint8_t card = g->at[a];
    g->at[a] = g->at[b];
    g->at[b] = card;
}

static void saw(struct one_night *g, unsigned seat, int place, unsigned step) {
    if (g->n_saw < SAW_MAX)
        g->saw[g->n_saw++] =
            (struct one_night_saw){(uint8_t)seat, (uint8_t)place, g->at[place], (uint8_t)step};
}

// The role a seat is named by in the story: its dealt card's.
static int acting(const struct one_night *g, unsigned seat) {
    return g->role[g->dealt[seat]];
}

static void do_view(struct one_night *g, unsigned seat, game_action action, unsigned step,
                    struct game_notes *notes) {
    for (unsigned i = 0; i < 3; i++) {
        int place = one_night__arg(action, i);
        if (place < 0)
            break;
        saw(g, seat, place, step);
        one_night__say(notes, GAME_NOTE_STORY, LINE_viewed, (int)seat, acting(g, seat), place);
    }
}

static void do_copy(struct one_night *g, unsigned seat, game_action action, unsigned step,
                    struct game_notes *notes) {
    int place = one_night__arg(action, 0);
    uint8_t card = g->at[place], own = g->dealt[seat];
    saw(g, seat, place, step);
    // A copycat has adopted its role before her (4.2); another doppelganger has nothing to give.
    g->copied[own] = one_night__adopts(g->role[card]) ? g->copied[card] : g->role[card];
    int role = one_night__card_role(g, own);
    g->present |= UINT64_C(1) << role;
    one_night__say(notes, GAME_NOTE_STORY, LINE_copied, (int)seat, role, place);
}

// A werewolf or tanner on the printed face makes the investigator one and ends his looking (3.3).
static bool do_pi(struct one_night *g, unsigned seat, game_action action, struct game_notes *notes) {
    uint8_t seen = g->role[g->at[one_night__arg(action, 0)]];
    bool wolf = one_night__roles[seen].flags & IS_WOLF;
    if (!wolf && seen != ROLE_TANNER)
        return false;
    g->pi_role[g->dealt[seat]] = wolf ? ROLE_WEREWOLF : ROLE_TANNER;
    one_night__say(notes, GAME_NOTE_STORY, LINE_became, (int)seat, wolf ? ROLE_WEREWOLF : ROLE_TANNER, 0);
    return true;
}

// Left of seat i is seat i+1: each card goes to the next seat of the set (3.3, A34).
static void do_rotate(struct one_night *g, unsigned seat, game_action action, struct game_notes *notes) {
    uint32_t moved = one_night__moved(g, seat);
    bool left = one_night__arg(action, 0) == 0;
    uint8_t before[POSITIONS_MAX];
    memcpy(before, g->at, sizeof before);
    for (unsigned s = 0; s < g->seats; s++) {
        if (!(moved >> s & 1))
            continue;
        int to = (int)s;
        do
            to = left ? one_night__left(g, to) : one_night__right(g, to);
        while (!(moved >> to & 1));
        g->at[to] = before[s];
    }
    one_night__say(notes, GAME_NOTE_STORY, left ? LINE_rotated_left : LINE_rotated_right, (int)seat,
                   acting(g, seat), 0);
}

static void do_shield(struct one_night *g, unsigned seat, game_action action, struct game_notes *notes) {
    int place = one_night__arg(action, 0);
    g->shielded |= (uint16_t)(1u << place);
    one_night__say(notes, GAME_NOTE_STORY, LINE_shielded, (int)seat, acting(g, seat), place);
}

// A werewolf or tanner, by the printed face, must be turned down again: it never counts as open (3.3). The
// doppelganger and the investigator stay open whatever they are.
static bool must_hide(const struct one_night *g, unsigned card) {
    const struct one_night_role_row *row = &one_night__roles[g->role[card]];
    if (g->rules.revealer_hides_non_village)
        return row->team != TEAM_VILLAGE;
    return (row->flags & IS_WOLF) || g->role[card] == ROLE_TANNER;
}

static void do_flip(struct one_night *g, unsigned seat, game_action action, unsigned step,
                    struct game_notes *notes) {
    int place = one_night__arg(action, 0);
    bool hide = must_hide(g, g->at[place]);
    saw(g, seat, place, step);
    g->face[g->at[place]] = !hide;
    one_night__say(notes, GAME_NOTE_STORY, hide ? LINE_hidden : LINE_flipped, (int)seat, acting(g, seat),
                   place);
}

static void do_swap(struct one_night *g, unsigned seat, const struct one_night_act *act, game_action action,
                    unsigned step, struct game_notes *notes) {
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (act->flags & ACT_READS)
        saw(g, seat, a < g->seats ? b : a, step);
    exchange(g, a, b);
    if (act->flags & ACT_SEES)
        saw(g, seat, (int)seat, step);
    game_note(notes, GAME_NOTE_STORY, LINE_swapped, (int)seat, acting(g, seat), a, b);
}

static enum error_code apply_seat(struct one_night *g, unsigned seat, game_action action,
                                  struct game_notes *notes, struct error *err) {
    bool held = false;
    const struct one_night_act *act = one_night__act_of(g, seat, action, &held);
    if (!act)
        return one_night__not_now(err);
    unsigned step = held ? g->step - 1u : g->step;
    uint8_t *stages = held ? g->held_stage : g->stage;
    bool stopped = false;
    switch (act->verb) {
    case VERB_VIEW:
        do_view(g, seat, action, step, notes);
        stopped = ((act->flags & ACT_PI) && do_pi(g, seat, action, notes)) ||
                  ((act->flags & ACT_PART) && one_night__arg(action, act->most - 1u) >= 0);
        break;
    case VERB_COPY:
        do_copy(g, seat, action, step, notes);
        break;
    case VERB_ROTATE:
        do_rotate(g, seat, action, notes);
        break;
    case VERB_FLIP:
        do_flip(g, seat, action, step, notes);
        break;
    case VERB_FLIPBACK: // already counted as hidden
        break;
    case VERB_SHIELD:
        do_shield(g, seat, action, notes);
        break;
    default:
        do_swap(g, seat, act, action, step, notes);
        break;
    }
    bool instant = one_night__night[g->steps[step]].id == 120 && stages[seat] > 0;
    stages[seat] = (uint8_t)(stopped || act->next == STAGE_END ? STAGE_END : act->next + (instant ? 1 : 0));
    uint16_t *set = held ? &g->held : &g->awake, own = (uint16_t)(1u << seat);
    if (!one_night__has_acts(g, step, seat, stages[seat]))
        *set &= (uint16_t)~own;
    return ERROR_OK;
}

static enum error_code apply_slip(struct one_night *g, game_action action, struct game_notes *notes,
                                  struct error *err) {
    unsigned verb = one_night__verb(action);
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1), c = one_night__arg(action, 2);
    bool two = verb == VERB_SLIP_SWAP || verb == VERB_SLIP_BACK;
    bool fits = a >= 0 && a < g->n_positions && c < 0 && (two ? b > a && b < g->n_positions : b < 0);
    if (!fits || (!two && verb != VERB_SLIP_LOOK))
        return one_night__not_now(err);
    if (verb == VERB_SLIP_SWAP)
        exchange(g, a, b);
    static const uint16_t lines[] = {LINE_slip_swapped, LINE_slip_back, LINE_slip_looked};
    one_night__say(notes, GAME_NOTE_STORY, lines[verb - VERB_SLIP_SWAP], a, b, 0);
    return ERROR_OK;
}

static void note_missed(const struct one_night *g, unsigned step, uint16_t among, const uint8_t *stages,
                        struct game_notes *notes) {
    for (unsigned seat = 0; seat < g->seats && notes; seat++)
        if ((among >> seat & 1) && one_night__misses(g, step, seat, stages[seat]))
            one_night__say(notes, GAME_NOTE_STORY, LINE_missed_mandatory, (int)seat, acting(g, seat), 0);
}

static void enter_step(struct one_night *g, unsigned step) {
    g->step = (uint8_t)step;
    g->awake = 0;
    if (g->steps[step] == STEP_CHECK || !(one_night__night[g->steps[step]].roles & g->present))
        return;
    memset(g->stage, 0, sizeof g->stage);
    for (unsigned s = 0; s < g->seats; s++)
        if (one_night__wakes(g, g->steps[step], s) && one_night__has_acts(g, step, s, 0))
            g->awake |= (uint16_t)(1u << s);
}

void one_night__night_begin(struct one_night *g) {
    g->phase = PHASE_NIGHT;
    g->round = 1;
    g->held = 0;
    for (unsigned s = 0; s < g->seats; s++)
        g->present |= UINT64_C(1) << g->role[g->dealt[s]];
    enter_step(g, 0);
}

static enum error_code apply_timer(struct one_night *g, game_action action, struct game_notes *notes,
                                   struct error *err) {
    bool hold = action == one_night__pack(VERB_HOLD, -1, -1, -1);
    if (!hold && action != one_night__pack(VERB_NEXT, -1, -1, -1))
        return one_night__not_now(err);
    if (g->held)
        note_missed(g, g->step - 1u, g->held, g->held_stage, notes);
    g->held = 0;
    if (hold && g->step + 1u < g->n_steps) {
        g->held = g->awake;
        memcpy(g->held_stage, g->stage, sizeof g->held_stage);
    } else if (g->awake) {
        note_missed(g, g->step, g->awake, g->stage, notes);
    }
    if (g->step + 1u < g->n_steps)
        enter_step(g, g->step + 1u);
    else
        one_night__day_begin(g);
    return ERROR_OK;
}

enum error_code one_night__night_apply(struct one_night *g, int by, game_action action,
                                       struct game_notes *notes, struct error *err) {
    if (by == GAME_BY_TIMER)
        return apply_timer(g, action, notes, err);
    if (by == GAME_BY_TABLE)
        return apply_slip(g, action, notes, err);
    if (by >= 0 && by < g->seats)
        return apply_seat(g, (unsigned)by, action, notes, err);
    return one_night__not_now(err);
}

// Dealt or adopted members of a group that a seat was shown with open eyes, and thumbs (3.2, sees).
uint16_t one_night__sees(const struct one_night *g, unsigned seat) {
    uint16_t ret = 0;
    for (unsigned i = 0; i < g->n_steps; i++) {
        if (g->steps[i] == STEP_CHECK)
            continue;
        const struct one_night_night *row = &one_night__night[g->steps[i]];
        if (!(row->flags & (NIGHT_GROUP | NIGHT_THUMBS)) || !one_night__wakes(g, g->steps[i], seat))
            continue;
        for (unsigned s = 0; s < g->seats; s++) {
            unsigned role = one_night__card_role(g, g->dealt[s]);
            bool wolf = one_night__roles[role].flags & IS_WOLF;
            bool thumb = row->flags & NIGHT_THUMBS ? wolf : row->id == 400 && role == ROLE_DREAM_WOLF;
            bool seen = thumb || (!(row->flags & NIGHT_THUMBS) && one_night__wakes(g, g->steps[i], s));
            if (s != seat && seen)
                ret |= (uint16_t)(1u << s);
        }
    }
    return ret;
}
