import Foundation

/// Memory for pixels, released with its last owner. Initially zero, so that a codec that leaves pixels unwritten shows
/// no other image.
// Unchecked: the pixels are written only while a single bitmap owns them.
package final class PixelMemory: @unchecked Sendable {
    package let bytes: UnsafeMutableRawBufferPointer
    /// Whether the memory is mapped read-only, so that writing to it would crash the process.
    let isReadOnly: Bool
    private let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    init?(count: Int) {
        // The system clears large blocks anyway.
        guard let memory = calloc(count, 1) else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
        isReadOnly = false
        release = { free($0.baseAddress) }
    }

    /// - Parameter release: Called with the bytes after the last use.
    package init(
        _ bytes: UnsafeMutableRawBufferPointer, isReadOnly: Bool,
        release: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
    ) {
        self.bytes = bytes
        self.isReadOnly = isReadOnly
        self.release = release
    }

    deinit { release(bytes) }

    static func forBitmap(count: Int) -> PixelMemory? { source?(count) ?? PixelMemory(count: count) }

    /// A function that provides the memory of bitmaps. If the function is `nil` or returns `nil`, the allocator
    /// provides the memory.
    // Unsafe: only a decoder process and a program of the tests set it, and only a single thread of them decodes.
    package nonisolated(unsafe) static var source: ((_ count: Int) -> PixelMemory?)?
}
