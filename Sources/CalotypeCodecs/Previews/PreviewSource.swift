import Foundation

/// A decoder that supports previews of partial files.
protocol PreviewingDecoder: ImageDecoder {
    /// Starts the previews of a file whose header is complete.
    ///
    /// - Parameter bytes: The first bytes. Valid only during the call.
    /// - Returns: `nil` if the file does not support previews.
    /// - Throws: `damaged` if more bytes are needed to decide.
    func previews(of bytes: UnsafeRawBufferPointer, header: ImageHeader) throws(CodecError) -> (any PreviewSource)?
}

/// A decoder whose previews each begin at the first byte, and so need nothing of earlier ones: a worker process makes them, too.
protocol SeparatePreviewDecoder: PreviewingDecoder {
    /// Returns whether a file with this header may have previews.
    func mayHavePreviews(_ header: ImageHeader) -> Bool

    /// Decodes an upright preview from all bytes received so far, or returns `nil` if they are too few.
    ///
    /// - Throws: `unsupported` if no later bytes make a preview possible.
    func preview(
        of data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> ImagePreview?
}

extension SeparatePreviewDecoder {
    func previews(of bytes: UnsafeRawBufferPointer, header: ImageHeader) -> (any PreviewSource)? {
        guard mayHavePreviews(header) else { return nil }
        return SeparatePreviews { (data, size) throws(CodecError) in
            try preview(of: data, header: header, scaledTo: size)
        }
    }
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
