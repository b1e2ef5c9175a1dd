package import CalotypeHTTP
package import Foundation

/// Where an `HTTPCache` keeps what it stores: under each key some variants, each a head and a body.
///
/// Small on purpose: it knows nothing of HTTP. What it throws is reported and never fails an exchange. Changes of one key
/// come one after the other from one cache; several caches may share a store, and then the last change wins, but
/// a head is never seen with another one's body.
package protocol HTTPCacheStore: Sendable {
    /// Returns the variants that are available without waiting; `nil` if the store would have to look. Called for every
    /// request: a few hundred nanoseconds.
    func immediateVariants(of key: ByteString) -> [StoredVariant]?

    /// All variants of the key, the bodies along where they came along.
    func variants(of key: ByteString) async throws(HTTPCacheStoreError) -> [StoredVariant]

    /// The body of a variant that came without. Nil: it is gone.
    func body(of variant: StoredVariant, for key: ByteString) async throws(HTTPCacheStoreError) -> Data?

    /// Stores a variant with its body, in the place of those named, if they are still there.
    func store(
        _ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]
    ) async throws(HTTPCacheStoreError)

    /// Gives stored variants new heads and leaves their bodies alone. Variants that are gone stay gone.
    func update(_ variants: [StoredVariant], for key: ByteString) async throws(HTTPCacheStoreError)

    /// Removes the variants named; nil removes all.
    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws(HTTPCacheStoreError)
}

extension HTTPCacheStore {
    package func immediateVariants(of key: ByteString) -> [StoredVariant]? { nil }
}

/// A store whose large bodies lie in files.
package protocol FileHTTPCacheStore: HTTPCacheStore {
    /// The file of a body, with these bytes of it verified. `nil` if the body is gone or rather comes as a whole:
    /// ``HTTPCacheStore/body(of:for:)`` tells.
    func file(
        of variant: StoredVariant, for key: ByteString, covering range: Range<Int>
    ) async throws(HTTPCacheStoreError) -> (any BodyFile)?
}

/// One stored response.
package struct StoredVariant: Sendable, Identifiable {
    /// Tells its body from any other that was ever stored. Made by chance.
    package let id: UInt64
    /// The response without its body, and when it was asked for and received.
    package var head: StoredResponse { didSet { memo = VariantMemo() } }
    /// The body, or `nil` if it has to be read from the store.
    package var body: Data?
    /// A digest of the whole body, where the cache makes such. See `HTTPCacheOptions.bodyDigest`.
    package var digest: String?
    /// A Boolean value indicating whether the head and the digest alone are stored. The body then counts as gone.
    package var lacksBody = false
    /// Where the store that read the head finds the body, if it noted that.
    package var bodyPlace: (any Sendable)?
    /// The objects derived from the head once, shared by the copies of this value.
    private(set) var memo = VariantMemo()

    /// Creates a variant, for stores.
    package init(id: UInt64 = .random(in: 1 ... .max), head: StoredResponse, body: Data?) {
        self.id = id
        self.head = head
        self.body = body
    }
}

/// Why a store did not do what it was asked.
package struct HTTPCacheStoreError: Error, Sendable, CustomStringConvertible {
    /// One line for people.
    package let message: String
    /// The store's own error, if there is one.
    package let underlying: (any Error)?

    /// Creates an error, for stores.
    package init(_ message: String, underlying: (any Error)? = nil) {
        self.message = message
        self.underlying = underlying
    }

    package var description: String { message }
}
