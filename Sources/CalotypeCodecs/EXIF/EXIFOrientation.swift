/// The orientation of an image in its EXIF block.
enum EXIFOrientation {
    /// Returns the orientation, from 1 (upright) to 8. Returns 1 if the block is damaged or contains no orientation.
    ///
    /// - Parameter exif: A TIFF header with its content, optionally preceded by JPEG's "Exif" prefix.
    static func read(_ exif: ByteReader) -> Int {
        guard let value = EXIFDirectory(exif)?.number(orientationTag), (1...8).contains(value) else { return 1 }
        return value
    }

    /// The Orientation tag of TIFF 6.0, section 8.
    private static let orientationTag = 0x0112
}

extension Bitmap {
    /// Returns the upright image, given its stored EXIF orientation from 1 (upright) to 8. Other values count as 1.
    ///
    /// 2 mirrors horizontally, 4 vertically. 3 rotates by 180°, 6 clockwise by 90°, 8 counterclockwise by 90°. 5
    /// mirrors along the diagonal from the top left, 7 along the other diagonal. 5 to 8 swap width and height.
    public func oriented(_ exif: Int) throws(CodecError) -> Bitmap {
        guard (2...8).contains(exif) else { return self }
        return try turned(exif).declaring(gainMap: gainMap?.turned(exif))
    }
}
