// Databases of older programs: brought up to this program's schema, with a copy of the old file beside it.
#pragma once
#include "core/error.h"
#include <sqlite3.h>

// db is open for writing on path and has schema `version` (PRAGMA user_version), 1 <= version <= known.
// steps[i] is the SQL that leads from schema i + 1 to i + 2; known - 1 of them, each without BEGIN and
// COMMIT. Before anything changes, the old content is kept as PATH.schemaVERSION (0600); then all steps are
// one commit. On failure the database is as it was and the program should not go on with it. Nothing happens
// when version is already known's.
enum error_code migrate(sqlite3 *db, const char *path, int version, int known, const char *const steps[],
                        struct error *err);
