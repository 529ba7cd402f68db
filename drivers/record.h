// A filter between drivers and the daemon that writes what passes as a tap log: `tabled --record FILE`.
// The log holds tag ids: it is as secret as the table's pieces, and its file is for its owner only.
#pragma once
#include "core/error.h"
#include "drivers/driver.h"

struct record;

// Whether record_open could make this file; none is left behind.
enum error_code record_check(const char *path, struct error *err);
// Creates the file with its header; one that exists already is left alone (ERROR_EXISTS). What the readers
// report goes on to `inner`, whose readers keep their host_ctx. Time counts from the first observation.
enum error_code record_open(const char *path, const struct driver_host *inner, struct record **ret,
                            struct error *err);
// The host to open readers with.
const struct driver_host *record_host(const struct record *record);
// Writes `@end` and closes; after the readers. A disk that took no more was told in the log. NULL allowed.
void record_close(struct record *record);
