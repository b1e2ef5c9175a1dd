/// The complete passes of a partially received interlaced PNG, except for the seventh, which completes the image.
struct Adam7Passes: ~Copyable {
    /// The positions of a pass's pixels (PNG, 8.2), and the size of the blocks into which this and all earlier passes
    /// divide the image, so that each block contains exactly one known pixel.
    private struct Grid {
        let x: Int, y: Int
        let stepX: Int, stepY: Int
        let blockWidth: Int, blockHeight: Int

        func size(in image: PixelSize) -> PixelSize {
            PixelSize(
                width: max(0, (image.width - x + stepX - 1) / stepX),
                height: max(0, (image.height - y + stepY - 1) / stepY))
        }
    }

    private static let grids = [
        Grid(x: 0, y: 0, stepX: 8, stepY: 8, blockWidth: 8, blockHeight: 8),
        Grid(x: 4, y: 0, stepX: 8, stepY: 8, blockWidth: 4, blockHeight: 8),
        Grid(x: 0, y: 4, stepX: 4, stepY: 8, blockWidth: 4, blockHeight: 4),
        Grid(x: 2, y: 0, stepX: 4, stepY: 4, blockWidth: 2, blockHeight: 4),
        Grid(x: 0, y: 2, stepX: 2, stepY: 4, blockWidth: 2, blockHeight: 2),
        Grid(x: 1, y: 0, stepX: 2, stepY: 2, blockWidth: 1, blockHeight: 2),
    ]

    private let size: PixelSize
    /// The pixels of all passes, one after the other.
    private let memory: WorkMemory
    private let offsets: [Int]
    /// The number of complete passes.
    private let count: Int

    init(_ reader: borrowing SpngReader, of size: PixelSize) throws(CodecError) {
        var offsets = [0]
        for grid in Self.grids { offsets.append(offsets[offsets.count - 1] + grid.size(in: size).bitmapBytes) }
        let memory = try WorkMemory(bytes: offsets[offsets.count - 1])
        let start = memory.start
        try reader.startRows()
        // The pass of the current row: all earlier ones are complete. libspng skips passes without pixels.
        var current = 0
        while try reader.readPassRow(into: { (pass, y) throws(CodecError) in
            current = pass
            guard pass < Self.grids.count else { return nil }
            let grid = Self.grids[pass]
            let width = grid.size(in: size).width
            let row = (y - grid.y) / grid.stepY
            return UnsafeMutableRawBufferPointer(start: start + offsets[pass] + 4 * row * width, count: 4 * width)
        }) {}
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
            rows.forEachRow { $0.premultiplyRGBA() }
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
