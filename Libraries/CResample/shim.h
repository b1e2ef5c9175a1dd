#pragma once
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// The inner loops of scaling. SSE2's _mm_madd_epi16, which Swift's SIMD types do not offer, takes 26 ms instead of 47
// for 12 megapixels. Other processors use the portable loops, which compilers vectorize.
//
// Pixels are BGRA bytes. Weights have 14 fractional bits and add up to 1. Intermediate results have 6 fractional bits,
// so that they are neither clipped nor rounded to whole levels.
enum { calotype_weight_bits = 14, calotype_fraction_bits = 6 };

static inline int16_t calotype_clamped16(int32_t value) {
    return (int16_t)(value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value);
}

static inline uint8_t calotype_clamped8(int32_t value) {
    return (uint8_t)(value > 255 ? 255 : value < 0 ? 0 : value);
}

// Four sums of `calotype_down` (blue, green, red and alpha) have 20 fractional bits, and a half added for rounding. This
// is the sum of an alpha of exactly 255.
enum {
    calotype_sum_bits = calotype_weight_bits + calotype_fraction_bits,
    calotype_sum_half = 1 << (calotype_sum_bits - 1),
    calotype_opaque_sum = (255 << calotype_sum_bits) + calotype_sum_half
};

/// Limits the alpha of a pixel to 255, which filters exceed beside an edge, and scales its colors by the same factor,
/// because they exceed theirs as much.
static inline void calotype_limit_to_opaque(int32_t *sums) {
    if (sums[3] <= calotype_opaque_sum) return;
    const int64_t alpha = sums[3] - calotype_sum_half;
    for (int channel = 0; channel < 3; channel++) {
        const int64_t color = sums[channel] > calotype_sum_half ? sums[channel] - calotype_sum_half : 0;
        const int64_t level = (255 * color + alpha / 2) / alpha;
        sums[channel] = (int32_t)(level > 255 ? 255 : level) << calotype_sum_bits;
    }
    sums[3] = 255 << calotype_sum_bits;
}

/// Scales a row to `count` pixels. Each is a weighted sum of `taps` (a multiple of 4) adjacent source pixels, the first
/// of which has the index in `firsts`.
static inline void calotype_across_portable(
    const uint8_t *source, int16_t *result, const int32_t *firsts, const int16_t *weights, long taps, long count) {
    const int shift = calotype_weight_bits - calotype_fraction_bits;
    for (long x = 0; x < count; x++, weights += taps, result += 4) {
        const uint8_t *pixel = source + 4 * (long)firsts[x];
        int32_t sums[4] = {1 << (shift - 1), 1 << (shift - 1), 1 << (shift - 1), 1 << (shift - 1)};
        for (long tap = 0; tap < taps; tap++, pixel += 4)
            for (int channel = 0; channel < 4; channel++) sums[channel] += pixel[channel] * weights[tap];
        for (int channel = 0; channel < 4; channel++) result[channel] = calotype_clamped16(sums[channel] >> shift);
    }
}

/// Combines `taps` (an even number of) rows into one: each of its `count` pixels is a weighted sum of the pixels in its
/// column. With alpha, no color exceeds the alpha value, and an alpha that exceeds 255 changes no opaque color.
static inline void calotype_down_portable(
    const int16_t *const *rows, uint8_t *result, const int16_t *weights, long taps, long count, int hasAlpha) {
    for (long x = 0; x < count; x++, result += 4) {
        int32_t sums[4] = {calotype_sum_half, calotype_sum_half, calotype_sum_half, calotype_sum_half};
        for (long tap = 0; tap < taps; tap++)
            for (int channel = 0; channel < 4; channel++) sums[channel] += rows[tap][4 * x + channel] * weights[tap];
        if (hasAlpha) calotype_limit_to_opaque(sums);
        for (int channel = 0; channel < 4; channel++)
            result[channel] = calotype_clamped8(sums[channel] >> calotype_sum_bits);
        if (!hasAlpha) continue;
        for (int channel = 0; channel < 3; channel++)
            if (result[channel] > result[3]) result[channel] = result[3];
    }
}

/// Averages 2 × 2 pixels of two rows into `(width + 1) / 2` pixels. An odd last column is averaged alone.
static inline void calotype_halve_portable(
    const uint8_t *upper, const uint8_t *lower, uint8_t *result, long first, long width) {
    for (long x = first; x < (width + 1) / 2; x++) {
        const long left = 8 * x, right = 2 * x + 1 < width ? left + 4 : left;
        for (int channel = 0; channel < 4; channel++)
            result[4 * x + channel] = (uint8_t)((upper[left + channel] + upper[right + channel]
                + lower[left + channel] + lower[right + channel] + 2) >> 2);
    }
}

#if defined(__SSE2__)

static inline void calotype_across(
    const uint8_t *source, int16_t *result, const int32_t *firsts, const int16_t *weights, long taps, long count) {
    const int shift = calotype_weight_bits - calotype_fraction_bits;
    const __m128i zero = _mm_setzero_si128(), half = _mm_set1_epi32(1 << (shift - 1));
    for (long x = 0; x < count; x++, weights += taps, result += 4) {
        const uint8_t *pixel = source + 4 * (long)firsts[x];
        __m128i even = half, odd = zero;
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
        const __m128i sum = _mm_srai_epi32(_mm_add_epi32(even, odd), shift);
        _mm_storel_epi64((__m128i *)result, _mm_packs_epi32(sum, sum));
    }
}

/// Not inlined, because the sums would then lie in memory for every pixel, although few exceed the limit.
static __attribute__((noinline)) __m128i calotype_limited_to_opaque(__m128i sums) {
    int32_t pixel[4];
    _mm_storeu_si128((__m128i *)pixel, sums);
    calotype_limit_to_opaque(pixel);
    return _mm_loadu_si128((const __m128i *)pixel);
}

/// The memory of each row must extend to a multiple of four pixels.
static inline void calotype_down(
    const int16_t *const *rows, uint8_t *result, const int16_t *weights, long taps, long count, int hasAlpha) {
    const __m128i half = _mm_set1_epi32(calotype_sum_half);
    // Nothing exceeds the limits of the colors.
    const __m128i limits = _mm_set_epi32(calotype_opaque_sum, INT32_MAX, INT32_MAX, INT32_MAX);
    for (long x = 0; x < count; x += 4, result += 16) {
        __m128i sums[4] = {half, half, half, half};
        for (long tap = 0; tap < taps; tap += 2) {
            const int16_t *upper = rows[tap] + 4 * x, *lower = rows[tap + 1] + 4 * x;
            const __m128i upper0 = _mm_loadu_si128((const __m128i *)upper);
            const __m128i upper1 = _mm_loadu_si128((const __m128i *)upper + 1);
            const __m128i lower0 = _mm_loadu_si128((const __m128i *)lower);
            const __m128i lower1 = _mm_loadu_si128((const __m128i *)lower + 1);
            int32_t two;
            memcpy(&two, weights + tap, 4);
            const __m128i weight = _mm_set1_epi32(two);
            sums[0] = _mm_add_epi32(sums[0], _mm_madd_epi16(_mm_unpacklo_epi16(upper0, lower0), weight));
            sums[1] = _mm_add_epi32(sums[1], _mm_madd_epi16(_mm_unpackhi_epi16(upper0, lower0), weight));
            sums[2] = _mm_add_epi32(sums[2], _mm_madd_epi16(_mm_unpacklo_epi16(upper1, lower1), weight));
            sums[3] = _mm_add_epi32(sums[3], _mm_madd_epi16(_mm_unpackhi_epi16(upper1, lower1), weight));
        }
        if (hasAlpha) {
            const __m128i exceeds = _mm_or_si128(
                _mm_or_si128(_mm_cmpgt_epi32(sums[0], limits), _mm_cmpgt_epi32(sums[1], limits)),
                _mm_or_si128(_mm_cmpgt_epi32(sums[2], limits), _mm_cmpgt_epi32(sums[3], limits)));
            if (_mm_movemask_epi8(exceeds) != 0)
                for (int index = 0; index < 4; index++) sums[index] = calotype_limited_to_opaque(sums[index]);
        }
        for (int index = 0; index < 4; index++) sums[index] = _mm_srai_epi32(sums[index], calotype_sum_bits);
        __m128i four = _mm_packus_epi16(_mm_packs_epi32(sums[0], sums[1]), _mm_packs_epi32(sums[2], sums[3]));
        if (hasAlpha) {
            __m128i alpha = _mm_srli_epi32(four, 24);
            alpha = _mm_or_si128(alpha, _mm_slli_epi32(alpha, 8));
            four = _mm_min_epu8(four, _mm_or_si128(alpha, _mm_slli_epi32(alpha, 16)));
        }
        if (count - x >= 4) {
            _mm_storeu_si128((__m128i *)result, four);
        } else {
            memcpy(result, &four, 4 * (size_t)(count - x));
        }
    }
}

static inline void calotype_halve(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
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

#else

static inline void calotype_across(
    const uint8_t *source, int16_t *result, const int32_t *firsts, const int16_t *weights, long taps, long count) {
    calotype_across_portable(source, result, firsts, weights, taps, count);
}

static inline void calotype_down(
    const int16_t *const *rows, uint8_t *result, const int16_t *weights, long taps, long count, int hasAlpha) {
    calotype_down_portable(rows, result, weights, taps, count, hasAlpha);
}

static inline void calotype_halve(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    calotype_halve_portable(upper, lower, result, 0, width);
}

#endif

/// Averages 2 × 2 samples of two rows of one channel into `(width + 1) / 2` samples, which may overwrite the rows. An
/// odd last column is averaged alone.
static inline void calotype_halve_plane(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long width) {
    long x = 0;
#if defined(__SSE2__)
    const __m128i low = _mm_set1_epi16(255), half = _mm_set1_epi16(2);
    for (; 2 * x + 16 <= width; x += 8) {
        const __m128i above = _mm_loadu_si128((const __m128i *)(upper + 2 * x));
        const __m128i below = _mm_loadu_si128((const __m128i *)(lower + 2 * x));
        const __m128i left = _mm_add_epi16(_mm_and_si128(above, low), _mm_and_si128(below, low));
        const __m128i right = _mm_add_epi16(_mm_srli_epi16(above, 8), _mm_srli_epi16(below, 8));
        const __m128i means = _mm_srli_epi16(_mm_add_epi16(_mm_add_epi16(left, right), half), 2);
        _mm_storel_epi64((__m128i *)(result + x), _mm_packus_epi16(means, means));
    }
#endif
    for (; x < (width + 1) / 2; x++) {
        const long left = 2 * x, right = left + 1 < width ? left + 1 : left;
        result[x] = (uint8_t)((upper[left] + upper[right] + lower[left] + lower[right] + 2) >> 2);
    }
}

/// Averages two rows. `result` may be one of them.
static inline void calotype_average(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long bytes) {
    for (long index = 0; index < bytes; index++) result[index] = (uint8_t)((upper[index] + lower[index] + 1) >> 1);
}
