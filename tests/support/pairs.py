"""Pairs of games with equal public inputs and other secrets, overheard on every channel on the virtual clock.

    a = Ears(tap, conf, csv).run()         # tests/secrecy/eavesdrop: the daemon with its whole front
    b = Ears(tap, conf, exchanged(csv, "seer", "drunk")).run()
    same(a, b, until=a.begins("reveal"))   # every line of every channel: order, bytes, virtual time

A line is (ms, channel, key, bytes). Channels: `public` and `s1`... (what the feed tells), `mqtt`, `stream`, `rest`, `log`,
`lights`, `sound`, `display`.
"""
import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

from harness import BIN, free_port

TAPS = pathlib.Path(__file__).resolve().parent.parent / "taps"
SEATS = 16

# Who may ask. `none` shows nothing.
ROLES = ("admin", "operator", "display", "metrics", "none")

def exchanged(csv, *pairs):
    """The deck with the tags of pieces exchanged: the same hands hold other cards."""
    rows = [line.split(",") for line in csv.splitlines()]
    find = {row[1]: row for row in rows[1:]}
    for a, b in pairs:
        find[a][3], find[b][3] = find[b][3], find[a][3]
    return "\n".join(",".join(row) for row in rows) + "\n"


def dealt_anew(csv, names, dice):
    """The deck with the tags of all these pieces shuffled."""
    rows = [line.split(",") for line in csv.splitlines()]
    find = {row[1]: row for row in rows[1:]}
    tags = [find[name][3] for name in names]
    dice.shuffle(tags)
    for name, tag in zip(names, tags):
        find[name][3] = tag
    return "\n".join(",".join(row) for row in rows) + "\n"


def with_canaries(csv):
    """The deck with names that occur nowhere else; control pieces are known by theirs."""
    rows = [line.split(",") for line in csv.splitlines()]
    for n, row in enumerate(rows[1:]):
        if row[2] != "control":
            row[1] = f"canary-{n}-{hashlib.sha256(row[1].encode()).hexdigest()[:8]}"
    return "\n".join(",".join(row) for row in rows) + "\n"


def tokens():
    """Of a fixed form, so that lists of tokens are the same in both games."""
    rows = [(role, role, "") for role in ("admin", "operator", "display", "metrics")] + [(f"s{i}", "seat", f"s{i}") for i in range(1, SEATS + 1)]
    secret = {name: hashlib.sha256(name.encode()).digest() for name, _, _ in rows}

    def text(name):
        return f"gt_{name}_{base64.urlsafe_b64encode(secret[name]).decode().rstrip('=')}"
    return {"version": 1, "tokens": [{"name": n, "role": r, "seat": s, "table": "", "token": text(n)} for n, r, s in rows]}


class Told:
    """What was overheard."""

    def __init__(self, lines, secrets=()):
        self.lines, self.secrets = lines, secrets

    def of(self, *channels):
        return [line for line in self.lines if line[1] in channels]

    def channels(self):
        return sorted({line[1] for line in self.lines})

    def phases(self):
        """[(ms, phase)], one a step."""
        ret = []
        for ms, _, key, value in self.of("public"):
            if key.endswith("public/phase"):
                phase = json.loads(value)
                if not ret or ret[-1][1]["n"] != phase["n"] or ret[-1][1]["id"] != phase["id"]:
                    ret.append((ms, phase))
        return ret

    def begins(self, phase, which=1):
        """When the phase begins for the n-th time; a round is a time."""
        seen, last = 0, None
        for ms, one in self.phases():
            if one["id"] == phase and last != (phase, one["round"]):
                seen += 1
                if seen == which:
                    return ms
            last = (one["id"], one["round"])
        raise AssertionError(f"phase {phase} begins {seen} times only")

    def said(self):
        """The first line that has the name of a piece or the id of a tag in it, as a text; None = no channel has one."""
        whole = "\n".join(f"{key} {value}" for _, _, key, value in self.lines).upper()
        if not any(secret.upper() in whole for secret in self.secrets):  # hundreds of names in megabytes: one by one is faster
            return None
        for ms, channel, key, value in self.lines:
            text = f"{key} {value}".upper()
            found = next((secret for secret in self.secrets if secret.upper() in text), None)
            if found:
                at = text.index(found.upper())
                return f"{ms} {channel} {key} says {found}: ...{text[max(0, at - 100):at + 100]}"
        return None

    def replay(self):
        """The public messages as the lines of tabled --replay, for --render."""
        for ms, _, key, value in self.of("public"):
            table, topic = key.split(" ")
            yield f'{{"ms":{ms},"table":"{table}","topic":"{topic}","message":{value}}}'


class Ears:
    """One game to be overheard: a tap log with its configuration and its deck, and who asks what meanwhile."""

    def __init__(self, tap, conf, csv, asks=(), every=5000, program="eavesdrop", extra="", discovery=False, journal=None):
        self.tap, self.conf, self.csv, self.asks, self.every = tap, conf, with_canaries(csv), list(asks), every
        self.program, self.extra, self.discovery, self.journal = program, extra, discovery, journal

    def files(self, folder):
        state = folder / "state"
        state.mkdir(exist_ok=True)
        conf = self.conf.replace("state_dir = state", f"state_dir = {state}").replace("log_level = error", "log_level = debug")
        port = free_port()
        conf = conf.replace("[daemon]", "[daemon]\nsite = home", 1) if "site =" not in conf else conf
        conf += f"[http]\nlisten = 127.0.0.1:{port}\n[mqtt]\nhost = 127.0.0.1\n"
        conf += "home_assistant = device\n" if self.discovery else ""
        (folder / "tabled.conf").write_text(conf + self.extra)
        (folder / "kit.csv").write_text(self.csv)
        (folder / "log.tap").write_text(self.tap)
        (folder / "asks").write_text("".join(f"{ask}\n" for ask in self.asks))
        token = state / "tokens.json"
        token.write_text(json.dumps(tokens()))
        token.chmod(0o600)
        subprocess.run([BIN / "tablectl", "enrol", "import", folder / "kit.csv", "--db", state / "house.db"], check=True, stdout=subprocess.DEVNULL)
        return port

    def run(self):
        with tempfile.TemporaryDirectory(prefix="tabled-ears-") as name:
            folder = pathlib.Path(name)
            port = self.files(folder)
            env = dict(os.environ, EAVESDROP_ASK=str(folder / "asks"), EAVESDROP_EVERY=str(self.every), TZ="UTC")
            env.pop("JOURNAL_STREAM", None)
            env.pop("NOTIFY_SOCKET", None)
            if self.journal:
                env["EAVESDROP_JOURNAL"] = str(self.journal)
            program = self.program if "/" in str(self.program) else BIN / self.program
            done = subprocess.run([program, "--config", folder / "tabled.conf", "--replay", folder / "log.tap", "--virtual-clock", "--log-level", "debug"],
                                  capture_output=True, text=True, timeout=200, env=env)
            if done.returncode:
                raise AssertionError(f"{program} ended with {done.returncode}\n{done.stdout[-1500:]}\n{done.stderr[-4000:]}")
            text = done.stdout.replace(str(folder), "/f").replace(f"127.0.0.1:{port}", "127.0.0.1:P")
        # The log's stamps are of the real wall; its lines are compared with their virtual time as channel `log`.
        text = re.sub(r'"at":"20(?!26-01-0)[^"]*"', '"at":"-"', text)
        # When the kernel tells of a closed connection is of no game.
        text = re.sub(r"(\\ntabled_http_connections) \d+", r"\1 -", text)
        lines = [line.split("\t", 3) for line in text.splitlines()]
        secrets = {word for row in self.csv.splitlines()[1:] for word in row.split(",")[1:4:2] if len(word) > 9}
        lines = [(int(ms), channel, key, value) for ms, channel, key, value in lines]
        return Told(lines + [(lines[-1][0], "stderr", "", line) for line in done.stderr.splitlines()], sorted(secrets))


def difference(a, b, until=1 << 60, channels=None, since=0):
    """The first line that differs before `until`, as a text; None = all the same."""
    left, right = ([line for line in told.lines if since <= line[0] < until and (channels is None or line[1] in channels)] for told in (a, b))
    for x, y in zip(left, right):
        if x != y:
            at = next((i for i, (p, q) in enumerate(zip(x[3], y[3])) if p != q), min(len(x[3]), len(y[3])))
            cut = slice(max(0, at - 160), at + 240)
            return f"{x[0]} {x[1]} {x[2]}\n    ...{x[3][cut]}\n  {y[0]} {y[1]} {y[2]}\n    ...{y[3][cut]}"
    if len(left) != len(right):
        more = (left if len(left) > len(right) else right)[min(len(left), len(right))]
        return f"{len(left)} and {len(right)} lines; the next is {more[0]} {more[1]} {more[2]} {more[3][:400]}"
    return None


def same(a, b, until, what, channels=None, since=0):
    told = difference(a, b, until, channels, since)
    if told:
        raise AssertionError(f"{what}: differs\n  {told}")
    return sum(since <= line[0] < until and (channels is None or line[1] in channels) for line in a.lines)
