import CalotypeBase
import Foundation

/// A body that is being received into memory, and of which previews may be made before it is complete.
final class ArrivingBody: Sendable {
    /// The length of the whole body in bytes, or `nil` if the response does not state it.
    let expected: Int?
    /// Whether memory caches must not keep images made of this body.
    let isPersonal: Bool
    private let bytes = Locked(Data())

    init(expecting expected: Int?, isPersonal: Bool) {
        self.expected = expected
        self.isPersonal = isPersonal
    }

    /// The number of bytes received so far; 0 once they have been taken.
    var count: Int { bytes.withLock { $0.count } }

    func append(_ chunk: Data) -> Int {
        bytes.withLock { bytes in
            if bytes.isEmpty {
                bytes = chunk
                // Do not trust a large announced length: reserve at most 1 MiB.
                if let expected, expected > bytes.count { bytes.reserveCapacity(min(expected, 1 << 20)) }
            } else {
                bytes.append(chunk)
            }
            return bytes.count
        }
    }

    /// Calls `look` with the bytes so far, in place. Return quickly: the next chunk waits.
    func withBytes<Result>(_ look: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withLock { $0.withUnsafeBytes(look) }
    }

    /// Returns the bytes so far. Release them soon: a chunk that arrives before then copies all bytes.
    func snapshot() -> Data { bytes.withLock { $0 } }

    func take() -> Data {
        bytes.withLock { bytes in
            defer { bytes = Data() }
            return bytes
        }
    }
}

struct LoadUpdate: Sendable {
    let progress: LoadProgress
    /// The bytes so far, if they come over the network.
    var body: ArrivingBody?
}
