#pragma once
#if !__has_include(<zlib.h>)
#error "Calotype needs zlib, which is missing: sudo apt-get install zlib1g-dev"
#endif
#include <zlib.h>

// Replaces a macro. `windowBits`: 15 + 32 reads gzip and zlib, -15 raw deflate.
static inline int calotype_inflate_init(z_stream *stream, int windowBits) { return inflateInit2(stream, windowBits); }

// Replaces a macro. `windowBits`: 15 + 16 writes gzip, 15 zlib, -15 raw deflate.
static inline int calotype_deflate_init(z_stream *stream, int windowBits) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}
