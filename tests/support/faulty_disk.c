// A disk that fails: a VFS of SQLite around the usual one, preloaded into a program. It counts what goes to
// the disk (writes, syncs, cuts, deletions) and at one of them does what the environment says.
//
//   FAULTY_DISK=KIND:K   at the K-th: kill (the process, before it), torn (half of it is written, then kill),
//                        power (kill; whatever was not synced is lost), full, io, readonly (from then on,
//                        every one fails)
//   FAULTY_DISK_COUNT=F  file F holds three 64-bit counters: all, writes, syncs
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum fault { FAULT_NONE, FAULT_KILL, FAULT_TORN, FAULT_POWER, FAULT_FULL, FAULT_IO, FAULT_READONLY, FAULTS };
static const char *const fault_names[FAULTS] = {"none", "kill", "torn", "power", "full", "io", "readonly"};

// What stood where something not yet synced was written.
struct before {
    struct before *next;
    sqlite3_int64 at, size; // of the file, before
    int n;                  // bytes kept
    char bytes[];
};

struct file {
    sqlite3_file base;
    struct file *next;
    struct before *unsynced;
    sqlite3_file *real; // behind this struct
};

static struct {
    sqlite3_vfs vfs, *real;
    sqlite3_io_methods methods[4];
    pthread_mutex_t lock;
    enum fault fault;
    uint64_t at, done;
    uint64_t *counter;
    struct file *files;
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER};

static sqlite3_file *real(sqlite3_file *file) {
    return ((struct file *)file)->real;
}

static _Noreturn void die(void) {
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

// The page cache is lost: newest first, every file is as it was when it was last synced.
static _Noreturn void power_cut(void) {
    for (struct file *file = disk.files; file; file = file->next)
        for (struct before *b = file->unsynced; b; b = b->next) {
            if (b->n > 0)
                file->real->pMethods->xWrite(file->real, b->bytes, b->n, b->at);
            file->real->pMethods->xTruncate(file->real, b->size);
        }
    die();
}

// Each step towards the disk. OK: it may be done. With the lock held.
static int step(int what, sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at) {
    disk.done++;
    if (disk.counter) {
        disk.counter[0]++;
        disk.counter[what]++;
    }
    if (disk.fault == FAULT_NONE || disk.done < disk.at)
        return SQLITE_OK;
    switch (disk.fault) {
    case FAULT_TORN:
        if (bytes)
            real(file)->pMethods->xWrite(real(file), bytes, n / 2, at);
        die();
    case FAULT_POWER:
        power_cut();
    case FAULT_KILL:
        die();
    case FAULT_FULL:
        return SQLITE_FULL;
    case FAULT_READONLY:
        return SQLITE_READONLY;
    default:
        return bytes ? SQLITE_IOERR_WRITE : SQLITE_IOERR_FSYNC;
    }
}

enum { STEP_WRITE = 1, STEP_SYNC = 2 };

static void forget(struct file *file) {
    while (file->unsynced) {
        struct before *b = file->unsynced;
        file->unsynced = b->next;
        free(b);
    }
}

static void remember(struct file *file, int n, sqlite3_int64 at) {
    struct before *b = disk.fault == FAULT_POWER ? calloc(1, sizeof *b + (size_t)n) : NULL;
    if (!b || file->real->pMethods->xFileSize(file->real, &b->size)) {
        free(b);
        return;
    }
    b->at = at;
    if (at < b->size)
        b->n = b->size - at < n ? (int)(b->size - at) : n;
    if (b->n > 0 && file->real->pMethods->xRead(file->real, b->bytes, b->n, at))
        b->n = 0;
    b->next = file->unsynced;
    file->unsynced = b;
}

static int on_close(sqlite3_file *base) {
    struct file *file = (struct file *)base;
    pthread_mutex_lock(&disk.lock);
    for (struct file **p = &disk.files; *p; p = &(*p)->next)
        if (*p == file) {
            *p = file->next;
            break;
        }
    forget(file);
    pthread_mutex_unlock(&disk.lock);
    return file->real->pMethods->xClose(file->real);
}

static int on_read(sqlite3_file *file, void *to, int n, sqlite3_int64 at) {
    return real(file)->pMethods->xRead(real(file), to, n, at);
}

static int on_write(sqlite3_file *file, const void *from, int n, sqlite3_int64 at) {
    pthread_mutex_lock(&disk.lock);
    int r = step(STEP_WRITE, file, from, n, at);
    if (r == SQLITE_OK)
        remember((struct file *)file, n, at);
    pthread_mutex_unlock(&disk.lock);
    return r == SQLITE_OK ? real(file)->pMethods->xWrite(real(file), from, n, at) : r;
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 size) {
    pthread_mutex_lock(&disk.lock);
    sqlite3_int64 was = 0;
    int r = step(STEP_WRITE, file, NULL, 0, 0);
    if (r == SQLITE_OK && !real(file)->pMethods->xFileSize(real(file), &was) && was > size)
        remember((struct file *)file, (int)(was - size), size);
    pthread_mutex_unlock(&disk.lock);
    return r == SQLITE_OK ? real(file)->pMethods->xTruncate(real(file), size) : r;
}

static int on_sync(sqlite3_file *file, int flags) {
    pthread_mutex_lock(&disk.lock);
    int r = step(STEP_SYNC, file, NULL, 0, 0);
    if (r == SQLITE_OK)
        r = real(file)->pMethods->xSync(real(file), flags);
    if (r == SQLITE_OK)
        forget((struct file *)file);
    pthread_mutex_unlock(&disk.lock);
    return r;
}

static int on_size(sqlite3_file *file, sqlite3_int64 *ret) {
    return real(file)->pMethods->xFileSize(real(file), ret);
}
static int on_lock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xLock(real(file), level);
}
static int on_unlock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xUnlock(real(file), level);
}
static int on_reserved(sqlite3_file *file, int *ret) {
    return real(file)->pMethods->xCheckReservedLock(real(file), ret);
}
static int on_control(sqlite3_file *file, int what, void *value) {
    return real(file)->pMethods->xFileControl(real(file), what, value);
}
static int on_sector(sqlite3_file *file) {
    return real(file)->pMethods->xSectorSize(real(file));
}
static int on_traits(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
static int on_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **ret) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, ret);
}
static int on_shm_lock(sqlite3_file *file, int offset, int n, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}
static void on_shm_barrier(sqlite3_file *file) {
    real(file)->pMethods->xShmBarrier(real(file));
}
static int on_shm_unmap(sqlite3_file *file, int remove) {
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}
static int on_fetch(sqlite3_file *file, sqlite3_int64 at, int n, void **ret) {
    return real(file)->pMethods->xFetch(real(file), at, n, ret);
}
static int on_unfetch(sqlite3_file *file, sqlite3_int64 at, void *page) {
    return real(file)->pMethods->xUnfetch(real(file), at, page);
}

static int on_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *ret_flags) {
    (void)vfs;
    struct file *file = (struct file *)base;
    *file = (struct file){.real = (sqlite3_file *)(file + 1)};
    int r = disk.real->xOpen(disk.real, name, file->real, flags, ret_flags);
    if (r != SQLITE_OK || !file->real->pMethods)
        return r;
    int version = file->real->pMethods->iVersion;
    file->base.pMethods = &disk.methods[version > 3 ? 3 : version];
    pthread_mutex_lock(&disk.lock);
    file->next = disk.files;
    disk.files = file;
    pthread_mutex_unlock(&disk.lock);
    return SQLITE_OK;
}

static int on_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs;
    pthread_mutex_lock(&disk.lock);
    int r = step(STEP_WRITE, NULL, NULL, 0, 0);
    pthread_mutex_unlock(&disk.lock);
    return r == SQLITE_OK ? disk.real->xDelete(disk.real, name, sync) : r;
}

static void read_environment(void) {
    const char *text = getenv("FAULTY_DISK"), *path = getenv("FAULTY_DISK_COUNT");
    const char *colon = text ? strchr(text, ':') : NULL;
    for (int i = 1; colon && i < FAULTS; i++)
        if (strncmp(text, fault_names[i], (size_t)(colon - text)) == 0) {
            disk.fault = (enum fault)i;
            disk.at = strtoull(colon + 1, NULL, 10);
        }
    int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    void *shared = MAP_FAILED;
    if (!ftruncate(fd, 3 * sizeof *disk.counter))
        shared = mmap(NULL, 3 * sizeof *disk.counter, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    disk.counter = shared == MAP_FAILED ? NULL : shared;
}

__attribute__((constructor)) static void begin(void) {
    read_environment();
    setvbuf(stdout, NULL, _IOLBF, 1 << 16); // what was said before a kill was said
    if (sqlite3_initialize() || !(disk.real = sqlite3_vfs_find(NULL)))
        return;
    static const sqlite3_io_methods all = {
        3,           on_close,       on_read,      on_write,   on_truncate, on_sync,   on_size,
        on_lock,     on_unlock,      on_reserved,  on_control, on_sector,   on_traits, on_shm_map,
        on_shm_lock, on_shm_barrier, on_shm_unmap, on_fetch,   on_unfetch,
    };
    for (int version = 0; version < 4; version++) {
        disk.methods[version] = all;
        disk.methods[version].iVersion = version;
    }
    disk.vfs = *disk.real;
    disk.vfs.zName = "faulty";
    disk.vfs.szOsFile = disk.real->szOsFile + (int)sizeof(struct file);
    disk.vfs.xOpen = on_open;
    disk.vfs.xDelete = on_delete;
    sqlite3_vfs_register(&disk.vfs, 1);
}
