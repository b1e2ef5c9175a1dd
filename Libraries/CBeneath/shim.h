#pragma once
// Calls openat2(2) by its number, because glibc 2.36 has no function for it.
#include <linux/openat2.h>
#include <sys/syscall.h>

long syscall(long number, ...);

// Opens a path within the folder. Returns -1 with errno on failure, also if ".." or a link leaves the folder.
static inline int calotype_open_beneath(int folder, const char *path, int flags) {
    struct open_how how = {.flags = (unsigned long long)(unsigned)flags, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}
