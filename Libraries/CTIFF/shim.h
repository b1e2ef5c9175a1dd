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

typedef struct {
    uint32_t width;
    uint32_t height;
    uint16_t orientation;
    uint16_t samples;
    uint16_t bits;
    int has_alpha;
} CalotypeTIFFHeader;

/// Reads the header. Returns 1, or 0 for an invalid directory, or -1 for pixels that libtiff cannot convert to RGBA.
static inline int calotype_tiff_header(TIFF *tiff, CalotypeTIFF *file, CalotypeTIFFHeader *header) {
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &header->width)) return 0;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &header->height)) return 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &header->orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &header->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &header->bits);
    char message[1024] = "";
    TIFFRGBAImage image;
    if (!TIFFRGBAImageOK(tiff, message) || !TIFFRGBAImageBegin(&image, tiff, 1, message)) {
        if (message[0] != 0) snprintf(file->message, sizeof file->message, "%s", message);
        return -1;
    }
    header->has_alpha = image.alpha != 0;
    TIFFRGBAImageEnd(&image);
    return 1;
}

/// Writes all pixels in stored order, premultiplied, with red in the lowest byte. Returns 0 if they are damaged.
static inline int calotype_tiff_pixels(TIFF *tiff, uint32_t *pixels) {
    char message[1024];
    TIFFRGBAImage image;
    if (!TIFFRGBAImageBegin(&image, tiff, 1, message)) return 0;
    image.orientation = image.req_orientation = ORIENTATION_TOPLEFT;
    int is_read = TIFFRGBAImageGet(&image, pixels, image.width, image.height);
    TIFFRGBAImageEnd(&image);
    return is_read;
}
