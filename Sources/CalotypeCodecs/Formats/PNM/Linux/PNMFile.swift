/// A Netpbm image: PBM, PGM and PPM as text and as binary data (P1 to P6), and PAM (P7).
struct PNMFile: RowFile {
    let size: PixelSize
    let hasAlpha: Bool
    let samplesPerPixel: Double
    let bitsPerSample: Int

    private let file: ByteReader
    private let content: Content
    private var text: PNMText
    private var y = 0

    private enum Content {
        /// Bytes that are the samples, or bits.
        case rows(PackedRows)
        case samples(PNMSamples)
        case text(PNMSamples)
        /// Digits without separators.
        case digits
    }

    init(_ file: ByteReader) throws(CodecError) {
        let header = try PNMHeader(file)
        (self.file, size, hasAlpha) = (file, header.size, header.hasAlpha)
        samplesPerPixel = Double(header.channels)
        bitsPerSample = Int.bitWidth - header.largest.leadingZeroBitCount
        text = PNMText(file, from: header.end)
        if header.isText {
            content = header.isBitmap ? .digits : .text(PNMSamples(header))
        } else if let pixels = Self.packed(header) {
            content = .rows(PackedRows(file, of: size, pixels, from: header.end))
        } else {
            content = .samples(PNMSamples(header))
        }
    }

    private static func packed(_ header: PNMHeader) -> PackedPixels? {
        if header.isBitmap { return .indices(bits: 1, [0xFFFF_FFFF, 0xFF00_0000]) }
        guard header.largest == 255 else { return nil }
        return [.gray, .grayAlpha, .rgb, .rgba][header.channels - 1]
    }

    mutating func begin() throws(CodecError) {
        let isWhole =
            switch content {
            case .rows(let rows): rows.end != nil
            case .samples(let samples): samples.areWhole(file, size)
            // Only reading them shows it.
            case .text, .digits: true
            }
        guard isWhole else { throw Self.cutShort }
    }

    mutating func read(into row: UnsafeMutableBufferPointer<UInt32>) throws(CodecError) {
        switch content {
        case .rows(let rows): rows.read(y, into: row)
        case .samples(let samples): samples.read(y, file, into: row)
        case .text(let samples):
            try samples.fill(row) { () throws(CodecError) in
                guard let number = text.number() else { throw Self.cutShort }
                return number
            }
        case .digits:
            for x in row.indices {
                guard let digit = text.digit() else { throw Self.cutShort }
                row[x] = digit == 0 ? 0xFFFF_FFFF : 0xFF00_0000
            }
        }
        y += 1
    }

    private static var cutShort: CodecError { CodecError(.damaged, "PNM is cut short, or damaged") }
}
