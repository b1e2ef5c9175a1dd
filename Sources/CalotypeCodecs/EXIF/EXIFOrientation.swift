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
    /// 2 mirrors the image horizontally, 3 rotates it by 180°, 4 mirrors it vertically, 5 mirrors it along the diagonal
    /// from the top left, 6 rotates it clockwise by 90°, 7 mirrors it along the other diagonal, and 8 rotates it
    /// counterclockwise by 90°. 5 to 8 swap width and height.
    public func oriented(_ exif: Int) throws(CodecError) -> Bitmap {
        (2...8).contains(exif) ? try turned(exif) : self
    }
}
