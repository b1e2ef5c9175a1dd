import CryptoKit

/// Hashes that are the same in every process on this machine, for the store's files: the first bytes of SHA-256,
/// for which Apple's processors have instructions.
enum ByteHash {
    static func short(_ bytes: UnsafeRawBufferPointer) -> UInt64 { long(bytes).high }

    static func long(_ bytes: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        return hash.finalize().withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}

/// A hash of bytes that arrive in pieces: the same as ``ByteHash`` of all of them.
final class RunningHash {
    private var hash = SHA256()

    init(isLong: Bool) {}

    func reset() { hash = SHA256() }

    func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    var short: UInt64 { long.high }

    var long: (high: UInt64, low: UInt64) {
        hash.finalize().withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}
