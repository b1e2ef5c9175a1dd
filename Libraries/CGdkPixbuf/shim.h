#pragma once
#if !__has_include(<gdk-pixbuf/gdk-pixbuf.h>)
#error "Calotype needs GdkPixbuf, which is missing: sudo apt-get install libgdk-pixbuf-2.0-dev"
#endif
#include <gdk-pixbuf/gdk-pixbuf.h>

// Swift cannot import macros that cast, and declares GError's fields in whichever module imports GLib first.
static inline void calotype_pixbuf_loader_unref(GdkPixbufLoader *loader) { g_object_unref(loader); }
static inline const char *calotype_pixbuf_message(const GError *error) { return error->message; }
static inline int calotype_pixbuf_has_no_memory(const GError *error) {
    return g_error_matches(error, GDK_PIXBUF_ERROR, GDK_PIXBUF_ERROR_INSUFFICIENT_MEMORY);
}
