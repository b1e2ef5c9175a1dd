#pragma once
#include <stdint.h>
#include <string.h>

// PNG's filters (PNG, 9.2), undone in place, and its samples as pixels. `unit` is the number of bytes of a pixel. Rows have
// 16 bytes more than their length, which the loops may change.

static inline uint8_t calotype_paeth(uint8_t left, uint8_t up, uint8_t corner) {
    int forLeft = up - corner, forUp = left - corner, forCorner = forLeft + forUp;
    forLeft = forLeft < 0 ? -forLeft : forLeft;
    forUp = forUp < 0 ? -forUp : forUp;
    forCorner = forCorner < 0 ? -forCorner : forCorner;
    if (forLeft <= forUp && forLeft <= forCorner) return left;
    return forUp <= forCorner ? up : corner;
}

static inline void calotype_unfilter_portable(int filter, uint8_t *row, const uint8_t *above, long count, long unit) {
    switch (filter) {
    case 1:
        for (long at = unit; at < count; at++) row[at] += row[at - unit];
        break;
    case 2:
        for (long at = 0; at < count; at++) row[at] += above[at];
        break;
    case 3:
        for (long at = 0; at < count; at++) row[at] += ((at < unit ? 0 : row[at - unit]) + above[at]) / 2;
        break;
    case 4:
        for (long at = 0; at < count; at++) {
            row[at] += at < unit ? above[at] : calotype_paeth(row[at - unit], above[at], above[at - unit]);
        }
        break;
    }
}

/// Writes opaque BGRA from gray.
static inline void calotype_gray_to_bgra(const uint8_t *row, uint32_t *pixels, long count) {
    for (long at = 0; at < count; at++) pixels[at] = 0xFF000000u | row[at] * 0x010101u;
}

/// Writes BGRA from indices into 256 colors.
static inline void calotype_indices_to_bgra(
    const uint8_t *row, const uint32_t *colors, uint32_t *pixels, long count) {
    for (long at = 0; at < count; at++) pixels[at] = colors[row[at]];
}

static inline void calotype_rgb_to_bgra_portable(const uint8_t *row, uint32_t *pixels, long first, long count) {
    for (long at = first; at < count; at++) {
        pixels[at] = 0xFF000000u | (uint32_t)row[3 * at] << 16 | (uint32_t)row[3 * at + 1] << 8 | row[3 * at + 2];
    }
}

static inline void calotype_bgr_to_bgra_portable(const uint8_t *row, uint32_t *pixels, long first, long count) {
    for (long at = first; at < count; at++) {
        pixels[at] = 0xFF000000u | (uint32_t)row[3 * at + 2] << 16 | (uint32_t)row[3 * at + 1] << 8 | row[3 * at];
    }
}

/// Writes RGBA from gray with alpha.
static inline void calotype_gray_alpha_to_rgba(const uint8_t *row, uint32_t *pixels, long count) {
    for (long at = 0; at < count; at++) pixels[at] = (uint32_t)row[2 * at + 1] << 24 | row[2 * at] * 0x010101u;
}

/// Writes BGRA from RGBA, and returns whether all pixels are opaque: others are to be premultiplied.
static inline int calotype_rgba_to_bgra(const uint8_t *row, uint32_t *pixels, long count) {
    uint32_t all = ~0u;
    for (long at = 0; at < count; at++) {
        uint32_t pixel;
        memcpy(&pixel, row + 4 * at, 4);
        all &= pixel;
        pixels[at] = (pixel & 0xFF00FF00u) | (pixel >> 16 & 0xFF) | (pixel & 0xFF) << 16;
    }
    return all >> 24 == 0xFF;
}
