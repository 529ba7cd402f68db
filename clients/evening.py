"""The demo's evening: five people, nine PN532 readers on pseudo-terminals, one broker. Started by clients/demo."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PADS = ["s1", "s2", "s3", "s4", "s5", "c1", "c2", "c3", "tap"]
DEAL = {"s1": "werewolf", "s2": "seer", "s3": "robber", "s4": "troublemaker", "s5": "insomniac", "c1": "villager", "c2": "drunk", "c3": "minion"}
PIECES = {kind: (kind, f"041{i}0A5A1F6180") for i, kind in enumerate(DEAL.values(), 1)}
PIECES |= {f"number-{i}": (f"token_{i}", f"042{i}0B5A1F6180") for i in range(1, 6)}
PIECES |= {"start": ("control", "04310C5A1F6180"), "done": ("control", "04320C5A1F6180")}
TAG = {name: tag for name, (_, tag) in PIECES.items()}
BOLD, DIM, BLUE, ORANGE, PLAIN = ("\033[1m", "\033[2m", "\033[34m", "\033[33m", "\033[0m") if sys.stdout.isatty() else ("",) * 5
LIMIT_S = 90


def tell(text):
    """One write a line: two threads tell, and neither may cut the other's line in two."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class House:
    """Broker, emulated readers and daemon in a folder of their own."""

    def __init__(self, binaries, voice=False):
        self.voice = voice  # spoken aloud: the night takes the time that its sentences need
        self.bin = pathlib.Path(binaries).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tabled-demo-"))
        self.mqtt_port, self.http_port = free_port(), free_port()
        self.socket, self.children = self.folder / "tabled.sock", []

    def spawn(self, *command, **options):
        child = subprocess.Popen([str(c) for c in command], **options)
        self.children.append(child)
        return child

    def start(self):
        user = "user root\n" if os.geteuid() == 0 else ""
        broker = self.folder / "mosquitto.conf"
        broker.write_text(f"listener {self.mqtt_port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n{user}")
        self.spawn(shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", broker, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_port(self.mqtt_port)
        chips = self.folder / "chips"
        chips.mkdir()
        self.emulator = self.spawn(self.bin / "pn532-emulator", "--chips", len(PADS), "--dir", chips, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        self.emulator.stdout.readline()  # its first line says that the ports are there
        self.write_config(chips)
        self.run_daemon()
        deck = self.folder / "kit.csv"
        deck.write_text("deck,name,kind,tag,face\n" + "".join(f"kit,{n},{k},{t},\n" for n, (k, t) in PIECES.items()))
        subprocess.run([self.bin / "tablectl", "--socket", self.socket, "enrol", "import", deck], check=True, stdout=subprocess.DEVNULL)

    def write_config(self, chips):
        lines = ["[daemon]", f"state_dir = {self.folder}/state", f"socket = {self.socket}", "log_level = warning",
                 "[mqtt]", "host = 127.0.0.1", f"port = {self.mqtt_port}", "[http]", f"listen = 127.0.0.1:{self.http_port}",
                 "[table main]", "deck = kit", "game = one_night", "seats = 5", "roles = " + " ".join(DEAL.values()),
                 "options = ballot=tapped", f"night_pace = {100 if self.voice else 20}", "look = 350ms"]
        for i, pad in enumerate(PADS):
            lines += [f"[reader chip-{pad}]", "driver = pn532", f"port = {chips}/chip{i}", f"[pad {pad}]", f"reader = chip-{pad}",
                      f"kind = {'tap' if pad == 'tap' else 'tile'}"]
        self.config = self.folder / "tabled.conf"
        self.config.write_text("\n".join(lines) + "\n")

    def run_daemon(self):
        self.notify = notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)  # stays open: the daemon also tells its end
        notify.bind(str(self.folder / "notify"))
        notify.settimeout(LIMIT_S)
        env = dict(os.environ, NOTIFY_SOCKET=str(self.folder / "notify"))
        self.daemon = self.spawn(self.bin / "tabled", "--config", self.config, env=env)
        while b"READY=1" not in notify.recv(4096):
            pass

    def run_narrator(self):
        config = self.folder / "table-narrator.conf"
        config.write_text(f"[room]\nsite = home\ntable = main\n[mqtt]\nhost = 127.0.0.1\nport = {self.mqtt_port}\n")
        self.spawn(self.bin / "table-narrator", "--config", config)

    @staticmethod
    def wait_port(port):
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.02)
        raise SystemExit("demo: the broker does not answer")

    def stop(self):
        for child in reversed(self.children):
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
                try:
                    child.wait(5)
                except subprocess.TimeoutExpired:
                    child.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Listener:
    """What a subscriber of {t}/public/# hears, printed for people and kept for the hands to wait on."""

    def __init__(self, port):
        self.cond, self.seen, self.began = threading.Condition(), [], time.monotonic()
        self.process = subprocess.Popen(["mosquitto_sub", "-V", "5", "-h", "127.0.0.1", "-p", str(port), "-q", "1", "-t", "tabled/v1/home/main/public/#",
                                         "-F", "%t %p"], stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            topic, _, text = line.rstrip("\n").partition(" ")
            if not text:
                continue
            body = json.loads(text)
            self.show(topic.rsplit("/", 1)[1], body)
            with self.cond:
                self.seen.append((topic.rsplit("/", 1)[1], body))
                self.cond.notify_all()

    def show(self, topic, body):
        clock = f"{DIM}{time.monotonic() - self.began:6.1f}{PLAIN} "
        if topic == "narration":
            for one in body["lines"]:
                later = f" {DIM}(after {one['at_ms'] / 1000:.1f} s){PLAIN}" if one["at_ms"] else ""
                tell(f"{clock}{BLUE}   “{one['text']}”{PLAIN}{later}")
        elif topic == "phase" and body["id"]:
            step = f", step {body['step']} ({body['step_index'] + 1} of {body['steps']})" if body["step"] else ""
            tell(f"{clock}{BOLD}phase {body['id']}{step}{PLAIN} {DIM}{body['veil']}{PLAIN}")
        elif topic == "event" and body["event"] not in ("phase_started", "step_started"):
            words = [body["event"].replace("_", " ")]
            words += [a["text"] for a in body["action"]] + [f"{v['rule']} at {' '.join(v['places'])}" for v in body["violation"]]
            words += [f"repair: take {r['take']}, put {r['put']}" for v in body["violation"] for r in v["repairs"] if body["event"] == "violation_raised"]
            words += [w for w in (body["reason"], body["code"], body["text"]) if w]
            tell(f"{clock}{ORANGE}{': '.join(words[:2])}{'; ' + '; '.join(words[2:]) if words[2:] else ''}{PLAIN}")
        elif topic == "result" and body["over"]:
            tell(f"{clock}{BOLD}result{PLAIN}: " + ", ".join(f"{s['seat']} {s['role']}{' (dead)' if s['dead'] else ''}{' wins' if s['won'] else ''}" for s in body["seats"]))
            for s in body["story"]:
                tell(f"{clock}   {s['step'] or s['phase']}: {s['text']}{''.join(f' {DIM}{flag}{PLAIN}' for flag in s['flags'])}")
        sys.stdout.flush()

    def wait(self, topic, start=0, **fields):
        end, i = time.monotonic() + LIMIT_S, start
        with self.cond:
            while True:
                while i < len(self.seen):
                    name, body = self.seen[i]
                    i += 1
                    if name == topic and all(body.get(k) == v for k, v in fields.items()):
                        return i
                if time.monotonic() > end:
                    raise SystemExit(f"demo: waited in vain for {topic} {fields}")
                self.cond.wait(1)


class Hands:
    def __init__(self, emulator):
        self.emulator, self.on_pad = emulator, {pad: [] for pad in PADS}

    def tell(self, pad, *words):
        print(f"chip{PADS.index(pad)}", *words, file=self.emulator.stdin, flush=True)

    def put(self, pad, name):
        self.on_pad[pad].append(TAG[name])
        self.tell(pad, "add", TAG[name])

    def take(self, pad, tag=None):
        tag = tag or self.on_pad[pad][0]
        self.on_pad[pad].remove(tag)
        self.tell(pad, "remove", tag)
        return tag

    def back(self, pad, tag):
        self.on_pad[pad].append(tag)
        self.tell(pad, "add", tag)

    def tap(self, name, pad="tap", held_s=0.35):
        self.put(pad, name)
        time.sleep(held_s)  # people hold a tile for a moment
        self.take(pad, TAG[name])
        time.sleep(held_s)

    def look(self, pad, off_s=0.9):
        tag = self.take(pad)
        time.sleep(off_s)
        self.back(pad, tag)

    def swap(self, a, b):
        ta, tb = self.take(a), self.take(b)
        time.sleep(0.45)
        self.back(a, tb)
        time.sleep(0.15)
        self.back(b, ta)
        time.sleep(0.3)


def say(text):
    tell(f"{DIM}------ {text}{PLAIN}")


def play(hands, ears):
    say("somebody taps the control tile `start`")
    hands.tap("start")
    at = ears.wait("phase", id="deal")
    say("five people deal eight tiles face down and look at their own")
    for pad, name in DEAL.items():
        hands.put(pad, name)
        time.sleep(0.12)
    time.sleep(0.5)
    for pad in ("s1", "s2", "s3", "s4", "s5"):
        hands.look(pad, 0.5)
    time.sleep(0.6)
    hands.tap("start")
    at = ears.wait("phase", at, step="500")
    say("(night, seat 2: the seer looks at two tiles in the centre)")
    hands.look("c1", 0.6)
    hands.look("c3", 0.6)
    at = ears.wait("phase", at, step="600")
    say("(seat 3: the robber exchanges his tile with seat 1 and reads it in his hand)")
    hands.swap("s3", "s1")
    at = ears.wait("phase", at, step="700")
    say("(seat 4: the troublemaker exchanges seats 1 and 5)")
    hands.swap("s1", "s5")
    at = ears.wait("phase", at, step="800")
    say("(somebody pushes the tiles of seats 2 and 4 about, against the rules: not a sound from the table)")
    hands.swap("s2", "s4")
    at = ears.wait("phase", at, step="900")
    hands.swap("s2", "s4")
    hands.look("s5", 0.6)
    at = ears.wait("phase", at, id="day")
    time.sleep(1)
    say("by day somebody exchanges seats 1 and 2: refused, and told how to put it right")
    hands.swap("s1", "s2")
    at = ears.wait("event", at, event="violation_raised")
    hands.swap("s1", "s2")
    at = ears.wait("event", at, event="violation_cleared")
    say("they have talked enough: `done`, and everybody votes with a number token")
    hands.tap("done")
    at = ears.wait("phase", at, id="vote")
    for voter, seat in ("1", "s3"), ("2", "s3"), ("3", "s1"), ("4", "s3"), ("5", "s1"):
        hands.tap(f"number-{voter}", seat)
    ears.wait("result", at, over=True)
    time.sleep(0.5)


def stay(house):
    ctl = f"{os.path.relpath(house.bin / 'tablectl')} --socket {house.socket}"
    print(f"""
The table stays open. Look around from another terminal:
  {ctl} status
  {ctl} watch
  {ctl} journal replay {house.folder}/state/journal.db
  {ctl} again
  mosquitto_sub -p {house.mqtt_port} -v -t 'tabled/v1/home/main/public/#'
  curl -s -H "Authorization: Bearer $(grep -o 'gt_display_[^"]*' {house.folder}/state/tokens.json)" http://127.0.0.1:{house.http_port}/api/v1/tables/main
Ctrl-C ends it all.""", flush=True)
    signal.pause()


def stop_at_once(signo, frame):
    raise KeyboardInterrupt


def main():
    for signo in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:  # however it ends, nothing stays behind
        signal.signal(signo, stop_at_once)
    house = House(sys.argv[1], "--voice" in sys.argv)
    code = 0
    try:
        house.start()
        ears = Listener(house.mqtt_port)
        house.children.append(ears.process)
        if house.voice:
            house.run_narrator()
        play(Hands(house.emulator), ears)
        if "--once" not in sys.argv:
            stay(house)
    except KeyboardInterrupt:
        print()
    finally:
        for signo in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            signal.signal(signo, signal.SIG_IGN)
        if house.children and getattr(house, "daemon", None) and house.daemon.poll() not in (None, 0):
            code = 1
        house.stop()
    sys.exit(code)


if __name__ == "__main__":
    main()
