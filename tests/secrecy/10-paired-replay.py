#!/usr/bin/env python3
"""The recorded evening again with other secrets: every public byte and time before the reveal is the same."""
import importlib.util
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from harness import DECK, check  # noqa: E402

spec = importlib.util.spec_from_file_location("replay", HERE.parent / "taps" / "10-replay.py")
taps = importlib.util.module_from_spec(spec)
spec.loader.exec_module(taps)

LOG = HERE.parent / "taps" / "one-night-kit.tap"
CARDS = ["werewolf-1", "seer", "robber", "troublemaker", "insomniac", "villager-1", "drunk", "minion"]


def exchanged(a, b):
    deck = dict(DECK)
    deck[a], deck[b] = (DECK[a][0], DECK[b][1]), (DECK[b][0], DECK[a][1])
    return deck


def before_reveal(deck):
    messages, lines = taps.replay(LOG, deck)
    day = next(i for i, m in enumerate(messages) if m["topic"] == "public/phase" and m["message"]["id"] == "vote")
    return lines[:day], messages


def main():
    base, _ = before_reveal(DECK)
    pairs = list(itertools.combinations(CARDS, 2))
    for a, b in pairs:
        other, messages = before_reveal(exchanged(a, b))
        for n, (left, right) in enumerate(zip(base, other)):
            check(left == right, f"{a} and {b} exchanged: line {n} differs\n  {left[:600]}\n  {right[:600]}")
        check(len(base) == len(other), f"{a} and {b} exchanged: {len(base)} and {len(other)} messages")
        check(any(m["topic"] == "public/result" and m["message"]["over"] for m in messages), "it comes to a result")
    print(f"{len(pairs)} exchanged deals: {len(base)} messages before the vote, every byte and time equal")


if __name__ == "__main__":
    main()
