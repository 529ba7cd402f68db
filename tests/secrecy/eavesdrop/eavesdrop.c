// The daemon with its whole front on the virtual clock, and ears on every channel: what any audience is told,
// what is published, what every role is answered, what is logged. Arguments as tabled --replay
// --virtual-clock; beside them EAVESDROP_ASK (file, see ears.h), EAVESDROP_EVERY (ms), EAVESDROP_JOURNAL
// (file; a game goes on where it ended).
#define main tabled_main
int tabled_main(int argc, char **argv);
#include "daemon/main.c"
#undef main
#include "ears.h"

static struct asker *asker;

static void hear_message(void *ctx, const struct feed_message *message) {
    (void)ctx;
    char who[16] = "public";
    if (message->audience != OBSERVE_PUBLIC)
        snprintf(who, sizeof who, "s%d", message->audience + 1);
    ears_hear(who, message->json->data, message->json->len, "%s %s%s", message->table,
              topic_rows[message->topic].twin ? "public/" : "", topic_rows[message->topic].level);
    if (message->audience == OBSERVE_PUBLIC && message->topic == TOPIC_PHASE)
        asker_phase(asker, (const char *)message->json->data, message->json->len);
}

static void hear_log(void *ctx, enum log_level level, const char *module, const char *line) {
    (void)ctx;
    ears_hear("log", line, strlen(line), "%d %s", level, module);
}

static enum error_code open_all(struct daemon *d, const struct arguments *args, struct error *err) {
    uint64_t boot = access(d->journal, F_OK) ? 1 : 2; // a game that goes on does so in another boot
    clock_virtual_init(&d->virtual_clock);
    if (loop_create(&d->virtual_clock.base, &d->virtual_clock, &d->loop, err))
        return err->code;
    ears_open(d->loop);
    log_set_clock(loop_clock(d->loop));
    log_set_sink(hear_log, NULL);
    struct arguments live = *args; // the net is opened as in a real evening
    live.replay = NULL;
    if (open_house(d, args, boot, err) || open_net(d, &live, boot, err))
        return err->code;
    const struct feed_outlet outlet = {hear_message, d};
    feed_add_outlet(d->feed, &outlet);
    return open_readers(d, args, err);
}

static void open_asker(struct daemon *d) {
    const char *list = getenv("EAVESDROP_ASK"), *every = getenv("EAVESDROP_EVERY");
    const struct config_section *http = config_find(d->config, "http", "");
    const char *listen = http ? config_text(http, "listen") : NULL;
    char tokens[1100];
    snprintf(tokens, sizeof tokens, "%s/tokens.json", d->state_dir);
    if (list && listen && strrchr(listen, ':'))
        asker = asker_open(d->loop, (unsigned)strtoul(strrchr(listen, ':') + 1, NULL, 10), tokens, list,
                           every ? strtoll(every, NULL, 10) : 5000);
}

int main(int argc, char **argv) {
    struct arguments args = {0};
    struct error err = {0};
    if (parse(argc, argv, &args) >= 0 || !args.config || !args.replay || !args.virtual_clock)
        return EXIT_USAGE;
    signal(SIGPIPE, SIG_IGN);
    umask(0077);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    log_open("tabled", LOG_LEVEL_DEBUG);
    struct daemon *d = calloc(1, sizeof *d);
    if (!d || read_config(d, &args, &err))
        return d ? say_config(&err, &args) : EXIT_RUNTIME;
    if (getenv("EAVESDROP_JOURNAL"))
        snprintf(d->journal, sizeof d->journal, "%s", getenv("EAVESDROP_JOURNAL"));
    if (open_all(d, &args, &err))
        return say(&err, exit_code_of(&err));
    open_asker(d);
    int code = loop_run(d->loop);
    asker_close(asker);
    take_down(d);
    free(d);
    log_set_sink(NULL, NULL);
    return fflush(stdout) ? EXIT_RUNTIME : code;
}
