#include "net/routes.h"
#include "core/config.h"
#include <stdio.h>
#include <string.h>

static const char json[] = "application/json", plain[] = "text/plain; charset=utf-8";
enum { IMPORT_BODY_MAX = 1 << 20, PEOPLE_BODY_MAX = 4096 };

#define TABLE "/api/v1/tables/{t}"
const struct route routes[] = {
    {"GET", TABLE, CAP_READ, 0, RATE_NONE, get_table, "getTable", "The public view; ETag and If-None-Match",
     NULL, "View", 200, json, NULL},
    {"GET", "/healthz", CAP_NONE, 0, RATE_NONE, get_healthz, "healthz", "The process lives", NULL, NULL, 200,
     plain, NULL},
    {"GET", "/readyz", CAP_NONE, 0, RATE_NONE, get_readyz, "readyz", "Disk, readers and broker", NULL,
     "Ready", 200, json, NULL},
    {"GET", "/metrics", CAP_METRICS, 0, RATE_NONE, get_metrics, "metrics", "Numbers for Prometheus", NULL,
     NULL, 200, plain, NULL},
    {"GET", "/", CAP_NONE, 0, RATE_NONE, get_root, "root", "Where to look", NULL, NULL, 200, plain, NULL},
    {"GET", "/api/v1/info", CAP_NONE, 0, RATE_NONE, get_info, "getInfo",
     "Name, version and start of the daemon", NULL, "Info", 200, json, NULL},
    {"GET", "/api/v1/openapi.json", CAP_NONE, 0, RATE_NONE, get_openapi, "getOpenapi", "This document", NULL,
     "Object", 200, json, NULL},
    {"GET", "/api/v1/games", CAP_READ, 0, RATE_NONE, get_games, "listGames",
     "Games with their options, kinds, presets, verbs and places", NULL, "Object", 200, json, NULL},
    {"GET", "/api/v1/tables", CAP_READ, 0, RATE_NONE, get_tables, "listTables", "Tables and what they play",
     NULL, "Tables", 200, json, NULL},
    {"POST", TABLE "/game", CAP_CONTROL, HTTP_BODY_MAX, RATE_COMMAND, post_game, "startGame",
     "Starts a game; Idempotency-Key", "Start", "Started", 201, json, NULL},
    {"POST", TABLE "/check", CAP_READ, HTTP_BODY_MAX, RATE_COMMAND, post_check, "checkGame",
     "What a start with this body would say; nothing begins", "Start", "Checked", 200, json, NULL},
    {"GET", TABLE "/map", CAP_READ, 0, RATE_NONE, get_map, "getMap",
     "Pads and the places they serve; ETag and If-None-Match", NULL, "Map", 200, json, NULL},
    {"GET", TABLE "/timeline", CAP_READ, 0, RATE_COMMAND, get_timeline, "getTimeline",
     "What was told of the running or last game; a page, next is the cursor of the next one", NULL,
     "Timeline", 200, json, "after limit"},
    {"GET", TABLE "/history", CAP_READ, 0, RATE_COMMAND, get_history, "listHistory",
     "Games that are over, newest first", NULL, "History", 200, json, "after limit"},
    {"GET", TABLE "/history/{game_id}", CAP_READ, 0, RATE_COMMAND, get_past_game, "getPastGame",
     "A game that is over: Game and Result", NULL, "PastGame", 200, json, NULL},
    {"GET", TABLE "/history/{game_id}/timeline", CAP_READ, 0, RATE_COMMAND, get_timeline, "getPastTimeline",
     "What was told of a game", NULL, "Timeline", 200, json, "after limit"},
    {"GET", "/api/v1/stats", CAP_READ, 0, RATE_COMMAND, get_stats, "getStats",
     "Games that were played to their end, by game", NULL, "Stats", 200, json, "game table"},
    {"POST", TABLE "/actions", CAP_ACT, HTTP_BODY_MAX, RATE_COMMAND, post_action, "act",
     "An action as fields or as a line; answered when durable, in the dark with 202", "Action", "Done", 200,
     json, NULL},
    {"POST", TABLE "/control", CAP_ACT, HTTP_BODY_MAX, RATE_COMMAND, post_control, "control",
     "Pause, resume, undo, override, choose, end, again, repeat, next; a seat may choose; Idempotency-Key",
     "Control", "Done", 200, json, NULL},
    {"GET", TABLE "/seats/{n}/view", CAP_SEAT, 0, RATE_NONE, get_seat_view, "getSeatView",
     "What the caller's own seat knows", NULL, "View", 200, json, NULL},
    {"GET", TABLE "/violations", CAP_READ, 0, RATE_NONE, get_violations, "getViolations",
     "Open violations, choice and prompt", NULL, "Object", 200, json, NULL},
    {"GET", TABLE "/readers", CAP_READ, 0, RATE_NONE, get_readers, "getReaders",
     "Readers up and down; numbers for operators", NULL, "Object", 200, json, NULL},
    {"GET", TABLE "/events", CAP_READ, 0, RATE_STREAM, get_events, "streamEvents",
     "Server-sent events: views, events, narration; a seat's token gives its own stream; Last-Event-ID", NULL,
     NULL, 200, "text/event-stream", NULL},
    {"POST", TABLE "/enrol", CAP_ENROL, HTTP_BODY_MAX, RATE_COMMAND, post_enrol, "enrol",
     "The next tag laid on a pad becomes a piece's", "Enrol", "Done", 200, json, NULL},
    {"POST", "/api/v1/pieces/import", CAP_ENROL, IMPORT_BODY_MAX, RATE_COMMAND, post_import, "importPieces",
     "Pieces and tags from CSV or a list", "Import", "Done", 200, json, NULL},
    {"GET", "/api/v1/pieces", CAP_ENROL, 0, RATE_NONE, get_pieces, "exportPieces",
     "Pieces as CSV and as a list; ?deck=NAME, ?tags=1 with their tags", NULL, "Pieces", 200, json, NULL},
    {"DELETE", "/api/v1/pieces/{deck}/{name}", CAP_ENROL, 0, RATE_COMMAND, delete_piece, "dropPiece",
     "Forgets a piece and its tags; not while its deck is in play", NULL, NULL, 204, NULL, NULL},
    {"POST", "/api/v1/session", CAP_NONE, PEOPLE_BODY_MAX, RATE_COMMAND, post_session, "logIn",
     "Logs in with name and password: a cookie, and the csrf value to send with each write", "Login",
     "Session", 201, json, NULL},
    {"GET", "/api/v1/session", CAP_KNOWN, 0, RATE_NONE, get_session, "getSession", "Who the caller is", NULL,
     "Session", 200, json, NULL},
    {"DELETE", "/api/v1/session", CAP_KNOWN, 0, RATE_COMMAND, delete_session, "logOut", "Ends the session",
     NULL, NULL, 204, NULL, NULL},
    {"POST", "/api/v1/pairing", CAP_ADMIN, PEOPLE_BODY_MAX, RATE_COMMAND, post_pairing, "openPairing",
     "A code for one more person or device; 5 minutes, 3 tries", "Pairing", "Code", 201, json, NULL},
    {"POST", "/api/v1/pairing/claim", CAP_NONE, PEOPLE_BODY_MAX, RATE_COMMAND, post_claim, "claim",
     "The code makes a session of its role; an admin or operator becomes a user", "Claim", "Session", 201,
     json, NULL},
    {"GET", "/api/v1/sessions", CAP_ADMIN, 0, RATE_NONE, get_sessions, "listSessions", "Who is logged in",
     NULL, "Sessions", 200, json, NULL},
    {"DELETE", "/api/v1/sessions/{id}", CAP_ADMIN, 0, RATE_COMMAND, delete_session_of, "endSession",
     "Ends a session and its streams", NULL, NULL, 204, NULL, NULL},
    {"GET", "/api/v1/users", CAP_ADMIN, 0, RATE_NONE, get_users, "listUsers", "Users and their roles", NULL,
     "Users", 200, json, NULL},
    {"POST", "/api/v1/users", CAP_ADMIN, PEOPLE_BODY_MAX, RATE_COMMAND, post_user, "addUser", "A new user",
     "NewUser", "User", 201, json, NULL},
    {"PATCH", "/api/v1/users/{name}", CAP_ADMIN, PEOPLE_BODY_MAX, RATE_COMMAND, patch_user, "changeUser",
     "Another password or role; ends the user's sessions", "UserChange", "User", 200, json, NULL},
    {"DELETE", "/api/v1/users/{name}", CAP_ADMIN, 0, RATE_COMMAND, delete_user, "dropUser",
     "Removes a user and ends his sessions; the last admin stays", NULL, NULL, 204, NULL, NULL},
    {"GET", "/api/v1/tokens", CAP_ADMIN, 0, RATE_NONE, get_tokens, "listTokens",
     "Tokens, without their secrets", NULL, "Tokens", 200, json, NULL},
    {"POST", "/api/v1/tokens", CAP_ADMIN, PEOPLE_BODY_MAX, RATE_COMMAND, post_token, "addToken",
     "A new token, shown once", "NewToken", "Token", 201, json, NULL},
    {"DELETE", "/api/v1/tokens/{id}", CAP_ADMIN, 0, RATE_COMMAND, delete_token, "revokeToken",
     "Revokes a token and ends its streams", NULL, NULL, 204, NULL, NULL},
    {"GET", "/api/v1/settings", CAP_ADMIN, 0, RATE_NONE, get_settings, "getSettings",
     "Every key with its value, its default and the line that set it", NULL, "Settings", 200, json, NULL},
    {"PATCH", "/api/v1/settings", CAP_ADMIN, HTTP_BODY_MAX, RATE_COMMAND, patch_settings, "changeSettings",
     "Changes what may be changed from here, from the next start on; If-Match of the list is required",
     "SettingsChange", "Settings", 200, json, NULL},
    {"GET", "/api/v1/logs", CAP_ADMIN, 0, RATE_NONE, get_logs, "getLogs",
     "The last lines of the log; without a cursor the newest", NULL, "Logs", 200, json, "level after limit"},
    {"GET", "/{file}", CAP_NONE, 0, RATE_NONE, get_file, "getFile", "A file of the dashboard", NULL, NULL,
     200, "*/*", NULL},
};
const size_t routes_n = sizeof routes / sizeof *routes;

// ---- paths

struct path {
    unsigned n;
    char text[HTTP_PATH_MAX]; // decoded segments, each NUL-terminated
    const char *segment[HTTP_SEGMENTS_MAX];
};

static int hex(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// One character of a segment; -1 = malformed. A decoded slash, control or byte beyond ASCII is malformed too:
// no name of ours has one.
static int decode(const char **at) {
    const char *text = *at;
    int c = (unsigned char)*text;
    *at += 1;
    if (c == '%') {
        int high = hex(text[1]), low = high < 0 ? -1 : hex(text[2]);
        if (low < 0)
            return -1;
        *at += 2;
        c = high * 16 + low;
        if (c == '/')
            return -1;
    }
    return c > 0x20 && c < 0x7f && c != '\\' ? c : -1;
}

static enum error_code split(const char *text, struct path *ret, struct error *err) {
    size_t len = 0;
    ret->n = 0;
    if (*text != '/' || strlen(text) >= sizeof ret->text)
        return error_set(err, ERROR_INVALID, NULL, "a path begins with / and has less than %d bytes",
                         HTTP_PATH_MAX);
    if (text[1] == '\0')
        return ERROR_OK;
    while (*text == '/') {
        text++;
        if (ret->n == HTTP_SEGMENTS_MAX)
            return error_set(err, ERROR_NOT_FOUND, NULL, NULL);
        const char *segment = ret->segment[ret->n++] = ret->text + len;
        while (*text && *text != '/') {
            int c = decode(&text);
            if (c < 0)
                return error_set(err, ERROR_INVALID, NULL, "the path has a malformed character");
            ret->text[len++] = (char)c;
        }
        ret->text[len++] = '\0';
        if (!strcmp(segment, ".") || !strcmp(segment, ".."))
            return error_set(err, ERROR_INVALID, NULL, "a path has no . or .. here");
    }
    return ERROR_OK;
}

static bool take_table(const char *text, char ret[33]) {
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (n == 0 || n > 32 || text[n])
        return false;
    memcpy(ret, text, n + 1);
    return true;
}

// 1..16 or s1..s16; anything else is a seat that does not exist.
static int seat_number(const char *text) {
    if (*text == 's')
        text++;
    int n = 0;
    if (*text == '0')
        return -1;
    for (; *text >= '0' && *text <= '9' && n <= OBSERVE_SEATS_MAX; text++)
        n = n * 10 + *text - '0';
    return *text == '\0' && n > 0 && n <= OBSERVE_SEATS_MAX ? n - 1 : -1;
}

// An id or a name: what is longer or stranger names nothing we have.
static bool take_param(const char *text, char ret[HTTP_PARAM_MAX]) {
    size_t n = strlen(text);
    if (n == 0 || n >= HTTP_PARAM_MAX)
        return false;
    memcpy(ret, text, n + 1);
    return true;
}

static bool matches(const char *pattern, const struct path *path, const struct route_names *names) {
    unsigned i = 0, params = 0;
    if (pattern[1] == '\0')
        return path->n == 0;
    while (*pattern == '/') {
        pattern++;
        size_t n = strcspn(pattern, "/");
        if (i == path->n)
            return false;
        const char *segment = path->segment[i++];
        if (!strncmp(pattern, "{file}", n))
            return strcmp(segment, "api") != 0;
        if (!strncmp(pattern, "{t}", n)) {
            if (!take_table(segment, names->table))
                return false;
        } else if (!strncmp(pattern, "{n}", n)) {
            *names->number = seat_number(segment);
        } else if (*pattern == '{') {
            if (!take_param(segment, names->param[params++]))
                return false;
        } else if (strlen(segment) != n || memcmp(segment, pattern, n) != 0) {
            return false;
        }
        pattern += n;
    }
    return i == path->n;
}

static void allow_more(char allow[ROUTES_ALLOW_MAX], const char *method) {
    size_t at = strlen(allow);
    if (!strstr(allow, method))
        snprintf(allow + at, ROUTES_ALLOW_MAX - at, "%s, ", method);
}

static bool goes_with(const char *pattern, size_t n, const char *segment) {
    char table[33], param[HTTP_PARAM_MAX];
    if (*pattern == '{' && strncmp(pattern, "{n}", n) != 0)
        return strncmp(pattern, "{t}", n) ? take_param(segment, param) : take_table(segment, table);
    return *pattern == '{' || (strlen(segment) == n && !memcmp(segment, pattern, n));
}

// How many segments of the path a pattern goes along with; *ret: what it has next.
static unsigned along(const char *pattern, const struct path *path, const char **ret) {
    unsigned i = 0;
    for (; *pattern == '/'; i++) {
        size_t n = strcspn(++pattern, "/");
        *ret = pattern;
        if (i == path->n || !goes_with(pattern, n, path->segment[i]))
            return i;
        pattern += n;
    }
    *ret = pattern;
    return i;
}

// Says what may stand where the path leaves all routes.
static enum error_code no_route(const struct path *path, struct error *err) {
    enum { WORDS_MAX = 32, WORD_MAX = 32 };
    char word[WORDS_MAX][WORD_MAX], instead[CONFIG_INSTEAD_MAX];
    const char *names[WORDS_MAX + 1] = {NULL}, *next;
    unsigned farthest = 0;
    size_t n = 0;
    for (size_t i = 0; i < routes_n && n < WORDS_MAX; i++) {
        unsigned segments = along(routes[i].path, path, &next);
        if (segments < farthest)
            continue;
        if (segments > farthest)
            n = 0;
        farthest = segments;
        if (!*next || *next == '{')
            continue;
        names[n] = word[n];
        snprintf(word[n], WORD_MAX, "%.*s", (int)strcspn(next, "/"), next);
        size_t same = 0;
        while (strcmp(word[same], word[n]) != 0)
            same++;
        n += same == n; // each once
    }
    const char *wrong = farthest < path->n ? path->segment[farthest] : "";
    config_instead(wrong, names, sizeof *names, n, instead);
    return *wrong ? error_set(err, ERROR_NOT_FOUND, NULL, "nothing here is called '%.32s'%s", wrong, instead)
                  : error_set(err, ERROR_NOT_FOUND, NULL, "this address goes on%s", instead);
}

enum error_code routes_find(const char *text, const char *method, const struct route **ret,
                            const struct route_names *names, char ret_allow[ROUTES_ALLOW_MAX],
                            struct error *err) {
    struct path path;
    *ret = NULL;
    ret_allow[0] = '\0';
    if (split(text, &path, err))
        return err->code;
    for (size_t i = 0; i < routes_n; i++) {
        const struct route *route = &routes[i];
        if (!matches(route->path, &path, names))
            continue;
        if (!strcmp(route->method, method)) {
            *ret = route;
            ret_allow[0] = '\0';
            return ERROR_OK;
        }
        allow_more(ret_allow, route->method);
        if (!strcmp(route->method, "GET"))
            allow_more(ret_allow, "HEAD");
    }
    if (!ret_allow[0])
        return no_route(&path, err);
    size_t at = strlen(ret_allow);
    snprintf(ret_allow + at, ROUTES_ALLOW_MAX - at, "OPTIONS");
    return error_set(err, ERROR_METHOD, NULL, "this address takes %s", ret_allow);
}
