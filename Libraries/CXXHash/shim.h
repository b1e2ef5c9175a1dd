#pragma once
#if !__has_include(<xxhash.h>)
#error "Calotype needs xxHash, which is missing: sudo apt-get install libxxhash-dev"
#endif
#include <xxhash.h>
#if defined(__x86_64__)
// The same library's run-time dispatch: AVX2 where the processor has it, three to four times the speed on large blocks.
#include <xxh_x86dispatch.h>
#endif

/// XXH3 of 64 bits by the fastest way this processor has.
static inline XXH64_hash_t calotype_xxh3_64(const void *bytes, size_t count) {
#if defined(__x86_64__)
    return XXH3_64bits_dispatch(bytes, count);
#else
    return XXH3_64bits(bytes, count);
#endif
}
