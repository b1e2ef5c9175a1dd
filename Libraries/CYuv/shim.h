#pragma once
#if !__has_include(<libyuv.h>)
#error "Calotype needs libyuv, which is missing: sudo apt-get install libyuv-dev"
#endif
#include <libyuv.h>
