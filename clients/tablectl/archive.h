// One file with everything in it: a tar of a few files, encrypted where a passphrase is given (argon2id, then
// XChaCha20-Poly1305 in blocks of 64 KiB). Written beside its name, synced, then renamed.
#pragma once
#include "tablectl.h"
#include <stdio.h>

struct archive;
// passphrase NULL: a plain tar.
enum error_code archive_create(const char *path, const char *passphrase, struct archive **ret,
                               struct error *err);
enum error_code archive_add(struct archive *archive, const char *name, const char *path, struct error *err);
// Ends and names it; frees in any case.
enum error_code archive_finish(struct archive *archive, struct error *err);
void archive_drop(struct archive *archive); // nothing is left of it; NULL allowed

// Reads it into a folder: every file as NAME of those that `wanted` knows; others are an error.
enum error_code archive_extract(const char *path, const char *passphrase, const char *folder,
                                bool (*wanted)(const char *name), struct error *err);
