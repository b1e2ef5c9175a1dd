internal import CalotypeBase
package import CalotypeHTTP
package import Foundation

/// The storage of an `HTTPCache`: variants under each key, each with a head and a body. A store does not interpret
/// HTTP. Its errors are reported and never fail an exchange. A cache changes each key sequentially. If several caches
/// share a store, the last change wins, but a head never gets the body of another head.
package protocol HTTPCacheStore: Sendable {
    /// Returns the variants if they are available without waiting, otherwise `nil`. Called for every request, it must
    /// return within a few hundred nanoseconds.
    func immediateVariants(of key: ByteString) -> [StoredVariant]?

    /// Returns all variants of the key, and the bodies that the store reads together with the heads.
    func variants(of key: ByteString) async throws -> [StoredVariant]

    /// Returns the body of a variant that was returned without its body, or `nil` if the body is gone.
    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data?

    /// Returns the file of a large body after verifying the given range; `nil` (the default) if there is no such file.
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
    /// The random identifier of the variant and its body.
    package let id: UInt64
    /// The response without its body.
    package var head: StoredResponse { didSet { memo = VariantMemo() } }
    /// The body, or `nil` if it has to be read from the store.
    package var body: Data?
    /// A digest of the whole body, if `HTTPCacheOptions.bodyDigest` is set.
    package var digest: String?
    /// Whether the store has only the head and the digest, so that the body counts as gone.
    package var lacksBody = false
    /// The location of the body in the store, or `nil` if the store did not record it when it read the head.
    package var bodyPlace: (any Sendable)?
    /// The objects derived from the head. All copies of this value share them until the head changes.
    private(set) var memo = VariantMemo()

    package init(id: UInt64 = .random(in: 1 ... .max), head: StoredResponse, body: Data?) {
        self.id = id
        self.head = head
        self.body = body
    }
}

extension StoredVariant {
    /// Records `now` and returns `true` if the last recorded use is an hour or more ago, or in the future. The store
    /// should then write the use to disk.
    package func notesUse(at now: Double) -> Bool {
        let (now, last) = (Int(now), memo.noted.load())
        guard now >= last + 3600 || now < last else { return false }
        memo.noted.store(now)
        return true
    }
}
