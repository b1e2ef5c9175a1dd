#pragma once
#include <stddef.h>

// libvips is only a yardstick of the benchmarks: looked up while running, so that nothing needs it to build. What is
// left to declare is the variadic function, which Swift cannot call.
typedef int (*calotype_vips_thumbnail_function)(void *bytes, size_t length, void **image, int width, ...);

static inline int calotype_vips_thumbnail(void *function, void *bytes, size_t length, void **image, int width) {
    return ((calotype_vips_thumbnail_function)function)(bytes, length, image, width, (void *)0);
}
