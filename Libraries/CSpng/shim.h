#pragma once
#if !__has_include(<spng.h>)
#error "Calotype needs libspng, which is missing: sudo apt-get install libspng-dev"
#endif
#include <spng.h>
