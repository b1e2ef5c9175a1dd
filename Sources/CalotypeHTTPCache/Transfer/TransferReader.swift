internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// A body that follows a transfer from its beginning.
final class TransferReader: HTTPBodySource {
    private let transfer: Transfer
    private let id: UInt64
    private let fetchRest: Transfer.Rest?
    /// The rest of the body, once the transfer has dropped bytes that this reader needs.
    private let rest = Locked<HTTPBody.Iterator?>(nil)

    init(_ transfer: Transfer, _ id: UInt64, _ fetchRest: Transfer.Rest?) {
        self.transfer = transfer
        self.id = id
        self.fetchRest = fetchRest
    }

    deinit { transfer.leave(id) }

    func next() async throws(TransportError) -> Data? {
        if let rest = rest.withLock({ $0 }) { return try await next(of: rest) }
        switch await transfer.next(for: id) {
        case .chunk(let chunk): return chunk
        case .ended(let ending):
            try ending.get()
            return nil
        case .written(let range):
            if let bytes = await transfer.readBack(range, for: id) { return bytes }
            transfer.leave(id)
            return try await nextOfRest(from: range.lowerBound)
        case .leftBehind(let offset): return try await nextOfRest(from: offset)
        }
    }

    private func nextOfRest(from offset: Int) async throws(TransportError) -> Data? {
        guard !Task.isCancelled else { throw .cancelled }
        guard let fetchRest else { throw Transfer.leftBehind(at: offset) }
        return try await next(of: fetchRest(offset).makeAsyncIterator())
    }

    private func next(of iterator: HTTPBody.Iterator) async throws(TransportError) -> Data? {
        var iterator = iterator
        defer { rest.withLock { $0 = iterator } }
        return try await iterator.next()
    }
}
