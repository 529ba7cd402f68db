#!/usr/bin/env python3
"""A night through the real daemon, the robber at a seat or in the centre: MQTT, SSE and REST say the same bytes at the same times.

What is random by itself (boot, game and client ids) and what the clock of the wall stamps is put in order first; then every
byte is compared, and every time on the grid of the night.
"""
import json
import pathlib
import re
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import DEAL, TAG, Evening, Subscriber, check, scene  # noqa: E402

PAIRS = {
    "robber at seat 3": DEAL,
    "robber in the centre": dict(DEAL, s3="drunk", c2="robber"),
    "werewolf in the centre": dict(DEAL, s1="minion", c3="werewolf-1"),
}
GRID_S = 0.2  # a moment may differ by a scan, a sync and the scheduler, never by a step


def plain(raw, first, count):
    """Bytes without what differs by chance: ids; times become ms from the begin of the night, and messages are counted from it:
    how many boards a deal makes is the pace of hands and readers."""
    text = raw.decode()
    text = re.sub(r'"boot_id":"[0-9a-f]{16}"', '"boot_id":"B"', text)
    text = re.sub(r'"seq":(\d+)', lambda match: f'"seq":{int(match[1]) - count}' if int(match[1]) >= count else '"seq":"before"', text)
    text = re.sub(r'"game_id":"[0-9a-f]*"', '"game_id":"G"', text)

    def ms(match):
        h, m, s = int(match[1]), int(match[2]), float(match[3])
        return f'"+{round((h * 3600 + m * 60 + s) * 1000 - first)}"'
    return re.sub(r'"20\d\d-\d\d-\d\dT(\d\d):(\d\d):(\d\d\.\d{3})Z"', ms, text)


def clock_ms(text):
    h, m, s = re.search(r"T(\d\d):(\d\d):(\d\d\.\d{3})Z", text).groups()
    return (int(h) * 3600 + int(m) * 60 + float(s)) * 1000


def relative(plain_text):
    """Times to the grid: a commit shifts a moment by some ms. What was before the night depends on people's pace."""
    return re.sub(r'"\+(-?\d+)"', lambda m: '"before"' if int(m[1]) < -125 else f'"+{round(int(m[1]) / 250)}"', plain_text)


def told(topic):
    """Two rows of numbers: what is said (events, narration), and what is (the other messages)."""
    return topic.endswith(("event", "narration"))


def of_the_night(raw):
    """The timeline from the begin of the night on, one line an entry, what is said counted from there."""
    events = json.loads(raw)["events"]
    begin = next(i for i, e in enumerate(events) if e["topic"] == "phase" and e["body"]["id"] == "night")
    phase, said = (next(e["body"]["header"]["seq"] for e in events[begin:] if told(e["topic"]) == kind) for kind in (False, True))
    for e in events[begin:]:
        if told(e["topic"]):
            e["body"]["header"]["seq"] += phase - said
    return "\n".join(json.dumps({"topic": e["topic"], "body": e["body"]}, separators=(",", ":")) for e in events[begin:]).encode()


def numbers(raw):
    """Metrics but those of the connections that asked, and of readers: they count until the night what hands did by day."""
    return b"\n".join(line for line in raw.splitlines() if not line.startswith((b"#", b"tabled_http_", b"tabled_reader_")))


# What an admin may read beside the view: nothing of it moves with what hands do in the dark.
BESIDE = [("/api/v1/tables/main/timeline?limit=200", of_the_night), ("/api/v1/tables/main/history", bytes), ("/api/v1/stats", bytes),
          ("/api/v1/tables/main/map", bytes), ("/api/v1/tables/main/violations", bytes), ("/api/v1/logs?level=debug&after={log}", bytes),
          ("/metrics", numbers)]


class Poller(threading.Thread):
    """Asks the public view after each step has begun, as a dashboard does."""

    def __init__(self, daemon, stream):
        super().__init__(daemon=True)
        self.house, self.stream, self.views, self.beside = daemon, stream, {}, {}
        self.admin = daemon.token("admin")
        self.log = 0

    def look_beside(self):
        ret = []
        for path, part in BESIDE:
            status, _, raw = self.house.request("GET", path.replace("{log}", str(self.log)), token=self.admin)
            check(status == 200, f"{path}: {status} {raw[:200]}")
            ret.append(part(raw))
        return ret

    def run(self):
        at = self.stream.wait(lambda e: e["topic"] == "/phase" and e["json"]["id"] == "night", 0)
        lines = json.loads(self.house.request("GET", "/api/v1/logs", token=self.admin)[2])["lines"]
        self.log = lines[-1]["n"]  # what hands did by day is in the log
        at -= 1
        while True:
            at = self.stream.wait(lambda e: e["topic"] == "/phase" and e["json"]["id"] in ("night", "day"), at)
            phase = self.stream.seen[at - 1]["json"]
            status, headers, raw = self.house.request("GET", "/api/v1/tables/main", token=self.house.token("display"))
            other, _, none = self.house.request("GET", "/api/v1/tables/main", token=self.house.token("display"), headers={"If-None-Match": headers["ETag"]})
            refused = self.house.request("POST", "/api/v1/tables/main/control", {"do": "undo"}, self.house.token("operator"))
            if phase["id"] == "day":
                return
            self.beside[phase["step_index"]] = self.look_beside()
            self.views[phase["step_index"]] = (status, sorted((k, v) for k, v in headers.items() if k not in ("Date", "ETag")), raw, other, none, refused[0], refused[2])


def night(deal):
    with scene(night_pace=5) as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        stream = daemon.stream()
        hands = daemon.hands()
        evening = Evening(hands, sub, deal=deal)
        evening.start()
        evening.deal()
        if deal is DEAL:  # one board more by day must not matter
            hands.take("c1")
            hands.settle(20)
            hands.put("c1", TAG[deal["c1"]])
        hands.settle(20)
        poller = Poller(daemon, stream)
        poller.start()
        hands.tap(TAG["start"])
        evening.wait("phase", step="600")
        if deal["s3"] == "robber":
            hands.swap("s3", "s1")
        else:
            hands.settle(12)
        evening.wait("phase", step="700")
        hands.swap("s1", "s5")
        evening.wait("phase", id="day")
        poller.join(60)
        stream.wait(lambda e: e["topic"] == "/phase" and e["json"]["id"] == "day")

        begins = next(m for m in sub.seen if m.get("json", {}).get("id") == "night" and m["topic"].endswith("/phase"))["json"]
        zero = clock_ms(begins["starts_at"])

        def cut(seen, key):
            first = next(i for i, m in enumerate(seen) if m["topic"].endswith("/phase") and m.get("json", {}).get("id") == "night")
            last = next(i for i, m in enumerate(seen) if m["topic"].endswith("/phase") and m.get("json", {}).get("id") == "day")
            begin = seen[first]["at"]
            counts = {kind: next(m["json"]["header"]["seq"] for m in seen[first:] if "json" in m and told(m[key]) == kind) for kind in (False, True)}
            return [(m[key], m.get("retain", ""), m["at"] - begin, relative(plain(m["raw"], zero, counts[told(m[key])])) if m["raw"][:1] == b"{" else len(m["raw"]), len(m["raw"])) for m in seen[first:last + 1]]

        mqtt = cut([m for m in sub.seen if "/public" in m["topic"]], "topic")
        sse = cut(stream.seen, "topic")
        beside = {step: [relative(plain(part, zero, begins["header"]["seq"])) for part in parts] for step, parts in poller.beside.items()}
        rest = {step: (v[0], v[1], relative(plain(v[2], zero, begins["header"]["seq"])), v[3], v[4], v[5], v[6]) for step, v in poller.views.items()}
        hands.close()
        stream.close()
        sub.close()
        return mqtt, sse, rest, beside


def main():
    heard = {name: night(deal) for name, deal in PAIRS.items()}
    first, *others = heard
    for name in others:
        for channel, left, right in zip(("MQTT", "SSE"), heard[first], heard[name]):
            check(len(left) == len(right), f"{channel}: {len(left)} messages with {first}, {len(right)} with {name}")
            for a, b in zip(left, right):
                check(a[:2] == b[:2] and a[3:] == b[3:], f"{channel}: {first} and {name} differ\n  {a}\n  {b}")
                check(abs(a[2] - b[2]) < GRID_S, f"{channel}: times differ: {a[2]:.3f} s and {b[2]:.3f} s for {a[0]}")
        left, right = heard[first][2], heard[name][2]
        check(left.keys() == right.keys() and left, f"REST: other steps: {left.keys()} {right.keys()}")
        for step in left:
            check(left[step] == right[step], f"REST: step {step} differs\n  {left[step]}\n  {right[step]}")
        for step, parts in heard[first][3].items():
            for (path, _), a, b in zip(BESIDE, parts, heard[name][3][step]):
                check(a == b, f"{path}: step {step} differs\n  {a}\n  {b}")
    mqtt, sse, rest, beside = heard[first]
    print(f"{len(PAIRS)} nights: {len(mqtt)} MQTT messages, {len(sse)} events, {len(rest)} REST views and {len(beside) * len(BESIDE)} further answers each, all the same")


if __name__ == "__main__":
    main()
