#pragma once
// Descriptors, limits and the filter of decoder processes: what Swift's Glibc module leaves out, and what is variadic or
// a macro in C.
#if !__has_include(<seccomp.h>)
#error "Calotype needs libseccomp, which is missing: sudo apt-get install libseccomp-dev"
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// glibc declares these for _GNU_SOURCE only.
int memfd_create(const char *name, unsigned flags);
long syscall(long number, ...);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

enum { CALOTYPE_SOCKET = 3, CALOTYPE_INPUT = 4, CALOTYPE_OUTPUT = 5 };

// MARK: - Regions

// A memory file of this size, which nobody can make shorter or longer. -1 with errno on failure.
static inline int calotype_region(size_t size) {
    enum { add_seals = 1033, seal = 1, shrink = 2, grow = 4, close_on_exec = 1, may_be_sealed = 2 };
    int region = memfd_create("calotype", close_on_exec | may_be_sealed);
    if (region < 0) return -1;
    if (ftruncate(region, (off_t)size) == 0 && fcntl(region, add_seals, seal | shrink | grow) == 0) return region;
    int error = errno;
    close(region);
    errno = error;
    return -1;
}

// The same file, which can only be read through this descriptor. -1 with errno on failure.
static inline int calotype_reading(int region) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", region);
    return open(path, O_RDONLY | O_CLOEXEC);
}

// A copy of the descriptor out of the way of those that a worker gets.
static inline int calotype_moved(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 16); }

// MARK: - Messages

static inline int calotype_socket_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

// Sends one message with at most two descriptors, without waiting.
static inline ssize_t calotype_send(int socket, const void *message, size_t size, const int *descriptors, int count) {
    union { struct cmsghdr header; char bytes[CMSG_SPACE(2 * sizeof(int))]; } control = {0};
    struct iovec part = {(void *)message, size};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        head.msg_control = &control;
        head.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
        struct cmsghdr *item = CMSG_FIRSTHDR(&head);
        item->cmsg_level = SOL_SOCKET;
        item->cmsg_type = SCM_RIGHTS;
        item->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
        memcpy(CMSG_DATA(item), descriptors, (size_t)count * sizeof(int));
    }
    ssize_t sent;
    do { sent = sendmsg(socket, &head, MSG_NOSIGNAL | MSG_DONTWAIT); } while (sent < 0 && errno == EINTR);
    return sent;
}

// Waits for one message and at most two descriptors; the others become -1.
static inline ssize_t calotype_receive(int socket, void *message, size_t size, int descriptors[2]) {
    union { struct cmsghdr header; char bytes[CMSG_SPACE(2 * sizeof(int))]; } control = {0};
    struct iovec part = {message, size};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    do { count = recvmsg(socket, &head, MSG_CMSG_CLOEXEC); } while (count < 0 && errno == EINTR);
    descriptors[0] = descriptors[1] = -1;
    struct cmsghdr *item = count > 0 ? CMSG_FIRSTHDR(&head) : NULL;
    if (item && item->cmsg_type == SCM_RIGHTS && item->cmsg_len <= CMSG_LEN(2 * sizeof(int)))
        memcpy(descriptors, CMSG_DATA(item), item->cmsg_len - CMSG_LEN(0));
    return count;
}

// MARK: - Processes

// Starts a program with /dev/null as its three standard files, and with these three descriptors as 3, 4 and 5. It gets no
// other. Returns 0, or the number of an error.
static inline int calotype_spawn(
    const char *path, char *const arguments[], char *const environment[], const int descriptors[3], pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    posix_spawnattr_init(&attributes);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    // A group of its own: Ctrl-C ends the program, which ends its decoders.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, 0, 1);
    posix_spawn_file_actions_adddup2(&actions, 0, 2);
    for (int index = 0; index < 3; index++)
        posix_spawn_file_actions_adddup2(&actions, descriptors[index], CALOTYPE_SOCKET + index);
    posix_spawn_file_actions_addclosefrom_np(&actions, CALOTYPE_OUTPUT + 1);
    error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

// Sets the soft limit on the memory that the process may map, in bytes.
static inline int calotype_limit_memory(pid_t process, uint64_t bytes) {
    struct rlimit64 { uint64_t soft, hard; } limit = {0, 0};
    if (syscall(SYS_prlimit64, process, RLIMIT_AS, NULL, &limit) != 0) return -1;
    limit.soft = bytes < limit.hard ? bytes : limit.hard;
    return (int)syscall(SYS_prlimit64, process, RLIMIT_AS, &limit, NULL);
}

static inline int calotype_exit_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
static inline int calotype_exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 0; }

// What Swift does not let a program call. For the tests of the filter.
static inline int calotype_fork(void) { return fork(); }
static inline long calotype_trace_anyone(void) { return syscall(SYS_ptrace, 0, 0, 0, 0); }

// MARK: - The worker's own lock

// Ends this process when the thread that started it ends. Returns whether that process still runs.
static inline int calotype_end_with_parent(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

static inline int calotype_limit(int resource, uint64_t bytes) {
    struct rlimit limit = {bytes, bytes};
    return setrlimit((__rlimit_resource_t)resource, &limit);
}

// The status of a worker whose codec crashed because it got no memory.
enum { CALOTYPE_NO_MEMORY = 77 };

static inline void calotype_crashed(int signal) {
    (void)signal;
    if (mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        _exit(CALOTYPE_NO_MEMORY);
    // Otherwise the signal comes again, and ends the process.
}

// Lets the parent tell a crash for want of memory from others.
static inline void calotype_watch_memory(void) {
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    struct sigaction action = {.sa_handler = calotype_crashed, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
    const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT};
    if (!stack.ss_sp || sigaltstack(&stack, NULL) != 0) return;
    for (int index = 0; index < 5; index++) sigaction(signals[index], &action, NULL);
}

static inline int calotype_allow(scmp_filter_ctx filter, uint32_t action, const char *const *names, int count) {
    for (int index = 0; index < count; index++) {
        int number = seccomp_syscall_resolve_name(names[index]);
        // Not every architecture has every call.
        if (number >= 0 && seccomp_rule_add(filter, action, number, 0) != 0) return -1;
    }
    return 0;
}

enum {
    CALOTYPE_THREAD_FLAGS = 0x00010000 /* CLONE_THREAD */ | 0x00000100 /* CLONE_VM */ | 0x00000800 /* CLONE_SIGHAND */,
    // And none of the flags for new namespaces, or for tracing.
    CALOTYPE_CLONE_MASK = CALOTYPE_THREAD_FLAGS | 0x7E020000 | 0x00002000,
};

// Forbids this process everything but computing, its memory, and messages through the descriptors that it has.
// Returns NULL, or the name of the part that is missing.
static inline const char *calotype_lock(void) {
    static const char *const allowed[] = {
        "read", "write", "recvfrom", "recvmsg", "munmap", "mremap", "madvise", "brk", "futex", "close", "exit",
        "exit_group", "rt_sigreturn", "rt_sigprocmask", "restart_syscall", "getrandom", "clock_gettime", "getrusage",
        "sched_yield", "sched_getaffinity", "gettimeofday", "time", "getpid", "gettid",
        // What a new thread does first, and threads of the sanitizers.
        "rseq", "set_robust_list", "sigaltstack", "nanosleep", "clock_nanosleep",
    };
    // Libraries ask, and go on without an answer. Which of these they ask depends on the version of glibc.
    static const char *const refused[] = {
        "open", "openat", "newfstatat", "stat", "lstat", "access", "faccessat", "faccessat2", "readlink", "readlinkat",
        "getcwd", "fstat", "statx", "lseek", "ioctl", "prctl", "prlimit64", "getrlimit", "uname", "sysinfo", "getcpu",
        "rt_sigaction", "getuid", "geteuid", "getgid", "getegid", "getppid", "statfs", "fstatfs",
        "getdents64", "pread64", "fcntl", "poll",
        // GLib asks about its standard error before it writes a warning there.
        "getpeername", "getsockname", "getsockopt",
    };
    if (calotype_limit(RLIMIT_FSIZE, 0) || calotype_limit(RLIMIT_CORE, 0) || calotype_limit(RLIMIT_NOFILE, 16))
        return "limits of resources";
    if (prctl(PR_SET_DUMPABLE, 0) != 0) return "PR_SET_DUMPABLE";
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return "libseccomp";
    const char *missing = NULL;
    uint32_t refuse = SCMP_ACT_ERRNO(EACCES);
    if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) != 0
        || seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) != 0
        || calotype_allow(filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed) != 0
        || calotype_allow(filter, refuse, refused, sizeof refused / sizeof *refused) != 0
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) != 0
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) != 0
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 2, SCMP_A0(SCMP_CMP_EQ, CALOTYPE_SOCKET),
               SCMP_A4(SCMP_CMP_EQ, 0)) != 0
        // A thread is confined like the worker, and libde265 decodes in one. The flags of clone3 are out of a filter's
        // sight; without it, glibc takes clone.
        || seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) != 0
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
               SCMP_A0(SCMP_CMP_MASKED_EQ, CALOTYPE_CLONE_MASK, CALOTYPE_THREAD_FLAGS)) != 0
        // abort() signals its own thread.
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
               SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())) != 0)
        missing = "a filter of system calls that libseccomp can write";
    // It sets no_new_privs as well.
    else if (seccomp_load(filter) != 0)
        missing = "seccomp in this kernel or container";
    seccomp_release(filter);
    return missing;
}
