/// Reads the orientation of an image from an EXIF block.
enum EXIFOrientation {
    /// Returns the orientation, from 1 (upright) to 8. Returns 1 if the block is damaged or contains no orientation.
    ///
    /// - Parameter exif: A TIFF header with its content, optionally preceded by JPEG's "Exif" prefix.
    static func read(_ exif: ByteReader) -> Int {
        let tiff = exif.has("Exif\0\0", at: 0) ? exif.slice(6..<exif.count) : exif
        guard let bigEndian = isBigEndian(tiff),
            let directory = tiff.uint32(at: 4, bigEndian: bigEndian),
            let entries = tiff.uint16(at: directory, bigEndian: bigEndian)
        else { return 1 }

        for index in 0..<entries {
            let entry = directory + 2 + 12 * index
            guard let tag = tiff.uint16(at: entry, bigEndian: bigEndian) else { return 1 }
            if tag == orientationTag { return value(of: entry, in: tiff, bigEndian: bigEndian) }
        }
        return 1
    }

    /// The Orientation tag of TIFF 6.0, section 8.
    private static let orientationTag = 0x0112

    /// Returns whether the bytes are big-endian, or `nil` if they are not a TIFF header.
    static func isBigEndian(_ tiff: ByteReader) -> Bool? {
        if tiff.has("MM\0*", at: 0) { return true }
        if tiff.has("II*\0", at: 0) { return false }
        return nil
    }

    private static func value(of entry: Int, in tiff: ByteReader, bigEndian: Bool) -> Int {
        let long = 4
        let type = tiff.uint16(at: entry + 2, bigEndian: bigEndian)
        let value =
            type == long
            ? tiff.uint32(at: entry + 8, bigEndian: bigEndian) : tiff.uint16(at: entry + 8, bigEndian: bigEndian)
        guard let value, (1...8).contains(value) else { return 1 }
        return value
    }
}

extension Bitmap {
    /// Returns the upright image, given its stored EXIF orientation from 1 (upright) to 8. Other values count as 1.
    ///
    /// 2 is mirrored, 3 upside down, 4 flipped, 5 mirrored along the diagonal from the top left, 6 lying on its left
    /// side, 7 mirrored along the other diagonal, 8 lying on its right side. 5 to 8 swap width and height.
    public func oriented(_ exif: Int) throws(CodecError) -> Bitmap {
        (2...8).contains(exif) ? try turned(exif) : self
    }
}
