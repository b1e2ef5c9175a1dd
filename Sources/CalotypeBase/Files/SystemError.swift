#if canImport(Glibc)
    private import Glibc
#else
    private import Darwin
#endif

/// An error number of the system, such as `ENOENT`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// The system's text, such as "Permission denied".
    package var description: String { String(cString: strerror(number)) }
}
