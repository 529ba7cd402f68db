"""Who may see what leaves the daemon: a row for every route, topic, event and number. What has no row fails 50-observers.py.

OBSERVERS are the people of systemd/SECURITY.md. What the public may see is the same in two games with the same public inputs; so is
whatever an operator, an admin or a scraper of numbers is told, for they are players too. A seat's own channel may differ for that seat.
"""
PUBLIC, SEAT, OPERATOR, ADMIN, METRICS, KNOWN, ANYBODY = "public", "seat", "operator", "admin", "metrics", "known", "anybody"

# role of a token -> the observers it is
ROLES = {
    "none": {ANYBODY},
    "display": {ANYBODY, KNOWN, PUBLIC},
    "metrics": {ANYBODY, KNOWN, METRICS},
    "s1": {ANYBODY, KNOWN, PUBLIC, SEAT},
    "operator": {ANYBODY, KNOWN, PUBLIC, OPERATOR},
    "admin": {ANYBODY, KNOWN, PUBLIC, OPERATOR, ADMIN, METRICS},
}

T = "/api/v1/tables/{t}"
# (method, path): (who, how a pair of games asks it; None = not asked: it changes something, or has a test of its own that is named)
ROUTES = {
    ("GET", T): (PUBLIC, "/api/v1/tables/main"),
    ("GET", "/healthz"): (ANYBODY, "/healthz"),
    ("GET", "/readyz"): (ANYBODY, "/readyz"),
    ("GET", "/metrics"): (METRICS, "/metrics"),
    ("GET", "/"): (ANYBODY, "/"),
    ("GET", "/api/v1/info"): (ANYBODY, "/api/v1/info"),
    ("GET", "/api/v1/openapi.json"): (ANYBODY, None),  # a constant
    ("GET", "/api/v1/games"): (PUBLIC, None),  # a constant
    ("GET", "/api/v1/tables"): (PUBLIC, "/api/v1/tables"),
    ("GET", T + "/map"): (PUBLIC, "/api/v1/tables/main/map"),
    ("GET", T + "/timeline"): (PUBLIC, "/api/v1/tables/main/timeline?limit=200"),
    ("GET", T + "/history"): (PUBLIC, "/api/v1/tables/main/history"),
    ("GET", T + "/history/{game_id}"): (PUBLIC, "/api/v1/tables/main/history/9c0f746bebf6fd59"),
    ("GET", T + "/history/{game_id}/timeline"): (PUBLIC, "/api/v1/tables/main/history/9c0f746bebf6fd59/timeline"),
    ("GET", "/api/v1/stats"): (PUBLIC, "/api/v1/stats"),
    ("GET", T + "/seats/{n}/view"): (SEAT, "/api/v1/tables/main/seats/1/view"),
    ("GET", T + "/violations"): (PUBLIC, "/api/v1/tables/main/violations"),
    ("GET", T + "/readers"): (PUBLIC, "/api/v1/tables/main/readers"),
    ("GET", T + "/events"): (PUBLIC, "stream /api/v1/tables/main/events"),
    ("GET", "/api/v1/pieces"): (ADMIN, "/api/v1/pieces"),
    ("GET", "/api/v1/session"): (KNOWN, "/api/v1/session"),
    ("GET", "/api/v1/sessions"): (ADMIN, "/api/v1/sessions"),
    ("GET", "/api/v1/users"): (ADMIN, "/api/v1/users"),
    ("GET", "/api/v1/tokens"): (ADMIN, "/api/v1/tokens"),
    ("GET", "/api/v1/settings"): (ADMIN, "/api/v1/settings"),
    ("GET", "/api/v1/logs"): (ADMIN, "/api/v1/logs"),
    ("GET", "/{file}"): (ANYBODY, "/index.html"),
    ("POST", T + "/game"): (OPERATOR, None),
    ("POST", T + "/check"): (PUBLIC, None),  # no state is asked
    ("POST", T + "/actions"): (PUBLIC, None),  # REFUSED below
    ("POST", T + "/control"): (PUBLIC, None),  # REFUSED below
    ("POST", T + "/enrol"): (ADMIN, None),
    ("POST", "/api/v1/pieces/import"): (ADMIN, None),
    ("DELETE", "/api/v1/pieces/{deck}/{name}"): (ADMIN, None),
    ("POST", "/api/v1/session"): (ANYBODY, None),
    ("DELETE", "/api/v1/session"): (KNOWN, None),
    ("POST", "/api/v1/pairing"): (ADMIN, None),
    ("POST", "/api/v1/pairing/claim"): (ANYBODY, None),
    ("DELETE", "/api/v1/sessions/{id}"): (ADMIN, None),
    ("POST", "/api/v1/users"): (ADMIN, None),
    ("PATCH", "/api/v1/users/{name}"): (ADMIN, None),
    ("DELETE", "/api/v1/users/{name}"): (ADMIN, None),
    ("POST", "/api/v1/tokens"): (ADMIN, None),
    ("DELETE", "/api/v1/tokens/{id}"): (ADMIN, None),
    ("PATCH", "/api/v1/settings"): (ADMIN, None),
}

# level of wire/topics.h: (who, retained, seconds until it expires)
TOPICS = {
    "status": (PUBLIC, True, 0),
    "info": (PUBLIC, True, 0),
    "game": (PUBLIC, True, 0),
    "phase": (PUBLIC, True, 0),
    "board": (PUBLIC, True, 0),
    "seats": (PUBLIC, True, 0),
    "violation": (PUBLIC, True, 0),
    "result": (PUBLIC, True, 0),
    "event": (PUBLIC, False, 60),
    "narration": (PUBLIC, False, 60),
    "health/readers": (PUBLIC, True, 0),
}
# Everything else a broker may see of us: beginnings of topics.
BESIDE = {"tabled/v1/home/daemon/status": True, "homeassistant/": True, "tabled/v1/home/main/reply/": False}

EVENTS = {name: PUBLIC for name in (
    "game_started phase_started step_started action seat_acted revealed prompt reminder violation_raised violation_cleared choice_opened "
    "choice_closed paused resumed undone overridden reader_lost reader_back result game_ended reset").split()}

# Numbers, and their labels: none names a seat, a pad, a card, a tag.
NUMBERS = {name: (METRICS, set()) for name in (
    "tables readers readers_up storage_ok records_total actions_total violations_total broker_connected http_connections http_streams").split()}
NUMBERS["build_info"] = (METRICS, {"version"})
NUMBERS |= {f"reader_{name}": (METRICS, {"reader"}) for name in "up scans_total seen_total collided_total failed_total misses_total".split()}
NUMBERS["reader_faults_total"] = (METRICS, {"reader", "class"})

# What is asked while hands act unseen, and refused or taken without a word: (when, role, method, path, body).
ACT, CONTROL = "/api/v1/tables/main/actions", "/api/v1/tables/main/control"
REFUSED = [("dark", "operator", "POST", CONTROL, f'{{"do":"{word}"}}') for word in ("undo", "next", "repeat")] + [
    ("dark", "operator", "POST", CONTROL, '{"do":"override","violation":1}'),
    ("dark", "operator", "POST", CONTROL, '{"do":"choose","choice":1,"option":0}'),
    ("dark", "admin", "POST", ACT, '{"by":"s3","do":"swap","args":{"a":"s1","b":"s3"}}'),
    ("dark", "s3", "POST", ACT, '{"by":"s4","do":"pass"}'),
    ("dark", "s3", "POST", ACT, '{"by":"s3","do":"swap","args":{"a":"s1","b":"s3"}}'),
    ("sealed", "display", "POST", CONTROL, '{"do":"undo"}'),
]


# Of each row the one who may just see it, and the admin; who may not see it is asked by 50-observers.py.
LEAST = {PUBLIC: "display", OPERATOR: "operator", ADMIN: "admin", METRICS: "metrics", KNOWN: "display", ANYBODY: "none"}


def asks():
    """The lines of an asker: every route that is read."""
    ret = [f"stream {role} GET /api/v1/tables/main/events" for role in ("display", "admin")]
    for (method, _), (who, path) in ROUTES.items():
        # Settings name the folder and the port of each run; no game is in them.
        if path and not path.startswith("stream") and who != SEAT and "settings" not in path:
            ret += [f"tick {role} {method} {path}" for role in dict.fromkeys((LEAST[who], "admin"))]
    ret.append("tick operator GET /api/v1/tables/main/readers")
    return ret + [" ".join(row) for row in REFUSED]
