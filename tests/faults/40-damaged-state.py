#!/usr/bin/env python3
"""What is stored is damaged, foreign, unreadable or in the way: a clear sentence, exit code 3 or 4, and nothing overwritten.

    tests/faults/40-damaged-state.py [--seed N]
"""
import contextlib
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, TAG, Evening, Subscriber, check, scene  # noqa: E402

ROUNDS = 400 if os.environ.get("TESTS_LONG") == "1" else 40


def prints(folder):
    """What lies in a folder: names and bytes, without the files that an opened database makes beside itself."""
    return {str(f.relative_to(folder)): f.read_bytes() if f.is_file() else b"/" for f in sorted(folder.rglob("*"))
            if not f.name.endswith(("-wal", "-shm", "-journal"))}


def begin(config):
    """Exit code and words of a start that either fails or gets ready and is then ended."""
    daemon = subprocess.Popen([BIN / "tabled", "--config", config], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    said = []
    for line in daemon.stdout:
        said.append(line)
        if "ready version=" in line:
            daemon.terminate()
    code = daemon.wait(LIMIT_S)
    ready = any("ready version=" in line for line in said)
    text = "".join(said)
    check("ERROR: " not in text and "runtime error" not in text, text[-6000:])
    return ready, code, text


def sealed(folder):
    """Everything is in the files themselves, no write-ahead log beside them."""
    for name in ("journal.db", "house.db"):
        with contextlib.closing(sqlite3.connect(folder / name)) as db:
            db.execute("pragma wal_checkpoint(truncate)")


# Damage: (state folder, dice) -> what is expected: exit codes; 0 = it may start, too.
def cut(name):
    def act(state, dice):
        data = (state / name).read_bytes()
        (state / name).write_bytes(data[:dice.randrange(len(data))])
        return (0, 4)
    return act


def garbled(name):
    def act(state, dice):
        data = bytearray((state / name).read_bytes())
        for _ in range(dice.choice([1, 8, 200])):
            data[dice.randrange(len(data))] = dice.randrange(256)
        (state / name).write_bytes(data)
        return (0, 4)
    return act


def noise(name):
    def act(state, dice):
        (state / name).write_bytes(dice.randbytes(dice.choice([1, 100, 5000, 70000])))
        return (4,)
    return act


def a_folder(name):
    def act(state, dice):
        (state / name).unlink()
        (state / name).mkdir()
        return (4,)
    return act


def statement(name, *lines):
    def act(state, dice):
        with contextlib.closing(sqlite3.connect(state / name)) as db, db:
            db.execute(dice.choice(lines))
        return (0, 4)
    return act


def tokens(text):
    def act(state, dice):
        (state / "tokens.json").write_text(text)
        return (3, 4)
    return act


DAMAGE = {
    "journal cut": cut("journal.db"), "journal garbled": garbled("journal.db"), "journal noise": noise("journal.db"), "journal a folder": a_folder("journal.db"),
    "journal rows": statement("journal.db", "delete from record where n = 3", "delete from record where n > 4", "update record set body = '{' where n = 2",
                              "update record set body = '{}' where n = 1", "update record set kind = 'act' where n = 1", "update record set game = 'chess'",
                              "update record set tbl = 'other' where n = 2", "update record set n = n + 1", "delete from record where n = 1",
                              "update record set body = null", "update record set kind = 'start'", "update record set by = 's99'",
                              "update record set body = replace(body, '\"', '')", "drop table record", "pragma user_version = 99",
                              "update record set mono_us = -9223372036854775808", "update record set wall_us = 9223372036854775807"),
    "house cut": cut("house.db"), "house garbled": garbled("house.db"), "house noise": noise("house.db"), "house a folder": a_folder("house.db"),
    "house rows": statement("house.db", "drop table piece", "drop table tag", "update piece set kind = ''", "update piece set name = 'A B'", "update tag set id = 'XYZ'",
                            "pragma user_version = 99", "delete from tag"),
    "tokens empty": tokens(""), "tokens text": tokens("hello"), "tokens cut": tokens('{"tokens":[{"role":"adm'), "tokens list": tokens("[1,2]"),
    "tokens other": tokens('{"tokens":[{"role":"king","seat":"","token":"gt_x"}]}'), "tokens deep": tokens("[" * 100000),
}


def one(config, saved, state, name, dice):
    shutil.rmtree(state)
    shutil.copytree(saved, state)
    try:
        may = DAMAGE[name](state, dice)
    except sqlite3.Error:
        return  # this version has no such table
    before = prints(state)
    ready, code, text = begin(config)
    what = f"{name}: {'ready' if ready else 'not ready'}, exit {code}\n{text[-1500:]}"
    if ready:
        check(0 in may and code == 0, what)
        return
    check(code in may and code, what)
    check(len([line for line in text.splitlines() if line.startswith("tabled: ")]) == 1, f"one sentence says why: {what}")
    check(not any(tag in text for tag in TAG.values()), f"no tag is named: {what}")
    after = prints(state)
    changed = {k for k in before if after.get(k) != before[k] and (k != "journal.db" or name.startswith("journal"))}  # a game restored is paused
    check(not changed, f"overwritten: {changed}; {what}")


def in_the_way(config, saved, state):
    """A state folder that cannot be made, is a file, or may only be read."""
    for build in ("file", "dangling"):
        shutil.rmtree(state, ignore_errors=True)
        if build == "file":
            state.write_text("mine")
        else:
            state.symlink_to("/nowhere/at/all")
        ready, code, text = begin(config)
        check(not ready and code == 4 and "state" in text, f"{build}: {code} {text}")
        check(build != "file" or state.read_text() == "mine", "the file is left alone")
        state.unlink()
    shutil.copytree(saved, state)


def main():
    first = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else 0
    with scene(night_pace=2) as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        hands = daemon.hands()
        evening = Evening(hands, sub)
        evening.start()
        evening.deal()
        hands.tap(TAG["start"])
        evening.wait("phase", id="day")
        daemon.stop()
        hands.close()
        sub.close()
        state, saved = daemon.folder / "state", daemon.folder / "saved"
        sealed(state)
        shutil.copytree(state, saved)
        ready, code, text = begin(daemon.config)
        check(ready and code == 0, f"undamaged it starts: {text}")
        failed, names = 0, list(DAMAGE)
        for seed in range(first, first + 1 if "--seed" in sys.argv else ROUNDS):
            name = names[seed % len(names)]
            try:
                one(daemon.config, saved, state, name, random.Random(seed))
            except AssertionError as error:
                failed += 1
                print(f"not ok seed {seed}: {error}", flush=True)
        in_the_way(daemon.config, saved, state)
        check(not failed, f"{failed} of {ROUNDS} failed")
        daemon.start()
    print(f"{ROUNDS} damaged folders, nothing overwritten")


if __name__ == "__main__":
    main()
