#pragma once
// Descriptors, limits and the system call filter of decoder processes. Swift's Glibc module lacks some of these
// functions; the others are variadic in C, or macros.
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// glibc declares these for _GNU_SOURCE only.
int memfd_create(const char *name, unsigned flags);
long syscall(long number, ...);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

enum { CALOTYPE_SOCKET = 3, CALOTYPE_INPUT = 4, CALOTYPE_OUTPUT = 5 };

// MARK: - Regions

// Creates a memory file whose size is sealed. Returns -1 with errno on failure.
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

// Opens a memory file again, for reading only. Returns the new descriptor, or -1 with errno on failure.
static inline int calotype_reading(int region) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", region);
    return open(path, O_RDONLY | O_CLOEXEC);
}

// Duplicates a descriptor to a number of at least 16, which cannot collide with the descriptors of a worker.
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

// Waits for one message with at most two descriptors. Descriptors that the message lacks become -1.
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

// Starts a program with /dev/null as its three standard files, and with these three descriptors as 3, 4 and 5. The
// program inherits no other descriptors. Returns 0, or the error number.
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
    // Use a separate process group, so that Ctrl-C signals only the program, which ends its workers.
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

// The numbers of these calls are the same on all architectures but alpha.
enum { CALOTYPE_PIDFD_SEND_SIGNAL = 424, CALOTYPE_PIDFD_OPEN = 434 };

// Returns a descriptor of the process, which is closed on exec, or -1 with errno: ENOSYS before Linux 5.3.
static inline int calotype_process_descriptor(pid_t process) {
    return (int)syscall(CALOTYPE_PIDFD_OPEN, process, 0);
}

static inline int calotype_kill(int descriptor) {
    return (int)syscall(CALOTYPE_PIDFD_SEND_SIGNAL, descriptor, SIGKILL, NULL, 0);
}

// Waits for the end of a child, by its descriptor or, if that is -1, by its number. Returns 0 and the signal or the
// exit status, or -1 with ECHILD if there is no such child, or if the system has collected its status.
static inline int calotype_wait(int descriptor, pid_t process, int options, int *signal, int *status) {
    enum { by_descriptor = 3 /* P_PIDFD */ };
    siginfo_t end = {0};
    int result;
    do {
        result = descriptor < 0 ? waitid(P_PID, (id_t)process, &end, WEXITED | options)
                                : waitid((idtype_t)by_descriptor, (id_t)descriptor, &end, WEXITED | options);
        // Before Linux 5.4.
        if (result < 0 && errno == EINVAL && descriptor >= 0) descriptor = -1, errno = EINTR;
    } while (result < 0 && errno == EINTR);
    *signal = *status = 0;
    if (result == 0 && end.si_pid != 0) *(end.si_code == CLD_EXITED ? status : signal) = end.si_status;
    return result;
}

// Returns whether the process is a child of this one that nobody has waited for.
static inline int calotype_is_child(int descriptor, pid_t process) {
    int signal, status;
    return calotype_wait(descriptor, process, WNOHANG | WNOWAIT, &signal, &status) == 0;
}

// Returns the number of threads of a process by the descriptor of its folder /proc/PID/task, or 0 if it has ended.
static inline int calotype_threads(int folder) {
    struct stat status;
    return fstat(folder, &status) == 0 && status.st_nlink > 2 ? (int)status.st_nlink - 2 : 0;
}

// Returns the processor time of all threads of a process in nanoseconds, or -1 if it has ended.
static inline int64_t calotype_processor_time(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// System calls that Swift programs cannot make, for the tests of the filter.
static inline int calotype_fork(void) { return fork(); }
static inline long calotype_trace_anyone(void) { return syscall(SYS_ptrace, 0, 0, 0, 0); }

// MARK: - Privileges of a worker

// Has the kernel kill this process when the thread that started it ends. Returns 0 if `parent` has ended already.
static inline int calotype_end_with_parent(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

static inline int calotype_limit(int resource, uint64_t bytes) {
    struct rlimit limit = {bytes, bytes};
    return setrlimit((__rlimit_resource_t)resource, &limit);
}

// The exit status of a worker whose codec crashed because an allocation failed.
enum { CALOTYPE_NO_MEMORY = 77 };

static inline void calotype_crashed(int signal) {
    (void)signal;
    if (mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        _exit(CALOTYPE_NO_MEMORY);
    // If memory is available, the signal is raised again after this handler returns, and ends the process
    // (SA_RESETHAND).
}

// Makes crashes for lack of memory exit with CALOTYPE_NO_MEMORY, so that the parent recognizes them.
static inline void calotype_watch_memory(void) {
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    struct sigaction action = {.sa_handler = calotype_crashed, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
    const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT};
    if (!stack.ss_sp || sigaltstack(&stack, NULL) != 0) return;
    for (int index = 0; index < 5; index++) sigaction(signals[index], &action, NULL);
}

// Unmaps the pages of files that this process has read but not written, such as code that ran for the files of the start
// alone. They stay in the cache of files, and a page that is needed again is mapped again, which needs no system call.
static inline void calotype_release_clean_pages(void) {
    FILE *mappings = fopen("/proc/self/smaps", "re");
    if (!mappings) return;
    char line[4352], mode[5] = "";
    unsigned long start = 0, end = 0, inode = 0, anonymous;
    while (fgets(line, sizeof line, mappings)) {
        // "Anonymous" begins with a hexadecimal digit, which would replace the start of the mapping.
        if (strchr(line, '-') && sscanf(line, "%lx-%lx %4s %*x %*x:%*x %lu", &start, &end, mode, &inode) == 4) continue;
        if (sscanf(line, "Anonymous: %lu", &anonymous) != 1 || anonymous > 0 || inode == 0) continue;
        if (mode[1] == '-' && mode[3] == 'p') madvise((void *)start, end - start, MADV_DONTNEED);
    }
    fclose(mappings);
}

static inline int calotype_allow(scmp_filter_ctx filter, uint32_t action, const char *const *names, int count) {
    for (int index = 0; index < count; index++) {
        int number = seccomp_syscall_resolve_name(names[index]);
        // Skip calls that this architecture lacks.
        if (number >= 0 && seccomp_rule_add(filter, action, number, 0) != 0) return -1;
    }
    return 0;
}

// Refuses seccomp from now on, by an error number or, if that is 0, by ending the process, for the tests of the message.
static inline int calotype_refuse_filters(int error) {
    static const char *const names[] = {"seccomp"};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return -1;
    int result = calotype_allow(filter, error ? SCMP_ACT_ERRNO((uint32_t)error) : SCMP_ACT_KILL_PROCESS, names, 1);
    if (result == 0) result = seccomp_load(filter);
    seccomp_release(filter);
    return result;
}

// Returns NULL if this process may install a filter of system calls, or the name of the missing part. libseccomp reports a
// refusal as a feature that it lacks itself.
static inline const char *calotype_missing_filter(void) {
    enum { set_filter = 1, all_threads = 1 };
    // A kernel that would take a filter reports that there is none at NULL.
    if (syscall(SYS_seccomp, set_filter, all_threads, NULL) == -1 && errno == EFAULT) return NULL;
    if (errno == ENOSYS) return "seccomp in this kernel or container";
    return "the permission to call seccomp (in a systemd unit: SystemCallFilter=@system-service seccomp)";
}

enum {
    CALOTYPE_THREAD_FLAGS = 0x00010000 /* CLONE_THREAD */ | 0x00000100 /* CLONE_VM */ | 0x00000800 /* CLONE_SIGHAND */,
    // The mask includes the flags for new namespaces and for tracing, so that they must be 0.
    CALOTYPE_CLONE_MASK = CALOTYPE_THREAD_FLAGS | 0x7E020000 | 0x00002000,
};

// Restricts this process to computing, allocating memory, and messages through its open descriptors. Returns NULL, or the
// name of the kernel feature that is missing.
static inline const char *calotype_lock(int allows_threads) {
    static const char *const allowed[] = {
        "read", "write", "recvfrom", "recvmsg", "munmap", "mremap", "madvise", "brk", "futex", "close", "exit",
        "exit_group", "rt_sigreturn", "rt_sigprocmask", "restart_syscall", "getrandom", "clock_gettime", "getrusage",
        "sched_yield", "sched_getaffinity", "gettimeofday", "time", "getpid", "gettid",
        // The first calls of a new thread, and calls of the sanitizers' threads.
        "rseq", "set_robust_list", "sigaltstack", "nanosleep", "clock_nanosleep",
    };
    // These return 0 for any path, without looking at it. For each new size of a font, cairo asks whether the font's file
    // is readable, although it has the file open, and would draw no text otherwise.
    static const char *const confirmed[] = {"access", "faccessat", "faccessat2"};
    // With some versions of glibc, libraries make these calls, but work if the calls fail.
    static const char *const refused[] = {
        "open", "openat", "newfstatat", "stat", "lstat", "readlink", "readlinkat",
        "getcwd", "fstat", "statx", "lseek", "ioctl", "prctl", "prlimit64", "getrlimit", "uname", "sysinfo", "getcpu",
        "rt_sigaction", "getuid", "geteuid", "getgid", "getegid", "getppid", "statfs", "fstatfs",
        "getdents64", "pread64", "fcntl", "poll",
        // GLib inspects its standard error before it writes a warning to it.
        "getpeername", "getsockname", "getsockopt",
    };
    if (calotype_limit(RLIMIT_FSIZE, 0) || calotype_limit(RLIMIT_CORE, 0) || calotype_limit(RLIMIT_NOFILE, 16))
        return "limits of resources";
    if (prctl(PR_SET_DUMPABLE, 0) != 0) return "PR_SET_DUMPABLE";
    const char *missing = calotype_missing_filter();
    if (missing) return missing;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return "memory for a filter of system calls";
    uint32_t refuse = SCMP_ACT_ERRNO(EACCES);
    if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) != 0
        || seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) != 0
        || calotype_allow(filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed) != 0
        || calotype_allow(filter, SCMP_ACT_ERRNO(0), confirmed, sizeof confirmed / sizeof *confirmed) != 0
        || calotype_allow(filter, refuse, refused, sizeof refused / sizeof *refused) != 0
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) != 0
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) != 0
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 2, SCMP_A0(SCMP_CMP_EQ, CALOTYPE_SOCKET),
               SCMP_A4(SCMP_CMP_EQ, 0)) != 0
        // A thread has the same restrictions as the process. A filter cannot inspect the flags of clone3, so report it as
        // missing: glibc then calls clone.
        || seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) != 0
        || seccomp_rule_add(filter, allows_threads ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EAGAIN), SCMP_SYS(clone), 1,
               SCMP_A0(SCMP_CMP_MASKED_EQ, CALOTYPE_CLONE_MASK, CALOTYPE_THREAD_FLAGS)) != 0
        // abort() sends a signal to its own thread.
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
               SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())) != 0)
        missing = "a filter of system calls that libseccomp can write";
    // seccomp_load also sets no_new_privs.
    else if (seccomp_load(filter) != 0)
        missing = "seccomp in this kernel or container";
    seccomp_release(filter);
    return missing;
}
