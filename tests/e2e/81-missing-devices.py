#!/usr/bin/env python3
"""Sound card, screen and strip that are not there: the voice goes on without, the others end so that they are started again; a
mistake in a configuration is told apart from that."""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, ROOT, check, free_port  # noqa: E402

FAILED, WRONG = 1, 3


def run(folder, program, lines):
    config = folder / f"{program}.conf"
    config.write_text(f"[mqtt]\nhost = 127.0.0.1\nport = {free_port()}\n{lines}")
    return subprocess.Popen([str(BIN / program), "--config", str(config)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    with tempfile.TemporaryDirectory(prefix="tabled-test-") as name:
        folder = pathlib.Path(name)
        file = folder / "file"
        file.write_text("")
        for program, lines, code, words in (
                ("table-display", "[screen]\ndevice = /nowhere/fb0\n", FAILED, "/nowhere/fb0: No such file"),
                ("table-display", f"[screen]\ndevice = {file}\n", WRONG, "not a framebuffer"),
                ("table-lights", "[lamp a]\ntype = ws2812\ndevice = /nowhere/spidev0.0\nleds = 3\n", FAILED, "turn SPI on"),
                ("table-lights", "[lamp a]\ntype = ws2812\nleds = 3\n", WRONG, "needs `device`")):
            process = run(folder, program, lines)
            text = process.communicate(timeout=LIMIT_S)[0]
            check(process.returncode == code and words in text, f"{program} {lines}: {process.returncode} {text}")
        voice = run(folder, "table-narrator", "[voice]\ndevice = nowhere\nretry = 100ms\n")
        for line in voice.stdout:
            if "no sound" in line:
                break
        check(voice.poll() is None, "the voice waits for its card")
        voice.terminate()
        check(voice.wait(LIMIT_S) == 0, "and ends as asked")
        for unit in ("display/table-display", "lights/table-lights"):
            text = (ROOT / "clients" / f"{unit}.service").read_text()
            never = re.search(r"^RestartPreventExitStatus=(.*)$", text, re.M).group(1).split()
            check(str(WRONG) in never and str(FAILED) not in never and "StartLimitIntervalSec=0" in text, f"{unit} is started until its device is there")
    print("what is not there is waited for, what is wrong is told")


main()
