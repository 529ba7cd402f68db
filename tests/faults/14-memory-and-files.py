#!/usr/bin/env python3
"""Memory runs out at any allocation of a recorded evening, for a moment or for good; descriptors run out. The daemon goes on, or
stops with one clear sentence, and comes back where it was.

    tests/faults/14-memory-and-files.py [--long]     a sample (every allocation, as far as ten minutes go)
    tests/faults/14-memory-and-files.py LOG K[:N]    one of them
"""
import concurrent.futures
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

from evenings import FAST, GAMES, Evening, Reference, Run, check

LONG = "--long" in sys.argv or os.environ.get("TESTS_LONG") == "1"
SECONDS = 600 if LONG else 30
CODES = (0, 1, 3, 4)  # went on; stopped while running; while reading its configuration; its files


def said_why(run, where, word):
    """Zero, or a code of the manual page and a sentence that names the matter."""
    check(run.code in CODES, f"{where}: ended with {run.code}: {run.words[-1500:]}")
    if run.code:
        check(re.search(word, run.words), f"{where}: exit {run.code} without a reason: {run.words[-500:]}")
    elif not run.messages:
        check(run.words, f"{where}: nothing was played, nobody says why")


def no_memory(evening, reference, memory):
    where = f"{evening.name} memory {memory}"
    run = evening.play(memory=memory)
    said_why(run, where, "memory|kernel")
    reference.comes_back(evening, run, where)


def no_descriptors(evening, reference, limit):
    where = f"{evening.name} with {limit} descriptors"
    evening.forget()
    done = subprocess.run([FAST / "tabled", "--config", evening.conf, "--replay", evening.log, "--virtual-clock", "--journal", evening.journal],
                          capture_output=True, text=True, timeout=120, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
    run = Run(done)
    said_why(run, where, "open files|descriptors|opened|cannot")
    reference.comes_back(evening, run, where)
    return run.code


def work(name, until):
    allocations = files = 0
    failed = []
    with tempfile.TemporaryDirectory(prefix="tabled-memory-") as folder:
        evening = Evening(name, folder)
        reference = Reference(evening)
        evening.play(memory="0")
        n = evening.counted()[0]
        dice = random.Random(7)
        jobs = [f"{k}:{times}" for k in range(1, n + 1) for times in (1, 1000000)]
        dice.shuffle(jobs)
        limits = list(range(4, 40))  # with 3 the loader finds no library
        for job in [j for pair in zip(jobs[:len(limits)], limits) for j in pair] + jobs[len(limits):]:
            if until and time.monotonic() > until:
                break
            try:
                if isinstance(job, int):
                    files += 1
                    no_descriptors(evening, reference, job)
                else:
                    allocations += 1
                    no_memory(evening, reference, job)
            except AssertionError as error:
                failed.append(str(error))
    return name, n, allocations, files, failed


def main():
    if len(sys.argv) == 3:
        with tempfile.TemporaryDirectory(prefix="tabled-memory-") as folder:
            evening = Evening(sys.argv[1], folder)
            no_memory(evening, Reference(evening), sys.argv[2])
        return 0
    until = time.monotonic() + SECONDS
    wrong = memory = descriptors = 0
    with concurrent.futures.ThreadPoolExecutor(len(GAMES)) as pool:
        for name, n, allocations, files, failed in pool.map(lambda name: work(name, until), GAMES.values()):
            print(f"{name}: {n} allocations in an evening; {allocations} times without memory, {files} limits of descriptors")
            memory, descriptors, wrong = memory + allocations, descriptors + files, wrong + len(failed)
            for text in failed[:8]:
                print("  not ok", text)
    print(f"{memory} times no memory, {descriptors} times no descriptors, {wrong} not survived")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
