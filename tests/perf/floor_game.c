// Floor of P12 and P13: One Night's starter set for five as a loop written for this one set: same chance,
// same choices, same order, each choice checked; nothing is generic.   floor_game SECONDS
#include "core/rng.h"
#include "perf/measure.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WEREWOLF, SEER, ROBBER, TROUBLEMAKER, VILLAGER };
enum { SEATS = 5, CENTRE = 3, CARDS = SEATS + CENTRE };
static const unsigned char deck[CARDS] = {WEREWOLF,     WEREWOLF, SEER,     ROBBER,
                                          TROUBLEMAKER, VILLAGER, VILLAGER, VILLAGER};

struct position {
    unsigned char role[CARDS], dealt[CARDS], vote[SEATS];
    unsigned pool, placed, seen[SEATS], missing, dead, winners;
};

static bool deal(struct position *p, unsigned place, unsigned card) {
    if (place >= CARDS || card >= CARDS || p->placed >> place & 1 || !(p->pool >> card & 1))
        return false;
    p->role[place] = p->dealt[place] = deck[card];
    p->placed |= 1u << place;
    p->pool &= ~(1u << card);
    return true;
}
static bool look(struct position *p, unsigned by, unsigned place) {
    if (by >= SEATS || place >= CARDS || place == by)
        return false;
    p->seen[by] |= 1u << place;
    return true;
}
static bool swap(struct position *p, unsigned a, unsigned b) {
    if (a >= SEATS || b >= SEATS || a == b)
        return false;
    unsigned char t = p->role[a];
    p->role[a] = p->role[b];
    p->role[b] = t;
    return true;
}
static bool vote(struct position *p, unsigned by, unsigned target) {
    if (by >= SEATS || target >= SEATS || by == target || p->vote[by] == target)
        return false;
    p->vote[by] = (unsigned char)target;
    p->missing &= ~(1u << by);
    return true;
}

static unsigned other(struct rng *rng, unsigned self) {
    unsigned ret = rng_below(rng, SEATS - 1);
    return ret + (ret >= self);
}

static unsigned night(struct position *p, struct rng *rng) {
    unsigned wolves = 0, actions = 0, seer = CARDS, robber = CARDS, trouble = CARDS;
    for (unsigned s = 0; s < SEATS; s++) {
        wolves |= p->dealt[s] == WEREWOLF ? 1u << s : 0;
        seer = p->dealt[s] == SEER ? s : seer;
        robber = p->dealt[s] == ROBBER ? s : robber;
        trouble = p->dealt[s] == TROUBLEMAKER ? s : trouble;
    }
    if (wolves && !(wolves & (wolves - 1)))
        actions += look(p, (unsigned)__builtin_ctz(wolves), SEATS + rng_below(rng, CENTRE));
    if (seer < SEATS) {
        bool centre = rng_below(rng, 2);
        unsigned skip = rng_below(rng, CENTRE);
        for (unsigned c = 0; centre && c < CENTRE; c++)
            if (c != skip)
                look(p, seer, SEATS + c);
        actions += centre || look(p, seer, other(rng, seer));
    }
    if (robber < SEATS && rng_below(rng, SEATS)) {
        unsigned from = other(rng, robber);
        actions += swap(p, robber, from) && look(p, robber, from);
    }
    if (trouble < SEATS && rng_below(rng, 2)) {
        unsigned a = other(rng, trouble), b;
        do
            b = other(rng, trouble);
        while (b == a);
        actions += swap(p, a, b);
    }
    return actions;
}

static void count(struct position *p) {
    unsigned votes[SEATS] = {0}, most = 0, wolves = 0;
    for (unsigned s = 0; s < SEATS; s++)
        votes[p->vote[s]]++;
    for (unsigned s = 0; s < SEATS; s++) {
        most = votes[s] > most ? votes[s] : most;
        wolves |= p->role[s] == WEREWOLF ? 1u << s : 0;
    }
    for (unsigned s = 0; s < SEATS && most > 1; s++)
        p->dead |= votes[s] == most ? 1u << s : 0;
    const unsigned all = (1u << SEATS) - 1;
    bool village = wolves ? p->dead & wolves : !p->dead;
    p->winners = village ? all & ~wolves : wolves;
}

static unsigned play(struct position *p, struct rng *rng) {
    *p = (struct position){.pool = (1u << CARDS) - 1, .missing = (1u << SEATS) - 1};
    unsigned actions = 0;
    for (unsigned place = 0; place < CARDS; place++) {
        unsigned pool = p->pool, skip = rng_below(rng, (unsigned)__builtin_popcount(pool));
        while (skip--)
            pool &= pool - 1;
        actions += deal(p, place, (unsigned)__builtin_ctz(pool));
    }
    for (unsigned s = 0; s < SEATS; s++)
        p->vote[s] = SEATS;
    actions += night(p, rng);
    while (p->missing) {
        unsigned left = p->missing, skip = rng_below(rng, (unsigned)__builtin_popcount(left));
        while (skip--)
            left &= left - 1;
        unsigned by = (unsigned)__builtin_ctz(left);
        actions += vote(p, by, other(rng, by));
    }
    count(p);
    return actions;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return fprintf(stderr, "floor_game SECONDS\n"), 2;
    int64_t begin = measure_now_ns(), now = begin, end = begin + (int64_t)(atof(argv[1]) * 1e9);
    uint64_t games = 0, actions = 0, wins = 0;
    for (; now < end; now = measure_now_ns())
        for (unsigned i = 0; i < 256; i++, games++) {
            struct rng rng;
            struct position position;
            rng_seed(&rng, games);
            actions += play(&position, &rng);
            wins += (unsigned)__builtin_popcount(position.winners);
        }
    double spent = (double)(now - begin);
    printf(
        "{\"name\":\"floor_game\",\"games_per_second\":%.1f,\"ns_per_action\":%.2f,\"actions_per_game\":%.2f,"
        "\"winners_per_game\":%.2f}\n",
        (double)games * 1e9 / spent, spent / (double)actions, (double)actions / (double)games,
        (double)wins / (double)games);
    return 0;
}
