#pragma once
#include <stdint.h>
#include <string.h>

// The inner loops of writing JPEG: colors, the fit of chroma, and the DCT with quantization. Each is written once and compiled
// for SSE2 (or NEON) and for AVX2. They compute integers only, so that all processors write equal bytes.

#define CALOTYPE_JPEG_LOOP static inline __attribute__((always_inline)) void

typedef int32_t calotype_eight __attribute__((vector_size(32)));
typedef uint32_t calotype_eight_unsigned __attribute__((vector_size(32)));
typedef int16_t calotype_eight_short __attribute__((vector_size(16)));
typedef _Bool calotype_eight_bits __attribute__((ext_vector_type(8)));

/// Reads or writes a vector at an address that need not be aligned.
#define CALOTYPE_READ(vector, address) memcpy(&(vector), address, sizeof(vector))
#define CALOTYPE_WRITE(address, vector) memcpy(address, &(vector), sizeof(vector))

// MARK: - Colors, with the factors of ITU-T T.871 in 15 bits

CALOTYPE_JPEG_LOOP calotype_jpeg_luma_eight(const uint32_t *pixels, int16_t *result) {
    calotype_eight p;
    CALOTYPE_READ(p, pixels);
    calotype_eight sum = (p & 0xFF) * 3735 + (p >> 8 & 0xFF) * 19235 + (p >> 16 & 0xFF) * 9798 + (1 << 14);
    calotype_eight_short luma = __builtin_convertvector((sum >> 15) - 128, calotype_eight_short);
    CALOTYPE_WRITE(result, luma);
}

/// Computes luma around 0 of BGRA pixels.
CALOTYPE_JPEG_LOOP calotype_jpeg_luma_loop(const uint32_t *pixels, int16_t *result, long count) {
    long x = 0;
    for (; x + 8 <= count; x += 8) calotype_jpeg_luma_eight(pixels + x, result + x);
    if (x == count) return;
    uint32_t last[8] = {0};
    int16_t lumas[8];
    memcpy(last, pixels + x, (size_t)(count - x) * sizeof *last);
    calotype_jpeg_luma_eight(last, lumas);
    memcpy(result + x, lumas, (size_t)(count - x) * sizeof *lumas);
}

CALOTYPE_JPEG_LOOP calotype_jpeg_chroma_eight(const uint32_t *pixels, int16_t *cb, int16_t *cr, int bits) {
    calotype_eight p;
    CALOTYPE_READ(p, pixels);
    const calotype_eight blue = p & 0xFF, green = p >> 8 & 0xFF, red = p >> 16 & 0xFF;
    const int32_t half = 1 << bits >> 1, limit = (127 << 15) >> bits;
    calotype_eight b = (blue * 16384 - red * 5529 - green * 10855 + half) >> bits;
    calotype_eight r = (red * 16384 - green * 13720 - blue * 2664 + half) >> bits;
    // Neither is below -127.5, and only half a level is above the limit.
    calotype_eight_short shorts = __builtin_convertvector(b + (b > limit), calotype_eight_short);
    CALOTYPE_WRITE(cb, shorts);
    shorts = __builtin_convertvector(r + (r > limit), calotype_eight_short);
    CALOTYPE_WRITE(cr, shorts);
}

/// Computes Cb and Cr of BGRA pixels, in 2^(`bits` - 15).
CALOTYPE_JPEG_LOOP calotype_jpeg_chroma_loop(const uint32_t *pixels, int16_t *cb, int16_t *cr, long count, int bits) {
    long x = 0;
    for (; x + 8 <= count; x += 8) calotype_jpeg_chroma_eight(pixels + x, cb + x, cr + x, bits);
    if (x == count) return;
    uint32_t last[8] = {0};
    int16_t chroma[16];
    memcpy(last, pixels + x, (size_t)(count - x) * sizeof *last);
    calotype_jpeg_chroma_eight(last, chroma, chroma + 8, bits);
    memcpy(cb + x, chroma, (size_t)(count - x) * sizeof *chroma);
    memcpy(cr + x, chroma + 8, (size_t)(count - x) * sizeof *chroma);
}

// MARK: - The fit of chroma, in quarters of a level, from -512 to 511: 26 times the sum of two fits 16 bits

static inline __attribute__((always_inline)) calotype_eight_short calotype_jpeg_limited(
    calotype_eight_short level, int16_t low, int16_t high) {
    const calotype_eight_short lows = level < low, highs = level > high;
    return (level & ~lows & ~highs) | (lows & low) | (highs & high);
}

/// Fits eight samples: from even ones and the two before them, and odd ones and the two after them, each `step` apart.
CALOTYPE_JPEG_LOOP calotype_jpeg_fit(
    const int16_t *even, const int16_t *odd, long step, int16_t *result, int is_final) {
    calotype_eight_short e[3], o[3];
    for (long n = 0; n < 3; n++) {
        CALOTYPE_READ(e[n], even - n * step);
        CALOTYPE_READ(o[n], odd + n * step);
    }
    calotype_eight_short sum = (20 * (e[0] + o[0]) - 5 * (e[1] + o[1]) + (e[2] + o[2]) + 16) >> 5;
    sum = calotype_jpeg_limited(sum, -512, 511);
    if (is_final) sum = calotype_jpeg_limited((sum + 2) >> 2, -128, 127);
    CALOTYPE_WRITE(result, sum);
}

/// Fits a row of pairs, a multiple of 8. Needs room for two more even columns in front and two more odd ones at the end.
CALOTYPE_JPEG_LOOP calotype_jpeg_across_loop(
    const int16_t *row, int16_t *even, int16_t *odd, int16_t *result, long pairs) {
    for (long x = 0; x < pairs; x += 8) {
        calotype_eight_short first, second;
        CALOTYPE_READ(first, row + 2 * x);
        CALOTYPE_READ(second, row + 2 * x + 8);
        calotype_eight_short e = __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14);
        calotype_eight_short o = __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15);
        CALOTYPE_WRITE(even + x, e);
        CALOTYPE_WRITE(odd + x, o);
    }
    even[-1] = even[-2] = even[0];
    odd[pairs] = odd[pairs + 1] = odd[pairs - 1];
    for (long x = 0; x < pairs; x += 8) calotype_jpeg_fit(even + x, odd + x, 1, result + x, 0);
}

/// Fits a row from the rows up to the fourth above `row` and up to the fifth below, to whole levels.
CALOTYPE_JPEG_LOOP calotype_jpeg_down_loop(const int16_t *row, long stride, int16_t *result, long count) {
    for (long x = 0; x < count; x += 8) calotype_jpeg_fit(row + x, row + stride + x, 2 * stride, result + x, 1);
}

// MARK: - Blocks

/// The DCT of eight columns (Loeffler, Ligtenberg and Moschytz), with constants in 2^-13.
CALOTYPE_JPEG_LOOP calotype_jpeg_dct(calotype_eight *r, int raised, int lowered) {
    const int32_t half = 1 << (lowered - 1);
    calotype_eight s07 = r[0] + r[7], d07 = r[0] - r[7], s16 = r[1] + r[6], d16 = r[1] - r[6];
    calotype_eight s25 = r[2] + r[5], d25 = r[2] - r[5], s34 = r[3] + r[4], d34 = r[3] - r[4];
    calotype_eight e0 = s07 + s34, e3 = s07 - s34, e1 = s16 + s25, e2 = s16 - s25, z = (e2 + e3) * 4433 + half;
    r[0] = (e0 + e1) << raised;
    r[4] = (e0 - e1) << raised;
    r[2] = (z + e3 * 6270) >> lowered;
    r[6] = (z - e2 * 15137) >> lowered;
    calotype_eight z5 = (d34 + d16 + d25 + d07) * 9633 + half;
    calotype_eight z1 = (d34 + d07) * -7373, z2 = (d25 + d16) * -20995;
    calotype_eight z3 = (d34 + d16) * -16069 + z5, z4 = (d25 + d07) * -3196 + z5;
    r[7] = (d34 * 2446 + z1 + z3) >> lowered;
    r[5] = (d25 * 16819 + z2 + z4) >> lowered;
    r[3] = (d16 * 25172 + z2 + z3) >> lowered;
    r[1] = (d07 * 12299 + z1 + z4) >> lowered;
}

CALOTYPE_JPEG_LOOP calotype_jpeg_transpose(calotype_eight *r) {
    calotype_eight a[8], b[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += i & 1 ? 3 : 1) {
        b[i] = __builtin_shufflevector(a[i], a[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        b[i + 2] = __builtin_shufflevector(a[i], a[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; i++) {
        r[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/// Transforms blocks of samples in rows `stride` apart, and divides them by steps: adds an offset to eight times a
/// coefficient's magnitude, multiplies by a factor in 2^-20, and limits the level to 1023. In a block, the vertical
/// frequency changes first. A block's mask has a bit for each level that is not 0, the first one lowest.
CALOTYPE_JPEG_LOOP calotype_jpeg_blocks_loop(
    const int16_t *samples, long stride, long blocks, const int32_t *offsets, const int32_t *factors, int16_t *levels,
    uint8_t *masks) {
    for (; blocks > 0; blocks--, samples += 8) {
        calotype_eight r[8];
        for (int y = 0; y < 8; y++) {
            calotype_eight_short row;
            CALOTYPE_READ(row, samples + y * stride);
            r[y] = __builtin_convertvector(row, calotype_eight);
        }
        calotype_jpeg_dct(r, 2, 11);
        calotype_jpeg_transpose(r);
        calotype_jpeg_dct(r, 0, 15);
        r[0] = (r[0] + 2) >> 2;
        r[4] = (r[4] + 2) >> 2;
        for (int u = 0; u < 8; u++, levels += 8, masks++) {
            calotype_eight offset, factor, sign = r[u] >> 31;
            CALOTYPE_READ(offset, offsets + 8 * u);
            CALOTYPE_READ(factor, factors + 8 * u);
            calotype_eight level =
                (calotype_eight)((calotype_eight_unsigned)(((r[u] ^ sign) - sign + offset) * factor) >> 20);
            calotype_eight excess = level > 1023;
            level = (level & ~excess) | (excess & 1023);
            calotype_eight_short result = __builtin_convertvector((level ^ sign) - sign, calotype_eight_short);
            CALOTYPE_WRITE(levels, result);
            calotype_eight_bits bits = __builtin_convertvector(level != 0, calotype_eight_bits);
            memcpy(masks, &bits, 1);
        }
    }
}

// MARK: - Versions

#if defined(__x86_64__)
#define CALOTYPE_JPEG_VERSIONS(name, parameters, arguments) \
    static inline __attribute__((target("avx2"))) void name##_avx2 parameters { name##_loop arguments; } \
    static inline void name parameters { \
        if (calotype_has_avx2()) return name##_avx2 arguments; \
        name##_loop arguments; \
    }
#else
#define CALOTYPE_JPEG_VERSIONS(name, parameters, arguments) \
    static inline void name parameters { name##_loop arguments; }
#endif

CALOTYPE_JPEG_VERSIONS(
    calotype_jpeg_luma, (const uint32_t *pixels, int16_t *result, long count), (pixels, result, count))
CALOTYPE_JPEG_VERSIONS(
    calotype_jpeg_chroma, (const uint32_t *pixels, int16_t *cb, int16_t *cr, long count, int bits),
    (pixels, cb, cr, count, bits))
CALOTYPE_JPEG_VERSIONS(
    calotype_jpeg_across, (const int16_t *row, int16_t *even, int16_t *odd, int16_t *result, long pairs),
    (row, even, odd, result, pairs))
CALOTYPE_JPEG_VERSIONS(
    calotype_jpeg_down, (const int16_t *row, long stride, int16_t *result, long count), (row, stride, result, count))
CALOTYPE_JPEG_VERSIONS(
    calotype_jpeg_blocks,
    (const int16_t *samples, long stride, long blocks, const int32_t *offsets, const int32_t *factors, int16_t *levels,
     uint8_t *masks),
    (samples, stride, blocks, offsets, factors, levels, masks))
