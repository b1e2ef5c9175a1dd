#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The scans of a progressive JPEG during its download: the number of complete scans, and the end of the last one.
struct JPEGScans {
    /// The end of the last complete scan.
    private(set) var end = 0
    private(set) var count = 0
    /// The highest coefficient in the complete scans: 0 for only block averages, 63 for full detail.
    private(set) var highestCoefficient = 0

    /// The maximum number of scans, more than encoders write. Even a short scan takes time for the whole image.
    static let limit = 50

    private var offset: Int
    private var isInScan = true
    private var isAtEnd = false
    /// The highest coefficient of the current scan.
    private var coefficient: Int

    /// - Parameter offset: The offset of the first scan's data.
    init(_ bytes: ByteReader, from offset: Int) {
        self.offset = offset
        // A scan header ends with the first and last coefficient and their bit positions.
        coefficient = bytes.uint8(at: offset - 2) ?? 0
    }

    /// Continues parsing with all bytes received so far.
    mutating func read(_ bytes: UnsafeRawBufferPointer) {
        while !isAtEnd {
            guard isInScan ? leaveScan(bytes) : enterScan(bytes) else { return }
            if count > Self.limit { isAtEnd = true }
        }
    }

    /// Skips to the end of a scan. Inside a scan, FF is followed by 0 or by the number of a restart marker.
    private mutating func leaveScan(_ bytes: UnsafeRawBufferPointer) -> Bool {
        while offset < bytes.count, let start = bytes.baseAddress {
            guard let found = memchr(start + offset, 0xFF, bytes.count - offset) else {
                offset = bytes.count
                return false
            }
            offset = UnsafeRawPointer(found) - start
            guard offset + 1 < bytes.count else { return false }
            switch bytes[offset + 1] {
            case 0, 0xD0...0xD7: offset += 2
            case 0xFF: offset += 1
            default:
                isInScan = false
                end = offset
                count += 1
                highestCoefficient = max(highestCoefficient, coefficient)
                return true
            }
        }
        return false
    }

    /// Skips the segments before the next scan.
    private mutating func enterScan(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let reader = ByteReader(bytes)
        while let byte = reader.uint8(at: offset), let marker = reader.uint8(at: offset + 1) {
            guard byte == 0xFF, marker != 0, marker != 0xFF, marker != 0x01, !(0xD0...0xD8).contains(marker) else {
                offset += byte == 0xFF && marker != 0xFF ? 2 : 1
                continue
            }
            if marker == 0xD9 {
                isAtEnd = true
                return false
            }
            guard let length = reader.uint16(at: offset + 2) else { return false }
            let next = offset + 2 + max(length, 2)
            if marker == 0xDA {
                guard next <= bytes.count else { return false }
                coefficient = reader.uint8(at: next - 2) ?? 0
                isInScan = true
            }
            offset = next
            if isInScan { return true }
        }
        return false
    }
}
