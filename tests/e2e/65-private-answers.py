#!/usr/bin/env python3
"""What a rule tells one seat reaches that seat's own channel alone; on all others nothing changes with it, not even a length.

Alien Hunt: a structured question to a seat that is an alien, and to one that is not. Not Alone: another card is laid. Real
daemon and broker; MQTT, the public stream, the streams and views of the other seats, and what a display and an admin may read are
compared byte by byte.
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import Hands, Subscriber, check, on, scene  # noqa: E402

SEATS = range(1, 6)
CHARACTERS = "president investigator spy recluse journalist".split()
IDENTITIES = "man_in_black ufologist ufo_maniac mythomaniac alien_scientist alien_explorer alien_invader alien_bounty_hunter".split()
# With five players one alien is left out, and there are two men in black.
HUMAN = ["man_in_black", "ufologist", "ufo_maniac", "mythomaniac", "alien_scientist", "alien_explorer", "alien_invader", "man_in_black-2"]
ALIEN = ["alien_invader", "ufologist", "ufo_maniac", "mythomaniac", "alien_scientist", "alien_explorer", "man_in_black", "man_in_black-2"]
TAGS = {piece: f"0451{i:02X}5A1F6180" for i, piece in enumerate([*CHARACTERS, *IDENTITIES, "man_in_black-2"])}


def tables(folder):
    """The draft game with pads for what is dealt, and Not Alone without any."""
    places = [f"seat_{s}.{spot}" for s in SEATS for spot in ("character", "identity")] + [f"centre.undealt_{i}" for i in (1, 2, 3)]
    lines = ["[table draft]", "deck = draft", "game = alien_hunt", "seats = 5", f"roles = {' '.join(CHARACTERS)}", "still = 150ms", "wrong = 400ms",
             "seed = 3", "[table alone]", "deck = alone", "game = not_alone", "seats = 3", "chance = generator", "seed = 3",
             "[reader cards]", "driver = sim", f"socket = {folder}/cards.sock"]
    for i, place in enumerate(places):
        lines += [f"[pad d{i}]", "table = draft", f"place = {place}", "reader = cards", f"antenna = {i}", "kind = tile"]
    return "\n".join(lines) + "\n", {place: ("cards", i) for i, place in enumerate(places)}


def plain(raw, counts=()):
    """Bytes without what differs by chance or by the clock; numbers of messages from the begin of the scene on."""
    text = re.sub(r'"(boot_id|game_id)":"[0-9a-f]*"', r'"\1":"I"', raw.decode())
    for count in counts:
        text = re.sub(r'"seq":(\d+)', lambda m, count=count: f'"seq":"{int(m[1]) - count}"', text, count=1)
    return re.sub(r'"20\d\d-\d\d-\d\dT[0-9:.]*Z"', '"T"', text)


def said(message):
    """Two rows of numbers: what is said, and what is."""
    return message["topic"].endswith(("event", "narration"))


class Ears:
    """Every channel of a table."""

    def __init__(self, mqtt, daemon, table, seats):
        self.table, self.daemon, self.seats = table, daemon, seats
        self.mqtt, self.begin = mqtt, mqtt.wait(on(f"/{table}/public/event", event="game_started"))
        self.public = daemon.stream(table)
        self.seat = {n: daemon.stream(table, "seat", f"s{n}") for n in seats}
        for ear in (self.public, *self.seat.values()):
            ear.wait(on("/result"))  # it has heard how things are: from here on it hears what happens

    def hear(self, seat):
        """All streams have told that it acted: a level that is on its way is replaced by the next, and how often is the pace of the machine."""
        for ear in (self.public, *self.seat.values()):
            ear.wait(lambda m: m["topic"] == "/event" and f's{seat}' in (m["json"]["seat"], *(a["by"] for a in m["json"]["action"])))

    @staticmethod
    def cut(messages, since):
        """From the message that opens the scene on: how many boards a deal makes is the pace of hands and readers."""
        first = next((i for i, m in enumerate(messages) if since(m)), None) if since else 0
        check(first is not None, "the scene has not begun")
        part = [m for m in messages[first:] if "json" in m]
        counts = {kind: [m["json"]["header"]["seq"] for m in part if said(m) == kind and "header" in m["json"]][:1] for kind in (False, True)}
        return [(m["topic"], plain(m["raw"], counts[said(m)])) for m in part], counts[False]

    def told(self, until, since=None):
        """Bytes of each channel from the message that opens the scene to the one that closes it."""
        ret = {}
        for name, ear in [("public stream", self.public), *((f"stream of seat {n}", s) for n, s in self.seat.items())]:
            end = ear.wait(until)
            ret[name], count = self.cut(ear.seen[:end], since)
        end = self.mqtt.wait(lambda m: f"/{self.table}/" in m["topic"] and until(m), self.begin)
        heard = [m for m in self.mqtt.seen[self.begin:end] if f"/{self.table}/" in m["topic"]]
        strange = {m["topic"] for m in heard if "/public/" not in m["topic"] and "/public-pb/" not in m["topic"]}
        check(not strange, f"the broker hears what is public alone: {strange}")
        ret["MQTT"], count = self.cut([m for m in heard if "/public/" in m["topic"]], since)
        first = next((i for i, m in enumerate(heard) if since(m)), 0) if since else 0
        ret["protobuf"] = [(m["topic"], f"{len(m['raw'])} bytes") for m in heard[first:] if "/public-pb/" in m["topic"]]
        for n in self.seats:
            path = f"/api/v1/tables/{self.table}/seats/{n}/view"
            status, _, raw = self.daemon.request("GET", path, token=self.daemon.token("seat", f"s{n}"))
            check(status == 200, f"seat {n} sees its view: {status}")
            ret[f"view of seat {n}"] = [(path, plain(raw, count))]
            other, _, _ = self.daemon.request("GET", path, token=self.daemon.token("seat", f"s{n % len(self.seats) + 1}"))
            check(other == 404, f"another seat does not: {other}")
        ret.update(self.asked(count))
        return ret

    def asked(self, count):
        """What a display and an admin may read: the view and whether its tag holds, what was played, numbers."""
        ret, root = {}, f"/api/v1/tables/{self.table}"
        for role, path in (("display", root), ("display", root + "/violations"), ("display", root + "/map"), ("display", root + "/history"),
                           ("admin", root), ("operator", root), ("admin", "/api/v1/stats")):
            status, head, raw = self.daemon.request("GET", path, token=self.daemon.token(role))
            check(status == 200, f"{path} as {role}: {status}")
            names = sorted(k for k in head if k != "Date")
            again = self.daemon.request("GET", path, token=self.daemon.token(role), headers={"If-None-Match": head["ETag"]})[0] if "ETag" in head else None
            ret[f"{path} as {role}"] = [(path, plain(raw, count), f"{names} {again}")]
        raw = self.daemon.request("GET", "/metrics", token=self.daemon.token("admin"))[2].decode()
        ret["metrics"] = [("/metrics", "\n".join(line for line in raw.splitlines() if not re.match("#|tabled_(http|reader|records|broker)_", line)))]
        return ret

    def close(self):
        for ear in (self.public, *self.seat.values()):
            ear.close()


def post(daemon, table, seat, text, status=200):
    post.keys += 1
    answer = daemon.request("POST", f"/api/v1/tables/{table}/actions", {"text": text}, daemon.token("seat", f"s{seat}"),
                            {"Idempotency-Key": f"private-{post.keys}"})
    check(answer[0] == status, f"{text}: {answer[0]} {answer[2]!r}")


post.keys = 0


def question(mqtt, daemon, hands, deal, about):
    """Deals by hand, asks, and closes the discussion."""
    daemon.ctl("start", "draft", "alien_hunt", "--seats", "5", "--roles", " ".join(CHARACTERS))
    ears = Ears(mqtt, daemon, "draft", SEATS)
    for s, kind in zip(SEATS, CHARACTERS):
        hands.put(f"seat_{s}.character", TAGS[kind])
        hands.settle()
    for place, kind in zip([f"seat_{s}.identity" for s in SEATS] + [f"centre.undealt_{i}" for i in (1, 2, 3)], deal):
        hands.put(place, TAGS[kind])
        hands.settle()
    ears.public.wait(on("/phase", id="discussion"))
    post(daemon, "draft", 5, f"s5 ask target=s1 question={about}")
    ears.hear(5)
    post(daemon, "draft", 1, "s1 declare_alert")
    told = ears.told(on("/phase", id="alert_abilities"), since=on("/phase", id="discussion"))
    ears.close()
    return told


def laying(mqtt, daemon, card):
    daemon.ctl("start", "alone", "not_alone", "--seats", "3", "--seed", "3")
    ears = Ears(mqtt, daemon, "alone", range(1, 4))
    for seat, text in ((2, f"s2 lay cards={card}"), (3, "s3 lay cards=1"), (1, "s1 ready")):
        post(daemon, "alone", seat, text)
        ears.hear(seat)
    told = ears.told(on("/phase", id="hunting"))
    ears.close()
    return told


def same(a, b, but):
    """All channels but these say the same bytes in the same order."""
    for name in a:
        if name in but:
            continue
        for left, right in zip(a[name], b[name]):
            check(left == right, f"{name} differs:\n  {left[0]} {left[1][:700]}\n  {right[0]} {right[1][:700]}")
        check(len(a[name]) == len(b[name]) > 0, f"{name}: {len(a[name])} and {len(b[name])} messages")


def text_of(told, name):
    return "".join(row[1] for row in told[name])


def world(deal, about, card):
    with scene() as (folder, broker, daemon):
        daemon.stop()
        extra, pads = tables(daemon.folder)
        daemon.config.write_text(daemon.config.read_text() + extra)
        daemon.start()
        rows = [f"draft,{piece.replace('_', '-')},{piece.removesuffix('-2')},{tag}," for piece, tag in TAGS.items()]
        (daemon.folder / "draft.csv").write_text("\n".join(["deck,name,kind,tag,face", *rows]) + "\n")
        daemon.ctl("enrol", "import", str(daemon.folder / "draft.csv"))
        hands = Hands({"cards": daemon.folder / "cards.sock"}, pads)
        hands.settle()
        mqtt = Subscriber(broker.port)
        mqtt.wait(lambda message: "/draft/" in message["topic"])
        ret = question(mqtt, daemon, hands, deal, about), laying(mqtt, daemon, card)
        mqtt.close()
        hands.close()
        return ret


def main():
    human, lays_two = world(HUMAN, "is_alien", 2)
    alien, lays_four = world(ALIEN, "is_alien", 4)
    # Seat 1 holds the other card, seat 5 has asked.
    same(human, alien, {"stream of seat 1", "view of seat 1", "stream of seat 5", "view of seat 5"})
    for told in (human, alien):
        check("answer_is_alien" in text_of(told, "view of seat 5"), "the asker knows the answer")
        for name in told:
            check("seat 5" in name or "answer_" not in text_of(told, name), f"{name} has heard the answer")
    answers = [json.loads(text_of(told, "view of seat 5")) for told in (human, alien)]
    facts = [[f["value"] for f in find(one, "answer_is_alien")] for one in answers]
    check(facts == [[0], [1]], f"the answers are no and yes: {facts}")
    same(lays_two, lays_four, {"stream of seat 2", "view of seat 2"})
    check("place_2_1" in text_of(lays_two, "view of seat 2"), "its player sees the card laid")
    print(f"{len(human) + len(lays_two)} channels: nothing but the seat's own has changed")


def find(body, key):
    """Every object with this key, however deep."""
    if isinstance(body, dict):
        if body.get("key") == key:
            yield body
        body = list(body.values())
    for one in body if isinstance(body, list) else []:
        yield from find(one, key)


if __name__ == "__main__":
    main()
