#!/usr/bin/env python3
"""The catalogues against what the programs say.

    po/catalogue.py check  [BUILD]   exit 1 if a translation is missing, stale or malformed, or a line is longer than said
    po/catalogue.py update [BUILD]   bring the .po files up to what is said now (new entries come empty), and what is made of
                                     them: the table of lines with the length of the slowest language (clients/room/lines.def)
                                     and the sentences of the dashboard (clients/web/lang/said)
    po/catalogue.py missing [BUILD]  list what is wrong, always exit 0

BUILD is a build folder with `bin/extract`, `bin/tabled` and `bin/table-narrator` (default build/ci or $TABLED_BUILD).
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
LANGUAGES = {"en": 2, "es": 2, "it": 2, "zh": 1}  # plural forms
# What speaks to people. Casebooks and computer players do not.
SOURCES = ("daemon/engine/*.c", "daemon/games/*/*.c", "clients/*/*.c")
SILENT = re.compile(r"/(casebook\w*|bot\w*|player|_template)\.c$")
KEYWORDS = ("N_", "narration_translate:2", "error_illegal:3", "catalogue_text:3")
# Tables of sentences: what reads like one, from its capital to its full stop; and why somebody has won.
TABLES = ("daemon/engine/*.c", "daemon/games/*/*.[ch]")
SENTENCE = re.compile(r'"([A-Z][^"\\\n%]* [^"\\\n%]*\.)"')
REASON = re.compile(r"ret->reason, sizeof ret->reason,([^;]*);|^static const char \*reason\((.*?)^\}", re.M | re.S)
# What a start, a choice or a login is refused with: told in English, said by the dashboard in the language of its reader.
REFUSING = ("daemon/engine/door*.c", "daemon/engine/table_act.c", "daemon/engine/table_choice.c", "daemon/engine/table_undo.c",
            "daemon/engine/table_pause.c", "daemon/engine/table_game.c", "daemon/engine/game_setup.c", "daemon/games/*/*.c",
            "daemon/net/people*.c", "daemon/net/settings.c", "daemon/net/overlay.c", "daemon/net/views_history.c",
            "daemon/net/history.c", "daemon/net/request.c", "daemon/net/answer.c", "daemon/engine/game_unknown.c")
REFUSALS = ("game_issue:4", "error_set:4", "answer_code:3")
NEEDS = re.compile(r'^ *\{"\w+", "([^"]+)", [^"]+, "([^"]+)"\},$', re.M)  # of a set-up: what no pad feels, who tells it instead
HELP = re.compile(r"^# (.*)\n#\w+ = ", re.M)  # of `tabled --sample-config`
UNIT = re.compile(r'^\s*(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?)?\s*"(.*)"\s*$')


def unquote(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def read_po(text):
    """[{msgctxt, msgid, msgid_plural, msgstr or msgstr[n], flags, obsolete}] in order, the header left out."""
    entries = []
    for block in re.split(r"\n\s*\n", text):
        entry, field = {"flags": "", "comment": [], "obsolete": False}, None
        for line in block.splitlines():
            if line.startswith("#~"):
                entry["obsolete"] = True
                continue
            if line.startswith("#,"):
                entry["flags"] += line[2:]
                continue
            if line.startswith("#"):
                entry["comment"].append(line)
                continue
            found = UNIT.match(line)
            if not found:
                continue
            field = found[1] or field
            entry[field] = entry.get(field, "") + unquote(found[2])
        if entry.get("msgid") or entry["obsolete"]:
            entries.append(entry)
    return entries


def key(entry):
    return entry.get("msgctxt", ""), entry.get("msgid", "")


def slotted(text):
    """The same for what only the dashboard says: its places take words too. None if nothing but places is left."""
    count = iter(range(10))
    made = re.sub(r"%(?:<PRI\w+>|[-.0-9]*(?:ll|z)?[dsu])", lambda _: "{%d}" % next(count), text)
    return made if re.search(r"[A-Za-z]{2}", re.sub(r"\{\d\}", "", made)) and "%" not in made else None


def numbered(text):
    """A format of the sources as the daemon's texts are looked up: numbers as {0}, {1}; None if it holds other words."""
    if "%" not in text:
        return text
    count = iter(range(10))
    made = re.sub(r"%[du]", lambda _: "{%d}" % next(count), text)
    return None if "%" in made else made


def sources(patterns):
    files = sorted({str(f.relative_to(ROOT)) for pattern in patterns for f in ROOT.glob(pattern)})
    return [f for f in files if not SILENT.search(f)]


def marked(files, keywords):
    out = subprocess.run(["xgettext", "--language=C", "--from-code=UTF-8", "--no-location", "-o", "-", "-k",
                          *[f"-k{k}" for k in keywords], *files], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [entry["msgid"] for entry in read_po(out)]


def from_sources(patterns=SOURCES):
    texts = filter(None, map(numbered, marked(sources(patterns), KEYWORDS)))
    return [{"msgid": text, "comment": ["#. said when something is wrong or to be done"]} for text in texts]


def from_refusals():
    texts = [slotted(text) for text in marked(sources(REFUSING), REFUSALS)]
    for file in sources(("daemon/games/*/senses.c",)):
        texts += [part for row in NEEDS.findall((ROOT / file).read_text(encoding="utf-8")) for part in row]
    return [{"msgid": text, "comment": ["#. what the dashboard says of a refusal"]} for text in texts if text and text != "out of memory"]


def from_settings(build):
    """What each key of the configuration is for, and the ends of sentences that name another word."""
    sample = subprocess.run([str(build / "bin" / "tabled"), "--sample-config"], check=True, capture_output=True, text=True).stdout
    texts = [re.sub(r"(; one of: [^;]*)?(; must be given)?$", "", text) for text in HELP.findall(sample)]
    texts += marked(("daemon/net/settings.c",), ("N_",))
    entries = [{"msgid": text, "comment": ["#. about a key of the configuration"]} for text in texts]
    ends = map(slotted, marked(("daemon/core/config_value.c",), ("N_",)))
    return entries + [{"msgid": text, "comment": ["#. ends what the dashboard says of a refusal"]} for text in ends]


def worded():
    """A rule that names another word is looked up by nobody: the sentence is written out, or a table has it whole ("%s")."""
    for text in marked(sources(SOURCES), ("error_illegal:3",)):
        if numbered(text) is None and text != "%s":
            yield f"{text!r} holds a word: write it out for each (po/README.md)"


def from_tables():
    entries = []
    for file in sorted(f for pattern in TABLES for f in ROOT.glob(pattern)):
        if SILENT.search(str(file)):
            continue
        text = file.read_text(encoding="utf-8")
        reasons = [r for parts in REASON.findall(text) for r in re.findall(r'"([^"]*)"', "".join(parts)) if "%" not in r]
        entries += [{"msgid": s, "comment": ["#. said when something is wrong or to be done"]} for s in SENTENCE.findall(text)]
        entries += [{"msgid": r, "comment": ["#. why the game is won"]} for r in reasons]
    return entries


def collect(build):
    games = subprocess.run([str(build / "bin" / "extract")], check=True, capture_output=True, text=True).stdout
    entries = {}
    for entry in read_po(games) + from_sources() + from_tables() + from_settings(build) + from_refusals():
        entries.setdefault(key(entry), entry)
    return entries


def write(entries, path, language):
    plural = {2: "nplurals=2; plural=n != 1;", 1: "nplurals=1; plural=0;"}[LANGUAGES[language]]
    out = ['msgid ""', 'msgstr ""', f'"Language: {language}\\n"', '"MIME-Version: 1.0\\n"', '"Content-Type: text/plain; charset=UTF-8\\n"',
           '"Content-Transfer-Encoding: 8bit\\n"', f'"Plural-Forms: {plural}\\n"']
    for entry in entries:
        out += ["", *entry.get("comment", [])]
        if entry.get("msgctxt"):
            out.append("msgctxt " + quote(entry["msgctxt"]))
        out.append("msgid " + quote(entry["msgid"]))
        if "msgid_plural" in entry:
            out.append("msgid_plural " + quote(entry["msgid_plural"]))
            out += [f"msgstr[{i}] " + quote(entry.get(f"msgstr[{i}]", "")) for i in range(LANGUAGES[language])]
        else:
            out.append("msgstr " + quote(entry.get("msgstr", "")))
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def load(language):
    path = HERE / f"{language}.po"
    return {key(e): e for e in read_po(path.read_text(encoding="utf-8"))} if path.exists() else {}


def update(wanted):
    for language in LANGUAGES:
        have, entries = load(language), []
        for k, entry in wanted.items():
            old = have.get(k, {})
            entries.append({**entry, **{f: v for f, v in old.items() if f.startswith("msgstr")}})
        write(entries, HERE / f"{language}.po", language)


# ---- how long lines are

LINES = ROOT / "clients" / "room" / "lines.def"
SLACK_MS, GRID_MS = 40, 50  # a voice is not to the millisecond the same twice


def line_rows(build):
    """(game, line, args, text) of every line there is."""
    rows = subprocess.run([str(build / "bin" / "extract"), "--lines"], check=True, capture_output=True, text=True).stdout
    return [row.split("\t") for row in ("\trepeat_step\t\tWe repeat the step.\n" + rows).splitlines()]


def lengths(build):
    """{(game, line): (args, text, {language: ms})} as the voices of this machine speak them."""
    rows = "\n".join("\t".join(row) for row in line_rows(build)) + "\n"
    env = {**os.environ, "TABLED_LOCALE_DIR": str(build / "share" / "locale"), "ASAN_OPTIONS": "detect_leaks=0"}
    spoken = subprocess.run([str(build / "bin" / "table-narrator"), "lengths"], input=rows, check=True, capture_output=True, text=True, env=env).stdout
    made = {}
    for row in rows.splitlines():
        game, line, args, text = row.split("\t")
        made[game, line] = (args, text, {})
    for row in spoken.splitlines():
        game, line, language, ms, _ = row.split("\t")
        made[game, line][2][language] = int(ms)
    return made


def write_lines(build):
    out = ["// Made by po/catalogue.py update: game, line, arguments, longest of all languages in ms, sentence."]
    for (game, line), (args, text, ms) in lengths(build).items():
        window = -(-(max(ms.values()) + SLACK_MS) // GRID_MS) * GRID_MS
        out.append(f"LINE({quote(game)}, {quote(line)}, {quote(args)}, {window}, {quote(text)})")
    LINES.write_text("\n".join(out) + "\n", encoding="utf-8")


# ---- what the dashboard says in its reader's language, whatever the daemon speaks

SAID = ROOT / "clients" / "web" / "lang" / "said"
CONTEXTS = ("kind", "place", "seat", "option", "verb", "word")


def said_of(language, wanted, rows):
    """Lines by game and id; names by context; sentences by the English one. A list has a form for one and one for many."""
    have = load(language)

    def text(k):
        entry = have.get(k, {})
        if "msgstr[0]" in entry:
            forms = [entry.get(f"msgstr[{i}]") or k[1] for i in range(LANGUAGES[language])]
            return forms if len(set(forms)) > 1 else forms[0]
        return entry.get("msgstr") or k[1]

    lines, args = {}, {}
    for game, line, types, sentence in rows:
        lines.setdefault(game, {})[line] = text(("", sentence))
        if types:
            args.setdefault(game, {})[line] = types
    names = {c: {k[1]: text(k) for k in wanted if k[0] == c} for c in CONTEXTS}
    marked_here = {e["msgid"] for e in from_sources(("daemon/*/*.c", "daemon/games/*/*.c"))}
    desk = {e["msgid"] for e in from_sources(("clients/*/*.c",))} - {e["msgid"] for e in from_tables()}
    others = ({row[3] for row in rows} | desk) - marked_here
    known = [k for k, e in have.items() if not k[0] and k[1] not in others and not e["obsolete"]]
    said = {k[1]: text(k) for k in known if any(strings(have[k], language))}
    return json.dumps({"lines": lines, "args": args, "names": names, "said": said}, ensure_ascii=False, indent=0) + "\n"


def write_said(build, wanted):
    SAID.mkdir(exist_ok=True)
    for language in LANGUAGES:
        (SAID / f"{language}.json").write_text(said_of(language, wanted, line_rows(build)), encoding="utf-8")


def said_faults(build, wanted):
    for language in LANGUAGES:
        file = SAID / f"{language}.json"
        if not file.exists() or file.read_text(encoding="utf-8") != said_of(language, wanted, line_rows(build)):
            yield f"{file.relative_to(ROOT)} is older than the catalogue: po/catalogue.py update"


def line_faults(build):
    have = {}
    for row in LINES.read_text(encoding="utf-8").splitlines():
        found = re.match(r'LINE\("(.*?)", "(.*?)", "(.*?)", (\d+), "(.*)"\)$', row)
        if found:
            have[found[1], found[2]] = (found[3], int(found[4]), unquote(found[5]))
    made = lengths(build)
    for k in have.keys() ^ made.keys():
        yield f"lines.def: {k[0]} {k[1]} is new or gone: po/catalogue.py update"
    for k, (args, text, ms) in made.items():
        if k not in have:
            continue
        if have[k][0] != args or have[k][2] != text:
            yield f"lines.def: {k[0]} {k[1]} has changed: po/catalogue.py update"
        for language, length in ms.items():
            if length < 0:
                yield f"{language}: {k[0]} {k[1]} cannot be heard"
            elif length > have[k][1]:
                yield f"{language}: {k[0]} {k[1]} takes {length} ms of {have[k][1]}: say it shorter, or po/catalogue.py update"


def strings(entry, language):
    if "msgid_plural" in entry:
        return [entry.get(f"msgstr[{i}]", "") for i in range(LANGUAGES[language])]
    return [entry.get("msgstr", "")]


def slots(text):
    return sorted(re.findall(r"\{\d\}", text))


def may_lack(entry):
    """A refusal without a translation is told as its kind, with the English sentence beside it."""
    return any("refusal" in line for line in entry.get("comment", []))


def needs(entry, language):
    """English sentences are their own translation; names and forms for one are not."""
    return language != "en" or entry.get("msgctxt") or "msgid_plural" in entry


def faults_of(language, wanted):
    have = load(language)
    for k in have.keys() - wanted.keys():
        if not may_lack(have[k]):
            yield f"{k[0] or 'sentence'} {k[1]!r} is said no more: po/catalogue.py update"
    for k, entry in wanted.items():
        mine = have.get(k)
        if mine is None and may_lack(entry):
            continue
        if mine is None:
            yield f"{k[0] or 'sentence'} {k[1]!r} is missing: po/catalogue.py update, then translate"
            continue
        if "fuzzy" in mine["flags"]:
            yield f"{k[1]!r} is marked fuzzy"
        for text in strings(mine, language):
            if not text and needs(entry, language) and not may_lack(entry):
                yield f"{k[0] or 'sentence'} {k[1]!r} is not translated"
            elif text and not set(slots(text)) <= set(slots(k[1])):
                yield f"{k[1]!r}: {text!r} has places that the sentence has not"
            elif text and set(slots(k[1])) - set(slots(text)) and not k[0] and "msgid_plural" not in entry:
                yield f"{k[1]!r}: {text!r} leaves out a place"


def main():
    what = sys.argv[1] if len(sys.argv) > 1 else "check"
    build = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("TABLED_BUILD", ROOT / "build" / "ci"))
    wanted = collect(build)
    if what == "update":
        update(wanted)
        subprocess.run(["cmake", "--build", str(build), "--target", "catalogues", "table-narrator"], check=True, stdout=subprocess.DEVNULL)
        write_lines(build)
        write_said(build, wanted)
    faults = [f"{language}: {fault}" for language in LANGUAGES for fault in faults_of(language, wanted)]
    faults += [*worded(), *said_faults(build, wanted), *line_faults(build)]
    if what in ("missing", "check"):
        print("\n".join(faults[:60]))
    print(f"catalogue: {len(wanted)} entries in {len(LANGUAGES)} languages, {len(faults)} faults")
    sys.exit(bool(faults) and what == "check")


if __name__ == "__main__":
    main()
