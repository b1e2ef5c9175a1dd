public import CalotypeHTTP
public import Foundation

/// The storage of an ``HTTPCache``: variants under each key, each with a head and a body.
///
/// A store does not interpret HTTP: the cache decides what to store, to reuse and to remove. A cache changes each key
/// sequentially. If several caches share a store, the last change wins, but a store must never return a head with the
/// body of another head. Errors go to the cache's `onProblem`, and fail no request.
public protocol HTTPCacheStore: Sendable {
    /// Returns the variants of the key if they are available without waiting, otherwise `nil`, which is the default.
    ///
    /// Called for every request on the caller's thread: it must return within a few hundred nanoseconds.
    func immediateVariants(of key: ByteString) -> [StoredVariant]?

    /// Returns all variants stored under exactly this key, the oldest first, with the bodies that the store reads
    /// together with the heads. Without an entry, returns an empty array.
    func variants(of key: ByteString) async throws -> [StoredVariant]

    /// Returns the body of a variant that the store returned without its body, or `nil` if the body is gone.
    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data?

    /// Returns a range of the body of a variant, for a client that reads it at its own pace; `nil` if the body is gone.
    ///
    /// By default, the whole body is read into memory, and the range is a part of it. The cache calls this function for
    /// bodies of ``HTTPCacheOptions/streamedLength`` bytes or more.
    func body(of variant: StoredVariant, for key: ByteString, in range: Range<Int>) async throws -> HTTPBody?

    /// Returns a writer that stores a body while it arrives. By default `nil`: the cache gathers bodies in memory, up to
    /// ``HTTPCacheOptions/bodyLimit``, and stores them whole.
    ///
    /// The cache calls this function for bodies of ``HTTPCacheOptions/streamedLength`` bytes or more, also beyond
    /// `bodyLimit`, which does not apply to them: return `nil` for a body too large for the store.
    ///
    /// - Parameter length: The announced length of the body, in bytes, or `nil` if only its end determines it.
    func writer(for key: ByteString, length: Int?) async throws -> (any HTTPBodyWriter)?

    /// Stores a variant with its body. It replaces the variants in `old` that still exist: those with the same values of
    /// the fields named in Vary, and the least recently used ones beyond ``HTTPCacheOptions/variantLimit``.
    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws

    /// Replaces the heads of stored variants and keeps their bodies. Ignores variants that are gone.
    func update(_ variants: [StoredVariant], for key: ByteString) async throws

    /// Removes the given variants of the key; `nil` removes all of them.
    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws

    /// Removes everything.
    func removeAll() async throws
}

extension HTTPCacheStore {
    public func immediateVariants(of key: ByteString) -> [StoredVariant]? { nil }

    public func body(
        of variant: StoredVariant, for key: ByteString, in range: Range<Int>
    ) async throws -> HTTPBody? {
        guard let body = try await body(of: variant, for: key), range.lowerBound >= 0, range.upperBound <= body.count
        else { return nil }
        return HTTPBody(body[(body.startIndex + range.lowerBound)..<(body.startIndex + range.upperBound)])
    }

    public func writer(for key: ByteString, length: Int?) async throws -> (any HTTPBodyWriter)? { nil }
}

/// A store of this package. It returns only variants that it has checked, and may return large bodies as files.
package protocol BodyFileStore: HTTPCacheStore {
    /// Returns the file of a large body after verifying the given range; `nil` (the default) if there is no such file.
    func file(
        of variant: StoredVariant, for key: ByteString, covering range: Range<Int>
    ) async throws -> (any BodyFile)?

    /// Forgets all responses in memory.
    func forgetMemory()

    /// Whether no variant is stored under the key. `false` (the default) if only a look-up that takes time could decide.
    func surelyLacks(_ key: ByteString) -> Bool
}

extension BodyFileStore {
    package func file(
        of variant: StoredVariant, for key: ByteString, covering range: Range<Int>
    ) async throws -> (any BodyFile)? { nil }

    package func surelyLacks(_ key: ByteString) -> Bool { false }
}
