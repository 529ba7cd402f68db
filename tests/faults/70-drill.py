#!/usr/bin/env python3
"""The drill: an evening is played and backed up, the card is lost, the backup is restored on an empty one. All that was is there."""
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import Evening, Subscriber, check, scene  # noqa: E402

LISTS = ("/api/v1/tables/main/timeline", "/api/v1/games", "/api/v1/pieces")


def answers(daemon):
    """What the daemon tells of the past: lists without what changes with every answer."""
    token = daemon.token("admin")
    ret = {}
    for path in LISTS:
        status, _, raw = daemon.request("GET", path, token=token)
        ret[path] = (status, raw)
    return ret


def main():
    with scene(night_pace=2) as (folder, broker, daemon):
        sub = Subscriber(broker.port)
        hands = daemon.hands()
        Evening(hands, sub).play()
        daemon.ctl("end", "main", code=None)
        daemon.ctl("backup", str(folder / "backup"))
        before, tokens = answers(daemon), daemon.tokens()
        check(any(status == 200 and raw.count(b"{") > 3 for status, raw in before.values()), f"there is something to lose: {before}")
        daemon.stop()
        hands.close()
        sub.close()
        shutil.rmtree(daemon.folder / "state")
        (daemon.folder / "state").mkdir(mode=0o700)
        daemon.ctl("restore", str(folder / "backup"), "--state", str(daemon.folder / "state"))
        daemon.start()
        for path, answer in answers(daemon).items():
            check(answer == before[path], f"{path} was {before[path]}, is {answer}")
        check(daemon.tokens() == tokens, "the same tokens")
        daemon.ctl("journal", "verify", str(daemon.folder / "state" / "journal.db"))
        size = (folder / "backup").stat().st_size
        # And the next evening begins.
        sub = Subscriber(broker.port)
        hands = daemon.hands()
        check(Evening(hands, sub).play()["over"], "the next evening is played")
        hands.close()
        sub.close()
        status = json.loads(daemon.ctl("status", "main", "--json"))
        check(status["result"]["over"], f"its result is there: {status['result']}")
    print(f"restored from {size} bytes, and played on")


if __name__ == "__main__":
    main()
