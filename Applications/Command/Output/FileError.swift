#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that could not be read or written: what was to be done, and the system's reason.
struct FileError: Error, Sendable, CustomStringConvertible {
    let message: String
    /// The system's number; 0 where the reason is ours.
    let number: Int32

    init(_ what: String, _ number: Int32) {
        message = "\(what): \(String(cString: strerror(number)))"
        self.number = number
    }

    init(_ message: String) {
        self.message = message
        number = 0
    }

    var isBrokenPipe: Bool { number == EPIPE }
    var description: String { message }
}
