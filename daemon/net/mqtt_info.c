#include "net/mqtt_info.h"
#include "wire/pb_json.h"

enum { GAMES_MAX = 64 };

static size_t write(char *ret, size_t size, const ProtobufCMessage *message) {
    struct json j;
    json_begin(&j, ret, size);
    pb_json_write(&j, message);
    if (json_end(&j))
        return j.len;
    ret[0] = '\0'; // never a document that is cut
    return 0;
}

size_t mqtt_info_status(char *ret, size_t size, const char *boot_id, const char *version,
                        Tabled__V1__State state, int64_t since_us) {
    Tabled__V1__Time since = TABLED__V1__TIME__INIT;
    Tabled__V1__Status status = TABLED__V1__STATUS__INIT;
    since.unix_ms = (uint64_t)since_us / 1000;
    status.boot_id = (char *)boot_id;
    status.state = state;
    status.version = (char *)version;
    status.since = &since;
    return write(ret, size, &status.base);
}

size_t mqtt_info_table(char *ret, size_t size, const char *boot_id, const char *version, const char *table) {
    char *formats[] = {(char *)"json", (char *)"protobuf"}, *games[GAMES_MAX];
    Tabled__V1__Info info = TABLED__V1__INFO__INIT;
    info.boot_id = (char *)boot_id;
    info.table = (char *)table;
    info.version = (char *)version;
    info.games = games;
    while (info.n_games < GAMES_MAX && (games[info.n_games] = (char *)door_game_id(info.n_games)) != NULL)
        info.n_games++;
    info.n_formats = 2;
    info.formats = formats;
    return write(ret, size, &info.base);
}

size_t mqtt_info_reply(char *ret, size_t size, const char *verb, const struct door_answer *answer) {
    Tabled__V1__Reply reply = TABLED__V1__REPLY__INIT;
    bool failed = answer->code != ERROR_OK;
    reply.verb = (char *)verb;
    reply.code = (char *)error_name(answer->code);
    reply.rule = (char *)(failed ? answer->error.rule : "");
    reply.text = (char *)(failed ? answer->error.text : "");
    reply.where = (char *)(failed ? answer->error.where : "");
    reply.version = answer->accepted_only ? 0 : answer->version;
    reply.accepted = answer->accepted_only;
    return write(ret, size, &reply.base);
}
