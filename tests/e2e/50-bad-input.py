#!/usr/bin/env python3
"""Bad input everywhere ends in the code of design 5.5, a sentence, and a table that plays on."""
import contextlib
import http.client
import json
import os
import pathlib
import resource
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, Daemon, Evening, Subscriber, check, scene  # noqa: E402

T = "/api/v1/tables/main"
GAME = {"game": "one_night", "preset": "base_3"}
# method, path, body, headers, role, status, code
ROWS = [
    ("GET", T, None, {}, None, 401, "unauthorised"),
    ("GET", T, None, {"Authorization": "Bearer gt_admin_nonsense"}, None, 401, "unauthorised"),
    ("GET", "/api/v1/tables/other", None, {}, "display", 404, "not_found"),
    ("GET", "/api/v1/nothing", None, {}, "display", 404, "not_found"),
    ("DELETE", T, None, {}, "operator", 405, "method"),
    ("POST", T + "/control", {"do": "pause"}, {}, "display", 403, "forbidden"),
    ("POST", T + "/control", {"do": "dance"}, {}, "operator", 400, "invalid"),
    ("POST", T + "/control", "{", {}, "operator", 400, "invalid"),
    ("POST", T + "/control", '{"do":"pause","do":"resume"}', {}, "operator", 400, "invalid"),
    ("POST", T + "/control", "[" * 5000 + "]" * 5000, {}, "operator", 400, "invalid"),
    ("POST", T + "/control", '{"do":"pause","and":1}', {}, "operator", 400, "invalid"),
    ("POST", T + "/control", '{"do":"pause"}', {"Content-Type": "text/plain"}, "operator", 415, "media_type"),
    ("POST", T + "/control", '{"do":"' + "x" * 200000 + '"}', {}, "operator", 413, "too_large"),
    ("POST", T + "/control", {"do": "pause"}, {"Origin": "http://attacker.example"}, "operator", 403, "forbidden"),
    ("GET", T, None, {"Host": "attacker.example"}, "display", 421, "misdirected"),
    ("POST", T + "/game", {"game": "chess"}, {"Idempotency-Key": "k1"}, "operator", (404, 400, 422), None),
    ("POST", T + "/game", {"game": "one_night", "seats": 99}, {"Idempotency-Key": "k2"}, "operator", (400, 422), None),
    ("POST", T + "/game", {"game": "one_night", "seats": 3, "roles": ["werewolf"]}, {"Idempotency-Key": "k3"}, "operator", 422, "illegal"),
    ("POST", T + "/game", {"game": "one_night", "seats": 3, "roles": ["dragon"] * 6}, {"Idempotency-Key": "k4"}, "operator", (400, 422), None),
    ("POST", T + "/game", {"game": "one_night", "preset": "nope"}, {"Idempotency-Key": "k5"}, "operator", (400, 404, 422), None),
    ("POST", T + "/actions", {"text": "s1 vote a=s2"}, {}, "operator", (409, 422), None),
    ("GET", T + "/seats/1/view", None, {}, "admin", 404, "not_found"),
    ("GET", T + "/seats/1/view", None, {}, "operator", 404, "not_found"),
    ("POST", T + "/enrol", {"deck": "kit", "name": "x", "kind": "seer"}, {}, "operator", 403, "forbidden"),
]
CTL = [
    (("status", "nowhere"), 4, "nowhere"), (("frobnicate",), 2, "frobnicate"), (("act", "main", "s1 fly"), 4, ""),
    (("games", "chess"), (1, 2, 4), "chess"), (("simulate", "one_night", "--seats", "99", "--games", "1", "--seed", "1"), (1, 2), ""),
    (("casebook", "/nowhere.md"), (1, 2), "nowhere"), (("enrol", "import", "/nowhere.csv"), (1, 2), "nowhere"),
]


def main():
    with scene() as (folder, broker, daemon):
        for method, path, body, headers, role, status, code in ROWS:
            got, head, raw = daemon.request(method, path, body, daemon.token(role) if role else None, headers)
            wanted = status if isinstance(status, tuple) else (status,)
            what = f"{method} {path} {str(body)[:60]} as {role}"
            check(got in wanted, f"{what}: {got} {raw[:300]}")
            problem = json.loads(raw)
            check(head["Content-Type"].startswith("application/problem+json"), f"{what}: {head}")
            check(code is None or problem["code"] == code, f"{what}: {problem}")
            check(problem["title"] and problem["status"] == got, f"{what}: {problem}")
        status, head, raw = daemon.request("POST", T + "/game", {"game": "one_night", "seats": 3, "roles": ["werewolf"]}, daemon.token("operator"), {"Idempotency-Key": "k9"})
        check("E_COUNT" in raw.decode(), f"the rule is named: {raw}")
        raw_bytes(daemon)
        for arguments, code, word in CTL:
            done = subprocess.run([str(BIN / "tablectl"), "--socket", str(daemon.socket), *arguments], capture_output=True, text=True)
            wanted = code if isinstance(code, tuple) else (code,)
            check(done.returncode in wanted, f"tablectl {arguments}: exit {done.returncode} {done.stderr}")
            check(word in done.stderr and done.stderr.strip(), f"tablectl {arguments}: {done.stderr!r}")
        sub = Subscriber(broker.port)
        hands = daemon.hands()
        # Lines no reader would write: the good ones between them still count.
        for line in (b"\n", b"hello\n", b"1 north\n", b"1 north 0 seen\n", b"1 north 0 seen XYZ\n", b"1 north 99999999999 none\n", b"1 north 0 seen " + b"04" * 400 + b"\n", b"\xff\xfe\0\n"):
            hands.links["north"].sendall(line)
        Evening(hands, sub).play()
        hands.close()
        sub.close()
        flooded(folder / "flood")
    print(f"{len(ROWS)} bad requests, {len(CTL)} bad commands, an evening all the same")


def raw_bytes(daemon):
    """Requests no client library would send."""
    for request in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01", b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
                    b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", b"POST /api/v1/tables/main/control HTTP/1.1\r\nHost: localhost\r\nContent-Length: 18446744073709551615\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", daemon.port), 30) as link:
            answer = b""
            with contextlib.suppress(OSError):  # closed at once is an answer too
                link.sendall(request)
                link.shutdown(socket.SHUT_WR)
                while part := link.recv(4096):
                    answer += part
            check(b"root:" not in answer and b" 200 " not in answer.split(b"\r\n")[0] or request.startswith(b"GET / "), f"{request[:60]}: {answer[:200]}")
    check(daemon.request("GET", "/healthz")[0] == 200, "it still answers")


def flooded(folder):
    """B117, B118: heads that never end take all descriptors there are; who is known is served, the log stays short, all ends well"""
    daemon = Daemon(folder)
    daemon.config.write_text(daemon.config.read_text().replace("[http]\n", "[http]\ntimeout = 1s\n", 1))
    daemon.start()
    pid = daemon.process.pid
    known = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=LIMIT_S)

    def ask():
        known.request("GET", "/healthz")
        answer = known.getresponse()
        answer.read()
        return answer.status
    check(ask() == 200, "before")
    _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{pid}/fd")) + 16, hard))
    began, spent = time.monotonic(), cpu_s(pid)
    links = [socket.create_connection(("127.0.0.1", daemon.port), LIMIT_S) for _ in range(24)]
    for link in links:
        link.sendall(b"G")
    check(ask() == 200, "who is there already is served")
    for link in links:
        with contextlib.suppress(ConnectionResetError):
            while link.recv(4096):
                pass
        link.close()
    spent, took = cpu_s(pid) - spent, time.monotonic() - began
    check(spent < took / 2, f"it rests where it can take nobody: {spent} s of {took} s")
    told = daemon.log_text().count("no connection can be taken")
    check(1 <= told <= 4 * took + 4, f"told when it happens, not for each that waits: {told} in {took} s")
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (hard, hard))
    check(daemon.request("GET", "/healthz")[0] == 200, "after")
    daemon.stop()


def cpu_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
