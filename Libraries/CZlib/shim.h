#pragma once
#if !__has_include(<zlib.h>)
#error "Calotype needs zlib, which is missing: sudo apt-get install zlib1g-dev"
#endif
#include <zlib.h>

// Wraps a C macro. With `windowBits` of 15 + 32, zlib reads gzip and zlib streams; with -15, raw deflate streams.
static inline int calotype_inflate_init(z_stream *stream, int windowBits) { return inflateInit2(stream, windowBits); }

// Wraps a C macro. With `windowBits` of 15 + 16, zlib writes a gzip stream; with 15, zlib; with -15, raw deflate.
static inline int calotype_deflate_init(z_stream *stream, int windowBits) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}
