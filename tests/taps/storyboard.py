"""Writes tap logs from hands, plays them through `tabled --replay` and reads the public messages.

    hands = Evening()                        # deal, looks and second `start` as in the recorded evening
    hands.swap(STEP["600"] + 4000, "s3", "s1")
    run = hands.vote("13 23 31 43 51").run() # run.events("action"), run.story(), run.board(ms), run.between(a, b)

Times are ms from the start of the log; every antenna holds its last scan (`@hold 85`), so a line is a change.
"""
import importlib.util
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from harness import BIN, DEAL, DECK, KIT, ROLES, TAG, deck_csv  # noqa: E402

_spec = importlib.util.spec_from_file_location("replay", HERE / "10-replay.py")
replay = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(replay)

SCAN = 85  # ms between two scans of one antenna
CLOSE = 300  # hands close so long before the end of a step
READERS = sorted({reader for reader, _ in KIT.values()})
CONTROLS = {word: f"0433{i:02X}5A1F6180" for i, word in enumerate(("yes", "no", "plus", "minus", "undo", "pause", "repeat", "absent"))}
STRANGER = "04990A5A1F6180"  # a tag nobody enrolled

# The night of the five (evenings 3), from the second `start`: step, length.
SCRIPT = [("10", 6000), ("check", 4000), ("400", 15500), ("430", 15500), ("check", 4000), ("500", 17500), ("600", 19500), ("700", 17500),
          ("check", 4000), ("800", 17500), ("900", 15500), ("check", 4000), ("1490", 9000), ("1500", 5000), ("check", 4000)]
NIGHT = 30085
STEP, END, BOUNDARIES = {}, {}, []
_at = NIGHT
for _name, _length in SCRIPT:
    BOUNDARIES.append(_at)
    STEP.setdefault(_name, _at)
    _at += _length
    END.setdefault(_name, _at)
DAY = _at  # 188585
VOTE = 240085
REVEAL = 262485


class Hands:
    """What lies on the pads and what the antennas say of it."""

    def __init__(self, deck=None, kit=None):
        self.kit = kit or KIT
        self.deck = dict(deck or DECK)
        self.deck.update({word: ("control", tag) for word, tag in CONTROLS.items()})
        self.tags = {piece: tag for piece, (_, tag) in self.deck.items()}
        self.acts = []  # (ms, order, function)
        self.end = 0
        self.note = ""

    # ---- what is written at a moment

    def _do(self, ms, act):
        self.acts.append((int(ms), len(self.acts), act))
        self.end = max(self.end, int(ms))
        return self

    def put(self, ms, pad, *pieces):
        def act(state):
            state.on[pad] += [self.tags.get(p, p) for p in pieces]
            state.changed.add(pad)
        return self._do(ms, act)

    def take(self, ms, pad, *pieces):
        """The pieces named, or everything that lies there."""
        def act(state):
            for tag in [self.tags.get(p, p) for p in pieces] or list(state.on[pad]):
                state.on[pad].remove(tag)
                state.held.append(tag)
            state.changed.add(pad)
        return self._do(ms, act)

    def _lift(self, ms, pad, hand):
        def act(state):
            state.hands[hand] = state.on[pad].pop()
            state.changed.add(pad)
        return self._do(ms, act)

    def _lay(self, ms, pad, hand):
        def act(state):
            state.on[pad].append(state.hands.pop(hand))
            state.changed.add(pad)
        return self._do(ms, act)

    # ---- what hands do

    def move(self, ms, a, b, fly=1500):
        """The uppermost piece of a is laid on b."""
        hand = object()
        return self._lift(ms, a, hand)._lay(ms + fly, b, hand)

    def look(self, ms, pad, off=2000):
        return self.move(ms, pad, pad, off)

    def swap(self, ms, a, b, apart=500, fly=1800, land=700):
        """Both leave `apart` ms from each other, the first lands `fly` ms after its lift, the second `land` ms later."""
        x, y = object(), object()
        self._lift(ms, a, x)._lift(ms + apart, b, y)
        return self._lay(ms + fly, b, x)._lay(ms + fly + land, a, y)

    def stacked_swap(self, ms, a, b, fly=1500):
        """One swapper in three: the tile of a is laid on that of b before b's is lifted from below."""
        x, y = object(), object()
        self._lift(ms, a, x)

        def below(state):
            state.on[b].insert(0, state.hands.pop(x))
            state.changed.add(b)
        self._do(ms + fly, below)
        return self._lift(ms + fly + 800, b, y)._lay(ms + fly + 2000, a, y)

    def cycle(self, ms, *pads):
        """The tile of each goes to the next, the last one's to the first."""
        held = [object() for _ in pads]
        for i, pad in enumerate(pads):
            self._lift(ms + 400 * i, pad, held[i])
        for i, hand in enumerate(held):
            self._lay(ms + 2500 + 500 * i, pads[(i + 1) % len(pads)], hand)
        return self

    def tap(self, ms, piece, pad="tap", stay=600):
        return self.put(ms, pad, piece).take(ms + stay, pad, piece)

    # ---- what the antennas say

    def says(self, ms, pad, lines, until):
        """From ms on the antenna says these lines (`none`, `collided`, `failed`, `seen TAG`) one after the other, a scan
        each, then the truth again at `until`."""
        def begin(line):
            def act(state):
                state.says[pad] = line
                state.changed.add(pad)
            return act
        for i in range((until - ms + SCAN - 1) // SCAN):
            self._do(ms + i * SCAN, begin(lines[i % len(lines)]))
        return self._do(until, begin(None))

    def misses(self, ms, pad, n):
        return self.says(ms, pad, ["none"], ms + n * SCAN)

    nudge = misses

    def stray(self, ms, pad, piece, n=1):
        """A neighbour's tag is heard beside what lies there."""
        return self.says(ms, pad, [lambda state: state.on[pad] + [self.tags.get(piece, piece)]], ms + n * SCAN)

    def collided(self, ms, pad, until):
        return self.says(ms, pad, ["collided"], until)

    def failed(self, ms, pad, until):
        return self.says(ms, pad, ["failed"], until)

    def phone(self, ms, pad, until):
        """A phone beside the tile: another random number whenever it is asked, now and then nothing that can be read."""
        numbers = [f"08{0xA1B2C3 + 7919 * i:06X}" for i in range(40)]
        lines = []
        for i, number in enumerate(numbers):
            lines += [lambda state, n=number: state.on[pad] + [n], ("collided", "failed")[i % 2]]
        return self.says(ms, pad, lines, until)

    def down(self, ms, reader):
        return self._do(ms, lambda state: state.lines.append(f"{ms} {reader} 0 down"))

    def up(self, ms, reader):
        def act(state):
            state.lines.append(f"{ms} {reader} 0 up")
            state.changed |= {pad for pad, (r, _) in self.kit.items() if r == reader}
        return self._do(ms, act)

    def rest(self, ms):
        """The log ends at ms at the earliest."""
        return self._do(ms, lambda state: state.changed.add("tap"))

    # ---- the log

    def log(self):
        state = types.SimpleNamespace(on={pad: [] for pad in self.kit}, says={pad: None for pad in self.kit},
                                      held=[], lines=[], hands={}, changed=set())
        lines = state.lines
        lines.append(f"# tabled tap log: storyboard {self.note}, hand-made; @hold {SCAN}")
        acts = sorted(self.acts, key=lambda a: a[:2])
        for i, (ms, _, act) in enumerate(acts):
            act(state)
            if i + 1 < len(acts) and acts[i + 1][0] == ms:
                continue
            for pad in sorted(state.changed, key=lambda p: self.kit[p]):
                reader, antenna = self.kit[pad]
                said = state.says[pad]
                said = said(state) if callable(said) else said
                if isinstance(said, str):
                    lines.append(f"{ms} {reader} {antenna} {said}")
                else:
                    tags = state.on[pad] if said is None else said
                    lines += [f"{ms} {reader} {antenna} seen {tag}" for tag in tags] or [f"{ms} {reader} {antenna} none"]
            state.changed = set()
        return "\n".join(lines) + "\n"

    def run(self, options="ballot=tapped", roles=ROLES):
        return Run(self.log(), self.deck, options, roles)


class Evening(Hands):
    """The evening of evenings 3 up to its night; the rest is the test's."""

    def __init__(self, deal=None, deck=None, looks=True, begin=True):
        super().__init__(deck)
        for reader in READERS:
            self.up(0, reader)
        self.tap(2000, "start")
        for i, (pad, piece) in enumerate((deal or DEAL).items()):
            self.put(5000 + 900 * i, pad, piece)
        for i, pad in enumerate([f"s{n}" for n in range(1, 6)] if looks else []):
            self.look(14000 + 900 * i, pad, 1900)
        if begin:
            self.tap(30000, "start")

    def day(self):
        """Everything up to the morning."""
        return self.rest(DAY + 1000)

    def vote(self, ballots="13 23 31 43 51", done=240000):
        """`done`, then every ballot as voter and target, tapped one by one."""
        self.tap(done, "done")
        for i, ballot in enumerate(ballots.split()):
            self.tap(done + 8000 + 2000 * i, f"number-{ballot[0]}", f"s{ballot[1]}", 900)
        return self.rest(done + 8000 + 2000 * len(ballots.split()) + 4000)


def by_ids(text):
    """A told sentence with `c1` for `centre card 1`, `k3` for `mark of seat 3`, `s2` for `seat 2` where it is no subject."""
    text = re.sub(r"centre card (\d+)", r"c\1", text)
    text = re.sub(r"mark of seat (\d+)", r"k\1", text)
    return re.sub(r"(?<=.)seat (\d+)", r"s\1", text)


class Run:
    """What came out."""

    def __init__(self, log, deck, options, roles, conf_text=None):
        self.log = log
        with tempfile.TemporaryDirectory(prefix="tabled-story-") as name:
            folder = pathlib.Path(name)
            conf = replay.config(folder, options)
            conf.write_text(conf.read_text().replace(f"roles = {ROLES}", f"roles = {roles}"))
            if conf_text:
                conf.write_text(conf_text.replace("state_dir = state", f"state_dir = {folder}/state"))
            (folder / "state").mkdir()
            (folder / "kit.csv").write_text(deck_csv(deck))
            (folder / "log.tap").write_text(log)
            house = folder / "state" / "house.db"
            subprocess.run([BIN / "tablectl", "enrol", "import", folder / "kit.csv", "--db", house], check=True, stdout=subprocess.DEVNULL)
            before = self._pieces(house)
            done = subprocess.run([BIN / "tabled", "--config", conf, "--replay", folder / "log.tap", "--virtual-clock"],
                                  capture_output=True, text=True, timeout=120)
            if done.returncode:
                raise AssertionError(f"tabled ended with {done.returncode}\n{done.stderr[-4000:]}")
            self.enrolled_nothing = before == self._pieces(house)
        self.lines = done.stdout.splitlines()
        self.messages = [json.loads(line) for line in self.lines]

    @staticmethod
    def _pieces(house):
        with sqlite3.connect(house) as db:
            tables = [r[0] for r in db.execute("select name from sqlite_master where type='table' order by name")]
            return {t: sorted(map(repr, db.execute(f"select * from {t}"))) for t in tables if "piece" in t or "tag" in t}

    def between(self, start, end, topic=""):
        return [m for m in self.messages if start <= m["ms"] < end and topic in m["topic"]]

    def raw(self, start, end):
        return [line for m, line in zip(self.messages, self.lines) if start <= m["ms"] < end]

    def events(self, kind=None, start=0, end=1 << 40):
        """[(ms, event)]"""
        return [(m["ms"], m["message"]) for m in self.between(start, end, "public/event") if kind in (None, m["message"]["event"])]

    def phases(self):
        """[(ms, phase)] without repetitions."""
        return [(m["ms"], m["message"]) for m in self.between(0, 1 << 40, "public/phase")]

    def phase_at(self, ms):
        return [p for t, p in self.phases() if t <= ms][-1]

    def starts(self, phase):
        return next(t for t, p in self.phases() if p["id"] == phase)

    def board(self, ms):
        """Level of each place as told at ms."""
        last = [m for m in self.messages if m["topic"] == "public/board" and m["ms"] <= ms][-1]
        return {p["name"]: p["level"] for p in last["message"]["places"] if p["sensed"]}

    def levels(self, place, start, end):
        ret = []
        for m in self.between(start, end, "public/board"):
            level = next(p["level"] for p in m["message"]["places"] if p["name"] == place)
            if not ret or ret[-1] != level:
                ret.append(level)
        return ret

    def final(self):
        """Kind of each place as revealed."""
        last = [m for m in self.messages if m["topic"] == "public/board"][-1]
        return {p["name"]: p["items"][0]["kind"] for p in last["message"]["places"] if p["items"]}

    def result(self):
        over = [m["message"] for m in self.messages if m["topic"] == "public/result" and m["message"]["over"]]
        assert over, "there is no result"
        return over[-1]

    def story(self):
        """[(step, by, text, flags)], places by their ids and not in people's words"""
        return [(r["step"], r["by"], by_ids(r["text"]), " ".join(r["flags"])) for r in self.result()["story"]]

    def narrations(self, start=0, end=1 << 40):
        return [(m["ms"], [line["text"] for line in m["message"]["lines"]]) for m in self.between(start, end, "public/narration")]

    def told(self):
        return self.story() if any(m["message"].get("over") for m in self.messages) else []

    def tail(self, start=0, end=1 << 40, width=300, topics=""):
        return "\n".join("  " + replay.words(m)[:width] for m in self.between(start, end)
                         if not topics or any(t in m["topic"] for t in topics.split()))


def same(got, want, text):
    if got != want:
        raise AssertionError(f"{text}\n  expected {want}\n  got      {got}")


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def same_lines(got, want, text):
    for a, b in zip(got, want):
        same(a, b, text)
    same(len(got), len(want), text + ": number of messages")


_quiet = {}


def dark_is_silent(run, deal=None, roles=ROLES, until=DAY):
    """Every byte and time of the night is that of a night in which no hand moved."""
    key = (tuple((deal or DEAL).items()), roles)
    if key not in _quiet:
        _quiet[key] = Evening(deal).day().run(roles=roles)
    got, want = run.raw(NIGHT, until), _quiet[key].raw(NIGHT, until)
    same_lines(got, want, "the night differs from one without hands")
    check(all(m["ms"] in BOUNDARIES for m in run.between(NIGHT, DAY) if until == DAY), "a message within a step")


def main(rows, names):
    """Runs all rows, or those named. A row returns or raises; `run` of its frame is shown when it failed."""
    failed = 0
    for name in names or rows:
        try:
            rows[name]()
            print(f"ok {name}")
        except Exception as error:  # a crash of a row is that row's failure
            failed += 1
            print(f"not ok {name}: {rows[name].__doc__}\n  {type(error).__name__}: {error}")
            frame, run, window = error.__traceback__, None, None
            while frame:
                run = frame.tb_frame.f_locals.get("run", run)
                window = frame.tb_frame.f_locals.get("window", window)
                frame = frame.tb_next
            if isinstance(run, Run):
                print(run.tail(*window) if window else run.tail(DAY, topics="event violation narration"))
                print("\n".join(f"  story: {row}" for row in run.told()))
        sys.stdout.flush()
    return 1 if failed else 0


def rows_of(module, pattern):
    return {name: f for name, f in module.items() if re.fullmatch(pattern, name) and callable(f)}
