#!/usr/bin/env python3
"""The command line against the real daemon: every command, its exit codes, and what it must not tell."""
import contextlib
import datetime
import http.server
import json
import os
import pathlib
import re
import socketserver
import sqlite3
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, DECK, LIMIT_S, ROLES, ROOT, TAG, check, scene  # noqa: E402

CANARIES = ["werewolf-1", *TAG.values()]


def ctl(*arguments, code=0, stdin=None, env=None):
    done = subprocess.run([str(BIN / "tablectl"), *arguments], capture_output=True, text=True, timeout=LIMIT_S, input=stdin,
                          env=dict(os.environ, **(env or {})))
    check(done.returncode == code, f"tablectl {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def documents():
    """Each command has its help; the manual and the completion know each of its options."""
    manual = (ROOT / "clients" / "tablectl" / "tablectl.1").read_text().replace("\\-", "-")
    names = re.findall(r"^  ([a-z]+)  +\S", ctl("--help").stdout, re.M)
    check(len(names) > 20 and "start" in names, f"commands are listed: {names}")
    typed = {"broker": "--home-assistant", "restore": "--passphrase-file", "reveal": "--abort-game", "enrol": "--face"}
    for name in names:
        text = ctl(name, "--help").stdout
        check(text.startswith(f"Usage: tablectl {name}") and ctl("help", name).stdout == text, f"help of {name}, also asked in words")
        check(re.search(rf"^\\fB{name}\b|\\fB{name}\\fR", manual, re.M), f"the manual has no {name}")
        for option in re.findall(r"^  (--[a-z-]+)", text, re.M):
            check(f"{option}\\f" in manual or f"{option} " in manual, f"the manual has no {option} of {name}")
    for name, option in typed.items():
        line = f"COMP_WORDS=(tablectl {name} {option[:-2]}); COMP_CWORD=2; _tablectl; echo \"${{COMPREPLY[*]}}\""
        done = subprocess.run(["bash", "-c", f". {ROOT}/clients/tablectl/tablectl.bash; {line}"], capture_output=True, text=True, timeout=LIMIT_S,
                              env=dict(os.environ, PATH=f"{BIN}:{os.environ['PATH']}"))
        check(done.stdout.strip() == option, f"{option[:-2]} is completed to {done.stdout}{done.stderr}")


def without_daemon(folder):
    check("one_night" in ctl("games").stdout, "games are listed")
    check("presets:" in ctl("games", "one_night").stdout, "and one of them")
    check("did you mean 'simulate'?" in ctl("simulat", code=2).stderr, "a misspelt command")
    check("did you mean 'games'?" in ctl("simulate", "one_night", "--gmaes", "3", code=2).stderr, "a misspelt option")
    check("there are: one_night" in ctl("simulate", "chess", code=2).stderr, "a game that is none of ours")
    check("did you mean 'one_night'?" in ctl("simulate", "one_nite", code=2).stderr, "a misspelt game")
    documents()
    every = [json.loads(line) for line in ctl("simulate", "alien_hunt", "--every", "--games", "5", "--option", "rounds=1", "--json").stdout.splitlines()]
    check([one["seats"] for one in every] == [4, 5, 6, 7, 8] and all(one["stuck"] == 0 for one in every), "every number of players")
    check(all(sum(of for _, of in one["roles"].values()) == 5 * one["seats"] for one in every), "wins by identity")
    play = ["simulate", "one_night", "--preset", "base_5", "--games", "200", "--seed", "3", "--json"]
    sums = []
    for jobs in "1", "2", "5":
        total = json.loads(ctl(*play, "--jobs", jobs).stdout)
        total.pop("games_per_s")
        sums.append(total)
    check(sums[0] == sums[1] == sums[2] and sums[0]["games"] == 200, f"sums are the same whatever the jobs: {sums}")
    first = ctl("perft", "one_night", "--preset", "base_3", "--depth", "1").stdout
    check(int(first) > 0 and ctl("perft", "one_night", "--preset", "base_3", "--depth", "0").stdout == "1\n", "perft counts")
    nowhere = {"TABLED_SOCKET": str(folder / "nowhere.sock")}
    check("no daemon answers" in ctl("status", code=3, env=nowhere).stderr, "an unreachable daemon")
    check("no such socket" in ctl("status", code=3, env=nowhere).stderr, "and why it is")
    check("No such file" in ctl("casebook", str(folder / "none.md"), code=1).stderr, "rules that are not there")
    check("No such file" in ctl("enrol", "export", "--db", str(folder / "none.db"), code=1).stderr, "pieces that are not there")
    bad = folder / "bad.conf"
    bad.write_text("[http]\nlisten = nonsense\nlissen = x\n")
    check("did you mean" in ctl("config", "--check", str(bad), code=1).stderr, "a faulty configuration")
    ctl("journal", "verify", str(folder / "none.db"), code=1)


@contextlib.contextmanager
def table_that_says(folder, body):
    """A socket that answers everything with body(), for tablectl."""

    class Table(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            text = body().encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def address_string(self):
            return "tablectl"

        def log_message(self, *_):
            pass

    path = folder / "table.sock"
    with socketserver.UnixStreamServer(str(path), Table) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield {"TABLED_SOCKET": str(path)}
        server.shutdown()
    path.unlink()


# What happens, as it comes, and what people read of it. A phase, a violation, a choice and a result stand in the state already.
HAPPENED = [
    ({"event": "game_started"}, "A game begins."),
    ({"event": "phase_started"}, None),
    ({"event": "step_started"}, None),
    ({"event": "action", "seat": "s1", "action": [{"by": "s1", "do": "split", "args": {"from": "hex.1,-4", "to": "hex.0,-3", "n": "4"}, "notation": "M R 1,-4>0,-3 4"}]},
     "Seat 1 (red): split from field 1,-4, to field 0,-3, n 4.   M R 1,-4>0,-3 4"),
    ({"event": "action", "seat": "s2", "action": [{"by": "s2", "do": "dance_along", "args": {"on": "the_table"}}]}, "Seat 2: dance along on the table."),
    ({"event": "seat_acted", "seat": "s1"}, "Seat 1 (red) is done."),
    ({"event": "revealed"}, "What was hidden is shown."),
    ({"event": "prompt", "repairs": [{"take": "s1", "put": "hand"}]}, None),
    ({"event": "reminder", "code": "look", "text": "Please leave this piece.", "violation": [{"id": 0, "text": "Please leave this piece.", "places": ["hex.1,2"]}]},
     "Field 1,2: Please leave this piece."),
    ({"event": "reminder", "code": "W_ROUNDS", "text": "not everybody will be President"}, "Not everybody will be President."),
    ({"event": "violation_raised", "violation": [{"id": 1, "text": "That is wrong.", "places": []}]}, None),
    ({"event": "violation_cleared", "violation": [{"id": 1, "text": "That was wrong.", "places": []}]}, "Put right: That was wrong."),
    ({"event": "choice_opened", "choice": [{"id": 3, "by": "s1", "options": []}]}, None),
    ({"event": "choice_closed", "choice": [{"id": 3, "by": "s1", "options": []}]}, "The choice is made."),
    ({"event": "paused", "reason": "host", "text": "the phone"}, "Paused: by the host, the phone."),
    ({"event": "resumed"}, "The game goes on."),
    ({"event": "undone", "action": [{"by": "s1", "do": "place", "args": {"at": "hex.0,0"}}]}, "Taken back: seat 1 (red), place at field 0,0."),
    ({"event": "overridden", "reason": "the dog did it"}, "Decided by the host: the dog did it."),
    ({"event": "reader_lost", "reader": "north", "text": "unplugged"}, "A reader is silent: north, unplugged."),
    ({"event": "reader_back", "reader": "north"}, "A reader is back: north."),
    ({"event": "result"}, None),
    ({"event": "game_ended", "reason": "tired"}, "The game is over: tired."),
    ({"event": "reset"}, "The table begins anew."),
    ({"event": "sun_risen", "text": "at last"}, "Sun risen: at last."),
]


def events(folder):
    """What watch says: a sentence for each event, the raw ones with --json."""
    header = {"game_id": "1"}
    stream = [("game", {"header": header, "status": "running", "game": "battle_sheep"}), ("seats", {"header": header, "seats": [{"seat": "s1", "label": "R"}]})]
    stream += [("event", {"header": header, **event}) for event, _ in HAPPENED]
    text = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in stream)
    with table_that_says(folder, lambda: text) as known:
        told = ctl("watch", "main", "--count", str(len(stream)), env=known).stdout.splitlines()
        want = [said for _, said in HAPPENED if said]
        check(told[1:] == want, "events are told as\n" + "\n".join(told))
        raw = [json.loads(line) for line in ctl("watch", "main", "--json", "--count", str(len(stream)), env=known).stdout.splitlines()]
        check([row["data"] for row in raw] == [data for _, data in stream], "and as they come for programs")
    proto = re.search(r"enum EventType \{(.*?)\}", (ROOT / "proto" / "public.proto").read_text(), re.S)[1]
    names = {name.lower() for name in re.findall(r"EVENT_(\w+) =", proto)} - {"unknown"}
    check(names == {event["event"] for event, _ in HAPPENED} - {"sun_risen"}, "all that can happen is tried")


def deadlines(folder):
    """A table whose phase ends then: people read how long that is, programs when."""
    stamp = ""

    def view():
        return json.dumps({"game": {"status": "running", "game": "one_night"}, "phase": {"id": "day", "veil": "open", "deadline": stamp}})

    with table_that_says(folder, view) as known:
        for seconds, said in ((7530, r", 2 h 5 min left$"), (290, r", 4 min \d+ s left$"), (55, r", \d+ s left$"), (-5, r", time is up$")):
            then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
            stamp = then.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            told = ctl("status", "main", env=known).stdout
            check(re.search(said, told, re.M) and stamp not in told, f"{stamp} is told as\n{told}")
            check(stamp in ctl("status", "main", "--json", env=known).stdout, "programs have the time itself")


def pieces(daemon, folder):
    csv = daemon.ctl("enrol", "export")
    check("werewolf-1" in csv and not any(tag in csv for tag in TAG.values()), "an export without tags")
    check(all(tag in daemon.ctl("enrol", "export", "kit", "--tags") for tag in TAG.values()), "an export with tags")
    house = folder / "other.db"
    ctl("enrol", "import", str(daemon.folder / "kit.csv"), "--db", str(house))
    check(ctl("enrol", "export", "--db", str(house)).stdout.count("\n") == len(DECK) + 1, "import and export of a file")
    broken = folder / "broken.csv"
    broken.write_text("deck,name,kind,tag,face\nkit,x,seer,04,\n")
    daemon.ctl("enrol", "import", str(broken), code=4)
    daemon.ctl("enrol", "kit", code=2)
    known = {"TABLED_SOCKET": str(daemon.socket)}
    check("did you mean 'seer'?" in ctl("enrol", "kit/x", "--kind", "sear", code=2, env=known).stderr, "a kind that no game has")
    hands = daemon.hands()
    waiting = subprocess.Popen([str(BIN / "tablectl"), "--socket", str(daemon.socket), "enrol", "kit/tanner", "--kind", "tanner"],
                               stdout=subprocess.PIPE, text=True)
    hands.put("s1", "04190A5A1F6180")
    check(waiting.wait(LIMIT_S) == 0, "a tile laid on a pad is enrolled")
    waiting.stdout.close()
    check("kit,tanner,tanner" in daemon.ctl("enrol", "export", "kit"), "and is in the list")
    hands.take("s1", "04190A5A1F6180")
    hands.close()


def game(daemon):
    check("idle" in daemon.ctl("status"), "an idle table")
    daemon.ctl("start", "main", "nothing", code=4)
    daemon.ctl("start", "one_night", "--seats", "5", "--roles", "seer", code=4)
    daemon.ctl("start", "main", "one_night", "--seats", "5", "--roles", ROLES, "--option", "ballot=tapped", "--key", "evening")
    daemon.ctl("start", "main", "one_night", "--seats", "5", "--roles", ROLES, "--option", "ballot=tapped", "--key", "evening")
    view = json.loads(daemon.ctl("status", "--json"))
    check(view["game"]["status"] == "running" and view["phase"]["id"] == "deal", "the game runs")
    check(json.loads(daemon.ctl("readers", "--json"))["readers"], "readers are listed")
    daemon.ctl("act", "s1", "dance", code=4)
    daemon.ctl("choose", "1", code=4)
    daemon.ctl("pause", "--reason", "the phone")
    seen = daemon.ctl("watch", "--json", "--count", "4")
    events = [json.loads(line) for line in seen.splitlines()]
    check(events[0]["event"] == "game" and len(events) == 4, "watch tells the state first")
    daemon.ctl("override", code=2)
    daemon.ctl("override", "--violation", "77", code=4)
    daemon.ctl("status", "nowhere", code=4)
    path = str(daemon.folder / "state" / "journal.db")
    told = ctl("journal", "export", path, "--table", "mian", code=2).stderr
    check("no table 'mian'" in told and "did you mean 'main'?" in told, f"a table that is in no record: {told}")
    told = ctl("journal", "verify", path).stdout
    check(told == "0 records, whole\n", f"a journal is verified while it is written; how many records a running game has is not told: {told}")
    told = ctl("journal", "replay", path, code=4)
    check(not told.stdout and "still runs" in told.stderr, "a running game is not told")
    told = ctl("journal", "export", path)
    check(not told.stdout and "left out" in told.stderr and not re.search(r"\d", told.stderr), f"nor exported, nor counted: {told.stderr}")
    check("WARNING" in ctl("journal", "replay", path, "--reveal").stderr, "unless with a warning")
    daemon.ctl("end", "--reason", "tired")
    check("ended without a result" in ctl("journal", "replay", path).stdout, "after its end it is told")
    lines = [json.loads(line) for line in ctl("journal", "export", path).stdout.splitlines()]
    check([line["n"] for line in lines] == list(range(1, len(lines) + 1)), "and exported, without a gap")
    check(lines[-1]["kind"] == "end" and "evidence" not in lines[0], "to its end, without evidence")
    check(ctl("journal", "verify", path).stdout == f"{len(lines)} records, whole\n", "all of them are counted")
    many = daemon.folder / "many.db"
    with contextlib.closing(sqlite3.connect(path)) as one, contextlib.closing(sqlite3.connect(many)) as house:
        one.backup(house)
        house.executemany("insert into record select ?, n, game, kind, \"by\", cause, boot, mono_us, wall_us, body, evidence from record where tbl = 'main'", [(f"t{i}",) for i in range(70)])
        house.commit()
    told = ctl("journal", "export", str(many)).stdout
    check(len(told.splitlines()) == 71 * len(lines) and '"table":"t9"' in told, "a house of many tables is exported whole")
    daemon.ctl("again")
    daemon.ctl("end")
    known = {"TABLED_SOCKET": str(daemon.socket)}
    for words, said in ((("start", "alien_hnt"), "no game 'alien_hnt'; did you mean 'alien_hunt'?"), (("status", "mian"), "did you mean 'main'?"),
                        (("start", "one_night", "--preset", "bse_5"), "did you mean 'base_5'?"), (("status", "hall"), "no table 'hall'; there are: main")):
        told = ctl(*words, code=4, env=known).stderr
        check(said in told, f"{words}: {told}")
    raw = daemon.request("POST", "/api/v1/tables/main/check", {"game": "one_night", "seats": 3, "roles": {"zzzzz": 1}}, daemon.token("operator"))[2]
    told = json.loads(raw)["issues"][0]["text"]
    check("there are: doppelganger werewolf" in told and told.endswith(" ..."), f"whole words, also of what a start would say: {told}")
    told = ctl("start", "alien_hunt", "--preset", "four", env=known).stderr
    check("no pad for 28 of 28 places: seat_1.character" in told and "tablectl act" in told, f"what the table will not see: {told}")
    daemon.ctl("end")
    told = ctl("start", "one_night", "--preset", "base_3", "--option", "ballot=tapped", env=known).stderr
    check(not told, f"a table with all its pads: {told}")
    daemon.ctl("end")
    check(daemon.ctl("version").count("\n") == 2, "both versions")


def main():
    with scene(with_broker=False) as (folder, _, daemon):
        without_daemon(folder)
        events(folder)
        deadlines(folder)
        pieces(daemon, folder)
        game(daemon)
        log = daemon.log_text()
        tokens = [t["token"] for t in daemon.tokens()["tokens"]]
        check(not any(word in log for word in CANARIES + tokens), "the log tells no tag and no token")
    print("every command did what its help says")


if __name__ == "__main__":
    main()
