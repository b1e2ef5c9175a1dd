import CSpng

/// The complete passes of a partially received interlaced PNG, except for the seventh, which completes the image.
struct Adam7Passes: ~Copyable {
    private static let grids = Adam7Grid.all.dropLast()

    private let size: PixelSize
    /// The pixels of all passes, one after the other, as premultiplied BGRA.
    private let memory: WorkMemory
    private let offsets: [Int]
    /// The number of complete passes.
    private let count: Int

    init(
        _ reader: borrowing SpngReader, _ header: spng_ihdr, _ samples: DeepSamples?
    ) throws(CodecError) {
        let size = header.size
        var offsets = [0]
        for grid in Self.grids { offsets.append(offsets[offsets.count - 1] + grid.size(in: size).bitmapBytes) }
        let memory = try WorkMemory(bytes: offsets[offsets.count - 1])
        let rows = try PNGPassRows(reader, header, samples)
        // The pass of the current row: all earlier ones are complete. libspng skips passes without pixels.
        var current = 0
        while let place = reader.nextPassRow {
            current = place.pass
            guard current < Self.grids.count, let pixels = try? rows.read(reader, pass: current) else { break }
            let row = (place.row - Self.grids[current].y) / Self.grids[current].stepY
            UnsafeMutableRawBufferPointer(
                start: memory.start + offsets[current] + 4 * row * pixels.count, count: 4 * pixels.count
            ).copyMemory(from: UnsafeRawBufferPointer(pixels))
        }
        (self.size, self.offsets, count) = (size, offsets, current)
        self.memory = memory
    }

    /// Returns an image with one pixel per block, and its extent, or `nil` if not even the first pass is complete.
    func image(hasAlpha: Bool) throws(CodecError) -> (bitmap: Bitmap, extent: ImageExtent)? {
        guard count > 0 else { return nil }
        let (width, height) = (Self.grids[count - 1].blockWidth, Self.grids[count - 1].blockHeight)
        let blocks = PixelSize(width: (size.width + width - 1) / width, height: (size.height + height - 1) / height)
        let bitmap = try Bitmap(blocks, hasAlpha: hasAlpha) { pixels, stride in
            let rows = PixelRows(pixels, size: blocks, stride: stride)
            for pass in 0..<count { copy(pass, to: rows, blockWidth: width, blockHeight: height) }
        }
        let extent = ImageExtent(
            blocks, width: Double(size.width) / Double(width), height: Double(size.height) / Double(height))
        return (bitmap, extent)
    }

    private func copy(_ pass: Int, to rows: PixelRows, blockWidth: Int, blockHeight: Int) {
        let grid = Self.grids[pass]
        let own = grid.size(in: size)
        let (first, step) = (grid.x / blockWidth, grid.stepX / blockWidth)
        var pixel = (memory.start + offsets[pass]).assumingMemoryBound(to: UInt32.self)
        for row in 0..<own.height {
            let target = rows.row((grid.y + row * grid.stepY) / blockHeight)
            for column in 0..<own.width { target[first + column * step] = pixel[column] }
            pixel += own.width
        }
    }
}
