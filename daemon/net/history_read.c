// Pages of the history, as JSON. In the worker.
#include "core/clock.h"
#include "core/json.h"
#include "net/history__.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS_MAX = 32, TEAMS_MAX = 24, SEATS_MAX = OBSERVE_SEATS_MAX + 1, LINE_MAX = 4096, DAY_S = 86400 };

// ---- a text that grows

struct text {
    char *at;
    size_t len, cap;
    bool failed;
};

static void put(struct text *text, const void *bytes, size_t n) {
    if (text->len + n + 1 > text->cap && !text->failed) {
        size_t cap = (text->len + n + 1) * 2;
        char *at = realloc(text->at, cap);
        text->failed = !at;
        if (at) {
            text->at = at;
            text->cap = cap;
        }
    }
    if (text->failed)
        return;
    memcpy(text->at + text->len, bytes, n);
    text->len += n;
    text->at[text->len] = '\0';
}

static void put_text(struct text *text, const char *string) {
    put(text, string, strlen(string));
}

static void put_json(struct text *text, struct json *j) {
    if (json_end(j))
        put(text, j->buf, j->len);
    else
        text->failed = true;
}

static void put_blob(struct text *text, sqlite3_stmt *stmt, int column) {
    int n = sqlite3_column_bytes(stmt, column);
    if (n > 0)
        put(text, sqlite3_column_blob(stmt, column), (size_t)n);
    else
        put_text(text, "null");
}

static void field(struct json *j, const char *key, const char *value) {
    json_key(j, key);
    json_text(j, value);
}

static void time_field(struct json *j, const char *key, int64_t wall_us) {
    char time[CLOCK_TEXT_MAX];
    clock_text(wall_us, time);
    field(j, key, time);
}

static const char *column(sqlite3_stmt *stmt, int i) {
    const unsigned char *text = sqlite3_column_text(stmt, i);
    return text ? (const char *)text : "";
}

static enum error_code failed(struct history__db *db, struct error *err) {
    return error_set(err, ERROR_STORAGE, NULL, "past games cannot be read (%s)", sqlite3_errmsg(db->db));
}

// ---- one game

static sqlite3_stmt *find_game(struct history__db *db, const struct history_query *query, struct error *err) {
    static const char by_id[] =
        "SELECT id, game_json, result_json, ended FROM game WHERE tbl=?1 AND game_id=?2";
    static const char last[] =
        "SELECT id, game_json, result_json, ended FROM game WHERE tbl=?1 ORDER BY id DESC LIMIT 1";
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db->db, *query->game ? by_id : last, -1, &stmt, NULL) != SQLITE_OK) {
        failed(db, err);
        return NULL;
    }
    sqlite3_bind_text(stmt, 1, query->table, -1, SQLITE_STATIC);
    if (*query->game)
        sqlite3_bind_text(stmt, 2, query->game, -1, SQLITE_STATIC);
    if (sqlite3_step(stmt) == SQLITE_ROW)
        return stmt;
    if (sqlite3_finalize(stmt) != SQLITE_OK)
        failed(db, err);
    else
        error_set(err, ERROR_NOT_FOUND, NULL, "there is no such game");
    return NULL;
}

// While it is played its result is nobody's: what is told of it the view tells.
static enum error_code read_game(struct history__db *db, const struct history_query *query, struct text *text,
                                 struct error *err) {
    sqlite3_stmt *stmt = find_game(db, query, err);
    if (!stmt)
        return err->code;
    bool ended = sqlite3_column_int64(stmt, 3) != 0;
    if (ended) {
        put_text(text, "{\"game\":");
        put_blob(text, stmt, 1);
        put_text(text, ",\"result\":");
        put_blob(text, stmt, 2);
        put_text(text, "}");
    }
    sqlite3_finalize(stmt);
    return ended ? ERROR_OK : error_set(err, ERROR_NOT_FOUND, NULL, "this game is not over");
}

static void put_entry(struct text *text, sqlite3_stmt *stmt) {
    char line[256];
    struct json j;
    json_begin(&j, line, sizeof line);
    json_begin_object(&j);
    time_field(&j, "at", sqlite3_column_int64(stmt, 1));
    json_key(&j, "seq");
    json_uint(&j, (uint64_t)sqlite3_column_int64(stmt, 2));
    field(&j, "topic", history__topic_name((enum topic)sqlite3_column_int(stmt, 3)));
    json_key(&j, "body");
    put_json(text, &j);
    put_blob(text, stmt, 4);
    put_text(text, "}");
}

static void put_next(struct text *text, int64_t cursor) {
    char line[48];
    if (cursor)
        snprintf(line, sizeof line, "],\"next\":\"%lld\"}", (long long)cursor);
    else
        snprintf(line, sizeof line, "],\"next\":\"\"}");
    put_text(text, line);
}

static enum error_code read_timeline(struct history__db *db, const struct history_query *query,
                                     struct text *text, struct error *err) {
    static const char sql[] =
        "SELECT n, at, seq, topic, body FROM entry WHERE game=? AND n>? ORDER BY n LIMIT ?";
    sqlite3_stmt *game = find_game(db, query, err), *stmt = NULL;
    int64_t id = game ? sqlite3_column_int64(game, 0) : 0, cursor = 0;
    sqlite3_finalize(game);
    put_text(text, "{\"events\":[");
    if (!game && (err->code != ERROR_NOT_FOUND || *query->game))
        return err->code;
    if (game && sqlite3_prepare_v2(db->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return failed(db, err);
    sqlite3_bind_int64(stmt, 1, id);
    sqlite3_bind_int64(stmt, 2, (int64_t)query->after);
    sqlite3_bind_int64(stmt, 3, query->limit + 1);
    int64_t last = 0;
    for (unsigned n = 0; stmt && sqlite3_step(stmt) == SQLITE_ROW; n++) {
        if (n == query->limit || text->len > HISTORY_PAGE_BYTES) {
            cursor = last;
            break;
        }
        if (n)
            put_text(text, ",");
        put_entry(text, stmt);
        last = sqlite3_column_int64(stmt, 0);
    }
    if (sqlite3_finalize(stmt) != SQLITE_OK)
        return failed(db, err);
    put_next(text, cursor);
    err->code = ERROR_OK;
    return ERROR_OK;
}

// ---- the list

static void put_game(struct text *text, sqlite3_stmt *stmt) {
    char line[LINE_MAX], seat[8];
    struct json j;
    json_begin(&j, line, sizeof line);
    json_begin_object(&j);
    field(&j, "game_id", column(stmt, 1));
    field(&j, "game", column(stmt, 2));
    field(&j, "title", column(stmt, 3));
    json_key(&j, "seats");
    json_int(&j, sqlite3_column_int64(stmt, 4));
    time_field(&j, "started_at", sqlite3_column_int64(stmt, 5));
    time_field(&j, "ended_at", sqlite3_column_int64(stmt, 6));
    json_key(&j, "winners");
    json_begin_array(&j);
    for (int i = 0; i < OBSERVE_SEATS_MAX; i++) {
        snprintf(seat, sizeof seat, "s%d", i + 1);
        if (sqlite3_column_int(stmt, 7) >> i & 1)
            json_text(&j, seat);
    }
    json_end_array(&j);
    json_key(&j, "teams");
    json_raw(&j, column(stmt, 8), strlen(column(stmt, 8)));
    field(&j, "reason", column(stmt, 9));
    json_key(&j, "aborted");
    json_bool(&j, sqlite3_column_int(stmt, 10) != 0);
    json_end_object(&j);
    put_json(text, &j);
}

static enum error_code read_games(struct history__db *db, const struct history_query *query,
                                  struct text *text, struct error *err) {
    static const char sql[] =
        "SELECT id, game_id, game, title, seats, started, ended, winners, teams, reason, aborted FROM game"
        " WHERE tbl=? AND ended AND (?2=0 OR id<?2) ORDER BY id DESC LIMIT ?3";
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return failed(db, err);
    sqlite3_bind_text(stmt, 1, query->table, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 2, (int64_t)query->after);
    sqlite3_bind_int64(stmt, 3, query->limit + 1);
    int64_t last = 0, cursor = 0;
    put_text(text, "{\"games\":[");
    for (unsigned n = 0; sqlite3_step(stmt) == SQLITE_ROW; n++) {
        if (n == query->limit) {
            cursor = last;
            break;
        }
        if (n)
            put_text(text, ",");
        put_game(text, stmt);
        last = sqlite3_column_int64(stmt, 0);
    }
    if (sqlite3_finalize(stmt) != SQLITE_OK)
        return failed(db, err);
    put_next(text, cursor);
    return ERROR_OK;
}

// ---- statistics

struct kind {
    char game[33];
    unsigned n, n_teams, seats[SEATS_MAX];
    unsigned n_timed; // games whose length is known
    double seconds;
    struct team {
        char name[33];
        unsigned n, won;
    } team[TEAMS_MAX];
};

static struct kind *kind_of(struct kind *kinds, unsigned *n, const char *game) {
    for (unsigned i = 0; i < *n; i++)
        if (!strcmp(kinds[i].game, game))
            return &kinds[i];
    if (*n == KINDS_MAX)
        return NULL;
    snprintf(kinds[*n].game, sizeof kinds[*n].game, "%s", game);
    return &kinds[(*n)++];
}

static void count_team(struct kind *kind, const char *name, bool won) {
    unsigned i = 0;
    while (i < kind->n_teams && strcmp(kind->team[i].name, name) != 0)
        i++;
    if (i == TEAMS_MAX)
        return;
    if (i == kind->n_teams)
        snprintf(kind->team[kind->n_teams++].name, sizeof kind->team[i].name, "%s", name);
    kind->team[i].n++;
    kind->team[i].won += won;
}

static void count_game(struct kind *kind, sqlite3_stmt *stmt) {
    int seats = sqlite3_column_int(stmt, 1);
    kind->n++;
    kind->seats[seats >= 0 && seats < SEATS_MAX ? seats : 0]++;
    double seconds = (double)(sqlite3_column_int64(stmt, 3) - sqlite3_column_int64(stmt, 2)) / 1e6;
    if (seconds >= 0 && seconds < DAY_S) { // else the wall clock was set in the middle, or the game slept
        kind->seconds += seconds;
        kind->n_timed++;
    }
    json_t *teams = json_loads(column(stmt, 4), 0, NULL);
    for (size_t i = 0; i < json_array_size(teams); i++) {
        const json_t *team = json_array_get(teams, i);
        const char *name = json_string_value(json_object_get(team, "name"));
        if (name)
            count_team(kind, name, json_is_true(json_object_get(team, "won")));
    }
    json_decref(teams);
}

// Wilson's interval at 95 %.
static void wilson(unsigned won, unsigned n, double *ret_low, double *ret_high) {
    const double z = 1.959964;
    double p = (double)won / n, centre = p + z * z / (2 * n);
    double half = z * sqrt(p * (1 - p) / n + z * z / (4.0 * n * n));
    *ret_low = fmax(0, (centre - half) / (1 + z * z / n));
    *ret_high = fmin(1, (centre + half) / (1 + z * z / n));
}

static void put_team(struct text *text, const struct team *team, bool first) {
    char line[256], name[128];
    double low, high;
    struct json j;
    wilson(team->won, team->n, &low, &high);
    json_begin(&j, name, sizeof name);
    json_text(&j, team->name);
    json_end(&j);
    snprintf(line, sizeof line,
             "%s{\"name\":%s,\"n\":%u,\"won\":%u,\"rate\":%.4f,\"low\":%.4f,\"high\":%.4f}", first ? "" : ",",
             name, team->n, team->won, (double)team->won / team->n, low, high);
    put_text(text, line);
}

static void put_kind(struct text *text, const struct kind *kind, bool first) {
    char line[128];
    snprintf(line, sizeof line, "%s{\"game\":\"%s\",\"n\":%u,\"mean_s\":%.1f,\"seats\":[", first ? "" : ",",
             kind->game, kind->n, kind->n_timed ? kind->seconds / kind->n_timed : 0.0);
    put_text(text, line);
    for (unsigned i = 0, told = 0; i < SEATS_MAX; i++) {
        if (!kind->seats[i])
            continue;
        snprintf(line, sizeof line, "%s{\"seats\":%u,\"n\":%u}", told++ ? "," : "", i, kind->seats[i]);
        put_text(text, line);
    }
    put_text(text, "],\"teams\":[");
    for (unsigned i = 0; i < kind->n_teams; i++)
        put_team(text, &kind->team[i], i == 0);
    put_text(text, "]}");
}

// Games that were played to their end; those that a host ended tell nothing about who wins.
static enum error_code read_stats(struct history__db *db, const struct history_query *query,
                                  struct text *text, struct error *err) {
    static const char sql[] =
        "SELECT game, seats, started, ended, teams FROM game WHERE ended AND NOT aborted"
        " AND (?1='' OR tbl=?1) AND (?2='' OR game=?2) ORDER BY game";
    sqlite3_stmt *stmt = NULL;
    struct kind *kinds = calloc(KINDS_MAX, sizeof *kinds);
    unsigned n = 0, games = 0;
    char line[64];
    if (!kinds || sqlite3_prepare_v2(db->db, sql, -1, &stmt, NULL) != SQLITE_OK) {
        free(kinds);
        return failed(db, err);
    }
    sqlite3_bind_text(stmt, 1, query->table, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, query->game, -1, SQLITE_STATIC);
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        struct kind *kind = kind_of(kinds, &n, column(stmt, 0));
        games++;
        if (kind)
            count_game(kind, stmt);
    }
    if (sqlite3_finalize(stmt) != SQLITE_OK) {
        free(kinds);
        return failed(db, err);
    }
    snprintf(line, sizeof line, "{\"games\":%u,\"by_game\":[", games);
    put_text(text, line);
    for (unsigned i = 0; i < n; i++)
        put_kind(text, &kinds[i], i == 0);
    put_text(text, "]}");
    free(kinds);
    return ERROR_OK;
}

char *history__read(struct history__db *db, const struct history_query *query, size_t *ret_len,
                    struct error *err) {
    static enum error_code (*const readers[])(struct history__db *, const struct history_query *,
                                              struct text *, struct error *) = {
        [HISTORY_TIMELINE] = read_timeline,
        [HISTORY_GAMES] = read_games,
        [HISTORY_GAME] = read_game,
        [HISTORY_STATS] = read_stats,
    };
    struct text text = {0};
    enum error_code code = readers[query->what](db, query, &text, err);
    if (!code && text.failed)
        code = error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    if (code) {
        free(text.at);
        return NULL;
    }
    *ret_len = text.len;
    return text.at;
}
