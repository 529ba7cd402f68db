#!/usr/bin/env python3
"""Leaks put back into the daemon, one at a time, each found by the shortest pair of games that has to find it.

    tests/secrecy/60-leaks.py [NAME...]

A row of leaks.py is applied to a copy of its file, compiled as the build under test compiled it, and linked in the place of the original.
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
from harness import BIN, BUILD, check  # noqa: E402
from leaks import LEAKS, NEEDS  # noqa: E402
from scenes import SCENES  # noqa: E402

FOLDER = BUILD / "leaks"
CCACHE = [shutil.which("ccache")] if shutil.which("ccache") else []


def recorded_commands():
    rows = json.loads((BUILD / "compile_commands.json").read_text())
    link = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "bin/eavesdrop"], check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    check(" -o bin/eavesdrop " in link, f"this links no eavesdrop: {link}")
    return {row["file"]: shlex.split(row["command"]) for row in rows}, link.removeprefix(": && ").removesuffix(" && :")


def leaking(name, file, text, leak, compile_as, link):
    """The program with the leak."""
    source = (ROOT / file).read_text()
    check(source.count(text) == 1, f"{name}: its text is {source.count(text)} times in {file}")
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    copy, made, program = folder / pathlib.Path(file).name, folder / "leak.o", folder / "eavesdrop"
    copy.write_text(NEEDS.get(name, "") + source.replace(text, leak))
    command = [word for word in compile_as[str(ROOT / file)] if word != "-Werror"]
    command[command.index("-o") + 1], command[command.index("-c") + 1] = str(made), str(copy)
    done = subprocess.run(CCACHE + command + ["-w"], cwd=BUILD, capture_output=True, text=True)
    check(done.returncode == 0, f"{name}: does not compile\n{done.stderr[-3000:]}")
    done = subprocess.run(link.replace(" -o bin/eavesdrop ", f" {shlex.quote(str(made))} -o {shlex.quote(str(program))} "), shell=True, cwd=BUILD, capture_output=True, text=True)
    check(done.returncode == 0, f"{name}: does not link\n{done.stderr[-3000:]}")
    return program


def found(row, commands):
    name, scene, file, text, leak = row
    start = time.monotonic()
    program = leaking(name, file, text, leak, *commands)
    built = time.monotonic() - start
    told = SCENES[scene](program)
    program.unlink()
    return name, scene, told, built, time.monotonic() - start - built


def one(row, commands):
    try:
        return found(row, commands)
    except (AssertionError, OSError, StopIteration) as error:
        return row[0], row[1], error, 0, 0


def main():
    rows = [row for row in LEAKS if row[0] in sys.argv[1:] or not sys.argv[1:]]
    check(BIN.exists() and len({row[0] for row in LEAKS}) == len(LEAKS) >= 20, "twenty leaks, each with a name of its own")
    # What is linked beside the leak has to be of the same sources; nothing to do in a fresh build.
    done = subprocess.run(["ninja", "-C", BUILD, "bin/eavesdrop"], capture_output=True, text=True)
    check(done.returncode == 0, done.stdout[-2000:])
    commands = recorded_commands()
    missed = broken = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        whole = {scene: pool.submit(SCENES[scene]) for scene in dict.fromkeys(row[1] for row in rows)}
        for name, scene, told, built, played in pool.map(lambda row: one(row, commands), rows):
            if isinstance(told, Exception):
                broken += 1
                print(f"not ok {name}: {told}")
            elif told is None:
                missed += 1
                print(f"not ok {name}: the scene {scene} does not find it")
            else:
                print(f"ok {name}: {scene}, {built:.1f} s + {played:.1f} s: {told.splitlines()[0][:150]}")
        for scene, told in whole.items():
            fault = told.exception() or told.result()
            if fault:
                broken += 1
                print(f"not ok {scene}: without any leak: {fault}")
    print(f"{len(rows)} leaks seeded, {len(rows) - missed - broken} found in {len(whole)} scenes")
    return 1 if missed or broken else 0


if __name__ == "__main__":
    sys.exit(main())
