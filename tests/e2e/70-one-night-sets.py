#!/usr/bin/env python3
"""One Night's other boxes at the kitchen table's pads: what they cannot feel is refused by name or told; an oracle answers by her seat's
own channel over REST, and nobody else does for her.
"""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, TAG, Subscriber, check, on, scene  # noqa: E402

ROOT = "/api/v1/tables/main"
ORACLE = "oracle alien cow psychic villager villager seer robber"
PIECES = {word: (word, f"0441{i:02X}5A1F6180") for i, word in enumerate("oracle alien cow psychic".split())}
PIECES["villager-2"] = ("villager", "0441095A1F6180")
DEAL = {"s1": "oracle", "s2": "alien", "s3": "cow", "s4": "psychic", "s5": "villager-1", "c1": "villager-2", "c2": "seer", "c3": "robber"}


class Post:
    def __init__(self, daemon):
        self.daemon, self.n = daemon, 0

    def __call__(self, path, body, role="operator", seat=""):
        self.n += 1
        headers = {"Idempotency-Key": f"sets-{self.daemon.port}-{self.n}"}
        status, _, raw = self.daemon.request("POST", f"{ROOT}/{path}", body, self.daemon.token(role, seat), headers)
        return status, json.loads(raw)


def pads():
    """A set-up knows the pads of the table, at the door and in the configuration."""
    with scene(with_broker=False) as (_, _, daemon):
        post = Post(daemon)
        status, body = post("game", {"game": "one_night", "preset": "vampire_4"})
        check((status, body["rule"]) == (422, "E_UNSENSED"), f"{status} {body}")
        for word in "marks vampire the_count priest marksman pickpocket gremlin".split():
            check(word in body["detail"], f"{word} is not named: {body}")
        check("copycat" not in body["detail"], f"the copycat needs no mark of its own: {body}")
        for preset, word in (("daybreak_5b", "curator"),):
            status, body = post("game", {"game": "one_night", "preset": preset})
            check(status == 422 and word in body["detail"], f"{preset}: {status} {body}")
        sentinel = "werewolf seer sentinel robber villager villager drunk minion".split()
        status, body = post("game", {"game": "one_night", "seats": 5, "roles": sentinel})
        check(status == 422 and "the shield" in body["detail"] and "sentinel" in body["detail"], f"{status} {body}")
        status, body = post("game", {"game": "one_night", "preset": "vampire_4", "options": {"unsensed": "declare"}})
        check(status in (200, 201), f"told by their seats: {status} {body}")
        warned = [i for i in body["issues"] if i["code"] == "W_UNSENSED"]
        check(warned and "marks" in warned[0]["text"], f"the set-up says what is not felt: {body}")
        post("control", {"do": "end"})
        config = daemon.config.read_text().replace("seats = 5", "").replace("roles = ", "preset = vampire_4\n# ")
        path = daemon.folder / "vampire.conf"
        path.write_text(config)
        done = subprocess.run([BIN / "tabled", "--config", path, "--check-config"], capture_output=True, text=True, timeout=60)
        check(done.returncode == 3 and "marks" in done.stderr and "the_count" in done.stderr and "vampire.conf:" in done.stderr,
              f"the configuration is not refused: {done.returncode} {done.stderr}")
        path.write_text(config + "".join(f"[pad k{i}]\ntable = main\nreader = tap\nantenna = {i}\n" for i in range(1, 5)))
        done = subprocess.run([BIN / "tabled", "--config", path, "--check-config"], capture_output=True, text=True, timeout=60)
        check(done.returncode == 0, f"with pads for the marks it may: {done.stderr}")


ANSWERS = (("from one to ten", "5"), ("number of a player", "3"), ("even or odd", "odd"), ("", "yes"))
TOLD = {"5": ("The guess is",), "3": ("look at the card of seat",), "odd": ("says: odd",),
        "yes": ("The answer is yes", "you must exchange", "you may look at")}


def narration(sub, start, text):
    at = sub.wait(lambda m: m["topic"].endswith("/public/narration") and any(re.search(text, line["text"]) for line in m["json"]["lines"]), start)
    return at, [line["text"] for line in sub.seen[at - 1]["json"]["lines"]]


def oracle():
    """Her own channel alone; whoever else tries is told nothing, by day and by MQTT she is not heard."""
    with scene(night_pace=30, roles=ORACLE, extra="") as (_, broker, daemon):
        daemon.enrol(dict(PIECES))
        sub, post, hands = Subscriber(broker.port), Post(daemon), daemon.hands()
        hands.tap(TAG["start"])
        at = sub.wait(on("/public/phase", id="deal"))
        tags = {**TAG, **{name: tag for name, (_, tag) in PIECES.items()}}
        for pad, piece in DEAL.items():
            hands.put(pad, tags[piece])
            hands.settle()
        hands.settle(20)
        hands.tap(TAG["start"])
        at, lines = narration(sub, at, "Oracle, answer the question")
        answer = next(word for text, word in ANSWERS if any(text in line for line in lines))
        action = {"text": f"s1 answer value={answer}"}
        status, body = post("actions", action)
        check((status, body["code"]) == (409, "not_now"), f"an operator: {status} {body}")
        status, body = post("actions", action, "seat", "s2")
        check((status, body["code"]) == (409, "not_now"), f"another seat: {status} {body}")
        status, wrong = post("actions", {"text": "s2 answer value=no"}, "seat", "s2")
        status, body = post("actions", action, "seat", "s1")
        check(status == 202 and body["accepted"] is True, f"her own seat: {status} {body}")
        check(wrong == body, f"one who was asked nothing is answered the same: {wrong} {body}")
        at, lines = narration(sub, at, "The answer|you must exchange|you may look|says:|The guess")
        check(any(text in lines[0] for text in TOLD[answer]), f"{answer} was answered, told: {lines}")
        before = [m for m in sub.seen[:at] if "/event" in m["topic"] and m.get("json", {}).get("event") in ("action", "seat_acted")]
        check(not any("answer" in json.dumps(m["json"]) for m in before), "the answer is told before its time")
        sub.close()
        hands.close()


def main():
    pads()
    oracle()
    print("what is not felt is refused by name; the oracle is heard, nobody for her")


if __name__ == "__main__":
    main()
