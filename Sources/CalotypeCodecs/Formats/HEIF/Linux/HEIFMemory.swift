/// The memory that decoding a HEIC takes. Also for programs without libheif, whose workers decode in `calotype-decoder-formats`.
struct HEIFMemory: Sendable {
    /// Whether libheif decodes opaque images to planes of red, green and blue, as it does before 1.19.
    let decodesToPlanes: Bool

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        guard let band = header.bandBytes else { return wholeBytes(for: header, scaledTo: size) }
        // Counts the result twice, because the header does not say whether a copy of it is turned, and the filter for the
        // orientation in which it takes more.
        let (full, result) = (header.uprightSize, size.result)
        let results = [1, 6].map { orientation in
            let (stored, scaled) = (full.turned(from: orientation), result.turned(from: orientation))
            guard header.bitsPerSample == 8 else {
                return DecodePostprocessing.deepBytes(from: stored, to: scaled, isTurned: true, size: size)
            }
            let scaling = ImageScaling(from: ImageExtent(stored), to: scaled, filter: size.filter)
            return 2 * result.bitmapBytes + (stored == scaled ? 0 : scaling.workingBytes)
        }
        return band + (results.max() ?? 0)
    }

    /// Returns the memory in bytes if libheif decodes the whole image, whose rows are then scaled.
    func wholeBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        if header.bitsPerSample > 8 {
            return decodingBytes(of: header.stored, header) + DecodePostprocessing.deepBytes(for: header, size: size)
        }
        let whole = size.result == header.uprightSize ? header.stored.bitmapBytes : 0
        return decodingBytes(of: header.stored, header) + whole
            + DecodePostprocessing.workingBytes(for: header, size: size)
    }

    /// Returns the memory in bytes to decode an image of this size at once: the codec's planes and libheif's copy of them,
    /// or that copy and libheif's planes in RGB, or these and interleaved samples.
    ///
    /// Measured for 4:4:4, which takes most, with libheif 1.15: 7.6 and 13.6 bytes per pixel for 8 and 10 bits as planes,
    /// 10.6 and 28.5 interleaved, where those of 10 bits have 16.
    func decodingBytes(of size: PixelSize, _ header: ImageHeader) -> Int {
        let isPlanar = decodesToPlanes && !header.hasAlpha
        let bytes =
            switch header.bitsPerSample > 8 {
            case false: isPlanar ? 2 : 3
            case true: isPlanar ? 4 : header.hasAlpha ? 7 : 5
            }
        return bytes * size.bitmapBytes
    }
}
