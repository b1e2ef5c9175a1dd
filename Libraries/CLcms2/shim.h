#pragma once
#if !__has_include(<lcms2.h>)
#error "Calotype needs Little CMS, which is missing: sudo apt-get install liblcms2-dev"
#endif
#include <lcms2.h>

// lcms2 defines pixel formats as nested macros, which Swift cannot import.
static inline cmsUInt32Number calotype_bgra(void) { return TYPE_BGRA_8; }
static inline cmsUInt32Number calotype_cmyk_inverted(void) { return TYPE_CMYK_8_REV; }
