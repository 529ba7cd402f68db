#!/usr/bin/env python3
"""The narrator beside a real table: a sound card that writes a file, a night that is paused, a broker that dies, one that accepts and
drops (B080), one that forgets (B083), a card that comes late (B126's sister: a missing card is never fatal), a dead daemon's leftovers."""
import atexit
import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, TAG, Evening, Subscriber, check, free_port, scene  # noqa: E402

QUIET = "pcm.quiet { type null }\n"


class Narrator:
    """table-narrator with a card that writes WAVE; `marks` are its sentences as it says them."""

    def __init__(self, folder, port, *, device=True, lines=(), table="main", extra=(), env=None):
        self.folder = pathlib.Path(folder) / f"voice-{free_port()}"
        self.folder.mkdir()
        self.tape, self.marks_file, self.log_file = self.folder / "tape.wav", self.folder / "marks", self.folder / "log"
        self.alsa, config = self.folder / "asound.conf", self.folder / "narrator.conf"
        self.alsa.write_text(QUIET)
        if device:
            self.plug_in()
        config.write_text("\n".join(["[mqtt]", "host = 127.0.0.1", f"port = {port}", "retry_min = 50ms", "retry_max = 1s", *extra,
                                     "[room]", f"table = {table}", "[voice]", "device = tape", "retry = 200ms", *lines]) + "\n")
        env = {**os.environ, **(env or {}), "ALSA_CONFIG_PATH": str(self.alsa)}
        self.process = subprocess.Popen([BIN / "table-narrator", "--config", config, "--marks", self.marks_file, "--log-level", "debug"],
                                        stdout=subprocess.DEVNULL, stderr=open(self.log_file, "w"), env=env)
        atexit.register(self.process.kill)  # whatever fails here

    def plug_in(self):
        self.alsa.write_text(QUIET + f'pcm.tape {{ type file slave.pcm "quiet" file "{self.tape}" format "wav" }}\n')

    def log(self):
        return self.log_file.read_text()

    def marks(self):
        text = self.marks_file.read_text() if self.marks_file.exists() else ""
        return [row.split("\t") for row in text.splitlines()]

    def until(self, so, what):
        end = time.monotonic() + LIMIT_S
        while not so():
            check(self.process.poll() is None, f"table-narrator ended with {self.process.poll()}:\n{self.log()[-3000:]}")
            check(time.monotonic() < end, f"waited in vain for {what}; it said {self.marks()[-8:]}\n{self.log()[-2000:]}")
            time.sleep(0.02)  # a file has no event
        return self

    def says(self, name, what="begun", start=0):
        self.until(lambda: any(m[1] == what and m[2].endswith(name) for m in self.marks()[start:]), f"{name} {what}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(LIMIT_S)
        check(code == 0, f"table-narrator ended with {code}:\n{self.log()[-3000:]}")

    def frames(self):
        out = subprocess.run([BIN / "listen", self.tape], check=True, capture_output=True, text=True).stdout.split()
        return [int(x) for x in out[::2]], [int(x) for x in out[1::2]]

    def samples_so_far(self):
        """The file plugin writes its header at the end: what is there is read as samples."""
        raw = self.tape.read_bytes()[44:]
        return [abs(int.from_bytes(raw[i:i + 2], "little", signed=True)) for i in range(0, len(raw) - 1, 2)] or [0]


def a_night_with_a_pause():
    """Deal and the first steps of a night at full length; a pause cuts the voice; the broker dies and comes back empty."""
    with scene(night_pace=100) as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        narrator = Narrator(folder, broker.port)
        narrator.until(lambda: "connected" in narrator.log(), "its connection")
        evening = Evening(daemon.hands(), sub)
        evening.start()
        narrator.says("one_night/deal", "ended")
        evening.deal()
        evening.hands.tap(TAG["start"])
        narrator.says("one_night/call_10", "ended")
        narrator.says("one_night/check")
        daemon.ctl("pause", "main")
        narrator.says("one_night/check", "cut")
        narrator.says("paused", "ended")
        broker.stop(kill=True)
        narrator.until(lambda: narrator.log().count("trying again") > 0, "the loss of the broker")
        sub.close()
        broker.start()  # it has forgotten everything (B083, B084)
        narrator.until(lambda: narrator.log().count("connected client_id") == 2, "the connection after the restart")
        sub = Subscriber(broker.port)
        sub.wait(lambda m: m["topic"].endswith("/main/public/phase"))
        mark = len(narrator.marks())
        daemon.ctl("resume", "main")
        narrator.says("repeat_step", "ended", mark)
        narrator.says("one_night/check", "ended", mark)
        daemon.ctl("pause", "main")
        daemon.ctl("end", "main")
        sub.wait(lambda m: m["topic"].endswith("/public/event") and m["json"]["event"] == "game_ended")
        narrator.until(lambda: narrator.marks()[-1][1] != "begun", "silence")
        evening.hands.close()
        sub.close()
        narrator.stop()
        rms, peak = narrator.frames()
        check(max(peak) < 32760, f"nothing clips: {max(peak)}")
        check(sum(x > 700 for x in rms) > 150, "the voice is on the tape")
        spoken = [(float(m[0]), m[1], m[2]) for m in narrator.marks()]
        open_since = None
        for at, what, name in spoken:
            if what == "begun":
                check(open_since is None, f"{name} begins while {open_since} speaks")
                open_since = name
            elif what in ("ended", "cut"):
                open_since = None
        night = next(i for i, (_, _, n) in enumerate(spoken) if n.endswith("call_10"))
        late = {m[2]: float(m[0]) - float(m[3]) for m in narrator.marks()[night:] if m[1] == "begun"}
        # To the millisecond where time is virtual: tests/taps. Here a step must not go by.
        check(max(late.values()) < 5000, f"lines begin when they are due (a repeated step has a line more), not so many ms late: {late}")


def b080_accept_then_drop():
    """A broker that accepts and drops at once is asked less and less often."""
    port, times, over = free_port(), [], threading.Event()
    server = socket.create_server(("127.0.0.1", port))

    def serve():
        with contextlib.suppress(OSError):
            while not over.is_set():
                link, _ = server.accept()
                times.append(time.monotonic())
                link.recv(1024)
                link.sendall(bytes([0x20, 3, 0, 0, 0]))
                link.close()
    threading.Thread(target=serve, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="tabled-voice-") as folder:
        narrator = Narrator(folder, port)
        narrator.until(lambda: len(times) >= 7, "seven connections")
        narrator.stop()
        waits = [int(ms) for ms in re.findall(r"trying again in (\d+) ms", narrator.log())]
    over.set()
    server.close()
    check(waits[0] < 100 and max(waits) > 500, f"the wait grows: {waits}")


def a_card_that_comes_late():
    """No card: the table is heard by nobody, the log says so once, and the card is taken when it comes."""
    with tempfile.TemporaryDirectory(prefix="tabled-voice-") as folder:
        narrator = Narrator(folder, free_port(), device=False)
        narrator.until(lambda: "no sound" in narrator.log(), "the complaint")
        narrator.plug_in()
        narrator.until(lambda: "playing device=tape" in narrator.log(), "the card")
        check(narrator.log().count("no sound") == 1, "said once")
        narrator.stop()


def leftovers_of_a_dead_daemon():
    """The retained night of a daemon that was killed begins no bed; the daemon that comes back goes on."""
    with scene(night_pace=100) as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        evening = Evening(daemon.hands(), sub)
        evening.start()
        evening.deal()
        evening.hands.tap(TAG["start"])
        evening.wait("phase", id="night")
        daemon.kill()
        evening.hands.close()
        sub.wait(lambda m: m["topic"].endswith("/daemon/status") and m["json"]["state"] == "lost")
        narrator = Narrator(folder, broker.port)
        narrator.until(lambda: "connected" in narrator.log(), "its connection")
        late = Subscriber(broker.port, "tabled/v1/home/main/#", user="late")
        late.wait(lambda m: m["topic"].endswith("/public-pb/phase"))  # what the broker keeps has been told by now, to both
        time.sleep(1)  # of sound
        begun = narrator.samples_so_far()
        check(max(begun) < 20, f"no bed for a dead night: {max(begun)}")
        late.close()
        sub.close()
        narrator.stop()


if __name__ == "__main__":
    CASES = [globals()[name] for name in sys.argv[1:]]
    for case in CASES or (b080_accept_then_drop, a_card_that_comes_late, leftovers_of_a_dead_daemon, a_night_with_a_pause):
        case()
        print(f"{case.__name__}: {case.__doc__.splitlines()[0]}")
