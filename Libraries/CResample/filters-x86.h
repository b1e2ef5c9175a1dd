#pragma once
#include <immintrin.h>
#include "avx2.h"
#include "filters.h"

static inline __m128i calotype_load_pixel(const uint8_t *from) {
    int32_t bytes;
    memcpy(&bytes, from, 4);
    return _mm_cvtsi32_si128(bytes);
}

static inline void calotype_store_pixel(uint8_t *to, __m128i pixel) {
    int32_t bytes = _mm_cvtsi128_si32(pixel);
    memcpy(to, &bytes, 4);
}

// Three bytes are loaded and stored as four: the next pixel is loaded before that.

static inline __attribute__((always_inline)) void calotype_unfilter_left(uint8_t *row, long count, long unit) {
    __m128i left = _mm_setzero_si128(), next = calotype_load_pixel(row);
    for (long at = 0; at < count; at += unit) {
        __m128i raw = next;
        next = calotype_load_pixel(row + at + unit);
        left = _mm_add_epi8(raw, left);
        calotype_store_pixel(row + at, left);
    }
}

static inline void calotype_unfilter_up(uint8_t *row, const uint8_t *above, long count) {
    for (long at = 0; at < count; at += 16) {
        __m128i raw = _mm_loadu_si128((const __m128i *)(row + at)), up = _mm_loadu_si128((const __m128i *)(above + at));
        _mm_storeu_si128((__m128i *)(row + at), _mm_add_epi8(raw, up));
    }
}

static inline __attribute__((always_inline)) void calotype_unfilter_average(
    uint8_t *row, const uint8_t *above, long count, long unit) {
    __m128i left = _mm_setzero_si128(), next = calotype_load_pixel(row), one = _mm_set1_epi8(1);
    for (long at = 0; at < count; at += unit) {
        __m128i raw = next, up = calotype_load_pixel(above + at);
        next = calotype_load_pixel(row + at + unit);
        // PNG rounds down.
        __m128i average = _mm_sub_epi8(_mm_avg_epu8(left, up), _mm_and_si128(_mm_xor_si128(left, up), one));
        left = _mm_add_epi8(raw, average);
        calotype_store_pixel(row + at, left);
    }
}

static inline __m128i calotype_absolute(__m128i value) {
    return _mm_max_epi16(value, _mm_sub_epi16(_mm_setzero_si128(), value));
}

static inline __m128i calotype_either(__m128i mask, __m128i yes, __m128i no) {
    return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

static inline __attribute__((always_inline)) void calotype_unfilter_paeth(
    uint8_t *row, const uint8_t *above, long count, long unit) {
    const __m128i zero = _mm_setzero_si128();
    __m128i left = zero, corner = zero, next = calotype_load_pixel(row);
    for (long at = 0; at < count; at += unit) {
        __m128i raw = _mm_unpacklo_epi8(next, zero);
        __m128i up = _mm_unpacklo_epi8(calotype_load_pixel(above + at), zero);
        next = calotype_load_pixel(row + at + unit);
        __m128i toUp = _mm_sub_epi16(up, corner), toLeft = _mm_sub_epi16(left, corner);
        __m128i forLeft = calotype_absolute(toUp), forUp = calotype_absolute(toLeft);
        __m128i forCorner = calotype_absolute(_mm_add_epi16(toUp, toLeft));
        __m128i least = _mm_min_epi16(forCorner, _mm_min_epi16(forLeft, forUp));
        __m128i nearest = calotype_either(
            _mm_cmpeq_epi16(least, forLeft), left, calotype_either(_mm_cmpeq_epi16(least, forUp), up, corner));
        // In bytes, so that the sum wraps around and the upper halves stay 0.
        left = _mm_add_epi8(raw, nearest);
        corner = up;
        calotype_store_pixel(row + at, _mm_packus_epi16(left, left));
    }
}

static inline void calotype_unfilter_sse2(int filter, uint8_t *row, const uint8_t *above, long count, long unit) {
    if (filter == 2) return calotype_unfilter_up(row, above, count);
    if (unit == 3) {
        if (filter == 1) return calotype_unfilter_left(row, count, 3);
        if (filter == 3) return calotype_unfilter_average(row, above, count, 3);
        if (filter == 4) return calotype_unfilter_paeth(row, above, count, 3);
    } else if (unit == 4) {
        if (filter == 1) return calotype_unfilter_left(row, count, 4);
        if (filter == 3) return calotype_unfilter_average(row, above, count, 4);
        if (filter == 4) return calotype_unfilter_paeth(row, above, count, 4);
    } else {
        calotype_unfilter_portable(filter, row, above, count, unit);
    }
}

/// Writes opaque pixels from three bytes each, of which `order` has the places for eight pixels. Returns the number of
/// pixels that are written: all but the last ones. Reads four bytes behind the last pixel.
static inline CALOTYPE_AVX2 long calotype_widen_avx2(
    const uint8_t *row, uint32_t *pixels, long count, __m256i order) {
    const __m256i opaque = _mm256_set1_epi32((int)0xFF000000u);
    long at = 0;
    for (; at + 8 <= count; at += 8) {
        __m128i lower = _mm_loadu_si128((const __m128i *)(row + 3 * at));
        __m128i upper = _mm_loadu_si128((const __m128i *)(row + 3 * at + 12));
        __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(lower), upper, 1);
        _mm256_storeu_si256((__m256i *)(pixels + at), _mm256_or_si256(_mm256_shuffle_epi8(both, order), opaque));
    }
    return at;
}

static inline CALOTYPE_AVX2 long calotype_rgb_to_bgra_avx2(const uint8_t *row, uint32_t *pixels, long count) {
    const __m256i order = _mm256_setr_epi8(
        2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1, 2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1);
    return calotype_widen_avx2(row, pixels, count, order);
}

static inline CALOTYPE_AVX2 long calotype_bgr_to_bgra_avx2(const uint8_t *row, uint32_t *pixels, long count) {
    const __m256i order = _mm256_setr_epi8(
        0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    return calotype_widen_avx2(row, pixels, count, order);
}
