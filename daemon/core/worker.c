#include "core/worker.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

struct job_list {
    struct worker_job *head, *tail;
};

struct worker {
    struct loop *loop;
    struct worker_options options;
    char name[16];
    pthread_t thread;
    int event; // written when `done` becomes non-empty
    struct loop_fd *watch;
    size_t pending;

    pthread_mutex_t lock;
    pthread_cond_t wake, drained;
    struct job_list queue, finished; // under the lock, as is all below
    size_t unfinished;
    bool sleeping, stop;
};

static void append(struct job_list *list, struct job_list more) {
    if (list->head)
        list->tail->next__ = more.head;
    else
        list->head = more.head;
    list->tail = more.tail;
}

static size_t length(const struct worker_job *job) {
    size_t n = 0;
    for (; job; job = job->next__)
        n++;
    return n;
}

// With the lock held. until NULL = for ever.
static void sleep_until(struct worker *worker, const struct timespec *until) {
    int r = 0;
    worker->sleeping = true;
    while (!worker->queue.head && !worker->stop && r != ETIMEDOUT)
        r = until ? pthread_cond_timedwait(&worker->wake, &worker->lock, until)
                  : pthread_cond_wait(&worker->wake, &worker->lock);
    worker->sleeping = false;
}

static struct timespec idle_time(const struct worker *worker) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    long ns = at.tv_nsec + worker->options.idle_after_ms % 1000 * 1000000L;
    at.tv_sec += worker->options.idle_after_ms / 1000 + ns / 1000000000;
    at.tv_nsec = ns % 1000000000;
    return at;
}

// With the lock held: sleeps until there is a job; false at the end.
static bool wait_for_job(struct worker *worker, bool *idled) {
    if (!*idled && worker->options.idle) {
        struct timespec at = idle_time(worker);
        sleep_until(worker, &at);
        if (worker->queue.head)
            return true;
        *idled = true;
        pthread_mutex_unlock(&worker->lock);
        worker->options.idle(worker->options.ctx);
        pthread_mutex_lock(&worker->lock);
    }
    sleep_until(worker, NULL);
    return worker->queue.head != NULL;
}

// With the lock held: the jobs of the next run.
static struct job_list take(struct worker *worker) {
    struct job_list taken = worker->queue;
    if (worker->options.batch) {
        worker->queue = (struct job_list){0};
    } else {
        taken.tail = taken.head;
        worker->queue.head = taken.head->next__;
        taken.head->next__ = NULL;
    }
    return taken;
}

static void *work(void *ctx) {
    struct worker *worker = ctx;
    bool idled = true; // nothing to tidy up before the first job
    pthread_mutex_lock(&worker->lock);
    while (wait_for_job(worker, &idled)) {
        struct job_list jobs = take(worker);
        size_t n = length(jobs.head);
        pthread_mutex_unlock(&worker->lock);
        if (worker->options.batch)
            worker->options.batch(worker->options.ctx, jobs.head);
        else
            jobs.head->run(jobs.head);
        idled = false;
        pthread_mutex_lock(&worker->lock);
        bool silent = worker->finished.head == NULL;
        append(&worker->finished, jobs);
        worker->unfinished -= n;
        if (worker->unfinished == 0)
            pthread_cond_signal(&worker->drained);
        // Written under the lock: the reader takes all that is finished, so one count is enough.
        if (silent)
            while (eventfd_write(worker->event, 1) < 0 && errno == EINTR)
                continue;
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

static void deliver(struct worker *worker) {
    pthread_mutex_lock(&worker->lock);
    struct worker_job *job = worker->finished.head;
    worker->finished = (struct job_list){0};
    pthread_mutex_unlock(&worker->lock);
    while (job) {
        struct worker_job *next = job->next__;
        worker->pending--;
        loop_release(worker->loop);
        if (job->done)
            job->done(job);
        job = next;
    }
}

static void on_event(void *ctx, uint32_t revents) {
    (void)revents;
    struct worker *worker = ctx;
    eventfd_t count;
    if (eventfd_read(worker->event, &count) < 0)
        return; // EAGAIN: another turn was here first
    if (loop_virtual__(worker->loop)) {
        // How many jobs are done at this moment is chance; that all are is not.
        pthread_mutex_lock(&worker->lock);
        while (worker->unfinished > 0)
            pthread_cond_wait(&worker->drained, &worker->lock);
        pthread_mutex_unlock(&worker->lock);
        (void)eventfd_read(worker->event, &count);
    }
    deliver(worker);
}

// Signals are the loop's: the thread takes none.
static int start_thread(struct worker *worker) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int r = pthread_create(&worker->thread, NULL, work, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (r == 0)
        pthread_setname_np(worker->thread, worker->name);
    return r;
}

static void discard(struct worker *worker) {
    loop_fd_remove(worker->watch);
    if (worker->event >= 0)
        close(worker->event);
    pthread_cond_destroy(&worker->drained);
    pthread_cond_destroy(&worker->wake);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

enum error_code worker_create(struct loop *loop, const struct worker_options *options, struct worker **ret,
                              struct error *err) {
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return error_set(err, ERROR_INTERNAL, options->name, "no memory for a worker");
    worker->loop = loop;
    worker->options = *options;
    memcpy(worker->name, options->name, strnlen(options->name, sizeof worker->name - 1));
    worker->options.name = worker->name;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&worker->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_cond_init(&worker->drained, NULL);
    worker->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    enum error_code code = ERROR_OK;
    if (worker->event < 0)
        code = error_set(err, ERROR_INTERNAL, worker->name, "no eventfd: %s", strerror(errno));
    else
        code = loop_fd_add(loop, worker->event, EPOLLIN, on_event, worker, &worker->watch, err);
    if (code == ERROR_OK) {
        loop_fd_quiet__(worker->watch);
        int r = start_thread(worker);
        if (r != 0)
            code = error_set(err, ERROR_INTERNAL, worker->name,
                             "no thread, for want of memory or of threads: %s", strerror(r));
    }
    if (code != ERROR_OK) {
        discard(worker);
        return code;
    }
    *ret = worker;
    return ERROR_OK;
}

bool worker_submit(struct worker *worker, struct worker_job *job) {
    if (worker->pending >= worker->options.capacity)
        return false;
    worker->pending++;
    loop_hold(worker->loop);
    job->next__ = NULL;
    pthread_mutex_lock(&worker->lock);
    append(&worker->queue, (struct job_list){job, job});
    worker->unfinished++;
    bool wake = worker->sleeping;
    pthread_mutex_unlock(&worker->lock);
    if (wake)
        pthread_cond_signal(&worker->wake);
    return true;
}

size_t worker_pending(const struct worker *worker) {
    return worker->pending;
}

void worker_destroy(struct worker *worker) {
    if (!worker)
        return;
    // What a `done` submits is done too, before the thread may go.
    while (worker->pending > 0) {
        pthread_mutex_lock(&worker->lock);
        while (worker->unfinished > 0)
            pthread_cond_wait(&worker->drained, &worker->lock);
        pthread_mutex_unlock(&worker->lock);
        deliver(worker);
    }
    pthread_mutex_lock(&worker->lock);
    worker->stop = true;
    pthread_mutex_unlock(&worker->lock);
    pthread_cond_signal(&worker->wake);
    pthread_join(worker->thread, NULL);
    discard(worker);
}
