#!/usr/bin/env python3
"""A real broker that keeps what it is told on its disk, a real daemon with every log line: no tag, no name of a piece in the broker's file, the
log, what the service manager is told, or any message, in the middle of a night."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import DECK, Broker, Daemon, Evening, Subscriber, check  # noqa: E402

CANARIES = {f"canary-{n}-{kind[::-1].replace('_', '-')}" if kind != "control" else name: (kind, tag) for n, (name, (kind, tag)) in enumerate(DECK.items())}


def notified(daemon):
    """Everything the daemon has told the service manager since it was ready."""
    ret = b""
    daemon.notify.setblocking(False)
    while True:
        try:
            ret += daemon.notify.recv(4096) + b"\n"
        except BlockingIOError:
            return ret


def main():
    with tempfile.TemporaryDirectory(prefix="tabled-stays-") as name:
        folder = pathlib.Path(name)
        broker = Broker(folder, persistence=True)
        daemon = Daemon(folder / "house", broker, night_pace=5).start()
        try:
            daemon.enrol(CANARIES)
            sub, hands = Subscriber(broker.port), daemon.hands()
            evening = Evening(hands, sub)
            evening.start()
            evening.deal()
            evening.night()
            hands.close()
            broker.stop()
            sub.close()
            kept = (broker.folder / "mosquitto.db").read_bytes()
            places = {"the broker's disk": kept, "the log": daemon.log_text().encode(), "the service manager": notified(daemon)}
            places |= {f"{m['topic']}": m["raw"] for m in sub.seen}
            check(b"/public/phase" in kept, "the broker has kept nothing")
            for where, what in places.items():
                for piece, (kind, tag) in CANARIES.items():
                    for word in (tag, piece) if kind != "control" else (tag,):
                        check(word.lower().encode() not in what.lower() and bytes.fromhex(tag) not in what, f"{where} has {word}")
            print(f"{len(kept)} bytes of the broker's disk, {len(sub.seen)} messages, {len(places['the log'])} bytes of log: no tag, no piece")
        finally:
            if daemon.process:
                daemon.stop()
            broker.stop()


if __name__ == "__main__":
    main()
