#!/usr/bin/env python3
"""The hand of the desk (clients/desk): what it remembers may be older than the configuration, or damaged."""
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import ROOT, check  # noqa: E402


def hand(folder, *words):
    return subprocess.run([sys.executable, str(folder / "hand"), *words], capture_output=True, text=True, timeout=30)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "desk"
        shutil.copytree(ROOT / "clients" / "desk", folder, ignore=shutil.ignore_patterns("state", "hands", "*.sock"))
        (folder / "state").mkdir()
        lies = folder / "state" / "lies.json"
        reader = socket.socket(socket.AF_UNIX)
        reader.bind(str(folder / "hands"))
        reader.listen(8)
        lies.write_text(json.dumps({"s1": ["seer", "ghost"], "s9": ["robber"]}))
        done = hand(folder, "put", "s2", "werewolf-1")
        check(done.returncode == 0 and "Traceback" not in done.stderr, f"goes on: {done.stderr}")
        check("s9" in done.stderr and "tabled.conf" in done.stderr and "ghost" in done.stderr and "kit.csv" in done.stderr, f"and says what is gone: {done.stderr}")
        check(json.loads(lies.read_text()) == {"s1": ["seer"], "s2": ["werewolf-1"]}, f"once: {lies.read_text()}")
        check(hand(folder, "show").stdout == "s1  seer\ns2  werewolf-1\n" and not hand(folder, "show").stderr, "then it is quiet")
        for text in ("{", "[]", '{"s1": "seer"}', '{"s1": [["seer"]]}'):
            lies.write_text(text)
            done = hand(folder, "show")
            check(done.returncode == 1 and "Traceback" not in done.stderr and str(lies) in done.stderr and "remove it" in done.stderr, f"{text}: {done.stderr}")
    print("the hand of the desk knows what it may forget")


if __name__ == "__main__":
    main()
