public import CalotypeBase

/// A problem inside the store that did not stop it.
///
/// The store reports it to the closure passed to `DiskStore.init` instead of throwing it, because the call concerned
/// has another result (a damaged entry is a miss) or has returned already (a write in the background).
public struct StoreProblem: Sendable, CustomStringConvertible {
    /// The kind of problem. Codes may be added.
    public typealias Code = ErrorCode<StoreProblem>

    /// The kind of problem.
    public let code: Code
    /// The key of the entry, if the problem concerns one.
    public let key: ByteString?
    /// A one-line description for people.
    public let message: String
    /// The kind of the underlying error, or `nil` if the problem is not a failed operation.
    var cause: StoreError.Code?
    /// The size of the entry that was lost, in bytes; 0 if the problem concerns no write of an entry.
    var lostBytes = 0

    /// Creates a problem, for tests.
    public init(_ code: Code, key: ByteString? = nil, _ message: String) {
        self.code = code
        self.key = key
        self.message = message
    }

    /// The message and the key, without the users and passwords of URLs in it.
    public var description: String { key.map { "\(message) [\($0.withoutUserInfo)]" } ?? message }
}

extension ErrorCode where Failure == StoreProblem {
    /// The body or the metadata do not match their checksum or length, or the body's file is not a regular file. The
    /// entry was deleted.
    public static var damagedEntry: Self { Self(rawValue: "damagedEntry") }
    /// An entry's file is missing. The entry was deleted.
    public static var missingBody: Self { Self(rawValue: "missingBody") }
    /// The index was damaged. An empty one replaced it.
    public static var damagedIndex: Self { Self(rawValue: "damagedIndex") }
    /// Another version of this library, or another program, created the index. An empty one replaced it.
    public static var otherVersion: Self { Self(rawValue: "otherVersion") }
    /// An entry, its new metadata or a removal could not be written to the disk. Removals are retried; their entries
    /// count as absent.
    ///
    /// A failure that continues is reported once; `StoreStatistics.failedWrites` counts each entry.
    public static var writeFailed: Self { Self(rawValue: "writeFailed") }
    /// Trimming, sweeping or verifying the store failed. The next sweep repeats a failed trim or sweep.
    public static var upkeepFailed: Self { Self(rawValue: "upkeepFailed") }
}
