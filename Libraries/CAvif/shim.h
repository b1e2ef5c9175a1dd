#pragma once
#if !__has_include(<avif/avif.h>)
#error "Calotype needs libavif, which is missing: sudo apt-get install libavif-dev"
#endif
#include <avif/avif.h>

// Gives an image a copy of an EXIF block. Returns 0 without memory. Since libavif 1.0 its own function returns a result.
static inline int calotype_avif_set_exif(avifImage *image, const uint8_t *block, size_t count) {
    (void)avifImageSetMetadataExif(image, block, count);
    return image->exif.size == count;
}
