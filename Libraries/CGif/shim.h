#pragma once
#if !__has_include(<gif_lib.h>)
#error "Calotype needs giflib, which is missing: sudo apt-get install libgif-dev"
#endif
#include <gif_lib.h>
