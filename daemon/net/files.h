// The files of the dashboard: their names are read at the start, with ceilings, each file with the first
// request for it, and then served from memory. What is asked for is compared with the names, so no path leads
// out of the folder.
#pragma once
#include "core/error.h"
#include <stdbool.h>

struct request;

enum {
    FILES_MAX = 512,
    FILES_DEPTH_MAX = 6,
    FILES_NAME_MAX = 160,
    FILES_BYTES_MAX = 4 << 20,     // of one file
    FILES_ALL_BYTES_MAX = 16 << 20 // of all together
};

struct files;
// dir NULL or "": share/tabled/web beside the folder of the program; that it is not there is no error.
// Hidden files, links and files of unknown type are left out.
enum error_code files_open(const char *dir, struct files **ret, struct error *err);
void files_close(struct files *files); // NULL allowed; after the library has stopped
// Answers with the file of this path, if there is one.
bool files_answer(struct files *files, struct request *request, const char *path);
