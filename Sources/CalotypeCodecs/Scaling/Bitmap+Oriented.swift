extension Bitmap {
    /// The upright image, made from one stored with this EXIF orientation: 1 (upright) to 8. Other values count as 1.
    ///
    /// 2 mirrored, 3 upside down, 4 flipped, 5 mirrored along the diagonal from the top left, 6 lying on its left side,
    /// 7 mirrored along the other diagonal, 8 lying on its right side. 5 to 8 swap width and height.
    public func oriented(_ exif: Int) throws(CodecError) -> Bitmap {
        (2...8).contains(exif) ? try turned(exif) : self
    }
}
