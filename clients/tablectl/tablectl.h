// Shared by the command groups of tablectl: the command table, arguments, exit codes.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum exit_code {
    EXIT_CODE_OK = 0,
    EXIT_CODE_FAILED = 1,      // it was tried and did not work; a case failed
    EXIT_CODE_USAGE = 2,       // wrong arguments
    EXIT_CODE_UNREACHABLE = 3, // no daemon at the socket
    EXIT_CODE_REFUSED = 4,     // the daemon, or a rule of this program, said no
};

struct option_row {
    const char *name;  // "seats"; NULL ends the table
    const char *value; // what it takes, for the help; NULL = a switch
    const char *help;
};

enum { ARGS_WORDS_MAX = 256, ARGS_OPTIONS_MAX = 128 };
struct args {
    const struct command *command;
    size_t n_words, n_options;
    const char *words[ARGS_WORDS_MAX];
    struct {
        const struct option_row *row;
        const char *value; // "" for a switch
    } options[ARGS_OPTIONS_MAX];
    const char *socket;
    bool json;
};

struct command {
    const char *name; // NULL ends the table
    const char *words, *summary;
    const struct option_row *options; // NULL = none beside the common ones
    const char *more;                 // examples and remarks; NULL = none
    int (*run)(const struct args *args);
};
extern const struct command commands[];

// The last value of an option, NULL = not given.
const char *args_option(const struct args *args, const char *name);
// The i-th value of an option that may be given several times, NULL = no more.
const char *args_nth(const struct args *args, const char *name, size_t i);
// A whole number in [min, max]; false: told on stderr, the command returns EXIT_CODE_USAGE.
bool args_number(const struct args *args, const char *name, uint64_t min, uint64_t max, uint64_t fallback,
                 uint64_t *ret);
// Words from the i-th on, joined by blanks; false if they do not fit.
bool args_join(const struct args *args, size_t from, char *ret, size_t cap);
int usage_error(const struct args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A failure in words on stderr: place, sentence, rule.
int failed(const struct error *err, int code);

// Told on stderr with the nearest name, EXIT_CODE_USAGE. A kind is known if a game has it, or `control`;
// with a file it is a warning.
int no_game(const char *id);
int check_kind(const char *kind, const char *file, unsigned line);

// In a child: becomes `tabled --check-config`; never returns.
void config_become_daemon(const char *file) __attribute__((noreturn));

int run_games(const struct args *args);
int run_casebook(const struct args *args);
int run_simulate(const struct args *args);
int run_bot(const struct args *args);
int run_perft(const struct args *args);
int run_status(const struct args *args);
int run_watch(const struct args *args);
int run_readers(const struct args *args);
int run_start(const struct args *args);
int run_act(const struct args *args);
int run_choose(const struct args *args);
int run_control(const struct args *args); // pause resume undo end again
int run_override(const struct args *args);
int run_enrol(const struct args *args);
int run_journal(const struct args *args);
int run_config(const struct args *args);
int run_broker(const struct args *args);
int run_doctor(const struct args *args);
int run_pair(const struct args *args);
int run_backup(const struct args *args);
int run_restore(const struct args *args);
int run_reveal(const struct args *args);
int run_voice(const struct args *args);
int run_version(const struct args *args);
