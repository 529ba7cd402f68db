#!/usr/bin/env python3
"""People: pairing, passwords, sessions and their ends, tries without a lock-out; a backup and its way back; breaking the glass."""
import json
import pathlib
import socket
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, ROLES, check, scene  # noqa: E402

T = "/api/v1/tables/main"
PASSWORD = "correct horse battery"


class Person:
    """A browser: a cookie and what goes with it."""

    def __init__(self, daemon, answer):
        status, head, raw = answer
        check(status == 201, f"logged in: {status} {raw}")
        self.daemon, self.line = daemon, head["Set-Cookie"]
        self.cookie, self.csrf = self.line.split(";")[0], json.loads(raw)["csrf"]

    def ask(self, method, path, body=None, **headers):
        head = {"Cookie": self.cookie, "X-CSRF-Token": self.csrf, "Origin": f"http://127.0.0.1:{self.daemon.port}", "Sec-Fetch-Site": "same-origin"}
        head.update({k.replace("_", "-"): v for k, v in headers.items()})
        return self.daemon.request(method, path, body, headers={k: v for k, v in head.items() if v is not None})


def log_in(daemon, name, password=PASSWORD):
    return daemon.request("POST", "/api/v1/session", {"name": name, "password": password})


def claim(daemon, code, name, password=None):
    body = {"code": code, "name": name}
    if password:
        body["password"] = password
    return daemon.request("POST", "/api/v1/pairing/claim", body)


def pairing(daemon):
    check(json.loads(daemon.request("GET", "/api/v1/info")[2])["claimed"] is False, "nobody has claimed it")
    check(claim(daemon, "AAAAAAAA", "ada", PASSWORD)[0] == 409, "no pairing is open")
    code = json.loads(daemon.ctl("pair", "--json"))["code"]
    info = json.loads(daemon.request("GET", "/api/v1/info")[2])
    check(info["pairing_open"] and not info["claimed"], f"open: {info}")
    check(code not in daemon.log_text(), "the code is not logged")
    check(claim(daemon, code, "ada")[0] == 400, "an admin needs a password")
    check(claim(daemon, code, "ada", "short")[0] == 400, "of some length")
    ada = Person(daemon, claim(daemon, f"{code[:4]}-{code[4:]}".lower(), "ada", PASSWORD))
    check(all(word in ada.line for word in ("HttpOnly", "SameSite=Strict", "Path=/")), f"the cookie: {ada.line}")
    check(claim(daemon, code, "eve", PASSWORD)[0] == 409, "a code is good once")
    check(json.loads(daemon.request("GET", "/api/v1/info")[2])["claimed"], "claimed")
    code = json.loads(daemon.ctl("pair", "--role", "operator", "--json"))["code"]
    for _ in range(3):
        check(claim(daemon, "22222222", "eve", PASSWORD)[0] == 403, "a wrong code")
    check(claim(daemon, code, "eve", PASSWORD)[0] == 409, "three wrong tries end a pairing")
    code = json.loads(daemon.ctl("pair", "--seat", "s2", "--json"))["code"]
    seat = Person(daemon, claim(daemon, code, "phone"))
    check(json.loads(seat.ask("GET", "/api/v1/session")[2])["seat"] == "s2", "a phone at seat 2")
    check(seat.ask("GET", "/api/v1/users")[0] == 403 and seat.ask("GET", T)[0] == 200, "and no more than that")
    return ada


def cross_site(daemon, ada):
    """B107: a page of somebody else makes a browser send the cookie, and nothing else."""
    pause = {"do": "pause"}
    check(ada.ask("POST", T + "/control", pause)[0] == 409, "from our page: no game runs")
    for headers in ({"X_CSRF_Token": None}, {"X_CSRF_Token": "A" * 43}, {"Origin": "http://attacker.example"}, {"Origin": "null"},
                    {"Sec_Fetch_Site": "cross-site"}):
        check(ada.ask("POST", T + "/control", pause, **headers)[0] == 403, f"from elsewhere: {headers}")
    check(ada.ask("POST", T + "/control", "do=pause", Content_Type="text/plain")[0] == 415, "as a form")
    status, head, _ = ada.ask("GET", T)
    check(status == 200 and not [k for k in head if k.lower().startswith("access-control")], f"B111: no other origin: {head}")


def sessions(daemon, ada):
    check(ada.ask("POST", "/api/v1/users", {"name": "bob", "password": PASSWORD, "role": "operator"})[0] == 201, "bob")
    bob = Person(daemon, log_in(daemon, "bob"))
    check(bob.cookie != ada.cookie and bob.ask("GET", "/api/v1/users")[0] == 403, "an operator is no admin")
    check(bob.ask("GET", T + "/seats/1/view")[0] == 404 and ada.ask("GET", T + "/seats/1/view")[0] == 404, "nobody peeks")
    stream = open_stream(daemon, bob.cookie)
    ids = [s["id"] for s in json.loads(ada.ask("GET", "/api/v1/sessions")[2])["sessions"] if s["user"] == "bob"]
    check(len(ids) == 1, f"one session of bob: {ids}")
    check(ada.ask("DELETE", "/api/v1/sessions/" + ids[0])[0] == 204, "ended")
    ended(stream, "an ended session")
    check(bob.ask("GET", T)[0] == 401, "the cookie is worth nothing now")
    bob, other = Person(daemon, log_in(daemon, "bob")), Person(daemon, log_in(daemon, "bob"))
    check(bob.ask("DELETE", "/api/v1/session")[0] == 204 and bob.ask("GET", T)[0] == 401 and other.ask("GET", T)[0] == 200, "one logs out")
    check(ada.ask("PATCH", "/api/v1/users/bob", {"password": PASSWORD + "2"})[0] == 200 and other.ask("GET", T)[0] == 401, "a new password ends all")
    check(log_in(daemon, "bob")[0] == 401, "the old one is wrong")
    check(Person(daemon, log_in(daemon, "bob", PASSWORD + "2")).ask("GET", T)[0] == 200, "the new one is right")
    check(ada.ask("DELETE", "/api/v1/users/ada")[0] == 409 and ada.ask("PATCH", "/api/v1/users/ada", {"role": "operator"})[0] == 409, "the last admin stays")
    token = json.loads(ada.ask("POST", "/api/v1/tokens", {"name": "wall", "role": "display"})[2])
    stream = open_stream(daemon, None, token["token"])
    check(ada.ask("DELETE", "/api/v1/tokens/" + token["id"])[0] == 204, "revoked")
    ended(stream, "a revoked token")
    check(daemon.request("GET", T, token=token["token"])[0] == 401, "and unknown")
    daemon.stop()
    daemon.start()
    check(ada.ask("GET", T)[0] == 200, "a session lives over a restart")
    check(daemon.request("GET", T, token=token["token"])[0] == 401, "what was revoked stays so")


def open_stream(daemon, cookie, token=None):
    link = socket.create_connection(("127.0.0.1", daemon.port), 30)
    who = f"Cookie: {cookie}" if cookie else f"Authorization: Bearer {token}"
    link.sendall(f"GET {T}/events HTTP/1.1\r\nHost: localhost\r\n{who}\r\n\r\n".encode())
    seen = b""
    while b"event: seats" not in seen:
        part = link.recv(65536)
        check(part, f"a stream: {seen[:200]}")
        seen += part
    return link


def ended(link, what):
    link.settimeout(30)
    try:
        while link.recv(65536):
            pass
    except ConnectionError:
        pass
    link.close()


def tries(daemon):
    """Wrong passwords cost time and lock nobody out."""
    answers = [log_in(daemon, "bob", "wrong wrong")[:2] for _ in range(5)]
    codes = [status for status, _ in answers]
    check(codes.count(401) >= 2 and codes[-1] == 429, f"tries: {codes}")
    check(int(answers[-1][1]["Retry-After"]) >= 1, f"when again: {answers[-1]}")
    check(log_in(daemon, "nobody-here", "wrong wrong")[0] in (401, 429), "a name that is not there")
    check(daemon.request("GET", T, token=daemon.token("admin"))[0] == 200, "a token works all the same")
    daemon.ctl("pair")


def full(daemon):
    """Sixty-four users are all there can be, however the next one comes; nobody takes a name of the machine's own callers."""
    admin = daemon.token("admin")

    def add(name):
        return daemon.request("POST", "/api/v1/users", {"name": name, "password": PASSWORD, "role": "operator"}, admin)
    check(add("uid-0")[0] == 400, "a user like root's")
    check(daemon.request("POST", "/api/v1/tokens", {"name": "uid-0", "role": "display"}, admin)[0] == 400, "a token like root's")
    code = json.loads(daemon.ctl("pair", "--role", "operator", "--json"))["code"]
    check(claim(daemon, code, "uid-0", PASSWORD)[0] == 400, "a phone like root's")
    made = 0
    while (answer := add(f"guest-{made}"))[0] == 201:
        made += 1
        check(made <= 64, "there is an end of users")
    check(answer[0] == 413, f"full: {answer}")
    check(claim(daemon, code, "late", PASSWORD)[0] == 413, "also for who is paired")
    check(daemon.request("DELETE", "/api/v1/users/guest-0", None, admin)[0] == 204 and claim(daemon, code, "late", PASSWORD)[0] == 201, "when one has gone")
    users = json.loads(daemon.request("GET", "/api/v1/users", token=admin)[2])["users"]
    check(len(users) == 64 and "late" in [u["name"] for u in users], f"users: {len(users)}")
    daemon.stop()
    daemon.start()
    after = json.loads(daemon.request("GET", "/api/v1/users", token=admin)[2])["users"]
    check(sorted(u["name"] for u in after) == sorted(u["name"] for u in users), "the same after a restart")


def backup(daemon, folder):
    secret = folder / "secret.txt"
    secret.write_text("a long passphrase\n")
    check(daemon.request("POST", T + "/game", {"game": "one_night", "seats": 5, "roles": ROLES.split()}, daemon.token("operator"))[0] == 201, "a game")
    daemon.ctl("backup", str(folder / "no.tar"), code=4)
    check(not (folder / "no.tar").exists() and not (folder / "no.tar.part").exists(), "nothing is left of it")
    told = daemon.ctl("reveal", "--abort-game")
    check(told.strip(), f"how it stood: {told}")
    view = json.loads(daemon.request("GET", T, token=daemon.token("display"))[2])
    check(view["game"]["status"] == "ended", "everybody knows that it is over")
    past = json.loads(daemon.request("GET", T + "/history", token=daemon.token("display"))[2])["games"]
    check(past and past[0]["aborted"], f"it stands in the history: {past}")
    daemon.ctl("reveal", code=2)
    plain, sealed = folder / "house.tar", folder / "house.enc"
    daemon.ctl("backup", str(plain))
    daemon.ctl("backup", str(sealed), "--passphrase-file", str(secret))
    for file in (plain, sealed):
        check(file.stat().st_mode & 0o777 == 0o600, f"{file} is nobody else's")
    names = subprocess.run(["tar", "-tf", str(plain)], capture_output=True, text=True).stdout.split()
    check({"journal.db", "house.db", "auth.db", "history.db"} <= set(names), f"in it: {names}")
    check(b"SQLite format" not in sealed.read_bytes() and b"SQLite format" in plain.read_bytes(), "sealed")
    state = daemon.folder / "state"
    daemon.ctl("restore", str(plain), "--state", str(state), code=4)
    daemon.stop()
    for name in names:
        (state / name).unlink()
    damaged = folder / "damaged.enc"
    damaged.write_bytes(sealed.read_bytes()[:-1000])
    run(daemon, 1, "restore", str(damaged), "--state", str(state), "--passphrase-file", str(secret))
    check(not (state / "journal.db").exists() and not list(state.glob("restore-*")), "all or nothing")
    run(daemon, 1, "restore", str(sealed), "--state", str(state))
    run(daemon, 0, "restore", str(sealed), "--state", str(state), "--passphrase-file", str(secret))
    after_a_crash(daemon, folder, plain)
    daemon.start()
    check(json.loads(daemon.request("GET", T + "/history", token=daemon.token("display"))[2])["games"] == past, "past games are back")
    check(log_in(daemon, "ada")[0] == 201, "people are back")


CRASH = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode=WAL")
db.execute("CREATE TABLE record(n)")
db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
for n in range(7):
    db.execute("INSERT INTO record VALUES(?)", (n,))
os._exit(0)
"""


def after_a_crash(daemon, folder, archive):
    """What a journal's log alone holds is kept with the journal that makes room."""
    state = folder / "crashed"
    state.mkdir()
    subprocess.run([sys.executable, "-c", CRASH, str(state / "journal.db")], check=True)
    check((state / "journal.db-wal").stat().st_size > 0, "a log is left")
    run(daemon, 0, "restore", str(archive), "--state", str(state))
    kept = sqlite3.connect(state / "journal.db.before").execute("SELECT count(*) FROM record").fetchone()
    check(kept == (7,), f"records before the restore: {kept}")
    check(not (state / "journal.db-wal").exists(), "no old log beside the new journal")


def run(daemon, code, *arguments):
    done = subprocess.run([str(BIN / "tablectl"), "--socket", str(daemon.socket), *arguments], capture_output=True, text=True)
    check(done.returncode == code, f"{arguments}: {done.returncode} {done.stdout}{done.stderr}")


def main():
    with scene(with_broker=False) as (folder, _, daemon):
        ada = pairing(daemon)
        cross_site(daemon, ada)
        sessions(daemon, ada)
        backup(daemon, folder)
        tries(daemon)
        full(daemon)
    print("people come, go and are known again")


if __name__ == "__main__":
    main()
