// A scene at a moment becomes the colours of a lamp's LEDs. No channel ever crosses its whole range in less
// than 300 ms, up or down, so nothing can flash above 3 Hz whatever the scenes do (evenings 4, WCAG 2.3.1).
#pragma once
#include "lamp.h"

enum { FRAME_FADE_US = 300000, FRAME_SCENE_US = 170000 };

// Takes the next scene in place of what is shown, unless that is younger than FRAME_SCENE_US: then nothing
// happens and it has to be asked for again later. Scenes that come and go faster than people can see are one.
bool frame_take(struct scene *shown, int64_t *shown_since_us, const struct scene *next, int64_t now_us);

// Moves the lamp's picture towards the scene by the time since its last frame. True: a shown colour changed.
bool frame_draw(struct lamp *lamp, const struct scene *scene, int64_t now_us);
