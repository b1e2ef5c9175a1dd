#pragma once
#if !__has_include(<curl/curl.h>)
#error "Calotype needs libcurl, which is missing: sudo apt-get install libcurl4-openssl-dev"
#endif
#if !__has_include(<openssl/ssl.h>)
#error "Calotype needs OpenSSL, which is missing: sudo apt-get install libssl-dev"
#endif
#include <curl/curl.h>
#include <openssl/ssl.h>
#include <stdbool.h>

// Swift can neither call variadic C functions nor import macros that call them.

static inline const curl_version_info_data *calotype_curl_version(void) { return curl_version_info(CURLVERSION_NOW); }

typedef size_t (*calotype_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*calotype_curl_prereq_callback)(void *context, char *remote, char *local, int remotePort, int localPort);

static inline CURLcode calotype_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode calotype_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode calotype_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode calotype_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode calotype_curl_set_fields(CURL *easy, struct curl_slist *fields) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

static inline CURLcode calotype_curl_set_data_callback(
    CURL *easy, CURLoption option, calotype_curl_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode calotype_curl_set_prereq_callback(CURL *easy, calotype_curl_prereq_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode calotype_curl_set_socket_callbacks(
    CURL *easy, curl_opensocket_callback open, void *opener, curl_closesocket_callback close, void *closer) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    if (result == CURLE_OK) result = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, opener);
    if (result == CURLE_OK) result = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
    if (result == CURLE_OK) result = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, closer);
    return result;
}

static inline CURLSHcode calotype_curl_share_tls_sessions(CURLSH *share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

// Returns the transfer's current TLS connection, or NULL without TLS or if libcurl uses another library than OpenSSL.
static inline SSL *calotype_curl_tls(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

static inline bool calotype_tls_speaks_http2(const SSL *tls) {
    const unsigned char *name = NULL;
    unsigned int length = 0;
    SSL_get0_alpn_selected(tls, &name, &length);
    return length == 2 && name[0] == 'h' && name[1] == '2';
}

static inline CURLcode calotype_curl_set_addresses(CURL *easy, struct curl_slist *addresses) {
    return curl_easy_setopt(easy, CURLOPT_RESOLVE, addresses);
}

static inline void calotype_curl_set_lookup_callback(
    CURL *easy, curl_resolver_start_callback callback, void *context) {
    curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callback);
    curl_easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, context);
}

static inline void calotype_curl_set_protocols(CURL *easy, const char *protocols) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, protocols);
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static inline void *calotype_curl_private(CURL *easy) {
    void *context = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
    return context;
}

static inline curl_off_t calotype_curl_uploaded(CURL *easy) {
    curl_off_t bytes = 0;
    curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &bytes);
    return bytes;
}

static inline CURLMcode calotype_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline size_t calotype_curl_readfunc_pause(void) { return CURL_READFUNC_PAUSE; }
static inline size_t calotype_curl_readfunc_abort(void) { return CURL_READFUNC_ABORT; }
static inline size_t calotype_curl_writefunc_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline CURLcode calotype_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
