#pragma once
#if !__has_include(<turbojpeg.h>)
#error "Calotype needs libjpeg-turbo, which is missing: sudo apt-get install libturbojpeg0-dev"
#endif
#include <turbojpeg.h>
#if __has_include(<jconfig.h>)
#include <jconfig.h>
#endif

/// Returns the version of the headers, such as 2001005 for 2.1.5, or 0 if it is unknown. The library has no
/// function for its version.
static inline int calotype_turbojpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION_NUMBER
    return LIBJPEG_TURBO_VERSION_NUMBER;
#else
    return 0;
#endif
}
