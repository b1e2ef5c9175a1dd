#pragma once
#if !__has_include(<tiffio.h>)
#error "Calotype needs libtiff, which is missing: sudo apt-get install libtiff-dev"
#endif
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>
#if TIFFLIB_VERSION < 20221213
#error "Calotype needs libtiff 4.5 or newer, which has an error handler for each file"
#endif

// Swift can neither call variadic C functions nor receive a va_list.

/// A file in memory, and the first error that libtiff has reported for it.
typedef struct {
    const uint8_t *bytes;
    uint64_t count;
    uint64_t offset;
    char message[200];
} CalotypeTIFF;

static inline tmsize_t calotype_tiff_read(thandle_t handle, void *target, tmsize_t size) {
    CalotypeTIFF *file = handle;
    uint64_t left = file->offset < file->count ? file->count - file->offset : 0;
    tmsize_t count = (uint64_t)size < left ? size : (tmsize_t)left;
    if (count > 0) memcpy(target, file->bytes + file->offset, (size_t)count);
    file->offset += (uint64_t)count;
    return count;
}

static inline tmsize_t calotype_tiff_write(thandle_t handle, void *source, tmsize_t size) { return -1; }

static inline toff_t calotype_tiff_seek(thandle_t handle, toff_t offset, int from) {
    CalotypeTIFF *file = handle;
    file->offset = offset + (from == SEEK_CUR ? file->offset : from == SEEK_END ? file->count : 0);
    return file->offset;
}

static inline int calotype_tiff_close(thandle_t handle) { return 0; }

static inline toff_t calotype_tiff_size(thandle_t handle) { return ((CalotypeTIFF *)handle)->count; }

static inline int calotype_tiff_map(thandle_t handle, void **base, toff_t *size) {
    CalotypeTIFF *file = handle;
    *base = (void *)file->bytes;
    *size = file->count;
    return 1;
}

static inline void calotype_tiff_unmap(thandle_t handle, void *base, toff_t size) {}

static inline int calotype_tiff_error(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    CalotypeTIFF *file = user;
    if (file->message[0] == 0) vsnprintf(file->message, sizeof file->message, format, values);
    return 1;
}

static inline int calotype_tiff_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    return 1;
}

/// Opens a TIFF file. Returns NULL on failure. `file` must stay at its address until TIFFClose.
///
/// libtiff allocates at most `largest` bytes at a time.
static inline TIFF *calotype_tiff_open(CalotypeTIFF *file, tmsize_t largest) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, largest);
    TIFFOpenOptionsSetErrorHandlerExtR(options, calotype_tiff_error, file);
    TIFFOpenOptionsSetWarningHandlerExtR(options, calotype_tiff_warning, file);
    TIFF *tiff = TIFFClientOpenExt(
        "", "r", file, calotype_tiff_read, calotype_tiff_write, calotype_tiff_seek, calotype_tiff_close,
        calotype_tiff_size, calotype_tiff_map, calotype_tiff_unmap, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

static inline const char *calotype_tiff_message(const CalotypeTIFF *file) { return file->message; }

enum { CALOTYPE_TIFF_OPAQUE, CALOTYPE_TIFF_PREMULTIPLIED, CALOTYPE_TIFF_STRAIGHT };

typedef struct {
    uint32_t width;
    uint32_t height;
    uint16_t orientation;
    uint16_t samples;
    uint16_t bits;
    uint16_t photometric;
    /// The number of samples of a color.
    uint16_t colors;
    /// Whether the samples are of a kind that is read as stored: libtiff's conversion to RGBA loses or misreads alpha.
    int is_plain;
    int is_planar;
    int is_tiled;
    /// The size of a tile, or of a strip.
    uint32_t block_width;
    uint32_t block_height;
    /// One of the three kinds, and the index of the sample.
    int alpha;
    uint16_t alpha_sample;
    /// The three channels of the palette's 256 colors.
    const uint16_t *palette[3];
    const uint8_t *profile;
    uint32_t profile_size;
} CalotypeTIFFHeader;

static inline int calotype_tiff_unsupported(CalotypeTIFF *file, const char *message) {
    snprintf(file->message, sizeof file->message, "%s", message);
    return -1;
}

/// Finds the first sample that is alpha. Unspecified samples may be anything, such as a selection.
static inline void calotype_tiff_alpha(TIFF *tiff, CalotypeTIFFHeader *header) {
    uint16_t count = 0, *kinds = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    for (uint16_t index = 0; index < count && header->colors + index < header->samples; index++) {
        if (kinds[index] != EXTRASAMPLE_ASSOCALPHA && kinds[index] != EXTRASAMPLE_UNASSALPHA) continue;
        header->alpha =
            kinds[index] == EXTRASAMPLE_ASSOCALPHA ? CALOTYPE_TIFF_PREMULTIPLIED : CALOTYPE_TIFF_STRAIGHT;
        header->alpha_sample = (uint16_t)(header->colors + index);
        return;
    }
}

/// Reads the layout of gray, RGB, CMYK and palettes with 8 or 16 bits. Returns 1, or -1 if it is not supported.
static inline int calotype_tiff_plain(TIFF *tiff, CalotypeTIFF *file, CalotypeTIFFHeader *header) {
    uint16_t format = SAMPLEFORMAT_UINT, planes = PLANARCONFIG_CONTIG, compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID)
        return calotype_tiff_unsupported(file, "its samples are no unsigned integers");
    if (!TIFFIsCODECConfigured(compression)) return calotype_tiff_unsupported(file, "unknown compression");
    if (header->photometric == PHOTOMETRIC_SEPARATED && header->alpha != CALOTYPE_TIFF_OPAQUE)
        return calotype_tiff_unsupported(file, "CMYK with alpha");
    header->is_planar = planes == PLANARCONFIG_SEPARATE && header->samples > 1;
    header->is_tiled = TIFFIsTiled(tiff);
    if (header->is_tiled) {
        if (!TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &header->block_width)
            || !TIFFGetField(tiff, TIFFTAG_TILELENGTH, &header->block_height))
            return 0;
    } else {
        header->block_width = header->width;
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &header->block_height);
        if (header->block_height > header->height) header->block_height = header->height;
    }
    header->is_plain = 1;
    return header->block_width > 0 && header->block_height > 0;
}

/// Reads the header. Returns 1, or 0 for an invalid directory, or -1 for pixels that are not supported.
static inline int calotype_tiff_header(TIFF *tiff, CalotypeTIFF *file, CalotypeTIFFHeader *header) {
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &header->width)) return 0;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &header->height)) return 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &header->orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &header->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &header->bits);
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &header->photometric))
        header->photometric = header->samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
    if (!TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &header->profile_size, &header->profile)) header->profile_size = 0;

    int is_plain = header->bits == 8 || header->bits == 16;
    uint16_t inks = INKSET_CMYK;
    header->colors = 3;
    switch (header->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
        header->colors = 1;
        break;
    case PHOTOMETRIC_RGB:
        break;
    case PHOTOMETRIC_PALETTE:
        header->colors = 1;
        is_plain = header->bits == 8
            && TIFFGetField(
                       tiff, TIFFTAG_COLORMAP, &header->palette[0], &header->palette[1], &header->palette[2]);
        break;
    case PHOTOMETRIC_SEPARATED:
        header->colors = 4;
        TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &inks);
        if (inks != INKSET_CMYK) is_plain = 0;
        break;
    default:
        is_plain = 0;
    }
    calotype_tiff_alpha(tiff, header);
    if (is_plain && header->samples >= header->colors) return calotype_tiff_plain(tiff, file, header);

    // libtiff's conversion ignores this alpha.
    if (header->alpha != CALOTYPE_TIFF_OPAQUE)
        return calotype_tiff_unsupported(file, "alpha beside colors of this kind");
    char message[1024] = "";
    TIFFRGBAImage image;
    if (!TIFFRGBAImageOK(tiff, message) || !TIFFRGBAImageBegin(&image, tiff, 1, message)) {
        if (message[0] != 0) snprintf(file->message, sizeof file->message, "%s", message);
        return -1;
    }
    TIFFRGBAImageEnd(&image);
    return 1;
}

/// Reads the strip or tile that begins at a pixel: one plane of it, or with all samples. Returns 0 if it is damaged.
static inline int calotype_tiff_block(
    TIFF *tiff, const CalotypeTIFFHeader *header, uint32_t x, uint32_t y, uint16_t plane, void *samples, tmsize_t size) {
    if (header->is_tiled) return TIFFReadTile(tiff, samples, x, y, 0, plane) >= 0;
    return TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, plane), samples, size) >= size;
}

/// Writes all pixels in stored order, opaque, with red in the lowest byte. Returns 0 if they are damaged.
static inline int calotype_tiff_pixels(TIFF *tiff, uint32_t *pixels) {
    char message[1024];
    TIFFRGBAImage image;
    if (!TIFFRGBAImageBegin(&image, tiff, 1, message)) return 0;
    image.orientation = image.req_orientation = ORIENTATION_TOPLEFT;
    int is_read = TIFFRGBAImageGet(&image, pixels, image.width, image.height);
    TIFFRGBAImageEnd(&image);
    return is_read;
}
