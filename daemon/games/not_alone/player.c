// A computer player. A Hunted lays what it has and the Creature is not likely to guess; the Creature lays its
// tokens where most of the Hunted may be, by the cards that lie face up.
#include "engine/bot.h"
#include "games/not_alone/not_alone.h"
#include <string.h>

static uint64_t next(uint64_t *dice) {
    *dice = *dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *dice >> 33;
}

// In how many hands a place may be: a basic card that lies face up in front of its owner is in none.
static void read_hands(const struct bot_ask *ask, int ret[PLACE_CARDS + 1]) {
    unsigned hunted = ask->setup->seats - 1u;
    for (unsigned card = 1; card <= PLACE_CARDS; card++)
        ret[card] = card <= BASIC_CARDS ? (int)hunted : 1;
    for (unsigned i = 0; i < ask->view->n_items; i++) {
        const struct observe_item *item = &ask->view->item[i];
        for (unsigned k = 0; item->kind && k < hunted; k++)
            for (unsigned card = 1; card <= BASIC_CARDS && item->place == not_alone__spot(k, SPOT_DISCARD);
                 card++)
                if (!strcmp(not_alone__kinds[not_alone__card_kind(k, card)].id, item->kind) && ret[card] > 0)
                    ret[card]--;
    }
}

static int worth_of_places(const int in[PLACE_CARDS + 1], unsigned set) {
    int sum = 0;
    for (; set; set &= set - 1)
        sum += 8 * in[not_alone__lowest(set)];
    return sum;
}

// Which verbs come first when several are legal.
static int worth_of_verb(unsigned verb) {
    switch (verb) {
    case VERB_TAKE_UP:
    case VERB_GIVE_UP:
        return -1;
    case VERB_RESIST:
    case VERB_PLAY_HUNT:
    case VERB_PLAY_SURVIVAL:
        return 150;
    case VERB_READY:
        return 200;
    case VERB_LAY:
    case VERB_PLACE_TOKEN:
    case VERB_USE_POWER:
        return 300;
    case VERB_PASS_PLACE:
        return 100;
    default:
        return 250;
    }
}

static bool is_changing_mind(unsigned verb) {
    return verb == VERB_LAY || verb == VERB_READY || verb == VERB_RESIST || verb == VERB_PLAY_HUNT ||
           verb == VERB_PLAY_SURVIVAL;
}

static int worth_of(const struct bot_ask *ask, const int in[PLACE_CARDS + 1], unsigned n_lay,
                    struct not_alone_move m, uint64_t dice) {
    int base = worth_of_verb(m.verb);
    if (base < 0 || (ask->view->seat[ask->view->audience].acted && is_changing_mind(m.verb)))
        return -1;
    switch (m.verb) {
    case VERB_LAY: // what others have in hand too hides best
        return base + worth_of_places(in, m.set) / 4 + (int)(dice % 16);
    case VERB_PLACE_TOKEN:
        return base + worth_of_places(in, m.set) + (int)(dice % 12);
    case VERB_RESIST: // before the hand is down to a card
        return n_lay == 1 ? 340 + (int)(dice % 4) : base + (int)(dice % 8);
    case VERB_PLAY_HUNT:
    case VERB_PLAY_SURVIVAL:
        return base + (dice % 4 ? 0 : 60) + (int)(dice / 4 % 32);
    default:
        return base + (int)(dice % 32);
    }
}

static bool choose(const struct bot_ask *ask, game_action *ret) {
    int in[PLACE_CARDS + 1], best = -1;
    unsigned n_lay = 0;
    uint64_t dice = ask->dice;
    read_hands(ask, in);
    for (size_t i = 0; i < ask->n; i++)
        n_lay += not_alone__unpack(ask->legal[i]).verb == VERB_LAY;
    for (size_t i = 0; i < ask->n; i++) {
        int value = worth_of(ask, in, n_lay, not_alone__unpack(ask->legal[i]), next(&dice));
        if (value <= best)
            continue;
        best = value;
        *ret = ask->legal[i];
    }
    return best >= 0;
}

const struct bot not_alone_player = {.choose = choose};
