#!/usr/bin/env python3
"""What a whole game of Battle Sheep and of Elfenland, played by hands from tap logs, says about each row of evenings 2.5 and 2.6.

    tests/taps/60-open-games.py              all rows
    tests/taps/60-open-games.py bs2 el5      some

The notes of a log name the rows; their windows reach to the next note. The exact messages are in the .chk beside each log.
"""
import re
import sys

from storyboard import HERE, check, replay, same

LOGS = {}


class Game:
    def __init__(self, name):
        self.messages = replay.replay(HERE / f"{name}.tap")[0]
        self.windows, now = {}, None
        for line in (HERE / f"{name}.tap").read_text().splitlines():
            if line.startswith("# "):
                now = [w for w in re.findall(r"(\w+):", line)] or [line[2:]]
            elif now:
                for row in now:
                    self.windows.setdefault(row, [int(line.split()[0]), 1 << 40])
                now = None
        starts = sorted(w[0] for w in self.windows.values())
        for window in self.windows.values():
            window[1] = next((s for s in starts if s > window[0]), 1 << 40)

    def events(self, row, kind=None):
        start, end = self.windows[row]
        return [m["message"] for m in self.messages if start <= m["ms"] < end and m["topic"] == "public/event" and kind in (None, m["message"]["event"])]

    def actions(self, row):
        return [a["notation"] or a["text"] for e in self.events(row, "action") for a in e["action"]]

    def wrong(self, row):
        """[(rule, text)] raised, all of them cleared again within the row or right after."""
        raised = [v for e in self.events(row, "violation_raised") for v in e["violation"]]
        cleared = {v["id"] for m in self.messages if m["topic"] == "public/event" and m["message"]["event"] == "violation_cleared"
                   for v in m["message"]["violation"]}
        check(all(v["id"] in cleared for v in raised), f"{row}: repaired")
        return [(v["rule"], v["text"]) for v in raised]

    def reminded(self, row):
        return [(e["code"], e["text"]) for e in self.events(row, "reminder")]

    def said(self, row):
        start, end = self.windows[row]
        return [line["text"] for m in self.messages if start <= m["ms"] < end and m["topic"] == "public/narration" for line in m["message"]["lines"]]

    def result(self):
        return [m["message"] for m in self.messages if m["topic"] == "public/result"][-1]


def game(name):
    if name not in LOGS:
        LOGS[name] = Game(name)
    return LOGS[name]


def refused(name, row, rule, text, then=None):
    """One rule named with these words, then repaired; what was done in the end."""
    g = game(name)
    same(g.wrong(row), [(rule, text)], f"{row}: what was wrong")
    if then is not None:
        same(g.actions(row)[-1:], [then], f"{row}: what came of it")


# ---- Battle Sheep

def sheep(row, rule, text, then=None):
    refused("battle-sheep", row, rule, text, then)


def tile_detached():
    sheep("tile_detached", "E_TILE_NOT_TOUCHING", "the tile must share a side with the pasture", "T B O0@6,2")
    same(len(game("battle-sheep").actions("tile_detached")), 7, "all other tiles")


def stacks():
    sheep("not_outer", "E_NOT_OUTER", "hex.-3,-1 is not on the outside border", "P R 0,0")
    sheep("occupied", "E_OCCUPIED", "another stack is there", "P B 7,3")


def bs1():
    same(game("battle-sheep").actions("bs1"), ["M R 0,0>7,0 9"], "one split")
    same(game("battle-sheep").wrong("bs1"), [], "nothing is wrong")


def bs2():
    sheep("bs2", "E_SHORT", "the slide goes on to hex.-4,1", "M B 7,3>0,3 8")


def bs3():
    same((game("battle-sheep").wrong("bs3"), game("battle-sheep").actions("bs3")), ([], []), "the stack stays")


def bs4():
    sheep("bs4", "misplaced", "A piece lies in the wrong place.")
    repairs = game("battle-sheep").events("bs4", "violation_raised")[0]["violation"][0]["repairs"]
    same([(r["take"], r["put"]) for r in repairs], [("hex.-4,0", "box.R.sheep"), ("hex.3,0", "box.R.sheep")], "both go back")


def bs5():
    g = game("battle-sheep")
    same([e["event"] for e in g.events("bs5") if e["event"] in ("action", "undone", "prompt")], ["action", "undone", "prompt", "action"], "undone in between")
    same(g.actions("bs5"), ["M R 7,0>4,3 1", "M R 7,0>4,3 2"], "the number is another")


def bs6():
    rules = game("battle-sheep").wrong("bs6")
    check(("E_SHIFTED", "The pasture has slipped one pad to the east: push it back.") in rules, f"it is seen as a whole: {rules}")
    same((game("battle-sheep").events("bs6", "paused"), game("battle-sheep").actions("bs6")), ([], []), "no spill, no action")


def bs7():
    same(game("battle-sheep").actions("bs7"), ["M B 0,3>3,0 4", "M R 7,0>5,2 3"], "both are found")


def sheep_refusals():
    sheep("not_straight", "E_NOT_STRAIGHT", "the two are not on one line")
    sheep("turn", "E_TURN", "it is the turn of seat 1")
    sheep("count", "E_COUNT", "of 9 sheep, at least one goes and at least one stays")


def sheep_whole_game():
    g = game("battle-sheep")
    result = g.result()
    check(result["over"], "played to the end")
    same([s["seat"] for s in result["seats"] if s["won"]], ["s2"], "who has won")
    check(g.events("rest", "choice_opened"), "where two stacks could have gone, it is asked")
    board = [m["message"] for m in g.messages if m["topic"] == "public/board"][-1]
    same(board["position"].split("|")[1], "none", "nobody is to move")
    same(sum(int(n) for n in re.findall(r"=[RB](\d+)", board["position"])), 32, "no sheep is lost")


# ---- Elfenland

def elves(row, rule, text, then=None):
    refused("elfenland", row, rule, text, then)


def el1():
    elves("el1", "no_connection", "go step by step: no way leads there from your town")


def el2():
    g = game("elfenland")
    same(g.reminded("el2"), [("wrong_payment", "the way costs 1 x raft")], "the price is said")
    check(any(a.startswith("s2 take_back card=raft") for a in g.actions("el2")), "the card is taken out")
    check("Seat blue collects a piece: 2 now." in g.said("el2"), "then it pays")


def el3():
    g = game("elfenland")
    same(g.actions("el3")[1:3], ["s2 boot_ahead to=rivinia", "s2 pay card=raft"], "the boot first")
    check("Seat blue: the boot waits for its cards." in g.said("el3"), "it waits")
    same(g.wrong("el3"), [], "nothing is wrong")


def el4():
    same([code for code, _ in game("elfenland").reminded("el4")], ["duplicate"], "heard twice")
    same(game("elfenland").actions("el4"), ["s1 place_counter counter=dragon road=beata_elvenhold_plains source=up"], "the first road keeps it")


def el5():
    elves("el5", "wrong_terrain", "this counter cannot be laid on such a road",
          "s1 place_counter counter=unicorn road=feodor_lapphalya_forest source=up")


def el7():
    same(game("elfenland").actions("el7"), ["s1 pass"], "one pass")


def obstacle_alone():
    elves("obstacle_alone", "no_counter", "an obstacle is laid on a counter", "s2 place_obstacle road=beata_elvenhold_plains")


def own_spot():
    same(game("elfenland").reminded("own_spot"), [("not_your_turn", "it is not your turn")], "the other's spot")
    same(game("elfenland").actions("own_spot"), ["s2 pass"], "the own spot")


def in_the_air():
    g = game("elfenland")
    same(g.actions("in_the_air"), ["s1 pay card=giant_pig", "s1 travel to=lapphalya"], "one step")
    same(g.wrong("in_the_air"), [], "towns it flew over say nothing")
    prompts = [(r["take"], r["put"]) for e in g.events("in_the_air", "prompt") for r in e["repairs"]]
    same(prompts, [("seat_red.pay", "discard")], "the card is to be laid away")


def wrong_payment():
    g = game("elfenland")
    same(g.reminded("wrong_payment"), [("wrong_payment", "the way costs 1 x unicorn, or a caravan of 3 cards")], "the prices are said")
    same(g.actions("wrong_payment")[-2:], ["s1 take_back card=giant_pig", "s1 pay card=unicorn"], "repaired")
    check("Seat red collects a piece: 2 now." in g.said("wrong_payment"), "then it pays")


def foreign_boot():
    elves("foreign_boot", "not_your_turn", "it is not your turn", "s2 end_turn")


def finish():
    g = game("elfenland")
    same(g.reminded("finish"), [("too_many_cards", "at most four cards are kept")], "too many are kept")
    check("s1 keep" in g.actions("finish") and "s2 keep" in g.actions("finish"), "both keep")
    acted = [e for e in g.events("finish", "seat_acted")]
    check(acted and not any(e["action"] for e in acted), "what goes back into the pile is not told")


def elves_whole_game():
    result = game("elfenland").result()
    check(result["over"], "played to the end")
    same([(s["seat"], s["won"], s["score"]) for s in result["seats"]], [("s1", True, 2), ("s2", True, 2)], "who has won")


ROWS = (tile_detached, stacks, bs1, bs2, bs3, bs4, bs5, bs6, bs7, sheep_refusals, sheep_whole_game,
        el1, el2, el3, el4, el5, el7, obstacle_alone, own_spot, in_the_air, wrong_payment, foreign_boot, finish, elves_whole_game)


def main():
    rows = {row.__name__: row for row in ROWS}
    failed = 0
    for name in sys.argv[1:] or rows:
        try:
            rows[name]()
            print(f"ok {name}")
        except Exception as error:  # a crash of a row is that row's failure
            failed += 1
            print(f"not ok {name}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
