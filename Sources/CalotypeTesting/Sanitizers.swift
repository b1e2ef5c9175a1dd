import Glibc

/// The thread and address sanitizers, which make tests slower and use several times the memory.
package enum Sanitizers {
    /// Whether this process runs under one of the sanitizers.
    package static var areOn: Bool { dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil }
}
