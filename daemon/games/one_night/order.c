// The order of the night (4): its rows, what each row lets people do, which of them a role set calls.
#include "games/one_night/one_night.h"

#define R(name) ROLE_BIT(name)
#define WOLVES (R(WEREWOLF) | R(ALPHA_WOLF) | R(MYSTIC_WOLF))
#define FANGS (R(VAMPIRE) | R(THE_MASTER) | R(THE_COUNT))
#define ALIENS (R(ALIEN) | R(SYNTHETIC_ALIEN) | R(GROOB) | R(ZERB))

// 4.1. Rows of roles that are not built yet stand here for their places in the order and have no lines.
const struct one_night_night one_night__night[] = {
    {10, NIGHT_EVERYONE | NIGHT_ONCE, 2, 0, 0, LINE_call_10, 0, 0, 0},
    {100, 0, 10, 0, R(ORACLE), 0, 0, 0, 0},
    {110, 0, 8, 0, R(COPYCAT), 0, 0, 0, 0},
    {120, NIGHT_CHECK, 12, 0, R(DOPPELGANGER), LINE_call_120, LINE_call_120, LINE_more_120, LINE_close_120},
    {125, NIGHT_DOPPEL, 10, 0, R(ORACLE), 0, 0, 0, 0},
    {128, NIGHT_DOPPEL | NIGHT_THUMBS, 8, 0, R(MINION), LINE_call_128, 0, LINE_thumbs, LINE_close_128},
    {200, NIGHT_JOINS | NIGHT_GROUP, 10, 0, FANGS, 0, 0, 0, 0},
    {210, 0, 10, 0, R(THE_COUNT), 0, 0, 0, 0},
    {215, NIGHT_DOPPEL, 10, 0, R(THE_COUNT), 0, 0, 0, 0},
    {220, 0, 10, 0, R(RENFIELD), 0, 0, 0, 0},
    {225, NIGHT_DOPPEL, 10, 0, R(RENFIELD), 0, 0, 0, 0},
    {230, 0, 10, 0, R(DISEASED), 0, 0, 0, 0},
    {240, 0, 10, 0, R(CUPID), 0, 0, 0, 0},
    {250, 0, 10, 0, R(INSTIGATOR), 0, 0, 0, 0},
    {260, 0, 10, 0, R(PRIEST), 0, 0, 0, 0},
    {265, NIGHT_DOPPEL, 10, 0, R(PRIEST), 0, 0, 0, 0},
    {270, 0, 10, 0, R(ASSASSIN), 0, 0, 0, 0},
    {275, NIGHT_DOPPEL, 10, 0, R(ASSASSIN), 0, 0, 0, 0},
    {280, 0, 10, 0, R(APPRENTICE_ASSASSIN), 0, 0, 0, 0},
    {285, NIGHT_DOPPEL, 10, 0, R(APPRENTICE_ASSASSIN), 0, 0, 0, 0},
    {290, NIGHT_CHECK, 10, 0,
     FANGS | R(COPYCAT) | R(RENFIELD) | R(DISEASED) | R(CUPID) | R(INSTIGATOR) | R(PRIEST) | R(ASSASSIN) |
         R(APPRENTICE_ASSASSIN) | R(MARKSMAN) | R(PICKPOCKET) | R(GREMLIN),
     0, 0, 0, 0},
    {300, NIGHT_GROUP, 8, 0, R(CUPID), 0, 0, 0, 0},
    {310, 0, 10, 0, R(SENTINEL), 0, 0, 0, 0},
    {320, NIGHT_JOINS | NIGHT_GROUP, 12, 0, ALIENS | R(COW), 0, 0, 0, 0},
    {330, NIGHT_JOINS | NIGHT_GROUP, 8, 0, R(GROOB) | R(ZERB), 0, 0, 0, 0},
    {340, 0, 10, 0, R(BODY_SNATCHER), 0, 0, 0, 0},
    {345, 0, 10, 0, R(TEMPTRESS), 0, 0, 0, 0},
    {400, NIGHT_JOINS | NIGHT_GROUP, 8, 0, WOLVES, LINE_call_400, LINE_call_400, LINE_more_400,
     LINE_close_400},
    {410, 0, 10, 0, R(ALPHA_WOLF), 0, 0, 0, 0},
    {420, 0, 10, 0, R(MYSTIC_WOLF), 0, 0, 0, 0},
    {430, NIGHT_THUMBS, 8, 0, R(MINION), LINE_call_430, LINE_call_430, LINE_thumbs, LINE_close_430},
    {440, 0, 8, 0, R(APPRENTICE_TANNER), 0, 0, 0, 0},
    {450, 0, 8, 0, R(LEADER), 0, 0, 0, 0},
    {455, NIGHT_DOPPEL, 8, 0, R(LEADER), 0, 0, 0, 0},
    {460, NIGHT_JOINS | NIGHT_GROUP | NIGHT_CHECK, 8, 0, R(MASON), LINE_call_460, LINE_call_460, 0,
     LINE_close_460},
    {470, 0, 8, 0, R(THING), 0, 0, 0, 0},
    {500, 0, 10, MODE_SEER, R(SEER), LINE_call_500, LINE_must_500, 0, LINE_close_500},
    {510, 0, 10, 0, R(APPRENTICE_SEER), 0, 0, 0, 0},
    {520, 0, 12, 0, R(PARANORMAL_INVESTIGATOR), 0, 0, 0, 0},
    {530, 0, 12, 0, R(MARKSMAN), 0, 0, 0, 0},
    {535, NIGHT_DOPPEL, 12, 0, R(MARKSMAN), 0, 0, 0, 0},
    {540, 0, 12, 0, R(NOSTRADAMUS), 0, 0, 0, 0},
    {550, 0, 10, 0, R(PSYCHIC), 0, 0, 0, 0},
    {555, NIGHT_DOPPEL, 10, 0, R(PSYCHIC), 0, 0, 0, 0},
    {600, 0, 12, MODE_ROBBER, R(ROBBER), LINE_call_600, LINE_must_600, 0, LINE_close_600},
    {610, 0, 12, 0, R(WITCH), 0, 0, 0, 0},
    {620, 0, 12, 0, R(PICKPOCKET), 0, 0, 0, 0},
    {625, NIGHT_DOPPEL, 12, 0, R(PICKPOCKET), 0, 0, 0, 0},
    {700, 0, 10, MODE_TROUBLEMAKER, R(TROUBLEMAKER), LINE_call_700, LINE_must_700, 0, LINE_close_700},
    {710, 0, 12, 0, R(VILLAGE_IDIOT), 0, 0, 0, 0},
    {720, 0, 8, 0, R(AURA_SEER), 0, 0, 0, 0},
    {730, 0, 10, 0, R(GREMLIN), 0, 0, 0, 0},
    {735, NIGHT_DOPPEL, 10, 0, R(GREMLIN), 0, 0, 0, 0},
    {740, 0, 12, 0, R(RASCAL), 0, 0, 0, 0},
    {745, NIGHT_DOPPEL | NIGHT_CHECK, 12, 0, R(RASCAL), 0, 0, 0, 0},
    {800, 0, 10, MODE_DRUNK, R(DRUNK), LINE_call_800, LINE_must_800, 0, LINE_close_800},
    {900, 0, 8, MODE_INSOMNIAC, R(INSOMNIAC), LINE_call_900, LINE_must_900, 0, LINE_close_900},
    {905, NIGHT_DOPPEL | NIGHT_CHECK, 8, MODE_INSOMNIAC, R(INSOMNIAC), LINE_call_905, LINE_call_905, 0,
     LINE_close_120},
    {910, 0, 8, 0, R(SQUIRE), 0, 0, 0, 0},
    {920, 0, 10, 0, R(BEHOLDER), 0, 0, 0, 0},
    {1000, 0, 10, 0, R(REVEALER), 0, 0, 0, 0},
    {1005, NIGHT_DOPPEL, 10, 0, R(REVEALER), 0, 0, 0, 0},
    {1010, 0, 10, 0, R(EXPOSER), 0, 0, 0, 0},
    {1015, NIGHT_DOPPEL, 10, 0, R(EXPOSER), 0, 0, 0, 0},
    {1020, 0, 8, 0, R(EMPATH), 0, 0, 0, 0},
    {1100, 0, 10, 0, R(CURATOR), 0, 0, 0, 0},
    {1105, NIGHT_DOPPEL, 10, 0, R(CURATOR), 0, 0, 0, 0},
    {1300, 0, 8, 0, R(BLOB), 0, 0, 0, 0},
    {1305, NIGHT_DOPPEL, 8, 0, R(BLOB), 0, 0, 0, 0},
    {1310, 0, 10, 0, R(MORTICIAN), 0, 0, 0, 0},
    {1315, NIGHT_DOPPEL, 10, 0, R(MORTICIAN), 0, 0, 0, 0},
    {1400, 0, 10, 0, ALIENS, 0, 0, 0, 0},
    {1490, NIGHT_EVERYONE | NIGHT_ONCE, 5, 0, 0, LINE_call_1490, 0, 0, 0},
    {1500, NIGHT_EVERYONE | NIGHT_ONCE | NIGHT_CHECK, 1, 0, 0, LINE_call_1500, 0, 0, 0},
};
const unsigned one_night__night_rows = sizeof one_night__night / sizeof *one_night__night;

// 3.2. Acts of a row at each stage of it; a doppelganger's row 120 goes on with the acts of the row named
// `instant` of the role she copied (4.2).
const struct one_night_act one_night__acts[] = {
    {120, 0, VERB_COPY, T_OTHER, T_NONE, 1, ACT_MUST, 1},
    {400, 0, VERB_VIEW, T_CENTRE, T_NONE, 1, ACT_LONE, STAGE_END},
    {500, 0, VERB_VIEW, T_OTHER, T_NONE, 1, 0, STAGE_END},
    {500, 0, VERB_VIEW, T_CENTRE, T_NONE, 2, 0, STAGE_END},
    {600, 0, VERB_SWAP, T_SELF, T_OTHER, 1, ACT_SEES, STAGE_END},
    {700, 0, VERB_SWAP, T_OTHER, T_OTHER, 1, 0, STAGE_END},
    {800, 0, VERB_SWAP, T_SELF, T_CENTRE, 1, 0, STAGE_END},
    {900, 0, VERB_VIEW, T_SELF, T_NONE, 1, 0, STAGE_END},
    {905, 0, VERB_VIEW, T_SELF, T_NONE, 1, 0, STAGE_END},
};
const unsigned one_night__act_rows = sizeof one_night__acts / sizeof *one_night__acts;

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
    bool told = row->id != 400 || g->rules.lone_wolf;
    if (told)
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
