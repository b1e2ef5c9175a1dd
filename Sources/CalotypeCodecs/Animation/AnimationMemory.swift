/// The memory of an animation in bytes, computed from its header and its layout before a frame is decoded.
package struct AnimationMemory: Hashable, Sendable {
    /// The memory that the animation keeps between two frames: the file, and the canvas with its copy.
    let kept: Int
    /// The peak memory of making one frame, besides ``kept``.
    let frame: Int
    /// The size of a frame after all steps.
    let result: PixelSize

    /// The memory of the list of frames for as many frames as 50 megapixels permit at most, in bytes.
    private static let listBytes = 4096 * MemoryLayout<AnimationFrame>.stride

    /// Returns the memory in bytes that the codec of an animation keeps between two frames and takes to decode one, besides
    /// the file and the canvas; 0 for codecs that decode straight into the canvas.
    ///
    /// Measured with libjxl 0.7: it keeps up to five times the pixels as 32-bit numbers, in three frames on which others are
    /// based and one that it draws, and takes seven times while it draws.
    static func codecBytes(for header: ImageHeader) -> Int {
        header.format == .jpegXL ? min(8 * header.floatBytes, 1 << 48) : 0
    }

    /// - Parameter layout: The layout of each frame.
    package init(_ header: ImageHeader, fileBytes: Int, layout: some ImageLayout) {
        let full = layout.turnsUpright ? header.uprightSize : header.stored
        let output = layout.placement(of: full, isScalable: false).window.size
        let steps = layout.steps(after: full, isScalable: false)
        let memory = steps.memory(on: output)
        self.init(
            canvas: header.stored, output: output, result: memory.result, stepBytes: steps.isEmpty ? 0 : memory.peak,
            kept: fileBytes + Self.codecBytes(for: header) + 2 * header.stored.bitmapMemory + Self.listBytes)
    }

    /// - Parameters:
    ///   - output: The size of a frame before the steps.
    ///   - stepBytes: The peak memory of the steps, including the frame before them.
    init(canvas: PixelSize, output: PixelSize, result: PixelSize, stepBytes: Int, kept: Int) {
        self.kept = kept
        self.result = result
        // The canvas turned upright, and the frame while it is scaled; then the steps.
        frame = canvas.bitmapMemory + 3 * output.bitmapMemory + stepBytes
    }

    /// The peak memory of encoding all frames as WebP, without the file that is written.
    package var encodingBytes: Int {
        // libwebp keeps four canvases of the result's size, besides the frame.
        min(kept + frame + 5 * result.bitmapMemory, 1 << 48)
    }
}

extension ImageHeader {
    /// The memory of all samples as 32-bit numbers, in bytes. At most 2^57, so that small multiples do not overflow.
    var floatBytes: Int { Int(min(samplesPerPixel * Double(stored.bitmapBytes), 0x1p57)) }
}
