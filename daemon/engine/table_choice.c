// A choice: hands fit several actions, and somebody says which was meant (design 5.3).
#include "core/json.h"
#include "engine/table__.h"
#include <string.h>

static bool same_options(const struct table *t, const struct verdict *v) {
    const struct table__game *g = t->game;
    if (!t->choice_open || t->n_options != v->n_actions)
        return false;
    for (unsigned i = 0; i < v->n_actions; i++)
        if (g->choice_action[i].by != v->action[i].by || g->choice_action[i].action != v->action[i].action)
            return false;
    return true;
}

void table__choice_open(struct table *t, const struct verdict *v) {
    struct table__game *g = t->game;
    if (same_options(t, v))
        return;
    table__choice_close(t);
    // The words of the last choice are kept until its closing has been told.
    struct table__out *out = t->choice_open || t->choice_shown ? NULL : table__out(t, false);
    if (!out) {
        table__look_later(t);
        return;
    }
    memset(&g->choice, 0, sizeof g->choice);
    g->choice.id = ++t->next_id;
    bool one = true;
    for (unsigned i = 0; i < v->n_actions && i < OBSERVE_OPTIONS_MAX; i++) {
        g->choice_action[i] = v->action[i];
        one = one && v->action[i].by == v->action[0].by;
        table__action_words(g, g->ahead.state, v->action[i].by, v->action[i].action, &g->choice.options[i]);
    }
    t->n_options = v->n_actions < OBSERVE_OPTIONS_MAX ? v->n_actions : OBSERVE_OPTIONS_MAX;
    g->choice.n = t->n_options;
    game_by_text(one ? v->action[0].by : GAME_BY_TABLE, g->choice.by);
    t->choice_open = true;
    t->chosen = 0;
    out->event = OBSERVE_EVENT_CHOICE_OPENED;
    table__release(t);
}

void table__choice_close(struct table *t) {
    if (!t->choice_open)
        return;
    struct table__out *out = table__out(t, false);
    if (!out)
        return;
    t->choice_open = false;
    out->event = OBSERVE_EVENT_CHOICE_CLOSED;
    table__release(t);
}

// Whoever may not see the options answers none of them, and does not learn how many there are: a host
// neither, who is a player too. Hands that stand at the table may.
static bool may_answer(const struct table *t, const struct door_who *who, unsigned option) {
    const struct verdict_action *actions = t->game->choice_action;
    if (!who)
        return true;
    if (who->role != DOOR_SEAT)
        return table__sees_choice(t, t->game, OBSERVE_PUBLIC);
    int by = actions[option < t->n_options ? option : 0].by;
    return table__sees_choice(t, t->game, who->seat) && (by < 0 || by == who->seat);
}

enum error_code table__choose(struct table *t, const struct door_who *who, uint32_t id, unsigned option,
                              enum table__cause cause, struct table__reply reply, struct error *err) {
    struct table__game *g = t->game;
    char by[8];
    if (!table__playing(t) || table__dark(t) || !t->choice_open || (who && !t->choice_shown) ||
        g->choice.id != id)
        return error_set(err, ERROR_NOT_NOW, t->options.name, "this choice is not open");
    if (!may_answer(t, who, option))
        return error_set(err, ERROR_FORBIDDEN, "choice", "another seat answers this");
    if (option >= t->n_options)
        return error_set(err, ERROR_INVALID, "option", "there is no such option");
    struct verdict_action chosen = g->choice_action[option];
    // The record of the answer and the action are one commit: begun only when nothing can refuse the action.
    memcpy(g->scratch, g->ahead.state, g->game->state_size);
    if (table__may_act(t, JOURNAL_ACT, err) || table__room(t, 4, 5, err) ||
        game_act(g->game, g->scratch, chosen.by, chosen.action, NULL, err))
        return err->code;
    struct json j;
    json_begin(&j, t->door->body, sizeof t->door->body);
    json_begin_object(&j);
    json_key(&j, "id");
    json_uint(&j, id);
    json_key(&j, "option");
    json_uint(&j, option);
    json_end_object(&j);
    json_end(&j);
    struct table__entry entry = {.prev = g->ahead.head, .kind = JOURNAL_CHOOSE, .cause = cause};
    if (table__append(t, &entry, game_by_text(chosen.by, by), t->door->body, true, err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, err))
        return err->code;
    table__choice_close(t);
    struct table__act act = {
        .by = chosen.by, .action = chosen.action, .cause = cause, .kind = JOURNAL_ACT, .reply = reply};
    return table_act(t, &act, err);
}

// Plus and minus walk through the options, yes or done takes the one walked to, no takes none.
bool table__choice_control(struct table *t, enum control control) {
    struct error err;
    if (!t->choice_open || !t->n_options)
        return false;
    switch (control) {
    case CONTROL_PLUS:
        t->chosen = (t->chosen + 1) % t->n_options;
        break;
    case CONTROL_MINUS:
        t->chosen = (t->chosen + t->n_options - 1) % t->n_options;
        break;
    case CONTROL_NO:
        return true;
    case CONTROL_YES:
    case CONTROL_DONE:
        table__choose(t, NULL, t->game->choice.id, t->chosen, TABLE__TAP, (struct table__reply){0}, &err);
        return true;
    default:
        return false;
    }
    // People hear which option is meant now, where all may see it.
    if (table__open(t) && table__sees_choice(t, t->game, OBSERVE_PUBLIC))
        table__remind(t, "choice", GAME_NONE, t->game->choice.options[t->chosen].text);
    return true;
}
