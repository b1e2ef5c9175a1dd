/// A decoder that supports previews of partial files.
protocol PreviewingDecoder: ImageDecoder {
    /// Starts the previews of a file whose header is complete.
    /// - Parameter bytes: The first bytes. Valid only during the call.
    /// - Returns: `nil` if the file does not support previews.
    /// - Throws: `damaged` if more bytes are needed to decide.
    func previews(
        of bytes: UnsafeRawBufferPointer, header: ImageHeader
    ) throws(CodecError) -> (any PreviewSource)?
}

/// Decodes the previews of one file during its download.
protocol PreviewSource: AnyObject, Sendable {
    /// The maximum memory in bytes held from the first preview to the last.
    var heldBytes: Int { get }

    /// Decodes an upright preview from all bytes received so far. Called on one thread at a time. Uses at most
    /// `workingBytes`.
    ///
    /// - Returns: `nil` if there is no new preview.
    func decode(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> ImagePreview?
}
