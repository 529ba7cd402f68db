// Memory that runs out: preloaded into a program, the K-th allocation finds none (and the N - 1 after it).
//
//   FAULTY_MEMORY=K[:N]        FAULTY_MEMORY_COUNT=F   file F holds a 64-bit counter of allocations
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t n);
void *faulty_malloc(size_t n) __asm__("malloc");
void *faulty_calloc(size_t n, size_t size) __asm__("calloc");
void *faulty_realloc(void *old, size_t n) __asm__("realloc");

static uint64_t from, to, done, *counter = &done;

// From the program's start on: what the loader takes before it is not the program's matter.
__attribute__((constructor)) static void begin(void) {
    setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    const char *path = getenv("FAULTY_MEMORY_COUNT"), *text = getenv("FAULTY_MEMORY");
    int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0 && !ftruncate(fd, sizeof *counter)) {
        void *shared = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        counter = shared == MAP_FAILED ? &done : shared;
    }
    if (fd >= 0)
        close(fd);
    *counter = 0;
    char *end = NULL;
    from = text ? strtoull(text, &end, 10) : 0;
    to = from + (end && *end == ':' ? strtoull(end + 1, NULL, 10) : 1);
}

static int none_left(void) {
    uint64_t n = __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
    if (!from || n < from || n >= to)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *faulty_malloc(size_t n) {
    return none_left() ? NULL : __libc_malloc(n);
}
void *faulty_calloc(size_t n, size_t size) {
    return none_left() ? NULL : __libc_calloc(n, size);
}
void *faulty_realloc(void *old, size_t n) {
    return none_left() ? NULL : __libc_realloc(old, n);
}
