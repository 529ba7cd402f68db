#!/usr/bin/env python3
"""The sample is right and whole; what is wrong in a configuration is told with file, line and what to do."""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, ROOT, check  # noqa: E402

GOOD = "[daemon]\nstate_dir = state\n[table main]\n[reader r]\ndriver = sim\nsocket = r.sock\n[pad s1]\nreader = r\n"
# What is added or changed, the exit code, what the message must hold.
BAD = [
    ("[pad s2]\nreader = box\n", 3, ["tabled.conf:10", "box"]),
    ("[pad s2]\nreeder = r\n", 3, ["tabled.conf:10", "reeder", "reader"]),
    ("[pod s2]\n", 3, ["tabled.conf:9", "pod", "pad"]),
    ("[pad s2]\nreader = r\nantenna = 999\n", 3, ["tabled.conf:11", "999", "255"]),
    ("[pad s2]\nreader = r\n", 3, ["same antenna", "s1", "s2"]),
    ("[pad s1]\nreader = r\n", 3, ["tabled.conf:9", "s1"]),
    ("[table daemon]\n", 3, ["tabled.conf:9", "daemon"]),
    ("[table Kitchen]\n", 3, ["tabled.conf:9"]),
    ("[map main/one_night]\nv1 = s9\n", 3, ["tabled.conf:10", "s9"]),
    ("[map main/chess]\nv1 = s1\n", 3, ["tabled.conf:9", "chess"]),
    ("[map main/one_night/v1]\nv1 = s1\n", 3, ["tabled.conf:9", "TABLE/GAME"]),
    ("[map main/one_night]\n" + "v" * 33 + " = s1\n", 3, ["tabled.conf:10", "32 characters"]),
    ("[pad s2]\nreader = r\nantenna = 1\nplace = " + "v" * 33 + "\n", 3, ["tabled.conf:12", "32 characters"]),
    ("".join(f"[reader q{i}]\ndriver = sim\nsocket = /tmp/q{i}\n" for i in range(512)), 3, ["tabled.conf:1542", "more than 512 readers"]),
    ("".join(f"[reader q{i}]\ndriver = sim\nsocket = /tmp/q{i}\n[pad q{i}]\nreader = q{i}\n" for i in range(64)), 3, ["tabled.conf:327", "table main has more than 64 readers"]),
    ("".join(f"[pad q{i}]\nreader = r\nantenna = {i % 256}\n" for i in range(2049)), 3, ["tabled.conf:6150", "more than 2048 pads"]),
    ("[reader q]\ndriver = pn523\n", 3, ["tabled.conf:10", "pn523", "did you mean 'pn532'", "mfrc522"]),
    ("[reader q]\ndriver = pn532\n", 3, ["port"]),
    ("[reader q]\ndriver = mfrc522\ndevice = /dev/spidev0.0 /dev/spidev0.1\n[pad q]\nreader = q\nantenna = 2\n", 3, ["tabled.conf:14", "2 antennas", "no antenna 2"]),
    ("[reader q]\ndriver = mfrc522\ndevice = /dev/spidev0.0\n[reader p]\ndriver = pn532\nwire = spi\nport = /dev/spidev0.0\n", 3,
     ["tabled.conf:12", "reader q and reader p", "chip select"]),
    ("[reader q]\ndriver = mfrc522\ndevice = /dev/spidev0.0\ngain = 60\n", 3, ["tabled.conf:12", "48"]),
    ("[reader q]\ndriver = pn532\nport = /dev/ttyS0\nantennas = 4\n", 3, ["tabled.conf:12", "mux"]),
    ("[mqtt]\nport = many\n", 3, ["tabled.conf:10", "many"]),
    ("[mqtt]\nhost = " + "x" * 300 + "\n", 3, ["tabled.conf:10", "long"]),
    ("[mqtt]\nhost = a\nhost = b\n", 3, ["tabled.conf:11", "host"]),
    ("[http]\ntimeout = 3 parsecs\n", 3, ["tabled.conf:10", "parsecs"]),
    ("[http]\nlisten = 127.0.0.1:8137 127.0.0.1\n", 3, ["tabled.conf:10", "127.0.0.1:8137"]),
    ("\0\n", 3, ["tabled.conf:9"]),
]

# What the game of a table is told to be, the line it is told with, what the message must hold.
GAME = [
    ("preset = base_99\n", 5, "base_99"),
    ("preset = base_5\noptions = balot=tapped\n", 6, "balot"),
    ("preset = base_5\noptions = ballot=taped\n", 6, "tapped"),
    ("preset = base_5\nseats = 7\n", 6, "7 players"),
    ("seats = 14\n", 5, "3 to 12"),
    ("seats = 5\nroles = werwolf\n", 6, "werwolf"),
    ("seats = 5\nbots = s2 s6\n", 6, "'s6' is no seat"),
    ("seats = 5\nroles = werewolf seer\n", 6, "need 8"),
]


def tabled(*arguments):
    done = subprocess.run([BIN / "tabled", *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def main():
    sample = ROOT / "systemd" / "tabled.conf"
    code, out, err = tabled("--config", sample, "--check-config")
    check(code == 0, f"the sample is refused: {err}")
    _, every, _ = tabled("--sample-config")
    text = sample.read_text()
    section = None
    for line in every.splitlines():
        section = line if line.startswith("[") else section
        key = re.match(r"#(\w+) = ", line)
        check(not key or re.search(rf"^#?{key[1]} = ", text, re.M), f"the sample explains no {section} {key and key[1]}")
    seen = set()  # whoever takes the # away shall not find a key twice
    for line in text.splitlines():
        if re.match(r"#?\[", line):
            seen = set()
        key = re.match(r"#?(\w+) =", line)
        check(not key or key[1] not in seen, f"the sample has `{line}` twice in one section")
        seen |= {key[1]} if key else set()
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "tabled.conf"
        path.write_text(GOOD)
        check(tabled("--config", path, "--check-config")[0] == 0, "the good one is good")
        for more, want, words in BAD:
            path.write_text(GOOD + more)
            code, _, err = tabled("--config", path, "--check-config")
            check(code == want, f"exit {code} for {more[:80]!r}: {err}")
            check(all(word in err for word in words), f"{more[:80]!r} is told as: {err[:400]}")
        for more, line, word in GAME:
            path.write_text(GOOD.replace("[table main]\n", f"[table main]\ngame = one_night\n{more}"))
            code, _, err = tabled("--config", path, "--check-config")
            check(code == 3 and f"tabled.conf:{line}:" in err and word in err, f"{more[:80]!r} is told as: {err[:400]}")
        path.write_text(GOOD.replace("[table main]\n", "[table main]\ngame = one_night\npreset = base_3\n"))
        code, _, err = tabled("--config", path, "--check-config")
        check(code == 0 and "no pad for s2 s3 c1" in err, f"places without a pad are told: {err}")
        for log, said in ((path, "there is such a file already"), (path / "evening.tap", "cannot be written")):
            code, _, err = tabled("--config", path, "--record", log)
            check(code == 3 and said in err and "listening" not in err, f"a log that cannot be: exit {code}, {err}")
            check([f.name for f in path.parent.iterdir()] == [path.name], "and nothing is opened before it is refused")
        cafe = "".join(f"[table t{n}]\ngame = elfenland\n[reader r{n}]\ndriver = replay\n[pad p{n}]\ntable = t{n}\nreader = r{n}\n" for n in range(60))
        path.write_text(f"[daemon]\nstate_dir = state\n{cafe}")
        code, _, err = tabled("--config", path, "--check-config")
        check(code == 0 and err.endswith("entered by hand\n") and len(err) < 4096, f"more to note than there is room for: exit {code}, {err[-200:]}")
    check(tabled("--log-level", "loud")[0] == 2, "a log level that is none is a wrong argument")
    check(tabled("--config", "/nowhere/tabled.conf")[0] == 3, "a missing file is exit 3")
    check(tabled("--frobnicate")[0] == 2 and tabled("word")[0] == 2, "wrong arguments are exit 2")
    check(tabled("--version")[0] == 0 and tabled("--help")[0] == 0, "help and version are exit 0")
    print(f"{len(BAD) + len(GAME)} faults told, the sample is whole")


if __name__ == "__main__":
    main()
