#!/usr/bin/env python3
"""Wild hands in the middle of whole games: in the pauses of recorded evenings of every game pieces are lifted, dropped, swapped,
stacked, laid on wrong pads, strangers' tags shown, antennas disturbed, and all of it is put back before the evening goes on.
Unless a legal move was among it, all is then as in the same evening without these hands, and it ends with the same actions.

    tests/taps/45-hands-in-games.py [--long]     the same seeds every time
    tests/taps/45-hands-in-games.py LOG SEED     one of them; KEEP=FOLDER leaves the log there
"""
import concurrent.futures
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

from storyboard import HERE, STRANGER, check, replay, same

LONG = "--long" in sys.argv or os.environ.get("TESTS_LONG") == "1"
SECONDS, SEEDS = 25, 60 if LONG else 12
LOGS = ("not-alone", "battle-sheep", "elfenland", "alien-hunt", "one-night-kit", "boxes/one-night-daybreak", "boxes/one-night-vampire")
PAUSE_MS, AIR_MS, REST_MS = 1500, 20000, 5000  # where hands may come in; how long a piece may fly; how long all rests afterwards
UNASKED = ("action", "seat_acted", "choice_opened", "paused", "undone", "phase_started", "revealed", "result")


class Log:
    """A recorded evening as scans: (ms, pad, what it says), pads as (reader, antenna)."""

    def __init__(self, name):
        path = HERE / f"{name}.tap"
        self.head, self.scans = [], []
        for line in path.read_text().splitlines():
            if line.startswith("#"):
                self.head += [line] if "@" in line else []
                continue
            ms, reader, antenna, outcome, *tag = line.split()
            key = (int(ms), (reader, int(antenna)))
            if self.scans and self.scans[-1][:2] == key and outcome == "seen":
                self.scans[-1][2].append(" ".join([outcome, *tag]))
            else:
                self.scans.append((*key, [" ".join([outcome, *tag])]))
        self.pauses = self.find_pauses()

    def find_pauses(self):
        """Scans before which there is time and no piece is on its way: there hands can leave all as it was."""
        busy, on, lifted = set(), {}, {}
        for i, (ms, pad, words) in enumerate(self.scans):
            if words[0].startswith(("seen", "none")):
                now = [word.split()[1] for word in words if word.startswith("seen")]
                for tag in on.get(pad, []):
                    lifted[tag] = (i, ms)
                for tag in now:
                    start, since = lifted.pop(tag, (i, ms))
                    busy |= set(range(start + 1, i + 1)) if ms - since < AIR_MS else set()
                on[pad] = now
        return [i for i in range(10, len(self.scans)) if self.scans[i][0] - self.scans[i - 1][0] >= PAUSE_MS and i not in busy]


class Hands:
    """What lies where, and hands that move it and put it back."""

    def __init__(self, log, dice):
        self.log, self.dice, self.on, self.moved = log, dice, {}, 0
        self.lines, self.calm, self.windows = [], [], []  # calm: the same pauses, no hands

    def say(self, ms, pad, words):
        self.lines += [f"{ms} {pad[0]} {pad[1]} {word}" for word in words]

    def shows(self, ms, pad):
        self.say(ms, pad, [f"seen {tag}" for tag in self.now[pad]] or ["none"])

    def mischief(self, ms):
        """From ms on; returns when all is as it was."""
        dice, begin = self.dice, ms
        self.now = {pad: list(tags) for pad, tags in self.on.items()}
        held = []  # (tag, home)
        home = {tag: pad for pad, tags in self.now.items() for tag in tags}
        pads = list(self.now)
        for _ in range(dice.choice([1, 2, 4, 12, 30])):
            ms += dice.choice([85, 200, 400, 700, 1000, 1700, 3000])
            full = [pad for pad in pads if self.now[pad]]
            what = dice.random()
            if what < 0.12:
                ms = self.disturb(ms, dice.choice(pads))
            elif what < 0.18:
                pad = dice.choice(pads)
                self.say(ms, pad, [f"seen {tag}" for tag in self.now[pad] + [STRANGER]])
                ms += dice.choice([85, 600, 2500])
                self.shows(ms, pad)
            elif full and (what < 0.6 or not held):
                pad = dice.choice(full)
                for tag in dice.sample(self.now[pad], 1 if what < 0.5 else len(self.now[pad])):
                    self.now[pad].remove(tag)
                    held.append(tag)
                self.shows(ms, pad)
            elif held:
                tag = held.pop(dice.randrange(len(held)))
                pad = home[tag] if dice.random() < 0.3 else dice.choice(full) if full and what > 0.9 else dice.choice(pads)
                self.now[pad].append(tag)
                self.shows(ms, pad)
            self.moved += 1
        for pad in pads:  # undone: first what lies wrong, then what is missing
            if any(home[tag] != pad for tag in self.now[pad]):
                ms += dice.choice([200, 600])
                self.now[pad] = [tag for tag in self.now[pad] if home[tag] == pad]
                self.shows(ms, pad)
        for pad in pads:
            if sorted(self.now[pad]) != sorted(self.on[pad]):
                ms += dice.choice([200, 600])
                self.now[pad] = list(self.on[pad])
                self.shows(ms, pad)
        self.windows.append((begin, ms + REST_MS))
        return ms + REST_MS

    def disturb(self, ms, pad):
        self.say(ms, pad, [self.dice.choice(["none", "collided", "failed"])])
        ms += 85 * self.dice.randrange(1, 6)
        self.shows(ms, pad)
        return ms

    def write(self, times):
        """The evening with hands in `times` of its pauses."""
        scans, later, pauses = self.log.scans, 0, self.log.pauses
        chosen = set(self.dice.sample(pauses, min(times, len(pauses))))
        for i, (ms, pad, words) in enumerate(scans):
            if i in chosen:
                start = scans[i - 1][0] + later + 1200
                later += max(0, self.mischief(start) - (ms + later))
            self.say(ms + later, pad, words)
            self.calm += self.lines[-len(words):]
            if words[0].startswith(("seen", "none")):
                self.on[pad] = [word.split()[1] for word in words if word.startswith("seen")]
        return ["\n".join(self.log.head + sorted(lines, key=lambda line: int(line.split()[0]))) + "\n" for lines in (self.lines, self.calm)]


def play(name, text):
    with tempfile.TemporaryDirectory(prefix="tabled-hands-") as temporary:
        folder = pathlib.Path(os.environ.get("KEEP", temporary))
        folder.mkdir(exist_ok=True)
        path = folder / (pathlib.Path(name).name + ".tap")
        path.write_text(text)
        for suffix in (".conf", ".csv"):
            if (HERE / f"{name}{suffix}").exists():
                shutil.copy(HERE / f"{name}{suffix}", path.with_suffix(suffix))
        return replay.replay(path)[0]


def events(messages, kinds, start=0, end=1 << 60):
    return [(m["ms"], m["message"]) for m in messages if m["topic"] == "public/event" and m["message"]["event"] in kinds and start <= m["ms"] < end]


def last(messages, topic, ms=1 << 60):
    found = [m["message"] for m in messages if m["topic"] == topic and m["ms"] < ms]
    return found[-1] if found else {}


def open_then(messages, ms):
    wrong = last(messages, "public/violation", ms)
    return sorted((v["rule"], tuple(v["places"])) for v in wrong.get("violations", [])), [(r["take"], r["put"]) for r in wrong.get("prompt", [])]


def acts(messages):
    return [(a["by"], a["text"]) for _, e in events(messages, ("action",)) for a in e["action"] if a["by"] != "timer"]


def one(name, seed):
    """(movements, whether hands undid all of it without a legal move, what went wrong)"""
    hands = None
    try:
        log, dice = Log(name), random.Random(f"{name} {seed}")
        hands = Hands(log, dice)
        wild, calm = hands.write(dice.choice([1, 1, 3]))
        messages, recorded = play(name, wild), play(name, calm)
        for start, end in hands.windows:
            unasked = [len(events(m, UNASKED, start, end)) for m in (messages, recorded)]
            if unasked[0] != unasked[1] or last(messages, "public/phase", end).get("veil") == "dark":
                return hands.moved, False, None  # a move of the game was among it: from here on it is another evening
            same(open_then(messages, end), open_then(recorded, end), f"{name} {seed}: open after hands undid it, at {end}")
        same(acts(messages), acts(recorded), f"{name} {seed}: the actions of the evening")
        ends = [{k: last(m, "public/result").get(k) for k in ("over", "seats", "reason")} for m in (messages, recorded)]
        same(ends[0], ends[1], f"{name} {seed}: how it ended")
        check(open_then(messages, 1 << 60) == open_then(recorded, 1 << 60), f"{name} {seed}: what is open in the end")
        return hands.moved, True, None
    except Exception as error:  # whatever goes wrong is this one's failure
        return hands.moved if hands else 0, False, f"{name} {seed}: {type(error).__name__}: {error}"


def main():
    words = [a for a in sys.argv[1:] if a != "--long"]
    if words:
        print(one(words[0], int(words[1])))
        return 0
    until = None if LONG else time.monotonic() + SECONDS
    games = moved = undone = 0
    failed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def run(job):
            return None if until and time.monotonic() > until else one(*job)
        for answer in pool.map(run, [(name, seed) for seed in range(SEEDS) for name in LOGS]):
            if answer:
                games, moved, undone = games + 1, moved + answer[0], undone + answer[1]
                failed += [answer[2]] if answer[2] else []
    for text in failed:
        print("not ok", text)
    print(f"{moved} wild hands in {games} evenings, {undone} of them as recorded in the end, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
