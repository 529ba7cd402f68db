#!/usr/bin/env python3
"""A thousand people watch and nobody waits for one who does not read (B115, perf-goals P8)."""
import json
import pathlib
import resource
import selectors
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import LIMIT_S, check, scene  # noqa: E402

T = "/api/v1/tables/meadow"
IDLE = 1000
SLOW = 8
# The sanitizers' own shadow and quarantine are in it; without them it is 8 kB a stream (tests/perf/run).
KB_EACH = 32


def resident_kb(daemon):
    status = pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def metric(daemon, name):
    raw = daemon.request("GET", "/metrics", token=daemon.token("metrics"))[2].decode()
    return int(next(line.split()[1] for line in raw.splitlines() if line.startswith(f"tabled_{name} ")))


class Crowd:
    def __init__(self, daemon, n):
        self.selector, self.seen, self.links = selectors.DefaultSelector(), {}, []
        request = f"GET {T}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {daemon.token('display')}\r\n\r\n".encode()
        for _ in range(n):
            link = socket.create_connection(("127.0.0.1", daemon.port), 30)
            link.sendall(request)
            link.setblocking(False)
            self.selector.register(link, selectors.EVENT_READ)
            self.seen[link] = b""
            self.links.append(link)

    def until(self, word):
        """Until each has heard the word."""
        waiting, end = {link for link in self.links if word not in self.seen[link]}, time.monotonic() + LIMIT_S
        while waiting:
            check(time.monotonic() < end, f"{len(waiting)} of {len(self.links)} have not heard {word}")
            for key, _ in self.selector.select(1):
                part = key.fileobj.recv(65536)
                check(part, "a stream has ended")
                self.seen[key.fileobj] = (self.seen[key.fileobj] + part)[-65536:]
                if word in self.seen[key.fileobj]:
                    waiting.discard(key.fileobj)

    def close(self):
        for link in self.links:
            link.close()


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with scene(with_broker=False, extra="[table meadow]\nchance = generator\n") as (_, _, daemon):
        before = resident_kb(daemon)
        crowd = Crowd(daemon, IDLE)
        crowd.until(b"event: result")
        check(metric(daemon, "http_streams") == IDLE, "all of them are open")
        each = (resident_kb(daemon) - before) / IDLE
        check(each < KB_EACH, f"{each:.1f} kB a stream")
        slow = [socket.socket() for _ in range(SLOW)]
        for link in slow:  # they ask, and never read
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            link.connect(("127.0.0.1", daemon.port))
            link.sendall(f"GET {T}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {daemon.token('display')}\r\n\r\n".encode())
        grown = resident_kb(daemon)
        operator = daemon.token("operator")
        for game in range(6):
            status, _, raw = daemon.request("POST", T + "/game", {"game": "battle_sheep", "seats": 4}, operator)
            check(status == 201, f"start: {raw}")
            for at in range(4):
                daemon.request("POST", T + "/actions", {"text": f"s{at + 1} tile at=hex.{at * 2},0 turn=O0"}, operator)
            status, _, raw = daemon.request("POST", T + "/control", {"do": "end", "reason": f"round-{game}"}, operator)
            check(status == 200, f"end: {raw}")
        crowd.until(b"round-5")
        grown = resident_kb(daemon) - grown
        check(grown < 64 * 1024, f"those who do not read cost {grown} kB")
        view = json.loads(daemon.request("GET", T, token=daemon.token("display"))[2])
        check(view["game"]["status"] == "ended", "the table played on")
        crowd.close()
        for link in slow:
            link.close()
        print(f"{IDLE} streams, {each:.1f} kB each with sanitizers; {SLOW} that do not read cost {grown} kB in all")


if __name__ == "__main__":
    main()
