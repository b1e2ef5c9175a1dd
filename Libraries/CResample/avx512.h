#pragma once
#include "avx2.h"

// The two passes of the filter with AVX-512: those of AVX2 with four rows or sixteen pixels at once.

#define CALOTYPE_AVX512 __attribute__((target("avx2,avx512f,avx512bw,avx512vl")))

/// Sixteen bytes of each of four rows, `stride` bytes apart.
static inline CALOTYPE_AVX512 __m512i calotype_load_four(const uint8_t *row, long stride) {
    const __m256i upper = calotype_pair(
        _mm_loadu_si128((const __m128i *)row), _mm_loadu_si128((const __m128i *)(row + stride)));
    const __m256i lower = calotype_pair(
        _mm_loadu_si128((const __m128i *)(row + 2 * stride)), _mm_loadu_si128((const __m128i *)(row + 3 * stride)));
    return _mm512_inserti64x4(_mm512_castsi256_si512(upper), lower, 1);
}

/// Two weights in each four bytes of a register.
static inline CALOTYPE_AVX512 __m512i calotype_two_wide_weights(const int16_t *weights) {
    int32_t two;
    memcpy(&two, weights, 4);
    return _mm512_set1_epi32(two);
}

static inline CALOTYPE_AVX512 void calotype_across_four_avx512(
    const uint8_t *rows, long stride, int16_t *const *results, const int32_t *firsts, const int16_t *weights, long taps,
    long count, long channels) {
    // As in `calotype_add_four`.
    const __m512i first = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1));
    const __m512i second = _mm512_broadcast_i32x4(
        _mm_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1));
    const __m512i half = _mm512_set1_epi32(1 << (calotype_weight_bits - calotype_fraction_bits - 1));
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    for (long x = 0; x < count; x++, weights += taps) {
        const uint8_t *row = rows + 4 * (long)firsts[x];
        __m512i even = half, odd = _mm512_setzero_si512();
        for (long tap = 0; tap < taps; tap += 4, row += 16) {
            const __m512i four = calotype_load_four(row, stride);
            even = _mm512_add_epi32(even, _mm512_madd_epi16(
                _mm512_shuffle_epi8(four, first), calotype_two_wide_weights(weights + tap)));
            odd = _mm512_add_epi32(odd, _mm512_madd_epi16(
                _mm512_shuffle_epi8(four, second), calotype_two_wide_weights(weights + tap + 2)));
        }
        const __m512i sum = _mm512_srai_epi32(
            _mm512_add_epi32(even, odd), calotype_weight_bits - calotype_fraction_bits);
        // The numbers of the upper and the lower row of each pair in turn.
        const __m256i pairs = _mm256_shuffle_epi8(_mm512_cvtsepi32_epi16(sum), order);
        _mm_storeu_si128((__m128i *)(results[0] + 2 * channels * x), _mm256_castsi256_si128(pairs));
        _mm_storeu_si128((__m128i *)(results[1] + 2 * channels * x), _mm256_extracti128_si256(pairs, 1));
    }
}

/// Adds sixteen pixels of `channels` numbers, from the pixel `x` on, of all pairs of rows.
static inline CALOTYPE_AVX512 void calotype_down_sums_avx512(
    const int16_t *const *pairs, const int16_t *weights, long taps, long x, long channels, __m512i *sums) {
    const __m512i half = _mm512_set1_epi32(calotype_sum_half);
    for (int index = 0; index < channels; index++) sums[index] = half;
    for (long tap = 0; tap < taps; tap += 2) {
        const int16_t *numbers = pairs[tap / 2] + 2 * channels * x;
        const __m512i weight = calotype_two_wide_weights(weights + tap);
        for (int index = 0; index < channels; index++)
            sums[index] = _mm512_add_epi32(
                sums[index], _mm512_madd_epi16(_mm512_loadu_si512(numbers + 32 * index), weight));
    }
}

/// Sums as bytes: 0 for negative ones, 255 for those above.
static inline CALOTYPE_AVX512 __m128i calotype_sum_bytes(__m512i sums) {
    return _mm512_cvtusepi32_epi8(
        _mm512_max_epi32(_mm512_srai_epi32(sums, calotype_sum_bits), _mm512_setzero_si512()));
}

static inline CALOTYPE_AVX512 __m512i calotype_down_three_avx512(
    const int16_t *const *pairs, const int16_t *weights, long taps, long x) {
    __m512i sums[3];
    calotype_down_sums_avx512(pairs, weights, taps, x, 3, sums);
    __m512i bytes = _mm512_castsi128_si512(calotype_sum_bytes(sums[0]));
    bytes = _mm512_inserti32x4(bytes, calotype_sum_bytes(sums[1]), 1);
    bytes = _mm512_inserti32x4(bytes, calotype_sum_bytes(sums[2]), 2);
    // The twelve bytes of four pixels in each quarter, then a fourth byte for each pixel.
    bytes = _mm512_permutexvar_epi32(
        _mm512_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11), bytes);
    const __m512i pixels = _mm512_shuffle_epi8(
        bytes, _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1)));
    return _mm512_or_si512(pixels, _mm512_set1_epi32((int)0xFF000000));
}

/// Whether a color sum in any of the registers exceeds the sum of an alpha of exactly 255.
static inline CALOTYPE_AVX512 int calotype_exceeds_opaque_avx512(const __m512i *sums) {
    const __m512i limits = _mm512_broadcast_i32x4(
        _mm_set_epi32(calotype_opaque_sum, INT32_MAX, INT32_MAX, INT32_MAX));
    return (_mm512_cmpgt_epi32_mask(sums[0], limits) | _mm512_cmpgt_epi32_mask(sums[1], limits)
            | _mm512_cmpgt_epi32_mask(sums[2], limits) | _mm512_cmpgt_epi32_mask(sums[3], limits)) != 0;
}

/// Limits the alpha of the four pixels. Not inlined, as few pixels need it.
static __attribute__((noinline)) CALOTYPE_AVX512 __m512i calotype_four_limited_to_opaque(__m512i sums) {
    int32_t pixels[16];
    _mm512_storeu_si512(pixels, sums);
    for (int at = 0; at < 16; at += 4) calotype_limit_to_opaque(pixels + at);
    return _mm512_loadu_si512(pixels);
}

static inline CALOTYPE_AVX512 __m512i calotype_down_four_avx512(
    const int16_t *const *pairs, const int16_t *weights, long taps, long x, int kind) {
    __m512i sums[4];
    calotype_down_sums_avx512(pairs, weights, taps, x, 4, sums);
    if (kind == calotype_with_alpha && calotype_exceeds_opaque_avx512(sums))
        for (int index = 0; index < 4; index++) sums[index] = calotype_four_limited_to_opaque(sums[index]);
    __m512i pixels = _mm512_castsi128_si512(calotype_sum_bytes(sums[0]));
    pixels = _mm512_inserti32x4(pixels, calotype_sum_bytes(sums[1]), 1);
    pixels = _mm512_inserti32x4(pixels, calotype_sum_bytes(sums[2]), 2);
    pixels = _mm512_inserti32x4(pixels, calotype_sum_bytes(sums[3]), 3);
    if (kind != calotype_with_alpha) return pixels;
    const __m512i alphas = _mm512_broadcast_i32x4(
        _mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    return _mm512_min_epu8(pixels, _mm512_shuffle_epi8(pixels, alphas));
}

static inline CALOTYPE_AVX512 void calotype_down_avx512(
    const int16_t *const *pairs, uint8_t *result, const int16_t *weights, long taps, long count, int kind) {
    long x = 0;
    for (; x + 16 <= count; x += 16) {
        const __m512i pixels = kind == calotype_opaque
            ? calotype_down_three_avx512(pairs, weights, taps, x)
            : calotype_down_four_avx512(pairs, weights, taps, x, kind);
        _mm512_storeu_si512(result + 4 * x, pixels);
    }
    calotype_down_avx2(pairs, result, weights, taps, x, count, kind);
}
