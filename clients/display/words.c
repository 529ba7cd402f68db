// What a screen says of numbers and sides: a row makes a counter visible; one without a row is for programs.
#include "core/catalogue.h"
#include "core/phrase.h"
#include "page.h"
#include <stdio.h>
#include <string.h>

static const struct {
    const char *id, *word;
} counters[] =
    {
        {"points", N_("points")},
        {"score", N_("points")},
        {"round_points", N_("this round")},
        {"will", N_("will")},
        {"rescue", N_("rescue")},
        {"assimilation", N_("assimilation")},
        {"hand", N_("cards in hand")},
        {"cards", N_("cards in hand")},
        {"pieces", N_("towns to go")},
        {"survival", N_("survival cards")},
        {"herd", N_("largest herd")},
        {"pastures", N_("pastures")},
        {"tiles_left", N_("tiles left")},
        {"rounds", N_("rounds")},
        {"votes", N_("votes")},
},
  teams[] = {
      {"village", N_("the village")},  {"werewolf", N_("the werewolves")}, {"tanner", N_("the tanner")},
      {"vampire", N_("the vampires")}, {"alien", N_("the aliens")},        {"creature", N_("the Creature")},
      {"hunted", N_("the Hunted")},
};

const char *page_counter(const struct page *page, const char *id) {
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (!strcmp(counters[i].id, id))
            return page_word(page, counters[i].word);
    return NULL;
}

void page_team(const struct page *page, const char *id, char *ret, size_t cap) {
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++)
        if (!strcmp(teams[i].id, id)) {
            snprintf(ret, cap, "%s", page_word(page, teams[i].word));
            return;
        }
    phrase_name(page->language, "kind", id, ret, cap); // a side of one: named after its role
}
