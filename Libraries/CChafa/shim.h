#pragma once
#if !__has_include(<chafa/chafa.h>) || !__has_include(<glib-2.0/glib.h>)
#error "The command needs libchafa and GLib, which are missing: sudo apt-get install libchafa-dev libglib2.0-dev"
#endif
#include <stddef.h>
#include <stdint.h>

// libchafa's headers, and GLib's below them, are found by pkg-config alone. SwiftPM asks it for each module of a package, also
// in programs that depend on the libraries and need no libchafa, and warns where there is none. So the few functions in use are
// declared here. Scripts/check compiles this file together with the headers, which finds a difference.

typedef struct ChafaCanvas ChafaCanvas;
typedef struct ChafaCanvasConfig ChafaCanvasConfig;
typedef struct ChafaTermDb ChafaTermDb;
typedef struct ChafaTermInfo ChafaTermInfo;
struct _GString;

#define CALOTYPE_CHAFA_SYMBOLS 0u
#define CALOTYPE_CHAFA_SIXELS 1u
#define CALOTYPE_CHAFA_INDEXED_240 2u
#define CALOTYPE_CHAFA_DIFFUSION 2u
#define CALOTYPE_CHAFA_BGRA8_PREMULTIPLIED 1u

ChafaCanvasConfig *chafa_canvas_config_new(void);
void chafa_canvas_config_unref(ChafaCanvasConfig *config);
void chafa_canvas_config_set_geometry(ChafaCanvasConfig *config, int width, int height);
void chafa_canvas_config_set_cell_geometry(ChafaCanvasConfig *config, int width, int height);
void chafa_canvas_config_set_canvas_mode(ChafaCanvasConfig *config, unsigned mode);
void chafa_canvas_config_set_pixel_mode(ChafaCanvasConfig *config, unsigned mode);
void chafa_canvas_config_set_dither_mode(ChafaCanvasConfig *config, unsigned mode);
void chafa_canvas_config_set_dither_grain_size(ChafaCanvasConfig *config, int width, int height);
void chafa_canvas_config_set_bg_color(ChafaCanvasConfig *config, uint32_t color);
void chafa_canvas_config_set_transparency_threshold(ChafaCanvasConfig *config, float threshold);

ChafaCanvas *chafa_canvas_new(const ChafaCanvasConfig *config);
void chafa_canvas_unref(ChafaCanvas *canvas);
void chafa_canvas_draw_all_pixels(
    ChafaCanvas *canvas, unsigned type, const unsigned char *pixels, int width, int height, int stride);
struct _GString *chafa_canvas_print(ChafaCanvas *canvas, ChafaTermInfo *sequences);

ChafaTermDb *chafa_term_db_get_default(void);
ChafaTermInfo *chafa_term_db_get_fallback_info(ChafaTermDb *database);
void chafa_term_info_unref(ChafaTermInfo *sequences);

/// The fields of a GString. GLib's own type is declared, and in Swift has fields, in whichever module imports GLib first.
typedef struct calotype_chafa_text {
    char *bytes;
    size_t count, capacity;
} calotype_chafa_text;

static inline calotype_chafa_text *calotype_chafa_print(ChafaCanvas *canvas, ChafaTermInfo *sequences) {
    return (calotype_chafa_text *)chafa_canvas_print(canvas, sequences);
}

// Under a name of its own: GLib's newer headers define g_string_free as a macro, and other modules include these.
extern char *calotype_g_string_free(calotype_chafa_text *text, int withBytes) __asm__("g_string_free");

static inline void calotype_chafa_free(calotype_chafa_text *text) { calotype_g_string_free(text, 1); }

#ifdef __CHAFA_H__
_Static_assert(CALOTYPE_CHAFA_SYMBOLS == CHAFA_PIXEL_MODE_SYMBOLS, "symbols");
_Static_assert(CALOTYPE_CHAFA_SIXELS == CHAFA_PIXEL_MODE_SIXELS, "sixels");
_Static_assert(CALOTYPE_CHAFA_INDEXED_240 == CHAFA_CANVAS_MODE_INDEXED_240, "240 colors");
_Static_assert(CALOTYPE_CHAFA_DIFFUSION == CHAFA_DITHER_MODE_DIFFUSION, "diffusion");
_Static_assert(CALOTYPE_CHAFA_BGRA8_PREMULTIPLIED == CHAFA_PIXEL_BGRA8_PREMULTIPLIED, "pixels");
_Static_assert(sizeof(calotype_chafa_text) == sizeof(GString), "size");
_Static_assert(offsetof(calotype_chafa_text, bytes) == offsetof(GString, str), "bytes");
_Static_assert(offsetof(calotype_chafa_text, count) == offsetof(GString, len), "count");
#endif
