#!/usr/bin/env python3
"""kill -9 in every phase and step of recorded evenings of every game and box, at a moment after one of its messages.

    tests/faults/13-every-phase.py [--long]          one kill a phase (ten)
    tests/faults/13-every-phase.py LOG MESSAGE       one of them
"""
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

from evenings import BIN, FAST, GAMES, LOGS, Evening, Reference, Run, check, sanitized

LONG = "--long" in sys.argv or os.environ.get("TESTS_LONG") == "1"


def killed(evening, n):
    """Played until its n-th message is heard, then killed: by then it may be further."""
    evening.forget()
    env = sanitized({"LD_PRELOAD": str(FAST / "libfaulty_disk.so")})  # says each line at once
    with tempfile.TemporaryFile("w+") as words:
        daemon = subprocess.Popen([FAST / "tabled", "--config", evening.conf, "--replay", evening.log, "--virtual-clock", "--journal", evening.journal],
                                  stdout=subprocess.PIPE, stderr=words, text=True, env=env)
        said = [daemon.stdout.readline() for _ in range(n)]
        daemon.kill()
        said.append(daemon.stdout.read())
        daemon.wait()
        words.seek(0)
        return Run(subprocess.CompletedProcess([], daemon.returncode, "".join(said), words.read()))


def one(evening, reference, n, program=FAST):
    run = killed(evening, n)
    check(run.code in (-9, 0), f"{evening.name} message {n}: ended with {run.code} {run.words[-1000:]}")
    reference.comes_back(evening, run, f"{evening.name} message {n}", program)
    return run.code == -9


def work(name):
    phases, kills, failed = {}, 0, []
    with tempfile.TemporaryDirectory(prefix="tabled-phases-") as folder:
        evening = Evening(name, folder)
        reference = Reference(evening)
        for i, table in enumerate(reference.tables):
            phase = table.get("phase")
            phases.setdefault((phase[1], phase[4], phase[2]) if phase else ("", "", 0), []).append(i + 1)
        dice = random.Random(name)
        moments = [n for messages in phases.values() for n in (messages if LONG and len(messages) < 10 else dice.sample(messages, min(len(messages), 10 if LONG else 1)))]
        for n in moments:
            try:
                kills += one(evening, reference, n, BIN if n % 8 == 0 else FAST)
            except AssertionError as error:
                failed.append(str(error))
    return name, len(phases), kills, failed


def main():
    if len(sys.argv) == 3:
        with tempfile.TemporaryDirectory(prefix="tabled-phases-") as folder:
            evening = Evening(sys.argv[1], folder)
            print(one(evening, Reference(evening), int(sys.argv[2])))
        return 0
    total = wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, phases, kills, failed in pool.map(work, LOGS if LONG else [*GAMES.values(), "one-night-daybreak", "one-night-epic"]):
            print(f"{name}: {phases} phases and steps, {kills} kills")
            total, wrong = total + kills, wrong + len(failed)
            for text in failed[:8]:
                print("  not ok", text)
    print(f"{total} kills in phases, {wrong} not survived")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
