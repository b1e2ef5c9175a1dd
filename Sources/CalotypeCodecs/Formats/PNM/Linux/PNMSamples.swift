/// The samples of a Netpbm image: numbers from 0 to any limit of at most 16 bits. Greater ones count as the limit.
struct PNMSamples {
    private let largest: Int
    private let channels: Int
    private let start: Int
    /// The 8-bit values of samples that are bytes.
    private let levels: [UInt8]

    init(_ header: PNMHeader) {
        (largest, channels, start) = (header.largest, header.channels, header.end)
        let largest = header.largest
        levels = largest > 255 ? [] : (0...255).map { UInt8((min($0, largest) * 255 + largest / 2) / largest) }
    }

    private var sampleBytes: Int { largest > 255 ? 2 : 1 }

    /// Whether the file has all binary samples.
    func areWhole(_ file: ByteReader, _ size: PixelSize) -> Bool {
        let (row, rowOverflow) = size.width.multipliedReportingOverflow(by: channels * sampleBytes)
        let (bytes, overflow) = row.multipliedReportingOverflow(by: size.height)
        return !rowOverflow && !overflow && start <= file.count && bytes <= file.count - start
    }

    /// Reads a row of binary samples, the more significant byte first.
    func read(_ y: Int, _ file: ByteReader, into row: UnsafeMutableBufferPointer<UInt32>) {
        let length = row.count * channels * sampleBytes
        guard let bytes = file.bytes(at: start + y * length, count: length) else { return }
        var offset = 0
        if sampleBytes == 1 {
            fill(row) {
                defer { offset += 1 }
                return Int(bytes[offset])
            }
        } else {
            fill(row) {
                defer { offset += 2 }
                return Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
            }
        }
    }

    /// Fills a row with premultiplied BGRA.
    ///
    /// - Parameter next: Returns the next sample.
    @inline(__always)
    func fill<Failure: Error>(
        _ row: UnsafeMutableBufferPointer<UInt32>, _ next: () throws(Failure) -> Int
    ) throws(Failure) {
        for x in row.indices {
            switch channels {
            case 1: row[x] = 0xFF00_0000 | level(try next()) &* 0x01_0101
            case 3:
                let (red, green) = (level(try next()), level(try next()))
                row[x] = 0xFF00_0000 | red << 16 | green << 8 | level(try next())
            default:
                // Premultiply before rounding to 8 bits, to avoid rounding twice.
                let first = wide(try next())
                let (green, blue) = channels == 2 ? (first, first) : (wide(try next()), wide(try next()))
                row[x] = SIMD4(first, green, blue, wide(try next())).premultipliedBGRA
            }
        }
    }

    /// Returns a sample with 8 bits, rounded to nearest.
    @inline(__always)
    private func level(_ sample: Int) -> UInt32 {
        let sample = min(sample, largest)
        if !levels.isEmpty { return UInt32(levels[sample]) }
        // A constant divisor takes no division.
        if largest == 65_535 { return (UInt32(sample) * 255 + 32_767) / 65_535 }
        return UInt32((sample * 255 + largest / 2) / largest)
    }

    private func wide(_ sample: Int) -> UInt16 { UInt16((min(sample, largest) * 65_535 + largest / 2) / largest) }
}
