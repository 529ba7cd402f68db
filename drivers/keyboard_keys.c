#include "drivers/keyboard_keys.h"
#include <string.h>

// The characters of the keys that wedge readers use, where a US keyboard has them. Letters in lower case.
static const char characters[KEY_KPDOT + 1] = {
    [KEY_1] = '1',         [KEY_2] = '2',          [KEY_3] = '3',       [KEY_4] = '4',
    [KEY_5] = '5',         [KEY_6] = '6',          [KEY_7] = '7',       [KEY_8] = '8',
    [KEY_9] = '9',         [KEY_0] = '0',          [KEY_A] = 'a',       [KEY_B] = 'b',
    [KEY_C] = 'c',         [KEY_D] = 'd',          [KEY_E] = 'e',       [KEY_F] = 'f',
    [KEY_G] = 'g',         [KEY_H] = 'h',          [KEY_I] = 'i',       [KEY_J] = 'j',
    [KEY_K] = 'k',         [KEY_L] = 'l',          [KEY_M] = 'm',       [KEY_N] = 'n',
    [KEY_O] = 'o',         [KEY_P] = 'p',          [KEY_Q] = 'q',       [KEY_R] = 'r',
    [KEY_S] = 's',         [KEY_T] = 't',          [KEY_U] = 'u',       [KEY_V] = 'v',
    [KEY_W] = 'w',         [KEY_X] = 'x',          [KEY_Y] = 'y',       [KEY_Z] = 'z',
    [KEY_MINUS] = '-',     [KEY_SEMICOLON] = ';',  [KEY_SPACE] = ' ',   [KEY_SLASH] = '/',
    [KEY_DOT] = '.',       [KEY_COMMA] = ',',      [KEY_EQUAL] = '=',   [KEY_KP7] = '7',
    [KEY_KP8] = '8',       [KEY_KP9] = '9',        [KEY_KP4] = '4',     [KEY_KP5] = '5',
    [KEY_KP6] = '6',       [KEY_KP1] = '1',        [KEY_KP2] = '2',     [KEY_KP3] = '3',
    [KEY_KP0] = '0',       [KEY_KPDOT] = '.',      [KEY_KPMINUS] = '-', [KEY_BACKSLASH] = '\\',
    [KEY_LEFTBRACE] = '[', [KEY_RIGHTBRACE] = ']', [KEY_GRAVE] = '`',   [KEY_APOSTROPHE] = '\'',
};

enum keys_result keys_event(struct keys *keys, uint16_t type, uint16_t code, int32_t value) {
    if (type == EV_SYN && code == SYN_DROPPED) {
        keys->broken = true;
        return KEYS_NOTHING;
    }
    if (type != EV_KEY || value != 1)
        return KEYS_NOTHING;
    if (code == KEY_ENTER || code == KEY_KPENTER || code == KEY_TAB)
        return KEYS_END;
    char c = code < sizeof characters ? characters[code] : '\0';
    if (!c)
        return KEYS_NOTHING; // shift and the like
    if (keys->n == KEYS_MAX)
        keys->broken = true;
    else
        keys->text[keys->n++] = c;
    return KEYS_TYPED;
}

static bool strip(const char **text, size_t *n, const struct keys_form *form) {
    size_t before = strlen(form->prefix), after = strlen(form->suffix);
    if (*n < before + after || memcmp(*text, form->prefix, before) != 0 ||
        memcmp(*text + *n - after, form->suffix, after) != 0)
        return false;
    *text += before;
    *n -= before + after;
    return true;
}

bool keys_take(struct keys *keys, const struct keys_form *form, struct id *ret, bool *ret_empty) {
    const char *text = keys->text;
    size_t n = keys->n;
    *ret_empty = n == 0 && !keys->broken; // Enter after Tab, or a person's hand
    bool ok = !keys->broken && n > 0 && strip(&text, &n, form) &&
              (form->decimal ? id_text_decimal(text, n, form->bytes, ret) : id_text_hex(text, n, ret));
    if (ok && form->reversed)
        id_reverse(ret);
    *keys = (struct keys){0};
    return ok;
}
