#include "drivers/bus.h"
#include <errno.h>

static void run(struct worker_job *job) {
    struct bus_i2c_job *i2c = (struct bus_i2c_job *)job;
    const struct bus_ops *ops = bus_ops();
    i2c->result =
        ops->i2c_transfer(ops->ctx, i2c->bus->fd, i2c->address, i2c->tx, i2c->n_tx, i2c->rx, i2c->n_rx);
}

static void finish(struct bus_i2c *bus) {
    struct bus_i2c_job *job = bus->now;
    bus->now = NULL;
    if (!bus->closing)
        job->done(bus->ctx, job);
}

static void done(struct worker_job *job) {
    finish(((struct bus_i2c_job *)job)->bus);
}

static void done_at_once(void *ctx) {
    finish(ctx);
}

enum error_code bus_i2c_open(struct bus_i2c *bus, struct loop *loop, const char *path, void *ctx,
                             struct error *err) {
    const struct bus_ops *ops = bus_ops();
    const struct worker_options options = {.name = "i2c", .capacity = 2};
    *bus = (struct bus_i2c){.loop = loop, .fd = -1, .ctx = ctx};
    int fd = ops->i2c_open(ops->ctx, path);
    if (fd < 0)
        return bus_explain(-fd, path, err);
    bus->fd = fd;
    if (ops->i2c_on_loop || worker_create(loop, &options, &bus->worker, err) == ERROR_OK)
        return ERROR_OK;
    bus_i2c_close(bus);
    return err->code;
}

bool bus_i2c_start(struct bus_i2c *bus, struct bus_i2c_job *job) {
    if (bus->now || bus->fd < 0)
        return false;
    job->bus = bus;
    job->job = (struct worker_job){.run = run, .done = done};
    bus->now = job;
    if (bus->worker) {
        if (worker_submit(bus->worker, &job->job))
            return true;
        bus->now = NULL;
        return false;
    }
    run(&job->job);
    loop_defer(bus->loop, &bus->call, done_at_once, bus);
    return true;
}

void bus_i2c_close(struct bus_i2c *bus) {
    if (!bus->loop)
        return;
    bus->closing = true;
    loop_defer_cancel(bus->loop, &bus->call);
    worker_destroy(bus->worker);
    bus->worker = NULL;
    bus->now = NULL;
    if (bus->fd >= 0)
        bus_ops()->close(bus_ops()->ctx, bus->fd);
    bus->fd = -1;
}
