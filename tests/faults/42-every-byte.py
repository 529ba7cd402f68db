#!/usr/bin/env python3
"""Every stored file cut at any byte, and any byte of it flipped: the daemon starts, or says in one sentence which file it is and ends
with exit code 3 or 4; what it refuses it does not touch.

    tests/faults/42-every-byte.py [--long]               a sample of all bytes (ten times more)
    tests/faults/42-every-byte.py FILE cut|flip BYTE     one of them
"""
import concurrent.futures
import contextlib
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from evenings import FAST, Evening, begin, check
from harness import LIMIT_S, TAG, free_port

LONG = "--long" in sys.argv or os.environ.get("TESTS_LONG") == "1"
SECONDS = 300 if LONG else 25
FILES = ("journal.db", "house.db", "auth.db", "history.db", "tokens.json", "tls.pem", "tls-key.pem")
REFUSED = (3, 4)


def stored(folder):
    """A state folder in which every file has something: a game that runs, one that was played, a certificate, people, tokens."""
    evening = Evening("one-night-kit", folder)
    run = evening.play()
    check(run.code == 0, run.words)
    text = evening.conf.read_text().replace("driver = replay", "driver = sim").replace("socket =\n", f"socket = {folder}/s\n").replace("log_level = error", "log_level = info")
    sim = "\n".join(f"{line}\nsocket = {folder}/{line.split()[1][:-1]}.sock" if line.startswith("[reader ") else line for line in text.split("\n"))
    evening.conf.write_text(sim + f"[http]\nlisten = https://127.0.0.1:{free_port()}\n")
    ready, code, words = start(evening.conf)
    check(ready and code == 0, f"undamaged it starts: {words}")
    for name in FILES:
        check((evening.state / name).stat().st_size > 0, f"{name} is there")
        if name.endswith(".db"):
            with contextlib.closing(sqlite3.connect(evening.state / name)) as db:
                db.execute("pragma wal_checkpoint(truncate)")
    return evening


def start(conf):
    return begin(FAST / "tabled", conf, LIMIT_S)


class Bench:
    """A copy of the folder for one worker."""

    def __init__(self, saved, conf, folder):
        self.saved, self.state, self.conf = saved, folder / "state", folder / "tabled.conf"
        folder.mkdir()
        text = conf.read_text().replace(str(conf.parent), str(folder)).replace(str(conf.parent.parent), str(folder))
        lines = [f"listen = https://127.0.0.1:{free_port()}" if line.startswith("listen = ") else line for line in text.split("\n")]
        self.conf.write_text("\n".join(lines))

    def one(self, name, how, at):
        shutil.rmtree(self.state, ignore_errors=True)
        shutil.copytree(self.saved, self.state)
        file = self.state / name
        data = bytearray(file.read_bytes())
        if how == "cut":
            del data[at:]
        else:
            data[at] ^= 1 << at % 8
        file.write_bytes(data)
        ready, code, words = start(self.conf)
        what = f"{name} {how} {at}: {'ready' if ready else 'not ready'}, exit {code}: {words[-800:]}"
        check(not any(tag in words for tag in TAG.values()), f"no tag is named: {what}")
        check("-----BEGIN" not in words and "gt_" not in words, f"no secret is named: {what}")
        if ready:
            check(code == 0, what)
        else:
            check(code in REFUSED and len([line for line in words.splitlines() if line.startswith("tabled: ")]) == 1, what)
            check(file.read_bytes() == data, f"overwritten: {what}")
        if not ready or name == "history.db":
            kept = {bytes(data)} <= {f.read_bytes() for f in self.state.iterdir() if f.name.startswith(name)}
            check(ready or kept, f"lost: {what}")
        return ready


def main():
    words = [a for a in sys.argv[1:] if a != "--long"]
    with tempfile.TemporaryDirectory(prefix="tabled-bytes-") as name:
        folder = pathlib.Path(name)
        evening = stored(folder / "first")
        saved = folder / "saved"
        shutil.copytree(evening.state, saved)
        if words:
            print(Bench(saved, evening.conf, folder / "w").one(words[0], words[1], int(words[2])))
            return 0
        dice, jobs = random.Random(3), []
        for file in FILES:
            size = (saved / file).stat().st_size
            places = [*range(min(size, 110)), *dice.sample(range(size), min(size, 4000))]
            some = [(file, how, at) for at in places for how in ("cut", "flip")]
            dice.shuffle(some)
            jobs.append(some)
        jobs = [job for row in zip(*(some[:min(map(len, jobs))] for some in jobs)) for job in row]
        until, done, started, failed = time.monotonic() + SECONDS, {"cut": 0, "flip": 0}, 0, []

        def worker(i):
            nonlocal started
            bench = Bench(saved, evening.conf, folder / f"w{i}")
            for job in jobs[i::4]:
                if time.monotonic() > until:
                    break
                try:
                    started += bench.one(*job)
                except (AssertionError, subprocess.TimeoutExpired) as error:
                    failed.append(str(error))
                done[job[1]] += 1
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(worker, range(4)))
        for text in failed[:10]:
            print("not ok", text)
        print(f"{len(FILES)} files, {done['cut']} times cut, {done['flip']} bytes flipped: {started} started, the others said why; {len(failed)} failed")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
