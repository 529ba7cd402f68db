// The machine: disk, clock, who may read and use what.
#include "doctor.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { SYNCS = 7, SLOW_SYNC_MS = 25, STUCK_SYNC_MS = 250, LITTLE_MB = 200, NOTHING_MB = 20 };

// ---- disk

static double now_ms(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1000 + (double)at.tv_nsec / 1e6;
}

static int by_time(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The middle of some small writes, each with its sync, as the journal does them; negative: errno.
static double sync_ms(const char *folder) {
    char path[1200], block[512] = "a record of the journal has about this size";
    double took[SYNCS];
    snprintf(path, sizeof path, "%.1100s/doctor-XXXXXX", folder);
    int fd = mkstemp(path);
    if (fd < 0)
        return -errno;
    unlink(path);
    for (unsigned i = 0; i < SYNCS; i++) {
        double start = now_ms();
        if (write(fd, block, sizeof block) != sizeof block || fdatasync(fd)) {
            int why = errno;
            close(fd);
            return -why;
        }
        took[i] = now_ms() - start;
    }
    close(fd);
    qsort(took, SYNCS, sizeof *took, by_time);
    return took[SYNCS / 2];
}

static void check_space(struct doctor *doctor, const char *folder) {
    struct statvfs fs;
    struct statfs kind;
    if (statvfs(folder, &fs) || statfs(folder, &kind))
        return;
    unsigned long long mb = (unsigned long long)fs.f_bavail * fs.f_frsize >> 20;
    doctor_say(doctor,
               mb < NOTHING_MB  ? DOCTOR_FAIL
               : mb < LITTLE_MB ? DOCTOR_WARN
                                : DOCTOR_PASS,
               "disk space", mb < LITTLE_MB ? "make room, or set [daemon] state_dir to another disk" : NULL,
               "%llu MB are free in %s (an evening takes about one)", mb, folder);
    if (kind.f_type == MSDOS_SUPER_MAGIC)
        doctor_say(doctor, DOCTOR_WARN, "disk kind", "move state_dir to ext4",
                   "%s is on a FAT file system: a power cut may damage it", folder);
    else if (kind.f_type == TMPFS_MAGIC)
        doctor_say(doctor, DOCTOR_WARN, "disk kind", "move state_dir to a real disk",
                   "%s is in memory: games end with the power", folder);
}

void doctor_disk(struct doctor *doctor) {
    const char *folder = doctor_state_dir(doctor);
    struct stat st;
    if (stat(folder, &st)) {
        doctor_say(doctor, errno == EACCES ? DOCTOR_WARN : DOCTOR_NOTE, "disk",
                   errno == EACCES ? "run this as root, or as the daemon's user" : NULL, "%s: %s%s", folder,
                   strerror(errno), errno == ENOENT ? "; the daemon makes it at its first start" : "");
        return;
    }
    check_space(doctor, folder);
    double ms = sync_ms(folder);
    if (ms < 0)
        doctor_say(doctor, (int)-ms == EACCES ? DOCTOR_WARN : DOCTOR_FAIL, "disk sync",
                   (int)-ms == EACCES
                       ? "run this as root, or as the daemon's user"
                       : "a journal cannot be kept here: is the disk full, read-only or broken?",
                   "cannot write in %s: %s", folder, strerror((int)-ms));
    else
        doctor_say(doctor,
                   ms > STUCK_SYNC_MS  ? DOCTOR_FAIL
                   : ms > SLOW_SYNC_MS ? DOCTOR_WARN
                                       : DOCTOR_PASS,
                   "disk sync",
                   ms > SLOW_SYNC_MS ? "every move waits for this; take a better card or an SSD" : NULL,
                   "a record is safe after %.1f ms", ms);
}

// ---- clock

void doctor_clock(struct doctor *doctor) {
    struct timex t = {0};
    struct tm day;
    time_t now = time(NULL);
    gmtime_r(&now, &day);
    if (day.tm_year + 1900 < 2024) {
        doctor_say(doctor, DOCTOR_FAIL, "clock", "connect a network, or set it: timedatectl set-time",
                   "it is the year %d here", day.tm_year + 1900);
        return;
    }
    bool synchronised = adjtimex(&t) != TIME_ERROR && !(t.status & STA_UNSYNC);
    doctor_say(doctor, synchronised ? DOCTOR_PASS : DOCTOR_NOTE, "clock",
               synchronised ? NULL
                            : "timedatectl set-ntp true; without it only the stamps in reports are off",
               synchronised ? "set and kept right by the network"
                            : "not kept right by the network; games go by another clock and do not mind");
}

// ---- modes and rights

static void check_secret(struct doctor *doctor, const char *path, bool folder) {
    char remedy[1200];
    struct stat st;
    if (stat(path, &st))
        return;
    if ((st.st_mode & 077) == 0) {
        doctor_say(doctor, DOCTOR_PASS, "file mode", NULL, "%s is its owner's alone", path);
        return;
    }
    snprintf(remedy, sizeof remedy, "chmod %s %s", folder ? "700" : "600", path);
    doctor_say(doctor, DOCTOR_FAIL, "file mode", remedy, "others may %s %s: it holds secrets",
               folder ? "look into" : "read", path);
}

static void below(struct doctor *doctor, const char *key, const char *name) {
    char path[1200];
    const char *own = key ? doctor_text(doctor, "daemon", key, NULL) : NULL;
    if (own)
        snprintf(path, sizeof path, "%s", own);
    else
        snprintf(path, sizeof path, "%.1100s/%s", doctor_state_dir(doctor), name);
    check_secret(doctor, path, false);
}

static void check_keys_of_readers(struct doctor *doctor) {
    for (const struct config_section *s = doctor->config ? config_next(doctor->config, "reader", NULL) : NULL;
         s; s = config_next(doctor->config, "reader", s)) {
        const char *path = config_text(s, "key_file");
        if (path)
            check_secret(doctor, path, false);
    }
}

static void check_configuration_mode(struct doctor *doctor) {
    struct stat st;
    if (!stat(doctor->file, &st) && (st.st_mode & 022))
        doctor_say(doctor, DOCTOR_WARN, "file mode", "chmod go-w, or whoever writes it steers the daemon",
                   "others may change %s", doctor->file);
}

static void check_rights(struct doctor *doctor) {
    const char *folder = doctor_state_dir(doctor);
    struct stat st;
    if (stat(folder, &st))
        return;
    if (access(folder, W_OK))
        doctor_say(doctor, DOCTOR_NOTE, "rights", "run this as root to see all",
                   "this user may not look into %s; some checks are left out", folder);
    else
        doctor_say(doctor, DOCTOR_PASS, "rights", NULL, "%s can be written", folder);
    if (!getgrnam("tabled"))
        doctor_say(doctor, DOCTOR_NOTE, "rights", "the package makes it; by hand: groupadd --system tabled",
                   "there is no group tabled: only root and the daemon's user may use tablectl");
}

void doctor_modes(struct doctor *doctor) {
    check_rights(doctor);
    check_secret(doctor, doctor_state_dir(doctor), true);
    below(doctor, "journal", "journal.db");
    below(doctor, "house", "house.db");
    below(doctor, NULL, "tokens.json");
    const char *password = doctor_text(doctor, "mqtt", "password_file", NULL);
    if (password)
        check_secret(doctor, password, false);
    check_keys_of_readers(doctor);
    check_configuration_mode(doctor);
}
