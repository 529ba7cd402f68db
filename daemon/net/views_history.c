// Timelines, past games and statistics: a page from the history, answered when its worker has read it.
#include "net/history.h"
#include "net/routes.h"
#include <stdlib.h>
#include <string.h>

enum { PAGE_DEFAULT = 50 };

static void answered(void *ctx, char *text, size_t len, const struct error *err) {
    struct request *request = ctx;
    struct conn *conn = request_conn(request);
    if (conn->orphan) { // the front has closed since: nobody waits any more
        free(text);
        free(conn);
        return;
    }
    if (err) {
        answer_error(request, err);
        return;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(text);
        answer_error(request, &(struct error){.code = ERROR_INTERNAL});
        return;
    }
    answer_secure(response, "application/json", "no-store");
    answer_response(request, 200, response);
}

static bool query_page(struct request *request, struct history_query *query) {
    uint64_t limit;
    if (!request_number(request, "after", 0, INT64_MAX, 0, &query->after) ||
        !request_number(request, "limit", 1, HISTORY_PAGE_MAX, PAGE_DEFAULT, &limit))
        return false;
    query->limit = (unsigned)limit;
    return true;
}

static void ask(struct request *request, struct history_query *query) {
    if (request->http->options.history)
        history_ask(request->http->options.history, query, answered, request);
    else
        answer_code(request, ERROR_NOT_FOUND, "no history is kept here");
}

static void ask_of_table(struct request *request, enum history_what what) {
    struct history_query query = {.what = what};
    if (!answer_table_known(request) || !query_page(request, &query))
        return;
    memcpy(query.table, request->table, sizeof query.table);
    memcpy(query.game, request->param[0], sizeof query.game);
    ask(request, &query);
}

void get_timeline(struct request *request) {
    ask_of_table(request, HISTORY_TIMELINE);
}
void get_history(struct request *request) {
    ask_of_table(request, HISTORY_GAMES);
}
void get_past_game(struct request *request) {
    ask_of_table(request, HISTORY_GAME);
}

// A name of the query string; what cannot be one finds nothing.
static void query_name(struct request *request, const char *name, char ret[33]) {
    const char *text = MHD_lookup_connection_value(request->mhd, MHD_GET_ARGUMENT_KIND, name);
    size_t n = text ? strnlen(text, 33) : 0;
    if (n < 33)
        memcpy(ret, text ? text : "", n + 1);
    else
        memcpy(ret, "-", 2);
}

void get_stats(struct request *request) {
    struct history_query query = {.what = HISTORY_STATS, .limit = 1};
    query_name(request, "game", query.game);
    query_name(request, "table", query.table);
    if (request->who.table[0] && *query.table && strcmp(query.table, request->who.table) != 0) {
        answer_error(request, &(struct error){.code = ERROR_FORBIDDEN});
        return;
    }
    if (request->who.table[0])
        memcpy(query.table, request->who.table, sizeof query.table);
    ask(request, &query);
}
