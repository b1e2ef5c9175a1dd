#pragma once
#include <stddef.h>

// Only the benchmarks use libvips. They load it at run time, so that no build needs it. Swift cannot call its functions,
// because they are variadic.
typedef int (*calotype_vips_thumbnail_function)(void *bytes, size_t length, void **image, int width, ...);
typedef int (*calotype_vips_resize_function)(void *image, void **result, double scale, ...);
typedef int (*calotype_vips_save_function)(void *image, void **bytes, size_t *length, ...);

/// With a height of 0, the image keeps its aspect ratio; any other height stretches it.
static inline int calotype_vips_thumbnail(
    void *function, void *bytes, size_t length, void **image, int width, int height) {
    calotype_vips_thumbnail_function thumbnail = (calotype_vips_thumbnail_function)function;
    if (height == 0) return thumbnail(bytes, length, image, width, (void *)0);
    const int force = 3;
    return thumbnail(bytes, length, image, width, "height", height, "size", force, (void *)0);
}

static inline int calotype_vips_resize(void *function, void *image, void **result, double scale) {
    return ((calotype_vips_resize_function)function)(image, result, scale, (void *)0);
}

static inline int calotype_vips_save_jpeg(
    void *function, void *image, void **bytes, size_t *length, int quality) {
    return ((calotype_vips_save_function)function)(image, bytes, length, "Q", quality, (void *)0);
}
