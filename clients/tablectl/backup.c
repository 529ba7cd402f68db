// The whole house in one file, and back. Copies of databases are made by SQLite while the daemon runs; never
// while a game runs, for the copy would hold its hidden cards.
#include "archive.h"
#include "call.h"
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const struct {
    const char *name;
    bool database;
} parts[] = {
    {"journal.db", true},   {"house.db", true}, {"auth.db", true},      {"history.db", true},
    {"tokens.json", false}, {"tls.pem", false}, {"tls-key.pem", false}, {"settings.conf", false},
};
enum { PARTS = sizeof parts / sizeof *parts, PASSPHRASE_MAX = 1024 };

struct house {
    char path[PARTS][1100];
};

// ---- where it is

static void house_in(const char *folder, struct house *ret) {
    for (size_t i = 0; i < PARTS; i++)
        snprintf(ret->path[i], sizeof ret->path[i], "%s/%s", folder, parts[i].name);
}

static const char *setting(const json_t *rows, const char *key) {
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!strcmp(text_of(row, "section"), "daemon") && !strcmp(text_of(row, "key"), key))
            return text_of(row, "value");
    }
    return "";
}

static int house_of_daemon(const struct args *args, struct house *ret) {
    struct call answer;
    int code = call(args, "/api/v1/settings", NULL, &answer);
    if (!code) {
        const json_t *rows = json_object_get(answer.json, "settings");
        house_in(setting(rows, "state_dir"), ret);
        for (size_t i = 0; i < 2; i++) { // journal and house may lie elsewhere
            const char *path = setting(rows, i ? "house" : "journal");
            if (*path)
                snprintf(ret->path[i], sizeof ret->path[i], "%s", path);
        }
    }
    call_free(&answer);
    return code;
}

static int nobody_plays(const struct args *args) {
    struct call answer;
    int code = call(args, "/api/v1/tables", NULL, &answer);
    const json_t *tables = code ? NULL : json_object_get(answer.json, "tables");
    for (size_t i = 0; !code && i < json_array_size(tables); i++)
        if (!strcmp(text_of(json_array_get(tables, i), "status"), "running")) {
            fprintf(stderr,
                    "tablectl: table %s plays; its hidden cards would be in the archive: wait for the end\n",
                    text_of(json_array_get(tables, i), "table"));
            code = EXIT_CODE_REFUSED;
        }
    call_free(&answer);
    return code;
}

// The first line of a file that nobody else may read; NULL = none given. False: told.
static bool read_passphrase(const struct args *args, char ret[PASSPHRASE_MAX], const char **ret_passphrase) {
    const char *path = args_option(args, "passphrase-file");
    *ret_passphrase = NULL;
    if (!path)
        return true;
    FILE *file = fopen(path, "re");
    bool ok = file && fgets(ret, PASSPHRASE_MAX, file) != NULL;
    if (file)
        fclose(file);
    if (ok)
        ret[strcspn(ret, "\r\n")] = '\0';
    if (!ok || !*ret) {
        fprintf(stderr, "tablectl: no passphrase can be read from %s\n", path);
        return false;
    }
    *ret_passphrase = ret;
    return true;
}

// ---- there

static enum error_code copy_database(const char *from, const char *to, struct error *err) {
    sqlite3 *source = NULL, *copy = NULL;
    unlink(to);
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    int r = sqlite3_open_v2(from, &source, SQLITE_OPEN_READONLY, NULL);
    if (r == SQLITE_OK)
        r = sqlite3_open_v2(to, &copy, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_busy_timeout(source, 5000);
    sqlite3_backup *backup = r == SQLITE_OK ? sqlite3_backup_init(copy, "main", source, "main") : NULL;
    if (backup) {
        sqlite3_backup_step(backup, -1);
        r = sqlite3_backup_finish(backup);
    } else if (r == SQLITE_OK) {
        r = sqlite3_errcode(copy);
    }
    if (r == SQLITE_OK) // the copy is one file, without a log beside it
        r = sqlite3_exec(copy, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
    sqlite3_close(source);
    sqlite3_close(copy);
    return r == SQLITE_OK ? ERROR_OK
                          : error_set(err, ERROR_STORAGE, from, "cannot be copied (%s)", sqlite3_errstr(r));
}

static enum error_code add_part(struct archive *archive, size_t i, const struct house *house,
                                const char *target, unsigned *n, struct error *err) {
    char copy[1200];
    if (access(house->path[i], F_OK) != 0)
        return ERROR_OK;
    ++*n;
    if (!parts[i].database)
        return archive_add(archive, parts[i].name, house->path[i], err);
    snprintf(copy, sizeof copy, "%s.copy", target);
    enum error_code code = copy_database(house->path[i], copy, err);
    if (!code)
        code = archive_add(archive, parts[i].name, copy, err);
    unlink(copy);
    return code;
}

int run_backup(const struct args *args) {
    struct house house;
    struct error err = {0};
    struct archive *archive = NULL;
    char text[PASSPHRASE_MAX];
    const char *passphrase, *folder = args_option(args, "state");
    unsigned n = 0;
    if (args->n_words != 1)
        return usage_error(args, "name the file to write");
    const char *target = args->words[0];
    if (!read_passphrase(args, text, &passphrase))
        return EXIT_CODE_USAGE;
    int code = EXIT_CODE_OK;
    if (folder)
        house_in(folder, &house);
    else if ((code = nobody_plays(args)) || (code = house_of_daemon(args, &house)))
        return code;
    enum error_code failure = archive_create(target, passphrase, &archive, &err);
    sodium_memzero(text, sizeof text);
    for (size_t i = 0; !failure && i < PARTS; i++)
        failure = add_part(archive, i, &house, target, &n, &err);
    if (failure)
        archive_drop(archive);
    else
        failure = archive_finish(archive, &err);
    if (failure)
        return failed(&err, EXIT_CODE_FAILED);
    printf("%s: %u files\n", target, n);
    return n ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

// ---- and back

static bool wanted(const char *name) {
    for (size_t i = 0; i < PARTS; i++)
        if (!strcmp(parts[i].name, name))
            return true;
    return false;
}

static enum error_code check_database(const char *path, struct error *err) {
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt, NULL) == SQLITE_OK &&
              sqlite3_step(stmt) == SQLITE_ROW && !strcmp((const char *)sqlite3_column_text(stmt, 0), "ok");
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return ok ? ERROR_OK : error_set(err, ERROR_CORRUPT, path, "the archive holds a damaged database");
}

// What is there is kept as NAME.before, with its logs: after a crash they hold what the file does not yet.
static enum error_code put_aside(const char *target, struct error *err) {
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    char now[1216], old[1232];
    bool there = true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(now, sizeof now, "%s%s", target, ends[i]);
        snprintf(old, sizeof old, "%s.before%s", target, ends[i]);
        if (rename(now, old) == 0)
            continue;
        if (errno != ENOENT)
            return error_set(err, ERROR_STORAGE, now, "cannot be put aside: %s", strerror(errno));
        if (i == 0)
            there = false;
        else if (there)
            unlink(old); // of a file put aside earlier
    }
    return ERROR_OK;
}

static enum error_code move_in(const char *from, const char *folder, const char *name, struct error *err) {
    char source[1200], target[1200];
    struct stat owner;
    snprintf(source, sizeof source, "%s/%s", from, name);
    snprintf(target, sizeof target, "%s/%s", folder, name);
    if (access(source, F_OK) != 0)
        return ERROR_OK;
    if (put_aside(target, err))
        return err->code;
    if (stat(folder, &owner) == 0 && chown(source, owner.st_uid, owner.st_gid) != 0 && geteuid() == 0)
        return error_set(err, ERROR_STORAGE, source, "cannot be given to the folder's owner");
    return rename(source, target) == 0
               ? ERROR_OK
               : error_set(err, ERROR_STORAGE, target, "cannot be put in place: %s", strerror(errno));
}

static enum error_code restore(const char *archive, const char *passphrase, const char *folder,
                               const char *fresh, struct error *err) {
    enum error_code code = archive_extract(archive, passphrase, fresh, wanted, err);
    char path[1200];
    for (size_t i = 0; !code && i < PARTS; i++) {
        snprintf(path, sizeof path, "%s/%s", fresh, parts[i].name);
        if (parts[i].database && access(path, F_OK) == 0)
            code = check_database(path, err);
    }
    for (size_t i = 0; !code && i < PARTS; i++)
        code = move_in(fresh, folder, parts[i].name, err);
    return code;
}

static bool daemon_answers(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    bool answers = fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
    if (fd >= 0)
        close(fd);
    return answers;
}

int run_restore(const struct args *args) {
    char text[PASSPHRASE_MAX], fresh[1100], path[1200];
    const char *passphrase, *folder = args_option(args, "state");
    struct error err = {0};
    if (args->n_words != 1 || !folder)
        return usage_error(args, "name the archive, and with --state the folder of the daemon");
    if (!read_passphrase(args, text, &passphrase))
        return EXIT_CODE_USAGE;
    if (daemon_answers(args->socket)) {
        fprintf(stderr, "tablectl: the daemon runs: stop it first\n");
        return EXIT_CODE_REFUSED;
    }
    snprintf(fresh, sizeof fresh, "%s/restore-XXXXXX", folder);
    if (!mkdtemp(fresh)) {
        fprintf(stderr, "tablectl: %s cannot be written: %s\n", folder, strerror(errno));
        return EXIT_CODE_FAILED;
    }
    enum error_code code = restore(args->words[0], passphrase, folder, fresh, &err);
    sodium_memzero(text, sizeof text);
    for (size_t i = 0; i < PARTS; i++) {
        snprintf(path, sizeof path, "%s/%s", fresh, parts[i].name);
        unlink(path);
    }
    rmdir(fresh);
    if (code)
        return failed(&err, EXIT_CODE_FAILED);
    printf("%s is back in %s; what was there before is kept as NAME.before\n", args->words[0], folder);
    return EXIT_CODE_OK;
}
