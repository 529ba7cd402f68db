#!/usr/bin/env python3
"""Every recorded evening as sound, in English and another language: each line is heard in its window, one voice at a time,
the bed lies under the whole night, nothing clips, and a night begins its lines at the same moments whatever it speaks."""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from harness import check  # noqa: E402
from hearing import Sound, dark_spans, replay, windows  # noqa: E402

OTHERS = ("es", "it", "zh")
CLIPPED, HEARD, BED, QUIET, FADE_MS = 32760, 700, 60, 20, 1600
OWN = ("reminder", "violation", "paused", "resumed")  # what the narrator says of itself


def in_dark(spans, ms):
    return any(a <= ms < b for a, b in spans)


def check_lines(name, sound, messages, spans, limits):
    told = [line["id"] for m in messages if m["topic"] == "public/narration" for line in m["message"]["lines"]]
    said = [n.split("/", 1)[-1] for n, *_ in sound.spoken if n not in OWN]
    lost = [n.split("/", 1)[-1] for n, *_ in sound.lost if n not in OWN]
    check(sorted(said + lost) == sorted(told), f"{name}: of {len(told)} lines {len(said)} are said and {len(lost)} are not")
    for line, begun, ended, due in sound.spoken:
        frames = sound.loud(begun, ended)
        heard = sum(x > HEARD for x in frames)
        check(heard * 3 > len(frames), f"{name}: {line} at {begun:.0f} ms is not heard: {heard} of {len(frames)} frames")
        if line not in OWN and in_dark(spans, due):
            game, _, key = line.partition("/")
            limit = limits.get((game, key)) or limits["", key]
            check(ended - begun <= limit, f"{name}: {line} takes {ended - begun:.0f} of {limit} ms")
            check(begun - due < 450, f"{name}: {line} begins {begun - due:.0f} ms late")
    for line, what, at, due in sound.lost:
        check(not in_dark(spans, due), f"{name}: {line} is {what} by night at {at:.0f} ms")


def check_sound(name, sound, spans):
    order = sorted(sound.spoken, key=lambda s: s[1])
    for (a, _, ended, _), (b, begun, _, _) in zip(order, order[1:]):
        check(begun >= ended, f"{name}: {b} begins while {a} speaks")
    check(max(sound.peak) < CLIPPED, f"{name}: a sample of {max(sound.peak)}")
    for begin, end in spans:
        bed = sound.loud(begin + FADE_MS, end)
        check(min(bed, default=BED) >= BED // 2, f"{name}: the bed stops: a frame of {min(bed, default=0)} in the night from {begin} ms")
        floor = sorted(bed)[len(bed) // 2] if bed else 0
        check(not bed or floor < HEARD, f"{name}: the bed is as loud as a voice")
    if not spans:
        silent = sum(x < QUIET for x in sound.rms)
        check(silent, f"{name}: noise by day")


def main(folder=HERE):
    limits, n = windows(), 0
    for number, log in enumerate(sorted(folder.glob("*.tap"))):
        if log.stem == "noise":
            continue
        messages, lines = replay.replay(log)
        spans = dark_spans(messages, messages[-1]["ms"])
        other = OTHERS[number % len(OTHERS)]
        with tempfile.TemporaryDirectory(prefix="tabled-voice-") as made:
            sounds = {language: Sound(lines, language, pathlib.Path(made)) for language in ("en", other)}
        for language, sound in sounds.items():
            check_lines(f"{log.stem} in {language}", sound, messages, spans, limits)
            check_sound(f"{log.stem} in {language}", sound, spans)
        night = [[(s[0], s[1]) for s in sound.spoken if in_dark(spans, s[3])] for sound in sounds.values()]
        check(night[0] == night[1], f"{log.stem}: the night is not the same in en and {other}")
        n += len(sounds["en"].spoken)
        print(f"{log.stem}: {len(sounds['en'].spoken)} sentences in en and {other}, {len(night[0])} of them by night, {len(sounds['en'].rms) * 20 // 1000} s")
    print(f"voice: {n} sentences heard")


if __name__ == "__main__":
    main()
