"""Short pairs of games for one question each: is anything told, on any channel, that the rules do not show?

    told = SCENES["night"](program)   # None, or the first difference as a text

Equal in both games: the set-up and all that people at the table see. Different: who holds what, and in the dark what hands do.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support"), str(HERE.parent / "taps")]
import observers  # noqa: E402
import storyboard  # noqa: E402
from harness import DEAL, KIT, ROLES, deck_csv  # noqa: E402
from pairs import TAPS, Ears, difference, exchanged  # noqa: E402
from storyboard import DAY, END, STEP, Evening  # noqa: E402

SEATED = [f"s{i}" for i in range(1, 17)]
OPEN = ("public", "mqtt", "stream", "rest", "log")  # without what seats are told
FEW = ["/api/v1/tables/main", "/metrics", "/api/v1/tables/main/readers", "/api/v1/tables/main/timeline?limit=200"]


def conf():
    """The kit of five."""
    lines = ["[daemon]", "state_dir = state", "socket =", "[table main]", "deck = kit", "game = one_night", "seats = 5", f"roles = {ROLES}", "options = ballot=tapped", "seed = 1"]
    for reader in storyboard.READERS:
        lines += [f"[reader {reader}]", "driver = replay"]
    for pad, (reader, antenna) in KIT.items():
        lines += [f"[pad {pad}]", f"reader = {reader}", f"antenna = {antenna}", f"kind = {'tap' if pad == 'tap' else 'tile'}"]
    return "\n".join(lines) + "\n"


def asked(seats=(), few=FEW):
    """Enough to hear every kind of answer; 50-every-channel.py asks all there is."""
    roles = {"/metrics": ["metrics"], "/api/v1/tables/main/readers": ["operator"], "/api/v1/tables/main/timeline?limit=200": ["admin"]}
    return (["stream display GET /api/v1/tables/main/events"] + [f"stream {seat} GET /api/v1/tables/main/events" for seat in seats] +
            [f"tick {role} GET {path}" for path in few for role in roles.get(path, ["display"])] +
            [f"tick {seat} GET /api/v1/tables/main/seats/{seat[1:]}/view" for seat in seats] + [" ".join(row) for row in observers.REFUSED])


def ears(hands, program, **more):
    return Ears(hands.log(), conf(), deck_csv(hands.deck), more.pop("asks", asked()), every=30000, program=program, **more)


def of_seat(line, seat):
    return line[1] == seat or (line[1] in ("stream", "rest") and line[2].startswith(seat + " "))


def public(told):
    """Without what any seat is told for itself; what a seat is answered in the dark stays."""
    told.lines = [line for line in told.lines if line[1] in OPEN and (not re.match(r"s\d+ ", line[2]) or " POST " in line[2])]
    return told


def kinds_logged(told, kinds):
    for ms, channel, key, value in told.of("log"):
        for kind in kinds:
            if re.search(rf"\b{re.escape(kind)}\b", value):
                return f"{ms} the log says {kind}: {value}"
    return None


def kept(told):
    """Every message of the broker is kept there as its row of observers.py says."""
    for ms, channel, key, _ in told.of("mqtt"):
        if key.startswith("tabled/v1/home/main/public/") and ("retain=1" in key) != observers.TOPICS[key.split(" ")[0].rsplit("/", 1)[1]][1]:
            return f"{ms} {key} is kept otherwise than its row says"
    return None


def own_faults(told):
    return told.said() or kept(told) or kinds_logged(told, ROLES.split())


# ---- the scenes

def hands_at_night(deal):
    """A view, an exchange, a stranger's exchange, and a piece that is in the air when a step ends."""
    hands = Evening(deal)
    hands.look(END["430"] - 800, "c2", 1500).look(STEP["500"] + 4000, "c1")
    hands.swap(STEP["600"] + 4000, "s3", "s1").swap(STEP["700"] + 4000, "s1", "s5")
    hands.swap(STEP["800"] + 4000, "s4", "s5")
    return hands.day()


def night(program="eavesdrop"):
    """A whole night: roles sit elsewhere and hands do other things. Nothing of it is told until the morning."""
    a = ears(hands_at_night(DEAL), program).run()
    deal = dict(DEAL, s3="drunk", c2="robber", s1="minion", c3="werewolf-1")
    b = ears(Evening(deal).day(), program).run()
    return own_faults(a) or difference(public(a), public(b), DAY + 900)


def seats(program="eavesdrop"):
    """The robber and the drunk change places: whoever holds neither and looked at neither is told the same."""
    who = ["s1", "s2", "s4", "s5"]
    told = [ears(Evening(deal).look(STEP["500"] + 4000, "c1").day(), program, asks=asked(who, [])).run() for deal in (DEAL, dict(DEAL, s3="drunk", c2="robber"))]
    for one in told:
        one.lines = [line for line in one.lines if any(of_seat(line, seat) for seat in who)]
    return difference(*told, DAY + 900)


def seats_alone(program="eavesdrop"):
    """Only the card of one seat is another, as that seat alone is told: nobody else counts its messages, none is kept elsewhere."""
    told = []
    for deal in (DEAL, dict(DEAL, s3="villager-1", c1="robber")):
        hands = Evening(deal).day()
        told.append(public(ears(hands, program, asks=asked(["s3"])).run()))
    return own_faults(told[0]) or streams_are_apart(told[0]) or difference(*told, DAY + 900)


def streams_are_apart(told):
    """Events of the public stream are numbered from one without a gap, and all are the public's."""
    seen = 0
    for ms, channel, key, value in told.lines:
        if '"audience":"s' in value and (key.startswith(("display", "admin", "operator", "none", "metrics")) or channel == "mqtt"):
            return f"{ms} {channel} {key} is told what a seat knows"
        if channel == "public" and key.endswith(("public/event", "public/narration")):
            seq = int(re.search(r'"seq":(\d+)', value)[1])
            if seq != seen + 1:
                return f"{ms} {channel} {key} has the number {seq} after {seen}"
            seen = seq
    return None


def day(program="eavesdrop"):
    """A mistake by day and its cure, the vote: told alike whatever the tiles are."""
    told = []
    for deal in (DEAL, dict(DEAL, s2="minion", c3="seer", s4="drunk", c2="troublemaker")):
        hands = Evening(deal).swap(DAY + 8000, "s2", "s4").swap(DAY + 18000, "s2", "s4")
        hands.tap(DAY + 24000, storyboard.STRANGER, "s3", 4000)
        told.append(ears(hands.vote(done=DAY + 40000), program).run())
    until = told[0].begins("reveal")
    return own_faults(told[0]) or difference(public(told[0]), public(told[1]), until)


def recorded(log, pair, until_phase, which, end_ms):
    def scene(program="eavesdrop"):
        at = TAPS / log
        tap = "".join(line for line in at.with_suffix(".tap").read_text().splitlines(True) if line[0] == "#" or int(line.split()[0]) < end_ms)
        decks = [at.with_suffix(".csv").read_text()] * 2
        decks[1] = exchanged(decks[0], pair)
        told = [Ears(tap, at.with_suffix(".conf").read_text(), csv, asked(), every=30000, program=program).run() for csv in decks]
        until = min(one.begins(until_phase, which) for one in told)
        return told[0].said() or kept(told[0]) or difference(public(told[0]), public(told[1]), until)
    scene.__doc__ = f"{log}: {pair[0]} and {pair[1]} exchanged, until {until_phase} {which}"
    return scene


SCENES = {
    "night": night,
    "seats": seats,
    "day": day,
    "seats_alone": seats_alone,
    "places": recorded("not-alone", ("place-5-1", "place-2-1"), "hunting", 1, 52000),
}


def main(names):
    import time
    for name in names or SCENES:
        start = time.monotonic()
        told = SCENES[name]()
        print(f"{name}: {told or 'all the same'} ({time.monotonic() - start:.1f} s)")


if __name__ == "__main__":
    main(sys.argv[1:])
