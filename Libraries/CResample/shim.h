#pragma once
#include "filters.h"
#include "portable.h"

// The inner loops of scaling and of PNG, in the quickest version that the processor can run. All versions have equal results.

#if defined(__x86_64__)
#include "avx2.h"
#include "avx512.h"
#include "filters-x86.h"
#include <stdlib.h>

enum { calotype_level_sse2 = 1, calotype_level_avx2, calotype_level_avx512 };

/// The instructions that the processor has. The environment can lower this for tests: CALOTYPE_NO_AVX2 to SSE2, and
/// CALOTYPE_NO_AVX512 to AVX2.
static inline int calotype_level(void) {
    static int known = 0;
    int level = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (level > 0) return level;
    level = calotype_level_sse2;
    if (__builtin_cpu_supports("avx2") && getenv("CALOTYPE_NO_AVX2") == NULL) {
        level = calotype_level_avx2;
        // Earlier processors than those with VBMI lower their clock for AVX-512.
        if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
            && __builtin_cpu_supports("avx512vbmi") && getenv("CALOTYPE_NO_AVX512") == NULL)
            level = calotype_level_avx512;
    }
    __atomic_store_n(&known, level, __ATOMIC_RELAXED);
    return level;
}

static inline int calotype_has_avx2(void) { return calotype_level() >= calotype_level_avx2; }

static inline void calotype_across(
    const uint8_t *upper, const uint8_t *lower, int16_t *result, const int32_t *firsts, const int16_t *weights,
    long taps, long count, long channels) {
    if (calotype_has_avx2())
        return calotype_across_avx2(upper, lower, result, firsts, weights, taps, count, channels);
    calotype_across_sse2(upper, lower, result, firsts, weights, taps, count, channels);
}

/// Scales four rows, `stride` bytes apart, to two results like those of `calotype_across`.
static inline void calotype_across_four(
    const uint8_t *rows, long stride, int16_t *const *results, const int32_t *firsts, const int16_t *weights, long taps,
    long count, long channels) {
    if (calotype_level() == calotype_level_avx512)
        return calotype_across_four_avx512(rows, stride, results, firsts, weights, taps, count, channels);
    if (calotype_has_avx2())
        return calotype_across_four_avx2(rows, stride, results, firsts, weights, taps, count, channels);
    for (int pair = 0; pair < 2; pair++, rows += 2 * stride)
        calotype_across_sse2(rows, rows + stride, results[pair], firsts, weights, taps, count, channels);
}

static inline void calotype_down(
    const int16_t *const *pairs, uint8_t *result, const int16_t *weights, long taps, long count, int kind) {
    if (calotype_level() == calotype_level_avx512)
        return calotype_down_avx512(pairs, result, weights, taps, count, kind);
    if (calotype_has_avx2()) return calotype_down_avx2(pairs, result, weights, taps, 0, count, kind);
    calotype_down_sse2(pairs, result, weights, taps, 0, count, kind);
}

static inline void calotype_halve(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    if (calotype_has_avx2()) return calotype_halve_avx2(upper, lower, result, width);
    calotype_halve_sse2(upper, lower, result, width);
}

static inline void calotype_halve_plane(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    if (calotype_has_avx2()) return calotype_halve_plane_avx2(upper, lower, result, width);
    calotype_halve_plane_sse2(upper, lower, result, width);
}

static inline void calotype_premultiply(uint32_t *pixels, long count, int swaps) {
    if (calotype_has_avx2()) return calotype_premultiply_avx2(pixels, count, swaps);
    calotype_premultiply_portable(pixels, count, swaps);
}

static inline void calotype_unfilter(int filter, uint8_t *row, const uint8_t *above, long count, long unit) {
    calotype_unfilter_sse2(filter, row, above, count, unit);
}

static inline void calotype_rgb_to_bgra(const uint8_t *row, uint32_t *pixels, long count) {
    long first = calotype_has_avx2() ? calotype_rgb_to_bgra_avx2(row, pixels, count) : 0;
    calotype_rgb_to_bgra_portable(row, pixels, first, count);
}

static inline void calotype_bgr_to_bgra(const uint8_t *row, uint32_t *pixels, long count) {
    long first = calotype_has_avx2() ? calotype_bgr_to_bgra_avx2(row, pixels, count) : 0;
    calotype_bgr_to_bgra_portable(row, pixels, first, count);
}

#else

static inline void calotype_across(
    const uint8_t *upper, const uint8_t *lower, int16_t *result, const int32_t *firsts, const int16_t *weights,
    long taps, long count, long channels) {
    calotype_across_portable(upper, lower, result, firsts, weights, taps, count, channels);
}

/// Scales four rows, `stride` bytes apart, to two results like those of `calotype_across`.
static inline void calotype_across_four(
    const uint8_t *rows, long stride, int16_t *const *results, const int32_t *firsts, const int16_t *weights, long taps,
    long count, long channels) {
    for (int pair = 0; pair < 2; pair++, rows += 2 * stride)
        calotype_across_portable(rows, rows + stride, results[pair], firsts, weights, taps, count, channels);
}

static inline void calotype_down(
    const int16_t *const *pairs, uint8_t *result, const int16_t *weights, long taps, long count, int kind) {
    calotype_down_portable(pairs, result, weights, taps, count, kind);
}

static inline void calotype_halve(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    calotype_halve_portable(upper, lower, result, 0, width);
}

static inline void calotype_halve_plane(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    calotype_halve_plane_portable(upper, lower, result, 0, width);
}

static inline void calotype_premultiply(uint32_t *pixels, long count, int swaps) {
    calotype_premultiply_portable(pixels, count, swaps);
}

static inline void calotype_unfilter(int filter, uint8_t *row, const uint8_t *above, long count, long unit) {
    calotype_unfilter_portable(filter, row, above, count, unit);
}

static inline void calotype_rgb_to_bgra(const uint8_t *row, uint32_t *pixels, long count) {
    calotype_rgb_to_bgra_portable(row, pixels, 0, count);
}

static inline void calotype_bgr_to_bgra(const uint8_t *row, uint32_t *pixels, long count) {
    calotype_bgr_to_bgra_portable(row, pixels, 0, count);
}

#endif

#include "jpeg.h"
