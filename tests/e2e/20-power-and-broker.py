#!/usr/bin/env python3
"""Power cuts and a broker that goes away, with the real daemon (evenings 2.0: U4, U9; EP6 for the base game; B077)."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TAG, Broker, Evening, Subscriber, check, on, scene  # noqa: E402

PACE = 20  # of a night's length: room enough to act, cut the power and act again within a step


def cut_power(daemon, hands):
    """kill -9, start again, the pieces lie as they lay."""
    lying = {pad: list(tags) for pad, tags in hands.on_pad.items()}
    daemon.kill()
    hands.close()
    daemon.start()
    again = daemon.hands()
    with again.lock:
        again.on_pad = lying
    return again


def public(sub, start, topic):
    return [m["json"] for m in sub.seen[start:] if m["topic"].endswith("/main/public/" + topic)]


def u4():
    """power cut: same step again, full length; a swap on the pads is found again, a look must be repeated"""
    with scene(night_pace=PACE) as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        evening = Evening(daemon.hands(), sub)
        evening.start()
        evening.deal()
        evening.hands.tap(TAG["start"])
        lengths = {}
        for step, before, after in (("500", lambda h: (h.look("c1"), h.look("c3")), lambda h: h.look("s4")),
                                    ("600", lambda h: h.swap("s3", "s1"), lambda h: None)):
            phase = evening.wait("phase", step=step, paused=False)
            lengths[step] = phase["limit_ms"]
            before(evening.hands)
            evening.hands = cut_power(daemon, evening.hands)
            back = evening.wait("phase", step=step, paused=True)
            check((back["pause_reason"], back["deadline"]) == ("restart", None), f"it comes back paused: {back}")
            check(back["n"] >= phase["n"], "the last announced step or a later one")
            evening.hands.settle()
            mark = len(sub.seen)
            daemon.ctl("resume", "main")
            again = evening.wait("phase", step=step, paused=False)
            check(again["limit_ms"] == lengths[step], f"the step at full length: {again}")
            sub.wait(on("/main/public/event", event="resumed"), mark)
            sub.wait(on("/main/public/narration"), mark)
            said = [line["text"] for m in public(sub, mark, "narration")[:1] for line in m["lines"]]
            check(any("repeat" in text.lower() for text in said), f"we repeat the step: {said}")
            after(evening.hands)
        evening.day()
        evening.vote()
        told = [(row["step"], row["by"], row["text"]) for row in evening.result()["story"]]
        check([row[:2] for row in told] == [("500", "s2"), ("600", "s3")], f"one look, one swap: {told}")
        check("seat 4" in told[0][2], f"the look before the cut must be repeated: {told}")
        check("exchanged seat 1 and seat 3" in told[1][2], f"the swap on the pads is found again: {told}")
        evening.hands.close()
        sub.close()


def u4_vote():
    """power cut in the vote: ballots on record return, their time goes on (EP6)"""
    with scene(options="ballot=tapped") as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        evening = Evening(daemon.hands(), sub)
        evening.start()
        evening.deal()
        evening.night()
        evening.day()
        evening.vote("13 23")
        sub.wait(on("/main/public/event", event="action", seat="s2"), evening.at)
        evening.hands = cut_power(daemon, evening.hands)
        evening.wait("phase", id="vote", paused=True)
        acted = [s["seat"] for s in public(sub, 0, "seats")[-1]["seats"] if s["acted"]]
        check(acted == ["s1", "s2"], f"ballots on record return: {acted}")
        evening.hands.settle()
        daemon.ctl("resume", "main")
        phase = evening.wait("phase", id="vote", paused=False)
        check(phase["deadline"], "its time goes on")
        evening.vote("31 43 51")
        result = evening.result()
        check([s["seat"] for s in result["seats"] if s["dead"]] == ["s3"], f"three ballots for seat 3: {result['seats']}")
        evening.hands.close()
        sub.close()


def u9():
    """broker gone: the table plays on; its state is re-sent once"""
    with scene() as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        evening = Evening(daemon.hands(), sub)
        evening.start()
        port = broker.port
        broker.stop(kill=True)
        sub.close()
        evening.deal()
        check(json.loads(daemon.ctl("status", "main", "--json"))["phase"]["id"] == "deal", "it plays on")
        back = Broker(folder / "again", port)
        late = Subscriber(port, user="late")
        try:
            late.wait(on("/main/public/board"))
            late.wait(lambda m: m["topic"].endswith("/main/status") and m["json"].get("state") == "ready")
            late.wait(on("/main/public/result"))
            late.wait(on("/main/health/readers"))
            counts = {}
            for m in late.seen:
                if "/main/public/" in m["topic"]:
                    counts[m["topic"]] = counts.get(m["topic"], 0) + 1
            check(set(counts.values()) == {1}, f"everything once: {counts}")
            check({t.rsplit("/", 1)[1] for t in counts} == {"game", "phase", "board", "seats", "violation", "result"}, f"all of it: {counts}")
            board = public(late, 0, "board")[0]
            check(sum(p["level"] == "occupied" for p in board["places"] if p["sensed"]) == 8, "as it is now")
            evening.sub, evening.at = late, 0
            evening.night()
            evening.day()
            # B077: a display that slept sees the right end in one message.
            told = public(late, 0, "phase")[-1]
            sleeper = Subscriber(port, "+/+/+/+/public/phase", user="sleeper")
            first = sleeper.seen[sleeper.wait(on("/public/phase")) - 1]
            check(first["retain"] and first["json"]["deadline"] == told["deadline"], "the end of the phase in the first message")
            sleeper.close()
            evening.vote()
            evening.result()
        finally:
            evening.hands.close()
            late.close()
            daemon.stop()
            back.stop()


ROWS = {"u4": u4, "u4_vote": u4_vote, "u9": u9}

if __name__ == "__main__":
    for name in sys.argv[1:] or ROWS:
        ROWS[name]()
        print(f"ok {name}")
