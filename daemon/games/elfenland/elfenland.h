// What the files of this game share: tables, the state, how an action is packed, prototypes.
// Rules: elfenland.md. Every function here is pure; the state is flat and below 400 bytes.
#pragma once
#include "engine/game.h"

enum {
    TOWNS = 21,
    LINKS = 48,
    ROADS = 35, // the first links
    PLAYERS_MAX = 6,
    CARDS = 72,
    COUNTERS = 48,
    MARKET = 5,
    HAND_MAX = 8,    // dealt up to (fill_to_8), or dealt anew (deal_8)
    KEPT_MAX = 4,    // cards kept at the end of a round
    OFFERED_MAX = 4, // the highest price: a caravan over an obstacle
    LAPS = 3,        // of the draft
    CARAVAN = 3,
    NONE = 0xff,
};

// ---- the board (map.c, made by map.py)

enum elfenland_terrain {
    TERRAIN_PLAINS,
    TERRAIN_FOREST,
    TERRAIN_DESERT,
    TERRAIN_MOUNTAIN,
    TERRAIN_RIVER,
    TERRAIN_LAKE,
    TERRAINS
};
struct elfenland_town {
    const char *id, *name;
    int16_t x, y;
    bool has_card, is_west;
};
struct elfenland_link {
    const char *id;
    uint8_t a, b; // a river flows from a to b
    uint8_t terrain;
};
extern const struct elfenland_town elfenland__towns[TOWNS];
extern const struct elfenland_link elfenland__links[LINKS];
extern const uint8_t elfenland__road_between[TOWNS][TOWNS], elfenland__water_between[TOWNS][TOWNS];
extern const uint8_t elfenland__distance[2][TOWNS][TOWNS]; // [west]; NONE = no way
extern const char elfenland__town_words[], elfenland__link_words[];
enum { TOWN_ELVENHOLD = 3 };

// ---- travel: card and counter types

#define ELFENLAND_TYPES(X)                                                                                   \
    X(GIANT_PIG, giant_pig)                                                                                  \
    X(ELFCYCLE, elfcycle)                                                                                    \
    X(MAGIC_CLOUD, magic_cloud)                                                                              \
    X(UNICORN, unicorn)                                                                                      \
    X(TROLL_WAGON, troll_wagon)                                                                              \
    X(DRAGON, dragon)
enum {
#define X(name, word) TYPE_##name,
    ELFENLAND_TYPES(X)
#undef X
        TYPE_RAFT, // cards only
    TYPES,
    COUNTER_TYPES = TYPE_RAFT
};
extern const char *const elfenland__type_names[TYPES];
extern const char elfenland__card_words[], elfenland__counter_words[];
extern const uint8_t elfenland__cost[COUNTER_TYPES][4]; // by road terrain; 0 = may not be laid there

static inline unsigned elfenland__card_type(unsigned card) {
    return card < 60 ? card / 10 : TYPE_RAFT;
}
static inline unsigned elfenland__counter_type(unsigned counter) {
    return counter / 8;
}

// ---- pieces, slots and places

enum {
    CLASS_CARD,
    CLASS_COUNTER,
    CLASS_OBSTACLE,
    CLASS_BOOT,
    CLASS_MARKER,
    CLASS_ROUND,
    CLASS_TOWN_CARD,
    CLASS_PIECE,
    CLASS_NUMBER
};
enum {
    KIND_CARD,
    KIND_COUNTER = KIND_CARD + TYPES,
    KIND_OBSTACLE = KIND_COUNTER + COUNTER_TYPES,
    KIND_BOOT,
    KIND_START = KIND_BOOT + PLAYERS_MAX,
    KIND_ROUND,
    KIND_TOWN_CARD = KIND_ROUND + 4,
    TOWN_CARDS = 12,
    KIND_PIECE = KIND_TOWN_CARD + TOWN_CARDS, // slots only where they carry tags: boots tell where they are
    KIND_NUMBER = KIND_PIECE + PLAYERS_MAX,   // the seat's number token: its `done`
    KINDS = KIND_NUMBER + PLAYERS_MAX,
};
enum {
    SLOT_CARD,
    SLOT_COUNTER = CARDS,
    SLOT_OBSTACLE = CARDS + COUNTERS
}; // then boots, start, rounds, town cards, town pieces, number tokens: the last three by option

enum {
    PLACE_TOWN,
    PLACE_ROAD = TOWNS,
    PLACE_DECK = PLACE_ROAD + ROADS,
    PLACE_DISCARD,
    PLACE_PILE,
    PLACE_MARKET,
    PLACE_ROUND = PLACE_MARKET + MARKET,
    PLACE_SEAT,
};
enum { AT_HAND, AT_HOME, AT_PAY, AT_OPEN, AT_SECRET, AT_OBSTACLE, AT_TROPHIES, AT_START, SEAT_PLACES };
static inline game_place elfenland__seat_place(unsigned seat, unsigned at) {
    return (game_place)(PLACE_SEAT + seat * SEAT_PLACES + at);
}

// ---- the state

// X(name, phase id, veil)
#define ELFENLAND_PHASES(X)                                                                                  \
    X(SETUP, "setup", OPEN)                                                                                  \
    X(DEAL, "deal", SEALED)                                                                                  \
    X(SECRET_DRAW, "secret_draw", SEALED)                                                                    \
    X(DRAFT, "draft", OPEN)                                                                                  \
    X(PLAN, "plan", OPEN)                                                                                    \
    X(MOVE, "move", OPEN)                                                                                    \
    X(FINISH_ROUND, "finish_round", OPEN)                                                                    \
    X(GAME_OVER, "game_over", OPEN)
enum {
#define X(name, id, veil) PHASE_##name,
    ELFENLAND_PHASES(X)
#undef X
};

enum { HANDS_TRACKED, HANDS_SEAT, HANDS_COUNTED };
enum { PAYMENT_TAPPED, PAYMENT_LAID };
enum { DONE_TILE, DONE_TOKEN };

// Where a card is. Hands are counted besides; with counted hands a card in the deck may be in any hand.
enum { CARD_DECK, CARD_DISCARD, CARD_OFFERED, CARD_DROPPED, CARD_HAND, CARD_DEALT = CARD_HAND + PLAYERS_MAX };
// Where a counter is; on a road the road's own entry tells which.
enum {
    COUNTER_PILE,
    COUNTER_ROAD,
    COUNTER_GIVEN_UP, // laid back by the seat whose turn it is, until `keep`
    COUNTER_GIVEN_SECRET,
    COUNTER_MARKET,
    COUNTER_UP = COUNTER_MARKET + MARKET,
    COUNTER_SECRET = COUNTER_UP + PLAYERS_MAX,
};
enum { MODE_NONE, MODE_NORMAL, MODE_CARAVAN, MODE_DOWNRIVER, MODE_UPRIVER, MODE_LAKE, MODES };
extern const char *const elfenland__mode_names[MODES];

struct elfenland {
    uint8_t seats, rounds, hometown, west, deal_8, early_end, hands, laid, tapped_roads;
    uint8_t phase, round, start, turn, lap, passes, blind; // blind: a counter is to be turned up for `turn`
    uint8_t start_town, ahead; // ahead: town on which the mover's boot waits for its payment
    uint8_t card[CARDS], counter[COUNTERS];
    uint8_t on_road[ROADS];        // counter
    uint8_t obstacle_on[ROADS];    // whose obstacle
    uint8_t obstacle[PLAYERS_MAX]; // still to be laid
    uint8_t boot[PLAYERS_MAX], hand[PLAYERS_MAX], dealt[PLAYERS_MAX], home[PLAYERS_MAX];
    uint8_t last_seat, last_link, last_mode, last_piece; // of the last step, for people and worked cases
    uint8_t by_token, tagged;                            // how `done` is said; town pieces carry tags
    uint32_t collected[PLAYERS_MAX];                     // towns
};
static inline const struct elfenland *elfenland__state(const void *state) {
    return state;
}

// ---- actions: verb << 24 | a << 16 | b << 8 | c

#define ELFENLAND_VERBS(X)                                                                                   \
    X(START_TOWN)                                                                                            \
    X(TOWN_CARD)                                                                                             \
    X(REFILL)                                                                                                \
    X(DEAL)                                                                                                  \
    X(DEALT)                                                                                                 \
    X(DRAW_SECRET)                                                                                           \
    X(TURN_UP)                                                                                               \
    X(FIRST)                                                                                                 \
    X(TAKE)                                                                                                  \
    X(DRAFT)                                                                                                 \
    X(PLACE_COUNTER)                                                                                         \
    X(PLACE_OBSTACLE)                                                                                        \
    X(PASS)                                                                                                  \
    X(PAY)                                                                                                   \
    X(TAKE_BACK)                                                                                             \
    X(BOOT_AHEAD)                                                                                            \
    X(TRAVEL)                                                                                                \
    X(WITHDRAW)                                                                                              \
    X(END_TURN)                                                                                              \
    X(DROP)                                                                                                  \
    X(PICK_UP)                                                                                               \
    X(GIVE_BACK)                                                                                             \
    X(RECLAIM)                                                                                               \
    X(KEEP)
enum {
#define X(name) VERB_##name,
    ELFENLAND_VERBS(X)
#undef X
        VERBS
};
struct elfenland_act {
    unsigned verb, a, b, c;
};
static inline game_action elfenland__pack(unsigned verb, unsigned a, unsigned b, unsigned c) {
    return (game_action)verb << 24 | a << 16 | b << 8 | c;
}
static inline struct elfenland_act elfenland__unpack(game_action action) {
    return (struct elfenland_act){(unsigned)(action >> 24), action >> 16 & 0xff, action >> 8 & 0xff,
                                  action & 0xff};
}
// A card or counter that nobody holds has no number: a = NONE, c = type (and source << 4), so that the rules
// can say why not.
enum { SOURCE_UP, SOURCE_SECRET, SOURCES };

// X(id, text, args): what is said. The greeting bears the first phase's name.
#define ELFENLAND_LINES(X)                                                                                   \
    X(setup, "Elfenland. Boots to the start town, please.", "")                                              \
    X(deal, "Fill every hand to eight cards.", "")                                                           \
    X(deal_new, "Deal eight new cards to every player.", "")                                                 \
    X(secret, "In turn, from seat {0}: draw one counter in secret.", "s")                                    \
    X(draft, "Seat {0}: take a counter.", "s")                                                               \
    X(plan, "Seat {0}: lay a counter, an obstacle, or pass.", "s")                                           \
    X(auto_pass, "Seat {0} has nothing to lay and passes.", "s")                                             \
    X(move, "Seat {0}: travel, then say done.", "s")                                                         \
    X(waits, "Seat {0}: the boot waits for its cards.", "s")                                                 \
    X(lay_away, "Seat {0}: lay the paid cards on the discards.", "s")                                        \
    X(wasteful, "Seat {0} pays a caravan where {1} would do.", "sn")                                         \
    X(piece, "Seat {0} collects a piece: {1} now.", "sn")                                                    \
    X(finish, "Seat {0}: keep four cards and one counter.", "s")                                             \
    X(clear, "Clear the roads. Round {0}, seat {1} starts.", "ns")                                           \
    X(over, "The journey is over. Seat {0} has {1} points.", "sn")
enum {
#define X(id, text, args) LINE_##id,
    ELFENLAND_LINES(X)
#undef X
};

// ---- tables.c
extern const struct game_kind_row elfenland__kinds[];
extern const struct game_option elfenland__options[];
extern const struct game_verb elfenland__verbs[];
extern const struct game_phase_row elfenland__phases[];
extern const struct game_line_row elfenland__lines[];
extern const struct game_preset elfenland__presets[];
extern const char *const elfenland__colours[PLAYERS_MAX];
enum {
    OPTION_ROUNDS,
    OPTION_VARIANT,
    OPTION_DEAL_MODE,
    OPTION_EARLY_END,
    OPTION_WEST_ONLY,
    OPTION_HANDS,
    OPTION_PAYMENT,
    OPTION_ROADS,
    OPTION_DONE,
    OPTION_PIECES,
};

// ---- setup.c
enum error_code elfenland_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err);
void elfenland_places(const struct game_setup *setup, struct game_places *ret);
void elfenland_seat_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]);
void elfenland_init(void *state, const struct game_setup *setup);
game_slot elfenland__boot_slot(const struct elfenland *g, unsigned seat);
game_slot elfenland__start_slot(const struct elfenland *g);
unsigned elfenland__first_town_slot(const struct elfenland *g);
game_slot elfenland__number_slot(const struct elfenland *g, unsigned seat);
// The town of the n-th town card of this set-up, and back; NONE.
unsigned elfenland__town_of_card(bool west, unsigned n);
unsigned elfenland__card_of_town(bool west, unsigned town);

// ---- roads.c: what may be travelled and what it costs (3, 8)
bool elfenland__in_play(const struct elfenland *g, unsigned town);
unsigned elfenland__road(const struct elfenland *g, unsigned from, unsigned to);  // NONE
unsigned elfenland__water(const struct elfenland *g, unsigned from, unsigned to); // NONE
bool elfenland__is_road(const struct elfenland *g, unsigned link);                // one in play
unsigned elfenland__water_price(unsigned link, unsigned from);
unsigned elfenland__normal_price(const struct elfenland *g, unsigned road); // 0 without counter
// How these cards pay the step: the link, or NONE with *err filled.
unsigned elfenland__resolve(const struct elfenland *g, unsigned from, unsigned to, const uint8_t cards[TYPES],
                            unsigned *ret_mode, struct error *err);
// Could any cards pay it now?
bool elfenland__payable(const struct elfenland *g, unsigned from, unsigned to);
void elfenland__offered(const struct elfenland *g, uint8_t ret[TYPES]);
unsigned elfenland__n_offered(const struct elfenland *g);
unsigned elfenland__pieces(const struct elfenland *g, unsigned seat);
unsigned elfenland__pieces_all(const struct elfenland *g);

// ---- check.c: may it be done, and why not (7)
enum error_code elfenland__check(const struct elfenland *g, int by, game_action action, struct error *err);
// Number of counters a seat holds, open and secret.
unsigned elfenland__n_counters(const struct elfenland *g, unsigned seat);
unsigned elfenland__n_secret(const struct elfenland *g, unsigned seat);

// ---- legal.c
size_t elfenland_legal(const void *state, int by, game_action *ret, size_t cap);
size_t elfenland_mistakes(const void *state, int by, game_action *ret, size_t cap);
bool elfenland_random(const void *state, int by, uint64_t dice, game_action *ret);

// ---- apply.c, rounds.c
enum error_code elfenland_apply(void *state, int by, game_action action, struct game_notes *notes,
                                struct error *err);
unsigned elfenland__deal_target(const struct elfenland *g, unsigned seat); // cards this deal gives it
void elfenland__after_setup(struct elfenland *g, struct game_notes *notes);
void elfenland__after_deal(struct elfenland *g, struct game_notes *notes);
void elfenland__after_secret(struct elfenland *g, struct game_notes *notes);
void elfenland__after_draft(struct elfenland *g, struct game_notes *notes);
void elfenland__after_plan(struct elfenland *g, bool placed, struct game_notes *notes);
void elfenland__after_move(struct elfenland *g, struct game_notes *notes);
void elfenland__after_keep(struct elfenland *g, struct game_notes *notes);

// ---- layout.c, observe.c, result.c, acts.c
void elfenland_layout(const void *state, struct game_layout *ret);
game_place elfenland_rest(const void *state, game_slot slot);
void elfenland_proof(const void *state, int by, game_action action, struct game_proof *ret);
void elfenland_observe(const void *state, struct observation *ret);
void elfenland_result(const void *state, struct observe_result *ret);
int elfenland__score(const struct elfenland *g, unsigned seat);
unsigned elfenland__cards_left(const struct elfenland *g, unsigned seat);
unsigned elfenland__rank(const struct elfenland *g, unsigned seat); // 1 = first; shared places are equal
enum error_code elfenland_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                 struct error *err);
void elfenland_decode(const void *state, int by, game_action action, struct game_act *ret);

extern const struct game elfenland_game;
