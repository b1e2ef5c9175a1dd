/// The JPEG thumbnail in a camera's EXIF block.
enum EXIFThumbnail {
    /// Returns the thumbnail's range in `exif`, or `nil` if the block contains no thumbnail.
    ///
    /// - Parameter exif: A TIFF header with its content, preceded by JPEG's "Exif" prefix.
    static func range(in exif: ByteReader) -> Range<Int>? {
        guard let thumbnail = EXIFDirectory(exif)?.next, let start = thumbnail.number(0x0201),
            let length = thumbnail.number(0x0202),
            length > 0, start <= thumbnail.blockBytes, length <= thumbnail.blockBytes - start
        else { return nil }
        let prefix = EXIFDirectory.prefixBytes
        return prefix + start..<prefix + start + length
    }
}
