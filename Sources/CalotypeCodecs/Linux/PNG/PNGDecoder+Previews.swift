import Foundation

extension PNGDecoder: PreviewingDecoder {
    func previews(
        of bytes: UnsafeRawBufferPointer, header: ImageHeader, as kind: ImagePreviews.Kind
    ) -> (any PreviewSource)? {
        guard header.isProgressive || kind == .rows else { return nil }
        // The first frame of an animation may differ from the default image, which is stored first.
        for chunk in PNGChunks(ByteReader(bytes)) where chunk.name == PNGChunks.Chunk.animation { return nil }
        return PNGPreviews(self, header)
    }
}

/// The previews of a PNG: its passes or rows.
private final class PNGPreviews: PreviewSource {
    private let decoder: PNGDecoder
    private let header: ImageHeader

    init(_ decoder: PNGDecoder, _ header: ImageHeader) {
        self.decoder = decoder
        self.header = header
    }

    func hasNews(in bytes: UnsafeRawBufferPointer, of expected: Int?) -> Bool {
        Self.isWorthALook(bytes, of: expected)
    }

    func decode(
        _ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize
    ) throws(CodecError) -> PreviewPart? {
        try decoder.decodeStart(of: bytes, header, size)
    }
}
