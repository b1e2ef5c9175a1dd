#pragma once
#if !__has_include(<librsvg/rsvg.h>)
#error "Calotype needs librsvg, which is missing: sudo apt-get install librsvg2-dev"
#endif
#if !__has_include(<fontconfig/fontconfig.h>)
#error "Calotype needs fontconfig, which is missing: sudo apt-get install libfontconfig-dev"
#endif
#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>

// Swift cannot import macros that cast, and declares GError's fields in whichever module imports GLib first.
static inline void calotype_svg_unref(RsvgHandle *handle) { g_object_unref(handle); }
static inline const char *calotype_svg_message(const GError *error) { return error->message; }
