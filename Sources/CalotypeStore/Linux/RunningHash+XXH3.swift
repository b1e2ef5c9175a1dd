import CXXHash
import Foundation

/// A hash of bytes that arrive in pieces: the same as ``ByteHash`` of all of them.
final class RunningHash {
    // XXH3_createState returns NULL only if there is no memory; the hash is then of no bytes, and matches none.
    private let state = XXH3_createState()
    private let isLong: Bool

    /// - Parameter isLong: Whether `long` is read, and not `short`.
    init(isLong: Bool) {
        self.isLong = isLong
        reset()
    }

    deinit { XXH3_freeState(state) }

    func reset() { _ = isLong ? XXH3_128bits_reset(state) : XXH3_64bits_reset(state) }

    func add(_ bytes: UnsafeRawBufferPointer) {
        #if arch(x86_64)
            _ =
                isLong
                ? XXH3_128bits_update_dispatch(state, bytes.baseAddress, bytes.count)
                : XXH3_64bits_update_dispatch(state, bytes.baseAddress, bytes.count)
        #else
            _ =
                isLong
                ? XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
                : XXH3_64bits_update(state, bytes.baseAddress, bytes.count)
        #endif
    }

    var short: UInt64 { XXH3_64bits_digest(state) }

    var long: (high: UInt64, low: UInt64) {
        let hash = XXH3_128bits_digest(state)
        return (hash.high64, hash.low64)
    }
}
