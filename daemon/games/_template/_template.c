// A whole small game, to copy and to learn from. Read it from top to bottom; engine/game.h is the contract.
//
// The rules. Each player gets a card face down, one more lies in the middle (c1): an owl, a magpie, else
// moles.
//   deal    sealed  the cards are laid; who gets which is chance
//   garden  open    in turn, each player exchanges two cards of others, or looks at the own one
//   bet     sealed  each player lays a ballot: `yes` = "I shall hold a bird at the end", or `no`
//   night   dark    100: the owl looks at another card. 200: the magpie exchanges the own card for another.
//                   300: everybody nudges the own card
//   day     open    people talk until the time is up; whoever has bet rightly wins
//
// To make a game of it: copy the folder to games/NAME, rename `template_game` to NAME_game, add the line
// GAME(NAME) to games.def, and write its casebook.c beside it. Nothing else in the daemon changes.
#include "engine/game.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

// ---- the facts: tables first. Everything that is only data stands in a row, not in an `if`.

enum { CARD, BALLOT }; // classes: what may share a pad with what
enum { OWL, MAGPIE, MOLE, YES, NO, KINDS };
static const struct game_kind_row kinds[] = {
    [OWL] = {"owl", CARD, true},   [MAGPIE] = {"magpie", CARD, true}, [MOLE] = {"mole", CARD, true},
    [YES] = {"yes", BALLOT, true}, [NO] = {"no", BALLOT, true},
};

enum { DEAL, GARDEN, BET, NIGHT, DAY };
static const struct game_phase_row phases[] = {
    [DEAL] = {"deal", OBSERVE_SEALED}, [GARDEN] = {"garden", OBSERVE_OPEN}, [BET] = {"bet", OBSERVE_SEALED},
    [NIGHT] = {"night", OBSERVE_DARK}, [DAY] = {"day", OBSERVE_OPEN},       {0},
};

enum { PEEK, DAY_S };
static const struct game_option options[] = {
    [PEEK] = {"peek", GAME_OPTION_BOOL, 1, 0, 1, NULL, "players may look at their own card by day"},
    [DAY_S] = {"day_s", GAME_OPTION_INT, 60, 10, 600, NULL, "seconds to talk"},
    {0},
};

// The order of the verbs is the order of legal actions, because the verb is packed on top (see `pack`).
enum { V_DEAL, V_SWAP, V_LOOK, V_SKIP, V_LAY, V_CLOSE, V_TAKE, V_EXCHANGE, V_NEXT, V_WAKE };
static const struct game_verb verbs[] = {
    // PHYSICAL: when the set-up says so, the readers tell what was dealt; the referee explains it like a
    // move.
    [V_DEAL] = {"deal",
                GAME_VERB_SEALED | GAME_VERB_PHYSICAL,
                {{"to", GAME_ARG_PLACE, false, false, NULL}, {"card", GAME_ARG_SLOT, false, false, NULL}},
                "lay a card face down"},
    [V_SWAP] = {"swap",
                0,
                {{"a", GAME_ARG_PLACE, false, false, NULL}, {"b", GAME_ARG_PLACE, false, false, NULL}},
                "exchange two cards of others"},
    // REVEALS: nobody can unsee a card, so there is no undo across this.
    [V_LOOK] = {"look",
                GAME_VERB_REVEALS,
                {{"at", GAME_ARG_PLACE, false, false, NULL}},
                "look at a card and lay it back"},
    [V_SKIP] = {"skip", 0, {{0}}, "time is up: the next player"},
    [V_LAY] = {"lay", GAME_VERB_SEALED, {{"ballot", GAME_ARG_SLOT, false, false, NULL}}, "bet"},
    [V_CLOSE] = {"close", 0, {{0}}, "time is up: bets are closed"},
    // MUST: a magpie who does nothing is told of as `missed_mandatory` after the night.
    [V_TAKE] = {"take",
                GAME_VERB_SEALED | GAME_VERB_MUST,
                {{"from", GAME_ARG_PLACE, false, false, NULL}},
                "exchange the own card for another"},
    // What hands do in the dark against the rules still moves the cards: the state follows as a slip by
    // `table`.
    [V_EXCHANGE] = {"exchange",
                    GAME_VERB_SEALED,
                    {{"a", GAME_ARG_PLACE, false, false, NULL}, {"b", GAME_ARG_PLACE, false, false, NULL}},
                    "cards that have changed places"},
    [V_NEXT] = {"next", 0, {{0}}, "the next step of the night"},
    [V_WAKE] = {"end", 0, {{0}}, "time is up: the end"},
    {0},
};

enum { L_GARDEN, L_BET, L_EYES, L_OWL, L_MAGPIE, L_NUDGE, L_DAY, L_LOOKED, L_TOOK, L_YES, L_NO };
static const struct game_line_row lines[] = {
    [L_GARDEN] = {"garden", "Seat {0}: exchange two cards of others, or look at your own.", "s"},
    [L_BET] = {"bet", "Bet: will you hold a bird at the end?", ""},
    [L_EYES] = {"eyes", "Close your eyes.", ""},
    [L_OWL] = {"owl", "Owl. You may look at another card.", ""},
    [L_MAGPIE] = {"magpie", "Magpie. Exchange your card for another.", ""},
    [L_NUDGE] = {"nudge", "Everybody: nudge your card.", ""},
    [L_DAY] = {"day", "Open your eyes.", ""},
    [L_LOOKED] = {"looked", "Seat {0} looked at {1}.", "sp"},
    // What seats do unseen is told at the end, each in a sentence.
    [L_TOOK] = {"took", "Seat {0} took {1}.", "sp"},
    [L_YES] = {"bet_yes", "Seat {0} bet on yes.", "s"},
    [L_NO] = {"bet_no", "Seat {0} bet on no.", "s"},
    {0},
};

static const struct game_preset presets[] = {
    {"three", 3, "owl magpie mole mole", "day_s=30", "three players, a short day"},
    {0},
};

// ---- the state: flat, no pointer, every byte written by init (memset), so that equal states compare equal

enum { SEATS_MAX = 6, CARDS_MAX = SEATS_MAX + 1, EMPTY = 0xff };
enum { STEP_OWL, STEP_MAGPIE, STEP_NUDGE, STEPS };

struct state {
    uint8_t seats, phase, turn, step;
    uint8_t peek, over;
    uint16_t day_s;
    uint8_t kind[CARDS_MAX];   // of each card slot
    uint8_t lies[CARDS_MAX];   // place -> card slot; places 0..seats-1 are s1..sN, place `seats` is c1
    uint8_t woken[CARDS_MAX];  // seat -> card slot held when the night begins: that decides who wakes
    uint8_t ballot[SEATS_MAX]; // seat -> YES, NO, EMPTY
    uint8_t looked[SEATS_MAX]; // seat -> card slot it looked at by day, EMPTY
    uint8_t night_place;       // where the owl looked, EMPTY
    uint8_t night_card, acted; // what it saw; steps in which somebody acted (bit)
};

// An action is a number of the game's own making: verb, then arguments, so that sorting is ascending verbs.
static game_action pack(unsigned verb, unsigned a, unsigned b) {
    return (game_action)verb << 32 | (game_action)a << 16 | b;
}
static unsigned verb_of(game_action action) {
    return (unsigned)(action >> 32);
}
static unsigned a_of(game_action action) {
    return action >> 16 & 0xffff;
}
static unsigned b_of(game_action action) {
    return action & 0xffff;
}

static unsigned cards(const struct state *s) {
    return s->seats + 1u;
}
// Slots: the cards, then the `yes` of each seat, then the `no` of each seat.
static game_slot ballot_slot(const struct state *s, unsigned seat, unsigned kind) {
    return (game_slot)(cards(s) + (kind == NO ? s->seats : 0u) + seat);
}
static bool is_laid(const struct state *s, unsigned slot) {
    for (unsigned p = 0; p < cards(s); p++)
        if (s->lies[p] == slot)
            return true;
    return false;
}
// Who wakes is decided by the card at the beginning of the night, wherever it lies later.
static int sleeper(const struct state *s, unsigned kind) {
    for (unsigned seat = 0; seat < s->seats; seat++)
        if (s->woken[seat] != EMPTY && s->kind[s->woken[seat]] == kind)
            return (int)seat;
    return -1;
}
static int awake(const struct state *s) {
    return s->step == STEP_OWL ? sleeper(s, OWL) : s->step == STEP_MAGPIE ? sleeper(s, MAGPIE) : -1;
}

// ---- the set-up

static enum error_code template_prepare(struct game_setup *setup, struct game_issues *ret,
                                        struct error *err) {
    static const game_kind own[CARDS_MAX] = {OWL, MAGPIE, MOLE, MOLE, MOLE, MOLE, MOLE};
    unsigned count[KINDS] = {0}, n = setup->seats + 1u;
    if (setup->seats < 2 || setup->seats > SEATS_MAX)
        return error_illegal(err, "E_SEATS", "2 to %d players", SEATS_MAX);
    if (setup->n_cards == 0) {
        setup->n_cards = (uint16_t)n;
        memcpy(setup->cards, own, n * sizeof *own);
    }
    for (unsigned i = 0; i < setup->n_cards; i++)
        count[setup->cards[i]]++;
    if (setup->n_cards != n || count[YES] || count[NO])
        game_issue(ret, true, "E_CARDS", "%u birds and moles are needed, one more than players", n);
    if (count[OWL] > 1 || count[MAGPIE] > 1)
        game_issue(ret, true, "E_BIRDS", "one owl and one magpie at most");
    if (!count[OWL] && !count[MAGPIE])
        game_issue(ret, false, "W_NO_BIRD", "without a bird every bet is easy");
    for (unsigned i = 0; i < ret->n; i++)
        if (ret->issue[i].is_error)
            return error_illegal(err, ret->issue[i].code, "%s", ret->issue[i].text);
    // Equal kinds stand next to each other: pieces are bound to the lowest free slot of their kind.
    setup->n_slots = 0;
    for (unsigned k = OWL; k <= NO; k++)
        for (unsigned i = 0; i < (k < YES ? count[k] : setup->seats); i++)
            setup->slot_kind[setup->n_slots++] = (game_kind)k;
    return ERROR_OK;
}

static void template_places(const struct game_setup *setup, struct game_places *ret) {
    assert(setup->seats > 0);
    ret->n = 0;
    for (int seat = 0; seat <= setup->seats; seat++) {
        struct game_place_row *row = &ret->row[ret->n++];
        *row = (struct game_place_row){.accepts = 1u << CARD, .shares = GAME_NONE, .y = 500};
        row->seat = (int8_t)(seat < setup->seats ? seat : -1);
        row->x = (int16_t)(100 + 800 * seat / setup->seats);
        snprintf(row->name, sizeof row->name, seat < setup->seats ? "s%d" : "c1", seat + 1);
    }
    for (int seat = 0; seat < setup->seats; seat++) {
        struct game_place_row *row = &ret->row[ret->n++];
        // A ballot may lie on the pad of the seat's card: they are told apart by their class.
        *row = (struct game_place_row){.accepts = 1u << BALLOT, .shares = (game_place)seat, .y = 800};
        row->seat = (int8_t)seat;
        row->x = (int16_t)(100 + 800 * seat / setup->seats);
        snprintf(row->name, sizeof row->name, "b%d", seat + 1);
    }
}

static void template_seat_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]) {
    (void)setup, (void)seat;
    ret[0] = '\0';
}

static void template_init(void *state, const struct game_setup *setup) {
    struct state *s = state;
    memset(s, 0, sizeof *s);
    s->seats = setup->seats;
    s->peek = (uint8_t)setup->options[PEEK];
    s->day_s = (uint16_t)setup->options[DAY_S];
    s->night_place = s->night_card = EMPTY;
    for (unsigned i = 0; i < cards(s); i++)
        s->kind[i] = (uint8_t)setup->slot_kind[i];
    memset(s->lies, EMPTY, sizeof s->lies);
    memset(s->woken, EMPTY, sizeof s->woken);
    memset(s->ballot, EMPTY, sizeof s->ballot);
    memset(s->looked, EMPTY, sizeof s->looked);
}

// ---- moments

// The script is made of public facts alone (here: of nothing but the rules), so it is the same whoever wakes,
// and a step is called although its card lies in the middle.
static void template_script(const void *state, struct game_script *ret) {
    static const struct game_step steps[STEPS] = {
        [STEP_OWL] = {.id = "100",
                      .length_ms = 14000,
                      .close_ms = 12000,
                      .n_cues = 2,
                      .cue = {{L_EYES, {0}, 0}, {L_OWL, {0}, 2000}}},
        [STEP_MAGPIE] =
            {.id = "200", .length_ms = 14000, .close_ms = 12000, .n_cues = 1, .cue = {{L_MAGPIE, {0}, 0}}},
        [STEP_NUDGE] = {.id = "300",
                        .length_ms = 6000,
                        .close_ms = 6000,
                        .checkpoint = true,
                        .n_cues = 1,
                        .cue = {{L_NUDGE, {0}, 0}}},
    };
    (void)state;
    ret->n = STEPS;
    memcpy(ret->step, steps, sizeof steps);
}

static void template_phase(const void *state, struct game_phase *ret) {
    static const uint32_t night_ms[STEPS] = {14000, 14000, 6000};
    const struct state *s = state;
    int seat;
    *ret = (struct game_phase){.id = s->phase, .step = s->step, .over = s->over};
    switch (s->phase) {
    case GARDEN:
        ret->turn = (uint16_t)(1u << s->turn);
        ret->clock = s->turn; // each turn has its own minute
        ret->limit_ms = 60000;
        break;
    case BET:
        for (seat = 0; seat < s->seats; seat++)
            if (s->ballot[seat] == EMPTY)
                ret->turn |= (uint16_t)(1u << seat);
        ret->limit_ms = 30000;
        break;
    case NIGHT: // the truth; the table masks it
        if ((seat = awake(s)) >= 0 && !(s->acted >> s->step & 1))
            ret->turn = (uint16_t)(1u << seat);
        ret->limit_ms = night_ms[s->step];
        break;
    case DAY:
        ret->limit_ms = s->over ? 0 : s->day_s * 1000u;
        break;
    }
}

// Only what encode makes: no bit may stand where no argument is, or two numbers would mean one action.
static bool is_well_formed(game_action action) {
    unsigned verb = verb_of(action);
    return action >> 40 == 0 && verb <= V_WAKE && (verbs[verb].args[0].name || a_of(action) == 0) &&
           (verbs[verb].args[1].name || b_of(action) == 0);
}

// ---- actions. One function tells whether an action is legal and why not; `legal` offers candidates to it
// and `apply` asks it first, so the two cannot disagree.

static enum error_code check(const struct state *s, int by, game_action action, struct error *err) {
    unsigned a = a_of(action), b = b_of(action), n = cards(s);
    bool dark = s->phase == NIGHT;
    if (s->over)
        return error_illegal(err, "E_OVER", "the game is over");
    if (!is_well_formed(action))
        return error_illegal(err, "E_NO_ACTION", "there is no such action");
    switch (verb_of(action)) {
    case V_DEAL:
        if (by == GAME_BY_CHANCE && s->phase == DEAL && a < n && b < n && s->lies[a] == EMPTY &&
            !is_laid(s, b))
            return ERROR_OK;
        break;
    case V_SWAP:
        if (by != s->turn || s->phase != GARDEN)
            break;
        if (a == s->turn || b == s->turn)
            return error_illegal(err, "E_OWN", "not your own card");
        if (a < b && b < n)
            return ERROR_OK;
        break;
    case V_LOOK:
        if (s->phase == GARDEN && by == s->turn && s->peek && a == s->turn)
            return ERROR_OK;
        if (dark && s->step == STEP_OWL && by >= 0 && by == awake(s) && !(s->acted >> s->step & 1) && a < n &&
            a != (unsigned)by)
            return ERROR_OK;
        break;
    case V_LAY:
        if (s->phase == BET && by >= 0 && by < s->seats && s->ballot[by] == EMPTY &&
            (a == ballot_slot(s, (unsigned)by, YES) || a == ballot_slot(s, (unsigned)by, NO)))
            return ERROR_OK;
        break;
    case V_TAKE:
        if (dark && s->step == STEP_MAGPIE && by >= 0 && by == awake(s) && !(s->acted >> s->step & 1) &&
            a < n && a != (unsigned)by)
            return ERROR_OK;
        break;
    case V_EXCHANGE:
        if (dark && by == GAME_BY_TABLE && a < b && b < n)
            return ERROR_OK;
        break;
    case V_SKIP:
    case V_CLOSE:
    case V_NEXT:
    case V_WAKE: {
        static const uint8_t when[] = {[V_SKIP] = GARDEN, [V_CLOSE] = BET, [V_NEXT] = NIGHT, [V_WAKE] = DAY};
        if (by == GAME_BY_TIMER && s->phase == when[verb_of(action)])
            return ERROR_OK;
        break;
    }
    }
    return error_illegal(err, "E_NOT_NOW", "this is not possible now");
}

// Every action a person could mean with this verb; ascending, because loops ascend and pack sorts.
static size_t offer(const struct state *s, int by, bool legal, game_action *ret, size_t cap) {
    size_t n = 0;
    for (unsigned verb = V_DEAL; verb <= V_WAKE; verb++) {
        bool has_a = verbs[verb].args[0].name, has_b = verbs[verb].args[1].name;
        unsigned a_end = verb == V_LAY ? cards(s) + 2u * s->seats : has_a ? cards(s) : 1;
        unsigned b_end = has_b ? cards(s) : 1;
        for (unsigned a = 0; a < a_end; a++) {
            for (unsigned b = 0; b < b_end; b++) {
                game_action action = pack(verb, a, b);
                struct error err;
                bool mistake = verb == V_SWAP && a < b;
                bool wanted = check(s, by, action, &err) == ERROR_OK
                                  ? legal
                                  : !legal && mistake && !strcmp(err.rule, "E_OWN");
                if (wanted && n++ < cap)
                    ret[n - 1] = action;
            }
        }
    }
    return n;
}
static size_t template_legal(const void *state, int by, game_action *ret, size_t cap) {
    return offer(state, by, true, ret, cap);
}
// What people try and the rules refuse, well-formed enough to have a proof: the referee looks here when
// nothing legal explains the hands, and so can say "not your own card" instead of "this card lies wrong".
static size_t template_mistakes(const void *state, int by, game_action *ret, size_t cap) {
    return offer(state, by, false, ret, cap);
}

static void swap(struct state *s, unsigned a, unsigned b) {
    uint8_t card = s->lies[a];
    s->lies[a] = s->lies[b];
    s->lies[b] = card;
}
static void end_turn(struct state *s, struct game_notes *notes) {
    if (++s->turn < s->seats) {
        game_note(notes, GAME_NOTE_SAY, L_GARDEN, s->turn, 0, 0, 0);
        return;
    }
    s->turn = 0;
    s->phase = BET;
    game_note(notes, GAME_NOTE_SAY, L_BET, 0, 0, 0, 0);
}
static void fall_asleep(struct state *s) {
    s->phase = NIGHT;
    s->step = STEP_OWL;
    memcpy(s->woken, s->lies, s->seats);
}

static enum error_code template_apply(void *state, int by, game_action action, struct game_notes *notes,
                                      struct error *err) {
    struct state *s = state;
    unsigned a = a_of(action), b = b_of(action), missing = 0;
    enum error_code code = check(s, by, action, err);
    if (code != ERROR_OK)
        return code; // nothing has been touched
    switch (verb_of(action)) {
    case V_DEAL:
        s->lies[a] = (uint8_t)b;
        for (unsigned p = 0; p < cards(s); p++)
            missing += s->lies[p] == EMPTY;
        if (missing == 0) {
            s->phase = GARDEN;
            game_note(notes, GAME_NOTE_SAY, L_GARDEN, 0, 0, 0, 0);
        }
        break;
    case V_SWAP:
        swap(s, a, b);
        end_turn(s, notes);
        break;
    case V_LOOK:
        if (s->phase == NIGHT) { // told in the story after the night, never before
            s->night_place = (uint8_t)a;
            s->night_card = s->lies[a];
            s->acted |= (uint8_t)(1u << s->step);
            game_note(notes, GAME_NOTE_STORY, L_LOOKED, by, (int)a, 0, 0);
        } else {
            s->looked[by] = s->lies[a];
            game_note(notes, GAME_NOTE_SAY, L_LOOKED, by, (int)a, 0, 0);
            end_turn(s, notes);
        }
        break;
    case V_SKIP:
        end_turn(s, notes);
        break;
    case V_LAY:
        s->ballot[by] = a == ballot_slot(s, (unsigned)by, YES) ? YES : NO;
        game_note(notes, GAME_NOTE_STORY, s->ballot[by] == YES ? L_YES : L_NO, by, 0, 0, 0);
        for (unsigned seat = 0; seat < s->seats; seat++)
            missing += s->ballot[seat] == EMPTY;
        if (missing == 0)
            fall_asleep(s);
        break;
    case V_CLOSE:
        fall_asleep(s);
        break;
    case V_TAKE:
        swap(s, (unsigned)by, a);
        s->acted |= (uint8_t)(1u << s->step);
        game_note(notes, GAME_NOTE_STORY, L_TOOK, by, (int)a, 0, 0);
        break;
    case V_EXCHANGE:
        swap(s, a, b);
        break;
    case V_NEXT:
        if (++s->step == STEPS) {
            s->step = 0;
            s->phase = DAY;
            game_note(notes, GAME_NOTE_SAY, L_DAY, 0, 0, 0, 0);
        }
        break;
    case V_WAKE:
        s->over = 1;
        break;
    }
    return ERROR_OK;
}

// ---- the table as the state demands it

static void template_layout(const void *state, struct game_layout *ret) {
    const struct state *s = state;
    game_layout_clear(ret);
    for (unsigned p = 0; p < cards(s); p++) {
        if (s->over)
            game_layout_free(ret, (game_place)p); // people collect their cards: that means nothing
        else if (s->lies[p] != EMPTY)
            game_layout_slot(ret, (game_place)p, s->lies[p], GAME_FACE_DOWN);
    }
    for (unsigned seat = 0; seat < s->seats; seat++) {
        game_place place = (game_place)(cards(s) + seat);
        if (s->over)
            game_layout_free(ret, place);
        else if (s->ballot[seat] != EMPTY)
            game_layout_slot(ret, place, ballot_slot(s, seat, s->ballot[seat]), GAME_FACE_DOWN);
    }
}

// What hands show when they do it. Most actions are proved by the layout after them; a look leaves no trace
// but a visit; a magpie may read the card in the hand before laying it: allowed, never needed. A mistake has
// a proof too, so this must not rely on apply.
static void template_proof(const void *state, int by, game_action action, struct game_proof *ret) {
    struct state after = *(const struct state *)state;
    unsigned a = a_of(action);
    switch (verb_of(action)) {
    case V_SWAP:
        swap(&after, a, b_of(action));
        break;
    case V_LOOK:
        ret->needed[ret->n_needed++] = (struct game_visit){GAME_LOOK, (game_place)a, after.lies[a]};
        break;
    case V_TAKE:
        ret->allowed[ret->n_allowed++] = (struct game_visit){GAME_LOOK, (game_place)a, GAME_NONE};
        ret->allowed[ret->n_allowed++] = (struct game_visit){GAME_LOOK, (game_place)by, GAME_NONE};
        swap(&after, (unsigned)by, a);
        break;
    case V_WAKE:
    case V_NEXT:
    case V_CLOSE:
    case V_SKIP: // no hand moves
        break;
    default:
        template_apply(&after, by, action, NULL, NULL);
    }
    template_layout(&after, &ret->layout);
}

static void template_result(const void *state, struct observe_result *ret) {
    const struct state *s = state;
    memset(ret, 0, sizeof *ret);
    ret->over = s->over;
    if (!s->over)
        return;
    for (unsigned seat = 0; seat < s->seats; seat++) {
        unsigned kind = s->kind[s->lies[seat]];
        bool right = s->ballot[seat] != EMPTY && (s->ballot[seat] == YES) == (kind != MOLE);
        ret->score[seat] = right;
        ret->winners |= (uint16_t)(right << seat);
        snprintf(ret->seats[seat].role, sizeof ret->seats[seat].role, "%s", kinds[kind].id);
    }
    snprintf(ret->reason, sizeof ret->reason, "who has bet rightly wins");
}

// ---- what may be known. An allowlist: whoever the audience is, only what is written here can get out.

static void add_fact(struct observation *ret, const char *key, int seat, const char *place,
                     const char *kind) {
    ret->fact[ret->n_facts++] =
        (struct observe_fact){.key = key, .seat = (int8_t)seat, .place = place, .kind = kind};
}

static void template_observe(const void *state, struct observation *ret) {
    static const char *const names[] = {"s1", "s2", "s3", "s4", "s5", "s6"};
    const struct state *s = state;
    int me = ret->audience;
    template_result(state, &ret->result);
    for (unsigned p = 0; p < cards(s); p++) {
        if (s->lies[p] == EMPTY)
            continue;
        const char *kind = s->over ? kinds[s->kind[s->lies[p]]].id : NULL;
        ret->item[ret->n_items++] =
            (struct observe_item){.place = (uint16_t)p, .kind = kind, .n = 1, .face = OBSERVE_FACE_DOWN};
    }
    for (unsigned seat = 0; seat < s->seats; seat++) {
        ret->seat[seat].alive = true;
        // In a sealed phase it is public that somebody has acted. In the dark nothing is.
        ret->seat[seat].acted = s->phase == BET && s->ballot[seat] != EMPTY;
        if (s->ballot[seat] == EMPTY)
            continue;
        bool open = s->over || me == (int)seat;
        ret->item[ret->n_items++] = (struct observe_item){.place = (uint16_t)(cards(s) + seat),
                                                          .kind = open ? kinds[s->ballot[seat]].id : NULL,
                                                          .n = 1,
                                                          .face = OBSERVE_FACE_DOWN};
    }
    if (me >= 0 && me < s->seats && s->looked[me] != EMPTY)
        add_fact(ret, "saw", me, names[me], kinds[s->kind[s->looked[me]]].id);
    if (me >= 0 && s->phase == DAY && s->night_place != EMPTY && me == sleeper(s, OWL))
        add_fact(ret, "saw", me, s->night_place < s->seats ? names[s->night_place] : "c1",
                 kinds[s->kind[s->night_card]].id);
}

// ---- words. The engine knows the verb table; the game only packs and unpacks.

static enum error_code template_encode(const void *state, int by, const struct game_act *act,
                                       game_action *ret, struct error *err) {
    int32_t a = act->arg[0].given ? act->arg[0].value[0] : 0,
            b = act->arg[1].given ? act->arg[1].value[0] : 0;
    bool pair = act->verb == V_SWAP || act->verb == V_EXCHANGE;
    (void)state, (void)by;
    if (pair && a == b)
        return error_set(err, ERROR_INVALID, "b", "two different places are needed");
    // Which of the two is named first does not matter, so one order is kept.
    *ret = pair && a > b ? pack(act->verb, (unsigned)b, (unsigned)a)
                         : pack(act->verb, (unsigned)a, (unsigned)b);
    return ERROR_OK;
}

static void template_decode(const void *state, int by, game_action action, struct game_act *ret) {
    (void)state, (void)by;
    memset(ret, 0, sizeof *ret);
    ret->verb = (uint8_t)verb_of(action);
    for (unsigned i = 0; i < 2 && verbs[ret->verb].args[i].name; i++)
        ret->arg[i] = (struct game_arg){
            .given = true, .n = 1, .value = {(int32_t)(i == 0 ? a_of(action) : b_of(action))}};
}

extern const struct game template_game;
const struct game template_game = {
    .id = "template",
    .title = "Birds and Moles",
    .rules_rev = 1,
    .seats_min = 2,
    .seats_max = SEATS_MAX,
    .phases = phases,
    .kinds = kinds,
    .n_kinds = KINDS,
    .options = options,
    .verbs = verbs,
    .lines = lines,
    .presets = presets,
    .state_size = sizeof(struct state),
    .prepare = template_prepare,
    .places = template_places,
    .seat_label = template_seat_label,
    .init = template_init,
    .phase = template_phase,
    .legal = template_legal,
    .mistakes = template_mistakes,
    .apply = template_apply,
    .layout = template_layout,
    .proof = template_proof,
    .script = template_script,
    .observe = template_observe,
    .encode = template_encode,
    .decode = template_decode,
    .result = template_result,
};
