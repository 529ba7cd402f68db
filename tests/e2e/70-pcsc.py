#!/usr/bin/env python3
"""The driver pcsc with the real pcscd and its virtual readers: tiles come and go, the service dies and comes back."""
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, check, scene  # noqa: E402
from virtual_reader import Pcscd, Tile  # noqa: E402

READERS = """
[reader desk]
driver = pcsc
name = Virtual PCD
slot = 0
[reader box]
driver = pcsc
name = Virtual PCD
slot = 1
[pad desk]
reader = desk
[pad box]
reader = box
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


def enrol(daemon, pcscd, name, slot, pad, uid):
    waiting = subprocess.Popen([str(BIN / "tablectl"), "--socket", str(daemon.socket), "enrol", f"kit/{name}", "--kind", "tanner", "--pad", pad])
    tile = Tile(pcscd, slot, uid)
    check(waiting.wait(LIMIT_S) == 0, f"a tile on {pad} is enrolled")
    check(f"kit,{name},tanner,{uid}," in daemon.ctl("enrol", "export", "kit", "--tags"), "with its whole id")
    return tile


def evening(daemon, pcscd):
    until(daemon, lambda r: r["desk"]["up"] and r["box"]["up"], "both slots are up")
    four = enrol(daemon, pcscd, "four", 0, "desk", "04A1B2C3")
    seven = enrol(daemon, pcscd, "seven", 1, "box", "04A1B2C3D4E580")
    before = readers(daemon)
    four.take()  # one is lifted, the other stays
    until(daemon, lambda r: r["desk"]["none"] > before["desk"]["none"] + 2, "a lift is seen")
    ten = enrol(daemon, pcscd, "ten", 0, "desk", "04A1B2C3D4E5F6071829")
    pcscd.stop()
    lost = until(daemon, lambda r: not r["desk"]["up"] and not r["box"]["up"], "the service died")
    check(lost["box"]["none"] == before["box"]["none"], f"a lost reader lifts nothing: {lost['box']}")
    pcscd.start()
    until(daemon, lambda r: r["desk"]["up"] and r["box"]["up"], "and is found again without a restart")
    silent = Tile(pcscd, 1, "", answer=b"\x63\x00")
    until(daemon, lambda r: r["box"]["faults"]["status"] > 0, "a tile that tells no id")
    for tile in silent, seven, ten:
        tile.take()


def main():
    with scene(with_broker=False, extra=READERS) as (folder, _, daemon):
        down = until(daemon, lambda r: r["desk"]["why"] != "not open yet", "no service")
        check(not down["desk"]["up"] and "pcscd" in down["desk"]["why"], f"the remedy is told: {down['desk']}")
        daemon.stop()
        check("pcscd does not answer" in daemon.log_text(), "in the log too")
        pcscd = Pcscd(folder / "pcscd")
        daemon.env["PCSCLITE_CSOCK_NAME"] = str(pcscd.socket)
        try:
            daemon.start("--record", str(folder / "evening.tap"))
            evening(daemon, pcscd)
            daemon.stop()
        finally:
            pcscd.stop()
        tap = (folder / "evening.tap").read_text()
        check(" desk 0 seen 04A1B2C3\n" in tap and " box 0 seen 04A1B2C3D4E580\n" in tap, "all of it is in the tap log")
        check("04A1B2C3" not in daemon.log_text(), "and no id in the log")
    print("tiles behind the real pcscd come and go; the service may die")


main()
