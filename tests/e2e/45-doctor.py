#!/usr/bin/env python3
"""Readers in numbers and the doctor, with a daemon and without: pass where all is well, the remedy where not."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, ROLES, TAG, check, scene  # noqa: E402


def doctor(daemon, code):
    done = subprocess.run([str(BIN / "tablectl"), "--socket", str(daemon.socket), "doctor", str(daemon.config), "--json"],
                          capture_output=True, text=True, timeout=LIMIT_S)
    check(done.returncode == code, f"doctor: exit {done.returncode}\n{done.stdout}{done.stderr}")
    check(not any(tag in done.stdout for tag in TAG.values()), "no tag id is told")
    rows = json.loads(done.stdout)
    check(all(row["remedy"] for row in rows if row["result"] == "fail"), f"every failure has its remedy: {rows}")
    return rows


def results(rows, name):
    return [row["result"] for row in rows if row["check"] == name]


def one(rows, name, result, text):
    found = [row for row in rows if row["check"] == name]
    check(any(row["result"] == result and text in row["text"] for row in found), f"{name} {result} {text}: {found}")


def running(daemon, broker):
    hands = daemon.hands()
    hands.put("s1", TAG["seer"])
    hands.settle(60)
    rows = doctor(daemon, 0)
    for name in "configuration", "daemon", "reader north", "reader south", "reader tap", "broker", "disk space", "disk sync", "rights":
        check("fail" not in results(rows, name) and results(rows, name), f"{name}: {rows}")
    one(rows, "broker", "pass", "connected")
    check(results(rows, "file mode").count("pass") >= 3, f"state folder, journal and tokens are private: {rows}")
    text = daemon.ctl("readers")
    check("scans a second" in text and "last tag" in text and "0 failed" in text, f"numbers: {text}")
    numbers = json.loads(daemon.ctl("readers", "--json"))["numbers"]
    north = next(row for row in numbers if row["name"] == "north")
    check(north["scans"] > north["seen"] > 0 and north["last_seen"], f"counted: {north}")
    hands.close()
    rows = doctor(daemon, 0)  # hands that go leave what lies there
    broker.stop()
    while json.loads(daemon.request("GET", "/readyz")[2])["broker"] != "away":
        pass
    one(doctor(daemon, 1), "broker", "fail", "not connected")
    broker.start()


def stopped(daemon):
    rows = doctor(daemon, 0)
    one(rows, "daemon", "note", "does not run")
    one(rows, "reader north", "note", "while the daemon runs")
    state = daemon.folder / "state"
    (state / "tokens.json").chmod(0o644)
    state.chmod(0o755)
    rows = doctor(daemon, 1)
    check(results(rows, "file mode").count("fail") == 2, f"what others may read is told: {rows}")
    (state / "tokens.json").chmod(0o600)
    state.chmod(0o700)
    daemon.config.write_text(daemon.config.read_text().replace("deck = kit", "dekc = kit"))
    one(doctor(daemon, 1), "configuration", "fail", "did you mean")


def many(folder):
    """The house of a cafe has more to note than is kept, and is right all the same."""
    deep = folder / ("a-house-with-many-tables-" * 5)  # its line alone is longer than what is free behind the notes
    deep.mkdir()
    lines = ["[daemon]", f"state_dir = {deep}", "[reader r]", "driver = sim", f"socket = {folder}/r.sock"]
    for i in range(45):
        lines += [f"[table t{i:02}]", "game = one_night", "seats = 5", f"roles = {ROLES}", f"[pad t{i:02}-s1]", f"table = t{i:02}", "reader = r", f"antenna = {i}"]
    (deep / "tabled.conf").write_text("\n".join(lines) + "\n")
    done = subprocess.run([str(BIN / "tablectl"), "--socket", str(folder / "nobody"), "doctor", str(deep / "tabled.conf"), "--json"],
                          capture_output=True, text=True, timeout=LIMIT_S)
    one(json.loads(done.stdout), "configuration", "pass", "45 tables")


def main():
    with scene() as (_, broker, daemon):
        running(daemon, broker)
        daemon.stop()
        stopped(daemon)
        many(daemon.folder)
    print("the doctor finds what is wrong and says what to do")


main()
