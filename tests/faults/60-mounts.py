#!/usr/bin/env python3
"""A disk of its own for the state: full in the middle of an evening, mounted read-only at a start, and back again. In a mount
namespace of its own; where that is not allowed, nothing is tried."""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from evenings import begin  # noqa: E402
from harness import BIN, LIMIT_S, TAG, Evening, Subscriber, check, scene  # noqa: E402


def mount(*words):
    subprocess.run(["mount", *words], check=True, capture_output=True)


def inside():
    with scene(night_pace=2) as (folder, broker, daemon):
        daemon.stop()
        state, kept = daemon.folder / "state", daemon.folder / "kept"
        state.rename(kept)
        state.mkdir()
        mount("-t", "tmpfs", "-o", "size=24m,mode=0700", "tmpfs", str(state))
        subprocess.run(["cp", "-a", f"{kept}/.", str(state)], check=True)
        daemon.start()
        sub = Subscriber(broker.port)
        hands = daemon.hands()
        evening = Evening(hands, sub)
        evening.start()
        evening.deal()
        hands.tap(TAG["start"])
        evening.wait("phase", id="day")
        hands.tap(TAG["done"])
        told = evening.wait("phase", id="vote")
        filler = state / "filler"
        try:
            with open(filler, "wb", buffering=0) as file:
                while True:
                    file.write(b"x" * 4096)
        except OSError:
            pass
        for voter in "2345" * 40:
            before = len(sub.seen)
            hands.tap(TAG[f"number-{voter}"], "s1")
            if any(m.get("json", {}).get("event") == "paused" and m["json"]["reason"] == "disk" for m in sub.seen[before:]):
                break
        evening.wait("event", event="paused", reason="disk")
        announced = {}
        for m in sub.seen:
            if m["topic"].endswith("/main/public/event") and m.get("json", {}).get("event") == "action":
                announced[m["json"]["action"][0]["by"]] = m["json"]["action"][0]["args"].get("a")
        status, _, raw = daemon.request("POST", "/api/v1/tables/main/control", {"do": "resume"}, daemon.token("operator"))
        check(status == 503 and json.loads(raw)["code"] == "storage", f"no actions without a disk: {status} {raw}")
        daemon.stop(expect=None)
        hands.close()
        ready, code, words = begin(BIN / "tabled", daemon.config, LIMIT_S)
        check(ready or code == 4 and "state" in words, f"a full disk at the start: {code} {words}")
        filler.unlink(missing_ok=True)
        mount("-o", "remount,ro", str(state))
        ready, code, words = begin(BIN / "tabled", daemon.config, LIMIT_S)
        check(not ready and code == 4, f"a read-only disk at the start: {ready} {code} {words[-1500:]}")
        check(len([line for line in words.splitlines() if line.startswith("tabled: ")]) == 1, f"one sentence says why: {words}")
        mount("-o", "remount,rw", str(state))
        daemon.start()
        view = json.loads(daemon.ctl("status", "main", "--json"))
        check(view["phase"]["n"] == told["n"] and view["phase"]["paused"], f"it comes back at the announced phase: {view['phase']}")
        now = {c["seat"]: f"s{c['value']}" for c in view["seats"]["counters"] if c["name"] == "vote" and c["value"]}
        check(all(now.get(seat) == target for seat, target in announced.items()), f"announced {announced}, there {now}")
        sub.close()
        daemon.stop()
        subprocess.run(["umount", "-l", str(state)], check=True)
    print("a full and a read-only disk were survived")


def main():
    if "--inside" in sys.argv:
        inside()
        return 0
    unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
    if subprocess.run([*unshare, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode:
        print("no mount namespaces here: not tried")
        return 0
    return subprocess.run([*unshare, sys.executable, __file__, "--inside"]).returncode


if __name__ == "__main__":
    sys.exit(main())
