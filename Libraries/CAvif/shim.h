#pragma once
#if !__has_include(<avif/avif.h>)
#error "Calotype needs libavif, which is missing: sudo apt-get install libavif-dev"
#endif
#include <avif/avif.h>

// Since libavif 1.0 the field `mode` of imir is called `axis`. Its values mean the same.
#if AVIF_VERSION_MAJOR >= 1
#define CALOTYPE_AVIF_MIRROR(image) ((image)->imir.axis)
#else
#define CALOTYPE_AVIF_MIRROR(image) ((image)->imir.mode)
#endif

/// Returns 0 if imir exchanges top and bottom, and 1 if it exchanges left and right.
static inline uint8_t calotype_avif_mirror(const avifImage *image) { return CALOTYPE_AVIF_MIRROR(image); }

static inline void calotype_avif_set_mirror(avifImage *image, uint8_t mirror) { CALOTYPE_AVIF_MIRROR(image) = mirror; }

/// Returns whether libavif understands all references between images and between tracks (1.1 and newer).
static inline int calotype_avif_follows_references(void) { return AVIF_VERSION >= 1010000; }

/// Returns how often a sequence repeats after it has played once. Negative if it repeats forever, or if the number is unknown,
/// as it is to libavif before 1.0: browsers repeat forever then.
static inline int calotype_avif_repetitions(const avifDecoder *decoder) {
#if AVIF_VERSION_MAJOR >= 1
    return decoder->repetitionCount;
#else
    return -1;
#endif
}

// Gives an image a copy of an EXIF block. Returns 0 without memory. Since libavif 1.0 its own function returns a result.
static inline int calotype_avif_set_exif(avifImage *image, const uint8_t *block, size_t count) {
    (void)avifImageSetMetadataExif(image, block, count);
    return image->exif.size == count;
}

/// Sets an option of the codec. Returns 0 if libavif refuses it; before 1.0, it does so while it encodes.
static inline int calotype_avif_set_option(avifEncoder *encoder, const char *name, const char *value) {
#if AVIF_VERSION_MAJOR >= 1
    return avifEncoderSetCodecSpecificOption(encoder, name, value) == AVIF_RESULT_OK;
#else
    avifEncoderSetCodecSpecificOption(encoder, name, value);
    return 1;
#endif
}
