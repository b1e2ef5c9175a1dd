/// A decoder that supports previews of partial files.
protocol PreviewingDecoder: ImageDecoder {
    /// Starts the previews of a file whose header is complete.
    /// - Parameter bytes: The first bytes. Valid only during the call.
    /// - Returns: `nil` if the file does not support this kind of previews.
    /// - Throws: `damaged` if more bytes are needed to decide.
    func previews(
        of bytes: UnsafeRawBufferPointer, header: ImageHeader, as kind: ImagePreviews.Kind
    ) throws(CodecError) -> (any PreviewSource)?
}

/// Detects and decodes the previews of one file during its download.
protocol PreviewSource: AnyObject, Sendable {
    /// The maximum memory in bytes held from the first preview to the last.
    var heldBytes: Int { get }

    /// Returns whether a new preview may be available. Called repeatedly with all bytes received so far; takes time
    /// only for the new ones.
    ///
    /// - Parameter expected: The total number of bytes, or `nil` if it is unknown.
    func hasNews(in bytes: UnsafeRawBufferPointer, of expected: Int?) -> Bool

    /// Decodes a preview from the bytes received so far. Called on one thread at a time. Uses at most `workingBytes`.
    ///
    /// - Returns: `nil` if there is no new preview.
    func decode(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> PreviewPart?

    /// Decodes the complete file, continuing after the last preview, with the same result as the decoder.
    ///
    /// - Returns: `nil` if the file must be decoded from the start.
    func finish(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap?
}

extension PreviewSource {
    var heldBytes: Int { 0 }

    /// Returns whether there are enough bytes to try rows or passes, which only decoding can detect.
    static func isWorthALook(_ bytes: UnsafeRawBufferPointer, of expected: Int?) -> Bool {
        bytes.count >= expected.map { $0 / 16 } ?? 16 << 10
    }

    func finish(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap? { nil }
}

/// An upright preview from a source.
struct PreviewPart {
    var bitmap: Bitmap
    /// The upright size of an image with as much detail.
    var detail: PixelSize
    var coversImage: Bool
}
