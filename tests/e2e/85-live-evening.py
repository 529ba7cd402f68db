#!/usr/bin/env python3
"""A whole evening heard and seen as it happens, the night at its full length: a sound card that writes a file, lamps and a screen that
write what they show. Speech in the window of every step, the bed without a gap, no two sentences at once, nothing clips; by night
one light and one picture a step."""
import atexit
import importlib.util
import json
import pathlib
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from harness import BIN, BUILD, LIMIT_S, Evening, Subscriber, check, scene  # noqa: E402

spec = importlib.util.spec_from_file_location("narrator", HERE / "80-narrator.py")
voice = importlib.util.module_from_spec(spec)
spec.loader.exec_module(voice)

FRAME_MS, FADE = 20, 100  # of `listen`; frames until the bed is all there
BED = 20  # half as loud as it is


def client(name, folder, port, text, *flags):
    conf = folder / f"{name}.conf"
    conf.write_text(f"[room]\nsite = home\ntable = main\n[mqtt]\nhost = 127.0.0.1\nport = {port}\n{text}")
    process = subprocess.Popen([BIN / name, "--config", conf, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    atexit.register(process.kill)  # whatever fails here
    return process


def ended(process):
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=LIMIT_S)
    check(process.returncode == 0, f"exit {process.returncode}: {said[-3000:]}")


def sentences(marks):
    """[(begun, ended, name)] of what was said; no sentence begins while another is spoken."""
    said, open_one = [], None
    for mark in marks:
        at, what, name = float(mark[0]), mark[1], mark[2]
        if what == "begun":
            check(open_one is None, f"{name} begins while {open_one} is spoken")
            open_one = (at, name)
        elif what in ("ended", "cut") and open_one:
            said.append((open_one[0], at, open_one[1]))
            open_one = None
    return said


def heard(narrator, steps):
    rms, peak = narrator.frames()
    check(max(peak) < 32760, f"it clips: {max(peak)}")
    said = sentences(narrator.marks())
    names = [name for _, _, name in said]
    for step in steps:
        ending = "/check" if step == "check" else f"_{step}"
        check(any(name.endswith(ending) for name in names), f"nobody called step {step}: {names}")
    begin, end = (next(at for at, _, name in said if name.endswith(ending)) for ending in ("/call_10", "/call_1500"))
    first, last = int(begin // FRAME_MS) + FADE, int(end // FRAME_MS)
    silent = [i for i in range(first, min(last, len(rms))) if rms[i] < BED]
    check(not silent, f"the bed has {len(silent)} gaps between the first and the last call, the first {silent[:3]} x {FRAME_MS} ms in")
    return len(said), len(rms)


def seen(folder, sub):
    frames = [json.loads(line) for line in (folder / "lights.jsonl").read_text().splitlines()]
    check(len(frames) > 50, f"{len(frames)} frames of light")
    ambers = {f["rgb"] for f in frames if len({f["rgb"][i:i + 6] for i in range(0, len(f["rgb"]), 6)}) == 1 and int(f["rgb"][4:6], 16) <= 1
              and 0 < int(f["rgb"][:2], 16) <= 8}
    check(len(ambers) >= 1, "no night in the lamps")
    pictures = {file.stem.split("-", 1)[1] for file in (BUILD / "rendered" / "live").glob("*.png")}
    steps = {"-".join(filter(None, (m["json"]["id"], m["json"]["step"]))) for m in sub.seen if m["topic"].endswith("/main/public/phase")}
    missing = {step for step in steps if step} - pictures
    check(pictures & {"reveal", "result"} and len(missing) <= 2, f"no picture of {sorted(missing)}")
    return len(frames), len(pictures)


def main():
    shutil.rmtree(BUILD / "rendered" / "live", ignore_errors=True)
    (BUILD / "rendered").mkdir(exist_ok=True)
    with scene(night_pace=100) as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        narrator = voice.Narrator(folder, broker.port)
        narrator.until(lambda: "connected" in narrator.log(), "its connection")
        lamps = client("table-lights", folder, broker.port, f"[lamp rim]\ntype = record\nfile = {folder}/lights.jsonl\nleds = 30\nring = 15-29\n"
                       "[leds rim]\ns1 = 0-2\ns2 = 3-5\ns3 = 6-8\ns4 = 9-11\ns5 = 12-14\n")
        screen = client("table-display", folder, broker.port, f"[screen]\ntype = png\nfolder = {BUILD}/rendered/live\nwidth = 960\nheight = 540\n",
                        "--keep", "phases")
        evening = Evening(daemon.hands(), sub)
        evening.start()
        evening.deal()
        narrator.says("one_night/deal", "ended")  # people who wait for the end of a sentence
        evening.night()
        evening.day()
        evening.vote()
        evening.result()
        narrator.until(lambda: narrator.marks()[-1][1] != "begun", "silence")
        # A picture is kept when the next one begins, the last one at the end.
        narrator.until(lambda: any((BUILD / "rendered" / "live").glob("*-vote.png")), "the picture of the vote")
        steps = [m["json"]["step"] for m in sub.seen if m["topic"].endswith("/main/public/phase") and m["json"]["step"]]
        evening.hands.close()
        for process in (lamps, screen):
            ended(process)
        narrator.stop()
        said, tape = heard(narrator, steps)
        frames, pictures = seen(folder, sub)
        sub.close()
        print(f"{len(steps)} steps, {said} sentences on {tape * FRAME_MS / 1000:.0f} s of tape, {frames} frames of light, {pictures} pictures")


if __name__ == "__main__":
    main()
