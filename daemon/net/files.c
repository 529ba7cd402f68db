#include "net/files.h"
#include "core/log.h"
#include "net/http__.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ETAG_BYTES = 12 };

struct file {
    char name[FILES_NAME_MAX]; // from the folder on: "assets/app.js"
    char etag[2 * ETAG_BYTES + 3];
    struct MHD_Response *full, *same; // 200 and 304
};

struct files {
    int folder;
    size_t n, bytes;
    struct file file[FILES_MAX];
};

static const struct {
    const char *ending, *type;
} types[] = {
    {"html", "text/html; charset=utf-8"},
    {"js", "text/javascript; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"json", "application/json"},
    {"svg", "image/svg+xml"},
    {"png", "image/png"},
    {"jpg", "image/jpeg"},
    {"webp", "image/webp"},
    {"ico", "image/x-icon"},
    {"woff2", "font/woff2"},
    {"mp3", "audio/mpeg"},
    {"ogg", "audio/ogg"},
    {"txt", "text/plain; charset=utf-8"},
    {"webmanifest", "application/manifest+json"},
};

static const char *type_of(const char *name) {
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (!strcmp(dot + 1, types[i].ending))
            return types[i].type;
    return NULL;
}

// ---- reading

// Scripts and styles come from here alone, and no other page frames us.
static void add_headers(struct MHD_Response *response, const char *type, const char *etag) {
    static const char *const rows[][2] = {
        {"Cache-Control", "no-cache"},
        {"X-Content-Type-Options", "nosniff"},
        {"Content-Security-Policy",
         "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    if (type)
        MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "ETag", etag);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        MHD_add_response_header(response, rows[i][0], rows[i][1]);
}

static void make_etag(const char *bytes, size_t len, char ret[2 * ETAG_BYTES + 3]) {
    unsigned char hash[crypto_generichash_BYTES];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)bytes, len, NULL, 0);
    ret[0] = '"';
    for (int i = 0; i < ETAG_BYTES; i++)
        snprintf(ret + 1 + 2 * i, 3, "%02x", hash[i]);
    strcpy(ret + 1 + 2 * ETAG_BYTES, "\"");
}

static bool make_responses(struct file *file, char *bytes, size_t len) {
    make_etag(bytes, len, file->etag);
    file->same = MHD_create_response_from_buffer(0, bytes, MHD_RESPMEM_PERSISTENT);
    file->full = MHD_create_response_from_buffer(len, bytes, MHD_RESPMEM_MUST_FREE);
    if (!file->full)
        free(bytes);
    if (!file->full || !file->same) {
        if (file->full)
            MHD_destroy_response(file->full);
        if (file->same)
            MHD_destroy_response(file->same);
        file->full = file->same = NULL;
        return false;
    }
    add_headers(file->full, type_of(file->name), file->etag);
    add_headers(file->same, NULL, file->etag);
    return true;
}

// With the first request for it: who never opens the dashboard pays nothing for it.
static bool load(const struct files *files, struct file *file) {
    struct stat st;
    int fd = openat(files->folder, file->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= FILES_BYTES_MAX;
    char *bytes = ok ? malloc((size_t)st.st_size + 1) : NULL;
    size_t len = 0;
    for (ssize_t n; bytes && len < (size_t)st.st_size; len += (size_t)n)
        if ((n = read(fd, bytes + len, (size_t)st.st_size - len)) <= 0)
            break;
    if (fd >= 0)
        close(fd);
    return bytes && make_responses(file, bytes, len);
}

static enum error_code take_name(struct files *files, const char *name, const struct stat *st,
                                 struct error *err) {
    if (!S_ISREG(st->st_mode))
        return ERROR_OK;
    files->bytes += (size_t)st->st_size;
    if (files->n == FILES_MAX || st->st_size > FILES_BYTES_MAX || files->bytes > FILES_ALL_BYTES_MAX)
        return error_set(err, ERROR_TOO_LARGE, name,
                         "the dashboard may have %d files, %d bytes each and %d together", FILES_MAX,
                         FILES_BYTES_MAX, FILES_ALL_BYTES_MAX);
    snprintf(files->file[files->n++].name, FILES_NAME_MAX, "%s", name);
    return ERROR_OK;
}

static enum error_code read_folder(struct files *files, int fd, const char *prefix, int depth,
                                   struct error *err);

static enum error_code read_entry(struct files *files, int folder, const char *prefix, const char *entry,
                                  int depth, struct error *err) {
    char name[FILES_NAME_MAX];
    if (*entry == '.' || snprintf(name, sizeof name, "%s%s", prefix, entry) >= (int)sizeof name - 1)
        return ERROR_OK;
    int fd = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        if (fd >= 0)
            close(fd);
        return ERROR_OK;
    }
    if (S_ISDIR(st.st_mode) && depth < FILES_DEPTH_MAX) {
        strcat(name, "/");
        return read_folder(files, fd, name, depth + 1, err);
    }
    enum error_code code = type_of(name) ? take_name(files, name, &st, err) : ERROR_OK;
    close(fd);
    return code;
}

// Takes the descriptor.
static enum error_code read_folder(struct files *files, int fd, const char *prefix, int depth,
                                   struct error *err) {
    DIR *dir = fdopendir(fd);
    enum error_code code = ERROR_OK;
    if (!dir) {
        close(fd);
        return ERROR_OK;
    }
    for (struct dirent *entry; !code && (entry = readdir(dir));)
        code = read_entry(files, fd, prefix, entry->d_name, depth, err);
    closedir(dir);
    return code;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct file *)a)->name, ((const struct file *)b)->name);
}

// PREFIX/bin/tabled -> PREFIX/share/tabled/web; a build folder looks the same.
static int open_beside_program(void) {
    char path[1024];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);
    for (int up = 0; n > 0 && up < 2; n--)
        up += path[n - 1] == '/';
    if (n < 0)
        return -1;
    strcpy(path + n, "/share/tabled/web");
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

enum error_code files_open(const char *dir, struct files **ret, struct error *err) {
    bool named = dir && *dir;
    struct files *files = *ret = calloc(1, sizeof *files);
    if (!files)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    int fd = named ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : open_beside_program();
    enum error_code code = ERROR_OK;
    files->folder = fd;
    if (fd >= 0)
        code = read_folder(files, dup(fd), "", 0, err);
    else if (named)
        code = error_set(err, ERROR_INVALID, dir, "the folder of the dashboard cannot be opened: %s",
                         strerror(errno));
    if (code) {
        files_close(files);
        *ret = NULL;
        return code;
    }
    qsort(files->file, files->n, sizeof *files->file, by_name);
    log_debug("http", "the dashboard has files=%zu bytes=%zu", files->n, files->bytes);
    return ERROR_OK;
}

void files_close(struct files *files) {
    if (!files)
        return;
    for (size_t i = 0; i < files->n; i++) {
        if (files->file[i].full)
            MHD_destroy_response(files->file[i].full);
        if (files->file[i].same)
            MHD_destroy_response(files->file[i].same);
    }
    if (files->folder >= 0)
        close(files->folder);
    free(files);
}

// ---- answering

static struct file *find(struct files *files, const char *name) {
    size_t low = 0, high = files->n;
    while (low < high) {
        size_t at = (low + high) / 2;
        int order = strcmp(name, files->file[at].name);
        if (!order)
            return &files->file[at];
        *(order < 0 ? &high : &low) = order < 0 ? at : at + 1;
    }
    return NULL;
}

// `/` is index.html; `/assets/x` is also the x of the folder itself, so that the folder needs no such level.
bool files_answer(struct files *files, struct request *request, const char *path) {
    static const char assets[] = "/assets/";
    struct file *file = find(files, path[1] ? path + 1 : "index.html");
    if (!file && !strncmp(path, assets, sizeof assets - 1))
        file = find(files, path + sizeof assets - 1);
    if (!file || (!file->full && !load(files, file)))
        return false;
    bool same = etag_listed(request->headers.if_none_match, file->etag);
    answer_shared(request, same ? 304 : 200, same ? file->same : file->full);
    return true;
}
