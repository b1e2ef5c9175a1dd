/// The content of a grid item: its size, and the number of its tiles (ISO/IEC 23008-12, 6.6.2.3).
struct HEIFGridShape {
    let columns: Int
    let rows: Int
    /// The size of the image in pixels, before it is turned.
    let size: PixelSize

    init?(_ location: HEIFItems.Location?) {
        guard let location, location.extents.count == 1, location.extents[0].upperBound <= location.source.count
        else { return nil }
        let content = location.source.slice(location.extents[0])
        guard content.uint8(at: 0) == 0, let flags = content.uint8(at: 1), let lastRow = content.uint8(at: 2),
            let lastColumn = content.uint8(at: 3),
            let width = flags & 1 == 0 ? content.uint16(at: 4) : content.uint32(at: 4),
            let height = flags & 1 == 0 ? content.uint16(at: 6) : content.uint32(at: 8)
        else { return nil }
        (columns, rows, size) = (lastColumn + 1, lastRow + 1, PixelSize(width: width, height: height))
    }

    /// The content of an item, which ``init(_:)`` reads.
    var bytes: [UInt8] {
        [0, 1, UInt8(rows - 1), UInt8(columns - 1)] + UInt32(size.width).bigEndianBytes
            + UInt32(size.height).bigEndianBytes
    }

    /// Returns whether the image ends within the last tiles of this size, and most of their pixels are inside it.
    func isCovered(by tile: PixelSize) -> Bool {
        let whole = PixelSize(width: columns * tile.width, height: rows * tile.height)
        return whole.width >= size.width && whole.width - tile.width < size.width
            && whole.height >= size.height && whole.height - tile.height < size.height
            && whole.bitmapBytes <= max(4 * size.bitmapBytes, 4 << 20)
    }
}
