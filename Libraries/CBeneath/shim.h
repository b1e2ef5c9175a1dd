#pragma once
#include <fcntl.h>
// Calls openat2(2) by its number, because glibc 2.36 has no function for it.
#include <linux/openat2.h>
// Swift's Glibc module lacks it.
#include <sys/statfs.h>
#include <sys/syscall.h>

long syscall(long number, ...);

// O_PATH, which Swift's Glibc module lacks: opens a folder that permits a search alone, too.
static const int calotype_path_only = __O_PATH;

// Opens a path within the folder. Returns -1 with errno on failure, also if ".." or a link leaves the folder.
static inline int calotype_open_beneath(int folder, const char *path, int flags) {
    struct open_how how = {.flags = (unsigned long long)(unsigned)flags, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

// Sets the number of the type of the file system at a path. Returns -1 with errno on failure.
static inline int calotype_file_system(const char *path, unsigned *type) {
    struct statfs status;
    if (statfs(path, &status) != 0) return -1;
    *type = (unsigned)status.f_type;
    return 0;
}
