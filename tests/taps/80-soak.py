#!/usr/bin/env python3
"""Five simulated hours of bad radio, pulled plugs and hands, with readers of every kind (100 with TESTS_LONG)."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, ROOT, check  # noqa: E402


def main():
    program = ROOT / "build" / "release" / "bin" / "soak"  # without the sanitizers, where it was built
    if os.environ.get("TABLED_BUILD") or not program.exists():
        program = BIN / "soak"
    hours = 100 if os.environ.get("TESTS_LONG", "0") != "0" else 5
    done = subprocess.run([str(program), "--hours", str(hours)], capture_output=True, text=True, timeout=390 if hours == 5 else 1200)
    print(done.stdout + done.stderr, end="")
    check(done.returncode == 0, "something false, late or not seen")


main()
