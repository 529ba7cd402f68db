#!/usr/bin/env python3
"""The disk takes no more in the middle of an evening: the table falls back to what it announced, says so and waits."""
import json
import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TAG, Evening, Subscriber, check, scene  # noqa: E402


def main():
    with scene(night_pace=2) as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        hands = daemon.hands()
        evening = Evening(hands, sub)
        evening.start()
        evening.deal()
        hands.tap(TAG["start"])
        evening.wait("phase", id="day")
        hands.tap(TAG["done"])
        told = evening.wait("phase", id="vote")
        evening.hands.tap(TAG["number-1"], "s3")
        evening.wait("event", event="action")
        # The journal, and whatever is larger, grows no more: what a full disk does, without one.
        soft = (daemon.folder / "state" / "journal.db-wal").stat().st_size
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (soft, resource.RLIM_INFINITY))
        for voter in "2345" * 40:
            before = len(sub.seen)
            hands.tap(TAG[f"number-{voter}"], "s1" if voter != "1" else "s2")
            if any(m.get("json", {}).get("event") == "paused" and m["json"]["reason"] == "disk" for m in sub.seen[before:]):
                break
        evening.wait("event", event="paused", reason="disk")
        status, _, raw = daemon.request("POST", "/api/v1/tables/main/control", {"do": "resume"}, daemon.token("operator"))
        check(status == 503 and json.loads(raw)["code"] == "storage", f"no actions without a disk: {status} {raw}")
        status, _, raw = daemon.request("GET", "/readyz")
        check(status == 503, "not ready without a disk")
        view = json.loads(daemon.ctl("status", "main", "--json"))
        counters = {c["seat"]: c["value"] for c in view["seats"]["counters"] if c["name"] == "vote"}
        announced = [m["json"]["action"][0] for m in sub.seen if m.get("json", {}).get("event") == "action"]
        check(counters.get("s1") == 3, f"the announced ballot stays: {counters}")
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        daemon.stop(expect=None)
        hands.close()
        daemon.start()
        view = json.loads(daemon.ctl("status", "main", "--json"))
        check(view["phase"]["n"] == told["n"] and view["phase"]["paused"], f"it comes back at the announced phase: {view['phase']}")
        last = {}
        for action in announced:
            last[action["by"]] = action["args"].get("a")
        now = {c["seat"]: f"s{c['value']}" for c in view["seats"]["counters"] if c["name"] == "vote"}
        check(all(now.get(seat) == target for seat, target in last.items()), f"announced {last}, there {now}")
        sub.close()
    print("a full disk loses nothing that was announced")


if __name__ == "__main__":
    main()
