#!/usr/bin/env python3
"""Faults that comparable systems have had in game flow, where they need the wire: B067 B070 B071 B072 B078."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TAG, Evening, Subscriber, check, on, scene  # noqa: E402

TABLE = "/api/v1/tables/main"


class House:
    """An evening with an admin at hand."""

    def __init__(self, broker, daemon):
        self.daemon = daemon
        self.token = daemon.token("admin")
        self.sub = Subscriber(broker.port)
        self.hands = daemon.hands()
        self.evening = Evening(self.hands, self.sub)

    def control(self, code=200, **body):
        status, _, raw = self.daemon.request("POST", TABLE + "/control", body, self.token)
        check(status == code, f"{body}: {status} {raw}")
        return json.loads(raw)

    def view(self):
        return json.loads(self.daemon.request("GET", TABLE, token=self.token)[2])

    def messages(self, topic, start=0):
        return [m["json"] for m in self.sub.seen[start:] if m["topic"].endswith("/main/public/" + topic)]

    def close(self):
        self.hands.close()
        self.sub.close()


def house(row, **options):
    with scene(**options) as (_, broker, daemon):
        it = House(broker, daemon)
        row(it)
        it.close()


def b067(it):
    """undo during the vote's clock and in the dark: clocks and speech are cancelled or it is refused, the state is consistent"""
    e = it.evening
    e.start()
    e.deal()
    it.hands.tap(TAG["start"])
    e.wait("phase", step="500")
    mark = len(it.sub.seen)
    refused = it.control(409, do="undo")
    check(refused["code"] == "not_now", f"in the dark: {refused}")
    e.day()
    check(not [m for m in it.messages("event", mark) if m["event"] == "undone"], "nothing was undone in the dark")
    e.vote("13 23 31 43 51")
    it.sub.wait(on("/public/event", event="action", seat="s5"), e.at)
    mark = len(it.sub.seen)
    it.control(do="undo", reason="a wrong ballot")
    undone = it.sub.seen[it.sub.wait(on("/public/event", event="undone"), mark) - 1]["json"]
    check(undone["action"][0]["text"] == "s5 vote a=s1", f"what was undone: {undone}")
    check(it.view()["phase"]["id"] == "vote", "the countdown is cancelled")
    check([s["seat"] for s in it.view()["seats"]["seats"] if not s["acted"]] == ["s5"], "one ballot is missing")
    it.hands.tap(TAG["number-5"], "s3")
    result = e.result()
    check([s["seat"] for s in result["seats"] if s["dead"]] == ["s3"], "the result")
    it.sub.wait(on("/public/event", event="game_ended"), mark)
    check(len([m for m in it.messages("event") if m["event"] == "game_ended"]) == 1, "one end")


def b070(it):
    """displays and dashboards load anew 50 times: no effect on the game"""
    e = it.evening
    e.start()
    e.deal()
    before, mark = it.view(), len(it.sub.seen)
    for _ in range(50):
        status, headers, _ = it.daemon.request("GET", TABLE, token=it.token)
        check(status == 200, "a view")
        check(it.daemon.request("GET", TABLE, token=it.token, headers={"If-None-Match": headers["ETag"]})[0] == 304, "the same view")
    check(it.view() == before, "the view has not changed")
    check(len(it.sub.seen) == mark, "nothing was said")
    e.night()
    e.day()
    e.vote()
    e.result()


def b071(it):
    """a referee lets a wrong layout pass, with a reason: the game goes on, the record says so"""
    e = it.evening
    e.start()
    e.deal()
    e.night()
    e.wait("phase", id="day")
    it.hands.swap("s1", "s2")
    raised = e.wait("event", event="violation_raised")["violation"][0]
    mark = len(it.sub.seen)
    it.control(do="override", violation=raised["id"], reason="they agreed")
    it.sub.wait(on("/public/event", event="violation_cleared"), mark)
    said = [m for m in it.messages("event", mark) if m["event"] == "overridden"]
    check(said and said[0]["reason"] == "they agreed", f"it is told, with its reason: {said}")
    it.hands.tap(TAG["done"])
    e.wait("phase", id="vote")
    e.vote()
    result = e.result()
    check(result["over"], "the game goes on")
    live, records = it.view()["result"], it.daemon.folder / "state" / "journal.db"
    out = it.daemon.ctl("journal", "export", str(records))
    check("they agreed" in out, "the record says so")
    it.hands.close()
    it.daemon.stop()
    it.daemon.start()
    told = it.view()["result"]
    for key in ("over", "teams", "seats", "reason", "story"):
        check(told[key] == live[key], f"the fold of the records gives {key} again: {told[key]} {live[key]}")
    it.hands = it.daemon.hands()


def b072(it):
    """a legal action the readers missed is entered by the host, and one is taken back: all outputs follow"""
    e = it.evening
    e.start()
    e.deal()
    e.night()
    e.day()
    e.vote("12 23")
    it.sub.wait(on("/public/event", event="action", seat="s2"), e.at)
    it.control(do="override", action="s3 vote a=s2", reason="his token lay there")
    it.control(do="undo", reason="it was not")
    it.control(do="override", action="s3 vote a=s1", reason="he says so")
    view = it.view()
    check([s["seat"] for s in view["seats"]["seats"] if s["acted"]] == ["s1", "s2", "s3"], f"who has voted: {view['seats']}")
    e.vote("43 53")
    result = e.result()
    check([s["seat"] for s in result["seats"] if s["dead"]] == ["s3"], f"three for seat 3: {result['seats']}")
    votes = {f["seat"]: f["value"] for f in it.messages("board")[-1].get("counters", []) if f["key"] == "vote"}
    check(not votes or votes.get("s3") == 1, f"the corrected ballot is shown: {votes}")


def b078(it):
    """a pause with a remaining time of the caller's own: refused, the table's clock stands"""
    e = it.evening
    e.start()
    e.deal()
    e.night()
    e.wait("phase", id="day")
    before = it.view()["phase"]["deadline"]
    for forged in ({"remaining_ms": 5}, {"deadline": "2000-01-01T00:00:00.000Z"}, {"left_us": 1}):
        status, _, raw = it.daemon.request("POST", TABLE + "/control", {"do": "pause", **forged}, it.token)
        check(status == 400, f"{forged}: {status} {raw}")
    check(it.view()["phase"]["deadline"] == before, "the table's clock stands")
    it.control(do="pause", reason="tea")
    check(it.view()["phase"]["deadline"] is None, "paused: no end")
    it.control(do="resume")
    after = it.view()["phase"]["deadline"]
    check(after and after >= before, f"the remaining time is the table's: {before} {after}")


ROWS = {"b067": (b067, {"options": "ballot=tapped"}), "b070": (b070, {}), "b071": (b071, {"options": "ballot=tapped"}),
        "b072": (b072, {"options": "ballot=tapped"}), "b078": (b078, {})}

if __name__ == "__main__":
    for name in sys.argv[1:] or ROWS:
        row, options = ROWS[name]
        house(row, **options)
        print(f"ok {name}")
