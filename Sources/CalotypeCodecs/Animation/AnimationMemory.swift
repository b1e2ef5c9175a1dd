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

    /// - Parameter layout: The layout of each frame.
    package init(_ header: ImageHeader, fileBytes: Int, layout: some ImageLayout) {
        let full = layout.turnsUpright ? header.uprightSize : header.stored
        let output = layout.placement(of: full, isScalable: false).window.size
        let steps = layout.steps(after: full, isScalable: false)
        let memory = steps.memory(on: output)
        self.init(
            canvas: header.stored, output: output, result: memory.result, stepBytes: steps.isEmpty ? 0 : memory.peak,
            kept: fileBytes + 2 * header.stored.bitmapMemory + Self.listBytes)
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
