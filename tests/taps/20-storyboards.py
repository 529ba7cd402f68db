#!/usr/bin/env python3
"""The storyboards of every game and of One Night (evenings 2.0, 2.1), played by hands over emulated readers.

    tests/taps/20-storyboards.py            all rows
    tests/taps/20-storyboards.py on3 u5     some

U4 and U9 need a real daemon: tests/e2e/20-power-and-broker.py.
"""
import sys

import storyboard
from storyboard import (BOUNDARIES, DAY, DEAL, DECK, END, NIGHT, ROLES, SCAN, STEP, STRANGER, VOTE, Evening, check, dark_is_silent, rows_of, same, same_lines)

HEAD = DAY + 10000  # by day everybody talks
DEADLINE = "2026-01-01T00:07:08.585Z"
DRUNK = {"s1": "werewolf-1", "s2": "seer", "s3": "robber", "s4": "troublemaker", "s5": "drunk", "c1": "villager-1", "c2": "insomniac", "c3": "minion"}
DRUNK_ASIDE = {**DRUNK, "s5": "insomniac", "c2": "drunk"}


def is_at_rest(run, start=DAY, end=VOTE):
    """Nothing was found wrong by day."""
    for kind in ("violation_raised", "reminder", "paused", "prompt", "choice_opened"):
        same(run.events(kind, start, end), [], f"{kind} by day")


def slips(run):
    return [row for row in run.story() if "slip" in row[3]]


def acts(run, seat, step=None):
    return [row for row in run.story() if row[1] == seat and step in (None, row[0])]


def has(rows, *words):
    return [row for row in rows if all(word in row[2] for word in words)]


def kinds(deal, **moved):
    """What lies where at the end: the deal, with the places named holding the cards dealt to others."""
    return {place: DECK[deal[moved.get(place, place)]][0] for place in deal}


def no_piece_named(run, start, end):
    """Nothing said meanwhile names a card."""
    for line in run.raw(start, end):
        if '"topic":"public/game"' in line.replace(" ", ""):
            continue
        for kind in ROLES.split() + ["tanner"]:
            check(f'"{kind}"' not in line, f"{kind} is named: {line[:300]}")


# ---- 2.0 every game

def u1():
    """phone on a pad: no piece event; open: one notice; dark: nothing"""
    hands = Evening().phone(STEP["500"] + 3000, "s3", STEP["500"] + 9000).phone(HEAD, "s3", HEAD + 6000)
    run = hands.vote().run()
    window = (HEAD - 100, HEAD + 9000)
    dark_is_silent(run)
    check(run.enrolled_nothing, "the tag table has changed")
    notices = run.events(None, *window)
    same([(e["event"], e["code"]) for _, e in notices], [("reminder", "random_tag")], "what is said by day")
    check("empty" not in run.levels("s3", *window), "a removal was told")
    check("08A1" not in "".join(run.lines), "a tag id went out")
    same(slips(run), [], "slips")


def u2():
    """drink: paused, deadline frozen, tiles sorted back by trial, never named"""
    hands = Evening()
    for i, seat in enumerate(("s1", "s2", "s3")):
        hands.take(HEAD + 400 * i, seat)
    window = (HEAD - 100, HEAD + 40000)
    hands.put(HEAD + 10000, "s1", "robber")  # dealt to seat 3
    hands.take(HEAD + 15000, "s1").put(HEAD + 16000, "s3", "robber")
    hands.put(HEAD + 20000, "s2", "seer").put(HEAD + 25000, "s1", "werewolf-1")
    run = hands.vote().run()
    dark_is_silent(run)
    paused = run.events("paused", *window)
    same([e["reason"] for _, e in paused], ["spill"], "pauses")
    check(paused[0][0] <= HEAD + 2000, "paused late")
    same([run.board(HEAD + 5000)[p] for p in ("s1", "s2", "s3", "s4")], ["empty"] * 3 + ["occupied"], "empty pads are shown")
    frozen = run.phase_at(HEAD + 5000)
    same((frozen["paused"], frozen["deadline"], frozen["pause_reason"]), (True, None, "spill"), "the deadline stands still")
    prompts = [(t, e["repairs"]) for t, e in run.events("prompt", HEAD + 10000, HEAD + 16000)]
    check(any({"take": "s1", "put": "s3"}.items() <= r.items() for _, rs in prompts for r in rs), f"where it belongs is said: {prompts}")
    no_piece_named(run, *window)
    same(run.events("violation_raised", *window), [], "violations")
    resumed = run.events("resumed", *window)
    same(len(resumed), 1, "resumed once all lie")
    check(HEAD + 25000 <= resumed[0][0] <= HEAD + 28000, f"resumed at {resumed[0][0]}")
    left = replay_ms(DEADLINE) - paused[0][0]
    same(replay_ms(run.phase_at(HEAD + 39000)["deadline"]), resumed[0][0] + left, "the deadline moves by the pause")
    same(run.final(), kinds(DEAL), "the layout")


def replay_ms(text):
    return int(storyboard.replay.clock(text))


def u2_dark():
    """a drink by night is seen as U3"""
    hands = Evening()
    for i, seat in enumerate(("s1", "s2", "c1")):
        hands.take(STEP["700"] + 2000 + 300 * i, seat)
    for i, (seat, piece) in enumerate((("s1", "werewolf-1"), ("s2", "seer"), ("c1", "villager-1"))):
        hands.put(STEP["900"] + 9000 + 1000 * i, seat, piece)
    run = hands.vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same(run.final(), kinds(DEAL), "the layout")


def u3():
    """child takes a tile: after 10 s missing, self-clearing; dark: nothing"""
    hands = Evening().take(STEP["430"] + 2000, "s3").put(STEP["600"] - 3000, "s3", "robber")
    hands.take(HEAD, "s3").put(HEAD + 30000, "s3", "robber")
    run = hands.vote().run()
    window = (HEAD, HEAD + 40000)
    dark_is_silent(run)
    raised, cleared = run.events("violation_raised", *window), run.events("violation_cleared", *window)
    same([(e["violation"][0]["rule"], e["violation"][0]["places"]) for _, e in raised], [("missing", ["s3"])], "what is missing")
    check(abs(raised[0][0] - HEAD - 10000) <= 300, f"raised at {raised[0][0]}")
    same([e["violation"][0]["id"] for _, e in cleared], [raised[0][1]["violation"][0]["id"]], "it clears itself")
    check(abs(cleared[0][0] - HEAD - 30000) <= 300, f"cleared at {cleared[0][0]}")
    no_piece_named(run, *window)
    same(run.events("paused"), [], "pauses")
    same(run.final(), kinds(DEAL), "the layout")


def u3_morning():
    """a tile still missing when the night ends is an ordinary violation from then on"""
    hands = Evening().take(STEP["430"] + 2000, "s3").put(HEAD + 20000, "s3", "robber")
    run = hands.vote().run()
    window = (DAY, HEAD + 30000)
    dark_is_silent(run)
    raised = run.events("violation_raised", *window)
    check(any("s3" in e["violation"][0]["places"] for _, e in raised), f"the hole is told: {raised}")
    same(run.board(DAY + 10)["s3"], "empty", "the board of the morning")
    check(run.events("violation_cleared", HEAD + 20000, HEAD + 22000), "it clears itself")
    same(run.final(), kinds(DEAL), "the layout")


def u5():
    """reader dies, open: pads unknown, no removal; paused until it is back"""
    hands = Evening().down(HEAD, "south").up(HEAD + 20000, "south")
    run = hands.vote().run()
    window = (HEAD - 100, HEAD + 30000)
    same([run.board(HEAD + 1000)[p] for p in ("s3", "s4", "s5", "c1", "c2", "c3")],
         ["occupied", "unknown", "unknown", "occupied", "unknown", "unknown"], "pads of the dead reader")
    check("empty" not in run.levels("s4", *window), "a removal was told")
    health = [m for m in run.between(HEAD, HEAD + 1000, "health/readers")]
    same([r["up"] for r in health[-1]["message"]["readers"] if r["name"] == "south"], [False], "health")
    same([e["event"] for _, e in run.events(None, HEAD, HEAD + 5000) if e["event"] in ("reader_lost", "paused")].count("reader_lost"), 1, "reader_lost")
    same([(t - HEAD <= 100, e["reason"]) for t, e in run.events("paused", *window)], [(True, "reader")], "paused")
    same(run.events("violation_raised", *window), [], "violations")
    check(run.events("reader_back", HEAD + 20000, HEAD + 21000), "reader_back")
    same(len(run.events("resumed", HEAD + 20000, HEAD + 21000)), 1, "goes on when it is back")
    same(run.board(HEAD + 22000)["s4"], "occupied", "known again")
    same(run.final(), kinds(DEAL), "the layout")


def u5_declared():
    """reader dies, people go on without it: the vote needs only what is sensed"""
    hands = Evening().down(HEAD, "south").tap(HEAD + 10000, "pause")
    run = hands.vote("13 23 31 43 51").run()
    window = (HEAD - 100, 1 << 40)
    same(len(run.events("resumed", HEAD + 10000, HEAD + 11000)), 1, "the host goes on")
    same(len(run.events("paused")), 1, "and is not stopped again")
    same(run.events("violation_raised"), [], "violations")
    check(run.result()["over"], "a result")


def u5_dark():
    """reader dies by night: told at the boundary, stop there; the step runs again at full length"""
    lost = STEP["600"] + 5000
    back = STEP["700"] + 8000
    hands = Evening().down(lost, "south").up(back, "south").rest(back + 120000)
    run = hands.run()
    window = (lost - 100, back + 20000)
    dark_is_silent(run, until=STEP["700"])
    same(run.between(lost, STEP["700"]), [], "nothing within the step")
    at = run.between(STEP["700"], STEP["700"] + 1)
    check(any(m["topic"].endswith("health/readers") for m in at), "health at the boundary")
    same([(t, e["reason"]) for t, e in run.events("paused")], [(STEP["700"], "reader")], "it stops at the boundary")
    same(run.between(STEP["700"] + 1, back), [], "nothing while it is paused")
    resumed = run.events("resumed")
    check(resumed and back <= resumed[0][0] <= back + 500, f"resumed: {resumed}")
    again = [(t, p["step"]) for t, p in run.phases() if t >= back]
    same((again[0][1], again[1][1]), ("700", "check"), "the same step again")
    same(again[1][0] - again[0][0], END["700"] - STEP["700"], "at full length")


def u6():
    """player leaves: control tile `absent` and the token; silence is never a guess"""
    hands = Evening().tap(HEAD, "absent").tap(HEAD + 2000, "number-5")
    hands.vote("13 23 31 43")
    run = hands.rest(VOTE + 60000).run()
    window = (HEAD, 1 << 40)
    seats = [m for m in run.between(HEAD, VOTE, "public/seats")]
    check(seats and not seats[-1]["message"]["seats"][4]["present"], "seat 5 is away")
    asked = [text for _, texts in run.narrations(VOTE) for text in texts if "Seat 5" in text and "token" in text]
    same(asked, [], "an absent player is not asked")
    votes = [e["action"][0]["text"] for _, e in run.events("action")]
    check(not [v for v in votes if v.startswith("s5")], f"nobody votes for seat 5: {votes}")
    check(run.result()["over"], "a result")


def u7():
    """two pieces on one pad: spread, please; cured within 3 s: no message"""
    hands = Evening().put(HEAD, "s1", "number-3").collided(HEAD, "s1", HEAD + 2000).take(HEAD + 2000, "s1", "number-3")
    later = HEAD + 20000
    hands.put(later, "s1", "number-3").collided(later, "s1", later + 6000).take(later + 6000, "s1", "number-3")
    run = hands.vote().run()
    window = (HEAD - 100, later + 10000)
    said = run.events(None, HEAD, later)
    same(said, [], "cured within three seconds")
    raised = run.events("violation_raised", later, later + 10000)
    same([(e["violation"][0]["rule"], e["violation"][0]["places"]) for _, e in raised], [("several", ["s1"])], "after three seconds")
    check("spread" in raised[0][1]["violation"][0]["text"], "please spread")
    check(later + 3000 <= raised[0][0] <= later + 3500, f"raised at {raised[0][0]}")
    check(run.events("violation_cleared", later + 6000, later + 7000), "cleared")
    check("empty" not in run.levels("s1", *window), "a removal was told")


def u8():
    """piece on a wrong pad: shortest repair, self-clearing; dark: told at the reveal"""
    hands = Evening().swap(HEAD, "s1", "s2")
    hands.swap(HEAD + 20000, "s1", "s2")
    run = hands.vote().run()
    window = (HEAD - 100, HEAD + 30000)
    raised = run.events("violation_raised", *window)
    same([(e["violation"][0]["rule"], sorted(e["violation"][0]["places"])) for _, e in raised], [("misplaced", ["s1", "s2"])], "what is wrong")
    repairs = [(r["take"], r["put"], r["what"]) for r in raised[0][1]["violation"][0]["repairs"]]
    same(repairs, [("s1", "hand", "tile"), ("s2", "s1", "tile"), ("hand", "s2", "tile")], "the shortest repair lays no tile on another")
    cleared = run.events("violation_cleared", *window)
    same(len(cleared), 1, "it clears itself")
    check(HEAD + 22000 <= cleared[0][0] <= HEAD + 24500, f"cleared at {cleared[0][0]}")
    no_piece_named(run, *window)
    same(run.final(), kinds(DEAL), "the layout")


def u8_dark():
    """a piece on a wrong pad by night: silent, the state follows, told at the reveal"""
    run = Evening().swap(STEP["400"] + 5000, "s1", "s4").vote().run()  # no step to come allows it
    dark_is_silent(run)
    is_at_rest(run)
    same([row[0] for row in has(slips(run), "s1", "s4", "exchanged")], ["400"], "told at the reveal")
    same(run.final(), kinds(DEAL, s1="s4", s4="s1"), "the layout")


def u10():
    """foreign tile: not in this game; never enrols by itself"""
    deck = {**DECK, "tanner": ("tanner", "04190A5A1F6180")}
    hands = Evening(deck=deck).put(STEP["500"] + 3000, "c1", "tanner").take(STEP["500"] + 8000, "c1", "tanner")
    hands.put(HEAD, "s1", STRANGER).take(HEAD + 6000, "s1", STRANGER)
    hands.put(HEAD + 20000, "s2", "tanner").take(HEAD + 30000, "s2", "tanner")
    run = hands.vote().run()
    window = (HEAD - 100, HEAD + 40000)
    dark_is_silent(run)
    check(run.enrolled_nothing, "the tag table has changed")
    first = run.events(None, HEAD, HEAD + 20000)
    same([(e["event"], e["code"], e["text"]) for _, e in first], [("reminder", "not_in_game", "This piece is not in this game.")], "a tag nobody knows")
    second = run.events(None, HEAD + 20000, HEAD + 40000)
    same([(e["event"], [(v["rule"], v["places"]) for v in e["violation"]]) for _, e in second],
         [("violation_raised", [("unknown_piece", ["s2"])]), ("violation_cleared", [("unknown_piece", ["s2"])])], "a tile of another set")
    no_piece_named(run, *window)
    check("0499" not in "".join(run.lines) and not any('"tanner"' in line for line in run.raw(*window)), "it is named")
    same(slips(run), [], "slips")


# ---- 2.1 One Night, base, five players

def on1():
    """robber lifts 1.5 s before his call, lands in his window: robber's swap"""
    run = Evening().swap(STEP["600"] - 1500, "s3", "s1", apart=600, fly=4000).vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    done = has(acts(run, "s3"), "s1", "s3", "exchanged")
    same([(row[0], row[3]) for row in done], [("600", "")], "the robber's swap")
    same(slips(run), [], "slips")
    same(run.final(), kinds(DEAL, s1="s3", s3="s1"), "the layout")


def on2():
    """seer's tile back 1 s after the next call: seer's look, noted late"""
    hands = Evening().look(STEP["500"] + 5000, "c1", 3000).look(STEP["600"] - 3000, "c3", 4000)
    run = hands.vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    looked = acts(run, "s2")
    same(sorted((row[0], row[2].split()[-1]) for row in looked), [("500", "c1"), ("500", "c3")], "the seer's look at both")
    check("late" in has(looked, "c3")[0][3], f"noted late: {looked}")
    same(slips(run), [], "slips")
    same(run.final(), kinds(DEAL), "the layout")


def on2_single():
    """a seer's only look, at a player's card, over after the next call"""
    run = Evening().look(STEP["600"] - 3000, "s4", 4000).vote().run()
    dark_is_silent(run)
    looked = acts(run, "s2")
    same([(row[0], row[2].split()[-1], row[3]) for row in looked], [("500", "s4", "late")], "the seer's look")
    same(slips(run), [], "slips")


def on3():
    """troublemaker swaps own and another tile, undoes it, swaps rightly"""
    hands = Evening().swap(STEP["700"] + 3000, "s4", "s5").swap(STEP["700"] + 7000, "s4", "s5").swap(STEP["700"] + 11000, "s1", "s5")
    run = hands.vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same(len(has(acts(run, "s4", "700"), "s1", "s5", "exchanged")), 1, "the right swap")
    same([(row[0], "s4" in row[2] and "s5" in row[2] and "exchanged and put back" in row[2]) for row in slips(run)], [("700", True)], "the report")
    same(run.final(), kinds(DEAL, s1="s5", s5="s1"), "the layout")


def on4():
    """tile left on top of seat 2's: silent; after the dark a violation"""
    hands = Evening().move(STEP["600"] + 4000, "s3", "s2")
    hands.move(HEAD + 10000, "s2", "s3")
    run = hands.vote().run()
    window = (DAY - 100, HEAD + 20000)
    dark_is_silent(run)
    raised = run.events("violation_raised", *window)
    check(raised, "nothing is raised by day")
    check(all(t >= DAY for t, _ in raised), "raised in the dark")
    violation = raised[0][1]["violation"][0]
    check("s2" in violation["places"], f"it names seat 2: {violation}")
    check("two pieces" in violation["text"].lower(), f"it says two pieces: {violation['text']}")
    check(("s2", "s3") in [(r["take"], r["put"]) for r in violation["repairs"]], f"the repair: {violation['repairs']}")
    same(len(run.events("violation_cleared", HEAD + 10000, HEAD + 15000)), 1, "it clears itself")
    no_piece_named(run, *window)
    same(run.final(), kinds(DEAL), "the layout")


def on5():
    """robber returns both tiles unchanged: no swap, illegal look, noted"""
    hands = Evening().look(STEP["600"] + 4000, "s3", 4000).look(STEP["600"] + 4500, "s1", 4500)
    run = hands.vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same(has(acts(run, "s3"), "exchanged"), [], "no swap")
    noted = slips(run)
    check(has(noted, "s1") and all(row[0] == "600" for row in noted), f"the illegal look is noted: {run.story()}")
    same(has(noted, "exchanged"), [], "nothing was exchanged")
    same(run.final(), kinds(DEAL), "the layout")


def drunk_run(deal):
    hands = Evening(deal).look(STEP["500"] + 4000, "c1", 3000).look(STEP["500"] + 9000, "c3", 3000)
    hands.swap(STEP["600"] + 4000, "s3", "s1").swap(STEP["700"] + 4000, "s1", "s2")
    return hands.vote("13 23 31 43 51").run()


def on6():
    """drunk does nothing: missed_mandatory at the reveal"""
    run = drunk_run(DRUNK)
    dark_is_silent(run, DRUNK)
    is_at_rest(run)
    same([(row[0], row[1], row[3]) for row in run.story() if "missed" in row[3]], [("800", "s5", "missed_mandatory")], "the reveal")
    check("missed" not in "".join(run.raw(0, run.starts("reveal"))), "told before the reveal")


def on7():
    """as ON6, drunk card in the centre: every public byte and time equal"""
    run, other = drunk_run(DRUNK_ASIDE), drunk_run(DRUNK)
    end = run.starts("reveal")
    same(other.starts("reveal"), end, "time of the reveal")
    same_lines(run.raw(0, end), other.raw(0, end), "a message differs before the reveal")
    same([row for row in run.story() if "missed" in row[3]], [], "nobody missed anything")


def on7_kit():
    """the recorded evening with the drunk and the werewolf exchanged at the deal: the same bytes before the reveal"""
    log = (storyboard.HERE / "one-night-kit.tap").read_text()
    a, b = DECK["werewolf-1"][1], DECK["drunk"][1]
    other = log.replace(a, "?").replace(b, a).replace("?", b)
    runs = [storyboard.Run(text, DECK, "ballot=tapped", ROLES) for text in (log, other)]
    end = runs[0].starts("reveal")
    same(end, 262485, "the time of the reveal")
    same_lines(runs[1].raw(0, end), runs[0].raw(0, end), "every byte and time")
    check(runs[0].result() != runs[1].result(), "the evenings do differ")


def on8():
    """three-tile cycle: slip, state follows the tiles, told at the reveal"""
    run = Evening().cycle(STEP["600"] + 4000, "s1", "s2", "s4").vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same(len(has(slips(run), "exchanged")), 2, "two exchanges make the ring")
    same(run.final(), kinds(DEAL, s1="s4", s2="s1", s4="s2"), "the state follows the tiles")


def on9():
    """peek by day, 2 s: leave the tile, at s4; layout kept"""
    run = Evening().look(HEAD, "s4", 2000).vote().run()
    window = (HEAD - 100, HEAD + 10000)
    said = run.events(None, *window)
    same([(e["event"], e["code"], [v["places"] for v in e["violation"]]) for _, e in said], [("reminder", "look", [["s4"]])], "what is said")
    check(HEAD + 2000 <= said[0][0] <= HEAD + 2500, f"said at {said[0][0]}")
    check("leave" in said[0][1]["text"].lower(), "leave the tile")
    same(run.levels("s4", *window), ["empty", "occupied"], "all see it")
    same(run.final(), kinds(DEAL), "layout kept")


def on10():
    """own token on own pad: not yourself; two tokens at once: one at a time"""
    hands = Evening().tap(240000, "done")
    hands.tap(248000, "number-1", "s1", 3000)  # himself
    hands.put(254000, "s3", "number-2", "number-4").take(257000, "s3", "number-2", "number-4")
    for i, ballot in enumerate("13 23 31 43 51".split()):
        hands.tap(260000 + 1500 * i, f"number-{ballot[0]}", f"s{ballot[1]}", 900)
    run = hands.rest(275000).run()
    window = (247000, 1 << 40)
    own = run.events(None, 248000, 253000)
    same([(e["event"], e["violation"][0]["text"], e["violation"][0]["rule"]) for _, e in own],
         [("violation_raised", "not yourself", "E_SELF_VOTE"), ("violation_cleared", "not yourself", "E_SELF_VOTE")], "himself")
    both = run.events(None, 254000, 259000)
    raised = [e for _, e in both if e["event"] in ("violation_raised", "reminder")]
    check(raised and "one at a time" in (raised[0]["text"] or raised[0]["violation"][0]["text"]), f"two at once: {both}")
    same([e["action"][0]["text"] for _, e in run.events("action", 254000, 259000)], [], "neither counts")
    same([e["action"][0]["text"] for _, e in run.events("action", 259500)], [f"s{v} vote a=s{t}" for v, t in ("13", "23", "31", "43", "51")], "the votes")
    same(run.result()["reason"], "a werewolf died" if run.final()["s3"] == "werewolf" else run.result()["reason"], "the result")


def on10_quick():
    """own token tapped and gone before the table is sure: not yourself, once"""
    hands = Evening(looks=False).tap(VOTE - 85, "done").tap(248000, "number-1", "s1", 700)
    run = hands.rest(255000).run()
    window = (247000, 255000)
    same([(e["event"], e["code"], e["text"]) for _, e in run.events(None, *window)], [("reminder", "E_SELF_VOTE", "not yourself")], "what is said")


def on11():
    """nudge at 1490, 1 to 3 misses: no look"""
    hands = Evening()
    for i, pad in enumerate(("s1", "s2", "s3", "s4", "s5")):
        hands.nudge(STEP["1490"] + 4500 + 300 * i, pad, 1 + i % 3)
    run = hands.vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same(run.story(), [], "nothing happened")


def on12():
    """robber looks at the other tile first, then swaps: swap counts, first look illegal, noted"""
    hands = Evening().look(STEP["600"] + 3000, "s1", 2500).swap(STEP["600"] + 8000, "s3", "s1")
    run = hands.vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same([(row[0], row[3]) for row in has(acts(run, "s3"), "exchanged")], [("600", "")], "the swap counts")
    noted = slips(run)
    same([(row[0], "s1" in row[2], "exchanged" in row[2]) for row in noted], [("600", True, False)], f"the first look is noted: {run.story()}")
    same(run.final(), kinds(DEAL, s1="s3", s3="s1"), "the layout")


def on13():
    """swap begun after the close line, before the next call: accepted, noted late"""
    run = Evening().swap(STEP["600"] + 16300, "s3", "s1", apart=300, fly=1200, land=400).vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same([(row[0], row[3]) for row in has(acts(run, "s3"), "exchanged")], [("600", "late")], "accepted, late")
    same(slips(run), [], "slips")
    same(run.final(), kinds(DEAL, s1="s3", s3="s1"), "the layout")


def on13_flying():
    """swap begun after the close line that lands after the next call: carried over, late"""
    run = Evening().swap(STEP["600"] + 17500, "s3", "s1", apart=400, fly=2600, land=700).vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same([(row[0], row[3]) for row in has(acts(run, "s3"), "exchanged")], [("600", "late")], "accepted, late")
    same(slips(run), [], "slips")
    same(run.final(), kinds(DEAL, s1="s3", s3="s1"), "the layout")


def on13_too_late():
    """a piece in the air holds a step open for its own movement, not for one that begins after the next call"""
    hands = Evening().look(STEP["700"] - 1500, "c2", 3000).swap(STEP["700"] + 5000, "s3", "s4")
    run = hands.vote().run()
    dark_is_silent(run)
    same(has(acts(run, "s3"), "exchanged"), [], "no robber's swap")
    same([row[0] for row in has(slips(run), "s3", "s4", "exchanged")], ["700"], "a slip")
    same(run.final(), kinds(DEAL, s3="s4", s4="s3"), "the layout")


def on14():
    """robber reads the new tile in his hand before laying it: swap complete, no missed view"""
    run = Evening().swap(STEP["600"] + 4000, "s3", "s1", apart=500, fly=1400, land=4500).vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same([(row[0], row[3]) for row in acts(run, "s3")], [("600", "")], "one swap, nothing missed")
    same(slips(run), [], "slips")


def on14_after():
    """robber lays the new tile first and then looks at it: the same"""
    hands = Evening().swap(STEP["600"] + 3000, "s3", "s1").look(STEP["600"] + 8000, "s3", 2500)
    run = hands.vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same([(row[0], row[3]) for row in has(acts(run, "s3"), "exchanged")], [("600", "")], "one swap, nothing missed")
    same(slips(run), [], "slips")


def on_stacked():
    """one swapper in three lays the second tile down before he lifts the first (2.0)"""
    run = Evening().stacked_swap(STEP["600"] + 4000, "s3", "s1").stacked_swap(STEP["700"] + 3000, "s1", "s5").vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same([(row[0], row[1], row[3]) for row in run.story()], [("600", "s3", ""), ("700", "s4", "")], "both swaps")
    same(run.final(), kinds(DEAL, s3="s1", s1="s5", s5="s3"), "the layout")


def on_early():
    """a swap over before its call is taken at its step, noted early (2.0)"""
    run = Evening().swap(STEP["600"] - 9000, "s3", "s1").vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same([(row[0], row[1], row[3]) for row in run.story()], [("600", "s3", "early")], "the robber's swap, early")


def on_stray():
    """a slide and a neighbour's stray sightings during a swap change nothing (2.0)"""
    hands = Evening().swap(STEP["600"] + 4000, "s3", "s1")
    hands.stray(STEP["600"] + 5000, "s2", "robber").misses(STEP["600"] + 7000, "s1", 2).misses(STEP["600"] + 7500, "s3", 3)
    run = hands.vote().run()
    dark_is_silent(run)
    is_at_rest(run)
    same([(row[0], row[1], row[3]) for row in run.story()], [("600", "s3", "")], "the robber's swap")


def on_start_with_hole():
    """second start with a tile away: the empty pad is named, and the night does not begin by itself when it is back (2.1)"""
    run = Evening(looks=False).take(24000, "c2").tap(25000, "start").put(28000, "c2", "drunk").day().run()
    window = (24000, 31000)
    said = [(e["event"], e["code"], [v["places"] for v in e["violation"]]) for _, e in run.events(None, 24000, NIGHT)]
    same(said, [("reminder", "missing", [["c2"]])], "the empty pad is named, once")
    same(run.starts("night"), NIGHT, "the night waits for a start of its own")


def on_done_with_hole():
    """done while tiles are exchanged: refused at once, and the vote does not begin by itself when they are back"""
    hands = Evening(looks=False).swap(HEAD, "s1", "s2").tap(HEAD + 8000, "done").swap(HEAD + 15000, "s1", "s2").tap(HEAD + 25000, "done")
    run = hands.rest(HEAD + 30000).run()
    window = (HEAD, HEAD + 30000)
    same([e["code"] for _, e in run.events("reminder", *window)], ["not_ready"], "it is answered")
    same(run.starts("vote"), HEAD + 25085, "the vote waits for a done of its own")


ROWS = rows_of(globals(), r"(u|on)\d+(_\w+)?|on_\w+")
_ = (BOUNDARIES, NIGHT, SCAN)

if __name__ == "__main__":
    sys.exit(storyboard.main(ROWS, sys.argv[1:]))
