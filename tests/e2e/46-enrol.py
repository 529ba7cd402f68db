#!/usr/bin/env python3
"""Enrolment as people do it: place a tile, choose the piece, next; lists in and out; two sides of one tile."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, DECK, LIMIT_S, TAG, check, scene  # noqa: E402


class Wizard:
    """The wizard at a pipe: lines in, lines out."""

    def __init__(self, daemon, *arguments):
        self.process = subprocess.Popen([str(BIN / "tablectl"), "--socket", str(daemon.socket), "enrol", "wizard", *arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.seen = ""

    def until(self, text):
        while text not in self.seen:
            line = self.process.stdout.readline()
            check(line, f"the wizard ended before \"{text}\":\n{self.seen}")
            self.seen += line
        said, self.seen = self.seen, ""
        return said

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        return self.process.wait(LIMIT_S), self.seen + rest


def one_after_the_other(daemon, hands):
    wizard = Wizard(daemon, "spare")
    for pad, tag, line in (("s1", "04A10A5A1F6180", "seer seer"), ("s2", "04A20A5A1F6180", "robber-2")):
        wizard.until("lay a new tile")
        hands.put(pad, tag)
        check("a new tile on pad " + pad in wizard.until("a new tile"), "and where it lies")
        wizard.say("")  # nothing is written on it: the question stays
        wizard.say(line)
        wizard.until("done")
    wizard.until("lay a new tile")
    hands.put("s3", "04A30A5A1F6180")
    wizard.until("a new tile on pad s3")
    code, said = wizard.end()
    hands.take("s3")
    hands.settle()
    check(code == 0 and "2 tiles enrolled" in said, f"end of input ends: {code} {said}")
    listed = daemon.ctl("enrol", "export", "spare")
    check("spare,seer,seer," in listed and "spare,robber-2,robber," in listed, f"the kind comes from the name: {listed}")


def explained(daemon, hands):
    for pad, tag, why in (("s4", TAG["seer"], "is kit/seer already"), ("s5", "08AB12CD", "begins with 08"),
                          ("c1", "88041122", "only a part")):
        wizard = Wizard(daemon, "spare")
        wizard.until("lay a new tile")
        hands.put(pad, tag)
        wizard.until(why)
        check(wizard.end()[0] == 4, "refused")
        hands.take(pad)
        hands.settle()


def lists(daemon, folder):
    exported = json.loads(daemon.ctl("enrol", "export", "kit", "--tags", "--json"))
    check(len(exported["pieces"]) == len(DECK) and exported["pieces"][0]["tags"][0]["tag"], "a list as JSON")
    without = daemon.ctl("enrol", "export", "kit", "--json")
    check(json.loads(without)["pieces"] and not any(tag in without for tag in TAG.values()), "and without tags")
    two = folder / "two.json"
    two.write_text(json.dumps({"pieces": [{"deck": "two", "name": "boat", "kind": "boat", "tags": [
        {"tag": "04B10A5A1F6180", "face": "up"}, {"tag": "04B20A5A1F6180", "face": "down"}]}]}))
    check("2 tags added" in daemon.ctl("enrol", "import", str(two)), "the count is printed")
    check("two,boat,boat,04B20A5A1F6180,down" in daemon.ctl("enrol", "export", "two", "--tags"), "two tags, two faces")
    status, _, raw = daemon.request("GET", "/api/v1/pieces?deck=two&tags=1", token=daemon.token("admin"))
    body = json.loads(raw)
    check(status == 200 and [t["face"] for t in body["pieces"][0]["tags"]] == ["up", "down"], f"over REST: {body}")
    status, _, raw = daemon.request("POST", "/api/v1/pieces/import", {"pieces": body["pieces"]}, token=daemon.token("admin"))
    check(status in (200, 409), f"the list that came out goes in: {raw}")
    house = folder / "copy.db"
    done = subprocess.run([str(BIN / "tablectl"), "enrol", "import", str(two), "--db", str(house)], capture_output=True, text=True, timeout=LIMIT_S)
    check(done.returncode == 0 and "2 tags added" in done.stdout, f"without a daemon: {done.stdout}{done.stderr}")


def main():
    with scene(with_broker=False) as (folder, _, daemon):
        hands = daemon.hands()
        one_after_the_other(daemon, hands)
        explained(daemon, hands)
        lists(daemon, folder)
        hands.close()
    print("tiles are enrolled one after the other, and what cannot be is explained")


main()
