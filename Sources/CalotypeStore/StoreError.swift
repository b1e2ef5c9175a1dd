public import CalotypeBase

/// An error of the store.
///
/// Such an error is never a reason to fail a load: the caller continues without the store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public typealias Code = ErrorCode<StoreError>

    /// The kind of failure.
    public var code: Code { parts.value.code }
    /// A one-line description for people: the operation and the reason.
    public var message: String { parts.value.message }

    private let parts: ErrorParts<Parts>

    private struct Parts {
        let code: Code
        let message: String
    }

    /// Creates an error, for tests and for types that wrap a store.
    public init(_ code: Code, _ message: String) {
        parts = ErrorParts(Parts(code: code, message: message))
    }

    public var description: String { message }
}

extension ErrorCode where Failure == StoreError {
    /// The calling task was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// The operation took longer than the caller allowed.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// Too many calls wait for the store's threads.
    public static var overloaded: Self { Self(rawValue: "overloaded") }
    /// A number in ``DiskStoreOptions`` is out of range.
    public static var invalidOption: Self { Self(rawValue: "invalidOption") }
    /// `close()` was called.
    public static var closed: Self { Self(rawValue: "closed") }
    /// The entry is larger than the whole store after a trim: `byteLimit` × `trimRatio`.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// The disk is full, or a quota or the process's file size limit is exhausted.
    public static var diskFull: Self { Self(rawValue: "diskFull") }
    /// The directory cannot be created, read or written, for example because of its permissions, a read-only volume, or
    /// a file in its place.
    public static var directoryUnusable: Self { Self(rawValue: "directoryUnusable") }
    /// Another process locked the database for longer than `DiskStoreOptions.busyTimeout`, or temporary files for 1 s.
    public static var busy: Self { Self(rawValue: "busy") }
    /// The index is damaged or not a database. The store replaces it.
    public static var indexDamaged: Self { Self(rawValue: "indexDamaged") }
    /// Another error of the database; the message contains SQLite's text.
    public static var indexFailed: Self { Self(rawValue: "indexFailed") }
    /// A file does not exist.
    public static var fileNotFound: Self { Self(rawValue: "fileNotFound") }
    /// A pipe, a symbolic link, a directory or a device is in place of a file of the store.
    package static var notAFile: Self { Self(rawValue: "notAFile") }
    /// Another error of the file system; the message contains the system's text.
    public static var ioFailed: Self { Self(rawValue: "ioFailed") }
}

extension StoreError: InterruptibleFailure {
    public static let cancelled = StoreError(.cancelled, "cancelled")
    public static let timedOut = StoreError(.timedOut, "timed out")
    public static let overloaded = StoreError(.overloaded, "too many calls wait for the store")

    static let closed = StoreError(.closed, "the store is closed")

    static func notAFile(_ path: String) -> StoreError { StoreError(.notAFile, "\(path) is not a regular file") }
}
