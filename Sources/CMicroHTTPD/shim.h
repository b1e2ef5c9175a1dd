#pragma once
#include <microhttpd.h>
#include <stdint.h>
#ifdef __linux__
// Not part of Swift's Glibc module.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

// Swift calls no variadic function and sees no macro with a cast: these wrappers say each once.

static const ssize_t calotype_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t calotype_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;
static const uint64_t calotype_mhd_size_unknown = MHD_SIZE_UNKNOWN;

struct calotype_mhd_callbacks {
    void *closure;
    MHD_AccessHandlerCallback handle;
    void *(*note_target)(void *closure, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback request_ended;
    MHD_NotifyConnectionCallback connection_changed;
};

struct calotype_mhd_limits {
    unsigned int threads;
    unsigned int connections;
    unsigned int idle_seconds;
    size_t connection_memory;
};

static inline struct MHD_Daemon *calotype_mhd_start(
    const struct sockaddr *address, struct calotype_mhd_callbacks callbacks, struct calotype_mhd_limits limits) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    struct MHD_OptionItem more[] = {
        {MHD_OPTION_END, 0, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
    // A pool of one thread is refused.
    if (limits.threads > 1) {
        more[0].option = MHD_OPTION_THREAD_POOL_SIZE;
        more[0].value = limits.threads;
    }
    return MHD_start_daemon(
        flags, 0, NULL, NULL, callbacks.handle, callbacks.closure,
        MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks.note_target, callbacks.closure,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks.request_ended, callbacks.closure,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection_changed, callbacks.closure,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.connection_memory,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_ARRAY, more, MHD_OPTION_END);
}

static inline uint16_t calotype_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

static inline void *calotype_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline int calotype_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Bytes of the request's head, from the method to the empty line; 0 where the library does not say.
static inline size_t calotype_mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

static inline const struct sockaddr *calotype_mhd_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : 0;
}

static inline enum MHD_Result calotype_mhd_set_flags(struct MHD_Response *response, enum MHD_ResponseFlags flags) {
    return MHD_set_response_options(response, flags, MHD_RO_END);
}
