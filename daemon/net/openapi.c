// The OpenAPI 3.1 document, written from the rows of routes.c; only the schemas stand here.
#include "core/json.h"
#include "net/routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENT_MAX = 65536 };

#define OBJECT(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"
#define STRICT(required, properties)                                                                         \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[" required                            \
    "],\"properties\":{" properties "}}"
#define TEXT "{\"type\":\"string\"}"
#define WORD "{\"type\":\"string\",\"pattern\":\"^[a-z0-9_]{1,32}$\"}"
#define NUMBER "{\"type\":\"integer\",\"minimum\":0}"
#define BOOLEAN "{\"type\":\"boolean\"}"
#define LIST(of) "{\"type\":\"array\",\"items\":" of "}"
#define PIECE                                                                                                \
    OBJECT("\"deck\":" TEXT ",\"name\":" TEXT ",\"kind\":" WORD                                              \
           ",\"tags\":" LIST(OBJECT("\"tag\":" TEXT ",\"face\":" TEXT)))
#define NAME "{\"type\":\"string\",\"pattern\":\"^[a-z0-9-]{1,32}$\"}"
#define PASSWORD "{\"type\":\"string\",\"minLength\":8,\"maxLength\":128}"
#define ROLE "{\"enum\":[\"admin\",\"operator\",\"seat\",\"display\",\"metrics\"]}"
#define TIME "{\"type\":\"string\",\"format\":\"date-time\"}"
#define USER OBJECT("\"name\":" TEXT ",\"role\":" ROLE ",\"created_at\":" TIME)
#define ISSUE OBJECT("\"error\":" BOOLEAN ",\"code\":" TEXT ",\"text\":" TEXT)
#define TABLE_PRESET                                                                                         \
    "{\"type\":[\"object\",\"null\"],\"properties\":{\"game\":" WORD ",\"preset\":" TEXT ",\"roles\":" TEXT  \
    ",\"options\":" TEXT ",\"bots\":" TEXT ",\"seats\":" NUMBER "}}"
#define ACTION                                                                                               \
    "{\"type\":\"object\",\"required\":[\"by\",\"do\"],\"properties\":{\"by\":" TEXT ",\"do\":" WORD         \
    ",\"args\":{\"type\":\"object\"}}}"

static const struct schema {
    const char *name, *text;
} schemas[] = {
    {"Object", "{\"type\":\"object\"}"},
    {"Problem", OBJECT("\"type\":" TEXT ",\"title\":" TEXT ",\"status\":" NUMBER ",\"detail\":" TEXT
                       ",\"instance\":" TEXT ",\"code\":" TEXT ",\"rule\":" TEXT ",\"issues\":" LIST(ISSUE))},
    {"Info", OBJECT("\"name\":" TEXT ",\"version\":" TEXT ",\"api\":" TEXT ",\"boot_id\":" TEXT
                    ",\"auth\":" TEXT ",\"site\":" TEXT ",\"locale\":" TEXT ",\"tls_fingerprint\":" TEXT
                    ",\"tls_ends_at\":{\"type\":[\"string\",\"null\"]}"
                    ",\"claimed\":" BOOLEAN ",\"pairing_open\":" BOOLEAN ",\"insecure\":" BOOLEAN)},
    {"Ready", OBJECT("\"status\":{\"enum\":[\"ready\",\"degraded\",\"failed\"]},\"disk\":" TEXT
                     ",\"readers\":" TEXT ",\"broker\":" TEXT)},
    {"Tables", OBJECT("\"tables\":" LIST(OBJECT("\"table\":" TEXT ",\"status\":" TEXT ",\"game\":" TEXT
                                                ",\"preset\":" TABLE_PRESET)))},
    {"View",
     OBJECT("\"header\":{\"type\":\"object\"},\"game\":{\"type\":\"object\"},\"phase\":{\"type\":\"object\"}"
            ",\"board\":{\"type\":\"object\"},\"seats\":{\"type\":\"object\"},\"violations\":{\"type\":"
            "\"object\"},\"result\":{\"type\":\"object\"},\"facts\":{\"type\":\"array\"}")},
    {"Start",
     STRICT("\"game\"",
            "\"game\":" WORD ",\"preset\":" TEXT
            ",\"seats\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":16},\"roles\":{\"oneOf\":[" LIST(
                WORD) ",{\"type\":\"object\",\"additionalProperties\":" NUMBER
                      "}]},\"options\":{\"type\":\"object\",\"additionalProperties\":{\"type\":[\"string\","
                      "\"integer\",\"boolean\"]}},\"seed\":{\"type\":[\"integer\",\"string\"]}"
                      ",\"bots\":" TEXT)},
    {"Started", OBJECT("\"version\":" NUMBER ",\"issues\":" LIST(ISSUE))},
    {"Done", OBJECT("\"version\":" NUMBER ",\"accepted\":" BOOLEAN ",\"added\":" NUMBER ",\"hint\":" TEXT
                    ",\"signature\":" TEXT ",\"pad\":" TEXT)},
    {"Action",
     "{\"oneOf\":[" STRICT(
         "\"by\",\"do\"", "\"by\":" TEXT ",\"do\":" WORD ",\"args\":{\"type\":\"object\"},"
                          "\"if_seq\":" NUMBER) "," STRICT("\"text\"",
                                                           "\"text\":{\"type\":\"string\",\"examples\":[\"s2 "
                                                           "swap a=s2 b=s4\"]},\"if_seq\":" NUMBER) "]}"},
    {"Control", STRICT("\"do\"",
                       "\"do\":{\"enum\":[\"pause\",\"resume\",\"undo\",\"override\",\"choose\",\"end\","
                       "\"again\",\"repeat\",\"next\"]},\"reason\":{\"type\":\"string\",\"maxLength\":160},"
                       "\"choice\":" NUMBER ",\"option\":" NUMBER ",\"violation\":" NUMBER
                       ",\"action\":{\"oneOf\":[" TEXT "," ACTION "]}")},
    {"Enrol", STRICT("\"deck\"", "\"look\":" BOOLEAN ",\"deck\":" TEXT ",\"name\":" TEXT ",\"kind\":" TEXT
                                 ",\"face\":{\"enum\":[\"up\",\"down\"]},\"pad\":" TEXT
                                 ",\"wait_ms\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":120000}")},
    {"Session",
     OBJECT("\"user\":" TEXT ",\"role\":" ROLE ",\"seat\":" TEXT ",\"table\":" TEXT ",\"csrf\":" TEXT
            ",\"capabilities\":" LIST(TEXT) ",\"expires_at\":{\"type\":[\"string\",\"null\"]}")},
    {"Login", STRICT("\"name\",\"password\"", "\"name\":" NAME ",\"password\":" PASSWORD)},
    {"Claim", STRICT("\"code\",\"name\"", "\"code\":" TEXT ",\"name\":" NAME ",\"password\":" PASSWORD)},
    {"Pairing", STRICT("\"role\"", "\"role\":" ROLE ",\"seat\":" TEXT ",\"table\":" TEXT)},
    {"Code", OBJECT("\"code\":" TEXT ",\"expires_at\":" TIME)},
    {"Sessions",
     OBJECT("\"sessions\":" LIST(OBJECT("\"id\":" TEXT ",\"user\":" TEXT ",\"role\":" ROLE ",\"seat\":" TEXT
                                        ",\"table\":" TEXT ",\"created_at\":" TIME ",\"seen_at\":" TIME
                                        ",\"address\":" TEXT ",\"current\":" BOOLEAN)))},
    {"User", USER},
    {"Users", OBJECT("\"users\":" LIST(USER))},
    {"NewUser",
     STRICT("\"name\",\"password\",\"role\"", "\"name\":" NAME ",\"password\":" PASSWORD ",\"role\":" ROLE)},
    {"UserChange", STRICT("", "\"password\":" PASSWORD ",\"role\":" ROLE)},
    {"Tokens",
     OBJECT("\"tokens\":" LIST(OBJECT("\"id\":" TEXT ",\"name\":" TEXT ",\"role\":" ROLE ",\"seat\":" TEXT
                                      ",\"table\":" TEXT ",\"created_at\":" TIME)))},
    {"NewToken",
     STRICT("\"name\",\"role\"", "\"name\":" NAME ",\"role\":" ROLE ",\"seat\":" TEXT ",\"table\":" TEXT)},
    {"Token", OBJECT("\"id\":" TEXT ",\"token\":" TEXT)},
    {"Import", "{\"oneOf\":[" STRICT("\"text\"",
                                     "\"text\":{\"type\":\"string\",\"examples\":[\"deck,name,kind,tag,"
                                     "face\"]}") "," STRICT("\"pieces\"", "\"pieces\":" LIST(PIECE)) "]}"},
    {"Checked", OBJECT("\"ok\":" BOOLEAN
                       ",\"issues\":" LIST(ISSUE) ",\"game\":" TEXT ",\"seats\":" NUMBER ",\"cards\":" LIST(
                           TEXT) ",\"options\":" LIST(OBJECT("\"name\":" TEXT ",\"value\":" TEXT)))},
    {"Map", OBJECT("\"pads\":" LIST(OBJECT("\"name\":" TEXT
                                           ",\"x\":{\"type\":\"integer\"},\"y\":{\"type\":\"integer\"}"
                                           ",\"kind\":{\"enum\":[\"tile\",\"tap\"]},\"reader\":" TEXT
                                           ",\"antenna\":" NUMBER ",\"places\":" LIST(TEXT))))},
    {"Timeline", OBJECT("\"events\":" LIST(
                     OBJECT("\"at\":" TIME ",\"seq\":" NUMBER
                            ",\"topic\":{\"enum\":[\"event\",\"board\",\"phase\",\"seats\",\"violation\","
                            "\"result\",\"narration\"]},\"body\":{\"type\":\"object\"}")) ",\"next\":" TEXT)},
    {"History",
     OBJECT("\"games\":" LIST(OBJECT(
         "\"game_id\":" TEXT ",\"game\":" TEXT ",\"title\":" TEXT ",\"seats\":" NUMBER ",\"started_at\":" TIME
         ",\"ended_at\":" TIME ",\"winners\":" LIST(TEXT) ",\"teams\":" LIST(
             OBJECT("\"name\":" TEXT ",\"won\":" BOOLEAN)) ",\"reason\":" TEXT
                                                           ",\"aborted\":" BOOLEAN)) ",\"next\":" TEXT)},
    {"PastGame", OBJECT("\"game\":{\"type\":\"object\"},\"result\":{\"type\":\"object\"}")},
    {"Stats",
     OBJECT("\"games\":" NUMBER ",\"by_game\":" LIST(
         OBJECT("\"game\":" TEXT ",\"n\":" NUMBER ",\"mean_s\":{\"type\":\"number\"},\"seats\":" LIST(OBJECT(
             "\"seats\":" NUMBER
             ",\"n\":" NUMBER)) ",\"teams\":" LIST(OBJECT("\"name\":" TEXT ",\"n\":" NUMBER ",\"won\":" NUMBER
                                                          ",\"rate\":{\"type\":\"number\"},\"low\":{\"type\":"
                                                          "\"number\"},\"high\":{\"type\":\"number\"}")))))},
    {"Settings", OBJECT("\"settings\":" LIST(
                     OBJECT("\"section\":" TEXT ",\"name\":" TEXT ",\"key\":" TEXT ",\"value\":" TEXT
                            ",\"default\":" TEXT ",\"source\":" TEXT ",\"secret\":" BOOLEAN
                            ",\"changeable\":" BOOLEAN ",\"changed\":{\"type\":[\"string\",\"null\"]}"
                            ",\"help\":" TEXT)))},
    {"SettingsChange",
     STRICT("\"changes\"",
            "\"changes\":{\"type\":\"array\",\"maxItems\":32,\"items\":" STRICT(
                "\"section\",\"key\",\"value\"", "\"section\":" TEXT ",\"name\":" TEXT ",\"key\":" TEXT
                                                 ",\"value\":{\"type\":[\"string\",\"null\"]}") "}")},
    {"Logs", OBJECT("\"lines\":" LIST(OBJECT("\"n\":" NUMBER ",\"at\":" TIME
                                             ",\"level\":{\"enum\":[\"error\",\"warning\",\"info\",\"debug\"]"
                                             "},\"text\":" TEXT)) ",\"next\":" TEXT)},
    {"Pieces", OBJECT("\"text\":" TEXT ",\"pieces\":" LIST(PIECE))},
};

static void raw(struct json *j, const char *key, const char *text) {
    json_key(j, key);
    json_raw(j, text, strlen(text));
}

static void text(struct json *j, const char *key, const char *value) {
    json_key(j, key);
    json_text(j, value);
}

static void open_object(struct json *j, const char *key) {
    json_key(j, key);
    json_begin_object(j);
}

static void write_content(struct json *j, const char *type, const char *schema) {
    char reference[96];
    open_object(j, "content");
    open_object(j, type);
    if (schema) {
        snprintf(reference, sizeof reference, "{\"$ref\":\"#/components/schemas/%s\"}", schema);
        raw(j, "schema", reference);
    } else {
        raw(j, "schema", TEXT);
    }
    json_end_object(j);
    json_end_object(j);
}

// What a path's names may be; a name without a row of its own is an id.
static const char *parameter_schema(const char *name, size_t n) {
    static const struct {
        const char *name, *schema;
    } rows[] = {
        {"t", "{\"type\":\"string\",\"pattern\":\"^[a-z0-9-]{1,32}$\"}"},
        {"n", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":16}"},
        {"file", TEXT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == n && !memcmp(rows[i].name, name, n))
            return rows[i].schema;
    return "{\"type\":\"string\",\"minLength\":1,\"maxLength\":32}";
}

static void write_query(struct json *j, const char *names) {
    while (names && *names) {
        size_t n = strcspn(names, " ");
        json_begin_object(j);
        json_key(j, "name");
        json_text_n(j, names, n);
        text(j, "in", "query");
        raw(j, "schema", TEXT);
        json_end_object(j);
        names += n + strspn(names + n, " ");
    }
}

static void write_parameters(struct json *j, const struct route *route) {
    const char *at = strchr(route->path, '{');
    if (!at && !route->query)
        return;
    json_key(j, "parameters");
    json_begin_array(j);
    write_query(j, route->query);
    for (; at; at = strchr(at, '{')) {
        size_t n = strcspn(++at, "}");
        json_begin_object(j);
        json_key(j, "name");
        json_text_n(j, at, n);
        text(j, "in", "path");
        raw(j, "required", "true");
        raw(j, "schema", parameter_schema(at, n));
        json_end_object(j);
    }
    json_end_array(j);
}

static void write_operation(struct json *j, const struct route *route) {
    char method[8] = "", status[12];
    for (size_t i = 0; route->method[i] && i + 1 < sizeof method; i++)
        method[i] = (char)(route->method[i] | 0x20);
    open_object(j, method);
    text(j, "operationId", route->id);
    text(j, "summary", route->summary);
    if (route->capability == CAP_NONE)
        raw(j, "security", "[]");
    write_parameters(j, route);
    if (route->body) {
        open_object(j, "requestBody");
        raw(j, "required", "true");
        write_content(j, "application/json", route->body);
        json_end_object(j);
    }
    open_object(j, "responses");
    snprintf(status, sizeof status, "%d", route->success);
    open_object(j, status);
    text(j, "description", "as asked");
    if (route->type)
        write_content(j, route->type, route->answer);
    json_end_object(j);
    raw(j, "4XX", "{\"$ref\":\"#/components/responses/Problem\"}");
    raw(j, "default", "{\"$ref\":\"#/components/responses/Problem\"}");
    json_end_object(j);
    json_end_object(j);
}

static bool seen_before(size_t i) {
    for (size_t k = 0; k < i; k++)
        if (!strcmp(routes[k].path, routes[i].path))
            return true;
    return false;
}

static void write_paths(struct json *j) {
    open_object(j, "paths");
    for (size_t i = 0; i < routes_n; i++) {
        if (seen_before(i))
            continue;
        open_object(j, routes[i].path);
        for (size_t k = i; k < routes_n; k++)
            if (!strcmp(routes[k].path, routes[i].path))
                write_operation(j, &routes[k]);
        json_end_object(j);
    }
    json_end_object(j);
}

static void write_document(struct json *j, const char *version) {
    json_begin_object(j);
    text(j, "openapi", "3.1.0");
    open_object(j, "info");
    text(j, "title", "tabled");
    text(j, "version", version);
    text(j, "summary", "A game table that knows the rules");
    raw(j, "license", "{\"name\":\"MIT\",\"identifier\":\"MIT\"}");
    json_end_object(j);
    raw(j, "servers", "[{\"url\":\"/\"}]");
    raw(j, "security", "[{\"token\":[]},{\"cookie\":[]}]");
    write_paths(j);
    open_object(j, "components");
    raw(j, "securitySchemes",
        "{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\"},\"cookie\":{\"type\":\"apiKey\",\"in\":"
        "\"cookie\",\"name\":\"tabled\"}}");
    open_object(j, "responses");
    open_object(j, "Problem");
    text(j, "description", "why not");
    write_content(j, ANSWER_PROBLEM_TYPE, "Problem");
    json_end_object(j);
    json_end_object(j);
    open_object(j, "schemas");
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++)
        raw(j, schemas[i].name, schemas[i].text);
    json_end_object(j);
    json_end_object(j);
    json_end_object(j);
}

char *openapi_text(const char *version, size_t *ret_len) {
    struct json j;
    char *buffer = malloc(DOCUMENT_MAX);
    if (!buffer)
        return NULL;
    json_begin(&j, buffer, DOCUMENT_MAX);
    write_document(&j, version);
    if (!json_end(&j)) {
        free(buffer);
        return NULL;
    }
    *ret_len = j.len;
    return buffer;
}
