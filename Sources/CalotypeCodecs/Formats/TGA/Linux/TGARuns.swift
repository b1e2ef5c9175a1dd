/// The run lengths of a TGA: packets of one pixel that is repeated, or of up to 128 pixels. Packets may go on in the next row.
struct TGARuns {
    private let file: ByteReader
    private let size: PixelSize
    private var pixels: PackedPixels
    private let start: Int
    /// The places of the rows, in the order of the file: usually from the bottom.
    private var places: [RowPlace] = []

    init(_ file: ByteReader, of size: PixelSize, _ pixels: PackedPixels, from start: Int) {
        (self.file, self.size, self.pixels, self.start) = (file, size, pixels, start)
    }

    private struct Packet {
        let count: Int
        /// The pixel that is repeated, or all pixels.
        let content: UnsafeRawBufferPointer
        let isRun: Bool
        /// The offset after the packet.
        let end: Int
    }

    /// Returns `nil` if the file ends before the packet does.
    private func packet(at offset: Int) -> Packet? {
        guard let head = file.uint8(at: offset) else { return nil }
        let (count, isRun) = (head & 127 + 1, head & 128 != 0)
        let length = pixels.bytes(of: isRun ? 1 : count)
        guard let content = file.bytes(at: offset + 1, count: length) else { return nil }
        return Packet(count: count, content: content, isRun: isRun, end: offset + 1 + length)
    }

    /// The same pixels without their alpha.
    var opaque: TGARuns {
        var runs = self
        runs.pixels = pixels.opaque
        return runs
    }

    /// Finds where the rows begin.
    ///
    /// - Returns: Whether the pixels have alpha, and all of it is 0.
    /// - Throws: `damaged` if the packets end before the last row.
    mutating func findRows() throws(CodecError) -> Bool {
        var (offset, skipped, isClear) = (start, 0, pixels.hasAlpha)
        places.reserveCapacity(size.height)
        for _ in 0..<size.height {
            places.append(RowPlace(offset: offset, skipped: skipped))
            var missing = size.width
            while missing > 0 {
                guard let packet = packet(at: offset) else { throw TGAFile.cutShort }
                if isClear { isClear = pixels.isClear(packet.content) }
                let taken = min(packet.count - skipped, missing)
                (missing, skipped) = (missing - taken, skipped + taken)
                if skipped == packet.count { (offset, skipped) = (packet.end, 0) }
            }
        }
        return isClear
    }

    /// Unpacks a row, counted in the order of the file.
    func read(_ y: Int, into row: UnsafeMutableBufferPointer<UInt32>) {
        var (offset, skipped) = (places[y].offset ?? 0, places[y].skipped)
        var rest = row[...]
        while !rest.isEmpty, let packet = packet(at: offset) {
            let target = UnsafeMutableBufferPointer(rebasing: rest.prefix(packet.count - skipped))
            if packet.isRun {
                let first = UnsafeMutableBufferPointer(rebasing: target.prefix(1))
                pixels.unpack(packet.content, into: first)
                target.update(repeating: first[0])
            } else {
                let content = packet.content.dropFirst(pixels.bytes(of: skipped))
                pixels.unpack(UnsafeRawBufferPointer(rebasing: content), into: target)
            }
            rest = rest.dropFirst(target.count)
            (offset, skipped) = (packet.end, 0)
        }
    }
}
