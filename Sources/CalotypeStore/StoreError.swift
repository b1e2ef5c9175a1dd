public import CalotypeConcurrency

/// Why the store could not do what it was asked.
///
/// Never a reason to fail a load: a caller that gets one goes on without the store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { rawValue }

        /// The caller was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// Another process held the store for too long.
        public static let timedOut = Code(rawValue: "timedOut")
        /// Too many calls wait for room in front of the writer.
        public static let overloaded = Code(rawValue: "overloaded")
        /// `close()` was called.
        public static let closed = Code(rawValue: "closed")
        /// The entry is larger than what the store keeps after a trim.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// No space left, a quota, or the process's limit on the size of files.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The directory cannot be made, read or written: permissions, a read-only volume, a file in its place.
        public static let directoryUnusable = Code(rawValue: "directoryUnusable")
        /// Another process held the database for longer than `DiskStoreOptions.busyTimeout`.
        public static let busy = Code(rawValue: "busy")
        /// The database is not one, or is broken. It is made anew.
        public static let indexDamaged = Code(rawValue: "indexDamaged")
        /// Another error of the database; the message has its words.
        public static let indexFailed = Code(rawValue: "indexFailed")
        /// A file is not there.
        public static let fileNotFound = Code(rawValue: "fileNotFound")
        /// A pipe, a link, a directory or a device lies where the store keeps a file.
        static let notAFile = Code(rawValue: "notAFile")
        /// Another error of the file system; the message has its words.
        public static let ioFailed = Code(rawValue: "ioFailed")
    }

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

extension StoreError: InterruptibleFailure {
    public static let cancelled = StoreError(.cancelled, "cancelled")
    public static let timedOut = StoreError(.timedOut, "timed out")
    public static let overloaded = StoreError(.overloaded, "too many calls wait for the store")

    static let closed = StoreError(.closed, "the store is closed")

    static func notAFile(_ path: String) -> StoreError { StoreError(.notAFile, "\(path) is not a regular file") }
}
