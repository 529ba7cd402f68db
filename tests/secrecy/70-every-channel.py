#!/usr/bin/env python3
"""Pairs of whole games, dealt otherwise, overheard on every channel until the reveal: feed, broker, event streams, every read route for
every role, refusals, log lines; then as light, sound and pictures. One pair begins in the middle: the daemon died and came back.

    tests/secrecy/70-every-channel.py [SEED]     random sets from another seed
"""
import importlib.util
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support"), str(HERE.parent / "taps")]
import observers  # noqa: E402
from harness import BIN, check, deck_csv  # noqa: E402
from pairs import TAPS, Ears, exchanged, same  # noqa: E402
from scenes import public  # noqa: E402

LONG = os.environ.get("TESTS_LONG") == "1"
EVERY = 100000  # ms between two rounds of questions; each phase and step is one too


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem.replace("-", "_"), path)
    ret = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(ret)
    return ret


sets = module(HERE / "30-random-sets.py")
tables = module(HERE / "30-paired-tables.py")


def compared(first, other, until, what):
    """Lines and channels that were the same; no piece or tag is named anywhere."""
    for told in (first, other):
        # The list of enrolled pieces is the one place for their names.
        told.lines = [line for line in told.lines if not line[2].endswith("/api/v1/pieces")]
        check(not told.said(), f"{what}: {told.said()}")
    first, other = public(first), public(other)
    return same(first, other, until, what), len({(line[1], line[2]) for line in first.lines if line[0] < until})


# ---- One Night: random sets of all boxes, random hands

def two_deals(seed):
    dice = random.Random(seed)
    while True:
        seats, roles, options = sets.random_set(dice)
        table = sets.Table(" ".join(roles), seats, options, seed=seed)
        try:
            table.evening().quiet()
            break
        except (AssertionError, StopIteration):
            continue  # a set the rules refuse
    ret = []
    for _ in range(2):
        evening, run = sets.play(table, sets.dealt(dice, table), random.Random(seed))
        ret.append((evening, run))
    return table, ret


def random_set(seed):
    table, deals = two_deals(seed)
    told = [Ears(e.log(), table.conf(), deck_csv(e.deck), observers.asks(), EVERY, discovery=True).run() for e, _ in deals]
    return compared(*told, told[0].begins("reveal"), f"set {seed}: {' '.join(table.roles)}")


def levels(log, at):
    """The lines of a log that say at `at` what lies there, and what comes later."""
    last, rest = {}, []
    for line in log.splitlines():
        if line[0] == "#":
            continue
        word = line.split()
        if int(word[0]) >= at:
            rest.append(line)
        elif word[2] != "0" or word[3] not in ("up", "down"):
            if last.get((word[1], word[2]), [""])[0].split(" ")[:1] != word[:1]:
                last[(word[1], word[2])] = []
            last[(word[1], word[2])].append(line)
    return last, rest


RESUME_MS = 3000


def from_the_middle(seed):
    """The daemon dies at a random moment of the night and the game goes on in another one."""
    table, deals = two_deals(seed)
    at = random.Random(seed).randrange(deals[0][0].first + 2000, deals[0][0].day - 2000)
    told = ([], [])
    with tempfile.TemporaryDirectory(prefix="tabled-middle-") as name:
        for n, (evening, _) in enumerate(deals):
            log, journal = evening.log(), pathlib.Path(name) / f"{n}.db"
            head = "".join(line for line in log.splitlines(True) if line[0] == "#" or int(line.split()[0]) < at)
            last, rest = levels(log, at)
            tail = [log.splitlines()[0]] + [f"0 {reader} 0 up" for reader in sorted({reader for reader, _ in table.kit.values()})]
            tail += [" ".join(["100"] + line.split()[1:]) for key in sorted(last) for line in last[key]]
            tail += [" ".join([str(int(line.split()[0]) - at + 2 * RESUME_MS)] + line.split()[1:]) for line in rest]
            for part, text in zip(told, (head, "\n".join(tail) + "\n")):
                asks = observers.asks() + [f'{RESUME_MS} operator POST {observers.CONTROL} {{"do":"resume"}}']
                part.append(Ears(text, table.conf(), deck_csv(evening.deck), asks, EVERY, journal=journal).run())
    lines = channels = 0
    for part, which in zip(told, ("before", "after")):
        reveals = [ms for one in part for ms, phase in one.phases() if phase["id"] == "reveal"]
        n, m = compared(*part, min(reveals, default=1 << 60), f"set {seed} from the middle, {which} {at} ms")
        lines, channels = lines + n, channels + m
    phases = [phase for _, phase in told[1][0].phases()]
    check(any(p["veil"] == "dark" and not p["paused"] for p in phases), f"set {seed}: the game does not go on after {at} ms: {[p['id'] for p in phases]}")
    return lines, channels


# ---- the other games, from their recorded hands

WHOLE = 1 << 40
OTHERS = [  # what is exchanged, the phase that shows it and which of that name it is, ms of the log that are played
    ("not-alone", ("place-5-1", "place-2-1"), "reckoning", 1, 64000),
    ("alien-hunt", ("ufologist", "mythomaniac"), "reveal", 1, 180000),
    ("elfenland", ("card-raft-6", "card-unicorn-1"), "move", 1, 92000),
]


def recorded(log, pair, phase, which, end_ms):
    at = TAPS / log
    csv = at.with_suffix(".csv").read_text()
    tap = "".join(line for line in at.with_suffix(".tap").read_text().splitlines(True) if line[0] == "#" or int(line.split()[0]) < end_ms)
    told = [Ears(tap, at.with_suffix(".conf").read_text(), deck, observers.asks(), EVERY).run() for deck in (csv, exchanged(csv, pair))]
    return compared(*told, min(one.begins(phase, which) for one in told), f"{log}: {pair[0]} and {pair[1]}")


# ---- what people see and hear: light, sound, pictures

def rendered(told, folder, name):
    feed = folder / f"{name}.jsonl"
    feed.write_text("\n".join(told.replay()) + "\n")
    conf, light, sound, pictures = (folder / f"{name}.{end}" for end in ("conf", "light", "wav", "png"))
    conf.write_text("[room]\nsite = home\n[lamp rim]\ntype = record\nleds = 30\nring = 20-29\n[leds rim]\n" + "".join(f"s{i} = {2 * i - 2}-{2 * i - 1}\n" for i in range(1, 11)))
    pictures.mkdir()
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    for command in (["table-lights", "--config", conf, f"--render={feed}", "--out", light],
                    ["table-narrator", f"--render={feed}", "--lang", "en", "--out", sound],
                    ["table-display", f"--render={feed}", "--out", pictures, "--keep", "phases"]):
        done = subprocess.run([BIN / command[0], *command[1:]], capture_output=True, text=True, timeout=200, env=env)
        check(done.returncode == 0, f"{command[0]}: {done.returncode}\n{done.stderr[-2000:]}")
    return light.read_bytes(), sound.read_bytes()[44:], [(file.name, file.read_bytes()) for file in sorted(pictures.iterdir())]


def shown(seed):
    """The evening up to the reveal, as light, sound and pictures."""
    table, deals = two_deals(seed)
    told = [Ears(e.log(), table.conf(), deck_csv(e.deck)).run() for e, _ in deals]
    until = told[0].begins("reveal")
    with tempfile.TemporaryDirectory(prefix="tabled-shown-") as name:
        made = []
        for n, one in enumerate(told):
            one.lines = [line for line in one.lines if line[0] < until]
            made.append(rendered(one, pathlib.Path(name), str(n)))
    for what, left, right in zip(("light", "sound", "pictures"), *made):
        check(left == right, f"set {seed}: another {what}")
    frames, samples, pictures = made[0]
    check(frames and len(samples) > 1 << 20 and len(pictures) > 5, f"set {seed}: {len(frames)} bytes of light, {len(samples)} of sound, {len(pictures)} pictures")
    return frames.count(b"\n"), len(samples) // 2, len(pictures)


def main():
    start = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    sample = 10 if LONG else 1
    others = OTHERS + ([(log, tuple(row[:2]), *row[2:], WHOLE) for log, rows in tables.PAIRS.items() for row in rows] if LONG else [])
    jobs = [lambda s=s: random_set(s) for s in range(start, start + sample)] + [lambda s=s: from_the_middle(s) for s in range(start + 50, start + 50 + sample)]
    jobs += [lambda row=row: recorded(*row) for row in others]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        seen = pool.submit(shown, start)
        told = [job.result() for job in [pool.submit(job) for job in jobs]]
        frames, samples, pictures = seen.result()
    print(f"{len(told)} pairs: {sum(n for n, _ in told)} lines of up to {max(n for _, n in told)} channels the same, byte by byte and ms by ms, until the reveal")
    print(f"a pair as {frames} frames of light, {samples} samples of sound and {pictures} pictures: the same")


if __name__ == "__main__":
    main()
