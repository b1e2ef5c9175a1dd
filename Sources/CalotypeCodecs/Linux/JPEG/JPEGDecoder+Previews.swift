import CalotypeBase
import Foundation

extension JPEGDecoder: PreviewingDecoder {
    func previews(
        of bytes: UnsafeRawBufferPointer, header: ImageHeader, as kind: ImagePreviews.Kind
    ) throws(CodecError) -> (any PreviewSource)? {
        guard let segments = JPEGSegments(ByteReader(bytes)), let frame = segments.frame else { return nil }
        // There are tables between the frame header and the first scan.
        guard segments.firstScanComponents > 0 else {
            throw CodecError(.damaged, "JPEG whose first scan has not come")
        }
        return JPEGPreviews(bytes, self, header, segments, frame, showsRows: kind == .rows)
    }
}

/// The previews of a JPEG: its EXIF thumbnail, then its scans or rows.
private final class JPEGPreviews: PreviewSource {
    private let decoder: JPEGDecoder
    private let header: ImageHeader
    private let state: Locked<State>

    private struct State {
        /// The range of a thumbnail that has not been shown yet.
        var thumbnail: Range<Int>?
        /// The scans of a progressive file.
        var scans: JPEGScans?
        var shownScans = 0
        let showsRows: Bool
    }

    init?(
        _ bytes: UnsafeRawBufferPointer, _ decoder: JPEGDecoder, _ header: ImageHeader, _ segments: JPEGSegments,
        _ frame: JPEGSegments.Frame, showsRows: Bool
    ) {
        self.decoder = decoder
        self.header = header
        let reader = ByteReader(bytes)
        let scans = frame.isProgressive ? JPEGScans(reader, from: segments.scanOffset) : nil
        let state = State(
            thumbnail: segments.thumbnail(reader, fitting: header), scans: scans,
            showsRows: showsRows && !header.isProgressive)
        guard state.thumbnail != nil || scans != nil || state.showsRows else { return nil }
        self.state = Locked(state)
    }

    func hasNews(in bytes: UnsafeRawBufferPointer, of expected: Int?) -> Bool {
        state.withLock { state in
            if state.thumbnail != nil { return true }
            if state.showsRows { return Self.isWorthALook(bytes, of: expected) }
            state.scans?.read(bytes)
            return state.scans.map { $0.count > state.shownScans && $0.count <= JPEGScans.limit } ?? false
        }
    }

    private enum Next {
        case thumbnail(Range<Int>)
        case scans(JPEGScans)
        case rows
    }

    private func next(_ bytes: UnsafeRawBufferPointer) -> Next? {
        state.withLock { state in
            if let thumbnail = state.thumbnail, thumbnail.upperBound <= bytes.count {
                state.thumbnail = nil
                return .thumbnail(thumbnail)
            }
            if state.showsRows { return .rows }
            state.scans?.read(bytes)
            guard let scans = state.scans, scans.count > state.shownScans, scans.count <= JPEGScans.limit,
                scans.end <= bytes.count
            else { return nil }
            state.shownScans = scans.count
            return .scans(scans)
        }
    }

    func decode(
        _ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize
    ) throws(CodecError) -> PreviewPart? {
        switch next(bytes) {
        case .thumbnail(let range):
            return try decodeThumbnail(UnsafeRawBufferPointer(rebasing: bytes[range]), size)
        case .scans(let scans):
            let whole = UnsafeRawBufferPointer(rebasing: bytes[..<scans.end])
            // The first scans contain only the average of each block.
            let detail = scans.highestCoefficient == 0 ? JPEGScale(eighths: 1).size(of: header.stored) : header.stored
            let bitmap = try decoder.decodeScans(whole, header, size, isCoarse: scans.highestCoefficient == 0)
            return PreviewPart(bitmap: bitmap, detail: detail.turned(from: header.orientation), coversImage: true)
        case .rows:
            let rows = try decoder.decodeRows(bytes, header, size)
            return rows.map { PreviewPart(bitmap: $0, detail: header.uprightSize, coversImage: false) }
        case nil: return nil
        }
    }

    /// Decodes the thumbnail. It has no orientation of its own, but shares the image's.
    private func decodeThumbnail(
        _ bytes: UnsafeRawBufferPointer, _ size: DecodeSize
    ) throws(CodecError) -> PreviewPart? {
        let file = Data(bytes)
        guard var thumbnail = try decoder.header(of: file) else { return nil }
        thumbnail.orientation = header.orientation
        let full = thumbnail.uprightSize
        let bitmap = try decoder.decode(
            file, header: thumbnail, scaledTo: DecodeSize(size.result, of: full, filter: size.filter))
        return PreviewPart(bitmap: bitmap, detail: full, coversImage: true)
    }
}

extension JPEGSegments {
    /// Returns the range of the thumbnail if its aspect ratio matches the image: many cameras add black bars.
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

extension JPEGDecoder {
    /// Decodes complete scans, which end at the end of the bytes.
    /// - Parameter isCoarse: Whether the scans contain only the average of each block.
    fileprivate func decodeScans(
        _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ size: DecodeSize, isCoarse: Bool
    ) throws(CodecError) -> Bitmap {
        guard let segments = JPEGSegments(ByteReader(bytes)) else { throw CodecError(.notAnImage, "not a JPEG") }
        let frame = try segments.supportedFrame()
        let scale =
            isCoarse
            ? JPEGScale(eighths: 1) : JPEGScale.smallest(from: header.stored, covering: header.stored(size.least))
        let decoded = scale.size(of: header.stored)
        let decompressor = try TurboDecompressor()
        let bitmap = try Bitmap(width: decoded.width, height: decoded.height, hasAlpha: false) {
            (pixels, stride) throws(CodecError) in
            let remark = try decompressor.decode(
                bytes, into: pixels, size: decoded, stride: stride, isCMYK: frame.isCMYK)
            if case .damage(let message) = remark, !message.contains("Premature end") {
                throw CodecError(.damaged, "JPEG is damaged: \(message)")
            }
        }
        return try Finish(size: size, orientation: header.orientation, colors: segments.colors(frame))
            .apply(to: bitmap, extent: scale.extent(of: header.stored))
    }
}
