#pragma once
#include <stddef.h>

// libvips is only a yardstick of the benchmarks: looked up while running, so that nothing needs it to build. What is
// left to declare are the variadic functions, which Swift cannot call.
typedef int (*calotype_vips_thumbnail_function)(void *bytes, size_t length, void **image, int width, ...);
typedef int (*calotype_vips_resize_function)(void *image, void **result, double scale, ...);

/// A height of 0 follows from the width; any other is forced, without regard to the ratio.
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
