// The storyboard rows of evenings 2.2 and 2.3: marks, answers and ballots by hands on a virtual clock.
#include "engine/referee.h"
#include "support/alike.h"
#include "unit/engine/table_bench.h"

#include "one_night_rig.h"
#include <unistd.h>

static struct bench bench;
static int64_t night; // when it began, ms

static struct {
    unsigned n;
    char place[16][8], piece[16][GAME_WORD_MAX];
} deal;

// A kit with the pads named; the cards are dealt to s1.. c1.. in their order, clarity to every k pad.
static void open_table(unsigned seats, const char *pads, const char *cards, const char *more,
                       const char *options) {
    char all[400], copy[400], *rest = NULL, name[GAME_WORD_MAX], tag[24];
    unsigned n = 0;
    bench_options(&bench, pads);
    snprintf(all, sizeof all, "%s %s", cards, more);
    snprintf(copy, sizeof copy, "%s", all);
    deal.n = 0;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest), n++) {
        snprintf(name, sizeof name, "%s-%u", word, n);
        for (char *at = name; *at; at++)
            *at = *at == '_' ? '-' : *at;
        snprintf(tag, sizeof tag, "0411%02X5A1F6180", n);
        bench_piece(&bench, name, word, tag);
        if (n >= seats + 3)
            continue;
        bool seat = n < seats;
        snprintf(deal.place[deal.n], sizeof *deal.place, "%c%u", seat ? 's' : 'c',
                 seat ? n + 1 : n - seats + 1);
        snprintf(deal.piece[deal.n++], sizeof *deal.piece, "%s", name);
    }
    bench_piece(&bench, "start", "control", "04310C5A1F6180");
    bench_piece(&bench, "done", "control", "04320C5A1F6180");
    bench_piece(&bench, "yes", "control", "04330C5A1F6180");
    bench_piece(&bench, "no", "control", "04340C5A1F6180");
    bench_piece(&bench, "absent", "control", "04350C5A1F6180");
    snprintf(bench.options.preset_game, sizeof bench.options.preset_game, "one_night");
    bench.options.preset_seats = (uint8_t)seats;
    snprintf(bench.options.preset_cards, sizeof bench.options.preset_cards, "%s", cards);
    snprintf(bench.options.preset_options, sizeof bench.options.preset_options, "%s", options);
    assert_int_equal(bench_open(&bench), ERROR_OK);
}

static void to_night(void) {
    bench_run(&bench, 1000);
    bench_tap(&bench, "tap", "start");
    for (unsigned i = 0; i < deal.n; i++) {
        bench_lay(&bench, deal.place[i], deal.piece[i]);
        bench_run(&bench, 900);
    }
}

static void begin(void) {
    bench_lay(&bench, "tap", "start");
    for (unsigned i = 0; i < 60 && !strstr(bench.log, "night step=10"); i++)
        bench_run(&bench, 85);
    const char *at = strstr(bench.log, "night step=10");
    assert_non_null(at);
    night = strtoll(strstr(at, "starts=") + 7, NULL, 10);
    bench_lift(&bench, "tap");
}

// On to the step and `ms` into it.
static void at(const char *step, int64_t ms) {
    char want[32];
    snprintf(want, sizeof want, "step=%s ", step);
    const char *found = NULL;
    for (unsigned i = 0; i < 20000 && !found; i++) {
        found = strstr(bench.log, want);
        if (!found)
            bench_run(&bench, 85);
    }
    assert_non_null(found);
    bench_until(&bench, strtoll(strstr(found, "starts=") + 7, NULL, 10) + ms);
}

static void to_day(void) {
    for (unsigned i = 0; i < 20000 && !strstr(bench.log, " day step="); i++)
        bench_run(&bench, 85);
}

// All vote by the wire; then the story is told.
static void to_result(unsigned seats) {
    char line[32];
    to_day();
    bench_run(&bench, 1000);
    bench_act(&bench, &bench_host, "table end_day");
    for (unsigned s = 0; s < seats; s++) {
        struct door_who who = bench_seat((int)s);
        snprintf(line, sizeof line, "s%u vote a=s%u", s + 1, (s + 1) % seats + 1);
        bench_act(&bench, &who, line);
    }
    bench_run(&bench, 20000);
    bench_expect(&bench, "public result");
}

#define VAMPIRES "vampire villager seer gremlin robber cupid priest"
#define MARKED_PADS "s1 s2 s3 s4 c1 c2 c3 k1 k2 k3 k4 tap:tap"

static void vampires(void) {
    open_table(4, MARKED_PADS, VAMPIRES,
               "mark_clarity mark_clarity mark_clarity mark_clarity mark_clarity mark_clarity mark_vampire",
               "ballot=tapped");
    to_night();
    for (unsigned s = 0; s < 4; s++) {
        char place[4], piece[GAME_WORD_MAX];
        snprintf(place, sizeof place, "k%u", s + 1);
        snprintf(piece, sizeof piece, "mark-clarity-%u", 7 + s);
        bench_lay(&bench, place, piece);
        bench_run(&bench, 900);
    }
    begin();
}

static void av1_a_new_mark_on_top_then_the_old_one_taken(void **state) {
    (void)state;
    vampires();
    at("200", 4000);
    bench_lay(&bench, "k2", "mark-vampire-13");
    bench_run(&bench, 1000);
    bench_lift(&bench, "k2");
    bench_lay(&bench, "k2", "mark-vampire-13");
    to_result(4);
    bench_expect(&bench, "seat 1 as vampire laid mark vampire at k2");
    bench_silent(&bench, "slip");
    bench_close(&bench);
}

static void av1_both_left_dawn_waits(void **state) {
    (void)state;
    vampires();
    at("200", 4000);
    bench_lay(&bench, "k2", "mark-vampire-13");
    bench_forget(&bench);
    at("1500", 4000);
    bench_silent(&bench, "violation");
    to_day();
    bench_run(&bench, 3000);
    bench_expect(&bench, "violation_raised");
    bench_close(&bench);
}

static void exchange(const char *a, const char *x, const char *b, const char *y) {
    bench_lift(&bench, a);
    bench_lift(&bench, b);
    bench_run(&bench, 1500);
    bench_lay(&bench, a, y);
    bench_lay(&bench, b, x);
    bench_run(&bench, 1000);
}

static void av2_marks_and_cards_are_one_too_many(void **state) {
    (void)state;
    vampires();
    at("730", 3000);
    exchange("k1", "mark-clarity-7", "k3", "mark-clarity-9");
    exchange("s1", "vampire-0", "s3", "seer-2");
    to_result(4);
    bench_expect(&bench, "seat 4 as gremlin exchanged k1 and k3");
    bench_expect(&bench, "[slip] exchanged s1 and s3");
    bench_close(&bench);
}

static void av3_a_shielded_tile_lifted(void **state) {
    (void)state;
    open_table(4, "s1 s2 s3 s4 c1 c2 c3 h1 h2 h3 h4 shield_rest tap:tap",
               "sentinel werewolf seer villager robber drunk minion", "shield", "ballot=tapped");
    to_night();
    bench_lay(&bench, "shield_rest", "shield-7");
    bench_run(&bench, 900);
    begin();
    at("310", 3000);
    bench_lift(&bench, "shield_rest");
    bench_run(&bench, 800);
    bench_lay(&bench, "h2", "shield-7");
    at("500", 4000);
    bench_forget(&bench);
    bench_lift(&bench, "s2");
    bench_run(&bench, 2000);
    bench_lay(&bench, "s2", "werewolf-1");
    bench_run(&bench, 2000);
    bench_silent(&bench, "event reminder");
    to_result(4);
    bench_expect(&bench, "seat 1 as sentinel put a shield on s2");
    bench_expect(&bench, "[slip] lifted s2");
    bench_close(&bench);
}

static void idiot(const char *cards) {
    open_table(4, "s1 s2 s3 s4 c1 c2 c3 tap:tap", cards, "", "ballot=tapped");
    to_night();
    begin();
}

static void av4_a_look_without_the_exchange(void **state) {
    (void)state;
    idiot("witch werewolf seer villager robber drunk minion");
    at("610", 3000);
    bench_lift(&bench, "c2");
    bench_run(&bench, 2000);
    bench_lay(&bench, "c2", "drunk-5");
    to_result(4);
    bench_expect(&bench, "seat 1 as witch looked at c2");
    bench_expect(&bench, "[missed_mandatory]");
    bench_close(&bench);
}

static void av5_two_tiles_in_hand_at_the_close(void **state) {
    (void)state;
    idiot("village_idiot werewolf seer villager robber drunk minion");
    at("710", 12000);
    bench_lift(&bench, "s2");
    bench_lift(&bench, "s3");
    bench_lift(&bench, "s4");
    bench_run(&bench, 1000);
    bench_lay(&bench, "s3", "werewolf-1");
    bench_run(&bench, 8500); // the next step has begun
    bench_lay(&bench, "s4", "seer-2");
    bench_lay(&bench, "s2", "villager-3");
    to_result(4);
    bench_expect(&bench, "seat 1 as village idiot moved all other cards to the left");
    bench_silent(&bench, "slip");
    bench_close(&bench);
}

// A tag for each face tells: the werewolf must lie face down again, and the repair names no card.
static void av6_a_werewolf_left_open(void **state) {
    (void)state;
    static struct rig rig;
    static struct hands hands;
    static struct verdict verdict;
    struct referee *referee;
    rig_night(&rig, 4, "revealer villager seer werewolf drunk robber minion", "");
    rig_to(&rig, 1000);
    rig_act(&rig, "s1 flip a=s4");
    rig_to(&rig, 0);
    assert_int_equal(rig.state.g.phase, PHASE_DAY);
    assert_int_equal(referee_create(&referee, &rig.err), ERROR_OK);
    referee_state(referee, &one_night_game, &rig.setup, &rig.places, &rig.state);
    hands.n_places = rig.places.n;
    for (unsigned p = 0; p < rig.state.g.n_positions; p++) {
        hands.sense[p] = HANDS_KNOWN;
        hands.item[hands.n_items++] =
            (struct hands_item){(game_place)p, rig.state.g.at[p], p == 3 ? GAME_FACE_UP : GAME_FACE_DOWN};
    }
    referee_judge(referee, &hands, &verdict);
    assert_int_equal(verdict.type, VERDICT_WRONG);
    assert_string_equal(verdict.rule, "misplaced");
    assert_string_equal(verdict.text, "Please turn this piece over.");
    assert_int_equal(verdict.n_places, 1);
    assert_int_equal(verdict.places[0], 3);
    referee_destroy(referee);
}

static void openers(const char *cards) {
    open_table(4, "s1 s2 s3 s4 c1 c2 c3 tap:tap", cards, "token_1 token_2 token_3 token_4", "ballot=tapped");
    to_night();
    begin();
}

// One tag a tile: the open cards are tapped, and what must be hidden is asked for by seat.
static void av6_the_open_cards_are_tapped(void **state) {
    (void)state;
    openers("revealer villager seer werewolf drunk robber minion");
    at("1000", 3000);
    bench_lift(&bench, "s4");
    bench_run(&bench, 2000);
    bench_lay(&bench, "s4", "werewolf-3"); // left open
    to_day();
    bench_expect(&bench, "Everyone, tap the open cards with a number token.");
    bench_run(&bench, 5000);
    bench_forget(&bench);
    bench_tap(&bench, "s4", "token-2-8");
    bench_expect(&bench, "Hide seat 4's card if it is a werewolf or tanner.");
    bench_run(&bench, 3000);
    bench_lift(&bench, "s4");
    bench_run(&bench, 2000);
    bench_lay(&bench, "s4", "werewolf-3");
    bench_run(&bench, 5000);
    bench_silent(&bench, "violation");
    to_result(4);
    bench_expect(&bench, "seat 1 as revealer had to hide s4 again");
    bench_close(&bench);
}

static void av9_the_curator_lays_before_his_call(void **state) {
    (void)state;
    open_table(4, "s1 s2 s3 s4 c1 c2 c3 a1 a2 a3 a4 supply tap:tap",
               "curator werewolf seer villager robber drunk minion", "claw_of_the_werewolf", "ballot=tapped");
    to_night();
    bench_lay(&bench, "supply", "claw-of-the-werewolf-7");
    bench_run(&bench, 900);
    begin();
    at("800", 13000); // his step is the next one
    bench_lift(&bench, "supply");
    bench_run(&bench, 1200);
    bench_lay(&bench, "a2", "claw-of-the-werewolf-7");
    to_result(4);
    bench_expect(&bench, "[early] seat 1 as curator put claw of the werewolf on seat 2");
    bench_silent(&bench, "slip");
    bench_close(&bench);
}

// Once the answer is known the night goes on with another script; the story knows both parts.
static void av7_the_night_goes_on_after_the_answer(void **state) {
    (void)state;
    idiot("oracle werewolf seer villager robber drunk minion");
    struct door_who one = bench_seat(0);
    at("100", 3000);
    bench_forget(&bench);
    bench_act(&bench, &one, "s1 answer value=yes"); // whatever was asked: always accepted, never told
    bench_silent(&bench, "public event action");
    at("101", 500);
    bench_expect(&bench, "night step=101");
    at("500", 3000);
    bench_lift(&bench, "s1");
    bench_run(&bench, 2000);
    bench_lay(&bench, "s1", "oracle-0");
    bench_forget(&bench);
    to_day();
    bench_silent(&bench, "violation");
    to_result(4);
    bench_expect(&bench, "story night 500 by=s3 [] seat 3 as seer looked at s1");
    bench_close(&bench);
}

// Between the two scripts hands move as they like: the board stays as it was frozen.
static void av7_nothing_is_shown_between_the_parts(void **state) {
    (void)state;
    idiot("oracle werewolf seer villager robber drunk minion");
    at("100", 12000);
    bench_forget(&bench);
    bench_lift(&bench, "s2");
    bench_lift(&bench, "c1");
    at("101", 3000);
    bench_lay(&bench, "s2", "robber-4"); // crossed, over the boundary and after it
    bench_lay(&bench, "c1", "werewolf-1");
    bench_run(&bench, 5000);
    bench_silent(&bench, "board");
    bench_silent(&bench, "wrongs");
    to_result(4);
    bench_expect(&bench, "[slip] exchanged s2 and c1");
    bench_close(&bench);
}

static void av7_a_power_cut_in_the_second_part(void **state) {
    (void)state;
    char path[] = "/tmp/one-night-parts-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    open_table(4, "s1 s2 s3 s4 c1 c2 c3 tap:tap", "oracle werewolf seer villager robber drunk minion", "",
               "ballot=tapped");
    bench_shut(&bench);
    bench.journal_path = path;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    to_night();
    begin();
    at("500", 3000);
    bench_shut(&bench);
    bench_forget(&bench);
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 500);
    bench_expect(&bench, "paused=restart");
    const struct door_control_request resume = {.control = DOOR_RESUME};
    bench_control(&bench, &bench_host, &resume);
    bench_expect(&bench, "night step=500");
    bench_expect(&bench, "Seer, you may look");
    at("600", 500);
    bench_expect(&bench, "night step=600");
    to_result(4);
    bench_close(&bench);
    unlink(path);
}

// ---- by the engine alone: answers, instructions, ballots

#define ORACLES "oracle alien seer villager robber drunk minion"

static void oracle(struct rig *rig, const char *words) {
    rig_begin(rig, 4, ORACLES, "");
    rig_draw(rig, words);
    rig_deal(rig);
    rig_act(rig, "table begin");
    rig_to(rig, 100);
}

// What is said after the break, and how long the night lasts.
static uint16_t spoken(struct rig *rig, uint32_t *ret_ms) {
    static struct game_script script;
    uint32_t ms = 0;
    rig_act(rig, "timer next");
    assert_int_equal(rig->state.g.round, 2); // a script of its own
    one_night_game.script(&rig->state, &script);
    assert_string_equal(script.step[0].id, "101");
    for (unsigned i = 0; i < script.n; i++)
        ms += script.step[i].length_ms;
    *ret_ms = ms;
    return script.step[0].cue[0].line;
}

static void av7_the_last_answer_counts_and_none_is_drawn(void **state) {
    (void)state;
    static struct rig rig;
    static struct game_proof proof;
    uint32_t twice, never;
    oracle(&rig, "oracle_centerexchange value=0");
    one_night_game.proof(&rig.state, 0, one_night__pack(VERB_ANSWER, ANSWER_YES, -1, -1), &proof);
    assert_int_equal(proof.n_needed, 1);
    assert_int_equal(proof.needed[0].type, GAME_CONTROL);
    rig_act(&rig, "s1 answer value=yes");
    rig_act(&rig, "s1 answer value=no");
    assert_int_equal(spoken(&rig, &twice), LINE_r_no);
    oracle(&rig, "oracle_centerexchange value=0");
    rig.state.g.number[NUMBER_ORACLE_ANSWER] = ANSWER_YES;
    rig.state.g.number[NUMBER_ORACLE_RESULT] = 0;
    assert_int_equal(spoken(&rig, &never), LINE_r_centerexchange);
    assert_int_equal(twice, never);
    assert_int_equal(rig_count(&rig, 0), 3); // she must exchange now
    oracle(&rig, "oracle_alienteam");
    assert_int_equal(rig_try(&rig, "s2 answer value=yes"), ERROR_ILLEGAL);
    assert_int_equal(rig_try(&rig, "s1 answer value=even"), ERROR_ILLEGAL);
}

static void psychic(struct rig *rig, const char *cards, struct game_script *script) {
    rig_begin(rig, 4, cards, "");
    rig_draw(rig, "aliens_stare psychic_view1 key=rightneighbor ripple_comes value=0");
    rig_deal(rig);
    rig_act(rig, "table begin");
    one_night_game.script(&rig->state, script);
    rig_to(rig, 550);
}

static void av8_no_legal_target_the_same_line(void **state) {
    (void)state;
    static struct rig one, two;
    static struct game_script a, b;
    psychic(&one, "psychic alien sentinel villager robber drunk minion", &a);
    one.state.g.shielded = 1u << 3; // the neighbour's card
    psychic(&two, "villager alien sentinel psychic robber drunk minion", &b);
    assert_true(alike_script(&a, &b));
    assert_int_equal(rig_count(&two, 3), 1);
    static struct rig shut;
    psychic(&shut, "psychic alien sentinel villager robber drunk minion", &a);
    rig_act(&shut, "timer next");
    assert_int_equal(shut.notes.n, 0); // nothing was missed that could not be done
}

#define EPIC "alien vampire werewolf villager seer bodyguard cow robber drunk"

static void epic_vote(struct rig *rig, const char *options) {
    rig_begin(rig, 6, EPIC, options);
    rig_draw(rig, "aliens_stare value=0");
    rig_deal(rig);
    rig_act(rig, "table begin");
    rig_vote_phase(rig);
}
static void votes(struct rig *rig, const char *targets) {
    char line[32];
    for (unsigned s = 0; targets[s]; s++) {
        snprintf(line, sizeof line, "s%u vote a=s%c", s + 1, targets[s]);
        if (targets[s] != '-')
            rig_act(rig, line);
    }
}

static void ep2_a_token_swept_off_is_asked_for_once(void **state) {
    (void)state;
    static struct rig rig;
    struct game_phase phase;
    epic_vote(&rig, "");
    votes(&rig, "212-11");
    rig_act(&rig, "timer next");
    assert_true(rig_noted(&rig, LINE_ask));
    one_night_game.phase(&rig.state, &phase);
    assert_int_equal(phase.turn, 1 << 3);
    assert_int_equal(phase.limit_ms, 10000);
    rig_act(&rig, "timer next");
    assert_int_equal(rig.state.g.phase, PHASE_REVEAL);
}

static void ep3_a_bodyguards_ballot_looks_like_any(void **state) {
    (void)state;
    static struct rig rig;
    static struct observation seen;
    epic_vote(&rig, "");
    votes(&rig, "211111");
    assert_int_equal(rig_try(&rig, "s6 vote a=s6"), ERROR_ILLEGAL);
    memset(&seen, 0, sizeof seen);
    seen.audience = OBSERVE_PUBLIC;
    one_night_game.observe(&rig.state, &seen);
    unsigned ballots = 0;
    for (unsigned i = 0; i < seen.n_counters; i++)
        ballots += strcmp(seen.counter[i].name, "vote") == 0;
    assert_int_equal(ballots, 6);
    for (unsigned i = 0; i < seen.n_items; i++) // no role is named
        assert_true(!seen.item[i].kind || strncmp(seen.item[i].kind, "token_", 6) == 0);
    assert_false(seen.result.over);
}

static void ep4_a_tie_for_second_names_all_victims(void **state) {
    (void)state;
    static struct rig rig;
    epic_vote(&rig, "");
    votes(&rig, "444132"); // s4 three, s1, s3 and, by the bodyguard's pointer, nobody else
    rig_act(&rig, "timer next");
    assert_int_equal(rig.state.g.phase, PHASE_REVEAL);
    assert_int_equal(rig.state.g.dead, 1 << 3 | 1 << 0 | 1 << 2);
    unsigned named = 0;
    for (unsigned i = 0; i < rig.notes.n; i++)
        named += rig.notes.note[i].line == LINE_dies;
    assert_int_equal(named, 3);
    assert_int_not_equal(rig.state.g.epic, 0);
}

static void ep5_a_change_after_fixed_is_refused(void **state) {
    (void)state;
    static struct rig rig;
    epic_vote(&rig, "");
    votes(&rig, "211111");
    rig_act(&rig, "timer next");
    assert_int_equal(rig_try(&rig, "s1 vote a=s3"), ERROR_ILLEGAL);
}

// The host takes the last ballot back, and says why; the vote goes on and comes to another end.
static void ep5_the_host_undoes_with_a_reason(void **state) {
    (void)state;
    openers("werewolf villager seer hunter robber drunk minion");
    to_result(4); // everybody points at the next seat: nobody dies
    bench_expect(&bench, "dead=0");
    bench_forget(&bench);
    struct door_who four = bench_seat(3);
    assert_int_equal(bench_act(&bench, &four, "s4 vote a=s2"), ERROR_NOT_NOW);
    const struct door_control_request plain = {.control = DOOR_UNDO};
    assert_int_equal(bench_control(&bench, &bench_host, &plain), ERROR_NOT_NOW);
    assert_int_equal(bench_control(&bench, &four, &plain), ERROR_NOT_NOW);
    const struct door_control_request undo = {.control = DOOR_UNDO, .reason = "seat 4 meant seat 2"};
    assert_int_equal(bench_control(&bench, &bench_host, &undo), ERROR_OK);
    bench_expect(&bench, "event undone");
    assert_int_equal(bench_act(&bench, &four, "s4 vote a=s2"), ERROR_OK);
    bench_run(&bench, 5000);
    bench_expect(&bench, "result winners=1 dead=2");
    bench_close(&bench);
}

// U6: who is away is neither asked nor guessed for; who comes back is.
static void u6_an_absent_seat_is_not_asked(void **state) {
    (void)state;
    static struct rig rig;
    static struct game_proof proof;
    epic_vote(&rig, "");
    one_night_game.proof(&rig.state, GAME_BY_TABLE, one_night__pack(VERB_ABSENT, 3, -1, -1), &proof);
    assert_int_equal(proof.n_needed, 2);
    assert_int_equal(proof.needed[1].what, one_night__token_slot(&rig.state.g, 3));
    rig_act(&rig, "table absent a=s4");
    assert_true(rig_noted(&rig, LINE_absent));
    votes(&rig, "212-11");
    assert_int_equal(rig.state.g.missing, 0);
    assert_int_equal(rig_try(&rig, "s4 vote a=s1"), ERROR_ILLEGAL);
    rig_act(&rig, "table back a=s4");
    assert_int_equal(rig.state.g.missing, 1 << 3);
    rig_act(&rig, "table absent a=s4");
    rig_act(&rig, "timer next");
    assert_int_equal(rig.state.g.phase, PHASE_REVEAL);
    assert_int_equal(rig.state.g.vote[3], SEAT_NONE);
}

// ---- ballots at a table

static void ballots(void) {
    open_table(4, "s1 s2 s3 s4 c1 c2 c3 tap:tap", "werewolf villager seer hunter robber drunk minion",
               "token_1 token_2 token_3 token_4", "ballot=on_pad");
    to_night();
    begin();
    to_day();
    bench_run(&bench, 1000);
    bench_act(&bench, &bench_host, "table end_day");
}

static void ep1_a_pile_falls_silent(void **state) {
    (void)state;
    ballots();
    bench_lay(&bench, "s2", "token-1-7");
    bench_run(&bench, 800);
    bench_lay(&bench, "s2", "token-3-9");
    bench_run(&bench, 800);
    bench_expect(&bench, "`s3 vote a=s2`");
    bench_lift(&bench, "s2"); // all of them at once: an overload
    bench_run(&bench, 1000);
    bench_silent(&bench, "unvote");
    bench_close(&bench);
}

// A ring of tokens that no pad reads: `done`, then one by one. What lay there already counts.
static void ep1_then_they_are_tapped_one_by_one(void **state) {
    (void)state;
    ballots();
    bench_lay(&bench, "s2", "token-1-7");
    bench_run(&bench, 800);
    bench_lay(&bench, "s2", "token-3-9");
    bench_run(&bench, 800);
    unsigned pad = bench_pad(&bench, "s2");
    bench.collides[pad] = true; // and what else is laid on top
    bench_run(&bench, 4000);
    bench_expect(&bench, "violation_raised several@s2");
    bench_tap(&bench, "tap", "done");
    bench_expect(&bench, "Everyone, tap your tokens on the pads, one by one.");
    bench.collides[pad] = false;
    bench_lift(&bench, "s2");
    bench_lay(&bench, "s2", "villager-1");
    bench_run(&bench, 2500);
    bench_forget(&bench);
    bench_tap(&bench, "s2", "token-4-10");
    bench_expect(&bench, "`s4 vote a=s2`");
    bench_tap(&bench, "s1", "token-2-8");
    bench_expect(&bench, "`s2 vote a=s1`");
    bench_silent(&bench, "unvote");
    bench_run(&bench, 5000);
    bench_expect(&bench, "result winners=");
    bench_close(&bench);
}

static void ep6_ballots_come_back_after_a_power_cut(void **state) {
    (void)state;
    char path[] = "/tmp/one-night-story-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    open_table(4, "s1 s2 s3 s4 c1 c2 c3 tap:tap", "werewolf villager seer hunter robber drunk minion", "",
               "ballot=tapped");
    bench_shut(&bench);
    bench.journal_path = path;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    to_night();
    begin();
    to_day();
    bench_run(&bench, 1000);
    bench_act(&bench, &bench_host, "table end_day");
    struct door_who one = bench_seat(0), two = bench_seat(1);
    bench_act(&bench, &one, "s1 vote a=s2");
    bench_act(&bench, &two, "s2 vote a=s1");
    bench_shut(&bench);
    bench_forget(&bench);
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 500);
    bench_expect(&bench, "vote step=");
    bench_expect(&bench, "paused=restart");
    const struct door_control_request resume = {.control = DOOR_RESUME};
    bench_control(&bench, &bench_host, &resume);
    struct door_who three = bench_seat(2), four = bench_seat(3);
    assert_int_equal(bench_act(&bench, &three, "s3 vote a=s1"), ERROR_OK);
    assert_int_equal(bench_act(&bench, &four, "s4 vote a=s1"), ERROR_OK);
    bench_run(&bench, 4000);
    bench_expect(&bench, "result winners=e dead=1");
    bench_close(&bench);
    unlink(path);
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(av1_a_new_mark_on_top_then_the_old_one_taken),
        cmocka_unit_test(av1_both_left_dawn_waits),
        cmocka_unit_test(av2_marks_and_cards_are_one_too_many),
        cmocka_unit_test(av3_a_shielded_tile_lifted),
        cmocka_unit_test(av4_a_look_without_the_exchange),
        cmocka_unit_test(av5_two_tiles_in_hand_at_the_close),
        cmocka_unit_test(av6_a_werewolf_left_open),
        cmocka_unit_test(av6_the_open_cards_are_tapped),
        cmocka_unit_test(av9_the_curator_lays_before_his_call),
        cmocka_unit_test(av7_the_night_goes_on_after_the_answer),
        cmocka_unit_test(av7_nothing_is_shown_between_the_parts),
        cmocka_unit_test(av7_a_power_cut_in_the_second_part),
        cmocka_unit_test(av7_the_last_answer_counts_and_none_is_drawn),
        cmocka_unit_test(av8_no_legal_target_the_same_line),
        cmocka_unit_test(ep1_a_pile_falls_silent),
        cmocka_unit_test(ep1_then_they_are_tapped_one_by_one),
        cmocka_unit_test(ep2_a_token_swept_off_is_asked_for_once),
        cmocka_unit_test(ep3_a_bodyguards_ballot_looks_like_any),
        cmocka_unit_test(ep4_a_tie_for_second_names_all_victims),
        cmocka_unit_test(ep5_a_change_after_fixed_is_refused),
        cmocka_unit_test(ep5_the_host_undoes_with_a_reason),
        cmocka_unit_test(ep6_ballots_come_back_after_a_power_cut),
        cmocka_unit_test(u6_an_absent_seat_is_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
