// The order of the night (4): its rows, what each row lets people do, which of them a role set calls.
#include "games/one_night/one_night.h"

#define R(name) ROLE_BIT(name)
#define WOLVES (R(WEREWOLF) | R(ALPHA_WOLF) | R(MYSTIC_WOLF))
#define FANGS (R(VAMPIRE) | R(THE_MASTER) | R(THE_COUNT))
#define MARKED                                                                                               \
    (FANGS | R(COPYCAT) | R(RENFIELD) | R(DISEASED) | R(CUPID) | R(INSTIGATOR) | R(PRIEST) | R(ASSASSIN) |   \
     R(APPRENTICE_ASSASSIN) | R(MARKSMAN) | R(PICKPOCKET) | R(GREMLIN))
#define ALIENS (R(ALIEN) | R(SYNTHETIC_ALIEN) | R(GROOB) | R(ZERB))

#define SAY(call, must, more, close) LINE_##call, LINE_##must, LINE_##more, LINE_##close
#define QUIET SAY(none, none, none, none)
#define VIEW(from, most, flags)                                                                              \
    { 0, VERB_VIEW, from, T_NONE, most, flags, STAGE_END }
#define SWAP(from, to, flags)                                                                                \
    { 0, VERB_SWAP, from, to, 1, flags, STAGE_END }
#define ANSWER                                                                                               \
    { 0, VERB_ANSWER, T_NONE, T_NONE, 1, 0, 0 }
#define NO_ACT                                                                                               \
    { 0 }
#define MARK(stage, mark, whom, flags, next)                                                                 \
    { stage, VERB_MARK, whom, MARK_##mark, 1, flags, next }
#define FLIP(from, flags)                                                                                    \
    {0, VERB_FLIP, from, T_NONE, 1, flags, 1}, {                                                             \
        1, VERB_FLIPBACK, T_HIDDEN, T_NONE, 1, 0, STAGE_END                                                  \
    }
#define ROW(id, flags, window_s, mode, roles, lines, ...)                                                    \
    {                                                                                                        \
        id, flags, window_s, mode, DRAW_NONE, roles, lines, {                                                \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define DRAWN(id, flags, window_s, draw, roles, lines)                                                       \
    {                                                                                                        \
        id, flags, window_s, 0, DRAW_##draw, roles, lines, {                                                 \
            NO_ACT                                                                                           \
        }                                                                                                    \
    }

// Number, flags, window, mode, roles, lines, acts. 4.1, with what each row lets people do (3.2). Rows of
// roles that are not built yet stand here for their places in the order and have no lines. A doppelganger's
// row 120 goes on with the acts of the row named `instant` of the role she copied (4.2).
const struct one_night_night one_night__night[] = {
    ROW(10, NIGHT_EVERYONE | NIGHT_ONCE, 2, 0, 0, SAY(call_10, none, none, none), NO_ACT),
    ROW(100, NIGHT_ANSWER, 10, 0, R(ORACLE), SAY(call_100, none, none, none), ANSWER),
    DRAWN(101, 0, 10, ORACLE, R(ORACLE), SAY(none, none, none, close_101)),
    ROW(110, 0, 8, 0, R(COPYCAT), SAY(call_110, none, more_110, close_110),
        {0, VERB_COPY, T_CENTRE, T_NONE, 1, ACT_MUST, STAGE_END}),
    ROW(120, NIGHT_CHECK, 12, 0, R(DOPPELGANGER), SAY(call_120, call_120, more_120, close_120),
        {0, VERB_COPY, T_OTHER, T_NONE, 1, ACT_MUST, 1}),
    ROW(125, NIGHT_DOPPEL | NIGHT_ANSWER, 10, 0, R(ORACLE), SAY(call_125, none, none, none), ANSWER),
    DRAWN(126, NIGHT_DOPPEL, 10, DOPPEL_ORACLE, R(ORACLE), SAY(none, none, none, close_120)),
    ROW(128, NIGHT_DOPPEL | NIGHT_THUMBS, 8, 0, R(MINION), SAY(call_128, none, thumbs, close_128), NO_ACT),
    ROW(200, NIGHT_JOINS | NIGHT_GROUP, 10, 0, FANGS, SAY(call_200, none, none, close_200),
        MARK(0, VAMPIRE, T_NOT_FANGS, ACT_MUST | ACT_GROUP, STAGE_END)),
    ROW(210, 0, 10, 0, R(THE_COUNT), SAY(call_210, none, none, close_210),
        MARK(0, FEAR, T_NOT_FANGS_NEW, ACT_MUST, STAGE_END)),
    ROW(215, NIGHT_DOPPEL, 10, 0, R(THE_COUNT), SAY(call_215, none, none, close_120),
        MARK(0, FEAR, T_MARKS, ACT_MUST, STAGE_END)),
    ROW(220, NIGHT_FANGS, 10, 0, R(RENFIELD), SAY(call_220, none, more_220, close_220),
        MARK(0, BAT, T_MY_MARK, ACT_MUST, STAGE_END)),
    ROW(225, NIGHT_DOPPEL | NIGHT_FANGS, 10, 0, R(RENFIELD), SAY(call_225, none, none, close_225),
        MARK(0, BAT, T_MY_MARK, ACT_MUST, STAGE_END)),
    ROW(230, 0, 10, 0, R(DISEASED), SAY(call_230, none, none, close_230),
        MARK(0, DISEASE, T_NEAR_MARKS, ACT_MUST, STAGE_END)),
    ROW(240, 0, 12, 0, R(CUPID), SAY(call_240, none, none, close_240), MARK(0, LOVE, T_MARKS, 0, 1),
        MARK(1, LOVE, T_MARKS, ACT_NEW_MARK, STAGE_END)),
    ROW(250, 0, 10, 0, R(INSTIGATOR), SAY(call_250, none, none, close_250),
        MARK(0, TRAITOR, T_MARKS, 0, STAGE_END)),
    ROW(260, 0, 12, 0, R(PRIEST), SAY(call_260, none, more_260, close_260),
        MARK(0, CLARITY, T_MY_MARK, ACT_MUST, 1), MARK(1, CLARITY, T_OTHER_MARKS, 0, STAGE_END)),
    ROW(265, NIGHT_DOPPEL, 12, 0, R(PRIEST), SAY(call_265, none, none, close_120),
        MARK(0, CLARITY, T_MY_MARK, ACT_MUST, 1), MARK(1, CLARITY, T_OTHER_MARKS, 0, STAGE_END)),
    ROW(270, 0, 10, 0, R(ASSASSIN), SAY(call_270, none, none, close_270),
        MARK(0, ASSASSIN, T_MARKS, ACT_MUST, STAGE_END)),
    ROW(275, NIGHT_DOPPEL, 10, 0, R(ASSASSIN), SAY(call_275, none, none, close_120),
        MARK(0, ASSASSIN, T_MARKS, ACT_MUST, STAGE_END)),
    ROW(280, 0, 10, 0, R(APPRENTICE_ASSASSIN), SAY(call_280, none, more_280, close_280),
        MARK(0, ASSASSIN, T_MARKS, ACT_MUST | ACT_ALONE, STAGE_END)),
    ROW(285, NIGHT_DOPPEL, 10, 0, R(APPRENTICE_ASSASSIN), SAY(call_285, none, none, close_285),
        MARK(0, ASSASSIN, T_MARKS, ACT_MUST | ACT_ALONE, STAGE_END)),
    ROW(290, NIGHT_CHECK | NIGHT_ALL, 10, 0, MARKED, SAY(call_290, none, none, close_290),
        VIEW(T_MY_MARK, 1, 0)),
    ROW(300, NIGHT_GROUP | NIGHT_ALL, 8, 0, R(CUPID), SAY(call_300, none, none, close_300), NO_ACT),
    ROW(310, 0, 10, 0, R(SENTINEL), SAY(call_310, none, none, close_310),
        {0, VERB_SHIELD, T_UNDER, T_NONE, 1, 0, STAGE_END}),
    DRAWN(320, NIGHT_JOINS | NIGHT_GROUP | NIGHT_AGAIN, 12, ALIENS, ALIENS | R(COW),
          SAY(call_320, none, none, close_320)),
    ROW(330, NIGHT_JOINS | NIGHT_GROUP | NIGHT_PAIR | NIGHT_AGAIN, 8, 0, R(GROOB) | R(ZERB),
        SAY(call_330, none, none, close_330), NO_ACT),
    ROW(340, 0, 10, 0, R(BODY_SNATCHER), QUIET, NO_ACT),
    ROW(345, 0, 10, 0, R(TEMPTRESS), QUIET, NO_ACT),
    ROW(400, NIGHT_JOINS | NIGHT_GROUP | NIGHT_AGAIN, 8, 0, WOLVES,
        SAY(call_400, call_400, more_400, close_400), VIEW(T_CENTRE, 1, ACT_LONE)),
    ROW(410, NIGHT_AGAIN, 10, 0, R(ALPHA_WOLF), SAY(call_410, none, none, close_410),
        SWAP(T_C4, T_NOT_WOLF, ACT_MUST)),
    ROW(420, NIGHT_AGAIN, 10, 0, R(MYSTIC_WOLF), SAY(call_420, none, none, close_420), VIEW(T_OTHER, 1, 0)),
    ROW(430, NIGHT_THUMBS | NIGHT_AGAIN, 8, 0, R(MINION), SAY(call_430, call_430, thumbs, close_430), NO_ACT),
    ROW(440, NIGHT_TANNERS | NIGHT_AGAIN, 8, 0, R(APPRENTICE_TANNER), SAY(call_440, none, none, close_440),
        NO_ACT),
    ROW(450, NIGHT_ALIENS | NIGHT_AGAIN, 8, 0, R(LEADER), SAY(call_450, none, more_450, close_450), NO_ACT),
    ROW(455, NIGHT_DOPPEL | NIGHT_ALIENS | NIGHT_AGAIN, 8, 0, R(LEADER),
        SAY(call_455, none, more_450, close_455), NO_ACT),
    ROW(460, NIGHT_JOINS | NIGHT_GROUP | NIGHT_CHECK | NIGHT_AGAIN, 8, 0, R(MASON),
        SAY(call_460, call_460, none, close_460), NO_ACT),
    ROW(470, NIGHT_AGAIN, 8, 0, R(THING), SAY(call_470, none, none, close_470), NO_ACT),
    ROW(500, NIGHT_AGAIN, 10, MODE_SEER, R(SEER), SAY(call_500, must_500, none, close_500),
        VIEW(T_OTHER, 1, 0), {0, VERB_VIEW, T_CENTRE, T_NONE, 2, ACT_PART, 1},
        {1, VERB_VIEW, T_CENTRE, T_NONE, 1, ACT_NEW, STAGE_END}),
    ROW(510, NIGHT_AGAIN, 10, 0, R(APPRENTICE_SEER), SAY(call_510, none, none, close_510),
        VIEW(T_CENTRE, 1, 0)),
    ROW(520, NIGHT_AGAIN, 12, 0, R(PARANORMAL_INVESTIGATOR), SAY(call_520, none, more_520, close_520),
        {0, VERB_VIEW, T_OTHER, T_NONE, 1, ACT_PI, 1},
        {1, VERB_VIEW, T_OTHER, T_NONE, 1, ACT_PI | ACT_NEW, STAGE_END}),
    ROW(530, NIGHT_AGAIN, 12, 0, R(MARKSMAN), SAY(call_530, none, more_530, close_530),
        {0, VERB_VIEW, T_OTHER, T_NONE, 1, 0, 1}, {0, VERB_VIEW, T_OTHER_MARKS, T_NONE, 1, 0, 2},
        {1, VERB_VIEW, T_OTHER_MARKS, T_NONE, 1, ACT_NEW, STAGE_END},
        {2, VERB_VIEW, T_OTHER, T_NONE, 1, ACT_NEW, STAGE_END}),
    ROW(535, NIGHT_DOPPEL | NIGHT_AGAIN, 12, 0, R(MARKSMAN), SAY(call_535, none, none, close_120),
        {0, VERB_VIEW, T_OTHER, T_NONE, 1, 0, 1}, {0, VERB_VIEW, T_OTHER_MARKS, T_NONE, 1, 0, 2},
        {1, VERB_VIEW, T_OTHER_MARKS, T_NONE, 1, ACT_NEW, STAGE_END},
        {2, VERB_VIEW, T_OTHER, T_NONE, 1, ACT_NEW, STAGE_END}),
    ROW(540, 0, 12, 0, R(NOSTRADAMUS), QUIET, NO_ACT),
    DRAWN(550, NIGHT_AGAIN, 10, PSYCHIC, R(PSYCHIC), SAY(call_550, none, none, close_550)),
    DRAWN(555, NIGHT_DOPPEL | NIGHT_AGAIN, 10, DOPPEL_PSYCHIC, R(PSYCHIC),
          SAY(call_555, none, none, close_120)),
    ROW(600, NIGHT_AGAIN, 12, MODE_ROBBER, R(ROBBER), SAY(call_600, must_600, none, close_600),
        SWAP(T_SELF, T_OTHER, ACT_SEES)),
    ROW(610, NIGHT_AGAIN, 12, 0, R(WITCH), SAY(call_610, none, more_610, close_610),
        {0, VERB_VIEW, T_CENTRE, T_NONE, 1, 0, 1}, SWAP(T_CENTRE, T_ANY, ACT_READS),
        {1, VERB_SWAP, T_SEEN, T_ANY, 1, ACT_MUST, STAGE_END}),
    ROW(620, NIGHT_AGAIN, 12, 0, R(PICKPOCKET), SAY(call_620, none, none, close_620),
        SWAP(T_MY_MARK, T_OTHER_MARKS, ACT_SEES)),
    ROW(625, NIGHT_DOPPEL | NIGHT_AGAIN, 12, 0, R(PICKPOCKET), SAY(call_625, none, none, close_120),
        SWAP(T_MY_MARK, T_OTHER_MARKS, ACT_SEES)),
    ROW(700, NIGHT_AGAIN, 10, MODE_TROUBLEMAKER, R(TROUBLEMAKER), SAY(call_700, must_700, none, close_700),
        SWAP(T_OTHER, T_OTHER, 0)),
    ROW(710, NIGHT_AGAIN, 12, 0, R(VILLAGE_IDIOT), SAY(call_710, none, none, close_710),
        {0, VERB_ROTATE, T_OTHER, T_NONE, 1, 0, STAGE_END}),
    ROW(720, NIGHT_AURA | NIGHT_AGAIN, 8, 0, R(AURA_SEER), SAY(call_720, none, none, close_720), NO_ACT),
    ROW(730, NIGHT_AGAIN, 10, 0, R(GREMLIN), SAY(call_730, none, none, close_730), SWAP(T_ANY, T_ANY, 0),
        SWAP(T_MARKS, T_MARKS, 0)),
    ROW(735, NIGHT_DOPPEL | NIGHT_AGAIN, 10, 0, R(GREMLIN), SAY(call_735, none, none, close_120),
        SWAP(T_ANY, T_ANY, 0), SWAP(T_MARKS, T_MARKS, 0)),
    DRAWN(740, NIGHT_AGAIN, 12, RASCAL, R(RASCAL), SAY(call_740, none, none, close_740)),
    DRAWN(745, NIGHT_DOPPEL | NIGHT_CHECK | NIGHT_AGAIN, 12, DOPPEL_RASCAL, R(RASCAL),
          SAY(call_745, none, none, close_120)),
    ROW(800, NIGHT_AGAIN, 10, MODE_DRUNK, R(DRUNK), SAY(call_800, must_800, none, close_800),
        SWAP(T_SELF, T_CENTRE, 0)),
    ROW(900, NIGHT_AGAIN, 8, MODE_INSOMNIAC, R(INSOMNIAC), SAY(call_900, must_900, none, close_900),
        VIEW(T_SELF, 1, 0)),
    ROW(905, NIGHT_DOPPEL | NIGHT_CHECK | NIGHT_AGAIN, 8, MODE_INSOMNIAC, R(INSOMNIAC),
        SAY(call_905, call_905, none, close_120), VIEW(T_SELF, 1, 0)),
    ROW(910, NIGHT_THUMBS | NIGHT_AGAIN, 8, 0, R(SQUIRE), SAY(call_910, none, thumbs, close_910),
        VIEW(T_WOLVES, 3, 0)),
    ROW(920, 0, 10, 0, R(BEHOLDER), QUIET, NO_ACT),
    ROW(1000, 0, 10, 0, R(REVEALER), SAY(call_1000, none, none, close_1000), FLIP(T_OTHER, 0)),
    ROW(1005, NIGHT_DOPPEL, 10, 0, R(REVEALER), SAY(call_1005, none, none, close_120), FLIP(T_OTHER, 0)),
    DRAWN(1010, 0, 10, EXPOSER, R(EXPOSER), SAY(call_1010, none, none, close_1010)),
    DRAWN(1015, NIGHT_DOPPEL, 10, DOPPEL_EXPOSER, R(EXPOSER), SAY(call_1015, none, none, close_120)),
    ROW(1020, 0, 8, 0, R(EMPATH), QUIET, NO_ACT),
    ROW(1100, 0, 10, 0, R(CURATOR), SAY(call_1100, none, none, close_1100),
        {0, VERB_ARTIFACT, T_BARE, T_NONE, 1, 0, STAGE_END}),
    ROW(1105, NIGHT_DOPPEL, 10, 0, R(CURATOR), SAY(call_1105, none, none, close_120),
        {0, VERB_ARTIFACT, T_BARE, T_NONE, 1, 0, STAGE_END}),
    DRAWN(1300, 0, 8, BLOB, R(BLOB), SAY(call_1300, none, none, none)),
    ROW(1305, NIGHT_DOPPEL, 8, 0, R(BLOB), SAY(call_1305, none, none, none), NO_ACT),
    DRAWN(1310, NIGHT_AGAIN, 10, MORTICIAN, R(MORTICIAN), SAY(call_1310, none, none, close_1310)),
    DRAWN(1315, NIGHT_DOPPEL | NIGHT_AGAIN, 10, DOPPEL_MORTICIAN, R(MORTICIAN),
          SAY(call_1315, none, none, close_120)),
    DRAWN(1400, NIGHT_ALL, 10, RIPPLE, ALIENS, SAY(none, none, none, close_1400)),
    ROW(1490, NIGHT_EVERYONE | NIGHT_ONCE, 5, 0, 0, SAY(call_1490, none, none, none), NO_ACT),
    ROW(1500, NIGHT_EVERYONE | NIGHT_ONCE | NIGHT_CHECK, 1, 0, 0, SAY(call_1500, none, none, none), NO_ACT),
};
const unsigned one_night__night_rows = sizeof one_night__night / sizeof *one_night__night;

enum { // evenings 4
    CALL_MS = 4000,
    CLOSE_MS = 2500,
    GAP_MS = 1000,
    CHECK_MS = 4000,
    DAWN_MS = 3000,     // each further sentence at dawn
    QUESTION_MS = 3750, // the longest question, instruction and address that may be drawn: what is drawn
    VARIANT_MS = 4000,  // shortens no step
    KEY_MS = 3000,
    WINDOW_LONE_S = 10, // with the option the werewolves' step holds an action
};

int one_night__row(unsigned id) {
    for (unsigned i = 0; i < one_night__night_rows; i++)
        if (one_night__night[i].id == id)
            return (int)i;
    return -1;
}

bool one_night__may_open(const struct one_night *g) {
    return g->rules.faces == FACES_TAPPED && ((g->roles & (R(REVEALER) | R(EXPOSER))) ||
                                              one_night__variant(g, DRAW_RIPPLE) == VARIANT_RIPPLE_REVEAL);
}

static bool is_called(const struct one_night *g, const struct one_night_night *row) {
    bool called = (row->flags & NIGHT_EVERYONE) || (g->roles & row->roles);
    if (row->flags & NIGHT_PAIR)
        called = (g->roles & row->roles) == row->roles;
    if (row->flags & NIGHT_DOPPEL)
        called = called && (g->roles & ROLE_BIT(DOPPELGANGER));
    return called;
}

static void call(struct one_night *g, uint8_t step) {
    if (g->n_steps < sizeof g->steps)
        g->steps[g->n_steps++] = step;
}
static void call_check(struct one_night *g) {
    if (g->n_steps && g->steps[g->n_steps - 1] != STEP_CHECK)
        call(g, STEP_CHECK);
}

static bool is_again(const struct one_night *g, const struct one_night_night *row) {
    return (row->flags & NIGHT_AGAIN) && is_called(g, row);
}

bool one_night__repeats(const struct one_night *g, unsigned role) {
    for (unsigned i = 0; i < one_night__night_rows; i++)
        if ((g->roles & one_night__night[i].roles) >> role & 1 && is_again(g, &one_night__night[i]))
            return true;
    return false;
}

// A ripple that repeats: all steps that leave nothing on the table, or those of one role.
static void call_again(struct one_night *g) {
    uint8_t ripple = one_night__variant(g, DRAW_RIPPLE), role = g->number[NUMBER_REPEATED_ROLE];
    bool one = ripple == VARIANT_RIPPLE_REPEATROLE;
    if (!one && ripple != VARIANT_RIPPLE_REPEAT && ripple != VARIANT_RIPPLE_REPEAT1P)
        return;
    for (unsigned i = 0; i < one_night__night_rows; i++) {
        const struct one_night_night *row = &one_night__night[i];
        if (is_again(g, row) && (!one || (role < ROLES && (row->roles >> role & 1))))
            call(g, (uint8_t)i);
        if (!one && (row->flags & NIGHT_CHECK) && row->id > 310 && row->id < 1400)
            call_check(g);
    }
}

// Only the role set, the options and what was drawn decide, never the deal (4.1); a checkpoint whose step is
// not called follows the last called one, and two that fall together are said once (9, rule 6).
void one_night__call_list(struct one_night *g) {
    g->n_steps = 0;
    for (unsigned i = 0; i < one_night__night_rows; i++) {
        const struct one_night_night *row = &one_night__night[i];
        int sentinel = row->id == 120 ? one_night__row(310) : -1;
        if (sentinel >= 0 && g->rules.sentinel_first && is_called(g, &one_night__night[sentinel]))
            call(g, (uint8_t)sentinel);
        if (is_called(g, row) && !(row->id == 310 && g->rules.sentinel_first))
            call(g, (uint8_t)i);
        if (row->flags & NIGHT_CHECK)
            call_check(g);
        if (row->id == 1400)
            call_again(g);
    }
}

// The steps of this part of the night.
static void part_steps(const struct one_night *g, unsigned *ret_first, unsigned *ret_end) {
    unsigned end = g->part;
    while (end < g->n_steps &&
           !(g->steps[end] != STEP_CHECK && (one_night__night[g->steps[end]].flags & NIGHT_ANSWER)))
        end++;
    *ret_first = g->part;
    *ret_end = end < g->n_steps ? end + 1 : end;
}

uint8_t one_night__night_role(const struct one_night *g, unsigned seat) {
    unsigned card = g->dealt[seat];
    return g->idle >> card & 1 ? ROLE_VILLAGER : one_night__card_role(g, card);
}

uint16_t one_night__of_kind(const struct one_night *g, unsigned flag) {
    uint16_t ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (one_night__roles[one_night__night_role(g, s)].flags & flag)
            ret |= (uint16_t)(1u << s);
    return ret;
}
uint16_t one_night__awake_as(const struct one_night *g, unsigned flag) {
    return one_night__of_kind(g, flag) & (uint16_t)~g->afraid;
}

static bool wakes_with_all(const struct one_night *g, unsigned id, unsigned seat) {
    uint16_t seats = id == 290    ? (uint16_t)((1u << g->seats) - 1)
                     : id == 300  ? g->lovers
                     : id == 1400 ? one_night__ripple_group(g)
                                  : 0;
    return seats >> seat & 1;
}

// Fear keeps eyes shut from the look at the marks on (3.4); what was seen at dusk stays seen.
bool one_night__wakes(const struct one_night *g, unsigned row, unsigned seat) {
    const struct one_night_night *night = &one_night__night[row];
    uint8_t card = g->dealt[seat], role = g->role[card], copied = g->copied[card];
    if (night->id > 290 && (g->afraid >> seat & 1))
        return false;
    if (night->flags & NIGHT_ALL)
        return wakes_with_all(g, night->id, seat);
    if (night->id == 120 && copied == ROLE_DOPPELGANGER)
        return true; // a copycat who saw her in the centre (1.4)
    uint64_t roles = night->id == 320 ? night->roles & ~R(COW) : night->roles; // her eyes stay shut
    bool adopted = copied != ROLE_NONE && (roles >> copied & 1) && !(g->idle >> card & 1);
    bool doppel = role == ROLE_DOPPELGANGER || (g->doubles >> card & 1);
    if (night->flags & NIGHT_DOPPEL)
        return adopted && doppel;
    if (roles >> role & 1)
        return true;
    return adopted && ((night->flags & NIGHT_JOINS) || !doppel);
}

static uint32_t window_ms(const struct one_night *g, const struct one_night_night *row) {
    bool action = row->id == 400 && g->rules.lone_wolf;
    return 1000u * (action ? WINDOW_LONE_S : row->window_s);
}

// What the slowest voice needs for a sentence, in ms, from the sentence itself.
#define X(id, text, args) [LINE_##id] = 72 * (sizeof text - 1),
static const uint16_t spoken[LINES] = {ONE_NIGHT_LINES(X)};
#undef X

static uint32_t on_grid(uint32_t ms) {
    return (ms + 249) / 250 * 250;
}

static void cue(struct game_step *step, unsigned line, uint32_t at_ms, int a, int b, int c) {
    if (line != LINE_none && step->n_cues < sizeof step->cue / sizeof *step->cue)
        step->cue[step->n_cues++] = (struct game_cue){
            .line = (uint16_t)line, .at_ms = on_grid(at_ms), .arg = {(int16_t)a, (int16_t)b, (int16_t)c}};
}

static void cue_players(const struct one_night *g, unsigned variant, struct game_step *step, uint32_t at_ms) {
    uint16_t players = one_night__active(g, variant);
    int seat[3] = {0}, n = 0;
    for (int s = 0; s < g->seats && n < 3; s++)
        if (players >> s & 1)
            seat[n++] = s;
    cue(step,
        n == 1   ? LINE_k_active1
        : n == 2 ? LINE_k_active2
                 : LINE_k_active3,
        at_ms, seat[0], seat[1], seat[2]);
}

static bool is_oracle(const struct one_night_night *row) {
    return row->draw == DRAW_ORACLE || row->draw == DRAW_DOPPEL_ORACLE;
}

// A psychic's two cards of one neighbour are one, and one of both neighbours is one of them (5.3).
static bool one_card(unsigned variant, unsigned key) {
    return variant == VARIANT_PSYCHIC_VIEW2 && (key == KEY_LEFT || key == KEY_RIGHT);
}
static uint16_t key_line(unsigned variant, unsigned key) {
    return one_night__key_lines[variant == VARIANT_PSYCHIC_VIEW1 && key == KEY_BOTH ? KEY_ONE : key];
}

// The drawn instruction and whom it is about; a ripple that does not come has a line too (3.8).
static void script_drawn(const struct one_night *g, const struct one_night_night *row, struct game_step *step,
                         uint32_t at_ms) {
    uint8_t variant = one_night__variant(g, row->draw), key = g->key[row->draw];
    if (is_oracle(row)) {
        int arg = 0;
        uint16_t line = one_night__answer_line(g, row->draw == DRAW_ORACLE ? 0 : 1, &arg);
        cue(step, line, at_ms, arg, 0, 0);
        return;
    }
    if (variant == VARIANT_NONE) {
        cue(step, row->draw == DRAW_RIPPLE ? LINE_v_calm : LINE_none, at_ms, 0, 0, 0);
        return;
    }
    bool role = variant == VARIANT_RIPPLE_REPEATROLE;
    uint16_t line = one_night__variants[one_card(variant, key) ? VARIANT_PSYCHIC_VIEW1 : variant].line;
    uint32_t said = spoken[line];
    uint32_t key_ms = at_ms + (said < VARIANT_MS ? said : VARIANT_MS);
    cue(step, line, at_ms, role ? g->number[NUMBER_REPEATED_ROLE] : g->blob_left, g->blob_right, 0);
    if (key >= KEYS || !one_night__variants[variant].keys) // what an oracle forced has no key
        return;
    if (key == KEY_ACTIVE)
        cue_players(g, variant, step, key_ms);
    else
        cue(step, key_line(variant, key), key_ms, 0, 0, 0);
}

static uint32_t say(struct game_step *step, unsigned line, uint32_t at_ms) {
    if (line == LINE_none)
        return 0;
    if (step)
        cue(step, line, at_ms, 0, 0, 0);
    return spoken[line];
}

static uint32_t drawn_ms(const struct one_night_night *row) {
    bool addressed = row->draw != DRAW_EXPOSER && row->draw != DRAW_DOPPEL_EXPOSER && row->draw != DRAW_BLOB;
    return is_oracle(row) ? 0 : addressed ? VARIANT_MS + KEY_MS : VARIANT_MS;
}

// Where the sentence hangs on an option or on who else is in the set (3.8): eyes stay open and hands out for
// whoever is called next to see them.
static unsigned call_line(const struct one_night *g, const struct one_night_night *row) {
    bool apprentice = g->roles & R(APPRENTICE_ASSASSIN);
    if (row->id == 270 && !apprentice)
        return LINE_mark_270;
    if (row->id == 275 && apprentice)
        return LINE_open_275;
    if (row->id == 320 && (g->roles & R(COW)))
        return LINE_cow_320;
    if (row->id == 1000 && g->rules.revealer_hides_non_village)
        return LINE_hide_1000;
    return row->mode && (g->rules.must >> row->mode & 1) && row->must ? row->must : row->call;
}
static unsigned close_line(const struct one_night *g, const struct one_night_night *row) {
    bool apprentice = g->roles & R(APPRENTICE_ASSASSIN), doppel = g->roles & R(DOPPELGANGER);
    if (row->id == 220 && doppel)
        return LINE_shut_220;
    if (row->id == 270 && !apprentice)
        return LINE_shut_270;
    if (row->id == 275 && apprentice)
        return LINE_close_275;
    if (row->id == 280 && doppel)
        return LINE_shut_280;
    if (row->id == 400 && (g->roles & R(DREAM_WOLF)))
        return LINE_away_400;
    if (is_oracle(row) &&
        one_night__answer_line(g, row->draw == DRAW_ORACLE ? 0 : 1, &(int){0}) == LINE_r_right)
        return LINE_awake_101;
    return row->close;
}

// What opens a step, each sentence when the one before has been said; step NULL: only how long that takes. It
// follows from the role set and the options alone (9, rule 1). One sentence alone has the 4 s of evenings 4.
static uint32_t say_call(const struct one_night *g, const struct one_night_night *row,
                         struct game_step *step) {
    uint32_t first = say(step, call_line(g, row), 0), at = first;
    if (row->id == 10 && one_night__epic_set(g->roles, g->n_artifacts))
        at += say(step, LINE_epic_10, at);
    if (row->flags & NIGHT_ANSWER) {
        if (step)
            say(step, one_night__question_line(g->variant[row->id == 100 ? DRAW_ORACLE : DRAW_DOPPEL_ORACLE]),
                at);
        at += QUESTION_MS;
    }
    if (row->id == 400 && (g->roles & R(DREAM_WOLF)))
        at += say(step, LINE_dream_400, at);
    if (row->id == 200 ? (g->roles & R(RENFIELD)) != 0 : row->id != 400 || g->rules.lone_wolf)
        at += say(step, row->more, at);
    if (row->more == LINE_more_450 && (g->roles & R(GROOB)) && (g->roles & R(ZERB)))
        at += say(step, LINE_pair_450, at);
    if (row->draw != DRAW_NONE) {
        if (step)
            script_drawn(g, row, step, at);
        at += drawn_ms(row);
    }
    return at == first || at < CALL_MS ? CALL_MS : on_grid(at);
}

// What owners of artifacts and those who see open cards are asked for (6.1; evenings AV6).
static unsigned dawn_lines(const struct one_night *g) {
    return (g->place_a != 0) + one_night__may_open(g);
}

uint32_t one_night__step_ms(const struct one_night *g, unsigned step) {
    if (g->steps[step] == STEP_CHECK)
        return CHECK_MS;
    const struct one_night_night *row = &one_night__night[g->steps[step]];
    if (row->id == 1500)
        return CALL_MS + window_ms(g, row) + DAWN_MS * dawn_lines(g);
    uint32_t close = say_call(g, row, NULL) + window_ms(g, row);
    return row->flags & NIGHT_ONCE ? close : close + CLOSE_MS + GAP_MS;
}

static void script_row(const struct one_night *g, const struct one_night_night *row, struct game_step *step) {
    uint32_t call = say_call(g, row, step);
    if (row->id == 1500 && g->place_a)
        cue(step, LINE_day_look, 3000, 0, 0, 0);
    if (row->id == 1500 && one_night__may_open(g))
        cue(step, LINE_tap_open, g->place_a ? 6000 : 3000, 0, 0, 0);
    if (row->flags & NIGHT_ONCE)
        return;
    step->close_ms = call + window_ms(g, row);
    cue(step, close_line(g, row), step->close_ms, 0, 0, 0);
}

static void number(char ret[12], unsigned n) {
    char digits[5];
    unsigned len = 0;
    do
        digits[len++] = (char)('0' + n % 10);
    while ((n /= 10) && len < sizeof digits);
    for (unsigned i = 0; i < len; i++)
        ret[i] = digits[len - 1 - i];
    ret[len] = 0;
}

// The part of the night that runs: what comes after an answer is rendered when it is known.
void one_night_script(const void *state, struct game_script *ret) {
    const struct one_night *g = one_night__state(state);
    unsigned first, end;
    part_steps(g, &first, &end);
    ret->n = (uint16_t)(end - first);
    for (unsigned i = first; i < end; i++) {
        struct game_step *step = &ret->step[i - first];
        *step = (struct game_step){.length_ms = one_night__step_ms(g, i)};
        step->close_ms = step->length_ms;
        if (g->steps[i] == STEP_CHECK) {
            *step = (struct game_step){
                .id = "check", .length_ms = step->length_ms, .close_ms = step->length_ms, .checkpoint = true};
            cue(step, LINE_check, 0, 0, 0, 0);
            continue;
        }
        number(step->id, one_night__night[g->steps[i]].id);
        script_row(g, &one_night__night[g->steps[i]], step);
    }
}
