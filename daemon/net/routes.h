// Every route is one row; nothing is reachable without one. openapi.c writes the document from the same rows.
#pragma once
#include "net/http__.h"

enum rate_class { RATE_NONE, RATE_COMMAND, RATE_STREAM };

struct route {
    const char *method, *path; // {t} a table's name, {n} a seat's number, {file} the rest, others one name
    unsigned capability;       // CAP_NONE = anybody
    uint32_t body_max;         // 0 = takes none
    enum rate_class rate;
    void (*handler)(struct request *request);
    const char *id, *summary;
    const char *body, *answer; // schemas of openapi.c; NULL = none
    int success;               // status of the usual answer
    const char *type;          // media type of the usual answer; NULL = no body
    const char *query;         // names of the query string, blank-separated; NULL = none
};
extern const struct route routes[];
extern const size_t routes_n;

// Finds the row of a path and method. ERROR_INVALID: the path is malformed; ERROR_NOT_FOUND; ERROR_METHOD:
// ret_allow lists the methods it takes. Fills {t}, {n} and up to two other names.
struct route_names {
    char *table; // 33 bytes
    int *number;
    char (*param)[HTTP_PARAM_MAX];
};
enum error_code routes_find(const char *path, const char *method, const struct route **ret,
                            const struct route_names *names, char ret_allow[ROUTES_ALLOW_MAX],
                            struct error *err);

// views.c
void get_root(struct request *request);
void get_file(struct request *request);
void get_healthz(struct request *request);
void get_readyz(struct request *request);
void get_metrics(struct request *request);
void get_info(struct request *request);
void get_openapi(struct request *request);
void get_games(struct request *request);
void get_tables(struct request *request);
void get_table(struct request *request);
void get_violations(struct request *request);
void get_readers(struct request *request);
void get_seat_view(struct request *request);
void get_pieces(struct request *request);
// views_table.c
void get_map(struct request *request);
void post_check(struct request *request);
// views_history.c
void get_timeline(struct request *request);
void get_history(struct request *request);
void get_past_game(struct request *request);
void get_stats(struct request *request);
// settings.c, log_ring.c
void get_settings(struct request *request);
void patch_settings(struct request *request);
void get_logs(struct request *request);
// sse.c
void get_events(struct request *request);
// commands.c
void post_game(struct request *request);
void post_action(struct request *request);
void post_control(struct request *request);
void post_enrol(struct request *request);
void post_import(struct request *request);
void delete_piece(struct request *request);

// people_session.c
void post_session(struct request *request);
void get_session(struct request *request);
void delete_session(struct request *request);
void post_pairing(struct request *request);
void post_claim(struct request *request);
// people_lists.c
void get_sessions(struct request *request);
void delete_session_of(struct request *request);
void get_users(struct request *request);
void post_user(struct request *request);
void patch_user(struct request *request);
void delete_user(struct request *request);
void get_tokens(struct request *request);
void post_token(struct request *request);
void delete_token(struct request *request);

// openapi.c: the OpenAPI 3.1 document; malloc'd.
char *openapi_text(const char *version, size_t *ret_len);
