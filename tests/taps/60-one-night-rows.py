#!/usr/bin/env python3
"""Storyboard rows of evenings 2.2 and 2.3 by hands over emulated readers; the others are in tests/unit/games/one_night_story_test.c.

    tests/taps/60-one-night-rows.py             all
    tests/taps/60-one-night-rows.py av7 ep1     those that begin so
"""
import sys

import storyboard
from one_night_boxes import Run, Table
from storyboard import check, rows_of, same

ORACLE = "oracle alien alien cow psychic rascal exposer villager"
ASKED_PARITY, ASKED_CENTRE, NEW_ALIEN = 8, 9, 16  # seeds: what the oracle is asked, what the aliens are told
FACES = "revealer villager seer werewolf drunk robber minion"


def said(run):
    return [text for _, lines in run.narrations() for text in lines]


def answered(run):
    """What is told right after the oracle's window."""
    return next(lines[0] for _, lines in run.narrations() if "Oracle, close your eyes." in lines)


def av6_two_tags():
    """a tag for each face: a werewolf left open is wrong at dawn until it is hidden, unnamed"""
    table = Table(FACES, 4, "faces=tags")
    e = table.evening()
    name, (kind, down) = "werewolf-1", table.deck["werewolf-1"]
    up = down[:4] + "EE" + down[6:]
    csv = storyboard.deck_csv(e.deck).replace(f"kit,{name},{kind},{down},", f"kit,{name},{kind},{down},down\nkit,{name},{kind},{up},up")
    e.tags["open"] = up
    ms = e.at("1000", 4000)
    e.take(ms, "s4", name).put(ms + 2000, "s4", "open")
    hidden = e.day + 20000
    e.take(hidden, "s4", "open").put(hidden + 1500, "s4", name)
    e.rest(hidden + 20000)
    deck_csv, storyboard.deck_csv = storyboard.deck_csv, lambda deck=None, *_: csv
    try:
        run = e.run()
    finally:
        storyboard.deck_csv = deck_csv
    day = run.starts("day")
    same([t for t, _ in run.events("violation_raised", 0, day)], [], "nothing is said by night")
    raised = run.events("violation_raised", day, hidden)
    check(raised and raised[0][1]["violation"][0]["places"] == ["s4"], f"seat 4's card: {raised}")
    check("werewolf" not in str(raised), f"it is named: {raised}")
    same(len(run.events("violation_cleared", hidden, hidden + 5000)), 1, "hidden again")


def av7_by_a_token():
    """a number token on the answer pad answers: even instead of the drawn odd"""
    table = Table(ORACLE, 5, seed=ASKED_PARITY)
    same(answered(table.evening().quiet() and table.evening().rest(90000).run()), "The oracle says: odd.", "nobody answers")
    e = table.evening()
    e.tap(e.at("100", 6000), "number-2", "answer")
    same(answered(e.rest(90000).run()), "The oracle says: even.", "token 2 is even")
    e = table.evening()
    e.tap(e.at("100", 5000), "number-2", "answer").tap(e.at("100", 8000), "number-1", "answer")
    same(answered(e.rest(90000).run()), "The oracle says: odd.", "the last one counts")


def av7_yes_then_no():
    """oracle taps yes, then no: the last in the window; at the same time as if nobody had"""
    table = Table(ORACLE, 5, seed=ASKED_CENTRE)
    quiet = table.evening().rest(90000).run()
    check("you may look at" in answered(quiet), f"drawn is yes: {answered(quiet)}")
    e = table.evening()
    e.tap(e.at("100", 5000), "yes").tap(e.at("100", 9000), "no")
    run = e.rest(90000).run()
    same(answered(run), "The answer is no.", "the last one")
    same([t for t, _ in run.phases()][:4], [t for t, _ in quiet.phases()][:4], "the same times")


def av7_too_late():
    """an answer after the window is none"""
    table = Table(ORACLE, 5, seed=ASKED_PARITY)
    e = table.evening()
    e.tap(e.at("101", 500), "number-2", "answer")
    same(answered(e.rest(90000).run()), "The oracle says: odd.", "the drawn answer")


def av7_a_fist_is_tapped():
    """the aliens' new alien is shown by its number token on the answer pad (N11)"""
    table = Table(ORACLE, 5, seed=NEW_ALIEN)
    e = table.evening()
    e.tap(e.at("320", 8000), "number-4", "answer")
    run = e.vote("1>4 2>4 3>4 4>1 5>4").run()
    told = [row for row in run.story() if row[0] == "320"]
    same([("tapped s4, who became an alien" in row[2], row[3]) for row in told], [(True, "")], f"the tap: {run.story()}")
    same([s["role"] for s in run.result()["seats"] if s["seat"] == "s4"], ["alien"], "seat 4 is an alien")


EPIC = "werewolf mystic_wolf minion vampire the_count priest alien groob cow seer troublemaker villager hunter"


def ballots(e, ms, *pairs, pad="s{}"):
    for i, (voter, target) in enumerate(pairs):
        e.put(ms + 900 * i, pad.format(target), f"number-{voter}")
    return ms + 900 * len(pairs)


def ep1():
    """seven tokens on one pad, it falls silent: doubtful, no removal; "tap them one by one"; then they do"""
    table = Table(EPIC, 10, "ballot=on_pad")
    e = table.evening()
    vote = e.quiet().day + 20000
    e.tap(vote, "done")
    end = ballots(e, vote + 3000, *((v, 4) for v in (1, 2, 3, 5, 6, 7, 8)))
    e.says(vote + 3000 + 1800, "s4", ["none"], end + 2500)  # the third is one too many
    for voter in (1, 2, 3, 5, 6, 7, 8):
        e.take(end + 2000, "s4", f"number-{voter}")
    asked = vote + 15000
    taps = [(3, 4), (4, 1), (5, 4), (6, 4), (7, 4), (8, 4), (9, 4), (10, 4)]
    for i, (voter, target) in enumerate(taps):
        e.tap(asked + 2000 + 1500 * i, f"number-{voter}", f"s{target}", 700)
    run = e.rest(asked + 40000).run()
    window = (vote, end + 2000)
    check("unvote" not in str(run.events("action", *window)), "a silent pile is no ballot taken back")
    raised = [e["violation"][0] for _, e in run.events("violation_raised", *window)]
    check(any(v["rule"] == "doubtful" and "tap them one by one" in v["text"] for v in raised), f"what is said: {raised}")
    same([text for text in said(run) if text.endswith("lay your token.")], [f"Seat {n}, lay your token." for n in range(3, 11)], "who could not be read is asked")
    same([s["seat"] for s in run.result()["seats"] if s["dead"]], ["s1", "s4"], "all ten have voted")


def ep2():
    """a token swept off at zero: asked again by seat, ten seconds, once"""
    table = Table("werewolf villager seer hunter robber drunk minion", 4, "ballot=on_pad")
    e = table.evening()
    vote = e.quiet().day + 20000
    e.tap(vote, "done")
    ballots(e, vote + 3000, (1, 2), (2, 1), (3, 1), (4, 2))
    e.take(vote + 6100, "s2", "number-4")
    run = e.rest(vote + 60000).run()
    asked = [(t, texts) for t, texts in run.narrations(vote + 1000, run.starts("reveal")) if any("lay your token" in text for text in texts)]
    same([texts for _, texts in asked], [["Seat 4, lay your token."]], "asked again, once, by seat")
    check(10000 <= run.starts("reveal") - asked[0][0] <= 10200, f"ten seconds: {run.starts('reveal') - asked[0][0]}")
    same([s["seat"] for s in run.result()["seats"] if s["dead"]], ["s1"], "and then without it")


ROWS = rows_of(globals(), r"(av|ep)\d\w*")
_ = Run

if __name__ == "__main__":
    names = [row for name in sys.argv[1:] for row in ROWS if row.startswith(name)]
    sys.exit(storyboard.main(ROWS, names))
