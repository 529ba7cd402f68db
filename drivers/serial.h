// A serial line: raw, non-blocking, ours alone. Named by a path that means a place (/dev/serial/by-path/...),
// which is resolved anew at each opening: numbers change with every plug (B027).
#pragma once
#include "core/config.h"
#include "core/error.h"
#include <stdbool.h>

// Opens and locks the line. ERROR_BUSY, ERROR_FORBIDDEN, ERROR_NOT_FOUND or ERROR_INVALID with cause and
// remedy.
enum error_code serial_open(const char *path, int baud, int *ret_fd, struct error *err);
void serial_close(int fd);
bool serial_baud_ok(int baud);
// The key `baud` of every driver with a serial port, and its check.
#define SERIAL_BAUD_KEY                                                                                      \
    {                                                                                                        \
        .name = "baud", .type = CONFIG_INT, .fallback = "115200", .min = 9600, .max = 921600,                \
        .help = "serial speed"                                                                               \
    }
enum error_code serial_check_baud(const struct config_section *conf, struct error *err);
// The sentence for an errno of opening `path` (B029).
enum error_code serial_explain(int errnum, const char *path, struct error *err);
