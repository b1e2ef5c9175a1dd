/// The preview in a camera's raw file.
struct RawPreview {
    /// The range of the JPEG in the file.
    let range: Range<Int>
    /// The orientation of the raw file, from 1 to 8, which counts in place of the JPEG's; `nil` if the file has none.
    let orientation: Int?
}

/// The search for the largest JPEG among the places that a raw file names.
///
/// The frame headers count, not the sizes in the file. Samples of the sensor, which are often a lossless JPEG, are no preview.
struct PreviewSearch {
    enum Problem { case outside, noJPEG }

    private(set) var largest: Range<Int>?
    /// The problem of the last place without a JPEG; `nil` if each has one.
    private(set) var problem: Problem?

    private let file: ByteReader
    private var pixels = 0
    /// The bytes that may still be read. Headers take some 100 KB; without a limit, many places in one large file without any
    /// segment would each take the time of the whole file.
    private var rest = 16 << 20

    init(_ file: ByteReader) { self.file = file }

    /// - Parameter place: The range that the file names. It may lie outside, or end there: then the JPEG is cut short.
    mutating func consider(_ place: Range<Int>) {
        let range = place.clamped(to: 0..<file.count)
        guard !range.isEmpty else {
            problem = .outside
            return
        }
        let part = range.prefix(rest)
        guard let jpeg = JPEGSegments(file.slice(part)) else {
            problem = .noJPEG
            return
        }
        rest -= min(jpeg.scanOffset, part.count)
        guard let frame = jpeg.frame else {
            problem = .noJPEG
            return
        }
        let size = frame.width * frame.height
        // Of two lengths of one preview, the shorter one may cut it.
        guard frame.isSupported, !frame.isCMYK, (size, range.count) > (pixels, largest?.count ?? 0) else { return }
        (largest, pixels) = (range, size)
    }
}
