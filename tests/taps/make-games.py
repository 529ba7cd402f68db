#!/usr/bin/env python3
"""Writes the tap logs of whole games: not-alone.tap, alien-hunt.tap, their configurations and decks.

Run it after a change here, then `10-replay.py --rebuild`, and read the difference.
"""
import pathlib

from table_hands import Hands

HERE = pathlib.Path(__file__).resolve().parent


# ---- Not Alone: the Creature and two Hunted, four turns

HUNT = "despair force_field anticipation ascendancy fierceness forbidden_zone interference persecution mutation phobia virus clone mirage scream toxin cataclysm detour stasis tracking flashback".split()
SURVIVAL = "adrenaline ingenuity sacrifice sixth_sense smokescreen strike_back vortex detector dodge drone gate hologram wrong_track amplifier double_back".split()


class NotAlone(Hands):
    def __init__(self):
        deck = {f"place-{n}-{k}": f"place_{n}_{k}" for k in (1, 2) for n in range(1, 6)}
        deck.update({f"place-{n}-{k}": f"place_{n}" for n in range(6, 11) for k in (1, 2)})
        deck.update({card: card for card in HUNT + SURVIVAL})
        deck.update({f"will-{i}": "will" for i in range(1, 7)})
        deck.update({piece: piece.replace("-", "_") for piece in
                     "token-creature token-target token-artemia marker counter-rescue counter-assimilation number-c number-h1 number-h2".split()})
        pads = {f"planet.p{n}": 8 for n in range(1, 11)}
        pads.update({f"reserve.p{n}": 2 for n in range(6, 11)})
        pads.update({"seat.c.ready": 0, "seat.c.tokens": 8, "seat.c.hunt": 2, "seat.c.view": 8, "bank.will": 8})
        pads.update({f"track.rescue.{n}": 1 for n in range(15)})
        pads.update({f"track.assimilation.{n}": 1 for n in range(9)})
        for k in (1, 2):
            pads.update({f"seat.h{k}.{spot}": size for spot, size in
                         {"play_a": 2, "play_b": 2, "discard": 8, "survival": 2, "will": 3, "ready": 0}.items()})
        super().__init__(pads, deck)
        self.rescue, self.assimilation, self.will = 14, 8, {1: [], 2: []}
        self.laid, self.shown = {}, []

    def set_out(self):
        """What lies there before the first draw."""
        self.wait(1).put("seat.c.tokens", "token-creature", "token-target", "token-artemia").wait(0.2)
        for n in range(6, 11):
            self.put(f"reserve.p{n}", f"place-{n}-1", f"place-{n}-2").wait(0.2)
        for k in (1, 2):
            self.will[k] = [f"will-{3 * k - i}" for i in range(3)]
            self.put(f"seat.h{k}.will", *self.will[k]).wait(0.2)
        self.put("track.rescue.14", "counter-rescue").put("track.assimilation.8", "counter-assimilation")
        return self.wait(3).tap("tap", "start").wait(2)

    def draw(self, pad, card):
        """Read face down while the draw is asked for, then into the hand."""
        return self.put(pad, card).wait(1.5).lift(card).wait(2)

    def lay(self, k, *places):
        for spot, n in zip(("play_a", "play_b"), places):
            self.put(f"seat.h{k}.{spot}", f"place-{n}-{k if n < 6 else 1}").wait(0.8)
        self.laid[k] = [f"place-{n}-{k if n < 6 else 1}" for n in places]
        return self.wait(2)

    def ready(self, *seats):
        for seat in seats:
            self.tap(f"seat.{seat}.ready", f"number-{seat}").wait(1.5)
        return self

    def give_up(self, k):
        """Touched, asked back, touched again; then all that it brings about."""
        self.tap(f"seat.h{k}.ready", f"number-h{k}").wait(2)
        return self.tap(f"seat.h{k}.ready", f"number-h{k}").wait(2)

    def lose(self, k, n=1):
        for _ in range(n):
            self.put("bank.will", self.will[k].pop()).wait(1)
        return self

    def regain(self, k, n=3):
        for will in [w for w in self.on["bank.will"]][:n - len(self.will[k])]:
            self.put(f"seat.h{k}.will", will).wait(0.8)
            self.will[k].append(will)
        return self

    def step(self, rescue=0, assimilation=0):
        self.rescue -= rescue
        self.assimilation -= assimilation
        if rescue:
            self.put(f"track.rescue.{self.rescue}", "counter-rescue").wait(1)
        if assimilation:
            self.put(f"track.assimilation.{self.assimilation}", "counter-assimilation").wait(1)
        return self

    def clean_up(self, *hunt):
        """The end of a turn: cards to the discards, tokens home, the counter one on."""
        for k, cards in self.laid.items():
            for card in cards:
                if card in self.where and self.where[card].split(".")[-1].startswith("play"):
                    self.put(f"seat.h{k}.discard", card).wait(1)
        for token in ("creature", "target", "artemia"):
            if self.where.get(f"token-{token}") != "seat.c.tokens":
                self.put("seat.c.tokens", f"token-{token}").wait(1)
        for card in hunt:
            self.lift(card).wait(1)
        self.laid = {}
        return self.step(rescue=1).wait(3)


def not_alone():
    t = NotAlone()
    t.set_out()
    for card in ("force_field", "phobia", "forbidden_zone"):
        t.draw("seat.c.hunt", card)
    t.draw("seat.h1.survival", "drone").draw("seat.h2.survival", "vortex")

    t.note("turn 1: Force Field on 1 and 6; a barred card, another player's card, ready without the token")
    t.tap("planet.p1", "token-target").put("planet.p6", "token-target").wait(1.5).put("seat.c.hunt", "force_field").wait(3)
    t.put("seat.h1.play_a", "place-1-1").wait(6).lift("place-1-1").wait(2).lay(1, 5)
    t.put("seat.h2.play_a", "place-3-1").wait(6).lift("place-3-1").wait(2).lay(2, 4)
    t.tap("seat.c.ready", "number-c").wait(2)
    t.put("planet.p4", "token-creature").wait(3)
    t.ready("h1", "h2").ready("h1", "h2")
    t.lift("place-7-1").wait(2).ready("h1")
    t.lose(2).step(assimilation=1).wait(2).ready("h1", "h2")
    t.clean_up("force_field").draw("seat.c.hunt", "mirage")

    t.note("turn 2: both give up; two cards where one is due; Phobia; the River is armed")
    t.give_up(1).lift("place-5-1").wait(1).step(assimilation=1).wait(2)
    t.give_up(2).lift("place-4-2").wait(1).regain(2).step(assimilation=1).wait(2)
    t.put("seat.h1.play_a", "place-3-1").wait(0.4).put("seat.h1.play_b", "place-2-1").wait(6).lift("place-2-1").wait(3)
    t.laid[1] = ["place-3-1"]
    t.lay(2, 2).ready("c")
    t.tap("seat.h1.ready", "phobia").put("seat.c.hunt", "phobia").wait(3)
    t.put("seat.c.view", "place-1-1", "place-4-1", "place-7-1").wait(3).lift("place-1-1", "place-4-1", "place-7-1").wait(3)
    t.put("planet.p2", "token-creature").wait(2).put("planet.p9", "token-artemia").wait(3)
    t.ready("h1", "h2").ready("h1", "h2")
    t.tap("planet.p3", "place-3-1").put("seat.h1.play_a", "place-3-1").wait(1).ready("h1")
    t.lose(2).step(assimilation=1).wait(2).ready("h1", "h2")
    t.clean_up("phobia").draw("seat.c.hunt", "clone")

    t.note("turn 3: Resist; Forbidden Zone; a token that is moved again; the River choice; a place owned already; the third Will")
    t.give_up(1).lift("place-3-1").wait(1).step(assimilation=1).wait(2)
    t.lose(2).lift("place-2-2").wait(3)
    t.lay(1, 5, 4).lay(2, 1).ready("c")
    t.put("seat.c.hunt", "forbidden_zone").wait(3)
    t.put("seat.h1.discard", "place-2-1").wait(3).put("seat.h2.discard", "place-3-2").wait(3)
    t.put("planet.p1", "token-creature").wait(3).put("planet.p2", "token-creature").wait(6).put("planet.p1", "token-creature").wait(3)
    t.ready("h1", "h2").lift("place-4-1").wait(3).ready("h1", "h2")
    t.lift("place-7-2").wait(2).tap("seat.h1.ready", "number-h1").wait(6).put("reserve.p7", "place-7-2").wait(3)
    t.lift("place-8-1").wait(2).ready("h1")
    t.step(assimilation=2).lose(2).regain(2).lift("place-1-2", "place-3-2").wait(3).ready("h1", "h2")
    t.clean_up("forbidden_zone").draw("seat.c.hunt", "scream")

    t.note("turn 4: the last step of Assimilation")
    t.give_up(1).wait(4)
    t.files(HERE, "not-alone", game="not_alone", seats=3)


# ---- Alien Hunt: five players, two rounds

CHARACTERS = "president investigator journalist con_artist spy recluse double_dealer showgirl policeman illusionist bully general gossip".split()
IDENTITIES = "man_in_black man_in_black ufologist ufo_maniac mythomaniac alien_scientist alien_explorer alien_invader alien_bounty_hunter".split()


class AlienHunt(Hands):
    SEATS = range(1, 6)

    def __init__(self):
        deck = {card: card for card in CHARACTERS}
        deck.update({f"{kind}-{i}" if kind == "man_in_black" else kind: kind for i, kind in enumerate(IDENTITIES, 1)})
        deck.update({f"{s}{t}": f"{'observation' if t == 'a' else 'action'}_{s}" for s in self.SEATS for t in "abc"})
        pads = {}
        for s in self.SEATS:
            pads.update({f"seat_{s}.{spot}": size for spot, size in {"character": 2, "identity": 2, "reserve": 3, "received": 8, "ability": 0}.items()})
        pads.update({f"centre.undealt_{i}": 2 for i in (1, 2, 3)})
        pads.update({"centre.discarded": 3, "centre.removed": 8, "centre.deck": 2, "centre.alert": 0})
        super().__init__(pads, deck)

    def set_out(self):
        self.wait(1)
        for s in self.SEATS:
            self.put(f"seat_{s}.reserve", f"{s}a", f"{s}b", f"{s}c").wait(0.2)
        return self.wait(3).tap("tap", "start").wait(2)

    def deal(self, seats, centre, left):
        for s, identity in enumerate(seats, 1):
            self.put(f"seat_{s}.identity", identity).wait(0.9)
        for i, identity in enumerate(centre, 1):
            self.put(f"centre.undealt_{i}", identity).wait(0.9)
        return self.put("centre.deck", left).wait(3)

    def give(self, token, to):
        return self.put(f"seat_{to}.received", token).wait(2)

    def back(self, token):
        return self.put(f"seat_{token[0]}.reserve", token).wait(2)

    def use(self, character, *seats):
        home = self.where[character]
        for s in (home.split(".")[0][-1], *seats):
            self.tap(f"seat_{s}.ability", character)
        return self.put(home, character).wait(2)

    def look(self, pad, seconds=2):
        piece = self.on[pad][-1]
        self.lift(piece).wait(seconds)
        return self.put(pad, piece).wait(2)

    def alert(self, s):
        self.tap("centre.alert", "president")
        return self.put(f"seat_{s}.character", "president").wait(2)

    def home(self):
        """After the round: tokens to their reserves, identities to the dealer."""
        for s in self.SEATS:
            for token in (f"{s}{t}" for t in "abc"):
                self.put(f"seat_{s}.reserve", token).wait(0.5)
        cards = [p for pad in self.pads for p in self.on[pad] if ".identity" in pad or ".undealt" in pad or pad == "centre.deck"]
        for card in cards:
            self.lift(card).wait(0.8)
        return self.wait(3)


def alien_hunt():
    t = AlienHunt()
    t.set_out()
    for s, character in enumerate("president investigator spy recluse journalist".split(), 1):
        t.put(f"seat_{s}.character", character).wait(1)
    t.wait(2)
    t.deal("man_in_black-1 ufologist alien_scientist mythomaniac alien_invader".split(), "ufo_maniac man_in_black-2 alien_explorer".split(), "alien_bounty_hunter")

    t.note("round 1: tokens are given; a second one on a target, one to oneself; looks, allowed and not")
    t.give("2a", 3).give("3a", 4)
    t.put("seat_3.received", "2b").wait(6).back("2b").give("2b", 4)
    t.put("seat_4.received", "4b").wait(6).back("4b").give("4b", 2)
    t.lift("5a").wait(0.3).lift("1b").wait(1).put("seat_1.received", "5a").wait(0.05).put("seat_3.received", "1b").wait(2)
    t.use("investigator", 4).use("investigator", 5).look("seat_5.identity")
    t.look("seat_3.identity").look("seat_3.received")
    t.note("a token falls to the floor, is laid on a seat half a minute later and taken back; then once more, and yes")
    t.lift("5b").wait(25).put("seat_2.received", "5b").wait(4).back("5b").wait(1)
    t.lift("5b").wait(25).put("seat_2.received", "5b").wait(4).tap("tap", "yes").wait(3)
    t.note("the alert is tapped while a token flies; what is left is given in order, and once out of turn")
    t.lift("1c").wait(0.2).tap("centre.alert", "president").put("seat_1.character", "president").wait(1).put("seat_2.received", "1c").wait(3)
    t.tap("seat_5.ability", "done").wait(2)
    t.put("seat_1.received", "3b").wait(6).back("3b").give("1a", 5)
    t.give("2c", 1).give("3b", 1).give("3c", 5).give("4a", 1).give("4c", 3).give("5c", 4)
    t.note("the reveal: every action token that moves something; one of them to its own owner")
    t.put("centre.removed", "3b").wait(3).put("centre.removed", "2c").wait(3)
    t.put("seat_3.received", "3a").wait(6).put("seat_4.received", "3a").wait(3).give("3a", 2)
    t.give("3a", 4).give("2a", 4)
    t.give("1a", 2).give("3c", 4)
    t.home()
    t.note("the Presidency goes to the right; the old President draws")
    t.lift("journalist").wait(1).put("seat_5.character", "president").wait(3).put("seat_1.character", "bully").wait(3)

    t.deal("alien_scientist alien_explorer alien_bounty_hunter mythomaniac ufologist".split(), "ufo_maniac man_in_black-1 man_in_black-2".split(), "alien_invader")
    t.note("round 2: the alert at once")
    t.alert(5).tap("seat_1.ability", "done").wait(2).tap("seat_2.ability", "done").wait(2)
    for s in (5, 1, 2, 3, 4):
        for i, letter in enumerate("abc"):
            t.give(f"{s}{letter}", (s + i) % 5 + 1)
    t.put("seat_4.received", "1a").wait(3).put("seat_5.received", "2a").wait(3)
    t.give("5a", 4).give("5b", 4).wait(2)
    t.files(HERE, "alien-hunt", game="alien_hunt", seats=5, roles="president investigator spy recluse journalist", options="rounds=2")


if __name__ == "__main__":
    not_alone()
    alien_hunt()
