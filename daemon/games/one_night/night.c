// What happens in the dark: what each act does, what hands did that no rule allows, how steps follow.
#include "games/one_night/one_night.h"
#include <string.h>

static bool is_mark(const struct one_night *g, int place) {
    return place >= g->n_positions;
}

static void exchange(struct one_night *g, int a, int b) {
    if (is_mark(g, a)) {
        unsigned x = (unsigned)(a - g->place_k), y = (unsigned)(b - g->place_k), piece = g->mark_piece[x];
        one_night__put_mark(g, x, g->mark_piece[y]);
        one_night__put_mark(g, y, piece);
        return;
    }
    uint8_t card = g->at[a];
    g->at[a] = g->at[b];
    g->at[b] = card;
}

static void saw(struct one_night *g, unsigned seat, int place, unsigned step) {
    uint8_t what = is_mark(g, place) ? g->mark[place - g->place_k] : g->at[place];
    if (!is_mark(g, place))
        g->busy |= (uint16_t)(1u << seat);
    if (g->n_saw == SAW_MAX) // the oldest is known by now
        memmove(g->saw, g->saw + 1, --g->n_saw * sizeof *g->saw);
    g->saw[g->n_saw++] = (struct one_night_saw){(uint8_t)seat, (uint8_t)place, what, (uint8_t)step};
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

// A copycat who sees the doppelganger acts like her; a doppelganger who sees the copycat takes over what it
// has adopted and acts no more (1.4, 4.2).
static void adopt(struct one_night *g, uint8_t own, uint8_t card) {
    uint8_t seen = g->role[card];
    bool copycat = g->role[own] == ROLE_COPYCAT && !(g->doubles >> own & 1);
    g->copied[own] = seen;
    if (!one_night__adopts(seen))
        return;
    if (copycat && seen == ROLE_DOPPELGANGER) {
        g->doubles |= 1u << own;
        return;
    }
    g->copied[own] = g->copied[card];
    g->idle |= 1u << own;
}

static void do_copy(struct one_night *g, unsigned seat, game_action action, unsigned step,
                    struct game_notes *notes) {
    int place = one_night__arg(action, 0);
    uint8_t card = g->at[place], own = g->dealt[seat];
    saw(g, seat, place, step);
    adopt(g, own, card);
    int role = one_night__card_role(g, own);
    g->present |= UINT64_C(1) << role;
    if (g->copied[own] == ROLE_DOPPELGANGER)
        g->present |= ROLE_BIT(DOPPELGANGER);
    one_night__say(notes, GAME_NOTE_STORY, LINE_copied, (int)seat, role, place);
}

static bool lies_in_centre(const struct one_night *g, unsigned card) {
    for (unsigned p = g->seats; p < g->n_positions; p++)
        if (g->at[p] == card)
            return true;
    return false;
}

// A werewolf or tanner on the printed face makes the investigator one and ends his looking (3.3); a card that
// has come to the centre before adopts nothing (1.4).
static bool do_pi(struct one_night *g, unsigned seat, game_action action, struct game_notes *notes) {
    uint8_t seen = g->role[g->at[one_night__arg(action, 0)]];
    bool wolf = one_night__roles[seen].flags & IS_WOLF;
    if (!wolf && seen != ROLE_TANNER)
        return false;
    uint8_t *becomes = g->rules.pi_player ? &g->pi_seat[seat] : &g->pi_role[g->dealt[seat]];
    if (!g->rules.pi_player && lies_in_centre(g, g->dealt[seat]))
        return true;
    *becomes = wolf ? ROLE_WEREWOLF : ROLE_TANNER;
    one_night__say(notes, GAME_NOTE_STORY, LINE_became, (int)seat, wolf ? ROLE_WEREWOLF : ROLE_TANNER, 0);
    return true;
}

// Left of seat i is seat i+1: each card goes to the next seat of the set (3.3, A34).
static void do_rotate(struct one_night *g, unsigned seat, const struct one_night_act *act, game_action action,
                      struct game_notes *notes) {
    one_night_spots moved = one_night__targets(g, seat, act->from, DRAW_NONE);
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
    uint16_t line = act->from == T_ALIENS ? LINE_passed : left ? LINE_rotated_left : LINE_rotated_right;
    g->busy |= act->from == T_ALIENS ? (uint16_t)moved : (uint16_t)(1u << seat); // each passes his own
    one_night__say(notes, GAME_NOTE_STORY, line, (int)seat, acting(g, seat), 0);
}

static void do_mark(struct one_night *g, unsigned seat, game_action action, struct game_notes *notes) {
    int place = one_night__arg(action, 0);
    unsigned to = (unsigned)(place - g->place_k);
    one_night__put_mark(g, to, (unsigned)one_night__arg(action, 1));
    if (g->mark[to] == MARK_LOVE)
        g->last_loved = (uint8_t)to;
    if (g->mark[to] == MARK_VAMPIRE)
        g->bitten = (uint8_t)to;
    game_note(notes, GAME_NOTE_STORY, LINE_marked, (int)seat, acting(g, seat), KIND_MARK + g->mark[to],
              place);
}

static void do_artifact(struct one_night *g, unsigned seat, game_action action, struct game_notes *notes) {
    unsigned to = (unsigned)(one_night__arg(action, 0) - g->place_a);
    g->artifact[to] = (uint8_t)one_night__arg(action, 1);
    game_note(notes, GAME_NOTE_STORY, LINE_given, (int)seat, acting(g, seat), KIND_ARTIFACT + g->artifact[to],
              (int)to);
}

// Sticks to the player, whatever card he ends with (7.1 line 4).
static void do_convert(struct one_night *g, unsigned seat, const struct one_night_act *act,
                       game_action action, struct game_notes *notes) {
    int to = one_night__arg(action, 0);
    g->convert[to] = act->to;
    one_night__say(notes, GAME_NOTE_STORY, act->to == CONVERT_ALIEN ? LINE_converted : LINE_helped, (int)seat,
                   acting(g, seat), to);
}

static void do_answer(struct one_night *g, unsigned seat, game_action action, struct game_notes *notes) {
    g->answer[one_night__oracle_of(g, seat)] = (uint8_t)one_night__arg(action, 0);
    one_night__say(notes, GAME_NOTE_STORY, LINE_answered, (int)seat, 0, 0);
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

static void do_flip(struct one_night *g, unsigned seat, const struct one_night_act *act, game_action action,
                    unsigned step, struct game_notes *notes) {
    for (unsigned i = 0; i < 3; i++) {
        int place = one_night__arg(action, i);
        if (place < 0)
            break;
        bool hide = act->from != T_DOWN && must_hide(g, g->at[place]); // an exposer hides nothing (3.5)
        saw(g, seat, place, step);
        g->face[g->at[place]] = !hide;
        one_night__say(notes, GAME_NOTE_STORY, hide ? LINE_hidden : LINE_flipped, (int)seat, acting(g, seat),
                       place);
    }
}

// The place whose card was read before it was given away: the one of the two that might be looked at; where
// both might, the lower one.
int one_night__read_place(const struct one_night *g, unsigned seat, unsigned step,
                          const struct one_night_act *act, game_action action) {
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    one_night_spots from = one_night__targets(g, seat, act->from, one_night__night[g->steps[step]].draw);
    return (from >> b & 1) && !(from >> a & 1) ? b : a;
}

static void do_swap(struct one_night *g, unsigned seat, const struct one_night_act *act, game_action action,
                    unsigned step, struct game_notes *notes) {
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (act->flags & ACT_READS)
        saw(g, seat, one_night__read_place(g, seat, step, act, action), step);
    if (!is_mark(g, a))
        g->busy |= (uint16_t)(1u << seat);
    exchange(g, a, b);
    if (act->flags & ACT_SEES)
        saw(g, seat, is_mark(g, a) ? one_night__mark_place(g, seat) : (int)seat, step);
    game_note(notes, GAME_NOTE_STORY, LINE_swapped, (int)seat, acting(g, seat), a, b);
}

static void do_act(struct one_night *g, unsigned seat, const struct one_night_act *act, game_action action,
                   unsigned step, struct game_notes *notes) {
    switch (act->verb) {
    case VERB_VIEW:
        do_view(g, seat, action, step, notes);
        break;
    case VERB_COPY:
        do_copy(g, seat, action, step, notes);
        break;
    case VERB_ROTATE:
        do_rotate(g, seat, act, action, notes);
        break;
    case VERB_FLIP:
        do_flip(g, seat, act, action, step, notes);
        break;
    case VERB_FLIPBACK: // already counted as hidden; it was in the hand once more
        one_night__say(notes, GAME_NOTE_STORY, LINE_viewed, (int)seat, acting(g, seat),
                       one_night__arg(action, 0));
        break;
    case VERB_SHIELD:
        do_shield(g, seat, action, notes);
        break;
    case VERB_MARK:
        do_mark(g, seat, action, notes);
        break;
    case VERB_ARTIFACT:
        do_artifact(g, seat, action, notes);
        break;
    case VERB_CONVERT:
        do_convert(g, seat, act, action, notes);
        break;
    case VERB_ANSWER:
        do_answer(g, seat, action, notes);
        break;
    default:
        do_swap(g, seat, act, action, step, notes);
        break;
    }
}

// What all of a group saw who acted together, or to whom it was shown.
static void saw_together(struct one_night *g, unsigned seat, const struct one_night_act *act,
                         game_action action, unsigned step) {
    for (unsigned s = 0; s < g->seats && act->verb == VERB_VIEW; s++)
        if (s != seat && one_night__wakes(g, g->steps[step], s))
            saw(g, s, one_night__arg(action, 0), step);
}

// Apart, so that the many steps of the clock do not save what only an act needs.
__attribute__((noinline)) static enum error_code apply_seat(struct one_night *g, unsigned seat,
                                                            game_action action, struct game_notes *notes,
                                                            struct error *err) {
    bool held = false;
    const struct one_night_act *act = one_night__act_of(g, seat, action, &held);
    if (!act)
        return one_night__not_now(err);
    unsigned step = held ? g->step - 1u : g->step;
    uint8_t *stages = held ? g->held_stage : g->stage;
    uint16_t *set = held ? &g->held : &g->awake, own = (uint16_t)(1u << seat);
    do_act(g, seat, act, action, step, notes);
    bool stopped = ((act->flags & ACT_PI) && do_pi(g, seat, action, notes)) ||
                   ((act->flags & ACT_PART) && one_night__arg(action, act->most - 1u) >= 0);
    if (act->flags & (ACT_GROUP | ACT_SHOWN))
        saw_together(g, seat, act, action, step);
    if (act->flags & ACT_GROUP) {
        *set = 0;
        return ERROR_OK;
    }
    bool instant = one_night__night[g->steps[step]].id == 120 && stages[seat] > 0;
    stages[seat] = (uint8_t)(stopped || act->next == STAGE_END ? STAGE_END : act->next + (instant ? 1 : 0));
    if (!one_night__has_acts(g, step, seat, stages[seat]))
        *set &= (uint16_t)~own;
    return ERROR_OK;
}

static enum error_code apply_slip_mark(struct one_night *g, game_action action, struct game_notes *notes,
                                       struct error *err) {
    int place = one_night__arg(action, 0), piece = one_night__arg(action, 1);
    if (!g->place_k || place < g->place_k || place >= g->place_k + g->seats || piece < 0 ||
        piece >= MARK_PIECES_MAX || !(one_night__tray(g) >> piece & 1) || one_night__arg(action, 2) >= 0)
        return one_night__not_now(err);
    one_night__put_mark(g, (unsigned)(place - g->place_k), (unsigned)piece);
    one_night__say(notes, GAME_NOTE_STORY, LINE_slip_marked,
                   KIND_MARK + (int)one_night__mark_of_piece(g, (unsigned)piece), place, 0);
    return ERROR_OK;
}

static bool slip_fits(const struct one_night *g, int a, int b, bool two) {
    int x = a < 0 ? -1 : one_night__spot(g, a), y = b < 0 ? -1 : one_night__spot(g, b);
    if (x < 0 || (!two && b >= 0))
        return false;
    return !two || (b > a && y >= 0 && (x >= MARK_SPOT) == (y >= MARK_SPOT));
}

static enum error_code apply_slip(struct one_night *g, game_action action, struct game_notes *notes,
                                  struct error *err) {
    unsigned verb = one_night__verb(action);
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1), c = one_night__arg(action, 2);
    bool two = verb == VERB_SLIP_SWAP || verb == VERB_SLIP_BACK;
    if (verb == VERB_SLIP_MARK)
        return apply_slip_mark(g, action, notes, err);
    if (c >= 0 || !slip_fits(g, a, b, two) || (!two && verb != VERB_SLIP_LOOK))
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

// Most seats of most steps are told apart by the dealt card alone.
static bool may_wake(const struct one_night *g, const struct one_night_night *row, unsigned seat) {
    unsigned card = g->dealt[seat];
    return (row->roles >> g->role[card] & 1) || g->copied[card] != ROLE_NONE || (row->flags & NIGHT_ALL);
}

__attribute__((noinline)) static void wake(struct one_night *g, const struct one_night_night *row) {
    if (row->flags & NIGHT_AURA)
        g->aura = g->busy;
    memset(g->stage, 0, sizeof g->stage);
    for (unsigned s = 0; s < g->seats; s++)
        if (may_wake(g, row, s) && one_night__wakes(g, g->steps[g->step], s) &&
            one_night__has_acts(g, g->step, s, 0))
            g->awake |= (uint16_t)(1u << s);
}

static void enter_step(struct one_night *g, unsigned step) {
    g->step = (uint8_t)step;
    g->awake = 0;
    if (g->steps[step] == STEP_CHECK)
        return;
    const struct one_night_night *row = &one_night__night[g->steps[step]];
    if ((row->roles & g->present) || (row->flags & NIGHT_ALL))
        wake(g, row);
}

// A ripple that comes may call steps once more.
static void call_ripple(struct one_night *g) {
    if (one_night__variant(g, DRAW_RIPPLE) >= VARIANT_RIPPLE_REPEAT &&
        one_night__variant(g, DRAW_RIPPLE) < VARIANTS)
        one_night__call_list(g);
}

void one_night__night_begin(struct one_night *g) {
    g->phase = PHASE_NIGHT;
    g->round = 1;
    g->held = 0;
    call_ripple(g);
    for (unsigned s = 0; s < g->seats; s++)
        g->present |= UINT64_C(1) << g->role[g->dealt[s]];
    enter_step(g, 0);
}

// Dusk is over when everybody has seen the own mark: what it says then holds for the night (3.4).
static void dusk_over(struct one_night *g) {
    g->afraid = one_night__with_mark(g, MARK_FEAR);
    g->lovers = one_night__with_mark(g, MARK_LOVE);
}

static enum error_code apply_timer(struct one_night *g, game_action action, struct game_notes *notes,
                                   struct error *err) {
    bool hold = action == one_night__pack(VERB_HOLD, -1, -1, -1);
    if (!hold && action != one_night__pack(VERB_NEXT, -1, -1, -1))
        return one_night__not_now(err);
    const struct one_night_night *row =
        g->steps[g->step] == STEP_CHECK ? NULL : &one_night__night[g->steps[g->step]];
    bool asks = row && (row->flags & NIGHT_ANSWER);
    if (g->held)
        note_missed(g, g->step - 1u, g->held, g->held_stage, notes);
    g->held = 0;
    if (hold && g->step + 1u < g->n_steps && !asks) {
        g->held = g->awake;
        memcpy(g->held_stage, g->stage, sizeof g->held_stage);
    } else if (g->awake) {
        note_missed(g, g->step, g->awake, g->stage, notes);
    }
    if (row && row->id == 290)
        dusk_over(g);
    if (asks) { // the answer is known: the rest of the night can be told
        one_night__answer_settle(g, row->id == 100 ? 0 : 1);
        g->part = g->step + 1;
        g->round++;
        call_ripple(g);
        enter_step(g, g->part);
    } else if (g->step + 1u < g->n_steps) {
        enter_step(g, g->step + 1u);
    } else {
        one_night__day_begin(g);
    }
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

// ---- what open eyes were shown

static uint16_t with_role(const struct one_night *g, unsigned role) {
    uint16_t ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (one_night__night_role(g, s) == role)
            ret |= (uint16_t)(1u << s);
    return ret;
}

static uint16_t converted(const struct one_night *g) {
    uint16_t ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (g->convert[s] == CONVERT_ALIEN)
            ret |= (uint16_t)(1u << s);
    return ret;
}

// Thumbs are out also of those who are afraid (3.4).
static uint16_t shown(const struct one_night *g, unsigned step) {
    const struct one_night_night *row = &one_night__night[g->steps[step]];
    uint16_t ret = 0;
    if (row->flags & NIGHT_GROUP)
        for (unsigned s = 0; s < g->seats; s++)
            if (one_night__wakes(g, g->steps[step], s))
                ret |= (uint16_t)(1u << s);
    if (row->id == 400)
        ret |= with_role(g, ROLE_DREAM_WOLF) & (uint16_t)~g->afraid;
    if (row->flags & NIGHT_THUMBS)
        ret |= one_night__of_kind(g, IS_WOLF);
    if (row->flags & NIGHT_FANGS)
        ret |= one_night__of_kind(g, IS_FANG);
    if (row->flags & NIGHT_ALIENS)
        ret |= one_night__of_kind(g, IS_ALIEN) | converted(g);
    if (row->flags & NIGHT_TANNERS)
        ret |= with_role(g, ROLE_TANNER);
    if (row->flags & NIGHT_AURA)
        ret |= g->aura;
    if (row->roles == ROLE_BIT(APPRENTICE_ASSASSIN))
        ret |= with_role(g, ROLE_ASSASSIN);
    if (row->roles == ROLE_BIT(ASSASSIN) && (g->roles & ROLE_BIT(APPRENTICE_ASSASSIN)))
        ret |= with_role(g, ROLE_APPRENTICE_ASSASSIN);
    return ret;
}

// Dealt or adopted members of a group that a seat was shown with open eyes, and thumbs (3.2, sees).
uint16_t one_night__sees(const struct one_night *g, unsigned seat) {
    uint16_t ret = 0;
    for (unsigned i = 0; i < g->n_steps; i++)
        if (g->steps[i] != STEP_CHECK && one_night__wakes(g, g->steps[i], seat))
            ret |= shown(g, i);
    return ret & (uint16_t) ~(1u << seat);
}

// Renfield sees at whom the vampires point.
bool one_night__sees_bite(const struct one_night *g, unsigned seat) {
    for (unsigned i = 0; i < g->n_steps; i++)
        if (g->steps[i] != STEP_CHECK && (one_night__night[g->steps[i]].flags & NIGHT_FANGS) &&
            one_night__wakes(g, g->steps[i], seat))
            return g->bitten < g->seats;
    return false;
}
