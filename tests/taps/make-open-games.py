#!/usr/bin/env python3
"""Writes the tap logs of whole open games: battle-sheep.tap, elfenland.tap, their configurations and decks.

Run it after a change here, then `10-replay.py --rebuild`, and read the difference. Notes in the logs name the rows of the
storyboards; 60-open-games.py asks what was said about each.
"""
import pathlib

from table_hands import Hands

HERE = pathlib.Path(__file__).resolve().parent


# ---- Battle Sheep: two players, a marker under each stack, numbers on the done spots; notation of section 4

WAYS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
Q, R = -4, -2  # where 0,0 of the notation lies


class Meadow(Hands):
    def __init__(self):
        deck = {f"tile-{i}": "tile" for i in range(1, 33)}
        deck.update({f"{colour}-{i}": f"marker_{colour}" for colour in "rb" for i in range(1, 17)})
        deck.update({f"token-{i}": f"token_{i}" for i in range(1, 16)})
        pads = {f"hex.{q - r // 2 - 5},{r}": 2 for r in range(-3, 3) for q in range(10)}
        super().__init__({**pads, "seat.R.done": 0, "seat.B.done": 0}, deck)
        self.cells, self.tiles, self.markers = {}, 0, {"r": 0, "b": 0}
        self.turn = "r"

    @staticmethod
    def pad(cell):
        return f"hex.{cell[0] + Q},{cell[1] + R}"

    def marker(self, colour):
        """One that lies nowhere."""
        return next(f"{colour}-{i}" for i in range(1, 17) if f"{colour}-{i}" not in self.where)

    # ---- the rules, as far as hands must know them

    def end(self, cell, way):
        at = cell
        while self.cells.get((at[0] + way[0], at[1] + way[1]), "away") is None:
            at = (at[0] + way[0], at[1] + way[1])
        return at if at != cell else None

    def splits(self, colour):
        """[(size, length, from, to)]"""
        found = []
        for cell, stack in self.cells.items():
            for way in WAYS if stack and stack[0] == colour and stack[1] > 1 else ():
                to = self.end(cell, way)
                if to:
                    found.append((stack[1], abs(to[0] - cell[0]) + abs(to[1] - cell[1]), cell, to))
        return found

    def move(self, a, b, n):
        colour, size = self.cells[a]
        self.cells[a], self.cells[b] = (colour, size - n), (colour, n)
        other = "b" if colour == "r" else "r"
        self.turn = other if self.splits(other) else colour

    # ---- hands

    def tile(self, q, r, *also):
        pieces = [f"tile-{self.tiles + i}" for i in range(1, 5)]
        for piece, (dq, dr) in zip(pieces, ((0, 0), (1, 0), (0, 1), (1, 1))):
            self.put(self.pad((q + dq, r + dr)), piece).wait(0.15)
        return pieces

    def lay(self, q, r):
        self.tile(q, r)
        self.tiles += 4
        self.cells.update({(q + dq, r + dr): None for dq in (0, 1) for dr in (0, 1)})
        return self.wait(3)

    def number(self, n):
        return self.tap(f"seat.{self.turn.upper()}.done", f"token-{n}")

    def sources(self, b, n):
        """Stacks that could send n sheep to b: where there are several, people say which."""
        return sorted((s[2] for s in self.splits(self.turn) if s[3] == b and s[0] > n), key=lambda cell: (cell[1], cell[0]))

    def split(self, a, b, n, wait=2):
        piece = self.marker(self.turn)
        self.put(self.pad(b), piece).wait(wait).number(n).wait(1.5)
        if len(self.sources(b, n)) > 1:  # the first one is asked for
            a = self.sources(b, n)[0]
            self.tap("tap", "yes").wait(1.5)
        self.move(a, b, n)
        return piece

    def shift(self, by):
        """Everything lies one pad further east, or back."""
        lying = [(pad, list(pieces)) for pad, pieces in self.on.items() if pieces and pad.startswith("hex.")]
        for _, pieces in lying:
            for piece in pieces:
                self.on[self.where.pop(piece)].remove(piece)
        for pad, pieces in lying:
            q, r = pad[4:].split(",")
            self.on[f"hex.{int(q) + by},{r}"] += pieces
            self.where.update({piece: f"hex.{int(q) + by},{r}" for piece in pieces})
        for pad in self.on:
            if pad.startswith("hex."):
                self._say(pad)
        return self

    def pick(self, least=1):
        """The largest stack, its longest slide of at least so many steps."""
        return max(s for s in self.splits(self.turn) if s[1] >= least)

    def play(self):
        size, _, a, b = self.pick()
        self.split(a, b, size // 2)
        return self


def battle_sheep():
    t = Meadow()
    t.wait(1).tap("tap", "start").wait(2)
    t.note("build")
    t.lay(0, 0)
    t.note("tile_detached: the second tile touches nothing, then it is pushed against the first")
    pieces = t.tile(4, 0)
    t.wait(6).lift(*pieces).wait(1)
    for q, r in ((2, 0), (4, 0), (6, 0), (0, 2), (2, 2), (4, 2), (6, 2)):
        t.lay(q, r)
    t.note("not_outer: red's stack on an inner cell")
    first = t.marker("r")
    t.put(t.pad((1, 1)), first).wait(6).put(t.pad((0, 0)), first).wait(3)
    t.note("occupied: blue's stack on red's, then in its corner")
    second = t.marker("b")
    t.put(t.pad((0, 0)), second).wait(6).put(t.pad((7, 3)), second).wait(3)
    t.cells[(0, 0)], t.cells[(7, 3)] = ("r", 16), ("b", 16)

    t.note("bs1: the whole stack is lifted, set back, and nine go on: one split")
    t.lift(first).wait(2).put(t.pad((0, 0)), first).wait(0.5)
    t.split((0, 0), (7, 0), 9)
    t.note("bs2: one cell short, then to the end")
    short = t.marker("b")
    t.put(t.pad((1, 3)), short).wait(6).lift(short).wait(1)
    t.split((7, 3), (0, 3), 8)
    t.note("bs3: a stack falls silent for two seconds")
    t.lift("tile-1", first).wait(2).put(t.pad((0, 0)), "tile-1", first).wait(3)
    t.note("bs4: two stacks are touched, both are restored")
    one, two = t.marker("r"), "r-9"
    t.put(t.pad((0, 2)), one).wait(0.5).put(t.pad((7, 2)), two).wait(6)
    t.lift(one, two).wait(2)
    t.note("not_straight: no stack of red's is in line")
    t.put(t.pad((1, 1)), one).wait(6).lift(one).wait(1)
    t.note("turn: blue moves out of turn")
    wrong, (_, _, _, b) = t.marker("b"), max(t.splits("b"))
    t.put(t.pad(b), wrong).wait(6).lift(wrong).wait(1)
    t.note("count: nine of nine cannot go")
    _, _, a, b = t.pick(2)
    size = t.cells[a][1]
    piece = t.marker("r")
    t.put(t.pad(b), piece).wait(2).number(size).wait(4)
    t.note("bs5: the wrong number is confirmed, undone, said again")
    t.number(1).wait(2)
    t.tap("tap", "undo").wait(2)
    t.lift(piece).wait(2).put(t.pad(b), piece).wait(2).number(2).wait(2)
    t.move(a, b, 2)
    t.note("bs6: the pasture is pushed by one pad, and back")
    t.shift(1).wait(6).shift(-1).wait(4)
    t.note("bs7: the next split within a tenth of a second")
    _, _, a, b = t.pick()
    n = t.cells[a][1] // 2
    t.put(t.pad(b), t.marker(t.turn)).wait(2)
    spot, token = f"seat.{t.turn.upper()}.done", f"token-{n}"
    t.put(spot, token).wait(0.09)
    t.move(a, b, n)
    _, _, a, b = t.pick()
    n = t.cells[a][1] // 2
    t.put(t.pad(b), t.marker(t.turn)).wait(0.6).lift(token).wait(0.6)
    t.number(n).wait(2)
    t.move(a, b, n)
    t.note("rest")
    while t.splits("r") or t.splits("b"):
        t.play()
    t.wait(3)
    t.files(HERE, "battle-sheep", game="battle_sheep", seats=2, options="pieces=markers columns=10 rows=6")


# ---- Elfenland: two players, three rounds, cards dealt unseen and laid on the pay pads, every counter read

TYPES = "giant_pig elfcycle magic_cloud unicorn troll_wagon dragon".split()
MAP = HERE.parent.parent / "daemon" / "games" / "elfenland"


class Journey(Hands):
    def __init__(self):
        towns = [line.split(",")[0] for line in (MAP / "towns.csv").read_text().splitlines()[1:]]
        links = [line.split(",") for line in (MAP / "map.csv").read_text().splitlines()[1:]]
        deck = {f"card-{t}-{i}": f"card_{t}" for t in TYPES for i in range(1, 11)}
        deck.update({f"card-raft-{i}": "card_raft" for i in range(1, 13)})
        deck.update({f"{t}-{i}": f"tc_{t}" for t in TYPES for i in range(1, 9)})
        deck.update({"boot-red": "boot_red", "boot-blue": "boot_blue", "obstacle-1": "obstacle", "obstacle-2": "obstacle", "start-card": "start_card"})
        pads = {f"town_{town}": 4 for town in towns}
        pads.update({row[5]: 2 for row in links if row[3] == "road"})
        pads.update({f"market_{i}": 1 for i in range(1, 6)})
        for colour in ("red", "blue"):
            pads.update({f"seat_{colour}.pay": 4, f"seat_{colour}.open": 8, f"seat_{colour}.secret": 2, f"seat_{colour}.obstacle": 1})
        super().__init__({**pads, "discard": 0, "pile": 0, "seat_blue.start": 0}, deck)
        self.used = {}

    def card(self, kind):
        """Another card of this kind out of the hand."""
        self.used[kind] = self.used.get(kind, 0) + 1
        return f"card-{kind}-{self.used[kind]}"

    def reshuffle(self):
        self.used = {}
        return self

    def pay(self, colour, *kinds):
        cards = [self.card(kind) for kind in kinds]
        for card in cards:
            self.put(f"seat_{colour}.pay", card).wait(1)
        return cards

    def walk(self, colour, to):
        return self.lift(f"boot-{colour}").wait(1).put(f"town_{to}", f"boot-{colour}").wait(2)

    def step(self, colour, to, *kinds):
        """Cards, boot, and the cards are laid away."""
        cards = self.pay(colour, *kinds)
        return self.walk(colour, to).lift(*cards).wait(2)

    def glimpse(self, pad, piece):
        """One scan of a pad hears a piece that passes over it."""
        self.on[pad].append(piece)
        self._say(pad)
        self.on[pad].remove(piece)
        self.wait(0.085)._say(pad)
        return self.wait(0.3)

    def done(self):
        return self.tap("tap", "done").wait(1.5)

    def draft(self, colour, slot, refill):
        piece = self.on[f"market_{slot}"][0]
        self.put(f"seat_{colour}.open", piece).wait(1.5)
        return self.put(f"market_{slot}", refill).wait(2)

    def finish(self, colour, drops, give_back=()):
        for kind in drops:
            self.tap("discard", self.card(kind)).wait(0.8)
        for counter in give_back:
            self.tap("pile", counter).wait(1.2)
        return self.done()


def elfenland():
    t = Journey().wait(1)
    for colour in ("red", "blue"):
        t.put("town_elvenhold", f"boot-{colour}").wait(0.5)
    t.put("seat_red.obstacle", "obstacle-1").put("seat_blue.obstacle", "obstacle-2").wait(2)
    t.tap("tap", "start").wait(2)
    t.note("the market is turned up, cards are dealt unseen, one counter each is drawn in secret")
    for slot, counter in enumerate(("unicorn-1", "dragon-1", "giant_pig-1", "troll_wagon-1", "elfcycle-1"), 1):
        t.put(f"market_{slot}", counter).wait(1.5)
    t.wait(2).put("seat_red.secret", "magic_cloud-1").wait(2).put("seat_blue.secret", "dragon-2").wait(2)
    t.note("draft: from the market, which is filled again, and once blind from the pile")
    t.draft("red", 2, "troll_wagon-2").draft("blue", 3, "elfcycle-2").draft("red", 1, "giant_pig-2").draft("blue", 5, "dragon-3")
    t.put("seat_red.open", "unicorn-2").wait(2)
    t.draft("blue", 4, "magic_cloud-2")

    t.note("el5: a unicorn on plains is refused, in the forest it may lie")
    t.put("beata_elvenhold_plains", "unicorn-1").wait(6).put("feodor_lapphalya_forest", "unicorn-1").wait(2)
    t.note("plan")
    t.put("elvenhold_lapphalya_plains", "giant_pig-1").wait(2)
    t.note("el4: a counter is heard by two roads: the first one keeps it")
    t.put("beata_elvenhold_plains", "dragon-1").wait(0.5)
    t.on["elvenhold_erg_eren_forest"].append("dragon-1")
    t._say("elvenhold_erg_eren_forest")
    t.on["elvenhold_erg_eren_forest"].remove("dragon-1")
    t.wait(1)._say("elvenhold_erg_eren_forest")
    t.wait(2)
    t.note("obstacle_alone: an obstacle needs a counter below it")
    t.put("elvenhold_erg_eren_forest", "obstacle-2").wait(6).put("beata_elvenhold_plains", "obstacle-2").wait(2)
    t.note("el7: done twice in a second is one pass")
    t.tap("tap", "done", 0.2).tap("tap", "done", 0.2).wait(2)
    t.note("own_spot: a done on the spot of the other seat, then on the own one")
    t.tap("seat_red.pay", "done").wait(2).tap("seat_blue.pay", "done").wait(3)

    t.note("el1: the boot goes too far in one go and comes back")
    t.walk("red", "feodor").wait(5).walk("red", "elvenhold").wait(2)
    t.note("in_the_air: the boot passes over towns on its way, each of which hears it once")
    t.pay("red", "giant_pig")
    t.lift("boot-red").wait(0.6)
    for town in ("beata", "strykhaven", "virst"):
        t.glimpse(f"town_{town}", "boot-red")
    t.put("town_lapphalya", "boot-red").wait(2).lift("card-giant_pig-1").wait(2)
    t.note("wrong_payment: a pig where the unicorn stands; done says the price; the pig is taken back and a unicorn laid")
    wrong = t.pay("red", "giant_pig")
    t.walk("red", "feodor").done()
    t.lift(*wrong).wait(2)
    t.lift(*t.pay("red", "unicorn")).wait(2)
    t.note("el2: a card too many on the river, taken out again; el3: the boot is there six seconds before")
    t.done()
    t.walk("blue", "rivinia").wait(6)
    two = t.pay("blue", "raft")
    t.lift(*two).wait(2)
    three = t.pay("blue", "raft", "raft")
    t.walk("blue", "tichih").wait(1).done()
    t.lift(three[1]).wait(2).lift(three[0]).wait(2)
    t.note("foreign_boot: red moves out of turn and goes back")
    t.walk("red", "lapphalya").wait(5).walk("red", "feodor").wait(2)
    t.done()
    t.note("finish: too many cards are kept, then four; one counter")
    t.done()
    t.finish("red", ("raft", "raft"), ("magic_cloud-1",))
    t.finish("blue", ("raft", "raft"), ("elfcycle-1", "dragon-2"))
    t.lift("giant_pig-1", "dragon-1", "obstacle-2").wait(1).lift("unicorn-1").wait(2)

    for number in (2, 3):
        t.note(f"round {number}")
        t.reshuffle().wait(2)
        first, second = ("blue", "red") if number == 2 else ("red", "blue")
        spare = iter(f"{kind}-{i}" for i in (5, 6, 7, 8) for kind in TYPES) if number == 2 else spare
        t.put(f"seat_{first}.secret", next(spare)).wait(2).put(f"seat_{second}.secret", next(spare)).wait(2)
        for _ in range(3):
            for colour in (first, second):
                t.draft(colour, 1, next(spare))
        t.done().done().wait(1)
        for colour in (first, second):
            t.done()
        if number == 2:
            for colour in (first, second):
                mine = [p for spot in ("open", "secret") for p in t.on[f"seat_{colour}.{spot}"]]
                t.finish(colour, ["raft"] * 4, mine[1:])
    t.wait(3)
    t.files(HERE, "elfenland", game="elfenland", seats=2, options="rounds=3 hands=counted payment=laid")


if __name__ == "__main__":
    battle_sheep()
    elfenland()
