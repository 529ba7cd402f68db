// table-narrator: configuration and wiring. `table-narrator lengths` and `pack` are tools of the catalogues.
#include "core/log.h"
#include "output.h"
#include "pack.h"
#include "teller.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANGUAGES_MAX = 16, QUIET_END_US = 1000000 };

static const struct config_key voice_keys[] = {
    {"device", CONFIG_TEXT, "default", .help = "ALSA device"},
    {"volume", CONFIG_INT, "80", .min = 0, .max = 100, .help = "of voices"},
    {"pack", CONFIG_PATH, .help = "folder of recordings: LANG/GAME/LINE.wav; what it lacks is spoken"},
    {"bed", CONFIG_BOOL, "yes", .help = "soft noise from the first to the last word of a night"},
    {"bed_volume", CONFIG_INT, "16", .min = 1, .max = 50, .help = "of the bed, of the voices' 100"},
    {"duck", CONFIG_INT, "50", .min = 0, .max = 100, .help = "what is left of the bed under a voice"},
    {"lead_in", CONFIG_DURATION, "300ms", .min = 0, .max = 5000,
     .help = "a whisper before the first word for sinks that sleep (HDMI, Bluetooth: 1500ms)"},
    {"sleep_after", CONFIG_DURATION, "1s", .min = 100, .max = 600000, .help = "when a sink falls asleep"},
    {"keep_awake", CONFIG_BOOL, "no", .help = "whisper all the time: such a sink never sleeps"},
    {"buffer", CONFIG_DURATION, "80ms", .min = 20, .max = 1000, .help = "samples that wait in the card"},
    {"retry", CONFIG_DURATION, "5s", .min = 100, .max = 600000, .help = "between attempts to open the card"},
    {"violations", CONFIG_BOOL, "yes", .help = "say by day what lies wrong"},
    {"reminders", CONFIG_BOOL, "yes", .help = "say by day what the table waits for"},
    {.name = NULL},
};
static const struct config_key language_keys[] = {
    {"voice", CONFIG_TEXT, "", .help = "voice of espeak-ng; empty: the language's own"},
    {"speed", CONFIG_INT, "0", .min = 0, .max = 450, .help = "words a minute; 0: the language's own"},
    {"pitch", CONFIG_INT, "0", .min = 0, .max = 99, .help = "0: the usual"},
    {.name = NULL},
};
static const struct config_schema sections[] = {
    {"voice", false, NULL, voice_keys, false},
    {"language", true, "LANGUAGE", language_keys, false},
    {.section = NULL},
};

struct narrator {
    const struct config *config;
    struct loop *loop;
    struct room_options *options;
    struct library *library;
    struct mixer *mixer;
    struct output *output;
    struct teller *teller;
    struct room *room;
    FILE *marks;
    struct loop_timer ending;
    char language[ROOM_LANGUAGE_MAX];
};

static const char *marks_path;

static struct speech_voice voice_of(void *ctx, const char *language) {
    struct narrator *n = ctx;
    struct speech_voice ret = {.voice = ""};
    const struct config_section *s = config_find(n->config, "language", language);
    if (!s)
        return ret;
    snprintf(ret.voice, sizeof ret.voice, "%s", config_text(s, "voice"));
    ret.speed = (int)config_int(s, "speed");
    ret.pitch = (int)config_int(s, "pitch");
    return ret;
}

static void on_report(void *ctx, const struct mixer_report *r) {
    static const char *const words[] = {"begun", "ended", "cut", "dropped"};
    struct narrator *n = ctx;
    if (n->marks)
        fprintf(n->marks, "%.1f\t%s\t%s\t%.1f\n", (double)r->at_us / 1000, words[r->what], r->item->name,
                (double)r->item->due_us / 1000);
    if (r->what == MIXER_BEGUN)
        log_debug("voice", "speaks line=%s late_ms=%.1f", r->item->name,
                  (double)(r->at_us - r->item->due_us) / 1000);
    else if (r->what == MIXER_DROPPED)
        log_debug("voice", "not said line=%s", r->item->name);
}

static struct mixer *make_mixer(struct narrator *n, const struct config_section *voice) {
    const struct mixer_options options = {
        .volume = (double)config_int(voice, "volume") / 100,
        .bed_volume = config_bool(voice, "bed") ? (double)config_int(voice, "bed_volume") / 100 : 0,
        .duck = (double)config_int(voice, "duck") / 100,
        .lead_in_us = config_int(voice, "lead_in") * 1000,
        .sleep_us = config_int(voice, "sleep_after") * 1000,
        .keep_awake = config_bool(voice, "keep_awake"),
        .gap_us = 120000,
    };
    return mixer_create(&options, on_report, n);
}

static enum error_code open_files(struct narrator *n, const struct config_section *voice, struct error *err) {
    const struct room_options *o = n->options;
    const struct output_options output = {
        .loop = n->loop,
        .mixer = n->mixer,
        .device = config_text(voice, "device"),
        .ahead_us = config_int(voice, "buffer") * 1000,
        .retry_us = config_int(voice, "retry") * 1000,
        .file = !o->render  ? NULL
                : o->output ? o->output
                            : "narration.wav",
    };
    if (marks_path && !(n->marks = fopen(marks_path, "we")))
        return error_set(err, ERROR_INVALID, marks_path, "cannot be written");
    if (n->marks)
        setlinebuf(n->marks);
    return output_create(&output, &n->output, err);
}

static enum error_code narrator_open(struct loop *loop, const struct config *config,
                                     struct room_options *options, void **ret_ctx, struct error *err) {
    struct narrator *n = calloc(1, sizeof *n);
    if (!n)
        log_no_memory("voice");
    *ret_ctx = n;
    n->config = config;
    n->loop = loop;
    n->options = options;
    snprintf(n->language, sizeof n->language, "%s", options->language);
    const struct config_section *voice = config_only(config, "voice");
    if (speech_open(err))
        return err->code;
    const struct library_options library = {config_text(voice, "pack"), voice_of, n};
    n->library = library_create(&library);
    n->mixer = make_mixer(n, voice);
    const struct teller_options teller = {loop,
                                          n->library,
                                          n->mixer,
                                          n->language,
                                          config_bool(voice, "violations"),
                                          config_bool(voice, "reminders")};
    n->teller = teller_create(&teller);
    return ERROR_OK;
}

static enum error_code narrator_start(void *ctx, struct room *room, struct error *err) {
    struct narrator *n = ctx;
    n->room = room;
    teller_room(n->teller, room);
    return open_files(n, config_only(n->config, "voice"), err);
}

// --render ends when the last word has been said.
static void wait_for_silence(void *ctx) {
    struct narrator *n = ctx;
    if (mixer_idle(n->mixer)) {
        output_tick(n->output);
        loop_quit(n->loop, 0);
        return;
    }
    loop_timer_start(n->loop, &n->ending, loop_now_us(n->loop) + QUIET_END_US, wait_for_silence, n);
}

static void on_end(void *ctx) {
    struct narrator *n = ctx;
    loop_timer_start(n->loop, &n->ending, loop_now_us(n->loop) + QUIET_END_US, wait_for_silence, n);
}

static enum error_code narrator_close(void *ctx, struct error *err) {
    struct narrator *n = ctx;
    loop_timer_stop(n->loop, &n->ending);
    teller_destroy(n->teller);
    enum error_code code = output_destroy(n->output, err);
    mixer_destroy(n->mixer);
    library_destroy(n->library);
    speech_close();
    if (n->marks)
        fclose(n->marks);
    free(n);
    return code;
}

// The teller's calls, on the narrator.
#define FORWARD(name, Type)                                                                                  \
    static void on_##name(void *ctx, const Type *message) {                                                  \
        teller_calls.name(((struct narrator *)ctx)->teller, message);                                        \
    }
FORWARD(status, struct room_status)
FORWARD(phase, Tabled__V1__Phase)
FORWARD(violations, Tabled__V1__Violations)
FORWARD(event, Tabled__V1__Event)
FORWARD(narration, Tabled__V1__Narration)

static void on_reset(void *ctx) {
    teller_calls.reset(((struct narrator *)ctx)->teller);
}

int main(int argc, char **argv) {
    static const struct room_calls calls = {.status = on_status,
                                            .phase = on_phase,
                                            .violations = on_violations,
                                            .event = on_event,
                                            .narration = on_narration,
                                            .reset = on_reset,
                                            .end = on_end};
    static const struct room_flag flags[] = {
        {"marks", "FILE", "write when each sentence begins and ends (ms), for tests", &marks_path},
        {.name = NULL}};
    static const struct room_program program = {.name = "table-narrator",
                                                .summary = "speaks what a table tells",
                                                .sections = sections,
                                                .flags = flags,
                                                .calls = &calls,
                                                .open = narrator_open,
                                                .start = narrator_start,
                                                .close = narrator_close};
    if (argc > 1 && !strcmp(argv[1], "lengths"))
        return pack_lengths(argc - 2, argv + 2);
    if (argc > 1 && !strcmp(argv[1], "pack"))
        return pack_write(argc - 2, argv + 2);
    return room_main(argc, argv, &program);
}
