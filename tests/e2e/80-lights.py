#!/usr/bin/env python3
"""table-lights beside the real daemon and broker, with a lamp that speaks DDP: an evening's lights, the night that tells nothing,
a lamp without power (b131 b132), a broker that goes (b082) and a table that is gone for long."""
import pathlib
import signal
import socket
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, Evening, Subscriber, check, on, scene  # noqa: E402

LEDS, SEAT = 24, {f"s{n}": range(2 * n - 2, 2 * n) for n in range(1, 6)}


class Lamp:
    """What a WLED shows: the last pushed frame; tells whoever waits of every new one."""

    def __init__(self, port=0):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", port))
        self.port = self.socket.getsockname()[1]
        self.frames, self.cond, self.gone = [], threading.Condition(), False
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        while True:
            data = self.socket.recv(4096)
            if self.gone:
                return
            check(data[0] == 0x41 and data[2] == 0x0B and len(data) == 10 + LEDS * 3, f"not a frame: {data[:10]!r}")
            with self.cond:
                self.frames.append([tuple(data[10 + i * 3:13 + i * 3]) for i in range(LEDS)])
                self.cond.notify_all()

    def wait(self, want, start=None):
        """Index after the first frame from now on (or `start`) that `want` likes."""
        with self.cond:
            at = [len(self.frames) if start is None else start]

            def found():
                while at[0] < len(self.frames):
                    at[0] += 1
                    if want(self.frames[at[0] - 1]):
                        return True
                return False
            check(self.cond.wait_for(found, LIMIT_S), f"no such frame; the last: {self.frames[-1:]}")
            return at[0]

    def off(self):
        self.gone = True
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as waker:
            waker.sendto(b"", ("127.0.0.1", self.port))
        self.thread.join()
        self.socket.close()


def amber(frame):
    """All alike and dim: the night, and what is shown when nothing is known."""
    return len(set(frame)) == 1 and 0 < frame[0][0] <= 8 and frame[0][2] <= 1


def day(frame):
    return max(frame[LEDS - 1]) > 8


def blue(frame, seat):
    return any(frame[i][2] > 2 * frame[i][0] and frame[i][2] > 5 for i in SEAT[seat])


def orange(frame, seat):
    return any(frame[i][0] > 25 and frame[i][2] < 8 for i in SEAT[seat])


def main():
    with scene(night_pace=10) as (folder, broker, daemon):
        lamp = Lamp()
        conf = folder / "lights.conf"
        conf.write_text(f"[room]\nsite = home\ntable = main\nstale_after = 500ms\n[mqtt]\nhost = 127.0.0.1\nport = {broker.port}\nretry_max = 1s\n"
                        f"[lamp rim]\ntype = ddp\nhost = 127.0.0.1\nport = {lamp.port}\nleds = {LEDS}\nring = 12-19\n[leds rim]\n"
                        + "".join(f"{seat} = {leds[0]}-{leds[-1]}\n" for seat, leds in SEAT.items()))
        lights = subprocess.Popen([BIN / "table-lights", "--config", conf], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            lamp.wait(day, 0)
            watcher = Subscriber(broker.port)
            hands = daemon.hands()
            evening = Evening(hands, watcher)
            evening.start()
            evening.deal()
            before = len(lamp.frames)
            evening.night()
            evening.wait("phase", id="day")
            dark = lamp.wait(amber, before)
            lit = lamp.wait(day, dark)
            # From the first amber frame to the first bright one: one picture, however many hands moved; then a fade.
            night = [tuple(frame) for frame in lamp.frames[dark:lit]]
            same = next(i for i, frame in enumerate(night) if frame != night[0])
            check(same > 2 and len(night) - same <= 12, f"the light changed in the night: {same} of {len(night)} frames alike")
            # By day a wrong swap blinks at its pads and is quiet when it is put right.
            hands.swap("s1", "s2")
            lamp.wait(lambda frame: orange(frame, "s1") and orange(frame, "s2"))
            hands.swap("s1", "s2")
            evening.wait("event", event="violation_cleared")
            lamp.wait(lambda frame: not orange(frame, "s1"))
            # A lamp that loses its power and comes back has the picture within the second.
            lamp.off()
            lamp = Lamp(lamp.port)
            lamp.wait(day, 0)
            # The daemon dies: after stale_after the lamps tell nothing any more.
            daemon.kill()
            lamp.wait(amber)
            daemon.start()
            lamp.wait(day)
            # The broker goes and comes: the same.
            broker.stop(kill=True)
            lamp.wait(amber)
            broker.start()
            lamp.wait(day)
            hands.close()
        finally:
            lights.send_signal(signal.SIGTERM)
            code = lights.wait(LIMIT_S)
            said = lights.stdout.read()
        check(code == 0, f"table-lights ended with {code}\n{said}")
        check("ERROR: " not in said and "runtime error" not in said, said)


main()
