#pragma once
#if !__has_include(<isa-l/igzip_lib.h>)
#error "Calotype needs ISA-L, which is missing: sudo apt-get install libisal-dev"
#endif
#include <isa-l.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <string.h>

// Swift does not import a structure with arrays of this size: it sees the memory alone.

/// How a call to `calotype_inflate` ended.
enum calotype_inflate_end {
    /// The target is full, or all input is used up.
    CALOTYPE_INFLATE_PAUSED,
    /// The stream is complete. Its checksum may be wrong.
    CALOTYPE_INFLATE_COMPLETE,
    /// What follows is no stream of zlib.
    CALOTYPE_INFLATE_DAMAGED,
};

static inline long calotype_inflater_bytes(void) { return sizeof(struct inflate_state); }

/// Starts a stream of zlib in memory of `calotype_inflater_bytes()`.
static inline void calotype_inflate_start(void *inflater) {
    struct inflate_state *state = inflater;
    isal_inflate_init(state);
    state->crc_flag = ISAL_ZLIB;
}

/// Sets the next input, which must stay in place until it is used up.
static inline void calotype_inflate_feed(void *inflater, const uint8_t *input, uint32_t count) {
    struct inflate_state *state = inflater;
    state->next_in = (uint8_t *)input;
    state->avail_in = count;
}

static inline int calotype_inflate_has_input(void *inflater) {
    return ((struct inflate_state *)inflater)->avail_in > 0;
}

/// Writes at most `count` bytes, and returns their number.
static inline uint32_t calotype_inflate(
    void *inflater, uint8_t *target, uint32_t count, enum calotype_inflate_end *end) {
    struct inflate_state *state = inflater;
    state->next_out = target;
    state->avail_out = count;
    int result = isal_inflate(state);
    uint32_t written = count - state->avail_out;
    if (result == ISAL_INCORRECT_CHECKSUM && state->wrapper_flag) *end = CALOTYPE_INFLATE_COMPLETE;
    else if (result != ISAL_DECOMP_OK) *end = CALOTYPE_INFLATE_DAMAGED;
    else *end = state->block_state == ISAL_BLOCK_FINISH ? CALOTYPE_INFLATE_COMPLETE : CALOTYPE_INFLATE_PAUSED;
    return written;
}

/// Writes at most `count` of the bytes that precede a damaged place and are not yet written, and returns their number.
static inline uint32_t calotype_inflate_remainder(void *inflater, uint8_t *target, uint32_t count) {
    struct inflate_state *state = inflater;
    int32_t left = state->tmp_out_valid - state->tmp_out_processed;
    if (left <= 0) return 0;
    if (count > (uint32_t)left) count = (uint32_t)left;
    memcpy(target, state->tmp_out_buffer + state->tmp_out_processed, count);
    state->tmp_out_processed += (int32_t)count;
    return count;
}

/// Continues a CRC-32 of ISO 3309, which begins with 0.
static inline uint32_t calotype_crc32(uint32_t sum, const uint8_t *bytes, long count) {
    return crc32_gzip_refl(sum, bytes, (uint64_t)count);
}
