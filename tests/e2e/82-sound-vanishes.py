#!/usr/bin/env python3
"""The sound card goes in the middle of a sentence, takes nothing for a while, and comes back: the voice goes on in its time, says so
once, and is heard again; nobody at the table waits for it."""
import importlib.util
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from harness import BIN, Evening, Subscriber, check, scene  # noqa: E402

spec = importlib.util.spec_from_file_location("narrator", HERE / "80-narrator.py")
voice = importlib.util.module_from_spec(spec)
spec.loader.exec_module(voice)


class Card:
    def __init__(self, folder):
        self.file = folder / "card-away"
        self.opened = folder / "card-away.opened"
        self.env = {"LD_PRELOAD": str(BIN / "libfaulty_sound.so"), "FAULTY_SOUND": str(self.file),
                    "ASAN_OPTIONS": "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", "")}

    def away(self):
        self.file.write_text("")

    def deaf(self):
        self.file.write_text("takes nothing")

    def back(self):
        self.file.unlink()

    def tries(self):
        return self.opened.stat().st_size


def main():
    with scene() as (folder, broker, daemon):
        sub, card = Subscriber(broker.port), Card(folder)
        narrator = voice.Narrator(folder, broker.port, env=card.env)
        narrator.until(lambda: "connected" in narrator.log(), "its connection")
        evening = Evening(daemon.hands(), sub)
        evening.start()
        narrator.says("one_night/deal")
        card.away()  # in the middle of it
        narrator.until(lambda: "no sound" in narrator.log(), "the complaint")
        evening.deal()  # nobody waits
        narrator.says("one_night/deal", "ended")
        for state in (card.deaf, card.away):
            before = card.tries()
            narrator.until(lambda before=before: card.tries() > before + 2, "three more tries")
            state()
        before = card.tries()
        narrator.until(lambda: card.tries() > before + 2, "three more tries")
        check(narrator.log().count("no sound") == 1, f"said once:\n{narrator.log()}")
        check(narrator.log().count("playing device=") == 1, "a card that takes nothing does not play")
        card.back()
        narrator.until(lambda: narrator.log().count("playing device=") == 2, "the card")
        mark = len(narrator.marks())
        daemon.ctl("pause", "main")
        narrator.says("paused", "begun", mark)
        narrator.until(lambda: max(narrator.samples_so_far()) > 700, "a voice on the new tape")
        card.away()  # once more, and it is said once more
        narrator.until(lambda: narrator.log().count("no sound") == 2, "the second complaint")
        narrator.says("paused", "ended", mark)
        card.back()
        narrator.until(lambda: narrator.log().count("playing device=") == 3, "the card again")
        view = json.loads(daemon.ctl("status", "main", "--json"))
        check(view["phase"]["id"] == "deal" and view["phase"]["pause_reason"] != "restart", f"the table knows nothing of it: {view['phase']}")
        check(sum(p["level"] == "occupied" for p in view["board"]["places"] if p["sensed"]) == 8, "all is dealt")
        evening.hands.close()
        sub.close()
        narrator.stop()
        check("ERROR: " not in narrator.log() and "runtime error" not in narrator.log(), narrator.log()[-3000:])
    print("the sound went twice and came back, the evening went on")


if __name__ == "__main__":
    main()
