import Foundation

/// Working memory, aligned for SIMD vectors. Initially zero, because its content may end up in pixels.
struct WorkMemory: ~Copyable {
    let start: UnsafeMutableRawPointer

    init(bytes count: Int) throws(CodecError) {
        guard let start = calloc(max(count, 1), 1) else {
            throw CodecError(.tooLarge, "no memory for \(count) bytes to work in")
        }
        self.start = start
    }

    deinit { free(start) }

    var bytes: UnsafeMutablePointer<UInt8> { start.assumingMemoryBound(to: UInt8.self) }
}
