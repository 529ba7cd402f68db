// A computer player. Both sides make the same public estimate: which place each Hunted may lay, by the cards
// that lie face up before it and by what the places are worth now. The Creature goes where most are to be
// expected; a Hunted weighs what a place is worth against that, and throws dice so that it stays a guess.
#include "engine/bot.h"
#include "games/not_alone/not_alone.h"
#include <assert.h>
#include <string.h>

static uint64_t next(uint64_t *dice) {
    *dice = *dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *dice >> 33;
}

// ---- what the view tells

struct sight {
    unsigned n, me;               // Hunted; own number, n = the Creature
    uint16_t discard[HUNTED_MAX]; // face up
    uint16_t laid[HUNTED_MAX];    // seen: revealed, or the own ones
    uint8_t will[HUNTED_MAX], hand[HUNTED_MAX], basics;
    uint16_t creature, target; // where the tokens lie
    bool marker;
    int rescue, assimilation;
    unsigned out;                // advanced places that are somewhere with the Hunted
    int likely[PLACE_CARDS + 1]; // Hunted there, in hundredths, by what everybody knows
};

static unsigned card_of_kind(const char *kind) { // of a place card; 0 = another piece
    if (strncmp(kind, "place_", 6) != 0)
        return 0;
    unsigned card = (unsigned)(kind[6] - '0');
    return card == 1 && kind[7] == '0' ? PLACE_CARDS : card;
}

static void see_item(struct sight *s, const struct observe_item *item) {
    unsigned card = item->kind ? card_of_kind(item->kind) : 0, place = item->place;
    if (place >= TABLE_SEATS && card && (place - TABLE_SEATS) / SPOTS < s->n) {
        unsigned k = (place - TABLE_SEATS) / SPOTS, spot = (place - TABLE_SEATS) % SPOTS;
        if (spot == SPOT_DISCARD)
            s->discard[k] |= PLACE_BIT(card);
        else if (spot == SPOT_PLAY_A || spot == SPOT_PLAY_B)
            s->laid[k] |= PLACE_BIT(card);
    } else if (place >= TABLE_RESERVE && place < TABLE_C_READY && card > BASIC_CARDS) {
        if (item->n >= not_alone__copies(s->n))
            s->out &= ~PLACE_BIT(card);
    } else if (place < TABLE_RESERVE && item->kind) {
        uint16_t at = PLACE_BIT(place - TABLE_PLANET + 1);
        s->marker |= !strcmp(item->kind, "marker");
        s->creature |= !strcmp(item->kind, "token_creature") ? at : 0;
        s->target |= !strcmp(item->kind, "token_target") ? at : 0;
    }
}

// What a place is worth to a Hunted with so many cards face up.
static int worth_of_place(const struct sight *s, unsigned card, unsigned k) {
    int pile = (int)not_alone__count(s->discard[k]);
    switch (card) {
    case AT_LAIR:
        return 4 + 9 * pile;
    case AT_JUNGLE:
        return 14 + (pile ? 8 : 0);
    case AT_RIVER:
        return 14;
    case AT_BEACH:
        return s->marker ? 46 : 26;
    case AT_ROVER:
        return 30;
    case AT_SWAMP:
        return 22 + 8 * (pile < 2 ? pile : 2);
    case AT_SHELTER:
        return 24;
    case AT_WRECK:
        return 46;
    case AT_SOURCE:
        return s->will[k] < WILL_FULL ? 34 : 18;
    default:
        return 34;
    }
}

// How likely each Hunted explores each place: what is face up lies in no hand; an advanced place may be
// anybody's.
static void estimate(struct sight *s) {
    for (unsigned k = 0; k < s->n; k++) {
        int weight[PLACE_CARDS + 1], sum = 0;
        for (unsigned card = 1; card <= PLACE_CARDS; card++) {
            bool basic = card <= BASIC_CARDS;
            weight[card] = (basic || s->out >> card & 1) && !(s->discard[k] >> card & 1)
                               ? (20 + worth_of_place(s, card, k)) * (basic ? (int)s->n : 1)
                               : 0;
            sum += weight[card];
        }
        for (unsigned card = 1; card <= PLACE_CARDS && sum; card++)
            s->likely[card] += 100 * weight[card] / sum;
    }
}

static void look(const struct bot_ask *ask, struct sight *s) {
    const struct observation *view = ask->view;
    memset(s, 0, sizeof *s);
    s->n = ask->setup->seats - 1u;
    assert(s->n > 0);
    s->me = view->audience > 0 ? (unsigned)view->audience - 1 : s->n;
    s->out = ALL_PLACES & ~0x3eu;
    for (unsigned i = 0; i < view->n_items; i++)
        see_item(s, &view->item[i]);
    for (unsigned i = 0; i < view->n_counters; i++) {
        const struct observe_counter *c = &view->counter[i];
        if (!strcmp(c->name, "rescue"))
            s->rescue = c->value;
        else if (!strcmp(c->name, "assimilation"))
            s->assimilation = c->value;
        else if (c->seat > 0 && c->seat <= (int)s->n && !strcmp(c->name, "will"))
            s->will[c->seat - 1] = (uint8_t)c->value;
        else if (c->seat > 0 && c->seat <= (int)s->n && !strcmp(c->name, "hand"))
            s->hand[c->seat - 1] = (uint8_t)c->value;
    }
    estimate(s);
}

// ---- the Creature

static int likely_in(const struct sight *s, unsigned set) {
    int sum = 0;
    for (; set; set &= set - 1)
        sum += s->likely[not_alone__lowest(set)];
    return sum;
}
// Hunted who are seen to be on one of these places.
static int seen_on(const struct sight *s, unsigned set) {
    int n = 0;
    for (unsigned k = 0; k < s->n; k++)
        n += (s->laid[k] & set) != 0;
    return n;
}

static int worth_of_hunt(const struct sight *s, struct not_alone_move m) {
    static const uint8_t worth[HUNT_END] = {
        [HUNT_DESPAIR] = 40,    [HUNT_FORCE_FIELD] = 45,    [HUNT_ANTICIPATION] = 60, [HUNT_ASCENDANCY] = 50,
        [HUNT_FIERCENESS] = 60, [HUNT_FORBIDDEN_ZONE] = 55, [HUNT_INTERFERENCE] = 60, [HUNT_PERSECUTION] = 50,
        [HUNT_MUTATION] = 60,   [HUNT_PHOBIA] = 55,         [HUNT_VIRUS] = 65,        [HUNT_CLONE] = 90,
        [HUNT_MIRAGE] = 55,     [HUNT_SCREAM] = 60,         [HUNT_TOXIN] = 50,        [HUNT_CATACLYSM] = 30,
        [HUNT_DETOUR] = 20,     [HUNT_STASIS] = 85,         [HUNT_TRACKING] = 70,     [HUNT_FLASHBACK] = 60,
    };
    if (m.card == HUNT_DETOUR && s->creature >> m.to & 1 && !(s->laid[m.seat - 1] & s->creature))
        return 95;
    if (m.card == HUNT_CATACLYSM)
        return seen_on(s, PLACE_BIT(m.place)) ? worth_of_place(s, m.place, 0) : 0;
    if (m.card == HUNT_FORCE_FIELD) // away from where they are to go
        return worth[m.card] - likely_in(s, m.set) / 8;
    return worth[m.card];
}

// ---- the Hunted

static int worth_of_lay(const struct sight *s, unsigned set, uint64_t dice) {
    // Too wary is as easy to guess as too bold; one alone has nobody to hide behind.
    int sum = 0, n = (int)not_alone__count(set), wary = s->n == 1 ? 130 : 60;
    for (unsigned left = set; left; left &= left - 1) {
        unsigned card = not_alone__lowest(left);
        sum += worth_of_place(s, card, s->me) - wary * s->likely[card] / (100 * (int)s->n);
    }
    return sum / n + (int)(dice % 48);
}

// A hand of few cards is read like a book.
static int worth_of_resist(const struct sight *s, struct not_alone_move m) {
    unsigned hand = s->hand[s->me], pile = not_alone__count(s->discard[s->me]);
    if (hand > 2 || pile < 2u * m.k || s->will[s->me] <= m.k)
        return -1;
    int sum = 0;
    for (unsigned left = m.set; left; left &= left - 1)
        sum += worth_of_place(s, not_alone__lowest(left), s->me);
    return 400 + sum / 4;
}
static int worth_of_give_up(const struct sight *s) {
    return s->hand[s->me] <= 1 && s->will[s->me] <= 1 && s->assimilation > 1 ? 420 : -1;
}

static int worth_of_survival(const struct sight *s, struct not_alone_move m) {
    bool caught = s->laid[s->me] & s->creature;
    switch (m.card) {
    case SURVIVAL_DODGE:
    case SURVIVAL_AMPLIFIER:
    case SURVIVAL_INGENUITY:
    case SURVIVAL_DOUBLE_BACK:
    case SURVIVAL_DETECTOR:
    case SURVIVAL_HOLOGRAM:
        return 90;
    case SURVIVAL_WRONG_TRACK:
        return 40 + 40 * (seen_on(s, s->creature) - seen_on(s, PLACE_BIT(m.to))) + 20 * caught;
    case SURVIVAL_ADRENALINE:
        return s->will[s->me] == 1 ? 90 : 60;
    case SURVIVAL_SIXTH_SENSE:
        return 30 + 25 * (int)not_alone__count(m.set) - 5 * s->hand[s->me];
    case SURVIVAL_SACRIFICE:
        return 30 - worth_of_place(s, not_alone__lowest(m.set), s->me) / 4;
    case SURVIVAL_STRIKE_BACK:
        return 50;
    default:
        return 25;
    }
}

static int worth_of_power(const struct sight *s, struct not_alone_move m) {
    int worth = 8 * (int)not_alone__count(m.set);
    if (m.mode == MODE_RECOVER)
        return 9 * (int)not_alone__count(s->discard[s->me]);
    if (m.place)
        worth += worth_of_place(s, m.place, s->me);
    if (m.seat) // heal the weakest
        worth += 8 * (WILL_FULL - s->will[m.seat - 1]);
    if (m.k) // out of the reserve
        worth += worth_of_place(s, not_alone__lowest(m.set), s->me);
    return worth;
}

// ---- what to do

static bool is_changing_mind(unsigned verb) {
    return verb == VERB_LAY || verb == VERB_READY || verb == VERB_RESIST;
}

static int worth_of(const struct bot_ask *ask, const struct sight *s, struct not_alone_move m,
                    uint64_t dice) {
    int throw = (int)(dice / 64 % 32);
    if (ask->view->seat[ask->view->audience].acted && is_changing_mind(m.verb))
        return -1;
    switch (m.verb) {
    case VERB_TAKE_UP:
        return -1;
    case VERB_GIVE_UP:
        return worth_of_give_up(s);
    case VERB_RESIST:
        return worth_of_resist(s, m);
    case VERB_LAY:
        return 300 + worth_of_lay(s, m.set, dice / 64);
    case VERB_PLAY_HUNT: // good ones come before ready
        return 160 + worth_of_hunt(s, m) + throw;
    case VERB_PLAY_SURVIVAL:
        return 160 + worth_of_survival(s, m) + throw;
    case VERB_READY:
        return 215 + throw;
    case VERB_PLACE_TOKEN:
        return 400 + likely_in(s, m.set) * 3 / (int)s->n + (int)(dice / 64 % 40);
    case VERB_USE_POWER:
        return 330 + worth_of_power(s, m) + throw / 4;
    case VERB_PLAY_POWER:
        return 325 + worth_of_power(s, m) + throw;
    case VERB_TAKE_BACK:
        return 330 + throw / 4;
    case VERB_PASS_PLACE:
        return 100;
    case VERB_SCREAM:
        return 250 + (m.set ? 20 : s->will[s->me] > 1 ? 10 : -20) + throw;
    case VERB_DISCARD: // what is worth least
        return 250 - worth_of_lay(s, m.set, 0) + throw;
    case VERB_CHOOSE_RIVER:
        return 300 + worth_of_place(s, not_alone__lowest(m.set), s->me) - (s->creature & m.set ? 200 : 0) -
               (s->target & m.set ? 40 : 0);
    default:
        return 250 + throw;
    }
}

static bool choose(const struct bot_ask *ask, game_action *ret) {
    struct sight sight;
    int best = -1;
    uint64_t dice = ask->dice;
    look(ask, &sight);
    for (size_t i = 0; i < ask->n; i++) {
        int value = worth_of(ask, &sight, not_alone__unpack(ask->legal[i]), next(&dice));
        if (value <= best)
            continue;
        best = value;
        *ret = ask->legal[i];
    }
    return best >= 0;
}

const struct bot not_alone_player = {.choose = choose};
