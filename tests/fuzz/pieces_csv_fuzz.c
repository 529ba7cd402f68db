// A list of pieces of any bytes: taken whole, and what was taken is written and read as the same, or refused
// with a line's number and nothing taken.
#include "board/pieces.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok) {
    if (!ok)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), *first = NULL, *second = NULL;
    memcpy(text, data, size);
    text[size] = 0;
    struct pieces *pieces = NULL, *again = NULL;
    struct error err = {0};
    unsigned added = 0, added_again = 0;
    must(pieces_create(&pieces, &err) == ERROR_OK && pieces_create(&again, &err) == ERROR_OK);
    if (pieces_import_csv(pieces, text, "kit.csv", &added, &err)) {
        must(err.text[0] && !strncmp(err.where, "kit.csv", 7) && pieces_count(pieces) == 0);
    } else {
        must(pieces_export_csv(pieces, NULL, &first, &err) == ERROR_OK);
        must(pieces_import_csv(again, first, "kit.csv", &added_again, &err) == ERROR_OK);
        must(pieces_export_csv(again, NULL, &second, &err) == ERROR_OK && !strcmp(first, second));
    }
    free(first);
    free(second);
    free(text);
    pieces_destroy(again);
    pieces_destroy(pieces);
    return 0;
}
