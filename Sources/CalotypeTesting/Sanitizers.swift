#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The thread and address sanitizers, under which tests run slower and in several times the memory.
package enum Sanitizers {
    /// A Boolean value indicating whether this process runs under one.
    package static var areOn: Bool { dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil }
}
