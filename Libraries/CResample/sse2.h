#pragma once
#include "portable.h"
#include <emmintrin.h>
#include <string.h>

// The inner loops of scaling with SSE2, which every x86-64 processor has. Its _mm_madd_epi16, which Swift's SIMD types do
// not offer, takes 26 ms instead of 47 for 12 megapixels.

/// A pixel's weighted sum, of four channels.
static inline __m128i calotype_across_pixel_sse2(const uint8_t *pixel, const int16_t *weights, long taps) {
    const int shift = calotype_weight_bits - calotype_fraction_bits;
    const __m128i zero = _mm_setzero_si128();
    __m128i even = _mm_set1_epi32(1 << (shift - 1)), odd = zero;
    for (long tap = 0; tap < taps; tap += 4, pixel += 16) {
        // Interleave the channels of pixels 0 and 2, and of 1 and 3.
        const __m128i four = _mm_loadu_si128((const __m128i *)pixel);
        const __m128i pairs = _mm_unpacklo_epi8(four, _mm_unpackhi_epi64(four, four));
        const __m128i weight = _mm_shufflelo_epi16(
            _mm_loadl_epi64((const __m128i *)(weights + tap)), _MM_SHUFFLE(3, 1, 2, 0));
        even = _mm_add_epi32(
            even, _mm_madd_epi16(_mm_unpacklo_epi8(pairs, zero), _mm_shuffle_epi32(weight, _MM_SHUFFLE(0, 0, 0, 0))));
        odd = _mm_add_epi32(
            odd, _mm_madd_epi16(_mm_unpackhi_epi8(pairs, zero), _mm_shuffle_epi32(weight, _MM_SHUFFLE(1, 1, 1, 1))));
    }
    return _mm_srai_epi32(_mm_add_epi32(even, odd), shift);
}

static inline void calotype_across_sse2(
    const uint8_t *upper, const uint8_t *lower, int16_t *result, const int32_t *firsts, const int16_t *weights,
    long taps, long count, long channels) {
    for (long x = 0; x < count; x++, weights += taps, result += 2 * channels) {
        const long first = 4 * (long)firsts[x];
        const __m128i two = _mm_packs_epi32(
            calotype_across_pixel_sse2(upper + first, weights, taps),
            calotype_across_pixel_sse2(lower + first, weights, taps));
        _mm_storeu_si128((__m128i *)result, _mm_unpacklo_epi16(two, _mm_unpackhi_epi64(two, two)));
    }
}

/// Not inlined, because the sums would then lie in memory for every pixel, although few exceed the limit.
static __attribute__((noinline)) __m128i calotype_limited_to_opaque(__m128i sums) {
    int32_t pixel[4];
    _mm_storeu_si128((__m128i *)pixel, sums);
    calotype_limit_to_opaque(pixel);
    return _mm_loadu_si128((const __m128i *)pixel);
}

/// The weighted sums of four numbers in each pair of rows, from the index `first` on.
static inline __m128i calotype_down_sums_sse2(
    const int16_t *const *pairs, const int16_t *weights, long taps, long first) {
    __m128i sums = _mm_set1_epi32(calotype_sum_half);
    for (long tap = 0; tap < taps; tap += 2) {
        int32_t two;
        memcpy(&two, weights + tap, 4);
        const __m128i numbers = _mm_loadu_si128((const __m128i *)(pairs[tap / 2] + 2 * first));
        sums = _mm_add_epi32(sums, _mm_madd_epi16(numbers, _mm_set1_epi32(two)));
    }
    return sums;
}

/// The sums of four pixels of four channels.
static inline void calotype_down_four_sse2(
    const int16_t *const *pairs, const int16_t *weights, long taps, long x, int kind, __m128i *sums) {
    for (int index = 0; index < 4; index++)
        sums[index] = calotype_down_sums_sse2(pairs, weights, taps, 4 * x + 4 * index);
    if (kind != calotype_with_alpha) return;
    // Nothing exceeds the limits of the colors.
    const __m128i limits = _mm_set_epi32(calotype_opaque_sum, INT32_MAX, INT32_MAX, INT32_MAX);
    const __m128i exceeds = _mm_or_si128(
        _mm_or_si128(_mm_cmpgt_epi32(sums[0], limits), _mm_cmpgt_epi32(sums[1], limits)),
        _mm_or_si128(_mm_cmpgt_epi32(sums[2], limits), _mm_cmpgt_epi32(sums[3], limits)));
    if (_mm_movemask_epi8(exceeds) != 0)
        for (int index = 0; index < 4; index++) sums[index] = calotype_limited_to_opaque(sums[index]);
}

/// The sums of four pixels of three channels. The fourth of each is not a channel.
static inline void calotype_down_three_sse2(
    const int16_t *const *pairs, const int16_t *weights, long taps, long x, __m128i *sums) {
    // The channels of pixels 0 and 1; 1 and 2; 2 and 3.
    const __m128i first = calotype_down_sums_sse2(pairs, weights, taps, 3 * x);
    const __m128i second = calotype_down_sums_sse2(pairs, weights, taps, 3 * x + 4);
    const __m128i third = calotype_down_sums_sse2(pairs, weights, taps, 3 * x + 8);
    sums[0] = first;
    sums[1] = _mm_or_si128(_mm_srli_si128(first, 12), _mm_slli_si128(second, 4));
    sums[2] = _mm_or_si128(_mm_srli_si128(second, 8), _mm_slli_si128(third, 8));
    sums[3] = _mm_srli_si128(third, 4);
}

/// Begins with the pixel `begin`. The memory of each row must extend to a multiple of four pixels.
static inline void calotype_down_sse2(
    const int16_t *const *pairs, uint8_t *result, const int16_t *weights, long taps, long begin, long count, int kind) {
    for (long x = begin; x < count; x += 4) {
        __m128i sums[4];
        if (kind == calotype_opaque) calotype_down_three_sse2(pairs, weights, taps, x, sums);
        else calotype_down_four_sse2(pairs, weights, taps, x, kind, sums);
        for (int index = 0; index < 4; index++) sums[index] = _mm_srai_epi32(sums[index], calotype_sum_bits);
        __m128i four = _mm_packus_epi16(_mm_packs_epi32(sums[0], sums[1]), _mm_packs_epi32(sums[2], sums[3]));
        if (kind == calotype_opaque) four = _mm_or_si128(four, _mm_set1_epi32((int)0xFF000000));
        if (kind == calotype_with_alpha) {
            __m128i alpha = _mm_srli_epi32(four, 24);
            alpha = _mm_or_si128(alpha, _mm_slli_epi32(alpha, 8));
            four = _mm_min_epu8(four, _mm_or_si128(alpha, _mm_slli_epi32(alpha, 16)));
        }
        if (count - x >= 4) {
            _mm_storeu_si128((__m128i *)(result + 4 * x), four);
        } else {
            memcpy(result + 4 * x, &four, 4 * (size_t)(count - x));
        }
    }
}

static inline void calotype_halve_sse2(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    const __m128i zero = _mm_setzero_si128(), half = _mm_set1_epi16(2);
    long x = 0;
    for (; 2 * x + 4 <= width; x += 2) {
        const __m128i above = _mm_loadu_si128((const __m128i *)(upper + 8 * x));
        const __m128i below = _mm_loadu_si128((const __m128i *)(lower + 8 * x));
        const __m128i left = _mm_add_epi16(_mm_unpacklo_epi8(above, zero), _mm_unpacklo_epi8(below, zero));
        const __m128i right = _mm_add_epi16(_mm_unpackhi_epi8(above, zero), _mm_unpackhi_epi8(below, zero));
        const __m128i sums = _mm_add_epi16(_mm_unpacklo_epi64(left, right), _mm_unpackhi_epi64(left, right));
        const __m128i means = _mm_srli_epi16(_mm_add_epi16(sums, half), 2);
        _mm_storel_epi64((__m128i *)(result + 4 * x), _mm_packus_epi16(means, means));
    }
    calotype_halve_portable(upper, lower, result, x, width);
}

static inline void calotype_halve_plane_sse2(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    const __m128i low = _mm_set1_epi16(255), half = _mm_set1_epi16(2);
    long x = 0;
    for (; 2 * x + 16 <= width; x += 8) {
        const __m128i above = _mm_loadu_si128((const __m128i *)(upper + 2 * x));
        const __m128i below = _mm_loadu_si128((const __m128i *)(lower + 2 * x));
        const __m128i left = _mm_add_epi16(_mm_and_si128(above, low), _mm_and_si128(below, low));
        const __m128i right = _mm_add_epi16(_mm_srli_epi16(above, 8), _mm_srli_epi16(below, 8));
        const __m128i means = _mm_srli_epi16(_mm_add_epi16(_mm_add_epi16(left, right), half), 2);
        _mm_storel_epi64((__m128i *)(result + x), _mm_packus_epi16(means, means));
    }
    calotype_halve_plane_portable(upper, lower, result, x, width);
}
