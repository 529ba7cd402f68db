#!/usr/bin/env python3
"""Random role sets of all boxes, each dealt twice: with the same hands every public byte and time before the reveal is the same, whatever
hands do the night is that in which none moves, and it has its neutral lines where the rules put them.

    tests/secrecy/30-random-sets.py [SEED...]
"""
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "taps"))
from one_night_boxes import MARKED, Table  # noqa: E402
from storyboard import check, same  # noqa: E402

LONG = os.environ.get("TESTS_LONG") == "1"
BASE = ("doppelganger werewolf werewolf minion seer robber troublemaker drunk insomniac hunter tanner "
        "villager villager villager mason+mason").split()
DAYBREAK = ("sentinel alpha_wolf mystic_wolf dream_wolf apprentice_seer paranormal_investigator witch village_idiot revealer curator "
            "bodyguard").split()
VAMPIRE = MARKED
ALIEN = "oracle alien alien synthetic_alien cow groob zerb leader psychic rascal exposer blob mortician".split()
BONUS = "apprentice_tanner aura_seer cursed prince squire thing".split()
CHECKPOINTS = (120, 290, 460, 745, 905, 1500)
LINE = "Everyone, please put all cards back on their pads."


def random_set(dice):
    """Cards for 3 to 10 players; every box is in it sooner or later."""
    seats = dice.randrange(3, 11)
    pool = BASE + DAYBREAK + VAMPIRE + ALIEN + BONUS
    roles = []
    while len(roles) < seats + 3:
        card = dice.choice(pool).split("+")
        copies = pool.count("+".join(card)) * len(card)
        if len(roles) + len(card) <= seats + 3 and roles.count(card[0]) + len(card) <= copies:
            roles += card
    options = {"lone_wolf": dice.choice("01"), "sentinel_first": dice.choice("01"), "numbers_direction": dice.choice(("cw", "ccw"))}
    if "alpha_wolf" in roles:
        options["c4"] = dice.choice(("werewolf", "mystic_wolf", "dream_wolf"))
        if roles.count(options["c4"]) == (2 if options["c4"] == "werewolf" else 1):
            options["max_werewolf"], options["max_other"] = "3", "2"
    return seats, roles, " ".join(f"{k}={v}" for k, v in options.items())


def dealt(dice, table):
    """The centre werewolf stays at c4."""
    rest = table.cards[:-1] if table.c4 else table.cards[:]
    dice.shuffle(rest)
    return rest + (table.cards[-1:] if table.c4 else [])


def play(table, deal, dice):
    """Somebody's hands all night long: tiles and marks, read, exchanged, crossed in the air. What is public at dawn stays where it is."""
    e = table.evening(deal)
    e.quiet()
    ms, end = e.first + 7000, e.at("1490", -4000)
    marks = [f"k{i + 1}" for i in range(table.seats)] if table.marked else []
    while ms < end - 6000:
        pads = dice.choice([table.places] + ([marks] if marks else []))
        a, b = dice.sample(pads, 2)
        if dice.random() < 0.5:
            e.swap(ms, a, b, apart=dice.randrange(200, 900), fly=dice.randrange(1000, 2500), land=dice.randrange(300, 1500))
        else:
            e.look(ms, a, dice.randrange(200, 4000))
        ms += dice.randrange(6000, 20000)
    ballots = " ".join(f"{v}>{v % table.seats + 1}" for v in range(1, table.seats + 1))
    return e, e.vote(ballots, after=20000).run()


def neutral_lines(run, seed, options):
    """9, rule 6: after the last step called up to each checkpoint, once where two fall together; so too in a night played again."""
    steps = [p["step"] for _, p in run.phases() if p["id"] == "night"]
    said = [text for _, texts in run.narrations(run.starts("night"), run.starts("day") + 1) for text in texts]
    again = any("the night is played again" in text for text in said)
    called = [int(step) for step in steps if step != "check"]
    rank = {310: 119} if "sentinel_first=1" in options else {}
    ripple = called.index(1400) + 1 if 1400 in called else len(called)
    first, more, last = called[:ripple], called[ripple:-2], called[-2:] if 1400 in called else []
    want = []
    for part, cuts in ((first, CHECKPOINTS[:5] if last else CHECKPOINTS), (more, CHECKPOINTS[2:5] if again else ()), (last, CHECKPOINTS[5:])):
        for i, step in enumerate(part):
            after = rank.get(part[i + 1], part[i + 1]) if i + 1 < len(part) else 9999
            want.append(str(step))
            want += ["check"] if any(rank.get(step, step) <= cut < after for cut in cuts) else []
    same(steps, want, f"set {seed}: the steps of its night")
    same(said.count(LINE), steps.count("check"), f"set {seed}: the neutral line")


def equal(a, b, end, seed, roles):
    left, right = a.raw(0, end), b.raw(0, end)
    for x, y in zip(left, right):
        check(x == y, f"set {seed} ({' '.join(roles)}) differs\n  {x[:700]}\n  {y[:700]}")
    same(len(left), len(right), f"set {seed} ({' '.join(roles)}): number of messages")


def one(seed):
    dice = random.Random(seed)
    while True:
        seats, roles, options = random_set(dice)
        table = Table(" ".join(roles), seats, options, seed=seed)
        try:
            table.evening().quiet()
            break
        except (AssertionError, StopIteration):
            continue  # a set the rules refuse
    still, run = play(table, dealt(dice, table), random.Random(seed))
    also, other = play(table, dealt(dice, table), random.Random(seed))
    end, day = run.starts("reveal"), run.starts("day")
    equal(run, other, end, seed, roles)
    equal(still.silence, run, day, seed, roles)
    equal(also.silence, run, day, seed, roles)
    neutral_lines(run, seed, options)
    return len(run.raw(0, end)), roles


def main():
    seeds = [int(word) for word in sys.argv[1:]] or range(1, 61 if LONG else 7)
    boxes, messages = set(), 0
    for seed in seeds:
        n, roles = one(seed)
        messages += n
        boxes |= {name for name, box in (("Daybreak", DAYBREAK), ("Vampire", VAMPIRE), ("Alien", ALIEN), ("base", BASE)) if set(box) & set(roles)}
    check(len(boxes) == 4 or sys.argv[1:], f"only {boxes}")
    print(f"{len(seeds)} sets of {len(boxes)} boxes: {messages} messages before the reveal, every byte and time equal for two deals")


if __name__ == "__main__":
    main()
