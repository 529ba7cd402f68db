// A sound card that goes away, as one at a USB plug does: preloaded into a program.
//
//   FAULTY_SOUND=F   while there is a file F no card is there; while F holds something, one is there that
//   takes
//                    nothing. F.opened grows by a byte with every try to open one.
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int faulty_open(snd_pcm_t **ret, const char *name, snd_pcm_stream_t stream, int mode) __asm__("snd_pcm_open");
int faulty_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *ret) __asm__("snd_pcm_delay");
snd_pcm_sframes_t faulty_avail(snd_pcm_t *pcm) __asm__("snd_pcm_avail_update");
snd_pcm_sframes_t faulty_writei(snd_pcm_t *pcm, const void *from,
                                snd_pcm_uframes_t n) __asm__("snd_pcm_writei");

static const char *path(void) {
    return getenv("FAULTY_SOUND");
}
static int gone(void) {
    struct stat st;
    return path() && stat(path(), &st) == 0 && st.st_size == 0;
}
static int deaf(void) {
    struct stat st;
    return path() && stat(path(), &st) == 0;
}

static void count(void) {
    char name[1024];
    if (!path() || snprintf(name, sizeof name, "%s.opened", path()) >= (int)sizeof name)
        return;
    int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd >= 0 && write(fd, ".", 1) < 0)
        perror(name);
    if (fd >= 0)
        close(fd);
}

int faulty_open(snd_pcm_t **ret, const char *name, snd_pcm_stream_t stream, int mode) {
    int (*real)(snd_pcm_t **, const char *, snd_pcm_stream_t, int) = dlsym(RTLD_NEXT, "snd_pcm_open");
    count();
    return gone() ? -ENOENT : real(ret, name, stream, mode);
}
int faulty_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *ret) {
    int (*real)(snd_pcm_t *, snd_pcm_sframes_t *) = dlsym(RTLD_NEXT, "snd_pcm_delay");
    return gone() ? -ENODEV : real(pcm, ret);
}
snd_pcm_sframes_t faulty_avail(snd_pcm_t *pcm) {
    snd_pcm_sframes_t (*real)(snd_pcm_t *) = dlsym(RTLD_NEXT, "snd_pcm_avail_update");
    return gone() ? -ENODEV : real(pcm);
}
snd_pcm_sframes_t faulty_writei(snd_pcm_t *pcm, const void *from, snd_pcm_uframes_t n) {
    snd_pcm_sframes_t (*real)(snd_pcm_t *, const void *, snd_pcm_uframes_t) =
        dlsym(RTLD_NEXT, "snd_pcm_writei");
    return deaf() ? -ENODEV : real(pcm, from, n);
}
