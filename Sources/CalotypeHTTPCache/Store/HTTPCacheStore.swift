internal import CalotypeBase
package import CalotypeHTTP
package import Foundation

/// The storage of an `HTTPCache`: variants under each key, each with a head and a body.
///
/// The store knows nothing of HTTP. Its errors are reported and never fail an exchange. One cache changes a key
/// sequentially; if several caches share a store, the last change wins, but a head is never paired with another head's
/// body.
package protocol HTTPCacheStore: Sendable {
    /// Returns the variants available without waiting, or `nil` if the store would have to look them up. Called for
    /// every request: it must return within a few hundred nanoseconds.
    func immediateVariants(of key: ByteString) -> [StoredVariant]?

    /// Returns all variants of the key, with the bodies that were read together with the heads.
    func variants(of key: ByteString) async throws -> [StoredVariant]

    /// Returns the body of a variant that was returned without its body, or `nil` if the body is gone.
    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data?

    /// Returns the file of a large body after verifying the given range, or `nil` (the default) if the body is gone or
    /// is not available as a file; ``body(of:for:)`` distinguishes the two.
    func file(
        of variant: StoredVariant, for key: ByteString, covering range: Range<Int>
    ) async throws -> (any BodyFile)?

    /// Stores a variant with its body. It replaces the variants in `old` that still exist.
    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws

    /// Replaces the heads of stored variants and keeps their bodies. Ignores variants that are gone.
    func update(_ variants: [StoredVariant], for key: ByteString) async throws

    /// Removes the given variants; `nil` removes all.
    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws
}

extension HTTPCacheStore {
    package func immediateVariants(of key: ByteString) -> [StoredVariant]? { nil }

    package func file(
        of variant: StoredVariant, for key: ByteString, covering range: Range<Int>
    ) async throws -> (any BodyFile)? { nil }
}

/// One stored response.
package struct StoredVariant: Sendable, Identifiable {
    /// The random identity of the variant's body.
    package let id: UInt64
    /// The response without its body, with the times of request and response.
    package var head: StoredResponse { didSet { memo = VariantMemo() } }
    /// The body, or `nil` if it has to be read from the store.
    package var body: Data?
    /// A digest of the whole body, if `HTTPCacheOptions.bodyDigest` is set.
    package var digest: String?
    /// Whether only the head and the digest are stored. The body then counts as gone.
    package var lacksBody = false
    /// The location of the body, or `nil` if the store did not note it when it read the head.
    package var bodyPlace: (any Sendable)?
    /// The objects derived from the head, shared by all copies of this value until the head changes.
    private(set) var memo = VariantMemo()

    package init(id: UInt64 = .random(in: 1 ... .max), head: StoredResponse, body: Data?) {
        self.id = id
        self.head = head
        self.body = body
    }
}

extension StoredVariant {
    /// Returns `true` and records `now` if the last recorded use is an hour or more ago, or in the future. The store
    /// should then write the use to the disk.
    package func notesUse(at now: Double) -> Bool {
        let (now, last) = (Int(now), memo.noted.load())
        guard now >= last + 3600 || now < last else { return false }
        memo.noted.store(now)
        return true
    }
}
