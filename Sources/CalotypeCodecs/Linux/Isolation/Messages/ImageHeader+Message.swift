import CSandbox

extension calotype_header {
    /// Truncates a format name of more than 16 bytes; the receiver then rejects the header.
    init(_ header: ImageHeader) {
        self.init()
        width = UInt64(clamping: header.width)
        height = UInt64(clamping: header.height)
        frame_count = header.frameCount.map { Int64($0) } ?? -1
        (seconds, attoseconds) = header.duration.components
        samples_per_pixel = header.samplesPerPixel
        orientation = UInt32(clamping: header.orientation)
        bits_per_sample = UInt32(clamping: header.bitsPerSample)
        band_bytes = UInt64(clamping: header.bandBytes ?? 0)
        let set: [(Bool, Int)] = [
            (header.hasAlpha, CALOTYPE_ALPHA), (header.isProgressive, CALOTYPE_PROGRESSIVE),
            (header.isScalable, CALOTYPE_SCALABLE), (header.hidesDefaultImage, CALOTYPE_HIDES_DEFAULT),
        ]
        flags = set.reduce(0) { $1.0 ? $0 | UInt32($1.1) : $0 }
        write(header.format.rawValue, to: &format)
        write(header.codec ?? "", to: &codec)
    }
}

extension ImageHeader {
    /// Returns `nil` unless every value is one that a decoder for these formats may report.
    init?(_ message: calotype_header, formats: [ImageFormat]) {
        let format = text(in: message.format)
        let codec = text(in: message.codec)
        guard let format = formats.first(where: { $0.rawValue.utf8.elementsEqual(format.utf8) }),
            message.width <= Self.longestSide, message.height <= Self.longestSide,
            (1...8).contains(message.orientation), (1...64).contains(message.bits_per_sample),
            message.samples_per_pixel >= 0, message.samples_per_pixel <= 64, message.flags < 16,
            message.band_bytes <= Self.mostBandBytes,
            (-1...Int64(UInt32.max)).contains(message.frame_count), message.frame_count != 0,
            let duration = Duration(seconds: message.seconds, attoseconds: message.attoseconds),
            codec.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        let has = { (flag: Int) in message.flags & UInt32(flag) != 0 }
        self.init(
            format: format, width: Int(message.width), height: Int(message.height),
            orientation: Int(message.orientation), hasAlpha: has(CALOTYPE_ALPHA),
            frameCount: message.frame_count < 0 ? nil : Int(message.frame_count),
            isProgressive: has(CALOTYPE_PROGRESSIVE), samplesPerPixel: message.samples_per_pixel,
            bitsPerSample: Int(message.bits_per_sample), duration: duration)
        isScalable = has(CALOTYPE_SCALABLE)
        hidesDefaultImage = has(CALOTYPE_HIDES_DEFAULT)
        bandBytes = message.band_bytes == 0 ? nil : Int(message.band_bytes)
        self.codec = codec.isEmpty ? nil : codec
    }

    /// The maximum side in pixels. It exceeds the limit of every format, so that an oversized image fails the check of
    /// `DecodeLimits` rather than this one.
    private static let longestSide: UInt64 = 1 << 40

    /// The maximum memory for a row of tiles in bytes: no process has as much, and sums of it do not overflow.
    private static let mostBandBytes: UInt64 = 1 << 57
}

extension Duration {
    /// Returns `nil` if the duration is negative or exceeds 4 billion seconds, or if `attoseconds` is negative or
    /// amounts to a second or more.
    init?(seconds: Int64, attoseconds: Int64) {
        guard (0...4_000_000_000).contains(seconds), (0..<1_000_000_000_000_000_000).contains(attoseconds)
        else { return nil }
        self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }
}

/// Writes a text to the start of `bytes`, which are initially zero. Truncates a text that does not fit.
func write<Bytes: BitwiseCopyable>(_ text: String, to bytes: inout Bytes) {
    withUnsafeMutableBytes(of: &bytes) { bytes in
        for (index, byte) in text.utf8.prefix(bytes.count).enumerated() { bytes[index] = byte }
    }
}

/// Returns the text up to the first zero byte, or to the end of `bytes`.
func text<Bytes: BitwiseCopyable>(in bytes: Bytes) -> String {
    withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
