extension Bitmap {
    /// Whether the image is a drawing, a screenshot or text rather than a photograph.
    ///
    /// In drawings pixels repeat, even beside edges: of the neighbors in a row, in blocks of 8 × 8 pixels that are not of one
    /// color, at least 28 % are equal. Of 24 photographs, none had more than 22 % at up to 800 pixels, also in front of white; two had 29
    /// and 31 % at 1,600.
    package var isGraphic: Bool {
        let mask: UInt32 = hasAlpha ? .max : 0xFF_FFFF
        var (equal, pairs) = (0, 0)
        withUnsafeBytes { bytes in
            for top in Swift.stride(from: 0, through: height - 8, by: 8) {
                let rows = UnsafeRawBufferPointer(rebasing: bytes[(top * stride)...].prefix(8 * stride))
                    .assumingMemoryBound(to: UInt32.self)
                for left in Swift.stride(from: 0, through: width - 8, by: 8) {
                    let first = rows[left] & mask
                    var (same, isFlat) = (0, true)
                    for row in 0..<8 {
                        let start = row * stride / 4 + left
                        isFlat = isFlat && rows[start] & mask == first
                        for x in start + 1..<start + 8 where (rows[x] ^ rows[x - 1]) & mask == 0 { same += 1 }
                    }
                    if isFlat && same == 56 { continue }
                    equal += same
                    pairs += 56
                }
            }
        }
        return equal * 100 >= pairs * 28
    }

    /// Whether no pixel is transparent.
    package var isOpaque: Bool {
        guard hasAlpha else { return true }
        return withUnsafeBytes { bytes in
            (0..<height).allSatisfy { y in
                UnsafeRawBufferPointer(rebasing: bytes[(y * stride)...].prefix(4 * width))
                    .assumingMemoryBound(to: UInt32.self).allSatisfy { $0 >> 24 == 255 }
            }
        }
    }
}
