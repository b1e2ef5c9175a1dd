package import Foundation

/// A decoder of GIF. A still image consists of the first frame on a canvas that is transparent outside the frame.
package struct GIFDecoder: AnimationDecoder, BriefDecoder {
    package let mediaTypes = ["image/gif"]

    package init() {}

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        try data.reading { (bytes) throws(CodecError) in
            guard var blocks = GIFBlocks(ByteReader(bytes)) else { return nil }
            guard let first = blocks.next() else {
                throw CodecError(.damaged, "GIF without a frame: 0 frames in \(bytes.count) bytes")
            }
            let canvas = blocks.canvas(with: first)
            // Look only for a second frame: counting all of them would delay the first one.
            let isAnimated = blocks.next() != nil
            return ImageHeader(
                format: .gif, width: canvas.width, height: canvas.height,
                hasAlpha: first.hasAlpha || first.rect.size != canvas,
                frameCount: isAnimated ? nil : 1, samplesPerPixel: 1)
        }
    }

    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        let lzwTables = 64 << 10
        return header.stored.bitmapBytes + header.width + lzwTables
            + DecodePostprocessing.workingBytes(for: header, size: size)
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            guard var blocks = GIFBlocks(ByteReader(bytes)), let frame = blocks.next(),
                blocks.canvas(with: frame) == header.stored
            else { throw CodecError(.damaged, "GIF without a frame, or of another size than its header says") }
            guard frame.rect.width > 0, frame.rect.height > 0 else {
                throw CodecError(.damaged, "GIF is damaged: its first frame is of \(frame.rect.size) pixels")
            }
            let file = try GIFFile(bytes, at: frame)
            let bitmap = try Bitmap(header.stored, hasAlpha: header.hasAlpha) { (pixels, stride) throws(CodecError) in
                if header.hasAlpha { pixels.initializeMemory(as: UInt8.self, repeating: 0) }
                let canvas = PixelRows(pixels, size: header.stored, stride: stride)
                try file.draw(frame, at: (frame.rect.x, frame.rect.y), on: canvas)
            }
            return try DecodePostprocessing(size: size).apply(to: bitmap)
        }
    }

    package func openFrames(
        of data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut
    ) throws(CodecError) -> sending (any FrameDecoder)? {
        try GIFFrames(data, header: header, limits: limits)
    }
}

extension GIFFile {
    /// Draws the frame with its top left corner at this point of the canvas, clipped to the canvas.
    func draw(_ frame: GIFBlocks.Frame, at place: (x: Int, y: Int), on canvas: PixelRows) throws(CodecError) {
        guard !frame.isEmpty else { return }
        var palette = palette()
        if let index = frame.transparentIndex { palette[index] = 0 }
        let width = min(frame.rect.width, canvas.width - place.x)
        let last = canvas.height - place.y

        let indices = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: frame.rect.width)
        indices.initialize(repeating: 0)
        defer { indices.deallocate() }
        var left = min(frame.rect.height, last)
        for y in Self.rows(height: frame.rect.height, isInterlaced: isInterlaced) {
            if left == 0 { break }
            try readRow(into: indices)
            guard y < last else { continue }
            left -= 1
            let row = canvas.row(place.y + y)
            palette.withUnsafeBufferPointer { palette in
                for x in 0..<width { row[place.x + x] = palette[Int(indices[x])] }
            }
        }
    }

    /// Returns the order of rows in the file. Interlaced images have four passes (GIF89a, appendix E).
    private static func rows(height: Int, isInterlaced: Bool) -> [Int] {
        let passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        return passes.flatMap { start, step in Array(stride(from: start, to: height, by: step)) }
    }
}
