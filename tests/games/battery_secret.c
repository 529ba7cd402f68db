// Two games with equal public facts: the recorded one, and the same with two hidden slots exchanged wherever
// they are named. While sealed or dark, what the public may see must be the same (design, law 4).
#include "battery.h"
#include "support/alike.h"
#include <string.h>

enum { ASKED_EACH = 2 };
static _Alignas(16) unsigned char one[GAME_STATE_MAX], two[GAME_STATE_MAX];
static struct observation view_one, view_two;

static void observe(const struct battery *b, const void *state, struct observation *ret) {
    memset(ret, 0, sizeof *ret);
    ret->audience = OBSERVE_PUBLIC;
    b->game->observe(state, ret);
}

static const char *first_difference(const struct battery *b) {
    observe(b, one, &view_one);
    observe(b, two, &view_two);
    return alike_view(&view_one, &view_two);
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
    return alike_script(&script_one, &script_two) ? NULL : "script";
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

// ---- what a host is refused for a seat (engine/door_requests.c)

static int random_value(struct battery *b, const struct game_arg_row *row) {
    unsigned words = 0;
    for (const char *at = row->type == GAME_ARG_ENUM ? row->words : ""; *at; at++)
        words += *at != ' ' && (at[1] == ' ' || !at[1]);
    switch (row->type) {
    case GAME_ARG_SEAT:
        return (int)rng_below(&b->rng, b->setup.seats);
    case GAME_ARG_PLACE:
        return (int)rng_below(&b->rng, b->places.n);
    case GAME_ARG_KIND:
        return (int)rng_below(&b->rng, b->game->n_kinds);
    case GAME_ARG_ENUM:
        return (int)rng_below(&b->rng, words ? words : 1);
    default:
        return (int)rng_below(&b->rng, row->type == GAME_ARG_BOOL ? 2 : 13);
    }
}

// An action of this seat as somebody may ask for it: a legal one with some other arguments, or any other one.
// False: not this one.
static bool ask_for(struct battery *b, int seat, struct game_act *ret) {
    static game_action legal[GAME_ACTIONS_MAX];
    size_t n = b->game->legal(rng_below(&b->rng, 2) ? one : two, seat, legal, GAME_ACTIONS_MAX);
    bool any = n == 0 || rng_below(&b->rng, 4) == 0;
    memset(ret, 0, sizeof *ret);
    for (unsigned v = 0; any && b->game->verbs[v].name; v++)
        ret->verb = rng_below(&b->rng, v + 1) ? ret->verb : (uint8_t)v;
    if (!any)
        b->game->decode(one, seat, legal[rng_below(&b->rng, (uint32_t)n)], ret);
    const struct game_arg_row *row = b->game->verbs[ret->verb].args;
    for (unsigned i = 0; i < GAME_ARGS_MAX && row[i].name; i++) {
        bool slot = row[i].type == GAME_ARG_SLOT;
        if (slot && !row[i].optional)
            return false;
        if (!slot && ((any && !row[i].optional) || rng_below(&b->rng, 3) == 0))
            ret->arg[i] = (struct game_arg){.given = true, .n = 1, .value = {random_value(b, &row[i])}};
    }
    return true;
}

// What is told of it: the code, and the rule where a host is told one.
static void told(const struct battery *b, const void *state, int seat, const struct game_act *act,
                 struct error *ret) {
    static _Alignas(16) unsigned char aside[GAME_STATE_MAX];
    struct game_phase phase;
    game_action action;
    memset(ret, 0, sizeof *ret);
    if (b->game->encode(state, seat, act, &action, ret))
        return;
    memcpy(aside, state, b->game->state_size);
    b->game->phase(state, &phase);
    const unsigned kept = GAME_VERB_SEALED | GAME_VERB_HELD;
    if (game_act(b->game, aside, seat, action, NULL, ret) == ERROR_ILLEGAL &&
        (b->game->verbs[act->verb].flags & kept || b->game->phases[phase.id].veil != OBSERVE_OPEN))
        memset(ret, 0, sizeof *ret), ret->code = ERROR_ILLEGAL;
}

// Nobody learns from a refusal what lies face down. That one is taken is seen by all, so it tells too.
static void ask(struct battery *b, unsigned step) {
    struct error x, y;
    struct game_act act;
    int seat = (int)rng_below(&b->rng, b->setup.seats);
    if (!ask_for(b, seat, &act))
        return;
    told(b, one, seat, &act, &x);
    told(b, two, seat, &act, &y);
    b->asked += x.code && y.code;
    if (x.code && y.code && (x.code != y.code || strcmp(x.rule, y.rule) != 0 || strcmp(x.text, y.text) != 0))
        battery_fault(b, "after step %u seat %d is refused %s: \"%s\" or \"%s\" by what lies face down", step,
                      seat + 1, b->game->verbs[act.verb].name, x.text, y.text);
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
        for (unsigned k = 0; k < ASKED_EACH; k++)
            ask(b, i);
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
