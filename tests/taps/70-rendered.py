#!/usr/bin/env python3
"""A whole evening of every game seen: the recorded games go through `table-display --render` and `table-lights --render`. Every phase
has its picture, the result too; lamps are lit, and by night stand still. Pictures are kept in BUILD/rendered/GAME to be looked at."""
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from harness import BIN, BUILD, check  # noqa: E402

spec = importlib.util.spec_from_file_location("replay", HERE / "10-replay.py")
taps = importlib.util.module_from_spec(spec)
spec.loader.exec_module(taps)

GAMES = {"one_night": "one-night-kit", "not_alone": "not-alone", "battle_sheep": "battle-sheep", "elfenland": "elfenland", "alien_hunt": "alien-hunt"}
LANGUAGES = {"one_night": "zh", "not_alone": "es", "elfenland": "it"}
NIGHT_MS = 400  # a fade


def lights(folder, lines, seats):
    conf, frames = folder / "lights.conf", folder / "frames.jsonl"
    leds = "".join(f"s{n} = {n * 3}-{n * 3 + 2}\n" for n in range(1, seats + 1))
    conf.write_text(f"[lamp rim]\ntype = record\nfile = unused\nleds = 60\nring = 40-59\n[leds rim]\n{leds}")
    subprocess.run([BIN / "table-lights", "--config", conf, f"--render={lines}", "--out", frames], check=True, timeout=120)
    return [json.loads(line) for line in frames.read_text().splitlines()]


def dark_spans(messages):
    """From the message that begins a dark phase to the one that ends it, in ms."""
    spans, begun = [], None
    for m in messages:
        if m["topic"] != "public/phase":
            continue
        dark = m["message"]["veil"] == "dark"
        if dark and begun is None:
            begun = m["ms"]
        elif not dark and begun is not None:
            spans.append((begun, m["ms"]))
            begun = None
    return spans


def main():
    for game, log in GAMES.items():
        messages, lines = taps.replay(HERE / f"{log}.tap")
        with tempfile.TemporaryDirectory(prefix="tabled-rendered-") as name:
            folder = pathlib.Path(name)
            feed = folder / "feed.jsonl"
            feed.write_text("\n".join(lines) + "\n")
            pictures = BUILD / "rendered" / game
            shutil.rmtree(pictures, ignore_errors=True)
            pictures.parent.mkdir(exist_ok=True)
            subprocess.run([BIN / "table-display", f"--render={feed}", "--out", pictures, "--keep", "phases", "--lang", LANGUAGES.get(game, "en")],
                           check=True, timeout=200, stderr=subprocess.DEVNULL)
            shown = {file.stem.split("-", 1)[1] for file in pictures.glob("*.png")}
            phases = {"-".join(filter(None, (m["message"]["id"], m["message"]["step"]))) for m in messages
                      if m["topic"] == "public/phase" and m["message"]["id"]}
            # A phase that ends in the moment it began was never seen by anybody.
            lasting = {p for p in phases if p in shown}
            check("result" in shown and len(lasting) >= len(phases) - 2, f"{game}: no picture of {sorted(phases - shown)}")
            seats = max(len(m["message"]["seats"]) for m in messages if m["topic"] == "public/seats")
            frames = lights(folder, feed, seats)
            check(len(frames) > 20, f"{game}: {len(frames)} frames of light")
            for begin, end in dark_spans(messages):
                still = {f["rgb"] for f in frames if begin + NIGHT_MS < f["at_ms"] < end}
                check(len(still) <= 1, f"{game}: {len(still)} different lights between {begin} and {end} ms")
            print(f"{game}: {len(shown)} pictures, {len(frames)} frames of light")


if __name__ == "__main__":
    main()
