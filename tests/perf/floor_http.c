// Floor of P6: a libmicrohttpd that answers every request with the same bytes, on its own epoll loop.
//   floor_http PORT BYTES      ends when its standard input does
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static struct MHD_Response *response;

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data, size_t *size,
                              void **state) {
    static int known;
    (void)ctx, (void)url, (void)method, (void)version, (void)data, (void)size;
    if (!*state) { // an answer to the head alone would close the connection
        *state = &known;
        return MHD_YES;
    }
    return MHD_queue_response(connection, 200, response);
}

int main(int argc, char **argv) {
    if (argc < 3)
        return fprintf(stderr, "floor_http PORT BYTES\n"), 2;
    size_t len = strtoul(argv[2], NULL, 10);
    char *body = malloc(len);
    memset(body, 'x', len);
    response = MHD_create_response_from_buffer(len, body, MHD_RESPMEM_MUST_FREE);
    MHD_add_response_header(response, "Content-Type", "application/json");
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(argv[1])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, answer, NULL,
                                                 MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT,
                                                 2000u, MHD_OPTION_END);
    if (!daemon)
        return fprintf(stderr, "floor_http: cannot listen\n"), 1;
    int loop = epoll_create1(0), fd = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    struct epoll_event http = {EPOLLIN, {.fd = fd}}, input = {EPOLLIN | EPOLLHUP, {.fd = 0}}, event;
    epoll_ctl(loop, EPOLL_CTL_ADD, fd, &http);
    epoll_ctl(loop, EPOLL_CTL_ADD, 0, &input);
    puts("ready");
    fflush(stdout);
    for (;;) {
        MHD_UNSIGNED_LONG_LONG wait = 1000;
        MHD_get_timeout(daemon, &wait);
        if (epoll_wait(loop, &event, 1, wait > 1000 ? 1000 : (int)wait) == 1 && event.data.fd == 0)
            break;
        MHD_run(daemon);
    }
    MHD_stop_daemon(daemon);
    MHD_destroy_response(response);
    return 0;
}
