// A One Night game for tests: dealt by names, voted for by lines.
#pragma once
#include "games/one_night/one_night.h"

#define RIG_GAME one_night_game
#define RIG_STATE struct one_night
#include "unit/games/game_rig.h"

// What is drawn before the night: the entry whose `name=value` ends with one of the words, else the first.
static inline void rig_draw(struct rig *rig, const char *words) {
    while (!one_night__drawn(&rig->state.g)) {
        game_action all[128];
        char text[GAME_TEXT_MAX], kept[GAME_TEXT_MAX] = "";
        size_t n = one_night__draw_list(&rig->state.g, all, 128);
        for (size_t i = 0; i < n; i++) {
            char copy[256], *rest = NULL;
            game_action_text(&rig->words, &rig->state, GAME_BY_CHANCE, all[i], text);
            snprintf(copy, sizeof copy, "%s", words);
            for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
                size_t len = strlen(text), end = strlen(word);
                if (len > end && strcmp(text + len - end, word) == 0 && strchr(" =", text[len - end - 1]))
                    snprintf(kept, sizeof kept, "%s", text);
            }
            if (!*kept && i + 1 == n) {
                game_action_text(&rig->words, &rig->state, GAME_BY_CHANCE, all[0], text);
                snprintf(kept, sizeof kept, "%s", text);
            }
        }
        rig_act(rig, kept);
    }
}

// cards by place: the set in the order s1.. c1..; begins the night.
static inline void rig_deal(struct rig *rig) {
    rig_draw(rig, "");
    bool used[CARDS_MAX] = {false};
    char line[64];
    for (unsigned p = 0; p < rig->state.g.n_positions; p++) {
        unsigned slot = 0;
        while (used[slot] || rig->setup.slot_kind[slot] != rig->setup.cards[p])
            slot++;
        used[slot] = true;
        snprintf(line, sizeof line, "chance deal place=%s slot=%u", rig->places.row[p].name, slot);
        rig_act(rig, line);
    }
    for (unsigned s = 0; rig->state.g.place_k && s < rig->state.g.seats; s++) {
        snprintf(line, sizeof line, "chance deal place=k%u slot=%u", s + 1, rig->state.g.first_mark_slot + s);
        rig_act(rig, line);
    }
}
static inline void rig_night(struct rig *rig, unsigned seats, const char *cards, const char *options) {
    rig_begin(rig, seats, cards, options);
    rig_deal(rig);
    rig_act(rig, "table begin");
}

// On to the step with this number, "day" or "vote".
static inline void rig_to(struct rig *rig, unsigned id) {
    while (rig->state.g.phase == PHASE_NIGHT) {
        uint8_t row = rig->state.g.steps[rig->state.g.step];
        if (rig->state.g.phase == PHASE_NIGHT && row != STEP_CHECK && one_night__night[row].id == id)
            return;
        rig_act(rig, "timer next");
    }
    if (id)
        fail_msg("there is no step %u", id);
}
static inline void rig_vote_phase(struct rig *rig) {
    rig_to(rig, 0);
    while (rig->state.g.phase == PHASE_DAY) {
        char line[16];
        snprintf(line, sizeof line, "s%u done", rig->state.g.speaker + 1u);
        rig_act(rig, rig->state.g.rules.rounds ? line : "table end_day");
    }
}

static inline const char *rig_at(const struct rig *rig, unsigned position) {
    return one_night__roles[rig->state.g.role[rig->state.g.at[position]]].id;
}
static inline bool rig_noted(const struct rig *rig, unsigned line) {
    for (unsigned i = 0; i < rig->notes.n; i++)
        if (rig->notes.note[i].line == line)
            return true;
    return false;
}
static inline bool rig_issue(const struct rig *rig, const char *code) {
    for (unsigned i = 0; i < rig->issues.n; i++)
        if (strcmp(rig->issues.issue[i].code, code) == 0)
            return true;
    return false;
}
static inline size_t rig_count(const struct rig *rig, int by) {
    game_action all[GAME_ACTIONS_MAX];
    return one_night_game.legal(&rig->state, by, all, GAME_ACTIONS_MAX);
}
