#!/usr/bin/env python3
"""Every route against the real daemon: success, who may not, wrong role, wrong method, bodies too large and malformed.

The rows are those of /api/v1/openapi.json: a route without a row here fails, a row without a route too.
"""
import concurrent.futures
import contextlib
import http.client
import json
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import ROLES, check, scene  # noqa: E402

T = "/api/v1/tables/main"
MEADOW = "/api/v1/tables/meadow"
PASSWORD = "correct horse battery"
NOBODY, READ, HOST, SEAT, ADMIN, METRICS, ANY = "nobody", "read", "host", "seat", "admin", "metrics", "any"
# Who may, who may not: roles of the token file.
MAY = {READ: ("display", "admin", "operator", "seat"), HOST: ("operator", "admin"), SEAT: ("seat",), ADMIN: ("admin",),
       METRICS: ("metrics", "admin"), ANY: ("display",), "act": ("operator", "admin", "seat")}
MAY_NOT = {READ: ("metrics",), HOST: ("display", "seat", "metrics"), SEAT: (), ADMIN: ("operator", "display", "seat", "metrics"),
           METRICS: ("operator", "display", "seat"), ANY: (), "act": ("display", "metrics")}
BIG = 65536 + 1


class Case:
    """One route: what succeeds, and bodies that do not."""

    def __init__(self, who, status=200, path=None, body=None, wrong=(), limit=BIG, fields=(), kind="application/json", role=None, headers=None):
        self.who, self.status, self.path, self.body, self.wrong = who, status, path, body, wrong
        self.limit, self.fields, self.kind, self.role, self.headers = limit, fields, kind, role, headers or {}


# A row's `path` may need what an earlier row has made: {token}, {session}, {game}.
ROWS = {
    ("GET", "/"): Case(NOBODY, kind="text/"),
    ("GET", "/{file}"): Case(NOBODY, path="/index.html", kind="text/html"),
    ("GET", "/healthz"): Case(NOBODY, kind="text/plain"),
    ("GET", "/readyz"): Case(NOBODY, fields=("status", "disk")),
    ("GET", "/metrics"): Case(METRICS, kind="text/plain"),
    ("GET", "/api/v1/info"): Case(NOBODY, fields=("name", "version", "boot_id", "claimed", "pairing_open", "tls_fingerprint", "tls_ends_at", "insecure", "locale", "site")),
    ("GET", "/api/v1/openapi.json"): Case(NOBODY, fields=("openapi", "paths")),
    ("GET", "/api/v1/games"): Case(READ, fields=("games",)),
    ("GET", "/api/v1/tables"): Case(READ, fields=("tables",)),
    ("GET", "/api/v1/tables/{t}"): Case(READ, path=T, fields=("game", "phase", "board", "seats")),
    ("GET", "/api/v1/tables/{t}/violations"): Case(READ, path=T + "/violations", fields=("violations",)),
    ("GET", "/api/v1/tables/{t}/readers"): Case(READ, path=T + "/readers", fields=("readers",)),
    ("GET", "/api/v1/tables/{t}/map"): Case(READ, path=T + "/map", fields=("pads",)),
    ("GET", "/api/v1/tables/{t}/events"): Case(READ, path=T + "/events", kind="text/event-stream"),
    ("POST", "/api/v1/tables/{t}/check"): Case(READ, path=T + "/check", body={"game": "one_night", "seats": 5, "roles": ROLES.split()},
                                               wrong=({"seats": 5}, {"game": 7}), fields=("ok", "issues", "game", "seats", "cards", "options")),
    ("POST", "/api/v1/tables/{t}/game"): Case(HOST, 201, path=MEADOW + "/game", body={"game": "battle_sheep", "seats": 2},
                                              wrong=({}, {"game": "battle_sheep", "seats": "2"}), fields=("version", "issues")),
    ("GET", "/api/v1/tables/{t}/seats/{n}/view"): Case(SEAT, path=MEADOW + "/seats/1/view", fields=("game", "facts")),
    ("POST", "/api/v1/tables/{t}/actions"): Case("act", path=MEADOW + "/actions", body={"text": "s1 tile at=hex.0,0 turn=O0"}, role="operator",
                                                 wrong=({}, {"text": "s1 x", "by": "s1"}, {"by": "s1", "do": 1}), fields=("version",)),
    ("POST", "/api/v1/tables/{t}/control"): Case("act", path=MEADOW + "/control", body={"do": "end", "reason": "test"}, role="operator",
                                                 wrong=({}, {"do": "dance"}, {"do": "end", "choice": 1}), fields=("version",)),
    ("GET", "/api/v1/tables/{t}/timeline"): Case(READ, path=MEADOW + "/timeline", fields=("events", "next")),
    ("GET", "/api/v1/tables/{t}/history"): Case(READ, path=MEADOW + "/history", fields=("games", "next")),
    ("GET", "/api/v1/tables/{t}/history/{game_id}"): Case(READ, path=MEADOW + "/history/{game}", fields=("game", "result")),
    ("GET", "/api/v1/tables/{t}/history/{game_id}/timeline"): Case(READ, path=MEADOW + "/history/{game}/timeline", fields=("events", "next")),
    ("GET", "/api/v1/stats"): Case(READ, fields=("games", "by_game")),
    ("POST", "/api/v1/pairing"): Case(ADMIN, 201, body={"role": "admin"}, limit=4097, fields=("code", "expires_at"),
                                      wrong=({}, {"role": "king"}, {"role": "seat"}, {"role": "display", "seat": "s1"})),
    ("POST", "/api/v1/pairing/claim"): Case(NOBODY, 201, body={"code": "{code}", "name": "ada", "password": PASSWORD}, limit=4097,
                                            wrong=({"code": "x"}, {"code": "x", "name": "A B"}), fields=("user", "role", "csrf", "capabilities", "expires_at")),
    ("POST", "/api/v1/session"): Case(NOBODY, 201, body={"name": "ada", "password": PASSWORD}, limit=4097,
                                      wrong=({"name": "ada"}, {"name": "ada", "password": ""}, {"name": 1, "password": PASSWORD}), fields=("user", "role", "csrf")),
    ("GET", "/api/v1/session"): Case(ANY, fields=("user", "role", "seat", "table", "csrf", "capabilities", "expires_at")),
    ("DELETE", "/api/v1/session"): Case(ANY, 204, headers={"Cookie": "{cookie}", "X-CSRF-Token": "{csrf}"}, role=""),
    ("GET", "/api/v1/sessions"): Case(ADMIN, fields=("sessions",)),
    ("DELETE", "/api/v1/sessions/{id}"): Case(ADMIN, 204, path="/api/v1/sessions/{session}"),
    ("POST", "/api/v1/users"): Case(ADMIN, 201, body={"name": "bob", "password": PASSWORD, "role": "operator"}, limit=4097, fields=("name", "role", "created_at"),
                                    wrong=({}, {"name": "bo b", "password": PASSWORD, "role": "admin"}, {"name": "eve", "password": "short", "role": "admin"},
                                           {"name": "eve", "password": PASSWORD, "role": "seat"})),
    ("GET", "/api/v1/users"): Case(ADMIN, fields=("users",)),
    ("PATCH", "/api/v1/users/{name}"): Case(ADMIN, path="/api/v1/users/bob", body={"role": "display"}, limit=4097, wrong=({}, {"role": "x"}, {"name": "eve"}),
                                            fields=("name", "role")),
    ("DELETE", "/api/v1/users/{name}"): Case(ADMIN, 204, path="/api/v1/users/bob"),
    ("POST", "/api/v1/tokens"): Case(ADMIN, 201, body={"name": "wall", "role": "display"}, limit=4097, fields=("id", "token"),
                                     wrong=({}, {"name": "wall", "role": "driver"}, {"name": "wall", "role": "seat", "seat": "s17"})),
    ("GET", "/api/v1/tokens"): Case(ADMIN, fields=("tokens",)),
    ("DELETE", "/api/v1/tokens/{id}"): Case(ADMIN, 204, path="/api/v1/tokens/{token}"),
    ("GET", "/api/v1/settings"): Case(ADMIN, fields=("settings",)),
    ("PATCH", "/api/v1/settings"): Case(ADMIN, body={"changes": [{"section": "table", "name": "main", "key": "night_pace", "value": "20"}]}, fields=("settings",),
                                         headers={"If-Match": "*"},
                                         wrong=({}, {"changes": []}, {"changes": [7]}, {"changes": [{"section": "table", "key": "seats"}]},
                                                {"changes": [{"section": "http", "key": "listen", "value": "0.0.0.0:1"}]},
                                                {"changes": [{"section": "daemon", "key": "state_dir", "value": "/"}]},
                                                {"changes": [{"section": "table", "name": "main", "key": "roles", "value": "a\n[http]"}]})),
    ("GET", "/api/v1/logs"): Case(ADMIN, fields=("lines", "next")),
    ("POST", "/api/v1/tables/{t}/enrol"): Case(ADMIN, path=T + "/enrol", status=404, body={"deck": "kit", "name": "new", "kind": "seer", "wait_ms": 1},
                                               wrong=({"deck": "kit"}, {"deck": 1, "name": "x", "kind": "y"})),
    ("POST", "/api/v1/pieces/import"): Case(ADMIN, body={"text": "deck,name,kind,tag,face\nspare,one,seer,04990A5A1F6180,\n"}, limit=(1 << 20) + 1,
                                            wrong=({}, {"text": 1}, {"text": "nonsense"})),
    ("GET", "/api/v1/pieces"): Case(ADMIN, fields=("pieces",)),
    ("DELETE", "/api/v1/pieces/{deck}/{name}"): Case(ADMIN, 204, path="/api/v1/pieces/spare/one"),
}


class Routes:
    def __init__(self, daemon):
        self.daemon, self.made = daemon, {}
        self.keys = 0

    def fill(self, text):
        for key, value in self.made.items():
            text = text.replace("{" + key + "}", value)
        return text

    def ask(self, method, path, role=None, body=None, headers=None):
        token = self.daemon.token(role, "s1" if role == "seat" else "") if role else None
        return self.daemon.request(method, path, body, token, headers)

    def problem(self, what, answer, status, code=None):
        got, head, raw = answer
        wanted = status if isinstance(status, tuple) else (status,)
        check(got in wanted, f"{what}: {got}, not {status}: {raw[:300]}")
        check(head["Content-Type"] == "application/problem+json", f"{what}: {head}")
        body = json.loads(raw)
        check(body["status"] == got and body["title"] and body["code"], f"{what}: {body}")
        check(code is None or body["code"] == code, f"{what}: {body}")
        check("Access-Control-Allow-Origin" not in head, f"{what}: no other origin is let in")

    def prepare(self, method, path):
        """What a success needs that only the test can know."""
        if path == "/api/v1/pairing/claim":
            _, _, raw = self.ask("POST", "/api/v1/pairing", "admin", {"role": "admin"})
            self.made["code"] = json.loads(raw)["code"]
        if path.endswith("/history/{game_id}") or path.endswith("/{game_id}/timeline"):
            self.made["game"] = json.loads(self.ask("GET", MEADOW + "/history", "display")[2])["games"][0]["game_id"]
        if path == "/api/v1/sessions/{id}" or (method, path) == ("DELETE", "/api/v1/session"):
            status, head, raw = self.ask("POST", "/api/v1/session", body={"name": "ada", "password": PASSWORD})
            check(status == 201, f"log in: {raw}")
            self.made["cookie"] = head["Set-Cookie"].split(";")[0]
            self.made["csrf"] = json.loads(raw)["csrf"]
            self.made["session"] = json.loads(self.ask("GET", "/api/v1/sessions", "admin")[2])["sessions"][-1]["id"]

    def success(self, method, path, case):
        self.prepare(method, path)
        what = f"{method} {path}"
        role = case.role if case.role is not None else MAY.get(case.who, (None,))[0]
        headers = {k: self.fill(v) for k, v in case.headers.items()}
        target = self.fill(case.path or path)
        if case.kind == "text/event-stream":
            return self.stream(target, role)
        body = json.loads(self.fill(json.dumps(case.body))) if case.body is not None else None
        status, head, raw = self.ask(method, target, role or None, body, headers)
        check(status == case.status, f"{what}: {status}, not {case.status}: {raw[:300]}")
        if case.status < 400 and raw:
            check(head["Content-Type"].startswith(case.kind), f"{what}: {head}")
        check(head["X-Content-Type-Options"] == "nosniff" and "frame-ancestors 'none'" in head["Content-Security-Policy"], f"{what}: {head}")
        answer = json.loads(raw) if case.fields else {}
        for field in case.fields:
            check(field in answer, f"{what}: no {field} in {raw[:300]}")
        if path == "/api/v1/tokens" and method == "POST":
            self.made["token"] = answer["id"]
            check(self.daemon.request("GET", T, token=answer["token"])[0] == 200, "the new token works")

    def stream(self, target, role):
        stream = self.daemon.stream("main", role)
        stream.wait(lambda m: m["topic"] == "/game")
        check(b"text/event-stream" in stream.head, f"{target}: {stream.head}")
        stream.close()

    def refusals(self, method, path, case):
        what = f"{method} {path}"
        target = self.fill(case.path or path)
        if case.who != NOBODY:
            self.problem(what + " as nobody", self.ask(method, target, None, case.body), 401, "unauthorised")
            self.problem(what + " with a wrong cookie", self.ask(method, target, None, case.body, {"Cookie": "tabled=" + "A" * 43}), 401, "unauthorised")
        for role in MAY_NOT.get(case.who, ()):
            self.problem(f"{what} as {role}", self.ask(method, target, role, case.body), 403, "forbidden")
        if case.who == SEAT:  # like a seat that does not exist
            for role in ("admin", "operator", "display", "metrics"):
                self.problem(f"{what} as {role}", self.ask(method, target, role, case.body), 404, "not_found")
        # B107, B109
        self.problem(what + " from elsewhere", self.ask(method, target, None, case.body, {"Origin": "http://attacker.example"}), 403, "forbidden")
        self.problem(what + " by another name", self.ask(method, target, None, case.body, {"Host": "attacker.example"}), 421, "misdirected")

    def methods(self, method, path, case, operations):
        target = self.fill(case.path or path)
        for wrong in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            if wrong.lower() in operations:
                continue
            if wrong == "GET" and not target.startswith("/api"):
                continue
            answer = self.ask(wrong, target, "admin", {} if wrong != "GET" else None)
            self.problem(f"{wrong} {path}", answer, 405, "method")
            allow = answer[1]["Allow"].split(", ")
            check(all(m.upper() in allow for m in operations), f"{path}: {allow}")
        # B110: a preflight without credentials gets no way in
        status, head, _ = self.ask("OPTIONS", target)
        check(status == 204 and "Access-Control-Allow-Origin" not in head, f"OPTIONS {path}: {status} {head}")

    def bodies(self, method, path, case):
        what = f"{method} {path}"
        target = self.fill(case.path or path)
        role = case.role or MAY.get(case.who, (None,))[0]
        for raw in ("", "{", "[]", "7", '"x"', '{"a":1,"a":1}', "[" * 40 + "]" * 40, '{"unknown_field":1}', "{\"game\":\"\\u0000\"}", b"\xff\xfe{}"):
            if raw == "" and not case.body:
                continue
            self.problem(f"{what} {raw!r}", self.ask(method, target, role, raw, case.headers), 400, "invalid")
        for wrong in case.wrong:
            self.problem(f"{what} {wrong}", self.ask(method, target, role, wrong, case.headers), 400, "invalid")
        self.problem(what + " too large", self.large(method, target, role, case.limit), 413, "too_large")
        self.problem(what + " as a form", self.ask(method, target, role, "a=b", {"Content-Type": "application/x-www-form-urlencoded"}), 415, "media_type")

    def large(self, method, target, role, size):
        """Answered before it is read where it is very large: what is sent then meets a closed door."""
        token = self.daemon.token(role, "s1" if role == "seat" else "") if role else "none"
        link = socket.create_connection(("127.0.0.1", self.daemon.port), 30)
        link.sendall(f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
                     f"Content-Length: {size}\r\n\r\n".encode())
        if size <= 65536:
            link.sendall(b"x" * size)
        answer = http.client.HTTPResponse(link)
        answer.begin()
        ret = answer.status, dict(answer.getheaders()), answer.read()
        link.close()
        return ret

    def no_body_is_read(self, method, path, case):
        """A route without a body takes a large one for what it is (B113)."""
        target = self.fill(case.path or path)
        link = socket.create_connection(("127.0.0.1", self.daemon.port), 30)
        link.sendall(f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 18446744073709551615\r\n\r\n".encode())
        answer = b""
        with contextlib.suppress(OSError):
            answer = link.recv(4096)
        link.close()
        check(b" 413 " in answer.split(b"\r\n")[0] or b" 400 " in answer.split(b"\r\n")[0], f"B113 {method} {path}: {answer[:120]}")


def main():
    with scene(with_broker=False, extra="[table meadow]\nchance = generator\n") as (_, _, daemon):
        routes = Routes(daemon)
        paths = json.loads(daemon.request("GET", "/api/v1/openapi.json")[2])["paths"]
        there = {(method.upper(), path) for path, operations in paths.items() for method in operations}
        check(there == set(ROWS), f"without a case: {sorted(there - set(ROWS))}; without a route: {sorted(set(ROWS) - there)}")
        for (method, path), case in ROWS.items():
            operations = paths[path]
            has_body = "requestBody" in operations[method.lower()]
            check(has_body == (case.body is not None), f"{method} {path}: body")
            if case.who != NOBODY:
                check("security" not in operations[method.lower()], f"{method} {path}: needs somebody")
            routes.success(method, path, case)
            routes.refusals(method, path, case)
            routes.methods(method, path, case, operations)
            if has_body:
                routes.bodies(method, path, case)
            else:
                routes.no_body_is_read(method, path, case)
        conditions(routes)
        settings(routes)
    print(f"{len(ROWS)} routes, each with its cases")


def conditions(routes):
    """ETag, If-None-Match; Idempotency-Key; cursors."""
    for path in (T, T + "/map", "/api/v1/users", "/api/v1/settings", "/index.html"):
        status, head, _ = routes.ask("GET", path, "admin")
        check(status == 200 and head["ETag"], f"{path}: {status} {head}")
        status, again, raw = routes.ask("GET", path, "admin", headers={"If-None-Match": head["ETag"]})
        check((status, raw, again["ETag"]) == (304, b"", head["ETag"]), f"{path}: {status} {again}")
        check(routes.ask("GET", path, "admin", headers={"If-None-Match": '"other", W/' + head["ETag"]})[0] == 304, f"{path}: a list")
    changes(routes)
    start = {"game": "battle_sheep", "seats": 2}
    key = {"Idempotency-Key": "once-1"}
    first = routes.ask("POST", MEADOW + "/game", "operator", start, key)
    check(first[0] == 201, f"start: {first}")
    again = routes.ask("POST", MEADOW + "/game", "operator", start, key)
    check(again[0] == 201 and again[2] == first[2], f"the same answer: {again}")
    routes.problem("another body", routes.ask("POST", MEADOW + "/game", "operator", {"game": "battle_sheep", "seats": 3}, key), 409, "exists")
    routes.problem("a second start", routes.ask("POST", MEADOW + "/game", "operator", start), 409, "not_now")
    check(routes.ask("POST", MEADOW + "/control", "operator", {"do": "end"})[0] == 200, "end")
    seen, cursor = [], ""
    while True:
        status, _, raw = routes.ask("GET", MEADOW + f"/timeline?limit=2&after={cursor}", "display")
        page = json.loads(raw)
        check(status == 200 and len(page["events"]) <= 2, f"a page: {raw[:200]}")
        seen += page["events"]
        cursor = page["next"]
        if not cursor:
            break
    whole = json.loads(routes.ask("GET", MEADOW + "/timeline?limit=200", "display")[2])["events"]
    check(seen == whole and len(whole) > 4, f"pages make the whole: {len(seen)} {len(whole)}")
    for query in ("limit=0", "limit=201", "limit=x", "after=-1", "after=99999999999999999999"):
        routes.problem(query, routes.ask("GET", MEADOW + "/timeline?" + query, "display"), 400, "invalid")


def settings(routes):
    """Changes from the dashboard: which version (428, 412), what may be, from the next start on; the people's file stays as it is."""
    daemon, path = routes.daemon, "/api/v1/settings"
    written = daemon.config.read_bytes()

    def row(key, name="main"):
        rows = json.loads(routes.ask("GET", path, "admin")[2])["settings"]
        return next(r for r in rows if r["section"] == "table" and r["name"] == name and r["key"] == key)

    def change(key, value, tag):
        body = {"changes": [{"section": "table", "name": "main", "key": key, "value": value}]}
        return routes.ask("PATCH", path, "admin", body, {"If-Match": tag} if tag else {})
    tag = routes.ask("GET", path, "admin")[1]["ETag"]
    routes.problem("no version", change("still", "200ms", None), 428, "needs_match")
    check(change("still", "200ms", tag)[0] == 200, "a change")
    routes.problem("an older version", change("still", "250ms", tag), 412, "changed")
    routes.problem("out of range", change("still", "1ms", "*"), 400, "invalid")
    routes.problem("no such table", routes.ask("PATCH", path, "admin", {"changes": [{"section": "table", "name": "x", "key": "still", "value": "1s"}]},
                                               {"If-Match": "*"}), 400, "invalid")
    tag = routes.ask("GET", path, "admin")[1]["ETag"]
    with concurrent.futures.ThreadPoolExecutor(6) as crowd:  # all have seen the same list
        codes = list(crowd.map(lambda i: change("wrong", f"{500 + i}ms", tag)[0], range(6)))
    check(codes.count(200) == 1 and set(codes) <= {200, 412, 503}, f"one of them changes it: {codes}")
    check(row("wrong")["changed"] == f"{500 + codes.index(200)}ms" and row("still")["changed"] == "200ms", "and nothing is lost")
    check((row("still")["changed"], row("still")["changeable"]) == ("200ms", True), f"changed: {row('still')}")
    check(not row("seed")["changeable"] and row("seed")["value"] == "***", "a seed is a secret")
    daemon.stop()
    daemon.start()
    check(row("still")["source"].startswith("settings.conf:") and row("still")["value"].startswith("200"), f"in force: {row('still')}")
    check(change("still", None, "*")[0] == 200 and change("game", "chess", "*")[0] == 200, "a change that no start takes")
    daemon.stop()
    daemon.start()
    check("changes from the dashboard are left out" in daemon.log_text() and row("game")["value"] == "one_night", "the daemon starts all the same")
    check(change("game", None, "*")[0] == 200 and daemon.config.read_bytes() == written, "the people's file is as it was")


def changes(routes):
    """If-Match: who has seen an older list changes nothing."""
    check(routes.ask("POST", "/api/v1/users", "admin", {"name": "eve", "password": PASSWORD, "role": "display"})[0] == 201, "eve")
    old = routes.ask("GET", "/api/v1/users", "admin")[1]["ETag"]
    check(routes.ask("PATCH", "/api/v1/users/eve", "admin", {"role": "operator"}, {"If-Match": old})[0] == 200, "as seen")
    for method, body in (("PATCH", {"role": "display"}), ("DELETE", None)):
        routes.problem(f"{method} of an older list", routes.ask(method, "/api/v1/users/eve", "admin", body, {"If-Match": old}), 412, "changed")
    check(routes.ask("DELETE", "/api/v1/users/eve", "admin", headers={"If-Match": "*"})[0] == 204, "whatever there is")


if __name__ == "__main__":
    main()
