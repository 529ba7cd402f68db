"""Recorded evenings of every game with a journal on a disk that may fail: what was told, what was kept, what comes back.

    evening = Evening("not-alone", folder)      # a log of tests/taps
    run = evening.play("kill:17")               # tests/support/faulty_disk.c
    back = evening.back()                       # what a restart tells of the journal that was left
"""
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "taps"))
from harness import BIN, KIT, ROOT, ROLES, check, deck_csv  # noqa: E402

TAPS = ROOT / "tests" / "taps"
# Without the sanitizers, which want to be loaded first: these die and run out of memory; restarts are made with BIN.
FAST = pathlib.Path(os.environ.get("TABLED_RELEASE", ROOT / "build" / "release")) / "bin"
if not (FAST / "libfaulty_disk.so").exists():
    FAST = BIN
LOGS = {log.stem: log for log in [*sorted(TAPS.glob("*.tap")), *sorted((TAPS / "boxes").glob("*.tap"))] if log.stem != "noise"}
GAMES = {"one_night": "one-night-kit", "not_alone": "not-alone", "battle_sheep": "battle-sheep", "elfenland": "elfenland", "alien_hunt": "alien-hunt"}


def sanitized(env):
    return {**os.environ, **env, "ASAN_OPTIONS": "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", "")}


def begin(program, config, limit_s):
    """A start that either fails or gets ready and is then ended: (ready, exit code, words)"""
    daemon = subprocess.Popen([program, "--config", config], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")
    guard = threading.Timer(limit_s, daemon.kill)
    guard.start()
    said = []
    for line in daemon.stdout:
        said.append(line)
        if "ready version=" in line:
            daemon.terminate()
    code = daemon.wait()
    guard.cancel()
    return any("ready version=" in line for line in said), code, "".join(said)


class Run:
    """What a daemon said before it ended."""

    def __init__(self, done):
        self.code, self.words = done.returncode, done.stderr
        lines = [line for line in done.stdout.split("\n") if line.endswith("}")]  # the last one may be cut
        self.messages = []
        for line in lines:
            with contextlib.suppress(ValueError):
                self.messages.append(json.loads(line))
        check("ERROR: AddressSanitizer" not in self.words and "runtime error" not in self.words, self.words[-6000:])

    def tables(self):
        """The public state after each message: phase, seats, position and result, without clock and readers."""
        now, ret = {}, []
        for m in self.messages:
            topic, body = m["topic"], m["message"]
            if topic == "public/phase":
                now = {**now, "phase": [body[k] for k in ("n", "id", "round", "veil", "step", "turn")]}
            elif topic == "public/seats":
                now = {**now, "seats": json.dumps([body[k] for k in sorted(body) if k != "header"])}
            elif topic == "public/board":
                now = {**now, "position": body.get("position", "")}
            elif topic == "public/result":
                now = {**now, "over": body["over"]}
            ret.append(now)
        return ret

    def events(self, *kinds):
        return [m["message"] for m in self.messages if m["topic"] == "public/event" and m["message"]["event"] in kinds]


class Evening:
    def __init__(self, name, folder):
        self.name, self.log = name, LOGS[name]
        self.folder = pathlib.Path(folder) / name
        self.folder.mkdir(parents=True)
        self.state = self.folder / "state"
        self.state.mkdir()
        self.journal = self.state / "journal.db"
        own = self.log.with_suffix(".conf")
        text = own.read_text() if own.exists() else self.kit()
        self.conf = self.folder / "tabled.conf"
        self.conf.write_text(text.replace("state_dir = state", f"state_dir = {self.state}"))
        csv = self.folder / "kit.csv"
        csv.write_text(self.log.with_suffix(".csv").read_text() if own.exists() else deck_csv())
        house = self.state / "house.db"
        subprocess.run([BIN / "tablectl", "enrol", "import", csv, "--db", house], check=True, stdout=subprocess.DEVNULL)
        self.rest = self.folder / "rest.tap"
        reader = text.split("[reader ")[1].split("]")[0]
        self.rest.write_text(f"# tabled tap log: nothing is seen\n0 {reader} 0 up\n1000 {reader} 0 up\n")
        self.counts = self.folder / "counts"

    @staticmethod
    def kit():
        lines = ["[daemon]", "state_dir = state", "socket =", "log_level = error", "[table main]", "deck = kit", "game = one_night",
                 "seats = 5", f"roles = {ROLES}", "options = ballot=tapped", "seed = 1"]
        for reader in ("north", "south", "tap"):
            lines += [f"[reader {reader}]", "driver = replay"]
        for pad, (reader, antenna) in KIT.items():
            lines += [f"[pad {pad}]", f"reader = {reader}", f"antenna = {antenna}", f"kind = {'tap' if pad == 'tap' else 'tile'}"]
        return "\n".join(lines) + "\n"

    def forget(self):
        for file in self.state.glob("journal.db*"):
            file.unlink()

    def run(self, program, log, env):
        done = subprocess.run([program / "tabled", "--config", self.conf, "--replay", log, "--virtual-clock", "--journal", self.journal],
                              capture_output=True, text=True, timeout=120, env=sanitized(env))
        return Run(done)

    def play(self, fault="", memory="", log=None, new=True):
        """The evening; `fault` is what the disk does, `memory` what the heap does."""
        if new:
            self.forget()
        self.counts.unlink(missing_ok=True)
        if memory:
            env = {"LD_PRELOAD": str(FAST / "libfaulty_memory.so"), "FAULTY_MEMORY": memory, "FAULTY_MEMORY_COUNT": str(self.counts)}
        else:
            env = {"LD_PRELOAD": str(FAST / "libfaulty_disk.so"), "FAULTY_DISK": fault, "FAULTY_DISK_COUNT": str(self.counts)}
        return self.run(FAST, log or self.log, env)

    def counted(self):
        """Of the last evening: all steps to the disk, writes, syncs (or allocations alone)."""
        raw = self.counts.read_bytes()
        return [int.from_bytes(raw[i:i + 8], sys.byteorder) for i in range(0, len(raw), 8)]

    def back(self, program=FAST):
        """A restart at which no reader sees anything."""
        return self.run(program, self.rest, {})

    def verified(self):
        """Number of records, by the program's own check."""
        done = subprocess.run([FAST / "tablectl", "journal", "verify", self.journal], capture_output=True, text=True)
        check(done.returncode == 0, f"journal verify: {done.stdout}{done.stderr}")
        return done.stdout

    def records(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.journal}?mode=ro", uri=True)) as db:
            try:
                return db.execute('select n, kind, "by", body from record order by n').fetchall()
            except sqlite3.OperationalError:
                return []  # not made yet


class Reference:
    """The evening undisturbed: every state that may be told, every record."""

    def __init__(self, evening):
        self.run = evening.play()
        check(self.run.code == 0, f"{evening.name}: {self.run.words[-3000:]}")
        self.steps, self.writes, self.syncs = evening.counted()
        self.records, self.tables = evening.records(), self.run.tables()
        again = evening.play()
        check(again.messages == self.run.messages and evening.records() == self.records, f"{evening.name}: the same input, the same output")

    def comes_back(self, evening, run, where, program=FAST):
        """After `run` ended somehow: the journal is sound, no announced record is missing, the state told now was told last or later."""
        same = 0  # messages until then, the same as ever
        while same < len(run.messages) and same < len(self.run.messages) and run.messages[same] == self.run.messages[same]:
            same += 1
        if run.code < 0:  # killed: nothing else was said
            check(same == len(run.messages), f"{where}: said {run.messages[same:same + 1]}, not {self.run.messages[same:same + 1]}")
        acts = sum(m["topic"] == "public/event" and m["message"]["event"] in ("action", "seat_acted") for m in run.messages[:same])
        back = evening.back(program)
        check(back.code == 0, f"{where}: does not start again: {back.words[-3000:]}")
        kept = evening.records()
        if kept:
            evening.verified()
        mine = [r for r in kept if r in self.records or r[1] not in ("pause", "resume")]
        if run.code == 0 and mine != self.records[:len(mine)]:
            return self.went_on(run, back, kept, where)
        check(mine == self.records[:len(mine)], f"{where}: the records are those of the evening: {len(mine)} of {len(kept)}")
        check(sum(r[1] in ("act", "choose") for r in mine) >= acts, f"{where}: {acts} actions were told, {len(mine)} records kept")
        self.later(same, back, where)
        return back

    @staticmethod
    def went_on(run, back, kept, where):
        """What a hand did found no memory and was not seen: from there on it is another evening, whose end holds."""
        acts = len(run.events("action", "seat_acted"))
        check(sum(r[1] in ("act", "choose", "override") for r in kept) >= acts, f"{where}: {acts} actions were told, {len(kept)} records kept")
        told, now = run.tables()[-1], back.tables()[-1] if back.messages else {}
        check((now.get("phase"), now.get("seats")) == (told.get("phase"), told.get("seats")), f"{where}: came back in {now}\n  told was {told}")
        return back

    def later(self, same, back, where):
        """What is told after the restart was told last before, or would have been told later."""
        told = self.tables[same - 1] if same else {}
        now = back.tables()[-1] if back.messages else {}
        if not told.get("phase"):
            return
        check("phase" in now, f"{where}: the game that was told is gone")
        found = any(t.get("phase") == now["phase"] and t.get("seats") == now.get("seats") for t in self.tables[same - 1:])
        check(found, f"{where}: came back in {now['phase']} {now.get('seats')}\n  told was {told['phase']} {told.get('seats')}")
