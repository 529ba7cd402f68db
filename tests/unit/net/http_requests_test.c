#include "http_client.h"
#include "net/routes.h"
#include "support/door_stub.c"
#include <ctype.h>
#include <jansson.h>

static const char table[] = "/api/v1/tables/main", actions[] = "/api/v1/tables/main/actions",
                  control[] = "/api/v1/tables/main/control", game[] = "/api/v1/tables/main/game";

static void reads_need_no_token_where_nothing_is_told(void **state) {
    struct fixture *f = *state;
    assert_int_equal(get(f, NULL, "/healthz")->status, 200);
    assert_int_equal(get(f, NULL, "/")->status, 200);
    struct answer *a = get(f, NULL, "/readyz");
    assert_int_equal(a->status, 200);
    assert_string_equal(a->body,
                        "{\"status\":\"ready\",\"disk\":\"ok\",\"readers\":\"ok\",\"broker\":\"none\"}");
    f->door->health.readers_up = 0;
    assert_non_null(strstr(get(f, NULL, "/readyz")->body, "degraded"));
    f->door->health.storage_ok = false;
    assert_int_equal(get(f, NULL, "/readyz")->status, 503);
    a = get(f, NULL, "/api/v1/info");
    assert_non_null(strstr(a->body, "\"boot_id\":\"abcdef0123456789\""));
}

static void a_table_needs_a_token_and_has_an_etag(void **state) {
    struct fixture *f = *state;
    char etag[80], line[128];
    struct answer *a = get(f, NULL, table);
    assert_int_equal(a->status, 401);
    assert_true(has_header(a, "WWW-Authenticate: Bearer"));
    assert_true(has_header(a, "Content-Type: application/problem+json"));
    assert_int_equal(get(f, "metrics", table)->status, 403);
    a = get(f, "display", table);
    assert_int_equal(a->status, 200);
    assert_non_null(strstr(a->body, "\"game\":\"one_night\""));
    assert_null(strstr(a->body, "canary_role"));
    assert_true(has_header(a, "X-Content-Type-Options: nosniff"));
    header_of(a, "ETag", etag, sizeof etag);
    assert_true(strlen(etag) > 4);
    snprintf(line, sizeof line, "If-None-Match: \"other\", W/%s\r\n", etag);
    a = ask(f, "display", "GET", table, line, NULL);
    assert_int_equal(a->status, 304);
    door_stub_show(f->door, "main", OBSERVE_PUBLIC, OBSERVE_PART_PHASE);
    a = ask(f, "display", "GET", table, line, NULL);
    assert_int_equal(a->status, 200);
    assert_int_equal(get(f, "display", "/api/v1/tables/other")->status, 404);
    static const struct {
        const char *path, *said;
    } wrong[] = {{"/api/v1/tables/mian", "there is no table 'mian'; did you mean 'main'?"},
                 {"/api/v1/tables/main/evnts", "nothing here is called 'evnts'; did you mean 'events'?"},
                 {"/api/v1/tables/main/seats/2/veiw", "did you mean 'view'?"},
                 {"/api/v1/tables/main/seats/2/view/x", "nothing here is called 'x'\""},
                 {"/api/v1/tables/Main", "nothing here is called 'Main'\""},
                 {"/api/v1/tables/Main/events", "nothing here is called 'Main'\""},
                 {"/api/v1/tables/main/seats", "this address goes on\""},
                 {"/api/v1", "this address goes on; there are: tables info openapi.json games stats pieces"},
                 {"/api/v2/games", "did you mean 'v1'?"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        a = get(f, "display", wrong[i].path);
        assert_int_equal(a->status, 404);
        if (!strstr(a->body, wrong[i].said))
            fail_msg("%s: %s", wrong[i].path, a->body);
    }
    assert_int_equal(ask(f, "display", "HEAD", table, NULL, NULL)->status, 200);
}

static void one_connection_serves_many_requests(void **state) {
    struct fixture *f = *state;
    struct answer *a = calloc(1, sizeof *a);
    int fd = client_open(f);
    for (int i = 0; i < 20; i++) {
        client_ask(f, fd, "display", "GET", table, NULL, NULL);
        client_read(f, fd, a, false);
        assert_int_equal(a->status, 200);
        assert_false(a->closed);
        client_ask(f, fd, "operator", "POST", actions, NULL, "{\"text\":\"s1 done\"}");
        client_read(f, fd, a, false);
        assert_int_equal(a->status, 200);
        client_ask(f, fd, NULL, "POST", actions, NULL, "{\"text\":\"s1 done\"}"); // refused, still alive
        client_read(f, fd, a, false);
        assert_int_equal(a->status, 401);
        assert_false(a->closed);
    }
    close(fd);
    free(a);
}

static void a_seat_sees_itself_and_nobody_else_does(void **state) {
    struct fixture *f = *state;
    struct answer *a = get(f, "s2", "/api/v1/tables/main/seats/2/view");
    assert_int_equal(a->status, 200);
    assert_non_null(strstr(a->body, "canary_role"));
    assert_true(has_header(a, "Cache-Control: no-store"));
    static const char *const askers[] = {"s1", "admin", "operator", "display", "metrics"};
    a = get(f, "s2", "/api/v1/tables/main/seats/9/view"); // no such seat
    assert_int_equal(a->status, 404);
    assert_int_equal(get(f, "s2", "/api/v1/tables/main/seats/s2/view")->status, 200);
    static const char *const nobody[] = {"0", "02", "s", "2x", "-2", "20", "4294967298", "s02", "ss2"};
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++) {
        char path[64];
        snprintf(path, sizeof path, "/api/v1/tables/main/seats/%s/view", nobody[i]);
        assert_int_equal(get(f, "s2", path)->status, 404);
    }
    for (size_t i = 0; i < sizeof askers / sizeof *askers; i++) {
        a = get(f, askers[i], "/api/v1/tables/main/seats/2/view");
        char foreign[1024];
        assert_int_equal(a->status, 404);
        snprintf(foreign, sizeof foreign, "%s", a->body);
        a = get(f, "s9", "/api/v1/tables/main/seats/2/view");
        assert_string_equal(a->body, foreign);
    }
    // A seat that holds a token and does not play looks like any other.
    assert_int_equal(get(f, "s9", "/api/v1/tables/main/seats/9/view")->status, 404);
    int fd = client_local(f);
    client_ask(f, fd, NULL, "GET", "/api/v1/tables/main/seats/2/view", NULL, NULL);
    client_read(f, fd, a, false);
    assert_int_equal(a->status, 404);
    close(fd);
}

static void an_action_reaches_the_door_as_line_or_json(void **state) {
    struct fixture *f = *state;
    struct answer *a = post(f, "operator", actions, "{\"text\":\"s2 swap a=s2 b=s4\",\"if_seq\":7}");
    assert_int_equal(a->status, 200);
    assert_string_equal(a->body, "{\"version\":42}");
    assert_string_equal(f->door->last.action, "s2 swap a=s2 b=s4");
    assert_int_equal(f->door->last.if_seq, 7);
    assert_string_equal(f->door->last.who.cause, "rest");
    assert_string_equal(f->door->last.who.name, "operator");
    post(f, "s2", actions, "{\"by\":\"s2\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s4\"}}");
    assert_string_equal(f->door->last.action,
                        "{\"by\":\"s2\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s4\"}}");
    assert_int_equal(f->door->last.who.role, DOOR_SEAT);
    assert_int_equal(f->door->last.who.seat, 1);
    assert_int_equal(post(f, "display", actions, "{\"text\":\"s1 done\"}")->status, 403);
    assert_int_equal(post(f, "operator", "/api/v1/tables/nowhere/actions", "{\"text\":\"s1 done\"}")->status,
                     404);
}

static void the_dark_answers_202_and_refusals_are_problems(void **state) {
    struct fixture *f = *state;
    f->door->answer.accepted_only = true;
    struct answer *a = post(f, "s2", actions, "{\"text\":\"s2 swap a=s1 b=s3\"}");
    assert_int_equal(a->status, 202);
    assert_string_equal(a->body, "{\"accepted\":true}");
    door_stub_refuse(f->door, ERROR_ILLEGAL, "not_yourself", "the robber takes from somebody else");
    a = post(f, "s2", actions, "{\"text\":\"s2 swap a=s2 b=s2\"}");
    assert_int_equal(a->status, 422);
    json_t *json = json_loads(a->body, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    static const char *const expected[][2] = {{"type", "urn:tabled:problem:illegal"},
                                              {"title", "the rules do not allow this"},
                                              {"code", "illegal"},
                                              {"rule", "not_yourself"},
                                              {"instance", actions},
                                              {"detail", "the robber takes from somebody else"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(json_string_value(json_object_get(json, expected[i][0])), expected[i][1]);
    assert_int_equal(json_integer_value(json_object_get(json, "status")), 422);
    json_decref(json);
}

static void a_post_answers_when_it_is_durable(void **state) {
    struct fixture *f = *state;
    struct answer *a = calloc(1, sizeof *a);
    f->door->later = true;
    int fd[3];
    char early[16];
    for (int i = 0; i < 3; i++) {
        fd[i] = client_open(f);
        client_ask(f, fd[i], "operator", "POST", actions, NULL, "{\"text\":\"s1 done\"}");
    }
    turn(f, 10);
    assert_int_equal(f->door->n_waiting, 3);
    assert_int_equal(recv(fd[0], early, sizeof early, MSG_DONTWAIT), -1);
    close(fd[1]); // gone meanwhile: safe
    turn(f, 10);
    door_stub_reply(f->door);
    client_read(f, fd[0], a, false);
    assert_int_equal(a->status, 200);
    client_read(f, fd[2], a, false);
    assert_int_equal(a->status, 200);
    close(fd[0]);
    close(fd[2]);
    free(a);
}

static void stopping_answers_what_waits(void **state) {
    struct fixture *f = *state;
    f->door->later = true;
    int fd = client_open(f);
    char text[2048];
    client_ask(f, fd, "operator", "POST", actions, NULL, "{\"text\":\"s1 done\"}");
    turn(f, 10);
    http_destroy(f->http);
    f->http = NULL;
    ssize_t n = recv(fd, text, sizeof text - 1, MSG_DONTWAIT);
    assert_true(n > 0);
    assert_memory_equal(text, "HTTP/1.1 503", 12);
    close(fd);
    door_stub_reply(f->door); // to nobody
}

static void a_game_starts_from_json(void **state) {
    struct fixture *f = *state;
    static const struct door_issue issues[] = {{false, "many_wolves", "two werewolves for three seats"}};
    f->door->answer.n_issues = 1;
    f->door->answer.issues = issues;
    struct answer *a = post(f, "operator", game,
                            "{\"game\":\"one_night\",\"seats\":3,\"roles\":{\"werewolf\":2,\"seer\":1},"
                            "\"options\":{\"discussion_s\":120,\"lone_wolf\":true,\"ballot\":\"on_pad\"},"
                            "\"seed\":\"18446744073709551615\"}");
    assert_int_equal(a->status, 201);
    assert_true(has_header(a, "Location: /api/v1/tables/main"));
    assert_string_equal(a->body,
                        "{\"version\":42,\"issues\":[{\"error\":false,\"code\":\"many_wolves\",\"text\":"
                        "\"two werewolves for three seats\"}]}");
    assert_string_equal(f->door->last.game, "one_night");
    assert_string_equal(f->door->last.cards, "werewolf werewolf seer");
    assert_string_equal(f->door->last.options, "discussion_s=120 lone_wolf=1 ballot=on_pad");
    assert_true(f->door->last.seed == UINT64_MAX);
    assert_int_equal(post(f, "s1", game, "{\"game\":\"one_night\"}")->status, 403);
}

static void an_idempotency_key_starts_once(void **state) {
    struct fixture *f = *state;
    static const char key[] = "Idempotency-Key: evening-1\r\n",
                      body[] = "{\"game\":\"one_night\",\"seats\":3}";
    char first[1024];
    struct answer *a = ask(f, "operator", "POST", game, key, body);
    assert_int_equal(a->status, 201);
    snprintf(first, sizeof first, "%s", a->body);
    f->door->answer.version = 99;
    a = ask(f, "operator", "POST", game, key, body);
    assert_int_equal(a->status, 201);
    assert_string_equal(a->body, first);
    assert_int_equal(f->door->n_requests, 1);
    assert_int_equal(ask(f, "operator", "POST", game, key, "{\"game\":\"not_alone\"}")->status, 409);
    assert_int_equal(ask(f, "admin", "POST", game, key, body)->status, 201); // keys are apart for each caller
    assert_int_equal(f->door->n_requests, 2);
    // A cause that may pass is not kept.
    door_stub_refuse(f->door, ERROR_BUSY, "", "");
    assert_int_equal(ask(f, "operator", "POST", game, "Idempotency-Key: k2\r\n", body)->status, 503);
    f->door->answer = (struct door_answer){.code = ERROR_OK, .version = 1};
    assert_int_equal(ask(f, "operator", "POST", game, "Idempotency-Key: k2\r\n", body)->status, 201);
}

static void control_is_for_the_operator_and_choosing_for_seats_too(void **state) {
    struct fixture *f = *state;
    assert_int_equal(post(f, "operator", control, "{\"do\":\"pause\",\"reason\":\"phone\"}")->status, 200);
    assert_int_equal(f->door->last.control.control, DOOR_PAUSE);
    assert_string_equal(f->door->last.reason, "phone");
    assert_int_equal(post(f, "s1", control, "{\"do\":\"undo\"}")->status, 403);
    assert_int_equal(post(f, "s1", control, "{\"do\":\"choose\",\"choice\":4,\"option\":1}")->status, 200);
    assert_int_equal(f->door->last.control.choice, 4);
    assert_int_equal(f->door->last.control.option, 1);
    post(f, "operator", control, "{\"do\":\"override\",\"violation\":3,\"reason\":\"seen by all\"}");
    assert_int_equal(f->door->last.control.violation, 3);
    assert_null(f->door->last.control.action);
    post(f, "operator", control, "{\"do\":\"override\",\"action\":\"s1 move\"}");
    assert_string_equal(f->door->last.control.action, "s1 move");
}

static void b078_no_client_sets_the_clock(void **state) {
    struct fixture *f = *state;
    size_t before = f->door->n_requests;
    assert_int_equal(post(f, "operator", control, "{\"do\":\"pause\",\"remaining_ms\":1}")->status, 400);
    assert_int_equal(post(f, "operator", control, "{\"do\":\"resume\",\"deadline\":\"2030-01-01\"}")->status,
                     400);
    assert_int_equal(f->door->n_requests, before);
}

static void b070_reloading_has_no_effect_on_the_game(void **state) {
    struct fixture *f = *state;
    uint64_t version = door_view(f->door, "main", OBSERVE_PUBLIC)->version;
    struct answer *a = calloc(1, sizeof *a);
    for (int i = 0; i < 50; i++) {
        int fd = client_open(f);
        client_ask(f, fd, i % 2 ? "s1" : "display", "GET", "/api/v1/tables/main/events", NULL, NULL);
        client_read(f, fd, a, true);
        assert_int_equal(a->status, 200);
        close(fd);
        assert_int_equal(get(f, "display", table)->status, 200);
    }
    free(a);
    assert_int_equal(f->door->n_requests, 0);
    assert_int_equal(door_view(f->door, "main", OBSERVE_PUBLIC)->version, version);
}

static void lists_and_pieces(void **state) {
    struct fixture *f = *state;
    assert_string_equal(get(f, "display", "/api/v1/tables")->body,
                        "{\"tables\":[{\"table\":\"main\",\"status\":\"running\",\"game\":\"one_night\","
                        "\"preset\":null}]}");
    f->door->preset = (struct door_preset){"one_night", "base_5", "", "house=yes \"", "s2", 5};
    assert_non_null(strstr(get(f, "display", "/api/v1/tables")->body,
                           "\"preset\":{\"game\":\"one_night\",\"preset\":\"base_5\",\"roles\":\"\","
                           "\"options\":\"house=yes \\\"\",\"bots\":\"s2\",\"seats\":5}}]}"));
    assert_string_equal(get(f, "display", "/api/v1/games")->body, "{\"games\":[{\"id\":\"one_night\"}]}");
    assert_non_null(strstr(get(f, "display", "/api/v1/tables/main/violations")->body, "\"violations\":[]"));
    assert_non_null(strstr(get(f, "display", "/api/v1/tables/main/readers")->body, "\"readers\":[]"));
    f->door->readers = (struct observe_readers){1, {{.name = "north", .driver = "sim", .up = true}}};
    f->door->n_numbers = 1;
    f->door->numbers = (struct observe_reader_numbers){
        .name = "north", .up = true, .scans = 12, .misses = 3, .rate_mhz = 11700, .faults = {7}};
    const char *body = get(f, "operator", "/api/v1/tables/main/readers")->body;
    assert_non_null(strstr(body, "\"numbers\":[{\"name\":\"north\",\"rate_mhz\":11700,\"scans\":12,"));
    assert_non_null(strstr(body, "\"faults\":{\"timeout\":7,"));
    assert_null(strstr(get(f, "display", "/api/v1/tables/main/readers")->body, "numbers"));
    assert_null(strstr(get(f, "s1", "/api/v1/tables/main/readers")->body, "numbers"));
    body = get(f, "metrics", "/metrics")->body;
    assert_non_null(strstr(body, "tabled_reader_up{reader=\"north\"} 1\n"));
    assert_non_null(strstr(body, "tabled_reader_misses_total{reader=\"north\"} 3\n"));
    assert_non_null(strstr(body, "tabled_reader_faults_total{reader=\"north\",class=\"timeout\"} 7\n"));
    assert_int_equal(get(f, "operator", "/api/v1/pieces")->status, 403);
    assert_null(strstr(get(f, "admin", "/api/v1/pieces")->body, "04AA"));
    assert_non_null(strstr(get(f, "admin", "/api/v1/pieces?tags=1&deck=base")->body, "04AA"));
    assert_non_null(strstr(get(f, "admin", "/api/v1/pieces?tags=1")->body, "\"pieces\":[{\"deck\":"));
    assert_non_null(strstr(get(f, "admin", "/api/v1/pieces?tags=1")->body, "\"tags\":[{\"tag\":\"04AA"));
    assert_int_equal(get(f, "admin", "/api/v1/pieces?deck=unknown")->status, 404);
    assert_int_equal(
        post(f, "admin", "/api/v1/pieces/import",
             "{\"pieces\":[{\"deck\":\"a\",\"name\":\"b\",\"kind\":\"c\",\"tags\":[{\"tag\":\"04\","
             "\"face\":\"up\"},{\"tag\":\"05\"}]}]}")
            ->status,
        200);
    assert_string_equal(f->door->last.action, "deck,name,kind,tag,face\na,b,c,04,up\na,b,c,05,\n");
    assert_int_equal(
        post(f, "admin", "/api/v1/pieces/import", "{\"pieces\":[{\"deck\":\"a,b\",\"tags\":[{}]}]}")->status,
        400);
    assert_int_equal(post(f, "admin", "/api/v1/pieces/import", "{\"pieces\":[{\"deck\":\"a\"}]}")->status,
                     400);
    assert_int_equal(post(f, "admin", "/api/v1/pieces/import", "{}")->status, 400);
    assert_int_equal(post(f, "admin", "/api/v1/pieces/import", "{\"text\":\"deck,name\\n\"}")->status, 200);
    assert_string_equal(f->door->last.action, "deck,name\n");
    post(f, "admin", "/api/v1/tables/main/enrol",
         "{\"deck\":\"base\",\"name\":\"w1\",\"kind\":\"werewolf\",\"face\":\"up\",\"wait_ms\":5000}");
    assert_string_equal(f->door->last.kind_of_piece, "werewolf");
    assert_int_equal(f->door->last.wait_ms, 5000);
    const struct door_inspected inspected = {"seer \"x\"", DOOR_SIGNATURE_INVALID, "c1"};
    f->door->answer.inspected = &inspected;
    assert_string_equal(
        post(f, "admin", "/api/v1/tables/main/enrol", "{\"deck\":\"base\",\"look\":true}")->body,
        "{\"version\":42,\"hint\":\"seer \\\"x\\\"\",\"signature\":\"invalid\",\"pad\":\"c1\"}");
    assert_string_equal(f->door->last.kind_of_piece, "");
    f->door->answer.inspected = NULL;
    struct answer *a = get(f, "metrics", "/metrics");
    assert_int_equal(a->status, 200);
    assert_non_null(strstr(a->body, "\ntabled_build_info{version=\"1.2.3\"} 1\n"));
    assert_non_null(strstr(a->body, "\ntabled_records_total 10\n"));
    assert_int_equal(get(f, "display", "/metrics")->status, 403);
}

// A phone that is paired with a seat: its Cookie line.
static void pair_seat(struct fixture *f, char ret[160]) {
    char body[128], cookie[200];
    struct answer *a =
        post(f, "admin", "/api/v1/pairing", "{\"role\":\"seat\",\"seat\":\"s2\",\"table\":\"main\"}");
    assert_int_equal(a->status, 201);
    snprintf(body, sizeof body, "{\"code\":\"%.8s\",\"name\":\"phone\"}", strstr(a->body, "code\":\"") + 7);
    a = post(f, NULL, "/api/v1/pairing/claim", body);
    assert_int_equal(a->status, 201);
    header_of(a, "Set-Cookie", cookie, sizeof cookie);
    snprintf(ret, 160, "Cookie: %.*s\r\n", (int)strcspn(cookie, ";"), cookie);
}

// Who speaks at night acts: neither when a phone was last heard nor what it opens is told while a game runs.
static void a_seat_that_speaks_is_in_no_number(void **state) {
    struct fixture *f = *state;
    static struct answer one;
    char cookie[160], sessions[1024], metrics[8192];
    pair_seat(f, cookie);
    snprintf(sessions, sizeof sessions, "%s", get(f, "admin", "/api/v1/sessions")->body);
    snprintf(metrics, sizeof metrics, "%s", get(f, "metrics", "/metrics")->body);
    assert_non_null(strstr(metrics, "\ntabled_http_connections 1\n"));
    clock_virtual_advance(&f->clock, 60000000);
    int asking = client_open(f), hearing = client_open(f), nobody = client_open(f);
    client_ask(f, asking, NULL, "GET", table, cookie, NULL);
    client_read(f, asking, &one, false);
    assert_int_equal(one.status, 200);
    client_ask(f, hearing, NULL, "GET", "/api/v1/tables/main/events?audience=public", cookie, NULL);
    client_read(f, hearing, &one, true);
    assert_int_equal(one.status, 200);
    assert_string_equal(get(f, "metrics", "/metrics")->body, metrics);
    assert_string_equal(get(f, "admin", "/api/v1/sessions")->body, sessions);
    door_stub_view(f->door, "main", OBSERVE_PUBLIC)->status = OBSERVE_ENDED;
    client_ask(f, asking, NULL, "GET", table, cookie, NULL);
    client_read(f, asking, &one, false);
    assert_string_not_equal(get(f, "admin", "/api/v1/sessions")->body, sessions);
    close(asking);
    close(hearing);
    close(nobody);
}

// Every row is in the document and every operation of the document is a row.
static void the_openapi_document_is_the_route_table(void **state) {
    struct fixture *f = *state;
    json_t *root = json_loads(get(f, NULL, "/api/v1/openapi.json")->body, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "openapi")), "3.1.0");
    json_t *paths = json_object_get(root, "paths"), *schemas, *item;
    json_unpack(root, "{s:{s:o}}", "components", "schemas", &schemas);
    size_t operations = 0;
    const char *key;
    json_object_foreach(paths, key, item) operations += json_object_size(item);
    assert_int_equal(operations, routes_n);
    for (size_t i = 0; i < routes_n; i++) {
        char method[8] = "";
        for (size_t k = 0; routes[i].method[k]; k++)
            method[k] = (char)tolower(routes[i].method[k]);
        json_t *operation = json_object_get(json_object_get(paths, routes[i].path), method);
        assert_non_null(operation);
        assert_int_equal(json_object_get(operation, "security") != NULL, routes[i].capability == CAP_NONE);
        assert_int_equal(json_object_get(operation, "requestBody") != NULL, routes[i].body_max > 0);
        if (routes[i].body)
            assert_non_null(json_object_get(schemas, routes[i].body));
        if (routes[i].answer)
            assert_non_null(json_object_get(schemas, routes[i].answer));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(routes[k].id, routes[i].id);
    }
    json_decref(root);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(reads_need_no_token_where_nothing_is_told),
        TEST(a_table_needs_a_token_and_has_an_etag),
        TEST(one_connection_serves_many_requests),
        TEST(a_seat_sees_itself_and_nobody_else_does),
        TEST(an_action_reaches_the_door_as_line_or_json),
        TEST(the_dark_answers_202_and_refusals_are_problems),
        TEST(a_post_answers_when_it_is_durable),
        TEST(stopping_answers_what_waits),
        TEST(a_game_starts_from_json),
        TEST(an_idempotency_key_starts_once),
        TEST(control_is_for_the_operator_and_choosing_for_seats_too),
        TEST(b078_no_client_sets_the_clock),
        TEST(b070_reloading_has_no_effect_on_the_game),
        TEST(lists_and_pieces),
        TEST(a_seat_that_speaks_is_in_no_number),
        TEST(the_openapi_document_is_the_route_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
