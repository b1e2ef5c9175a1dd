#pragma once
#if !__has_include(<avif/avif.h>)
#error "Calotype needs libavif, which is missing: sudo apt-get install libavif-dev"
#endif
#include <avif/avif.h>

/// Returns whether libavif understands all references between images and between tracks (1.1 and newer).
static inline int calotype_avif_follows_references(void) { return AVIF_VERSION >= 1010000; }
