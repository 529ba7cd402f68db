// Shared by the files of this folder only. The rules are one-night.md; numbers in comments are its sections.
#pragma once
#include "engine/game.h"
#include "games/one_night/lines.h"
#include "games/one_night/roles.h"
#include "games/one_night/variants.h"
#include <stdbool.h>
#include <stdint.h>

// ---- options

// X(name, type, fallback, min, max, choices, help); a choice's numbers are its words in order.
#define ONE_NIGHT_OPTIONS(X)                                                                                 \
    X(house_cn, BOOL, 0, 0, 1, NULL, "house variant: three rounds of speeches, one victim, own settlement")  \
    X(ballot, CHOICE, 0, 0, 2, "on_pad tapped own_pad", "how number tokens vote")                            \
    X(lone_wolf, BOOL, 0, 0, 1, NULL, "a single werewolf may look at one centre card")                       \
    X(lone_minion_village, BOOL, 0, 0, 1, NULL, "without werewolves a minion dead alone is a village win")   \
    X(mason_single_ok, BOOL, 0, 0, 1, NULL, "one mason is allowed beside a doppelganger")                    \
    X(numbers_direction, CHOICE, 0, 0, 1, "cw ccw", "seat numbers seen from above")                          \
    X(discussion_s, INT, 0, 0, 7200, NULL, "seconds of discussion; 0 = by the number of players")            \
    X(speech_s, INT, 0, 0, 600, NULL, "seconds of one speech; 0 = until done")                               \
    X(discussion, CHOICE, 0, 0, 2, "auto timer rounds", "timer, or three rounds of speeches")                \
    X(seer_mode, CHOICE, 0, 0, 2, "auto may must", "seer")                                                   \
    X(robber_mode, CHOICE, 0, 0, 2, "auto may must", "robber")                                               \
    X(troublemaker_mode, CHOICE, 0, 0, 2, "auto may must", "troublemaker")                                   \
    X(drunk_mode, CHOICE, 0, 0, 2, "auto may must", "drunk")                                                 \
    X(insomniac_mode, CHOICE, 0, 0, 2, "auto may must", "insomniac")                                         \
    X(victims, CHOICE, 0, 0, 2, "auto all_tied single",                                                      \
      "who dies: all with most votes (two at least), or one")                                                \
    X(tie_rule, CHOICE, 0, 0, 2, "auto all_die nobody", "what a tie for most votes does")                    \
    X(hunter_rule, CHOICE, 0, 0, 2, "auto pointed voters_die", "whom a dying hunter takes along")            \
    X(minion_as_wolf, CHOICE, 0, 0, 2, "auto never always", "house: a minion without werewolves is one")     \
    X(no_death_result, CHOICE, 0, 0, 2, "auto wolf_cards minion_counts",                                     \
      "house: who is a wolf if none died")                                                                   \
    X(tanner_rule, CHOICE, 0, 0, 2, "auto beside alone", "house: an executed tanner wins beside or alone")   \
    X(innocent_executed_rule, CHOICE, 0, 0, 2, "auto nobody werewolf", "house: win without any werewolf")    \
    X(tanner_blocks, CHOICE, 0, 0, 1, "all_hostile werewolf_only", "whose win a dead tanner blocks")         \
    X(synthetic_blocks, CHOICE, 0, 0, 1, "alien_village all", "whose win a dead synthetic alien blocks")     \
    X(bodyguard_votes, BOOL, 0, 0, 1, NULL, "a bodyguard's ballot counts as a vote")                         \
    X(hunter_beats_protection, CHOICE, 0, 0, 7,                                                              \
      "prince none bodyguard master bodyguard_master bodyguard_prince master_prince "                        \
      "bodyguard_master_prince",                                                                             \
      "whom a dying hunter hits all the same")                                                               \
    X(epic_circle, CHOICE, 0, 0, 1, "nobody all_tied", "Epic Battle in which every count is one")            \
    X(sentinel_first, BOOL, 0, 0, 1, NULL, "the sentinel acts before the doppelganger")                      \
    X(pi_sticky, CHOICE, 0, 0, 1, "card player", "what an investigator's conversion sticks to")              \
    X(bonus_artifacts, BOOL, 0, 0, 1, NULL, "the six artifacts of the bonus packs are there")                \
    X(revealer_hides, CHOICE, 0, 0, 1, "werewolf_tanner any_non_village", "cards a revealer hides again")    \
    X(c4, CHOICE, 0, 0, 3, "none werewolf mystic_wolf dream_wolf", "the centre werewolf of an alpha wolf")   \
    X(bonus_tokens, BOOL, 0, 0, 1, NULL, "number tokens 11 and 12 are there")                                \
    X(faces, CHOICE, 0, 0, 1, "tapped tags",                                                                 \
      "what tells which cards lie open: taps at dawn, or a tag a face")                                      \
    X(unsensed, CHOICE, 0, 0, 1, "refuse declare",                                                           \
      "roles whose pieces no pad feels: refused, or told by their seats")                                    \
    X(first_time, BOOL, 0, 0, 1, NULL, "the group is new to this role set")                                  \
    X(max_werewolf, INT, 2, 1, 6, NULL, "werewolf cards in the deck")                                        \
    X(max_mason, INT, 2, 1, 6, NULL, "mason cards in the deck")                                              \
    X(max_villager, INT, 3, 1, 12, NULL, "villager cards in the deck")                                       \
    X(max_alien, INT, 2, 1, 6, NULL, "alien cards in the deck")                                              \
    X(max_other, INT, 1, 1, 6, NULL, "cards of each other role in the deck")
enum one_night_option {
#define X(name, type, fallback, min, max, choices, help) OPTION_##name,
    ONE_NIGHT_OPTIONS(X)
#undef X
        OPTIONS
};
enum { FACES_TAPPED, FACES_TAGS };
enum { BALLOT_ON_PAD, BALLOT_TAPPED, BALLOT_OWN_PAD };
extern const struct game_option one_night__options[OPTIONS + 1];
extern const struct game_preset one_night__presets[];

// ---- verbs, lines

enum one_night_verb {
    VERB_DEAL,
    VERB_REDEAL,
    VERB_BEGIN,
    VERB_VIEW,
    VERB_COPY,
    VERB_SWAP,
    VERB_ROTATE,
    VERB_SHIELD,
    VERB_FLIP,
    VERB_FLIPBACK,
    VERB_SLIP_SWAP,
    VERB_SLIP_BACK,
    VERB_SLIP_LOOK,
    VERB_NEXT,
    VERB_HOLD,
    VERB_END_DAY,
    VERB_DONE,
    VERB_VOTE,
    VERB_UNVOTE,
    VERB_DRAW,
    VERB_DRAW_KEY,
    VERB_DRAW_NUMBER,
    VERB_ANSWER,
    VERB_MARK,
    VERB_CONVERT,
    VERB_ARTIFACT,
    VERB_SLIP_MARK,
    VERB_VOTE_APP,
    VERB_ABSENT,
    VERB_BACK,
    VERB_OPEN,
    VERB_TAP_BALLOTS,
    VERBS
};
extern const struct game_verb one_night__verbs[VERBS + 1];

enum one_night_line {
#define X(id, text, args) LINE_##id,
    ONE_NIGHT_LINES(X)
#undef X
        LINES
};
extern const struct game_line_row one_night__lines[LINES + 1];

// A packed action: verb, then up to three small numbers, each stored plus one (0 = not given).
static inline game_action one_night__pack(unsigned verb, int a, int b, int c) {
    return (game_action)verb << 24 | (game_action)(a + 1) << 16 | (game_action)(b + 1) << 8 |
           (game_action)(c + 1);
}
static inline unsigned one_night__verb(game_action action) {
    return (unsigned)(action >> 24);
}
static inline int one_night__arg(game_action action, unsigned i) {
    return (int)(action >> (16 - 8 * i) & 0xff) - 1;
}
// Actions for the caller of `legal`: what has no room is counted.
struct one_night_list {
    game_action *ret;
    size_t n, cap;
};
static inline void one_night__add(struct one_night_list *list, unsigned verb, int a, int b, int c) {
    if (list->n < list->cap)
        list->ret[list->n] = one_night__pack(verb, a, b, c);
    list->n++;
}

// ---- state (1.4)

enum { CONVERT_NONE, CONVERT_ALIEN, CONVERT_HELPER }; // player-bound (7.1 line 4)
enum { FLAG_GUESS_WRONG = 1, FLAG_ALIEN_WIN = 2 };    // of the player who was the oracle (5.1)
enum { GROUP_VILLAGE = 1, GROUP_WEREWOLF = 2, GROUP_VAMPIRE = 4, GROUP_ALIEN = 8 }; // 8.1
enum { PHASE_DEAL, PHASE_NIGHT, PHASE_DAY, PHASE_VOTE, PHASE_REVEAL };
enum { CARD_NONE = 0xff, SEAT_NONE = 0xff, STEP_CHECK = 0xff, STAGE_END = 0xff, SAW_MAX = 96 };
enum { VOTE_APP = 0xfe, MARK_PIECES_MAX = 32, ORACLES = 2 };
enum { // words of an answer in their order
    ANSWER_NO,
    ANSWER_YES,
    ANSWER_EVEN,
    ANSWER_ODD,
    ANSWER_1,
    ANSWERS = ANSWER_1 + TABLE_SEATS
};
enum vote_stage { VOTE_OPEN, VOTE_ASKED }; // asked again for what is missing, once
enum { SPEECH_ROUNDS = 3 };

struct one_night_rules { // options after `auto` is decided; bytes, so that nothing is padding
    uint8_t house, ballot, lone_wolf, lone_minion_village, ccw, rounds, single_victim, tie_spares, voters_die;
    uint8_t minion_as_wolf, no_death_minion, tanner_alone, innocent_werewolf;
    uint8_t tanner_blocks_wolves_only, synthetic_blocks_all, bodyguard_votes, epic_circle_dies;
    uint8_t hunter_hits; // bit per SAFE_*
    uint8_t revealer_hides_non_village, sentinel_first, pi_player;
    uint8_t faces;
    uint8_t must; // bit per MODE_*
};
enum { SAFE_BODYGUARD = 1, SAFE_MASTER = 2, SAFE_PRINCE = 4 }; // protections of 6.6
enum { MODE_NONE, MODE_SEER, MODE_ROBBER, MODE_TROUBLEMAKER, MODE_DRUNK, MODE_INSOMNIAC };

struct one_night_saw {
    uint8_t seat, place, card, step; // card: the mark, where the place is a mark's
};

struct one_night {
    uint64_t roles;   // of the set: bit per role
    uint64_t present; // dealt to a seat or adopted: only their rows wake anybody
    uint32_t discussion_ms, speech_ms;
    uint32_t pool;          // cards not dealt yet
    uint32_t opened;        // positions whose card was tapped as lying open, at dawn
    uint32_t idle, doubles; // cards: adopted a role that never acts; a copycat that acts as a doppelganger
    uint16_t clock;
    uint16_t awake, held;     // seats with something left to do in this step; carried over from the last
    uint16_t dead, won;       // once over: seats
    uint16_t teams;           // once over: winning teams
    uint16_t missing;         // vote: seats whose ballot is not there
    uint16_t asked, shielded; // vote: seats asked again; seats under a shield
    uint16_t absent;          // seats that are not asked for anything by day
    uint16_t afraid, lovers;  // by the marks seen at 290
    uint16_t busy, aura;      // who looked at or moved a card; the same at 720
    uint16_t looked;          // at dawn: at the own artifact
    struct one_night_rules rules;
    uint8_t phase, step, n_steps, round, speaker, vote_stage;
    uint8_t seats, n_centre, n_positions, n_cards, n_dealt, n_saw;
    uint8_t epic;                           // once over: groups in play if they are three, else 0
    uint8_t blob_left, blob_right;          // neighbours that are part of the blob
    uint8_t part;                           // first step of this part of the night (its number: round)
    uint8_t draws;                          // next draw of those before the night
    uint8_t place_k, place_a, place_answer; // first place of marks, of artifacts; 0 = none
    uint8_t place_t;                        // first of those where a centre card is tapped; 0 = none
    uint8_t first_mark_slot, first_artifact_slot, n_artifacts;
    uint8_t bitten, last_loved;    // seats: by the vampires; by the last Mark of Love
    uint8_t answer[ORACLES];       // as given, then as settled
    uint8_t settled;               // oracles whose answer is spoken
    uint8_t first_mark[MARKS + 1]; // pieces of each mark, in the order of their slots
    uint8_t variant[DRAWS], key[DRAWS], number[NUMBERS];
    // Cards by slot.
    uint8_t role[CARDS_MAX], copied[CARDS_MAX], pi_role[CARDS_MAX], override[CARDS_MAX], face[CARDS_MAX];
    uint8_t at[POSITIONS_MAX]; // s1..sN, then c1..: the slot that lies there
    // Players.
    uint8_t dealt[TABLE_SEATS], mark[TABLE_SEATS], artifact[TABLE_SEATS], convert[TABLE_SEATS];
    uint8_t mark_piece[TABLE_SEATS], pi_seat[TABLE_SEATS];
    uint8_t flags[TABLE_SEATS], stage[TABLE_SEATS], held_stage[TABLE_SEATS], vote[TABLE_SEATS];
    uint8_t vote_2[TABLE_SEATS];                       // of a ballot with two hands
    uint8_t effective[TABLE_SEATS], team[TABLE_SEATS]; // once over (7.1)
    uint8_t steps[GAME_STEPS_MAX];                     // rows of the night called, STEP_CHECK between them
    struct one_night_saw saw[SAW_MAX];
    uint8_t centre_wolf; // role that lies at c4, ROLE_NONE = no c4
    uint8_t rest[1];
};
_Static_assert(sizeof(struct one_night) <= 1024, "a state stays below one KiB");
_Static_assert(sizeof(struct one_night) % 8 == 0, "no padding at the end");

static inline const struct one_night *one_night__state(const void *state) {
    return state;
}
static inline bool one_night__adopts(unsigned role) {
    return one_night__roles[role].flags & IS_ADOPTING;
}
// The role a card is taken for: the adopted one, or villager for a card that adopted none (7.1 line 1).
static inline uint8_t one_night__card_role(const struct one_night *g, unsigned card) {
    if (!one_night__adopts(g->role[card]))
        return g->role[card];
    uint8_t copied = g->copied[card];
    return copied == ROLE_NONE || one_night__adopts(copied) ? ROLE_VILLAGER : copied;
}
static inline int one_night__left(const struct one_night *g, int seat) {
    return g->rules.ccw ? (seat + g->seats - 1) % g->seats : (seat + 1) % g->seats;
}

static inline int one_night__right(const struct one_night *g, int seat) {
    return g->rules.ccw ? (seat + 1) % g->seats : (seat + g->seats - 1) % g->seats;
}

// ---- order.c, night_legal.c, night.c

// Sets of places are bits: a position by its number, the mark of seat s at MARK_SPOT + s.
enum { ACTS_MAX = 5, MARK_SPOT = 32 }; // of a row, the empty one that ends the list with them
typedef uint64_t one_night_spots;
enum { // sets of places (3.1, T)
    T_NONE,
    T_SELF,
    T_OTHER,
    T_ANY,
    T_CENTRE,
    T_C4,       // the centre werewolf
    T_NOT_WOLF, // other players who are no werewolves, as far as the acting wolf knows
    T_WOLVES,   // players whose thumbs are out
    T_SEEN,     // the place this seat looked at last
    T_HIDDEN,   // the same, if its card had to be hidden again
    T_DOWN,     // centre cards that lie face down
    T_ALIENS,   // the cards of those who wake as aliens
    T_KEY,      // as drawn
    T_FISTS,    // as drawn, without the aliens: players, shielded or not
    T_GROUP,    // the players drawn
    T_PLAYER,   // the player the oracle named, or the one drawn for her
    T_UNDER,    // other players, while a shield is left
    T_BARE,     // players without shield and artifact
    T_MARKS,    // from here on: marks
    T_MY_MARK,
    T_OTHER_MARKS,
    T_NEAR_MARKS,
    T_NOT_FANGS,     // of players who did not wake as vampires
    T_NOT_FANGS_NEW, // nor were marked by them
};
enum {
    ACT_MUST = 1,
    ACT_SEES = 2,        // he views what came to his pad; his own look is allowed, never asked for
    ACT_LONE = 4,        // only for a werewolf without company, by the option
    ACT_NEW = 8,         // not the place, or the player, he looked at last
    ACT_PI = 16,         // a werewolf or tanner stops him and makes him one
    ACT_READS = 32,      // he sees the card that he gives; reading it in the hand is allowed
    ACT_PART = 64,       // less than the most may be completed at the next stage
    ACT_GROUP = 128,     // done once, by any of those awake
    ACT_EXACT = 256,     // all of them, or as many as there are
    ACT_ALONE = 512,     // only if no assassin is awake
    ACT_GRANTED = 1024,  // only if the answer of this oracle allows it
    ACT_NEW_MARK = 2048, // not the player who got the other Mark of Love
    ACT_SHOWN = 4096,    // to all who are awake with him; alone there is nobody to show it to
};
struct one_night_act { // one line of the action grammar; most = 0 ends a row's list
    uint8_t stage, verb, from, to, most;
    uint16_t flags;
    uint8_t next; // to: a mark, a direction or a conversion where the verb takes no second place
};
enum { DIR_ANY, DIR_LEFT, DIR_RIGHT };
enum {
    NIGHT_DOPPEL = 1,    // a slot of its own for a doppelganger who copied one of the roles
    NIGHT_JOINS = 2,     // whoever adopted one of the roles wakes with them
    NIGHT_CHECK = 4,     // a checkpoint follows
    NIGHT_EVERYONE = 8,  // called in every game
    NIGHT_GROUP = 16,    // those who wake learn of each other
    NIGHT_THUMBS = 32,   // those who wake learn who the werewolves are
    NIGHT_ONCE = 64,     // no window: call and gap only (1500), or call and a pause (10, 1490)
    NIGHT_FANGS = 128,   // those who wake learn who the vampires are and whom they marked
    NIGHT_ALIENS = 256,  // those who wake learn who the aliens are
    NIGHT_TANNERS = 512, // those who wake learn who the tanners are
    NIGHT_ALL = 1024,    // not by roles: everybody, the lovers, the drawn group
    NIGHT_PAIR = 2048,   // called only if all its roles are in the set
    NIGHT_ANSWER = 4096, // the night breaks here for an answer
    NIGHT_AURA = 8192,   // those who wake learn who looked at or moved a card
    NIGHT_AGAIN = 16384, // called again by a ripple that repeats the night: nothing of it stays on the table
};
struct one_night_night {
    uint16_t id, flags;
    uint8_t window_s, mode, draw; // window without the option lines; draw: its acts are those drawn
    uint64_t roles;
    uint16_t call, must, more, close; // lines; must replaces call where the rule says must
    struct one_night_act acts[ACTS_MAX];
};
extern const struct one_night_night one_night__night[];
extern const unsigned one_night__night_rows;

int one_night__row(unsigned id);                // row of the night by its number, or -1
void one_night__call_list(struct one_night *g); // anew when it is known whether the night repeats
bool one_night__repeats(const struct one_night *g, unsigned role); // a ripple may call this role once more
bool one_night__epic_set(uint64_t roles, unsigned artifacts);      // it can lead to an Epic Battle (2.4)
// Whether the seat's dealt card, or what it adopted, is called in a row.
bool one_night__wakes(const struct one_night *g, unsigned row, unsigned seat);
uint32_t one_night__step_ms(const struct one_night *g, unsigned step);
void one_night_script(const void *state, struct game_script *ret);
one_night_spots one_night__other_targets(const struct one_night *g, unsigned seat, unsigned set,
                                         unsigned draw);
// draw: whose key T_KEY goes by. The sets of most acts at once, the others by their rules.
static inline one_night_spots one_night__targets(const struct one_night *g, unsigned seat, unsigned set,
                                                 unsigned draw) {
    one_night_spots seats = ((UINT64_C(1) << g->seats) - 1) & ~(one_night_spots)g->shielded;
    switch (set) {
    case T_NONE:
        return 0;
    case T_SELF:
        return seats & UINT64_C(1) << seat;
    case T_OTHER:
        return seats & ~(UINT64_C(1) << seat);
    case T_ANY:
        return seats;
    case T_CENTRE:
        return ((UINT64_C(1) << g->n_centre) - 1) << g->seats;
    default:
        return one_night__other_targets(g, seat, set, draw);
    }
}
one_night_spots one_night__seen_last(const struct one_night *g, unsigned seat);
uint16_t one_night__of_kind(const struct one_night *g, unsigned flag);  // seats that are IS_WOLF ... at night
uint16_t one_night__awake_as(const struct one_night *g, unsigned flag); // of them, who is not afraid
uint8_t one_night__night_role(const struct one_night *g, unsigned seat); // dealt or adopted, if it acts
// The act a seat's night action falls under, NULL if none. from_held: it belongs to the step before.
const struct one_night_act *one_night__act_of(const struct one_night *g, unsigned seat, game_action action,
                                              bool *from_held);
bool one_night__has_acts(const struct one_night *g, unsigned step, unsigned seat, unsigned stage);
bool one_night__misses(const struct one_night *g, unsigned step, unsigned seat, unsigned stage); // a must
size_t one_night__night_legal(const struct one_night *g, int by, game_action *ret, size_t cap);
bool one_night__night_random(const struct one_night *g, int by, uint64_t dice, game_action *ret);
enum error_code one_night__night_apply(struct one_night *g, int by, game_action action,
                                       struct game_notes *notes, struct error *err);
void one_night__night_begin(struct one_night *g);
int one_night__read_place(const struct one_night *g, unsigned seat, unsigned step,
                          const struct one_night_act *act, game_action action);
uint16_t one_night__sees(const struct one_night *g, unsigned seat); // group members it may know
bool one_night__sees_bite(const struct one_night *g, unsigned seat);

// ---- draw.c, variants.c, oracle.c, marks.c
// --------------------------------------------

struct one_night_variant_row {
    uint8_t group; // DRAW_* of the plain role
    uint16_t line;
    uint32_t keys;                // bit per KEY_*; 0 = none is drawn
    struct one_night_act acts[4]; // as a row's: the last one is empty
};
extern const struct one_night_variant_row one_night__variants[VARIANTS];
extern const uint16_t one_night__key_lines[KEYS];

bool one_night__variant_legal(const struct one_night *g, unsigned draw, unsigned variant);
bool one_night__key_legal(const struct one_night *g, unsigned draw, unsigned key);
one_night_spots one_night__key_set(const struct one_night *g, unsigned seat, unsigned key);
// What holds after the answers: exchanges an oracle forced, a ripple that comes or not (VARIANT_NONE).
uint8_t one_night__variant(const struct one_night *g, unsigned draw);
uint16_t one_night__active(const struct one_night *g, unsigned variant); // players drawn
uint16_t one_night__ripple_group(const struct one_night *g);

void one_night__blob(struct one_night *g, unsigned variant);
void one_night__draws_next(struct one_night *g); // skips what this set does not need
static inline bool one_night__drawn(const struct one_night *g) {
    return g->draws == 2 * DRAWS + NUMBERS;
}
size_t one_night__draw_list(const struct one_night *g, game_action *ret, size_t cap);
bool one_night__draw_random(const struct one_night *g, uint64_t dice, game_action *ret);
enum error_code one_night__draw_apply(struct one_night *g, game_action action, struct error *err);

bool one_night__answer_fits(const struct one_night *g, unsigned oracle, int answer);
void one_night__answer_settle(struct one_night *g, unsigned oracle);
unsigned one_night__oracle_views(const struct one_night *g, unsigned oracle);
unsigned one_night__oracle_player(const struct one_night *g, unsigned oracle);
bool one_night__granted(const struct one_night *g, unsigned oracle);
uint16_t one_night__question_line(unsigned variant);
uint16_t one_night__answer_line(const struct one_night *g, unsigned oracle, int *ret_arg);
static inline unsigned one_night__oracle_of(const struct one_night *g, unsigned seat) {
    return g->role[g->dealt[seat]] == ROLE_ORACLE ? 0 : 1;
}

// Cards may lie open at dawn (revealer, exposer, a ripple): then people tap them, unless tags tell.
bool one_night__may_open(const struct one_night *g);
bool one_night__marked(uint64_t roles); // the set plays with marks
void one_night__mark_counts(unsigned seats, uint64_t roles, uint8_t ret[MARKS]);
unsigned one_night__mark_of_piece(const struct one_night *g, unsigned piece);
uint32_t one_night__tray(const struct one_night *g); // pieces that lie before nobody
void one_night__put_mark(struct one_night *g, unsigned seat, unsigned piece);
uint32_t one_night__supply(const struct one_night *g); // artifacts that lie before nobody
unsigned one_night__next_artifact(const struct one_night *g);

// ---- the other files
// --------------------------------------------

enum error_code one_night_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                 struct error *err);
void one_night_decode(const void *state, int by, game_action action, struct game_act *ret);

bool one_night__all_lies(const struct one_night *g); // nothing is missing: the night may begin
size_t one_night__deal_legal(const struct one_night *g, int by, game_action *ret, size_t cap);
bool one_night__deal_random(const struct one_night *g, int by, uint64_t dice, game_action *ret);
enum error_code one_night__deal_apply(struct one_night *g, int by, game_action action,
                                      struct game_notes *notes, struct error *err);

void one_night__day_begin(struct one_night *g);
uint32_t one_night__day_ms(const struct one_night *g);
size_t one_night__day_legal(const struct one_night *g, int by, game_action *ret, size_t cap);
bool one_night__day_random(const struct one_night *g, int by, game_action *ret);
enum error_code one_night__day_apply(struct one_night *g, int by, game_action action,
                                     struct game_notes *notes, struct error *err);

size_t one_night__vote_legal(const struct one_night *g, int by, game_action *ret, size_t cap);
bool one_night__vote_random(const struct one_night *g, int by, uint64_t dice, game_action *ret);
enum error_code one_night__vote_apply(struct one_night *g, int by, game_action action,
                                      struct game_notes *notes, struct error *err);
void one_night__vote_begin(struct one_night *g, struct game_notes *notes); // "three, two, one"
uint32_t one_night__vote_ms(const struct one_night *g);
size_t one_night__absent_list(const struct one_night *g, game_action *ret, size_t cap);
enum error_code one_night__absent_apply(struct one_night *g, game_action action, struct game_notes *notes,
                                        struct error *err);
uint16_t one_night__balloters(const struct one_night *g); // seats that may lay or change a ballot

// Who is what at the end: sets of seats.
struct one_night_ending {
    uint16_t wolves, fangs, aliens, pure_aliens; // W, V, A, A' of 7.3
    uint16_t helpers;                            // of the alien team by word, whatever their role
    uint16_t is[ROLES];                          // by effective role
    uint16_t has[ROLES];                         // by power: hunter, bodyguard, prince, the_master, diseased
    uint16_t protected, guarded, master;         // 6.6: all; by a bodyguard; a Master by a vampire's vote
    uint16_t dead, won;
    uint32_t teams; // main teams that win
};
// Whose pointing is no vote (6.5).
static inline uint16_t one_night__no_voters(const struct one_night *g, const struct one_night_ending *e) {
    return g->rules.bodyguard_votes ? 0 : e->has[ROLE_BODYGUARD];
}
void one_night__effective(struct one_night *g, struct one_night_ending *e); // 7.1, and teams
void one_night__deaths(const struct one_night *g, struct one_night_ending *e);
bool one_night__second_dies(const struct one_night *g);                        // of an Epic Battle (8.2)
void one_night__settle(struct one_night *g);                                   // all of 6.5 to 8
void one_night__settle_house(struct one_night *g, struct one_night_ending *e); // 7.7
void one_night__count(const struct one_night *g, uint16_t no_voters, uint8_t votes[TABLE_SEATS]);
uint16_t one_night__having(const struct one_night *g,
                           uint64_t roles); // seats with one of these effective roles
uint16_t one_night__of_team(const struct one_night *g, unsigned team);
uint16_t one_night__with_mark(const struct one_night *g, unsigned mark);
uint16_t one_night__voters(const struct one_night *g, uint16_t targets); // by either hand
uint16_t one_night__shot(const struct one_night *g, unsigned hunter);    // whom a dying hunter takes along
uint16_t one_night__front(const struct one_night *g,
                          const uint8_t votes[TABLE_SEATS]); // most votes, by the options
bool one_night__epic_tick(const struct one_night *g, unsigned group, unsigned condition); // 1 or 2
void one_night__shown_votes(const struct one_night *g, uint8_t votes[TABLE_SEATS]);
void one_night_result(const void *state, struct observe_result *ret);

enum error_code one_night_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err);
void one_night_places(const struct game_setup *setup, struct game_places *ret);
void one_night_senses(const struct game_setup *setup, const struct game_places *places,
                      const uint64_t sensed[GAME_PLACES_MAX / 64], struct game_issues *ret);
const char *one_night_kind_help(game_kind kind);
void one_night_seat_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]);
void one_night_init(void *state, const struct game_setup *setup);

void one_night_layout(const void *state, struct game_layout *ret);
void one_night_proof(const void *state, int by, game_action action, struct game_proof *ret);
// Places after the positions: the vote place of a seat.
static inline game_place one_night__vote_place(const struct one_night *g, unsigned seat) {
    return (game_place)(g->n_positions + seat);
}
static inline bool one_night__shields(const struct one_night *g) {
    return g->roles & ROLE_BIT(SENTINEL);
}
// A second shield for a doppelganger (1.3).
static inline unsigned one_night__shield_count(uint64_t roles) {
    return roles & ROLE_BIT(SENTINEL) ? roles & ROLE_BIT(DOPPELGANGER) ? 2 : 1 : 0;
}
static inline game_place one_night__shield_place(const struct one_night *g, unsigned seat) {
    return (game_place)(g->n_positions + g->seats + seat);
}
static inline game_place one_night__shield_rest(const struct one_night *g) {
    return (game_place)(g->n_positions + 2 * g->seats);
}
static inline game_place one_night__mark_place(const struct one_night *g, unsigned seat) {
    return (game_place)(g->place_k + seat);
}
static inline game_place one_night__artifact_place(const struct one_night *g, unsigned seat) {
    return (game_place)(g->place_a + seat);
}
// A place of cards or marks as a bit number, -1 = neither.
static inline int one_night__spot(const struct one_night *g, int place) {
    if (place < g->n_positions)
        return place;
    return g->place_k && place >= g->place_k && place < g->place_k + g->seats ? MARK_SPOT + place - g->place_k
                                                                              : -1;
}
static inline int one_night__spot_place(const struct one_night *g, int spot) {
    return spot < MARK_SPOT ? spot : g->place_k + spot - MARK_SPOT;
}
game_slot one_night__token_slot(const struct one_night *g, unsigned seat);
game_slot one_night__ballot_slot(const struct one_night *g, unsigned voter, unsigned target);

void one_night_observe(const void *state, struct observation *ret);

static inline void one_night__say(struct game_notes *notes, uint8_t flags, uint16_t line, int a, int b,
                                  int c) {
    if (notes)
        game_note(notes, flags, line, a, b, c, 0);
}
enum error_code one_night__not_now(struct error *err);
