import Foundation

/// The bytes of a JPEG that is written.
struct JPEGWriter: JPEGSymbols, ~Copyable {
    private var bytes: UnsafeMutablePointer<UInt8>
    private static let room = 4096
    private var capacity = room
    private var count = 0
    /// The bits that are not written yet, the last one lowest.
    private var pending: UInt64 = 0
    private var pendingCount = 0
    /// For each table and symbol, the code above its length in 5 bits.
    private let codes: WorkMemory
    private var hasMemory = true

    /// Begins with the marker of the start.
    init() throws(CodecError) {
        let codes = try WorkMemory(bytes: 4 * 256 * 4)
        guard let bytes = malloc(Self.room) else { throw Self.noMemory }
        self.codes = codes
        self.bytes = bytes.assumingMemoryBound(to: UInt8.self)
        append([0xFF, 0xD8])
    }

    deinit { free(bytes) }

    private static var noMemory: CodecError { CodecError(.tooLarge, "no memory for a JPEG") }

    /// Ends the file, and returns it in memory of just its size.
    consuming func file() throws(CodecError) -> Data {
        append([0xFF, 0xD9])
        guard hasMemory else { throw Self.noMemory }
        guard let file = malloc(count) else { throw Self.noMemory }
        memcpy(file, bytes, count)
        return Data(bytesNoCopy: file, count: count, deallocator: .free)
    }

    // MARK: - Segments

    mutating func segment(_ code: UInt8, _ content: [UInt8]) {
        append([0xFF, code, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content)
    }

    private mutating func append(_ more: [UInt8]) {
        guard reserve(more.count) else { return }
        for (index, byte) in more.enumerated() { bytes[count + index] = byte }
        count += more.count
    }

    // MARK: - Coded symbols

    mutating func use(_ code: HuffmanCode, as table: Int) {
        let codes = codes.start.assumingMemoryBound(to: UInt32.self) + table << 8
        var (next, index) = (UInt32(0), 0)
        for length in 1...16 {
            for _ in 0..<code.lengths[length - 1] {
                codes[Int(code.symbols[index])] = next << 5 | UInt32(length)
                next += 1
                index += 1
            }
            next <<= 1
        }
    }

    @inline(__always)
    mutating func add(_ symbol: Int, table: Int, bits: UInt32, count: Int) {
        let code = codes.start.assumingMemoryBound(to: UInt32.self)[table << 8 | symbol]
        let length = Int(code & 31) + count
        pending =
            pending &<< UInt64(truncatingIfNeeded: length) | UInt64(code >> 5) &<< UInt64(truncatingIfNeeded: count)
            | UInt64(bits)
        pendingCount += length
        if pendingCount >= 32 { flush() }
    }

    /// Writes 32 bits.
    private mutating func flush() {
        pendingCount -= 32
        let four = UInt32(truncatingIfNeeded: pending &>> UInt64(truncatingIfNeeded: pendingCount))
        guard reserve(8) else { return }
        // Whether a byte is 0xFF: then its complement is 0.
        let complement = ~four
        if (complement &- 0x0101_0101) & ~complement & 0x8080_8080 == 0 {
            UnsafeMutableRawPointer(bytes + count).storeBytes(of: four.bigEndian, as: UInt32.self)
            count += 4
        } else {
            for shift in [24, 16, 8, 0] as [UInt32] { stuff(UInt8(truncatingIfNeeded: four >> shift)) }
        }
    }

    private mutating func stuff(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
        guard byte == 0xFF else { return }
        bytes[count] = 0
        count += 1
    }

    /// Writes the last bits of a scan, filled with ones.
    mutating func endScan() {
        guard reserve(16) else { return }
        let fill = (8 - pendingCount % 8) % 8
        pending = pending << UInt64(fill) | (1 << UInt64(fill) - 1)
        pendingCount += fill
        while pendingCount > 0 {
            pendingCount -= 8
            stuff(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
        }
        pending = 0
    }

    private mutating func reserve(_ more: Int) -> Bool {
        guard count + more > capacity else { return hasMemory }
        let wanted = max(count + more, capacity + capacity / 2)
        guard let larger = realloc(bytes, wanted) else {
            (hasMemory, count) = (false, 0)
            return false
        }
        (bytes, capacity) = (larger.assumingMemoryBound(to: UInt8.self), wanted)
        return hasMemory
    }
}
