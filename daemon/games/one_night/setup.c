// Checks a set-up (2), names its places (1.1), makes its first state.
#include "games/one_night/one_night.h"
#include <string.h>

#define HOUSE_3 "werewolf villager seer minion drunk robber"
#define HOUSE_4 HOUSE_3 " troublemaker"
#define HOUSE_5 HOUSE_4 " villager"
#define HOUSE_6 HOUSE_5 " werewolf"
#define HOUSE_7 HOUSE_6 " villager" // one villager more than the printed row, so that N+3 holds (2.2)
#define HOUSE_8 HOUSE_7 " insomniac"
#define BASE_3 "werewolf werewolf seer robber troublemaker villager"
#define BASE_4 BASE_3 " villager"
#define BASE_5 BASE_4 " villager"
const struct game_preset one_night__presets[] = {
    {"base_3", 3, BASE_3, "", "starter set"},
    {"base_4", 4, BASE_4, "", "starter set"},
    {"base_5", 5, BASE_5, "", "starter set"},
    {"daybreak_3a", 3, "doppelganger alpha_wolf mystic_wolf minion robber witch", "c4=werewolf", "scenario"},
    {"daybreak_3b", 3, "doppelganger alpha_wolf dream_wolf robber witch tanner", "c4=werewolf", "scenario"},
    {"daybreak_4", 4, "werewolf mystic_wolf seer apprentice_seer revealer hunter bodyguard", "", "scenario"},
    {"daybreak_5", 5,
     "werewolf mystic_wolf seer apprentice_seer paranormal_investigator witch insomniac revealer", "",
     "scenario"},
    {"daybreak_5b", 5, "doppelganger alpha_wolf werewolf robber witch troublemaker village_idiot curator",
     "c4=mystic_wolf", "scenario"},
    {"vampire_4", 4, "copycat vampire the_count priest marksman pickpocket gremlin", "", "starter set"},
    {"alien_4", 4, "alien alien synthetic_alien cow psychic rascal exposer", "", "starter set"},
    {"epic_10", 10,
     "werewolf mystic_wolf minion vampire the_count priest alien groob cow seer troublemaker villager "
     "hunter",
     "", "all four boxes in one Epic Battle"},
    {"house_cn_3", 3, HOUSE_3, "house_cn=1", "house variant"},
    {"house_cn_4", 4, HOUSE_4, "house_cn=1", "house variant"},
    {"house_cn_5", 5, HOUSE_5, "house_cn=1", "house variant"},
    {"house_cn_6", 6, HOUSE_6, "house_cn=1", "house variant"},
    {"house_cn_7", 7, HOUSE_7, "house_cn=1", "house variant"},
    {"house_cn_8", 8, HOUSE_8, "house_cn=1", "house variant"},
    {NULL, 0, NULL, NULL, NULL},
};

// Sets of N+3 cards when none is given: the starter sets, then the rest of the box.
static const uint8_t base_set[] = {
    ROLE_WEREWOLF, ROLE_WEREWOLF, ROLE_SEER,   ROLE_ROBBER, ROLE_TROUBLEMAKER, ROLE_VILLAGER, ROLE_VILLAGER,
    ROLE_VILLAGER, ROLE_DRUNK,    ROLE_MINION, ROLE_HUNTER, ROLE_INSOMNIAC,    ROLE_TANNER,
};
static const uint8_t house_set[] = {
    ROLE_WEREWOLF,     ROLE_VILLAGER, ROLE_SEER,     ROLE_MINION,   ROLE_DRUNK,     ROLE_ROBBER,
    ROLE_TROUBLEMAKER, ROLE_VILLAGER, ROLE_WEREWOLF, ROLE_VILLAGER, ROLE_INSOMNIAC,
};
static const uint8_t base_more[] = {ROLE_DOPPELGANGER}, house_more[] = {ROLE_HUNTER, ROLE_TANNER};

static void default_cards(struct game_setup *setup) {
    bool house = setup->options[OPTION_house_cn];
    const uint8_t *set = house ? house_set : base_set, *more = house ? house_more : base_more;
    unsigned wanted = setup->seats + 3u, size = house ? sizeof house_set : sizeof base_set, next = 0;
    for (unsigned i = 0; i < wanted && i < size; i++)
        setup->cards[setup->n_cards++] = set[i];
    bool masons = wanted >= size + 2; // they come in pairs
    for (unsigned i = setup->n_cards; i < wanted; i++)
        setup->cards[i] = masons && i < size + 2u ? ROLE_MASON : more[next++];
    setup->n_cards = (uint16_t)wanted;
}

// ---- prepare (2.3, 2.4)

struct check {
    const struct game_setup *setup;
    struct game_issues *issues;
    unsigned count[ROLES];
    uint64_t roles;
};

static bool any(const struct check *c, uint64_t roles) {
    return (c->roles & roles) != 0;
}
static uint64_t with_flag(unsigned flag) {
    uint64_t ret = 0;
    for (unsigned r = 0; r < ROLES; r++)
        if (one_night__roles[r].flags & flag)
            ret |= UINT64_C(1) << r;
    return ret;
}
static uint64_t of_set(unsigned set) {
    uint64_t ret = 0;
    for (unsigned r = 0; r < ROLES; r++)
        if (one_night__roles[r].set == set)
            ret |= UINT64_C(1) << r;
    return ret;
}

static unsigned deck_owns(const struct game_setup *setup, unsigned role) {
    switch (role) {
    case ROLE_WEREWOLF:
        return (unsigned)setup->options[OPTION_max_werewolf];
    case ROLE_MASON:
        return (unsigned)setup->options[OPTION_max_mason];
    case ROLE_VILLAGER:
        return (unsigned)setup->options[OPTION_max_villager];
    case ROLE_ALIEN:
        return (unsigned)setup->options[OPTION_max_alien];
    default:
        return (unsigned)setup->options[OPTION_max_other];
    }
}

static const uint8_t centre_wolves[] = {ROLE_NONE, ROLE_WEREWOLF, ROLE_MYSTIC_WOLF, ROLE_DREAM_WOLF};
static uint8_t centre_wolf(const struct game_setup *setup) {
    return centre_wolves[setup->options[OPTION_c4]];
}

static void check_roles(struct check *c) {
    bool house = c->setup->options[OPTION_house_cn];
    for (unsigned r = 0; r < ROLES; r++) {
        const struct one_night_role_row *row = &one_night__roles[r];
        if (!c->count[r])
            continue;
        if (!(row->flags & IS_BUILT))
            game_issue(c->issues, true, "E_SET_NOT_INSTALLED",
                       "%s belongs to the set %s, which is not installed", row->id,
                       one_night__set_names[row->set]);
        else if (house && !(row->flags & IS_HOUSE))
            game_issue(c->issues, true, "E_HOUSE_ROLE", "%s is not played under house_cn", row->id);
        if (c->count[r] > deck_owns(c->setup, r))
            game_issue(c->issues, true, "E_MAX", "%u times %s, but the deck owns %u", c->count[r], row->id,
                       deck_owns(c->setup, r));
    }
}

static void check_errors(struct check *c) {
    const struct game_setup *setup = c->setup;
    unsigned most = setup->options[OPTION_bonus_tokens] ? 12 : 10;
    if (setup->seats < 3 || setup->seats > most)
        game_issue(c->issues, true, "E_SEATS", "3 to %u players (11 and 12 need bonus_tokens)", most);
    if (setup->n_cards != setup->seats + 3u)
        game_issue(c->issues, true, "E_COUNT", "%u cards, but %u players need %u", setup->n_cards,
                   setup->seats, setup->seats + 3u);
    unsigned masons = c->count[ROLE_MASON];
    bool single = masons == 1 && setup->options[OPTION_mason_single_ok] && any(c, ROLE_BIT(DOPPELGANGER));
    if (masons != 0 && masons != 2 && !single)
        game_issue(c->issues, true, "E_MASON_PAIR", "masons come in pairs, the set has %u", masons);
    if (any(c, ROLE_BIT(ALPHA_WOLF)) != (centre_wolf(setup) != ROLE_NONE))
        game_issue(c->issues, true, "E_ALPHA_C4", "an alpha wolf and a centre werewolf (c4) need each other");
    static const uint8_t house_only[] = {OPTION_minion_as_wolf, OPTION_no_death_result, OPTION_tanner_rule,
                                         OPTION_innocent_executed_rule};
    for (unsigned i = 0; i < sizeof house_only; i++)
        if (setup->options[house_only[i]] && !setup->options[OPTION_house_cn])
            game_issue(c->issues, true, "E_HOUSE_OPTION", "%s needs house_cn",
                       one_night__options[house_only[i]].name);
}

static void warn(struct check *c, bool when, const char *code, const char *text) {
    if (when)
        game_issue(c->issues, false, code, "%s", text);
}

// The six of Daybreak, the six of the bonus packs (1.3).
static unsigned artifact_count(const struct game_setup *setup, uint64_t roles) {
    if (!(roles & ROLE_BIT(CURATOR)))
        return 0;
    return setup->options[OPTION_bonus_artifacts] ? ARTIFACTS : ARTIFACT_BOW;
}

// 8.1: the groups of a set; a synthetic alien alone makes none. Each artifact that is laid may bring one
// more: the claw is always among them, mist and alien artifact in the bonus packs.
bool one_night__epic_set(uint64_t roles, unsigned artifacts) {
    unsigned is = 0, laid = artifacts ? 1 + ((roles & ROLE_BIT(DOPPELGANGER)) != 0) : 0;
    for (uint64_t left = roles & ~ROLE_BIT(SYNTHETIC_ALIEN); left; left &= left - 1)
        is |= one_night__roles[__builtin_ctzll(left)].flags;
    unsigned groups = is & (IS_WOLF | IS_FANG | IS_ALIEN);
    unsigned more = (artifacts > ARTIFACT_ALIEN ? IS_WOLF | IS_FANG | IS_ALIEN : IS_WOLF) & ~groups;
    unsigned brings = (unsigned)__builtin_popcount(more);
    return 1 + (unsigned)__builtin_popcount(groups) + (brings < laid ? brings : laid) >= 3;
}

static void check_warnings(struct check *c) {
    uint64_t wolves = with_flag(IS_WOLF), fangs = with_flag(IS_FANG), aliens = with_flag(IS_ALIEN);
    uint64_t alien_set = of_set(SET_ALIEN), n = c->setup->seats;
    unsigned pair = c->count[ROLE_ALIEN] + c->count[ROLE_GROOB] + c->count[ROLE_ZERB];
    warn(c, !any(c, wolves | fangs | aliens), "W_NO_EVIL", "no werewolf, vampire or alien is in the set");
    warn(c, any(c, ROLE_BIT(INSOMNIAC)) && !any(c, with_flag(IS_MOVER)), "W_INSOMNIAC",
         "nobody can move the insomniac's card");
    warn(c, any(c, ROLE_BIT(MINION)) && !any(c, wolves), "W_MINION", "a minion without any werewolf");
    warn(c, c->setup->options[OPTION_house_cn] && any(c, ROLE_BIT(TANNER) | ROLE_BIT(HUNTER)),
         "W_HOUSE_NOT_RECOMMENDED", "tanner and hunter may unbalance the house variant");
    warn(c, any(c, ROLE_BIT(BODYGUARD)) && n < 5, "W_BODYGUARD_N", "a bodyguard wants five players");
    warn(c, any(c, ROLE_BIT(RENFIELD)) && !any(c, fangs), "W_RENFIELD", "a renfield without vampires");
    warn(c, any(c, ROLE_BIT(APPRENTICE_ASSASSIN)) && !any(c, ROLE_BIT(ASSASSIN)), "W_APP_ASSASSIN",
         "an apprentice without an assassin marks herself");
    warn(c, any(c, ROLE_BIT(LEADER)) && !any(c, aliens), "W_LEADER", "a leader without aliens");
    warn(c, any(c, alien_set) && pair != 2, "W_ALIEN_PAIR", "the box recommends two of alien, groob, zerb");
    warn(c, any(c, alien_set) && n == 3, "W_ALIEN_3P", "aliens want four players");
    warn(c, any(c, ROLE_BIT(DOPPELGANGER)) && c->setup->options[OPTION_first_time], "W_DOPPEL_FIRST",
         "a doppelganger is hard in a first game with a new set");
    warn(c,
         any(c, ROLE_BIT(CURATOR)) && c->setup->options[OPTION_bonus_artifacts] &&
             !one_night__marked(c->roles),
         "W_MIST", "the mist of the vampire is among the artifacts, but no Vampire role");
    warn(c, one_night__epic_set(c->roles, artifact_count(c->setup, c->roles)), "W_EPIC",
         "this set can lead to an Epic Battle");
}

static void fill_slots(struct game_setup *setup, const struct check *c) {
    setup->n_slots = 0;
    for (unsigned r = 0; r < ROLES; r++)
        for (unsigned n = 0; n < c->count[r]; n++)
            setup->slot_kind[setup->n_slots++] = (game_kind)r;
    bool own_pad = setup->options[OPTION_ballot] == BALLOT_OWN_PAD;
    for (unsigned s = 0; s < setup->seats && !own_pad; s++)
        setup->slot_kind[setup->n_slots++] = (game_kind)(KIND_TOKEN + s);
    for (unsigned v = 0; v < setup->seats && own_pad; v++)
        for (unsigned t = 0; t < setup->seats; t++)
            if (t != v)
                setup->slot_kind[setup->n_slots++] =
                    (game_kind)(KIND_BALLOT + v * (TABLE_SEATS - 1) + t - (t > v ? 1 : 0));
    uint8_t marks[MARKS];
    one_night__mark_counts(setup->seats, c->roles, marks);
    for (unsigned m = 0; m < MARKS; m++)
        for (unsigned n = 0; n < marks[m]; n++)
            setup->slot_kind[setup->n_slots++] = (game_kind)(KIND_MARK + m);
    for (unsigned a = 0; a < artifact_count(setup, c->roles); a++)
        setup->slot_kind[setup->n_slots++] = (game_kind)(KIND_ARTIFACT + a);
    for (unsigned i = 0; i < one_night__shield_count(c->roles); i++)
        setup->slot_kind[setup->n_slots++] = KIND_SHIELD;
}

enum error_code one_night_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err) {
    if (setup->n_cards == 0 && setup->seats >= 3 && setup->seats <= TABLE_SEATS)
        default_cards(setup);
    struct check check = {.setup = setup, .issues = ret};
    for (unsigned i = 0; i < setup->n_cards; i++) {
        if (setup->cards[i] >= ROLES) {
            game_issue(ret, true, "E_UNKNOWN_ROLE", "a card of the set is no role");
            continue;
        }
        check.count[setup->cards[i]]++;
        check.roles |= UINT64_C(1) << setup->cards[i];
    }
    if (centre_wolf(setup) != ROLE_NONE)
        check.count[centre_wolf(setup)]++;
    check_errors(&check);
    check_roles(&check);
    for (unsigned i = 0; i < ret->n; i++)
        if (ret->issue[i].is_error)
            return error_illegal(err, ret->issue[i].code, "%s", ret->issue[i].text);
    check_warnings(&check);
    fill_slots(setup, &check);
    return ERROR_OK;
}

// ---- places

static game_place add(struct game_places *places, const char *stem, unsigned number, unsigned class_bit,
                      int x, int y, int seat) {
    struct game_place_row *row = &places->row[places->n];
    *row = (struct game_place_row){.accepts = 1u << class_bit,
                                   .shares = GAME_NONE,
                                   .x = (int16_t)x,
                                   .y = (int16_t)y,
                                   .seat = (int8_t)seat};
    size_t len = strlen(stem);
    memcpy(row->name, stem, len);
    if (number >= 10)
        row->name[len++] = '1';
    if (number)
        row->name[len++] = (char)('0' + number % 10);
    return places->n++;
}

// A circle in thirtieths of a turn, times a thousand, clockwise from the bottom; no floating point in a game.
static void on_circle(unsigned seat, unsigned seats, bool ccw, int radius, int *x, int *y) {
    static const int16_t sine[31] = {0,    208,  407,  588,  743,  866,  951,  995,  995,  951,  866,
                                     743,  588,  407,  208,  0,    -208, -407, -588, -743, -866, -951,
                                     -995, -995, -951, -866, -743, -588, -407, -208, 0};
    unsigned turn = (30 * seat + seats / 2) / seats % 30, quarter = (turn + 7) % 30;
    int side = ccw ? 1 : -1;
    *x = 500 + side * radius * sine[turn] / 1000;
    *y = 500 + radius * sine[quarter] / 1000;
}

// A ring of places, one a seat, that may share the pad of the seat's tile.
static void add_ring(struct game_places *places, const struct game_setup *setup, const char *stem,
                     unsigned class_bit, int radius, bool shares) {
    int x, y;
    for (unsigned s = 0; s < setup->seats; s++) {
        on_circle(s, setup->seats, setup->options[OPTION_numbers_direction] != 0, radius, &x, &y);
        game_place at = add(places, stem, s + 1, class_bit, x, y, (int)s);
        if (shares)
            places->row[at].shares = (game_place)s;
    }
}

static uint64_t roles_of(const struct game_setup *setup) {
    uint64_t ret = 0;
    for (unsigned i = 0; i < setup->n_cards; i++)
        if (setup->cards[i] < ROLES)
            ret |= UINT64_C(1) << setup->cards[i];
    return ret;
}

// Where answers and taps are shown that no pad can feel (5.1, 5.2).
static bool answers(uint64_t roles) {
    return roles & (ROLE_BIT(ORACLE) | with_flag(IS_ALIEN));
}

void one_night_places(const struct game_setup *setup, struct game_places *ret) {
    unsigned centre = centre_wolf(setup) == ROLE_NONE ? 3 : 4;
    uint64_t roles = roles_of(setup);
    ret->n = 0;
    add_ring(ret, setup, "s", CLASS_CARD, 400, false);
    for (unsigned c = 0; c < centre; c++)
        add(ret, "c", c + 1, CLASS_CARD, 400 + 100 * (int)c, 500, -1);
    add_ring(ret, setup, "v", CLASS_TOKEN, 300, true);
    if (roles & ROLE_BIT(SENTINEL)) {
        add_ring(ret, setup, "h", CLASS_SHIELD, 350, false);
        add(ret, "shield_rest", 0, CLASS_SHIELD, 500, 580, -1);
    }
    if (one_night__marked(roles)) {
        add_ring(ret, setup, "k", CLASS_MARK, 450, false);
        add(ret, "tray", 0, CLASS_MARK, 420, 580, -1);
    }
    if (roles & ROLE_BIT(CURATOR)) {
        add_ring(ret, setup, "a", CLASS_ARTIFACT, 370, false);
        add(ret, "supply", 0, CLASS_ARTIFACT, 580, 580, -1);
    }
    if (answers(roles))
        add(ret, "answer", 0, CLASS_TOKEN, 500, 420, -1);
    for (unsigned c = 0; c < centre && (roles & ROLE_BIT(EXPOSER)); c++) {
        game_place at = add(ret, "t", c + 1, CLASS_TOKEN, 400 + 100 * (int)c, 460, -1);
        ret->row[at].shares = (game_place)(setup->seats + c);
    }
}

void one_night_seat_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]) {
    (void)setup;
    (void)seat;
    ret[0] = 0; // seats are called by their numbers
}

// ---- the first state

// `auto` is the house's or the official reading (7.7).
static uint8_t decided(const struct game_setup *setup, unsigned option, bool official, bool house) {
    int32_t value = setup->options[option];
    if (value)
        return value == 2;
    return setup->options[OPTION_house_cn] ? house : official;
}

static void init_rules(struct one_night_rules *r, const struct game_setup *setup) {
    const int32_t *o = setup->options;
    r->house = o[OPTION_house_cn] != 0;
    r->ballot = (uint8_t)o[OPTION_ballot];
    r->lone_wolf = o[OPTION_lone_wolf] != 0;
    r->lone_minion_village = o[OPTION_lone_minion_village] != 0;
    r->ccw = o[OPTION_numbers_direction] != 0;
    r->rounds = decided(setup, OPTION_discussion, false, true);
    r->single_victim = decided(setup, OPTION_victims, false, true);
    r->tie_spares = decided(setup, OPTION_tie_rule, false, true);
    r->voters_die = decided(setup, OPTION_hunter_rule, false, true);
    r->minion_as_wolf = decided(setup, OPTION_minion_as_wolf, false, true);
    r->no_death_minion = decided(setup, OPTION_no_death_result, false, true);
    r->tanner_alone = decided(setup, OPTION_tanner_rule, false, true);
    r->innocent_werewolf = decided(setup, OPTION_innocent_executed_rule, false, true);
    r->tanner_blocks_wolves_only = o[OPTION_tanner_blocks] != 0;
    r->synthetic_blocks_all = o[OPTION_synthetic_blocks] != 0;
    r->bodyguard_votes = o[OPTION_bodyguard_votes] != 0;
    r->epic_circle_dies = o[OPTION_epic_circle] != 0;
    r->sentinel_first = o[OPTION_sentinel_first] != 0;
    r->pi_player = o[OPTION_pi_sticky] != 0;
    r->faces = (uint8_t)o[OPTION_faces];
    r->revealer_hides_non_village = o[OPTION_revealer_hides] != 0;
    static const uint8_t hits[] = {SAFE_PRINCE,
                                   0,
                                   SAFE_BODYGUARD,
                                   SAFE_MASTER,
                                   SAFE_BODYGUARD | SAFE_MASTER,
                                   SAFE_BODYGUARD | SAFE_PRINCE,
                                   SAFE_MASTER | SAFE_PRINCE,
                                   SAFE_BODYGUARD | SAFE_MASTER | SAFE_PRINCE};
    r->hunter_hits = hits[o[OPTION_hunter_beats_protection]];
    r->must = (uint8_t)(decided(setup, OPTION_seer_mode, false, false) << MODE_SEER |
                        decided(setup, OPTION_robber_mode, false, true) << MODE_ROBBER |
                        decided(setup, OPTION_troublemaker_mode, false, false) << MODE_TROUBLEMAKER |
                        decided(setup, OPTION_drunk_mode, true, true) << MODE_DRUNK |
                        decided(setup, OPTION_insomniac_mode, false, false) << MODE_INSOMNIAC);
}

// 6.2: a minute less than players, at most five.
static uint32_t discussion_ms(const struct game_setup *setup) {
    uint32_t minutes = setup->seats <= 6 ? setup->seats - 1u : 5u;
    return setup->options[OPTION_discussion_s] ? 1000u * (uint32_t)setup->options[OPTION_discussion_s]
                                               : 60000u * minutes;
}

static void init_pieces(struct one_night *g, const struct game_setup *setup) {
    uint8_t marks[MARKS];
    unsigned seats = g->seats, next = g->n_positions + seats;
    unsigned slot = g->n_cards + (g->rules.ballot == BALLOT_OWN_PAD ? seats * (seats - 1) : seats);
    if (one_night__shields(g))
        next += seats + 1;
    one_night__mark_counts(seats, g->roles, marks);
    for (unsigned m = 0; m < MARKS; m++)
        g->first_mark[m + 1] = (uint8_t)(g->first_mark[m] + marks[m]);
    g->first_mark_slot = (uint8_t)slot;
    g->first_artifact_slot = (uint8_t)(slot + g->first_mark[MARKS]);
    g->n_artifacts = (uint8_t)artifact_count(setup, g->roles);
    if (one_night__marked(g->roles)) {
        g->place_k = (uint8_t)next;
        next += seats + 1;
    }
    if (g->n_artifacts) {
        g->place_a = (uint8_t)next;
        next += seats + 1;
    }
    if (answers(g->roles))
        g->place_answer = (uint8_t)next++;
    if (g->roles & ROLE_BIT(EXPOSER))
        g->place_t = (uint8_t)next;
}

void one_night_init(void *state, const struct game_setup *setup) {
    struct one_night *g = state;
    memset(g, 0, sizeof *g);
    g->phase = PHASE_DEAL;
    g->seats = setup->seats;
    g->centre_wolf = centre_wolf(setup);
    g->n_centre = g->centre_wolf == ROLE_NONE ? 3 : 4;
    g->n_positions = (uint8_t)(g->seats + g->n_centre);
    memset(g->copied, ROLE_NONE, sizeof g->copied);
    memset(g->pi_role, ROLE_NONE, sizeof g->pi_role);
    memset(g->override, ROLE_NONE, sizeof g->override);
    memset(g->at, CARD_NONE, sizeof g->at);
    memset(g->dealt, CARD_NONE, sizeof g->dealt);
    memset(g->artifact, ARTIFACT_NONE, sizeof g->artifact);
    memset(g->vote, SEAT_NONE, sizeof g->vote);
    memset(g->vote_2, SEAT_NONE, sizeof g->vote_2);
    memset(g->mark_piece, CARD_NONE, sizeof g->mark_piece);
    memset(g->pi_seat, ROLE_NONE, sizeof g->pi_seat);
    memset(g->variant, NOT_DRAWN, sizeof g->variant);
    memset(g->key, NOT_DRAWN, sizeof g->key);
    memset(g->number, NOT_DRAWN, sizeof g->number);
    memset(g->answer, NOT_DRAWN, sizeof g->answer);
    g->bitten = g->last_loved = SEAT_NONE;
    for (unsigned i = 0; i < setup->n_slots && setup->slot_kind[i] < ROLES; i++)
        g->role[g->n_cards++] = (uint8_t)setup->slot_kind[i];
    for (unsigned i = 0; i < setup->n_cards; i++) // the card at c4 wakes nobody
        g->roles |= UINT64_C(1) << setup->cards[i];
    g->pool = (1u << g->n_cards) - 1;
    init_rules(&g->rules, setup);
    g->discussion_ms = discussion_ms(setup);
    g->speech_ms = 1000u * (uint32_t)setup->options[OPTION_speech_s];
    init_pieces(g, setup);
    one_night__draws_next(g);
    one_night__call_list(g);
}
