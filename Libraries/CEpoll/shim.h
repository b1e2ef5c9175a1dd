#pragma once
// Functions that Swift's Glibc module lacks. Include no header of that module: its declarations would move to this one.
#include <asm/ioctls.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

long syscall(long number, ...);
// Of <sys/ioctl.h>, whose structures would move to this module.
int ioctl(int descriptor, unsigned long request, ...);

// Calls accept4 by its number, because glibc declares it only for _GNU_SOURCE.
static inline int calotype_accept(int listener, void *address, unsigned int *size, int flags) {
    return (int)syscall(SYS_accept4, listener, address, size, flags);
}

// Returns the number of bytes in the send buffer that the peer has not acknowledged, or -1 if it is unknown.
static inline int calotype_unacknowledged(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -1;
}
