import CalotypeBase
import Foundation

/// A body on its way into memory, of which previews may be made meanwhile.
final class ArrivingBody: Sendable {
    /// The bytes in all, where the response says so.
    let expected: Int?
    /// A Boolean value indicating whether no cache in memory may keep what is made of it.
    let isPersonal: Bool
    private let bytes = Locked(Data())

    init(expecting expected: Int?, isPersonal: Bool) {
        self.expected = expected
        self.isPersonal = isPersonal
    }

    /// Bytes so far; none when all of them have been taken.
    var count: Int { bytes.withLock { $0.count } }

    /// - Returns: how many bytes there are now.
    func append(_ chunk: Data) -> Int {
        bytes.withLock { bytes in
            if bytes.isEmpty {
                bytes = chunk
                // Not all of what an answer announces is believed.
                if let expected, expected > bytes.count { bytes.reserveCapacity(min(expected, 1 << 20)) }
            } else {
                bytes.append(chunk)
            }
            return bytes.count
        }
    }

    /// Looks at the bytes so far where they lie. Return at once: the body waits meanwhile.
    func withBytes<Result>(_ look: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withLock { $0.withUnsafeBytes(look) }
    }

    /// The bytes so far. Shared, until the next chunk comes; release it soon.
    func snapshot() -> Data { bytes.withLock { $0 } }

    /// All of the bytes, when they are there. None are left.
    func take() -> Data {
        bytes.withLock { bytes in
            defer { bytes = Data() }
            return bytes
        }
    }
}

/// How far a load is, for those who wait for it.
struct LoadUpdate: Sendable {
    let progress: LoadProgress
    /// The bytes so far, where they come over the network.
    var body: ArrivingBody?
}
