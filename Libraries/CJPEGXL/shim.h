#pragma once
#if !__has_include(<jxl/decode.h>)
#error "Calotype needs libjxl, which is missing: sudo apt-get install libjxl-dev"
#endif
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/version.h>

// Until libjxl 0.8 both functions have a parameter for a format of pixels, which they ignore.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define CALOTYPE_JXL_FORMAT NULL,
#else
#define CALOTYPE_JXL_FORMAT
#endif

/// Gets the size of the ICC profile of the decoded pixels.
static inline JxlDecoderStatus calotype_jxl_profile_size(const JxlDecoder *decoder, size_t *size) {
    return JxlDecoderGetICCProfileSize(decoder, CALOTYPE_JXL_FORMAT JXL_COLOR_PROFILE_TARGET_DATA, size);
}

static inline JxlDecoderStatus calotype_jxl_profile(const JxlDecoder *decoder, uint8_t *profile, size_t size) {
    return JxlDecoderGetColorAsICCProfile(decoder, CALOTYPE_JXL_FORMAT JXL_COLOR_PROFILE_TARGET_DATA, profile, size);
}
