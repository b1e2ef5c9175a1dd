#pragma once
#if !__has_include(<openssl/evp.h>)
#error "Calotype needs OpenSSL, which is missing: sudo apt-get install libssl-dev"
#endif
#include <openssl/evp.h>
#include <openssl/params.h>

// Sets the key of an HMAC with SHA-256. Written in C because the parameters keep pointers to their names: Swift's pointer
// to a string is valid only during one call.
static inline int calotype_hmac_key(EVP_MAC_CTX *context, const unsigned char *key, size_t size) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string("digest", (char *)"SHA256", 0), OSSL_PARAM_construct_end()};
    return EVP_MAC_init(context, key, size, parameters);
}
