package import Foundation

/// A decoder that reads the frames of animations.
package protocol AnimationDecoder: ImageDecoder {
    /// Opens the frames of an animation without decoding pixels. For a still image, returns `nil` or a single frame.
    ///
    /// - Parameter gamut: The gamut of the frames. A decoder that cannot convert to it returns frames in sRGB.
    func openFrames(
        of data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut
    ) throws(CodecError) -> sending (any FrameDecoder)?
}

/// A decoder of the frames of one animation: the part of ``AnimatedImage`` that depends on the file format.
///
/// The index is created when the frames are opened, without decoding pixels. A decoder may keep state between frames,
/// because only one thread, which may block, uses it at a time. Callers usually request the frames in order, but may
/// skip or repeat some.
package protocol FrameDecoder {
    var index: AnimationIndex { get }

    /// Decodes one frame alone: a bitmap of the size of its ``AnimationFrame/rect``, without the canvas below it, in the gamut that
    /// the frames were opened for, or in sRGB.
    ///
    /// Not called for frames with an empty rectangle.
    func pixels(of frame: Int) throws(CodecError) -> Bitmap
}
