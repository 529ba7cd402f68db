// The daemon reads its own configuration; this only calls it, so that there is one reader of it.
#include "tablectl.h"
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void config_become_daemon(const char *file) {
    char self[1024], path[1100];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = '\0';
        snprintf(path, sizeof path, "%s/tabled", dirname(self));
        execl(path, "tabled", "--config", file, "--check-config", (char *)NULL);
    }
    execlp("tabled", "tabled", "--config", file, "--check-config", (char *)NULL);
    fprintf(stderr, "tablectl: the program tabled is not there: %s\n", strerror(errno));
    _exit(127);
}

int run_config(const struct args *args) {
    const char *file = args_option(args, "check");
    int status = 0;
    if (!file && args->n_words == 1)
        file = args->words[0];
    else if (args->n_words)
        file = NULL;
    if (!file)
        return usage_error(args, "name the file to check");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        config_become_daemon(file);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return EXIT_CODE_FAILED;
    return status == 0 ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}
