#!/usr/bin/env python3
"""Everybody pulls at once: requests of any shape, streams that come and go, games begun, ended and taken back, commands of the
broker, hands, and a broker and readers that vanish. The daemon answers in its codes, ends when asked, keeps its journal whole,
needs no more memory after many games, and outlives a lack of file descriptors.

    tests/faults/40-wild-wires.py [--seed N]
"""
import contextlib
import http.client
import json
import os
import pathlib
import random
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import DEAL, LIMIT_S, TAG, Broker, Daemon, check, wait_port  # noqa: E402

LONG = os.environ.get("TESTS_LONG") == "1"
ROUNDS = 20 if LONG else 2
REQUESTS = 600  # of each caller in a round
GAMES = 1000 if LONG else 200
T = "/api/v1/tables/main"
KNOWN = {200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 421, 422, 428, 429, 503, 501, 505, 414, 431}
WORDS = ["do", "pause", "resume", "undo", "end", "again", "choose", "override", "text", "s1 vote a=s2", "s2 done", "table slip_swap a=s1 b=s2", "chance deal", "by",
         "args", "action", "violation", "choice", "option", "if_seq", "reason", "game", "one_night", "preset", "base_3", "base_5", "seats", "roles", "options",
         "werewolf", "deck", "kit", "name", "kind", "pad", "s1", "c1", "é\u0000\ud7ff", "人", "x" * 300, "-1", ""]
PATHS = ["", "/game", "/actions", "/control", "/seats/1/view", "/seats/s17/view", "/violations", "/readers", "/enrol", "/timeline", "/events", "/../main", "/%2e", "/%00", "/x" * 40]


class Local(http.client.HTTPConnection):
    """The local socket: the same routes without a token."""

    def __init__(self, path):
        super().__init__("localhost", timeout=LIMIT_S)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(LIMIT_S)
        self.sock.connect(self.path)


def ask(link, method, path, body=None, headers=None):
    head = dict(headers or {})
    if body is not None:
        head.setdefault("Content-Type", "application/json")
    link.request(method, path, body, head)
    answer = link.getresponse()
    return answer.status, answer.read()


def any_json(dice, depth=0):
    what = dice.randrange(8 if depth < 4 else 5)
    if what < 2:
        return dice.choice(WORDS)
    if what == 2:
        return dice.choice([0, 1, -1, 2, 255, 256, 2**31, 2**32, 2**53, -2**63, 2**63 - 1])
    if what == 3:
        return dice.choice([None, True, False, 0.5, 1e300])
    if what == 4:
        return dice.choice(["s%d" % dice.randrange(19), dice.choice(WORDS)])
    if what == 5:
        return [any_json(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {dice.choice(WORDS): any_json(dice, depth + 1) for _ in range(dice.randrange(4))}


def any_body(dice):
    what = dice.randrange(8)
    if what == 0:
        return dice.randbytes(dice.choice([0, 1, 20, 3000]))
    if what == 1:
        return json.dumps(any_json(dice)).encode()[:dice.randrange(40)]
    if what < 5:
        return json.dumps({"do": dice.choice(WORDS[1:8]), **{dice.choice(WORDS[10:17]): any_json(dice) for _ in range(dice.randrange(3))}}).encode()
    if what == 5:
        return json.dumps({"text": " ".join(dice.choice(WORDS) for _ in range(4)), "if_seq": any_json(dice)}).encode()
    if what == 6:
        return json.dumps({"game": dice.choice(["one_night", "not_alone", "battle_sheep", "alien_hunt", "elfenland", "chess"]), "seats": dice.randrange(18),
                           **{dice.choice(WORDS): any_json(dice) for _ in range(dice.randrange(2))}}).encode()
    return json.dumps(any_json(dice)).encode()


class Scene:
    def __init__(self, **options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tabled-test-"))
        self.broker = Broker(self.folder)
        env = {"ASAN_OPTIONS": "quarantine_size_mb=1:malloc_context_size=2:" + os.environ.get("ASAN_OPTIONS", "")}
        self.daemon = Daemon(self.folder / "house", self.broker, env=env, night_pace=2, **options)
        conf = self.daemon.config.read_text()
        self.daemon.config.write_text(conf.replace("[mqtt]\n", "[mqtt]\ncommands = yes\nretry_min = 100ms\n").replace("log_level = debug", "log_level = info"))
        self.daemon.start()
        self.daemon.enrol()

    def local(self):
        return Local(self.daemon.socket)

    def sane(self):
        text = self.daemon.log_text()
        check("runtime error" not in text and "ERROR: " not in text, text[-8000:])

    def close(self):
        if self.daemon.process:
            self.daemon.kill()
        self.broker.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def scene(**options):
    it = Scene(**options)
    try:
        yield it
        it.daemon.stop()
        it.sane()
    except BaseException:
        sys.stderr.write(it.daemon.log_text()[-8000:])
        raise
    finally:
        it.close()


class Callers:
    """Threads that pull until told to stop; the first trouble of any of them is raised at the end."""

    def __init__(self):
        self.stop, self.trouble, self.threads, self.gone = threading.Event(), [], [], False

    def add(self, work, *args):
        def run():
            try:
                work(*args)
            except (OSError, http.client.HTTPException) as error:
                if not self.gone:  # while the daemon ends, links end
                    self.trouble.append(f"{work.__name__}: {error!r}")
            except BaseException as error:
                self.trouble.append(f"{work.__name__}: {error!r}")
        self.threads.append(threading.Thread(target=run, daemon=True))
        self.threads[-1].start()
        return self.threads[-1]

    def join(self):
        self.stop.set()
        for thread in self.threads:
            thread.join(LIMIT_S)
        check(not self.trouble, "\n".join(self.trouble[:5]))


def requests(it, callers, dice, count):
    roles = ["admin", "operator", "display", "metrics", None]
    for i in range(count):
        if callers.stop.is_set():
            return
        path = dice.choice([T + dice.choice(PATHS), T + dice.choice(PATHS), "/api/v1/tables", "/api/v1/games", "/api/v1/pieces", "/api/v1/pieces/import", "/healthz", "/metrics", "/readyz", "/"])
        if path.endswith("/events"):
            continue
        method = dice.choice(["GET", "GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])
        body = any_body(dice) if method in ("POST", "PUT", "PATCH") else None
        if dice.random() < 0.5:
            link = it.local()
            head = {}
        else:
            link = http.client.HTTPConnection("127.0.0.1", it.daemon.port, timeout=LIMIT_S)
            role = dice.choice(roles)
            head = {"Authorization": "Bearer " + tokens(it)[role]} if role in tokens(it) else {}
        if dice.random() < 0.3:
            head["Idempotency-Key"] = dice.choice(["a", "b", "x" * 200, "\x7f"])
        if dice.random() < 0.1:
            head["If-None-Match"] = dice.choice(["*", '"1"', "W/", "x" * 500])
        status, raw = ask(link, method, path, body, head)
        link.close()
        check(status in KNOWN, f"{method} {path} {body!r}: {status} {raw[:300]!r}")
        if status >= 400 and method != "HEAD":
            problem = json.loads(raw)
            check(problem["code"] and problem["status"] == status, f"{method} {path}: {raw[:300]!r}")


_tokens = {}


def tokens(it):
    if it.folder not in _tokens:
        _tokens[it.folder] = {t["role"]: t["token"] for t in it.daemon.tokens()["tokens"]}
    return _tokens[it.folder]


def controls(it, callers, dice, count):
    for i in range(count):
        if callers.stop.is_set():
            return
        link = it.local()
        if dice.random() < 0.3:
            status, raw = ask(link, "POST", T + "/game", json.dumps({"game": "one_night", "preset": dice.choice(["base_5", "base_3"])}), {"Idempotency-Key": f"g{dice.random()}"})
        else:
            status, raw = ask(link, "POST", T + "/control", json.dumps({"do": dice.choice(["pause", "resume", "undo", "end", "again", "undo", "resume"])}), {"Idempotency-Key": f"c{dice.random()}"})
        link.close()
        check(status in KNOWN, f"control: {status} {raw[:300]!r}")


def streams(it, callers, dice):
    while not callers.stop.is_set():
        links = []
        for _ in range(dice.randrange(1, 8)):
            link = socket.create_connection(("127.0.0.1", it.daemon.port), LIMIT_S)
            last = dice.choice(["", "Last-Event-ID: 1\r\n", "Last-Event-ID: zz-99999999999999999999\r\n"])
            link.sendall(f"GET {T}/events HTTP/1.1\r\nHost: 127.0.0.1:{it.daemon.port}\r\nAuthorization: Bearer {tokens(it)['display']}\r\n{last}\r\n".encode())
            links.append(link)
        for link in links:
            if dice.random() < 0.7:
                link.recv(dice.choice([1, 100, 60000]))
            if dice.random() < 0.3:
                link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            link.close()


def hands_of(it, callers, dice, hands):
    everything = list(TAG.values()) + ["04990A5A1F6180", "08A1B2C3"]
    while not callers.stop.is_set():
        pad = dice.choice(list(hands.on_pad))
        with hands.lock:
            if hands.on_pad[pad] and dice.random() < 0.6:
                hands.on_pad[pad].pop(dice.randrange(len(hands.on_pad[pad])))
            elif len(hands.on_pad[pad]) < 3:
                free = [t for t in everything if not any(t in on for on in hands.on_pad.values())]
                if free:
                    hands.on_pad[pad].append(dice.choice(free))
        hands.settle(dice.choice([1, 1, 2, 5]))


def commands(it, callers, dice):
    verbs = ["pause", "resume", "undo", "end", "again", "choose", "override", "act", "start", "dance", "x" * 60]
    while not callers.stop.is_set():
        user = dice.choice(["ann", "bob", "a b"])
        line = ["mosquitto_pub", "-V", "5", "-h", "127.0.0.1", "-p", str(it.broker.port), "-q", "1", "-t", f"tabled/v1/home/main/cmd/{user}/{dice.choice(verbs)}", "-s"]
        if dice.random() < 0.5:
            line += ["-D", "publish", "correlation-data", dice.choice(["1", "2", "x" * 200])]
        if dice.random() < 0.2:
            line += ["-r"]
        subprocess.run(line, input=any_body(dice), stderr=subprocess.DEVNULL, timeout=LIMIT_S)  # the broker may be away


def pull(seed):
    """One round: everybody at once; broker and readers vanish in the middle; the end comes while all pull."""
    dice = random.Random(seed)
    with scene() as it:
        callers = Callers()
        hands = it.daemon.hands()
        busy = [callers.add(requests, it, callers, random.Random(dice.random()), REQUESTS) for _ in range(2)]
        busy.append(callers.add(controls, it, callers, random.Random(dice.random()), REQUESTS))
        for work in (streams, commands):
            callers.add(work, it, callers, random.Random(dice.random()))
        callers.add(hands_of, it, callers, random.Random(dice.random()), hands)
        busy[2].join(dice.uniform(1, 4))  # moments are inputs of this test
        it.broker.stop(kill=True)
        hands.close()
        busy[2].join(dice.uniform(0.2, 2))
        it.broker.start()
        hands = it.daemon.hands()
        callers.add(hands_of, it, callers, random.Random(dice.random()), hands)
        for thread in busy:
            thread.join(LIMIT_S)
            check(not thread.is_alive(), "a caller hangs")
        status, raw = ask(it.local(), "GET", T)
        check(status == 200 and json.loads(raw), f"the view is there: {status}")
        for _ in range(2):
            callers.add(requests, it, callers, random.Random(dice.random()), 1 << 30)
        callers.add(controls, it, callers, random.Random(dice.random()), 1 << 30)
        callers.threads[-1].join(dice.uniform(0.1, 0.6))
        callers.gone = True
        it.daemon.stop()
        callers.join()
        hands.close()
        it.sane()
        it.daemon.ctl("journal", "verify", str(it.daemon.folder / "state" / "journal.db"))
        it.daemon.start()
        status, raw = ask(it.local(), "GET", T)
        check(status == 200, f"it comes back: {status}")


def rss_kb(it):
    status = pathlib.Path(f"/proc/{it.daemon.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def growth():
    """Memory after many requests and games is that of few."""
    with scene() as it:
        link, seen = it.local(), []
        status, raw = ask(link, "POST", T + "/game", '{"game":"one_night","preset":"base_5"}', {"Idempotency-Key": "first"})
        check(status == 201, f"{status} {raw}")
        for i in range(GAMES):
            for path in (T, "/api/v1/games", T + "/violations", "/metrics", T + "/nowhere") * 2:
                ask(link, "GET", path)
            status, raw = ask(link, "POST", T + "/control", '{"do":"end"}', {"Idempotency-Key": f"e{i}"})
            check(status == 200, f"end {i}: {status} {raw}")
            status, raw = ask(link, "POST", T + "/control", '{"do":"again"}', {"Idempotency-Key": f"a{i}"})
            check(status in (200, 201), f"again {i}: {status} {raw}")
            seen.append(rss_kb(it))
        settled = seen[GAMES // 4]
        check(seen[-1] - settled < 4096, f"{settled} kB after {GAMES // 4} games, {seen[-1]} kB after {GAMES}: {seen[::GAMES // 20]}")
        return seen[0], settled, seen[-1]


def descriptors():
    """No descriptor is left: who is there stays, who comes waits or is refused, and all is well when there are some again."""
    with scene() as it:
        pid, there = it.daemon.process.pid, it.local()
        check(ask(there, "GET", "/healthz")[0] == 200, "it answers")
        used = max(int(f.name) for f in pathlib.Path(f"/proc/{pid}/fd").iterdir())
        limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + 3, limits[1]))
        links = [socket.create_connection(("127.0.0.1", it.daemon.port), LIMIT_S) for _ in range(60)]
        hands = it.daemon.hands()
        for pad, piece in list(DEAL.items())[:3]:
            hands.put(pad, TAG[piece])
        hands.settle(4)
        it.broker.stop(kill=True)
        it.broker.start()
        check(ask(there, "GET", T)[0] == 200, "who is there is answered")
        there.sock.settimeout(LIMIT_S)
        for _ in range(10):  # what the broker's return began may still be going on
            busy, begun = ticks(pid), time.monotonic()
            hands.settle(50)  # a second
            busy, took = ticks(pid) - busy, time.monotonic() - begun
            if busy < 60 * took:
                break
        check(busy < 60 * took, f"it spins: {busy} ticks in {took:.1f} s")
        for link in links:
            link.close()
        hands.close()
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
        end = time.monotonic() + LIMIT_S
        while ask(it.local(), "GET", "/readyz")[0] != 200:
            check(time.monotonic() < end, "it is not ready again")
        wait_port(it.daemon.port)
        hands = it.daemon.hands()
        check(ask(it.local(), "POST", T + "/game", '{"game":"one_night","preset":"base_5"}')[0] == 201, "a game begins")
        hands.close()


def ticks(pid):
    """Processor time of a process, in hundredths of a second."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def main():
    only = sys.argv[1:2]
    if "--seed" in sys.argv:
        pull(int(sys.argv[sys.argv.index("--seed") + 1]))
        return
    if only in ([], ["descriptors"]):
        descriptors()
        print("without descriptors it waits, with them it goes on")
    if only in ([], ["growth"]):
        print("RSS after 1, a quarter and all of %d games: %d, %d, %d kB" % (GAMES, *growth()))
    if only in ([], ["pull"]):
        for seed in range(ROUNDS):
            pull(seed)
        print(f"{ROUNDS} rounds of everybody at once")


if __name__ == "__main__":
    main()
