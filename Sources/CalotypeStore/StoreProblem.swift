public import CalotypeBase

/// Something that went wrong inside the store while it went on working.
///
/// Reported to the closure given to `DiskStore.init`, because the call that met it has another answer to give (a
/// damaged entry is a miss) or has long returned (a write that failed behind it).
public struct StoreProblem: Sendable, CustomStringConvertible {
    /// The kind of problem. Codes may be added.
    public typealias Code = ErrorCode<StoreProblem>

    /// The kind of problem.
    public let code: Code
    /// The entry concerned, where it is one.
    public let key: ByteString?
    /// One line for people.
    public let message: String
    /// The kind of the error behind a failure.
    var cause: StoreError.Code?

    /// Creates a problem, for tests.
    public init(_ code: Code, key: ByteString? = nil, _ message: String) {
        self.code = code
        self.key = key
        self.message = message
    }

    public var description: String {
        key.map { "\(message) [\($0)]" } ?? message
    }
}

extension ErrorCode where Failure == StoreProblem {
    /// Body or metadata do not match their checksum or length. The entry was deleted.
    public static var damagedEntry: Self { Self(rawValue: "damagedEntry") }
    /// The index names a file that is gone. The entry was deleted.
    public static var missingBody: Self { Self(rawValue: "missingBody") }
    /// The database was broken. It was replaced by an empty one.
    public static var damagedIndex: Self { Self(rawValue: "damagedIndex") }
    /// The database is of another version of this library. It was replaced by an empty one.
    public static var otherVersion: Self { Self(rawValue: "otherVersion") }
    /// An entry, or a removal, did not reach the disk. Removals are tried again, and their entries are absent until then.
    ///
    /// A failure that goes on is reported once; `StoreStatistics.failedWrites` counts each entry.
    public static var writeFailed: Self { Self(rawValue: "writeFailed") }
    /// Trimming, sweeping or clearing up did not succeed. It is tried again at the next sweep.
    public static var upkeepFailed: Self { Self(rawValue: "upkeepFailed") }
}
