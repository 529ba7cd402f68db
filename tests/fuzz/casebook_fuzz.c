// Rules files and single cases from anywhere: read or refused, never worse.
#include "games/casebook.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void each(void *ctx, const struct casebook_case *one, const struct casebook_report *report) {
    (void)ctx;
    if (!one->id[0] || (!report->passed && !report->got[0]))
        abort();
}

static void as_file(const uint8_t *data, size_t size) {
    char path[64];
    struct error err;
    int fd = memfd_create("casebook", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    casebook_file(path, "one_night", NULL, each, NULL, &err);
    close(fd);
}

static void as_case(const uint8_t *data, size_t size) {
    struct casebook_report report = {0};
    char *text = malloc(size + 1);
    if (!text)
        return;
    memcpy(text, data, size);
    text[size] = 0;
    struct casebook_case one = {.id = "F01", .text = text, .prose = ""};
    casebook_find("one_night")->run(&one, &report);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0 && data[0] == '#')
        as_file(data, size);
    else
        as_case(data, size);
    return 0;
}
