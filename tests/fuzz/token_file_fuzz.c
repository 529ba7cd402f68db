// A tokens.json of any bytes: read within its limits or refused with a sentence, and never written over.
#include "net/token_file.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok) {
    if (!ok)
        abort();
}

static char folder[64], path[96];

static void leave(void) {
    unlink(path);
    rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "/dev/shm/tabled-fuzz-XXXXXX");
        must(mkdtemp(folder) != NULL);
        snprintf(path, sizeof path, "%s/tokens.json", folder);
        atexit(leave);
    }
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    struct token_file *file = NULL;
    struct error err = {0};
    if (token_file_open(folder, true, &file, &err))
        must(err.text[0] != 0);
    else
        for (size_t i = 0; i < file->n; i++) {
            const struct token_row *row = &file->row[i];
            char text[TOKEN_TEXT_MAX], id[TOKEN_ID_MAX];
            unsigned char secret[TOKEN_SECRET_BYTES];
            must(file->n <= TOKEN_FILE_MAX && row->seat >= -1 && row->seat < 16);
            token_text(row, text);
            must(token_split(text, id, secret) && !strcmp(id, row->id) &&
                 !memcmp(secret, row->secret, sizeof secret));
        }
    token_file_close(file);
    char *now = malloc(size + 1);
    must(pread(fd, now, size + 1, 0) == (ssize_t)size && !memcmp(now, data, size));
    free(now);
    close(fd);
    return 0;
}
