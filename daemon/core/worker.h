// A thread that only ferries bytes: bounded queue in, eventfd out. The only file with threads.
#pragma once
#include "core/error.h"
#include "core/loop.h"
#include <stdbool.h>
#include <stddef.h>

struct worker;

// Lives in the caller's memory from submit until `done` has been called.
struct worker_job {
    void (*run)(struct worker_job *job);  // in the thread: touches nothing of the daemon but the job
    void (*done)(struct worker_job *job); // on the loop; may free the job; NULL allowed
    struct worker_job *next__;
};

// `batch`, if not NULL, is called in the thread in place of each `run` with all jobs queued at that moment
// (a list through next__), so that a commit takes all that waits. capacity: most jobs queued and unfinished.
// `idle`, if not NULL, runs in the thread once its queue has been empty for idle_after_ms.
struct worker_options {
    const char *name; // thread name, at most 15 characters
    size_t capacity;
    void (*batch)(void *ctx, struct worker_job *list);
    void (*idle)(void *ctx);
    unsigned idle_after_ms;
    void *ctx;
};
enum error_code worker_create(struct loop *loop, const struct worker_options *options, struct worker **ret,
                              struct error *err);
// False if the queue is full (the job is not taken). Takes a loop_hold until `done`.
bool worker_submit(struct worker *worker, struct worker_job *job);
size_t worker_pending(const struct worker *worker); // submitted and not yet done
// Lets the queue run empty, calls what is `done`, joins the thread. NULL allowed.
void worker_destroy(struct worker *worker);
