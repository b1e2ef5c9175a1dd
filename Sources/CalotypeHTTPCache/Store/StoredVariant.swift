internal import CalotypeBase
internal import CalotypeHTTP
public import Foundation

/// One stored response to the requests of a key: its head, and its body unless that has to be read from the store.
public struct StoredVariant: Sendable, Identifiable {
    /// The random identifier of the variant and its body. A response with a new body gets a new identifier.
    public let id: UInt64
    /// The response without its body.
    public var head: StoredResponse { didSet { memo = VariantMemo() } }
    /// The body, or `nil` if it has to be read from the store.
    public var body: Data?
    /// A digest of the whole body, if `HTTPCacheOptions.bodyDigest` is set.
    package var digest: String?
    /// Whether the store has only the head and the digest, so that the body counts as gone.
    package var lacksBody = false
    /// The location of the body in the store, or `nil` if the store did not record it when it read the head.
    package var bodyPlace: (any Sendable)?
    /// The whole body as a stream, which was opened before the variant was removed, for one reader.
    var lastStream: HTTPBody?
    /// The objects derived from the head. All copies of this value share them until the head changes.
    private(set) var memo = VariantMemo()

    /// Creates a variant, by default with a random identifier.
    public init(id: UInt64 = .random(in: 1 ... .max), head: StoredResponse, body: Data?) {
        self.id = id
        self.head = head
        self.body = body
    }
}

extension StoredVariant {
    /// A number of the store's own, 0 at first. All copies of this value share it until the head changes.
    package var mark: Int {
        get { memo.mark.load() }
        nonmutating set { memo.mark.store(newValue) }
    }

    /// Records `now` and returns `true` if the last recorded use is an hour or more ago, or in the future. The store
    /// should then write the use to disk.
    package func notesUse(at now: Double) -> Bool {
        let (now, last) = (Int(now), memo.noted.load())
        guard now >= last + 3600 || now < last else { return false }
        memo.noted.store(now)
        return true
    }
}
