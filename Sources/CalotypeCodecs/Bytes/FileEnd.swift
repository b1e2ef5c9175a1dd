/// A check for truncated files, which some codecs decode without an error.
enum FileEnd {
    /// Returns whether a JPEG, GIF, PNG, RIFF file (WebP) or ISO base media file (HEIF, AVIF) is truncated. Returns
    /// `false` for other formats, whose codecs have to detect truncation.
    static func isMissing(in file: ByteReader) -> Bool {
        if let jpeg = JPEGSegments(file) { return !jpeg.hasEnd }
        if var gif = GIFBlocks(file) { return gif.next() == nil || (gif.next() == nil && gif.isCutShort) }
        if file.uint32(at: 0) == 0x8950_4E47 {
            return !PNGChunks(file).contains { $0.name == PNGChunks.Chunk.last && $0.end <= file.count }
        }
        if file.has("RIFF", at: 0) { return 8 + (file.uint32(at: 4, bigEndian: false) ?? .max - 8) > file.count }
        if file.has("ftyp", at: 4) { return !hasWholeBoxes(file) }
        return false
    }

    /// Returns whether every box is complete (ISO/IEC 14496-12, 4.2). A box begins with its size and type. A size of 1
    /// means that a 64-bit size follows the type, and 0 that the box extends to the end of the file.
    private static func hasWholeBoxes(_ file: ByteReader) -> Bool {
        var offset = 0
        while offset < file.count {
            guard var size = file.uint32(at: offset) else { return false }
            if size == 0 { return true }
            if size == 1 {
                guard let high = file.uint32(at: offset + 8), let low = file.uint32(at: offset + 12), high < 1 << 16
                else { return false }
                size = high << 32 | low
            }
            guard size >= 8 else { return false }
            offset += size
        }
        return offset == file.count
    }
}
