import Calotype
import CalotypeCodecs

/// The peak memory of encoding a rendition, computed from the source's header before a pixel is read.
///
/// The loader adds it to that of the codec, of the layout and of its steps, and reserves the whole. It refuses a rendition that
/// needs more than all of them together may use.
struct RenditionPeak: Sendable {
    let layout: RenditionLayout
    let encoding: RenditionEncoding

    var memory: EncodingMemory {
        // Added areas are transparent, and some encoders copy an image with transparency.
        let addsAlpha = encoding.options.addsTransparency
        let still: @Sendable (PixelSize, Bool) -> Int = { [encoding] size, hasAlpha in
            encoding.peakBytes(of: size, hasAlpha: hasAlpha || addsAlpha)
        }
        guard encoding.keepsMotion else { return EncodingMemory(still: still) }
        return EncodingMemory(
            frames: { [frames = layout.ofFrames] header, fileBytes in
                AnimationMemory(header, fileBytes: fileBytes, layout: frames).encodingBytes + Self.listBytes
            }, still: still)
    }

    /// The memory of the longest list of frames, in bytes: `RenditionAnimation` counts the pixels of a list that it has.
    private static let listBytes = DecodeLimits().maxFrames * MemoryLayout<AnimationFrame>.stride
}
