import CalotypeBase
import Foundation

extension JPEGDecoder: PreviewingDecoder {
    func previews(of bytes: UnsafeRawBufferPointer, header: ImageHeader) throws(CodecError) -> (any PreviewSource)? {
        guard let segments = JPEGSegments(ByteReader(bytes)), let frame = segments.frame else { return nil }
        // Tables may follow the frame header, so the first scan may arrive later than the header.
        guard segments.firstScanComponents > 0 else {
            throw CodecError(.damaged, "JPEG whose first scan has not arrived")
        }
        let thumbnail = segments.thumbnail(ByteReader(bytes), fitting: header)
        guard thumbnail != nil || frame.hasPreviewedScans else { return nil }
        return JPEGPreviews(self, header, frame, thumbnail)
    }
}

/// The previews of a JPEG: its EXIF thumbnail, then its scans.
private final class JPEGPreviews: PreviewSource {
    let heldBytes: Int
    private let decoder: JPEGDecoder
    private let header: ImageHeader
    private let frame: JPEGSegments.Frame
    // A thread holds this lock while it decodes, so that no two threads decode at once.
    private let state: Locked<State>

    private struct State {
        /// The range of the thumbnail, or `nil` if there is no thumbnail or it has been decoded.
        var thumbnail: Range<Int>?
        var scans: JPEGScans?
    }

    init(_ decoder: JPEGDecoder, _ header: ImageHeader, _ frame: JPEGSegments.Frame, _ thumbnail: Range<Int>?) {
        heldBytes = frame.hasPreviewedScans ? JPEGDecoder.coefficientBytes(of: header) : 0
        self.decoder = decoder
        self.header = header
        self.frame = frame
        state = Locked(State(thumbnail: thumbnail))
    }

    func decode(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> ImagePreview? {
        try state.withLock { (state) throws(CodecError) in
            if let thumbnail = state.thumbnail, thumbnail.upperBound <= bytes.count {
                state.thumbnail = nil
                return try decodeThumbnail(UnsafeRawBufferPointer(rebasing: bytes[thumbnail]), size)
            }
            guard frame.hasPreviewedScans else { return nil }
            let scale = JPEGScale.ofPreviews(from: header.stored, to: header.stored(size.result))
            let scans = if let begun = state.scans { begun } else { try JPEGScans(scale: scale, isCMYK: frame.isCMYK) }
            state.scans = scans
            let image = try scans.image(
                bytes, of: header.stored, scaledTo: header.stored(size.result), by: size.filter)
            guard let image else { return nil }
            let finish = DecodePostprocessing(
                size: size, orientation: header.orientation, colors: JPEGSegments(ByteReader(bytes))?.colors(frame))
            let detail = (scans.isCoarse ? JPEGScale(eighths: 1) : scale).size(of: header.stored)
            return ImagePreview(bitmap: try finish.apply(to: image), detail: detail.turned(from: header.orientation))
        }
    }

    /// Decodes the thumbnail, which shares the image's orientation.
    private func decodeThumbnail(
        _ bytes: UnsafeRawBufferPointer, _ size: DecodeSize
    ) throws(CodecError) -> ImagePreview? {
        let file = Data(bytes)
        guard var thumbnail = try decoder.header(of: file) else { return nil }
        thumbnail.orientation = header.orientation
        let full = thumbnail.uprightSize
        let bitmap = try decoder.decode(
            file, header: thumbnail, scaledTo: DecodeSize(size.result, of: full, filter: size.filter))
        return ImagePreview(bitmap: bitmap, detail: full)
    }
}

extension JPEGScale {
    /// Returns the scale of all previews of an image, which have at least half of the result's resolution: a quarter of
    /// the scale for the image itself, unless it hardly shrinks. libjpeg draws every preview from all coefficients, and
    /// cannot change its scale from one to the next.
    static func ofPreviews(from stored: PixelSize, to result: PixelSize) -> JPEGScale {
        smallest(
            from: stored, covering: PixelSize(width: (result.width + 1) / 2, height: (result.height + 1) / 2))
    }
}

extension JPEGSegments.Frame {
    /// `true` for a progressive frame in Huffman coding. libjpeg cannot suspend arithmetic decoding for a preview.
    fileprivate var hasPreviewedScans: Bool { process == 0xC2 && isSupported }
}

extension JPEGSegments {
    /// Returns the range of the thumbnail if it is small and has the image's aspect ratio, otherwise `nil`: many
    /// cameras add black bars to thumbnails.
    fileprivate func thumbnail(_ file: ByteReader, fitting header: ImageHeader) -> Range<Int>? {
        guard let exif, let range = EXIFThumbnail.range(in: file.slice(exif)) else { return nil }
        let inFile = exif.lowerBound + range.lowerBound..<exif.lowerBound + range.upperBound
        guard let frame = JPEGSegments(file.slice(inFile))?.frame, frame.isSupported else { return nil }
        let (width, height) = (Double(header.width), Double(header.height))
        let isSmall = frame.width <= 512 && frame.height <= 512 && frame.width < header.width
        let isWhole =
            abs(Double(frame.width) - Double(frame.height) * width / height) <= 1
            || abs(Double(frame.height) - Double(frame.width) * height / width) <= 1
        return isSmall && isWhole ? inFile : nil
    }
}
