// What the files of Alien Hunt share. The rules are alien-hunt.md.
#pragma once
#include "engine/game.h"

enum {
    SEATS_LEAST = 4,
    SEATS_MOST = 8,
    CENTRE_CARDS = 3,
    TOKENS_EACH = 3, // a = observation, b and c = action
    TOKENS_MOST = SEATS_MOST * TOKENS_EACH,
    IDENTITY_CARDS = 11,
    NONE = 0xff,       // no seat, card, kind
    AT_RESERVE = 0x80, // of a token; else the seat it lies on
    AT_REMOVED = 0x81,
};

// ---- characters and identities (alien-hunt.md 3, 4)

// X(NAME, id, active)
#define CHARACTERS(X)                                                                                        \
    X(PRESIDENT, president, false)                                                                           \
    X(INVESTIGATOR, investigator, true)                                                                      \
    X(JOURNALIST, journalist, true)                                                                          \
    X(CON_ARTIST, con_artist, true)                                                                          \
    X(SPY, spy, false)                                                                                       \
    X(RECLUSE, recluse, false)                                                                               \
    X(DOUBLE_DEALER, double_dealer, false)                                                                   \
    X(SHOWGIRL, showgirl, true)                                                                              \
    X(POLICEMAN, policeman, true)                                                                            \
    X(ILLUSIONIST, illusionist, true)                                                                        \
    X(BULLY, bully, true)                                                                                    \
    X(GENERAL, general, true)                                                                                \
    X(GOSSIP, gossip, true)

// X(NAME, id): in the order of the reveal
#define IDENTITIES(X)                                                                                        \
    X(MAN_IN_BLACK, man_in_black)                                                                            \
    X(UFOLOGIST, ufologist)                                                                                  \
    X(UFO_MANIAC, ufo_maniac)                                                                                \
    X(MYTHOMANIAC, mythomaniac)                                                                              \
    X(ALIEN_SCIENTIST, alien_scientist)                                                                      \
    X(ALIEN_EXPLORER, alien_explorer)                                                                        \
    X(ALIEN_INVADER, alien_invader)                                                                          \
    X(ALIEN_BOUNTY_HUNTER, alien_bounty_hunter)

enum character {
#define X(name, id, active) name,
    CHARACTERS(X)
#undef X
        CHARACTER_KINDS
};
enum identity {
#define X(name, id) name,
    IDENTITIES(X)
#undef X
        IDENTITY_KINDS
};
// Kinds: the characters, the identities, then for each seat its observation and its action token.
enum { KIND_IDENTITY = CHARACTER_KINDS, KIND_TOKEN = KIND_IDENTITY + IDENTITY_KINDS };
enum { KINDS = KIND_TOKEN + 2 * SEATS_MOST };
enum { CLASS_CHARACTER, CLASS_IDENTITY, CLASS_TOKEN };

// What an identity's action token does, lying on T.
enum act_type {
    ACT_REMOVE,    // one token that T has assigned
    ACT_MOVE_FROM, // one token lying on T, to another player
    ACT_MOVE_TO,   // one token lying elsewhere, to T
    ACT_TAKE,      // one token lying on T, to oneself
    ACT_SEND,      // one token lying on oneself, to T
    ACT_POINTS,    // by whether T is an alien
};
struct identity_row {
    uint8_t act;
    int8_t on_alien, on_black, on_other;  // points of the observation token
    int8_t wins_from_alien, costs_target; // ACT_POINTS: +1 on aliens or on others; what T loses then
};
extern const struct identity_row alien_hunt__identities[IDENTITY_KINDS];
extern const bool alien_hunt__active[CHARACTER_KINDS];

// ---- rows

enum option_row { OPTION_ROUNDS, OPTION_DISCUSSION, OPTION_THREE_STEP, OPTION_EXPLORER, OPTION_POOL };
enum phase_row {
    PHASE_SETUP,
    PHASE_DEAL,
    PHASE_DISCUSSION,
    PHASE_ALERT_ABILITIES,
    PHASE_ALERT_ASSIGN,
    PHASE_REVEAL,
    PHASE_SCORED,
    PHASE_GAME_OVER,
};
enum verb_row {
    VERB_CHARACTER,
    VERB_DEAL,
    VERB_DRAW,
    VERB_ASSIGN,
    VERB_REASSIGN,
    VERB_ABILITY,
    VERB_ASK,
    VERB_PASS_ABILITY,
    VERB_DECLARE_ALERT,
    VERB_RESOLVE,
    VERB_PASS_PRESIDENCY,
    VERB_LOOKED,
    VERB_PEEK,
    VERB_DONE,
    VERB_REMIND,
    VERBS,
};
enum question { IS_ALIEN, IS_IDENTITY, OBS_ON, QUESTIONS };
enum line_row {
    LINE_DEAL,
    LINE_DISCUSS,
    LINE_ASKS,
    LINE_GIVE,
    LINE_TAKE_BACK,
    LINE_LAY_BACK,
    LINE_TALKED,
    LINE_ALERT,
    LINE_OFFER,
    LINE_PLACE,
    LINE_REVEAL,
    LINE_ACT,
    LINE_SCORED,
    LINE_PRESIDENT,
    LINE_OVER,
};
extern const struct game_kind_row alien_hunt__kinds[KINDS];
extern const struct game_option alien_hunt__options[];
extern const struct game_phase_row alien_hunt__phases[];
extern const struct game_verb alien_hunt__verbs[];
extern const struct game_line_row alien_hunt__lines[];
extern const struct game_preset alien_hunt__presets[];

// ---- places: per seat these five, then those of the centre

enum place_row { PLACE_CHARACTER, PLACE_IDENTITY, PLACE_RESERVE, PLACE_RECEIVED, PLACE_ABILITY, PLACES_EACH };
enum centre_row {
    CENTRE_UNDEALT, // three of them
    CENTRE_DISCARDED = CENTRE_CARDS,
    CENTRE_REMOVED,
    CENTRE_POOL,
    CENTRE_ALERT,
    CENTRE_DECK,
    CENTRE_PLACES,
};

// ---- the state: section 5. Bits are seats unless something else is said.

// What a seat may lift and put back: identities of seats 0..7, and the tokens lying on it.
enum { LOOK_TOKENS = 1 << 8 };

struct alien_hunt {
    uint8_t seats, phase, round, rounds;
    uint8_t president, turn; // turn: the alert and the reveal; NONE
    uint8_t three_step, explorer_acts;
    uint8_t lap, laid; // three_step: who has laid a token in this lap
    uint8_t drawing;   // the old President who still draws from the pool, NONE
    uint8_t given_up;  // the character that joins the pool after the draw
    uint16_t discussion_s;
    uint16_t box, pool; // bits: characters still to be dealt from at the beginning, and those left over
    uint8_t keeps_pool;
    uint8_t n_identities;
    uint8_t identity[IDENTITY_CARDS]; // kind of each card
    uint8_t character[SEATS_MOST];    // NONE before the deal
    uint8_t card[SEATS_MOST];         // identity card, NONE
    uint8_t centre[CENTRE_CARDS];     // identity card, NONE
    uint16_t discarded;               // bits: identity cards
    uint8_t used, shielded, revealed, touched;
    uint8_t ban[SEATS_MOST]; // who may not assign to this seat
    uint8_t forced, forced_to;
    uint8_t at[TOKENS_MOST];
    uint8_t order[TOKENS_MOST]; // 1..3: a public name of a laid token, 0 = in the reserve
    uint32_t pending;           // bits: action tokens of the revealed player still to resolve
    int8_t delta[SEATS_MOST], round_points[SEATS_MOST];
    int16_t points[SEATS_MOST];
    // What a seat has learnt in this round
    uint8_t saw[SEATS_MOST][SEATS_MOST + CENTRE_CARDS]; // identity + 1, as it was then
    uint8_t shown[SEATS_MOST];                          // to whom one's own card was shown
    uint32_t peeked[SEATS_MOST];                        // bits: tokens seen through a copied spy
    struct alien_hunt_asked {
        uint8_t question, target, about, answer; // question + 1, 0 = none
    } asked[SEATS_MOST];
    // Hands
    uint16_t look[SEATS_MOST]; // LOOK bits still open
    uint8_t looks;             // counts openings: each has its own half minute
    uint8_t look_reminded, talk_reminded;
};

static inline const struct alien_hunt *alien_hunt__state(const void *state) {
    return state;
}
static inline unsigned alien_hunt__token_owner(unsigned token) {
    return token / TOKENS_EACH;
}
static inline bool alien_hunt__is_observation(unsigned token) {
    return token % TOKENS_EACH == 0;
}
static inline bool alien_hunt__lies(const struct alien_hunt *g, unsigned token) {
    return g->at[token] < SEATS_MOST;
}
static inline unsigned alien_hunt__of(const struct alien_hunt *g, unsigned seat) {
    return g->identity[g->card[seat]];
}
static inline bool alien_hunt__is_alien(unsigned identity) {
    return identity >= ALIEN_SCIENTIST;
}
static inline unsigned alien_hunt__clockwise(const struct alien_hunt *g, unsigned from, unsigned by) {
    return (from + by) % g->seats;
}
static inline game_place alien_hunt__place(unsigned seat, enum place_row row) {
    return (game_place)(seat * PLACES_EACH + row);
}
static inline game_place alien_hunt__centre(const struct alien_hunt *g, unsigned row) {
    return (game_place)(g->seats * PLACES_EACH + row);
}
static inline game_slot alien_hunt__identity_slot(unsigned card) {
    return (game_slot)(CHARACTER_KINDS + card);
}
static inline game_slot alien_hunt__token_slot(const struct alien_hunt *g, unsigned token) {
    return (game_slot)(CHARACTER_KINDS + g->n_identities + token);
}

// ---- packed actions: the verb, then fields of up to 32 bits

struct alien_hunt_move {
    uint8_t token, to;
};
enum { NO_TOKEN = 31, NO_SEAT = 15, NO_SUCH_SEAT = 14, NO_COPY = 15, PICKS_WRONG = 8 };
// Every verb uses some of these; what it does not use has the value that pack gives it for nothing.
struct alien_hunt_action {
    uint8_t verb;
    uint16_t place, what;                     // character deal draw looked
    uint8_t token, target, to;                // assign ability ask resolve
    uint8_t copy, picks;                      // ability: picks as bits, PICKS_WRONG = one that cannot be
    uint8_t question, about;                  // ask
    uint8_t owner, order;                     // resolve: the picked token by its public name
    struct alien_hunt_move move[TOKENS_EACH]; // reassign: by token, unused ones last
};
struct alien_hunt_action alien_hunt__action(unsigned verb); // with nothing in it
game_action alien_hunt__pack(const struct alien_hunt_action *act);
// False: no such number is packed.
bool alien_hunt__unpack(game_action action, struct alien_hunt_action *ret);
// The moves of a reassign as the one action for their arrangement: ascending, without those that stay where
// they lie (all of them are refused). Refused ones keep their order: laid one by one, the first that cannot
// lie tells.
void alien_hunt__order_moves(const struct alien_hunt *g, int by, struct alien_hunt_action *act);
enum error_code alien_hunt_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                  struct error *err);
void alien_hunt_decode(const void *state, int by, game_action action, struct game_act *ret);

// ---- setup.c
enum error_code alien_hunt_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err);
void alien_hunt_places(const struct game_setup *setup, struct game_places *ret);
void alien_hunt_init(void *state, const struct game_setup *setup);
const char *alien_hunt__place_name(unsigned seat, enum place_row row);
const char *alien_hunt__centre_name(enum centre_row row);

// ---- check.c, ability.c: why not (section 7, in its order)
enum error_code alien_hunt__check(const struct alien_hunt *g, int by, const struct alien_hunt_action *act,
                                  struct error *err);
enum error_code alien_hunt__check_target(const struct alien_hunt *g, unsigned owner, unsigned to,
                                         const uint8_t at[TOKENS_MOST], struct error *err);
enum error_code alien_hunt__check_ability(const struct alien_hunt *g, unsigned by,
                                          const struct alien_hunt_action *act, struct error *err);
// The card is there, the moment is right, and it is unspent; *ret is the ability meant.
enum error_code alien_hunt__check_use(const struct alien_hunt *g, unsigned by, unsigned copy, unsigned *ret,
                                      struct error *err);
bool alien_hunt__can_place(const struct alien_hunt *g, unsigned seat);
void alien_hunt__use(struct alien_hunt *g, unsigned by, const struct alien_hunt_action *act,
                     struct game_notes *notes);
void alien_hunt__ask(struct alien_hunt *g, unsigned by, const struct alien_hunt_action *act,
                     struct game_notes *notes);
unsigned alien_hunt__picked_card(const struct alien_hunt *g, unsigned pick); // index of a centre place

// ---- flow.c: from phase to phase
void alien_hunt__lay(struct alien_hunt *g, unsigned token, unsigned to);
void alien_hunt__after_deal(struct alien_hunt *g, struct game_notes *notes);
void alien_hunt__declare(struct alien_hunt *g, struct game_notes *notes);
void alien_hunt__next_ability(struct alien_hunt *g, struct game_notes *notes);
void alien_hunt__next_place(struct alien_hunt *g, struct game_notes *notes);
void alien_hunt__new_round(struct alien_hunt *g);
void alien_hunt__hand_on(struct alien_hunt *g, struct game_notes *notes);
void alien_hunt__drawn(struct alien_hunt *g, unsigned character, struct game_notes *notes);

// ---- reveal.c
void alien_hunt__reveal(struct alien_hunt *g, struct game_notes *notes);
bool alien_hunt__may_pick(const struct alien_hunt *g, unsigned acting, unsigned pick, unsigned to);
bool alien_hunt__needs_to(const struct alien_hunt *g, unsigned seat);
int alien_hunt__named(const struct alien_hunt *g, unsigned owner, unsigned order); // token, -1
// The movement alone, before anything follows from it.
void alien_hunt__carry_out(struct alien_hunt *g, unsigned acting, unsigned pick, unsigned to);
void alien_hunt__resolve(struct alien_hunt *g, const struct alien_hunt_action *act, struct game_notes *notes);

// ---- legal.c, layout.c, observe.c
size_t alien_hunt_legal(const void *state, int by, game_action *ret, size_t cap);
size_t alien_hunt_mistakes(const void *state, int by, game_action *ret, size_t cap);
bool alien_hunt_random(const void *state, int by, uint64_t dice, game_action *ret);
void alien_hunt_layout(const void *state, struct game_layout *ret);
void alien_hunt_proof(const void *state, int by, game_action action, struct game_proof *ret);
void alien_hunt_observe(const void *state, struct observation *ret);
void alien_hunt_result(const void *state, struct observe_result *ret);
