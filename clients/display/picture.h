// A surface of the screen's size and the few shapes that pages are made of. Lengths are in units: a screen is
// 1080 high and as wide as its form asks for; so a page is the same on every screen.
#pragma once
#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

struct ink {
    double r, g, b, a;
};
struct area {
    double x, y, w, h;
};
enum align { ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT };

struct picture {
    cairo_surface_t *surface; // CAIRO_FORMAT_RGB24
    cairo_t *cairo;
    int width, height; // pixels
    double units_w;    // units across; 1080 units high
    void *fonts;       // pango's
};
bool picture_open(struct picture *picture, int width, int height);
void picture_close(struct picture *picture);

void picture_fill(struct picture *p, struct ink ink);
void picture_box(struct picture *p, struct area area, double radius, struct ink ink);
void picture_frame(struct picture *p, struct area area, double radius, double line, struct ink ink);
void picture_disc(struct picture *p, double x, double y, double radius, struct ink ink);
void picture_circle(struct picture *p, double x, double y, double radius, double line, struct ink ink);
void picture_hexagon(struct picture *p, double x, double y, double radius, struct ink ink); // a corner on top
void picture_line(struct picture *p, double x1, double y1, double x2, double y2, double line, struct ink ink);

struct text {
    struct area area;
    double size;       // of an em
    bool bold, middle; // middle: centred from top to bottom
    enum align align;
    struct ink ink;
    const char *language; // chooses the forms of Chinese signs; "" = the system's
};
// Wraps at words, ends with an ellipsis where the area does, and gets smaller (to three fifths) before it
// does. Returns the height it took.
double picture_text(struct picture *p, const struct text *style, const char *text);
