"""Whole tables for tap logs: pads by the names of places, pieces by their kinds, and what hands do there.

    hands = Hands(pads, deck)          # pads: {name: capacity}, 0 = a tap spot; deck: {piece: kind}
    hands.put("seat.h1.play_a", "place-3-1").wait(3)
    hands.files(folder, "not-alone", game="not_alone", seats=3)

A log of the name, its configuration and its deck are written; tests/taps/10-replay.py plays them.
"""
HOLD = 85
ANTENNAS = 32  # of one reader


class Hands:
    def __init__(self, pads, deck):
        self.pads, self.deck = {**pads, "tap": 0}, {**deck, "start": "control", "done": "control", "yes": "control", "undo": "control"}
        self.tags = {piece: f"04{0x10 + i // 200:02X}{i % 200:02X}5A1F6180" for i, piece in enumerate(self.deck)}
        self.antenna = {pad: (f"r{i // ANTENNAS}", i % ANTENNAS) for i, pad in enumerate(self.pads)}
        self.on = {pad: [] for pad in self.pads}
        self.where = {}
        self.ms = 0
        self.lines = [f"# tabled tap log: made by hand; @hold {HOLD}"]
        for reader in sorted({reader for reader, _ in self.antenna.values()}):
            self.lines.append(f"0 {reader} 0 up")
        self.wait(0.1)
        for pad in self.pads:
            self._say(pad)

    # ---- time

    def wait(self, seconds):
        self.ms += round(seconds * 1000)
        return self

    def note(self, text):
        self.lines.append(f"# {text}")
        return self

    # ---- single movements

    def _say(self, pad):
        reader, antenna = self.antenna[pad]
        self.lines += [f"{self.ms} {reader} {antenna} seen {self.tags[p]}" for p in self.on[pad]] or [f"{self.ms} {reader} {antenna} none"]

    def lift(self, *pieces):
        """From wherever they lie."""
        pads = []
        for piece in pieces:
            pad = self.where.pop(piece)
            self.on[pad].remove(piece)
            pads += [pad] if pad not in pads else []
        for pad in pads:
            self._say(pad)
        return self

    def put(self, pad, *pieces):
        """Down on a pad; what lies elsewhere is lifted 600 ms before."""
        away = [p for p in pieces if p in self.where]
        if away:
            self.lift(*away).wait(0.6)
        for piece in pieces:
            self.on[pad].append(piece)
            self.where[piece] = pad
        self._say(pad)
        return self

    def tap(self, pad, piece, stay=0.6):
        """Touches a pad and goes on; a piece that lay somewhere stays in the hand."""
        if piece in self.where:
            self.lift(piece).wait(0.5)
        self.put(pad, piece).wait(stay)
        return self.lift(piece).wait(0.4)

    # ---- files

    def conf(self, game, seats, options="", roles="", chance="readers"):
        rows = ["[daemon]", "state_dir = state", "socket =", "log_level = error", "[table main]", "deck = kit", f"game = {game}",
                f"seats = {seats}", f"options = {options}", f"chance = {chance}", "seed = 1"]
        rows += [f"roles = {roles}"] if roles else []
        for reader in sorted({reader for reader, _ in self.antenna.values()}):
            rows += [f"[reader {reader}]", "driver = replay"]
        places = []
        for i, (pad, capacity) in enumerate(self.pads.items()):
            reader, antenna = self.antenna[pad]
            rows += [f"[pad p{i}]" if pad != "tap" else "[pad tap]", f"reader = {reader}", f"antenna = {antenna}"]
            rows += [f"capacity = {capacity}"] if capacity else ["kind = tap"]
            places += [f"{pad} = p{i}"] if pad != "tap" else []
        return "\n".join(rows + [f"[map main/{game}]"] + places) + "\n"

    def csv(self):
        return "deck,name,kind,tag,face\n" + "".join(f"kit,{p.replace('_', '-')},{k},{self.tags[p]},\n" for p, k in self.deck.items())

    def log(self):
        return "\n".join(self.lines) + "\n"

    def files(self, folder, name, **setup):
        (folder / f"{name}.tap").write_text(self.log())
        (folder / f"{name}.conf").write_text(self.conf(**setup))
        (folder / f"{name}.csv").write_text(self.csv())
