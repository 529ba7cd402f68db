// A wall clock that somebody sets: preloaded into a program. The clock of the wall is off by what a file
// says, as often as it is written anew; the monotonic clock is what it is.
//
//   FAULTY_CLOCK=F   file F holds microseconds, a signed 64-bit number
//
// A timer of the wall clock that asks for it (TFD_TIMER_CANCEL_ON_SET) is cancelled whenever the file is
// written; before that it never fires.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int faulty_gettime(clockid_t id, struct timespec *ret) __asm__("clock_gettime");
int faulty_gettimeofday(struct timeval *ret, void *zone) __asm__("gettimeofday");
time_t faulty_time(time_t *ret) __asm__("time");
int faulty_settime(int fd, int flags, const struct itimerspec *value,
                   struct itimerspec *was) __asm__("timerfd_settime");
ssize_t faulty_read(int fd, void *bytes, size_t n) __asm__("read");

static const int64_t *offset_us;
static int cancelled = -1; // the timer that hears of it

static const char *path(void) {
    return getenv("FAULTY_CLOCK");
}

// Asked before any constructor has run: found at the first question.
static int64_t off(void) {
    if (!offset_us) {
        static const int64_t right;
        int fd = path() ? (int)syscall(SYS_openat, AT_FDCWD, path(), O_RDONLY | O_CLOEXEC) : -1;
        void *shared = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof right, PROT_READ, MAP_SHARED, fd, 0);
        if (fd >= 0)
            syscall(SYS_close, fd);
        offset_us = shared == MAP_FAILED ? &right : shared;
    }
    return __atomic_load_n(offset_us, __ATOMIC_RELAXED);
}

int faulty_gettime(clockid_t id, struct timespec *ret) {
    if (syscall(SYS_clock_gettime, id, ret))
        return -1;
    if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)
        return 0;
    int64_t us = (int64_t)ret->tv_sec * 1000000 + ret->tv_nsec / 1000 + off();
    us = us < 0 ? 0 : us; // no clock shows less
    ret->tv_sec = (time_t)(us / 1000000);
    ret->tv_nsec = (long)(us % 1000000) * 1000 + ret->tv_nsec % 1000;
    return 0;
}

int faulty_gettimeofday(struct timeval *ret, void *zone) {
    struct timespec now;
    (void)zone;
    faulty_gettime(CLOCK_REALTIME, &now);
    *ret = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t faulty_time(time_t *ret) {
    struct timespec now;
    faulty_gettime(CLOCK_REALTIME, &now);
    if (ret)
        *ret = now.tv_sec;
    return now.tv_sec;
}

// In the timer's place comes something that can be waited for when the file is written.
int faulty_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *was) {
    if (!(flags & TFD_TIMER_CANCEL_ON_SET) || !path())
        return (int)syscall(SYS_timerfd_settime, fd, flags, value, was);
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch < 0 || inotify_add_watch(watch, path(), IN_MODIFY) < 0 || dup3(watch, fd, O_CLOEXEC) < 0)
        return -1;
    close(watch);
    cancelled = fd;
    return 0;
}

ssize_t faulty_read(int fd, void *bytes, size_t n) {
    if (fd != cancelled || fd < 0)
        return syscall(SYS_read, fd, bytes, n);
    char events[4096];
    ssize_t got = syscall(SYS_read, fd, events, sizeof events);
    if (got > 0) {
        errno = ECANCELED;
        got = -1;
    }
    return got;
}
