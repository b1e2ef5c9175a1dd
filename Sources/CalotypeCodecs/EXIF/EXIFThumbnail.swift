/// The JPEG thumbnail in a camera's EXIF block.
enum EXIFThumbnail {
    /// Returns the thumbnail's range in `exif`, or `nil` if the block contains no thumbnail.
    ///
    /// - Parameter exif: A TIFF header with its content, preceded by JPEG's "Exif" prefix.
    static func range(in exif: ByteReader) -> Range<Int>? {
        let prefix = 6
        let tiff = exif.slice(prefix..<exif.count)
        guard let bigEndian = EXIFOrientation.isBigEndian(tiff),
            let first = tiff.uint32(at: 4, bigEndian: bigEndian),
            let entries = tiff.uint16(at: first, bigEndian: bigEndian),
            // The second directory describes the thumbnail.
            let second = tiff.uint32(at: first + 2 + 12 * entries, bigEndian: bigEndian), second > 0,
            let start = value(of: 0x0201, in: tiff, second, bigEndian),
            let length = value(of: 0x0202, in: tiff, second, bigEndian),
            length > 0, start <= tiff.count, length <= tiff.count - start
        else { return nil }
        return prefix + start..<prefix + start + length
    }

    private static func value(of tag: Int, in tiff: ByteReader, _ directory: Int, _ bigEndian: Bool) -> Int? {
        guard let entries = tiff.uint16(at: directory, bigEndian: bigEndian) else { return nil }
        for index in 0..<entries {
            let entry = directory + 2 + 12 * index
            guard let found = tiff.uint16(at: entry, bigEndian: bigEndian) else { return nil }
            if found == tag { return tiff.uint32(at: entry + 8, bigEndian: bigEndian) }
        }
        return nil
    }
}
