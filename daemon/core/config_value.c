// Configuration: what a value may be, and what was probably meant.
#include "core/catalogue.h"
#include "core/config__.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LEN = 32, WORDS_MAX = 256, NEAR_MAX = 64 };

static bool spelled(const char *text, char extra) {
    size_t len = 0;
    for (; len <= NAME_MAX_LEN && text[len]; len++) {
        char c = text[len];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != extra)
            return false;
    }
    return len >= 1 && len <= NAME_MAX_LEN;
}

bool config_name_ok(const char *text) {
    return spelled(text, '-');
}

bool config_word_ok(const char *text) {
    return spelled(text, '_');
}

static const char *name_at(const void *rows, size_t size, size_t i) {
    return *(const char *const *)(const void *)((const char *)rows + i * size);
}

// Edits between two words: insert, delete, replace, swap of neighbours; case does not count.
static unsigned distance(const char *a, size_t n, const char *b, size_t m) {
    unsigned rows[3][NEAR_MAX + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            unsigned best = last[j - 1] + (x != y);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]) && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
        unsigned *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[m];
}

static const char *nearest_of(const char *text, const void *rows, size_t size, size_t n_rows) {
    size_t n = strnlen(text, NEAR_MAX + 1);
    const char *nearest = NULL, *word;
    unsigned least = n <= 2 ? 1 : (unsigned)(n + 2) / 3; // a third of the word may be wrong
    if (n == 0 || n > NEAR_MAX)
        return NULL;
    for (size_t i = 0; i < n_rows && (word = name_at(rows, size, i)); i++) {
        size_t m = strnlen(word, NEAR_MAX + 1);
        if (m == 0 || m > NEAR_MAX)
            continue;
        unsigned d = distance(text, n, word, m);
        if (d >= (n > m ? n : m))
            continue; // not a letter is right
        if (n >= 3 && m > n && strncmp(text, word, n) == 0 && d > 1)
            d = 1; // a word begun and not ended
        if (d < least || (d == least && !nearest)) {
            least = d;
            nearest = word;
        }
    }
    return nearest;
}

const char *config_did_you_mean(const char *text, const char *const *words) {
    return nearest_of(text, words, sizeof *words, SIZE_MAX);
}

const char *config_instead(const char *text, const void *rows, size_t size, size_t n,
                           char ret[CONFIG_INSTEAD_MAX]) {
    static const char more[] = " ...";
    const char *word = rows ? nearest_of(text, rows, size, n) : NULL;
    char list[CONFIG_INSTEAD_MAX - sizeof "; there are:" + 1] = "";
    size_t len = 0;
    ret[0] = '\0';
    if (word) {
        snprintf(ret, CONFIG_INSTEAD_MAX, N_("; did you mean '%s'?"), word);
        return ret;
    }
    for (size_t i = 0; rows && i < n && (word = name_at(rows, size, i)); i++) {
        bool fits = len + 1 + strlen(word) + sizeof more <= sizeof list;
        len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", fits ? " " : more, fits ? word : "");
        if (!fits)
            break;
    }
    if (len)
        snprintf(ret, CONFIG_INSTEAD_MAX, N_("; there are:%s"), list);
    return ret;
}

const struct config_key *config_key__(const struct config_key *keys, const char *name) {
    for (; keys && keys->name; keys++)
        if (strcmp(keys->name, name) == 0)
            return keys;
    return NULL;
}

enum error_code config_unknown_key__(const struct config_pair__ *pair, const struct config_section *section,
                                     const struct config_key *more, struct error *err) {
    const char *words[WORDS_MAX + 1];
    size_t n = 0;
    const struct config_key *tables[] = {section->schema->keys, more};
    for (size_t t = 0; t < 2; t++)
        for (const struct config_key *key = tables[t]; key && key->name && n < WORDS_MAX; key++)
            words[n++] = key->name;
    words[n] = NULL;
    const char *meant = config_did_you_mean(pair->key, words);
    return error_set(err, ERROR_INVALID, pair->where, "[%s] has no key '%.48s'%s%s%s",
                     section->schema->section, pair->key, meant ? "; did you mean '" : "", meant ? meant : "",
                     meant ? "'?" : "");
}

static enum error_code wrong(const struct config_pair__ *pair, struct error *err, const char *what) {
    return error_set(err, ERROR_INVALID, pair->where, "%s = %.40s: %s", pair->key, pair->value, what);
}

static const struct {
    const char *name;
    int64_t ms;
} units[] = {{"h", 3600000}, {"min", 60000}, {"s", 1000}, {"ms", 1}};
enum { UNITS = sizeof units / sizeof units[0] };

// As short as it can be said: 250ms 3s 2min 1h.
static void duration_text(int64_t ms, char *text, size_t size) {
    unsigned unit = 0;
    while (unit < UNITS - 1 && (ms == 0 || ms % units[unit].ms != 0))
        unit++;
    snprintf(text, size, "%" PRId64 "%s", ms / units[unit].ms, units[unit].name);
}

static bool whole(const char *text, int64_t *ret, const char **ret_end) {
    if (!isdigit((unsigned char)text[text[0] == '-' || text[0] == '+']))
        return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    *ret = number;
    *ret_end = end;
    return errno == 0;
}

static bool parse_duration(const char *text, int64_t *ret) {
    const char *end;
    if (!whole(text, ret, &end))
        return false;
    while (*end == ' ')
        end++;
    if (*end == '\0')
        return *ret == 0; // nothing needs no unit
    for (unsigned i = 0; i < UNITS; i++)
        if (strcmp(end, units[i].name) == 0)
            return !__builtin_mul_overflow(*ret, units[i].ms, ret);
    return false;
}

static enum error_code check_range(const struct config_pair__ *pair, const struct config_key *def,
                                   struct error *err) {
    if ((def->min == 0 && def->max == 0) || (pair->number >= def->min && pair->number <= def->max))
        return ERROR_OK;
    char min[32], max[32], what[96];
    if (def->type == CONFIG_DURATION) {
        duration_text(def->min, min, sizeof min);
        duration_text(def->max, max, sizeof max);
    } else {
        snprintf(min, sizeof min, "%" PRId64, def->min);
        snprintf(max, sizeof max, "%" PRId64, def->max);
    }
    snprintf(what, sizeof what, "must be between %s and %s", min, max);
    return wrong(pair, err, what);
}

static enum error_code check_int(struct config_pair__ *pair, const struct config_key *def,
                                 struct error *err) {
    const char *end;
    if (!whole(pair->value, &pair->number, &end) || *end != '\0')
        return wrong(pair, err, "must be a whole number");
    return check_range(pair, def, err);
}

static enum error_code check_duration(struct config_pair__ *pair, const struct config_key *def,
                                      struct error *err) {
    if (!parse_duration(pair->value, &pair->number) || pair->number < 0)
        return wrong(pair, err, "must be a whole number and a unit, like 250ms 3s 2min 1h");
    return check_range(pair, def, err);
}

static enum error_code check_bool(struct config_pair__ *pair, const struct config_key *def,
                                  struct error *err) {
    (void)def;
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (int i = 0; i < 8; i++)
        if (strcmp(pair->value, words[i]) == 0) {
            pair->number = i & 1;
            return ERROR_OK;
        }
    return wrong(pair, err, "must be yes or no");
}

static enum error_code check_choice(struct config_pair__ *pair, const struct config_key *def,
                                    struct error *err) {
    char list[512];
    const char *words[WORDS_MAX + 1], *value = pair->value;
    size_t n = 0;
    snprintf(list, sizeof list, "%s", def->choices);
    char *rest = NULL;
    for (char *word = strtok_r(list, " ", &rest); word && n < WORDS_MAX; word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, value) == 0)
            return ERROR_OK;
        words[n++] = word;
    }
    words[n] = NULL;
    char what[160];
    const char *meant = config_did_you_mean(value, words);
    if (meant)
        snprintf(what, sizeof what, "did you mean '%s'? One of: %s", meant, def->choices);
    else
        snprintf(what, sizeof what, "must be one of: %s", def->choices);
    return wrong(pair, err, what);
}

static enum error_code check_name(struct config_pair__ *pair, const struct config_key *def,
                                  struct error *err) {
    (void)def;
    return config_name_ok(pair->value) ? ERROR_OK
                                       : wrong(pair, err, "must be 1 to 32 of the characters a-z 0-9 -");
}

static enum error_code check_text(struct config_pair__ *pair, const struct config_key *def,
                                  struct error *err) {
    (void)pair;
    (void)def;
    (void)err;
    return ERROR_OK;
}

static enum error_code check_path(struct config_pair__ *pair, const struct config_key *def,
                                  struct error *err) {
    (void)def;
    if (pair->value[0] == '\0' || pair->value[0] == '/' || pair->folder[0] == '\0' ||
        strcmp(pair->value, ":memory:") == 0)
        return ERROR_OK;
    size_t size = strlen(pair->folder) + strlen(pair->value) + 2;
    char *path = malloc(size);
    if (!path)
        return config_memory__(err);
    snprintf(path, size, "%s/%s", pair->folder, pair->value);
    free(pair->value);
    pair->value = path;
    return ERROR_OK;
}

enum error_code config_check__(struct config_pair__ *pair, const struct config_key *def, struct error *err) {
    static enum error_code (*const checks[])(struct config_pair__ *, const struct config_key *,
                                             struct error *) = {
        [CONFIG_NAME] = check_name,     [CONFIG_TEXT] = check_text, [CONFIG_PATH] = check_path,
        [CONFIG_INT] = check_int,       [CONFIG_BOOL] = check_bool, [CONFIG_DURATION] = check_duration,
        [CONFIG_CHOICE] = check_choice,
    };
    enum error_code code = ERROR_OK;
    bool empty_allowed = def->type == CONFIG_TEXT || (def->fallback && def->fallback[0] == '\0');
    if (pair->value[0] == '\0' && def->required)
        code = wrong(pair, err, "needs a value");
    else if (pair->value[0] != '\0' || !empty_allowed)
        code = checks[def->type](pair, def, err);
    if (code == ERROR_OK)
        pair->def = def;
    return code;
}
