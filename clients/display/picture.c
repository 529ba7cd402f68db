#include "picture.h"
#include "core/sanitizer.h"
#include <math.h>
#include <pango/pangocairo.h>

enum { UNITS_H = 1080 };
// The first that is there; Noto has every Chinese sign, DejaVu is on every Debian.
static const char family[] = "Noto Sans, Noto Sans CJK SC, DejaVu Sans, sans-serif";

#if SANITIZER_ADDRESS
// These keep their fonts until the process ends, and have no way to be told of the end.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfontconfig\nleak:libpango\n";
}
#endif

bool picture_open(struct picture *p, int width, int height) {
    *p = (struct picture){.width = width, .height = height};
    p->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    p->cairo = cairo_create(p->surface);
    p->units_w = (double)width * UNITS_H / height;
    p->fonts = pango_cairo_create_context(p->cairo);
    cairo_scale(p->cairo, (double)height / UNITS_H, (double)height / UNITS_H);
    return cairo_status(p->cairo) == CAIRO_STATUS_SUCCESS;
}

void picture_close(struct picture *p) {
    if (p->fonts)
        g_object_unref(p->fonts);
    if (p->cairo)
        cairo_destroy(p->cairo);
    if (p->surface)
        cairo_surface_destroy(p->surface);
    *p = (struct picture){0};
}

static void use(struct picture *p, struct ink ink) {
    cairo_set_source_rgba(p->cairo, ink.r, ink.g, ink.b, ink.a);
}

void picture_fill(struct picture *p, struct ink ink) {
    use(p, ink);
    cairo_paint(p->cairo);
}

static void round_path(cairo_t *c, struct area a, double r) {
    cairo_new_sub_path(c);
    cairo_arc(c, a.x + a.w - r, a.y + r, r, -M_PI / 2, 0);
    cairo_arc(c, a.x + a.w - r, a.y + a.h - r, r, 0, M_PI / 2);
    cairo_arc(c, a.x + r, a.y + a.h - r, r, M_PI / 2, M_PI);
    cairo_arc(c, a.x + r, a.y + r, r, M_PI, 3 * M_PI / 2);
    cairo_close_path(c);
}

void picture_box(struct picture *p, struct area area, double radius, struct ink ink) {
    use(p, ink);
    round_path(p->cairo, area, radius);
    cairo_fill(p->cairo);
}

void picture_frame(struct picture *p, struct area area, double radius, double line, struct ink ink) {
    use(p, ink);
    cairo_set_line_width(p->cairo, line);
    round_path(p->cairo, area, radius);
    cairo_stroke(p->cairo);
}

void picture_disc(struct picture *p, double x, double y, double radius, struct ink ink) {
    use(p, ink);
    cairo_new_path(p->cairo);
    cairo_arc(p->cairo, x, y, radius, 0, 2 * M_PI);
    cairo_fill(p->cairo);
}

void picture_circle(struct picture *p, double x, double y, double radius, double line, struct ink ink) {
    use(p, ink);
    cairo_set_line_width(p->cairo, line);
    cairo_new_path(p->cairo);
    cairo_arc(p->cairo, x, y, radius, 0, 2 * M_PI);
    cairo_stroke(p->cairo);
}

void picture_hexagon(struct picture *p, double x, double y, double radius, struct ink ink) {
    use(p, ink);
    cairo_new_path(p->cairo);
    for (int corner = 0; corner < 6; corner++) {
        double angle = M_PI / 6 + corner * M_PI / 3;
        cairo_line_to(p->cairo, x + radius * cos(angle), y + radius * sin(angle));
    }
    cairo_close_path(p->cairo);
    cairo_fill(p->cairo);
}

void picture_line(struct picture *p, double x1, double y1, double x2, double y2, double line,
                  struct ink ink) {
    use(p, ink);
    cairo_set_line_width(p->cairo, line);
    cairo_set_line_cap(p->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_move_to(p->cairo, x1, y1);
    cairo_line_to(p->cairo, x2, y2);
    cairo_stroke(p->cairo);
}

static void set_font(PangoLayout *layout, const struct text *style, double size) {
    PangoFontDescription *font = pango_font_description_from_string(family);
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_font_description_set_weight(font, style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
}

double picture_text(struct picture *p, const struct text *style, const char *text) {
    PangoLayout *layout = pango_layout_new(p->fonts);
    int width = 0, height = 0;
    if (style->language && *style->language)
        pango_context_set_language(p->fonts, pango_language_from_string(style->language));
    pango_layout_set_text(layout, text, -1);
    pango_layout_set_width(layout, (int)(style->area.w * PANGO_SCALE));
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_alignment(layout, style->align == ALIGN_LEFT     ? PANGO_ALIGN_LEFT
                                       : style->align == ALIGN_CENTRE ? PANGO_ALIGN_CENTER
                                                                      : PANGO_ALIGN_RIGHT);
    double size = style->size;
    for (int i = 0; i < 6; i++, size *= 0.92) {
        set_font(layout, style, size);
        pango_layout_get_pixel_size(layout, &width, &height);
        if (height <= style->area.h + 1)
            break;
    }
    if (height > style->area.h + 1) {
        pango_layout_set_height(layout, (int)(style->area.h * PANGO_SCALE));
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
        pango_layout_get_pixel_size(layout, &width, &height);
    }
    use(p, style->ink);
    cairo_move_to(p->cairo, style->area.x,
                  style->area.y +
                      (style->middle && height < style->area.h ? (style->area.h - height) / 2 : 0));
    pango_cairo_show_layout(p->cairo, layout);
    g_object_unref(layout);
    return height;
}
