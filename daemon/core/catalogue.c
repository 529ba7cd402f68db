#include "core/catalogue.h"
#include <libintl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int _nl_msg_cat_cntr; // libintl: counted up, catalogues are looked for again

#ifndef TABLED_LOCALE_DIR
#define TABLED_LOCALE_DIR "/usr/share/locale"
#endif

static locale_t utf8;

// A program that was built and not installed finds the catalogues beside it.
static const char *folder(void) {
    static char path[4096 + 32];
    const char *given = getenv("TABLED_LOCALE_DIR");
    if (given)
        return given;
    ssize_t n = readlink("/proc/self/exe", path, 4096);
    for (int up = 0; up < 2 && n > 0; up++) {
        path[n] = '\0';
        char *slash = strrchr(path, '/');
        n = slash ? slash - path : 0;
    }
    if (n > 0) {
        snprintf(path + n, sizeof path - (size_t)n, "/share/locale");
        if (!access(path, X_OK))
            return path;
    }
    return TABLED_LOCALE_DIR;
}

static bool choose(const char *language) {
    static char current[16];
    if (!language || !*language)
        return false;
    if (!utf8) {
        bindtextdomain("tabled", folder());
        bind_textdomain_codeset("tabled", "UTF-8");
        utf8 = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
        if (!utf8)
            return false;
    }
    if (strcmp(current, language) != 0) {
        snprintf(current, sizeof current, "%s", language);
        setenv("LANGUAGE", current, 1);
        _nl_msg_cat_cntr++;
    }
    return true;
}

const char *catalogue_text(const char *language, const char *context, const char *sentence) {
    char key[512];
    const char *ask = sentence;
    if (!*sentence || !choose(language))
        return sentence;
    if (context) {
        int n = snprintf(key, sizeof key, "%s\004%s", context, sentence);
        if (n < 0 || (size_t)n >= sizeof key)
            return sentence;
        ask = key;
    }
    locale_t before = uselocale(utf8);
    const char *text = dgettext("tabled", ask);
    uselocale(before);
    return text == ask ? sentence : text;
}

const char *catalogue_plural(const char *language, const char *sentence, unsigned long n) {
    if (!*sentence || !choose(language))
        return sentence;
    locale_t before = uselocale(utf8);
    const char *text = dngettext("tabled", sentence, sentence, n);
    uselocale(before);
    return text;
}
