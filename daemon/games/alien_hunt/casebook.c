// Worked cases of alien-hunt.md section 12: read, set up, played through the engine, compared key by key.
#include "games/alien_hunt/casebook__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int alien_hunt__case_seat(const char *text) {
    return text[0] >= '1' && text[0] <= '0' + SEATS_MOST && !text[1] ? text[0] - '1' : -1;
}
int alien_hunt__case_token(const char *text) {
    bool shape = text[0] >= '1' && text[0] <= '0' + SEATS_MOST && text[1] >= 'a' && text[1] <= 'c' &&
                 !text[2];
    return shape ? (text[0] - '1') * TOKENS_EACH + text[1] - 'a' : -1;
}

// An unknown key is a misspelt one: the case would pass for the wrong reason.
static bool known_keys(struct case_run *r, json_t *object, const char *where, const char *keys) {
    const char *key;
    json_t *value;
    char word[80];
    if (!json_is_object(object))
        return casebook_fail(r->report, "an object", "%s", where);
    json_object_foreach(object, key, value) {
        snprintf(word, sizeof word, " %.70s ", key);
        if (!strstr(keys, word))
            return casebook_fail(r->report, keys, "%s: unknown key %s", where, key);
    }
    return true;
}

static bool well_formed(struct case_run *r, json_t *root) {
    if (!known_keys(r, root, "case", " id before action after "))
        return false;
    const char *id = json_string_value(json_object_get(root, "id"));
    r->before = json_object_get(root, "before");
    r->action = json_object_get(root, "action");
    r->after = json_object_get(root, "after");
    if (!id || strcmp(id, r->id) != 0)
        return casebook_fail(r->report, r->id, "id: %s", id ? id : "none");
    if (!json_is_object(r->action) && (!json_is_array(r->action) || json_array_size(r->action) == 0))
        return casebook_fail(r->report, "an action or a list of them", "no action");
    bool known =
        known_keys(r, r->before, "before",
                   " seats tokens phase turn president used bans pool undealt discarded forced lap "
                   "shielded round points options rounds discussion_limit_s three_step explorer_action ") &&
        known_keys(r, r->after, "after",
                   " ok error seats tokens phase turn president used bans pool undealt discarded forced "
                   "lap shielded round points revealed pending delta round_points private ");
    json_t *ok = json_object_get(r->after, "ok");
    bool error = json_is_string(json_object_get(r->after, "error"));
    if (known && (!json_is_boolean(ok) || json_is_true(ok) == error))
        return casebook_fail(r->report, "ok, and an error exactly if it is false", "after");
    return known;
}

static bool play(struct case_run *r) {
    static const char no_action[] = "an action that is accepted";
    size_t n = json_is_array(r->action) ? json_array_size(r->action) : 1;
    for (size_t i = 0; i < n; i++) {
        if (r->acted && !r->ok)
            return casebook_fail(r->report, no_action, "refused: %s", r->err.rule);
        struct alien_hunt keep = r->state.g;
        r->err = (struct error){0};
        if (!alien_hunt__case_act(r, json_is_array(r->action) ? json_array_get(r->action, i) : r->action))
            return false;
        r->acted = true;
        if (!r->ok && memcmp(&keep, &r->state.g, sizeof keep) != 0)
            return casebook_fail(r->report, "an unchanged state after a refusal", "a changed one");
    }
    return true;
}

static void run_case(const struct casebook_case *one, struct casebook_report *ret) {
    struct case_run *r = calloc(1, sizeof *r);
    json_error_t why;
    ret->passed = false;
    if (!r) {
        snprintf(ret->got, sizeof ret->got, "out of memory");
        return;
    }
    r->report = ret;
    r->id = one->id;
    json_t *root = json_loads(one->text, JSON_REJECT_DUPLICATES, &why);
    if (!root)
        casebook_fail(r->report, "JSON", "line %d: %s", why.line, why.text);
    else if (well_formed(r, root) && alien_hunt__case_set_up(r) && play(r))
        ret->passed = alien_hunt__case_compare(r) && !r->report->failed;
    json_decref(r->base);
    json_decref(root);
    free(r);
}

extern const struct casebook alien_hunt_casebook;
const struct casebook alien_hunt_casebook = {.game = "alien_hunt", .run = run_case};
