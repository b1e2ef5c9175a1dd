package import Foundation

extension JPEGDecoder: PartialDecoder {
    /// Returns the memory of the bitmap at the codec's scale plus either the codec's memory or that of
    /// `DecodePostprocessing`, whichever is larger.
    func partialBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        let scale = JPEGScale.smallest(from: header.stored, covering: header.stored(size.least))
        let decoded = scale.size(of: header.stored)
        let finish = DecodePostprocessing.workingBytes(for: header, decoded: decoded, size: size)
        return decoded.bitmapBytes + max(Self.codecBytes(of: header), finish)
    }

    package func decodePartial(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap? {
        try data.reading { (bytes) throws(CodecError) in
            guard let segments = JPEGSegments(ByteReader(bytes)) else { return nil }
            let frame = try segments.supportedFrame()
            let scale = JPEGScale.smallest(from: header.stored, covering: header.stored(size.least))
            let decoded = scale.size(of: header.stored)
            var missing = MissingPixels()
            var bitmap = try Bitmap(decoded, hasAlpha: true) { (pixels, stride) throws(CodecError) in
                var rows = try JPEGRows(
                    bytes, size: decoded, scale: scale, isCMYK: frame.isCMYK, acceptsLosses: true)
                try rows.readAll(into: pixels, stride: stride)
                if rows.hasLosses { missing = MissingPixels(in: PixelRows(pixels, size: decoded, stride: stride)) }
            }
            guard missing.count < decoded.width * decoded.height else { return nil }
            try segments.colors(frame)?.apply(to: &bitmap)
            let stride = bitmap.stride
            try bitmap.withUnsafeMutableBytes { pixels in
                missing.clear(PixelRows(pixels, size: decoded, stride: stride))
            }
            return try DecodePostprocessing(size: size, orientation: header.orientation)
                .apply(to: bitmap, extent: scale.extent(of: header.stored))
        }
    }
}

/// The missing pixels of a truncated JPEG. libjpeg fills them with middle gray, from a point within a row of blocks to
/// the end of the image.
private struct MissingPixels {
    /// The number of missing pixels at the end of each row, from the bottom up.
    private var runs: [Int] = []

    var count: Int { runs.reduce(0, +) }

    init() {}

    init(in rows: PixelRows) {
        guard let fill = rows.row(rows.height - 1).last, fill.isMiddleGray else { return }
        // Rows that are only partly missing belong to one row of blocks, which covers at most 32 rows of pixels. Gray
        // pixels above them are part of the image.
        var mixed = 0
        for y in (0..<rows.height).reversed() {
            let row = rows.row(y)
            let run = row.reversed().prefix { $0 == fill }.count
            if run < row.count { mixed += 1 }
            guard run > 0, mixed <= 32 else { return }
            runs.append(run)
        }
    }

    func clear(_ rows: PixelRows) {
        for (index, run) in runs.enumerated() {
            let row = rows.row(rows.height - 1 - index)
            for x in row.count - run..<row.count { row[x] = 0 }
        }
    }
}

extension UInt32 {
    /// Whether the lowest three channels are middle gray. The fourth channel, black ink or alpha, does not matter.
    fileprivate var isMiddleGray: Bool {
        [self, self >> 8, self >> 16].allSatisfy { (126...129).contains($0 & 0xFF) }
    }
}
