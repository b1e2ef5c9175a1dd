extension Bitmap {
    /// A bitmap made from this one's pixels, of the same size unless told otherwise.
    ///
    /// - Parameter draw: gets the first byte and the row stride of this bitmap and of the new one, and writes all of
    ///   the new one's pixels.
    func redrawn(
        width: Int? = nil, height: Int? = nil, hasAlpha: Bool? = nil,
        by draw: (
            _ input: UnsafePointer<UInt8>, _ inputStride: Int,
            _ output: UnsafeMutablePointer<UInt8>, _ outputStride: Int
        ) throws(CodecError) -> Void
    ) throws(CodecError) -> Bitmap {
        try Bitmap(width: width ?? self.width, height: height ?? self.height, hasAlpha: hasAlpha ?? self.hasAlpha) {
            (pixels, outputStride) throws(CodecError) in
            try withUnsafeBytes { (bytes) throws(CodecError) in
                guard let input = bytes.bindMemory(to: UInt8.self).baseAddress,
                    let output = pixels.bindMemory(to: UInt8.self).baseAddress
                else { return }
                try draw(input, self.stride, output, outputStride)
            }
        }
    }
}
