"""A table of ten on real daemon and broker, for the benchmarks: brought to its vote, then tapped by `taps`."""
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
os.environ.setdefault("TABLED_BUILD", str(ROOT / "build" / "release"))
sys.path.insert(0, str(ROOT / "tests" / "support"))
from harness import BIN, Broker, Daemon, Evening, Subscriber  # noqa: E402

SEATS = 10
PADS = {f"s{i + 1}": (("north", "south", "east")[i // 4], i % 4) for i in range(SEATS)}
PADS.update({"c1": ("east", 2), "c2": ("east", 3), "c3": ("east", 4), "tap": ("tap", 0)})
CARDS = "werewolf werewolf seer robber troublemaker villager villager villager drunk minion hunter insomniac tanner".split()
DECK = {f"card-{i + 1}": (kind, f"04{0x41 + i:02X}0A5A1F6180") for i, kind in enumerate(CARDS)}
DECK.update({f"number-{i + 1}": (f"token_{i + 1}", f"04{0x61 + i:02X}0B5A1F6180") for i in range(SEATS)})
DECK.update({"start": ("control", "04310C5A1F6180"), "done": ("control", "04320C5A1F6180")})
TAG = {name: tag for name, (_, tag) in DECK.items()}
PLACES = [f"s{i + 1}" for i in range(SEATS)] + ["c1", "c2", "c3"]
CARD_AT = {place: TAG[f"card-{i + 1}"] for i, place in enumerate(PLACES)}


def program(name, *arguments, limit=600, partial=None, **options):
    """Runs a benchmark and reads its lines of figures: {name: figures}. partial: a list that takes what went wrong instead."""
    done = subprocess.run([str(BIN / name), *map(str, arguments)], capture_output=True, text=True, timeout=limit, **options)
    if done.returncode and partial is not None and done.returncode == 1:
        partial += done.stderr.strip().splitlines()
    elif done.returncode:
        raise RuntimeError(f"{name} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}


def rss_kb(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return {key: int(value.split()[0]) for key, value in (line.split(":", 1) for line in status.splitlines()) if key in ("VmRSS", "RssAnon")}


def cpu_ns(process):
    return sum(int((task / "schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir())


class Table:
    """A daemon whose vote is open for 35 s."""

    def __init__(self, folder, broker, journal=None, env=None):
        self.folder, self.broker = pathlib.Path(folder), broker
        self.daemon = Daemon(folder, broker, night_pace=2, roles=" ".join(CARDS), env=env,
                             tables={"main": {"deck": "kit", "pads": PADS, "prefix": ""}})
        text = self.daemon.config.read_text().replace("seats = 5", f"seats = {SEATS}").replace("log_level = debug", "log_level = warning")
        if journal:
            text = text.replace("[daemon]", f"[daemon]\njournal = {journal}")
        self.daemon.config.write_text(text)
        self.hands, self.round = None, 0
        broker.tables.append(self)
        self.daemon.start()
        self.daemon.enrol(DECK)

    def vote(self):
        """Deals, sleeps through the night, talks for no time at all."""
        watcher = Subscriber(self.broker.port, "tabled/v1/home/main/public/phase")
        self.hands = self.daemon.hands(pads=PADS)
        evening = Evening(self.hands, watcher)
        self.hands.tap(TAG["start"])
        evening.wait("phase", id="deal")
        for place, tag in CARD_AT.items():
            self.hands.put(place, tag)
        self.hands.settle(60)  # a control piece counts once a second
        self.hands.tap(TAG["start"])
        evening.wait("phase", id="day")
        self.hands.tap(TAG["done"])
        evening.wait("phase", id="vote")
        with self.hands.lock:  # the seats' pads are the benchmark's from now on
            self.hands.pads = {pad: where for pad, where in PADS.items() if pad[0] != "s"}
            self.hands.period_s = 0.2
        watcher.close()
        return self

    def taps(self, n, seconds):
        seats = [f"{self.daemon.readers[PADS[s][0]]},{PADS[s][0]},{PADS[s][1]},{CARD_AT[s]},{TAG['number-' + s[1:]]}" for s in PLACES[:SEATS]]
        figures = program("taps", self.broker.port, "tabled/v1/home/main/public/event", n, seconds, self.round, *seats)
        self.round = int(figures["next_round"]["per_second"])
        if figures["taps"]["n"] < 20:
            raise RuntimeError(f"{figures['taps']['n']} taps were counted: the vote was over")
        return figures

    def token(self, role):
        return next(t["token"] for t in self.daemon.tokens()["tokens"] if t["role"] == role)

    def rss_kb(self):
        return rss_kb(self.daemon.process)

    def close(self):
        if self.hands:
            self.hands.close()
            self.hands = None
        if self.daemon.process:
            self.daemon.stop(expect=None)


class House:
    """A daemon with n tables without pads, called t0, t1, ...: five play at each by word. Its votes are open for 35 s."""

    def __init__(self, folder, broker, n):
        self.broker, self.n, self.begun = broker, n, 0
        self.daemon = Daemon(folder, broker, tables={"main": {"deck": "kit", "pads": PADS, "prefix": ""}},
                             extra="".join(f"[table t{i}]\nnight_pace = 2\n" for i in range(n)))
        text = self.daemon.config.read_text().replace("log_level = debug", "log_level = warning")
        self.daemon.config.write_text(text)
        broker.tables.append(self)
        self.daemon.start()

    def vote(self):
        """A new game at each table, through its night to the vote."""
        link = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        head = {"Authorization": "Bearer " + self.daemon.token("operator"), "Content-Type": "application/json"}

        def post(table, path, again=(503,), **body):
            end = time.monotonic() + 60
            while True:
                self.begun += 1
                link.request("POST", f"/api/v1/tables/t{table}/{path}", json.dumps(body), {**head, "Idempotency-Key": f"house-{self.begun}"})
                answer = link.getresponse()
                text = answer.read()
                if answer.status in (200, 201):
                    return
                if answer.status not in again or time.monotonic() > end:
                    raise RuntimeError(f"{path} of table t{table} answers {answer.status}: {text[:200]}")
                time.sleep(0.02)

        for table in range(self.n):
            post(table, "game", game="one_night", preset="base_5", options={"ballot": "tapped"})
            post(table, "actions", text="table begin")
        for table in range(self.n):
            post(table, "control", (503, 409), do="next")  # not before the day
        link.close()
        return self

    def ballots(self, per_second, seconds, connections, subscribers):
        """Figures of `ballots`, and what the daemon's processor did meanwhile: microseconds of each ballot."""
        before = cpu_ns(self.daemon.process)
        found = program("ballots", self.broker.port, self.daemon.port, self.daemon.token("operator"), self.n, 4, per_second, seconds, connections,
                        subscribers)
        found["cpu_us"] = (cpu_ns(self.daemon.process) - before) / 1000 / found["ballots"]["taken"]
        return found

    def rss_kb(self):
        return rss_kb(self.daemon.process)

    def close(self):
        if self.daemon.process:
            self.daemon.stop(expect=None)


@contextlib.contextmanager
def folder_with_broker():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tabled-perf-"))
    broker = Broker(folder)
    broker.tables = []
    try:
        yield folder, broker
    finally:
        for table in broker.tables:  # whatever went wrong before they were closed
            table.close()
        broker.stop()
        shutil.rmtree(folder, ignore_errors=True)
