#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The owner of a file descriptor, which closes it when it is destroyed.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    /// - Returns: `nil` for a negative number: the system call that returned it failed.
    package init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }
}

/// A file descriptor with several owners, closed when the last one releases it.
package final class SharedDescriptor: Sendable {
    private let descriptor: Descriptor

    /// - Returns: `nil` for a negative number: the system call that returned it failed.
    package init?(_ number: Int32) {
        guard let descriptor = Descriptor(number) else { return nil }
        self.descriptor = descriptor
    }

    /// Valid only while the object is alive: optimized code may release the object after its last use.
    package var number: Int32 { descriptor.number }

    /// Calls `body` with the number, and keeps the descriptor open during the call.
    package func use<Result>(_ body: (Int32) -> Result) -> Result { withExtendedLifetime(self) { body(number) } }
}
