// A serial line: raw, non-blocking, ours alone. Named by a path that means a place (/dev/serial/by-path/...),
// which is resolved anew at each opening: numbers change with every plug (B027).
#pragma once
#include "core/error.h"
#include <stdbool.h>

// Opens and locks the line. ERROR_BUSY, ERROR_FORBIDDEN, ERROR_NOT_FOUND or ERROR_INVALID with cause and
// remedy.
enum error_code serial_open(const char *path, int baud, int *ret_fd, struct error *err);
void serial_close(int fd);
// Forgets what came in and what has not gone out.
void serial_flush(int fd);
bool serial_baud_ok(int baud);
// The sentence for an errno of opening `path` (B029).
enum error_code serial_explain(int errnum, const char *path, struct error *err);
