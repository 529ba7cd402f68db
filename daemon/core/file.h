// Files that are replaced whole: whatever moment the power goes or the disk fails, the name means the old
// content or the new one, never a piece (B099).
#pragma once
#include "core/error.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Writes it all beside the file (file_fresh), with exactly these rights, synced, and gives it the name. An
// error leaves the file as it was and nothing beside it. Blocks: at start, in a worker or in a tool.
enum error_code file_replace(const char *path, mode_t mode, const char *text, size_t len, struct error *err);

// The two halves, for what is looked at in between; then file_settle or file_drop.
enum error_code file_prepare(const char *path, mode_t mode, const char *text, size_t len, struct error *err);
enum error_code file_settle(const char *path, struct error *err);
void file_drop(const char *path);
// Where the new content lies until it has the name. False: the path is too long.
bool file_fresh(const char *path, char ret[PATH_MAX]);
