#pragma once
#if !__has_include(<webp/decode.h>)
#error "Calotype needs libwebp, which is missing: sudo apt-get install libwebp-dev"
#endif
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>
