#pragma once
#if !__has_include(<avif/avif.h>)
#error "Calotype needs libavif, which is missing: sudo apt-get install libavif-dev"
#endif
#include <avif/avif.h>
