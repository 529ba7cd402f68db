// Shared by the commands that enrol pieces.
#pragma once
#include "tablectl.h"

// Binds the next new tag on a pad (NULL = any) to a piece.
int enrol_one(const struct args *args, const char *table, const char *deck, const char *name,
              const char *kind, const char *face, const char *pad);
int enrol_wizard(const struct args *args, const char *table);

// A list of pieces as JSON (an array, or an object with `pieces`) as CSV and back; malloc'd, NULL: told on
// stderr.
char *enrol_csv_of_json(const char *text, const char *file);
char *enrol_json_of_csv(const char *csv, bool tags);
