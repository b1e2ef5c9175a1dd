/// A row of RGBA with 16 bits per channel.
typealias DeepRow = UnsafeMutableBufferPointer<SIMD4<UInt16>>

/// Rows of 16 bits per channel of a source that must be decoded before it is scaled.
struct DeepPixels: ~Copyable {
    let size: PixelSize
    private let memory: WorkMemory

    /// Creates transparent pixels.
    init(_ size: PixelSize) throws(CodecError) {
        let memory = try WorkMemory(bytes: Self.bytes(size))
        self.size = size
        self.memory = memory
    }

    init(width: Int, height: Int = 1) throws(CodecError) {
        try self.init(PixelSize(width: width, height: height))
    }

    func row(_ y: Int) -> DeepRow {
        let start = memory.start.assumingMemoryBound(to: SIMD4<UInt16>.self) + y * size.width
        return DeepRow(start: start, count: size.width)
    }

    /// Returns the memory of the pixels in bytes.
    static func bytes(_ size: PixelSize) -> Int { 2 * size.bitmapBytes }
}
