#!/usr/bin/env python3
"""Faults that comparable systems have had in following moves and clocks, played by hands. Those that need the wire
are in tests/e2e/25-known-faults.py.

    tests/taps/30-known-faults.py            all
    tests/taps/30-known-faults.py b065       some
"""
import itertools
import os
import random
import sys

import storyboard
from storyboard import DAY, DEAL, DECK, NIGHT, ROLES, SCAN, STEP, VOTE, Evening, Run, check, dark_is_silent, replay, rows_of, same

LONG = os.environ.get("TESTS_LONG") == "1"


def votes(run, *window):
    return [e["action"][0]["text"] for _, e in run.events("action", *window)]


def ms(text):
    return int(replay.clock(text))


def b064_slow_slide():
    """a token slides over seat 2's pad on its way to seat 3: the vote is where it comes to rest"""
    hands = Evening().tap(VOTE - 85, "done")
    hands.put(246000, "s2", "number-1").take(246400, "s2", "number-1").put(246700, "s3", "number-1")
    for i, ballot in enumerate("23 31 43 51".split()):
        hands.put(249000 + 200 * i, f"s{ballot[1]}", f"number-{ballot[0]}")
    run = hands.rest(262000).run(options="ballot=on_pad")
    window = (245000, 262000)
    same(run.events("violation_raised", *window), [], "violations")
    same(votes(run, *window)[-1], "s5 vote a=s1", "the last vote")
    last = {v.split()[0]: v for v in votes(run, *window) if " vote " in v}
    same(last["s1"], "s1 vote a=s3", "where the token came to rest")
    check(run.starts("reveal") >= 251600, "nothing irreversible was told early")


def b064_slow_deal():
    """a tile dragged over two pads is dealt where it comes to rest, and the night does not begin without it"""
    hands = Evening(begin=False)
    hands.take(24000, "s5").put(24600, "s4", "insomniac").take(25200, "s4", "insomniac")
    hands.put(25600, "s3", "insomniac").take(26800, "s3", "insomniac").put(28500, "s5", "insomniac")
    run = hands.tap(30000, "start").vote().run()
    same(run.starts("night"), NIGHT, "the night begins")
    same(run.final(), {place: DECK[piece][0] for place, piece in DEAL.items()}, "the layout")


def b065_two_at_once():
    """two legal actions within 100 ms, in both orders: both recognised, or a clear question"""
    for gap in (0, 20, 85, 100):
        for first, second in (("13", "24"), ("24", "13"), ("43", "51"), ("51", "43")):
            hands = Evening(looks=False).tap(VOTE - 85, "done")
            hands.tap(248000, f"number-{first[0]}", f"s{first[1]}").tap(248000 + gap, f"number-{second[0]}", f"s{second[1]}")
            run = hands.rest(252000).run()
            window = (247000, 252000)
            same(sorted(votes(run, *window)), sorted(f"s{b[0]} vote a=s{b[1]}" for b in (first, second)), f"both, {gap} ms apart, {first} first")
            same(run.events("violation_raised", *window), [], "never a wrong position")
            same(run.events("choice_opened", *window), [], "no question is needed")


def b065_two_swaps():
    """by night two seats of different steps move within one window: both found"""
    hands = Evening().swap(STEP["700"] - 1800, "s3", "s1", apart=300, fly=900, land=300).swap(STEP["700"] + 200, "s1", "s5", apart=300, fly=1200)
    run = hands.vote().run()
    dark_is_silent(run)
    same([(row[1], "exchanged" in row[2]) for row in run.story()], [("s3", True), ("s4", True)], "both swaps")


def b066_shuffled():
    """readers' messages in shuffled order and late: the final model is the true table, nothing is undone"""
    for seed in range(20 if LONG else 6):
        dice = random.Random(seed)
        hands = Evening()
        hands.look(STEP["500"] + 3000, "c1", 2900).look(STEP["500"] + 8000, "c3", 2900)
        hands.swap(STEP["600"] + 4000, "s3", "s1").swap(STEP["700"] + 4000, "s1", "s5").look(STEP["900"] + 3000, "s5", 3000)
        lines, late = [], {}
        for line in hands.vote().log().splitlines():
            if line.startswith("#"):
                head = line
                continue
            at, reader, antenna, rest = line.split(" ", 3)
            key = (reader, antenna, at)
            if key not in late:  # one scan stays one scan; an antenna's own order stands
                before = max([t for (r, a, _), t in late.items() if (r, a) == (reader, antenna)], default=0)
                late[key] = max(int(at) + dice.randrange(0, SCAN), before + 1) if int(at) else 0
            lines.append((late[key], reader, antenna, rest))
        order = sorted(range(len(lines)), key=lambda i: (lines[i][0], lines[i][1:3], i))
        text = head + "\n" + "\n".join(" ".join(map(str, lines[i])) for i in order) + "\n"
        run = Run(text, hands.deck, "ballot=tapped", ROLES)
        same([(row[0], row[1], row[3]) for row in run.story()],
             [("500", "s2", ""), ("500", "s2", ""), ("600", "s3", ""), ("700", "s4", ""), ("900", "s5", "")], f"the story, seed {seed}")
        for kind in ("undone", "violation_raised", "prompt"):
            same(run.events(kind), [], f"{kind}, seed {seed}")
        same(run.final()["s5"] + run.final()["s1"] + run.final()["s3"], "robberinsomniacwerewolf", f"the true table, seed {seed}")


def b067_undo_in_countdown():
    """undo in the two quiet seconds of a full vote: the countdown is cancelled, nothing is revealed"""
    hands = Evening().tap(VOTE - 85, "done")
    for i, ballot in enumerate("13 23 31 43 51".split()):
        hands.tap(248000 + 2000 * i, f"number-{ballot[0]}", f"s{ballot[1]}")
    hands.tap(257000, "undo").tap(264000, "number-5", "s3")
    run = hands.rest(275000).run()
    window = (255000, 1 << 40)
    same([t for t, _ in run.events("undone", *window)], [257085], "undone")
    same(run.events("revealed", 256000, 264000), [], "the countdown is cancelled")
    same(votes(run, 260000), ["s5 vote a=s3"], "the ballot after it")
    same(run.starts("reveal"), 266085, "two quiet seconds after the new ballot")
    same(len(run.events("revealed")), 1, "one reveal")
    same(len(run.events("game_ended")), 1, "one end")


def b067_undo_in_narration():
    """undo while the vote is being called: by day again, with the day's clock; the vote's clock is dead"""
    hands = Evening().tap(VOTE - 85, "done").tap(VOTE + 1500, "undo")
    run = hands.rest(VOTE + 60000).run()
    window = (VOTE - 1000, 1 << 40)
    same([p["id"] for t, p in run.phases() if t >= VOTE - 100], ["vote", "day"], "day again")
    deadline = run.phase_at(VOTE + 5000)["deadline"]
    check(deadline and ms(deadline) > VOTE + 60000, f"the day's clock: {deadline}")
    same(run.narrations(VOTE + 5000), [], "nobody is asked for tokens")
    same(run.events("revealed", *window), [], "no reveal")


def b068_rotated_map():
    """a map of pads turned by one seat: what lies where is taken as the map says, nothing is guessed"""
    turned = {"s1": "seer", "s2": "robber", "s3": "troublemaker", "s4": "insomniac", "s5": "werewolf-1", "c1": "villager-1", "c2": "drunk", "c3": "minion"}
    run = Evening(turned).vote().run()
    same(run.final(), {place: DECK[piece][0] for place, piece in turned.items()}, "the layout")
    same(run.events("violation_raised"), [], "violations")


def b072_corrected_history():
    """two ballots are taken back and laid anew: counts, narration and result all follow the corrected history"""
    hands = Evening().tap(VOTE - 85, "done")
    for i, ballot in enumerate("12 24 31 43".split()):
        hands.tap(248000 + 1500 * i, f"number-{ballot[0]}", f"s{ballot[1]}")
    hands.tap(255000, "undo").tap(256500, "undo").tap(258000, "number-3", "s5").tap(259500, "number-4", "s2").tap(261000, "number-5", "s2")
    run = hands.rest(275000).run()
    window = (247000, 1 << 40)
    undone = [e["action"][0]["text"] for _, e in run.events("undone")]
    same(undone, ["s4 vote a=s3", "s3 vote a=s1"], "what was taken back")
    acted = [m["message"]["seats"] for m in run.between(256500, 257500, "public/seats")][-1]
    same([s["acted"] for s in acted], [True, True, False, False, False], "who has voted after it")
    dead = [s["seat"] for s in run.result()["seats"] if s["dead"]]
    same(dead, ["s2"], "three corrected ballots for seat 2")
    said = [text for t, texts in run.narrations(run.starts("reveal")) for text in texts]
    same([text for text in said if "dies" in text], ["Seat 2 dies."], "what is said")


def b074_night_tells_nothing():
    """over many deals every public byte and time of the night is the same, whoever holds what and whatever hands do"""
    dice, want = random.Random(1), None
    pieces = [DEAL[p] for p in DEAL]
    for game in range(200 if LONG else 24):
        dice.shuffle(pieces)
        deal = dict(zip(DEAL, pieces))
        hands, at = Evening(deal), NIGHT + 7000
        while at < DAY - 8000 and game:  # the first night is a still one
            a, b = dice.sample(["s1", "s2", "s3", "s4", "s5", "c1", "c2", "c3"], 2)
            if dice.random() < 0.5:
                hands.swap(at, a, b, apart=dice.randrange(200, 900), fly=dice.randrange(1000, 2500), land=dice.randrange(300, 1500))
            else:
                hands.look(at, a, dice.randrange(200, 4000))
            at += dice.randrange(5000, 25000)
        run = hands.day().run()
        got = run.raw(0, DAY)
        want = want or got
        for x, y in zip(got, want):
            same(x, y, f"game {game} differs from a still night")
        same(len(got), len(want), f"messages of game {game}")


def b075_order_of_effects():
    """all pairs of card movers: the told order is that of the steps, and the cards lie as the story says"""
    deal = {**DEAL, "s5": "drunk", "c2": "insomniac"}
    order = ["600", "700", "800"]
    for other, pair, centre in itertools.product(("s1", "s4"), (("s1", "s2"), ("s3", "s5"), ("s1", "s5")), ("c1", "c3")):
        hands = Evening(deal).swap(STEP["600"] + 4000, "s3", other).swap(STEP["700"] + 4000, *pair).swap(STEP["800"] + 4000, "s5", centre)
        run = hands.vote().run()
        told = [(row[0], row[1]) for row in run.story()]
        same(told, list(zip(order, ("s3", "s4", "s5"))), f"the order told, {other} {pair} {centre}")
        at = dict(deal)
        for _, _, text, _ in run.story():
            a, b = text.split("exchanged ")[1].split(" and ")
            at[a], at[b] = at[b], at[a]
        same(run.final(), {place: DECK[piece][0] for place, piece in at.items()}, f"the cards, {other} {pair} {centre}")
        dark_is_silent(run, deal)


def b076_one_clock():
    """every phase tells its end once, as a time of the table's clock; it ends then, once"""
    hands = Evening()
    run = hands.rest(500000).run()
    deadline = ms(run.phase_at(DAY + 1)["deadline"])
    same(deadline, DAY + 240000, "the end of the day")
    same(run.between(DAY + 1, deadline, "public/phase"), [], "it is told once")
    same(run.starts("vote"), deadline, "the day ends then")
    vote = ms(run.phase_at(deadline)["deadline"])
    asked = [t for t, texts in run.narrations(deadline + 1) if any("lay your token" in text for text in texts)]
    same(asked, [vote], "the vote's end comes when it was told")
    ended = run.events("game_ended")
    same(len(ended), 1, "the end comes once")
    for t, event in run.events("phase_started"):
        same(ms(event["header"]["at"]), t, "an event bears the table's time")


ROWS = rows_of(globals(), r"b\d\d\d\w*")

if __name__ == "__main__":
    names = [row for name in sys.argv[1:] for row in ROWS if row.startswith(name)]
    sys.exit(storyboard.main(ROWS, names))
