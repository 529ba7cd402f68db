#!/usr/bin/env python3
"""What is written on a tag, and whether it is genuine: a real daemon, an emulated PN532, an enrolment. Nobody else hears of it."""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, Broker, Daemon, Subscriber, check  # noqa: E402

WRITTEN, NEW = "owl-canary-7", "04C10A5A1F6180"


class Chip:
    def __init__(self, folder):
        self.process = subprocess.Popen([str(BIN / "pn532-emulator"), "--chips", "1", "--dir", str(folder)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        check(self.process.stdout.readline() == "ready\n", "the emulator is ready")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        check(self.process.stdout.readline() == "ok\n", line)

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


def enrol(daemon, **body):
    body = {"deck": "spare", "pad": "desk", "wait_ms": 20000, **body}
    status, _, raw = daemon.request("POST", "/api/v1/tables/main/enrol", body, token=daemon.token("admin"))
    said = json.loads(raw)
    check(status == 200, f"{body}: {status} {said}")
    check(said["hint"] == WRITTEN, f"what is written on the tag: {said}")
    check(said["signature"] == "invalid", f"it was never signed by its maker: {said}")


def play(folder, broker, chip):
    desk = f"[reader desk]\ndriver = pn532\nport = {folder}/chip0\n[pad desk]\ntable = main\nreader = desk\nkind = tap\n"
    daemon = Daemon(folder / "daemon", broker, extra=desk)
    daemon.start()
    watcher = Subscriber(broker.port, "tabled/#")
    chip.say(f"0 place {NEW}")
    chip.say(f"0 write {WRITTEN}")
    enrol(daemon, look=True)
    check("owl" not in daemon.ctl("enrol", "export"), "a look keeps nothing")
    enrol(daemon, name="owl", kind="seer")
    check("spare,owl,seer" in daemon.ctl("enrol", "export", "spare"), "an enrolment does")
    daemon.stop()
    watcher.wait(lambda m: m["topic"].endswith("/daemon/status") and b"lost" not in m["raw"])
    for secret in (WRITTEN, NEW):
        check(secret not in daemon.log_text(), f"{secret} is in the log")
        check(all(secret.encode() not in m["raw"] for m in watcher.seen), f"{secret} is on the broker")
    watcher.close()


def main():
    with tempfile.TemporaryDirectory(prefix="tabled-inspect-") as name:
        folder = pathlib.Path(name)
        broker, chip = Broker(folder), Chip(folder)
        try:
            play(folder, broker, chip)
        finally:
            broker.stop()
            chip.close()
    print("inspect: what is written on a tag comes with its enrolment, and goes nowhere else")


main()
