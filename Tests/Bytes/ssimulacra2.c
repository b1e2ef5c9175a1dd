// SSIMULACRA 2.1: how alike two images look, from 100 (equal) downward. After Jon Sneyers' tools/ssimulacra2.cc of libjxl, which the
// weights are from, under the license at the end of this file.
//
// libjxl's recursive filter for a sigma of 1.5 has the nine weights below exactly. A score needs six scales, the last of which is
// at least 8 pixels wide: callers mirror smaller images to 256 pixels, since libjxl assigns its weights to the wrong scales there.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { scales = 6, channels = 3, reach = 4, window = 2 * reach + 1 };

static const float taps[reach + 1] = {
    0.264621105f, 0.212928592f, 0.109335373f, 0.036011115f, 0.009414368f};
static const double weights[channels * scales * 6] = {
    0.0, 0.0007376606707406586, 0.0, 0.0, 0.0007793481682867309, 0.0,
    0.0, 0.0004371155730107379, 0.0, 1.1041726426657346, 0.00066284834129271, 0.00015231632783718752,
    0.0, 0.0016406437456599754, 0.0, 1.8422455520539298, 11.441172603757666, 0.0,
    0.0007989109436015163, 0.000176816438078653, 0.0, 1.8787594979546387, 10.94906990605142, 0.0,
    0.0007289346991508072, 0.9677937080626833, 0.0, 0.00014003424285435884, 0.9981766977854967, 0.00031949755934435053,
    0.0004550992113792063, 0.0, 0.0, 0.0013648766163243398, 0.0, 0.0,
    0.0, 0.0, 0.0, 7.466890328078848, 0.0, 17.445833984131262,
    0.0006235601634041466, 0.0, 0.0, 6.683678146179332, 0.00037724407979611296, 1.027889937768264,
    225.20515300849274, 0.0, 0.0, 19.213238186143016, 0.0011401524586618361, 0.001237755635509985,
    176.39317598450694, 0.0, 0.0, 24.43300999870476, 0.28520802612117757, 0.0004485436923833408,
    0.0, 0.0, 0.0, 34.77906344483772, 44.835625328877896, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0008680556573291698, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0005313191874358747, 0.0, 0.00016533814161379112, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0004179171803251336, 0.0017290828234722833, 0.0,
    0.0020827005846636437, 0.0, 0.0, 8.826982764996862, 23.19243343998926, 0.0,
    95.1080498811086, 0.9863978034400682, 0.9834382792465353, 0.0012286405048278493, 171.2667255897307, 0.9807858872435379,
    0.0, 0.0, 0.0, 0.0005130064588990679, 0.0, 0.00010854057858411537,};

typedef struct {
    int width, height;
    float *planes[channels], *means[channels], *squares[channels];
} Scale;

typedef struct {
    int count;
    Scale scales[scales];
} Reference;

static float *plane(int width, int height) { return aligned_alloc(64, ((size_t)width * height * sizeof(float) + 127) / 64 * 64); }

static float linear[256];

static void fill_linear(void) {
    for (int v = 0; v < 256; ++v) {
        double s = v / 255.0;
        linear[v] = (float)(s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4));
    }
}

static inline float cube_root(float x) {
    union { float f; uint32_t i; } bits = {x};
    bits.i = bits.i / 3 + 709921077u;
    float y = bits.f;
    for (int n = 0; n < 2; ++n) {
        float cube = y * y * y;
        y *= (cube + 2 * x) / (2 * cube + x);
    }
    return y;
}

// XYB, moved and scaled to positive numbers.
static void xyb(const float *const rgb[channels], float *const out[channels], size_t count) {
    const float bias = 0.0037930732552754493f, root = 0.15595420054924863f;
    const float *r = rgb[0], *g = rgb[1], *b = rgb[2];
    float *ox = out[0], *oy = out[1], *ob = out[2];
    for (size_t i = 0; i < count; ++i) {
        float l = cube_root(0.30f * r[i] + 0.622f * g[i] + 0.078f * b[i] + bias) - root;
        float m = cube_root(0.23f * r[i] + 0.692f * g[i] + 0.078f * b[i] + bias) - root;
        float s = cube_root(0.24342268924547819f * r[i] + 0.20476744424496821f * g[i] + 0.55180986650955360f * b[i] + bias) - root;
        float x = 0.5f * (l - m), y = 0.5f * (l + m);
        ox[i] = x * 14.f + 0.42f;
        oy[i] = y + 0.01f;
        ob[i] = s - y + 0.55f;
    }
}

static void halve(float **in, int *width, int *height) {
    int w = (*width + 1) / 2, h = (*height + 1) / 2;
    for (int c = 0; c < channels; ++c) {
        float *half = plane(w, h);
        for (int y = 0; y < h; ++y) {
            const float *top = in[c] + (size_t)2 * y * *width;
            const float *bottom = 2 * y + 1 < *height ? top + *width : top;
            for (int x = 0; x < w; ++x) {
                int right = 2 * x + 1 < *width ? 2 * x + 1 : 2 * x;
                half[(size_t)y * w + x] = 0.25f * (top[2 * x] + top[right] + bottom[2 * x] + bottom[right]);
            }
        }
        free(in[c]);
        in[c] = half;
    }
    *width = w, *height = h;
}

// A row between zeros, blurred along itself.
static void blur_row(const float *padded, float *out, int width) {
    for (int x = 0; x < width; ++x) {
        const float *p = padded + x;
        out[x] = taps[0] * p[4] + taps[1] * (p[3] + p[5]) + taps[2] * (p[2] + p[6]) + taps[3] * (p[1] + p[7]) + taps[4] * (p[0] + p[8]);
    }
}

typedef struct {
    float *rows[window];
} Ring;

static void blur_column(const Ring *ring, int y, int height, const float *zeros, float *out, int width) {
    const float *r[window];
    for (int k = -reach; k <= reach; ++k) r[k + reach] = y + k < 0 || y + k >= height ? zeros : ring->rows[(y + k + window) % window];
    for (int x = 0; x < width; ++x)
        out[x] = taps[0] * r[4][x] + taps[1] * (r[3][x] + r[5][x]) + taps[2] * (r[2][x] + r[6][x]) + taps[3] * (r[1][x] + r[7][x]) +
                 taps[4] * (r[0][x] + r[8][x]);
}

static float **linear_planes(const uint8_t *rgb, int width, int height) {
    float **out = malloc(channels * sizeof(float *));
    for (int c = 0; c < channels; ++c) {
        out[c] = plane(width, height);
        for (size_t i = 0; i < (size_t)width * height; ++i) out[c][i] = linear[rgb[3 * i + c]];
    }
    return out;
}

// The averages of one channel: of the errors and of their fourth powers, for structure, ringing and blur.
static void compare(const Scale *s, int c, const float *other, double sums[6]) {
    int w = s->width, h = s->height;
    size_t room = (size_t)w + 2 * reach + 16;
    float *memory = calloc(room * (3 * window + 7), sizeof(float));
    float *zeros = memory, *padded = zeros + room, *mean = padded + room, *square = mean + room, *cross = square + room;
    Ring rings[3];
    for (int n = 0; n < 3; ++n)
        for (int k = 0; k < window; ++k) rings[n].rows[k] = memory + room * (5 + n * window + k);
    memset(sums, 0, 6 * sizeof(double));
    for (int in = 0; in < h + reach; ++in) {
        if (in < h) {
            const float *b = other + (size_t)in * w, *a = s->planes[c] + (size_t)in * w;
            float *p = padded + reach;
            memcpy(p, b, w * sizeof(float));
            blur_row(padded, rings[0].rows[in % window], w);
            for (int x = 0; x < w; ++x) p[x] = b[x] * b[x];
            blur_row(padded, rings[1].rows[in % window], w);
            for (int x = 0; x < w; ++x) p[x] = a[x] * b[x];
            blur_row(padded, rings[2].rows[in % window], w);
        }
        int y = in - reach;
        if (y < 0) continue;
        blur_column(&rings[0], y, h, zeros, mean, w);
        blur_column(&rings[1], y, h, zeros, square, w);
        blur_column(&rings[2], y, h, zeros, cross, w);
        const float *a = s->planes[c] + (size_t)y * w, *b = other + (size_t)y * w;
        const float *m1 = s->means[c] + (size_t)y * w, *s11 = s->squares[c] + (size_t)y * w;
        float row[6] = {0};
        for (int x = 0; x < w; ++x) {
            float difference = m1[x] - mean[x];
            float numerator = (1 - difference * difference) * (2 * (cross[x] - m1[x] * mean[x]) + 0.0009f);
            float d = fmaxf(1 - numerator / (s11[x] - m1[x] * m1[x] + square[x] - mean[x] * mean[x] + 0.0009f), 0);
            float edge = (1 + fabsf(b[x] - mean[x])) / (1 + fabsf(a[x] - m1[x])) - 1;
            float ring = fmaxf(edge, 0), lost = fmaxf(-edge, 0);
            row[0] += d, row[1] += d * d * (d * d);
            row[2] += ring, row[3] += ring * ring * (ring * ring);
            row[4] += lost, row[5] += lost * lost * (lost * lost);
        }
        for (int n = 0; n < 6; ++n) sums[n] += row[n];
    }
    for (int n = 0; n < 6; ++n) sums[n] = n % 2 ? sqrt(sqrt(sums[n] / ((double)w * h))) : sums[n] / ((double)w * h);
    free(memory);
}

static void blur(const float *in, int w, int h, int squared, float *out) {
    size_t room = (size_t)w + 2 * reach + 16;
    float *memory = calloc(room * (window + 2), sizeof(float));
    float *zeros = memory, *padded = memory + room;
    Ring ring;
    for (int k = 0; k < window; ++k) ring.rows[k] = memory + room * (2 + k);
    for (int row = 0; row < h + reach; ++row) {
        if (row < h) {
            const float *a = in + (size_t)row * w;
            for (int x = 0; x < w; ++x) padded[reach + x] = squared ? a[x] * a[x] : a[x];
            blur_row(padded, ring.rows[row % window], w);
        }
        if (row >= reach) blur_column(&ring, row - reach, h, zeros, out + (size_t)(row - reach) * w, w);
    }
    free(memory);
}

/// Prepares an image of 8-bit RGB for comparisons. Sides under 256 pixels make scores that are no SSIMULACRA2.
Reference *ssimulacra2_reference(const uint8_t *rgb, int width, int height) {
    fill_linear();
    Reference *reference = calloc(1, sizeof *reference);
    float **planes = linear_planes(rgb, width, height);
    for (int n = 0; n < scales && width >= 8 && height >= 8; ++n) {
        if (n) halve(planes, &width, &height);
        Scale *s = &reference->scales[reference->count++];
        s->width = width, s->height = height;
        for (int c = 0; c < channels; ++c) s->planes[c] = plane(width, height);
        xyb((const float *const *)planes, s->planes, (size_t)width * height);
        for (int c = 0; c < channels; ++c) {
            blur(s->planes[c], width, height, 0, s->means[c] = plane(width, height));
            blur(s->planes[c], width, height, 1, s->squares[c] = plane(width, height));
        }
    }
    for (int c = 0; c < channels; ++c) free(planes[c]);
    free(planes);
    return reference;
}

double ssimulacra2_score(const Reference *reference, const uint8_t *rgb) {
    int width = reference->scales[0].width, height = reference->scales[0].height;
    float **planes = linear_planes(rgb, width, height), *converted[channels];
    double score = 0;
    for (int n = 0; n < reference->count; ++n) {
        const Scale *s = &reference->scales[n];
        if (n) halve(planes, &width, &height);
        for (int c = 0; c < channels; ++c) converted[c] = plane(width, height);
        xyb((const float *const *)planes, converted, (size_t)width * height);
        for (int c = 0; c < channels; ++c) {
            double sums[6];
            compare(s, c, converted[c], sums);
            // In the weights' order: both norms of a scale, each for structure, ringing and blur.
            const double *weight = weights + (c * scales + n) * 6;
            for (int norm = 0; norm < 2; ++norm)
                for (int kind = 0; kind < 3; ++kind) score += weight[norm * 3 + kind] * sums[kind * 2 + norm];
            free(converted[c]);
        }
    }
    for (int c = 0; c < channels; ++c) free(planes[c]);
    free(planes);
    score *= 0.9562382616834844;
    score = 2.326765642916932 * score - 0.020884521182843837 * score * score + 6.248496625763138e-05 * score * score * score;
    return score > 0 ? 100 - 10 * pow(score, 0.6276336467831387) : 100;
}

void ssimulacra2_free(Reference *reference) {
    for (int n = 0; n < reference->count; ++n)
        for (int c = 0; c < channels; ++c) {
            free(reference->scales[n].planes[c]);
            free(reference->scales[n].means[c]);
            free(reference->scales[n].squares[c]);
        }
    free(reference);
}

// Copyright (c) the JPEG XL Project Authors.
// All rights reserved.
//
// Redistribution and use in source and binary forms, with or without
// modification, are permitted provided that the following conditions are met:
//
// 1. Redistributions of source code must retain the above copyright notice, this
//    list of conditions and the following disclaimer.
//
// 2. Redistributions in binary form must reproduce the above copyright notice,
//    this list of conditions and the following disclaimer in the documentation
//    and/or other materials provided with the distribution.
//
// 3. Neither the name of the copyright holder nor the names of its
//    contributors may be used to endorse or promote products derived from
//    this software without specific prior written permission.
//
// THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
// AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
// IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
// DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
// FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
// DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
// SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
// CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
// OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
// OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
