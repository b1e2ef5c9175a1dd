#pragma once
#if !__has_include(<jxl/decode.h>)
#error "Calotype needs libjxl, which is missing: sudo apt-get install libjxl-dev"
#endif
#include <jxl/decode.h>
#include <jxl/encode.h>
