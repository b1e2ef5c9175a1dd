/// The header of a Netpbm image: width, height, channels, and the largest value of a sample.
struct PNMHeader {
    let size: PixelSize
    let largest: Int
    /// Whether the samples are numbers in text. For 1-bit images (P1), they are digits.
    let isText: Bool
    /// Whether the samples are bits, of which 1 is black (P1 and P4).
    let isBitmap: Bool
    /// The samples of a pixel: gray or RGB, and perhaps alpha.
    let channels: Int
    /// The offset of the pixels or, in a text, of the white space before them.
    let end: Int

    /// - Throws: `damaged` if a number is missing or out of its range, `unsupported` for a PAM of other tuples.
    init(_ file: ByteReader) throws(CodecError) {
        guard let kind = file.uint8(at: 1).map({ $0 - 0x30 }), kind != 7 else {
            self = try PAMHeader(file).header()
            return
        }
        var text = PNMText(file, from: 2)
        guard let width = text.number(), let height = text.number(), let largest = kind % 3 == 1 ? 1 : text.number()
        else { throw CodecError(.damaged, "PNM is damaged: a number of its header is missing") }
        // One character ends the header of binary samples.
        try self.init(
            PixelSize(width: width, height: height), largest: largest, channels: kind % 3 == 0 ? 3 : 1,
            isText: kind <= 3, isBitmap: kind % 3 == 1, end: kind <= 3 ? text.offset : text.offset + 1)
    }

    fileprivate init(
        _ size: PixelSize, largest: Int, channels: Int, isText: Bool = false, isBitmap: Bool = false, end: Int
    ) throws(CodecError) {
        guard (1...65_535).contains(largest) else {
            throw CodecError(.damaged, "PNM is damaged: samples up to \(largest), at most 65535 are possible")
        }
        (self.size, self.largest, self.channels, self.end) = (size, largest, channels, end)
        (self.isText, self.isBitmap) = (isText, isBitmap)
    }

    var hasAlpha: Bool { channels % 2 == 0 }
}

/// The header of a PAM (P7): lines of a name and a value.
private struct PAMHeader {
    private var width: Int?
    private var height: Int?
    private var depth: Int?
    private var largest: Int?
    private var isKnown = true
    private var end = 3

    private static let tuples: [StaticString] = [
        "BLACKANDWHITE\n", "BLACKANDWHITE_ALPHA\n", "GRAYSCALE\n", "GRAYSCALE_ALPHA\n", "RGB\n", "RGB_ALPHA\n",
    ]

    init(_ file: ByteReader) throws(CodecError) {
        while !file.has("ENDHDR\n", at: end) {
            read(file)
            while let byte = file.uint8(at: end), byte != 0x0A { end += 1 }
            end += 1
            guard end < min(file.count, 1 << 16) else {
                throw CodecError(.damaged, "PNM is damaged: the header of a PAM has no end")
            }
        }
        end += 7
    }

    /// Reads the line that begins at `end`.
    private mutating func read(_ file: ByteReader) {
        func number(_ name: StaticString) -> Int? {
            guard file.has(name, at: end) else { return nil }
            var text = PNMText(file, from: end + name.utf8CodeUnitCount)
            return text.number()
        }
        width = number("WIDTH ") ?? width
        height = number("HEIGHT ") ?? height
        depth = number("DEPTH ") ?? depth
        largest = number("MAXVAL ") ?? largest
        if file.has("TUPLTYPE ", at: end) { isKnown = Self.tuples.contains { file.has($0, at: end + 9) } }
    }

    func header() throws(CodecError) -> PNMHeader {
        guard let width, let height, let depth, let largest else {
            throw CodecError(.damaged, "PNM is damaged: a number of its header is missing")
        }
        guard isKnown, (1...4).contains(depth) else {
            throw CodecError(
                .unsupported, "PAM of other pixels than gray and RGB, with or without alpha, is not supported")
        }
        return try PNMHeader(PixelSize(width: width, height: height), largest: largest, channels: depth, end: end)
    }
}

/// Reads numbers in text, skipping comments.
struct PNMText {
    private let file: ByteReader
    private(set) var offset: Int

    init(_ file: ByteReader, from offset: Int) {
        (self.file, self.offset) = (file, offset)
    }

    /// Reads the next number. One of more than 31 bits becomes the largest of these.
    mutating func number() -> Int? {
        skipSpace()
        var number: Int?
        while let byte = file.uint8(at: offset), (0x30...0x39).contains(byte) {
            number = min(10 * (number ?? 0) + byte - 0x30, Int(Int32.max))
            offset += 1
        }
        return number
    }

    /// Reads the next pixel of a 1-bit image stored as text, in which pixels need no separators.
    mutating func digit() -> Int? {
        skipSpace()
        guard let byte = file.uint8(at: offset), (0x30...0x31).contains(byte) else { return nil }
        offset += 1
        return byte - 0x30
    }

    private mutating func skipSpace() {
        while let byte = file.uint8(at: offset) {
            if byte == 0x23 {
                while let byte = file.uint8(at: offset), byte != 0x0A { offset += 1 }
            } else if (0x09...0x0D).contains(byte) || byte == 0x20 {
                offset += 1
            } else {
                break
            }
        }
    }
}
