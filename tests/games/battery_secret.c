// Two games with equal public facts: the recorded one, and the same with two hidden slots exchanged wherever
// they are named. While sealed or dark, what the public may see must be the same (design, law 4).
#include "battery.h"
#include <string.h>

static _Alignas(16) unsigned char one[GAME_STATE_MAX], two[GAME_STATE_MAX];
static struct observation view_one, view_two;

static void observe(const struct battery *b, const void *state, struct observation *ret) {
    memset(ret, 0, sizeof *ret);
    ret->audience = OBSERVE_PUBLIC;
    b->game->observe(state, ret);
}

static const char *first_difference(const struct battery *b) {
    const struct observation *x = &view_one, *y = &view_two;
    observe(b, one, &view_one);
    observe(b, two, &view_two);
    if (x->n_items != y->n_items || memcmp(x->item, y->item, x->n_items * sizeof *x->item))
        return "items";
    if (x->n_counters != y->n_counters || memcmp(x->counter, y->counter, x->n_counters * sizeof *x->counter))
        return "counters";
    if (x->n_facts != y->n_facts || memcmp(x->fact, y->fact, x->n_facts * sizeof *x->fact))
        return "facts";
    if (memcmp(x->seat, y->seat, sizeof x->seat))
        return "seats";
    if (strcmp(x->position, y->position) != 0)
        return "position";
    return memcmp(&x->result, &y->result, sizeof x->result) ? "result" : NULL;
}

static const char *first_difference_of_moment(const struct battery *b, const struct game_phase *x,
                                              const struct game_phase *y) {
    static struct game_script script_one, script_two;
    bool dark = b->game->phases[x->id].veil == OBSERVE_DARK;
    if (x->id != y->id || x->round != y->round || x->step != y->step || x->over != y->over)
        return "phase";
    if (x->limit_ms != y->limit_ms || x->clock != y->clock)
        return "clock";
    if (!dark)
        return x->turn != y->turn ? "turn" : NULL;
    memset(&script_one, 0, sizeof script_one);
    memset(&script_two, 0, sizeof script_two);
    b->game->script(one, &script_one);
    b->game->script(two, &script_two);
    return memcmp(&script_one, &script_two, sizeof script_one) ? "script" : NULL;
}

// The action with the two slots exchanged. Lists stay sorted.
static bool exchange(const struct battery *b, const struct battery_step *step, game_slot x, game_slot y,
                     game_action *ret) {
    struct game_act act = {0};
    struct error err;
    b->game->decode(one, step->by, step->action, &act);
    const struct game_arg_row *row = b->game->verbs[act.verb].args;
    bool any = false;
    for (unsigned i = 0; i < GAME_ARGS_MAX && row[i].name; i++) {
        struct game_arg *arg = &act.arg[i];
        for (unsigned k = 0; row[i].type == GAME_ARG_SLOT && arg->given && k < arg->n; k++) {
            bool is_x = arg->value[k] == x, is_y = arg->value[k] == y;
            any |= is_x || is_y;
            arg->value[k] = is_x ? y : is_y ? x : arg->value[k];
            for (unsigned s = k; s > 0 && arg->value[s - 1] > arg->value[s]; s--) {
                int32_t keep = arg->value[s];
                arg->value[s] = arg->value[s - 1];
                arg->value[s - 1] = keep;
            }
        }
    }
    *ret = step->action;
    return !any || b->game->encode(two, step->by, &act, ret, &err) == ERROR_OK;
}

// Two slots that chance has dealt: hidden, of one class, of different kinds.
static bool choose_slots(struct battery *b, game_slot *ret_x, game_slot *ret_y) {
    game_slot dealt[GAME_SLOTS_MAX];
    unsigned n = 0;
    b->game->init(one, &b->setup);
    for (unsigned i = 0; i < b->n_steps; i++) {
        struct game_act act = {0};
        if (b->step[i].by == GAME_BY_CHANCE) {
            b->game->decode(one, b->step[i].by, b->step[i].action, &act);
            for (unsigned k = 0; k < GAME_ARGS_MAX && b->game->verbs[act.verb].args[k].name; k++)
                if (b->game->verbs[act.verb].args[k].type == GAME_ARG_SLOT && act.arg[k].given &&
                    n < GAME_SLOTS_MAX && b->game->kinds[b->setup.slot_kind[act.arg[k].value[0]]].hidden)
                    dealt[n++] = (game_slot)act.arg[k].value[0];
        }
        b->game->apply(one, b->step[i].by, b->step[i].action, NULL, NULL);
    }
    for (unsigned tries = 0; n > 1 && tries < 32; tries++) {
        *ret_x = dealt[rng_below(&b->rng, n)];
        *ret_y = dealt[rng_below(&b->rng, n)];
        game_kind kx = b->setup.slot_kind[*ret_x], ky = b->setup.slot_kind[*ret_y];
        if (kx != ky && b->game->kinds[kx].class_bit == b->game->kinds[ky].class_bit)
            return true;
    }
    return false;
}

// One recorded step in both games. False: from here on public facts may differ.
static bool follow(struct battery *b, unsigned i, game_slot x, game_slot y) {
    struct game_phase phase, other;
    const struct battery_step *step = &b->step[i];
    game_action twin;
    b->game->phase(one, &phase);
    bool dark = b->game->phases[phase.id].veil == OBSERVE_DARK;
    bool open = b->game->phases[phase.id].veil == OBSERVE_OPEN;
    if (!exchange(b, step, x, y, &twin))
        return false;
    b->game->apply(one, step->by, step->action, NULL, NULL);
    bool applied = b->game->apply(two, step->by, twin, NULL, NULL) == ERROR_OK;
    struct game_act act = {0};
    b->game->decode(two, step->by, twin, &act);
    // Turned up before all eyes: the last counter of a market, and with it a sealed phase begins.
    bool shown = open && twin != step->action && !(b->game->verbs[act.verb].flags & GAME_VERB_SEALED);
    if (!applied && dark && step->by >= 0 && !(b->game->verbs[act.verb].flags & GAME_VERB_SEALED))
        return false; // what it says becomes public: an oracle's answer is spoken
    if (!applied && (!dark || step->by == GAME_BY_TIMER)) {
        if (dark)
            battery_fault(b, "the clock of step %u depends on the deal", i);
        return false; // whoever acts by light shows that the rules let him
    }
    b->game->phase(one, &phase);
    b->game->phase(two, &other);
    const char *what = first_difference_of_moment(b, &phase, &other);
    if (!what)
        what = first_difference(b);
    if (!what) {
        b->compared++;
        return true;
    }
    if (b->game->phases[phase.id].veil != OBSERVE_OPEN && !shown) {
        char text[GAME_TEXT_MAX];
        game_action_text(&b->words, one, step->by, step->action, text);
        battery_fault(b, "after step %u (%s, %s) the public %s tells slot %u from slot %u", i, text,
                      b->game->phases[phase.id].id, what, x, y);
    }
    return false;
}

void battery_secret(struct battery *b) {
    game_slot x, y;
    if (!choose_slots(b, &x, &y))
        return;
    b->pairs++;
    b->game->init(one, &b->setup);
    b->game->init(two, &b->setup);
    for (unsigned i = 0; i < b->n_steps; i++)
        if (!follow(b, i, x, y))
            return;
}
