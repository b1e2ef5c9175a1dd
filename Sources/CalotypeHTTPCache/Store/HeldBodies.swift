internal import CalotypeBase
internal import Foundation

/// A limit on the memory for large bodies, including evicted ones that clients are still reading. Without this limit,
/// clients that read slowly could keep any number of evicted bodies in memory.
final class HeldBodies: Sendable {
    /// The minimum size of a counted body, in bytes. Smaller bodies take no more memory than any streamed body.
    private static let smallest = 64 << 10

    private let limit: Int
    private let held = Locked(0)

    /// - Parameter limit: The maximum size of all counted bodies together, in bytes.
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
