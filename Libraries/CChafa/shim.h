#pragma once
#if !__has_include(<chafa.h>)
#error "The command needs libchafa, which is missing: sudo apt-get install libchafa-dev"
#endif
#include <chafa.h>

// Newer versions of GLib define this function as a macro, which Swift cannot import.
static inline void calotype_chafa_free(GString *text) { g_string_free(text, TRUE); }

// Swift declares the fields of GLib's types in whichever module imports GLib first, which may not be this one.
static inline const char *calotype_chafa_bytes(const GString *text) { return text->str; }
static inline size_t calotype_chafa_count(const GString *text) { return text->len; }
