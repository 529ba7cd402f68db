#!/usr/bin/env python3
"""A lone player at a table with pads against the computer: it answers at once, and hands are told to carry its moves out."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import Hands, check, on, scene  # noqa: E402

CELLS = [(q - r // 2 - 5, r) for r in range(-3, 3) for q in range(10)]
PADS = {f"hex.{q},{r}": ("field", i) for i, (q, r) in enumerate(CELLS)}
PADS["seat.R.done"] = ("field", len(CELLS))
DECK = {f"tile-{i}": ("tile", f"0441{i:02X}5A1F6180") for i in range(1, 33)}
DECK.update({f"{c}-{i}": (f"marker_{c}", f"0442{16 * (c == 'b') + i:02X}5A1F6180") for c in "rb" for i in range(1, 16)})
DECK.update({f"token-{i}": (f"token_{i}", f"0443{i:02X}5A1F6180") for i in range(1, 16)})
KIND = {kind: [name for name in DECK if DECK[name][0] == kind] for kind in ("tile", "marker_r", "marker_b")}
WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def table():
    rows = ["[table meadow]", "deck = meadow", "game = battle_sheep", "seats = 2", "options = pieces=markers columns=10 rows=6", "chance = generator",
            "seed = 4", "still = 150ms", "still_stack = 300ms", "wrong = 400ms", "[reader field]", "driver = sim", "socket = field.sock", "antennas = 61"]
    for i, (place, (_, antenna)) in enumerate(PADS.items()):
        rows += [f"[pad m{i}]", "table = meadow", f"place = {place}", "reader = field", f"antenna = {antenna}", "capacity = 2",
                 f"kind = {'tap' if place.startswith('seat') else 'tile'}"]
    return "\n".join(rows) + "\n"


class Player:
    def __init__(self, daemon):
        self.daemon = daemon
        self.hands = Hands({"field": daemon.folder / "field.sock"}, PADS)
        self.stream = daemon.stream("meadow")
        self.heard = 0
        self.box = {kind: list(names) for kind, names in KIND.items()}

    def view(self):
        _, _, raw = self.daemon.request("GET", "/api/v1/tables/meadow", token=self.daemon.token("display"))
        return json.loads(raw)

    def wait(self, **fields):
        """The next event like this."""
        self.heard = self.stream.wait(on("event", **fields), self.heard)
        return self.stream.seen[self.heard - 1]["json"]

    def lay(self, pad, kind):
        self.hands.put(pad, DECK[self.box[kind].pop(0)][1])

    def follow(self):
        """What the computer has done, and what hands are asked for; then it is done."""
        moved = self.wait(event="action", seat="s2")["action"][0]
        asked = self.wait(event="prompt")["repairs"]
        check(asked and all(r["take"] == "hand" and r["put"].startswith("hex.") for r in asked), f"prompt: {asked}")
        check(json.loads(self.daemon.ctl("status", "meadow", "--json"))["violations"]["prompt"] == asked, "the view has it too")
        for repair in asked:
            self.lay(repair["put"], repair["what"])
        self.heard = self.stream.wait(on("violation", prompt=[]), self.heard)  # all of it is done
        return moved, asked

    def cells(self):
        ret = {}
        for place in self.view()["board"]["places"]:
            for item in place["items"]:
                at = tuple(int(n) for n in place["name"].split(".")[1].split(","))
                ret.setdefault(at, None)
                if item["kind"] != "tile":
                    ret[at] = (item["kind"], item["n"])
        return ret

    def my_tile(self):
        cells = self.cells()
        free = [(q, r) for q, r in CELLS if all((q + a, r + b) in CELLS and (q + a, r + b) not in cells for a in (0, 1) for b in (0, 1))]
        near = [(q, r) for q, r in free if not cells or any((q + a + x, r + b + y) in cells for a in (0, 1) for b in (0, 1) for x, y in WAYS)]
        q, r = near[0] if cells else (-2, -1)
        for a in (0, 1):
            for b in (0, 1):
                self.lay(f"hex.{q + a},{r + b}", "tile")
        check(self.wait(event="action", seat="s1")["action"][0]["do"] == "tile", "my tile")

    def my_stack(self):
        cells = self.cells()
        rows = [r for _, r in cells]
        edge = [c for c in cells if cells[c] is None and c[1] in (min(rows), max(rows))]
        q, r = max(edge, key=lambda c: sum(cells.get((c[0] + x, c[1] + y), "away") is None for x, y in WAYS))
        self.lay(f"hex.{q},{r}", "marker_r")
        check(self.wait(event="action", seat="s1")["action"][0]["do"] == "place", "my stack")

    def my_split(self):
        cells = self.cells()
        for (q, r), stack in cells.items():
            for x, y in WAYS if stack and stack[0] == "sheep_r" and stack[1] > 1 else ():
                n = 0
                while cells.get((q + (n + 1) * x, r + (n + 1) * y), "away") is None:
                    n += 1
                if n:
                    self.lay(f"hex.{q + n * x},{r + n * y}", "marker_r")
                    self.hands.settle(20)
                    self.hands.tap(DECK["token-1"][1], "seat.R.done")
                    check(self.wait(event="action", seat="s1")["action"][0]["notation"].startswith("M R "), "my split")
                    return True
        return False


def main():
    with scene(with_broker=False, extra=table()) as (_, __, daemon):
        daemon.enrol(DECK, "meadow")
        me = Player(daemon)
        daemon.ctl("start", "meadow", "battle_sheep", "--seats", "2", "--seed", "4", "--bots", "s2",
                   "--option", "pieces=markers", "--option", "columns=10", "--option", "rows=6")
        check([s["bot"] for s in me.view()["seats"]["seats"]] == [False, True], "everybody sees whom the computer plays")
        check("s2(B)@" in daemon.ctl("status", "meadow"), "and so does status")
        for _ in range(4):
            me.my_tile()
            moved, asked = me.follow()
            check(moved["do"] == "tile" and [r["what"] for r in asked] == ["tile"] * 4, f"four hexagons: {moved} {asked}")
        me.my_stack()
        moved, asked = me.follow()
        check(moved["do"] == "place" and [r["what"] for r in asked] == ["marker_b"], f"a marker: {moved} {asked}")
        splits = 0
        while splits < 3 and me.my_split():  # it may shut red in
            splits += 1
            moved, asked = me.follow()
            check(moved["notation"].startswith("M B ") and [r["put"] for r in asked] == [moved["args"]["to"]], f"a marker at the end: {moved} {asked}")
        check(splits > 0, "red had a split")
        daemon.ctl("act", "--table", "meadow", "M", "R", "9,9", "d0", "1", code=4)  # section 4 is taken by act: read, and refused by the rules
        me.hands.close()
    print("hands have carried out what the computer did")


if __name__ == "__main__":
    main()
