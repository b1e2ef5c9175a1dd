package import Foundation

/// GIF: the first frame, on its canvas, which is transparent where the frame does not reach.
package struct GIFDecoder: ImageDecoder {
    package let mediaTypes = ["image/gif"]

    package init() {}

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        try data.reading { (bytes) throws(CodecError) in
            guard let blocks = GIFBlocks(ByteReader(bytes)) else { return nil }
            guard blocks.frameCount > 0 else {
                throw CodecError(.damaged, "GIF without a frame: 0 frames in \(bytes.count) bytes")
            }
            return ImageHeader(
                format: .gif, width: blocks.canvas.width, height: blocks.canvas.height, hasAlpha: blocks.hasAlpha,
                frameCount: blocks.frameCount, samplesPerPixel: 1,
                duration: blocks.frameCount > 1 ? blocks.duration : .zero)
        }
    }

    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        let lzwTables = 64 << 10
        return header.stored.bitmapBytes + header.width + lzwTables
            + Finish.workingBytes(for: header, decoded: header.stored, size: size)
    }

    package func decode(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            guard let blocks = GIFBlocks(ByteReader(bytes)), let frame = blocks.firstFrame,
                blocks.canvas == header.stored
            else { throw CodecError(.damaged, "GIF without a frame, or of another size than its header says") }
            let file = try GIFFile(bytes)
            try file.skipToFirstFrame()
            let bitmap = try Bitmap(width: header.width, height: header.height, hasAlpha: header.hasAlpha) {
                (pixels, stride) throws(CodecError) in
                let canvas = PixelRows(pixels, width: header.width, height: header.height, stride: stride)
                if header.hasAlpha { pixels.initializeMemory(as: UInt8.self, repeating: 0) }
                try draw(frame, of: file, on: canvas)
            }
            return try Finish(size: size, orientation: 1, colors: nil).apply(to: bitmap)
        }
    }

    private func draw(_ frame: GIFBlocks.Frame, of file: GIFFile, on canvas: PixelRows) throws(CodecError) {
        guard frame.size.width > 0, frame.size.height > 0 else {
            throw CodecError(.damaged, "GIF is damaged: its first frame is of \(frame.size) pixels")
        }
        var palette = file.palette()
        if let index = frame.transparentIndex { palette[index] = 0 }

        let indices = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: frame.size.width)
        defer { indices.deallocate() }
        for y in Self.rowOrder(height: frame.size.height, isInterlaced: file.isInterlaced) {
            try file.readRow(into: indices)
            let row = canvas.row(frame.y + y)
            for x in indices.indices { row[frame.x + x] = palette[Int(indices[x])] }
        }
    }

    /// GIF89a, appendix E: every 8th row, then what lies between, in four passes.
    private static func rowOrder(height: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<height) }
        let passes = [(start: 0, step: 8), (start: 4, step: 8), (start: 2, step: 4), (start: 1, step: 2)]
        return passes.flatMap { Array(stride(from: $0.start, to: height, by: $0.step)) }
    }
}
