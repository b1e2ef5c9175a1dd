package import Foundation

extension WebPDecoder {
    package func decodePartial(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap? {
        try data.reading { (bytes) throws(CodecError) in
            let container = WebPContainer(bytes, mayBeTruncated: true)
            let picture = WebPBitstream(bytes: bytes)
            let part =
                try picture.features().isAnimated
                ? try container?.withFirstFrame(whole: false) { (frame) throws(CodecError) in
                    try start(of: frame, header)
                } ?? nil
                : try start(of: picture, Self.codecSize(of: header, size), header)
            guard let part else { return nil }
            let colors = ColorConversion.rgb(container?.profile, isGray: false)
            return try DecodePostprocessing(size: size, orientation: header.orientation, colors: colors).apply(to: part)
        }
    }

    private func start(
        of picture: WebPBitstream, _ size: PixelSize, _ header: ImageHeader
    ) throws(CodecError) -> Bitmap? {
        var rows = 0
        let bitmap = try Bitmap(size, hasAlpha: true) { (pixels, stride) throws(CodecError) in
            rows = try picture.decodeStart(into: pixels, size: size, stride: stride, isScaled: size != header.stored)
        }
        return rows > 0 ? bitmap : nil
    }

    private func start(of frame: WebPContainer.Frame, _ header: ImageHeader) throws(CodecError) -> Bitmap? {
        var rows = 0
        let bitmap = try frame.onCanvas(header.stored) { (pixels, stride) throws(CodecError) in
            rows = try WebPBitstream(bytes: frame.bytes)
                .decodeStart(into: pixels, size: frame.size, stride: stride, isScaled: false)
        }
        return rows > 0 ? bitmap : nil
    }
}
