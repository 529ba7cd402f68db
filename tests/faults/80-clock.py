#!/usr/bin/env python3
"""The wall clock is set, an hour on, a day back, to 1970, beyond every expiry, in each phase and step of an evening: nothing is lost,
phases are as long as ever, messages and stories keep their order, a deadline is told anew; who was known stays known, and not for
ever; the certificate is one that holds."""
import contextlib
import datetime
import hashlib
import itertools
import json
import os
import pathlib
import sqlite3
import ssl
import struct
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, DEAL, TAG, Evening, Subscriber, check, free_port, scene  # noqa: E402

T = "/api/v1/tables/main"
HOUR, DAY = 3600, 86400
PASSWORD = "correct horse battery"
SHAKE_MS = 1000  # both clocks are read one after the other
SLACK_S = 600  # of anything that is compared with the wall: a jump is an hour at least
JUMPS = (HOUR, -DAY, None, 400 * DAY, 10 * 365 * DAY)  # from the right time; None: to 1970


class Clock:
    """What the daemon takes for the time of day."""

    def __init__(self, folder):
        self.file = folder / "clock"
        self.file.write_bytes(struct.pack("=q", 0))
        self.off_us, self.offsets = 0, []
        self.next = itertools.cycle(JUMPS)

    def env(self):
        return {"LD_PRELOAD": str(BIN / "libfaulty_clock.so"), "FAULTY_CLOCK": str(self.file),
                "ASAN_OPTIONS": "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", "")}

    def set(self, off_s):
        off_us = round((-time.time() + 5) * 1000000) if off_s is None else off_s * 1000000
        with open(self.file, "r+b", buffering=0) as file:
            file.write(struct.pack("=q", off_us))
        self.off_us = off_us
        self.offsets.append(off_us)

    def jump(self):
        self.set(next(self.next))

    def now(self):
        return time.time() + self.off_us / 1000000


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class House:
    def __init__(self, daemon, broker, clock):
        self.daemon, self.clock = daemon, clock
        self.sub, self.hands = Subscriber(broker.port), daemon.hands()
        self.evening = Evening(self.hands, self.sub)
        self.cookie = None

    def phase(self, **fields):
        """Waits for the phase, sets the clock, and waits until it is told anew by the clock that is right now."""
        phase = self.evening.wait("phase", **fields)
        self.clock.jump()
        self.sub.wait(lambda m: m["topic"].endswith("/main/public/phase") and abs(seconds(m["json"]["header"]["at"]) - self.clock.now()) < SLACK_S,
                      self.evening.at)
        again = json.loads(self.daemon.request("GET", T, token=self.daemon.token("display"))[2])["phase"]
        if again["n"] == phase["n"] and again["deadline"]:
            left = seconds(again["deadline"]) - self.clock.now()
            check(-SLACK_S < left <= phase["limit_ms"] / 1000 + 1, f"{left} s left of {phase}: {again}")
        return phase

    def known(self):
        return self.daemon.request("GET", T, headers={"Cookie": self.cookie})[0] == 200

    def log_in(self):
        status, head, raw = self.daemon.request("POST", "/api/v1/session", {"name": "ada", "password": PASSWORD})
        check(status == 201, f"logged in: {status} {raw}")
        self.cookie = head["Set-Cookie"].split(";")[0]

    def again(self, off_s):
        """A restart at which the clock shows another time."""
        self.daemon.stop()
        self.clock.set(off_s)
        self.daemon.start()
        check(self.daemon.request("GET", T, token=self.daemon.token("display"))[0] == 200, "a token has no end")
        return self.known()


def certificate(port):
    pem = ssl.get_server_certificate(("127.0.0.1", port))
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(pem)
        file.flush()
        said = ssl._ssl._test_decode_cert(file.name)
    return hashlib.sha256(pem.encode()).hexdigest(), ssl.cert_time_to_seconds(said["notBefore"]), ssl.cert_time_to_seconds(said["notAfter"])


def play(it, tls):
    pem = certificate(tls)
    it.clock.jump()
    it.evening.start()
    for pad, piece in list(DEAL.items())[:4]:
        it.hands.put(pad, TAG[piece])
        it.hands.settle()
    it.clock.jump()
    for pad, piece in list(DEAL.items())[4:]:
        it.hands.put(pad, TAG[piece])
        it.hands.settle()
    it.hands.settle(20)
    it.hands.tap(TAG["start"])
    phase = it.phase(id="night")
    while phase["step"] != "900":
        phase = it.phase(id="night", step_index=phase["step_index"] + 1)
        check(it.known(), "who has logged in is known, whatever the clock shows")
    it.phase(id="day")
    it.hands.tap(TAG["done"])
    it.phase(id="vote")
    for ballot in "13 23 31 43 51".split():
        it.hands.tap(TAG[f"number-{ballot[0]}"], f"s{ballot[1]}")
        it.clock.jump()
    result = it.evening.result()
    check([s["seat"] for s in result["seats"] if s["dead"]] == ["s3"], f"every ballot counts: {result['seats']}")
    check(it.known() and certificate(tls) == pem, "the same people, the same certificate")


def in_order(it):
    """Numbers rise by the order of what happened, lengths are those of the clock that nobody sets."""
    for kinds in (("event", "narration"), ("game", "phase", "board", "seats", "violation", "result")):
        numbers = [m["json"]["header"]["seq"] for m in it.sub.seen if not m["retain"] and m["topic"].split("/main/public/")[-1] in kinds]
        check(numbers == sorted(numbers), f"{kinds}: {numbers}")
        check(kinds[0] != "event" or numbers == list(range(numbers[0], numbers[0] + len(numbers))), f"one is missing: {numbers}")
    phases = {}
    for m in it.sub.seen:
        if m["topic"].endswith("/main/public/phase"):
            phases.setdefault(m["json"]["n"], m["json"])
    check(list(phases) == sorted(phases), f"phases: {list(phases)}")
    status, _, raw = it.daemon.request("GET", T + "/timeline?limit=200", token=it.daemon.token("display"))
    events = json.loads(raw)["events"]
    said = [e["body"]["header"]["seq"] for e in events if e["topic"] in ("event", "narration")]
    check(status == 200 and said == sorted(said) and len(said) > 20, f"the timeline: {said}")
    when = [seconds(e["at"]) for e in events if "at" in e]
    check(when != sorted(when), "stamps are what the wall has shown")
    return phases


def lengths(it, phases):
    """Records rise by the clock that nobody sets; so do the steps of the night, each as long as it was told to be."""
    with contextlib.closing(sqlite3.connect(f"file:{it.daemon.folder}/state/journal.db?mode=ro", uri=True)) as db:
        rows = db.execute("select kind, mono_us, body from record order by n").fetchall()
    times = [mono for _, mono, _ in rows]
    check(times == sorted(times), f"records: {times}")
    base = (time.time() - time.monotonic()) * 1000000
    offsets = [base, *(base + off_us for off_us in it.clock.offsets)]  # one of them was the daemon's when it wrote the record
    begins = [min((json.loads(body)["starts_us"] - off for off in offsets), key=lambda at: abs(at - mono)) / 1000
              for kind, mono, body in rows if kind == "step"]
    night = [p["limit_ms"] for p in phases.values() if p["id"] == "night"]
    check(len(begins) == len(night) + 1 > 8, f"{len(begins)} steps of {len(night)}")
    long = [b - a for a, b in zip(begins, begins[1:])]
    check(all(abs(took - limit) < SHAKE_MS for took, limit in zip(long, night)), f"steps took {long} ms of {night}")
    check(abs(begins[-1] - begins[0] - sum(night)) < SHAKE_MS, f"the night took {begins[-1] - begins[0]} ms of {sum(night)}")
    return len(night)


def past_games(it):
    """Games in the order in which they were played, whatever the clock has shown."""
    began = []
    for off_s in (10 * DAY, None, 0):
        it.clock.set(off_s)
        began.insert(0, it.clock.now())
        it.daemon.ctl("again", "main")
        it.daemon.ctl("end", "main")
    status, _, raw = it.daemon.request("GET", T + "/history", token=it.daemon.token("display"))
    told = [seconds(game["started_at"]) for game in json.loads(raw)["games"]]
    check(status == 200 and len(told) == 4, f"all of them: {told}")
    check(all(abs(a - b) < SLACK_S for a, b in zip(told, began)), f"past games, the last first: {told}, not {began}")


def people(it):
    """Over a restart the wall is all there is: twelve hours are the end; a session that was begun in the future has ended."""
    check(it.again(0), "known after a restart")
    it.clock.set(-DAY)
    check(it.known(), "a clock that is set back ends nobody")
    check(not it.again(13 * HOUR), "nobody is known for ever")
    it.log_in()
    check(it.again(14 * HOUR), "who came an hour ago")
    check(not it.again(0), "who comes tomorrow is not known yet")
    it.log_in()
    check(it.known(), "and may come again")


def certificates(it, tls):
    """One that holds by a clock that may be right; by one that cannot be, what is there stays."""
    first = certificate(tls)
    it.again(None)
    check(certificate(tls) == first, "in 1970 the certificate of today stays")
    it.again(400 * DAY)
    later = certificate(tls)
    check(later != first and later[1] <= it.clock.now() < later[2], f"where it has ended there is another: {later}")
    it.again(0)
    now = certificate(tls)
    check(now != later and now[1] <= time.time() < now[2], f"one that begins in a year is none: {now}")


def main():
    tls = free_port()
    with tempfile.TemporaryDirectory(prefix="tabled-clock-") as name:
        clock = Clock(pathlib.Path(name))
        with scene(night_pace=3, env=clock.env()) as (folder, broker, daemon):
            daemon.stop()
            text = daemon.config.read_text()
            daemon.config.write_text(text.replace(f"listen = 127.0.0.1:{daemon.port}", f"listen = 127.0.0.1:{daemon.port} https://127.0.0.1:{tls}"))
            daemon.start()
            code = json.loads(daemon.ctl("pair", "--json"))["code"]
            status, head, raw = daemon.request("POST", "/api/v1/pairing/claim", {"code": code, "name": "ada", "password": PASSWORD})
            check(status == 201, f"paired: {status} {raw}")
            it = House(daemon, broker, clock)
            it.cookie = head["Set-Cookie"].split(";")[0]
            play(it, tls)
            phases = in_order(it)
            steps = lengths(it, phases)
            past_games(it)
            it.hands.close()
            it.sub.close()
            people(it)
            certificates(it, tls)
            daemon.ctl("journal", "verify", str(daemon.folder / "state" / "journal.db"))
    print(f"the clock was set {len(clock.offsets)} times in an evening of {len(phases)} phases and steps, {steps} of them as long as ever")


if __name__ == "__main__":
    main()
