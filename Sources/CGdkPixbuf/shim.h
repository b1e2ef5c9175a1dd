#pragma once
#if !__has_include(<gdk-pixbuf/gdk-pixbuf.h>)
#error "Calotype needs GdkPixbuf, which is missing: sudo apt-get install libgdk-pixbuf-2.0-dev"
#endif
#include <gdk-pixbuf/gdk-pixbuf.h>

// Swift reads no macros that cast.
static inline void calotype_pixbuf_loader_unref(GdkPixbufLoader *loader) { g_object_unref(loader); }
static inline void calotype_pixbuf_unref(GdkPixbuf *pixbuf) { g_object_unref(pixbuf); }
