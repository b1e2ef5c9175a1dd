#pragma once
#if !__has_include(<libheif/heif.h>)
#error "Calotype needs libheif, which is missing: sudo apt-get install libheif-dev"
#endif
#include <libheif/heif.h>
