#!/usr/bin/env python3
"""kill -9 at seeded moments of an evening: nothing announced is lost, and the evening is finished after the restart.

    tests/faults/10-kill9.py [--seed N]    one kill with this seed
"""
import concurrent.futures
import json
import os
import pathlib
import random
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import DEAL, LIMIT_S, TAG, Subscriber, check, on, scene  # noqa: E402

KILLS = 500 if os.environ.get("TESTS_LONG") == "1" else 32  # evenings at the pads; 12-every-write and 13-every-phase kill the recorded ones
EVENING_S = 11.0  # about what an evening at this pace takes; later moments fall into the result
BALLOTS = {"1": "3", "2": "3", "3": "1", "4": "3", "5": "1"}


class Player:
    """Plays on from whatever the table says, also after a restart."""

    def __init__(self, daemon, broker, on_pad=None):
        self.sub = Subscriber(broker.port)
        self.hands = daemon.hands()
        if on_pad:
            with self.hands.lock:
                self.hands.on_pad.update(on_pad)
        self.stop = threading.Event()

    def latest(self, topic):
        with self.sub.cond:
            for message in reversed(self.sub.seen):
                if message["topic"].endswith("/main/public/" + topic):
                    return message.get("json")
        return None

    def wait(self, want, limit=LIMIT_S):
        """Until want() is true; woken by every message."""
        end = time.monotonic() + limit
        with self.sub.cond:
            while not self.stop.is_set():
                if want():
                    return True
                check(time.monotonic() < end, f"waited in vain at {self.latest('phase')}")
                self.sub.cond.wait(0.25)
        return False

    def phase(self):
        return (self.latest("phase") or {}).get("id")

    def play(self):
        self.wait(lambda: self.latest("phase") is not None)
        if not self.phase() and not self.stop.is_set():
            self.hands.tap(TAG["start"])
            self.wait(lambda: self.phase() == "deal")
        if self.phase() == "deal" and not self.stop.is_set():
            for pad, piece in DEAL.items():
                if not self.hands.on_pad[pad] and not self.stop.is_set():
                    self.hands.put(pad, TAG[piece])
                    self.hands.settle()
            self.hands.settle(10)
            self.hands.tap(TAG["start"])
            self.wait(lambda: self.phase() != "deal")
        while self.phase() == "night" and not self.stop.is_set():
            step = self.latest("phase")["step"]
            if step == "600":
                self.hands.swap("s3", "s1")
            if step == "700":
                self.hands.swap("s1", "s5")
            self.wait(lambda: self.phase() != "night" or self.latest("phase")["step"] != step)
        if self.phase() == "day" and not self.stop.is_set():
            self.hands.tap(TAG["done"])
            self.wait(lambda: self.phase() != "day")
        while self.phase() == "vote" and not self.stop.is_set():
            for voter, seat in BALLOTS.items():
                if self.phase() == "vote" and not self.stop.is_set():
                    self.hands.tap(TAG[f"number-{voter}"], f"s{seat}")
            with self.sub.cond:
                self.sub.cond.wait(2.5)
        self.wait(lambda: (self.latest("result") or {}).get("over"))

    def close(self):
        self.hands.close()
        self.sub.close()


def votes(seats):
    return {c["seat"]: c["value"] for c in (seats or {}).get("counters", []) if c["name"] == "vote"}


def run(seed):
    dice = random.Random(seed)
    moment = dice.uniform(0.05, EVENING_S)
    with scene(night_pace=2) as (folder, broker, daemon):
        player = Player(daemon, broker)
        thread = threading.Thread(target=lambda: catch(player.play), daemon=True)
        thread.start()
        thread.join(moment)  # the moment of the kill is an input of this test
        daemon.kill()
        player.stop.set()
        with player.sub.cond:
            player.sub.cond.notify_all()
        thread.join(LIMIT_S)
        player.sub.wait(on("/daemon/status", state="lost"))
        before = {topic: player.latest(topic) for topic in ("game", "phase", "seats", "result")}
        on_pad = {pad: list(tags) for pad, tags in player.hands.on_pad.items()}
        for tags in on_pad.values():  # a control or token in the hand is put away
            tags[:] = [t for t in tags if t in {TAG[p] for p in DEAL.values()}]
        player.close()

        daemon.start()
        view = json.loads(daemon.ctl("status", "main", "--json"))
        told, game = before["phase"] or {}, before["game"] or {}
        if game.get("game") and game["status"] != "idle":
            check(view["game"]["header"]["game_id"] == game["header"]["game_id"] or view["header"]["game_id"] == game["header"]["game_id"],
                  f"the announced game is there: {view['game']}")
            check(view["phase"]["n"] >= told["n"], f"announced phase {told['n']}, came back at {view['phase']['n']}")
            for seat, target in votes(before["seats"]).items():
                if view["phase"]["id"] == "vote" and told.get("id") == "vote":
                    check(seat in votes(view["seats"]), f"the announced ballot of {seat} is there")
            if (before["result"] or {}).get("over"):
                check(view["result"]["over"], "an announced result stays")
        if view["game"]["status"] == "running":
            check(view["phase"]["paused"] and view["phase"]["pause_reason"] == "restart", f"it came back paused: {view['phase']}")
        player = Player(daemon, broker, on_pad)
        player.hands.settle(10)
        if view["game"]["status"] == "running":
            daemon.ctl("resume", "main")
            player.wait(lambda: not (player.latest("phase") or {"paused": True})["paused"])
        player.play()
        check(player.latest("result")["over"], "the evening was finished")
        daemon.ctl("journal", "verify", str(daemon.folder / "state" / "journal.db"))
        player.close()
    return moment, told.get("id"), told.get("step")


def catch(play):
    try:
        play()
    except (AssertionError, OSError, TypeError, KeyError):
        pass  # the daemon is being killed under it


def main():
    if "--seed" in sys.argv:
        print(run(int(sys.argv[sys.argv.index("--seed") + 1])))
        return 0
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        jobs = {pool.submit(run, seed): seed for seed in range(1, KILLS + 1)}
        for job in concurrent.futures.as_completed(jobs):
            try:
                moment, phase, step = job.result()
                print(f"seed {jobs[job]}: killed after {moment:.2f} s in {phase or 'idle'} {step or ''}: finished")
            except Exception as error:  # noqa: BLE001 - every fault is counted and told
                failed += 1
                print(f"seed {jobs[job]}: {error}")
    print(f"{KILLS - failed} of {KILLS} evenings survived")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
