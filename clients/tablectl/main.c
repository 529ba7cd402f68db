// The command table, arguments and help. Each group of commands has its own file.
#include "core/config.h"
#include "tablectl.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_socket[] = "/run/tabled/tabled.sock";

static const struct option_row common_options[] = {
    {"socket", "PATH", "local socket of the daemon (else $TABLED_SOCKET, else /run/tabled/tabled.sock)"},
    {"json", NULL, "JSON instead of words, where a command has any"},
    {"help", NULL, "this text"},
    {"version", NULL, "which tablectl this is"},
    {0},
};
static const struct option_row table_options[] = {{"table", "NAME", "the table, if there are several"}, {0}};
static const struct option_row reason_options[] = {{"table", "NAME", "the table, if there are several"},
                                                   {"reason", "TEXT", "said to all and written down"},
                                                   {0}};
static const struct option_row choose_options[] = {{"table", "NAME", "the table, if there are several"},
                                                   {"choice", "ID", "which choice (else the open one)"},
                                                   {0}};
static const struct option_row override_options[] = {{"table", "NAME", "the table, if there are several"},
                                                     {"violation", "ID", "the violation to forgive"},
                                                     {"reason", "TEXT", "said to all and written down"},
                                                     {0}};
static const struct option_row start_options[] = {
    {"table", "NAME", "the table, if there are several"},
    {"seats", "N", "how many play (else the preset's, else the fewest)"},
    {"preset", "NAME", "a preset of the game"},
    {"roles", "\"A B ...\"", "cards in play, blank-separated, or A=2,B=1"},
    {"option", "K=V", "an option of the game; again for each"},
    {"seed", "N", "seed of the dealer (else from the kernel)"},
    {"bots", "\"S ...\"", "seats that the computer plays: \"s2 s3\""},
    {"key", "TEXT", "an Idempotency-Key: asking twice starts once"},
    {0}};
static const struct option_row casebook_options[] = {{"game", "ID", "the game (else by the file's name)"},
                                                     {"only", "IDS", "these cases alone: A01,A65-A72"},
                                                     {0}};
static const struct option_row simulate_options[] = {
    {"seats", "N", "how many play (else the preset's, else the fewest)"},
    {"preset", "NAME", "a preset of the game"},
    {"roles", "\"A B ...\"", "cards in play, blank-separated, or A=2,B=1"},
    {"option", "K=V", "an option of the game; again for each"},
    {"games", "N", "how many games (1000)"},
    {"seed", "N", "game i is dealt by seed and i alone (1)"},
    {"jobs", "J", "processes (1); the sums are the same whatever J"},
    {"bots", NULL, "computer players on all seats instead of chance"},
    {"every", NULL, "every number of players in turn, so many games each"},
    {0}};
static const struct option_row bot_options[] = {
    {"seats", "N", "how many play (else the preset's, else the fewest)"},
    {"preset", "NAME", "a preset of the game"},
    {"roles", "\"A B ...\"", "cards in play, blank-separated, or A=2,B=1"},
    {"option", "K=V", "an option of the game; again for each"},
    {"games", "N", "how many games (20)"},
    {"against", "random|bot", "one bot against random players, each seat in turn (random), or all bots"},
    {"seed", "N", "game i is dealt by seed and i alone (1)"},
    {"budget", "MS", "how long a bot thinks about a move, about (30)"},
    {0}};
static const struct option_row perft_options[] = {
    {"seats", "N", "how many play (else the preset's, else the fewest)"},
    {"preset", "NAME", "a preset of the game"},
    {"roles", "\"A B ...\"", "cards in play"},
    {"option", "K=V", "an option of the game; again for each"},
    {"seed", "N", "taken and not used: all positions are counted"},
    {"depth", "D", "actions from the start (3)"},
    {0}};
static const struct option_row watch_options[] = {
    {"table", "NAME", "the table, if there are several"}, {"count", "N", "end after so many messages"}, {0}};
static const struct option_row enrol_options[] = {
    {"table", "NAME", "the table whose pads listen"},
    {"kind", "KIND", "as the rules spell it (`tablectl games GAME`), or control"},
    {"face", "up|down", "the side that is up when this tag is read"},
    {"pad", "PAD", "listen to this pad alone"},
    {"wait", "SECONDS", "how long to wait for the piece, 1 to 120 (30; the wizard 60)"},
    {"tags", NULL, "export: with the tag ids"},
    {"db", "FILE", "import, export: the daemon's house.db itself, while it does not run"},
    {0}};
static const struct option_row journal_options[] = {
    {"table", "NAME", "only this table"},
    {"reveal", NULL, "also what a running game hides: SPOILS THE GAME"},
    {0}};
static const struct option_row broker_options[] = {
    {"dir", "FOLDER", "write it there (/etc/mosquitto); without it everything is only shown"},
    {"site", "NAME", "one site's topics (else every site's)"},
    {"root", "TOPIC", "what topics begin with (else tabled/v1)"},
    {"port", "N", "where displays and readers connect (else 1883, 8883 with a certificate)"},
    {"cert", "FILE", "certificate of the broker; with it the port speaks TLS"},
    {"key", "FILE", "its key"},
    {"user", "ROLE=NAME",
     "one more user: display, narrator, lights, operator, or a reader on the network by its name"},
    {"home-assistant", NULL, "a user and the rights for discovery"},
    {"prefix", "WORD", "of discovery (else homeassistant)"},
    {0}};
static const struct option_row config_options[] = {
    {"check", "FILE", "read the configuration and say what is wrong"}, {0}};

static const struct option_row pair_options[] = {
    {"role", "ROLE", "admin, operator, display or seat (else admin, with --seat seat)"},
    {"seat", "SEAT", "s1 to s16, for role seat"},
    {"table", "NAME", "only this table; of a seat needed if there are several"},
    {0}};
static const struct option_row backup_options[] = {
    {"passphrase-file", "FILE", "its first line encrypts, or opens, the archive"},
    {"state", "FOLDER", "the daemon's folder itself (backup: while it does not run)"},
    {0}};
static const struct option_row voice_options[] = {
    {"lang", "LANGUAGE", "en, es, it or zh; again for each (else all)"}, {0}};
static const struct option_row reveal_options[] = {
    {"table", "NAME", "the table, if there are several"},
    {"abort-game", NULL, "end the game first, told to everybody"},
    {0}};

const struct command commands[] = {
    {"games", "[GAME]", "list games; of one: options, presets, cards, verbs, places", NULL,
     "tablectl games one_night", run_games},
    {"casebook", "FILE...", "run the worked cases of a rules file against the engine", casebook_options,
     "tablectl casebook one-night.md --only A01,A65-A72\nPrints each failed case and a last line `N passed, "
     "N failed`.",
     run_casebook},
    {"simulate", "GAME", "play whole games at random: wins for each team, games a second", simulate_options,
     "tablectl simulate one_night --preset base_5 --games 100000 --jobs 2", run_simulate},
    {"bot", "GAME", "computer players against each other or against chance: a table of wins", bot_options,
     "tablectl bot battle_sheep --seats 2 --games 20", run_bot},
    {"perft", "GAME", "count the positions after so many actions", perft_options,
     "tablectl perft battle_sheep --seats 2 --depth 2", run_perft},
    {"status", "[TABLE]", "what a table plays, its phase, seats, violations and choice", table_options,
     "tablectl status --json    the whole public view", run_status},
    {"watch", "[TABLE]", "say what happens, until Ctrl-C", watch_options,
     "tablectl watch kitchen\ntablectl watch --json | jq .    a message a line", run_watch},
    {"readers", "[TABLE]", "readers up and down, and how they do (nothing of the dark is counted)",
     table_options, NULL, run_readers},
    {"start", "[TABLE] GAME", "start a game", start_options,
     "tablectl start one_night --preset base_5\n"
     "tablectl start main one_night --seats 3 --roles \"werewolf werewolf seer robber troublemaker "
     "villager\"\n"
     "Presets, options and cards of a game: `tablectl games GAME`.",
     run_start},
    {"act", "ACTOR VERB [ARG=VALUE...]", "do an action for somebody", table_options,
     "tablectl act s1 vote a=s3        seat 1 points at seat 3\n"
     "tablectl act table end_day       the host ends the day\n"
     "tablectl act 'M R 0,0>7,0 9'     in the notation of the game's rules, where they have one\n"
     "Verbs and their arguments: `tablectl games GAME`. In the dark nothing is taken.",
     run_act},
    {"choose", "[TABLE] NUMBER", "answer an open choice with the number that `status` shows", choose_options,
     "tablectl choose 2", run_choose},
    {"pause", "[TABLE]", "stop the clocks", reason_options, "tablectl pause --reason \"the phone\"",
     run_control},
    {"resume", "[TABLE]", "let the clocks run on", table_options, NULL, run_control},
    {"undo", "[TABLE]", "take the last action back, where the rules let you", reason_options, NULL,
     run_control},
    {"override", "[ACTOR VERB ARG=VALUE...]",
     "forgive a violation, or enter a legal action the readers missed", override_options,
     "tablectl override --violation 3 --reason \"the dog did it\"\ntablectl override s2 vote a=s3",
     run_override},
    {"end", "[TABLE]", "end the game without a result", reason_options, NULL, run_control},
    {"again", "[TABLE]", "the same set-up once more", table_options, NULL, run_control},
    {"enrol", "DECK/NAME | wizard DECK | import FILE | export [DECK]",
     "tell the daemon which tag is which piece", enrol_options,
     "tablectl enrol kit/seer --kind seer          waits for the tile on any pad\n"
     "tablectl enrol wizard kit                    place a tile, choose the piece, next\n"
     "tablectl enrol import kit.csv                deck,name,kind,tag,face; or JSON\n"
     "tablectl enrol export kit --tags             the same list back\n"
     "Control tiles: kind control, named start done yes no plus minus undo pause repeat absent (start-2 is "
     "one too).",
     run_enrol},
    {"pair", "", "a code that lets one person or device into the dashboard", pair_options,
     "tablectl pair                     the first admin\ntablectl pair --role display\n"
     "tablectl pair --seat s3",
     run_pair},
    {"reveal", "[TABLE] --abort-game", "end the game before everybody, then tell what was hidden",
     reveal_options, NULL, run_reveal},
    {"backup", "FILE", "everything in one file: journal, pieces, people, past games", backup_options,
     "tablectl backup evening.tar\ntablectl backup evening.enc --passphrase-file secret.txt\n"
     "Not while a game runs. Without a passphrase it is a tar of mode 0600.",
     run_backup},
    {"restore", "FILE --state FOLDER", "put a backup back while the daemon does not run", backup_options,
     "tablectl restore evening.tar --state /var/lib/tabled\nWhat was there is kept as NAME.before.",
     run_restore},
    {"journal", "verify|export|replay FILE", "look into a journal file", journal_options,
     "tablectl journal verify journal.db    integrity, no gap\n"
     "tablectl journal export journal.db    records as JSON lines\n"
     "tablectl journal replay journal.db    the story of the last game of each table, told after its end\n"
     "A game that still runs is left out: its records are secret. The file is only read.",
     run_journal},
    {"broker", "", "configuration of mosquitto: listeners, users, rights", broker_options,
     "tablectl broker                           shows it\n"
     "tablectl broker --dir /etc/mosquitto      writes it, with a password for each user; those there stay\n"
     "tablectl broker --user display=hall --user reader=north\n"
     "Two clients cannot share a user: the broker takes the user's name for the client's.",
     run_broker},
    {"config", "[--check] FILE", "check a configuration without running anything", config_options,
     "tablectl config /etc/tabled/tabled.conf    exit code 1: something is wrong", run_config},
    {"doctor", "[FILE]", "readers, pads, broker, certificate, disk, clock, rights: pass or what to do", NULL,
     "tablectl doctor /etc/tabled/tabled.conf\nWith or without a daemon that runs. Exit code 1: something "
     "failed.",
     run_doctor},
    {"voice", "render FOLDER", "speak every line into a voice pack, to be replaced by recordings",
     voice_options,
     "tablectl voice render /srv/voices --lang en --lang es\nThe narrator plays it with `pack = /srv/voices` "
     "in "
     "[voice].",
     run_voice},
    {"version", "", "versions of this program and of the daemon at the socket", NULL, NULL, run_version},
    {0},
};

// ---- help
// -----------------------------------------------------------------------------------------------------------

static void print_options(const struct option_row *row) {
    for (; row && row->name; row++)
        printf("  --%s%s%s%*s%s\n", row->name, row->value ? " " : "", row->value ? row->value : "",
               (int)(24 - strlen(row->name) - (row->value ? strlen(row->value) + 1 : 0)), "", row->help);
}

static void print_help(void) {
    printf("tablectl " TABLED_VERSION
           ": the command line of tabled\n\nUsage: tablectl COMMAND [OPTIONS]\n\n");
    for (const struct command *c = commands; c->name; c++)
        printf("  %-10s %s\n", c->name, c->summary);
    printf("\nEach: tablectl COMMAND --help, or tablectl help COMMAND. For all:\n");
    print_options(common_options);
    printf("\nExit codes: 0 done, 1 failed, 2 wrong arguments, 3 daemon not reachable, 4 refused.\n");
}

static void print_command(const struct command *c) {
    printf("Usage: tablectl %s%s%s%s\n\n%s\n", c->name, *c->words ? " " : "", c->words,
           c->options ? " [OPTIONS]" : "", c->summary);
    if (c->options) {
        printf("\n");
        print_options(c->options);
    }
    printf("\n");
    print_options(common_options);
    if (c->more)
        printf("\nExamples:\n%s\n", c->more);
}

// ---- arguments
// ------------------------------------------------------------------------------------------------------

const char *args_option(const struct args *args, const char *name) {
    const char *value = NULL;
    for (size_t i = 0; i < args->n_options; i++)
        if (!strcmp(args->options[i].row->name, name))
            value = args->options[i].value;
    return value;
}

const char *args_nth(const struct args *args, const char *name, size_t nth) {
    for (size_t i = 0; i < args->n_options; i++)
        if (!strcmp(args->options[i].row->name, name) && nth-- == 0)
            return args->options[i].value;
    return NULL;
}

bool args_number(const struct args *args, const char *name, uint64_t min, uint64_t max, uint64_t fallback,
                 uint64_t *ret) {
    const char *text = args_option(args, name);
    *ret = fallback;
    if (!text)
        return true;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < min || value > max) {
        fprintf(stderr, "tablectl %s: --%s takes %llu to %llu, not \"%s\"\n", args->command->name, name,
                (unsigned long long)min, (unsigned long long)max, text);
        return false;
    }
    *ret = value;
    return true;
}

bool args_join(const struct args *args, size_t from, char *ret, size_t cap) {
    size_t len = 0;
    ret[0] = '\0';
    for (size_t i = from; i < args->n_words && len < cap; i++)
        len += (size_t)snprintf(ret + len, cap - len, "%s%s", i > from ? " " : "", args->words[i]);
    return len < cap;
}

int usage_error(const struct args *args, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "tablectl %s: ", args->command->name);
    vfprintf(stderr, format, list);
    fprintf(stderr, "\nUsage: tablectl %s %s   (--help tells more)\n", args->command->name,
            args->command->words);
    va_end(list);
    return EXIT_CODE_USAGE;
}

int failed(const struct error *err, int code) {
    fprintf(stderr, "tablectl: %s%s%s", err->where, err->where[0] ? ": " : "",
            err->text[0] ? err->text : error_sentence(err->code));
    if (err->rule[0])
        fprintf(stderr, " (rule %s)", err->rule);
    fputc('\n', stderr);
    return code;
}

static const struct option_row *find_option(const struct command *command, const char *name, size_t len) {
    const struct option_row *tables[] = {command ? command->options : NULL, common_options};
    for (size_t i = 0; i < 2; i++)
        for (const struct option_row *row = tables[i]; row && row->name; row++)
            if (strlen(row->name) == len && !strncmp(row->name, name, len))
                return row;
    return NULL;
}

static int unknown_option(const struct command *command, const char *text) {
    const char *names[48];
    char name[64], instead[CONFIG_INSTEAD_MAX];
    size_t n = 0;
    const struct option_row *tables[] = {command ? command->options : NULL, common_options};
    for (size_t i = 0; i < 2; i++)
        for (const struct option_row *row = tables[i]; row && row->name && n < sizeof names / sizeof *names;
             row++)
            names[n++] = row->name;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    fprintf(stderr, "tablectl%s%s: there is no option '--%s'%s\n", command ? " " : "",
            command ? command->name : "", name, config_instead(name, names, sizeof *names, n, instead));
    return EXIT_CODE_USAGE;
}

static int unknown_command(const char *text) {
    char instead[CONFIG_INSTEAD_MAX];
    fprintf(stderr, "tablectl: there is no command '%s'%s\n`tablectl --help` lists them.\n", text,
            config_instead(text, commands, sizeof *commands, SIZE_MAX, instead));
    return EXIT_CODE_USAGE;
}

static const struct command *find_command(const char *name) {
    for (const struct command *c = commands; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

// --name VALUE, --name=VALUE or a switch; *i moves over the value.
static int take_option(struct args *args, int argc, char **argv, int *i) {
    const char *text = argv[*i] + 2, *equals = strchr(text, '=');
    size_t len = equals ? (size_t)(equals - text) : strlen(text);
    const struct option_row *row = find_option(args->command, text, len);
    if (!row)
        return unknown_option(args->command, text);
    const char *value = equals ? equals + 1 : "";
    if (row->value && !equals) {
        if (++*i >= argc) {
            fprintf(stderr, "tablectl: --%s takes %s\n", row->name, row->value);
            return EXIT_CODE_USAGE;
        }
        value = argv[*i];
    }
    if ((!row->value && equals) || args->n_options == ARGS_OPTIONS_MAX) {
        fprintf(stderr, "tablectl: %s\n", equals ? "a switch takes no value" : "too many options");
        return EXIT_CODE_USAGE;
    }
    args->options[args->n_options].row = row;
    args->options[args->n_options++].value = value;
    return EXIT_CODE_OK;
}

static int parse(struct args *args, int argc, char **argv) {
    static char help[] = "--help";
    bool options = true;
    for (int i = 1; i < argc; i++) {
        int code = EXIT_CODE_OK;
        if (options && !strcmp(argv[i], "-h"))
            argv[i] = help;
        if (options && !strcmp(argv[i], "--")) {
            options = false;
        } else if (options && !strncmp(argv[i], "--", 2)) {
            code = take_option(args, argc, argv, &i);
        } else if (!args->command) {
            args->command = find_command(argv[i]);
            if (!args->command)
                code = unknown_command(argv[i]);
        } else if (args->n_words == ARGS_WORDS_MAX) {
            code = usage_error(args, "too many words");
        } else {
            args->words[args->n_words++] = argv[i];
        }
        if (code)
            return code;
    }
    return EXIT_CODE_OK;
}

// `tablectl help [COMMAND]`, for those who type that.
static int help_in_words(const char *name) {
    const struct command *command = name ? find_command(name) : NULL;
    if (name && !command)
        return unknown_command(name);
    if (command)
        print_command(command);
    else
        print_help();
    return EXIT_CODE_OK;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "help"))
        return help_in_words(argv[2]);
    struct args args = {0};
    int code = parse(&args, argc, argv);
    if (code)
        return code;
    if (args_option(&args, "version")) {
        puts("tablectl " TABLED_VERSION);
        return EXIT_CODE_OK;
    }
    if (args_option(&args, "help") || !args.command) {
        if (args.command)
            print_command(args.command);
        else
            print_help();
        return args.command || args_option(&args, "help") ? EXIT_CODE_OK : EXIT_CODE_USAGE;
    }
    const char *socket = args_option(&args, "socket"), *from_environment = getenv("TABLED_SOCKET");
    args.socket = socket ? socket : from_environment && *from_environment ? from_environment : default_socket;
    args.json = args_option(&args, "json") != NULL;
    return args.command->run(&args);
}
