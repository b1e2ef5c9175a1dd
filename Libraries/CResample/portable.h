#pragma once
#include <stdint.h>

// The inner loops of scaling in portable C. They determine the results of all other versions, which are equal to the bit.
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

/// The fourth channel of the pixels that `calotype_down` writes.
enum {
    /// Always 255: the rows between the passes have three channels.
    calotype_opaque,
    /// Alpha, which limits the colors.
    calotype_with_alpha,
    /// A color like the others.
    calotype_four_colors
};

/// The number of channels in the rows between the passes.
static inline long calotype_channels(int kind) { return kind == calotype_opaque ? 3 : 4; }

/// Scales two adjacent rows to `count` pixels. Each is a weighted sum of `taps` (a multiple of 4) adjacent source pixels,
/// the first of which has the index in `firsts`.
///
/// The result has, for each of the first `channels` (3 or 4) channels of a pixel, the number of the upper row and that of
/// the lower one. Its memory must extend by two numbers, which may be written.
static inline void calotype_across_portable(
    const uint8_t *upper, const uint8_t *lower, int16_t *result, const int32_t *firsts, const int16_t *weights,
    long taps, long count, long channels) {
    const int shift = calotype_weight_bits - calotype_fraction_bits;
    for (long x = 0; x < count; x++, weights += taps, result += 2 * channels) {
        const long first = 4 * (long)firsts[x];
        for (long channel = 0; channel < channels; channel++) {
            int32_t above = 1 << (shift - 1), below = above;
            for (long tap = 0; tap < taps; tap++) {
                above += upper[first + 4 * tap + channel] * weights[tap];
                below += lower[first + 4 * tap + channel] * weights[tap];
            }
            result[2 * channel] = calotype_clamped16(above >> shift);
            result[2 * channel + 1] = calotype_clamped16(below >> shift);
        }
    }
}

/// Combines `taps / 2` pairs of rows, results of `calotype_across`, into one: each of its `count` pixels is a weighted sum
/// of the pixels in its column. With alpha, no color exceeds the alpha value, and an alpha that exceeds 255 changes no
/// opaque color.
static inline void calotype_down_portable(
    const int16_t *const *pairs, uint8_t *result, const int16_t *weights, long taps, long count, int kind) {
    const long channels = calotype_channels(kind);
    for (long x = 0; x < count; x++, result += 4) {
        int32_t sums[4] = {calotype_sum_half, calotype_sum_half, calotype_sum_half, calotype_opaque_sum};
        if (kind != calotype_opaque) sums[3] = calotype_sum_half;
        for (long tap = 0; tap < taps; tap++)
            for (long channel = 0; channel < channels; channel++)
                sums[channel] += pairs[tap / 2][2 * (channels * x + channel) + tap % 2] * weights[tap];
        if (kind == calotype_with_alpha) calotype_limit_to_opaque(sums);
        for (int channel = 0; channel < 4; channel++)
            result[channel] = calotype_clamped8(sums[channel] >> calotype_sum_bits);
        if (kind != calotype_with_alpha) continue;
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

/// Averages 2 × 2 samples of two rows of one channel into `(width + 1) / 2` samples, which may overwrite the rows. An
/// odd last column is averaged alone.
static inline void calotype_halve_plane_portable(
    const uint8_t *upper, const uint8_t *lower, uint8_t *result, long first, long width) {
    for (long x = first; x < (width + 1) / 2; x++) {
        const long left = 2 * x, right = left + 1 < width ? left + 1 : left;
        result[x] = (uint8_t)((upper[left] + upper[right] + lower[left] + lower[right] + 2) >> 2);
    }
}

/// Averages two rows. `result` may be one of them.
static inline void calotype_average(const uint8_t *upper, const uint8_t *lower, uint8_t *result, long bytes) {
    for (long index = 0; index < bytes; index++) result[index] = (uint8_t)((upper[index] + lower[index] + 1) >> 1);
}

/// Multiplies two channels, in bits 0 to 7 and 16 to 23, by `alpha / 255`, rounded to nearest.
static inline uint32_t calotype_scaled_pair(uint32_t pair, uint32_t alpha) {
    const uint32_t product = pair * alpha + 0x00800080;
    return (product + (product >> 8 & 0x00FF00FF)) >> 8 & 0x00FF00FF;
}

/// Multiplies the colors of pixels by their alpha. If `swaps`, also turns RGBA into BGRA.
static inline void calotype_premultiply_portable(uint32_t *pixels, long count, int swaps) {
    for (long x = 0; x < count; x++) {
        const uint32_t pixel = pixels[x], alpha = pixel >> 24;
        uint32_t pair = calotype_scaled_pair(pixel & 0x00FF00FF, alpha);
        if (swaps) pair = pair >> 16 | pair << 16;
        pixels[x] = alpha << 24 | (pair & 0x00FF00FF) | calotype_scaled_pair(pixel >> 8 & 0xFF, alpha) << 8;
    }
}
