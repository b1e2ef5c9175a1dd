/// A decoder that supports previews of partial files.
protocol PreviewingDecoder: ImageDecoder {
    /// Starts the previews of a file whose header is complete.
    ///
    /// - Parameter bytes: The first bytes. Valid only during the call.
    /// - Returns: `nil` if the file does not support previews.
    /// - Throws: `damaged` if more bytes are needed to decide.
    func previews(of bytes: UnsafeRawBufferPointer, header: ImageHeader) throws(CodecError) -> (any PreviewSource)?
}

/// A decoder of the previews of one file during its download.
protocol PreviewSource: AnyObject, Sendable {
    /// The maximum memory in bytes that the source holds from the first preview to the last.
    var heldBytes: Int { get }

    /// Decodes an upright preview from all bytes received so far, or returns `nil` if they contain no new detail.
    ///
    /// Called on one thread at a time. Uses at most the decoder's `workingBytes`, in addition to ``heldBytes``.
    func decode(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> ImagePreview?
}
