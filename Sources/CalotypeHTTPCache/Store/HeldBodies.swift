internal import CalotypeBase
internal import Foundation

/// Limits the memory for large bodies: each counts until its last reader has released it, even after the store has
/// evicted it.
///
/// Without this limit, clients that read slowly could keep any number of evicted bodies in memory.
final class HeldBodies: Sendable {
    /// The minimum size of a counted body, in bytes. Smaller ones do not count: reading any streamed body takes as
    /// much.
    private static let smallest = 64 << 10

    private let limit: Int
    private let held = Locked(0)

    /// - Parameter limit: The limit for all counted bodies together, in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the same bytes, counted until the last copy of the result is gone, or `nil` if the limit is reached.
    func counted(_ body: Data) -> Data? {
        guard body.count >= Self.smallest else { return body }
        let fits = held.withLock { held in
            guard body.count <= limit - held else { return false }
            held += body.count
            return true
        }
        guard fits else { return nil }
        let bytes = body as NSData
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes.bytes), count: bytes.length,
            deallocator: .custom { [held] _, count in
                withExtendedLifetime(bytes) {}
                held.withLock { $0 -= count }
            })
    }
}
