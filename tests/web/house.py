#!/usr/bin/env python3
"""A house for the browser tests: broker, daemon, hands. Reads one JSON command a line, answers each with one line."""
import http.client
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import shutil

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import DECK, LIMIT_S, TAG, Broker, Daemon, Evening, Subscriber, deck_csv  # noqa: E402

MEADOW = {"hex.0,0": 0, "hex.6,0": 1, "hex.7,0": 2, "hex.7,3": 3, "hex.0,3": 4}
PIECES = {f"tile-{i}": ("tile", f"041{i}0A5A1F6182") for i in range(1, 6)}
PIECES |= {f"{c}-{i}": (f"marker_{c[0]}", f"042{i}{n}A5A1F6182") for i in range(1, 4) for n, c in enumerate(("red", "blue"))}
OTHERS = {"planet": "alone", "map": "elfen", "hunt": "hunt"}
OWN = {"planet": "game = not_alone\npreset = expert\nseats = 4\noptions = hologram_mode=move\nbots = h2\n"}  # what its control piece starts


class Local(http.client.HTTPConnection):
    """HTTP over the control socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=LIMIT_S)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(LIMIT_S)
        self.sock.connect(self.path)


class House:
    def __init__(self, folder):
        self.folder, self.broker = folder, Broker(folder)
        grass = folder / "house" / "grass.sock"
        extra = f"[table meadow]\ndeck = meadow\nlook = 150ms\nstill = 150ms\nwrong = 400ms\n[reader grass]\ndriver = sim\nsocket = {grass}\n"
        for place, antenna in MEADOW.items():
            extra += f"[pad m{antenna}]\ntable = meadow\nplace = {place}\nreader = grass\nantenna = {antenna}\nkind = tile\ncapacity = 2\nx = {80 * antenna}\ny = 40\n"
        extra += "[table attic]\ndeck = attic\n"  # until the first restart
        extra += "".join(f"[table {name}]\ndeck = {deck}\nchance = generator\n{OWN.get(name, '')}" for name, deck in OTHERS.items())
        self.daemon = Daemon(folder / "house", self.broker, night_pace=20, extra=extra, keys=["locale = en"])  # a browser shows each step
        self.daemon.readers["grass"] = grass
        self.hands, self.listener = {}, Subscriber(self.broker.port)

    def start(self, locale="en"):
        text = self.daemon.config.read_text()
        self.daemon.config.write_text("".join(f"locale = {locale}\n" if line.startswith("locale = ") else line for line in text.splitlines(True)))
        self.daemon.start()
        for hands in self.hands.values():
            hands.close()
        self.hands = {"main": self.daemon.hands(), "meadow": self.daemon.hands(pads={p: ("grass", a) for p, a in MEADOW.items()})}
        return {"port": self.daemon.port}

    def kill(self):
        self.daemon.kill()
        self.daemon.config.write_text(self.daemon.config.read_text().replace("[table attic]\ndeck = attic\n", ""))

    def lies(self, table):
        return self.hands[table].on_pad

    def restore(self, table, lies):
        for pad, tags in lies.items():
            self.hands[table].put(pad, *tags)
        self.hands[table].settle()

    def put(self, table, pad, *names):
        self.hands[table].put(pad, *(tag(n) for n in names))
        self.hands[table].settle()

    def take(self, table, pad, *names):
        self.hands[table].take(pad, *(tag(n) for n in names))
        self.hands[table].settle()

    def tap(self, table, name, pad="tap"):
        self.hands[table].tap(tag(name), pad)

    def look(self, table, pad):
        self.hands[table].look(pad)

    def swap(self, table, a, b):
        self.hands[table].swap(a, b)

    def local(self, method, path, body=None):
        """A request over the control socket, where the caller is an admin."""
        link = Local(self.daemon.socket)
        link.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"} if body is not None else {})
        answer = link.getresponse()
        raw = answer.read()
        link.close()
        return {"status": answer.status, "body": json.loads(raw) if raw[:1] in (b"{", b"[") else None}

    def night(self):
        """What hands do in the night that is about to begin, each at its step: nobody is as quick as the table here but they."""
        evening = Evening(self.hands["main"], self.listener)
        for step, act, pads in (("500", "look", ["c1"]), ("500", "look", ["c3"]), ("600", "swap", ["s3", "s1"]), ("700", "swap", ["s1", "s5"])):
            evening.at = 0
            evening.wait("phase", step=step)
            getattr(self.hands["main"], act)(*pads)

    def csv(self, name):
        return deck_csv({"kit": DECK, "meadow": PIECES}[name], name)

    def tags(self):
        return {**TAG, **{n: t for n, (_, t) in PIECES.items()}}

    def log(self):
        return self.daemon.log_text()

    def close(self):
        for hands in self.hands.values():
            hands.close()
        self.listener.close()
        if self.daemon.process:
            self.daemon.kill()
        self.broker.stop()


def tag(name):
    """A piece's tag by its name; a tag stands for itself."""
    return TAG.get(name) or (PIECES[name][1] if name in PIECES else name)


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tabled-web-"))
    house = House(folder)
    try:
        for line in sys.stdin:
            ask = json.loads(line)
            try:
                answer = {"id": ask["id"], "value": getattr(house, ask["do"])(*ask["args"])}
            except (AssertionError, OSError, KeyError, subprocess.SubprocessError) as error:
                answer = {"id": ask["id"], "error": f"{ask['do']}: {error!r}"}
            print(json.dumps(answer), flush=True)
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
