internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// A body that is read from the store when its reader requests the first chunk.
final class StoredBody: HTTPBodySource {
    private let cache: HTTPCache
    private let variant: StoredVariant
    private let key: ByteString
    private let isRead = Locked(false)

    init(_ cache: HTTPCache, _ variant: StoredVariant, _ key: ByteString) {
        self.cache = cache
        self.variant = variant
        self.key = key
    }

    func next() async throws(TransportError) -> Data? {
        let isFirst = isRead.withLock { isRead in
            defer { isRead = true }
            return !isRead
        }
        guard isFirst else { return nil }
        switch await cache.lookedUpBody(of: variant, key) {
        case .found(let body) where body.count == variant.head.bodyLength: return body.isEmpty ? nil : body
        case .found, .gone: await cache.remove([variant.id], key)
        case .failed: break
        }
        throw Task.isCancelled ? .cancelled : .storedBodyGone
    }
}
