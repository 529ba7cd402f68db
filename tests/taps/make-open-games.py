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
    t.note("count: seven of seven cannot go")
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


if __name__ == "__main__":
    battle_sheep()
