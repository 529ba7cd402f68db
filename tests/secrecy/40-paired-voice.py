#!/usr/bin/env python3
"""The recorded evening with other secrets, as sound: every sample before the reveal is the same."""
import importlib.util
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from harness import DECK, check  # noqa: E402
from hearing import Sound  # noqa: E402

spec = importlib.util.spec_from_file_location("paired", HERE / "10-paired-replay.py")
paired = importlib.util.module_from_spec(spec)
spec.loader.exec_module(paired)
HEADER, BYTES_PER_S = 44, 2 * 22050
PAIRS = (("drunk", "werewolf-1"), ("seer", "minion"), ("robber", "villager-1"))  # a card of a seat and one of the centre, and both


def first_difference(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def main():
    with tempfile.TemporaryDirectory(prefix="tabled-voice-") as name:
        folder = pathlib.Path(name)
        base, base_lines = paired.taps.replay(paired.LOG, DECK)
        mine = Sound(base_lines, "en", folder).wav.read_bytes()[HEADER:]
        for a, b in PAIRS:
            messages, lines = paired.taps.replay(paired.LOG, paired.exchanged(a, b))
            apart = next((m["ms"] for m, line, other in zip(messages, lines, base_lines) if line != other), messages[-1]["ms"])
            vote = next(m["ms"] for m in messages if m["topic"] == "public/phase" and m["message"]["id"] == "vote")
            check(apart > vote, f"{a} and {b}: the messages differ at {apart} ms, before the vote")
            other = Sound(lines, "en", folder).wav.read_bytes()[HEADER:]
            heard = first_difference(mine, other) * 1000 // BYTES_PER_S
            check(heard >= apart, f"{a} and {b} exchanged: heard at {heard} ms, told at {apart} ms")
            print(f"{a} and {b} exchanged: every sample equal up to the result at {apart} ms")


if __name__ == "__main__":
    main()
