import CSpng

/// The pixels of a pass of an interlaced PNG (PNG, 8.2), and the size of the blocks into which this and all earlier
/// passes divide the image, so that each block contains exactly one known pixel.
struct Adam7Grid {
    let x: Int, y: Int
    let stepX: Int, stepY: Int
    let blockWidth: Int, blockHeight: Int

    static let all = [
        Adam7Grid(x: 0, y: 0, stepX: 8, stepY: 8, blockWidth: 8, blockHeight: 8),
        Adam7Grid(x: 4, y: 0, stepX: 8, stepY: 8, blockWidth: 4, blockHeight: 8),
        Adam7Grid(x: 0, y: 4, stepX: 4, stepY: 8, blockWidth: 4, blockHeight: 4),
        Adam7Grid(x: 2, y: 0, stepX: 4, stepY: 4, blockWidth: 2, blockHeight: 4),
        Adam7Grid(x: 0, y: 2, stepX: 2, stepY: 4, blockWidth: 2, blockHeight: 2),
        Adam7Grid(x: 1, y: 0, stepX: 2, stepY: 2, blockWidth: 1, blockHeight: 2),
        Adam7Grid(x: 0, y: 1, stepX: 1, stepY: 2, blockWidth: 1, blockHeight: 1),
    ]

    func size(in image: PixelSize) -> PixelSize {
        PixelSize(
            width: max(0, (image.width - x + stepX - 1) / stepX),
            height: max(0, (image.height - y + stepY - 1) / stepY))
    }
}

/// A reader of the rows of an interlaced image's passes in order.
struct PNGPassRows: ~Copyable {
    private let size: PixelSize
    /// A row of RGBA with 16 bits per channel, or empty for images with fewer bits.
    private let wide: WorkMemory
    private let row: WorkMemory
    private let samples: DeepSamples?

    /// - Parameter samples: The conversion of samples with 16 bits, or `nil` for images with fewer.
    init(
        _ reader: borrowing SpngReader, _ header: spng_ihdr, _ samples: DeepSamples?
    ) throws(CodecError) {
        let wide = try WorkMemory(bytes: samples == nil ? 0 : 8 * header.size.width)
        let row = try WorkMemory(bytes: 4 * header.size.width)
        try reader.startRows(isWide: samples != nil)
        (size, self.samples) = (header.size, samples)
        self.wide = wide
        self.row = row
    }

    /// Returns the next row as premultiplied BGRA, without gaps between its pixels. It is valid until the next call.
    ///
    /// - Parameter pass: The pass of the row, counted from 0.
    func read(_ reader: borrowing SpngReader, pass: Int) throws(CodecError) -> UnsafeMutableBufferPointer<UInt32> {
        let width = Adam7Grid.all[pass].size(in: size).width
        let pixels = UnsafeMutableBufferPointer(start: row.start.assumingMemoryBound(to: UInt32.self), count: width)
        if let samples {
            let deep = try readDeep(reader, pass: pass)
            samples.finish(deep)
            deep.round(to: pixels)
        } else {
            try reader.readPassRow(into: UnsafeMutableRawBufferPointer(pixels))
            pixels.premultiplyRGBA()
        }
        return pixels
    }

    private func readDeep(_ reader: borrowing SpngReader, pass: Int) throws(CodecError) -> DeepRow {
        let width = Adam7Grid.all[pass].size(in: size).width
        let row = DeepRow(start: wide.start.assumingMemoryBound(to: SIMD4<UInt16>.self), count: width)
        try reader.readPassRow(into: UnsafeMutableRawBufferPointer(row))
        return row
    }

    /// Reads the next row into the pixels that it has in the image.
    ///
    /// - Parameters:
    ///   - place: The pass of the row, and its number in the image, both counted from 0.
    ///   - rows: The rows of the image.
    func read(
        _ reader: borrowing SpngReader, _ place: (pass: Int, row: Int), into rows: PixelRows
    ) throws(CodecError) {
        let pixels = try read(reader, pass: place.pass)
        let (grid, target) = (Adam7Grid.all[place.pass], rows.row(place.row))
        for x in pixels.indices { target[grid.x + x * grid.stepX] = pixels[x] }
    }

    /// Reads the samples of the next row of 16 bits, as straight RGBA, into the pixels that it has in the image.
    func read(
        _ reader: borrowing SpngReader, _ place: (pass: Int, row: Int), into deep: borrowing DeepPixels
    ) throws(CodecError) {
        let pixels = try readDeep(reader, pass: place.pass)
        let (grid, target) = (Adam7Grid.all[place.pass], deep.row(place.row))
        for x in pixels.indices { target[grid.x + x * grid.stepX] = pixels[x] }
    }
}
