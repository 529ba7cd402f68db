// The tables of section 5: what may be drawn, for whom it is legal, what it lets people do, whom it is about.
#include "games/one_night/one_night.h"

#define K(name) (UINT32_C(1) << KEY_##name)
#define PLAYER_KEYS (K(ANY) | K(EVEN) | K(ODD))
#define PSYCHIC_KEYS (PLAYER_KEYS | K(LEFT) | K(RIGHT) | K(BOTH) | K(CENTRE))
#define GROUP_KEYS (K(EVERYONE) | K(EVEN_PLAYERS) | K(ODD_PLAYERS))
#define RIPPLE_KEYS (GROUP_KEYS | K(ACTIVE))
#define MOVE_KEYS (PLAYER_KEYS | K(HIGHER) | K(LOWER) | K(ONE) | K(LEFT) | K(RIGHT) | K(CENTRE))

#define ROW(name, group, line, keys, ...) [VARIANT_##name] = {DRAW_##group, LINE_##line, keys, {__VA_ARGS__}}
#define NO_ACT                                                                                               \
    { 0 }
#define VIEW(from, most, flags)                                                                              \
    { 0, VERB_VIEW, from, T_NONE, most, flags, STAGE_END }
#define VIEW_2(from)                                                                                         \
    {0, VERB_VIEW, from, T_NONE, 2, ACT_PART, 1}, {                                                          \
        1, VERB_VIEW, from, T_NONE, 1, ACT_NEW, STAGE_END                                                    \
    }
#define SWAP(from, to, flags)                                                                                \
    { 0, VERB_SWAP, from, to, 1, flags, STAGE_END }
#define GIVE_AWAY(from)                                                                                      \
    {0, VERB_VIEW, from, T_NONE, 1, 0, 1}, SWAP(from, T_ANY, ACT_READS), {                                   \
        1, VERB_SWAP, T_SEEN, T_ANY, 1, ACT_MUST, STAGE_END                                                  \
    }
#define PASS(dir)                                                                                            \
    { 0, VERB_ROTATE, T_ALIENS, DIR_##dir, 1, ACT_MUST | ACT_GROUP, STAGE_END }
#define TAP(what)                                                                                            \
    { 0, VERB_CONVERT, T_FISTS, CONVERT_##what, 1, ACT_MUST | ACT_GROUP, STAGE_END }
#define FLIP(from, most, flags)                                                                              \
    { 0, VERB_FLIP, from, T_NONE, most, flags, STAGE_END }

// A question's acts are open once it is answered so; then a witch's card is read as in her own step.
const struct one_night_variant_row one_night__variants[VARIANTS] = {
    ROW(Q_ALIENTEAM, ORACLE, q_alienteam, 0, NO_ACT),
    ROW(Q_WEREWOLFTEAM, ORACLE, q_werewolfteam, 0, NO_ACT),
    ROW(Q_VAMPIRETEAM, ORACLE, q_vampireteam, 0, NO_ACT),
    ROW(Q_ALIENEXCHANGE, ORACLE, q_alienexchange, 0, NO_ACT),
    ROW(Q_CENTEREXCHANGE, ORACLE, q_centerexchange, 0, SWAP(T_SELF, T_CENTRE, ACT_MUST | ACT_GRANTED)),
    ROW(Q_VIEWCENTER, ORACLE, q_viewcenter, 0, VIEW(T_CENTRE, 3, ACT_GRANTED)),
    ROW(Q_RIPPLE, ORACLE, q_ripple, 0, NO_ACT),
    ROW(Q_VIEWPLAYER, ORACLE, q_viewplayer, 0, VIEW(T_PLAYER, 1, ACT_GRANTED)),
    ROW(Q_EVENODD, ORACLE, q_evenodd, 0, NO_ACT),
    ROW(Q_GUESSNUMBER, ORACLE, q_guessnumber, 0, NO_ACT),
    ROW(ALIENS_VIEW, ALIENS, v_view, PLAYER_KEYS | K(ACTIVE), VIEW(T_KEY, 1, 0)),
    ROW(ALIENS_ALLVIEW, ALIENS, v_allview, PLAYER_KEYS | K(ACTIVE), VIEW(T_KEY, 1, ACT_GROUP)),
    ROW(ALIENS_STARE, ALIENS, v_stare, 0, NO_ACT),
    ROW(ALIENS_LEFT, ALIENS, v_left, 0, PASS(LEFT)),
    ROW(ALIENS_RIGHT, ALIENS, v_right, 0, PASS(RIGHT)),
    ROW(ALIENS_SHOW, ALIENS, v_show, 0, VIEW(T_SELF, 1, ACT_MUST | ACT_SHOWN)),
    ROW(ALIENS_TIMER, ALIENS, v_timer, 0, NO_ACT),
    ROW(ALIENS_NEWALIEN, ALIENS, v_newalien, GROUP_KEYS, TAP(ALIEN)),
    ROW(ALIENS_HELPER, ALIENS, v_alienhelper, GROUP_KEYS, TAP(HELPER)),
    ROW(PSYCHIC_VIEW1, PSYCHIC, v_psychic1, PSYCHIC_KEYS, VIEW(T_KEY, 1, 0)),
    ROW(PSYCHIC_VIEW2, PSYCHIC, v_psychic2, PSYCHIC_KEYS, VIEW_2(T_KEY)),
    ROW(RASCAL_TROUBLEMAKER, RASCAL, v_troublemaker,
        K(ANY_2) | K(EVEN_2) | K(ODD_2) | K(HIGHER_2) | K(LOWER_2) | K(LEFT_2) | K(RIGHT_2) | K(BOTH),
        SWAP(T_KEY, T_KEY, 0)),
    ROW(RASCAL_WITCH, RASCAL, v_witch, MOVE_KEYS, GIVE_AWAY(T_KEY)),
    ROW(RASCAL_DRUNK, RASCAL, v_drunk, MOVE_KEYS, SWAP(T_SELF, T_KEY, ACT_MUST)),
    ROW(RASCAL_ROBBER, RASCAL, v_robber, MOVE_KEYS, SWAP(T_SELF, T_KEY, ACT_SEES)),
    ROW(RASCAL_IDIOT, RASCAL, v_idiot, 0, {0, VERB_ROTATE, T_OTHER, DIR_ANY, 1, 0, STAGE_END}),
    ROW(EXPOSER_1, EXPOSER, v_exposer1, 0, FLIP(T_DOWN, 1, ACT_EXACT)),
    ROW(EXPOSER_2, EXPOSER, v_exposer2, 0, FLIP(T_DOWN, 2, ACT_EXACT)),
    ROW(EXPOSER_3, EXPOSER, v_exposer3, 0, FLIP(T_DOWN, 3, ACT_EXACT)),
    ROW(BLOB_1LEFT, BLOB, v_blob, 0, NO_ACT),
    ROW(BLOB_1RIGHT, BLOB, v_blob, 0, NO_ACT),
    ROW(BLOB_1EACH, BLOB, v_blob, 0, NO_ACT),
    ROW(BLOB_2LEFT, BLOB, v_blob, 0, NO_ACT),
    ROW(BLOB_2RIGHT, BLOB, v_blob, 0, NO_ACT),
    ROW(BLOB_3LEFT, BLOB, v_blob, 0, NO_ACT),
    ROW(BLOB_3RIGHT, BLOB, v_blob, 0, NO_ACT),
    ROW(BLOB_4LEFT, BLOB, v_blob, 0, NO_ACT),
    ROW(BLOB_4RIGHT, BLOB, v_blob, 0, NO_ACT),
    ROW(BLOB_2EACH, BLOB, v_blob, 0, NO_ACT),
    ROW(MORTICIAN_NONE, MORTICIAN, v_mortician0, 0, NO_ACT),
    ROW(MORTICIAN_1, MORTICIAN, v_mortician1, K(LEFT) | K(RIGHT) | K(ONE) | K(SELF), VIEW(T_KEY, 1, 0)),
    ROW(MORTICIAN_2, MORTICIAN, v_mortician2, K(BOTH), VIEW_2(T_KEY)),
    ROW(RIPPLE_1MINUTE, RIPPLE, v_ripple_minute, 0, NO_ACT),
    ROW(RIPPLE_INSOMNIAC, RIPPLE, v_ripple_insomniac, RIPPLE_KEYS, VIEW(T_SELF, 1, 0)),
    ROW(RIPPLE_NOSPEAK, RIPPLE, v_ripple_nospeak, RIPPLE_KEYS, NO_ACT),
    ROW(RIPPLE_FACEAWAY, RIPPLE, v_ripple_faceaway, RIPPLE_KEYS, NO_ACT),
    ROW(RIPPLE_IAMALIEN, RIPPLE, v_ripple_iamalien, RIPPLE_KEYS, NO_ACT),
    ROW(RIPPLE_TROUBLEMAKER, RIPPLE, v_ripple_troublemaker, K(ACTIVE), SWAP(T_OTHER, T_OTHER, 0)),
    ROW(RIPPLE_STEAL, RIPPLE, v_ripple_steal, K(ACTIVE), SWAP(T_SELF, T_OTHER, ACT_SEES)),
    ROW(RIPPLE_WITCH, RIPPLE, v_ripple_witch, K(ACTIVE), GIVE_AWAY(T_CENTRE)),
    ROW(RIPPLE_VIEW1, RIPPLE, v_ripple_view1, RIPPLE_KEYS, VIEW(T_OTHER, 1, 0)),
    ROW(RIPPLE_VIEW2, RIPPLE, v_ripple_view2, RIPPLE_KEYS, VIEW_2(T_OTHER)),
    ROW(RIPPLE_REVEAL, RIPPLE, v_ripple_reveal, K(ACTIVE), {0, VERB_FLIP, T_OTHER, T_NONE, 1, 0, 1},
        {1, VERB_FLIPBACK, T_HIDDEN, T_NONE, 1, 0, STAGE_END}),
    ROW(RIPPLE_DUALVIEW, RIPPLE, v_ripple_dualview, K(ACTIVE), VIEW(T_ANY, 1, ACT_GROUP)),
    ROW(RIPPLE_SHUFFLE, RIPPLE, v_ripple_shuffle, K(ACTIVE), SWAP(T_GROUP, T_GROUP, ACT_GROUP)),
    ROW(RIPPLE_DRUNK, RIPPLE, v_ripple_drunk, K(ACTIVE), SWAP(T_SELF, T_CENTRE, ACT_MUST)),
    ROW(RIPPLE_TWOVOTE, RIPPLE, v_ripple_twovote, RIPPLE_KEYS, NO_ACT),
    ROW(RIPPLE_VOTEAPP, RIPPLE, v_ripple_voteapp, 0, NO_ACT),
    ROW(RIPPLE_REPEAT, RIPPLE, v_ripple_repeat, 0, NO_ACT),
    ROW(RIPPLE_REPEAT1P, RIPPLE, v_ripple_repeat1p, K(ACTIVE), NO_ACT),
    ROW(RIPPLE_REPEATROLE, RIPPLE, v_ripple_repeatrole, 0, NO_ACT),
};

const uint16_t one_night__key_lines[KEYS] = {
#define X(name, id, line) [KEY_##name] = LINE_##line,
    ONE_NIGHT_KEYS(X)
#undef X
};

// Neighbours that become part of the blob: to the left, to the right.
static const uint8_t blob_shapes[][2] = {{1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2},
                                         {3, 0}, {0, 3}, {4, 0}, {0, 4}, {2, 2}};
void one_night__blob(struct one_night *g, unsigned variant) {
    g->blob_left = blob_shapes[variant - VARIANT_BLOB_1LEFT][0];
    g->blob_right = blob_shapes[variant - VARIANT_BLOB_1LEFT][1];
}

// ---- legality: N, the role set, and what was drawn before

static bool question_legal(const struct one_night *g, unsigned draw, unsigned variant) {
    static const uint8_t needs[] = {IS_ALIEN, IS_WOLF, IS_FANG, IS_ALIEN, 0, 0, IS_ALIEN, 0, 0, 0};
    uint8_t flag = needs[variant - VARIANT_Q_ALIENTEAM];
    bool found = !flag;
    for (unsigned r = 0; r < ROLES && !found; r++)
        found = (g->roles >> r & 1) && (one_night__roles[r].flags & flag);
    return found && !(draw == DRAW_DOPPEL_ORACLE && g->variant[DRAW_ORACLE] == variant);
}

static bool asks(const struct one_night *g, unsigned question) {
    return g->variant[DRAW_ORACLE] == question || g->variant[DRAW_DOPPEL_ORACLE] == question;
}

bool one_night__variant_legal(const struct one_night *g, unsigned draw, unsigned variant) {
    static const uint8_t groups[DRAWS] = {[DRAW_ORACLE] = DRAW_ORACLE,
                                          [DRAW_DOPPEL_ORACLE] = DRAW_ORACLE,
                                          [DRAW_ALIENS] = DRAW_ALIENS,
                                          [DRAW_PSYCHIC] = DRAW_PSYCHIC,
                                          [DRAW_RASCAL] = DRAW_RASCAL,
                                          [DRAW_DOPPEL_PSYCHIC] = DRAW_PSYCHIC,
                                          [DRAW_EXPOSER] = DRAW_EXPOSER,
                                          [DRAW_DOPPEL_RASCAL] = DRAW_RASCAL,
                                          [DRAW_BLOB] = DRAW_BLOB,
                                          [DRAW_DOPPEL_EXPOSER] = DRAW_EXPOSER,
                                          [DRAW_RIPPLE] = DRAW_RIPPLE,
                                          [DRAW_MORTICIAN] = DRAW_MORTICIAN,
                                          [DRAW_DOPPEL_MORTICIAN] = DRAW_MORTICIAN};
    if (one_night__variants[variant].group != groups[draw])
        return false;
    switch (groups[draw]) {
    case DRAW_ORACLE:
        return question_legal(g, draw, variant);
    case DRAW_ALIENS: // the oracle decides on these two
        return !(variant == VARIANT_ALIENS_LEFT || variant == VARIANT_ALIENS_RIGHT) ||
               !asks(g, VARIANT_Q_ALIENEXCHANGE);
    case DRAW_EXPOSER:
        return draw == DRAW_EXPOSER || variant != VARIANT_EXPOSER_3;
    case DRAW_BLOB: {
        const uint8_t *shape = blob_shapes[variant - VARIANT_BLOB_1LEFT];
        return shape[0] + shape[1] <= g->seats - 2;
    }
    default:
        return true;
    }
}

// A set that is too small for everybody at this table is never drawn; one too small for the actor is.
bool one_night__key_legal(const struct one_night *g, unsigned draw, unsigned key) {
    if (!(one_night__variants[g->variant[draw]].keys >> key & 1))
        return false;
    return g->seats > 3 || key != KEY_EVEN_2; // seats 1 to 3 hold one even number
}

// ---- whom a key is about

static one_night_spots bits_between(int from, int end) {
    return end > from ? ((UINT64_C(1) << end) - 1) & ~((UINT64_C(1) << from) - 1) : 0;
}

one_night_spots one_night__key_set(const struct one_night *g, unsigned seat, unsigned key) {
    const one_night_spots even = UINT64_C(0xaaa), odd = UINT64_C(0x555);
    one_night_spots all = bits_between(0, g->seats), self = UINT64_C(1) << seat, others = all & ~self;
    int left = one_night__left(g, (int)seat), right = one_night__right(g, (int)seat);
    one_night_spots l = UINT64_C(1) << left, r = UINT64_C(1) << right;
    switch (key) {
    case KEY_EVEN:
    case KEY_EVEN_2:
        return others & even;
    case KEY_ODD:
    case KEY_ODD_2:
        return others & odd;
    case KEY_HIGHER:
    case KEY_HIGHER_2:
        return bits_between((int)seat + 1, g->seats);
    case KEY_LOWER:
    case KEY_LOWER_2:
        return bits_between(0, (int)seat);
    case KEY_ONE:
    case KEY_BOTH:
        return l | r;
    case KEY_LEFT:
        return l;
    case KEY_RIGHT:
        return r;
    case KEY_LEFT_2:
        return (l | UINT64_C(1) << one_night__left(g, left)) & others;
    case KEY_RIGHT_2:
        return (r | UINT64_C(1) << one_night__right(g, right)) & others;
    case KEY_CENTRE:
        return bits_between(g->seats, g->n_positions);
    case KEY_SELF:
        return self;
    case KEY_EVERYONE:
        return all;
    case KEY_EVEN_PLAYERS:
        return all & even;
    case KEY_ODD_PLAYERS:
        return all & odd;
    case KEY_ACTIVE:
        return one_night__active(g, VARIANT_ALIENS_VIEW) & others;
    default:
        return others;
    }
}

// How many of the players drawn an instruction is about.
static unsigned active_count(unsigned variant) {
    switch (variant) {
    case VARIANT_RIPPLE_TROUBLEMAKER:
    case VARIANT_RIPPLE_STEAL:
    case VARIANT_RIPPLE_WITCH:
    case VARIANT_RIPPLE_REVEAL:
    case VARIANT_RIPPLE_DRUNK:
    case VARIANT_RIPPLE_REPEAT1P:
        return 1;
    case VARIANT_RIPPLE_DUALVIEW:
    case VARIANT_RIPPLE_SHUFFLE:
        return 2;
    default:
        return 3;
    }
}

uint16_t one_night__active(const struct one_night *g, unsigned variant) {
    uint16_t ret = 0;
    for (unsigned n = 0; n < active_count(variant); n++)
        if (g->number[NUMBER_ACTIVE_1 + n] < g->seats)
            ret |= (uint16_t)(1u << g->number[NUMBER_ACTIVE_1 + n]);
    return ret;
}

// One player acts where cards move, two where they meet; a group where the key names one.
uint16_t one_night__ripple_group(const struct one_night *g) {
    uint8_t variant = one_night__variant(g, DRAW_RIPPLE), key = g->key[DRAW_RIPPLE];
    if (variant == VARIANT_NONE || !one_night__variants[variant].keys)
        return 0;
    uint16_t all = (uint16_t)((1u << g->seats) - 1), active = one_night__active(g, variant);
    if (key == KEY_ACTIVE)
        return active;
    return (uint16_t)(all & (key == KEY_EVEN_PLAYERS ? 0xaaau : key == KEY_ODD_PLAYERS ? 0x555u : 0xfffu));
}

uint8_t one_night__variant(const struct one_night *g, unsigned draw) {
    uint8_t ret = g->variant[draw];
    if (ret == VARIANT_NONE || (draw != DRAW_ALIENS && draw != DRAW_RIPPLE))
        return ret;
    bool forced = false;
    for (unsigned o = 0; o < ORACLES; o++) {
        bool yes = (g->settled >> o & 1) && g->answer[o] == ANSWER_YES;
        uint8_t question = g->variant[DRAW_ORACLE + o];
        if (draw == DRAW_ALIENS && yes && question == VARIANT_Q_ALIENEXCHANGE)
            return g->number[NUMBER_ORACLE_RESULT + o] ? VARIANT_ALIENS_RIGHT : VARIANT_ALIENS_LEFT;
        forced |= yes && question == VARIANT_Q_RIPPLE;
    }
    return draw == DRAW_RIPPLE && !forced && g->number[NUMBER_RIPPLE] != 1 ? VARIANT_NONE : ret;
}
