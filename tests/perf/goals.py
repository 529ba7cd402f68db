"""What each goal measures: functions that take `short` and yield rows (id, what, measured, goal, met)."""
import contextlib
import functools
import http.client
import itertools
import json
import os
import pathlib
import re
import resource
import selectors
import shutil
import socket
import sqlite3
import statistics
import subprocess
import threading
import time

from bench import BIN, House, Table, folder_with_broker, program, rss_kb
from harness import BUILD, Daemon, free_port, wait_port

FAILED = "failed to run"
PACE_US = 8000  # between two taps; the floor keeps the same


def row(goal, what, measured, wanted, met):
    return goal, what, measured, wanted, {True: "yes", False: "no", None: "-"}[met]


def ratio(goal, what, ours, floor, most, unit="us"):
    return row(goal, what, f"{ours / floor:.2f}x ({ours:.0f} / {floor:.0f} {unit})", f"<= {most}x", ours <= most * floor)


def middle(rounds, name, field):
    return statistics.median(r[name][field] for r in rounds)


# ---- the peer: mqtt.js

PEER = "mqtt@5.16.0"


@functools.lru_cache
def peer_modules():
    """The folder with mqtt.js (brought by npm when it is not there yet) and None, or None and why it is not there."""
    modules = BUILD / "mqtt-js" / "node_modules"
    if not shutil.which("node"):
        return None, "no node here"
    if not (modules / "mqtt").is_dir():
        if not shutil.which("npm"):
            return None, "no npm here"
        modules.parent.mkdir(parents=True, exist_ok=True)
        try:
            done = subprocess.run(["npm", "install", "--prefix", str(modules.parent), "--no-audit", "--no-fund", "--ignore-scripts", PEER],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
        except subprocess.TimeoutExpired:
            return None, f"npm did not bring {PEER} in 120 s"
        if done.returncode or not (modules / "mqtt").is_dir():
            return None, f"npm did not bring {PEER}"
    return modules, None


def peer(*arguments):
    """Figures of peer_mqtt.js, None where there is none."""
    modules, _ = peer_modules()
    if not modules:
        return None
    command = ["node", str(pathlib.Path(__file__).with_name("peer_mqtt.js")), str(modules), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise RuntimeError(f"peer_mqtt.js ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def peer_row(goal, what, wanted, measured, met):
    """measured, met: functions, called where the peer was measured."""
    _, missing = peer_modules()
    return row(goal, what, f"not measured: {missing}", wanted, None) if missing else row(goal, what, measured(), wanted, met())


# ---- taps


def tap_rounds(short, journal):
    """Floor and tabled in turn, a table of its own each round."""
    rounds, seconds, bare = (1, 3, 120) if short else (3, 20, 600)
    ours, floor, js = [], [], []
    with folder_with_broker() as (folder, broker):
        for i in range(rounds):
            database = [] if journal else [folder / f"floor-{i}.db"]
            floor.append(program("floor_relay", broker.port, bare, PACE_US, *database))
            table = Table(folder / f"house-{i}", broker, journal=journal)
            try:
                ours.append(table.vote().taps(4000, seconds))
            finally:
                table.close()
            database = [] if journal else [folder / f"floor-{i}-after.db"]
            floor.append(program("floor_relay", broker.port, bare, PACE_US, *database))
            js.append(peer("latency", broker.port, bare, PACE_US / 1000))
    return ours, floor, js


def taps(short):
    for goal, journal, name, p50, most_js, what in (("P1", None, "floor_durable_relay", 1.3, 1, "tap to subscriber, durable"),
                                                    ("P2", ":memory:", "floor_relay", 1.25, 0.6, "tap to subscriber, journal in memory")):
        ours, floor, js = tap_rounds(short, journal)
        yield ratio(goal, f"{what}, p50", middle(ours, "taps", "p50_us"), middle(floor, name, "p50_us"), p50)
        yield ratio(goal, f"{what}, p99", middle(ours, "taps", "p99_us"), middle(floor, name, "p99_us"), 1.5)
        mine, theirs = middle(ours, "taps", "p50_us"), statistics.median(r["p50_us"] for r in js if r) if js[0] else 0
        yield peer_row(goal, f"{what}, p50, to mqtt.js without durability", f"<= {most_js}x", lambda: f"{mine / theirs:.2f}x ({mine:.0f} / {theirs:.0f} us)",
                       lambda: mine <= most_js * theirs)
        n, slow = (sum(r["taps"][f] for r in ours) for f in ("n", "over_20ms"))
        floor_n, floor_slow = (sum(r[name][f] for r in floor) for f in ("n", "over_20ms"))
        yield row("P3", f"taps above 20 ms ({'durable' if journal is None else 'in memory'})", f"{slow} of {n}; floor {floor_slow} of {floor_n}",
                  "none the floor has not", slow * floor_n <= floor_slow * n)


def beside_load(short):
    """P7 and P8: the same taps at rest, beside wrk, beside idle event streams."""
    seconds, streams = (2, 1000) if short else (6, 1000)  # all within one vote of 35 s
    with folder_with_broker() as (folder, broker):
        table = Table(folder / "house", broker)
        try:
            table.vote()
            rest = table.taps(4000, seconds)["taps"]["p99_us"]
            bare_rest = relay(broker, folder / "rest.db", short)
            wrk = subprocess.Popen(wrk_command(table, 64, seconds + 1), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            flood = table.taps(4000, seconds)["taps"]["p99_us"]
            wrk.wait()
            wrk = subprocess.Popen(wrk_command(table, 64, seconds + 1), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            bare_flood = relay(broker, folder / "flood.db", short)
            wrk.kill()
            wrk.wait()
            before = table.rss_kb()["RssAnon"]
            with idle_streams(table, streams) as open_streams:
                kb = (table.rss_kb()["RssAnon"] - before) / open_streams
                beside = table.taps(4000, seconds)["taps"]["p99_us"]
        finally:
            table.close()
    yield ratio("P7", f"tap p99 beside 64 flooding REST readers (the floor's beside the same: {bare_flood / bare_rest:.1f}x)", flood, rest, 2)
    yield ratio("P7", f"tap p99 beside {open_streams} idle event streams", beside, rest, 2)
    yield row("P8", f"memory of each of {open_streams} idle event streams", f"{kb:.1f} kB", "<= 8 kB", kb <= 8)


def relay(broker, database, short):
    return program("floor_relay", broker.port, 150 if short else 250, PACE_US, database)["floor_durable_relay"]["p99_us"]


@contextlib.contextmanager
def idle_streams(table, n):
    """n readers of /events that read whatever comes, in a thread of their own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, n + 200)), hard))
    head = (f"GET /api/v1/tables/main/events HTTP/1.1\r\nHost: 127.0.0.1:{table.daemon.port}\r\n"
            f"Authorization: Bearer {table.token('display')}\r\n\r\n").encode()
    waiting, links = selectors.DefaultSelector(), []
    for _ in range(n):
        link = socket.create_connection(("127.0.0.1", table.daemon.port))
        link.sendall(head)
        if not link.recv(4096).startswith(b"HTTP/1.1 200"):
            break
        waiting.register(link, selectors.EVENT_READ)
        links.append(link)
    if not links:
        raise RuntimeError("no event stream was opened")
    done = threading.Event()

    def drain():
        while not done.is_set():
            for key, _ in waiting.select(0.1):
                if not key.fileobj.recv(65536):
                    waiting.unregister(key.fileobj)

    thread = threading.Thread(target=drain, daemon=True)
    thread.start()
    try:
        yield len(links)
    finally:
        done.set()
        thread.join()
        for link in links:
            link.close()


# ---- ballots by word

CROWD, GROUP = 16, 64


def sustained(short):
    """P4: ballots at 16 tables as fast as 32 connections can ask for them; what counts is what a subscriber hears in JSON and another in protobuf."""
    rounds, seconds = (1, 1) if short else (3, 4)
    ours, floor, js = [], [], []
    with folder_with_broker() as (folder, broker):
        for i in range(rounds):
            floor.append(program("floor_events", broker.port, seconds, GROUP, folder / f"floor-{i}.db")["floor_events"]["per_second"])
            house = House(folder / f"house-{i}", broker, CROWD)
            try:
                ours.append(house.vote().ballots(0, seconds, 32, 2))
            finally:
                house.close()
            floor.append(program("floor_events", broker.port, seconds, GROUP, folder / f"floor-{i}-after.db")["floor_events"]["per_second"])
            js.append(peer("rate", broker.port, seconds))
    told, bare, lost = middle(ours, "told", "per_second"), statistics.median(floor), sum(r["ballots"]["lost"] for r in ours)
    what = f"durable ballots a second at {CROWD} tables, told in JSON and protobuf"
    yield row("P4", f"{what}, to a floor with groups of {GROUP}", f"{told / bare:.2f}x ({told:.0f} / {bare:.0f}" + (f", {lost} lost)" if lost else ")"),
              ">= 0.8x", told >= 0.8 * bare and not lost)
    theirs = statistics.median(r["per_second"] for r in js if r) if js[0] else 0
    yield peer_row("P4", "the same to mqtt.js without durability", ">= 1.4x", lambda: f"{told / theirs:.2f}x ({theirs:.0f} a second)",
                   lambda: told >= 1.4 * theirs)


EASY = 500  # ballots a second that one table and many can both bear


def many_tables(short):
    """P5, its events: ballots due at a steady pace, first at one table, then at many."""
    rounds, seconds, tables = (1, 1, 200) if short else (2, 4, 1000)
    one, easy, full, kb = [], [], [], []
    with folder_with_broker() as (folder, broker):
        for i in range(rounds):
            for n in (1, tables):
                house = House(folder / f"house-{i}-{n}", broker, n)
                try:
                    before = house.rss_kb()["RssAnon"]
                    house.vote()
                    (one if n == 1 else easy).append(house.ballots(EASY, seconds, 4, 4))
                    if n > 1:
                        kb.append((house.rss_kb()["RssAnon"] - before) / n)
                        full.append(house.ballots(5 * n, seconds, 40, 4))
                finally:
                    house.close()
    for what, rounds_of, rate, wanted in ((f"{tables} tables x 5 ballots a second x 4 subscribers", full, 5 * tables, 10000),
                                          (f"{tables} tables, {EASY} ballots a second in all, x 4 subscribers", easy, EASY, None)):
        p99, told = middle(rounds_of, "delivery", "p99_us"), middle(rounds_of, "told", "per_second")
        lost, refused = (sum(r["ballots"][k] for r in rounds_of) for k in ("lost", "refused"))
        kept = sum(r["ballots"]["taken"] for r in rounds_of) >= 0.99 * rate * seconds * rounds and not lost and not refused
        trouble = "".join(f", {n} {word}" for n, word in ((lost, "lost"), (refused, "refused")) if n)
        yield row("P5", f"{what}, p99", f"{p99 / 1000:.1f} ms ({told:.0f} of {rate} a second told{trouble})", "<= 10 ms" if wanted else "stated",
                  (p99 <= wanted and kept) if wanted else None)
    mine, bare = (statistics.median(r["cpu_us"] for r in of) for of in (easy, one))
    yield ratio("P5", f"the daemon's processor time of a ballot, {tables} tables to one", mine, bare, 1.3)
    yield row("P5", f"memory that each of {tables} tables takes for a game of five", f"{statistics.median(kb):.0f} kB", "stated", None)


# ---- REST


def wrk_command(table, connections, seconds, port=None):
    if not shutil.which("wrk"):
        subprocess.run([*([] if os.geteuid() == 0 else ["sudo"]), "apt-get", "install", "-q", "-y", "wrk"], check=True,
                       stdout=subprocess.DEVNULL)
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s"]
    if table:
        return [*command, "-H", f"Authorization: Bearer {table.token('display')}", f"http://127.0.0.1:{table.daemon.port}/api/v1/tables/main"]
    return [*command, f"http://127.0.0.1:{port}/"]


def requests_per_second(command):
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text:
        raise RuntimeError("wrk got other answers than 200: " + text.strip().splitlines()[-3])
    return float(re.search(r"Requests/sec:\s*([\d.]+)", text).group(1))


NODE = "require('http').createServer((q,r)=>{r.setHeader('Content-Type','application/json');r.end(b)}).listen(+process.argv[1],'127.0.0.1');const b=Buffer.alloc(+process.argv[2],120)"


def rest(short):
    rounds, seconds = (1, 1) if short else (3, 4)
    with folder_with_broker() as (folder, broker), contextlib.ExitStack() as stack:
        table = Table(folder / "house", broker)
        stack.callback(table.close)
        table.vote()
        status, _, body = table.daemon.request("GET", "/api/v1/tables/main", token=table.token("display"))
        if status != 200:
            raise RuntimeError(f"the table's state answers {status}")
        peers = {"floor": [str(BIN / "floor_http")]}
        if shutil.which("node"):
            peers["node"] = ["node", "-e", NODE]
        ports = {}
        for name, command in peers.items():
            ports[name] = free_port()
            process = subprocess.Popen([*command, str(ports[name]), str(len(body))], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            stack.callback(lambda p=process: (p.kill(), p.wait()))
            wait_port(ports[name])
        for connections in (8, 64):
            seen = {name: [] for name in ("ours", *peers)}
            for _ in range(rounds):
                seen["ours"].append(requests_per_second(wrk_command(table, connections, seconds)))
                for name, port in ports.items():
                    seen[name].append(requests_per_second(wrk_command(None, connections, seconds, port)))
            rate = {name: statistics.median(values) for name, values in seen.items()}
            yield row("P6", f"REST state of {len(body)} bytes, {connections} connections, to bare libmicrohttpd",
                      f"{rate['ours'] / rate['floor']:.2f}x ({rate['ours']:.0f} / {rate['floor']:.0f} a second)", ">= 0.9x",
                      rate["ours"] >= 0.9 * rate["floor"])
            if "node" in rate:
                yield row("P6", f"the same to node's http, {connections} connections",
                          f"{rate['ours'] / rate['node']:.1f}x ({rate['node']:.0f} a second)", ">= 4x", rate["ours"] >= 4 * rate["node"])


# What else is asked of the daemon, for those who change it: no goal, only what it does. {t} = the table.
ADDRESSES = [("the public view", "{t}", None), ("not changed since (304)", "{t}", "etag"), ("a seat's own view", "{t}/seats/1/view", "seat"),
             ("pads", "{t}/map", None), ("50 entries of a timeline", "{t}/timeline?limit=50", None), ("past games", "{t}/history", None),
             ("metrics", "/metrics", "metrics"), ("info", "/api/v1/info", "nobody"), ("the dashboard's page", "/", "nobody")]


def wrk_figures(command):
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate = float(re.search(r"Requests/sec:\s*([\d.]+)", text).group(1))
    p99 = re.search(r"\n\s*99%\s*(\S+)", text).group(1)
    return rate, p99, "Non-2xx" in text


def addresses(short):
    seconds = 1 if short else 3
    with folder_with_broker() as (folder, broker), contextlib.ExitStack() as stack:
        table = Table(folder / "house", broker)
        stack.callback(table.close)
        table.vote()
        for what, path, how in ADDRESSES:
            path = path.replace("{t}", "/api/v1/tables/main")
            role = how if how in ("seat", "metrics") else "display"
            token = table.daemon.token(role, "s1" if role == "seat" else "")
            status, head, _ = table.daemon.request("GET", path, token=token)
            if status != 200:
                continue  # no dashboard in this build
            extra = [] if how == "nobody" else ["-H", f"Authorization: Bearer {token}"]
            extra += ["-H", f"If-None-Match: {head['ETag']}"] if how == "etag" else []
            rate, p99, other = wrk_figures(["wrk", "-t1", "-c32", f"-d{seconds}s", "--latency", *extra, f"http://127.0.0.1:{table.daemon.port}{path}"])
            if other and how != "etag":
                raise RuntimeError(f"{path}: other answers than 200")
            yield row("wrk", f"{what}, 32 connections", f"{rate:.0f} a second, p99 {p99}", "-", None)


# ---- journal


def journal(short):
    rounds = []
    with folder_with_broker() as (folder, _):
        for i in range(1 if short else 3):
            (folder / str(i)).mkdir()
            rounds.append(program("commits", folder / str(i), 300 if short else 1000))
    ours, bare = middle(rounds, "journal_commit_1", "p50_us"), middle(rounds, "bare_commit_1", "p50_us")
    yield row("P10", "commits a second, one at a time, to bare SQLite WAL FULL", f"{bare / ours:.2f}x ({ours:.0f} / {bare:.0f} us)", ">= 0.95x",
              bare / ours >= 0.95)
    ours, bare = middle(rounds, "journal_records_32", "per_second"), middle(rounds, "bare_records_32", "per_second")
    yield row("P10", "records a second, in groups of 32", f"{ours / bare:.2f}x ({ours:.0f} / {bare:.0f})", ">= 0.95x", ours >= 0.95 * bare)
    slow, mid = middle(rounds, "journal_commit_1", "p999_us"), middle(rounds, "journal_commit_1", "p50_us")
    floor = middle(rounds, "bare_commit_1", "p999_us") / middle(rounds, "bare_commit_1", "p50_us")
    yield row("P10", f"p99.9 of a commit to its p50 (bare: {floor:.1f}x)", f"{slow / mid:.1f}x", "<= 3x", slow <= 3 * mid)


def encode(short):
    figures = [program("encode", 10000 if short else 50000)["encode"] for _ in range(1 if short else 3)]
    ours, hand, jansson = (statistics.median(f[k] for f in figures) for k in ("feed_ns", "hand_ns", "jansson_ns"))
    yield ratio("P11", "one event to protobuf and JSON, to both by hand", ours, hand, 1.5, "ns")
    yield row("P11", "the same to JSON alone by jansson", f"1/{jansson / ours:.1f} ({jansson:.0f} ns)", "<= 1/10", ours <= jansson / 10)


# ---- engines


def winners(figures):
    """Who wins how often, at random and with the computer's players: the sides, of many identities those that win most and least."""
    def told(wins):
        rows = sorted(wins.items(), key=lambda row: -row[1])
        return ", ".join(f"{side} {percent:.0f} %" for side, percent in (rows if len(rows) < 4 else rows[:2] + rows[-1:]))
    return "".join(f"; {text}: {told(figures[key])}" for text, key in (("at random", "wins"), ("computer", "bot_wins"))
                   if 0 < len(figures.get(key) or {}) <= 9)


def engines(short):
    seconds, rounds = (0.1, 1) if short else (0.4, 3)
    ours, floors, wrong = [], [], []
    for _ in range(rounds):
        floors.append(program("floor_game", seconds)["floor_game"])
        ours.append(program("engines", seconds, partial=wrong))
    step, floor_step = middle(ours, "one_night/base_5", "ns_per_action"), statistics.median(f["ns_per_action"] for f in floors)
    yield ratio("P12", "engine step with legality check (One Night base_5), to a bare loop", step, floor_step, 4, "ns")
    yield row("P12", "the same to OpenSpiel's social deduction game (335 ns, measured elsewhere)", f"{335 / step:.1f}x", ">= 3x", step * 3 <= 335)
    floor = statistics.median(f["games_per_second"] for f in floors)
    for name in ours[0]:
        rate = middle(ours, name, "games_per_second")
        goal, met = (">= 500,000/s", rate >= 500000) if name == "one_night/base_5" else ("stated", None)
        what = f"{name}: {ours[0][name]['seats']} seats, {ours[0][name]['actions_per_game']:.1f} actions a game" + winners(ours[0][name])
        extra = f" (bare loop {floor:,.0f}/s)" if name == "one_night/base_5" else ""
        yield row("P13", what, f"{rate:,.0f} games/s{extra}", goal, met)
    for text in sorted(set(wrong)):
        yield row("P13", text, FAILED, "stated", None)


def judge(short):
    for name, f in program("judge", 5 if short else 100).items():
        yield row("P16", f"judge {name}, {f['legal']} legal actions", f"first {f['first_us']:.0f} us, then {f['again_p99_us']:.2f} us (p99)",
                  "first <= 5,000, then <= 50 us", f["first_us"] <= 5000 and f["again_p99_us"] <= 50)


def readers(short):
    for name, f in program("readers", "json").items():
        if f["empty_us"] < 15000:  # a lone antenna waits for its `poll`; several go round as fast as the radio lets them
            ours, floor = (f["tag_us"], f["radio_tag_us"]) if f["tag_us"] else (f["empty_us"], f["radio_empty_us"])
            floor = max(floor, 10000) if name.startswith("pn532") else floor  # its firmware dislikes polls closer than that
            yield ratio("P17", f"scan to scan, {name}", ours, floor, 1.1)
        yield row("P17", f"loop time of a scan, {name}", f"{f['loop_us']:.0f} us", "<= 1,000 us", f["loop_us"] <= 1000)


# ---- the process


def heap(path):
    raw = path.read_bytes()
    return int.from_bytes(raw[:8], "little"), int.from_bytes(raw[8:16], "little")


def memory(short):
    with folder_with_broker() as (folder, broker):
        counts = folder / "heap"
        table = Table(folder / "house", broker, env={"LD_PRELOAD": str(BIN / "libheapcount.so"), "HEAPCOUNT": str(counts)})
        try:
            table.vote().taps(400, 4)
            before, kb = heap(counts), table.rss_kb()
            n = table.taps(3000, 4 if short else 20)["taps"]["n"]
            after, grown = heap(counts), table.rss_kb()["RssAnon"] - kb["RssAnon"]
        finally:
            table.close()
    own, others = ((b - a) / n for a, b in zip(before, after))
    yield row("P14", "resident memory in the middle of a game, broker connected", f"{kb['VmRSS'] / 1024:.1f} MB (own {kb['RssAnon'] / 1024:.1f} MB)",
              "<= 12 MB", kb["VmRSS"] <= 12 * 1024)
    yield row("P14", f"heap calls of our own for each of {n} taps (libraries: {others:.1f})", f"{own:.2f}", "0", own < 0.005)
    yield row("P14", f"memory grown by {n} taps", f"{grown} kB", "flat", grown <= 64)


IDLE_TABLES = 1000


def idle_tables(short):
    """P5, its memory: a house with so many tables beside one that lacks them."""
    kb = {}
    with folder_with_broker() as (folder, broker):
        for n in (0, IDLE_TABLES):
            daemon = Daemon(folder / f"house-{n}", broker, extra="".join(f"[table t{i}]\n" for i in range(n)))
            daemon.start()
            try:
                end = time.monotonic() + 20
                while daemon.request("GET", "/readyz")[0] != 200 and time.monotonic() < end:
                    pass  # until the broker is there, and with it all that is retained
                kb[n] = rss_kb(daemon.process)["RssAnon"]
            finally:
                daemon.stop(expect=None)
    each = (kb[IDLE_TABLES] - kb[0]) / IDLE_TABLES
    yield row("P5", f"memory of each of {IDLE_TABLES} idle tables", f"{each:.1f} kB", "<= 16 kB", each <= 16)


def start_time(command, port, path):
    """ms from exec to READY=1 and to the first HTTP answer."""
    notify = str(path) + ".notify"
    with contextlib.suppress(FileNotFoundError):
        pathlib.Path(notify).unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind(notify)
    listener.settimeout(20)
    env = {**os.environ, "NOTIFY_SOCKET": notify}
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    try:
        while b"READY=1" not in listener.recv(4096):
            pass
        ready = time.perf_counter() - begin
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        link.request("GET", "/healthz")
        if link.getresponse().status != 200:
            raise RuntimeError("/healthz does not answer 200")
        return ready * 1000, (time.perf_counter() - begin) * 1000
    finally:
        process.terminate()
        process.wait()
        listener.close()


RECORDS = 10000


def stretch(path):
    """Ballots are changed again and again until the running game has so many records: the last ones repeated."""
    with sqlite3.connect(path) as db:
        columns = [c[1] for c in db.execute("pragma table_info(record)")]
        rows = [dict(zip(columns, r)) for r in db.execute("select * from record where tbl = 'main' order by n")]
        votes = [r for r in rows if r["kind"] == "act" and json.loads(r["body"]).get("do") == "vote"]
        last = {json.loads(r["body"])["by"]: r["body"] for r in votes}
        by = votes[-1]["by"]
        body = json.loads(last[json.loads(votes[-1]["body"])["by"]])
        targets = itertools.cycle(t for t in ("s3", "s4") if t != body["by"])
        for n in range(rows[-1]["n"] + 1, RECORDS + 1):
            body["args"] = {"a": next(targets)}
            if n == rows[-1]["n"] + 1 and json.loads(last[body["by"]])["args"] == body["args"]:
                body["args"] = {"a": next(targets)}
            fields = {**votes[-1], "n": n, "by": by, "body": json.dumps(body, separators=(",", ":"))}
            db.execute(f"insert into record({','.join(columns)}) values({','.join('?' * len(columns))})", [fields[c] for c in columns])


def start(short):
    ready, answer, floor = [], [], []
    with folder_with_broker() as (folder, broker):
        table = Table(folder / "house", broker)
        table.vote().taps(40, 3)
        table.close()
        database = table.daemon.folder / "state" / "journal.db"
        stretch(database)
        for _ in range(3 if short else 9):
            one = start_time([str(BIN / "tabled"), "--config", str(table.daemon.config)], table.daemon.port, folder / "a")
            ready.append(one[0])
            answer.append(one[1])
            port = free_port()
            floor.append(start_time([str(BIN / "floor_start"), str(database), str(port)], port, folder / "b")[1])
        view = folded(table)
    ms, bare = statistics.median(answer), statistics.median(floor)
    yield row("P15", f"start to READY=1, a running game of {RECORDS} records folded ({view})", f"{statistics.median(ready):.1f} ms", "<= 40 ms",
              statistics.median(ready) <= 40)
    yield row("P15", "start to the first HTTP answer", f"{ms:.1f} ms (bare SQLite and libmicrohttpd {bare:.1f} ms)", "<= 40 ms", ms <= 40)


def folded(table):
    """The game is there again."""
    table.daemon.start()
    try:
        _, _, body = table.daemon.request("GET", "/api/v1/tables/main", token=table.token("display"))
        view = json.loads(body)
        if view["phase"]["id"] != "vote":
            raise RuntimeError(f"the journal was not folded to its end: {view['phase']}")
        return "vote, paused" if view["phase"]["paused"] else "vote"
    finally:
        table.daemon.stop(expect=None)


def voice(short):
    """A line at the sound card: broker, narrator, speech, the card's own rhythm of 10 ms, and the two buffers of 20 ms that the pipe keeps."""
    with folder_with_broker() as (folder, broker):
        found = program("voice", BIN / "table-narrator", broker.port, folder, 6 if short else 20)
    for name, what in (("voice_kept", "a line said before"), ("voice_new", "a line made anew by espeak-ng")):
        one = found[name]
        yield row("voice", f"narration published to its first sample at the card, {what}", f"p50 {one['p50_us'] / 1000:.1f} ms, max {one['max_us'] / 1000:.1f} ms",
                  "stated", None)


def frames(short):
    """A phase at the lamps and on the screen: the broker, the client, and for the screen a drawing of 1920 by 1080 and its PNG file."""
    with folder_with_broker() as (folder, broker):
        found = program("frames", BIN / "table-lights", BIN / "table-display", broker.port, folder, 10 if short else 60)
    for name, what in (("light", "phase published to the first frame of light that differs"), ("picture", "phase published to its picture as a file")):
        one = found[name]
        yield row("frames", what, f"p50 {one['p50_us'] / 1000:.1f} ms, max {one['max_us'] / 1000:.1f} ms", "stated", None)


ALL = [("P1 P2 P3", taps), ("P6", rest), ("wrk", addresses), ("P7 P8", beside_load), ("P10", journal), ("P11", encode), ("P12 P13", engines), ("P14", memory), ("P5", idle_tables), ("P4", sustained), ("P5", many_tables),
       ("P15", start), ("P16", judge), ("P17", readers), ("voice", voice), ("frames", frames)]
