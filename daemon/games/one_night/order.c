// The order of the night (4): its rows, what each row lets people do, which of them a role set calls.
#include "games/one_night/one_night.h"

#define R(name) ROLE_BIT(name)
#define WOLVES (R(WEREWOLF) | R(ALPHA_WOLF) | R(MYSTIC_WOLF))
#define FANGS (R(VAMPIRE) | R(THE_MASTER) | R(THE_COUNT))
#define ALIENS (R(ALIEN) | R(SYNTHETIC_ALIEN) | R(GROOB) | R(ZERB))

#define SAY(call, must, more, close) LINE_##call, LINE_##must, LINE_##more, LINE_##close
#define QUIET SAY(none, none, none, none)
#define VIEW(from, most, flags)                                                                              \
    { 0, VERB_VIEW, from, T_NONE, most, flags, STAGE_END }
#define SWAP(from, to, flags)                                                                                \
    { 0, VERB_SWAP, from, to, 1, flags, STAGE_END }
#define NO_ACT                                                                                               \
    { 0 }
#define ROW(id, flags, window_s, mode, roles, lines, ...)                                                    \
    {                                                                                                        \
        id, flags, window_s, mode, roles, lines, {                                                           \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

// Number, flags, window, mode, roles, lines, acts. 4.1, with what each row lets people do (3.2). Rows of
// roles that are not built yet stand here for their places in the order and have no lines. A doppelganger's
// row 120 goes on with the acts of the row named `instant` of the role she copied (4.2).
const struct one_night_night one_night__night[] = {
    ROW(10, NIGHT_EVERYONE | NIGHT_ONCE, 2, 0, 0, SAY(call_10, none, none, none), NO_ACT),
    ROW(100, 0, 10, 0, R(ORACLE), QUIET, NO_ACT),
    ROW(110, 0, 8, 0, R(COPYCAT), QUIET, NO_ACT),
    ROW(120, NIGHT_CHECK, 12, 0, R(DOPPELGANGER), SAY(call_120, call_120, more_120, close_120),
        {0, VERB_COPY, T_OTHER, T_NONE, 1, ACT_MUST, 1}),
    ROW(125, NIGHT_DOPPEL, 10, 0, R(ORACLE), QUIET, NO_ACT),
    ROW(128, NIGHT_DOPPEL | NIGHT_THUMBS, 8, 0, R(MINION), SAY(call_128, none, thumbs, close_128), NO_ACT),
    ROW(200, NIGHT_JOINS | NIGHT_GROUP, 10, 0, FANGS, QUIET, NO_ACT),
    ROW(210, 0, 10, 0, R(THE_COUNT), QUIET, NO_ACT),
    ROW(215, NIGHT_DOPPEL, 10, 0, R(THE_COUNT), QUIET, NO_ACT),
    ROW(220, 0, 10, 0, R(RENFIELD), QUIET, NO_ACT),
    ROW(225, NIGHT_DOPPEL, 10, 0, R(RENFIELD), QUIET, NO_ACT),
    ROW(230, 0, 10, 0, R(DISEASED), QUIET, NO_ACT),
    ROW(240, 0, 10, 0, R(CUPID), QUIET, NO_ACT),
    ROW(250, 0, 10, 0, R(INSTIGATOR), QUIET, NO_ACT),
    ROW(260, 0, 10, 0, R(PRIEST), QUIET, NO_ACT),
    ROW(265, NIGHT_DOPPEL, 10, 0, R(PRIEST), QUIET, NO_ACT),
    ROW(270, 0, 10, 0, R(ASSASSIN), QUIET, NO_ACT),
    ROW(275, NIGHT_DOPPEL, 10, 0, R(ASSASSIN), QUIET, NO_ACT),
    ROW(280, 0, 10, 0, R(APPRENTICE_ASSASSIN), QUIET, NO_ACT),
    ROW(285, NIGHT_DOPPEL, 10, 0, R(APPRENTICE_ASSASSIN), QUIET, NO_ACT),
    ROW(290, NIGHT_CHECK, 10, 0,
        FANGS | R(COPYCAT) | R(RENFIELD) | R(DISEASED) | R(CUPID) | R(INSTIGATOR) | R(PRIEST) | R(ASSASSIN) |
            R(APPRENTICE_ASSASSIN) | R(MARKSMAN) | R(PICKPOCKET) | R(GREMLIN),
        QUIET, NO_ACT),
    ROW(300, NIGHT_GROUP, 8, 0, R(CUPID), QUIET, NO_ACT),
    ROW(310, 0, 10, 0, R(SENTINEL), SAY(call_310, none, none, close_310),
        {0, VERB_SHIELD, T_OTHER, T_NONE, 1, 0, STAGE_END}),
    ROW(320, NIGHT_JOINS | NIGHT_GROUP, 12, 0, ALIENS | R(COW), QUIET, NO_ACT),
    ROW(330, NIGHT_JOINS | NIGHT_GROUP, 8, 0, R(GROOB) | R(ZERB), QUIET, NO_ACT),
    ROW(340, 0, 10, 0, R(BODY_SNATCHER), QUIET, NO_ACT),
    ROW(345, 0, 10, 0, R(TEMPTRESS), QUIET, NO_ACT),
    ROW(400, NIGHT_JOINS | NIGHT_GROUP, 8, 0, WOLVES, SAY(call_400, call_400, more_400, close_400),
        VIEW(T_CENTRE, 1, ACT_LONE)),
    ROW(410, 0, 10, 0, R(ALPHA_WOLF), SAY(call_410, none, none, close_410), SWAP(T_C4, T_NOT_WOLF, ACT_MUST)),
    ROW(420, 0, 10, 0, R(MYSTIC_WOLF), SAY(call_420, none, none, close_420), VIEW(T_OTHER, 1, 0)),
    ROW(430, NIGHT_THUMBS, 8, 0, R(MINION), SAY(call_430, call_430, thumbs, close_430), NO_ACT),
    ROW(440, 0, 8, 0, R(APPRENTICE_TANNER), QUIET, NO_ACT),
    ROW(450, 0, 8, 0, R(LEADER), QUIET, NO_ACT),
    ROW(455, NIGHT_DOPPEL, 8, 0, R(LEADER), QUIET, NO_ACT),
    ROW(460, NIGHT_JOINS | NIGHT_GROUP | NIGHT_CHECK, 8, 0, R(MASON),
        SAY(call_460, call_460, none, close_460), NO_ACT),
    ROW(470, 0, 8, 0, R(THING), QUIET, NO_ACT),
    ROW(500, 0, 10, MODE_SEER, R(SEER), SAY(call_500, must_500, none, close_500), VIEW(T_OTHER, 1, 0),
        {0, VERB_VIEW, T_CENTRE, T_NONE, 2, ACT_PART, 1},
        {1, VERB_VIEW, T_CENTRE, T_NONE, 1, ACT_NEW, STAGE_END}),
    ROW(510, 0, 10, 0, R(APPRENTICE_SEER), SAY(call_510, none, none, close_510), VIEW(T_CENTRE, 1, 0)),
    ROW(520, 0, 12, 0, R(PARANORMAL_INVESTIGATOR), SAY(call_520, none, more_520, close_520),
        {0, VERB_VIEW, T_OTHER, T_NONE, 1, ACT_PI, 1},
        {1, VERB_VIEW, T_OTHER, T_NONE, 1, ACT_PI | ACT_NEW, STAGE_END}),
    ROW(530, 0, 12, 0, R(MARKSMAN), QUIET, NO_ACT),
    ROW(535, NIGHT_DOPPEL, 12, 0, R(MARKSMAN), QUIET, NO_ACT),
    ROW(540, 0, 12, 0, R(NOSTRADAMUS), QUIET, NO_ACT),
    ROW(550, 0, 10, 0, R(PSYCHIC), QUIET, NO_ACT),
    ROW(555, NIGHT_DOPPEL, 10, 0, R(PSYCHIC), QUIET, NO_ACT),
    ROW(600, 0, 12, MODE_ROBBER, R(ROBBER), SAY(call_600, must_600, none, close_600),
        SWAP(T_SELF, T_OTHER, ACT_SEES)),
    ROW(610, 0, 12, 0, R(WITCH), SAY(call_610, none, more_610, close_610),
        {0, VERB_VIEW, T_CENTRE, T_NONE, 1, 0, 1}, SWAP(T_CENTRE, T_ANY, ACT_READS),
        {1, VERB_SWAP, T_SEEN, T_ANY, 1, ACT_MUST, STAGE_END}),
    ROW(620, 0, 12, 0, R(PICKPOCKET), QUIET, NO_ACT),
    ROW(625, NIGHT_DOPPEL, 12, 0, R(PICKPOCKET), QUIET, NO_ACT),
    ROW(700, 0, 10, MODE_TROUBLEMAKER, R(TROUBLEMAKER), SAY(call_700, must_700, none, close_700),
        SWAP(T_OTHER, T_OTHER, 0)),
    ROW(710, 0, 12, 0, R(VILLAGE_IDIOT), SAY(call_710, none, none, close_710),
        {0, VERB_ROTATE, T_OTHER, T_NONE, 1, 0, STAGE_END}),
    ROW(720, 0, 8, 0, R(AURA_SEER), QUIET, NO_ACT),
    ROW(730, 0, 10, 0, R(GREMLIN), QUIET, NO_ACT),
    ROW(735, NIGHT_DOPPEL, 10, 0, R(GREMLIN), QUIET, NO_ACT),
    ROW(740, 0, 12, 0, R(RASCAL), QUIET, NO_ACT),
    ROW(745, NIGHT_DOPPEL | NIGHT_CHECK, 12, 0, R(RASCAL), QUIET, NO_ACT),
    ROW(800, 0, 10, MODE_DRUNK, R(DRUNK), SAY(call_800, must_800, none, close_800),
        SWAP(T_SELF, T_CENTRE, 0)),
    ROW(900, 0, 8, MODE_INSOMNIAC, R(INSOMNIAC), SAY(call_900, must_900, none, close_900),
        VIEW(T_SELF, 1, 0)),
    ROW(905, NIGHT_DOPPEL | NIGHT_CHECK, 8, MODE_INSOMNIAC, R(INSOMNIAC),
        SAY(call_905, call_905, none, close_120), VIEW(T_SELF, 1, 0)),
    ROW(910, 0, 8, 0, R(SQUIRE), QUIET, NO_ACT),
    ROW(920, 0, 10, 0, R(BEHOLDER), QUIET, NO_ACT),
    ROW(1000, 0, 10, 0, R(REVEALER), SAY(call_1000, none, none, close_1000),
        {0, VERB_FLIP, T_OTHER, T_NONE, 1, 0, 1}, {1, VERB_FLIPBACK, T_HIDDEN, T_NONE, 1, 0, STAGE_END}),
    ROW(1005, NIGHT_DOPPEL, 10, 0, R(REVEALER), SAY(call_1005, none, none, close_120),
        {0, VERB_FLIP, T_OTHER, T_NONE, 1, 0, 1}, {1, VERB_FLIPBACK, T_HIDDEN, T_NONE, 1, 0, STAGE_END}),
    ROW(1010, 0, 10, 0, R(EXPOSER), QUIET, NO_ACT),
    ROW(1015, NIGHT_DOPPEL, 10, 0, R(EXPOSER), QUIET, NO_ACT),
    ROW(1020, 0, 8, 0, R(EMPATH), QUIET, NO_ACT),
    ROW(1100, 0, 10, 0, R(CURATOR), QUIET, NO_ACT),
    ROW(1105, NIGHT_DOPPEL, 10, 0, R(CURATOR), QUIET, NO_ACT),
    ROW(1300, 0, 8, 0, R(BLOB), QUIET, NO_ACT),
    ROW(1305, NIGHT_DOPPEL, 8, 0, R(BLOB), QUIET, NO_ACT),
    ROW(1310, 0, 10, 0, R(MORTICIAN), QUIET, NO_ACT),
    ROW(1315, NIGHT_DOPPEL, 10, 0, R(MORTICIAN), QUIET, NO_ACT),
    ROW(1400, 0, 10, 0, ALIENS, QUIET, NO_ACT),
    ROW(1490, NIGHT_EVERYONE | NIGHT_ONCE, 5, 0, 0, SAY(call_1490, none, none, none), NO_ACT),
    ROW(1500, NIGHT_EVERYONE | NIGHT_ONCE | NIGHT_CHECK, 1, 0, 0, SAY(call_1500, none, none, none), NO_ACT),
};
const unsigned one_night__night_rows = sizeof one_night__night / sizeof *one_night__night;

enum { // evenings 4
    CALL_MS = 4000,
    CLOSE_MS = 2500,
    GAP_MS = 1000,
    CHECK_MS = 4000,
    WINDOW_LONE_S = 10, // with the option the werewolves' step holds an action
};

int one_night__row(unsigned id) {
    for (unsigned i = 0; i < one_night__night_rows; i++)
        if (one_night__night[i].id == id)
            return (int)i;
    return -1;
}

// Only the role set decides, never the deal (4.1); a checkpoint whose step is not called follows the last
// called one, and two that fall together are said once (9, rule 6).
void one_night__call_list(struct one_night *g) {
    g->n_steps = 0;
    for (unsigned i = 0; i < one_night__night_rows; i++) {
        const struct one_night_night *row = &one_night__night[i];
        bool called = (row->flags & NIGHT_EVERYONE) || (g->roles & row->roles);
        if (row->flags & NIGHT_DOPPEL)
            called = called && (g->roles & ROLE_BIT(DOPPELGANGER));
        if (called)
            g->steps[g->n_steps++] = (uint8_t)i;
        if ((row->flags & NIGHT_CHECK) && g->steps[g->n_steps - 1] != STEP_CHECK)
            g->steps[g->n_steps++] = STEP_CHECK;
    }
}

bool one_night__wakes(const struct one_night *g, unsigned row, unsigned seat) {
    const struct one_night_night *night = &one_night__night[row];
    uint8_t card = g->dealt[seat], role = g->role[card], copied = g->copied[card];
    bool adopted = copied != ROLE_NONE && (night->roles >> copied & 1);
    if (night->flags & NIGHT_DOPPEL)
        return adopted && role == ROLE_DOPPELGANGER;
    if (night->roles >> role & 1)
        return true;
    return adopted && ((night->flags & NIGHT_JOINS) || role == ROLE_COPYCAT);
}

static uint32_t window_ms(const struct one_night *g, const struct one_night_night *row) {
    bool action = row->id == 400 && g->rules.lone_wolf;
    return 1000u * (action ? WINDOW_LONE_S : row->window_s);
}

uint32_t one_night__step_ms(const struct one_night *g, unsigned step) {
    if (g->steps[step] == STEP_CHECK)
        return CHECK_MS;
    const struct one_night_night *row = &one_night__night[g->steps[step]];
    if (row->flags & NIGHT_ONCE)
        return CALL_MS + window_ms(g, row);
    return CALL_MS + window_ms(g, row) + CLOSE_MS + GAP_MS;
}

static void cue(struct game_step *step, unsigned line, uint32_t at_ms) {
    if (line != LINE_none)
        step->cue[step->n_cues++] = (struct game_cue){.line = (uint16_t)line, .at_ms = at_ms};
}

static void script_row(const struct one_night *g, const struct one_night_night *row, struct game_step *step) {
    bool must = row->mode && (g->rules.must >> row->mode & 1) && row->must;
    cue(step, must ? row->must : row->call, 0);
    if (row->id == 400 && (g->roles & R(DREAM_WOLF)))
        cue(step, LINE_dream_400, 2000);
    if (row->id != 400 || g->rules.lone_wolf)
        cue(step, row->more, 2000);
    if (row->flags & NIGHT_ONCE)
        return;
    step->close_ms = CALL_MS + window_ms(g, row);
    cue(step, row->close, step->close_ms);
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

void one_night_script(const void *state, struct game_script *ret) {
    const struct one_night *g = one_night__state(state);
    ret->n = g->n_steps;
    for (unsigned i = 0; i < g->n_steps; i++) {
        struct game_step *step = &ret->step[i];
        *step = (struct game_step){.length_ms = one_night__step_ms(g, i)};
        step->close_ms = step->length_ms;
        if (g->steps[i] == STEP_CHECK) {
            *step = (struct game_step){
                .id = "check", .length_ms = step->length_ms, .close_ms = step->length_ms, .checkpoint = true};
            cue(step, LINE_check, 0);
            continue;
        }
        number(step->id, one_night__night[g->steps[i]].id);
        script_row(g, &one_night__night[g->steps[i]], step);
    }
}
