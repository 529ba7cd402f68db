"""Starts the real daemon with a real broker in a folder of their own, plays hands, watches what comes out.

Nothing here sleeps for luck: every wait is for an event, with a limit after which the test fails.
"""
import contextlib
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("TABLED_BUILD", ROOT / "build" / "ci"))
BIN = BUILD / "bin"
LIMIT_S = float(os.environ.get("TESTS_LIMIT_S", "60"))

# The kit of evenings 1.1: reader, antenna and pad of each place.
KIT = {"s1": ("north", 0), "s2": ("north", 1), "s3": ("north", 2), "c1": ("north", 3), "s4": ("south", 0),
       "s5": ("south", 1), "c2": ("south", 2), "c3": ("south", 3), "tap": ("tap", 0)}
# Its pieces: name -> (kind, tag). Tags as in the recorded evening (evenings 3).
DECK = {
    "werewolf-1": ("werewolf", "04110A5A1F6180"), "seer": ("seer", "04120A5A1F6180"),
    "robber": ("robber", "04130A5A1F6180"), "troublemaker": ("troublemaker", "04140A5A1F6180"),
    "insomniac": ("insomniac", "04150A5A1F6180"), "villager-1": ("villager", "04160A5A1F6180"),
    "drunk": ("drunk", "04170A5A1F6180"), "minion": ("minion", "04180A5A1F6180"),
    "number-1": ("token_1", "04210B5A1F6180"), "number-2": ("token_2", "04220B5A1F6180"),
    "number-3": ("token_3", "04230B5A1F6180"), "number-4": ("token_4", "04240B5A1F6180"),
    "number-5": ("token_5", "04250B5A1F6180"), "start": ("control", "04310C5A1F6180"),
    "done": ("control", "04320C5A1F6180"),
}
ROLES = "werewolf seer robber troublemaker insomniac villager drunk minion"


_dice = random.SystemRandom()


def check(condition, text):
    if not condition:
        raise AssertionError(text)


_marks = []


def reserve_port(port):
    """Whether nobody listens there and no test that runs beside has it; then it is ours until this process ends."""
    mark = socket.socket(socket.AF_UNIX)
    try:
        mark.bind(f"\0tabled-test-port-{port}")
        with socket.socket() as s:
            s.bind(("", port))
    except OSError:
        mark.close()
        return False
    _marks.append(mark)
    return True


def free_port():
    """A port below those that the kernel gives to whoever connects: none of them takes it meanwhile, and a connection to it
    while nobody listens cannot meet itself."""
    return next(port for port in iter(lambda: _dice.randrange(15000, 32000), None) if reserve_port(port))


def deck_csv(deck=None, name="kit", swap_ids=""):
    rows = ["deck,name,kind,tag,face"]
    for piece, (kind, tag) in (deck or DECK).items():
        rows.append(f"{name},{piece},{kind},{tag}{swap_ids},")
    return "\n".join(rows) + "\n"


class Broker:
    """mosquitto on a port and folder of its own."""

    def __init__(self, folder, port=None, persistence=False):
        self.folder = pathlib.Path(folder) / "broker"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = port or free_port()
        self.config = self.folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "allow_anonymous true", "set_tcp_nodelay true",
                 f"persistence {'true' if persistence else 'false'}", f"persistence_location {self.folder}/"]
        if os.geteuid() == 0:
            lines.append("user root")
        self.config.write_text("\n".join(lines) + "\n")
        self.process = None
        self.start()

    def start(self):
        exe = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.process = subprocess.Popen([exe, "-c", str(self.config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_port(self.port, self.process)

    def stop(self, kill=False):
        if self.process:
            self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
            self.process.wait()
            self.process = None


def wait_port(port, process=None):
    end = time.monotonic() + LIMIT_S
    while True:
        check(process is None or process.poll() is None, f"who should listen on {port} has ended: {process and process.poll()}")
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)) == 0:
                return
        check(time.monotonic() < end, f"nothing listens on {port}")
        time.sleep(0.01)  # the only poll: a listening socket has no event


class Subscriber:
    """Everything the broker sends, in order: dicts {topic, retain, payload, at}."""

    def __init__(self, port, *topics, user="watcher"):
        self.seen, self.cond = [], threading.Condition()
        command = ["mosquitto_sub", "-V", "5", "-h", "127.0.0.1", "-p", str(port), "-q", "1", "-i", f"{user}-{os.getpid()}-{id(self)}",
                   "-F", "%r %t %x"]
        for topic in topics or ("tabled/#",):
            command += ["-t", topic]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        for line in self.process.stdout:
            retain, topic, payload = (line.rstrip("\n").split(" ", 2) + [""])[:3]
            raw = bytes.fromhex(payload)
            message = {"topic": topic, "retain": retain == "1", "raw": raw, "at": time.monotonic()}
            if raw[:1] in (b"{", b"["):
                message["json"] = json.loads(raw)
            with self.cond:
                self.seen.append(message)
                self.cond.notify_all()

    def wait(self, want, start=0, limit=LIMIT_S):
        """Index after the first message from `start` on that `want(message)` likes."""
        end, i = time.monotonic() + limit, start
        with self.cond:
            while True:
                while i < len(self.seen):
                    if want(self.seen[i]):
                        return i + 1
                    i += 1
                left = end - time.monotonic()
                if left <= 0:
                    tail = "\n".join(f"  {m['topic']} {m['raw'][:200]!r}" for m in self.seen[-12:])
                    raise AssertionError(f"waited {limit:.0f} s in vain; last messages:\n{tail}")
                self.cond.wait(left)

    def close(self):
        self.process.kill()  # mosquitto_sub may hang in its handler of SIGTERM
        self.process.wait()


class Stream:
    """A server-sent event stream: a list of {id, event, raw, json, at}, with the same wait as a subscriber."""

    def __init__(self, daemon, path, token, last_id=None):
        self.seen, self.cond, self.head = [], threading.Condition(), b""
        self.link = socket.create_connection(("127.0.0.1", daemon.port), LIMIT_S)
        extra = f"Last-Event-ID: {last_id}\r\n" if last_id else ""
        self.link.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n{extra}\r\n".encode())
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        reader, event = self.link.makefile("rb"), {}
        chunked = False
        try:
            for line in reader:
                if line == b"\r\n":
                    break
                chunked = chunked or line.lower().startswith(b"transfer-encoding: chunked")
                self.head += line
            lines = chunks(reader) if chunked else reader
            for line in lines:
                line = line.rstrip(b"\r\n")
                if not line:
                    if "event" in event or "raw" in event:
                        event["at"] = time.monotonic()
                        event["topic"] = "/" + event.get("event", "message")
                        if event.get("raw", b"")[:1] in (b"{", b"["):
                            event["json"] = json.loads(event["raw"])
                        with self.cond:
                            self.seen.append(event)
                            self.cond.notify_all()
                    event = {}
                elif not line.startswith(b":"):
                    key, _, value = line.partition(b": ")
                    if key == b"data":
                        event["raw"] = value
                    else:
                        event[key.decode()] = value.decode()
        except (OSError, ValueError):
            pass

    wait = Subscriber.wait

    def close(self):
        self.link.close()


def chunks(reader):
    """Lines of a chunked body."""
    rest = b""
    while True:
        size = int(reader.readline().split(b";")[0] or b"0", 16)
        if not size:
            return
        rest += reader.read(size)
        reader.readline()
        *lines, rest = rest.split(b"\n")
        for line in lines:
            yield line + b"\n"


def on(suffix, **fields):
    """A predicate: topic ends with suffix and the JSON has these fields."""
    def want(message):
        if not message["topic"].endswith(suffix):
            return False
        body = message.get("json")
        return all(body is not None and body.get(k) == v for k, v in fields.items())
    return want


class Hands:
    """What the readers see: levels, repeated every few milliseconds into the `sim` sockets of the readers."""

    def __init__(self, sockets, pads=KIT, period_s=0.02):
        self.pads, self.period_s = pads, period_s
        self.lock = threading.Lock()
        self.on_pad = {name: [] for name in pads}
        self.quiet, self.stopped = set(), False
        self.links = {}
        for reader, path in sockets.items():
            link = socket.socket(socket.AF_UNIX)
            link.connect(str(path))
            self.links[reader] = link
        self.cycles, self.cond = 0, threading.Condition()
        self.thread = threading.Thread(target=self._scan, daemon=True)
        self.thread.start()

    def _scan(self):
        start = time.monotonic()
        while not self.stopped:
            ms = int((time.monotonic() - start) * 1000)
            with self.lock:
                frames = {reader: [] for reader in self.links}
                for name, (reader, antenna) in self.pads.items():
                    if reader in self.quiet or reader not in frames:
                        continue
                    tags = self.on_pad[name]
                    frames[reader] += [f"{ms} {reader} {antenna} seen {t}" for t in tags] or [f"{ms} {reader} {antenna} none"]
            try:
                for reader, lines in frames.items():
                    if lines:
                        self.links[reader].sendall(("\n".join(lines) + "\n").encode())
            except OSError:  # the daemon was stopped or killed: nobody waits for another round
                with self.cond:
                    self.stopped = True
                    self.cond.notify_all()
                return
            with self.cond:
                self.cycles += 1
                self.cond.notify_all()
            time.sleep(self.period_s)  # the readers' own rhythm

    def settle(self, cycles=6):
        """Until the readers have gone round often enough for a change to be certain."""
        with self.cond:
            goal = self.cycles + cycles
            self.cond.wait_for(lambda: self.cycles >= goal or self.stopped, LIMIT_S)

    def put(self, pad, *tags):
        with self.lock:
            self.on_pad[pad] += tags

    def take(self, pad, *tags):
        with self.lock:
            for tag in tags or list(self.on_pad[pad]):
                self.on_pad[pad].remove(tag)
            return tags

    def tap(self, tag, pad="tap"):
        self.put(pad, tag)
        self.settle()
        self.take(pad, tag)
        self.settle()

    def look(self, pad, off_s=0.25):
        with self.lock:
            tags, self.on_pad[pad] = self.on_pad[pad], []
        until = time.monotonic() + off_s
        while time.monotonic() < until:
            self.settle(1)
        with self.lock:
            self.on_pad[pad] = tags
        self.settle()

    def swap(self, a, b):
        with self.lock:
            ta, tb = self.on_pad[a], self.on_pad[b]
            self.on_pad[a], self.on_pad[b] = [], []
        self.settle()
        with self.lock:
            self.on_pad[a] = tb
        self.settle(3)
        with self.lock:
            self.on_pad[b] = ta
        self.settle()

    def close(self):
        self.stopped = True
        self.thread.join()
        for link in self.links.values():
            link.close()


class Daemon:
    """tabled in a folder of its own, with `sim` readers, told ready by its own notify."""

    def __init__(self, folder, broker=None, night_pace=10, extra="", tables=None, seed=7, options="ballot=tapped", roles=ROLES, env=None, keys=()):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port, self.broker, self.env = free_port(), broker, env or {}
        self.socket = self.folder / "tabled.sock"
        self.config = self.folder / "tabled.conf"
        self.readers = {}
        self.process = None
        tables = tables or {"main": {"deck": "kit", "pads": KIT, "prefix": ""}}
        lines = ["[daemon]", "site = home", f"state_dir = {self.folder}/state", f"socket = {self.socket}", "log_level = debug", *keys,
                 "[http]", f"listen = 127.0.0.1:{self.port}"]
        if broker:
            lines += ["[mqtt]", "host = 127.0.0.1", f"port = {broker.port}"]
        for name, table in tables.items():
            lines += [f"[table {name}]", f"deck = {table['deck']}", "game = one_night", "seats = 5", f"roles = {roles}",
                      f"options = {options}", f"night_pace = {night_pace}", "look = 150ms", "still = 150ms", "wrong = 400ms", f"seed = {seed}"]
            prefix = table["prefix"]
            for reader in sorted({r for r, _ in table["pads"].values()}):
                path = self.folder / f"{prefix}{reader}.sock"
                self.readers[prefix + reader] = path
                lines += [f"[reader {prefix}{reader}]", "driver = sim", f"socket = {path}"]
            for pad, (reader, antenna) in table["pads"].items():
                lines += [f"[pad {prefix}{pad}]", f"table = {name}", f"place = {pad}", f"reader = {prefix}{reader}", f"antenna = {antenna}",
                          f"kind = {'tap' if pad == 'tap' else 'tile'}"]
        self.config.write_text("\n".join(lines) + "\n" + extra)

    def start(self, *arguments):
        notify = self.folder / "notify.sock"
        with contextlib.suppress(FileNotFoundError):
            notify.unlink()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        listener.bind(str(notify))
        listener.settimeout(LIMIT_S)
        self.log = open(self.folder / "tabled.log", "ab")
        env = dict(os.environ, NOTIFY_SOCKET=str(notify), **self.env)
        env.pop("JOURNAL_STREAM", None)
        self.process = subprocess.Popen([str(BIN / "tabled"), "--config", str(self.config), *arguments], stdout=self.log, stderr=self.log, env=env)
        try:
            while True:
                if b"READY=1" in listener.recv(4096):
                    break
        except socket.timeout:
            raise AssertionError(f"tabled is not ready (exit {self.process.poll()}):\n{self.log_text()[-4000:]}")
        finally:
            self.notify = listener  # stays: the daemon goes on telling how it is
        return self

    def log_text(self):
        return (self.folder / "tabled.log").read_text(errors="replace")

    def stop(self, expect=0):
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(LIMIT_S)
        self.process = None
        self.log.close()
        if expect is not None:
            check(code == expect, f"tabled ended with {code}:\n{self.log_text()[-6000:]}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None
        self.log.close()

    def hands(self, table_prefix="", pads=KIT, period_s=0.02):
        readers = {r: self.readers[table_prefix + r] for r in sorted({r for r, _ in pads.values()})}
        prefixed = {pad: (table_prefix + r, a) for pad, (r, a) in pads.items()}
        return Hands({table_prefix + r: p for r, p in readers.items()}, prefixed, period_s)

    def ctl(self, *arguments, code=0):
        done = subprocess.run([str(BIN / "tablectl"), "--socket", str(self.socket), *arguments], capture_output=True, text=True, timeout=LIMIT_S)
        if code is not None:
            check(done.returncode == code, f"tablectl {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def tokens(self):
        return json.loads((self.folder / "state" / "tokens.json").read_text())

    def token(self, role, seat=""):
        """The token of a role; of a seat with role "seat" and seat "s1"."""
        return next(t["token"] for t in self.tokens()["tokens"] if t["role"] == role and t["seat"] == seat)

    def stream(self, table="main", role="display", seat="", last_id=None):
        return Stream(self, f"/api/v1/tables/{table}/events", self.token(role, seat), last_id)

    def request(self, method, path, body=None, token=None, headers=None):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)
        head = dict(headers or {})
        if token:
            head["Authorization"] = "Bearer " + token
        data = None
        if body is not None:
            data = body if isinstance(body, (bytes, str)) else json.dumps(body)
            head.setdefault("Content-Type", "application/json")
        link.request(method, path, data, head)
        answer = link.getresponse()
        raw = answer.read()
        link.close()
        return answer.status, dict(answer.getheaders()), raw

    def enrol(self, deck=None, name="kit"):
        csv = self.folder / f"{name}.csv"
        csv.write_text(deck_csv(deck, name))
        self.ctl("enrol", "import", str(csv))


@contextlib.contextmanager
def scene(with_broker=True, **options):
    """A folder, a broker, a daemon with an enrolled deck. Everything is stopped and removed at the end."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tabled-test-"))
    broker = daemon = None
    try:
        broker = Broker(folder) if with_broker else None
        daemon = Daemon(folder / "house", broker, **options).start()
        daemon.enrol()
        yield folder, broker, daemon
        daemon.stop()
    except BaseException:
        if daemon is not None and (daemon.folder / "tabled.log").exists():
            sys.stderr.write("---- tabled.log\n" + daemon.log_text()[-8000:] + "\n----\n")
        raise
    finally:
        if daemon is not None and daemon.process is not None:
            daemon.kill()
        if broker:
            broker.stop()
        shutil.rmtree(folder, ignore_errors=True)


TAG = {name: tag for name, (_, tag) in DECK.items()}
DEAL = {"s1": "werewolf-1", "s2": "seer", "s3": "robber", "s4": "troublemaker", "s5": "insomniac", "c1": "villager-1", "c2": "drunk", "c3": "minion"}


class Evening:
    """Five people play the recorded evening (evenings 3) with their hands; waits for what the table says."""

    def __init__(self, hands, subscriber, table="main", deal=None):
        self.hands, self.sub, self.table, self.at = hands, subscriber, table, 0
        self.deal_map = deal or DEAL

    def wait(self, suffix, **fields):
        self.at = self.sub.wait(on(f"/{self.table}/public/{suffix}", **fields), self.at)
        return self.sub.seen[self.at - 1]["json"]

    def start(self):
        self.hands.tap(TAG["start"])
        self.wait("phase", id="deal")

    def deal(self):
        for pad, piece in self.deal_map.items():
            self.hands.put(pad, TAG[piece])
            self.hands.settle()

    def night(self):
        self.hands.tap(TAG["start"])
        self.wait("phase", step="500")
        self.hands.look("c1")
        self.hands.look("c3")
        self.wait("phase", step="600")
        self.hands.swap("s3", "s1")
        self.wait("phase", step="700")
        self.hands.swap("s1", "s5")
        self.wait("phase", step="900")
        self.hands.look("s5")

    def day(self):
        self.wait("phase", id="day")
        self.hands.tap(TAG["done"])
        self.wait("phase", id="vote")

    def vote(self, ballots="13 23 31 43 51"):
        for ballot in ballots.split():
            self.hands.tap(TAG[f"number-{ballot[0]}"], f"s{ballot[1]}")

    def result(self):
        return self.wait("result", over=True)

    def play(self):
        self.start()
        self.deal()
        self.night()
        self.day()
        self.vote()
        return self.result()
