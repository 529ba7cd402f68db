#!/usr/bin/env python3
"""A night through the real daemon, the robber at a seat or in the centre: MQTT, SSE and REST say the same bytes in the same order.

What is random by itself (boot, game and client ids) is put in order first; times are counted from the begin of the night. Steps
are as long as each other's to the millisecond, none begins before the one before has ended, nothing is told before it was due. How
long after, and what is asked between two messages, is this machine's pace: the virtual clock compares that (70-every-channel.py).
"""
import datetime
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
DUE = ("starts_at", "ends_at", "deadline", "started_at")  # times that were fixed before; others are the moment of the message
TRUNCATED_MS = 2
SEQ = re.compile(r'"seq":(\d+)')
STAMP = re.compile(r'"(\w+)":"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"')


def clock_ms(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000


def plain(raw, zero, count):
    """Text without what differs by chance, and in ms from the first of them the times in it that were due. Messages are counted from the
    begin of the night: how many boards a deal makes is the pace of hands and readers."""
    text = raw.decode()
    text = re.sub(r'"boot_id":"[0-9a-f]{16}"', '"boot_id":"B"', text)
    text = SEQ.sub(lambda match: f'"seq":{int(match[1]) - count}' if int(match[1]) >= count else '"seq":"before"', text)
    text = re.sub(r'"game_id":"[0-9a-f]*"', '"game_id":"G"', text)
    due = []

    def stamp(match):
        ms = clock_ms(match[2]) - zero
        if match[1] in DUE and ms >= -TRUNCATED_MS:
            due.append(ms)
        return f'"{match[1]}":"{"before" if ms < -TRUNCATED_MS else "due" if match[1] in DUE else "now"}"'
    text = STAMP.sub(stamp, text)
    return text, [ms - due[0] for ms in due]


def alike(a, b):
    """Two results of plain()."""
    return a[0] == b[0] and len(a[1]) == len(b[1]) and all(abs(x - y) <= TRUNCATED_MS for x, y in zip(a[1], b[1]))


def size(m):
    """Bytes, but for the digits of numbers that count from before the night."""
    return len(m["raw"]) - sum(len(digits) for digits in SEQ.findall(m["raw"].decode())) if "json" in m else len(m["raw"])


def told(topic):
    """Two rows of numbers: what is said (events, narration), and what is (the other messages)."""
    return topic.endswith(("event", "narration"))


def of_the_night(raw):
    """The timeline from the begin of the night on, one line an entry, what is said counted from there."""
    events = json.loads(raw)["events"]
    begin = next((i for i, e in enumerate(events) if e["topic"] == "phase" and e["body"]["id"] == "night"), len(events))
    numbers = {told(e["topic"]): e["body"]["header"]["seq"] for e in reversed(events[begin:])}
    for e in events[begin:]:
        e["body"]["header"]["seq"] -= numbers[told(e["topic"])]
    return [json.dumps({"topic": e["topic"], "body": e["body"]}, separators=(",", ":")) for e in events[begin:]]


def numbers(raw):
    """Metrics but those of the connections that asked, and of readers: they count until the night what hands did by day."""
    return [line for line in raw.decode().splitlines() if not line.startswith(("#", "tabled_http_", "tabled_reader_"))]


def lines(raw):
    """The log but for what the server of HTTP says of those who ask, and what is said of a slow machine."""
    slow = ("http:", "loop: a turn took", "mqtt: acknowledgements take")
    return [(clock_ms(line["at"]), line["text"]) for line in json.loads(raw)["lines"] if not line["text"].startswith(slow)]


def whole(raw):
    return [raw.decode()]


# What an admin may read beside the view: nothing of it moves with what hands do in the dark.
BESIDE = [("/api/v1/tables/main/timeline?limit=200", of_the_night), ("/api/v1/tables/main/history", whole), ("/api/v1/stats", whole),
          ("/api/v1/tables/main/map", whole), ("/api/v1/tables/main/violations", whole), ("/api/v1/logs?level=debug", lines), ("/metrics", numbers)]


class Poller(threading.Thread):
    """Asks the public view after each step has begun, as a dashboard does. What was asked while the next one began is left out."""

    def __init__(self, daemon, stream):
        super().__init__(daemon=True)
        self.house, self.stream, self.views, self.beside = daemon, stream, {}, {}
        self.admin, self.display, self.operator = (daemon.token(role) for role in ("admin", "display", "operator"))

    def look_beside(self):
        ret = []
        for path, part in BESIDE:
            status, _, raw = self.house.request("GET", path, token=self.admin)
            check(status == 200, f"{path}: {status} {raw[:200]}")
            ret.append(part(raw))
        return ret

    def look(self):
        """One row of answers, and where in the night they were given."""
        status, headers, raw = self.house.request("GET", "/api/v1/tables/main", token=self.display)
        same, _, none = self.house.request("GET", "/api/v1/tables/main", token=self.display, headers={"If-None-Match": headers["ETag"]})
        refused = self.house.request("POST", "/api/v1/tables/main/control", {"do": "undo"}, self.operator)
        head = sorted((k, v) for k, v in headers.items() if k not in ("Date", "ETag"))
        return json.loads(raw), raw, (status, head, same, none, refused[0], refused[2])

    def run(self):
        at = self.stream.wait(lambda e: e["topic"] == "/phase" and e["json"]["id"] == "night", 0) - 1
        while True:
            at = self.stream.wait(lambda e: e["topic"] == "/phase" and e["json"]["id"] in ("night", "day"), at)
            view, raw, rest = self.look()
            if self.stream.seen[at - 1]["json"]["id"] == "day":
                return
            beside = self.look_beside()
            if self.look()[1] == raw and view["phase"]["id"] == "night":
                step = view["phase"]["step_index"]
                self.views[step], self.beside[step] = (raw, rest), beside


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
        zero, first = clock_ms(begins["starts_at"]), begins["header"]["seq"]
        ret = {"MQTT": of_a_night([m for m in sub.seen if "/public" in m["topic"]], zero), "SSE": of_a_night(stream.seen, zero),
               "views": {step: (*plain(raw, zero, first), rest) for step, (raw, rest) in poller.views.items()}, "beside": {}}
        for step, (timeline, *parts, log, metrics) in poller.beside.items():
            ret["beside"][step] = [[plain(line.encode(), zero, 0) for line in timeline], *([plain(part[0].encode(), zero, first)] for part in parts),
                                   [(text, []) for at, text in log if at >= zero], [(line, []) for line in metrics]]
        hands.close()
        stream.close()
        sub.close()
        return ret


def of_a_night(seen, zero):
    """Messages from the first of the night to the first of the day: (topic, retained, bytes, text, what was due)."""
    def phase(name):
        return next(i for i, m in enumerate(seen) if m["topic"].endswith("/phase") and m.get("json", {}).get("id") == name)
    part = seen[phase("night"):phase("day") + 1]
    counts = {kind: next(m["json"]["header"]["seq"] for m in part if "json" in m and told(m["topic"]) == kind) for kind in (False, True)}
    rows, free = [], 0  # when the step that was told last ends
    for m in part:
        text, due = plain(m["raw"], zero, counts[told(m["topic"])]) if "json" in m else (len(m["raw"]), [])
        if "json" in m and m["json"].get("starts_at"):
            early = clock_ms(m["json"]["starts_at"]) - clock_ms(m["json"]["header"]["at"])
            check(early <= TRUNCATED_MS, f"{m['topic']} came {early} ms before it was due")
        if m["topic"].endswith("/public/phase") or m["topic"] == "/phase":
            check(clock_ms(m["json"]["starts_at"]) >= free - TRUNCATED_MS, f"a step began before the last one had ended: {m['raw']}")
            free = clock_ms(m["json"]["deadline"])
        rows.append((m["topic"], m.get("retain", ""), size(m), (text, due)))
    return rows


def compare(first, name, left, right):
    """How many rows were the same; fails at the first that is not."""
    for channel in ("MQTT", "SSE"):
        for a, b in zip(left[channel], right[channel]):
            check(a[:3] == b[:3] and alike(a[3], b[3]), f"{channel}: {first} and {name} differ\n  {a}\n  {b}")
        check(len(left[channel]) == len(right[channel]), f"{channel}: {len(left[channel])} messages with {first}, {len(right[channel])} with {name}")
    steps = left["views"].keys() & right["views"].keys()
    for step in steps:
        a, b = left["views"][step], right["views"][step]
        check(alike(a, b) and a[2] == b[2], f"REST: step {step} differs\n  {a}\n  {b}")
        for (path, _), a, b in zip(BESIDE, left["beside"][step], right["beside"][step]):
            n = min(len(a), len(b)) if "timeline" in path or "logs" in path else max(len(a), len(b))  # these grow while a step lasts
            check(all(alike(x, y) for x, y in zip(a[:n], b[:n], strict=True)), f"{path}: step {step} differs\n  {a}\n  {b}")
    return len(steps)


def main():
    heard = {name: night(deal) for name, deal in PAIRS.items()}
    first, *others = heard
    steps = [compare(first, name, heard[first], heard[name]) for name in others]
    print(f"{len(PAIRS)} nights: {len(heard[first]['MQTT'])} MQTT messages and {len(heard[first]['SSE'])} events each, {sum(steps)} REST views "
          f"and {sum(steps) * len(BESIDE)} further answers, all the same")


if __name__ == "__main__":
    main()
