#pragma once
#if !__has_include(<xxhash.h>)
#error "Calotype needs xxHash, which is missing: sudo apt-get install libxxhash-dev"
#endif
#include <xxhash.h>
#if defined(__x86_64__)
// Run-time dispatch uses AVX2 if the processor supports it: three to four times as fast on large blocks.
#include <xxh_x86dispatch.h>
#endif

/// Returns the 64-bit XXH3 hash, computed with the fastest instructions of this processor.
static inline XXH64_hash_t calotype_xxh3_64(const void *bytes, size_t count) {
#if defined(__x86_64__)
    return XXH3_64bits_dispatch(bytes, count);
#else
    return XXH3_64bits(bytes, count);
#endif
}
