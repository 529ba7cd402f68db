// Where a picture goes: a Linux framebuffer, or PNG files in a folder.
#pragma once
#include "core/config.h"
#include "core/error.h"
#include "picture.h"

struct screen;
extern const struct config_key screen_keys[]; // section [screen]
// folder: PNG files there, whatever the section says; NULL = as the section says. Gives the size in pixels.
enum error_code screen_open(const struct config_section *conf, const char *folder, struct screen **ret,
                            int *ret_width, int *ret_height, struct error *err);
void screen_close(struct screen *screen); // clears a framebuffer that it has shown on; NULL allowed
// name: of the PNG file, without a path and its end. False: it did not go (told in the log, once).
bool screen_show(struct screen *screen, const struct picture *picture, const char *name);
bool screen_keeps(const struct screen *screen); // pictures are files: each is wanted once
