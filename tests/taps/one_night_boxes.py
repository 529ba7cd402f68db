"""One Night tables with pads for marks, artifacts, shield and answers; evenings of any role set, played by hands.

    table = Table("vampire villager seer gremlin robber cupid priest", seats=4)
    evening = table.evening()          # deals, looks, second `start`; evening.step["200"] is a list of begins
    evening.move(evening.at("200", 4000), "tray", "k3", "mark_vampire")
    run = evening.vote("12 21 31 41").run()
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import storyboard  # noqa: E402
from storyboard import Hands, Run  # noqa: E402

FANGS = "vampire the_master the_count".split()
MARKED = FANGS + "copycat renfield diseased cupid instigator priest assassin apprentice_assassin marksman pickpocket gremlin".split()
ALIENS = "alien synthetic_alien groob zerb".split()
ARTIFACTS = "claw_of_the_werewolf brand_of_the_villager cudgel_of_the_tanner void_of_nothingness mask_of_muting shroud_of_shame".split()
ANTENNAS = 24  # of one reader


def spare_marks(roles):
    """Marks that lie in the tray (1.3); a doppelganger brings the second copies."""
    double = "doppelganger" in roles
    rows = ((FANGS, "vampire", 1, 0), (["the_count"], "fear", 1, 1), (["renfield"], "bat", 1, 1), (["diseased"], "disease", 1, 1),
            (["cupid"], "love", 2, 2), (["instigator"], "traitor", 1, 1), (["assassin", "apprentice_assassin"], "assassin", 1, 1),
            (["priest"], "clarity", 2, 2))
    return [mark for who, mark, n, more in rows if set(who) & set(roles) for _ in range(n + (more if double else 0))]


class Table:
    """A table whose pads serve all that a role set needs."""

    def __init__(self, roles, seats, options="", seed=1):
        self.roles, self.seats, self.seed = roles.split(), seats, seed
        self.options = dict(word.split("=") for word in ("ballot=tapped " + options).split())
        self.c4 = self.options.get("c4")
        cards = self.roles + ([self.c4] if self.c4 else [])
        self.marked = bool(set(MARKED) & set(cards))
        self.deck, self.cards = {}, []
        for kind in cards:
            self.cards.append(self._piece(kind))
        seat = range(1, seats + 1)
        self.places = [f"s{i}" for i in seat] + [f"c{i}" for i in range(1, 4 + bool(self.c4))]
        pads = {place: 3 for place in self.places}
        for i in seat:
            self._piece(f"token_{i}", f"number-{i}")
        self.tray, self.clarity, self.shields, self.supply = [], [], [], []
        if self.marked:
            self.clarity = [self._piece("mark_clarity") for _ in seat]
            self.tray = [self._piece(f"mark_{mark}") for mark in spare_marks(cards)]
            pads.update({f"k{i}": 2 for i in seat}, tray=8)
        if "curator" in cards:
            self.supply = [self._piece(kind) for kind in ARTIFACTS]
            pads.update({f"a{i}": 2 for i in seat}, supply=8)
        if "sentinel" in cards:
            self.shields = [self._piece("shield") for _ in range(2 if "doppelganger" in cards else 1)]
            pads.update({f"h{i}": 2 for i in seat}, shield_rest=3)
        if {"oracle", *ALIENS} & set(cards):
            pads["answer"] = 2
        self.deck.update(start=("control", "04310C5A1F6180"), done=("control", "04320C5A1F6180"))
        self.capacity = {**pads, "tap": 0}
        self.kit = {pad: (f"r{i // ANTENNAS}", i % ANTENNAS) for i, pad in enumerate(self.capacity)}

    def _piece(self, kind, name=None):
        n = sum(k == kind for k, _ in self.deck.values()) + 1
        name = name or f"{kind.replace('_', '-')}-{n}"
        self.deck[name] = (kind, f"04{0x40 + len(self.deck) // 200:02X}{len(self.deck) % 200:02X}5A1F6180")
        return name

    def conf(self):
        lines = ["[daemon]", "state_dir = state", "socket =", "log_level = error", "[table main]", "deck = kit", "game = one_night",
                 f"seats = {self.seats}", f"roles = {' '.join(self.roles)}",
                 "options = " + " ".join(f"{k}={v}" for k, v in self.options.items()), f"seed = {self.seed}"]
        for reader in sorted({reader for reader, _ in self.kit.values()}):
            lines += [f"[reader {reader}]", "driver = replay"]
        for pad, (reader, antenna) in self.kit.items():
            lines += [f"[pad p-{antenna}-{reader}]", f"place = {pad}", f"reader = {reader}", f"antenna = {antenna}"]
            lines += ["kind = tap"] if pad == "tap" else ["kind = tile", f"capacity = {self.capacity[pad]}"]
        return "\n".join(lines).replace("place = tap\n", "") + "\n"

    def evening(self, deal=None, looks=False):
        return Evening(self, deal, looks)


class Evening(Hands):
    """Up to the night with the hands of `deal` (piece of each card place in order; default: the set in its order)."""

    def __init__(self, table, deal=None, looks=False):
        super().__init__(dict(table.deck), table.kit)
        self.table, self.deal = table, dict(zip(table.places, deal or table.cards))
        for reader in sorted({reader for reader, _ in table.kit.values()}):
            self.up(0, reader)
        self.tap(2000, "start")
        ms = 4000
        rest = [("tray", p) for p in table.tray] + [("supply", p) for p in table.supply] + [("shield_rest", p) for p in table.shields]
        for pad, piece in list(self.deal.items()) + [(f"k{i + 1}", p) for i, p in enumerate(table.clarity)] + rest:
            self.put(ms, pad, piece)
            ms += 300
        for i in range(table.seats if looks else 0):
            self.look(ms + 2000 + 700 * i, f"s{i + 1}", 1900)
        self.begins = ms + (9000 + 700 * table.seats if looks else 4000)
        self.tap(self.begins, "start")
        self._steps = None

    def quiet(self):
        """The same night without hands: when its steps begin."""
        if self._steps is None:
            run = Evening(self.table, list(self.deal.values()), False)
            run.begins, run.acts = self.begins, list(self.acts)
            run = run.rest(self.begins + 1200000).run()
            self._steps, self.day, self.first = {}, run.starts("day"), run.starts("night")
            for ms, phase in run.phases():
                if phase["id"] == "night":
                    self._steps.setdefault(phase["step"], []).append(ms)
            self.said, self.silence = run.narrations(self.first, self.day + 1), run
        return self

    def at(self, step, after, time=0):
        return self.quiet()._steps[step][time] + after

    # ---- hands

    def carry(self, ms, a, b, piece, fly=1500):
        """A piece by its name, from a place with several."""
        return self.take(ms, a, piece).put(ms + fly, b, piece)

    def mark(self, ms, place, piece, old):
        """The new mark is taken from the tray and laid on top, the old one goes back a second later."""
        return self.carry(ms, "tray", place, piece).take(ms + 2500, place, old).put(ms + 3500, "tray", old)

    def ring(self, ms, *pads, hold=3000):
        """All tiles up at once; each goes to the next pad, the last one's to the first."""
        held = [object() for _ in pads]
        for i, pad in enumerate(pads):
            self._lift(ms + 200 * i, pad, held[i])
        for i, hand in enumerate(held):
            self._lay(ms + hold + 400 * i, pads[(i + 1) % len(pads)], hand)
        return self

    def vote(self, ballots, after=60000):
        """`done` some time into the day, then every ballot as voter>target."""
        ms = self.quiet().day + after
        self.tap(ms, "done")
        for i, ballot in enumerate(ballots.split()):
            voter, target = ballot.split(">")
            self.tap(ms + 7000 + 1500 * i, f"number-{voter}", f"s{target}", 700)
        return self.rest(ms + 7000 + 1500 * len(ballots.split()) + 5000)

    def run(self, log=None):
        return Run(log or self.log(), self.deck, "", "", self.table.conf())


def csv(deck):
    return storyboard.deck_csv(deck)
