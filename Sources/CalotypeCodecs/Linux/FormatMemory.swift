/// The memory that decoding the formats of package traits takes. Also for programs without their libraries, whose workers decode
/// in `calotype-decoder-formats`.
enum FormatMemory {
    /// Returns an estimate from measurements, because libjxl 0.7 allocates most memory outside its memory manager.
    /// It keeps all channels as 32-bit numbers, several times for frames coded in parts or based on other frames.
    static func jpegXL(_ header: ImageHeader, _ size: DecodeSize) -> Int {
        guard header.bitsPerSample > 8 else {
            return 3 * header.floatBytes + header.stored.bitmapBytes
                + DecodePostprocessing.workingBytes(for: header, size: size)
        }
        return 3 * header.floatBytes + DeepPixels.bytes(header.stored)
            + DecodePostprocessing.deepBytes(for: header, size: size)
    }

    /// Returns an estimate for several bitmaps: groups with opacity, masks and filters are drawn separately.
    static func svg(_ header: ImageHeader, _ size: DecodeSize) -> Int { 8 * size.result.bitmapBytes + (64 << 20) }

    /// Returns the memory of all pixels, of a strip with up to eight bytes per pixel, which may contain the whole
    /// image, and of scaling.
    static func tiff(_ header: ImageHeader, _ size: DecodeSize) -> Int {
        let block = largestTIFFBlock(for: header)
        let rounded =
            header.stored.bitmapBytes + header.stored(size.result).bitmapBytes
            + DecodePostprocessing.workingBytes(for: header, size: size)
        guard header.bitsPerSample == 16 else { return rounded + block }
        // Unless these are inks or of a palette.
        let deep = DeepPixels.bytes(header.stored) + DecodePostprocessing.deepBytes(for: header, size: size)
        return max(rounded, deep) + block
    }

    /// Returns the maximum size of a strip or tile in bytes. libtiff keeps one at a time.
    static func largestTIFFBlock(for header: ImageHeader) -> Int { 2 * header.stored.bitmapBytes + 4 << 20 }
}
