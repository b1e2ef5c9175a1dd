/// The header of a BMP or of an icon's bitmap: OS/2's of versions 1 and 2, and Windows' of versions 3 to 5.
struct BMPHeader {
    /// The size, with the height of both bitmaps in an icon. A negative height, for rows from the top, is made positive.
    let size: PixelSize
    let isTopDown: Bool
    /// The bits of a pixel.
    let depth: Int
    let coding: Coding
    /// The offset after the header and the masks that may follow it.
    let end: Int
    /// The number of colors that the header announces, limited to those that an index may have.
    let colorCount: Int
    /// The bytes of a color: blue, green and red and, unless the header is OS/2's first, one that does not count.
    let colorBytes: Int

    enum Coding {
        case plain
        case masks(BitMasks)
        /// Runs of indices of 4 or 8 bits.
        case runs
    }

    /// - Parameters:
    ///   - start: The offset of the header: 14 in a file, after the file's own header.
    ///   - format: The format's name in errors.
    init(_ file: ByteReader, at start: Int, of format: ImageFormat) throws(CodecError) {
        guard let length = file.uint32(at: start, bigEndian: false), length <= file.count - start else {
            throw CodecError(.damaged, "\(format) is cut short: it ends in its header")
        }
        guard length == 12 || (16...124).contains(length) else {
            throw CodecError(.damaged, "\(format) is damaged: a header of \(length) bytes")
        }
        let fields = BMPFields(file.slice(start..<start + length))
        let isShort = length == 12
        let width = isShort ? fields.uint16(4) : fields.int32(4)
        let height = isShort ? fields.uint16(6) : fields.int32(8)
        guard width >= 0 else { throw CodecError(.damaged, "\(format) is damaged: a width of \(width) pixels") }
        size = PixelSize(width: width, height: Int(height.magnitude))
        isTopDown = height < 0
        depth = isShort ? fields.uint16(10) : fields.uint16(14)
        let compression = fields.uint32(16)
        coding = try BMPCoding(file, format, start: start, length: length, depth: depth).coding(compression)
        end = start + length + BMPCoding.trailingMasks(length, compression)
        let most = depth > 8 ? 0 : 1 << depth
        let named = fields.uint32(32)
        colorCount = named == 0 ? most : min(named, most)
        colorBytes = isShort ? 3 : 4
    }

    /// Returns the colors of 256 indices, opaque BGRA, black where the file has none.
    ///
    /// - Parameter count: The number of colors in the file.
    func colors(_ file: ByteReader, count: Int) -> [UInt32] {
        (0..<256).map { index in
            guard index < count, let color = file.bytes(at: end + index * colorBytes, count: 3) else {
                return 0xFF00_0000
            }
            return 0xFF00_0000 | UInt32(color[2]) << 16 | UInt32(color[1]) << 8 | UInt32(color[0])
        }
    }

    /// Returns the form of the pixels that are not run lengths.
    ///
    /// - Parameter colors: The colors of indices.
    func pixels(_ colors: [UInt32]) -> PackedPixels {
        switch (coding, depth) {
        case (.masks(let masks), _): .masks(masks)
        case (_, 24): .bgr
        case (_, 32): .bgrx
        default: .indices(bits: depth, colors)
        }
    }

    var hasAlpha: Bool {
        if case .masks(let masks) = coding { return masks.hasAlpha }
        return false
    }

    var samplesPerPixel: Double { depth <= 8 ? 1 : hasAlpha ? 4 : 3 }

    var bitsPerSample: Int {
        if case .masks(let masks) = coding { return masks.bitsPerSample }
        return depth <= 8 ? depth : 8
    }
}

/// The numbers of a header, 0 where it is too short for them: OS/2's second may end after any.
private struct BMPFields {
    private let bytes: ByteReader

    init(_ bytes: ByteReader) { self.bytes = bytes }

    func uint16(_ offset: Int) -> Int { bytes.uint16(at: offset, bigEndian: false) ?? 0 }

    func uint32(_ offset: Int) -> Int { bytes.uint32(at: offset, bigEndian: false) ?? 0 }

    func int32(_ offset: Int) -> Int { Int(Int32(truncatingIfNeeded: uint32(offset))) }
}

/// The meaning of the number of a compression, which depends on the header's length.
private struct BMPCoding {
    private let file: ByteReader
    private let format: ImageFormat
    private let start: Int
    private let length: Int
    private let depth: Int

    init(_ file: ByteReader, _ format: ImageFormat, start: Int, length: Int, depth: Int) {
        (self.file, self.format, self.start, self.length, self.depth) = (file, format, start, length, depth)
    }

    /// Returns the bytes of masks behind a header that has no place for them.
    static func trailingMasks(_ length: Int, _ compression: Int) -> Int {
        length != 40 ? 0 : compression == 3 ? 12 : compression == 6 ? 16 : 0
    }

    /// Whether the header is OS/2's, whose compressions 3 and 4 are others.
    private var isOS2: Bool { length < 40 || (41..<52).contains(length) || (57...64).contains(length) }

    func coding(_ compression: Int) throws(CodecError) -> BMPHeader.Coding {
        switch compression {
        case 0: return try plain()
        case 1, 2:
            guard depth == (compression == 1 ? 8 : 4) else { throw damaged("run lengths of \(depth) bits a pixel") }
            return .runs
        case 3 where isOS2: throw unsupported("OS/2's Huffman code")
        case 4 where isOS2: throw unsupported("OS/2's run lengths of 24 bits")
        case 3, 6: return try masks(hasAlpha: compression == 6 || length >= 56)
        case 4: throw unsupported("an embedded JPEG")
        case 5: throw unsupported("an embedded PNG")
        default: throw unsupported("compression \(compression)")
        }
    }

    private func plain() throws(CodecError) -> BMPHeader.Coding {
        guard [1, 2, 4, 8, 16, 24, 32].contains(depth) else {
            throw depth == 64 ? unsupported("64 bits a pixel") : damaged("\(depth) bits a pixel")
        }
        guard depth == 16, let masks = BitMasks(red: 0x7C00, green: 0x3E0, blue: 0x1F, bytes: 2) else { return .plain }
        return .masks(masks)
    }

    private func masks(hasAlpha: Bool) throws(CodecError) -> BMPHeader.Coding {
        guard depth == 16 || depth == 32 else { throw damaged("bit masks of \(depth) bits a pixel") }
        // In the header, or behind one of 40 bytes, at the same place.
        func mask(_ index: Int) throws(CodecError) -> UInt32 {
            guard let mask = file.uint32(at: start + 40 + 4 * index, bigEndian: false) else {
                throw CodecError(.damaged, "\(format) is cut short: it ends in its header")
            }
            return UInt32(mask)
        }
        let (red, green, blue) = (try mask(0), try mask(1), try mask(2))
        let alpha = hasAlpha ? try mask(3) : 0
        guard let masks = BitMasks(red: red, green: green, blue: blue, alpha: alpha, bytes: depth / 8) else {
            throw damaged("the bits of a channel are not next to each other")
        }
        return .masks(masks)
    }

    private func damaged(_ problem: String) -> CodecError { CodecError(.damaged, "\(format) is damaged: \(problem)") }

    private func unsupported(_ variant: String) -> CodecError {
        CodecError(.unsupported, "\(format) with \(variant) is not supported")
    }
}
