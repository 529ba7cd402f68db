#!/usr/bin/env python3
"""Everything that leaves the daemon has an observer, and nobody else gets it: routes, topics, events, numbers."""
import collections
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import observers  # noqa: E402
from harness import check  # noqa: E402
from pairs import TAPS, Ears  # noqa: E402

SHORT_MS = 60000  # deal, and some steps of the night


def same_names(got, want, what):
    check(set(got) == set(want), f"{what}: no row for {sorted(set(got) - set(want))}, nothing for the rows {sorted(set(want) - set(got))} (tests/secrecy/observers.py)")


def evening():
    box = TAPS / "boxes" / "one-night-werewolf"
    tap = "".join(line for line in box.with_suffix(".tap").read_text().splitlines(True) if line[0] == "#" or int(line.split()[0]) < SHORT_MS)
    asks = [f"tick {role} {method} {path}" for (method, _), (_, path) in observers.ROUTES.items() if path and not path.startswith("stream") for role in observers.ROLES]
    asks += [f"stream {role} GET /api/v1/tables/main/events" for role in observers.ROLES]
    asks += ["20000 none GET /api/v1/openapi.json", "20000 s1 GET /api/v1/tables/main/seats/2/view"] + [" ".join(row) for row in observers.REFUSED]
    return Ears(tap, box.with_suffix(".conf").read_text(), box.with_suffix(".csv").read_text(), asks, every=30000, discovery=True).run()


def answers(told):
    """{(role, method, path): [(status, whole answer)]}"""
    ret = collections.defaultdict(list)
    for _, _, key, value in told.of("rest"):
        ret[tuple(key.split(" ", 2))].append((int(value.split(" ")[1]), value))
    return ret


def routes(told, got):
    document = next(text for _, text in got[("none", "GET", "/api/v1/openapi.json")])
    paths = json.loads(document.split("\\r\\n\\r\\n", 1)[1])["paths"]
    same_names([(method.upper(), path) for path, row in paths.items() for method in row if method in ("get", "post", "patch", "put", "delete")], observers.ROUTES, "routes")
    asked = 0
    for (method, _), (who, path) in observers.ROUTES.items():
        for role, is_a in observers.ROLES.items():
            if not path or path.startswith("stream"):
                continue
            for status, text in got[(role, method, path)]:
                may = who in is_a
                check(status not in (401, 403) if may else status in (401, 403, 404), f"{method} {path} is for {who}: {role} gets {status} {text[-200:]}")
                asked += 1
    other = {status for status, _ in got[("s1", "GET", "/api/v1/tables/main/seats/2/view")]}
    check(other and other <= {403, 404}, f"a seat asks for another seat's view: {other}")
    for when, role, method, path, body in observers.REFUSED:
        for status, text in got[(role, method, path)]:
            check(status in (403, 409) or (status == 202 and "accepted" in text), f"{role} {method} {path} {body}: {status} {text[-200:]}")
    return asked


def topic_rows(source):
    for name, level, twin, retained, expiry in re.findall(r'X\((\w+), "([^"]+)", (\w+), (\w+), (\d+)\)', source):
        yield level, retained == "true", int(expiry)


def published(told):
    """Every message of the broker has a row, and is kept as its row says."""
    n = 0
    for _, _, key, _ in told.of("mqtt"):
        if key.startswith(("will ", "subscribe ")):
            continue
        topic, retain, _, expiry = key.split(" ")[:4]
        wrong = unlisted(topic, retain == "retain=1", int(expiry.split("=")[1]))
        check(not wrong, f"{key}: {wrong}")
        n += 1
    return n


def unlisted(topic, retained, expiry):
    beside = next((keep for begin, keep in observers.BESIDE.items() if topic.startswith(begin)), None)
    if beside is not None:
        return None if beside == retained else "is kept by the broker otherwise than its row says"
    level = re.sub(r"^tabled/v1/home/main/(public(-pb)?/)?", "", topic)
    if level not in observers.TOPICS:
        return "has no row"
    return None if observers.TOPICS[level][1:] == (retained, expiry) else "is kept by the broker otherwise than its row says"


def numbers(got):
    names = {}
    for _, text in got[("metrics", "GET", "/metrics")]:
        for line in text.split("\\r\\n\\r\\n", 1)[1].split("\\n"):
            found = re.match(r"tabled_(\w+)(?:\{(.*)\})? ", line)
            if found:
                names.setdefault(found[1], set()).update(re.findall(r'(\w+)="', found[2] or ""))
    same_names(names, observers.NUMBERS, "numbers")
    for name, labels in names.items():
        check(labels == observers.NUMBERS[name][1], f"{name} has the labels {labels}")
    return len(names)


def main():
    told = evening()
    got = answers(told)
    asked = routes(told, got)
    source = (ROOT / "daemon/wire/topics.h").read_text()
    rows = {level: (retained, expiry) for level, retained, expiry in topic_rows(source)}
    same_names(rows, observers.TOPICS, "topics")
    for level, row in rows.items():
        check(row == observers.TOPICS[level][1:], f"topic {level} is kept {row}")
    events = re.findall(r"X\([A-Z_]+, (\w+)\)", (ROOT / "daemon/engine/observe.h").read_text().split("OBSERVE_EVENT_MAP(X)")[1].split("enum")[0])
    same_names(events, observers.EVENTS, "events")
    n = numbers(got)
    print(f"{len(observers.ROUTES)} routes asked {asked} times, {len(rows)} topics in {published(told)} messages, {len(events)} events, {n} numbers: each has its observers")


if __name__ == "__main__":
    main()
