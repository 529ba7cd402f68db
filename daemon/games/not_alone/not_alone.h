// Shared by the files of this folder only. The rules are not-alone.md; numbers in comments are its sections.
#pragma once
#include "engine/game.h"
#include <stdbool.h>
#include <stdint.h>

enum { HUNTED_MAX = 6, PLACE_CARDS = 10, BASIC_CARDS = 5, COPIES_MAX = 3, SLOTS_LAID = 2, WILL_FULL = 3 };
enum { NOBODY = 0xff };

// A set of places 1..10: bit n is place n.
#define PLACE_BIT(n) ((uint16_t)(1u << (n)))
enum { ALL_PLACES = 0x7fe };

enum not_alone_place {
    AT_LAIR = 1,
    AT_JUNGLE,
    AT_RIVER,
    AT_BEACH,
    AT_ROVER,
    AT_SWAMP,
    AT_SHELTER,
    AT_WRECK,
    AT_SOURCE,
    AT_ARTEFACT
};

// ---- Hunt cards (7): name, id, phase, symbols, arguments, flag it sets for the turn

enum { SYMBOL_TARGET = 1, SYMBOL_ARTEMIA = 2 };
enum not_alone_effect {
    FX_DESPAIR = 1 << 0,
    FX_FORCE_FIELD = 1 << 1,
    FX_FIERCENESS = 1 << 2,
    FX_INTERFERENCE = 1 << 3,
    FX_PERSECUTION = 1 << 4,
    FX_MUTATION = 1 << 5,
    FX_VIRUS = 1 << 6,
    FX_CLONE = 1 << 7,
    FX_MIRAGE = 1 << 8,
    FX_SCREAM = 1 << 9,
    FX_TOXIN = 1 << 10,
    FX_STASIS = 1 << 11,
    FX_TRACKING = 1 << 12, // for the next turn
    FX_SACRIFICE = 1 << 13,
    FX_SMOKESCREEN = 1 << 14,
};

enum { // arguments of an action, as a set
    HAS_CARD = 1,
    HAS_MODE = 2,
    HAS_COPY = 4,
    HAS_PLACE = 8,
    HAS_SEAT = 16,
    HAS_TO = 32,
    HAS_SLOT = 64,
    HAS_B = 128,
    HAS_TOKEN = 256,
    HAS_K = 512,
    HAS_SET = 1024,
};

// X(NAME, id, phase, symbols, needed, allowed, flag)
#define NOT_ALONE_HUNT(X)                                                                                    \
    X(DESPAIR, despair, 1, SYMBOL_ARTEMIA, 0, 0, FX_DESPAIR)                                                 \
    X(FORCE_FIELD, force_field, 1, SYMBOL_TARGET, HAS_SET, HAS_B, FX_FORCE_FIELD)                            \
    X(ANTICIPATION, anticipation, 2, 0, HAS_SEAT, 0, 0)                                                      \
    X(ASCENDANCY, ascendancy, 2, 0, HAS_SEAT, 0, 0)                                                          \
    X(FIERCENESS, fierceness, 2, 0, 0, 0, FX_FIERCENESS)                                                     \
    X(FORBIDDEN_ZONE, forbidden_zone, 2, 0, 0, 0, 0)                                                         \
    X(INTERFERENCE, interference, 2, 0, 0, 0, FX_INTERFERENCE)                                               \
    X(PERSECUTION, persecution, 2, 0, 0, 0, FX_PERSECUTION)                                                  \
    X(MUTATION, mutation, 2, SYMBOL_ARTEMIA, 0, 0, FX_MUTATION)                                              \
    X(PHOBIA, phobia, 2, SYMBOL_ARTEMIA, 0, HAS_SEAT, 0)                                                     \
    X(VIRUS, virus, 2, SYMBOL_ARTEMIA, 0, 0, FX_VIRUS)                                                       \
    X(CLONE, clone, 2, SYMBOL_TARGET, 0, 0, FX_CLONE)                                                        \
    X(MIRAGE, mirage, 2, SYMBOL_TARGET, 0, 0, FX_MIRAGE)                                                     \
    X(SCREAM, scream, 2, SYMBOL_TARGET, 0, 0, FX_SCREAM)                                                     \
    X(TOXIN, toxin, 2, SYMBOL_TARGET, 0, 0, FX_TOXIN)                                                        \
    X(CATACLYSM, cataclysm, 3, 0, HAS_PLACE, 0, 0)                                                           \
    X(DETOUR, detour, 3, 0, HAS_SEAT | HAS_TO, HAS_SLOT, 0)                                                  \
    X(STASIS, stasis, 4, 0, 0, 0, FX_STASIS)                                                                 \
    X(TRACKING, tracking, 4, 0, 0, 0, FX_TRACKING)                                                           \
    X(FLASHBACK, flashback, 0, 0, 0, 0, 0)
enum not_alone_hunt {
    HUNT_NONE,
#define X(name, id, phase, symbols, needed, allowed, flag) HUNT_##name,
    NOT_ALONE_HUNT(X)
#undef X
        HUNT_END,
    HUNTS = HUNT_END - 1
};

// ---- Survival cards (8): name, id, phase, needed and allowed arguments
#define NOT_ALONE_SURVIVAL(X)                                                                                \
    X(ADRENALINE, adrenaline, 1, 0, 0)                                                                       \
    X(INGENUITY, ingenuity, 1, 0, 0)                                                                         \
    X(SACRIFICE, sacrifice, 1, HAS_SET, 0)                                                                   \
    X(SIXTH_SENSE, sixth_sense, 1, HAS_SET, 0)                                                               \
    X(SMOKESCREEN, smokescreen, 1, 0, 0)                                                                     \
    X(STRIKE_BACK, strike_back, 1, 0, 0)                                                                     \
    X(VORTEX, vortex, 2, HAS_SET, HAS_SLOT)                                                                  \
    X(DETECTOR, detector, 3, 0, 0)                                                                           \
    X(DODGE, dodge, 3, 0, 0)                                                                                 \
    X(DRONE, drone, 3, HAS_SET, HAS_SLOT | HAS_K)                                                            \
    X(GATE, gate, 3, HAS_COPY, HAS_MODE | HAS_PLACE | HAS_SEAT | HAS_SLOT | HAS_K | HAS_SET)                 \
    X(HOLOGRAM, hologram, 3, 0, HAS_TO)                                                                      \
    X(WRONG_TRACK, wrong_track, 3, HAS_TO, HAS_TOKEN)                                                        \
    X(AMPLIFIER, amplifier, 4, 0, 0)                                                                         \
    X(DOUBLE_BACK, double_back, 4, 0, HAS_SLOT)
enum not_alone_survival {
    SURVIVAL_NONE,
#define X(name, id, phase, needed, allowed) SURVIVAL_##name,
    NOT_ALONE_SURVIVAL(X)
#undef X
        SURVIVAL_END,
    SURVIVALS = SURVIVAL_END - 1
};

struct not_alone_card_row {
    const char *id;
    uint8_t phase, symbols;
    uint16_t needed, allowed, flag;
};
extern const struct not_alone_card_row not_alone__hunt[HUNT_END], not_alone__survival[SURVIVAL_END];
extern const char not_alone__hunt_words[], not_alone__survival_words[];
extern const uint16_t not_alone__adjacent[PLACE_CARDS + 1]; // neighbours of a place (1.1)

// ---- errors (5), in the order of the rules: the first that fits counts by group
#define NOT_ALONE_CODES(X)                                                                                   \
    X(GAME_OVER, "The game is over.")                                                                        \
    X(PHASE, "This belongs to another phase or step.")                                                       \
    X(PENDING, "A choice must be made first, or there is none to make.")                                     \
    X(NOT_CREATURE, "Only the Creature does this.")                                                          \
    X(NOT_ACTIVE, "It is another player's turn.")                                                            \
    X(ARG, "An argument is missing or too many.")                                                            \
    X(ALREADY_LAID, "A card has been laid already.")                                                         \
    X(RESIST_LIMIT, "Resist once a turn.")                                                                   \
    X(WILL, "There is not enough Will for this.")                                                            \
    X(NOTHING_TO_REGAIN, "There is nothing to take back.")                                                   \
    X(SACRIFICE, "A Sacrifice forbids Hunt cards this turn.")                                                \
    X(DESPAIR, "Despair forbids Survival cards this turn.")                                                  \
    X(CARD_LIMIT, "No more cards may be played this turn.")                                                  \
    X(TOKEN_PLACED, "This token has been placed already.")                                                   \
    X(TOKEN_UNAVAILABLE, "This token is not available this turn.")                                           \
    X(TOKENS_MISSING, "Every available token must be placed first.")                                         \
    X(SLOT, "Say which of the two cards is meant.")                                                          \
    X(NUM_CARDS, "This is not the right number of cards.")                                                   \
    X(FOOTPRINT, "The token covers another number of places.")                                               \
    X(NOT_IN_HAND, "This card is not from your hand.")                                                       \
    X(TOO_LATE, "It is too late for this.")                                                                  \
    X(NO_EFFECT, "This would have no effect.")                                                               \
    X(TARGET, "This target is not possible.")                                                                \
    X(TAKE_SET, "These cards cannot be taken back.")                                                         \
    X(NOT_ADJACENT, "The places must be neighbours.")                                                        \
    X(FORCE_FIELD, "The Force Field bars this place.")                                                       \
    X(COPY, "This place cannot be copied.")                                                                  \
    X(OWNED, "You own this place already.")                                                                  \
    X(RESERVE, "The reserve has no such place.")                                                             \
    X(USED_THIS_TURN, "This place has been used this turn.")                                                 \
    X(PENDING_EFFECT, "River or Artefact is armed already.")
enum not_alone_code {
    OK,
#define X(name, text) E_##name,
    NOT_ALONE_CODES(X)
#undef X
        CODES
};
extern const struct not_alone_code_row { const char *id, *text; } not_alone__codes[CODES];

// ---- the state

enum not_alone_phase { EXPLORATION, HUNTING, RECKONING, END_OF_TURN, GAME_OVER };
enum not_alone_step {
    STEP_RIVER,
    STEP_WINDOW,
    STEP_PLACES,
    STEP_TARGET_EFFECTS,
    STEP_TARGET_PLACES,
    STEP_ARTEMIA,
    STEP_CREATURE,
    STEP_THIRD_WILL
};
enum not_alone_wait {
    WAIT_NONE,
    WAIT_RIVER,
    WAIT_ASCENDANCY,
    WAIT_FORBIDDEN_ZONE,
    WAIT_PHOBIA,
    WAIT_SCREAM,
    WAIT_TOXIN,
    WAIT_ARTEMIA,
    WAIT_SHELTER,
    WAIT_DRAWN
};
enum { PENDING_NONE, PENDING_RIVER, PENDING_ARTEFACT };
enum { TOKEN_CREATURE, TOKEN_TARGET, TOKEN_ARTEMIA, TOKENS };
enum { WINNER_NONE, WINNER_HUNTED, WINNER_CREATURE };

struct not_alone_slot { // a laid card (3)
    uint8_t card;       // 0 = none
    uint8_t at;         // the place really explored
    uint8_t acted, home;
};
struct not_alone_hunted {
    uint16_t hand, discard;                 // places
    uint16_t answer;                        // cards put down while a choice is under seal
    uint16_t shown;                         // shown to the Creature this turn
    uint16_t survival;                      // Survival cards: bit n
    struct not_alone_slot laid[SLOTS_LAID]; // by pad: play_a, play_b
    uint8_t will, pending, survival_left, resisted;
    uint8_t owed;        // resolutions of Scream, Toxin or Artemia still to come; cards to discard
    uint8_t answer_will; // Scream: chose to lose the Will
    uint8_t answer_card; // Toxin: the Survival card
    uint8_t played;      // Survival card played this turn: it stays on its pad
    uint8_t draw;        // Survival cards to come from chance
    uint8_t copy[6];     // by place - 5: which copy of an advanced place he owns, 1..3, 0 = none
};
struct not_alone {
    uint32_t hunt_hand, hunt_deck; // Hunt cards: bit n
    uint32_t fx;
    uint16_t turn;
    uint16_t survival_deck;
    uint16_t token[TOKENS]; // footprints, 0 = at rest
    uint16_t cataclysm;
    uint16_t shelter; // Survival cards drawn at the Shelter, before one is kept
    uint8_t in_use;   // Survival card whose power draws: on the pile when it is done
    uint8_t token_rest[TOKENS];
    uint8_t n; // Hunted
    uint8_t side, expert, hologram_move;
    uint8_t phase, step, wait, winner;
    uint8_t owes;   // Hunted (bit each) whose answer is awaited
    uint8_t ready;  // bit of each seat that said so
    uint8_t active; // Hunted whose place action is awaited, NOBODY
    uint8_t rescue, assimilation, marker, beach_used, wreck_used;
    uint8_t symbols;                       // on Hunt cards played this turn
    uint8_t anticipation, dodge, detector; // a Hunted or NOBODY; sets of Hunted
    uint8_t fx_order[2], n_fx, fx_at;      // Scream, Toxin in order of play; the one being resolved
    uint8_t fx_done, artemia_begun, artemia_done;
    uint8_t hunt_left, strike, refill, shelter_of, source_of; // what chance owes; who draws for what
    uint8_t reserve[6];                                       // by place - 5: set of copies (bit k)
    uint8_t view;                                             // cards may still lie on seat.c.view
    uint8_t n_under, under[HUNTS];                            // Hunt cards under the deck, top first
    uint8_t n_discard, hunt_discard[HUNTS], n_played, hunt_played[HUNTS]; // newest first; in order of play
    uint8_t n_survival_discard, survival_discard[SURVIVALS];              // newest first
    struct not_alone_hunted h[HUNTED_MAX];
};
static inline const struct not_alone *not_alone__state(const void *state) {
    return state;
}

// ---- actions

// The order is the order of legal actions: the verb is packed on top.
enum not_alone_verb {
    VERB_DRAW_HUNT,
    VERB_DRAW_SURVIVAL,
    VERB_STRIKE,
    VERB_LAY,
    VERB_TAKE_UP,
    VERB_RESIST,
    VERB_GIVE_UP,
    VERB_PLAY_HUNT,
    VERB_PLAY_SURVIVAL,
    VERB_PLAY_POWER,
    VERB_PLACE_TOKEN,
    VERB_CHOOSE_RIVER,
    VERB_USE_POWER,
    VERB_TAKE_BACK,
    VERB_PASS_PLACE,
    VERB_DISCARD,
    VERB_SHOW,
    VERB_SCREAM,
    VERB_TOXIN_DISCARD,
    VERB_KEEP,
    VERB_READY,
    VERBS
};
enum { MODE_NONE, MODE_RECOVER, MODE_COPY, MODE_DRAW };
struct not_alone_move {
    uint8_t verb;
    uint8_t card;  // Hunt or Survival card
    uint8_t mode;  // of a power
    uint8_t copy;  // Gate: the neighbour
    uint8_t place; // copied by the Lair; Cataclysm
    uint8_t seat;  // a Hunted, from 1; 0 = none
    uint8_t to, slot;
    uint8_t b;     // the lower of two cards lies on play_b; the lower of two places is where a token rests
    uint8_t token; // TOKEN_CREATURE = 0
    uint8_t k;     // Will paid; copy taken from the reserve
    uint16_t set;  // places: cards laid, taken, given up; places of a token
};
game_action not_alone__pack(struct not_alone_move m);
struct not_alone_move not_alone__unpack(game_action action);
unsigned not_alone__given(struct not_alone_move m); // HAS_ bits
enum error_code not_alone_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                 struct error *err);
void not_alone_decode(const void *state, int by, game_action action, struct game_act *ret);

static inline unsigned not_alone__count(unsigned set) {
    return (unsigned)__builtin_popcount(set);
}
static inline unsigned not_alone__lowest(unsigned set) {
    return (unsigned)__builtin_ctz(set);
}

// ---- kinds, slots, places of the table (setup.c)

enum not_alone_class { CLASS_PLACE, CLASS_HUNT, CLASS_SURVIVAL, CLASS_WILL, CLASS_TOKEN, CLASS_NUMBER };
enum {
    KIND_BASIC,                                            // place_1_1 .. place_5_6: place, owner
    KIND_ADVANCED = KIND_BASIC + BASIC_CARDS * HUNTED_MAX, // place_6 .. place_10
    KIND_HUNT = KIND_ADVANCED + PLACE_CARDS - BASIC_CARDS,
    KIND_SURVIVAL = KIND_HUNT + HUNTS,
    KIND_WILL = KIND_SURVIVAL + SURVIVALS,
    KIND_TOKEN,
    KIND_MARKER = KIND_TOKEN + TOKENS,
    KIND_RESCUE,
    KIND_ASSIMILATION,
    KIND_NUMBER, // number_c, number_h1 ..
    KINDS = KIND_NUMBER + 1 + HUNTED_MAX
};
extern const struct game_kind_row not_alone__kinds[KINDS];
extern const struct game_option not_alone__options[];
extern const struct game_verb not_alone__verbs[];
extern const struct game_line_row not_alone__lines[];
extern const struct game_phase_row not_alone__phases[];
extern const struct game_preset not_alone__presets[];
enum { OPTION_EXPERT, OPTION_HOLOGRAM, OPTION_SIDE };
enum {
    PHASE_DRAW,
    PHASE_EXPLORATION,
    PHASE_HUNTING,
    PHASE_RIVER,
    PHASE_RECKONING,
    PHASE_LOSSES,
    PHASE_END_OF_TURN,
    PHASE_GAME_OVER
};

unsigned not_alone__copies(unsigned n); // of each advanced place, by number of Hunted
game_kind not_alone__card_kind(unsigned owner, unsigned card);
game_slot not_alone__card_slot(const struct not_alone *s, unsigned owner, unsigned card);
game_slot not_alone__copy_slot(const struct not_alone *s, unsigned card, unsigned copy);
game_slot not_alone__hunt_slot(const struct not_alone *s, unsigned card);
game_slot not_alone__survival_slot(const struct not_alone *s, unsigned card);
game_slot not_alone__token_slot(const struct not_alone *s, unsigned token);
game_slot not_alone__number_slot(const struct not_alone *s, unsigned seat);
enum not_alone_spot { SPOT_PLAY_A, SPOT_PLAY_B, SPOT_DISCARD, SPOT_SURVIVAL, SPOT_WILL, SPOT_READY, SPOTS };
enum {
    TABLE_PLANET,       // planet.p1 ..
    TABLE_RESERVE = 10, // reserve.p6 ..
    TABLE_C_READY = 15,
    TABLE_C_VIEW,
    TABLE_C_TOKENS,
    TABLE_C_HUNT,
    TABLE_HUNT_DECK,
    TABLE_HUNT_DISCARD,
    TABLE_SURVIVAL_DECK,
    TABLE_SURVIVAL_DISCARD,
    TABLE_BANK,
    TABLE_RESCUE,
    RESCUE_MAX = 18,
    TABLE_ASSIMILATION = TABLE_RESCUE + RESCUE_MAX + 1,
    ASSIMILATION_MAX = 12,
    TABLE_SEATS = TABLE_ASSIMILATION + ASSIMILATION_MAX + 1
};
static inline game_place not_alone__planet(unsigned place) {
    return (game_place)(TABLE_PLANET + place - 1);
}
static inline game_place not_alone__spot(unsigned hunted, enum not_alone_spot spot) {
    return (game_place)(TABLE_SEATS + hunted * SPOTS + spot);
}
static inline game_place not_alone__ready_spot(unsigned seat) {
    return seat == 0 ? (game_place)TABLE_C_READY : not_alone__spot(seat - 1, SPOT_READY);
}
enum error_code not_alone_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err);
void not_alone_places(const struct game_setup *setup, struct game_places *ret);
void not_alone_seat_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]);
void not_alone_init(void *state, const struct game_setup *setup);

// ---- facts about a state (facts.c)

unsigned not_alone__owned(const struct not_alone_hunted *h);
unsigned not_alone__laid(const struct not_alone_hunted *h);           // number of cards laid
unsigned not_alone__out(const struct not_alone_hunted *h);            // of those, not yet back in hand
bool not_alone__anybody_holds(const struct not_alone *s, unsigned n); // that many cards or more in hand
unsigned not_alone__laid_set(const struct not_alone_hunted *h);
// Which pad holds this laid card; SLOTS_LAID if none.
unsigned not_alone__pad_of(const struct not_alone_hunted *h, unsigned card);
bool not_alone__available(const struct not_alone *s, unsigned token);
bool not_alone__tokens_down(const struct not_alone *s);
unsigned not_alone__footprint(const struct not_alone *s, unsigned token); // its size this turn
unsigned not_alone__neighbours(unsigned footprint);
unsigned not_alone__creatures(const struct not_alone *s, unsigned place); // Creature-type tokens there
unsigned not_alone__ineffective(const struct not_alone *s);               // places
bool not_alone__is_ready(const struct not_alone *s, unsigned seat);       // said or automatic
bool not_alone__all_ready(const struct not_alone *s);
bool not_alone__creature_first(const struct not_alone *s); // it is asked before the play pads are lit
unsigned not_alone__hunt_as(const struct not_alone *s, unsigned card); // what Flashback copies
unsigned not_alone__drawable(const struct not_alone *s);               // Survival cards in deck and discard
bool not_alone__on(const struct not_alone_hunted *h, unsigned places); // explores one of them
// Slots (bit each) of a Hunted that may act now: before or after the effects of the Target (4.4, 1 and 3).
enum { ACTS_FREE, ACTS_TARGET };
unsigned not_alone__acting(const struct not_alone *s, unsigned hunted, unsigned when);
unsigned not_alone__open_slots(const struct not_alone *s); // of the active Hunted
// Does chance owe something? Then nobody else may act.
bool not_alone__draws(const struct not_alone *s);

// ---- rules

// Why the rules refuse this action, OK = legal (check.c, powers.c).
enum not_alone_code not_alone__refuse(const struct not_alone *s, int by, struct not_alone_move m);
enum not_alone_code not_alone__refuse_power(const struct not_alone *s, unsigned hunted, unsigned slot,
                                            unsigned place, struct not_alone_move m);
bool not_alone__power_args(unsigned place, bool persecuted, struct not_alone_move m);
enum not_alone_code not_alone__refuse_hunt(const struct not_alone *s, struct not_alone_move m);
enum not_alone_code not_alone__refuse_survival(const struct not_alone *s, unsigned hunted,
                                               struct not_alone_move m);

// What the action itself does, and what then goes on by itself (effects.c, flow.c). Counter steps end the
// game.
void not_alone__do(struct not_alone *s, int by, struct not_alone_move m, struct game_notes *notes);
// What an action under seal is told as at the end (story.c).
void not_alone__tell(const struct not_alone *s, int by, struct not_alone_move m, struct game_notes *notes);
void not_alone__do_power(struct not_alone *s, unsigned hunted, unsigned slot, unsigned place,
                         struct not_alone_move m, struct game_notes *notes);
void not_alone__do_hunt(struct not_alone *s, struct not_alone_move m, struct game_notes *notes);
void not_alone__do_survival(struct not_alone *s, unsigned hunted, struct not_alone_move m,
                            struct game_notes *notes);
void not_alone__advance(struct not_alone *s, struct game_notes *notes);
bool not_alone__step_rescue(struct not_alone *s, struct game_notes *notes); // false: the game is over
bool not_alone__step_assimilation(struct not_alone *s, struct game_notes *notes);
void not_alone__discard_survival(struct not_alone *s, unsigned card);
void not_alone__end_use(struct not_alone *s);      // what is in use goes onto the pile
void not_alone__settle_draws(struct not_alone *s); // refills decks, forgets what cannot be drawn
void not_alone__end_draws(struct not_alone *s);    // when nothing is owed any more

size_t not_alone_legal(const void *state, int by, game_action *ret, size_t cap);
size_t not_alone_mistakes(const void *state, int by, game_action *ret, size_t cap);
bool not_alone_random(const void *state, int by, uint64_t dice, game_action *ret);

// ---- the table

void not_alone_phase(const void *state, struct game_phase *ret);
void not_alone_layout(const void *state, struct game_layout *ret);
void not_alone_proof(const void *state, int by, game_action action, struct game_proof *ret);
void not_alone_observe(const void *state, struct observation *ret);
void not_alone_result(const void *state, struct observe_result *ret);

enum not_alone_line {
    LINE_DRAW,
    LINE_CREATURE_FIRST,
    LINE_TURN,
    LINE_HUNTING,
    LINE_HUNT_CARD,
    LINE_SURVIVAL_CARD,
    LINE_TOKEN,
    LINE_RIVER,
    LINE_REVEAL,
    LINE_PLACE,
    LINE_POWER,
    LINE_LOSSES,
    LINE_CAUGHT,
    LINE_ARTEMIA,
    LINE_RESCUE,
    LINE_ASSIMILATION,
    LINE_GIVE_UP,
    LINE_THIRD_WILL,
    LINE_END_OF_TURN,
    LINE_LAID, // to LINE_IS_READY: told when the game is over
    LINE_LAID_TWO,
    LINE_TAKEN_UP,
    LINE_RESISTED,
    LINE_KEPT,
    LINE_SHOWN,
    LINE_DISCARDED,
    LINE_DISCARDED_CARD,
    LINE_WILL_LOST,
    LINE_IS_READY,
    LINE_HUNTED_WIN,
    LINE_CREATURE_WINS,
};
