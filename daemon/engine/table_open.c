// Open and sealed phases: verdicts and when they count (design 5.3; evenings 4).
#include "engine/narration.h"
#include "engine/table__.h"
#include <stdio.h>
#include <string.h>

// Hands at rest for so long? If not, look again when they will be.
static bool still(struct table *t, int32_t ms) {
    int64_t due = t->game->track.now.changed_us + ms * INT64_C(1000);
    if (due <= table__now(t))
        return true;
    table__look_at(t, due);
    return false;
}

static int32_t still_ms(const struct table *t) {
    const struct hands *hands = &t->game->track.now;
    for (unsigned i = 1; i < hands->n_items; i++) // a stack, or a set
        if (hands->item[i].place == hands->item[i - 1].place)
            return t->options.timing.still_stack_ms;
    return t->options.timing.still_ms;
}

// Visits that mean nothing. They are not accepted: the same tap counts again.
static void forget(struct table *t) {
    uint64_t all[HANDS_VISITS_MAX / 64];
    memset(all, 0xff, sizeof all);
    hands_forget(&t->game->track, all);
}

// What people are told of while they hold a piece, they may answer by putting it back.
static void told_of_all(struct table *t) {
    for (game_place p = 0; p < t->game->places.n; p++)
        hands_told(&t->game->track, p);
}

// ---- following (design 5.3)

void table__follow(struct table *t) {
    struct table__game *g = t->game;
    t->follow = false;
    if (!table__playing(t) || table__dark(t) || !referee_distance(t->referee, &g->track.now))
        return;
    t->follow = true;
    g->before = g->track.now;
    t->prompt_nag = (struct table__nag){.at_us = table__now(t) + 15 * INT64_C(1000000)};
    table__look_at(t, t->prompt_nag.at_us);
    struct verdict_repair repairs[VERDICT_REPAIRS_MAX];
    table__prompt(t, repairs, referee_repairs(t->referee, &g->track.now, repairs), false);
}

void table__follow_end(struct table *t) {
    if (t->follow || t->n_prompts)
        table__prompt(t, NULL, 0, false);
    t->follow = false;
}

// What is done is asked for no more: what is left is shown, without saying it anew.
static void shrink_prompt(struct table *t) {
    struct verdict_repair repairs[VERDICT_REPAIRS_MAX];
    if (!t->n_prompts || !still(t, still_ms(t)))
        return;
    unsigned n = referee_repairs(t->referee, &t->game->track.now, repairs);
    if (n && n < t->n_prompts)
        table__prompt(t, repairs, n, true);
}

static void nag_prompt(struct table *t) {
    if (!t->prompt_nag.at_us)
        return;
    if (t->prompt_nag.at_us > table__now(t)) {
        table__look_at(t, t->prompt_nag.at_us);
        return;
    }
    table__remind(t, "prompt", GAME_NONE, "Please put the pieces where they belong.");
    t->prompt_nag.at_us = t->prompt_nag.times++ ? 0 : table__now(t) + 30 * INT64_C(1000000);
    if (t->prompt_nag.at_us)
        table__look_at(t, t->prompt_nag.at_us);
}

// ---- what people still have in the hand

// A look that the rules refuse is told while the piece is still away (AH4); back again, it is over.
static void want_forbidden_looks(struct table *t, struct table__want *want) {
    struct verdict v;
    if (!table__open(t))
        return;
    for (game_slot i = 0; i < t->game->setup.n_slots; i++) {
        const struct hands_slot *slot = &t->game->track.slot[i];
        if (!slot->flies || slot->from == GAME_NONE || slot->from != slot->own)
            continue;
        int64_t due = slot->left_us + t->options.timing.look_ms * INT64_C(1000);
        if (due > table__now(t))
            table__look_at(t, due);
        else if (referee_forbids_look(t->referee, slot->from, i, &v))
            table__want(t, want, v.rule, v.text, &slot->from, 1, NULL, 0);
    }
}

static void nag_partial(struct table *t) {
    if (!t->waiting) {
        t->waiting = true;
        t->partial_us = table__now(t);
    }
    if (!t->partial_us)
        return; // once is enough
    int64_t due = t->partial_us + t->options.timing.reminder_ms * INT64_C(1000);
    if (due > table__now(t)) {
        table__look_at(t, due);
        return;
    }
    t->partial_us = 0;
    told_of_all(t);
    table__remind(t, "unfinished", GAME_NONE, "A movement is not finished.");
}

// ---- blind: a reader that serves this game is away (U5)

static bool stop_blind(struct table *t) {
    struct error err;
    return table__open(t) && !t->waived && !table__readers_up(t) &&
           !table__pause(t, TABLE__BY_READER, TABLE__TAP, NULL, (struct table__reply){0}, &err);
}

// ---- one look; true if the state moved and another look is due

static bool is_momentary(const char *rule) {
    return table__is_hole(rule) || !strcmp(rule, "several");
}

// all: those too that are worked out anew at every look.
static void keep_live(struct table *t, struct table__want *want, bool all) {
    for (unsigned i = 0; i < t->n_live && want->n < OBSERVE_VIOLATIONS_MAX; i++)
        if (all || !is_momentary(t->live[i].rule))
            want->violation[want->n++] = t->live[i];
}

static bool is_named(const struct table *t, const game_place *places, unsigned n, const char *name) {
    for (unsigned i = 0; i < n; i++)
        if (t->game->places.row[places[i]].name == name)
            return true;
    return false;
}

static bool has_foreign(const struct table *t, const struct observe_violation *one) {
    const struct hands *hands = &t->game->track.now;
    for (unsigned i = 0; i < one->n_places; i++)
        if (is_named(t, hands->foreign, hands->n_foreign, one->places[i]))
            return true;
    return false;
}
static bool is_unknown_piece(const struct observe_violation *one) {
    return !strcmp(one->rule, "unknown_piece");
}

// What is gone from where a foreign piece lies is told for itself.
static bool is_hole_beneath(const struct table *t, const struct verdict_repair *repair) {
    const struct hands *hands = &t->game->track.now;
    for (unsigned i = 0; repair->take == GAME_NONE && i < hands->n_foreign; i++)
        if (hands->foreign[i] == repair->put)
            return true;
    return false;
}

// Of a violation: the places that still lie wrong, and what is to be moved there. False: it is over, because
// nothing it named lies wrong any more, or some of it was put right and the rest is on the way to an action.
static bool follow_one(struct table *t, const struct verdict *v, struct observe_violation *one) {
    struct verdict_repair repairs[VERDICT_REPAIRS_MAX];
    struct observe_repair words[OBSERVE_REPAIRS_MAX];
    unsigned kept = 0, n = referee_repairs(t->referee, &t->game->track.now, repairs), moves = 0;
    if (is_unknown_piece(one) && !has_foreign(t, one))
        return false; // what else lies wrong is another matter
    if (v->n_places == VERDICT_REPAIRS_MAX)
        return true; // there may be more than are listed
    for (unsigned i = 0; i < one->n_places; i++)
        if (is_named(t, v->places, v->n_places, one->places[i]))
            one->places[kept++] = one->places[i];
    if (!kept || (kept < one->n_places && v->extends))
        return false;
    one->n_places = (uint8_t)kept;
    table__repairs(t, repairs, n, words);
    for (unsigned i = 0; i < n && i < OBSERVE_REPAIRS_MAX; i++)
        for (unsigned k = 0; k < kept && !(is_unknown_piece(one) && is_hole_beneath(t, &repairs[i])); k++)
            if (words[i].take == one->places[k] || words[i].put == one->places[k]) {
                one->repairs[moves++] = words[i];
                break;
            }
    one->n_repairs = (uint8_t)moves;
    return true;
}

// A movement goes on while something lies wrong: what was said of it follows the position. What has no way
// back is no matter of the position, and stays. A hole stays while it is no step of an action.
static void follow_live(struct table *t, const struct verdict *v, struct table__want *want) {
    bool rest = still(t, still_ms(t));
    for (unsigned i = 0; i < t->n_live && want->n < OBSERVE_VIOLATIONS_MAX; i++) {
        struct observe_violation one = t->live[i];
        if (!is_momentary(one.rule) && (!rest || !one.n_repairs || follow_one(t, v, &one)))
            want->violation[want->n++] = one;
    }
    if (!v->extends)
        table__keep_holes(t, v, want);
}

// A piece of no slot stays told whatever is done beside it, as long as it lies there.
static void keep_foreign(struct table *t, struct table__want *want) {
    for (unsigned i = 0; i < t->n_live && want->n < OBSERVE_VIOLATIONS_MAX; i++)
        if (is_unknown_piece(&t->live[i]) && has_foreign(t, &t->live[i]))
            want->violation[want->n++] = t->live[i];
}

static bool act_on(struct table *t, const struct verdict *v) {
    struct error err;
    struct table__want kept = {0};
    if (v->n_actions && v->action[0].by == GAME_BY_CHANCE) // a deal goes on, whatever else lies wrong
        keep_live(t, &kept, true);
    else
        keep_foreign(t, &kept);
    table__reconcile(t, &kept);
    table__choice_close(t);
    for (unsigned i = 0; i < v->n_actions; i++) {
        struct table__act act = {
            .by = v->action[i].by, .action = v->action[i].action, .cause = TABLE__TAP, .kind = JOURNAL_ACT};
        if (table_act(t, &act, &err)) {
            t->retry = err.code == ERROR_BUSY;
            return false;
        }
    }
    // The hands lie as the action shows. What the state asks for beyond that (a counter, cards to lay away)
    // is theirs to follow, no mistake. A deal goes on by itself.
    if (v->n_actions && v->action[v->n_actions - 1].by != GAME_BY_CHANCE)
        table__follow(t);
    return true;
}

static bool is_listed(const struct verdict *v, game_place place) {
    for (unsigned i = 0; i < v->n_places; i++)
        if (v->places[i] == place)
            return true;
    return false;
}

// Takes out of a verdict what a violation names. False: nothing of it.
static bool leave_out(const struct table *t, const struct observe_violation *one, struct verdict *v) {
    unsigned kept = 0, before = v->n_places;
    for (unsigned i = 0; i < before; i++) {
        bool told = false;
        for (unsigned p = 0; p < one->n_places; p++)
            told |= one->places[p] == t->game->places.row[v->places[i]].name;
        if (!told)
            v->places[kept++] = v->places[i];
    }
    v->n_places = (uint8_t)kept;
    return kept < before;
}

// Of what a plain verdict says, that which is about the places it still lists.
static void narrow(struct verdict *v) {
    unsigned moves = 0;
    bool extra = false;
    for (unsigned i = 0; i < v->n_repairs; i++) {
        bool takes = is_listed(v, v->repairs[i].take);
        extra |= takes;
        if (takes || is_listed(v, v->repairs[i].put))
            v->repairs[moves++] = v->repairs[i];
    }
    v->n_repairs = (uint8_t)moves;
    snprintf(v->rule, sizeof v->rule, extra ? "misplaced" : "missing");
    v->text[0] = '\0';
}

// Where a rule was told, that something lies there or is gone says nothing new: the rule is still what it was
// about, and what else lies wrong is told beside it. False: nothing else does.
static bool keep_rules(struct table *t, struct verdict *v, struct table__want *want) {
    const struct verdict all = *v;
    const unsigned before = want->n;
    if (strcmp(v->rule, "missing") != 0 && strcmp(v->rule, "misplaced") != 0)
        return true;
    for (unsigned i = 0; i < t->n_live && want->n < OBSERVE_VIOLATIONS_MAX; i++) {
        struct observe_violation one = t->live[i];
        if (one.n_repairs && !is_momentary(one.rule) && strcmp(one.rule, "misplaced") != 0 &&
            follow_one(t, &all, &one) && leave_out(t, &one, v))
            want->violation[want->n++] = one;
    }
    if (v->n_places == all.n_places)
        return true;
    if (!v->n_places)
        return false;
    if (all.n_places == VERDICT_REPAIRS_MAX) { // there may be more than are listed
        want->n = before;
        *v = all;
    } else {
        narrow(v);
    }
    return true;
}

static void wrong(struct table *t, const struct verdict *v, struct table__want *want) {
    if (!still(t, v->closed ? t->options.timing.still_ms : t->options.timing.wrong_ms)) {
        keep_live(t, want, true);
        return;
    }
    struct verdict now = *v, holes = {0};
    if (v->closed) // said once; what comes next needs a gesture of its own
        forget(t);
    else if (!keep_rules(t, &now, want))
        return;
    else
        table__take_holes(t, &now, &holes);
    if (!holes.n_places || now.n_places)
        table__want(t, want, *now.rule ? now.rule : "misplaced", now.text, now.places, now.n_places,
                    now.repairs, now.n_repairs);
    table__want_holes(t, &holes, want);
}

static bool is_live(const struct table *t, const char *rule) {
    for (unsigned i = 0; i < t->n_live; i++)
        if (!strcmp(t->live[i].rule, rule))
            return true;
    return false;
}

// A touch, a control piece or a look that the rules refuse. A token that stays is a violation until it is
// taken away; what is over is a reminder.
static void mistake(struct table *t, const struct verdict *v, struct table__want *want) {
    const struct hands *hands = &t->game->track.now;
    game_place at = GAME_NONE;
    bool named = false; // where the latest of what is over was
    for (unsigned i = hands->n_visits; i-- > 0;) {
        const struct game_visit *visit = &hands->visit[i].visit;
        bool touch = visit->type == GAME_TOUCH;
        if (touch && visit->place != GAME_NONE && hands_where(&t->game->track, visit->what) == visit->place) {
            struct verdict here = *v;
            here.places[0] = visit->place;
            here.n_places = 1;
            wrong(t, &here, want);
            return;
        }
        if (named)
            continue;
        named = touch || visit->type == GAME_CONTROL;
        if (named || visit->type == GAME_LOOK)
            at = visit->place;
    }
    if (hands->n_visits && !is_live(t, v->rule))
        table__remind(t, v->rule, at, table__sentence(t, v->rule, v->text));
    told_of_all(t); // nothing is seen to be gone: of a stack, or from where no pad is
    forget(t);
}

// Where pieces have left. False: none has.
static bool remind_missing(struct table *t) {
    const struct table__game *g = t->game;
    bool any = false;
    for (game_place p = 0; p < g->places.n; p++) {
        bool left = false;
        for (unsigned i = 0; i < g->setup.n_slots; i++)
            left |= g->track.slot[i].flies && g->track.slot[i].from == p;
        if (left) {
            hands_told(&t->game->track, p);
            table__remind(t, "missing", p,
                          narration_translate(t->options.language, "A piece is missing here."));
        }
        any |= left;
    }
    return any;
}

// A control piece that finds the table unready is answered and does nothing later, when nobody expects it.
// One that has come a moment too early counts.
static void drop_controls(struct table *t) {
    struct hands *hands = &t->game->track.now;
    uint64_t gone[HANDS_VISITS_MAX / 64] = {0};
    bool ready = !referee_distance(t->referee, hands), any = false;
    for (unsigned i = 0; i < hands->n_visits; i++) {
        if (hands->visit[i].visit.type != GAME_CONTROL)
            continue;
        int32_t ms = ready ? t->options.timing.reminder_ms : still_ms(t);
        int64_t due = hands->visit[i].to_us + ms * INT64_C(1000);
        if (due > table__now(t)) {
            table__look_at(t, due);
            continue;
        }
        gone[i / 64] |= UINT64_C(1) << i % 64;
        any = true;
    }
    if (!any)
        return;
    hands_forget(&t->game->track, gone);
    if (!ready && !remind_missing(t))
        table__remind(t, "not_ready", GAME_NONE,
                      narration_translate(t->options.language, "Please put the pieces right first."));
}

// Tokens of several seats touched one place in the same scan: nobody could answer for all (ON10).
static bool at_once(const struct table *t, const struct verdict *v) {
    const struct hands *hands = &t->game->track.now;
    if (v->n_actions < 2 || v->action[0].by == v->action[1].by)
        return false;
    for (unsigned i = 1; i < hands->n_visits; i++) {
        const struct hands_visit *a = &hands->visit[i - 1], *b = &hands->visit[i];
        if (a->visit.type == GAME_TOUCH && b->visit.type == GAME_TOUCH && a->visit.place == b->visit.place &&
            a->visit.what != b->visit.what && a->to_us == b->to_us)
            return true;
    }
    return false;
}

// A piece that had been missing lies somewhere else: its player says whether that is meant.
static bool is_found_again(const struct table *t, const struct verdict *v) {
    const struct table__game *g = t->game;
    struct game_act act;
    g->game->decode(g->ahead.state, v->action[0].by, v->action[0].action, &act);
    bool asks = g->game->verbs[act.verb].flags & GAME_VERB_CONFIRM;
    for (unsigned i = 0; asks && i < g->setup.n_slots; i++) {
        const struct hands_slot *slot = &g->track.slot[i];
        if (!slot->flies && slot->at != slot->own && slot->from != GAME_NONE && slot->from == slot->own &&
            slot->landed_us - slot->left_us >= t->options.timing.air_ms * INT64_C(1000))
            return true;
    }
    return false;
}

static void ask_back(struct table *t, const struct verdict *v) {
    struct verdict first = *v;
    bool open = t->choice_open;
    first.n_actions = 1;
    if (!still(t, still_ms(t)))
        return;
    table__choice_open(t, &first);
    if (!open && t->choice_open)
        table__remind(
            t, "confirm", GAME_NONE,
            narration_translate(t->options.language, "A piece is found again: say yes, or take it back."));
}

static bool judge_follow(struct table *t, struct table__want *want) {
    struct table__game *g = t->game;
    struct verdict v;
    referee_follow(t->referee, &g->before, &g->track.now, &v);
    if (v.type == VERDICT_SAME) {
        table__hands_accept(t);
        table__follow_end(t);
        return true;
    }
    if (v.type == VERDICT_WRONG)
        wrong(t, &v, want);
    else
        shrink_prompt(t);
    nag_prompt(t);
    return false;
}

static bool judge_once(struct table *t, struct table__want *want) {
    struct table__game *g = t->game;
    struct verdict v;
    if (t->follow)
        return judge_follow(t, want);
    referee_judge(t->referee, &g->track.now, &v);
    if (v.type != VERDICT_PARTIAL)
        t->waiting = false;
    bool asks = v.type == VERDICT_EXPLAINED && is_found_again(t, &v);
    if (v.type != VERDICT_CHOICE && !asks)
        table__choice_close(t);
    switch (v.type) {
    case VERDICT_SAME:
        if (*v.rule) {
            keep_foreign(t, want);
            mistake(t, &v, want);
            return false;
        }
        if (v.uninvited && table__open(t))
            table__remind(t, "look", v.looked, "Please leave this piece where it lies.");
        forget(t);
        return false;
    case VERDICT_EXPLAINED:
        if (asks) {
            ask_back(t, &v);
            return false;
        }
        if (v.extends && !still(t, still_ms(t))) {
            keep_live(t, want, false);
            return false;
        }
        return act_on(t, &v);
    case VERDICT_PARTIAL:
        follow_live(t, &v, want);
        nag_partial(t);
        drop_controls(t);
        return false;
    case VERDICT_CHOICE:
        if (at_once(t, &v)) {
            forget(t);
            table__remind(t, "one_at_a_time", GAME_NONE, "Please tap one at a time.");
            return false;
        }
        if (still(t, still_ms(t)))
            table__choice_open(t, &v);
        return false;
    case VERDICT_WRONG:
        wrong(t, &v, want);
        drop_controls(t);
        return false;
    case VERDICT_BLIND:
        keep_live(t, want, false);
        return false;
    }
    return false;
}

// ---- while paused: what was spilt goes back, a reader comes back

static void look_paused(struct table *t) {
    struct table__game *g = t->game;
    struct error err;
    struct table__reply none = {0};
    if (g->ahead.reason == TABLE__BY_READER && table__readers_up(t)) {
        for (game_place p = 0; !g->ahead.dark && p < g->places.n; p++)
            if (g->track.now.sense[p] == HANDS_UNKNOWN)
                return;
        table__resume(t, TABLE__TAP, none, &err);
    } else if (g->ahead.reason == TABLE__BY_SPILL) {
        if (!referee_distance(t->referee, &g->track.now) && !g->track.now.n_air) {
            table__follow_end(t);
            table__hands_accept(t);
            table__resume(t, TABLE__TAP, none, &err);
        } else if (still(t, t->options.timing.wrong_ms) && g->track.now.changed_us != t->prompted_us) {
            struct verdict_repair repairs[VERDICT_REPAIRS_MAX];
            t->prompted_us = g->track.now.changed_us;
            table__prompt(t, repairs, referee_repairs(t->referee, &g->track.now, repairs), false);
        }
    }
}

static void judge(struct table *t) {
    struct table__game *g = t->game;
    int64_t next = hands_age(&g->track, table__now(t));
    if (next != INT64_MAX)
        table__look_at(t, next);
    if (g->ahead.paused) {
        look_paused(t);
        return;
    }
    if (stop_blind(t))
        return;
    struct table__want want;
    unsigned looks = 0;
    do
        want.n = 0;
    while (judge_once(t, &want) && ++looks < TABLE__IN_A_ROW && table__playing(t) && !table__dark(t) &&
           !g->ahead.paused);
    if (looks == TABLE__IN_A_ROW)
        table__look_later(t);
    if (!table__playing(t) || table__dark(t) || g->ahead.paused)
        return;
    table__want_missing(t, &want);
    want_forbidden_looks(t, &want);
    table__want_trouble(t, &want);
    table__reconcile(t, &want);
}

// Pieces seen for the first time are recorded in the commit of what was done with them: a second sync of the
// disk before it is told would be heard.
void table__judge(struct table *t) {
    struct error err;
    uint64_t before = t->n;
    if (!table__playing(t) || (table__dark(t) && !t->game->ahead.paused) || t->storage_failed)
        return;
    bool ok = table__dark(t) || !table__record_binds(t, true, &err);
    uint64_t bound = t->n;
    if (ok)
        judge(t);
    if (bound > before && t->n == bound)
        journal_complete(t->door->journal, t->options.name);
}
