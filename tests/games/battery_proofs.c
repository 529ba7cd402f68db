// Every action's proof, shown to the referee as hands, is found back as that action or as a stated choice; in
// the dark as an action of the same effect, or the same by another player of the step (design 5.4, "choice").
#include "battery.h"
#include "support/alike.h"
#include <string.h>

enum { SHOWN_MAX = 6 }; // actions of one actor and position

static struct game_layout before;
static struct game_proof proof;
static struct hands hands;
static game_place lies[GAME_SLOTS_MAX];

// Gives the pieces of a layout their places. A kind keeps the pieces it had there; then it takes any of its
// kind.
static void lay(const struct battery *b, const struct game_layout *layout) {
    uint8_t set[GAME_SLOTS_MAX] = {0};
    game_place was[GAME_SLOTS_MAX];
    memcpy(was, lies, sizeof was);
    for (unsigned slot = 0; slot < GAME_SLOTS_MAX; slot++) // pieces on free places stay
        if (lies[slot] == GAME_NONE || !(layout->free[lies[slot] / 64] >> lies[slot] % 64 & 1))
            lies[slot] = GAME_NONE;
    for (unsigned i = 0; i < layout->n_items; i++)
        if (layout->item[i].n == 0)
            lies[layout->item[i].what] = layout->item[i].place, set[layout->item[i].what] = 1;
    for (unsigned i = 0; i < layout->n_items; i++) {
        const struct game_item *item = &layout->item[i];
        unsigned left = item->n;
        for (int keep = 1; keep >= 0; keep--) {
            for (unsigned slot = 0; slot < b->setup.n_slots && left > 0; slot++) {
                if (set[slot] || b->setup.slot_kind[slot] != item->what || (keep && was[slot] != item->place))
                    continue;
                lies[slot] = item->place;
                set[slot] = 1;
                left--;
            }
        }
    }
}

static void add_visit(unsigned type, game_place place, uint16_t what) {
    struct hands_visit *visit = &hands.visit[hands.n_visits++];
    visit->visit = (struct game_visit){(uint8_t)type, place, what};
    visit->from_us = visit->to_us = hands.n_visits * 1000;
}

static void add_needed(const struct battery *b, bool last) {
    for (unsigned i = 0; i < proof.n_needed; i++) {
        struct game_visit visit = proof.needed[i];
        if (((visit.type & GAME_LAST) != 0) != last)
            continue;
        bool is_control = (visit.type & ~(unsigned)GAME_VISIT_MARKS) == GAME_CONTROL;
        game_place place = visit.place == GAME_NONE && !is_control ? 0 : visit.place;
        uint16_t what = visit.what;
        for (game_slot slot = 0; what == GAME_NONE && slot < b->setup.n_slots; slot++)
            if (lies[slot] == place)
                what = slot;
        add_visit(visit.type & ~(unsigned)GAME_VISIT_MARKS, place, what == GAME_NONE ? 0 : what);
    }
}

static void show(const struct battery *b) {
    game_place from[GAME_SLOTS_MAX];
    memset(&hands, 0, sizeof hands);
    memset(lies, 0xff, sizeof lies);
    hands.n_places = b->places.n;
    memset(hands.sense, HANDS_KNOWN, sizeof hands.sense);
    lay(b, &before);
    memcpy(from, lies, sizeof from);
    lay(b, &proof.layout);
    for (game_place place = 0; place < b->places.n; place++)
        for (game_slot slot = 0; slot < b->setup.n_slots; slot++)
            if (lies[slot] == place)
                hands.item[hands.n_items++] = (struct hands_item){place, slot, GAME_FACE_ANY};
    add_needed(b, false);
    for (game_slot slot = 0; slot < b->setup.n_slots; slot++)
        if (lies[slot] != GAME_NONE && lies[slot] != from[slot])
            add_visit(GAME_TOUCH, lies[slot], slot);
    add_needed(b, true);
}

// Nothing that a pad could see: such an action is declared.
static bool shows_nothing(const struct battery *b) {
    game_place from[GAME_SLOTS_MAX];
    if (proof.n_needed > 0)
        return false;
    memset(lies, 0xff, sizeof lies);
    lay(b, &before);
    memcpy(from, lies, sizeof from);
    lay(b, &proof.layout);
    for (game_slot slot = 0; slot < b->setup.n_slots; slot++)
        if (from[slot] != lies[slot] &&
            !(from[slot] != GAME_NONE && before.free[from[slot] / 64] >> from[slot] % 64 & 1))
            return false;
    return true;
}

static bool same_effect(const struct battery *b, const struct verdict_action *a, int by, game_action action) {
    static _Alignas(16) unsigned char one[GAME_STATE_MAX], two[GAME_STATE_MAX];
    memcpy(one, b->state, b->game->state_size);
    memcpy(two, b->state, b->game->state_size);
    return b->game->apply(one, a->by, a->action, NULL, NULL) == ERROR_OK &&
           b->game->apply(two, by, action, NULL, NULL) == ERROR_OK && !memcmp(one, two, b->game->state_size);
}

// Two players of one role are awake: hands cannot tell which of them it was, and the cards lie alike.
static bool same_act(const struct battery *b, const struct verdict_action *a, int by, game_action action) {
    static struct game_act one, two;
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    b->game->decode(b->state, a->by, a->action, &one);
    b->game->decode(b->state, by, action, &two);
    return a->by != by && alike_act(&one, &two);
}

static void fault(struct battery *b, int by, game_action action, const char *what,
                  const struct verdict_action *found) {
    char wanted[GAME_TEXT_MAX], got[GAME_TEXT_MAX] = "nothing";
    game_action_text(&b->words, b->state, by, action, wanted);
    if (found)
        game_action_text(&b->words, b->state, found->by, found->action, got);
    battery_fault(b, "'%s', shown as hands, is %s: %s", wanted, what, got);
}

static void check_dark(struct battery *b, int by, game_action action, unsigned turn) {
    struct verdict_action found;
    if (by != GAME_BY_TABLE && (by < 0 || !(turn >> by & 1)))
        return;
    if (!referee_best(b->referee, by == GAME_BY_TABLE, &hands, NULL, &found, NULL))
        fault(b, by, action, "not found in the dark", NULL);
    else if (found.by == by && found.action == action)
        b->shown++;
    else if (same_effect(b, &found, by, action) || same_act(b, &found, by, action))
        b->chosen++;
    else
        fault(b, by, action, "taken for another in the dark", &found);
}

static void check_light(struct battery *b, int by, game_action action) {
    static struct verdict verdict;
    referee_judge(b->referee, &hands, &verdict);
    bool found = false;
    for (unsigned i = 0; i < verdict.n_actions; i++)
        found |= verdict.action[i].by == by && verdict.action[i].action == action;
    if (verdict.type == VERDICT_EXPLAINED && verdict.n_actions == 1 && found)
        b->shown++;
    else if (verdict.type == VERDICT_CHOICE && (found || verdict.n_actions == VERDICT_CANDIDATES_MAX))
        b->chosen++;
    else if (verdict.type == VERDICT_EXPLAINED)
        fault(b, by, action, "taken for another", &verdict.action[0]);
    else
        fault(b, by, action, "not found", NULL);
}

void battery_proofs(struct battery *b, int by, const game_action *legal, size_t n) {
    struct game_phase phase;
    b->game->phase(b->state, &phase);
    game_layout_clear(&before);
    b->game->layout(b->state, &before);
    for (unsigned i = 0; i < SHOWN_MAX && n > 0; i++) {
        game_action action = n <= SHOWN_MAX && i < n ? legal[i] : legal[rng_below(&b->rng, (uint32_t)n)];
        game_proof_of(b->game, b->state, by, action, &proof);
        if (proof.n_needed > GAME_VISITS_MAX || proof.n_allowed > GAME_VISITS_MAX ||
            proof.layout.n_items > GAME_ITEMS_MAX)
            battery_fault(b, "a proof of %d is too long", by);
        if (shows_nothing(b)) {
            b->declared++;
            continue;
        }
        show(b);
        if (b->game->phases[phase.id].veil == OBSERVE_DARK)
            check_dark(b, by, action, phase.turn);
        else
            check_light(b, by, action);
    }
}
