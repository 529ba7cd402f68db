// Damaged files, full disks, kills: what was announced is there, and nothing crashes.
#include "journal_rig.h"

static void change(const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void write_five(void) {
    open_journal();
    for (uint64_t n = 1; n <= 5; n++)
        append("den", n, false);
    close_journal();
}

static void damage_is_found(void **state) {
    (void)state;
    static const struct {
        const char *sql, *where, *text;
    } rows[] = {
        {"DELETE FROM record WHERE n=3", "den record 3", "the record is missing, the next one is 4"},
        {"DELETE FROM record WHERE n=1", "den record 1", "missing"},
        {"UPDATE record SET body='{' WHERE n=2", "den record 2", "no JSON object"},
        {"UPDATE record SET body='[]' WHERE n=2", "den record 2", "no JSON object"},
        {"UPDATE record SET body='{\"a\":1,\"a\":2}' WHERE n=4", "den record 4", "no JSON object"},
        {"UPDATE record SET kind='dance' WHERE n=5", "den record 5", "unknown kind"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unlink(path);
        write_five();
        change(rows[i].sql);
        struct error err = {0};
        uint64_t records;
        assert_int_equal(journal_verify(path, &records, &err), ERROR_CORRUPT);
        assert_string_equal(err.where, rows[i].where);
        assert_non_null(strstr(err.text, rows[i].text));
    }
    unlink(path);
    write_five();
    change("DELETE FROM record WHERE n=3");
    struct reading reading = {.next = 1};
    struct error err;
    assert_int_equal(journal_read(path, "den", 1, take, &reading, &err), ERROR_CORRUPT);
    assert_int_equal(reading.count, 2);
}

static void another_schema_is_named(void **state) {
    (void)state;
    write_five();
    change("PRAGMA user_version=7");
    struct error err = {0};
    uint64_t records;
    assert_int_equal(journal_open(loop, path, &listener, &journal, &err), ERROR_CORRUPT);
    assert_non_null(strstr(err.text, "schema 7"));
    assert_non_null(strstr(err.text, "schema 1"));
    assert_int_equal(journal_verify(path, &records, &err), ERROR_CORRUPT);
}

static void what_is_no_journal_is_refused(void **state) {
    (void)state;
    struct error err = {0};
    uint64_t n;
    assert_int_equal(journal_read(path, "den", 1, take, NULL, &err), ERROR_NOT_FOUND);
    change("CREATE TABLE other(x)");
    assert_int_equal(journal_open(loop, path, &listener, &journal, &err), ERROR_CORRUPT);
    assert_int_equal(journal_last_start(path, "den", &n, &err), ERROR_CORRUPT);
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 5000; i++)
        fputs("no database", file);
    fclose(file);
    assert_int_equal(journal_open(loop, path, &listener, &journal, &err), ERROR_CORRUPT);
    assert_int_equal(journal_verify(path, &n, &err), ERROR_CORRUPT);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(journal_open(loop, path, &listener, &journal, &err), ERROR_STORAGE);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(journal_open(loop, "/nowhere/at/all.db", &listener, &journal, &err), ERROR_STORAGE);
}

// SQLite would take such a file for an empty one and write over it.
static void a_file_cut_to_a_stump_is_damaged_not_new(void **state) {
    (void)state;
    static const off_t lengths[] = {1, 16, 100, 511};
    char head[512] = "SQLite format 3";
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct error err = {0};
        struct stat st;
        FILE *file = fopen(path, "w");
        assert_int_equal(fwrite(head, 1, (size_t)lengths[i], file), lengths[i]);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(journal_open(loop, path, &listener, &journal, &err), ERROR_CORRUPT);
        assert_non_null(strstr(err.text, "move the file away"));
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_size, lengths[i]);
    }
    unlink(path);
}

static void a_second_daemon_is_refused(void **state) {
    (void)state;
    open_journal();
    struct journal *second = NULL;
    struct error err;
    assert_int_equal(journal_open(loop, path, &listener, &second, &err), ERROR_BUSY);
    assert_int_equal(append("den", 1, false), ERROR_OK); // the first one is not disturbed
    settle();
    close_journal();
    open_journal();
}

// The disk is full from some moment on: no write of this process goes beyond `limit` bytes of a file.
static void limit_files(rlim_t limit) {
    struct rlimit now;
    getrlimit(RLIMIT_FSIZE, &now);
    now.rlim_cur = limit;
    setrlimit(RLIMIT_FSIZE, &now);
}

static void a_full_disk_is_told_once(void **state) {
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    open_journal();
    limit_files(256 * 1024);
    uint64_t n = 0, last = 0;
    while (append("den", ++n, false) == ERROR_OK && n < 10000) {
        settle();
        if (!seen.failures)
            last = n;
    }
    limit_files(RLIM_INFINITY);
    assert_int_equal(seen.failures, 1);
    assert_int_equal(seen.error.code, ERROR_STORAGE);
    assert_true(last > 10 && seen.n == last);
    struct error err;
    struct journal_record record = {.table = "den", .n = n, .game = "", .by = "", .cause = "", .body = "{}"};
    assert_int_equal(journal_append(journal, &record, false, &err), ERROR_STORAGE);
    assert_true(strlen(err.text) > 0);
    assert_int_equal(journal_pending(journal), 0);
    struct reading reading = {.next = 1};
    assert_int_equal(journal_read(path, "den", 1, take, &reading, NULL), ERROR_OK);
    assert_in_range(reading.count, last, last + 1);
    close_journal();
    assert_int_equal(seen.failures, 1);
    assert_in_range(verify(), last, last + 1);
    memset(&seen, 0, sizeof seen);
    open_journal(); // with room again
    assert_int_equal(append("den", verify() + 1, false), ERROR_OK);
    settle();
    assert_int_equal(seen.failures, 0);
}

static void what_was_queued_behind_a_failure_is_not_durable(void **state) {
    (void)state;
    open_journal();
    append("den", 1, false);
    settle();
    append("den", 1, false); // the same number: this commit cannot be
    append("den", 2, false);
    append("den", 3, true);
    settle();
    assert_int_equal(seen.failures, 1);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(append("den", 4, false), ERROR_STORAGE);
    close_journal();
    assert_int_equal(verify(), 1);
}

static void a_group_without_an_end_fails_the_journal(void **state) {
    (void)state;
    open_journal();
    uint64_t n = 0;
    while (n < 10000 && append("den", n + 1, true) == ERROR_OK)
        n++;
    assert_true(n > JOURNAL_QUEUE_MAX && n < 10000);
    assert_int_equal(seen.failures, 0); // not inside append
    loop_turn(loop, 0);
    assert_int_equal(seen.failures, 1);
    assert_int_equal(journal_pending(journal), 0);
    close_journal();
    assert_int_equal(verify(), 0);
}

static off_t size_of(const char *end) {
    char name[128];
    struct stat st;
    snprintf(name, sizeof name, "%s%s", path, end);
    assert_int_equal(stat(name, &st), 0);
    return st.st_size;
}

static void the_log_is_taken_in_when_idle(void **state) {
    (void)state;
    open_journal();
    off_t before = size_of("");
    uint64_t n = 0;
    off_t first = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 250; i++) {
            assert_int_equal(append("den", ++n, false), ERROR_OK);
            settle();
        }
        while (size_of("") == before) // the worker writes it when it has nothing else to do
            loop_turn(loop, 1000);
        before = size_of("");
        if (round == 0)
            first = size_of("-wal");
    }
    assert_true(first >= 200 * 4096);
    assert_true(size_of("-wal") < 2 * first); // the log begins again at its start
    close_journal();
    assert_int_equal(verify(), n);
}

// A child writes until it is killed; each number it was told is durable comes through the pipe.
static int report_to;

static void report(void *ctx, const char *table, uint64_t n) {
    (void)ctx;
    (void)table;
    if (write(report_to, &n, sizeof n) != sizeof n)
        _exit(1);
}

static void child(uint64_t from) {
    static const struct journal_listener reporting = {report, NULL, NULL};
    struct loop *own;
    if (loop_create(NULL, NULL, &own, NULL) || journal_open(own, path, &reporting, &journal, NULL))
        _exit(2);
    unsigned shape = (unsigned)from;
    for (uint64_t n = from;; shape = shape * 1103515245 + 12345) {
        unsigned records = 1 + (shape >> 16) % 5;
        bool group = shape & 0x100000;
        for (unsigned i = 0; i < records; i++)
            append("den", n++, group && i + 1 < records);
        while (journal_pending(journal) > (shape >> 20) % 20)
            loop_turn(own, -1);
    }
}

// Killed some reports and then some microseconds after it began, wherever it is then.
static uint64_t run_child(uint64_t from, unsigned reports, unsigned after_us) {
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(pipes[0]);
        report_to = pipes[1];
        child(from);
    }
    close(pipes[1]);
    uint64_t last = from - 1, n;
    while (reports-- > 0 && read(pipes[0], &n, sizeof n) == sizeof n)
        last = n;
    for (int64_t begin = loop_now_us(loop); loop_now_us(loop) < begin + after_us;)
        continue;
    kill(pid, SIGKILL);
    while (read(pipes[0], &n, sizeof n) == sizeof n)
        last = n;
    close(pipes[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    return last;
}

static void what_was_announced_survives_a_kill(void **state) {
    (void)state;
    uint64_t next = 1;
    for (unsigned round = 0; round < 25; round++) {
        uint64_t announced = run_child(next, 1 + round * 7 % 40, round * 177 % 1000);
        uint64_t records = verify(); // no gap
        assert_true(records >= announced && announced >= next);
        next = records + 1;
    }
}

static void copy_file(const char *from, const char *to, off_t len) {
    static char buf[1 << 20];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t got;
    while (len > 0 && (got = read(in, buf, (size_t)len < sizeof buf ? (size_t)len : sizeof buf)) > 0) {
        assert_int_equal(write(out, buf, (size_t)got), got);
        len -= got;
    }
    close(in);
    close(out);
}

static void b099_a_log_cut_anywhere_is_a_prefix(void **state) {
    (void)state;
    open_journal();
    uint64_t n = 0;
    while (n < 12) {
        bool group = n % 4 == 1;
        append("den", ++n, group);
        if (!group)
            settle();
    }
    char live[96], wal[128], live_wal[128];
    memcpy(live, path, sizeof live);
    snprintf(live_wal, sizeof live_wal, "%s-wal", live);
    snprintf(path, sizeof path, "%s/cut.db", folder);
    snprintf(wal, sizeof wal, "%s-wal", path);
    struct stat st;
    assert_int_equal(stat(live_wal, &st), 0);
    uint64_t last = 0;
    for (off_t cut = 0; cut <= st.st_size; cut += cut == st.st_size        ? 1
                                                  : st.st_size - cut < 331 ? st.st_size - cut
                                                                           : 331) {
        copy_file(live, path, 1 << 30);
        copy_file(live_wal, wal, cut);
        uint64_t records = 0;
        struct error err = {0};
        enum error_code code = journal_verify(path, &records, &err);
        if (code != ERROR_NOT_FOUND) { // not even its table was written
            assert_int_equal(code, ERROR_OK);
            assert_true(records >= last);
            assert_int_not_equal(records % 4, 2); // between the two of a group
            last = records;
        }
        char shm[128];
        snprintf(shm, sizeof shm, "%s-shm", path);
        unlink(shm);
    }
    assert_int_equal(last, 12);
}

static void a_damaged_file_never_crashes(void **state) {
    (void)state;
    open_journal();
    for (uint64_t n = 1; n <= 60; n++) {
        append("den", n, false);
        settle();
    }
    close_journal();
    char good[128];
    snprintf(good, sizeof good, "%s/good.db", folder);
    copy_file(path, good, 1 << 30);
    struct stat st;
    assert_int_equal(stat(good, &st), 0);
    unsigned found = 0, tries = 0;
    for (off_t at = 0; at < st.st_size; at += 97, tries++) {
        copy_file(good, path, 1 << 30);
        int fd = open(path, O_WRONLY);
        assert_int_equal(pwrite(fd, "\xA5\x5A\xFF", 3, at), 3);
        close(fd);
        uint64_t records;
        struct error err;
        if (journal_verify(path, &records, &err) != ERROR_OK)
            found++;
        if (journal_open(loop, path, &listener, &journal, &err) == ERROR_OK)
            close_journal();
    }
    for (off_t cut = 0; cut < st.st_size; cut += 509) {
        copy_file(good, path, cut);
        uint64_t records;
        struct error err;
        enum error_code code = journal_verify(path, &records, &err);
        assert_true(code == ERROR_CORRUPT || code == ERROR_NOT_FOUND || code == ERROR_STORAGE);
    }
    assert_true(found > tries / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(damage_is_found),
        TEST(another_schema_is_named),
        TEST(what_is_no_journal_is_refused),
        TEST(a_file_cut_to_a_stump_is_damaged_not_new),
        TEST(a_second_daemon_is_refused),
        TEST(a_full_disk_is_told_once),
        TEST(what_was_queued_behind_a_failure_is_not_durable),
        TEST(a_group_without_an_end_fails_the_journal),
        TEST(the_log_is_taken_in_when_idle),
        TEST(what_was_announced_survives_a_kill),
        TEST(b099_a_log_cut_anywhere_is_a_prefix),
        TEST(a_damaged_file_never_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
