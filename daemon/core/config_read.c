// Configuration: one file. libinih cuts long lines, joins indented ones and drops what follows " ;" without a
// word. So each line is looked at before libinih sees it, and what it would mistake is an error with a place.
#include "core/config__.h"
#include "core/utf8.h"
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct reading {
    struct config *config;
    const char *shown; // the file's name as errors tell it
    char *text, *at, *end;
    char *folder;
    unsigned line;
    struct config_section *section;
    enum error_code code;
    struct error *err;
};

static void place(const struct reading *r, char where[CONFIG_WHERE_MAX]) {
    snprintf(where, CONFIG_WHERE_MAX, "%.80s:%u", r->shown, r->line);
}

static void fail(struct reading *r, const char *what) {
    char where[CONFIG_WHERE_MAX];
    place(r, where);
    r->code = error_set(r->err, ERROR_INVALID, where, "%s", what);
}

static bool blank(char c) {
    return c == ' ' || c == '\t';
}

// What the characters of a line are: text in UTF-8, nothing that an editor would not show.
static bool check_characters(struct reading *r, const char *line, size_t len) {
    if (r->line == 1 && len >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        fail(r, "the file begins with a byte order mark; save it as plain UTF-8");
        return false;
    }
    for (size_t i = 0; i < len;) {
        unsigned char byte = (unsigned char)line[i];
        size_t width = utf8_char(line + i, len - i);
        if (width == 0) {
            fail(r, "not UTF-8; save the file as UTF-8");
            return false;
        }
        if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
            fail(r, byte == 0 ? "a NUL byte; this is not a text file" : "a control character");
            return false;
        }
        i += width;
    }
    return true;
}

static bool label_ok(const struct config_schema *schema, char *label) {
    char *slash = schema->label_help && strchr(schema->label_help, '/') ? strchr(label, '/') : NULL;
    if (schema->label_help && strchr(schema->label_help, '/') && !slash)
        return false;
    if (!slash)
        return config_name_ok(label);
    *slash = '\0';
    bool ok = config_name_ok(label) && config_word_ok(slash + 1);
    *slash = '/';
    return ok;
}

static const struct config_schema *find_schema(struct reading *r, const char *name) {
    const char *words[64];
    size_t n = 0;
    for (const struct config_schema *schema = r->config->schemas; schema->section; schema++) {
        if (strcmp(schema->section, name) == 0)
            return schema;
        if (n < sizeof words / sizeof words[0] - 1)
            words[n++] = schema->section;
    }
    words[n] = NULL;
    const char *meant = config_did_you_mean(name, words);
    char text[160];
    snprintf(text, sizeof text, "unknown section [%.48s]%s%s%s", name, meant ? "; did you mean [" : "",
             meant ? meant : "", meant ? "]?" : "");
    fail(r, text);
    return NULL;
}

// "[name]" or "[name LABEL]"; the line is ours to cut.
static void read_heading(struct reading *r, char *line, size_t len) {
    if (line[len - 1] != ']') {
        fail(r, strchr(line, ']') ? "nothing may follow the ']' of a section" : "']' is missing");
        return;
    }
    line[len - 1] = '\0';
    char *rest = NULL;
    const char *name = strtok_r(line + 1, " \t", &rest);
    char *label = strtok_r(NULL, " \t", &rest);
    if (!name || strtok_r(NULL, " \t", &rest)) {
        fail(r,
             name ? "a section has one name and at most one label: [name LABEL]" : "a section needs a name");
        return;
    }
    const struct config_schema *schema = find_schema(r, name);
    if (!schema)
        return;
    char text[160] = "";
    if (schema->labelled && !label)
        snprintf(text, sizeof text, "[%s] needs a label: [%s %s]", name, name,
                 schema->label_help ? schema->label_help : "NAME");
    else if (!schema->labelled && label)
        snprintf(text, sizeof text, "[%s] takes no label; write [%s]", name, name);
    else if (label && !label_ok(schema, label))
        snprintf(text, sizeof text, "'%.48s' is no label of [%s %s]: 1 to 32 of a-z 0-9 -%s", label, name,
                 schema->label_help ? schema->label_help : "NAME",
                 schema->label_help && strchr(schema->label_help, '/') ? ", then / and 1 to 32 of a-z 0-9 _"
                                                                       : "");
    if (text[0]) {
        fail(r, text);
        return;
    }
    char where[CONFIG_WHERE_MAX];
    place(r, where);
    r->code = config_open_section__(r->config, schema, label ? label : "", where, &r->section, r->err);
}

static bool inline_comment(const char *line) {
    for (const char *p = line; *p; p++)
        if (*p == ';' && (p == line || blank(p[-1])))
            return true;
    return false;
}

// Everything that libinih would take in another sense than the reader of the file.
static void check_pair(struct reading *r, const char *line) {
    size_t name = strcspn(line, "=:");
    if (line[name] == '\0')
        fail(r, "neither [section] nor key = value");
    else if (name == 0)
        fail(r, "a key is missing before the '='");
    else if (inline_comment(line))
        fail(r, "a comment stands on a line of its own: libinih would cut the value at ' ;'");
    else if (!r->section)
        fail(r, "a key before the first [section]");
}

// Gives libinih the next line of the file, without blanks around it; NULL at the end and after an error.
static char *next_line(char *buf, int size, void *stream) {
    struct reading *r = stream;
    if (r->code != ERROR_OK || r->at == r->end)
        return NULL;
    char *line = r->at;
    char *newline = memchr(line, '\n', (size_t)(r->end - line));
    size_t len = (size_t)((newline ? newline : r->end) - line);
    r->at = newline ? newline + 1 : r->end;
    r->line++;
    if (len > 0 && line[len - 1] == '\r')
        len--;
    if (!check_characters(r, line, len))
        return NULL;
    while (len > 0 && blank(line[len - 1]))
        len--;
    while (len > 0 && blank(*line)) {
        line++;
        len--;
    }
    buf[0] = '\0';
    if (len == 0 || *line == '#' || *line == ';')
        return buf;
    if (len >= (size_t)size) {
        char text[96];
        snprintf(text, sizeof text, "the line is too long: %zu bytes, at most %d", len, size - 1);
        fail(r, text);
        return NULL;
    }
    memcpy(buf, line, len);
    buf[len] = '\0';
    if (*buf == '[') {
        read_heading(r, buf, len);
        buf[0] = '\0'; // done; libinih would cut a label at 49 bytes
    } else {
        check_pair(r, buf);
    }
    return r->code == ERROR_OK ? buf : NULL;
}

static int take_pair(void *user, const char *section, const char *name, const char *value) {
    (void)section;
    struct reading *r = user;
    char where[CONFIG_WHERE_MAX];
    place(r, where);
    if (r->code == ERROR_OK)
        r->code = config_set__(r->config, r->section, name, value, r->folder, where, r->err);
    return r->code == ERROR_OK;
}

static enum error_code slurp(struct reading *r, const char *path, int fd) {
    struct stat st;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
        return error_set(r->err, ERROR_INVALID, r->shown, "not a file: %s", path);
    if (st.st_size > CONFIG_FILE_MAX)
        return error_set(r->err, ERROR_TOO_LARGE, r->shown, "larger than %d bytes", (int)CONFIG_FILE_MAX);
    size_t size = (size_t)st.st_size, len = 0;
    r->text = malloc(size + 1);
    if (!r->text)
        return config_memory__(r->err);
    while (len < size) {
        ssize_t got = read(fd, r->text + len, size - len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(r->err, ERROR_INVALID, r->shown, "cannot be read: %s", strerror(errno));
        if (got == 0)
            break; // it has become shorter meanwhile
        len += (size_t)got;
    }
    r->at = r->text;
    r->end = r->text + len;
    return ERROR_OK;
}

static enum error_code read_file(struct reading *r, const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return error_set(r->err, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_INVALID, r->shown,
                         "%s%scannot be opened: %s", strcmp(path, r->shown) ? path : "",
                         strcmp(path, r->shown) ? " " : "", strerror(errno));
    enum error_code code = slurp(r, path, fd);
    close(fd);
    return code;
}

enum error_code config_read__(struct config *config, const char *path, const char *shown, struct error *err) {
    const char *slash = strrchr(path, '/');
    struct reading r = {.config = config, .shown = shown, .err = err};
    r.folder = slash == path ? strdup("/") : strndup(path, slash ? (size_t)(slash - path) : 0);
    r.code = r.folder ? read_file(&r, path) : config_memory__(err);
    if (r.code == ERROR_OK && ini_parse_stream(next_line, &r, take_pair, &r) != 0 && r.code == ERROR_OK)
        fail(&r, "not understood"); // nothing the guards let through should come here
    free(r.text);
    free(r.folder);
    return r.code;
}
