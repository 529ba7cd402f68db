#!/usr/bin/env python3
"""Five people, one evening: deal, night, day with a wrong exchange, vote, result; as MQTT, REST and SSE tell it."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TAG, Evening, Subscriber, check, scene  # noqa: E402


def main():
    with scene() as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        hands = daemon.hands()
        evening = Evening(hands, sub)
        evening.start()
        evening.deal()
        evening.night()
        evening.wait("phase", id="day")
        board = evening.sub.seen[sub.wait(lambda m: m["topic"].endswith("public/board"), evening.at) - 1]["json"]
        check(all(p["level"] == "occupied" for p in board["places"] if p["sensed"] and p["name"][0] in "sc"), "by day every pad has its tile")
        hands.swap("s1", "s2")
        raised = evening.wait("event", event="violation_raised")
        check(set(raised["violation"][0]["places"]) == {"s1", "s2"}, "the violation names both pads")
        check(raised["violation"][0]["repairs"], "and how to put it right")
        check("kind" not in json.dumps(raised["violation"]), "and no kind")
        hands.swap("s1", "s2")
        evening.wait("event", event="violation_cleared")
        hands.tap(TAG["done"])
        evening.wait("phase", id="vote")
        evening.vote()
        result = evening.result()
        seats = {s["seat"]: s for s in result["seats"]}
        check([s for s in seats if seats[s]["dead"]] == ["s3"], f"s3 died: {result}")
        check({s for s in seats if seats[s]["won"]} == {"s1", "s2", "s4", "s5"}, f"the village won: {result}")
        check(seats["s3"]["role"] == "werewolf", "s3 held the werewolf")
        status, headers, raw = daemon.request("GET", "/api/v1/tables/main", token=daemon.token("display"))
        check(status == 200 and json.loads(raw)["result"]["over"], "REST tells the same")
        again, _, empty = daemon.request("GET", "/api/v1/tables/main", token=daemon.token("display"), headers={"If-None-Match": headers["ETag"]})
        check(again == 304 and not empty, "an unchanged view is 304")
        secret_free(sub)
        hands.close()
        sub.close()
    print("an evening was played")


def secret_free(sub):
    """Before the reveal no public message names a role beyond the set-up, and none ever has a tag."""
    tags = set(TAG.values())
    for message in sub.seen:
        text = message["raw"].decode("utf-8", "replace")
        check(not any(tag in text for tag in tags), f"a tag in {message['topic']}")


if __name__ == "__main__":
    main()
