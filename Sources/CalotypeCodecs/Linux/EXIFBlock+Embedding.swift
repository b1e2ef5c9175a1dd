import CWebP
package import Foundation

extension EncodingFormat {
    /// Encodes a bitmap, with its credits if the format keeps them. Blocks the calling thread.
    package func file(of bitmap: Bitmap) throws(CodecError) -> Data {
        try encode(bitmap, with: keepsCredits ? bitmap.credits.map { EXIFBlock($0) } : nil)
    }

    /// Encodes a bitmap as a file in its gamut that contains an EXIF block. Blocks the calling thread.
    package func encode(_ bitmap: Bitmap, with exif: EXIFBlock?) throws(CodecError) -> Data {
        guard let exif else { return try bitmap.encoded(as: self) }
        guard var placing = encoder as? any EXIFPlacingEncoder else {
            return try exif.embedded(in: bitmap.encoded(as: self), imageFormat)
        }
        placing.exif = exif
        return try placing.encode(bitmap)
    }
}

/// An encoder whose library places the EXIF block in the file. In files of other encoders it is added at the end.
protocol EXIFPlacingEncoder: GamutEncoder {
    /// The EXIF block of the file, or `nil` for a file without one.
    var exif: EXIFBlock? { get set }
}

extension EXIFBlock {
    /// Returns a JPEG, PNG or WebP, which has no block, with this one. Returns files of other formats unchanged.
    ///
    /// - Throws: `encodingFailed` if the WebP is damaged.
    package func embedded(in file: Data, _ format: ImageFormat) throws(CodecError) -> Data {
        switch format {
        case .jpeg: embedded(inJPEG: file)
        case .png: embedded(inPNG: file)
        case .webp: try embedded(inWebP: file)
        default: file
        }
    }

    func embedded(inJPEG jpeg: Data) -> Data {
        let content = Data("Exif\0\0".utf8) + bytes
        var segment = Data([0xFF, 0xE1])
        segment.appendBigEndian(content.count + 2, bytes: 2)
        // A JFIF segment has to stay the first segment.
        let start = jpeg.reading { bytes in
            let file = ByteReader(bytes)
            return file.uint16(at: 2) == 0xFFE0 ? 4 + (file.uint16(at: 4) ?? 0) : 2
        }
        return jpeg.prefix(start) + segment + content + jpeg.dropFirst(start)
    }

    /// Adds a chunk in front of the pixels (PNG specification, third edition, section 11.3.4.5).
    private func embedded(inPNG png: Data) -> Data {
        let pixels = png.reading { bytes in
            PNGChunks(ByteReader(bytes)).first { $0.name == PNGChunks.Chunk.pixels }?.content.lowerBound
        }
        guard let pixels else { return png }
        let checked = Data("eXIf".utf8) + bytes
        var chunk = Data()
        chunk.appendBigEndian(bytes.count, bytes: 4)
        chunk += checked
        chunk.appendBigEndian(PNGChunks.Chunk.checksum(checked), bytes: 4)
        // A chunk's length and name precede its content.
        return png.prefix(pixels - 8) + chunk + png.dropFirst(pixels - 8)
    }

    private func embedded(inWebP file: Data) throws(CodecError) -> Data {
        try Data(webP: file, adding: bytes, as: "EXIF")
    }
}

extension Data {
    /// Returns a WebP, which has no chunk of this name, with one.
    ///
    /// - Throws: `encodingFailed` if the file is damaged.
    init(webP file: Data, adding content: Data, as name: String) throws(CodecError) {
        let mux = file.reading { bytes in
            var data = WebPData(bytes)
            return WebPMuxCreate(&data, 1)  // 1: copy the bytes
        }
        let failure = CodecError(.encodingFailed, "WebP: the metadata could not be added")
        guard let mux else { throw failure }
        defer { WebPMuxDelete(mux) }
        let status = content.reading { bytes in
            var chunk = WebPData(bytes)
            return WebPMuxSetChunk(mux, name, &chunk, 1)
        }
        var assembled = WebPData()
        defer { WebPDataClear(&assembled) }
        guard status == WEBP_MUX_OK, WebPMuxAssemble(mux, &assembled) == WEBP_MUX_OK, let bytes = assembled.bytes
        else { throw failure }
        var data = Data(bytes: bytes, count: assembled.size)
        // Restore the alpha flag: libwebp derives it from the frames, but opaque frames may not cover the canvas.
        let (kind, flags) = (12..<16, 20)
        if file[kind] == Data("VP8X".utf8) { data[flags] |= file[flags] & UInt8(ALPHA_FLAG.rawValue) }
        self = data
    }
}

extension WebPData {
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
    }
}
