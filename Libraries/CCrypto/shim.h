#pragma once
#if !__has_include(<openssl/evp.h>)
#error "Calotype needs OpenSSL, which is missing: sudo apt-get install libssl-dev"
#endif
#include <openssl/evp.h>
#include <openssl/params.h>
