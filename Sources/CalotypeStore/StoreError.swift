public import CalotypeBase

/// Why the store could not do what it was asked.
///
/// Never a reason to fail a load: a caller that gets one goes on without the store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public typealias Code = ErrorCode<StoreError>

    /// The kind of failure.
    public let code: Code
    /// One line for people: what was being done, and what went wrong.
    public let message: String

    /// Creates an error, for tests and stores in front of this one.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

extension ErrorCode where Failure == StoreError {
    /// The caller was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// Another process held the store for too long.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// Too many calls wait for room in front of the writer.
    public static var overloaded: Self { Self(rawValue: "overloaded") }
    /// A number of ``DiskStoreOptions`` is out of its range.
    public static var invalidOption: Self { Self(rawValue: "invalidOption") }
    /// `close()` was called.
    public static var closed: Self { Self(rawValue: "closed") }
    /// The entry is larger than what the store keeps after a trim.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// No space left, a quota, or the process's limit on the size of files.
    public static var diskFull: Self { Self(rawValue: "diskFull") }
    /// The directory cannot be made, read or written: permissions, a read-only volume, a file in its place.
    public static var directoryUnusable: Self { Self(rawValue: "directoryUnusable") }
    /// Another process held the database for longer than `DiskStoreOptions.busyTimeout`.
    public static var busy: Self { Self(rawValue: "busy") }
    /// The database is not one, or is broken. It is made anew.
    public static var indexDamaged: Self { Self(rawValue: "indexDamaged") }
    /// Another error of the database; the message has its words.
    public static var indexFailed: Self { Self(rawValue: "indexFailed") }
    /// A file is not there.
    public static var fileNotFound: Self { Self(rawValue: "fileNotFound") }
    /// A pipe, a link, a directory or a device lies where the store keeps a file.
    static var notAFile: Self { Self(rawValue: "notAFile") }
    /// Another error of the file system; the message has its words.
    public static var ioFailed: Self { Self(rawValue: "ioFailed") }
}

extension StoreError: InterruptibleFailure {
    public static let cancelled = StoreError(.cancelled, "cancelled")
    public static let timedOut = StoreError(.timedOut, "timed out")
    public static let overloaded = StoreError(.overloaded, "too many calls wait for the store")

    static let closed = StoreError(.closed, "the store is closed")

    static func notAFile(_ path: String) -> StoreError { StoreError(.notAFile, "\(path) is not a regular file") }
}
