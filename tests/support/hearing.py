"""Renders what a table tells to sound and listens to it: the narrator's --render, its marks, loudness by frames."""
import importlib.util
import os
import pathlib
import re
import subprocess

from harness import BIN, ROOT

FRAME_MS = 20
TAPS = ROOT / "tests" / "taps"

spec = importlib.util.spec_from_file_location("replay", TAPS / "10-replay.py")
replay = importlib.util.module_from_spec(spec)
spec.loader.exec_module(replay)


def windows():
    """{(game, line): ms} of the slowest language."""
    rows = re.findall(r'^LINE\("(.*?)", "(.*?)", ".*?", (\d+), ', (ROOT / "clients/room/lines.def").read_text(), re.M)
    return {(game, line): int(ms) for game, line, ms in rows}


class Sound:
    """A rendered evening: `spoken` are (name, begun, ended, due) in ms, `lost` what was cut or never begun."""

    def __init__(self, lines, language, folder, *arguments):
        self.wav, marks = folder / f"{language}.wav", folder / f"{language}.marks"
        done = subprocess.run([BIN / "table-narrator", "--render", "--lang", language, "--out", self.wav, "--marks", marks, *arguments],
                              input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=300, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
        if done.returncode:
            raise AssertionError(f"table-narrator ended with {done.returncode}\n{done.stderr[-2000:]}")
        self.complaints, self.marks = done.stderr, marks.read_text()
        self.spoken, self.lost, begun = [], [], None
        for row in self.marks.splitlines():
            at, what, name, due = row.split("\t")
            if what == "begun":
                begun = float(at)
            elif what == "ended":
                self.spoken.append((name, begun, float(at), float(due)))
            else:
                self.lost.append((name, what, float(at), float(due)))
        frames = subprocess.run([BIN / "listen", self.wav], check=True, capture_output=True, text=True).stdout.split()
        self.rms, self.peak = [int(x) for x in frames[::2]], [int(x) for x in frames[1::2]]

    def loud(self, begin_ms, end_ms):
        """Loudness of the frames that lie inside."""
        return self.rms[-int(-begin_ms // FRAME_MS):int(end_ms // FRAME_MS)]


def dark_spans(messages, end_ms):
    """[(from, to)] in ms: the dark phases of a replay."""
    spans, since = [], None
    for m in messages:
        if m["topic"] != "public/phase":
            continue
        dark = m["message"]["veil"] == "dark"
        if dark and since is None:
            since = m["ms"]
        elif not dark and since is not None:
            spans.append((since, m["ms"]))
            since = None
    return spans + ([(since, end_ms)] if since is not None else [])
