/// Decodes the frames of one animation: what a file format adds to ``AnimatedImage``.
///
/// The index is made when the frames are opened, without decoding a pixel. A decoder may keep state from frame to frame:
/// it is used by one thread at a time, which may block. Frames are usually asked for in order, but any may be skipped, and
/// any may be asked for again.
///
/// ```swift
/// final class FarbfilmFrames: FrameDecoder {
///     let index: AnimationIndex
///     func pixels(of frame: Int) throws(CodecError) -> Bitmap { … }
/// }
/// ```
public protocol FrameDecoder {
    /// The file's index of its frames.
    var index: AnimationIndex { get }

    /// Decodes one frame alone: a bitmap of the size of its ``AnimationFrame/rect``, in sRGB, without what lies below it.
    ///
    /// Never called for a frame whose rectangle is empty.
    func pixels(of frame: Int) throws(CodecError) -> Bitmap
}
