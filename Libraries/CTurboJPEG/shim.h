#pragma once
#if !__has_include(<turbojpeg.h>)
#error "Calotype needs libjpeg-turbo, which is missing: sudo apt-get install libturbojpeg0-dev"
#endif
#include <turbojpeg.h>
