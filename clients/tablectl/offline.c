// Commands on the engine alone: games, casebook, simulate, perft.
#include "core/json.h"
#include "games/bot.h"
#include "games/casebook.h"
#include "games/simulate.h"
#include "setup.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MAX = 64, JSON_MAX = 1 << 18, BOT_MS = 5 };

// ---- games

static void print_options(const struct game *game) {
    static const char *const types[] = {"yes/no", "number", "one of"};
    for (const struct game_option *o = game->options; o && o->name; o++) {
        printf("  %-24s %s", o->name, types[o->type]);
        if (o->type == GAME_OPTION_INT)
            printf(" %d..%d, else %d", o->min, o->max, o->fallback);
        else if (o->type == GAME_OPTION_CHOICE)
            printf(" %s", o->choices);
        else
            printf(", else %s", o->fallback ? "yes" : "no");
        printf("%s%s\n", o->help ? ": " : "", o->help ? o->help : "");
    }
}

enum { LINE_COLUMNS = 100 };

// Words in lines of readable length.
static void print_word(const char *word, unsigned *column) {
    unsigned len = (unsigned)strlen(word) + 1;
    if (*column + len > LINE_COLUMNS) {
        printf("\n ");
        *column = 1;
    }
    printf(" %s", word);
    *column += len;
}

static void print_places(const struct game *game) {
    struct game_setup setup;
    struct game_issues issues = {0};
    struct error err = {0};
    static struct game_places places;
    const struct game_preset *preset = game->presets;
    if (preset && preset->name)
        game_setup_preset(game, preset->name, &setup, &err);
    else
        game_setup_default(game, game->seats_min, &setup);
    if (game->prepare(&setup, &issues, &err))
        return;
    memset(&places, 0, sizeof places);
    game->places(&setup, &places);
    unsigned column = 1;
    printf("\nplaces with %u seats%s%s:\n ", setup.seats, preset && preset->name ? ", preset " : "",
           preset && preset->name ? preset->name : "");
    for (unsigned i = 0; i < places.n; i++)
        print_word(places.row[i].name, &column);
    printf("\n");
}

// Kinds from here on that differ by their numbers alone.
static unsigned alike(const struct game *game, unsigned first) {
    const char *id = game->kinds[first].id;
    size_t stem = strcspn(id, "0123456789");
    unsigned n = 1;
    while (id[stem] && first + n < game->n_kinds && !strncmp(game->kinds[first + n].id, id, stem) &&
           strcspn(game->kinds[first + n].id, "0123456789") == stem)
        n++;
    return n;
}

// Cards that a set-up chooses from explain themselves; other pieces are named.
static void print_kinds(const struct game *game) {
    unsigned column = 1, helped = 0, named = 0;
    for (unsigned i = 0; i < game->n_kinds; i++) {
        const char *help = game->kind_help ? game->kind_help((game_kind)i) : NULL;
        if (help && !helped++)
            printf("\nroles and cards:\n");
        if (help)
            printf("  %-24s %s\n", game->kinds[i].id, help);
    }
    for (unsigned i = 0; i < game->n_kinds; i++) {
        if (game->kind_help && game->kind_help((game_kind)i))
            continue;
        if (!named++)
            printf("\n%s:\n ", helped ? "other pieces" : "kinds (cards, roles, pieces)");
        print_word(game->kinds[i].id, &column);
        unsigned n = alike(game, i);
        if (n > 2)
            print_word("..", &column);
        i += n > 2 ? n - 2 : 0;
    }
    printf("%s", named ? "\n" : "");
}

static void print_preset(const struct game_preset *preset) {
    const char *cards = preset->cards ? preset->cards : "", *options = preset->options ? preset->options : "";
    printf("  %-24s %u seats%s%s%s%s\n", preset->name, preset->seats, *cards || *options ? ": " : "", cards,
           *cards && *options ? "; " : "", options);
}

static void print_game(const struct game *game) {
    printf("%s: %s, %u to %u seats, rules revision %u\n", game->id, game->title, game->seats_min,
           game->seats_max, game->rules_rev);
    printf("\noptions:\n");
    print_options(game);
    printf("\npresets:\n");
    for (const struct game_preset *p = game->presets; p && p->name; p++)
        print_preset(p);
    print_kinds(game);
    printf("\nverbs:\n");
    for (const struct game_verb *v = game->verbs; v && v->name; v++) {
        printf("  %s", v->name);
        for (const struct game_arg_row *a = v->args; a < v->args + GAME_ARGS_MAX && a->name; a++)
            printf(a->optional ? " [%s=]" : " %s=", a->name);
        printf("%s%s\n", v->help ? "    " : "", v->help ? v->help : "");
    }
    print_places(game);
}

static void write_game(struct json *j, const struct game *game) {
    json_begin_object(j);
    json_key(j, "id");
    json_text(j, game->id);
    json_key(j, "title");
    json_text(j, game->title);
    json_key(j, "rules_rev");
    json_uint(j, game->rules_rev);
    json_key(j, "seats_min");
    json_uint(j, game->seats_min);
    json_key(j, "seats_max");
    json_uint(j, game->seats_max);
    json_key(j, "options");
    json_begin_array(j);
    for (const struct game_option *o = game->options; o && o->name; o++)
        json_text(j, o->name);
    json_end_array(j);
    json_key(j, "presets");
    json_begin_array(j);
    for (const struct game_preset *p = game->presets; p && p->name; p++)
        json_text(j, p->name);
    json_end_array(j);
    json_key(j, "kinds");
    json_begin_array(j);
    for (unsigned i = 0; i < game->n_kinds; i++)
        json_text(j, game->kinds[i].id);
    json_end_array(j);
    json_key(j, "verbs");
    json_begin_array(j);
    for (const struct game_verb *v = game->verbs; v && v->name; v++)
        json_text(j, v->name);
    json_end_array(j);
    json_end_object(j);
}

static int print_games_json(const struct game *only) {
    char *buffer = malloc(JSON_MAX);
    struct json j;
    if (!buffer)
        return EXIT_CODE_FAILED;
    json_begin(&j, buffer, JSON_MAX);
    if (only) {
        write_game(&j, only);
    } else {
        json_begin_array(&j);
        const struct game *game;
        for (size_t i = 0; (game = game_at(i)); i++)
            write_game(&j, game);
        json_end_array(&j);
    }
    bool ok = json_end(&j);
    if (ok)
        puts(buffer);
    free(buffer);
    return ok ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

int run_games(const struct args *args) {
    const struct game *game = args->n_words ? game_find(args->words[0]) : NULL;
    if (args->n_words > 1)
        return usage_error(args, "name one game or none");
    if (args->n_words && !game)
        return no_game(args->words[0]);
    if (args->json)
        return print_games_json(game);
    if (game) {
        print_game(game);
        return EXIT_CODE_OK;
    }
    for (size_t i = 0; (game = game_at(i)); i++)
        printf("%-16s %s, %u to %u seats\n", game->id, game->title, game->seats_min, game->seats_max);
    return EXIT_CODE_OK;
}

// ---- casebook

struct tally {
    unsigned passed, failed;
    const char *file;
    bool json;
};

static void write_case(const struct tally *tally, const struct casebook_case *one,
                       const struct casebook_report *report) {
    static char buffer[8 * CASEBOOK_TEXT_MAX];
    struct json j;
    json_begin(&j, buffer, sizeof buffer);
    json_begin_object(&j);
    json_key(&j, "file");
    json_text(&j, tally->file);
    json_key(&j, "case");
    json_text(&j, one->id);
    json_key(&j, "line");
    json_uint(&j, one->line);
    json_key(&j, "passed");
    json_bool(&j, report->passed);
    json_key(&j, "expected");
    json_text(&j, report->expected);
    json_key(&j, "got");
    json_text(&j, report->got);
    json_end_object(&j);
    if (json_end(&j))
        puts(buffer);
}

static void tell_case(void *ctx, const struct casebook_case *one, const struct casebook_report *report) {
    struct tally *tally = ctx;
    if (report->passed)
        tally->passed++;
    else
        tally->failed++;
    if (tally->json)
        write_case(tally, one, report);
    else if (!report->passed)
        printf("%s:%u: %s failed: expected %s, got %s\n", tally->file, one->line, one->id, report->expected,
               report->got);
}

int run_casebook(const struct args *args) {
    struct tally tally = {.json = args->json};
    struct error err = {0};
    if (!args->n_words)
        return usage_error(args, "name a rules file");
    for (size_t i = 0; i < args->n_words; i++) {
        tally.file = args->words[i];
        if (access(tally.file, R_OK)) {
            fprintf(stderr, "tablectl: cannot read %s: %s\n", tally.file, strerror(errno));
            return EXIT_CODE_FAILED;
        }
        if (casebook_file(args->words[i], args_option(args, "game"), args_option(args, "only"), tell_case,
                          &tally, &err))
            return failed(&err, EXIT_CODE_FAILED);
    }
    if (args->json)
        printf("{\"passed\":%u,\"failed\":%u}\n", tally.passed, tally.failed);
    else
        printf("%u passed, %u failed\n", tally.passed, tally.failed);
    return tally.failed ? EXIT_CODE_FAILED : EXIT_CODE_OK;
}

// ---- simulate

struct share {
    struct simulate_total total;
    enum error_code code;
    struct error err;
};

static void add_share(struct simulate_total *to, const struct simulate_total *from) {
    to->games += from->games;
    to->actions += from->actions;
    to->stuck += from->stuck;
    for (unsigned i = 0; i < GAME_SEATS_MAX; i++)
        to->seat_wins[i] += from->seat_wins[i];
    for (unsigned i = 0; i < from->n_teams; i++) {
        unsigned k = 0;
        while (k < to->n_teams && strcmp(to->team[k].name, from->team[i].name) != 0)
            k++;
        if (k == sizeof to->team / sizeof *to->team)
            continue;
        if (k == to->n_teams) {
            to->team[to->n_teams++] = from->team[i];
            continue;
        }
        to->team[k].wins += from->team[i].wins;
    }
    for (unsigned i = 0; i < from->n_roles; i++)
        simulate_add_role(to, from->role[i].name, from->role[i].seats, from->role[i].wins);
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b); // a team and a role begin with their names
}

// Shares of the games in processes of their own; the memory is shared, so sums come back as they are.
// bots NULL: all play at random.
static enum error_code run_shares(const struct game *game, const struct game_setup *setup,
                                  const struct simulate_bots *bots, uint64_t seed, uint64_t games,
                                  unsigned jobs, struct share *shares, struct error *err) {
    pid_t child[JOBS_MAX];
    for (unsigned i = 0; i < jobs; i++) {
        uint64_t from = games / jobs * i + (i < games % jobs ? i : games % jobs);
        uint64_t n = games / jobs + (i < games % jobs);
        child[i] = jobs == 1 ? 0 : fork();
        if (child[i] == 0) {
            shares[i].code =
                simulate_bot_games(game, setup, bots, seed, from, n, &shares[i].total, &shares[i].err);
            if (jobs > 1)
                _exit(0);
        } else if (child[i] < 0) {
            shares[i].code =
                error_set(&shares[i].err, ERROR_INTERNAL, NULL, "no further process can be made");
        }
    }
    enum error_code code = ERROR_OK;
    for (unsigned i = 0; i < jobs; i++) {
        int status = 0;
        if (child[i] > 0 && (waitpid(child[i], &status, 0) < 0 || status != 0))
            shares[i].code =
                error_set(&shares[i].err, ERROR_INTERNAL, NULL, "a process has ended with %d", status);
        if (shares[i].code && !code) {
            code = shares[i].code;
            *err = shares[i].err;
        }
    }
    return code;
}

static void print_total(const struct simulate_total *total, unsigned seats, double seconds) {
    printf("%" PRIu64 " games, %" PRIu64 " actions, %.0f games/s\n", total->games, total->actions,
           seconds > 0 ? (double)total->games / seconds : 0.0);
    for (unsigned i = 0; i < total->n_teams; i++)
        printf("  %-24s %" PRIu64 " (%.2f %%)\n", total->team[i].name, total->team[i].wins,
               100.0 * (double)total->team[i].wins / (double)total->games);
    for (unsigned i = 0; i < total->n_roles; i++)
        printf("  %-24s %" PRIu64 " of %" PRIu64 " (%.2f %%)\n", total->role[i].name, total->role[i].wins,
               total->role[i].seats, 100.0 * (double)total->role[i].wins / (double)total->role[i].seats);
    for (unsigned i = 0; i < seats; i++)
        printf("  s%-23u %" PRIu64 " (%.2f %%)\n", i + 1, total->seat_wins[i],
               100.0 * (double)total->seat_wins[i] / (double)total->games);
}

static void print_total_json(const struct simulate_total *total, const struct game *game, unsigned seats,
                             uint64_t seed, double seconds) {
    char buffer[8192], rate[32];
    struct json j;
    int n = snprintf(rate, sizeof rate, "%.0f", seconds > 0 ? (double)total->games / seconds : 0.0);
    json_begin(&j, buffer, sizeof buffer);
    json_begin_object(&j);
    json_key(&j, "game");
    json_text(&j, game->id);
    json_key(&j, "seats");
    json_uint(&j, seats);
    json_key(&j, "seed");
    json_uint(&j, seed);
    json_key(&j, "games");
    json_uint(&j, total->games);
    json_key(&j, "actions");
    json_uint(&j, total->actions);
    json_key(&j, "stuck");
    json_uint(&j, total->stuck);
    json_key(&j, "games_per_s");
    json_raw(&j, rate, (size_t)n);
    json_key(&j, "teams");
    json_begin_object(&j);
    for (unsigned i = 0; i < total->n_teams; i++) {
        json_key(&j, total->team[i].name);
        json_uint(&j, total->team[i].wins);
    }
    json_end_object(&j);
    json_key(&j, "roles");
    json_begin_object(&j);
    for (unsigned i = 0; i < total->n_roles; i++) {
        json_key(&j, total->role[i].name);
        json_begin_array(&j);
        json_uint(&j, total->role[i].wins);
        json_uint(&j, total->role[i].seats);
        json_end_array(&j);
    }
    json_end_object(&j);
    json_key(&j, "seat_wins");
    json_begin_array(&j);
    for (unsigned i = 0; i < seats; i++)
        json_uint(&j, total->seat_wins[i]);
    json_end_array(&j);
    json_end_object(&j);
    if (json_end(&j))
        puts(buffer);
}

// So many games of one set-up, shared among processes, and what came of them.
static int simulate_setup(const struct args *args, const struct game *game, const struct game_setup *setup,
                          uint64_t games, uint64_t seed, uint64_t jobs) {
    struct error err = {0};
    if (jobs > games)
        jobs = games;
    struct share *shares =
        mmap(NULL, jobs * sizeof *shares, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shares == MAP_FAILED)
        return EXIT_CODE_FAILED;
    for (unsigned i = 0; i < jobs; i++)
        shares[i].total.count_roles = true;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const struct simulate_bots bots = {bot_find(game->id), false, BOT_MS};
    enum error_code failure = run_shares(game, setup, args_option(args, "bots") ? &bots : NULL, seed, games,
                                         (unsigned)jobs, shares, &err);
    clock_gettime(CLOCK_MONOTONIC, &end);
    struct simulate_total total = {0};
    for (unsigned i = 0; i < jobs; i++)
        add_share(&total, &shares[i].total);
    munmap(shares, jobs * sizeof *shares);
    if (failure)
        return failed(&err, EXIT_CODE_FAILED);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    qsort(total.team, total.n_teams, sizeof *total.team, by_name);
    qsort(total.role, total.n_roles, sizeof *total.role, by_name);
    if (args->json)
        print_total_json(&total, game, setup->seats, seed, seconds);
    else
        print_total(&total, setup->seats, seconds);
    return EXIT_CODE_OK;
}

int run_simulate(const struct args *args) {
    const struct game *game;
    static struct game_setup setup;
    uint64_t games, seed, jobs;
    if (!args_number(args, "games", 1, UINT64_MAX / 2, 1000, &games) ||
        !args_number(args, "seed", 0, UINT64_MAX, 1, &seed) ||
        !args_number(args, "jobs", 1, JOBS_MAX, 1, &jobs))
        return EXIT_CODE_USAGE;
    bool every = args_option(args, "every");
    int code = every ? setup_game(args, &game) : setup_read(args, &game, &setup);
    if (code || !every)
        return code ? code : simulate_setup(args, game, &setup, games, seed, jobs);
    unsigned played = 0; // some numbers need an option of their own: told, and left out
    for (unsigned seats = game->seats_min; seats <= game->seats_max && !code; seats++) {
        if (setup_seats(args, game, seats, &setup))
            continue;
        played++;
        if (!args->json)
            printf("%u players: ", seats);
        fflush(stdout);
        code = simulate_setup(args, game, &setup, games, seed, jobs);
    }
    return code || played ? code : EXIT_CODE_USAGE;
}

int run_perft(const struct args *args) {
    const struct game *game;
    static struct game_setup setup;
    uint64_t depth, seed;
    if (!args_number(args, "depth", 0, 64, 3, &depth) || !args_number(args, "seed", 0, UINT64_MAX, 1, &seed))
        return EXIT_CODE_USAGE;
    int code = setup_read(args, &game, &setup);
    if (code)
        return code;
    uint64_t n = simulate_perft(game, &setup, (unsigned)depth);
    if (args->json)
        printf("{\"game\":\"%s\",\"seats\":%u,\"depth\":%" PRIu64 ",\"positions\":%" PRIu64 "}\n", game->id,
               setup.seats, depth, n);
    else
        printf("%" PRIu64 "\n", n);
    return EXIT_CODE_OK;
}
