import CWebP
package import Foundation

extension ImageCredits {
    /// Returns a JPEG or WebP with an EXIF block of the credits added. Returns other files unchanged.
    ///
    /// - Throws: `encodingFailed` if the WebP is damaged.
    package func embedded(in file: Data, _ format: ImageFormat) throws(CodecError) -> Data {
        switch format {
        case .jpeg: embedded(inJPEG: file)
        case .webp: try embedded(inWebP: file)
        default: file
        }
    }

    private func embedded(inWebP file: Data) throws(CodecError) -> Data {
        let mux = file.reading { bytes in
            var data = WebPData(bytes)
            return WebPMuxCreate(&data, 1)  // 1: copy the bytes
        }
        guard let mux else { throw Self.failure }
        defer { WebPMuxDelete(mux) }
        let status = exif.reading { exif in
            var chunk = WebPData(exif)
            return WebPMuxSetChunk(mux, "EXIF", &chunk, 1)
        }
        var assembled = WebPData()
        defer { WebPDataClear(&assembled) }
        guard status == WEBP_MUX_OK, WebPMuxAssemble(mux, &assembled) == WEBP_MUX_OK, let bytes = assembled.bytes
        else { throw Self.failure }
        var data = Data(bytes: bytes, count: assembled.size)
        // Restore the alpha flag: libwebp derives it from the frames, but opaque frames may not cover the canvas.
        let (kind, flags) = (12..<16, 20)
        if file[kind] == Data("VP8X".utf8) { data[flags] |= file[flags] & UInt8(ALPHA_FLAG.rawValue) }
        return data
    }

    private static let failure = CodecError(.encodingFailed, "WebP: the credits could not be added")
}

extension WebPData {
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
    }
}
