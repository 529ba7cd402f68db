// What was done under seal, told when the game is over: one sentence for each action, or for each card of it.
#include "games/not_alone/not_alone.h"

static void tell(struct game_notes *notes, unsigned line, int by, int a, int b) {
    game_note(notes, GAME_NOTE_STORY, (uint16_t)line, by, a, b, 0);
}

static void tell_each(struct game_notes *notes, unsigned line, int by, unsigned set) {
    for (unsigned left = set; left; left &= left - 1)
        tell(notes, line, by, not_alone__planet(not_alone__lowest(left)), 0);
}

static void tell_lay(struct game_notes *notes, int by, unsigned set) {
    if (not_alone__count(set) == 2)
        tell(notes, LINE_LAID_TWO, by, not_alone__planet(not_alone__lowest(set)),
             not_alone__planet(not_alone__lowest(set & (set - 1))));
    else
        tell_each(notes, LINE_LAID, by, set);
}

// s: before the action. In an open phase what happens is told as it happens.
void not_alone__tell(const struct not_alone *s, int by, struct not_alone_move m, struct game_notes *notes) {
    unsigned other = by > 0 ? not_alone__laid_set(&s->h[by - 1]) & ~(unsigned)m.set : 0;
    switch (m.verb) {
    case VERB_LAY:
        tell_lay(notes, by, m.set);
        break;
    case VERB_TAKE_UP:
        tell(notes, LINE_TAKEN_UP, by, 0, 0);
        break;
    case VERB_RESIST:
        tell(notes, LINE_RESISTED, by, m.k, 0);
        break;
    case VERB_GIVE_UP:
        tell(notes, LINE_GIVE_UP, by, 0, 0);
        break;
    case VERB_PLAY_HUNT:
        tell(notes, LINE_HUNT_CARD, KIND_HUNT + m.card - 1, 0, 0);
        break;
    case VERB_PLAY_SURVIVAL:
        tell(notes, LINE_SURVIVAL_CARD, by, KIND_SURVIVAL + m.card - 1, 0);
        break;
    case VERB_CHOOSE_RIVER:
        if (other)
            tell(notes, LINE_KEPT, by, not_alone__planet(not_alone__lowest(m.set)),
                 not_alone__planet(not_alone__lowest(other)));
        break;
    case VERB_SHOW:
        tell_each(notes, LINE_SHOWN, by, m.set);
        break;
    case VERB_DISCARD:
    case VERB_SCREAM:
        tell_each(notes, LINE_DISCARDED, by, m.set);
        if (!m.set)
            tell(notes, LINE_WILL_LOST, by, 0, 0);
        break;
    case VERB_TOXIN_DISCARD:
        tell(notes, LINE_DISCARDED_CARD, by, KIND_SURVIVAL + m.card - 1, 0);
        break;
    case VERB_READY:
        tell(notes, LINE_IS_READY, by, 0, 0);
        break;
    default:; // drawn cards are nobody's doing
    }
}
