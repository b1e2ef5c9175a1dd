/// A decoder that can show a part of a file.
protocol PreviewingDecoder: ImageDecoder {
    /// Begins with a file whose header is there.
    ///
    /// - Parameter bytes: valid during the call alone.
    /// - Returns: `nil` for a file that has no such previews.
    /// - Throws: `damaged` where too little has come to tell.
    func previews(
        of bytes: UnsafeRawBufferPointer, header: ImageHeader, as kind: ImagePreviews.Kind
    ) throws(CodecError) -> (any PreviewSource)?
}

/// Finds and decodes what can be shown of one file while its bytes come.
protocol PreviewSource: AnyObject, Sendable {
    /// Bytes of memory that are held from the first preview to the last, at most.
    var heldBytes: Int { get }

    /// Returns whether there may be something new to show. Called again and again with all the bytes so far; takes time for
    /// the new ones alone.
    ///
    /// - Parameter expected: the bytes in all, where that is known.
    func hasNews(in bytes: UnsafeRawBufferPointer, of expected: Int?) -> Bool

    /// Decodes what can be shown of the bytes so far. Called by one thread at a time, in no more memory than the
    /// decoder's `workingBytes`.
    ///
    /// - Returns: `nil` where there is nothing.
    func decode(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> PreviewPart?

    /// Decodes the whole file by going on where the last preview ended, just as the decoder would.
    ///
    /// - Returns: `nil` where it is decoded from the start.
    func finish(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap?
}

extension PreviewSource {
    var heldBytes: Int { 0 }

    /// Returns whether there are enough bytes to look for rows or passes, of which nothing but decoding tells.
    static func isWorthALook(_ bytes: UnsafeRawBufferPointer, of expected: Int?) -> Bool {
        bytes.count >= expected.map { $0 / 16 } ?? 16 << 10
    }

    func finish(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap? { nil }
}

/// What a source has decoded, upright.
struct PreviewPart {
    var bitmap: Bitmap
    /// The upright size of the image at which nothing of this is lost.
    var detail: PixelSize
    var coversImage: Bool
}
