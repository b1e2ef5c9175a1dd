import Glibc

/// The thread and address sanitizers, which make tests slower and use several times the memory.
package enum Sanitizers {
    /// Whether this process runs under one of the sanitizers.
    package static var areOn: Bool { isThreadOn || dlsym(nil, "__asan_init") != nil }

    /// Whether this process runs under the thread sanitizer.
    package static var isThreadOn: Bool { dlsym(nil, "__tsan_init") != nil }
}
