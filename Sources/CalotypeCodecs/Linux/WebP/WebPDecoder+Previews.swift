import CalotypeBase
import Foundation

extension WebPDecoder: PreviewingDecoder {
    func previews(
        of bytes: UnsafeRawBufferPointer, header: ImageHeader, as kind: ImagePreviews.Kind
    ) throws(CodecError) -> (any PreviewSource)? {
        // The orientation is stored after the image, so it is still unknown.
        guard kind == .rows, !ByteReader(bytes).announcesEXIF else { return nil }
        let features = try WebPBitstream(bytes: bytes).features()
        guard !features.isAnimated else { return nil }
        guard features.isKnown else { throw CodecError(.damaged, "WebP whose pixels have not begun") }
        return WebPPreviews(header, isLossy: features.isLossy)
    }
}

/// The rows of a WebP. One decoder continues from preview to preview, and to the final image.
private final class WebPPreviews: PreviewSource {
    let heldBytes: Int
    private let header: ImageHeader
    // Held during a decode, by one thread at a time.
    private let run = Locked<State>(.new)

    private enum State {
        case new
        case running(WebPRun, DecodeSize)
        case ended
    }

    init(_ header: ImageHeader, isLossy: Bool) {
        self.header = header
        // Lossy: three planes, or an alpha channel and pixels. Lossless: the original image and pixels.
        heldBytes = isLossy && !header.hasAlpha ? header.stored.bitmapBytes : 2 * header.stored.bitmapBytes
    }

    func hasNews(in bytes: UnsafeRawBufferPointer, of expected: Int?) -> Bool {
        Self.isWorthALook(bytes, of: expected)
    }

    func decode(
        _ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize
    ) throws(CodecError) -> PreviewPart? {
        try run.withLock { (state) throws(CodecError) in
            if case .new = state {
                let run = try WebPRun(bytes, header, size: WebPDecoder.codecSize(of: header, size))
                state = .running(run, size)
            }
            guard case .running(let run, _) = state else { return nil }
            // Discard a decoder that throws.
            state = .ended
            let isWhole = try run.read(bytes)
            state = .running(run, size)
            guard !isWhole, let rows = try run.rows() else { return nil }
            let finish = Finish(
                size: size, orientation: header.orientation,
                colors: ColorConversion.rgb(WebPContainer(beginning: bytes)?.profile, isGray: false))
            return PreviewPart(
                bitmap: try finish.apply(to: rows), detail: header.uprightSize, coversImage: false)
        }
    }

    func finish(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap? {
        try run.withLock { (state) throws(CodecError) in
            guard case .running(let run, let begun) = state, begun == size else { return nil }
            state = .ended
            // For a damaged file, decoding from the start reports the error.
            guard let isWhole = try? run.read(bytes), isWhole,
                (try? WebPBitstream(bytes: bytes).features())?.hasAlpha == header.hasAlpha
            else { return nil }
            let (bitmap, extent) = try run.whole()
            let finish = Finish(
                size: size, orientation: header.orientation,
                colors: ColorConversion.rgb(WebPContainer(bytes)?.profile, isGray: false))
            return try finish.apply(to: bitmap, extent: extent)
        }
    }
}

extension ByteReader {
    /// The EXIF flag in the extended header (RFC 9649, 2.7).
    fileprivate var announcesEXIF: Bool { has("VP8X", at: 12) && (uint8(at: 20) ?? 0) & 0x08 != 0 }
}
