#include "archive.h"
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 512, CHUNK = 65536, NAME_MAX_BYTES = 99, SEALED_MAX = CHUNK + 64 };
static const char magic[16] = "tabled archive1";
static const uint64_t file_max = UINT64_C(1) << 33; // what the size field of a tar holds

struct tar_header { // ustar
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100], magic[6],
        version[2], user[32], group[32], major[8], minor[8], prefix[155], pad[12];
};
_Static_assert(sizeof(struct tar_header) == BLOCK, "a tar's block");

struct archive {
    FILE *file;
    char path[1100], part[1120];
    bool sealed;
    crypto_secretstream_xchacha20poly1305_state state;
    size_t len; // of the chunk
    unsigned char chunk[CHUNK];
};

static enum error_code unwritten(const struct archive *archive, struct error *err) {
    return error_set(err, ERROR_STORAGE, archive->path, "cannot be written: %s", strerror(errno));
}

// The key of a passphrase: slow on purpose.
static bool make_key(const char *passphrase, const unsigned char *salt, unsigned char *ret) {
    return crypto_pwhash(ret, crypto_secretstream_xchacha20poly1305_KEYBYTES, passphrase, strlen(passphrase),
                         salt, crypto_pwhash_OPSLIMIT_MODERATE, crypto_pwhash_MEMLIMIT_INTERACTIVE,
                         crypto_pwhash_ALG_ARGON2ID13) == 0;
}

// ---- writing

static bool flush_chunk(struct archive *archive, bool last) {
    unsigned char out[SEALED_MAX];
    unsigned long long n = archive->len;
    const unsigned char *from = archive->chunk;
    if (archive->sealed) {
        crypto_secretstream_xchacha20poly1305_push(
            &archive->state, out, &n, archive->chunk, archive->len, NULL, 0,
            last ? crypto_secretstream_xchacha20poly1305_TAG_FINAL : 0);
        from = out;
    }
    archive->len = 0;
    return fwrite(from, 1, n, archive->file) == n;
}

static bool put(struct archive *archive, const void *bytes, size_t n) {
    const unsigned char *at = bytes;
    while (n > 0) {
        size_t take = CHUNK - archive->len < n ? CHUNK - archive->len : n;
        memcpy(archive->chunk + archive->len, at, take);
        archive->len += take;
        at += take;
        n -= take;
        if (archive->len == CHUNK && !flush_chunk(archive, false))
            return false;
    }
    return true;
}

static bool begin_sealed(struct archive *archive, const char *passphrase) {
    unsigned char salt[crypto_pwhash_SALTBYTES], key[crypto_secretstream_xchacha20poly1305_KEYBYTES];
    unsigned char header[crypto_secretstream_xchacha20poly1305_HEADERBYTES];
    randombytes_buf(salt, sizeof salt);
    bool ok = make_key(passphrase, salt, key);
    crypto_secretstream_xchacha20poly1305_init_push(&archive->state, header, key);
    sodium_memzero(key, sizeof key);
    archive->sealed = true;
    return ok && fwrite(magic, 1, sizeof magic, archive->file) == sizeof magic &&
           fwrite(salt, 1, sizeof salt, archive->file) == sizeof salt &&
           fwrite(header, 1, sizeof header, archive->file) == sizeof header;
}

enum error_code archive_create(const char *path, const char *passphrase, struct archive **ret,
                               struct error *err) {
    struct archive *archive = *ret = calloc(1, sizeof *archive);
    if (!archive || sodium_init() < 0)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    snprintf(archive->path, sizeof archive->path, "%s", path);
    snprintf(archive->part, sizeof archive->part, "%s.part", path);
    int fd = open(archive->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    archive->file = fd >= 0 && fchmod(fd, 0600) == 0 ? fdopen(fd, "wb") : NULL;
    if (archive->file && (!passphrase || begin_sealed(archive, passphrase)))
        return ERROR_OK;
    enum error_code code = unwritten(archive, err);
    archive_drop(archive);
    *ret = NULL;
    return code;
}

static void octal(char *to, size_t size, uint64_t value) {
    snprintf(to, size, "%0*llo", (int)size - 1, (unsigned long long)value);
}

static void fill_header(struct tar_header *header, const char *name, uint64_t size, int64_t mtime) {
    memset(header, 0, sizeof *header);
    memcpy(header->name, name, strlen(name));
    octal(header->mode, sizeof header->mode, 0600);
    octal(header->uid, sizeof header->uid, 0);
    octal(header->gid, sizeof header->gid, 0);
    octal(header->size, sizeof header->size, size);
    octal(header->mtime, sizeof header->mtime, (uint64_t)mtime);
    header->type = '0';
    memcpy(header->magic, "ustar", 6);
    memcpy(header->version, "00", 2);
    memset(header->checksum, ' ', sizeof header->checksum);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof *header; i++)
        sum += ((const unsigned char *)header)[i];
    snprintf(header->checksum, sizeof header->checksum, "%06o", sum);
}

enum error_code archive_add(struct archive *archive, const char *name, const char *path, struct error *err) {
    static const unsigned char zeros[BLOCK];
    unsigned char buffer[CHUNK];
    struct tar_header header;
    struct stat st;
    FILE *from = fopen(path, "rbe");
    if (!from || fstat(fileno(from), &st) != 0 || strlen(name) > NAME_MAX_BYTES) {
        error_set(err, ERROR_STORAGE, path, "cannot be read: %s", strerror(errno));
        if (from)
            fclose(from);
        return ERROR_STORAGE;
    }
    uint64_t size = (uint64_t)st.st_size, left = size;
    fill_header(&header, name, size, st.st_mtime);
    bool ok = size < file_max && put(archive, &header, sizeof header);
    while (ok && left > 0) {
        size_t n = fread(buffer, 1, left < sizeof buffer ? (size_t)left : sizeof buffer, from);
        ok = n > 0 && put(archive, buffer, n);
        left -= n;
    }
    ok = ok && put(archive, zeros, (BLOCK - size % BLOCK) % BLOCK);
    fclose(from);
    return ok ? ERROR_OK : unwritten(archive, err);
}

enum error_code archive_finish(struct archive *archive, struct error *err) {
    static const unsigned char end[2 * BLOCK];
    bool ok = put(archive, end, sizeof end) && flush_chunk(archive, true) && fflush(archive->file) == 0 &&
              fsync(fileno(archive->file)) == 0 && rename(archive->part, archive->path) == 0;
    enum error_code code = ok ? ERROR_OK : unwritten(archive, err);
    archive_drop(archive);
    return code;
}

void archive_drop(struct archive *archive) {
    if (!archive)
        return;
    if (archive->file)
        fclose(archive->file);
    unlink(archive->part);
    sodium_memzero(archive, sizeof *archive);
    free(archive);
}

// ---- reading

struct reading {
    FILE *file;
    bool sealed, ended;
    crypto_secretstream_xchacha20poly1305_state state;
    size_t at, len;
    unsigned char chunk[CHUNK];
};

static bool next_chunk(struct reading *r) {
    unsigned char in[CHUNK + crypto_secretstream_xchacha20poly1305_ABYTES], tag = 0;
    unsigned long long n = 0;
    size_t got = fread(r->sealed ? in : r->chunk, 1, r->sealed ? sizeof in : sizeof r->chunk, r->file);
    r->at = 0;
    r->len = got;
    if (!r->sealed || got == 0)
        return got > 0;
    if (r->ended ||
        crypto_secretstream_xchacha20poly1305_pull(&r->state, r->chunk, &n, &tag, in, got, NULL, 0) != 0)
        return false;
    r->len = (size_t)n;
    r->ended = tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL;
    return true;
}

static bool take(struct reading *r, void *to, size_t n) {
    unsigned char *at = to;
    while (n > 0) {
        if (r->at == r->len && !next_chunk(r))
            return false;
        size_t part = r->len - r->at < n ? r->len - r->at : n;
        memcpy(at, r->chunk + r->at, part);
        r->at += part;
        at += part;
        n -= part;
    }
    return true;
}

static enum error_code open_reading(const char *path, const char *passphrase, struct reading *r,
                                    struct error *err) {
    char head[sizeof magic];
    unsigned char salt[crypto_pwhash_SALTBYTES], key[crypto_secretstream_xchacha20poly1305_KEYBYTES];
    unsigned char header[crypto_secretstream_xchacha20poly1305_HEADERBYTES];
    memset(r, 0, sizeof *r);
    r->file = fopen(path, "rbe");
    if (!r->file)
        return error_set(err, ERROR_NOT_FOUND, path, "cannot be read: %s", strerror(errno));
    r->sealed = fread(head, 1, sizeof head, r->file) == sizeof head && !memcmp(head, magic, sizeof magic);
    if (!r->sealed) {
        rewind(r->file);
        return ERROR_OK;
    }
    if (!passphrase)
        return error_set(err, ERROR_FORBIDDEN, path, "it is encrypted: give --passphrase-file");
    bool ok = sodium_init() >= 0 && fread(salt, 1, sizeof salt, r->file) == sizeof salt &&
              fread(header, 1, sizeof header, r->file) == sizeof header && make_key(passphrase, salt, key) &&
              crypto_secretstream_xchacha20poly1305_init_pull(&r->state, header, key) == 0 && next_chunk(r);
    sodium_memzero(key, sizeof key);
    return ok ? ERROR_OK
              : error_set(err, ERROR_FORBIDDEN, path, "this is not its passphrase, or it is damaged");
}

static bool header_ok(const struct tar_header *header) {
    struct tar_header copy = *header;
    memset(copy.checksum, ' ', sizeof copy.checksum);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof copy; i++)
        sum += ((const unsigned char *)&copy)[i];
    return strtoul(header->checksum, NULL, 8) == sum && header->type == '0' && !header->name[99];
}

static bool copy_out(struct reading *r, const char *path, uint64_t size) {
    unsigned char buffer[CHUNK];
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    FILE *to = fd >= 0 ? fdopen(fd, "wb") : NULL;
    bool ok = to != NULL;
    for (uint64_t left = size; ok && left > 0;) {
        size_t n = left < sizeof buffer ? (size_t)left : sizeof buffer;
        ok = take(r, buffer, n) && fwrite(buffer, 1, n, to) == n;
        left -= n;
    }
    ok = ok && take(r, buffer, (BLOCK - size % BLOCK) % BLOCK) && fflush(to) == 0 && fsync(fd) == 0;
    if (to)
        fclose(to);
    return ok;
}

enum error_code archive_extract(const char *path, const char *passphrase, const char *folder,
                                bool (*wanted)(const char *name), struct error *err) {
    static struct reading r;
    struct tar_header header;
    enum error_code code = open_reading(path, passphrase, &r, err);
    while (!code) {
        char to[1200];
        if (!take(&r, &header, sizeof header)) {
            code = error_set(err, ERROR_CORRUPT, path, "the archive is cut off or damaged");
        } else if (!header.name[0]) {
            break; // its end
        } else if (!header_ok(&header) || !wanted(header.name)) {
            code = error_set(err, ERROR_CORRUPT, path, "this is no archive of a house");
        } else {
            snprintf(to, sizeof to, "%s/%s", folder, header.name);
            if (!copy_out(&r, to, strtoull(header.size, NULL, 8)))
                code = error_set(err, ERROR_STORAGE, to, "cannot be written, or the archive is damaged");
        }
    }
    if (r.file)
        fclose(r.file);
    sodium_memzero(&r, sizeof r);
    return code;
}
