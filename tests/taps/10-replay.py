#!/usr/bin/env python3
"""Recorded hands through pads, board, referee and table: the public messages are those of the .chk beside each log.

    tests/taps/10-replay.py             compare
    tests/taps/10-replay.py --rebuild   write the .chk files anew (then read the diff)
"""
import difflib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from harness import BIN, KIT, ROLES, deck_csv  # noqa: E402

EPOCH = "2026-01-01T00:00:00.000Z"  # the virtual clock begins here


def config(folder, options="ballot=tapped"):
    lines = ["[daemon]", f"state_dir = {folder}/state", "socket =", "log_level = error",
             "[table main]", "deck = kit", "game = one_night", "seats = 5", f"roles = {ROLES}", f"options = {options}", "seed = 1"]
    for reader in ("north", "south", "tap"):
        lines += [f"[reader {reader}]", "driver = replay"]
    for pad, (reader, antenna) in KIT.items():
        lines += [f"[pad {pad}]", f"reader = {reader}", f"antenna = {antenna}", f"kind = {'tap' if pad == 'tap' else 'tile'}"]
    path = folder / "tabled.conf"
    path.write_text("\n".join(lines) + "\n")
    return path


def replay(log, deck=None, options="ballot=tapped"):
    """The messages of a replay as dicts, and as the lines they were printed. Beside a log of a table of its own lie its
    configuration and its deck (NAME.conf, NAME.csv); `deck` is then the text of another deck, or None."""
    own = log.with_suffix(".conf")
    with tempfile.TemporaryDirectory(prefix="tabled-tap-") as name:
        folder = pathlib.Path(name)
        (folder / "state").mkdir()
        if own.exists():
            path = folder / "tabled.conf"
            path.write_text(own.read_text().replace("state_dir = state", f"state_dir = {folder}/state"))
            (folder / "kit.csv").write_text(deck or log.with_suffix(".csv").read_text())
        else:
            path = config(folder, options)
            (folder / "kit.csv").write_text(deck_csv(deck))
        subprocess.run([BIN / "tablectl", "enrol", "import", folder / "kit.csv", "--db", folder / "state" / "house.db"], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([BIN / "tabled", "--config", path, "--replay", log, "--virtual-clock"], capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise AssertionError(f"{log}: tabled ended with {done.returncode}\n{done.stderr[-4000:]}")
        lines = done.stdout.splitlines()
        return [json.loads(line) for line in lines], lines


def clock(text):
    """A wall time of the virtual clock as ms from the start of the log."""
    if text is None:
        return "-"
    hours, minutes, seconds = re.match(r"2026-01-01T(\d\d):(\d\d):(\d\d\.\d{3})Z", text).groups()
    return str(round((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1000))


def words(one):
    """One message in one line: all of it but the header."""
    topic, body = one["topic"], dict(one["message"])
    body.pop("header", None)
    if topic == "public/board":
        rest = " ".join(f"{p['name']}={p['level']}" + "".join(f"+{i['kind'] or '?'}" for i in p["items"]) for p in body["places"] if p["sensed"])
    elif topic == "public/phase":
        rest = (f"{body['n']} {body['id'] or '-'} {body['veil']} step={body['step'] or '-'} turn={','.join(body['turn']) or '-'} "
                f"starts={clock(body['starts_at'])} deadline={clock(body['deadline'])}" + (f" paused={body['pause_reason']}" if body["paused"] else ""))
    elif topic == "public/narration":
        rest = f"starts={clock(body['starts_at'])} " + " | ".join(f"+{line['at_ms']} {line['text']}" for line in body["lines"])
    else:
        rest = json.dumps({k: v for k, v in body.items() if v not in ("", [], 0, False, None)}, ensure_ascii=False)
        rest = re.sub(r'"2026-01-01T[0-9:.]*Z"', lambda m: clock(m[0].strip('"')), rest)
    return f"{one['ms']} {topic.removeprefix('public/')} {rest}"


def shorter(messages):
    """Of large boards what has changed alone."""
    last = {}
    for one in messages:
        if one["topic"] == "public/board":
            places = one["message"]["places"]
            body = {**one["message"], "places": [p for p in places if last.get(p["name"]) != p]}
            last.update({p["name"]: p for p in places})
            one = {**one, "message": body}
        yield one


def main():
    wrong = 0
    for log in sorted(HERE.glob("*.tap")):
        if log.stem == "noise":
            continue  # pads alone, no table: tests/unit/board
        messages = replay(log)[0]
        got = [words(m) for m in (shorter(messages) if log.with_suffix(".conf").exists() else messages)]
        chk = log.with_suffix(".chk")
        if "--rebuild" in sys.argv:
            chk.write_text("\n".join(got) + "\n")
            continue
        want = chk.read_text().splitlines()
        if want != got:
            wrong += 1
            print(f"{log.name}: other messages than {chk.name}")
            print("\n".join(difflib.unified_diff(want, got, "expected", "got", lineterm="", n=2)))
        else:
            print(f"{log.name}: {len(got)} messages as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
