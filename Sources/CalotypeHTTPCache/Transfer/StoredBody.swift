internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// A body that is read from the store when its reader requests the first chunk: at once, or in chunks if it exceeds the
/// limit of bodies in memory.
final class StoredBody: HTTPBodySource {
    private enum State {
        case unread
        case streaming(HTTPBody.Iterator)
        case ended
    }

    private let cache: HTTPCache
    private let variant: StoredVariant
    private let key: ByteString
    private let state = Locked(State.unread)

    init(_ cache: HTTPCache, _ variant: StoredVariant, _ key: ByteString) {
        self.cache = cache
        self.variant = variant
        self.key = key
    }

    func next() async throws(TransportError) -> Data? {
        let now = state.withLock { state in
            defer { if case .unread = state { state = .ended } }
            return state
        }
        switch now {
        case .ended: return nil
        case .streaming(let iterator): return try await next(of: iterator)
        case .unread where variant.head.bodyLength > cache.options.bodyLimit:
            let range = 0..<variant.head.bodyLength
            guard let body = await cache.streamedBody(of: variant, key, in: range) else { throw gone }
            return try await next(of: body.makeAsyncIterator())
        case .unread: return try await whole()
        }
    }

    private func next(of iterator: HTTPBody.Iterator) async throws(TransportError) -> Data? {
        var iterator = iterator
        let chunk = try await iterator.next()
        state.withLock { $0 = chunk == nil ? .ended : .streaming(iterator) }
        return chunk
    }

    private func whole() async throws(TransportError) -> Data? {
        switch await cache.lookedUpBody(of: variant, key) {
        case .found(let body) where body.count == variant.head.bodyLength: return body.isEmpty ? nil : body
        case .found, .gone: await cache.remove([variant.id], key)
        case .failed: break
        }
        throw gone
    }

    private var gone: TransportError { Task.isCancelled ? .cancelled : .storedBodyGone }
}
