#!/usr/bin/env python3
"""Home Assistant finds the tables: documents it can use, sent anew when it starts, taken back when a table goes (b088 b089 b094)."""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import KIT, LIMIT_S, Broker, Daemon, Subscriber, check  # noqa: E402

DEVICE = "homeassistant/device/tabled_home_main/config"


def table(name):
    return {name: {"deck": "kit", "pads": KIT, "prefix": ""}}


def mqtt(broker, mode):
    return f"[mqtt]\nhost = 127.0.0.1\nport = {broker.port}\nhome_assistant = {mode}\n"


def check_document(document):
    """The keys Home Assistant knows, topics the daemon really publishes, nothing of a card."""
    parts = document["cmps"]
    check({"game", "phase", "round", "deadline", "paused", "violation", "event", "reader_north"} <= set(parts), str(sorted(parts)))
    check(document["avty_mode"] == "all" and [a["t"] for a in document["avty"]] == ["tabled/v1/home/daemon/status", "tabled/v1/home/main/status"],
          str(document["avty"]))
    for name, part in parts.items():
        check(part["p"] in ("sensor", "binary_sensor", "event"), f"{name}: {part}")
        check(part["uniq_id"] == f"tabled_home_main_{name}", f"{name}: {part}")
        check(re.fullmatch(r"tabled/v1/home/main/(public/(game|phase|violation|event)|health/readers)", part["stat_t"]), f"{name}: {part}")
    check("phase_started" in parts["event"]["evt_typ"], str(parts["event"]))


def publish(broker, topic, text, *flags):
    subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", str(broker.port), "-q", "1", *flags, "-t", topic, "-m", text],
                   check=True, timeout=LIMIT_S)


def retained(broker):
    """What a newcomer finds; the mark has a filter of its own, asked last, and so comes last."""
    publish(broker, "mark", "end", "-r")
    newcomer = Subscriber(broker.port, "homeassistant/#", "mark")
    newcomer.wait(lambda m: m["topic"] == "mark")
    newcomer.close()
    return {m["topic"] for m in newcomer.seen} - {"mark"}


def device(broker, folder):
    daemon = Daemon(folder, extra=mqtt(broker, "device")).start()
    watcher = Subscriber(broker.port, "homeassistant/#", "tabled/#")
    watcher.wait(lambda m: m["topic"] == DEVICE)
    first = next(m for m in watcher.seen if m["topic"] == DEVICE)
    check(len(first["raw"]) < 16384, "more than a broker takes")
    check(DEVICE in retained(broker), "the document is not retained")
    check_document(first["json"])
    at = watcher.wait(lambda m: m["topic"].endswith("/public/seats"))
    # b088: Home Assistant starts; the documents and every state come once more.
    publish(broker, "homeassistant/status", "online")
    after = watcher.wait(lambda m: m["topic"] == "homeassistant/status", at)
    watcher.wait(lambda m: m["topic"] == DEVICE and not m["retain"], after)
    for topic in ("daemon/status", "main/status", "main/public/game", "main/public/phase", "main/public/board", "main/health/readers"):
        watcher.wait(lambda m, topic=topic: m["topic"] == f"tabled/v1/home/{topic}", after)
    watcher.close()
    # b089: the daemon dies; what its will says makes every entity unavailable, whatever the table said last.
    daemon.kill()
    status = Subscriber(broker.port, "tabled/v1/home/daemon/status")
    status.wait(lambda m: m["json"]["state"] == "lost")
    status.close()


def renamed(broker, folder):
    """b094: the table has another name now; its former device goes, the new one comes."""
    daemon = Daemon(folder, tables=table("salon"), extra=mqtt(broker, "device")).start()
    watcher = Subscriber(broker.port, "homeassistant/#")
    watcher.wait(lambda m: m["topic"] == "homeassistant/device/tabled_home_salon/config" and m.get("json"))
    while DEVICE in (left := retained(broker)):
        watcher.wait(lambda m: m["topic"] == DEVICE and not m["raw"])
    check(left == {"homeassistant/device/tabled_home_salon/config"}, str(sorted(left)))
    daemon.stop()
    watcher.close()


def components(broker, folder):
    """For an older Home Assistant: a document an entity, and the device's document goes."""
    daemon = Daemon(folder, extra=mqtt(broker, "component")).start()
    watcher = Subscriber(broker.port, "homeassistant/#")
    for platform, part in (("sensor", "phase"), ("binary_sensor", "violation"), ("event", "event"), ("binary_sensor", "reader_north")):
        topic = f"homeassistant/{platform}/tabled_home_main/{part}/config"
        watcher.wait(lambda m, topic=topic: m["topic"] == topic)
        document = next(m for m in watcher.seen if m["topic"] == topic)["json"]
        check(document["dev"]["ids"] == "tabled_home_main" and document["avty_mode"] == "all" and "cmps" not in document, str(document))
    daemon.stop()
    watcher.close()


def cleared(broker, folder):
    """`clear`, and what others announced stays."""
    mine = retained(broker)
    check(len(mine) > 8, str(sorted(mine)))
    publish(broker, "homeassistant/device/lamp/config", "{}", "-r")
    watcher = Subscriber(broker.port, "homeassistant/#")
    watcher.wait(lambda m: "/lamp/" in m["topic"])
    daemon = Daemon(folder, extra=mqtt(broker, "clear")).start()
    at = 0
    for _ in mine:
        at = watcher.wait(lambda m: not m["raw"], at)
    left = retained(broker)
    check(left == {"homeassistant/device/lamp/config"}, str(sorted(left)))
    daemon.stop()
    watcher.close()


def main():
    with tempfile.TemporaryDirectory(prefix="tabled-test-") as name:
        folder = pathlib.Path(name)
        broker = Broker(folder)
        try:
            for i, case in enumerate((device, renamed, components, cleared)):
                case(broker, folder / str(i))
                print(f"{case.__name__}: ok")
        finally:
            broker.stop()


main()
