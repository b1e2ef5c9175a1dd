#pragma once
// What Linux has and Swift's Glibc module has not. No header that Glibc has, which would take its declarations over.
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

long syscall(long number, ...);

// accept4 by its number: glibc declares it for _GNU_SOURCE only.
static inline int calotype_accept(int listener, void *address, unsigned int *size, int flags) {
    return (int)syscall(SYS_accept4, listener, address, size, flags);
}

// Bytes that the other side has not acknowledged, sent or not; -1 where the kernel does not say.
static inline int calotype_unacknowledged(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -1;
}
