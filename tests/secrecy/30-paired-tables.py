#!/usr/bin/env python3
"""Not Alone and Alien Hunt from their tap logs with other secrets: every public byte and time before the reveal is the same.

Two tags change places in the deck, so the same hands lay another card, hold another card or give another token.
"""
import importlib.util
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from harness import check  # noqa: E402

spec = importlib.util.spec_from_file_location("replay", HERE.parent / "taps" / "10-replay.py")
taps = importlib.util.module_from_spec(spec)
spec.loader.exec_module(taps)

# Exchanged, and the phase that shows it: its name and which of that name it is.
PAIRS = {
    "not-alone": [
        ("place-5-1", "place-2-1", "reckoning", 1),  # what the first Hunted lays
        ("place-4-2", "place-5-2", "reckoning", 1),
        ("place-3-1", "place-2-1", "reckoning", 2),  # and a second card beside it
        ("place-2-2", "place-5-2", "reckoning", 2),
        ("place-1-1", "place-3-2", "hunting", 2),  # one that is barred, or another player's: told alike
        ("place-4-1", "place-2-1", "hunting", 4),  # shown under Phobia or not; put down in the Forbidden Zone
        ("drone", "detector", "game_over", 1),  # never played
        ("vortex", "gate", "game_over", 1),
        ("mirage", "clone", "game_over", 1),
        ("mirage", "toxin", "game_over", 1),
    ],
    "alien-hunt": [
        ("1a", "1b", "reveal", 1), ("2a", "2b", "reveal", 1), ("3a", "3c", "reveal", 1), ("4a", "4b", "reveal", 1), ("5a", "5b", "reveal", 1),
        ("ufologist", "mythomaniac", "reveal", 1),  # two seats
        ("man-in-black-1", "alien-invader", "reveal", 1),  # the one that is looked at is another
        ("alien-scientist", "ufo-maniac", "reveal", 1),  # a seat and the centre
        ("alien-explorer", "alien-bounty-hunter", "reveal", 1),  # the centre and the one left out
        ("alien-scientist", "alien-bounty-hunter", "reveal", 1),
    ],
}


def exchanged(log, a, b):
    rows = [line.split(",") for line in log.with_suffix(".csv").read_text().splitlines()]
    find = {row[1]: row for row in rows}
    check(a in find and b in find, f"no pieces {a} and {b}")
    find[a][3], find[b][3] = find[b][3], find[a][3]
    return "\n".join(",".join(row) for row in rows) + "\n"


def until(lines, messages, phase, which):
    """The lines before the n-th phase of that name is told, and before what was told at the same moment."""
    seen, last = 0, None
    for message in messages:
        if message["topic"] != "public/phase":
            continue
        if message["message"]["id"] == phase and message["message"]["n"] != last:
            seen, last = seen + 1, message["message"]["n"]
            if seen == which:
                return [line for line, m in zip(lines, messages) if m["ms"] < message["ms"]]
    raise AssertionError(f"there are only {seen} phases {phase}")


def compare(log, base, pair):
    a, b, phase, which = pair
    want = until(base[1], base[0], phase, which)
    messages, lines = taps.replay(log, exchanged(log, a, b))
    got = lines[:len(want)]
    for n, (left, right) in enumerate(zip(want, got)):
        check(left == right, f"{log.stem}: {a} and {b} exchanged: line {n} differs\n  {left[:600]}\n  {right[:600]}")
    check(len(got) == len(want), f"{log.stem}: {a} and {b} exchanged: {len(got)} of {len(want)} messages")
    return len(want)


def main():
    for name, pairs in PAIRS.items():
        log = HERE.parent / "taps" / f"{name}.tap"
        base = taps.replay(log)
        with ThreadPoolExecutor(4) as pool:
            told = list(pool.map(lambda pair: compare(log, base, pair), pairs))
        print(f"{name}: {len(pairs)} exchanges, up to {max(told)} messages equal, bytes and times")


if __name__ == "__main__":
    main()
