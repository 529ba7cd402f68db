#include "core/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_fresh(const char *path, char ret[PATH_MAX]) {
    return snprintf(ret, PATH_MAX, "%s.new", path) < PATH_MAX;
}

static enum error_code unwritten(const char *path, int cause, struct error *err) {
    return error_set(err, ERROR_STORAGE, path, "cannot be written: %s", strerror(cause));
}

static bool write_all(int fd, const char *text, size_t len) {
    while (len > 0) {
        ssize_t n = write(fd, text, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        len -= (size_t)n;
    }
    return true;
}

enum error_code file_prepare(const char *path, mode_t mode, const char *text, size_t len, struct error *err) {
    char fresh[PATH_MAX];
    if (!file_fresh(path, fresh))
        return unwritten(path, ENAMETOOLONG, err);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd < 0)
        return unwritten(path, errno, err);
    // Neither the umask nor what was left there by an earlier attempt decides who may read it.
    bool ok = fchmod(fd, mode) == 0 && write_all(fd, text, len) && fsync(fd) == 0;
    int cause = errno;
    close(fd);
    if (ok)
        return ERROR_OK;
    unlink(fresh);
    return unwritten(path, cause, err);
}

// The new name itself: without it a power cut may bring the old file back.
static void sync_folder(const char *path) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

enum error_code file_settle(const char *path, struct error *err) {
    char fresh[PATH_MAX];
    if (!file_fresh(path, fresh))
        return unwritten(path, ENAMETOOLONG, err);
    if (rename(fresh, path) != 0) {
        int cause = errno;
        unlink(fresh);
        return unwritten(path, cause, err);
    }
    sync_folder(path);
    return ERROR_OK;
}

void file_drop(const char *path) {
    char fresh[PATH_MAX];
    if (file_fresh(path, fresh))
        unlink(fresh);
}

enum error_code file_replace(const char *path, mode_t mode, const char *text, size_t len, struct error *err) {
    enum error_code code = file_prepare(path, mode, text, len, err);
    return code ? code : file_settle(path, err);
}
