#!/usr/bin/env python3
"""A recorded evening of each game, stopped at every write and sync of its journal: killed, killed in the middle of a write, power cut
(what was not synced is lost), disk full, broken, read only. What was told is there again, in a state that was told last or later.

    tests/faults/12-every-write.py [--long]              as many as 40 seconds have (15 minutes)
    tests/faults/12-every-write.py LOG KIND STEP         one of them
"""
import concurrent.futures
import os
import random
import sys
import tempfile
import time

from evenings import BIN, GAMES, LOGS, Evening, Reference, check

LONG = "--long" in sys.argv or os.environ.get("TESTS_LONG") == "1"
SECONDS = 900 if LONG else 40  # on two cores
ENDS = ("kill", "torn", "power")
ERRORS = ("full", "io", "readonly")


def one(evening, reference, kind, step, program=None):
    where = f"{evening.name} {kind} {step}"
    run = evening.play(f"{kind}:{step}")
    if kind in ENDS:
        check(run.code == -9 or run.code == 0 and evening.counted()[0] < step, f"{where}: was not killed: {run.code} {run.words[-500:]}")
    else:
        check(run.code in (0, 1, 4), f"{where}: exit {run.code} {run.words[-2000:]}")
        said = [m for m in run.messages if m["topic"] == "public/event" and m["message"]["event"] == "paused" and m["message"]["reason"] == "disk"]
        clear = "journal.db" in run.words or said
        check(clear or run.messages == reference.run.messages, f"{where}: nobody says that the disk failed: {run.words[-500:]}")
        check(run.code != 4 or not run.messages, f"{where}: exit 4 in the middle")
    return reference.comes_back(evening, run, where, program) if program else reference.comes_back(evening, run, where)


def work(name, jobs, until):
    """The jobs of one evening, in a folder of their own."""
    done, failed = {}, []
    with tempfile.TemporaryDirectory(prefix="tabled-writes-") as folder:
        evening = Evening(name, folder)
        reference = Reference(evening)
        every = [(kind, step) for kind in ENDS + ERRORS for step in range(1, reference.steps + 2)] if jobs is None else jobs
        random.Random(1).shuffle(every)
        for kind, step in every:
            if until and time.monotonic() > until:
                break
            try:
                one(evening, reference, kind, step, BIN if len(done) % 16 == 0 else None)  # some restarts with the sanitizers
            except AssertionError as error:
                failed.append(str(error))
            done[kind] = done.get(kind, 0) + 1
    return name, reference.steps, reference.syncs, done, failed


def main():
    names = list(LOGS) if LONG else list(GAMES.values())
    if len(sys.argv) == 4:
        print(work(sys.argv[1], [(sys.argv[2], int(sys.argv[3]))], 0))
        return 0
    until = time.monotonic() + SECONDS
    wrong, total = 0, {}
    with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
        for name, steps, syncs, done, failed in pool.map(lambda name: work(name, None, until), names):
            print(f"{name}: {steps} steps to the disk, {syncs} syncs; stopped " + ", ".join(f"{n} x {kind}" for kind, n in sorted(done.items())))
            for kind, n in done.items():
                total[kind] = total.get(kind, 0) + n
            for text in failed[:5]:
                print("  not ok", text)
            wrong += len(failed)
    print(f"{sum(total.get(k, 0) for k in ENDS)} kills and {sum(total.get(k, 0) for k in ERRORS)} disk errors, {wrong} not survived")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
