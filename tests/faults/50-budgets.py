#!/usr/bin/env python3
"""What an evening costs the card and what an idle table costs the machine: at most one sync for what was accepted, one a step in the
dark however many hands move, none while idle; few wake-ups; a reader that fails all the time fills no log (B102)."""
import os
import pathlib
import re
import sys
import tempfile
import time

import evenings
import harness
from evenings import FAST, GAMES, Evening, check
from harness import scene

IDLE_S = 20 if os.environ.get("TESTS_LONG") == "1" else 4
NIGHT, DAY = 30085, 188585  # of the recorded evening: tests/taps/storyboard.py


def syncs(evening, log):
    run = evening.play(log=log)
    check(run.code == 0, run.words[-2000:])
    return evening.counted()[2], evening.records()


def until(evening, ms):
    """The evening up to a moment."""
    lines = [line for line in evening.log.read_text().splitlines() if line.startswith("#") or int(line.split()[0]) <= ms]
    reader = next(line.split()[1] for line in lines if not line.startswith("#"))
    cut = evening.folder / f"until-{ms}.tap"
    cut.write_text("\n".join([*lines, f"{ms} {reader} 0 up"]) + "\n")
    return cut


def whole_evenings(folder):
    for name in GAMES.values():
        evening = Evening(name, folder)
        start, _ = syncs(evening, evening.rest)  # a journal made, no game
        all_of_it, records = syncs(evening, evening.log)
        # A checkpoint when the log is long is two more.
        spare = 2 * (1 + len(records) // 50)
        check(all_of_it - start <= len(records) + spare, f"{name}: {all_of_it - start} syncs for {len(records)} records")
        print(f"{name}: {len(records)} records, {all_of_it - start} syncs")


def the_dark(folder):
    """By day a record is one sync, or fewer where they come faster than the disk; the night adds one a step."""
    evening = Evening("one-night-kit", pathlib.Path(folder) / "dark")
    start, _ = syncs(evening, evening.rest)
    _, was = syncs(evening, until(evening, NIGHT + 10))
    all_of_it, records = syncs(evening, until(evening, DAY + 10))
    night = records[len(was):]
    steps = sum(kind == "step" for _, kind, _, _ in night)
    check(steps >= 14, f"{steps} steps")
    check(len(night) > steps + 2, f"hands have moved in the night: {len(night)} records")
    check(all_of_it - start <= len(was) + steps + 2, f"{all_of_it - start} syncs for {len(was)} records by day and {steps} steps")
    print(f"until the day: {len(was)} records, {steps} steps in the dark with {len(night)} records, {all_of_it - start} syncs")


def switches(pid):
    return sum(int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (task / "status").read_text(), re.M)[1])
               for task in pathlib.Path(f"/proc/{pid}/task").iterdir())


def counted(path):
    raw = path.read_bytes()
    return [int.from_bytes(raw[i:i + 8], sys.byteorder) for i in range(0, len(raw), 8)]


def idle():
    """A daemon with a broker, three readers that tell nothing new, a table at rest."""
    harness.BIN = FAST
    counts = pathlib.Path(tempfile.mkstemp(prefix="tabled-counts-")[1])
    try:
        with scene(env=evenings.sanitized({"LD_PRELOAD": str(FAST / "libfaulty_disk.so"), "FAULTY_DISK_COUNT": str(counts)})) as (_, _, daemon):
            daemon.request("GET", "/healthz")
            pid, end = daemon.process.pid, time.monotonic() + 10
            before = counted(counts)
            while True:  # what the start and the list of pieces began is written by now
                time.sleep(1)
                now = counted(counts)
                if now == before or time.monotonic() > end:
                    break
                before = now
            woken, begun = switches(pid), time.monotonic()
            time.sleep(IDLE_S)  # what is measured is that nothing happens
            took, woken = time.monotonic() - begun, switches(pid) - woken
            check(counted(counts) == before, f"writes while idle: {before} then {counted(counts)}")
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
            kb = int(re.search(r"^VmRSS:\s*(\d+)", status, re.M)[1])
            print(f"idle: {kb / 1024:.1f} MiB, {woken / took:.1f} wake-ups a second, 0 syncs in {took:.0f} s")
            check(woken / took < 20, "an idle daemon sleeps")
    finally:
        counts.unlink()


def flood(folder):
    """An hour of a reader that fails twenty times a second."""
    evening = Evening("one-night-kit", pathlib.Path(folder) / "flood")
    lines = ["# tabled tap log: an antenna that fails", "0 north 0 up"]
    lines += [f"{50 * i} north 0 {('failed', 'none', 'collided')[i % 3]}" for i in range(1, 72001)]
    log = evening.folder / "flood.tap"
    log.write_text("\n".join(lines) + "\n")
    evening.conf.write_text(evening.conf.read_text().replace("log_level = error", "log_level = info"))
    run = evening.play(log=log)
    check(run.code == 0, run.words[-2000:])
    check(len(run.words) < 65536, f"{len(run.words)} bytes of log in an hour of failures")
    check(len(run.messages) < 2000, f"{len(run.messages)} messages in an hour of failures")
    print(f"an hour of failures: {len(run.words)} bytes of log, {len(run.messages)} messages")


def main():
    with tempfile.TemporaryDirectory(prefix="tabled-budgets-") as folder:
        whole_evenings(folder)
        the_dark(folder)
        flood(folder)
    idle()


if __name__ == "__main__":
    main()
