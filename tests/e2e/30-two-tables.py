#!/usr/bin/env python3
"""Two tables in one daemon, each with its deck and game: neither disturbs the other; one will stands for both."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import DEAL, DECK, KIT, Evening, Subscriber, check, on, scene  # noqa: E402


def a_seat_is_at_one_table(daemon):
    """A phone of seat 1 shows what is hidden at one table, not at each that has such a seat."""
    admin = daemon.token("admin")
    for path, more in (("pairing", {}), ("tokens", {"name": "phone"})):
        for table, code in ((None, 400), ("bleu", 404), ("blue", 201)):
            body = {"role": "seat", "seat": "s1", **more, **({"table": table} if table else {})}
            status, _, raw = daemon.request("POST", f"/api/v1/{path}", body, admin)
            check(status == code, f"{path} {body}: {status} {raw}")
    token = json.loads(raw)["token"]
    seen = {table: daemon.request("GET", f"/api/v1/tables/{table}/seats/1/view", token=token)[0] for table in ("red", "blue")}
    check(seen == {"red": 404, "blue": 200}, f"its own alone: {seen}")
    daemon.ctl("pair", "--seat", "s1", code=2)
    daemon.ctl("pair", "--seat", "s1", "--table", "red")


def main():
    other = {name: (kind, tag[:2] + "9" + tag[3:]) for name, (kind, tag) in DECK.items()}
    tables = {"red": {"deck": "kit", "pads": KIT, "prefix": "r-"}, "blue": {"deck": "two", "pads": KIT, "prefix": "b-"}}
    with scene(tables=tables) as (folder, broker, daemon):
        daemon.enrol(other, "two")
        sub = Subscriber(broker.port)
        red, blue = daemon.hands("r-"), daemon.hands("b-")
        first = Evening(red, sub, "red")
        first.start()
        check(not any("/blue/public/phase" in m["topic"] and m["json"]["id"] for m in sub.seen), "blue stays idle")
        blue.tap(other["start"][1])
        at = sub.wait(on("/blue/public/phase", id="deal"))
        first.deal()
        for pad, piece in DEAL.items():
            blue.put(pad, other[piece][1])
        # A tile of the other table's deck is foreign there and not lost at home.
        first.night()
        first.day()
        first.vote()
        first.result()
        board = [m for m in sub.seen if m["topic"].endswith("/blue/public/board")][-1]["json"]
        check(sum(p["level"] == "occupied" for p in board["places"]) == 8, "blue was dealt meanwhile")
        check(not any("/blue/public/result" in m["topic"] and m["json"].get("over") for m in sub.seen[at:]), "blue has no result")
        red.close()
        blue.close()
        before = len(sub.seen)
        daemon.kill()
        sub.wait(on("/daemon/status", state="lost"), before)
        lost = [m for m in sub.seen[before:] if m["topic"].endswith("status")]
        check(len(lost) == 1, f"one will for both tables: {[m['topic'] for m in lost]}")
        daemon.start()
        at = sub.wait(on("/daemon/status", state="ready"), before)
        sub.wait(lambda m: m["topic"].endswith("/blue/public/phase") and m["json"]["paused"], before)
        view = json.loads(daemon.ctl("status", "blue", "--json"))
        check(view["phase"]["pause_reason"] == "restart", "blue came back paused")
        a_seat_is_at_one_table(daemon)
        sub.close()
    print("two tables played side by side")


if __name__ == "__main__":
    main()
