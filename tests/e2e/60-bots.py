#!/usr/bin/env python3
"""Battle Sheep against the computer over REST, no pads: it answers every move, undo, a pause and a restart leave it at the table."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, check, scene  # noqa: E402

MEADOW = "[table meadow]\ndeck = meadow\ngame = battle_sheep\nseats = 2\nbots = s2\nchance = generator\nseed = 4\n"
WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
ROOT = "/api/v1/tables/meadow"


class Player:
    """Seat 1: tries what may be legal until something is."""

    def __init__(self, daemon):
        self.daemon, self.keys = daemon, 0
        self.listen()

    def post(self, path, body):
        self.keys += 1
        headers = {"Idempotency-Key": f"bots-{self.daemon.port}-{self.keys}"}
        return self.daemon.request("POST", f"{ROOT}/{path}", body, self.daemon.token("operator"), headers)

    def view(self):
        status, _, raw = self.daemon.request("GET", ROOT, token=self.daemon.token("display"))
        check(status == 200, f"view: {status}")
        return json.loads(raw)

    def listen(self):
        """Follows the table's events; anew after a restart of the daemon."""
        self.stream = self.daemon.stream("meadow")

    def my_turn(self):
        """The view once it is seat 1's turn, or the game is over: the bot has answered."""
        while True:
            heard = len(self.stream.seen)  # what comes after this may have changed the view
            view = self.view()
            if view["result"].get("over") or view["phase"].get("turn") == ["s1"]:
                return view
            self.stream.wait(lambda message: True, heard)

    def cells(self, view):
        """Cell -> what lies there beside the tile."""
        ret = {}
        for place in view["board"]["places"]:
            for item in place["items"]:
                at = tuple(int(n) for n in place["name"].split(".")[1].split(","))
                ret.setdefault(at, None)
                if item["kind"] != "tile":
                    ret[at] = (item["kind"], item["n"])
        return ret

    def moves(self, view):
        cells = self.cells(view)
        phase = view["phase"]["id"]
        if phase == "build":
            near = {(q + dq, r + dr) for q, r in cells or {(0, 0)} for dq in range(-2, 3) for dr in range(-2, 3)}
            return [f"s1 tile at=hex.{q},{r} turn=O0" for q, r in sorted(near)
                    if not any((q + dq, r + dr) in cells for dq in (0, 1) for dr in (0, 1))]
        if phase == "place":
            return [f"s1 place at=hex.{q},{r}" for q, r in cells if any((q + dq, r + dr) not in cells for dq, dr in WAYS)]
        mine = [at for at, piece in cells.items() if piece and piece[0] == "sheep_r" and piece[1] > 1]
        return [f"s1 split from=hex.{q},{r} to=hex.{to[0]},{to[1]} n=1" for q, r in mine for to in ends(cells, q, r)]

    def play(self):
        view = self.my_turn()
        if view["result"].get("over"):
            return False
        answers = []
        for line in self.moves(view):
            status, _, raw = self.post("actions", {"text": line})
            if status == 200:
                return True
            answers.append((line, status, raw[:100]))
        raise AssertionError(f"nothing was legal in {view['phase']}: {answers[:5]} of {len(answers)}")


def ends(cells, q, r):
    for dq, dr in WAYS:
        n = 0
        while cells.get((q + (n + 1) * dq, r + (n + 1) * dr), "away") is None:
            n += 1
        if n:
            yield q + n * dq, r + n * dr


def main():
    with scene(with_broker=False, extra=MEADOW) as (folder, _, daemon):
        me = Player(daemon)
        status, _, raw = me.post("game", {"game": "battle_sheep", "seats": 2, "bots": "s2 s9"})
        check(status == 400 and b"s9" in raw, f"a bot needs a seat: {status} {raw}")
        daemon.ctl("start", "meadow", "battle_sheep", "--seats", "2", "--seed", "4", "--bots", "s2")
        check(me.play(), "a first tile")
        first = me.my_turn()
        check(len(me.cells(first)) > 4, "the bot has laid a tile too")
        status, _, raw = me.post("control", {"do": "undo", "reason": "again"})
        check(status == 200, f"undo: {status} {raw}")
        check(not me.cells(me.my_turn()), "both tiles are taken back")
        for _ in range(3):
            me.play()
        me.my_turn()
        daemon.stop()
        daemon.start()
        me.listen()
        check(me.post("control", {"do": "resume"})[0] == 200, "resumed after the restart")
        moves = 0
        while me.play():
            moves += 1
        view = me.view()
        check(moves >= 3 and view["result"]["over"], f"played to the end: {moves} moves, {view['phase']}, {view['result']}")
    match = [str(BIN / "tablectl"), "bot", "battle_sheep", "--seats", "2", "--games", "4", "--budget", "5", "--json"]
    won = json.loads(subprocess.run(match, capture_output=True, text=True, check=True).stdout)
    check(won["games"] == 4 and won["bot_seats"] == 4 and won["random_seats"] == 4, f"a match: {won}")
    check(won["bot_wins"] >= 3, f"it beats chance: {won}")
    print("the computer has played along")


if __name__ == "__main__":
    main()
