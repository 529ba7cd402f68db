// Violations, prompts and reminders: what people are told to put right. None of it names a hidden kind.
#include "core/phrase.h"
#include "engine/table__.h"
#include <stdio.h>
#include <string.h>

static const struct {
    const char *rule, *text;
} sentences[] = {
    {"misplaced", "A piece lies in the wrong place."},
    {"missing", "A piece is missing here."},
    {"unknown_piece", "This piece is not in this game."},
    {"several", "Please spread the pieces: more lie here than can be read."},
    {"doubtful", "Please lay these pieces side by side, or tap them one by one."},
};

bool table__open(const struct table *t) {
    const struct table__game *g = t->game;
    return g && g->game->phases[g->ahead.phase.id].veil == OBSERVE_OPEN;
}

// ---- words

static const char *place_name(const struct table *t, game_place place) {
    return place < t->game->places.n ? t->game->places.row[place].name : "hand";
}

// What to move: by kind only where everybody sees it, else by the kind of thing it is.
static void what_to_move(const struct table *t, game_slot slot, char ret[33]) {
    const struct table__game *g = t->game;
    if (slot >= g->setup.n_slots) {
        snprintf(ret, 33, "piece");
        return;
    }
    const struct game_kind_row *kind = &g->game->kinds[g->setup.slot_kind[slot]];
    snprintf(ret, 33, "%s", kind->hidden ? "tile" : kind->id);
}

// Where a piece goes that no place asks for.
static game_place resting_place(const struct table *t, const struct verdict_repair *repair) {
    const struct table__game *g = t->game;
    if (repair->put != GAME_NONE || repair->slot >= g->setup.n_slots || !g->game->rest)
        return repair->put;
    return g->game->rest(g->ahead.state, repair->slot);
}

void table__repairs(struct table *t, const struct verdict_repair *repairs, unsigned n,
                    struct observe_repair *ret) {
    for (unsigned i = 0; i < n && i < OBSERVE_REPAIRS_MAX; i++) {
        ret[i].take = place_name(t, repairs[i].take);
        ret[i].put = place_name(t, resting_place(t, &repairs[i]));
        what_to_move(t, repairs[i].slot, ret[i].what);
    }
}

// A sentence of the game is passed on unless it could name what lies hidden.
static bool names_hidden(const struct table *t, const char *text) {
    const struct game *game = t->game->game;
    for (unsigned i = 0; i < game->n_kinds; i++)
        if (game->kinds[i].hidden && strstr(text, game->kinds[i].id))
            return true;
    return false;
}

const char *table__sentence(const struct table *t, const char *rule, const char *text) {
    if (text && *text && !(names_hidden(t, text) && !table__open(t)))
        return text;
    for (unsigned i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (!strcmp(sentences[i].rule, rule))
            return sentences[i].text;
    return "The rules do not allow this.";
}

// ---- violations

static bool forgiven(const struct table *t, const game_place *places, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (!(t->forgiven[places[i] / 64] >> places[i] % 64 & 1))
            return false;
    return n > 0;
}

// With other repairs it is another violation: what was said to be moved may lie elsewhere by now. A piece
// missed for ten seconds that becomes a hole to be filled stays what it is.
static bool same_violation(const struct observe_violation *a, const struct observe_violation *b) {
    if (strcmp(a->rule, b->rule) != 0 || a->n_places != b->n_places)
        return false;
    for (unsigned i = 0; i < a->n_places; i++)
        if (a->places[i] != b->places[i])
            return false;
    if (!a->n_repairs || !b->n_repairs)
        return true;
    if (a->n_repairs != b->n_repairs)
        return false;
    for (unsigned i = 0; i < a->n_repairs; i++)
        if (a->repairs[i].take != b->repairs[i].take || a->repairs[i].put != b->repairs[i].put ||
            strcmp(a->repairs[i].what, b->repairs[i].what) != 0)
            return false;
    return true;
}

void table__want(struct table *t, struct table__want *want, const char *rule, const char *text,
                 const game_place *places, unsigned n, const struct verdict_repair *repairs,
                 unsigned n_repairs) {
    if (want->n == OBSERVE_VIOLATIONS_MAX || forgiven(t, places, n))
        return;
    for (unsigned i = 0; i < n; i++)
        hands_told(&t->game->track, places[i]);
    struct observe_violation *v = &want->violation[want->n++];
    memset(v, 0, sizeof *v);
    snprintf(v->rule, sizeof v->rule, "%s", rule);
    phrase_text(t->options.language, table__sentence(t, rule, text), v->text, sizeof v->text);
    v->n_places = (uint8_t)(n < OBSERVE_REPAIRS_MAX ? n : OBSERVE_REPAIRS_MAX);
    for (unsigned i = 0; i < v->n_places; i++)
        v->places[i] = place_name(t, places[i]);
    v->n_repairs = (uint8_t)(n_repairs < OBSERVE_REPAIRS_MAX ? n_repairs : OBSERVE_REPAIRS_MAX);
    table__repairs(t, repairs, v->n_repairs, v->repairs);
    for (unsigned i = 0; i + 1 < want->n; i++)
        if (same_violation(&want->violation[i], v)) { // wanted for two reasons: said once, with its repairs
            if (v->n_repairs)
                want->violation[i] = *v;
            want->n--;
            return;
        }
}

// What is wanted on of a violation that lives has its number.
static struct observe_violation *find(struct observe_violation *list, unsigned n,
                                      const struct observe_violation *one) {
    for (unsigned i = 0; i < n; i++)
        if (one->id && list[i].id ? one->id == list[i].id : same_violation(&list[i], one))
            return &list[i];
    return NULL;
}

// With some of it put right it stays what it is: what is left is shown, without saying it anew. Of a hole
// nothing old is shown: among more than are listed its way back may be missing.
static bool has_shrunk(const struct observe_violation *live, const struct observe_violation *want) {
    return want->id && (live->n_places != want->n_places || !same_violation(live, want) ||
                        (table__is_hole(want->rule) && live->n_repairs != want->n_repairs));
}

static bool say(struct table *t, enum observe_event_type type, const struct observe_violation *violation,
                bool quiet) {
    struct table__out *out = table__out(t, false);
    if (!out)
        return !(t->retry = true); // the look after the next commit says it
    out->event = type;
    out->violation = *violation;
    out->quiet = quiet;
    return true;
}

static void clear_unwanted(struct table *t, struct table__want *want) {
    for (unsigned i = 0; i < t->n_live;) {
        if (find(want->violation, want->n, &t->live[i])) {
            i++;
            continue;
        }
        if (!say(t, OBSERVE_EVENT_VIOLATION_CLEARED, &t->live[i], false))
            break;
        t->n_live--;
        memmove(&t->live[i], &t->live[i + 1], (t->n_live - i) * sizeof *t->live);
    }
}

void table__reconcile(struct table *t, struct table__want *want) {
    clear_unwanted(t, want);
    for (unsigned i = 0; i < want->n; i++) {
        struct observe_violation one = want->violation[i];
        struct observe_violation *live = find(t->live, t->n_live, &one);
        if (live ? !has_shrunk(live, &one) : t->n_live == OBSERVE_VIOLATIONS_MAX)
            continue;
        if (!live) {
            one.id = ++t->next_id;
            one.since_us = clock_wall_us(loop_clock(t->loop));
        }
        if (!say(t, OBSERVE_EVENT_VIOLATION_RAISED, &one, live != NULL))
            break;
        *(live ? live : &t->live[t->n_live++]) = one;
    }
    table__release(t);
}

void table__clear_violations(struct table *t) {
    struct table__want none = {0};
    table__reconcile(t, &none);
}

// U7: cured within three seconds, nothing is said.
void table__want_trouble(struct table *t, struct table__want *want) {
    struct table__game *g = t->game;
    for (unsigned pad = 0; pad < board_pads(t->board); pad++) {
        if (!t->trouble_us[pad] || !g->pad_places[pad])
            continue;
        int64_t due = t->trouble_us[pad] + TABLE__SPREAD_MS * INT64_C(1000);
        if (due > table__now(t))
            table__look_at(t, due);
        else
            table__want(t, want,
                        board_pad_state(t->board, pad) == PAD_STATE_DOUBTFUL ? "doubtful" : "several", NULL,
                        &g->pad_place[pad][0], 1, NULL, 0);
    }
}

// ---- prompts and reminders

void table__prompt(struct table *t, const struct verdict_repair *repairs, unsigned n, bool quiet) {
    struct table__out *out = table__out(t, false);
    if (!out)
        return;
    out->event = OBSERVE_EVENT_PROMPT;
    out->quiet = quiet;
    out->n_repairs = (uint8_t)n;
    table__repairs(t, repairs, n, out->repairs);
    table__release(t);
}

void table__remind(struct table *t, const char *code, game_place place, const char *text) {
    struct table__out *out = table__out(t, false);
    if (!out)
        return;
    out->event = OBSERVE_EVENT_REMINDER;
    snprintf(out->code, sizeof out->code, "%s", code);
    phrase_text(t->options.language, text, out->text, sizeof out->text);
    if (place != GAME_NONE) {
        snprintf(out->violation.rule, sizeof out->violation.rule, "%s", code);
        memcpy(out->violation.text, out->text, sizeof out->violation.text);
        out->violation.n_places = 1;
        out->violation.places[0] = place_name(t, place);
    }
    table__release(t);
}

// ---- what may move

void table__mark_changes(const struct game_layout *a, const struct game_layout *b,
                         uint64_t ret[GAME_PLACES_MAX / 64]) {
    unsigned i = 0, k = 0;
    while (i < a->n_items || k < b->n_items) {
        const struct game_item *x = i < a->n_items ? &a->item[i] : NULL;
        const struct game_item *y = k < b->n_items ? &b->item[k] : NULL;
        if (x && y && x->place == y->place && x->what == y->what && x->n == y->n) {
            i++, k++;
            continue;
        }
        game_place place = !y || (x && x->place <= y->place) ? x->place : y->place;
        ret[place / 64] |= UINT64_C(1) << place % 64;
        i += x && x->place == place;
        k += y && y->place == place;
    }
    for (unsigned w = 0; w < GAME_PLACES_MAX / 64; w++)
        ret[w] |= b->free[w];
}

void table__moving(struct table *t, uint64_t ret[GAME_PLACES_MAX / 64]) {
    struct table__game *g = t->game;
    static struct game_layout layout; // large; one loop, one user
    static struct game_proof proof;
    memset(ret, 0, GAME_PLACES_MAX / 8);
    game_layout_clear(&layout);
    g->game->layout(g->ahead.state, &layout);
    for (int by = GAME_BY_TABLE; by < g->setup.seats; by++) {
        size_t n = g->game->legal(g->ahead.state, by, t->door->legal, GAME_ACTIONS_MAX);
        for (size_t i = 0; by != GAME_BY_TIMER && i < n && i < GAME_ACTIONS_MAX; i++) {
            game_proof_of(g->game, g->ahead.state, by, t->door->legal[i], &proof);
            table__mark_changes(&layout, &proof.layout, ret);
            for (unsigned k = 0; k < proof.n_needed; k++)
                if (proof.needed[k].place < GAME_PLACES_MAX)
                    ret[proof.needed[k].place / 64] |= UINT64_C(1) << proof.needed[k].place % 64;
        }
    }
}

// Nothing is missing there: what lay there too much is to leave, because hands follow or put a mistake right.
static bool is_asked_for(const struct table *t, game_place place) {
    static struct game_layout layout; // large; one loop, one user
    game_layout_clear(&layout);
    t->game->game->layout(t->game->ahead.state, &layout);
    return !table__lacks(t, place, &layout);
}

// U2: three pieces leave unasked within two seconds: a drink, a sleeve, a dog.
void table__removal(struct table *t, uint16_t piece, game_place place, int64_t at_us) {
    if (place == GAME_NONE || !table__playing(t) || table__dark(t) || t->game->ahead.paused ||
        !table__open(t) || is_asked_for(t, place))
        return;
    memmove(t->removals_us, t->removals_us + 1, 2 * sizeof *t->removals_us);
    memmove(t->removal_place, t->removal_place + 1, 2 * sizeof *t->removal_place);
    memmove(t->removal_piece, t->removal_piece + 1, 2 * sizeof *t->removal_piece);
    t->removals_us[2] = at_us;
    t->removal_place[2] = place;
    t->removal_piece[2] = piece;
    if (!t->removals_us[0] || at_us - t->removals_us[0] > t->options.timing.spill_ms * INT64_C(1000))
        return;
    uint64_t moving[GAME_PLACES_MAX / 64];
    table__moving(t, moving);
    for (unsigned i = 0; i < 3; i++)
        if (moving[t->removal_place[i] / 64] >> t->removal_place[i] % 64 & 1)
            return;
    struct error err;
    table__pause(t, TABLE__BY_SPILL, TABLE__TAP, NULL, (struct table__reply){0}, &err);
    memset(t->removals_us, 0, sizeof t->removals_us);
}

void table__removal_over(struct table *t, uint16_t piece) {
    for (unsigned i = 0; i < 3; i++) {
        if (!t->removals_us[i] || t->removal_piece[i] != piece)
            continue;
        memmove(t->removals_us + 1, t->removals_us, i * sizeof *t->removals_us);
        memmove(t->removal_place + 1, t->removal_place, i * sizeof *t->removal_place);
        memmove(t->removal_piece + 1, t->removal_piece, i * sizeof *t->removal_piece);
        t->removals_us[0] = 0;
    }
}
