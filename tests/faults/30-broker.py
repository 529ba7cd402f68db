#!/usr/bin/env python3
"""The broker dies in the night and comes back: the table plays on, and no stale phase is left behind."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TAG, Evening, Subscriber, check, on, scene  # noqa: E402


def main():
    with scene(night_pace=5) as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        hands = daemon.hands()
        evening = Evening(hands, sub)
        evening.start()
        evening.deal()
        hands.tap(TAG["start"])
        evening.wait("phase", step="500")
        broker.stop(kill=True)
        sub.close()
        stream = daemon.stream()
        stream.wait(on("/phase", id="day"))  # the night goes on without a broker
        stream.close()
        broker.start()
        sub = Subscriber(broker.port)
        first = sub.wait(on("/main/public/phase"))
        check(sub.seen[first - 1]["json"]["id"] == "day", f"the retained phase is the one that holds: {sub.seen[first - 1]['json']}")
        sub.wait(on("/daemon/status", state="ready"))
        phases = [m["json"]["id"] for m in sub.seen if m["topic"].endswith("/main/public/phase")]
        check("night" not in phases, f"no stale phase is told again: {phases}")
        evening.sub, evening.at = sub, 0
        hands.tap(TAG["done"])
        evening.wait("phase", id="vote")
        evening.vote()
        evening.result()
        # Somebody who comes later sees the same retained state.
        late = Subscriber(broker.port)
        at = late.wait(on("/main/public/phase"))
        check(late.seen[at - 1]["json"]["id"] == "reveal" and late.seen[at - 1]["retain"], "the newest phase is retained")
        late.close()
        hands.close()
        sub.close()
    print("the table played on without its broker")


if __name__ == "__main__":
    main()
