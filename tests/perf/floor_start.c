// Floor of P15: opens the journal, reads every record, listens, says ready, answers.   floor_start DATABASE
// PORT
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data, size_t *size,
                              void **state) {
    (void)ctx, (void)url, (void)method, (void)version, (void)data, (void)size, (void)state;
    static char text[] = "ok";
    struct MHD_Response *response = MHD_create_response_from_buffer(2, text, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result ret = MHD_queue_response(connection, 200, response);
    MHD_destroy_response(response);
    return ret;
}

static void say_ready(void) {
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (!path || fd < 0)
        return;
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    (void)!sendto(fd, "READY=1", 7, 0, (struct sockaddr *)&address, sizeof address);
    close(fd);
}

int main(int argc, char **argv) {
    sqlite3 *db;
    sqlite3_stmt *rows;
    size_t bytes = 0, n = 0;
    if (argc < 3)
        return fprintf(stderr, "floor_start DATABASE PORT\n"), 2;
    if (sqlite3_open(argv[1], &db) || sqlite3_exec(db, "pragma journal_mode=wal", NULL, NULL, NULL) ||
        sqlite3_prepare_v2(db, "select n, kind, by, body from record order by tbl, n", -1, &rows, NULL))
        return fprintf(stderr, "floor_start: %s\n", sqlite3_errmsg(db)), 1;
    for (; sqlite3_step(rows) == SQLITE_ROW; n++)
        bytes += (size_t)sqlite3_column_bytes(rows, 3);
    sqlite3_finalize(rows);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(argv[2])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, answer, NULL,
                                                 MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_END);
    if (!daemon)
        return fprintf(stderr, "floor_start: cannot listen\n"), 1;
    say_ready();
    fprintf(stderr, "%zu records, %zu bytes\n", n, bytes);
    struct pollfd fds[2] = {{MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, POLLIN, 0},
                            {0, POLLIN, 0}};
    while (!fds[1].revents) {
        poll(fds, 2, 100);
        MHD_run(daemon);
    }
    MHD_stop_daemon(daemon);
    sqlite3_close(db);
    return 0;
}
