#!/usr/bin/env python3
"""Readers on the network with a real broker: sealed frames of the reference sender, ESPHome, Tasmota, and what they may not."""
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, Subscriber, check, scene  # noqa: E402

ROOT = "tabled/v1/home/main/driver"
TILE = "04C1B2C3D4E580"


def conf(folder):
    return f"""
[reader box]
driver = mqtt_reader
antennas = 3
key_file = {folder}/box.key
[reader door]
driver = mqtt_reader
form = plain
[pad far]
reader = box
antenna = 1
[pad porch]
reader = door
kind = tap
"""


def readers(daemon):
    answer = json.loads(daemon.ctl("readers", "--json"))
    numbers = {row["name"]: row for row in answer["numbers"]}
    return {row["name"]: dict(row, **numbers[row["name"]]) for row in answer["readers"]}


def until(daemon, want, what):
    end = time.monotonic() + LIMIT_S
    while True:
        now = readers(daemon)
        if want(now):
            return now
        check(time.monotonic() < end, f"{what}: {now}\n{daemon.log_text()[-3000:]}")


def publish(broker, leaf, payload, retain=False):
    subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", str(broker.port), "-q", "1", "-t", f"{ROOT}/{leaf}", "-m", payload] +
                   (["-r"] if retain else []), check=True, timeout=LIMIT_S)


class Node:
    def __init__(self, broker, key, name="box"):
        self.process = subprocess.Popen([str(BIN / "node-sender"), "--topic", f"{ROOT}/{name}", "--key", str(key), "--antennas", "3",
                                         "--port", str(broker.port), "--host", "127.0.0.1", "--rate", "20"], stdin=subprocess.PIPE, text=True)
        self.ms = 0

    def say(self, text):
        self.ms += 1
        self.process.stdin.write(f"{self.ms} box {text}\n")
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        check(self.process.wait(LIMIT_S) == 0, "the node ends with its input")

    def kill(self):
        self.process.kill()
        self.process.wait()


def enrol(daemon, name, pad, act):
    waiting = subprocess.Popen([str(BIN / "tablectl"), "--socket", str(daemon.socket), "enrol", f"kit/{name}", "--kind", "tanner", "--pad", pad])
    end = time.monotonic() + LIMIT_S
    while waiting.poll() is None and time.monotonic() < end:
        act()  # a touch is short: people touch again when nothing happened
        with contextlib.suppress(subprocess.TimeoutExpired):
            waiting.wait(1.5)
    check(waiting.wait(LIMIT_S) == 0, f"a tile on {pad} is enrolled")


def sealed(daemon, broker, folder, key):
    watcher = Subscriber(broker.port, f"{ROOT}/box/obs")
    down = until(daemon, lambda r: not r["box"]["up"] and "nothing has come" in r["box"]["why"], "nobody sends")
    check(down["door"]["up"], "a plain reader is up with the broker")
    node = Node(broker, key)
    until(daemon, lambda r: r["box"]["up"], "the node is heard")
    enrol(daemon, "far-tile", "far", lambda: node.say(f"1 seen {TILE}"))
    check(f"kit,far-tile,tanner,{TILE}," in daemon.ctl("enrol", "export", "kit", "--tags"), "the whole id")
    before = readers(daemon)["box"]
    node.say("1 none")
    until(daemon, lambda r: r["box"]["none"] > before["none"] + 9, "a lift")
    node.say(f"1 seen {TILE}")
    until(daemon, lambda r: r["box"]["seen"] > before["seen"] + 3, "and a landing")
    node.kill()  # no goodbye: the will tells
    lost = until(daemon, lambda r: not r["box"]["up"], "the will of a dead node")
    check("left the broker" in lost["box"]["why"] or "nothing comes" in lost["box"]["why"], f"why: {lost['box']}")
    frames = [m["raw"] for m in watcher.seen]
    check(len(frames) > 10 and len({len(f) for f in frames}) == 1, "frames of one size")
    check(bytes.fromhex(TILE) not in b"".join(frames), "that tell nothing")
    told = readers(daemon)["box"]["scans"]
    for frame in frames[-5:]:  # played again
        subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", str(broker.port), "-t", f"{ROOT}/box/obs", "-s"], input=frame, check=True)
    until(daemon, lambda r: r["box"]["faults"]["status"] >= 5, "old frames are counted")
    check(readers(daemon)["box"]["scans"] == told, "and move nothing")
    other = folder / "other.key"
    subprocess.run([str(BIN / "node-sender"), "--make-key", str(other)], check=True)
    stranger = Node(broker, other)
    until(daemon, lambda r: r["box"]["faults"]["checksum"] >= 5, "a stranger's frames")
    check(readers(daemon)["box"]["scans"] == told, "move nothing either")
    stranger.end()
    watcher.close()


def plain(daemon, broker):
    enrol(daemon, "esphome", "porch", lambda: publish(broker, "door/obs", "74-10-37-94"))
    enrol(daemon, "tasmota", "porch", lambda: publish(broker, "door/tele/SENSOR", '{"Time":"2026-01-01T00:00:00","PN532":{"UID":"04D1B2C3D4E580","DATA":""}}'))
    listed = daemon.ctl("enrol", "export", "kit", "--tags")
    check("kit,esphome,tanner,74103794," in listed and "kit,tasmota,tanner,04D1B2C3D4E580," in listed, listed)
    publish(broker, "door/status", "offline")
    until(daemon, lambda r: not r["door"]["up"], "its will")
    publish(broker, "door/status", "online")
    until(daemon, lambda r: r["door"]["up"], "and its birth")
    broker.stop()
    until(daemon, lambda r: not r["door"]["up"] and "broker is away" in r["door"]["why"], "without a broker nothing is heard")
    broker.start()
    until(daemon, lambda r: r["door"]["up"], "subscribed anew")
    enrol(daemon, "again", "porch", lambda: publish(broker, "door/obs", "74-10-37-95"))
    # B090: what the broker has kept is given to whoever subscribes; nobody touches the reader now.
    publish(broker, "door/obs", "04-E1-B2-C3", retain=True)
    daemon.stop()
    daemon.start()

    def misread(now):  # comes after what was kept
        if not now["door"]["faults"]["frame"]:
            publish(broker, "door/obs", "04-E1-ZZ")
        return now["door"]["faults"]["frame"]
    after = until(daemon, misread, "a misread id is counted")
    check(after["door"]["seen"] == 0, f"what was retained is no touch: {after['door']}")


def refused(daemon):
    text = daemon.config.read_text()

    def check_config(changed, want):
        daemon.config.write_text(changed)
        done = subprocess.run([str(BIN / "tabled"), "--config", str(daemon.config), "--check-config"], capture_output=True, text=True, timeout=LIMIT_S)
        check(done.returncode == 3 and want in done.stderr, f"{want}: {done.returncode} {done.stderr}")

    check_config(text.replace("allow_plain_readers = yes\n", ""), "allow_plain_readers")
    check_config(text[:text.rindex("kind = tap")] + "kind = tile\n", "cannot see that a tile is taken away")
    daemon.config.write_text(text)


def main():
    with tempfile.TemporaryDirectory(prefix="tabled-keys-") as keys:
        key = pathlib.Path(keys) / "box.key"
        subprocess.run([str(BIN / "node-sender"), "--make-key", str(key)], check=True)
        check(key.stat().st_mode & 0o777 == 0o600, "a key is private")
        with scene(extra=conf(keys), keys=["allow_plain_readers = yes"]) as (folder, broker, daemon):
            sealed(daemon, broker, folder, key)
            plain(daemon, broker)
            refused(daemon)
            check(TILE not in daemon.log_text(), "no id in the log")
    print("readers on the network are heard, sealed or plain, and what is old or foreign is not")


main()
