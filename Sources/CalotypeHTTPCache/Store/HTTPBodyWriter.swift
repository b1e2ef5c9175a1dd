public import Foundation

/// A body that a store takes while it arrives, opened by ``HTTPCacheStore/writer(for:length:)``.
///
/// The cache calls `append` and `commit` one after the other. A writer that is released without a commit, or whose
/// process ends before it, must leave no entry. An error ends the storing of this body alone: its clients get the rest
/// of the bytes, and `onProblem` gets the error.
public protocol HTTPBodyWriter: AnyObject, Sendable {
    /// Whether `read(_:)` returns bytes that were appended. The default is `false`.
    ///
    /// If `true`, later requests join the download at any time, and a slow reader is never left behind, because both
    /// read what memory no longer holds. If `false`, a request joins only while the whole body so far is in memory.
    var isReadable: Bool { get }

    /// Appends chunks, in their order. While the call is suspended, at most 1 MiB of the body gathers in memory, and then
    /// the download waits.
    func append(_ chunks: [Data]) async throws

    /// Returns bytes that `append(_:)` has returned for, also after `commit` and during later calls of `append`.
    func read(_ range: Range<Int>) async throws -> Data

    /// Makes the bytes appended so far the body of the variant, whose `body` is `nil`, and stores it in place of the
    /// variants in `old` that still exist, in one step: see ``HTTPCacheStore/store(_:for:replacing:)``.
    ///
    /// The variant is either whole, or the beginning of a body, whose head has a `part`.
    func commit(_ variant: StoredVariant, replacing old: [StoredVariant.ID]) async throws
}

extension HTTPBodyWriter {
    public var isReadable: Bool { false }

    public func read(_ range: Range<Int>) async throws -> Data { throw UnreadableWriter() }
}

private struct UnreadableWriter: Error {}

/// The digest of a body, computed while its bytes pass.
package protocol RunningDigest: AnyObject {
    func add(_ bytes: Data)

    /// Returns the digest of the bytes so far.
    func text() -> String
}
