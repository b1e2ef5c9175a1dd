#pragma once
#include "sse2.h"
#include <immintrin.h>

// The inner loops of scaling with AVX2: those of SSE2 with two results in each register. They run only where the processor
// has AVX2, and leave the rest of a row to SSE2.

#define CALOTYPE_AVX2 __attribute__((target("avx2")))

/// Two values of 16 bytes in one register.
static inline CALOTYPE_AVX2 __m256i calotype_pair(__m128i lower, __m128i upper) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lower), upper, 1);
}

/// The sums of a pixel in two rows: those of its source pixels 0 and 1 of each four, and of 2 and 3.
typedef struct { __m256i even, odd; } calotype_pair_sums;

static inline CALOTYPE_AVX2 calotype_pair_sums calotype_no_sums(void) {
    const __m256i half = _mm256_set1_epi32(1 << (calotype_weight_bits - calotype_fraction_bits - 1));
    return (calotype_pair_sums){half, _mm256_setzero_si256()};
}

/// Adds four source pixels of two rows, multiplied by four weights.
static inline CALOTYPE_AVX2 void calotype_add_four(
    calotype_pair_sums *sums, const uint8_t *upper, const uint8_t *lower, __m256i even, __m256i odd) {
    // The channels of pixels 0 and 1, and of 2 and 3, each as two numbers of 16 bits.
    const __m256i first = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1));
    const __m256i second = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1));
    const __m256i four = calotype_pair(
        _mm_loadu_si128((const __m128i *)upper), _mm_loadu_si128((const __m128i *)lower));
    sums->even = _mm256_add_epi32(sums->even, _mm256_madd_epi16(_mm256_shuffle_epi8(four, first), even));
    sums->odd = _mm256_add_epi32(sums->odd, _mm256_madd_epi16(_mm256_shuffle_epi8(four, second), odd));
}

/// Writes the numbers of the upper and the lower row in turn, always four pairs.
static inline CALOTYPE_AVX2 void calotype_store_pair(int16_t *result, calotype_pair_sums sums) {
    const __m256i sum = _mm256_srai_epi32(
        _mm256_add_epi32(sums.even, sums.odd), calotype_weight_bits - calotype_fraction_bits);
    const __m128i two = _mm_packs_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    const __m128i order = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    _mm_storeu_si128((__m128i *)result, _mm_shuffle_epi8(two, order));
}

/// Two weights in each four bytes of a register.
static inline CALOTYPE_AVX2 __m256i calotype_two_weights(const int16_t *weights) {
    int32_t two;
    memcpy(&two, weights, 4);
    return _mm256_set1_epi32(two);
}

static inline CALOTYPE_AVX2 void calotype_across_avx2(
    const uint8_t *upper, const uint8_t *lower, int16_t *result, const int32_t *firsts, const int16_t *weights,
    long taps, long count, long channels) {
    for (long x = 0; x < count; x++, weights += taps, result += 2 * channels) {
        const uint8_t *above = upper + 4 * (long)firsts[x], *below = lower + 4 * (long)firsts[x];
        calotype_pair_sums sums = calotype_no_sums();
        for (long tap = 0; tap < taps; tap += 4)
            calotype_add_four(
                &sums, above + 4 * tap, below + 4 * tap, calotype_two_weights(weights + tap),
                calotype_two_weights(weights + tap + 2));
        calotype_store_pair(result, sums);
    }
}

/// Scales four rows, `stride` bytes apart, to two results like those of `calotype_across`. Each weight is read once.
static inline CALOTYPE_AVX2 void calotype_across_four_avx2(
    const uint8_t *rows, long stride, int16_t *const *results, const int32_t *firsts, const int16_t *weights, long taps,
    long count, long channels) {
    for (long x = 0; x < count; x++, weights += taps) {
        const uint8_t *row = rows + 4 * (long)firsts[x];
        calotype_pair_sums first = calotype_no_sums(), second = first;
        for (long tap = 0; tap < taps; tap += 4, row += 16) {
            const __m256i even = calotype_two_weights(weights + tap), odd = calotype_two_weights(weights + tap + 2);
            calotype_add_four(&first, row, row + stride, even, odd);
            calotype_add_four(&second, row + 2 * stride, row + 3 * stride, even, odd);
        }
        calotype_store_pair(results[0] + 2 * channels * x, first);
        calotype_store_pair(results[1] + 2 * channels * x, second);
    }
}

/// Whether a color sum in any of the registers exceeds the sum of an alpha of exactly 255.
static inline CALOTYPE_AVX2 int calotype_exceeds_opaque(const __m256i *sums) {
    // Nothing exceeds the limits of the colors.
    const __m256i limits = _mm256_broadcastsi128_si256(
        _mm_set_epi32(calotype_opaque_sum, INT32_MAX, INT32_MAX, INT32_MAX));
    const __m256i exceeds = _mm256_or_si256(
        _mm256_or_si256(_mm256_cmpgt_epi32(sums[0], limits), _mm256_cmpgt_epi32(sums[1], limits)),
        _mm256_or_si256(_mm256_cmpgt_epi32(sums[2], limits), _mm256_cmpgt_epi32(sums[3], limits)));
    return !_mm256_testz_si256(exceeds, exceeds);
}

/// Limits the alpha of the two pixels. Not inlined, as few pixels need it.
static __attribute__((noinline)) CALOTYPE_AVX2 __m256i calotype_pair_limited_to_opaque(__m256i sums) {
    int32_t pixels[8];
    _mm256_storeu_si256((__m256i *)pixels, sums);
    calotype_limit_to_opaque(pixels);
    calotype_limit_to_opaque(pixels + 4);
    return _mm256_loadu_si256((const __m256i *)pixels);
}

/// Adds eight pixels of `channels` numbers, from the pixel `x` on, of all pairs of rows.
static inline CALOTYPE_AVX2 void calotype_down_sums_avx2(
    const int16_t *const *pairs, const int16_t *weights, long taps, long x, long channels, __m256i *sums) {
    const __m256i half = _mm256_set1_epi32(calotype_sum_half);
    for (int index = 0; index < channels; index++) sums[index] = half;
    for (long tap = 0; tap < taps; tap += 2) {
        const __m256i *numbers = (const __m256i *)(pairs[tap / 2] + 2 * channels * x);
        const __m256i weight = calotype_two_weights(weights + tap);
        for (int index = 0; index < channels; index++)
            sums[index] = _mm256_add_epi32(
                sums[index], _mm256_madd_epi16(_mm256_loadu_si256(numbers + index), weight));
    }
}

static inline CALOTYPE_AVX2 __m256i calotype_down_three_avx2(
    const int16_t *const *pairs, const int16_t *weights, long taps, long x) {
    __m256i sums[3];
    calotype_down_sums_avx2(pairs, weights, taps, x, 3, sums);
    for (int index = 0; index < 3; index++) sums[index] = _mm256_srai_epi32(sums[index], calotype_sum_bits);
    // Pixels 0 to 3 in the lower half of each register, 4 to 7 in the upper: the channels of 0 and 1; 1 and 2; 2 and 3.
    const __m256i first = _mm256_permute2x128_si256(sums[0], sums[1], 0x30);
    const __m256i second = _mm256_permute2x128_si256(sums[0], sums[2], 0x21);
    const __m256i third = _mm256_permute2x128_si256(sums[1], sums[2], 0x30);
    const __m256i eight = _mm256_packus_epi16(
        _mm256_packs_epi32(first, _mm256_alignr_epi8(second, first, 12)),
        _mm256_packs_epi32(_mm256_alignr_epi8(third, second, 8), _mm256_srli_si256(third, 4)));
    return _mm256_or_si256(eight, _mm256_set1_epi32((int)0xFF000000));
}

static inline CALOTYPE_AVX2 __m256i calotype_down_four_avx2(
    const int16_t *const *pairs, const int16_t *weights, long taps, long x, int kind) {
    __m256i sums[4];
    calotype_down_sums_avx2(pairs, weights, taps, x, 4, sums);
    if (kind == calotype_with_alpha && calotype_exceeds_opaque(sums))
        for (int index = 0; index < 4; index++) sums[index] = calotype_pair_limited_to_opaque(sums[index]);
    for (int index = 0; index < 4; index++) sums[index] = _mm256_srai_epi32(sums[index], calotype_sum_bits);
    __m256i eight = _mm256_packus_epi16(_mm256_packs_epi32(sums[0], sums[1]), _mm256_packs_epi32(sums[2], sums[3]));
    // Pixels 0, 2, 4 and 6 lie in the lower half, 1, 3, 5 and 7 in the upper.
    eight = _mm256_permutevar8x32_epi32(eight, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    if (kind != calotype_with_alpha) return eight;
    const __m256i alphas = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    return _mm256_min_epu8(eight, _mm256_shuffle_epi8(eight, alphas));
}

/// Writes the pixels from `begin` on. The memory of each row must extend to a multiple of four pixels.
static inline CALOTYPE_AVX2 void calotype_down_avx2(
    const int16_t *const *pairs, uint8_t *result, const int16_t *weights, long taps, long begin, long count, int kind) {
    long x = begin;
    for (; x + 8 <= count; x += 8) {
        const __m256i eight = kind == calotype_opaque
            ? calotype_down_three_avx2(pairs, weights, taps, x)
            : calotype_down_four_avx2(pairs, weights, taps, x, kind);
        _mm256_storeu_si256((__m256i *)(result + 4 * x), eight);
    }
    calotype_down_sse2(pairs, result, weights, taps, x, count, kind);
}

static inline CALOTYPE_AVX2 void calotype_halve_avx2(
    const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    // The channels of two neighbors side by side, whose sums `maddubs` forms.
    const __m256i neighbors = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15));
    const __m256i ones = _mm256_set1_epi8(1), half = _mm256_set1_epi16(2);
    long x = 0;
    for (; 2 * x + 16 <= width; x += 8) {
        __m256i means[2];
        for (int index = 0; index < 2; index++) {
            const __m256i above = _mm256_loadu_si256((const __m256i *)(upper + 8 * x) + index);
            const __m256i below = _mm256_loadu_si256((const __m256i *)(lower + 8 * x) + index);
            const __m256i sums = _mm256_add_epi16(
                _mm256_maddubs_epi16(_mm256_shuffle_epi8(above, neighbors), ones),
                _mm256_maddubs_epi16(_mm256_shuffle_epi8(below, neighbors), ones));
            means[index] = _mm256_srli_epi16(_mm256_add_epi16(sums, half), 2);
        }
        const __m256i packed = _mm256_packus_epi16(means[0], means[1]);
        _mm256_storeu_si256(
            (__m256i *)(result + 4 * x), _mm256_permute4x64_epi64(packed, _MM_SHUFFLE(3, 1, 2, 0)));
    }
    calotype_halve_portable(upper, lower, result, x, width);
}

static inline CALOTYPE_AVX2 void calotype_halve_plane_avx2(
    const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    const __m256i ones = _mm256_set1_epi8(1), half = _mm256_set1_epi16(2);
    long x = 0;
    for (; 2 * x + 32 <= width; x += 16) {
        const __m256i above = _mm256_loadu_si256((const __m256i *)(upper + 2 * x));
        const __m256i below = _mm256_loadu_si256((const __m256i *)(lower + 2 * x));
        const __m256i sums = _mm256_add_epi16(_mm256_maddubs_epi16(above, ones), _mm256_maddubs_epi16(below, ones));
        const __m256i means = _mm256_srli_epi16(_mm256_add_epi16(sums, half), 2);
        const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(means, means), _MM_SHUFFLE(3, 1, 2, 0));
        _mm_storeu_si128((__m128i *)(result + x), _mm256_castsi256_si128(packed));
    }
    calotype_halve_plane_portable(upper, lower, result, x, width);
}

/// Multiplies the channels of four pixels, as numbers of 16 bits, by their alpha, which itself stays.
static inline CALOTYPE_AVX2 __m256i calotype_premultiplied(__m256i channels) {
    const __m256i alphas = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(6, 7, 6, 7, 6, 7, -1, -1, 14, 15, 14, 15, 14, 15, -1, -1));
    // Alpha times 255, rounded like the others, is alpha.
    const __m256i factors = _mm256_or_si256(_mm256_shuffle_epi8(channels, alphas), _mm256_set1_epi64x(255LL << 48));
    const __m256i product = _mm256_add_epi16(_mm256_mullo_epi16(channels, factors), _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(product, _mm256_srli_epi16(product, 8)), 8);
}

static inline CALOTYPE_AVX2 void calotype_premultiply_avx2(uint32_t *pixels, long count, int swaps) {
    const __m256i zero = _mm256_setzero_si256(), opaque = _mm256_set1_epi32((int)0xFF000000);
    const __m256i order = _mm256_broadcastsi128_si256(
        swaps ? _mm_setr_epi8(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15)
              : _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    long x = 0;
    for (; x + 8 <= count; x += 8) {
        __m256i eight = _mm256_loadu_si256((const __m256i *)(pixels + x));
        // Most images are opaque.
        if (!_mm256_testc_si256(eight, opaque))
            eight = _mm256_packus_epi16(
                calotype_premultiplied(_mm256_unpacklo_epi8(eight, zero)),
                calotype_premultiplied(_mm256_unpackhi_epi8(eight, zero)));
        _mm256_storeu_si256((__m256i *)(pixels + x), _mm256_shuffle_epi8(eight, order));
    }
    calotype_premultiply_portable(pixels + x, count - x, swaps);
}
