#include "net/people.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { QUEUE = 16, TICK_US = 60000000 };

struct people {
    struct http *http;
    struct worker *worker;
    struct loop_timer tick;
    unsigned hashes;
    bool changing; // one change of people at a time: each was checked against what is in memory
    struct pairing pairing;
};

// ---- streams end with what opened them

static void end_streams(void *ctx, uint64_t number) {
    struct http *http = ctx;
    for (struct conn *conn = http->all; conn; conn = conn->all_next)
        if (conn->stream && conn->request.grant == number)
            shutdown(conn->fd, SHUT_RDWR);
}

static bool has_stream(const struct http *http, uint64_t number) {
    for (const struct conn *conn = http->all; conn; conn = conn->all_next)
        if (conn->stream && conn->request.grant == number)
            return true;
    return false;
}

// ---- sessions that are over

struct ending {
    struct people_errand errand; // first member
    struct auth_change change;
};

static void store_end(struct worker_job *job) {
    struct ending *ending = (struct ending *)job;
    auth_store_write(auth_store(ending->errand.http->auth), &ending->change, 1, NULL);
}

static void end_stored(struct worker_job *job) {
    free(job);
}

// Also on the disk, so that no restart brings it back.
static void end_session(struct people *people, const struct auth_session *session) {
    struct ending *ending = calloc(1, sizeof *ending);
    struct auth_change change = {.what = AUTH_DROP_SESSION, .session = *session};
    auth_apply(people->http->auth, &change, end_streams, people->http);
    if (!ending)
        return;
    *ending = (struct ending){{{.run = store_end, .done = end_stored}, people->http}, change};
    if (!people_send(people, &ending->errand))
        free(ending); // it is old: the next login drops it
}

// An open stream counts as use.
static void tick(void *ctx) {
    struct people *people = ctx;
    struct http *http = people->http;
    int64_t now = loop_now_us(http->loop);
    for (size_t i = 0; i < AUTH_SESSIONS_MAX; i++) {
        struct auth_session *session = auth_session_at(http->auth, i);
        if (*session->id && session->idle_us <= now + TICK_US && has_stream(http, session->grant.number))
            session->idle_us = now + 2 * (int64_t)TICK_US;
        if (*session->id && (session->end_us <= now || session->idle_us <= now)) {
            const struct auth_session ended = *session;
            end_session(people, &ended);
        }
    }
    loop_timer_start(http->loop, &people->tick, now + TICK_US, tick, people);
}

// ---- the worker

static void try_password(struct people_work *work) {
    char made[crypto_pwhash_STRBYTES];
    size_t len = strlen(work->password);
    bool known = *work->stored;
    if (work->verify && known) {
        work->right = crypto_pwhash_str_verify(work->stored, work->password, len) == 0;
        if (!work->right || !crypto_pwhash_str_needs_rehash(work->stored, PEOPLE_OPS, PEOPLE_MEMORY))
            return;
    }
    if (crypto_pwhash_str(made, work->password, len, PEOPLE_OPS, PEOPLE_MEMORY) != 0) {
        error_set(&work->err, ERROR_BUSY, NULL, "no memory for a password at this moment");
        return;
    }
    if (!work->verify) {
        memcpy(work->change[0].user.hash, made, sizeof made);
        work->right = true;
    } else if (known && work->n < PEOPLE_CHANGES_MAX) {
        struct auth_change *change = &work->change[work->n++];
        *change = (struct auth_change){.what = AUTH_PUT_USER, .user = work->rehash};
        memcpy(change->user.hash, made, sizeof made);
    }
}

static void run(struct worker_job *job) {
    struct people_work *work = (struct people_work *)job;
    if (work->has_password)
        try_password(work);
    sodium_memzero(work->password, sizeof work->password);
    if (!work->err.code && (work->right || !work->has_password) && work->n)
        auth_store_write(auth_store(work->people->http->auth), work->change, work->n, &work->err);
}

static bool changes_people(const struct people_work *work) {
    for (size_t i = 0; i < work->n; i++)
        if (work->change[i].what != AUTH_PUT_SESSION && work->change[i].what != AUTH_DROP_SESSION)
            return true;
    return false;
}

void people_drop(struct people_work *work) {
    sodium_memzero(work, sizeof *work);
    free(work);
}

// A user may have got another password or role while this one was tried: then it was the wrong one.
static bool user_is_same(const struct people_work *work) {
    const struct auth_user *user = auth_user_find(work->people->http->auth, work->rehash.name);
    return user && user->role == work->rehash.role && !strcmp(user->hash, work->stored);
}

static void check_user(struct people_work *work) {
    if (!work->verify || !work->right || user_is_same(work))
        return;
    work->right = false;
    for (size_t i = 0; i < work->n; i++)
        if (work->change[i].what == AUTH_PUT_SESSION)
            end_session(work->people, &work->change[i].session);
}

static void done(struct worker_job *job) {
    struct people_work *work = (struct people_work *)job;
    check_user(work);
    struct people *people = work->people;
    struct conn *conn = request_conn(work->request);
    people->hashes -= work->has_password;
    if (!work->verify && changes_people(work))
        people->changing = false;
    if (!work->err.code && (work->right || !work->has_password))
        for (size_t i = 0; i < work->n; i++)
            auth_apply(people->http->auth, &work->change[i], end_streams, people->http);
    if (conn->orphan)
        free(conn);
    else if (work->err.code)
        answer_error(work->request, &work->err);
    else
        work->then(work);
    people_drop(work);
}

struct people_work *people_begin(struct request *request, void (*then)(struct people_work *work)) {
    struct people_work *work = calloc(1, sizeof *work);
    if (!work) {
        answer_code(request, ERROR_INTERNAL, "out of memory");
        return NULL;
    }
    work->job = (struct worker_job){.run = run, .done = done};
    work->people = request->http->people;
    work->request = request;
    work->then = then;
    return work;
}

bool people_submit(struct people_work *work) {
    struct people *people = work->people;
    bool changes = !work->verify && changes_people(work);
    if ((work->has_password && people->hashes == PEOPLE_HASHES_MAX) || (changes && people->changing) ||
        !worker_submit(people->worker, &work->job)) {
        answer_error(work->request, &(struct error){.code = ERROR_BUSY});
        people_drop(work);
        return false;
    }
    people->hashes += work->has_password;
    people->changing |= changes;
    return true;
}

// ---- the whole

enum error_code people_create(struct http *http, struct people **ret, struct error *err) {
    const struct worker_options options = {.name = "people", .capacity = QUEUE};
    struct people *people = *ret = calloc(1, sizeof *people);
    if (!people)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    people->http = http;
    if (worker_create(http->loop, &options, &people->worker, err)) {
        free(people);
        *ret = NULL;
        return err->code;
    }
    loop_timer_start(http->loop, &people->tick, loop_now_us(http->loop) + TICK_US, tick, people);
    return ERROR_OK;
}

void people_destroy(struct people *people) {
    if (!people)
        return;
    worker_destroy(people->worker);
    loop_timer_stop(people->http->loop, &people->tick);
    sodium_memzero(people, sizeof *people);
    free(people);
}

struct pairing *people_pairing(struct people *people) {
    struct pairing *pairing = &people->pairing;
    if (*pairing->code && loop_now_us(people->http->loop) >= pairing->end_us)
        sodium_memzero(pairing, sizeof *pairing);
    return *pairing->code ? pairing : NULL;
}

struct pairing *people_pairing_new(struct people *people) {
    sodium_memzero(&people->pairing, sizeof people->pairing);
    return &people->pairing;
}

bool people_send(struct people *people, struct people_errand *errand) {
    return worker_submit(people->worker, &errand->job);
}
