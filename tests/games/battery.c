// battery [--games N] [--seed S] [GAME...]: exit 1 if any game breaks its contract.
#include "battery.h"
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct game template_game;

void battery_fault(struct battery *b, const char *format, ...) {
    if (b->faults++ >= 10)
        return;
    fprintf(stderr, "%s, seed %llu, step %u: ", b->game->id, (unsigned long long)b->seed, b->n_steps);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

// ---- set-ups: a preset or the default, with options and cards changed at random where prepare allows it

static bool prepare(struct battery *b, struct game_setup *setup) {
    struct game_issues issues = {0};
    struct error err = {0};
    return b->game->prepare(setup, &issues, &err) == ERROR_OK;
}

static void change_setup(struct battery *b, struct game_setup *setup) {
    for (int i = 0; b->game->options && b->game->options[i].name; i++) {
        const struct game_option *option = &b->game->options[i];
        int64_t low = option->min, high = option->max;
        if (option->type == GAME_OPTION_BOOL)
            low = 0, high = 1;
        if (option->type == GAME_OPTION_CHOICE) {
            low = high = 0;
            for (const char *at = option->choices; *at; at++)
                high += *at == ' ';
        }
        if (rng_below(&b->rng, 6) == 0 && high >= low)
            setup->options[i] = (int32_t)(low + rng_below(&b->rng, (uint32_t)(high - low + 1)));
    }
    for (unsigned n = rng_below(&b->rng, 3); n > 0 && setup->n_cards > 0; n--)
        setup->cards[rng_below(&b->rng, setup->n_cards)] = (game_kind)rng_below(&b->rng, b->game->n_kinds);
}

// A walk away from the presets: one card after the other becomes another of its class, where the rules allow
// the set; now and then two at once, for cards that come in pairs.
static void walk_cards(struct battery *b, struct game_setup *setup) {
    unsigned steps = rng_below(&b->rng, 2) ? 0 : 4u * setup->n_cards;
    for (unsigned i = 0; i < steps; i++) {
        struct game_setup other = *setup;
        game_kind kind = (game_kind)rng_below(&b->rng, b->game->n_kinds);
        for (unsigned twice = rng_below(&b->rng, 4) == 0 ? 2 : 1; twice; twice--) {
            game_kind *card = &other.cards[rng_below(&b->rng, other.n_cards)];
            while (b->game->kinds[kind].class_bit != b->game->kinds[*card].class_bit)
                kind = (game_kind)rng_below(&b->rng, b->game->n_kinds);
            *card = kind;
        }
        if (prepare(b, &other))
            *setup = other;
    }
}

static bool choose_setup(struct battery *b) {
    unsigned n_presets = 0;
    for (const struct game_preset *p = b->game->presets; p && p->name; p++)
        n_presets++;
    for (unsigned tries = 0; tries < 200; tries++) {
        struct game_setup plain, changed;
        struct error err = {0};
        unsigned pick = rng_below(&b->rng, n_presets + 1);
        unsigned seats = b->game->seats_min +
                         rng_below(&b->rng, (uint32_t)(b->game->seats_max - b->game->seats_min + 1));
        game_setup_default(b->game, seats, &plain);
        if (pick < n_presets &&
            game_setup_preset(b->game, b->game->presets[pick].name, &plain, &err) != ERROR_OK)
            battery_fault(b, "preset %s: %s", b->game->presets[pick].name, err.text);
        changed = plain;
        change_setup(b, &changed);
        b->setup = prepare(b, &changed) ? changed : plain;
        if (b->setup.n_slots == 0 && !prepare(b, &b->setup))
            continue;
        walk_cards(b, &b->setup);
        return true;
    }
    battery_fault(b, "no set-up is accepted");
    return false;
}

static void check_setup(struct battery *b) {
    b->game->places(&b->setup, &b->places);
    if (b->places.n > GAME_PLACES_MAX || b->setup.n_slots > GAME_SLOTS_MAX)
        battery_fault(b, "too many places or slots");
    for (unsigned i = 1; i < b->setup.n_slots; i++)
        for (unsigned k = 0; k + 1 < i; k++)
            if (b->setup.slot_kind[i] == b->setup.slot_kind[k] &&
                b->setup.slot_kind[i] != b->setup.slot_kind[i - 1])
                battery_fault(b, "equal kinds do not stand next to each other at slot %u", i);
    for (game_place p = 0; p < b->places.n; p++)
        if (game_place_find(&b->places, b->places.row[p].name) != p || !b->places.row[p].name[0])
            battery_fault(b, "place name '%s' is not unique", b->places.row[p].name);
}

// ---- one position

static void check_words(struct battery *b, int by, game_action action) {
    char line[GAME_TEXT_MAX], json[2048], text[GAME_TEXT_MAX];
    struct error err = {0};
    int by_back;
    game_action back = 0;
    game_action_text(&b->words, b->state, by, action, line);
    if (game_action_parse(&b->words, b->state, line, &by_back, &back, &err) != ERROR_OK)
        battery_fault(b, "'%s' is not read back: %s", line, err.text);
    else if (by_back != by || back != action)
        battery_fault(b, "'%s' comes back as '%s'", line,
                      (game_action_text(&b->words, b->state, by_back, back, text), text));
    if (game_action_json(&b->words, b->state, by, action, json, sizeof json) == 0) {
        battery_fault(b, "'%s' has no JSON of 2 KiB", line);
        return;
    }
    json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    back = ~action;
    if (!root || game_action_from_json(&b->words, b->state, root, &by_back, &back, &err) != ERROR_OK ||
        by_back != by || back != action)
        battery_fault(b, "%s is not read back: %s", json, err.text);
    json_decref(root);
}

static bool is_in(const game_action *list, size_t n, game_action action) {
    for (size_t i = 0; i < n; i++)
        if (list[i] == action)
            return true;
    return false;
}

// apply refuses what legal does not list, says why, and leaves every byte as it was.
static void check_refusal(struct battery *b, int by, const game_action *legal, size_t n, game_action action) {
    unsigned char before[GAME_STATE_MAX];
    struct error err = {0};
    if (is_in(legal, n, action))
        return;
    memcpy(before, b->state, b->game->state_size);
    enum error_code code = b->game->apply(b->state, by, action, NULL, &err);
    if (code == ERROR_OK)
        battery_fault(b, "apply takes %llx by %d, legal does not list it", (unsigned long long)action, by);
    else if (code != ERROR_ILLEGAL || !err.rule[0])
        battery_fault(b, "%llx by %d is refused without a rule", (unsigned long long)action, by);
    if (memcmp(before, b->state, b->game->state_size))
        battery_fault(b, "a refused %llx by %d changes the state", (unsigned long long)action, by);
    memcpy(b->state, before, b->game->state_size);
}

static void check_layout(struct battery *b) {
    static struct game_layout layout;
    uint8_t lies[GAME_SLOTS_MAX] = {0};
    game_layout_clear(&layout);
    b->game->layout(b->state, &layout);
    for (unsigned i = 0; i < layout.n_items; i++) {
        const struct game_item *item = &layout.item[i];
        if (item->place >= b->places.n)
            battery_fault(b, "the layout names place %u of %u", item->place, b->places.n);
        else if (item->n == 0 && (item->what >= b->setup.n_slots || lies[item->what]++))
            battery_fault(b, "the layout has slot %u twice or beyond the set-up", item->what);
        else if (item->n > 0 && item->what >= b->game->n_kinds)
            battery_fault(b, "the layout names kind %u", item->what);
        else if (!(b->places.row[item->place].accepts >>
                       b->game->kinds[item->n ? item->what : b->setup.slot_kind[item->what]].class_bit &
                   1))
            battery_fault(b, "%s does not accept what the layout lays there",
                          b->places.row[item->place].name);
        else if (item->n > 0 && item->face == GAME_FACE_DOWN && b->game->kinds[item->what].hidden)
            battery_fault(b, "face-down items at %s must be slots", b->places.row[item->place].name);
    }
}

static void check_observations(struct battery *b) {
    static struct observation view;
    for (int audience = OBSERVE_PUBLIC; audience < b->setup.seats; audience++) {
        memset(&view, 0, sizeof view);
        view.audience = audience;
        b->game->observe(b->state, &view);
        if (view.n_items > OBSERVE_ITEMS_MAX || view.n_counters > OBSERVE_COUNTERS_MAX ||
            view.n_facts > OBSERVE_FACTS_MAX)
            battery_fault(b, "the view of %d is too long", audience);
        for (unsigned i = 0; i < view.n_items; i++)
            if (view.item[i].place >= b->places.n || view.item[i].n == 0)
                battery_fault(b, "an item of the view of %d lies nowhere", audience);
        for (unsigned i = 0; i < view.n_facts; i++)
            if (!view.fact[i].key ||
                (view.fact[i].kind && game_kind_find(b->game, view.fact[i].kind) == GAME_NONE))
                battery_fault(b, "a fact of the view of %d has no key or no such kind", audience);
    }
}

static void check_phase(struct battery *b, const struct game_phase *phase) {
    unsigned n_phases = 0;
    while (b->game->phases[n_phases].id)
        n_phases++;
    if (phase->id >= n_phases) {
        battery_fault(b, "phase %u is no row", phase->id);
        return;
    }
    if (phase->turn >> b->setup.seats)
        battery_fault(b, "a seat that does not play has the turn");
    game_action timer;
    if (phase->limit_ms > 0 && !phase->over && b->game->legal(b->state, GAME_BY_TIMER, &timer, 1) == 0)
        battery_fault(b, "phase %s has a limit and no timer action", b->game->phases[phase->id].id);
    if (b->game->phases[phase->id].veil != OBSERVE_DARK)
        return;
    static struct game_script script;
    b->game->script(b->state, &script);
    if (script.n > GAME_STEPS_MAX || phase->step >= script.n)
        battery_fault(b, "step %u of a script of %u", phase->step, script.n);
    for (unsigned i = 0; i < script.n && i < GAME_STEPS_MAX; i++)
        if (script.step[i].length_ms % 250 || script.step[i].length_ms == 0 || script.step[i].n_cues > 4)
            battery_fault(b, "step %s is not on the grid", script.step[i].id);
}

static const int nobody[] = {GAME_BY_CHANCE, GAME_BY_TIMER, GAME_BY_TABLE};
static int actor_at(const struct battery *b, unsigned i) {
    return i < b->setup.seats ? (int)i : nobody[i - b->setup.seats];
}

// Checks everything at this position and picks the next action. False: nobody can act.
static bool check_position(struct battery *b, struct battery_step *ret) {
    static game_action legal[GAME_ACTIONS_MAX];
    unsigned n_actors = b->setup.seats + 3u, can = 0;
    check_layout(b);
    check_observations(b);
    for (unsigned a = 0; a < n_actors; a++) {
        int by = actor_at(b, a);
        size_t n = b->game->legal(b->state, by, legal, GAME_ACTIONS_MAX);
        if (n > GAME_ACTIONS_MAX) {
            battery_fault(b, "%zu actions of one actor", n);
            n = GAME_ACTIONS_MAX;
        }
        for (size_t i = 1; i < n; i++)
            if (legal[i] <= legal[i - 1])
                battery_fault(b, "legal actions of %d are not ascending", by);
        for (unsigned i = 0; i < 3 && n > 0; i++)
            check_words(b, by, legal[rng_below(&b->rng, (uint32_t)n)]);
        for (unsigned i = 0; i < 2 && n > 0; i++)
            check_refusal(b, actor_at(b, rng_below(&b->rng, n_actors)), NULL, 0, rng_next(&b->rng));
        if (n > 0) { // bits changed a little are the likeliest to be taken by mistake
            game_action near = legal[rng_below(&b->rng, (uint32_t)n)] ^ UINT64_C(1) << rng_below(&b->rng, 40);
            check_refusal(b, by, legal, n, near);
        }
        battery_proofs(b, by, legal, n);
        if (n == 0)
            continue;
        // Among actors alike, but the clock is slow.
        if (rng_below(&b->rng, ++can) == 0 && (by != GAME_BY_TIMER || can == 1 || rng_below(&b->rng, 4) == 0))
            *ret = (struct battery_step){by, legal[rng_below(&b->rng, (uint32_t)n)]};
    }
    return can > 0;
}

// ---- a whole game

// What a seat did unseen is told at the end in a sentence, not as a verb and its arguments.
static void check_story(struct battery *b, const struct game_phase *before, const struct game_notes *notes) {
    const struct battery_step *step = &b->step[b->n_steps];
    struct game_act act;
    bool told = b->game->phases[before->id].veil == OBSERVE_OPEN || step->by < 0;
    for (unsigned i = 0; i < notes->n; i++)
        told |= notes->note[i].flags & GAME_NOTE_STORY;
    b->game->decode(b->state, step->by, step->action, &act);
    if (!told)
        battery_fault(b, "%s by a seat in phase %s is told in no sentence", b->game->verbs[act.verb].name,
                      b->game->phases[before->id].id);
}

static void check_notes(struct battery *b, const struct game_phase *before, const struct game_notes *notes) {
    struct game_phase after;
    check_story(b, before, notes);
    b->game->phase(b->state, &after);
    bool veiled = b->game->phases[before->id].veil != OBSERVE_OPEN;
    for (unsigned i = 0; i < notes->n; i++)
        if (veiled && after.id == before->id && notes->note[i].flags != GAME_NOTE_STORY)
            battery_fault(b, "a note in phase %s is not for the story alone", b->game->phases[before->id].id);
}

static void check_replay(struct battery *b) {
    static _Alignas(16) unsigned char again[GAME_STATE_MAX];
    struct error err = {0};
    memset(again, 0xa5, sizeof again); // init must write every byte
    b->game->init(again, &b->setup);
    for (unsigned i = 0; i < b->n_steps; i++)
        if (game_act(b->game, again, b->step[i].by, b->step[i].action, NULL, &err) != ERROR_OK)
            battery_fault(b, "replay stops at step %u: %s", i, err.text);
    if (memcmp(again, b->state, b->game->state_size))
        battery_fault(b, "a replayed game ends in another state");
}

static void check_end(struct battery *b) {
    static game_action legal[GAME_ACTIONS_MAX];
    static struct observe_result result;
    for (unsigned a = 0; a < b->setup.seats + 3u; a++)
        if (b->game->legal(b->state, actor_at(b, a), legal, GAME_ACTIONS_MAX) > 0)
            battery_fault(b, "%d may act after the end", actor_at(b, a));
    memset(&result, 0xa5, sizeof result);
    b->game->result(b->state, &result);
    if (!result.over || result.winners >> b->setup.seats || result.n_teams > OBSERVE_TEAMS_MAX)
        battery_fault(b, "the result is not over, or somebody wins who does not play");
}

static void play(struct battery *b) {
    struct game_notes notes;
    struct game_phase phase;
    struct error err = {0};
    b->n_steps = 0;
    rng_seed(&b->rng, b->seed);
    if (!choose_setup(b))
        return;
    check_setup(b);
    b->words = (struct game_words){b->game, &b->setup, &b->places};
    memset(b->state, 0x5a, sizeof b->state);
    b->game->init(b->state, &b->setup);
    for (;;) {
        b->game->phase(b->state, &phase);
        check_phase(b, &phase);
        if (phase.over)
            break;
        struct battery_step *next = &b->step[b->n_steps];
        referee_state(b->referee, b->game, &b->setup, &b->places, b->state);
        if (!check_position(b, next)) {
            battery_fault(b, "nobody can act in phase %s", b->game->phases[phase.id].id);
            return;
        }
        notes.n = 0;
        if (b->game->apply(b->state, next->by, next->action, &notes, &err) != ERROR_OK) {
            battery_fault(b, "apply refuses a legal action: %s", err.text);
            return;
        }
        check_notes(b, &phase, &notes);
        if (++b->n_steps == BATTERY_STEPS_MAX) {
            battery_fault(b, "the game does not end");
            return;
        }
    }
    check_observations(b);
    check_end(b);
    check_replay(b);
    battery_secret(b);
    b->games++;
    b->actions += b->n_steps;
}

static bool run(const struct game *game, uint64_t games, uint64_t seed) {
    static struct battery b;
    struct error err = {0};
    memset(&b, 0, sizeof b);
    b.game = game;
    if (referee_create(&b.referee, &err) != ERROR_OK || game->state_size > GAME_STATE_MAX)
        return false;
    for (uint64_t i = 0; i < games; i++) {
        b.seed = seed * UINT64_C(1000003) + i;
        play(&b);
    }
    referee_destroy(b.referee);
    printf(
        "%-14s %llu games, %llu actions; proofs: %llu found, %llu as a choice, %llu show nothing; secrets: "
        "%llu pairs, %llu views equal, %llu refusals; %llu faults\n",
        game->id, (unsigned long long)b.games, (unsigned long long)b.actions, (unsigned long long)b.shown,
        (unsigned long long)b.chosen, (unsigned long long)b.declared, (unsigned long long)b.pairs,
        (unsigned long long)b.compared, (unsigned long long)b.asked, (unsigned long long)b.faults);
    return b.faults == 0 && b.games == games;
}

int main(int argc, char **argv) {
    uint64_t games = 20, seed = 1;
    bool all_right = true, any = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--games") && i + 1 < argc) {
            games = strtoull(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--seed") && i + 1 < argc) {
            seed = strtoull(argv[++i], NULL, 10);
        } else {
            const struct game *game = !strcmp(argv[i], "template") ? &template_game : game_find(argv[i]);
            if (!game) {
                fprintf(stderr, "battery: there is no game %s\n", argv[i]);
                return 2;
            }
            any = true;
            all_right &= run(game, games, seed);
        }
    }
    if (!any) {
        all_right = run(&template_game, games, seed);
        for (size_t i = 0; game_at(i); i++)
            all_right &= run(game_at(i), games, seed);
    }
    return all_right ? 0 : 1;
}
