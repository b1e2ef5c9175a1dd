#pragma once
#if !__has_include(<libheif/heif.h>)
#error "Calotype needs libheif, which is missing: sudo apt-get install libheif-dev"
#endif
#include <libheif/heif.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

// Has malloc clear the memory that it returns, on all threads, or behave again as the environment says. glibc writes the
// complement of M_PERTURB.
static inline void calotype_clear_allocations(bool is_on) {
    const char *own = getenv("MALLOC_PERTURB_");
    mallopt(M_PERTURB, is_on ? 0xFF : own ? atoi(own) : 0);
}
