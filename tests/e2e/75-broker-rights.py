#!/usr/bin/env python3
"""The broker that `tablectl broker` configures: every user reads and writes exactly its own, nobody takes another's place, and
the daemon plays through it."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, Broker, Daemon, check, wait_port  # noqa: E402

T = "tabled/v1/home/main"
# topic: who may write it, who may read it. Written by hand from the roles, not from the program.
SEE = {"display", "hall", "narrator", "lights"}
TOPICS = {
    "tabled/v1/home/daemon/status": ({"tabled"}, SEE | {"operator", "homeassistant"}),
    f"{T}/status": ({"tabled"}, SEE | {"operator", "homeassistant"}),
    f"{T}/info": ({"tabled"}, {"tabled", "display", "hall", "operator"}),
    f"{T}/public/phase": ({"tabled"}, SEE | {"operator", "homeassistant"}),
    f"{T}/public-pb/phase": ({"tabled"}, SEE),
    f"{T}/health/readers": ({"tabled"}, {"operator", "homeassistant"}),
    f"{T}/reply/operator": ({"tabled"}, {"operator"}),
    f"{T}/reply/display": ({"tabled"}, set()),
    f"{T}/cmd/operator/pause": ({"operator"}, {"tabled"}),
    f"{T}/cmd/display/pause": (set(), {"tabled"}),
    f"{T}/driver/north/obs": ({"north"}, {"tabled"}),
    f"{T}/driver/north/status": ({"north"}, {"tabled"}),
    f"{T}/driver/north/tele/reader/SENSOR": ({"north"}, {"tabled"}),
    f"{T}/driver/south/obs": ({"south"}, {"tabled"}),
    "homeassistant/device/x/config": ({"tabled", "homeassistant"}, {"tabled", "homeassistant"}),
    "homeassistant/sensor/x/y/config": ({"tabled", "homeassistant"}, {"tabled", "homeassistant"}),
    "homeassistant/status": ({"homeassistant"}, {"tabled", "homeassistant"}),
    "homeassistant/other": ({"homeassistant"}, {"homeassistant"}),
    "$SYS/broker/version": (set(), set()),
    "tabled/v1/other/main/public/phase": (set(), set()),  # another site
    "elsewhere": (set(), set()),
}
USERS = ["tabled", "display", "hall", "narrator", "lights", "operator", "homeassistant", "north", "south"]


class RightsBroker(Broker):
    """The files of tablectl, with a port of this test, and a judge who sees and writes everything."""

    def __init__(self, folder):
        self.etc = pathlib.Path(folder) / "etc"
        self.etc.mkdir()
        super().__init__(folder)

    def start(self):
        if not self.process and not (self.etc / "tabled.acl").exists():
            make = [BIN / "tablectl", "broker", "--dir", self.etc, "--site", "home", "--home-assistant", "--user", "display=hall",
                    "--user", "reader=north", "--user", "reader=south"]
            subprocess.run([*make, "--port", str(self.port)], check=True, capture_output=True, timeout=LIMIT_S)
            before = (self.etc / "tabled.passwords" / "display").read_text()
            subprocess.run([*make, "--port", str(self.port)], check=True, capture_output=True, timeout=LIMIT_S)
            check((self.etc / "tabled.passwords" / "display").read_text() == before, "a second call changed a password")
            for secret in [self.etc / "tabled.passwd", *(self.etc / "tabled.passwords").iterdir()]:
                check(secret.stat().st_mode & 0o77 == 0, f"others may read {secret.name}")
            conf = (self.etc / "conf.d" / "tabled.conf").read_text()
            conf = conf.replace("/run/tabled-broker/tabled.sock", str(self.etc / "s")).replace("persistence true", "persistence false")
            self.config.write_text(conf + ("user root\n" if os.geteuid() == 0 else ""))
            with open(self.etc / "tabled.acl", "a") as acl:
                acl.write("\nuser judge\ntopic readwrite #\ntopic read $SYS/#\n\npattern read end\n")
            subprocess.run(["mosquitto_passwd", "-b", self.etc / "tabled.passwd", "judge", "judge"], check=True, capture_output=True)
        exe = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.process = subprocess.Popen([exe, "-c", str(self.config)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_port(self.port)

    def words(self, user):
        password = "judge" if user == "judge" else (self.etc / "tabled.passwords" / user).read_text()
        return ["-h", "127.0.0.1", "-p", str(self.port), "-V", "5", "-q", "1", "-u", user, "-P", password, "-i", user]

    def publish(self, user, topic, text):
        subprocess.run(["mosquitto_pub", *self.words(user), "-t", topic, "-m", text], capture_output=True, timeout=LIMIT_S)

    def subscribe(self, user, *topics):
        words = ["mosquitto_sub", *self.words(user), "-F", "%t %p"]
        for topic in topics:
            words += ["-t", topic]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return process


def heard_until_end(process):
    lines = []
    for line in process.stdout:
        if line.startswith("end "):
            break
        lines.append(line.split(" ")[0])
    process.kill()  # mosquitto_sub may hang in its handler of SIGTERM
    process.wait()
    return lines


def writes(broker):
    """Everybody tries to write everything; the judge hears what came through."""
    judge = broker.subscribe("judge", "#")
    broker_ready(broker, judge)
    for user in USERS:
        for topic in TOPICS:
            broker.publish(user, topic, user)
    broker.publish("north", f"{T}/driver/north/obs", "last")
    came = {}
    for line in judge.stdout:
        topic, user = line.rstrip("\n").split(" ", 1)
        if user == "last":
            break
        came.setdefault(topic, set()).add(user)
    judge.kill()
    judge.wait()
    for topic, (writers, _) in TOPICS.items():
        check(came.get(topic, set()) == writers, f"{topic}: written by {came.get(topic)}, not by {writers}")


def broker_ready(broker, process):
    """Until the subscription holds: a retained word comes."""
    subprocess.run(["mosquitto_pub", *broker.words("tabled"), "-t", "homeassistant/device/ready/config", "-r", "-m", "ready"],
                   check=True, timeout=LIMIT_S)
    for line in process.stdout:
        if line.startswith("homeassistant/device/ready/config"):
            return


def reads(broker):
    """Everything is written, retained, by the judge; everybody asks for everything there is."""
    for topic in TOPICS:
        if not topic.startswith("$"):
            subprocess.run(["mosquitto_pub", *broker.words("judge"), "-r", "-t", topic, "-m", "x"], check=True, timeout=LIMIT_S)
    subprocess.run(["mosquitto_pub", *broker.words("judge"), "-r", "-t", "end", "-m", "x"], check=True, timeout=LIMIT_S)
    for user in USERS:
        # Retained messages of one filter come in the order of the tree; `end` has a filter of its own, asked last.
        heard = set(heard_until_end(broker.subscribe(user, "#", "$SYS/#", "end")))
        heard = {topic for topic in heard if not topic.startswith("homeassistant/device/ready")}
        expected = {topic for topic, (_, readers) in TOPICS.items() if user in readers}
        check(heard == expected, f"{user} reads {sorted(heard - expected)} too much, {sorted(expected - heard)} too little")


def places(broker):
    """A client id is its user's: with the daemon's id and another's password nobody takes the daemon's place."""
    keeper = broker.subscribe("tabled", "homeassistant/status")
    broker_words = broker.words("display")
    broker_words[broker_words.index("-i") + 1] = "tabled"
    subprocess.run(["mosquitto_pub", *broker_words, "-t", f"{T}/cmd/operator/pause", "-m", "x"], capture_output=True, timeout=LIMIT_S)
    check(keeper.poll() is None, "another user's connection threw the daemon out")
    refused = subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", str(broker.port), "-t", "x", "-m", "x"], capture_output=True, timeout=LIMIT_S)
    check(refused.returncode != 0, "a client without a name was let in")
    keeper.kill()
    keeper.wait()


def plays(broker, folder):
    """The daemon has every right it needs: nothing it publishes or subscribes is refused."""
    password = broker.etc / "tabled.passwords" / "tabled"
    extra = f"[mqtt]\nsocket = {broker.etc}/s\nusername = tabled\npassword_file = {password}\nhome_assistant = device\ncommands = yes\n"
    daemon = Daemon(folder, extra=extra).start()
    try:
        watcher = broker.subscribe("hall", f"{T}/public/game", f"{T}/status")
        seen = set()
        for line in watcher.stdout:
            seen.add(line.split(" ")[0])
            if len(seen) == 2:
                break
        watcher.kill()
        watcher.wait()
    finally:
        daemon.stop()
    check("the broker refused" not in daemon.log_text(), daemon.log_text())


def main():
    with tempfile.TemporaryDirectory(prefix="tabled-test-") as folder:
        broker = RightsBroker(folder)
        try:
            writes(broker)
            reads(broker)
            places(broker)
            plays(broker, pathlib.Path(folder) / "house")
        finally:
            broker.stop()


main()
