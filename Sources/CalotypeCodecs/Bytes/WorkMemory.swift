import Foundation

/// Uninitialized working memory, aligned for SIMD vectors.
struct WorkMemory: ~Copyable {
    let start: UnsafeMutableRawPointer

    init(bytes count: Int) throws(CodecError) {
        guard let start = malloc(max(count, 1)) else {
            throw CodecError(.tooLarge, "no memory for \(count) bytes to work in")
        }
        self.start = start
    }

    deinit { free(start) }

    var bytes: UnsafeMutablePointer<UInt8> { start.assumingMemoryBound(to: UInt8.self) }
}
